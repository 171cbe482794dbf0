//! What a reader who doubts should see. Nothing here changes a number.

use crate::{
    diagnostic::Diagnostic,
    model::{BatchId, BoardId, ClassId, ContenderId, ImplementationId, OperatorId, ShapeKey},
    standings::result::{Comparison, NoSpeedup},
};

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
