//! Why there is no speedup, in the words that the JSON publishes.

use crate::{
    model::BatchId,
    standings::{NoSpeedup, Record, Status},
};

/// The rule that left something out, in words that do not change.
pub fn text(reason: &NoSpeedup, records: &[Record]) -> String {
    match reason {
        NoSpeedup::NotMeasured => "not measured".to_owned(),
        NoSpeedup::NoBaseline => "no baseline".to_owned(),
        NoSpeedup::NotComparable { contender, baseline } => {
            format!("not comparable: batches {} and {}", list(contender), list(baseline))
        }
        NoSpeedup::Excluded(of) => statuses(of, records),
        NoSpeedup::BaselineExcluded(of) => format!("baseline {}", statuses(of, records)),
        NoSpeedup::RatioExcluded(_) => "ratio excluded".to_owned(),
    }
}

fn list(batches: &[BatchId]) -> String {
    let batches: Vec<&str> = batches.iter().map(BatchId::as_str).collect();
    batches.join(", ")
}

/// What became of records that were left out, each status once.
fn statuses(of: &[usize], records: &[Record]) -> String {
    let mut words: Vec<&str> = Vec::new();
    for record in of.iter().filter_map(|index| records.get(*index)) {
        let word = match record.status {
            Status::Counts => continue,
            Status::Failed { .. } => "failed retest",
            Status::NotRetested => "not retested",
            Status::Withdrawn { .. } => "withdrawn",
        };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    if words.is_empty() { "excluded".to_owned() } else { words.join(", ") }
}
