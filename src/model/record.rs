//! Rows that are measured, checked or claimed.

use std::{fmt, sync::Arc};

use chrono::NaiveDate;
use serde::Serialize;

use super::{
    BatchId, BoardId, ClaimId, EffectId, Figure, ImplementationId, NoteId, OperatorId, RecordKey,
    ShapeKey, TrajectoryId,
};
use crate::diagnostic::Span;

/// A row of `latencies/*.csv`.
#[derive(Debug)]
pub struct LatencyRecord {
    /// What it belongs to.
    pub key: RecordKey,
    /// Microseconds.
    pub latency: Figure,
    /// The model that really wrote this implementation's kernel for this shape, where it differs
    /// from the implementation's.
    pub model: Option<Arc<str>>,
    /// Notes named by the row.
    pub notes: Vec<NoteId>,
    /// The latency's cell, or the lower end's where only a range is given.
    pub span: Span,
}

/// All rows of `samples/*.csv` with one key.
#[derive(Debug)]
pub struct SampleSet {
    /// What they belong to.
    pub key: RecordKey,
    /// Rounds in ascending order of their number; never empty.
    pub rounds: Vec<Round>,
    /// Median over all samples of all rounds, with half a unit of the finest printed digit as its
    /// bounds. Microseconds.
    pub median: Figure,
    /// Number of samples.
    pub count: usize,
    /// The first sample's cell.
    pub span: Span,
}

/// The samples of one round: they share a state of the machine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Round {
    /// Number of the round.
    pub number: u32,
    /// Median of its samples in microseconds.
    pub median_us: f64,
}

/// A row of `ratios/*.csv`: a speedup published without its latencies.
#[derive(Debug)]
pub struct RatioRecord {
    /// Operator, shape, implementation (the contender's side) and batch.
    pub key: RecordKey,
    /// The baseline's side.
    pub reference: ImplementationId,
    /// Reference latency / implementation latency.
    pub speedup: Figure,
    /// Notes named by the row.
    pub notes: Vec<NoteId>,
    /// The speedup's cell, or the lower end's where only a range is given.
    pub span: Span,
}

/// What an independent correctness check found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RetestOutcome {
    /// It met the standard.
    Pass,
    /// It did not.
    Fail,
    /// It did not run.
    Error,
    /// It ran, and nobody judged it.
    NotJudged,
}

impl RetestOutcome {
    /// All outcomes.
    pub const ALL: [Self; 4] = [Self::Pass, Self::Fail, Self::Error, Self::NotJudged];

    /// As written in the data.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Error => "error",
            Self::NotJudged => "not-judged",
        }
    }

    /// Whether it takes a record out of a board that excludes failures.
    pub fn is_failure(self) -> bool {
        matches!(self, Self::Fail | Self::Error)
    }
}

impl fmt::Display for RetestOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A row of `retests/*.csv`. An operator, shape or batch that is not given covers all.
#[derive(Debug)]
pub struct Retest {
    /// The operator it covers; all if none.
    pub operator: Option<OperatorId>,
    /// The shape it covers; all of the operator if none.
    pub shape: Option<ShapeKey>,
    /// What was checked.
    pub implementation: ImplementationId,
    /// The batch it covers; all if none.
    pub batch: Option<BatchId>,
    /// What it was held against.
    pub standard: Option<String>,
    /// What was found.
    pub outcome: RetestOutcome,
    /// More on it, such as an error figure.
    pub detail: Option<String>,
    /// Notes named by the row.
    pub notes: Vec<NoteId>,
    /// The outcome's cell.
    pub span: Span,
}

impl Retest {
    /// Whether it speaks of the record with this key.
    pub fn covers(&self, key: &RecordKey) -> bool {
        let Self { operator, shape, implementation, batch, .. } = self;
        covers(operator.as_ref(), shape.as_ref(), implementation, batch.as_ref(), key)
    }
}

/// Whether what is given of a key is that of `key`; what is not given covers all.
fn covers(
    operator: Option<&OperatorId>,
    shape: Option<&ShapeKey>,
    implementation: &ImplementationId,
    batch: Option<&BatchId>,
    key: &RecordKey,
) -> bool {
    *implementation == key.implementation
        && operator.is_none_or(|operator| *operator == key.shape.operator)
        && shape.is_none_or(|shape| *shape == key.shape)
        && batch.is_none_or(|batch| *batch == key.batch)
}

/// A row of `withdrawals.csv`. An operator, shape or batch that is not given covers all.
#[derive(Debug)]
pub struct Withdrawal {
    /// The operator it covers; all if none.
    pub operator: Option<OperatorId>,
    /// The shape it covers; all of the operator if none.
    pub shape: Option<ShapeKey>,
    /// What is withdrawn.
    pub implementation: ImplementationId,
    /// The batch it covers; all if none.
    pub batch: Option<BatchId>,
    /// When.
    pub withdrawn_on: NaiveDate,
    /// Why.
    pub reason: String,
    /// Where that was discussed.
    pub url: Option<String>,
    /// The implementation's cell.
    pub span: Span,
}

