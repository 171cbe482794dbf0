//! The files of a MacroEval study (`FastKernels`, section 5).

use std::fmt;

use indexmap::IndexMap;
use serde::Serialize;

use super::{FamilyId, ItemId, NoteId, RunId};
use crate::diagnostic::Span;

/// What a MacroEval study has beside the files of every study.
#[derive(Debug)]
pub struct MacroEval {
    /// `families.csv`.
    pub families: IndexMap<FamilyId, Family>,
    /// `items.csv`.
    pub items: IndexMap<ItemId, Item>,
    /// `runs.csv`.
    pub runs: IndexMap<RunId, Run>,
    /// `outcomes/*.csv`.
    pub outcomes: Vec<Outcome>,
    /// `distances/*.csv`.
    pub distances: Vec<Distance>,
}

/// A row of `families.csv`.
#[derive(Debug)]
pub struct Family {
    /// Id.
    pub id: FamilyId,
    /// Name as printed.
    pub name: String,
    /// Distance at which a request counts as wholly wrong.
    pub failure_threshold: Option<f64>,
    /// Notes named by the row.
    pub notes: Vec<NoteId>,
    /// The id's cell.
    pub span: Span,
}

/// A row of `items.csv`.
#[derive(Debug)]
pub struct Item {
    /// Id.
    pub id: ItemId,
    /// Name as printed.
    pub name: String,
    /// Family it belongs to.
    pub family: FamilyId,
    /// Distance that repeated runs of the reference show among themselves.
    pub noise_floor: Option<f64>,
    /// Notes named by the row.
    pub notes: Vec<NoteId>,
    /// The id's cell.
    pub span: Span,
}

/// A row of `runs.csv`: one agent in one mode.
#[derive(Debug)]
pub struct Run {
    /// Id.
    pub id: RunId,
    /// Name as printed.
    pub name: String,
    /// The agent.
    pub agent: String,
    /// How it worked: independent, composed, sequential.
    pub mode: String,
    /// The model behind it.
    pub model: Option<String>,
    /// Notes named by the row.
    pub notes: Vec<NoteId>,
    /// The id's cell.
    pub span: Span,
}

/// Which of a run's kernels were put in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Subset {
    /// Those that work when put into the model.
    Deployable,
    /// All that won at the kernel level.
    AllWinners,
}

impl Subset {
    /// All subsets.
    pub const ALL: [Self; 2] = [Self::Deployable, Self::AllWinners];

    /// As written in the data.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Deployable => "deployable",
            Self::AllWinners => "all-winners",
        }
    }
}

impl fmt::Display for Subset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// How a run ended on an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutcomeKind {
    /// It ran, with outputs to be judged.
    Ok,
    /// It crashed.
    Crash,
    /// Its outputs are broken.
    Broken,
    /// It did not finish.
    Incomplete,
}

impl OutcomeKind {
    /// All outcomes.
    pub const ALL: [Self; 4] = [Self::Ok, Self::Crash, Self::Broken, Self::Incomplete];

    /// As written in the data.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Crash => "crash",
            Self::Broken => "broken",
            Self::Incomplete => "incomplete",
        }
    }
}

impl fmt::Display for OutcomeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A row of `outcomes/*.csv`.
#[derive(Debug)]
pub struct Outcome {
    /// The run.
    pub run: RunId,
    /// The item.
    pub item: ItemId,
    /// Which kernels were put in.
    pub subset: Subset,
    /// How it ended.
    pub outcome: OutcomeKind,
    /// More on how, such as the kind of crash.
    pub category: Option<String>,
    /// Calibrated correctness between 0 and 1.
    pub correctness: Option<f64>,
    /// Throughput over the reference's.
    pub throughput_speedup: Option<f64>,
    /// The reference's latency over its own.
    pub latency_speedup: Option<f64>,
    /// Mean distance of its outputs from the reference's.
    pub distance: Option<f64>,
    /// How many of its kernels had to be left out.
    pub dropped: Option<u32>,
    /// Notes named by the row.
    pub notes: Vec<NoteId>,
    /// The outcome's cell.
    pub span: Span,
}

/// A row of `distances/*.csv`: one request.
#[derive(Debug)]
pub struct Distance {
    /// The run.
    pub run: RunId,
    /// The item.
    pub item: ItemId,
    /// The request.
    pub request: String,
    /// Distance of its output from the reference's.
    pub distance: f64,
    /// The distance's cell.
    pub span: Span,
}
