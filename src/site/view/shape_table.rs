//! A board shape by shape: the highest of each row marked, and what stands above or below the
//! contender that the board's effects are held against.

use serde::Serialize;

use super::{
    cell::{self, Cell},
    context::{Frame, Link},
    headline::{self, Series, plural},
    lookup::{Lookup, SpeedupPlace},
    notes::Notes,
    record,
};
use crate::{
    model::{ContenderId, Effect},
    site::format,
    standings::{ShapeStandings, Verdict},
};

/// Most shapes of a board whose table is shown without being asked for.
const FEW: usize = 15;

/// One row per shape of a board, one cell per contender.
#[derive(Debug, Clone, Serialize)]
pub(super) struct ShapeTable {
    pub title: String,
    pub caption: String,
    pub operator_label: String,
    pub shape_label: String,
    pub series: Vec<Series>,
    pub rows: Vec<ShapeRow>,
    /// Whether it is shown only when asked for, and what asks.
    pub is_long: bool,
    pub summary: String,
}

/// A shape.
#[derive(Debug, Clone, Serialize)]
pub(super) struct ShapeRow {
    pub shape: Link,
    pub operator: Link,
    pub cells: Vec<MarkedCell>,
}

/// A contender on it.
#[derive(Debug, Clone, Serialize)]
pub(super) struct MarkedCell {
    pub cell: Cell,
    pub is_best: bool,
    /// `+`, `−`, or nothing.
    pub sign: &'static str,
}

/// The one contender that all effects of a board are held against.
fn shared_denominator(effects: &[Effect]) -> Option<&ContenderId> {
    let first = &effects.first()?.denominator;
    effects.iter().all(|effect| effect.denominator == *first).then_some(first)
}

/// How a contender compares with another one on a shape.
fn verdict(shape: &ShapeStandings, contender: &str, against: &str) -> Option<Verdict> {
    shape.comparisons.iter().find_map(|one| {
        if *one.contender == *contender && *one.against == *against {
            one.verdict
        } else if *one.contender == *against && *one.against == *contender {
            one.verdict.map(inverse)
        } else {
            None
        }
    })
}

/// The verdict of the second over the first.
fn inverse(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Faster => Verdict::Slower,
        Verdict::Slower => Verdict::Faster,
        same => same,
    }
}

/// The mark of a contender that the board holds against another one.
fn sign(effects: &[Effect], shape: &ShapeStandings, contender: &ContenderId) -> &'static str {
    let Some(against) = shared_denominator(effects) else { return "" };
    if !effects.iter().any(|effect| effect.numerator == *contender) {
        return "";
    }
    match verdict(shape, contender, against) {
        Some(Verdict::Faster) => "+",
        Some(Verdict::Slower) => "−",
        _ => "",
    }
}

/// Where the highest value of a row stands, everywhere it stands; nowhere if there is no rival.
fn best(shape: &ShapeStandings) -> Vec<bool> {
    let values: Vec<Option<f64>> = shape
        .results
        .iter()
        .map(|result| result.outcome.as_ref().ok().map(|speedup| speedup.estimate.value))
        .collect();
    let counted = values.iter().flatten().count();
    let highest = values.iter().flatten().copied().fold(0.0, f64::max);
    values.iter().map(|value| counted > 1 && value.is_some_and(|value| value >= highest)).collect()
}

/// The table of a board.
pub(super) fn shape_table<'a>(
    lookup: &Lookup<'a>,
    place: SpeedupPlace<'a>,
    frame: &Frame,
    notes: &mut Notes<'a>,
) -> ShapeTable {
    let labels = &lookup.study.labels;
    let effects = &place.speedup.effects;
    let shapes: Vec<&ShapeStandings> =
        place.results.operators.iter().flat_map(|operator| &operator.shapes).collect();
    let rows: Vec<ShapeRow> = shapes
        .iter()
        .map(|shape| ShapeRow {
            shape: record::shape_link(lookup, frame, &shape.key),
            operator: record::operator_link(lookup, frame, &shape.key.operator),
            cells: shape
                .results
                .iter()
                .zip(best(shape))
                .map(|(result, is_best)| MarkedCell {
                    cell: cell::speedup(lookup, place, &shape.key, result, frame, notes),
                    is_best,
                    sign: sign(effects, shape, &result.contender),
                })
                .collect(),
        })
        .collect();
    let mut caption = format!("Speedup over {}, higher is better", place.speedup.baseline.name);
    if place.speedup.contenders.len() > 1 {
        caption.push_str("; ★ marks the highest of a row");
    }
    if let Some(against) = shared_denominator(effects) {
        let name = Lookup::contender_name(place.speedup, against);
        caption = format!("{caption}; + is decidedly faster than {name}, − decidedly slower");
    }
    let shape = labels.shape.to_lowercase();
    ShapeTable {
        title: format!("{} by {shape}", labels.shape),
        caption,
        operator_label: labels.operator.clone(),
        shape_label: labels.shape.clone(),
        series: headline::series(place),
        is_long: rows.len() > FEW,
        summary: format!("All {}", format::count(rows.len(), &shape, &plural(&shape))),
        rows,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::view::fixture;

    #[test]
    fn marks_the_highest_and_what_is_held_against_another() {
        fixture::with(|context| {
            let place = context.studies[0].speedup_boards()[0];
            let effects = &place.speedup.effects;
            let marks = |name: &str| -> Vec<(bool, &'static str)> {
                let shapes = place.results.operators.iter().flat_map(|one| &one.shapes);
                let shape = shapes.clone().find(|shape| *shape.key.shape == *name).unwrap();
                let results = shape.results.iter().zip(best(shape));
                results
                    .map(|(result, is_best)| (is_best, sign(effects, shape, &result.contender)))
                    .collect()
            };
            // Ours is slower than the agent on `short`; nobody else counts on `alone`.
            assert_eq!(marks("short"), [(false, "−"), (true, "")]);
            assert_eq!(marks("alone"), [(false, ""), (false, "")]);
        });
    }
}
