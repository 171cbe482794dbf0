//! What two timers make of the same implementation on the same shape.

use serde::Serialize;

use super::{
    context::Frame,
    figure::{self, FigureView},
    lookup::Lookup,
};
use crate::{
    site::{
        chart::{Mark, Scatter},
        format,
    },
    standings::timers::{self, TimerPair, TimerPairs},
};

/// Pairs that lie within this factor of each other are said to agree.
const AGREE: f64 = 1.1;

/// One timer against another.
#[derive(Serialize)]
pub(super) struct TimerFigure {
    pub message: String,
    #[serde(skip)]
    pub figure: FigureView,
}

/// How far apart two latencies are, whichever is the longer.
fn distance(lookup: &Lookup<'_>, pair: &TimerPair) -> f64 {
    let ratio = pair.ratio(&lookup.standings.records);
    ratio.max(1.0 / ratio)
}

fn message(lookup: &Lookup<'_>, of: &TimerPairs<'_>, furthest: &TimerPair) -> String {
    let agree = of.pairs.iter().filter(|pair| distance(lookup, pair) <= AGREE).count();
    let (first, second) = (lookup.record(furthest.first), lookup.record(furthest.second));
    let key = &first.key;
    format!(
        "{} of {} pairs agree within {}. Furthest apart: {} on {}, {}, with {} µs by {} against \
         {} µs by {}: {} times.",
        agree,
        of.pairs.len(),
        format::percent(AGREE - 1.0),
        lookup.implementation_name(&key.implementation),
        lookup.operator_name(&key.shape.operator),
        lookup.shape_name(&key.shape),
        second.published,
        of.second,
        first.published,
        of.first,
        format::significant(distance(lookup, furthest)),
    )
}

/// A figure per timer beside the study's first one; none where a study has one timer.
pub(super) fn figures(lookup: &Lookup<'_>, frame: &Frame) -> Vec<TimerFigure> {
    timers::pairs(lookup.study, &lookup.standings.records)
        .iter()
        .enumerate()
        .filter_map(|(number, of)| {
            let mut furthest: Vec<&TimerPair> = of.pairs.iter().collect();
            furthest.sort_by(|a, b| distance(lookup, b).total_cmp(&distance(lookup, a)));
            let furthest = *furthest.first()?;
            let message = message(lookup, of, furthest);
            let mut series: Vec<String> = Vec::new();
            let points = of
                .pairs
                .iter()
                .map(|pair| {
                    let (first, second) = (lookup.record(pair.first), lookup.record(pair.second));
                    let name = format!(
                        "{} against {}",
                        lookup.batch_name(&second.key.batch),
                        lookup.batch_name(&first.key.batch)
                    );
                    let at = series.iter().position(|known| *known == name).unwrap_or_else(|| {
                        series.push(name);
                        series.len() - 1
                    });
                    let implementation = lookup.implementation_name(&first.key.implementation);
                    Mark {
                        name: format!(
                            "{implementation}, {}, {}",
                            lookup.operator_name(&first.key.shape.operator),
                            lookup.shape_name(&first.key.shape),
                        ),
                        // One is enough to find the point that the message is about.
                        label: (pair == furthest).then(|| implementation.to_owned()),
                        series: at,
                        x: first.latency.value,
                        y: second.latency.value,
                    }
                })
                .collect();
            let title = format!("{} against {}", of.second, of.first);
            let caption = format!(
                "The same implementation on the same shape by {} and by {}; on the line both \
                 are equal. Named: the one furthest from it.",
                of.second, of.first,
            );
            let at = figure::Place { study: &lookup.study.id, frame, caption: &caption };
            let figure = at.scatter(&Scatter {
                id: format!("timers-{}", number + 1),
                title,
                message: message.clone(),
                x_axis: format!("Latency by {}, µs (lower is better)", of.first),
                y_axis: format!("Latency by {}, µs (lower is better)", of.second),
                points,
                series,
                diagonal: true,
            });
            Some(TimerFigure { message, figure })
        })
        .collect()
}
