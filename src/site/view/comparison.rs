//! Pairs of contenders and effects, in words.

use serde::Serialize;

use super::{
    lookup::{Lookup, SpeedupPlace},
    words::{self, Badge},
};
use crate::{
    site::format,
    standings::{Comparison, ShapeStandings, Verdict},
};

/// Two contenders.
#[derive(Debug, Clone, Serialize)]
pub(super) struct ComparisonRow {
    /// What it is over: all, or an operator's name.
    pub over: String,
    pub sentence: String,
    pub badge: Badge,
    /// `9 common shapes, 2 of them through the baseline`.
    pub common: String,
    pub kind: String,
    /// The same pair in other classes.
    pub replications: Vec<ReplicationView>,
    /// Whether one of them comes to another verdict.
    pub not_replicated: bool,
}

/// A comparison in another class.
#[derive(Debug, Clone, Serialize)]
pub(super) struct ReplicationView {
    pub class: String,
    pub badge: Badge,
    /// `1.00× (0.998–1.01)`.
    pub ratio: String,
}

/// One pair over some shapes.
pub(super) fn row(place: SpeedupPlace<'_>, over: &str, comparison: &Comparison) -> ComparisonRow {
    let first = Lookup::contender_name(place.speedup, &comparison.contender);
    let second = Lookup::contender_name(place.speedup, &comparison.against);
    let mut common = format::count(comparison.common, "common shape", "common shapes");
    if comparison.through_baseline > 0 {
        common = format!("{common}, {} through the baseline", comparison.through_baseline);
    }
    ComparisonRow {
        over: over.to_owned(),
        sentence: words::comparison(first, second, comparison),
        badge: comparison.verdict.map_or_else(words::no_verdict, words::verdict),
        replications: comparison
            .replications
            .iter()
            .map(|one| ReplicationView {
                class: one.class.to_string(),
                badge: words::verdict(one.verdict),
                ratio: words::ratio(&one.ratio),
            })
            .collect(),
        not_replicated: comparison.not_replicated(),
        common,
        kind: comparison
            .ratio
            .as_ref()
            .map_or(String::new(), |ratio| words::kind_of(ratio).to_owned()),
    }
}

/// Every pair on one shape.
pub(super) fn on_shape(place: SpeedupPlace<'_>, shape: &ShapeStandings) -> Vec<ComparisonRow> {
    shape
        .comparisons
        .iter()
        .map(|one| ComparisonRow {
            common: match one.through_baseline {
                0 => "their own latencies",
                _ => "through the baseline",
            }
            .to_owned(),
            ..row(place, "", one)
        })
        .collect()
}

/// Every pair over all shapes of the board, then the undecided, tied and not replicated ones of
/// each operator.
pub(super) fn rows(lookup: &Lookup<'_>, place: SpeedupPlace<'_>) -> Vec<ComparisonRow> {
    let mut rows: Vec<ComparisonRow> =
        place.results.comparisons.iter().map(|one| row(place, "all", one)).collect();
    if place.results.operators.len() > 1 {
        for operator in &place.results.operators {
            let open = operator.comparisons.iter().filter(|one| {
                matches!(one.verdict, Some(Verdict::Undecided | Verdict::Tie))
                    || one.not_replicated()
            });
            let name = lookup.operator_name(&operator.operator);
            rows.extend(open.map(|one| row(place, name, one)));
        }
    }
    rows
}

/// The ratio of two contenders, per operator and overall.
#[derive(Debug, Clone, Serialize)]
pub(super) struct EffectRow {
    pub name: String,
    /// One cell per operator of the board, then one overall.
    pub cells: Vec<EffectCell>,
}

/// An effect on an operator.
#[derive(Debug, Clone, Serialize)]
pub(super) struct EffectCell {
    pub text: String,
    pub detail: String,
}

/// The effects of a board as rows, its operators as columns.
pub(super) fn effects(place: SpeedupPlace<'_>) -> Vec<EffectRow> {
    let operators = place.results.operators.iter().map(|one| Some(&one.operator));
    let columns: Vec<_> = operators.chain([None]).collect();
    place
        .speedup
        .effects
        .iter()
        .map(|effect| EffectRow {
            name: effect.name.clone(),
            cells: columns
                .iter()
                .map(|column| {
                    let found = place.results.effects.iter().find(|result| {
                        result.effect == effect.id && result.operator.as_ref() == *column
                    });
                    match found.and_then(|result| Some((result, result.estimate?))) {
                        Some((result, estimate)) => EffectCell {
                            text: format::speedup(estimate.value),
                            detail: format!(
                                "{} · {}",
                                words::interval(&estimate),
                                format::count(result.counted, "shape", "shapes")
                            ),
                        },
                        None => {
                            EffectCell { text: "no common shape".into(), detail: String::new() }
                        }
                    }
                })
                .collect(),
        })
        .collect()
}
