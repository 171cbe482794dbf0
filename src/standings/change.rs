//! What differs between two versions of the data: records, parts, and every number, rank and
//! verdict that moved.
//!
//! Nothing is judged by its size. A number has moved if its value, one of its bounds or what kind
//! of bounds they are differs at all, a record also if it is printed with other digits. What
//! stands elsewhere in its file, or in another file, has not changed.

mod parts;

use std::{
    collections::{BTreeMap, BTreeSet},
    hash::Hash,
    sync::Arc,
};

use indexmap::IndexMap;

pub use self::parts::{FieldChange, PartChange, PartDelta, PartKind};
use super::{
    BoardStandings, ClaimVerdict, ContenderStanding, Estimate, MacroEvalRow, Recomputed,
    ShapeStandings, SpeedupStandings, Standings, Status, StudyStandings, Verdict, records::Court,
};
use crate::{
    diagnostic::{Diagnostic, Span},
    model::{
        BoardId, Claim, ClaimId, ContenderId, EffectId, ImplementationId, Model, NoteId,
        OperatorId, RecordKey, RunId, ShapeKey, Study, StudyId, Subset,
    },
};

/// One version of the data and what it comes to.
#[derive(Debug, Clone, Copy)]
pub struct Version<'a> {
    /// The data.
    pub model: &'a Model,
    /// What was computed from it.
    pub standings: &'a Standings,
    /// Every doubt about it.
    pub warnings: &'a [Diagnostic],
}

/// All that differs between two versions.
#[derive(Debug, Default)]
pub struct Change {
    /// What belongs to no study: the site, its pages, the GPUs.
    pub parts: Vec<PartChange>,
    /// The studies in which anything differs, in the order of the new version; those that are
    /// gone come last.
    pub studies: Vec<StudyChange>,
    /// Warnings of the new version that the old one does not have, with the same words about the
    /// same file.
    pub warnings_that_came: Vec<Diagnostic>,
    /// Warnings of the old version that the new one does not have.
    pub warnings_that_went: Vec<Diagnostic>,
}

/// All that differs in one study.
#[derive(Debug)]
pub struct StudyChange {
    /// The study.
    pub study: StudyId,
    /// Which versions have it. If only one has, all that it holds differs.
    pub presence: Presence,
    /// Its settings, and what its files describe beside records and claims.
    pub parts: Vec<PartChange>,
    /// Its latencies and published ratios.
    pub records: Vec<RecordChange>,
    /// Its boards.
    pub boards: Vec<BoardChange>,
    /// Its claims.
    pub claims: Vec<ClaimChange>,
}

/// Which of two versions have something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// The new one alone.
    Added,
    /// The old one alone.
    Removed,
    /// Both.
    Kept,
}

impl Presence {
    fn of<T>(old: Option<&T>, new: Option<&T>) -> Self {
        match (old, new) {
            (None, _) => Self::Added,
            (_, None) => Self::Removed,
            _ => Self::Kept,
        }
    }

    /// As printed.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Kept => "kept",
        }
    }
}

/// Something with two sides that are not the same.
#[derive(Debug, Clone, PartialEq)]
pub enum Delta<T> {
    /// It is new.
    Added(T),
    /// It is gone.
    Removed(T),
    /// It is another.
    Changed {
        /// What it was.
        old: T,
        /// What it is.
        new: T,
    },
}

impl<T: PartialEq> Delta<T> {
    /// The difference of two sides, if there is one.
    fn of(old: Option<T>, new: Option<T>) -> Option<Self> {
        match (old, new) {
            (None, None) => None,
            (None, Some(new)) => Some(Self::Added(new)),
            (Some(old), None) => Some(Self::Removed(old)),
            (Some(old), Some(new)) => (old != new).then_some(Self::Changed { old, new }),
        }
    }
}

impl<T> Delta<T> {
    /// What it was.
    pub fn before(&self) -> Option<&T> {
        match self {
            Self::Added(_) => None,
            Self::Removed(old) | Self::Changed { old, .. } => Some(old),
        }
    }

    /// What it is.
    pub fn after(&self) -> Option<&T> {
        match self {
            Self::Removed(_) => None,
            Self::Added(new) | Self::Changed { new, .. } => Some(new),
        }
    }
}

