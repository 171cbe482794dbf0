//! A study and the entities that its records name.

use std::fmt;

use chrono::NaiveDate;
use indexmap::IndexMap;
use serde::Serialize;

use super::{
    BatchId, Board, BoardId, Claim, ClassId, GpuId, ImplementationId, LatencyRecord, MacroEval,
    Note, NoteId, OperatorId, RatioRecord, Retest, SampleSet, ShapeId, ShapeKey, StudyId, Table,
    TrajectoryPoint, Withdrawal,
};
use crate::diagnostic::Span;

/// One body of results: a folder below `studies/`.
#[derive(Debug)]
pub struct Study {
    /// Name of the folder.
    pub id: StudyId,
    /// Title.
    pub title: String,
    /// What was compared, on what, by whom: a few sentences of Markdown.
    pub summary: String,
    /// Under what terms the figures may be used.
    pub licence: Option<String>,
    /// BibTeX.
    pub citation: Option<String>,
    /// Who published it.
    pub authors: Vec<String>,
    /// The paper.
    pub paper_url: Option<String>,
    /// When it was published.
    pub published_on: Option<NaiveDate>,
    /// The board that the index page shows; the first one if none was named. None without boards.
    pub headline: Option<BoardId>,
    /// Ratios within a factor of 1 + `tie_band` of 1 are ties.
    pub tie_band: f64,
    /// Whether a record counts only with a passed retest.
    pub require_retest: bool,
    /// What this study calls operators, shapes and implementations.
    pub labels: Labels,
    /// Boards in the order of `study.toml`.
    pub boards: IndexMap<BoardId, Board>,
    /// Operators in the order of their file.
    pub operators: IndexMap<OperatorId, Operator>,
    /// Shapes in the order of their file.
    pub shapes: IndexMap<ShapeKey, Shape>,
    /// Implementations in the order of their file.
    pub implementations: IndexMap<ImplementationId, Implementation>,
    /// Batches in the order of their file.
    pub batches: IndexMap<BatchId, Batch>,
    /// Latencies, in the order of their files.
    pub latencies: Vec<LatencyRecord>,
    /// Raw samples, a set per key, in order of first appearance.
    pub samples: Vec<SampleSet>,
    /// Speedups published without their latencies.
    pub ratios: Vec<RatioRecord>,
    /// Independent correctness checks.
    pub retests: Vec<Retest>,
    /// Records taken out of every computation.
    pub withdrawals: Vec<Withdrawal>,
    /// Published figures to hold against the data.
    pub claims: Vec<Claim>,
    /// Latencies over the time of a session.
    pub trajectories: Vec<TrajectoryPoint>,
    /// Published tables, by path below the study's folder (`tables/mechanisms.csv`).
    pub tables: IndexMap<String, Table>,
    /// Notes by id.
    pub notes: IndexMap<NoteId, Note>,
    /// The files of a MacroEval study, if it is one.
    pub macroeval: Option<MacroEval>,
    /// Where `study.toml` begins.
    pub span: Span,
}

impl Study {
    /// The shapes of one operator, in the order of their file.
    pub fn shapes_of<'a>(&'a self, operator: &'a OperatorId) -> impl Iterator<Item = &'a Shape> {
        self.shapes.values().filter(move |shape| shape.key.operator == *operator)
    }
}

/// What a study calls the three things every study has.
#[derive(Debug, Clone, Serialize)]
pub struct Labels {
    /// Singular for what is computed.
    pub operator: String,
    /// Singular for one problem size of it.
    pub shape: String,
    /// Singular for one thing that was timed.
    pub implementation: String,
}

impl Default for Labels {
    fn default() -> Self {
        Self {
            operator: "Operator".into(),
            shape: "Shape".into(),
            implementation: "Implementation".into(),
        }
    }
}

/// A row of `operators.csv`.
#[derive(Debug)]
pub struct Operator {
    /// Id.
    pub id: OperatorId,
    /// Name as printed.
    pub name: String,
    /// Group it belongs to.
    pub family: Option<String>,
    /// Correctness standard that its implementations are held to.
    pub standard: Option<String>,
    /// Notes named by the row.
    pub notes: Vec<NoteId>,
    /// The id's cell.
    pub span: Span,
}

