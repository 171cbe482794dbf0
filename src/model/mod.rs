//! The data folder as values, after every rule has been checked.
//!
//! Nothing here reads, computes or prints. What is optional here is optional in the data; what
//! the rules made certain (ids that exist, positive latencies, `low <= value <= high`) is not
//! checked again. Every row knows the text it came from.

mod board;
mod figure;
mod id;
mod macroeval;
mod note;
mod record;
mod study;

use std::sync::Arc;

use chrono::NaiveDate;
use indexmap::IndexMap;

pub use board::{
    BestOf, Board, BoardKind, Column, ColumnType, Contender, Effect, FailedPolicy, FigureKind,
    Mark, Members, SpeedupBoard, TableBoard,
};
pub use figure::{Figure, FigureFault, Printed, to_f64};
pub use id::{
    BatchId, BoardId, ClaimId, ClassId, ContenderId, EffectId, FamilyId, GpuId, IdFault,
    ImplementationId, ItemId, MAX_LENGTH, NoteId, OperatorId, RESERVED, RecordKey, RunId, ShapeId,
    ShapeKey, StudyId, TrajectoryId, check as check_id,
};
pub use macroeval::{Distance, Family, Item, MacroEval, Outcome, OutcomeKind, Run, Subset};
pub use note::{Note, NoteSeverity, Target};
pub use record::{
    Claim, LatencyRecord, RatioRecord, Retest, RetestOutcome, Round, SampleSet, Statistic, Table,
    TrajectoryPoint, TrajectoryPointKind, Weighting, Withdrawal,
};
pub use study::{Batch, Gpu, Implementation, Labels, Operator, Role, Shape, Study};

use crate::diagnostic::Span;

/// Everything in the data folder.
#[derive(Debug)]
pub struct Model {
    /// `site.toml`.
    pub site: Site,
    /// `pages/*.md`, by file name without extension, in that order.
    pub pages: IndexMap<String, Document>,
    /// `news/*.md`, newest first.
    pub news: Vec<News>,
    /// `gpus.csv`.
    pub gpus: IndexMap<GpuId, Gpu>,
    /// The studies, by id.
    pub studies: IndexMap<StudyId, Study>,
    /// Every file that was read, by path.
    pub files: Vec<DataFile>,
}

/// One file of the data folder as it was read.
#[derive(Debug, Clone)]
pub struct DataFile {
    /// Path relative to the data folder, with `/` between its parts.
    pub path: Arc<str>,
    /// Its bytes as text, a byte order mark included.
    pub text: Arc<str>,
}

/// `site.toml`.
#[derive(Debug, Clone, Default)]
pub struct Site {
    /// Name of the site.
    pub title: String,
    /// One sentence on what it is.
    pub tagline: String,
    /// Where the site is served, without a final slash. Used only where an absolute address is
    /// required.
    pub base_url: Option<String>,
    /// Address of a line in the repository, with `{file}` and `{line}` in it.
    pub source_url: Option<String>,
    /// Licence of the data, as text.
    pub licence: Option<String>,
    /// Links at the foot of every page.
    pub footer_links: Vec<Link>,
    /// Accent colour as `#rrggbb`, if the publisher chose one.
    pub accent: Option<String>,
}

/// A named link.
#[derive(Debug, Clone)]
pub struct Link {
    /// What it says.
    pub title: String,
    /// An `http` or `https` address.
    pub url: String,
}

/// A page of prose: `pages/<name>.md`.
#[derive(Debug, Clone)]
pub struct Document {
    /// Title from the front matter.
    pub title: String,
    /// Markdown.
    pub body: String,
    /// Where the file begins.
    pub span: Span,
}

/// A dated entry: `news/<name>.md`.
#[derive(Debug, Clone)]
pub struct News {
    /// File name without extension; its anchor on the news page.
    pub name: String,
    /// Title from the front matter.
    pub title: String,
    /// Date from the front matter.
    pub date: NaiveDate,
    /// Markdown.
    pub body: String,
    /// Where the file begins.
    pub span: Span,
}
