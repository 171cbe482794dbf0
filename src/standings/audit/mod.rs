//! What a reader who doubts should see. Nothing here changes a number.

pub(super) mod claims;
mod coverage;
mod drift;
mod exclusions;
mod plausibility;
mod precision;

use indexmap::IndexMap;

use super::records::Records;
use crate::{
    diagnostic::Diagnostic,
    model::{
        BatchId, BoardId, ClassId, ContenderId, Gpu, GpuId, ImplementationId, OperatorId, ShapeKey,
        Study,
    },
    standings::{BoardStandings, Comparison, NoSpeedup},
};

/// Looks at the results of a study with a doubting eye.
pub(super) fn of(
    study: &Study,
    gpus: &IndexMap<GpuId, Gpu>,
    records: &Records<'_>,
    boards: &IndexMap<BoardId, BoardStandings>,
) -> Audit {
    Audit {
        exclusions: exclusions::find(boards),
        drift: drift::find(records),
        precision: precision::find(study, boards),
        plausibility: plausibility::find(study, gpus, records),
        coverage: coverage::find(study, records),
    }
}

/// The audit of a study. Claims, retests and withdrawals stand beside it, in the results and in
/// the study itself.
#[derive(Debug, Default)]
pub struct Audit {
    /// Contenders without a speedup on a shape, and why.
    pub exclusions: Vec<Exclusion>,
    /// The same thing measured in several batches.
    pub drift: Vec<Drift>,
    /// Standings that the precision of the inputs leaves open.
    pub precision: Vec<OpenStanding>,
    /// Values that are hard to believe, as warnings; `check` reports them too.
    pub plausibility: Vec<Diagnostic>,
    /// What is missing.
    pub coverage: Coverage,
}

/// A contender without a speedup on a shape of a board.
#[derive(Debug)]
pub struct Exclusion {
    /// The board.
    pub board: BoardId,
    /// The shape.
    pub shape: ShapeKey,
    /// The contender.
    pub contender: ContenderId,
    /// The rule that left it out.
    pub reason: NoSpeedup,
}

/// One implementation on one shape, measured in several batches.
#[derive(Debug)]
pub struct Drift {
    /// The shape.
    pub shape: ShapeKey,
    /// What was measured.
    pub implementation: ImplementationId,
    /// Indices into `StudyStandings::records`, at least two.
    pub records: Vec<usize>,
    /// Slowest value over fastest.
    pub spread: f64,
}

/// Two contenders whose order the inputs' precision leaves open.
#[derive(Debug)]
pub struct OpenStanding {
    /// The board.
    pub board: BoardId,
    /// The operator; none for all shapes of the board.
    pub operator: Option<OperatorId>,
    /// The comparison, whose verdict is undecided. `against` is the baseline where the contender
    /// is compared with it.
    pub comparison: Comparison,
}

/// What a study does not have.
#[derive(Debug, Default)]
pub struct Coverage {
    /// Shapes of a board on which its baseline has no record.
    pub without_baseline: Vec<(BoardId, ShapeKey)>,
    /// Implementations on some board, or with records, that no retest covers.
    pub without_retest: Vec<ImplementationId>,
    /// Batches and what they do not say of their environment.
    pub without_environment: Vec<(BatchId, Vec<&'static str>)>,
    /// Classes that no board stands on, with the number of records in them.
    pub without_board: Vec<(ClassId, usize)>,
}
