//! Paceboard turns per-shape GPU-kernel latencies and retest records into a static leaderboard
//! site in which every number can be traced to the line it came from.
//!
//! ```text
//! data/ ──input──▶ Model ──standings──▶ Standings ──site──▶ (path, bytes) ──▶ disk | server | test
//! ```
//!
//! Each wing knows only those to its left, and `diagnostic` and `model`.

pub mod diagnostic;
pub mod import;
pub mod input;
pub mod model;
pub mod site;
pub mod standings;
