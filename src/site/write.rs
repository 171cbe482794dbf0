//! Writes a site to disk: manifest, staging, swap.
