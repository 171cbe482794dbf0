//! A MacroEval run, item by item: what counted, what failed and how.

use askama::Template;
use serde::Serialize;

use super::{
    context::{Context, Frame, Link, page},
    lookup::Lookup,
    notes::{NoteMark, NoteView, Notes},
    study::listing_crumb,
    words::Badge,
};
use crate::{
    model::{Board, OutcomeKind, Run},
    site::{File, format, path},
    standings::{BoardStandings, ItemRow, MacroEvalRow},
};

/// `<study>/runs/<id>/index.html`.
#[derive(Template, Serialize)]
#[template(path = "run.html", whitespace = "minimize")]
pub(super) struct RunPage {
    #[serde(skip)]
    frame: Frame,
    identity: Vec<(String, Link)>,
    subsets: Vec<SubsetSection>,
    notes: Vec<NoteView>,
}

/// The run on one subset.
#[derive(Serialize)]
struct SubsetSection {
    id: String,
    title: String,
    board: Link,
    summary: String,
    items: Vec<ItemView>,
}

/// An item.
#[derive(Serialize)]
struct ItemView {
    name: String,
    family: String,
    outcome: Badge,
    category: String,
    correctness: String,
    valid: Badge,
    speed: String,
    throughput: String,
    latency: String,
    distance: String,
    dropped: String,
    marks: Vec<NoteMark>,
    source: Link,
}

fn outcome(kind: OutcomeKind) -> Badge {
    match kind {
        OutcomeKind::Ok => Badge { sign: "✓", word: "ran".into(), class: "good" },
        OutcomeKind::Crash => Badge { sign: "✗", word: "crashed".into(), class: "bad" },
        OutcomeKind::Broken => Badge { sign: "✗", word: "broken output".into(), class: "bad" },
        OutcomeKind::Incomplete => Badge { sign: "…", word: "incomplete".into(), class: "open" },
    }
}

fn valid(is_valid: bool) -> Badge {
    if is_valid {
        Badge { sign: "✓", word: "counts".into(), class: "good" }
    } else {
        Badge { sign: "⊘", word: "not valid".into(), class: "bad" }
    }
}

fn item<'a>(
    context: &Context<'a>,
    lookup: &Lookup<'a>,
    run: &'a Run,
    row: &ItemRow,
    notes: &mut Notes<'a>,
) -> Option<ItemView> {
    let macroeval = lookup.study.macroeval.as_ref()?;
    let record = row.record.map(|at| &macroeval.outcomes[at]);
    let named = record.map_or(&[][..], |record| &record.notes);
    let missing = || "not given".to_owned();
    let speed = |value: Option<f64>| value.map_or_else(|| "none".to_owned(), format::speedup);
    Some(ItemView {
        name: macroeval.items.get(&row.item).map_or_else(String::new, |item| item.name.clone()),
        family: macroeval
            .families
            .get(&row.family)
            .map_or_else(String::new, |family| family.name.clone()),
        outcome: if record.is_some() {
            outcome(row.outcome)
        } else {
            Badge { sign: "?", word: "no record".into(), class: "open" }
        },
        category: record.and_then(|record| record.category.clone()).unwrap_or_default(),
        correctness: format::decimals(row.c, 3),
        valid: valid(row.valid),
        speed: speed(row.s.blend),
        throughput: speed(row.s.throughput),
        latency: speed(row.s.latency),
        distance: record
            .and_then(|record| record.distance)
            .map_or_else(missing, |value| format::decimals(value, 4)),
        dropped: record
            .and_then(|record| record.dropped)
            .map_or_else(missing, |count| count.to_string()),
        marks: notes.marks(&lookup.item_notes(&run.id, &row.item, named)),
        source: record.map_or_else(Link::default, |record| context.source(&record.span)),
    })
}

fn section<'a>(
    context: &Context<'a>,
    lookup: &Lookup<'a>,
    run: &'a Run,
    board: &Board,
    row: &MacroEvalRow,
    frame: &Frame,
    notes: &mut Notes<'a>,
) -> SubsetSection {
    SubsetSection {
        id: row.subset.as_str().to_owned(),
        title: super::macroeval::subset_title(row.subset).to_owned(),
        board: super::headline::board_link(lookup.study, board, frame),
        summary: format!(
            "Score {}, rank {}; {} items valid.",
            row.score.blend.map_or_else(|| "none".to_owned(), |score| format::decimals(score, 3)),
            row.rank.blend,
            format::n_of(row.valid, row.items)
        ),
        items: row
            .items_detail
            .iter()
            .filter_map(|one| item(context, lookup, run, one, notes))
            .collect(),
    }
}

fn view<'a>(context: &Context<'a>, lookup: &Lookup<'a>, run: &'a Run) -> RunPage {
    let study = lookup.study;
    let frame = context.frame(
        &path::run(&study.id, &run.id),
        &run.name,
        &format!("{}: item by item, what counted, what failed and how.", run.name),
        &listing_crumb(study, "Runs", "runs"),
    );
    let mut identity = vec![
        ("Agent".to_owned(), Link::plain(&run.agent)),
        ("Mode".to_owned(), Link::plain(&run.mode)),
    ];
    if let Some(model) = &run.model {
        identity.push(("Model".into(), Link::plain(model)));
    }
    identity.push(("Entered in".into(), context.source(&run.span)));
    let mut notes = Notes::default();
    notes.show(&lookup.run_notes(&run.id, &run.notes));
    // The first board that ranks it; others differ from it in their weights alone.
    let mut subsets = Vec::new();
    for board in study.boards.values() {
        if let Some(BoardStandings::MacroEval(results)) = lookup.standings.boards.get(&board.id)
            && subsets.is_empty()
        {
            for row in results.rows.iter().filter(|row| row.run == run.id) {
                subsets.push(section(context, lookup, run, board, row, &frame, &mut notes));
            }
        }
    }
    RunPage { identity, subsets, notes: notes.finish(&frame), frame }
}

pub(super) fn file<'a>(context: &Context<'a>, lookup: &Lookup<'a>, run: &'a Run) -> File {
    page(path::run(&lookup.study.id, &run.id), &view(context, lookup, run))
}
