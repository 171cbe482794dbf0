//! A MacroEval board: runs by score within their subset, with their families.

use askama::Template;
use serde::Serialize;

use super::{
    cite::{self, Cite},
    claims::{self, ClaimRow},
    context::{Context, Frame, Link, study_crumb},
    figure::page_with,
    kernel_level::{self, KernelLevel},
    lookup::Lookup,
    notes::{NoteView, Notes},
    outcomes::{self, OutcomeMatrix},
    words,
};
use crate::{
    model::{Board, RunId, Subset},
    site::{File, format, path},
    standings::{MacroEvalRow, MacroEvalStandings, Weighted},
};

/// `<study>/<board>/index.html` of a MacroEval board.
#[derive(Template, Serialize)]
#[template(path = "macroeval.html", whitespace = "minimize")]
pub(super) struct MacroEvalPage {
    #[serde(skip)]
    frame: Frame,
    facts: Vec<String>,
    answer: String,
    subsets: Vec<SubsetTable>,
    outcomes: Vec<OutcomeMatrix>,
    kernels: Option<KernelLevel>,
    claims: Vec<ClaimRow>,
    downloads: Vec<Link>,
    #[serde(skip)]
    cite: Cite,
    notes: Vec<NoteView>,
}

/// The runs of one subset.
#[derive(Debug, Clone, Serialize)]
pub(super) struct SubsetTable {
    pub id: String,
    pub title: String,
    pub caption: String,
    /// Who has the highest score.
    pub leaders: String,
    pub rows: Vec<RunRow>,
}

/// A run in the standings.
#[derive(Debug, Clone, Serialize)]
pub(super) struct RunRow {
    pub rank: String,
    pub link: Link,
    pub agent: String,
    pub mode: String,
    /// Length of its bar out of 100.
    pub bar: String,
    pub score: String,
    pub score_throughput: String,
    pub score_latency: String,
    pub speed: String,
    pub correctness: String,
    pub coverage: String,
    pub valid: String,
    pub families: Vec<FamilyCells>,
}

/// A family of a run.
#[derive(Debug, Clone, Serialize)]
pub(super) struct FamilyCells {
    pub name: String,
    pub valid: String,
    pub correctness: String,
    pub coverage: String,
    pub speed: String,
    pub speed_throughput: String,
    pub speed_latency: String,
}

fn speed(value: Option<f64>) -> String {
    value.map_or_else(|| "no valid item".to_owned(), format::speedup)
}

pub(super) fn score(value: Option<f64>) -> String {
    value.map_or_else(|| "no valid item".to_owned(), |value| format::decimals(value, 3))
}

pub(super) fn subset_title(subset: Subset) -> &'static str {
    match subset {
        Subset::Deployable => "Deployable kernels",
        Subset::AllWinners => "All winning kernels",
    }
}

pub(super) fn run_name<'a>(lookup: &Lookup<'a>, id: &RunId) -> &'a str {
    lookup
        .study
        .macroeval
        .as_ref()
        .and_then(|macroeval| macroeval.runs.get(id))
        .map_or("", |run| run.name.as_str())
}

/// Who has the highest score in a subset; empty if nobody has one.
fn leaders(lookup: &Lookup<'_>, subset: Subset, rows: &[&MacroEvalRow]) -> String {
    let leaders: Vec<&&MacroEvalRow> =
        rows.iter().filter(|row| row.rank.blend == 1 && row.score.blend.is_some()).collect();
    let Some(first) = leaders.first() else { return String::new() };
    let names: Vec<&str> = leaders.iter().map(|row| run_name(lookup, &row.run)).collect();
    format!(
        "{}: {} ahead with {}",
        subset_title(subset),
        words::list(&names),
        score(first.score.blend)
    )
}

/// Who has the highest score in each subset.
pub(super) fn answer(subsets: &[SubsetTable]) -> String {
    let parts: Vec<&str> = subsets
        .iter()
        .map(|subset| subset.leaders.as_str())
        .filter(|leaders| !leaders.is_empty())
        .collect();
    if parts.is_empty() { String::new() } else { format!("{}.", parts.join("; ")) }
}

/// A table per subset.
pub(super) fn subset_tables(
    lookup: &Lookup<'_>,
    board: &Board,
    results: &MacroEvalStandings,
    frame: &Frame,
) -> Vec<SubsetTable> {
    Subset::ALL
        .iter()
        .filter_map(|&subset| {
            let rows: Vec<&MacroEvalRow> =
                results.rows.iter().filter(|row| row.subset == subset).collect();
            if rows.is_empty() {
                return None;
            }
            let highest = rows.iter().filter_map(|row| row.score.blend).fold(0.0, f64::max);
            Some(SubsetTable {
                id: subset.as_str().to_owned(),
                title: subset_title(subset).to_owned(),
                caption: format!(
                    "{}: {}, MacroEval score, higher is better",
                    board.title,
                    subset_title(subset).to_lowercase()
                ),
                leaders: leaders(lookup, subset, &rows),
                rows: rows.iter().map(|row| run_row(lookup, row, &rows, highest, frame)).collect(),
            })
        })
        .collect()
}

