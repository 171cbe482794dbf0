//! What the computation gives: plain values for pages, JSON and the terminal to show.

use std::sync::Arc;

use indexmap::IndexMap;
use serde::Serialize;

use super::audit::Audit;
use crate::{
    diagnostic::Span,
    model::{
        BatchId, BoardId, ClassId, ContenderId, EffectId, FamilyId, Figure, ItemId, NoteId,
        OperatorId, OutcomeKind, RecordKey, RunId, ShapeKey, StudyId, Subset,
    },
};

/// The results of all studies, in the order of the model.
#[derive(Debug)]
pub struct Standings {
    /// By study.
    pub studies: IndexMap<StudyId, StudyStandings>,
}

/// The results of one study.
#[derive(Debug)]
pub struct StudyStandings {
    /// Every latency that was published or sampled, with what became of it, in the study's order
    /// of operators and shapes, then of implementations and batches.
    pub records: Vec<Record>,
    /// What became of each published ratio, in the order of `Study::ratios`: the worse of its two
    /// sides decides.
    pub ratios: Vec<Judgement>,
    /// Boards in the study's order.
    pub boards: IndexMap<BoardId, BoardStandings>,
    /// One result per claim, in the order of `claims.csv`.
    pub claims: Vec<ClaimResult>,
    /// What a reader who doubts should see.
    pub audit: Audit,
}

/// The results of one board.
#[derive(Debug)]
pub enum BoardStandings {
    /// Contenders against a baseline.
    Speedup(SpeedupStandings),
    /// Runs by score.
    MacroEval(MacroEvalStandings),
    /// A table is shown as it is.
    Table,
}

/// Bounds, and what they are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// Lower bound; positive, finite, at most the value.
    pub low: f64,
    /// Upper bound; finite, at least the value.
    pub high: f64,
    /// What kind of bounds these are.
    pub kind: IntervalKind,
}

/// What an interval stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum IntervalKind {
    /// Hard bounds: all values that print as the published digits.
    PublishedDigits,
    /// 95 % over the rounds of a measurement.
    Rounds,
    /// Rounds on one side, published digits on another.
    Mixed,
}

/// A positive finite number and how far it may be off.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// Its bounds; none where there are samples of one round only.
    pub interval: Option<Interval>,
}

/// One latency of the study and what became of it.
#[derive(Debug, Clone)]
pub struct Record {
    /// What it belongs to.
    pub key: RecordKey,
    /// Microseconds.
    pub latency: Estimate,
    /// As published, or the samples' median with their digits.
    pub published: Arc<str>,
    /// Number of samples and rounds, where there are samples.
    pub samples: Option<(usize, usize)>,
    /// The model that really wrote it, where the record says so.
    pub model: Option<Arc<str>>,
    /// Whether it counts, whatever the board.
    pub status: Status,
    /// Whether some retest that covers it says `pass`.
    pub passed: bool,
    /// Achieved share of the GPU's memory and arithmetic limits, where the shape's size, the
    /// batch's GPU and its limits are known.
    pub limits: Limits,
    /// Notes named by the record's row.
    pub notes: Vec<NoteId>,
    /// The latency's cell; the first sample's where it was only sampled.
    pub span: Span,
}

/// Share of a GPU's limits that a latency reaches; over 1 is not possible.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Limits {
    /// (bytes less L2 where the cache was cold) / bandwidth / latency.
    pub memory: Option<f64>,
    /// operations / peak arithmetic / latency.
    pub arithmetic: Option<f64>,
}

/// Whether something counts, and whether a retest of it passed.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// Whether it counts, whatever the board.
    pub status: Status,
    /// Whether some retest that covers it says `pass`.
    pub passed: bool,
}

/// Whether a record counts.
#[derive(Debug, Clone, PartialEq)]
pub enum Status {
    /// It counts everywhere.
    Counts,
    /// A retest that covers it failed: boards exclude or mark it, as each says.
    /// Index of the retest in the study.
    Failed {
        /// Index into `Study::retests`.
        retest: usize,
    },
    /// The study requires a passed retest and there is none.
    NotRetested,
    /// It was withdrawn.
    Withdrawn {
        /// Index into `Study::withdrawals`.
        withdrawal: usize,
    },
}

impl Status {
    /// As published in `latencies.csv`.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Counts => "counts",
            Self::Failed { .. } => "failed",
            Self::NotRetested => "not-retested",
            Self::Withdrawn { .. } => "withdrawn",
        }
    }
}

