//! Notes: texts that explain or limit something, attached to what they are about.

use std::fmt;

use serde::Serialize;

use super::{BatchId, BoardId, ImplementationId, ItemId, NoteId, OperatorId, RunId, ShapeKey};
use crate::diagnostic::Span;

/// A file of `notes/`.
#[derive(Debug)]
pub struct Note {
    /// File name without extension.
    pub id: NoteId,
    /// Title.
    pub title: String,
    /// How much it limits.
    pub severity: NoteSeverity,
    /// What it is about, beside the rows whose `note` cell names it.
    pub applies_to: Vec<Target>,
    /// Markdown.
    pub body: String,
    /// Where the file begins.
    pub span: Span,
}

/// How much a note limits what it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoteSeverity {
    /// Good to know.
    Info,
    /// Read before you compare.
    Caution,
    /// Why something is left out.
    Exclusion,
    /// Something published was wrong.
    Correction,
}

impl NoteSeverity {
    /// All severities.
    pub const ALL: [Self; 4] = [Self::Info, Self::Caution, Self::Exclusion, Self::Correction];

    /// As written in the data.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Caution => "caution",
            Self::Exclusion => "exclusion",
            Self::Correction => "correction",
        }
    }
}

impl fmt::Display for NoteSeverity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What a note is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// The whole study.
    Study,
    /// A board.
    Board(BoardId),
    /// An operator.
    Operator(OperatorId),
    /// A shape.
    Shape(ShapeKey),
    /// An implementation.
    Implementation(ImplementationId),
    /// A batch.
    Batch(BatchId),
    /// The records of an implementation on a shape, in one batch or in all.
    Record {
        /// Operator and shape.
        shape: ShapeKey,
        /// What was timed.
        implementation: ImplementationId,
        /// The batch; all if none.
        batch: Option<BatchId>,
    },
    /// A MacroEval run, or one item of it.
    Run {
        /// The run.
        run: RunId,
        /// The item; all if none.
        item: Option<ItemId>,
    },
}
