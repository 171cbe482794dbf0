//! The rules that hold across rows and files, one function each.

pub mod boards;
pub mod claims;
pub mod duplicates;
pub mod known;
pub mod ranges;
pub mod samples;
pub mod targets;