/// The results of a board of contenders.
#[derive(Debug)]
pub struct SpeedupStandings {
    /// Per operator, in the study's order.
    pub operators: Vec<OperatorStandings>,
    /// Over all shapes of the board, in order of rank, geomean, id.
    pub overall: Vec<ContenderStanding>,
    /// Every pair of contenders, over all shapes of the board.
    pub comparisons: Vec<Comparison>,
    /// The board's effects, per operator and overall, in the order of `study.toml`.
    pub effects: Vec<EffectResult>,
}

/// One operator of a board.
#[derive(Debug)]
pub struct OperatorStandings {
    /// The operator.
    pub operator: OperatorId,
    /// Contenders in order of rank, geomean, id.
    pub results: Vec<ContenderStanding>,
    /// Every pair of contenders, in the board's order.
    pub comparisons: Vec<Comparison>,
    /// The board's shapes of this operator, in the study's order.
    pub shapes: Vec<ShapeStandings>,
}

/// One contender over some shapes.
#[derive(Debug, Clone)]
pub struct ContenderStanding {
    /// The contender.
    pub contender: ContenderId,
    /// Geometric mean of its speedups; none if no shape counts.
    pub geomean: Option<Estimate>,
    /// Number of shapes that count: the n of `n of N`.
    pub counted: usize,
    /// Number of shapes there are: the N.
    pub total: usize,
    /// Shapes that do not count.
    pub missing: Vec<ShapeKey>,
    /// Against the baseline.
    pub verdict: Option<Verdict>,
    /// 1 + the number of contenders decidedly faster; none if no shape counts.
    pub rank: Option<usize>,
    /// Shapes on which it counts in spite of a failed retest.
    pub failed: Vec<ShapeKey>,
}

/// How two things compare, given how precisely both are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Certainly faster by more than the tie band.
    Faster,
    /// Certainly slower by more than the tie band.
    Slower,
    /// Certainly within the tie band.
    Tie,
    /// The precision does not decide it.
    Undecided,
}

impl Verdict {
    /// As published.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Faster => "faster",
            Self::Slower => "slower",
            Self::Tie => "tie",
            Self::Undecided => "undecided",
        }
    }
}

/// Two contenders over their common shapes.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// The first, in the board's order.
    pub contender: ContenderId,
    /// The second.
    pub against: ContenderId,
    /// The second's latency over the first's: over 1 means that the first is faster. None without
    /// a common shape.
    pub ratio: Option<Estimate>,
    /// Number of common shapes.
    pub common: usize,
    /// Of these, how many could be compared only through the baseline.
    pub through_baseline: usize,
    /// The first against the second.
    pub verdict: Option<Verdict>,
    /// The same comparison in other classes of the board that hold both sides of all its shapes.
    pub replications: Vec<ComparisonReplication>,
}

impl Comparison {
    /// Whether some replication comes to another verdict.
    pub fn not_replicated(&self) -> bool {
        self.replications.iter().any(|replication| Some(replication.verdict) != self.verdict)
    }
}

/// A comparison in another class.
#[derive(Debug, Clone)]
pub struct ComparisonReplication {
    /// The class.
    pub class: ClassId,
    /// The ratio there.
    pub ratio: Estimate,
    /// The first against the second.
    pub verdict: Verdict,
}

/// One shape of a board.
#[derive(Debug)]
pub struct ShapeStandings {
    /// Operator and shape.
    pub key: ShapeKey,
    /// One result per contender, in the board's order.
    pub results: Vec<ShapeResult>,
    /// Every pair of contenders that both count on this shape, in the board's order.
    pub comparisons: Vec<Comparison>,
}

/// One contender on one shape.
#[derive(Debug)]
pub struct ShapeResult {
    /// The contender.
    pub contender: ContenderId,
    /// Its speedup, or why there is none.
    pub outcome: Result<Speedup, NoSpeedup>,
}

/// A speedup and what it is made of.
#[derive(Debug, Clone)]
pub struct Speedup {
    /// The comparability class it stands on.
    pub class: ClassId,
    /// Baseline latency / contender latency.
    pub estimate: Estimate,
    /// What it was computed from.
    pub source: SpeedupSource,
    /// Against the baseline on this shape.
    pub verdict: Verdict,
    /// The same speedup in later classes that also hold both sides.
    pub replications: Vec<Replication>,
}

