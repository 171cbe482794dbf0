//! To be written.

use super::Job;
use crate::{model::Model, standings::Standings};

/// To be written.
pub fn jobs<'a>(_model: &'a Model, _standings: &'a Standings) -> Vec<Job<'a>> {
    Vec::new()
}
