//! Boards: ranked views of a study, as `study.toml` defines them.

use indexmap::{IndexMap, IndexSet};

use super::{BoardId, ClassId, ContenderId, EffectId, ImplementationId, OperatorId, ShapeKey};
use crate::diagnostic::Span;

/// A board.
#[derive(Debug)]
pub struct Board {
    /// Id.
    pub id: BoardId,
    /// Title.
    pub title: String,
    /// What is shown and how it is ranked.
    pub kind: BoardKind,
    /// Its id in `study.toml`.
    pub span: Span,
}

/// The three kinds of boards.
#[derive(Debug)]
pub enum BoardKind {
    /// Contenders against a baseline.
    Speedup(SpeedupBoard),
    /// Runs by their MacroEval score.
    MacroEval {
        /// An item is valid with a correctness of at least this.
        tau: f64,
        /// Weight of throughput against latency.
        lambda: f64,
    },
    /// A published table.
    Table(TableBoard),
}

/// A board of contenders, divided by a baseline.
#[derive(Debug)]
pub struct SpeedupBoard {
    /// Comparability classes it may stand on, in order of preference.
    pub classes: Vec<ClassId>,
    /// Its shapes after the filters, in the order of `shapes.csv`. Their number is the N of
    /// `n of N`.
    pub shapes: Vec<ShapeKey>,
    /// What a failing retest does.
    pub failed: FailedPolicy,
    /// How it is drawn.
    pub figure: FigureKind,
    /// What the others are divided by.
    pub baseline: Contender,
    /// The others, in the order of `study.toml`.
    pub contenders: Vec<Contender>,
    /// Ratios of two contenders.
    pub effects: Vec<Effect>,
}

impl SpeedupBoard {
    /// The operators its shapes belong to, in the order of `shapes`.
    pub fn operators(&self) -> Vec<&OperatorId> {
        let operators: IndexSet<&OperatorId> =
            self.shapes.iter().map(|shape| &shape.operator).collect();
        operators.into_iter().collect()
    }

    /// A contender by its id, the baseline included.
    pub fn contender(&self, id: &str) -> Option<&Contender> {
        std::iter::once(&self.baseline).chain(&self.contenders).find(|c| &*c.id == id)
    }
}

/// What a failing retest does to a record on a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FailedPolicy {
    /// It takes the record out.
    #[default]
    Exclude,
    /// The record counts and is marked.
    AsIs,
}

/// How a board is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FigureKind {
    /// Grouped bars, a group per operator.
    #[default]
    Bars,
    /// A dot per contender and operator.
    Dots,
    /// A line per contender.
    Lines,
    /// One contender against another.
    Scatter,
    /// Not at all.
    None,
}

/// One column of a board: per shape the fastest eligible of its members counts.
#[derive(Debug)]
pub struct Contender {
    /// Id.
    pub id: ContenderId,
    /// Name as shown.
    pub name: String,
    /// Which implementations it stands for.
    pub members: Members,
}

/// The implementations of a contender.
#[derive(Debug)]
pub enum Members {
    /// The same ones on every operator.
    Everywhere(Vec<ImplementationId>),
    /// Others on each operator; none on those not named.
    PerOperator(IndexMap<OperatorId, Vec<ImplementationId>>),
}

impl Contender {
    /// Its members on an operator.
    pub fn members_on(&self, operator: &OperatorId) -> &[ImplementationId] {
        match &self.members {
            Members::Everywhere(members) => members,
            Members::PerOperator(table) => table.get(operator).map_or(&[], Vec::as_slice),
        }
    }

    /// All its members, each once, in order of first mention.
    pub fn all_members(&self) -> Vec<&ImplementationId> {
        let all: IndexSet<&ImplementationId> = match &self.members {
            Members::Everywhere(members) => members.iter().collect(),
            Members::PerOperator(table) => table.values().flatten().collect(),
        };
        all.into_iter().collect()
    }
}

/// The ratio of two contenders' geomeans over their common shapes.
#[derive(Debug)]
pub struct Effect {
    /// Id.
    pub id: EffectId,
    /// Name as shown.
    pub name: String,
    /// The contender above the line.
    pub numerator: ContenderId,
    /// The contender below it.
    pub denominator: ContenderId,
}

/// A published table, shown as it is.
#[derive(Debug)]
pub struct TableBoard {
    /// Path below the study's folder.
    pub file: String,
    /// Columns shown, in this order.
    pub columns: Vec<Column>,
    /// What is marked in it.
    pub mark: Option<Mark>,
}

/// A column of a table board.
#[derive(Debug)]
pub struct Column {
    /// Its name in the file's header.
    pub id: String,
    /// Title as shown.
    pub title: String,
    /// What its cells are.
    pub kind: ColumnType,
    /// Unit, shown in the header.
    pub unit: Option<String>,
    /// Decimals shown; as published if none.
    pub decimals: Option<u32>,
}

/// What the cells of a table's column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnType {
    /// Any text.
    Text,
    /// A number.
    Number,
    /// A number shown with `×`.
    Ratio,
    /// A number between 0 and 1 shown in per cent.
    Share,
}

/// Marks in a table.
#[derive(Debug)]
pub struct Mark {
    /// Where the best number is marked.
    pub best: Option<BestOf>,
    /// The column that the others are marked against with + or −.
    pub against: Option<String>,
}

/// Among which numbers the best is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BestOf {
    /// Those of one row.
    Row,
    /// Those of one column.
    Column,
}