fn run_row(
    lookup: &Lookup<'_>,
    row: &MacroEvalRow,
    all: &[&MacroEvalRow],
    highest: f64,
    frame: &Frame,
) -> RunRow {
    let macroeval = lookup.study.macroeval.as_ref();
    let run = macroeval.and_then(|macroeval| macroeval.runs.get(&row.run));
    let shared = all.iter().filter(|other| other.rank.blend == row.rank.blend).count() > 1;
    let bar = row.score.blend.filter(|_| highest > 0.0).map_or(0.0, |score| score / highest);
    RunRow {
        rank: if shared { format!("{}=", row.rank.blend) } else { row.rank.blend.to_string() },
        link: Link::new(
            run_name(lookup, &row.run),
            frame.to_place(&path::run(&lookup.study.id, &row.run), row.subset.as_str()),
        ),
        agent: run.map_or_else(String::new, |run| run.agent.clone()),
        mode: run.map_or_else(String::new, |run| run.mode.clone()),
        bar: format::decimals(bar * 100.0, 1),
        score: score(row.score.blend),
        score_throughput: score(row.score.throughput),
        score_latency: score(row.score.latency),
        speed: speed(row.s_macro.blend),
        correctness: format::decimals(row.c_macro, 3),
        coverage: format::decimals(row.coverage_macro, 3),
        valid: format::n_of(row.valid, row.items),
        families: row
            .families
            .iter()
            .map(|family| {
                let Weighted { blend, throughput, latency } = family.s;
                FamilyCells {
                    name: macroeval
                        .and_then(|macroeval| macroeval.families.get(&family.family))
                        .map_or_else(String::new, |family| family.name.clone()),
                    valid: format::n_of(family.valid, family.items),
                    correctness: format::decimals(family.c, 3),
                    coverage: format::decimals(family.coverage, 3),
                    speed: speed(blend),
                    speed_throughput: speed(throughput),
                    speed_latency: speed(latency),
                }
            })
            .collect(),
    }
}

fn view<'a>(
    context: &Context<'a>,
    lookup: &Lookup<'a>,
    board: &'a Board,
    (tau, lambda): (f64, f64),
    results: &'a MacroEvalStandings,
) -> MacroEvalPage {
    let study = lookup.study;
    let path = path::board(&study.id, &board.id);
    // Links of a page depend on where it is, not on what it says.
    let root = context.frame(&path, &board.title, "", &[study_crumb(study)]);
    let subsets = subset_tables(lookup, board, results, &root);
    let answer = answer(&subsets);
    let frame = Frame { description: answer.clone(), ..root };
    let mut notes = Notes::default();
    notes.show(&lookup.board_notes(board));
    let facts = vec![
        "score = speed × correctness × coverage".to_owned(),
        format!("valid from correctness τ = {}", format::significant_to(tau, 2)),
        format!("throughput weighs λ = {}", format::significant_to(lambda, 2)),
    ];
    let by_subset: Vec<(Subset, Vec<&MacroEvalRow>)> = Subset::ALL
        .iter()
        .map(|&subset| (subset, results.rows.iter().filter(|row| row.subset == subset).collect()))
        .filter(|(_, rows): &(Subset, Vec<&MacroEvalRow>)| !rows.is_empty())
        .collect();
    let kernels = by_subset.first().zip(study.macroeval.as_ref()).and_then(|(first, macroeval)| {
        let (subset, rows) = (subset_title(first.0), first.1.as_slice());
        kernel_level::kernel_level(context, lookup, macroeval, (&board.id, subset, rows), &frame)
    });
    MacroEvalPage {
        outcomes: by_subset
            .iter()
            .filter_map(|(subset, rows)| {
                outcomes::matrix(lookup, *subset, subset_title(*subset), rows, &frame)
            })
            .collect(),
        kernels,
        facts,
        answer,
        subsets,
        claims: claims::rows(context, lookup, Some(&board.id), &frame, &mut notes),
        downloads: vec![Link::new(
            "This board as JSON",
            frame.to(&path::api_board(&study.id, &board.id)),
        )],
        cite: cite::board(context, study, board, &frame),
        notes: notes.finish(&frame),
        frame,
    }
}

/// The page, and its figure as files.
pub(super) fn files<'a>(
    context: &Context<'a>,
    lookup: &Lookup<'a>,
    board: &'a Board,
    weights: (f64, f64),
    results: &'a MacroEvalStandings,
) -> Vec<File> {
    let view = view(context, lookup, board, weights, results);
    let figures = view.kernels.iter().map(|kernels| &kernels.figure);
    page_with(path::board(&lookup.study.id, &board.id), &view, figures)
}
