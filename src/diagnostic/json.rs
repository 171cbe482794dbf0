//! Diagnostics as JSON, for other programs.