impl Speedup {
    /// Whether it counts in spite of a failed retest on either side.
    pub fn failed(&self) -> bool {
        match &self.source {
            SpeedupSource::Latencies { baseline, contender } => baseline.failed || contender.failed,
            SpeedupSource::Ratio(ratio) => ratio.failed,
        }
    }

    /// Whether some replication comes to another verdict.
    pub fn not_replicated(&self) -> bool {
        self.replications.iter().any(|replication| !replication.shared)
    }
}

/// What a speedup was computed from.
#[derive(Debug, Clone)]
pub enum SpeedupSource {
    /// Two latencies.
    Latencies {
        /// The baseline's.
        baseline: Side,
        /// The contender's.
        contender: Side,
    },
    /// A published ratio.
    Ratio(RatioSide),
}

/// One side of a speedup: the fastest eligible record of a contender.
#[derive(Debug, Clone)]
pub struct Side {
    /// Index into [`StudyStandings::records`] of the fastest record.
    pub record: usize,
    /// Its value, with an interval that also holds every other member that may be the fastest.
    pub latency: Estimate,
    /// Indices of those other members' records: slower by their value, not by their interval.
    pub rivals: Vec<usize>,
    /// Whether a retest of it failed.
    pub failed: bool,
}

/// A published ratio that stands for both sides.
#[derive(Debug, Clone)]
pub struct RatioSide {
    /// Index into `Study::ratios`.
    pub ratio: usize,
    /// Whether a retest of either side failed.
    pub failed: bool,
}

/// The same speedup in another class.
#[derive(Debug, Clone)]
pub struct Replication {
    /// The class.
    pub class: ClassId,
    /// The speedup there.
    pub estimate: Estimate,
    /// What it was computed from.
    pub source: SpeedupSource,
    /// Its value over the value of the speedup that it replicates.
    pub ratio: f64,
    /// Its verdict against the baseline.
    pub verdict: Verdict,
    /// Whether that is the verdict of the speedup that it replicates.
    pub shared: bool,
}

/// Why a contender has no speedup on a shape.
#[derive(Debug, Clone, PartialEq)]
pub enum NoSpeedup {
    /// No record of any of its members.
    NotMeasured,
    /// It has records, the baseline has none.
    NoBaseline,
    /// Both have eligible records, but in no common class of the board.
    NotComparable {
        /// Batches of the contender's records.
        contender: Vec<BatchId>,
        /// Batches of the baseline's records.
        baseline: Vec<BatchId>,
    },
    /// Its records were left out: indices into [`StudyStandings::records`], whose status says why.
    Excluded(Vec<usize>),
    /// The baseline's records were left out: indices into [`StudyStandings::records`].
    BaselineExcluded(Vec<usize>),
    /// It has published ratios only, and they were left out: indices into `Study::ratios`.
    RatioExcluded(Vec<usize>),
}

/// One effect of a board on one operator, or overall.
#[derive(Debug, Clone)]
pub struct EffectResult {
    /// The effect.
    pub effect: EffectId,
    /// The operator; none for all shapes of the board.
    pub operator: Option<OperatorId>,
    /// The ratio of both geomeans over their common shapes; none without one.
    pub estimate: Option<Estimate>,
    /// Number of common shapes.
    pub counted: usize,
}

/// The result of one claim.
#[derive(Debug, Clone)]
pub struct ClaimResult {
    /// Index into `Study::claims`.
    pub claim: usize,
    /// The recomputed value; none if its inputs are missing.
    pub recomputed: Option<Recomputed>,
    /// How it compares with what was published.
    pub verdict: ClaimVerdict,
    /// Shapes it was computed over, where it was computed over shapes.
    pub inputs: Vec<ShapeKey>,
}

/// A recomputed figure. Unlike an [`Estimate`] it may be zero: counts are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Recomputed {
    /// The figure.
    pub value: f64,
    /// Lower bound; the value itself where it is exact.
    pub low: f64,
    /// Upper bound.
    pub high: f64,
}

/// How a published figure compares with what the data gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClaimVerdict {
    /// Equal to the digits published.
    Matches,
    /// Equal within what the inputs' precision leaves open.
    WithinRounding,
    /// Not equal.
    Differs,
    /// Its inputs are missing.
    NotComputable,
}

impl ClaimVerdict {
    /// All verdicts.
    pub const ALL: [Self; 4] =
        [Self::Matches, Self::WithinRounding, Self::Differs, Self::NotComputable];