impl Withdrawal {
    /// Whether it speaks of the record with this key.
    pub fn covers(&self, key: &RecordKey) -> bool {
        let Self { operator, shape, implementation, batch, .. } = self;
        covers(operator.as_ref(), shape.as_ref(), implementation, batch.as_ref(), key)
    }
}

/// How throughput and latency speedups are weighed: the `λ` of MacroEval, section 5.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Weighting {
    /// The board's own `λ`.
    Blend,
    /// `λ` = 1.
    Throughput,
    /// `λ` = 0.
    Latency,
}

/// What a claim is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statistic {
    /// Geometric mean of the speedups.
    Geomean,
    /// The speedup on one shape.
    Speedup,
    /// The latency on one shape, in microseconds.
    Latency,
    /// One of the board's effects.
    Effect(EffectId),
    /// Rank on the board.
    Rank(Weighting),
    /// Number of shapes that count.
    N,
    /// Operators (or shapes, where one operator or some shapes are named) won.
    Wins,
    /// Those lost.
    Losses,
    /// Those tied.
    Ties,
    /// Smallest speedup.
    Min,
    /// Largest speedup.
    Max,
    /// MacroEval score.
    Score(Weighting),
    /// MacroEval speed.
    SMacro(Weighting),
    /// MacroEval correctness.
    CMacro,
    /// MacroEval coverage.
    CoverageMacro,
    /// Number of valid items.
    Valid,
    /// One cell of a table.
    Cell,
    /// Sum of a table's column.
    Sum,
    /// One cell of a table over the sum of its column.
    Share,
}

impl Statistic {
    /// The statistic in a text; `None` if it names none. `effect:` is followed by an effect's id.
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(effect) = text.strip_prefix("effect:") {
            return EffectId::parse(effect).ok().map(Self::Effect);
        }
        let (name, weighting) = match text.split_once(':') {
            None => (text, Weighting::Blend),
            Some((name @ ("score" | "s-macro" | "rank"), "throughput")) => {
                (name, Weighting::Throughput)
            }
            Some((name @ ("score" | "s-macro" | "rank"), "latency")) => (name, Weighting::Latency),
            Some(_) => return None,
        };
        Some(match name {
            "geomean" => Self::Geomean,
            "speedup" => Self::Speedup,
            "latency" => Self::Latency,
            "rank" => Self::Rank(weighting),
            "n" => Self::N,
            "wins" => Self::Wins,
            "losses" => Self::Losses,
            "ties" => Self::Ties,
            "min" => Self::Min,
            "max" => Self::Max,
            "score" => Self::Score(weighting),
            "s-macro" => Self::SMacro(weighting),
            "c-macro" => Self::CMacro,
            "coverage-macro" => Self::CoverageMacro,
            "valid" => Self::Valid,
            "cell" => Self::Cell,
            "sum" => Self::Sum,
            "share" => Self::Share,
            _ => return None,
        })
    }
}

/// A row of `claims.csv`: a published figure, to be held against what the data gives.
#[derive(Debug)]
pub struct Claim {
    /// Id.
    pub id: ClaimId,
    /// The board it is about.
    pub board: BoardId,
    /// The contender it is about; on a MacroEval board a run (`RUN` or `RUN/SUBSET`), on a table
    /// a column.
    pub contender: Option<String>,
    /// What the contender is held against, `CONTENDER` or `BOARD/CONTENDER`; the board's baseline
    /// if none.
    pub against: Option<String>,
    /// The operators it covers, as written; all if none. On a MacroEval board families.
    pub operators: Vec<String>,
    /// The shapes it covers, as `OPERATOR/SHAPE`, or `SHAPE` where one operator is named; all if
    /// none. On a MacroEval board items, on a table the text of a row's first cell.
    pub shapes: Vec<String>,
    /// What is claimed of them.
    pub statistic: Statistic,
    /// The statistic as written.
    pub statistic_text: String,
    /// The published value.
    pub value: Figure,
    /// Where it was published.
    pub source: Option<String>,
    /// Notes named by the row.
    pub notes: Vec<NoteId>,
    /// The value's cell.
    pub span: Span,
}

/// What a point of a trajectory stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrajectoryPointKind {
    /// The first version that ran.
    Start,
    /// A new best.
    Best,
    /// A version that did not improve.
    Attempt,
    /// The reference's latency, drawn as a line.
    Reference,
    /// The final version.
    Final,
}

/// A row of `trajectories/*.csv`.
#[derive(Debug)]
pub struct TrajectoryPoint {
    /// The series it belongs to.
    pub trajectory: TrajectoryId,
    /// What was optimised.
    pub shape: ShapeKey,
    /// What came of it.
    pub implementation: ImplementationId,
    /// Hours since the session began, if known.
    pub hours: Option<f64>,
    /// Microseconds, by the session's own measurement.
    pub latency: Figure,
    /// What it stands for.
    pub kind: TrajectoryPointKind,
    /// What was done.
    pub label: Option<String>,
    /// The latency's cell.
    pub span: Span,
}

/// One file of `tables/`: a published table, cell by cell as it is.
#[derive(Debug)]
pub struct Table {
    /// Column names.
    pub header: Vec<String>,
    /// Rows of as many cells as the header has.
    pub rows: Vec<Vec<String>>,
    /// Where each row begins.
    pub spans: Vec<Span>,
}
