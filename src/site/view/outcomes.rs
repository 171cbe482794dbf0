//! Why a run loses: what became of each item of each run, and which factor of the score costs it
//! most.

use serde::Serialize;

use super::{
    context::{Frame, Link},
    headline::plural,
    lookup::Lookup,
    words::Badge,
};
use crate::{
    model::{MacroEval, OutcomeKind, Subset},
    site::{format, path},
    standings::{
        ItemRow, MacroEvalRow,
        macroeval::{Factor, Shortfall, shortfalls},
    },
};

/// Runs by items, of one subset.
#[derive(Debug, Clone, Serialize)]
pub(super) struct OutcomeMatrix {
    pub title: String,
    pub caption: String,
    pub items: Vec<String>,
    pub rows: Vec<MatrixRow>,
}

/// A run.
#[derive(Debug, Clone, Serialize)]
pub(super) struct MatrixRow {
    pub run: Link,
    /// What costs it most, in words.
    pub cost: String,
    /// How its items ended: `6 count, 3 crash, 2 incomplete`.
    pub summary: String,
    pub cells: Vec<MatrixCell>,
}

/// What became of an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct MatrixCell {
    pub badge: Badge,
    /// The crash's category, the correctness below τ, the number of kernels dropped.
    pub detail: String,
}

fn cell(macroeval: &MacroEval, item: &ItemRow) -> MatrixCell {
    let record = item.record.map(|at| &macroeval.outcomes[at]);
    let badge = |sign, word: &str, class| Badge { sign, word: word.into(), class };
    let mut details = Vec::new();
    let badge = match (record.map(|record| record.outcome), item.valid) {
        (None, _) => badge("?", "no record", "open"),
        (Some(OutcomeKind::Ok), true) => badge("✓", "ok", "good"),
        (Some(OutcomeKind::Ok), false) => {
            details.push(format!("C = {}", format::decimals(item.c, 2)));
            badge("⊘", "below τ", "open")
        }
        (Some(OutcomeKind::Crash), _) => badge("✗", "crash", "bad"),
        (Some(OutcomeKind::Broken), _) => badge("✗", "broken", "bad"),
        (Some(OutcomeKind::Incomplete), _) => badge("…", "incomplete", "bad"),
    };
    if let Some(record) = record {
        details.extend(record.category.clone());
        if let Some(dropped) = record.dropped.filter(|dropped| *dropped > 0) {
            details.push(format!("{dropped} dropped"));
        }
    }
    MatrixCell { badge, detail: details.join(", ") }
}

/// `6 ok, 3 crash, 2 incomplete`.
fn summary(cells: &[MatrixCell]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for cell in cells {
        match counts.iter_mut().find(|(word, _)| *word == cell.badge.word) {
            Some((_, count)) => *count += 1,
            None => counts.push((&cell.badge.word, 1)),
        }
    }
    counts.sort_by_key(|(word, count)| (*word != "ok", std::cmp::Reverse(*count), *word));
    let words: Vec<String> = counts.iter().map(|(word, count)| format!("{count} {word}")).collect();
    words.join(", ")
}

/// What a run loses by each factor, in words: `Coverage costs most: 0.479 where the best run has
/// 1.00; then speed, 1.05× of 1.25×`.
fn cost(factors: &[Shortfall]) -> String {
    let value = |of: &Shortfall, value: f64| match of.factor {
        Factor::Speed => format::speedup(value),
        _ => format::decimals(value, 3),
    };
    let name = |factor| match factor {
        Factor::Coverage => "coverage",
        Factor::Correctness => "correctness",
        Factor::Speed => "speed",
    };
    // What does not show in the digits costs nothing that a reader could check.
    let behind: Vec<&Shortfall> =
        factors.iter().filter(|one| value(one, one.value) != value(one, one.best)).collect();
    let Some((first, others)) = behind.split_first() else {
        return "Nothing: no run is higher in any factor.".into();
    };
    let mut text = format!(
        "{} costs most: {} where the best run has {}",
        capital(name(first.factor)),
        value(first, first.value),
        value(first, first.best)
    );
    for one in others {
        text = format!(
            "{text}; then {}, {} of {}",
            name(one.factor),
            value(one, one.value),
            value(one, one.best)
        );
    }
    if factors.iter().all(|one| one.factor != Factor::Speed) {
        text.push_str("; no item is valid, so there is no speed");
    }
    text.push('.');
    text
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The outcomes of the runs of a subset, in their order on the board.
pub(super) fn matrix(
    lookup: &Lookup<'_>,
    subset: Subset,
    title: &str,
    rows: &[&MacroEvalRow],
    frame: &Frame,
) -> Option<OutcomeMatrix> {
    let macroeval = lookup.study.macroeval.as_ref()?;
    let rows: Vec<MatrixRow> = rows
        .iter()
        .map(|row| {
            let cells: Vec<MatrixCell> =
                row.items_detail.iter().map(|item| cell(macroeval, item)).collect();
            let name = macroeval.runs.get(&row.run).map_or("", |run| run.name.as_str());
            MatrixRow {
                run: Link::new(
                    name,
                    frame.to_place(&path::run(&lookup.study.id, &row.run), subset.as_str()),
                ),
                cost: cost(&shortfalls(row, rows)),
                summary: summary(&cells),
                cells,
            }
        })
        .collect();
    Some(OutcomeMatrix {
        title: title.to_owned(),
        caption: format!(
            "{title}: {} by {}; ✓ ok counts, ⊘ ran but below τ, ✗ crash or broken output, … not \
             complete. Only ✓ counts for coverage and speed",
            format::count(rows.len(), "run", "runs"),
            format::count(macroeval.items.len(), "item", &plural("item")),
        ),
        items: macroeval.items.values().map(|item| item.name.clone()).collect(),
        rows,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dearest_factor_comes_first() {
        let of = |factor, value, best| Shortfall { factor, value, best };
        for (factors, expected) in [
            (
                &[
                    of(Factor::Coverage, 0.5, 1.0),
                    of(Factor::Speed, 1.0, 1.25),
                    of(Factor::Correctness, 1.0, 1.0),
                ][..],
                "Coverage costs most: 0.500 where the best run has 1.000; then speed, 1.00× of \
                 1.25×.",
            ),
            (&[of(Factor::Speed, 1.25, 1.25)], "Nothing: no run is higher in any factor."),
            (
                &[of(Factor::Coverage, 0.0, 1.0)],
                "Coverage costs most: 0.000 where the best run has 1.000; no item is valid, so \
                 there is no speed.",
            ),
        ] {
            assert_eq!(cost(factors), expected);
        }
    }

    #[test]
    fn what_counts_is_counted_first() {
        let cell = |word: &str| MatrixCell {
            badge: Badge { sign: "", word: word.into(), class: "" },
            detail: String::new(),
        };
        let cells = ["crash", "ok", "crash", "broken"].map(cell);
        assert_eq!(summary(&cells), "1 ok, 2 crash, 1 broken");
    }
}
