//! Raw samples: their medians, and that a published latency agrees with them.

use std::{collections::HashMap, sync::Arc};

use indexmap::IndexMap;
use rust_decimal::Decimal;

use crate::{
    diagnostic::{Code, Span},
    input::{faults::Faults, row::Row, rules::ranges::Published, source::shown},
    model::{Figure, Printed, RecordKey, Round, SampleSet, to_f64},
};

/// Positions of shape, implementation and batch among the known ids: a key that costs nothing to
/// copy.
pub type Positions = [usize; 3];

/// One row of `samples/`.
#[derive(Debug)]
pub struct Sample {
    /// Its key.
    pub key: Positions,
    /// Its round.
    pub round: u32,
    /// Microseconds.
    pub latency: Printed,
    /// Where the latency's cell begins, to find the first sample's place.
    pub span: SampleSpan,
}

/// Place of a sample's cell.
#[derive(Debug, Clone, Copy)]
pub struct SampleSpan {
    /// First byte.
    pub start: usize,
    /// Byte after the last.
    pub end: usize,
}

/// The exact median of a set of samples, and where the set begins.
pub type Medians = HashMap<Positions, (Decimal, Span)>;

/// Groups samples by key, in order of first appearance.
pub fn sets(
    files: Vec<(&crate::input::source::Source, Vec<Sample>)>,
    key_of: impl Fn(Positions) -> RecordKey,
) -> (Vec<SampleSet>, Medians) {
    let mut groups: IndexMap<Positions, (Span, Vec<(u32, Printed)>)> = IndexMap::new();
    for (source, samples) in files {
        for sample in samples {
            let group = groups
                .entry(sample.key)
                .or_insert_with(|| (source.span(sample.span.start..sample.span.end), Vec::new()));
            group.1.push((sample.round, sample.latency));
        }
    }
    let mut medians = Medians::with_capacity(groups.len());
    let sets = groups
        .into_iter()
        .map(|(key, (span, samples))| {
            let (set, median) = set(key_of(key), span, samples);
            medians.insert(key, (median, set.span.clone()));
            set
        })
        .collect();
    (sets, medians)
}

fn set(key: RecordKey, span: Span, mut samples: Vec<(u32, Printed)>) -> (SampleSet, Decimal) {
    samples.sort_by_key(|(round, printed)| (*round, printed.exact));
    let rounds = samples
        .chunk_by(|a, b| a.0 == b.0)
        .map(|round| Round {
            number: round[0].0,
            median_us: to_f64(median(round, |sample| sample.1.exact)),
        })
        .collect();
    let finest = samples.iter().map(|(_, printed)| printed.decimals).max().unwrap_or(0);
    samples.sort_by_key(|(_, printed)| printed.exact);
    let exact = median(&samples, |sample| sample.1.exact);
    let printed = Printed { exact, decimals: finest };
    let (low, high) = printed.bounds();
    let text = {
        // As many decimals as the finest sample has, and one more where the median of an even
        // number needs it.
        let mut shown = exact.normalize();
        if let Ok(scale) = u32::try_from(finest)
            && shown.scale() < scale
        {
            shown.rescale(scale);
        }
        shown.to_string()
    };
    let set = SampleSet {
        key,
        rounds,
        median: Figure {
            text: Arc::from(text),
            value: to_f64(exact),
            low: to_f64(low),
            high: to_f64(high),
            decimals: finest,
        },
        count: samples.len(),
        span,
    };
    (set, exact)
}

/// The median of a sorted, not empty list: the mean of the middle two where their number is even.
fn median<T>(sorted: &[T], value: impl Fn(&T) -> Decimal) -> Decimal {
    let middle = sorted.len() / 2;
    let upper = value(&sorted[middle]);
    if sorted.len() % 2 == 1 {
        return upper;
    }
    let lower = value(&sorted[middle - 1]);
    lower + (upper - lower) / Decimal::TWO
}

/// A published latency must hold the median of its samples within its digits, ends included.
pub fn agrees(
    row: &Row,
    latency: &Published,
    sampled: &(Decimal, Span),
    faults: &mut Faults,
) -> bool {
    let (median, first_sample) = sampled;
    let (low, high) = latency.bounds;
    let holds = (low..=high).contains(median);
    if !holds {
        let fault = faults.at(
            row.range(latency.column),
            Code::SamplesDisagree,
            format!(
                "{} does not agree with the median of its samples, {}: its digits stand for {} to {}",
                shown(&latency.figure.text),
                median.normalize(),
                low.normalize(),
                high.normalize()
            ),
            "correct the latency, or remove it: where samples are given, it is their median",
        );
        fault.related.push((first_sample.clone(), "the samples begin here".to_owned()));
    }
    holds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        input::source::Source,
        model::{BatchId, ImplementationId, OperatorId, ShapeId, ShapeKey},
    };

    fn check(samples: &[(u32, &str)], text: &str, bounds: (f64, f64), rounds: &[(u32, f64)]) {
        let source = Source::new("s.csv", "x");
        let key = RecordKey {
            shape: ShapeKey {
                operator: OperatorId::parse("o").unwrap(),
                shape: ShapeId::parse("s").unwrap(),
            },
            implementation: ImplementationId::parse("i").unwrap(),
            batch: BatchId::parse("b").unwrap(),
        };
        let samples = samples
            .iter()
            .map(|&(round, latency)| Sample {
                key: [0; 3],
                round,
                latency: Printed::parse(latency).unwrap(),
                span: SampleSpan { start: 0, end: 1 },
            })
            .collect();
        let (sets, _) = sets(vec![(&source, samples)], |_| key.clone());
        let set = &sets[0];
        assert_eq!(&*set.median.text, text);
        assert_eq!((set.median.low, set.median.high), bounds);
        let found: Vec<_> = set.rounds.iter().map(|r| (r.number, r.median_us)).collect();
        assert_eq!(found, rounds);
    }

    #[test]
    fn medians_are_exact() {
        check(&[(0, "1.5"), (0, "3.0"), (0, "2")], "2.0", (1.95, 2.05), &[(0, 2.0)]);
        check(
            &[(1, "4.1"), (0, "1.1"), (0, "2.2"), (1, "3.3")],
            "2.75",
            (2.7, 2.8),
            &[(0, 1.65), (1, 3.7)],
        );
        check(&[(7, "10")], "10", (9.5, 10.5), &[(7, 10.0)]);
    }
}
