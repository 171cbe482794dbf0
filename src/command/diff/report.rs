//! A change in words, for people: what must not be missed first, then a summary, then everything
//! in sections. How it is marked up, and how much of it there is room for, each format decides.
//!
//! Nothing here escapes anything: a text says where it comes from, and the format sees to it.

use std::collections::BTreeMap;

use paceboard::{
    diagnostic::Diagnostic,
    site::format,
    standings::{
        Estimate, Interval, Recomputed,
        change::{
            BoardChange, Change, ClaimChange, Delta, FieldChange, Measure, PartChange, PartDelta,
            Presence, Quantity, RecordChange, RecordMove, RecordName, RecordState, RecordStatus,
            Row, RowChange, StudyChange,
        },
    },
};

/// How many things an alert or a cell names before it says how many more there are.
const MOST_NAMED: usize = 5;
/// Longest quotation of a field, in characters.
const LONGEST_FIELD: usize = 80;
/// Longest quotation of a sentence, in characters.
const LONGEST_SENTENCE: usize = 300;
/// Most digits it takes to tell two floats apart.
const MOST_DIGITS: usize = 17;

/// What is printed when nothing differs.
pub const NO_CHANGE: &str =
    "No change: every record, number, rank, verdict and warning is as before.";

/// A piece of text, and whose it is.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    /// The program's own words and numbers.
    Say(String),
    /// An id, a key or a path of the data.
    Name(String),
    /// Any other text of the data.
    Quote(String),
}

/// Pieces that belong together, without separators of their own.
pub type Cell = Vec<Piece>;

/// Something that must not be missed.
#[derive(Debug)]
pub struct Alert {
    /// What it is.
    pub lead: String,
    /// The first of the things it is about.
    pub items: Vec<Cell>,
    /// How many there are in all.
    pub total: usize,
}

/// A table of changes of one kind.
pub struct Section<'c> {
    /// What they are.
    pub title: &'static str,
    /// One of them, and several.
    pub nouns: (&'static str, &'static str),
    /// Names of the columns.
    pub columns: &'static [&'static str],
    /// How many of the first columns say what a row is about.
    pub subject: usize,
    /// How many rows there are.
    pub count: usize,
    /// A row, made when it is asked for: there may be a million.
    pub row: Box<dyn Fn(usize) -> Vec<Cell> + 'c>,
}

/// A change in words.
pub struct Report<'c> {
    /// What must not be missed.
    pub alerts: Vec<Alert>,
    /// What there is, in numbers; empty if nothing differs.
    pub summary: Vec<String>,
    /// All of it.
    pub sections: Vec<Section<'c>>,
}

/// Puts a change into words.
pub fn of(change: &Change) -> Report<'_> {
    let rows = Rows::of(change);
    let mut records: Vec<(&StudyChange, &RecordChange)> = change
        .studies
        .iter()
        .flat_map(|study| study.records.iter().map(move |record| (study, record)))
        .collect();
    records.sort_by_key(|(_, record)| record.what());
    let claims: Vec<(&StudyChange, &ClaimChange)> = change
        .studies
        .iter()
        .flat_map(|study| study.claims.iter().map(move |claim| (study, claim)))
        .collect();
    let parts: Vec<(Option<&StudyChange>, &PartChange)> = change
        .parts
        .iter()
        .map(|part| (None, part))
        .chain(
            change
                .studies
                .iter()
                .flat_map(|study| study.parts.iter().map(move |part| (Some(study), part))),
        )
        .collect();

    Report {
        alerts: alerts(change, &rows, &records),
        summary: summary(change, &rows, &records, &claims, &parts),
        sections: sections(change, rows, records, claims, parts),
    }
}

/// A line of a board with the board and the study it belongs to.
#[derive(Clone, Copy)]
struct BoardRow<'c> {
    study: &'c StudyChange,
    board: &'c BoardChange,
    change: &'c RowChange,
}