    /// As published.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Matches => "matches",
            Self::WithinRounding => "within-rounding",
            Self::Differs => "differs",
            Self::NotComputable => "not-computable",
        }
    }
}

/// The results of a MacroEval board.
#[derive(Debug)]
pub struct MacroEvalStandings {
    /// In order of subset, rank, run id.
    pub rows: Vec<MacroEvalRow>,
}

/// A run on one subset.
#[derive(Debug)]
pub struct MacroEvalRow {
    /// The run.
    pub run: RunId,
    /// Which of its kernels were put in.
    pub subset: Subset,
    /// Number of items.
    pub items: usize,
    /// Number of valid items.
    pub valid: usize,
    /// Mean over families of the share of valid items.
    pub coverage_macro: f64,
    /// Mean over families of their correctness.
    pub c_macro: f64,
    /// Geomean over families of their speed.
    pub s_macro: Weighted,
    /// Product of the three.
    pub score: Weighted,
    /// 1 + the number of runs of its subset with a higher score.
    pub rank: Ranks,
    /// Per family, in the order of `families.csv`.
    pub families: Vec<FamilyRow>,
    /// Per item, in the order of `items.csv`.
    pub items_detail: Vec<ItemRow>,
}

/// A value per weighting of throughput and latency; none where no item is valid.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Weighted {
    /// The board's `λ`.
    pub blend: Option<f64>,
    /// `λ` = 1.
    pub throughput: Option<f64>,
    /// `λ` = 0.
    pub latency: Option<f64>,
}

/// A rank per weighting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ranks {
    /// By the board's `λ`.
    pub blend: usize,
    /// By `λ` = 1.
    pub throughput: usize,
    /// By `λ` = 0.
    pub latency: usize,
}

/// One family of a run.
#[derive(Debug)]
pub struct FamilyRow {
    /// The family.
    pub family: FamilyId,
    /// Number of items.
    pub items: usize,
    /// Number of valid items.
    pub valid: usize,
    /// Mean correctness of its items.
    pub c: f64,
    /// Share of valid items.
    pub coverage: f64,
    /// Geomean of the speed of its valid items.
    pub s: Weighted,
}

/// One item of a run.
#[derive(Debug)]
pub struct ItemRow {
    /// The item.
    pub item: ItemId,
    /// Its family.
    pub family: FamilyId,
    /// How it ended.
    pub outcome: OutcomeKind,
    /// Index into `MacroEval::outcomes`; none if there is no record of it.
    pub record: Option<usize>,
    /// Correctness: 0 unless the outcome is `ok`.
    pub c: f64,
    /// Whether it counts for the speed.
    pub valid: bool,
    /// Its speed.
    pub s: Weighted,
}

impl Estimate {
    /// A published figure: its value and the bounds its digits stand for.
    pub fn exactly(figure: &Figure) -> Self {
        let kind = IntervalKind::PublishedDigits;
        Self {
            value: figure.value,
            interval: Some(Interval { low: figure.low, high: figure.high, kind }),
        }
    }

    /// The same estimate with its value given more exactly than through its logarithm; the
    /// bounds still hold it.
    #[must_use]
    pub(super) fn with_value(mut self, value: f64) -> Self {
        self.value = value;
        if let Some(interval) = &mut self.interval {
            interval.low = interval.low.min(value);
            interval.high = interval.high.max(value);
        }
        self
    }

    /// `self / other`, end by end: the division a reader repeats by hand. Only for hard bounds.
    #[must_use]
    pub(super) fn divided_by(&self, other: &Self) -> Self {
        let interval = self.interval.zip(other.interval).map(|(above, below)| Interval {
            low: above.low / below.high,
            high: above.high / below.low,
            kind: IntervalKind::PublishedDigits,
        });
        Self { value: self.value / other.value, interval }
    }
}

impl Verdict {
    /// Judges a ratio, over 1 being faster, within a tie band of 1 + `tie_band`.
    ///
    /// Without bounds nothing is decided.
    pub fn of(ratio: &Estimate, tie_band: f64) -> Self {
        let band = 1.0 + tie_band;
        match ratio.interval {
            Some(Interval { low, .. }) if low > band => Self::Faster,
            Some(Interval { high, .. }) if high < 1.0 / band => Self::Slower,
            Some(Interval { low, high, .. }) if 1.0 / band <= low && high <= band => Self::Tie,
            _ => Self::Undecided,
        }
    }
}