/// What a record is known by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum RecordName {
    /// A latency, published or sampled.
    Latency(RecordKey),
    /// A published ratio.
    Ratio {
        /// Operator, shape, implementation and batch.
        key: RecordKey,
        /// The baseline's side.
        reference: ImplementationId,
    },
}

impl RecordName {
    /// Operator, shape, implementation and batch.
    pub fn key(&self) -> &RecordKey {
        match self {
            Self::Latency(key) | Self::Ratio { key, .. } => key,
        }
    }
}

/// What is known of a record.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordState {
    /// The number as published, or the samples' median with their digits.
    pub published: Arc<str>,
    /// A latency in microseconds, or a speedup.
    pub estimate: Estimate,
    /// Number of samples and rounds, where there are samples.
    pub samples: Option<(usize, usize)>,
    /// The model that really wrote the kernel, where the record says so.
    pub model: Option<Arc<str>>,
    /// Whether it counts.
    pub status: RecordStatus,
    /// Notes named by its row.
    pub notes: Vec<NoteId>,
}

/// Whether a record counts, and if not, why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordStatus {
    /// It counts everywhere.
    Counts,
    /// A retest of it failed.
    Failed,
    /// A passed retest is required and there is none.
    NotRetested,
    /// It was withdrawn, for this reason.
    Withdrawn(String),
}

impl RecordStatus {
    fn of(status: &Status, study: &Study) -> Self {
        match status {
            Status::Counts => Self::Counts,
            Status::Failed { .. } => Self::Failed,
            Status::NotRetested => Self::NotRetested,
            Status::Withdrawn { withdrawal } => {
                Self::Withdrawn(study.withdrawals[*withdrawal].reason.clone())
            }
        }
    }

    /// As printed.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Counts => "counts",
            Self::Failed => "failed",
            Self::NotRetested => "not-retested",
            Self::Withdrawn(_) => "withdrawn",
        }
    }

    fn is_withdrawn(&self) -> bool {
        matches!(self, Self::Withdrawn(_))
    }
}

/// A record that differs.
#[derive(Debug)]
pub struct RecordChange {
    /// Which one.
    pub name: RecordName,
    /// Both sides.
    pub delta: Delta<RecordState>,
    /// Where it stands in the new version; in the old one if it is gone.
    pub span: Span,
}

/// What became of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RecordMove {
    /// It was withdrawn and is still shown.
    Withdrawn,
    /// It is gone.
    Removed,
    /// Its number is another, or printed with other digits.
    Changed,
    /// Its number is the same; whether it counts, its model, samples or notes are not.
    Restated,
    /// It was withdrawn and is not any more.
    Reinstated,
    /// It is new.
    Added,
}

impl RecordMove {
    /// As printed.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Withdrawn => "withdrawn",
            Self::Removed => "removed",
            Self::Changed => "changed",
            Self::Restated => "restated",
            Self::Reinstated => "reinstated",
            Self::Added => "added",
        }
    }
}

impl RecordChange {
    /// What became of it.
    pub fn what(&self) -> RecordMove {
        match &self.delta {
            Delta::Added(_) => RecordMove::Added,
            Delta::Removed(_) => RecordMove::Removed,
            Delta::Changed { old, new } => {
                match (old.status.is_withdrawn(), new.status.is_withdrawn()) {
                    (false, true) => RecordMove::Withdrawn,
                    (true, false) => RecordMove::Reinstated,
                    _ if (&old.published, old.estimate) != (&new.published, new.estimate) => {
                        RecordMove::Changed
                    }
                    _ => RecordMove::Restated,
                }
            }
        }
    }
}

/// What differs on a board.
#[derive(Debug)]
pub struct BoardChange {
    /// The board.
    pub board: BoardId,
    /// Which versions have it.
    pub presence: Presence,
    /// The lines of it that differ.
    pub rows: Vec<RowChange>,
}

/// Which line of a board.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Row {
    /// A contender, on one operator or over all shapes of the board.
    Standing {
        /// The operator; none for all shapes.
        operator: Option<OperatorId>,
        /// The contender.
        contender: ContenderId,
    },
    /// Two contenders, on one operator or over all shapes of the board.
    Pair {
        /// The operator; none for all shapes.
        operator: Option<OperatorId>,
        /// The first.
        contender: ContenderId,
        /// What it is held against.
        against: ContenderId,
    },
    /// An effect, on one operator or over all shapes of the board.
    Effect {
        /// The operator; none for all shapes.
        operator: Option<OperatorId>,
        /// The effect.
        effect: EffectId,
    },
    /// A MacroEval run on a subset.
    Run {
        /// The run.
        run: RunId,
        /// The subset.
        subset: Subset,
    },
}