/// All lines of all boards, by kind. Those over all shapes come before those of one operator.
struct Rows<'c> {
    standings: Vec<BoardRow<'c>>,
    pairs: Vec<BoardRow<'c>>,
    effects: Vec<BoardRow<'c>>,
    runs: Vec<BoardRow<'c>>,
}

impl<'c> Rows<'c> {
    fn of(change: &'c Change) -> Self {
        let all = change.studies.iter().flat_map(|study| {
            study.boards.iter().flat_map(move |board| {
                board.rows.iter().map(move |change| BoardRow { study, board, change })
            })
        });
        let mut rows = Self { standings: vec![], pairs: vec![], effects: vec![], runs: vec![] };
        for row in all {
            match row.change.row {
                Row::Standing { .. } => rows.standings.push(row),
                Row::Pair { .. } => rows.pairs.push(row),
                Row::Effect { .. } => rows.effects.push(row),
                Row::Run { .. } => rows.runs.push(row),
            }
        }
        for list in [&mut rows.standings, &mut rows.pairs, &mut rows.effects] {
            list.sort_by_key(|row| row.operator().is_some());
        }
        rows
    }

    /// Contenders and runs: what has an n and a rank of its own.
    fn ranked(&self) -> impl Iterator<Item = BoardRow<'c>> + Clone + '_ {
        self.standings.iter().chain(&self.runs).copied()
    }
}

impl BoardRow<'_> {
    fn operator(&self) -> Option<&str> {
        match &self.change.row {
            Row::Standing { operator, .. }
            | Row::Pair { operator, .. }
            | Row::Effect { operator, .. } => operator.as_deref(),
            Row::Run { .. } => None,
        }
    }

    fn board_cell(&self) -> Cell {
        vec![Piece::Name(format!("{}/{}", self.study.study, self.board.board))]
    }

    fn scope_cell(&self) -> Cell {
        match self.operator() {
            None => vec![say("all shapes")],
            Some(operator) => vec![Piece::Name(operator.to_owned())],
        }
    }

    fn subject_cell(&self) -> Cell {
        match &self.change.row {
            Row::Standing { contender, .. } => vec![name(contender)],
            Row::Pair { contender, against, .. } => {
                vec![name(contender), say(" against "), name(against)]
            }
            Row::Effect { effect, .. } => vec![name(effect)],
            Row::Run { run, subset } => vec![name(&format!("{run}/{subset}"))],
        }
    }

    /// `study/board`, scope, subject.
    fn named(&self) -> Cell {
        let mut cell = self.board_cell();
        if !matches!(self.change.row, Row::Run { .. }) {
            cell.push(say(", "));
            cell.extend(self.scope_cell());
        }
        cell.push(say(", "));
        cell.extend(self.subject_cell());
        cell
    }

    fn cell(&self, measure: Measure) -> Cell {
        let (old, new) = self.change.sides(measure);
        vec![say(&moved(old, new))]
    }

    /// n, with the shapes that made it move and with what counts in spite of a failure.
    fn n_cell(&self) -> Cell {
        let mut cell = self.cell(Measure::N);
        for (word, shapes) in
            [("without", &self.change.shapes_lost), ("with", &self.change.shapes_won)]
        {
            if !shapes.is_empty() {
                cell.push(say(&format!("; {word} ")));
                cell.extend(list(shapes.len(), |at| vec![name(&shapes[at].to_string())]));
            }
        }
        if self.change.moved(Measure::Failed) {
            let (old, new) = self.change.sides(Measure::Failed);
            cell.push(say(&format!("; failed: {}", moved(old, new))));
        }
        cell
    }
}

