//! Drift: the same thing measured in several batches, with the spread.

use std::collections::BTreeMap;

use super::Drift;
use crate::standings::records::Records;

/// Everything measured more than once, the widest spread first.
pub(super) fn find(records: &Records<'_>) -> Vec<Drift> {
    let mut groups: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (at, record) in records.all.iter().enumerate() {
        groups.entry((&record.key.shape, &record.key.implementation)).or_default().push(at);
    }
    let value = |at: &usize| records.all[*at].latency.value;
    let mut drifts: Vec<Drift> = groups
        .into_iter()
        .filter(|(_, group)| group.len() > 1)
        .map(|((shape, implementation), group)| {
            let slowest = group.iter().map(value).fold(f64::MIN_POSITIVE, f64::max);
            let fastest = group.iter().map(value).fold(f64::INFINITY, f64::min);
            Drift {
                shape: shape.clone(),
                implementation: implementation.clone(),
                spread: slowest / fastest,
                records: group,
            }
        })
        .collect();
    // Stable: equal spreads stay in the order of their shapes.
    drifts.sort_by(|a, b| b.spread.total_cmp(&a.spread));
    drifts
}