/// What a number on a board is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Measure {
    /// Geometric mean of speedups; on a pair or an effect, their ratio.
    Geomean,
    /// Number of shapes that count, or that both sides share.
    N,
    /// Rank.
    Rank,
    /// Against the baseline, or of a pair.
    Verdict,
    /// Number of shapes that count in spite of a failed retest.
    Failed,
    /// MacroEval score with the board's `λ`.
    Score,
    /// MacroEval speed with the board's `λ`.
    Speed,
    /// MacroEval correctness.
    Correctness,
    /// MacroEval coverage.
    Coverage,
    /// Number of valid items.
    Valid,
}

impl Measure {
    /// As printed.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Geomean => "geomean",
            Self::N => "n",
            Self::Rank => "rank",
            Self::Verdict => "verdict",
            Self::Failed => "failed",
            Self::Score => "score",
            Self::Speed => "speed",
            Self::Correctness => "correctness",
            Self::Coverage => "coverage",
            Self::Valid => "valid",
        }
    }
}

/// A number on a board.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Quantity {
    /// A ratio and how far it may be off.
    Ratio(Estimate),
    /// A figure without bounds.
    Number(f64),
    /// So many of so many.
    Of(usize, usize),
    /// A number of things, or a rank.
    Count(usize),
    /// A verdict.
    Verdict(Verdict),
}

/// The numbers of a line. None: it has no such number, as no shape counts.
pub type Measures = Vec<(Measure, Option<Quantity>)>;

/// A line of a board that differs.
#[derive(Debug)]
pub struct RowChange {
    /// Which line.
    pub row: Row,
    /// Both sides, with the numbers that did not move.
    pub delta: Delta<Measures>,
    /// Shapes that counted for it and do not any more.
    pub shapes_lost: Vec<ShapeKey>,
    /// Shapes that count for it and did not.
    pub shapes_won: Vec<ShapeKey>,
}

impl RowChange {
    /// Both sides of one of its numbers.
    pub fn sides(&self, measure: Measure) -> (Option<Quantity>, Option<Quantity>) {
        let of = |measures: Option<&Measures>| {
            measures?.iter().find(|(name, _)| *name == measure).and_then(|(_, value)| *value)
        };
        (of(self.delta.before()), of(self.delta.after()))
    }

    /// Whether one of its numbers moved.
    pub fn moved(&self, measure: Measure) -> bool {
        let (old, new) = self.sides(measure);
        old != new
    }

    /// Its n before and after, if it fell.
    pub fn lowered_n(&self) -> Option<(usize, usize)> {
        let count = |quantity| match quantity {
            Some(Quantity::Of(counted, _) | Quantity::Count(counted)) => counted,
            _ => 0,
        };
        let measure = if matches!(self.row, Row::Run { .. }) { Measure::Valid } else { Measure::N };
        let (old, new) = self.sides(measure);
        (count(old) > count(new)).then(|| (count(old), count(new)))
    }
}

/// A claim that differs, or that is held against other numbers.
#[derive(Debug)]
pub struct ClaimChange {
    /// The claim.
    pub claim: ClaimId,
    /// The board it is about.
    pub board: BoardId,
    /// Both sides.
    pub delta: Delta<ClaimState>,
}

/// A claim and what came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimState {
    /// What is claimed of what: contender, against, operators, shapes, statistic, as far as given.
    pub subject: String,
    /// The published value.
    pub published: Arc<str>,
    /// What the data gives.
    pub recomputed: Option<Recomputed>,
    /// How the two compare.
    pub verdict: ClaimVerdict,
}

impl ClaimChange {
    /// Whether its verdict is another; a claim that is new or gone had or has none.
    pub fn verdict_moved(&self) -> bool {
        self.delta.before().map(|state| state.verdict)
            != self.delta.after().map(|state| state.verdict)
    }
}

