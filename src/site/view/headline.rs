//! The table that answers first: one row per operator, with a small bar, the geomean with its
//! interval, n of N, and the standing in words. Index, study and board pages share it.

use std::fmt::Write as _;

use serde::Serialize;

use super::{
    cell::{self, Cell},
    context::{Context, Frame, Link},
    lookup::{Lookup, SpeedupPlace},
    macroeval::{self, SubsetTable},
    minibar::{Minibars, Scale, series_class},
    notes::{NoteMark, Notes},
    table::{self, PlainTable},
    words::{self, Standing},
};
use crate::{
    model::{Board, BoardKind, Contender, Labels, Study},
    site::{format, path},
    standings::{
        BoardStandings, Comparison, ContenderStanding, Estimate, OperatorStandings, Verdict,
    },
};

/// Most contenders that get a bar each in a row.
const BARS: usize = 5;

/// A column of results.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Series {
    pub name: String,
    pub class: String,
}

/// One row per operator.
#[derive(Debug, Clone, Serialize)]
pub(super) struct OperatorTable {
    pub id: String,
    pub caption: String,
    /// What the study calls operators.
    pub label: String,
    pub baseline: String,
    pub series: Vec<Series>,
    pub has_bars: bool,
    pub rows: Vec<OperatorRow>,
}

/// An operator, or all of a board's.
#[derive(Debug, Clone, Serialize)]
pub(super) struct OperatorRow {
    pub link: Link,
    pub marks: Vec<NoteMark>,
    /// Whether this row is over all operators.
    pub is_total: bool,
    pub standing: Standing,
    pub bars: Option<Minibars>,
    /// One per series.
    pub cells: Vec<Cell>,
}

/// The table of a study's headline board, whatever its kind.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Headline {
    pub board: Link,
    /// Who is ahead where, in one sentence.
    pub answer: String,
    pub operators: Option<OperatorTable>,
    pub subsets: Vec<SubsetTable>,
    pub table: Option<PlainTable>,
}

/// The study's headline; none if it has no board.
pub(super) fn headline<'a>(
    context: &Context<'a>,
    lookup: &Lookup<'a>,
    frame: &Frame,
    notes: &mut Notes<'a>,
) -> Option<Headline> {
    let study = lookup.study;
    let board = study.boards.get(study.headline.as_ref()?)?;
    let link = Link::new(&board.title, frame.to(&path::board(&study.id, &board.id)));
    let mut headline = Headline { board: link, ..Headline::default() };
    match (&board.kind, lookup.standings.boards.get(&board.id)) {
        (BoardKind::Speedup(_), _) => {
            let place = *lookup.speedup_boards().iter().find(|one| one.board.id == board.id)?;
            headline.answer = answer(study, place);
            headline.operators = Some(operator_table(lookup, place, frame, notes));
        }
        (BoardKind::MacroEval { .. }, Some(BoardStandings::MacroEval(results))) => {
            headline.subsets = macroeval::subset_tables(lookup, board, results, frame);
            headline.answer = macroeval::answer(&headline.subsets);
        }
        (BoardKind::Table(of), _) => {
            headline.table = table::plain_table(context, lookup, board, of);
        }
        _ => {}
    }
    Some(headline)
}

/// Who is faster than the baseline and who is ahead of whom, on how many operators.
///
/// Of two contenders: `JustGoal is faster than Open-source library on 8 of 10 operators; against
/// Kernel agents ahead on 5 of 9, behind on 2, 1 tied, 1 undecided; 1 of 11 operators without a
/// result.` Of more: who is ahead where at least two of them have a result.
pub(super) fn answer(study: &Study, place: SpeedupPlace<'_>) -> String {
    let operators = &place.results.operators;
    let label = study.labels.operator.to_lowercase();
    let labels = plural(&label);
    let mut parts = match place.speedup.contenders.as_slice() {
        [] => Vec::new(),
        [only] => vec![against_baseline(place, &[only], &label)],
        // Contenders that are not implementations do not compete with each other.
        several @ [first, second] => {
            if study.labels.implementation == Labels::default().implementation {
                vec![against_baseline(place, &[first], &label), against_each_other(place, second)]
            } else {
                vec![against_baseline(place, &several.iter().collect::<Vec<_>>(), &label)]
            }
        }
        _ => ahead(place, &label),
    };
    parts.retain(|part| !part.is_empty());
    let none = operators
        .iter()
        .filter(|operator| operator.results.iter().all(|one| one.geomean.is_none()))
        .count();
    if none > 0 {
        let of = format::count(operators.len(), &label, &labels);
        parts.push(format!("{none} of {of} without a result"));
    }
    if parts.is_empty() { String::new() } else { format!("{}.", parts.join("; ")) }
}