fn alerts(
    change: &Change,
    rows: &Rows<'_>,
    records: &[(&StudyChange, &RecordChange)],
) -> Vec<Alert> {
    let mut alerts = Vec::new();
    let mut alert = |lead: &str, items: Vec<Cell>, total: usize| {
        if total > 0 {
            alerts.push(Alert { lead: lead.to_owned(), items, total });
        }
    };

    let gone: Vec<Cell> = change
        .studies
        .iter()
        .flat_map(|study| {
            let whole = study.presence == Presence::Removed;
            let study_itself = whole.then(|| vec![say("study "), name(&study.study)]);
            let boards = study
                .boards
                .iter()
                .filter(move |board| !whole && board.presence == Presence::Removed);
            let boards = boards.map(|board| {
                vec![say("board "), name(&format!("{}/{}", study.study, board.board))]
            });
            study_itself.into_iter().chain(boards)
        })
        .collect();
    let total = gone.len();
    alert("Gone", gone.into_iter().take(MOST_NAMED).collect(), total);

    let fallen: Vec<BoardRow<'_>> =
        rows.ranked().filter(|row| row.change.lowered_n().is_some()).collect();
    let items = fallen.iter().take(MOST_NAMED).map(|row| {
        let (old, new) = row.change.lowered_n().unwrap_or_default();
        let mut item = row.named();
        item.push(say(&format!(" ({old} → {new})")));
        item
    });
    alert("n falls", items.collect(), fallen.len());

    for (what, lead) in
        [(RecordMove::Withdrawn, "Results withdrawn"), (RecordMove::Removed, "Results removed")]
    {
        let of_kind = || records.iter().filter(|(_, record)| record.what() == what);
        let items = of_kind().take(MOST_NAMED).map(|(study, record)| {
            let mut item = record_cell(study, &record.name);
            if let Some(RecordStatus::Withdrawn(reason)) =
                record.delta.after().map(|state| &state.status)
            {
                item.extend([say(" ("), quote(reason, LONGEST_FIELD), say(")")]);
            }
            item
        });
        alert(lead, items.collect(), of_kind().count());
    }

    let reranked: Vec<BoardRow<'_>> = rows.ranked().filter(|row| is_reranked(row.change)).collect();
    let items = reranked.iter().take(MOST_NAMED).map(|row| {
        let (old, new) = row.change.sides(Measure::Rank);
        let mut item = row.named();
        item.push(say(&format!(" ({})", moved(old, new))));
        item
    });
    alert("Published ranks change", items.collect(), reranked.len());
    alerts
}

/// Whether a rank that was published is another one now, or none.
fn is_reranked(change: &RowChange) -> bool {
    change.sides(Measure::Rank).0.is_some() && change.moved(Measure::Rank)
}

fn summary(
    change: &Change,
    rows: &Rows<'_>,
    records: &[(&StudyChange, &RecordChange)],
    claims: &[(&StudyChange, &ClaimChange)],
    parts: &[(Option<&StudyChange>, &PartChange)],
) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = |lead: &str, counts: Vec<(usize, String)>| {
        let counts: Vec<String> = counts
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        if !counts.is_empty() {
            lines.push(format!("{lead}: {}", counts.join(", ")));
        }
    };

    let of_move = |what: RecordMove| {
        (records.iter().filter(|(_, one)| one.what() == what).count(), what.as_str().to_owned())
    };
    let fates = [
        RecordMove::Added,
        RecordMove::Changed,
        RecordMove::Removed,
        RecordMove::Withdrawn,
        RecordMove::Reinstated,
        RecordMove::Restated,
    ];
    line("Records", fates.map(of_move).into());

    let count = |measure, one: &str, several: &str| {
        let moved = rows.ranked().filter(|row| row.change.moved(measure)).count();
        (moved, format!("{} moved", if moved == 1 { one } else { several }))
    };
    line(
        "Standings",
        vec![
            count(Measure::Geomean, "geomean", "geomeans"),
            count(Measure::N, "n", "n"),
            count(Measure::Rank, "rank", "ranks"),
            count(Measure::Verdict, "verdict", "verdicts"),
            count(Measure::Score, "score", "scores"),
        ],
    );

    let mut verdicts: BTreeMap<String, usize> = BTreeMap::new();
    for (_, claim) in claims {
        let verdict = |side: Option<&paceboard::standings::change::ClaimState>| {
            side.map_or(format::NONE, |state| state.verdict.as_str())
        };
        let (old, new) = (verdict(claim.delta.before()), verdict(claim.delta.after()));
        if old != new {
            *verdicts.entry(format!("{old} → {new}")).or_default() += 1;
        }
    }
    let same = claims.iter().filter(|(_, claim)| !claim.verdict_moved()).count();
    let mut counts: Vec<(usize, String)> =
        verdicts.into_iter().map(|(what, count)| (count, what)).collect();
    counts.push((same, "held against other numbers, with the same verdict".into()));
    line("Claims", counts);

    let of_delta = |word: &str| {
        (parts.iter().filter(|(_, part)| part.delta.as_str() == word).count(), word.to_owned())
    };
    line("Descriptions", ["added", "changed", "removed"].map(of_delta).into());
    line(
        "Warnings",
        vec![
            (change.warnings_that_came.len(), "came".into()),
            (change.warnings_that_went.len(), "went".into()),
        ],
    );
    let of_presence = |presence: Presence| {
        let count = change.studies.iter().filter(|study| study.presence == presence).count();
        (count, presence.as_str().to_owned())
    };
    line("Studies", [Presence::Added, Presence::Removed].map(of_presence).into());
    lines
}