impl Change {
    /// Whether the two versions say the same.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
            && self.studies.is_empty()
            && self.warnings_that_came.is_empty()
            && self.warnings_that_went.is_empty()
    }
}

/// Compares two versions.
pub fn between(old: Version<'_>, new: Version<'_>) -> Change {
    let of = |version: Version<'_>| -> IndexMap<StudyId, ()> {
        version.model.studies.keys().map(|id| (id.clone(), ())).collect()
    };
    let studies = paired(of(old), of(new))
        .into_iter()
        .filter_map(|(id, ..)| {
            let (old, new) = (Side::of(old, &id), Side::of(new, &id));
            between_studies(&id, old.as_ref(), new.as_ref())
        })
        .collect();
    let (warnings_that_went, warnings_that_came) = warnings(old.warnings, new.warnings);
    Change {
        parts: parts::of_site(old.model, new.model),
        studies,
        warnings_that_came,
        warnings_that_went,
    }
}

/// One version of a study.
struct Side<'a> {
    study: &'a Study,
    standings: &'a StudyStandings,
}

impl<'a> Side<'a> {
    fn of(version: Version<'a>, id: &StudyId) -> Option<Self> {
        let study = version.model.studies.get(id)?;
        let standings = version.standings.studies.get(id)?;
        Some(Self { study, standings })
    }
}

fn between_studies(
    id: &StudyId,
    old: Option<&Side<'_>>,
    new: Option<&Side<'_>>,
) -> Option<StudyChange> {
    let change = StudyChange {
        study: id.clone(),
        presence: Presence::of(old, new),
        parts: parts::of_studies(old.map(|side| side.study), new.map(|side| side.study)),
        records: records(old, new),
        boards: boards(old, new),
        claims: claims(old, new),
    };
    let nothing = change.presence == Presence::Kept
        && change.parts.is_empty()
        && change.records.is_empty()
        && change.boards.is_empty()
        && change.claims.is_empty();
    (!nothing).then_some(change)
}

fn records(old: Option<&Side<'_>>, new: Option<&Side<'_>>) -> Vec<RecordChange> {
    let of = |side: Option<&Side<'_>>| side.map(records_of).unwrap_or_default();
    paired(of(old), of(new))
        .into_iter()
        .filter_map(|(name, old, new)| {
            let span = new.as_ref().or(old.as_ref())?.1.clone();
            let state = |side: Option<(RecordState, Span)>| side.map(|(state, _)| state);
            Some(RecordChange { name, delta: Delta::of(state(old), state(new))?, span })
        })
        .collect()
}

fn records_of(side: &Side<'_>) -> IndexMap<RecordName, (RecordState, Span)> {
    let latencies = side.standings.records.iter().map(|record| {
        let state = RecordState {
            published: record.published.clone(),
            estimate: record.latency,
            samples: record.samples,
            model: record.model.clone(),
            status: RecordStatus::of(&record.status, side.study),
            notes: record.notes.clone(),
        };
        (RecordName::Latency(record.key.clone()), (state, record.span.clone()))
    });
    let court = Court::of(side.study);
    let ratios = side.study.ratios.iter().map(|ratio| {
        let state = RecordState {
            published: ratio.speedup.text.clone(),
            estimate: Estimate::exactly(&ratio.speedup),
            samples: None,
            model: None,
            status: RecordStatus::of(&court.judge_ratio(ratio).status, side.study),
            notes: ratio.notes.clone(),
        };
        let name = RecordName::Ratio { key: ratio.key.clone(), reference: ratio.reference.clone() };
        (name, (state, ratio.span.clone()))
    });
    latencies.chain(ratios).collect()
}

fn boards(old: Option<&Side<'_>>, new: Option<&Side<'_>>) -> Vec<BoardChange> {
    let of = |side: Option<&Side<'_>>| -> IndexMap<BoardId, IndexMap<Row, RowState>> {
        let boards = side.map(|side| side.standings.boards.iter()).into_iter().flatten();
        boards.map(|(id, board)| (id.clone(), rows_of(board))).collect()
    };
    paired(of(old), of(new))
        .into_iter()
        .filter_map(|(board, old, new)| {
            let presence = Presence::of(old.as_ref(), new.as_ref());
            let rows = rows(old.unwrap_or_default(), new.unwrap_or_default());
            (presence != Presence::Kept || !rows.is_empty()).then_some(BoardChange {
                board,
                presence,
                rows,
            })
        })
        .collect()
}