/// `JustGoal is faster than Open-source library on 8 of 10 operators, Kernel agents on 9 of 9`.
fn against_baseline(place: SpeedupPlace<'_>, contenders: &[&Contender], label: &str) -> String {
    let mut parts = Vec::new();
    for contender in contenders {
        let verdicts = place
            .results
            .operators
            .iter()
            .flat_map(|operator| &operator.results)
            .filter(|result| result.contender == contender.id)
            .filter_map(|result| result.verdict);
        let (mut all, mut faster) = (0, 0);
        for verdict in verdicts {
            all += 1;
            faster += usize::from(verdict == Verdict::Faster);
        }
        let name = &contender.name;
        parts.push(if parts.is_empty() {
            let of = format::count(all, label, &plural(label));
            format!("{name} is faster than {} on {faster} of {of}", place.speedup.baseline.name)
        } else {
            format!("{name} on {faster} of {all}")
        });
    }
    parts.join(", ")
}

/// `against Kernel agents ahead on 5 of 9, behind on 2, 1 tied, 1 undecided`: the first contender
/// against the second.
fn against_each_other(place: SpeedupPlace<'_>, second: &Contender) -> String {
    let verdicts: Vec<Verdict> = place
        .results
        .operators
        .iter()
        .flat_map(|operator| &operator.comparisons)
        .filter_map(|comparison| comparison.verdict)
        .collect();
    if verdicts.is_empty() {
        return String::new();
    }
    let count = |of: Verdict| verdicts.iter().filter(|verdict| **verdict == of).count();
    let mut text = format!(
        "against {} ahead on {} of {}",
        second.name,
        count(Verdict::Faster),
        verdicts.len()
    );
    for (count, before, after) in [
        (count(Verdict::Slower), "behind on ", ""),
        (count(Verdict::Tie), "", " tied"),
        (count(Verdict::Undecided), "", " undecided"),
    ] {
        if count > 0 {
            let _ = write!(text, ", {before}{count}{after}");
        }
    }
    text
}

/// `on 3 operators with several contenders: Triton ahead on 2, 1 undecided`, and how many have
/// one contender only.
fn ahead(place: SpeedupPlace<'_>, label: &str) -> Vec<String> {
    let mut counts: Vec<(String, usize)> = Vec::new();
    let (mut contested, mut alone) = (0, 0);
    for operator in &place.results.operators {
        let standing = words::standing(place.speedup, &operator.results, &operator.comparisons);
        let what = match standing.class {
            "ahead" => standing.words.split(';').next().unwrap_or_default().to_owned(),
            "tie" => "tied".to_owned(),
            "open" => "undecided".to_owned(),
            "only" => {
                alone += 1;
                continue;
            }
            _ => continue,
        };
        contested += 1;
        match counts.iter_mut().find(|(known, _)| *known == what) {
            Some((_, count)) => *count += 1,
            None => counts.push((what, 1)),
        }
    }
    let last = |what: &str| matches!(what, "tied" | "undecided");
    counts.sort_by(|a, b| {
        (last(&a.0), std::cmp::Reverse(a.1), &a.0).cmp(&(last(&b.0), std::cmp::Reverse(b.1), &b.0))
    });
    let words: Vec<String> = counts
        .iter()
        .map(
            |(what, count)| {
                if last(what) { format!("{count} {what}") } else { format!("{what} on {count}") }
            },
        )
        .collect();
    let mut parts = Vec::new();
    if contested > 0 {
        let of = format::count(contested, label, &plural(label));
        // Names may hold commas.
        parts.push(format!("Of {of}: {}", words.join("; ")));
    }
    if alone > 0 {
        parts.push(format!(
            "{} with one contender only",
            format::count(alone, label, &plural(label))
        ));
    }
    parts
}

/// The plural of a study's label.
pub(super) fn plural(label: &str) -> String {
    match label.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ => format!("{label}s"),
    }
}

/// The estimates of a board's contenders in the board's order.
pub(super) fn in_order(
    place: SpeedupPlace<'_>,
    results: &[ContenderStanding],
) -> Vec<Option<Estimate>> {
    place
        .speedup
        .contenders
        .iter()
        .map(|contender| {
            results.iter().find(|one| one.contender == contender.id).and_then(|one| one.geomean)
        })
        .collect()
}