fn sections<'c>(
    change: &'c Change,
    rows: Rows<'c>,
    records: Vec<(&'c StudyChange, &'c RecordChange)>,
    claims: Vec<(&'c StudyChange, &'c ClaimChange)>,
    parts: Vec<(Option<&'c StudyChange>, &'c PartChange)>,
) -> Vec<Section<'c>> {
    let Rows { standings, pairs, effects, runs } = rows;
    let all = vec![
        Section {
            title: "Standings",
            nouns: ("standing", "standings"),
            columns: &["Board", "On", "Contender", "Geomean", "n", "Rank", "Verdict"],
            subject: 3,
            count: standings.len(),
            row: Box::new(move |at| {
                let row = standings[at];
                vec![
                    row.board_cell(),
                    row.scope_cell(),
                    row.subject_cell(),
                    row.cell(Measure::Geomean),
                    row.n_cell(),
                    row.cell(Measure::Rank),
                    row.cell(Measure::Verdict),
                ]
            }),
        },
        Section {
            title: "MacroEval",
            nouns: ("run", "runs"),
            columns: &[
                "Board",
                "Run",
                "Score",
                "Rank",
                "Valid",
                "Speed",
                "Correctness",
                "Coverage",
            ],
            subject: 2,
            count: runs.len(),
            row: Box::new(move |at| {
                let row = runs[at];
                let numbers = [
                    Measure::Score,
                    Measure::Rank,
                    Measure::Valid,
                    Measure::Speed,
                    Measure::Correctness,
                    Measure::Coverage,
                ];
                [row.board_cell(), row.subject_cell()]
                    .into_iter()
                    .chain(numbers.map(|measure| row.cell(measure)))
                    .collect()
            }),
        },
        Section {
            title: "Claims",
            nouns: ("claim", "claims"),
            columns: &["Claim", "About", "Published", "Recomputed", "Verdict"],
            subject: 2,
            count: claims.len(),
            row: Box::new(move |at| claim_row(claims[at].0, claims[at].1)),
        },
        Section {
            title: "Contenders against each other",
            nouns: ("pair", "pairs"),
            columns: &["Board", "On", "Pair", "Ratio", "n", "Verdict"],
            subject: 3,
            count: pairs.len(),
            row: Box::new(move |at| ratio_row(pairs[at], true)),
        },
        Section {
            title: "Effects",
            nouns: ("effect", "effects"),
            columns: &["Board", "On", "Effect", "Ratio", "n"],
            subject: 3,
            count: effects.len(),
            row: Box::new(move |at| ratio_row(effects[at], false)),
        },
        Section {
            title: "New warnings",
            nouns: ("warning", "warnings"),
            columns: &["Where", "Code", "Message"],
            subject: 1,
            count: change.warnings_that_came.len(),
            row: Box::new(|at| warning_row(&change.warnings_that_came[at])),
        },
        Section {
            title: "Warnings that are gone",
            nouns: ("warning", "warnings"),
            columns: &["Where", "Code", "Message"],
            subject: 1,
            count: change.warnings_that_went.len(),
            row: Box::new(|at| warning_row(&change.warnings_that_went[at])),
        },
        Section {
            title: "Descriptions",
            nouns: ("description", "descriptions"),
            columns: &["Kind", "Name", "What", "Fields"],
            subject: 2,
            count: parts.len(),
            row: Box::new(move |at| part_row(parts[at].0, parts[at].1)),
        },
        Section {
            title: "Records",
            nouns: ("record", "records"),
            columns: &["Record", "What", "Published", "Also", "Where"],
            subject: 1,
            count: records.len(),
            row: Box::new(move |at| record_row(records[at].0, records[at].1)),
        },
    ];
    all.into_iter().filter(|section| section.count > 0).collect()
}