/// The numbers of a line, and the shapes that count for it.
#[derive(Default)]
struct RowState {
    measures: Measures,
    shapes: BTreeSet<ShapeKey>,
}

fn rows(old: IndexMap<Row, RowState>, new: IndexMap<Row, RowState>) -> Vec<RowChange> {
    paired(old, new)
        .into_iter()
        .filter_map(|(row, old, new)| {
            let shapes = |side: &Option<RowState>| {
                side.as_ref().map(|state| state.shapes.clone()).unwrap_or_default()
            };
            let (before, after) = (shapes(&old), shapes(&new));
            let measures = |side: Option<RowState>| side.map(|state| state.measures);
            Some(RowChange {
                row,
                delta: Delta::of(measures(old), measures(new))?,
                shapes_lost: before.difference(&after).cloned().collect(),
                shapes_won: after.difference(&before).cloned().collect(),
            })
        })
        .collect()
}

fn rows_of(board: &BoardStandings) -> IndexMap<Row, RowState> {
    match board {
        BoardStandings::Speedup(board) => speedup_rows(board),
        BoardStandings::MacroEval(board) => board.rows.iter().map(run_row).collect(),
        BoardStandings::Table => IndexMap::new(),
    }
}

fn speedup_rows(board: &SpeedupStandings) -> IndexMap<Row, RowState> {
    let all_shapes: Vec<&ShapeStandings> =
        board.operators.iter().flat_map(|operator| &operator.shapes).collect();
    let mut rows = IndexMap::new();
    let mut add = |operator: Option<&OperatorId>,
                   standings: &[ContenderStanding],
                   comparisons: &[super::Comparison],
                   shapes: &[&ShapeStandings]| {
        let counting = counting_shapes(shapes);
        for standing in standings {
            let row = Row::Standing {
                operator: operator.cloned(),
                contender: standing.contender.clone(),
            };
            let shapes = counting.get(&standing.contender).cloned().unwrap_or_default();
            rows.insert(row, RowState { measures: standing_measures(standing), shapes });
        }
        for pair in comparisons {
            let row = Row::Pair {
                operator: operator.cloned(),
                contender: pair.contender.clone(),
                against: pair.against.clone(),
            };
            let measures = vec![
                (Measure::Geomean, pair.ratio.map(Quantity::Ratio)),
                (Measure::N, Some(Quantity::Count(pair.common))),
                (Measure::Verdict, pair.verdict.map(Quantity::Verdict)),
            ];
            rows.insert(row, RowState { measures, ..RowState::default() });
        }
    };
    add(None, &board.overall, &board.comparisons, &all_shapes);
    for operator in &board.operators {
        let shapes: Vec<&ShapeStandings> = operator.shapes.iter().collect();
        add(Some(&operator.operator), &operator.results, &operator.comparisons, &shapes);
    }
    for effect in &board.effects {
        let row = Row::Effect { operator: effect.operator.clone(), effect: effect.effect.clone() };
        let measures = vec![
            (Measure::Geomean, effect.estimate.map(Quantity::Ratio)),
            (Measure::N, Some(Quantity::Count(effect.counted))),
        ];
        rows.insert(row, RowState { measures, ..RowState::default() });
    }
    rows
}

/// For each contender the shapes on which it has a speedup.
fn counting_shapes(shapes: &[&ShapeStandings]) -> BTreeMap<ContenderId, BTreeSet<ShapeKey>> {
    let mut counting: BTreeMap<ContenderId, BTreeSet<ShapeKey>> = BTreeMap::new();
    for shape in shapes {
        for result in shape.results.iter().filter(|result| result.outcome.is_ok()) {
            counting.entry(result.contender.clone()).or_default().insert(shape.key.clone());
        }
    }
    counting
}

fn standing_measures(standing: &ContenderStanding) -> Measures {
    vec![
        (Measure::Geomean, standing.geomean.map(Quantity::Ratio)),
        (Measure::N, Some(Quantity::Of(standing.counted, standing.total))),
        (Measure::Rank, standing.rank.map(Quantity::Count)),
        (Measure::Verdict, standing.verdict.map(Quantity::Verdict)),
        (Measure::Failed, Some(Quantity::Count(standing.failed.len()))),
    ]
}

