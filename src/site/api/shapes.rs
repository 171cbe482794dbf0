//! `boards/<board>/<operator>.json`: every shape of an operator, with what each speedup is made
//! of.

use serde::Serialize;

use super::{Bounds, reason, text};
use crate::{
    model::{Board, Study},
    standings::{
        IntervalKind, OperatorStandings, RatioSide, Replication, ShapeResult, ShapeStandings, Side,
        Speedup, SpeedupSource, StudyStandings,
    },
};

#[derive(Serialize)]
struct Page<'a> {
    study: &'a str,
    board: &'a str,
    operator: &'a str,
    shapes: Vec<Shape<'a>>,
}

#[derive(Serialize)]
struct Shape<'a> {
    id: &'a str,
    name: &'a str,
    results: Vec<Entry<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Entry<'a> {
    Counts(Box<Counts<'a>>),
    Excluded { contender: &'a str, excluded: String },
}

#[derive(Serialize)]
struct Counts<'a> {
    contender: &'a str,
    class: &'a str,
    speedup: f64,
    low: Option<f64>,
    high: Option<f64>,
    interval: Option<IntervalKind>,
    baseline: Evidence<'a>,
    record: Evidence<'a>,
    failed: bool,
    replications: Vec<Repeated<'a>>,
}

/// One side of a speedup. The bounds are those that the speedup's own are made of: they also hold
/// every other member that may be the fastest.
#[derive(Serialize)]
struct Evidence<'a> {
    implementation: Option<&'a str>,
    batch: Option<&'a str>,
    latency_us: Option<f64>,
    low_us: Option<f64>,
    high_us: Option<f64>,
    published: Option<&'a str>,
    file: Option<&'a str>,
    line: Option<u32>,
}

#[derive(Serialize)]
struct Repeated<'a> {
    class: &'a str,
    speedup: f64,
    low: Option<f64>,
    high: Option<f64>,
}

/// The file of an operator on a board.
pub fn json(
    study: &Study,
    results: &StudyStandings,
    board: &Board,
    operator: &OperatorStandings,
) -> String {
    text(&Page {
        study: &study.id,
        board: &board.id,
        operator: &operator.operator,
        shapes: operator.shapes.iter().map(|of| shape(study, results, of)).collect(),
    })
}

fn shape<'a>(study: &'a Study, results: &'a StudyStandings, of: &'a ShapeStandings) -> Shape<'a> {
    Shape {
        id: &of.key.shape,
        name: study.shapes.get(&of.key).map_or(of.key.shape.as_str(), |shape| &shape.name),
        results: of.results.iter().map(|result| entry(study, results, result)).collect(),
    }
}

fn entry<'a>(study: &'a Study, results: &'a StudyStandings, of: &'a ShapeResult) -> Entry<'a> {
    match &of.outcome {
        Ok(speedup) => Entry::Counts(Box::new(counts(study, results, &of.contender, speedup))),
        Err(why) => Entry::Excluded {
            contender: &of.contender,
            excluded: reason::text(why, &results.records),
        },
    }
}

fn counts<'a>(
    study: &'a Study,
    results: &'a StudyStandings,
    contender: &'a str,
    of: &'a Speedup,
) -> Counts<'a> {
    let bounds = Bounds::of(Some(&of.estimate));
    let (baseline, record) = match &of.source {
        SpeedupSource::Latencies { baseline, contender } => {
            (latency(results, baseline), latency(results, contender))
        }
        SpeedupSource::Ratio(side) => ratio(study, side),
    };
    Counts {
        contender,
        class: &of.class,
        speedup: of.estimate.value,
        low: bounds.low,
        high: bounds.high,
        interval: bounds.kind,
        baseline,
        record,
        failed: of.failed(),
        replications: of.replications.iter().map(repeated).collect(),
    }
}

fn repeated(of: &Replication) -> Repeated<'_> {
    let bounds = Bounds::of(Some(&of.estimate));
    Repeated { class: &of.class, speedup: of.estimate.value, low: bounds.low, high: bounds.high }
}

fn latency<'a>(results: &'a StudyStandings, side: &Side) -> Evidence<'a> {
    let record = &results.records[side.record];
    let bounds = Bounds::of(Some(&side.latency));
    Evidence {
        implementation: Some(&record.key.implementation),
        batch: Some(&record.key.batch),
        latency_us: Some(side.latency.value),
        low_us: bounds.low,
        high_us: bounds.high,
        published: Some(&record.published),
        file: Some(&record.span.file),
        line: Some(record.span.line),
    }
}

/// Both sides of a published ratio: which implementations, no latencies, and the place of the
/// ratio on the contender's side.
fn ratio<'a>(study: &'a Study, side: &RatioSide) -> (Evidence<'a>, Evidence<'a>) {
    let record = &study.ratios[side.ratio];
    let without_latency = |implementation: &'a str| Evidence {
        implementation: Some(implementation),
        batch: Some(&record.key.batch),
        latency_us: None,
        low_us: None,
        high_us: None,
        published: None,
        file: None,
        line: None,
    };
    let contender = Evidence {
        published: Some(&record.speedup.text),
        file: Some(&record.span.file),
        line: Some(record.span.line),
        ..without_latency(&record.key.implementation)
    };
    (without_latency(&record.reference), contender)
}
