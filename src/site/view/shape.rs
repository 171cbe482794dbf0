//! A shape: where every number on it comes from.

use askama::Template;
use serde::Serialize;

use super::{
    cell,
    cite::{self, Cite},
    comparison::{self, ComparisonRow},
    context::{Context, Frame, Link, operator_crumb, page, part_crumb, study_crumb},
    headline::{self, plural},
    lookup::{Lookup, ShapePlace},
    notes::{NoteView, Notes},
    record::{self, RatioRow, RecordRow},
    words::{self, Badge},
};
use crate::{
    model::Shape,
    site::{File, format, path},
    standings::{Replication, Speedup, SpeedupSource},
};

/// `<study>/operators/<operator>/<shape>/index.html`.
#[derive(Template, Serialize)]
#[template(path = "shape.html", whitespace = "minimize")]
pub(super) struct ShapePage {
    #[serde(skip)]
    frame: Frame,
    facts: Vec<String>,
    description: String,
    boards: Vec<BoardSection>,
    records: Vec<RecordRow>,
    ratios: Vec<RatioRow>,
    source: Link,
    #[serde(skip)]
    cite: Cite,
    notes: Vec<NoteView>,
}

/// The shape on a board.
#[derive(Serialize)]
struct BoardSection {
    anchor: String,
    board: Link,
    baseline: String,
    rows: Vec<SpeedupRow>,
    comparisons: Vec<ComparisonRow>,
    /// Whether the comparisons are shown without being asked for: where they are few.
    comparisons_open: bool,
}

/// Most comparisons that are shown without being asked for.
const FEW: usize = 10;

/// A contender's speedup, derived.
#[derive(Serialize)]
struct SpeedupRow {
    anchor: String,
    contender: String,
    derivation: Derivation,
    badges: Vec<Badge>,
    replications: Vec<ReplicationView>,
}

/// How a speedup comes about; or a word and the reason why there is none.
#[derive(Serialize, Default)]
struct Derivation {
    /// Whether there is a speedup.
    is_result: bool,
    /// `0.919×`, or a word.
    result: String,
    /// The two latencies, as links to their records; empty for a published ratio.
    baseline: Link,
    contender: Link,
    /// The record of a published ratio.
    ratio: Link,
    /// Which implementations stand for both sides: `FA4 / JustGoal`.
    members: String,
    /// Records that may be the fastest instead, as far as their precision goes.
    rivals: Vec<Link>,
    interval: String,
    kind: String,
    class: String,
    batch: Vec<Link>,
    reason: String,
}

/// The same speedup in another class.
#[derive(Serialize)]
struct ReplicationView {
    derivation: Derivation,
    /// Its ratio to the speedup it replicates.
    ratio: String,
    badge: Badge,
    shared: bool,
}

fn derive(
    lookup: &Lookup<'_>,
    estimate: &crate::standings::Estimate,
    class: &str,
    source: &SpeedupSource,
    frame: &Frame,
) -> Derivation {
    let mut derivation = Derivation {
        is_result: true,
        result: format::speedup(estimate.value),
        interval: words::interval(estimate),
        kind: words::kind_of(estimate).to_owned(),
        class: class.to_owned(),
        ..Derivation::default()
    };
    match source {
        SpeedupSource::Latencies { baseline, contender } => {
            let side = |at: usize| {
                let record = lookup.record(at);
                let anchor = path::record_anchor(&record.key.implementation, &record.key.batch);
                // A range needs brackets where it is divided.
                let text = if record.published.contains('–') {
                    format!("({})", record.published)
                } else {
                    record.published.to_string()
                };
                (record, Link::new(text, format!("#{anchor}")))
            };
            let rivals = baseline.rivals.iter().chain(&contender.rivals);
            let rivals = rivals
                .map(|&at| {
                    let (record, link) = side(at);
                    let name = lookup.implementation_name(&record.key.implementation);
                    Link::new(format!("{name}, {}", link.text), link.href)
                })
                .collect();
            let (below, contender) = side(contender.record);
            let (above, baseline) = side(baseline.record);
            derivation.members = format!(
                "{} / {}",
                lookup.implementation_name(&above.key.implementation),
                lookup.implementation_name(&below.key.implementation)
            );
            derivation.batch = vec![record::batch_link(lookup, frame, &above.key.batch)];
            if above.key.batch != below.key.batch {
                derivation.batch.push(record::batch_link(lookup, frame, &below.key.batch));
            }
            derivation.baseline = baseline;
            derivation.contender = contender;
            derivation.rivals = rivals;
        }
        SpeedupSource::Ratio(side) => {
            let ratio = &lookup.study.ratios[side.ratio];
            let key = &ratio.key;
            let anchor = path::ratio_anchor(&key.implementation, &ratio.reference, &key.batch);
            derivation.ratio = Link::new(format!("{}×", ratio.speedup.text), format!("#{anchor}"));
            derivation.members = format!(
                "{} / {}",
                lookup.implementation_name(&ratio.reference),
                lookup.implementation_name(&key.implementation)
            );
            derivation.batch = vec![record::batch_link(lookup, frame, &key.batch)];
        }
    }
    derivation
}

fn replication(lookup: &Lookup<'_>, one: &Replication, frame: &Frame) -> ReplicationView {
    ReplicationView {
        derivation: derive(lookup, &one.estimate, &one.class, &one.source, frame),
        ratio: format::significant(one.ratio),
        badge: words::verdict(one.verdict),
        shared: one.shared,
    }
}

