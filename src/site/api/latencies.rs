//! `latencies.csv`: every latency of a study in one tidy file.
//!
//! `latency_us` keeps the published digits; where only a range was published, it is the value
//! that stands for the range. `low_us` and `high_us` are the bounds that computations use, for
//! every record, empty where there are none.

use super::Bounds;
use crate::{
    model::{NoteId, Printed},
    standings::{Record, StudyStandings},
};

const COLUMNS: [&str; 12] = [
    "operator",
    "shape",
    "implementation",
    "batch",
    "latency_us",
    "low_us",
    "high_us",
    "model",
    "note",
    "file",
    "line",
    "status",
];

/// The file, in the order of the records.
pub fn csv(results: &StudyStandings) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let rows = results.records.iter().map(row);
    let columns = COLUMNS.map(str::to_owned);
    for row in std::iter::once(columns).chain(rows) {
        writer.write_record(&row).expect("rows are equally long and memory takes them");
    }
    let bytes = writer.into_inner().expect("memory can be flushed");
    String::from_utf8(bytes).expect("texts are written as texts")
}

fn row(record: &Record) -> [String; 12] {
    let key = &record.key;
    let bounds = Bounds::of(Some(&record.latency));
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let latency = match Printed::parse(&record.published) {
        Ok(_) => record.published.to_string(),
        Err(_) => record.latency.value.to_string(),
    };
    let notes: Vec<&str> = record.notes.iter().map(NoteId::as_str).collect();
    [
        key.shape.operator.to_string(),
        key.shape.shape.to_string(),
        key.implementation.to_string(),
        key.batch.to_string(),
        latency,
        number(bounds.low),
        number(bounds.high),
        record.model.as_deref().unwrap_or_default().to_owned(),
        notes.join(" "),
        record.span.file.to_string(),
        record.span.line.to_string(),
        record.status.as_str().to_owned(),
    ]
}
