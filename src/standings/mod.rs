//! From data to results: eligibility, comparability, speedups, means, intervals, ranks, claims.
//!
//! No input, no output, no clock; it cannot fail. A value that cannot be formed is `None` with
//! the reason beside it, never `NaN`, zero or one.

pub mod audit;
mod result;

pub use result::*;

use crate::model::Model;

/// Computes everything that the pages show.
pub fn compute(_model: &Model) -> Standings {
    Standings { studies: indexmap::IndexMap::new() }
}