fn speedup_badges(speedup: &Speedup) -> Vec<Badge> {
    let mut badges = vec![words::verdict(speedup.verdict)];
    if speedup.failed() {
        badges.push(cell::failed_badge());
    }
    if speedup.not_replicated() {
        badges.push(cell::not_replicated_badge());
    }
    badges
}

fn board_section(lookup: &Lookup<'_>, on: ShapePlace<'_>, frame: &Frame) -> BoardSection {
    let board = on.place.board;
    let rows = on
        .shape
        .results
        .iter()
        .filter_map(|result| {
            let contender = on.place.speedup.contender(&result.contender)?;
            let anchor = path::speedup_anchor(&board.id, &contender.id);
            let name = contender.name.clone();
            Some(match &result.outcome {
                Ok(speedup) => SpeedupRow {
                    anchor,
                    contender: name,
                    derivation: derive(
                        lookup,
                        &speedup.estimate,
                        &speedup.class,
                        &speedup.source,
                        frame,
                    ),
                    badges: speedup_badges(speedup),
                    replications: speedup
                        .replications
                        .iter()
                        .map(|one| replication(lookup, one, frame))
                        .collect(),
                },
                Err(reason) => {
                    let (word, reason) = lookup.why(on.place.speedup, contender, reason);
                    SpeedupRow {
                        anchor,
                        contender: name,
                        derivation: Derivation { result: word, reason, ..Derivation::default() },
                        badges: Vec::new(),
                        replications: Vec::new(),
                    }
                }
            })
        })
        .collect();
    let comparisons = comparison::on_shape(on.place, on.shape);
    BoardSection {
        comparisons_open: comparisons.len() <= FEW,
        comparisons,
        anchor: path::board_anchor(&board.id),
        board: headline::board_link(lookup.study, board, frame),
        baseline: on.place.speedup.baseline.name.clone(),
        rows,
    }
}

fn view<'a>(context: &Context<'a>, lookup: &Lookup<'a>, shape: &'a Shape) -> ShapePage {
    let study = lookup.study;
    let operator = lookup.operator_name(&shape.key.operator);
    let listing = plural(&study.labels.operator);
    let mut frame = context.frame(
        &path::shape(&study.id, &shape.key),
        &shape.name,
        &format!(
            "{operator}, {}: every latency with its source, every speedup with its derivation.",
            shape.name
        ),
        &[
            study_crumb(study),
            part_crumb(study, &listing, "operators"),
            operator_crumb(study, &shape.key.operator),
        ],
    );
    frame.heading = format!("{operator}: {}", shape.name);
    let mut facts = Vec::new();
    facts.extend(shape.dtype.clone());
    if let Some(flops) = shape.flops {
        facts.push(format!("{} operations", quantity(flops)));
    }
    if let Some(bytes) = shape.bytes {
        facts.push(format!("{}B to be moved", quantity(bytes)));
    }
    let mut notes = Notes::default();
    notes.show(&lookup.shape_notes(&shape.key));
    let records =
        record::records(context, lookup, lookup.records_of_shape(&shape.key), &frame, &mut notes);
    let of_shape = lookup.ratios_of_shape(&shape.key).iter().map(|&at| &study.ratios[at]);
    let ratios = record::ratios(context, lookup, of_shape, &frame, &mut notes);
    // The numbers of a shape stand with its operator's, on the first board that has it.
    let json = lookup.places(&shape.key).first().map_or_else(
        || path::api_latencies(&study.id),
        |on| path::api_board_operator(&study.id, &on.place.board.id, &shape.key.operator),
    );
    ShapePage {
        facts,
        description: shape.description.clone().unwrap_or_default(),
        boards: lookup
            .places(&shape.key)
            .into_iter()
            .map(|on| board_section(lookup, on, &frame))
            .collect(),
        records,
        ratios,
        source: context.source(&shape.span),
        cite: cite::cite(
            context,
            study,
            &frame,
            (
                &format!("{}-{}-{}", study.id, shape.key.operator, shape.key.shape),
                &frame.heading,
                &json,
            ),
        ),
        notes: notes.finish(&frame),
        frame,
    }
}

/// A count with a prefix of the SI: `1.37 T`.
fn quantity(value: f64) -> String {
    for (unit, prefix) in [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")] {
        if value >= unit {
            return format!("{} {prefix}", format::significant(value / unit));
        }
    }
    format!("{} ", format::significant(value))
}

pub(super) fn file<'a>(context: &Context<'a>, lookup: &Lookup<'a>, shape: &'a Shape) -> File {
    page(path::shape(&lookup.study.id, &shape.key), &view(context, lookup, shape))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::view::fixture;

    fn shape(context: &Context<'_>, name: &str) -> ShapePage {
        let lookup = &context.studies[0];
        let shape = lookup.study.shapes.values().find(|shape| **shape.id() == *name).unwrap();
        view(context, lookup, shape)
    }

    #[test]
    fn derives_each_speedup() {
        fixture::with(|context| insta::assert_json_snapshot!(shape(context, "short")));
    }

    #[test]
    fn says_why_there_is_none() {
        fixture::with(|context| insta::assert_json_snapshot!(shape(context, "alone")));
    }

    #[test]
    fn quantities_have_prefixes() {
        assert_eq!(quantity(1_374_389_534_720.0), "1.37 T");
        assert_eq!(quantity(12.0), "12.0 ");
    }
}
