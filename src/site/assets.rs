//! To be written.

use super::Job;
use crate::model::Model;

/// To be written.
pub fn jobs(_model: &Model) -> Vec<Job<'_>> {
    Vec::new()
}