fn ratio_row(row: BoardRow<'_>, has_verdict: bool) -> Vec<Cell> {
    let mut cells = vec![
        row.board_cell(),
        row.scope_cell(),
        row.subject_cell(),
        row.cell(Measure::Geomean),
        row.cell(Measure::N),
    ];
    if has_verdict {
        cells.push(row.cell(Measure::Verdict));
    }
    cells
}

fn claim_row(study: &StudyChange, claim: &ClaimChange) -> Vec<Cell> {
    let (old, new) = (claim.delta.before(), claim.delta.after());
    let both = |of: &dyn Fn(&paceboard::standings::change::ClaimState) -> Piece| {
        sides(old.map(of), new.map(of))
    };
    // Two digits more than were published, so that a difference shows.
    let published = new.or(old).map_or(0, |state| significant_digits(&state.published));
    let value_of = |state: Option<&paceboard::standings::change::ClaimState>| {
        state.and_then(|state| state.recomputed)
    };
    let recomputed = recomputed_moved(value_of(old), value_of(new), published + 2);
    vec![
        vec![name(&format!("{}/{}", study.study, claim.claim))],
        both(&|state| quote(&state.subject, LONGEST_FIELD)),
        both(&|state| quote(&state.published, LONGEST_FIELD)),
        vec![say(&recomputed)],
        both(&|state| say(state.verdict.as_str())),
    ]
}

fn warning_row(warning: &Diagnostic) -> Vec<Cell> {
    vec![
        vec![name(&place(warning.place.file(), warning.place.span().map(|span| span.line)))],
        vec![name(warning.code.as_str())],
        vec![quote(&warning.message, LONGEST_SENTENCE)],
    ]
}

fn part_row(study: Option<&StudyChange>, part: &PartChange) -> Vec<Cell> {
    let prefix = study.map(|study| format!("{}/", study.study)).unwrap_or_default();
    let fields: &[FieldChange] = match &part.delta {
        PartDelta::Changed(fields) => fields,
        PartDelta::Added | PartDelta::Removed => &[],
    };
    let shown = list(fields.len(), |at| {
        let FieldChange { field, old, new } = &fields[at];
        let side = |text: &str| match text {
            "" => say(format::NONE),
            text => quote(text, LONGEST_FIELD),
        };
        // Two long texts may begin alike; then neither is worth its room.
        let (old, new) = (side(old), side(new));
        let mut cell = vec![name(&shortened(field, LONGEST_FIELD))];
        if old != new {
            cell.extend([say(" "), old, say(" → "), new]);
        }
        cell
    });
    vec![
        vec![say(part.kind.as_str())],
        vec![name(&format!("{prefix}{}", shortened(&part.name, LONGEST_SENTENCE)))],
        vec![say(part.delta.as_str())],
        shown,
    ]
}