/// A row of `shapes.csv`.
#[derive(Debug)]
pub struct Shape {
    /// Operator and id.
    pub key: ShapeKey,
    /// Name as printed.
    pub name: String,
    /// The dimensions, in words.
    pub description: Option<String>,
    /// Arithmetic type (`bf16`, `fp8`), where the limits depend on it.
    pub dtype: Option<String>,
    /// Floating-point operations of one call.
    pub flops: Option<f64>,
    /// Bytes that must be moved at least once by one call.
    pub bytes: Option<f64>,
    /// Notes named by the row.
    pub notes: Vec<NoteId>,
    /// The id's cell.
    pub span: Span,
}

impl Shape {
    /// The shape's own id, without its operator.
    pub fn id(&self) -> &ShapeId {
        &self.key.shape
    }
}

/// What kind of thing an implementation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Written by a general-purpose agent that was given the goal alone.
    GoalOnly,
    /// A human-maintained library.
    Library,
    /// A contest submission.
    Contest,
    /// Written by a specialised kernel agent.
    Agent,
    /// The reference that others are divided by.
    Reference,
}

impl Role {
    /// All roles, in the order they are listed on pages.
    pub const ALL: [Self; 5] =
        [Self::GoalOnly, Self::Library, Self::Contest, Self::Agent, Self::Reference];

    /// As written in the data.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::GoalOnly => "goal-only",
            Self::Library => "library",
            Self::Contest => "contest",
            Self::Agent => "agent",
            Self::Reference => "reference",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A row of `implementations.csv`.
#[derive(Debug)]
pub struct Implementation {
    /// Id.
    pub id: ImplementationId,
    /// Name as printed.
    pub name: String,
    /// What kind of thing it is.
    pub role: Role,
    /// The agent, harness or library it comes from.
    pub system: Option<String>,
    /// The model that wrote it.
    pub model: Option<String>,
    /// What one session had to cover: a single shape, a whole definition.
    pub scope: Option<String>,
    /// Commit of its source.
    pub commit: Option<String>,
    /// Where its source is.
    pub url: Option<String>,
    /// Notes named by the row.
    pub notes: Vec<NoteId>,
    /// The id's cell.
    pub span: Span,
}

/// A row of `batches.csv`. What is not given is not known.
#[derive(Debug)]
pub struct Batch {
    /// Id.
    pub id: BatchId,
    /// Name.
    pub name: String,
    /// Comparability label: latencies are divided only inside one class.
    pub class: ClassId,
    /// Kind of GPU.
    pub gpu: Option<GpuId>,
    /// How many of them one call used.
    pub gpu_count: Option<u32>,
    /// Driver version.
    pub driver: Option<String>,
    /// CUDA version.
    pub cuda: Option<String>,
    /// Software and versions.
    pub software: Option<String>,
    /// What clock was used, and from where to where.
    pub timer: Option<String>,
    /// State of the caches before a call.
    pub cache: Option<String>,
    /// How one latency was formed from many calls.
    pub statistic: Option<String>,
    /// The measuring program.
    pub tool: Option<String>,
    /// Its commit.
    pub tool_commit: Option<String>,
    /// The command that repeats it.
    pub command: Option<String>,
    /// When.
    pub measured_on: Option<NaiveDate>,
    /// Who verified it independently, if anyone.
    pub verified: Option<String>,
    /// Notes named by the row.
    pub notes: Vec<NoteId>,
    /// The id's cell.
    pub span: Span,
}

/// A row of `gpus.csv`: the vendor's dense limits.
#[derive(Debug)]
pub struct Gpu {
    /// Id.
    pub id: GpuId,
    /// Name as printed.
    pub name: String,
    /// Memory bandwidth in TB/s (10¹² bytes per second).
    pub memory_tb_s: Option<f64>,
    /// L2 cache in MB (10⁶ bytes).
    pub l2_mb: Option<f64>,
    /// Dense bf16 arithmetic in TFLOP/s.
    pub bf16_tflops: Option<f64>,
    /// Dense fp8 arithmetic in TFLOP/s.
    pub fp8_tflops: Option<f64>,
    /// Where these limits are from.
    pub source: Option<String>,
    /// The id's cell.
    pub span: Span,
}
