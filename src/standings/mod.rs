//! From data to results: eligibility, comparability, speedups, means, intervals, ranks, claims.
//!
//! No input, no output, no clock; it cannot fail. A value that cannot be formed is `None` with
//! the reason beside it, never `NaN`, zero or one.

pub mod audit;
pub mod change;
#[cfg(test)]
mod fixture;
mod interval;
pub mod macroeval;
mod ranking;
mod records;
mod result;
mod speedup;
#[cfg(test)]
mod tests;
pub mod timers;

use indexmap::IndexMap;
use rayon::prelude::*;

use self::records::Records;
use crate::model::{Gpu, GpuId, Model, Study, StudyId};
pub use interval::t_quantile;
pub use result::*;

/// Computes everything that the pages show.
pub fn compute(model: &Model) -> Standings {
    let compute = |(id, study): (&StudyId, &Study)| (id.clone(), compute_study(study, &model.gpus));
    Standings { studies: model.studies.par_iter().map(compute).collect() }
}

fn compute_study(study: &Study, gpus: &IndexMap<GpuId, Gpu>) -> StudyStandings {
    let records = Records::of(study, gpus);
    let computed = audit::claims::boards(study, &records);
    let claims = audit::claims::hold(study, &computed);
    let boards = computed.into_par_iter().map(|(id, board)| (id, board.standings())).collect();
    let audit = audit::of(study, gpus, &records, &boards);
    StudyStandings { records: records.all, ratios: records.ratio_status, boards, claims, audit }
}