fn record_row(study: &StudyChange, record: &RecordChange) -> Vec<Cell> {
    let (old, new) = (record.delta.before(), record.delta.after());
    let unit = match record.name {
        RecordName::Latency(_) => " µs",
        RecordName::Ratio { .. } => "×",
    };
    let published = |state: Option<&RecordState>| {
        state.map(|state| Piece::Quote(format!("{}{unit}", state.published)))
    };
    vec![
        record_cell(study, &record.name),
        vec![say(record.what().as_str())],
        sides(published(old), published(new)),
        beside_the_number(record),
        vec![name(&place(&record.span.file, Some(record.span.line)))],
    ]
}

/// What else a record says, or does not say any more.
fn beside_the_number(record: &RecordChange) -> Cell {
    let mut cell = Cell::new();
    let mut add = |word: &str, pieces: Cell| {
        let separator = if cell.is_empty() { "" } else { "; " };
        cell.push(say(&format!("{separator}{word} ")));
        cell.extend(pieces);
    };
    let (old, new) = match &record.delta {
        Delta::Changed { old, new } => (Some(old), new),
        Delta::Added(state) | Delta::Removed(state) => (None, state),
    };
    let differs =
        |of: &dyn Fn(&RecordState, &RecordState) -> bool| old.is_some_and(|old| of(old, new));
    let status = |state: &RecordState| match &state.status {
        RecordStatus::Withdrawn(reason) => {
            vec![say("withdrawn: "), quote(reason, LONGEST_FIELD)]
        }
        other => vec![say(other.as_str())],
    };
    if differs(&|old, new| old.status != new.status) {
        let mut pieces = old.map(status).unwrap_or_default();
        pieces.push(say(" → "));
        pieces.extend(status(new));
        add("status", pieces);
    } else if old.is_none() && new.status != RecordStatus::Counts {
        add("status", status(new));
    }
    if differs(&|old, new| old.published == new.published && old.estimate != new.estimate) {
        let text = ratio_moved(old.map(|old| old.estimate), Some(new.estimate), "");
        add("exactly", vec![say(&text)]);
    }
    if differs(&|old, new| old.samples != new.samples) {
        let text = |state: &RecordState| {
            state.samples.map_or(format::NONE.to_owned(), |(samples, rounds)| {
                format!("{samples} in {}", format::count(rounds, "round", "rounds"))
            })
        };
        add(
            "samples",
            vec![say(&format!("{} → {}", old.map(text).unwrap_or_default(), text(new)))],
        );
    }
    if differs(&|old, new| old.model != new.model) {
        let text = |state: &RecordState| match &state.model {
            None => say(format::NONE),
            Some(model) => quote(model, LONGEST_FIELD),
        };
        add("model", sides(old.map(text), Some(text(new))));
    }
    if differs(&|old, new| old.notes != new.notes) {
        let text = |state: &RecordState| {
            let notes: Vec<&str> = state.notes.iter().map(AsRef::as_ref).collect();
            let notes = if notes.is_empty() { format::NONE.to_owned() } else { notes.join(" ") };
            quote(&notes, LONGEST_FIELD)
        };
        add("notes", sides(old.map(text), Some(text(new))));
    }
    cell
}

fn record_cell(study: &StudyChange, record: &RecordName) -> Cell {
    let key = vec![name(&format!("{}/{}", study.study, record.key()))];
    match record {
        RecordName::Latency(_) => key,
        RecordName::Ratio { reference, .. } => [key, vec![say(" over "), name(reference)]].concat(),
    }
}

/// Both sides, or the one there is if they are the same; a dash where there is none.
fn sides(old: Option<Piece>, new: Option<Piece>) -> Cell {
    let none = || say(format::NONE);
    if old == new {
        return vec![new.unwrap_or_else(none)];
    }
    vec![old.unwrap_or_else(none), say(" → "), new.unwrap_or_else(none)]
}

/// The first few of some things, and how many more there are.
fn list(total: usize, item: impl Fn(usize) -> Cell) -> Cell {
    let mut cell = Cell::new();
    for at in 0..total.min(MOST_NAMED) {
        if at > 0 {
            cell.push(say(", "));
        }
        cell.extend(item(at));
    }
    if total > MOST_NAMED {
        cell.push(say(&format!(" and {} more", total - MOST_NAMED)));
    }
    cell
}