/// One row per operator, and one over all if there are several.
pub(super) fn operator_table<'a>(
    lookup: &Lookup<'a>,
    place: SpeedupPlace<'a>,
    frame: &Frame,
    notes: &mut Notes<'a>,
) -> OperatorTable {
    let study = lookup.study;
    let contenders = &place.speedup.contenders;
    let has_bars = contenders.len() <= BARS;
    let all: Vec<Estimate> = place
        .results
        .operators
        .iter()
        .flat_map(|operator| &operator.results)
        .chain(&place.results.overall)
        .filter_map(|standing| standing.geomean)
        .collect();
    let scale = Scale::over(all.iter());
    let board_path = path::board(&study.id, &place.board.id);
    let row = |link: Link,
               operator: Option<&OperatorStandings>,
               results: &[ContenderStanding],
               comparisons: &[Comparison],
               place_of: &dyn Fn(&str) -> String| {
        let cells: Vec<Cell> = contenders
            .iter()
            .map(|contender| {
                results.iter().find(|one| one.contender == contender.id).map_or_else(
                    Cell::default,
                    |standing| {
                        let href = place_of(&contender.id);
                        cell::geomean(lookup, place, operator, standing, href)
                    },
                )
            })
            .collect();
        let mut standing = words::standing(place.speedup, results, comparisons);
        if let ("none", Some(word)) = (standing.class, shared_word(&cells)) {
            standing.words = word;
        }
        OperatorRow {
            link,
            marks: Vec::new(),
            is_total: operator.is_none(),
            standing,
            bars: has_bars.then(|| scale.bars(&in_order(place, results))),
            cells,
        }
    };
    let mut rows = Vec::new();
    for operator in &place.results.operators {
        let page = path::operator(&study.id, &operator.operator);
        let place_of = |contender: &str| match operator.shapes.as_slice() {
            [one] => frame.to_place(
                &path::shape(&study.id, &one.key),
                &format!("{}/{contender}", path::board_anchor(&place.board.id)),
            ),
            _ => frame.to_place(&page, &path::board_anchor(&place.board.id)),
        };
        let link = Link::new(lookup.operator_name(&operator.operator), frame.to(&page));
        let mut row =
            row(link, Some(operator), &operator.results, &operator.comparisons, &place_of);
        row.marks = notes.marks(&lookup.operator_notes(&operator.operator));
        rows.push(row);
    }
    if rows.len() > 1 {
        let label = plural(&study.labels.operator.to_lowercase());
        let place_of = |_: &str| frame.to_place(&board_path, "overall");
        rows.push(row(
            Link::new(format!("All {label}"), frame.to_place(&board_path, "overall")),
            None,
            &place.results.overall,
            &place.results.comparisons,
            &place_of,
        ));
    }
    OperatorTable {
        id: format!("operators-{}-{}", study.id, place.board.id),
        caption: format!(
            "{}: geometric mean of the speedups over {}, higher is better",
            place.board.title, place.speedup.baseline.name
        ),
        label: study.labels.operator.clone(),
        baseline: place.speedup.baseline.name.clone(),
        series: series(place),
        has_bars,
        rows,
    }
}

/// The word that stands in all of a row's cells, if they share one.
fn shared_word(cells: &[Cell]) -> Option<String> {
    let first = cells.first()?;
    cells.iter().all(|cell| cell.is_word && cell.text == first.text).then(|| first.text.clone())
}

/// The columns of a board.
pub(super) fn series(place: SpeedupPlace<'_>) -> Vec<Series> {
    place
        .speedup
        .contenders
        .iter()
        .enumerate()
        .map(|(at, contender)| Series { name: contender.name.clone(), class: series_class(at) })
        .collect()
}

/// The GPUs a study was measured on, from its batches: `NVIDIA B200`.
pub(super) fn hardware(context: &Context<'_>, study: &Study) -> String {
    let mut gpus: Vec<&str> = Vec::new();
    for id in study.batches.values().filter_map(|batch| batch.gpu.as_ref()) {
        let name = context.model.gpus.get(id).map_or(id.as_str(), |gpu| gpu.name.as_str());
        if !gpus.contains(&name) {
            gpus.push(name);
        }
    }
    words::list(&gpus)
}

/// What a study holds, in a line: `11 operators · 42 shapes · NVIDIA B200 · 2026-10-27`.
pub(super) fn facts(context: &Context<'_>, study: &Study) -> Vec<String> {
    let mut facts = Vec::new();
    let hardware = hardware(context, study);
    if !hardware.is_empty() {
        facts.push(hardware);
    }
    let counted = |number: usize, label: &str| {
        let label = label.to_lowercase();
        format::count(number, &label, &plural(&label))
    };
    if !study.operators.is_empty() {
        facts.push(counted(study.operators.len(), &study.labels.operator));
        facts.push(counted(study.shapes.len(), &study.labels.shape));
    }
    if let Some(macroeval) = &study.macroeval {
        facts.push(format::count(macroeval.runs.len(), "run", "runs"));
        facts.push(format::count(macroeval.items.len(), "item", "items"));
    }
    if let Some(date) = study.published_on {
        facts.push(format!("published {date}"));
    }
    facts
}

/// The title of a board with its link.
pub(super) fn board_link(study: &Study, board: &Board, frame: &Frame) -> Link {
    Link::new(&board.title, frame.to(&path::board(&study.id, &board.id)))
}

#[cfg(test)]
mod tests {
    use super::plural;

    #[test]
    fn labels_have_plurals() {
        for (label, expected) in
            [("operator", "operators"), ("category", "categories"), ("array", "arrays")]
        {
            assert_eq!(plural(label), expected);
        }
    }
}