fn run_row(row: &MacroEvalRow) -> (Row, RowState) {
    let measures = vec![
        (Measure::Score, row.score.blend.map(Quantity::Number)),
        (Measure::Rank, Some(Quantity::Count(row.rank.blend))),
        (Measure::Speed, row.s_macro.blend.map(Quantity::Number)),
        (Measure::Correctness, Some(Quantity::Number(row.c_macro))),
        (Measure::Coverage, Some(Quantity::Number(row.coverage_macro))),
        (Measure::Valid, Some(Quantity::Of(row.valid, row.items))),
    ];
    let name = Row::Run { run: row.run.clone(), subset: row.subset };
    (name, RowState { measures, ..RowState::default() })
}

fn claims(old: Option<&Side<'_>>, new: Option<&Side<'_>>) -> Vec<ClaimChange> {
    let of = |side: Option<&Side<'_>>| -> IndexMap<ClaimId, (BoardId, ClaimState)> {
        let Some(side) = side else { return IndexMap::new() };
        side.standings
            .claims
            .iter()
            .map(|result| {
                let claim = &side.study.claims[result.claim];
                let state = ClaimState {
                    subject: subject(claim),
                    published: claim.value.text.clone(),
                    recomputed: result.recomputed,
                    verdict: result.verdict,
                };
                (claim.id.clone(), (claim.board.clone(), state))
            })
            .collect()
    };
    paired(of(old), of(new))
        .into_iter()
        .filter_map(|(claim, old, new)| {
            let board = new.as_ref().or(old.as_ref())?.0.clone();
            // A claim that moved to another board is another claim: its subject says so.
            Some(ClaimChange { claim, board, delta: Delta::of(old, new)?.map(|(_, state)| state) })
        })
        .collect()
}

impl<T> Delta<T> {
    fn map<U>(self, f: impl Fn(T) -> U) -> Delta<U> {
        match self {
            Self::Added(new) => Delta::Added(f(new)),
            Self::Removed(old) => Delta::Removed(f(old)),
            Self::Changed { old, new } => Delta::Changed { old: f(old), new: f(new) },
        }
    }
}

fn subject(claim: &Claim) -> String {
    let mut words = vec![format!("{} of {}", claim.statistic_text, claim.board)];
    words.extend(claim.contender.iter().cloned());
    words.extend(claim.against.iter().map(|against| format!("against {against}")));
    for list in [&claim.operators, &claim.shapes] {
        if !list.is_empty() {
            words.push(format!("on {}", list.join(" ")));
        }
    }
    words.join(" ")
}

/// Those of each list that the other one lacks. A warning is the same if it says the same about
/// the same file; its line may have moved.
fn warnings(old: &[Diagnostic], new: &[Diagnostic]) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
    fn name(warning: &Diagnostic) -> (&str, &str, &str) {
        (warning.code.as_str(), warning.place.file(), &warning.message)
    }
    let without = |list: &[Diagnostic], other: &[Diagnostic]| {
        let mut left: BTreeMap<_, usize> = BTreeMap::new();
        for warning in other {
            *left.entry(name(warning)).or_default() += 1;
        }
        let mut alone = Vec::new();
        for warning in list {
            match left.get_mut(&name(warning)) {
                Some(count) if *count > 0 => *count -= 1,
                _ => alone.push(warning.clone()),
            }
        }
        alone
    };
    (without(old, new), without(new, old))
}

/// What two sides have under the same key: in the new order, then what only the old one has.
fn paired<K: Hash + Eq + Clone, T>(
    old: IndexMap<K, T>,
    new: IndexMap<K, T>,
) -> Vec<(K, Option<T>, Option<T>)> {
    let mut pairs = Vec::with_capacity(new.len());
    // Emptied in place: taking a key out of the middle of an `IndexMap` moves all behind it.
    let mut left: IndexMap<K, Option<T>> = old.into_iter().map(|(k, v)| (k, Some(v))).collect();
    for (key, new) in new {
        let old = left.get_mut(&key).and_then(Option::take);
        pairs.push((key, old, Some(new)));
    }
    pairs.extend(left.into_iter().filter_map(|(key, old)| Some((key, Some(old?), None))));
    pairs
}

#[cfg(test)]
mod tests;