/// Both sides of a number on a board.
fn moved(old: Option<Quantity>, new: Option<Quantity>) -> String {
    match (old, new) {
        (None, None) => format::NONE.to_owned(),
        (Some(Quantity::Ratio(old)), Some(Quantity::Ratio(new))) => {
            ratio_moved(Some(old), Some(new), "×")
        }
        (Some(Quantity::Number(old)), Some(Quantity::Number(new))) => {
            let (before, after) = told_apart(old, new);
            arrow(&before, &after)
        }
        (old, new) => {
            let text = |side: Option<Quantity>| side.map_or(format::NONE.to_owned(), printed);
            arrow(&text(old), &text(new))
        }
    }
}

fn printed(quantity: Quantity) -> String {
    match quantity {
        Quantity::Ratio(estimate) => format::speedup(estimate.value),
        Quantity::Number(value) => format::significant(value),
        Quantity::Of(counted, total) => format::n_of(counted, total),
        Quantity::Count(count) => count.to_string(),
        Quantity::Verdict(verdict) => verdict.as_str().to_owned(),
    }
}

fn arrow(old: &str, new: &str) -> String {
    if old == new { new.to_owned() } else { format!("{old} → {new}") }
}

/// Two ratios. Where only their bounds differ, the bounds are shown.
fn ratio_moved(old: Option<Estimate>, new: Option<Estimate>, unit: &str) -> String {
    let text = |value: Option<Estimate>| {
        value.map_or(format::NONE.to_owned(), |value| {
            format!("{}{unit}", format::significant(value.value))
        })
    };
    let (Some(old), Some(new)) = (old, new) else { return arrow(&text(old), &text(new)) };
    if old == new {
        return text(Some(new));
    }
    let (before, after) = told_apart(old.value, new.value);
    if before != after {
        return format!("{before}{unit} → {after}{unit}");
    }
    let (low_before, low_after) = ends_told_apart(old.interval, new.interval, |of| of.low);
    let (high_before, high_after) = ends_told_apart(old.interval, new.interval, |of| of.high);
    let bounds = |low: Option<String>, high: Option<String>| match low.zip(high) {
        None => format!("{before}{unit} (no bounds)"),
        Some((low, high)) => format!("{before}{unit} ({low}–{high})"),
    };
    format!("{} → {}", bounds(low_before, high_before), bounds(low_after, high_after))
}

fn ends_told_apart(
    old: Option<Interval>,
    new: Option<Interval>,
    end: impl Fn(Interval) -> f64,
) -> (Option<String>, Option<String>) {
    match (old.map(&end), new.map(&end)) {
        (Some(old), Some(new)) => {
            let (old, new) = told_apart(old, new);
            (Some(old), Some(new))
        }
        (old, new) => (old.map(format::significant), new.map(format::significant)),
    }
}

fn recomputed_moved(old: Option<Recomputed>, new: Option<Recomputed>, digits: usize) -> String {
    match (old, new) {
        (Some(old), Some(new)) => {
            let (before, after) = told_apart_from(digits, old.value, new.value);
            if before == after && old != new {
                let (low_before, low_after) = told_apart_from(digits, old.low, new.low);
                let (high_before, high_after) = told_apart_from(digits, old.high, new.high);
                return format!(
                    "{before} ({low_before}–{high_before}) → {after} ({low_after}–{high_after})"
                );
            }
            arrow(&before, &after)
        }
        (old, new) => {
            let text = |side: Option<Recomputed>| {
                side.map_or(format::NONE.to_owned(), |figure| {
                    format::significant_to(figure.value, digits)
                })
            };
            arrow(&text(old), &text(new))
        }
    }
}

/// How many significant digits a number was published with.
fn significant_digits(published: &str) -> usize {
    let mantissa = published.split(['e', 'E']).next().unwrap_or_default();
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    digits.trim_start_matches('0').len()
}

