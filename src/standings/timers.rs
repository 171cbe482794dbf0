//! The same implementation on the same shape, measured with two timers.

use std::collections::BTreeMap;

use super::Record;
use crate::model::{ImplementationId, ShapeKey, Study};

/// Two latencies of one implementation on one shape by two timers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimerPair {
    /// Index of the record by the first timer.
    pub first: usize,
    /// Index of the record by the other.
    pub second: usize,
}

/// All pairs of two timers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimerPairs<'s> {
    /// The timer named first in `batches.csv`.
    pub first: &'s str,
    /// Another one.
    pub second: &'s str,
    /// In the order of the records.
    pub pairs: Vec<TimerPair>,
}

impl TimerPair {
    /// The second latency over the first.
    pub fn ratio(&self, records: &[Record]) -> f64 {
        records[self.second].latency.value / records[self.first].latency.value
    }
}

/// What was measured with the study's first timer and with another one, for each other one.
///
/// Where a timer has several batches, they are paired in the order of `batches.csv`: the first
/// batch of one timer with the first of the other. Batches that say different GPUs or cache states
/// are not paired, since then more than the timer differs.
pub fn pairs<'s>(study: &'s Study, records: &[Record]) -> Vec<TimerPairs<'s>> {
    let mut timers: Vec<&str> = Vec::new();
    for timer in study.batches.values().filter_map(|batch| batch.timer.as_deref()) {
        if !timers.contains(&timer) {
            timers.push(timer);
        }
    }
    let Some((first, others)) = timers.split_first() else { return Vec::new() };
    others
        .iter()
        .map(|second| TimerPairs { first, second, pairs: of(study, records, first, second) })
        .filter(|found| !found.pairs.is_empty())
        .collect()
}

fn of(study: &Study, records: &[Record], first: &str, second: &str) -> Vec<TimerPair> {
    let batches = |timer: &str| -> Vec<_> {
        study.batches.values().filter(|batch| batch.timer.as_deref() == Some(timer)).collect()
    };
    let (above, below) = (batches(first), batches(second));
    let mut partner = BTreeMap::new();
    for (one, other) in above.iter().zip(&below) {
        if one.gpu == other.gpu && one.cache == other.cache {
            partner.insert(&one.id, &other.id);
        }
    }
    let mut by_key: BTreeMap<(&ShapeKey, &ImplementationId, &str), usize> = BTreeMap::new();
    for (at, record) in records.iter().enumerate() {
        let key = &record.key;
        by_key.insert((&key.shape, &key.implementation, &key.batch), at);
    }
    records
        .iter()
        .enumerate()
        .filter_map(|(first, record)| {
            let key = &record.key;
            let batch = partner.get(&key.batch)?;
            let second = *by_key.get(&(&key.shape, &key.implementation, batch))?;
            Some(TimerPair { first, second })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::{compute, fixture::Fixture};

    /// (first, second) of each pair, in µs, where batches have these timers and cache states.
    fn check(batches: &[(&str, &str, &str)], expected: &[(f64, f64)]) {
        let mut fixture = Fixture::new("a", &["c=us"]).latencies(&[
            "op/s/us/a 2.0",
            "op/s/us/b 3.0",
            "op/s/us/c 40",
            "op/s/us/d 50",
            "op/t/us/a 5.0",
            "op/t/lib/b 6.0",
            "op/t/us/c 7.0",
        ]);
        for (id, timer, cache) in batches {
            let batch = fixture.study.batches.get_mut(*id).unwrap();
            batch.timer = Some((*timer).into());
            batch.cache = Some((*cache).into());
        }
        let model = fixture.model();
        let records = &compute(&model).studies["s"].records;
        let found = super::pairs(&model.studies["s"], records);
        let value = |at: usize| records[at].latency.value;
        let pairs: Vec<(f64, f64)> = found
            .iter()
            .flat_map(|of| &of.pairs)
            .map(|pair| (value(pair.first), value(pair.second)))
            .collect();
        assert_eq!(pairs, expected);
    }

    #[test]
    fn batches_of_two_timers_are_paired_in_their_order() {
        let timers =
            [("a", "x", "cold"), ("b", "x", "cold"), ("c", "y", "cold"), ("d", "y", "cold")];
        check(&timers, &[(2.0, 40.0), (3.0, 50.0), (5.0, 7.0)]);
    }

    #[test]
    fn only_the_timer_may_differ() {
        check(&[("a", "x", "cold"), ("c", "y", "warm")], &[]);
        check(&[("a", "x", "cold"), ("b", "x", "cold")], &[]);
        check(&[], &[]);
    }
}