/// Two numbers with as many digits, three or more, as it takes to see that they differ.
fn told_apart(old: f64, new: f64) -> (String, String) {
    told_apart_from(3, old, new)
}

/// Two numbers with as many digits, `least` or more, as it takes to see that they differ.
fn told_apart_from(least: usize, old: f64, new: f64) -> (String, String) {
    for digits in least..MOST_DIGITS.max(least) {
        let both = (format::significant_to(old, digits), format::significant_to(new, digits));
        if both.0 != both.1 {
            return both;
        }
        if old.to_bits() == new.to_bits() {
            return both;
        }
    }
    (format::significant_to(old, MOST_DIGITS), format::significant_to(new, MOST_DIGITS))
}

fn place(file: &str, line: Option<u32>) -> String {
    let file = shortened(file, LONGEST_SENTENCE);
    line.map_or(file.clone(), |line| format!("{file}:{line}"))
}

fn say(text: &str) -> Piece {
    Piece::Say(text.to_owned())
}

fn name(text: &str) -> Piece {
    Piece::Name(text.to_owned())
}

fn quote(text: &str, longest: usize) -> Piece {
    Piece::Quote(shortened(text, longest))
}

/// A text on one line, without characters that cannot be seen or that turn the line round, and
/// not too long.
fn shortened(text: &str, longest: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line: String = words.join(" ").chars().map(visible).collect();
    if line.chars().count() <= longest {
        return line;
    }
    let mut short: String = line.chars().take(longest - 1).collect();
    short.push('…');
    short
}

fn visible(character: char) -> char {
    match character {
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' => {
            char::REPLACEMENT_CHARACTER
        }
        '\u{feff}' => char::REPLACEMENT_CHARACTER,
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use paceboard::standings::IntervalKind;

    use super::*;

    fn estimate(value: f64, low: f64, high: f64) -> Estimate {
        let kind = IntervalKind::PublishedDigits;
        Estimate { value, interval: Some(Interval { low, high, kind }) }
    }

    #[test]
    fn numbers_that_differ_look_different() {
        let check = |old: f64, new: f64, expected: &str| {
            let got = moved(Some(Quantity::Number(old)), Some(Quantity::Number(new)));
            assert_eq!(got, expected);
        };
        check(1.66, 1.70, "1.66 → 1.70");
        check(1.66, 1.66, "1.66");
        check(1.661, 1.662, "1.661 → 1.662");
        check(0.3, 0.1 + 0.2, "0.29999999999999999 → 0.30000000000000004");
    }

    #[test]
    fn bounds_are_shown_where_nothing_else_differs() {
        let check = |old, new, expected: &str| {
            let got = moved(Some(Quantity::Ratio(old)), Some(Quantity::Ratio(new)));
            assert_eq!(got, expected);
        };
        let value = estimate(2.0, 1.9, 2.1);
        check(value, value, "2.00×");
        check(value, estimate(2.5, 2.4, 2.6), "2.00× → 2.50×");
        check(value, estimate(2.0, 1.95, 2.1), "2.00× (1.90–2.10) → 2.00× (1.95–2.10)");
        let without = Estimate { value: 2.0, interval: None };
        check(value, without, "2.00× (1.90–2.10) → 2.00× (no bounds)");
    }

    #[test]
    fn what_is_not_there_is_a_dash() {
        assert_eq!(moved(None, Some(Quantity::Count(2))), "— → 2");
        assert_eq!(moved(Some(Quantity::Of(9, 10)), None), "9 of 10 → —");
        assert_eq!(moved(None, None), "—");
    }

    #[test]
    fn quotations_are_short_visible_and_on_one_line() {
        assert_eq!(shortened("two\n\n lines ", 20), "two lines");
        assert_eq!(shortened("a\u{7}b\u{202e}c\u{200b}", 20), "a\u{fffd}b\u{fffd}c\u{fffd}");
        assert_eq!(shortened("äöüäöü", 4), "äöü…");
    }
}
