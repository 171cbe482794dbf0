//! Rows of records: everything that is known of a latency or a published ratio, and where it
//! stands in the data.

use serde::Serialize;

use super::{
    context::{Context, Frame, Link},
    lookup::Lookup,
    notes::{NoteMark, Notes},
    words::{self, Badge},
};
use crate::{
    model::{RatioRecord, RecordKey, Retest},
    site::{format, path},
};

/// A latency record.
#[derive(Debug, Clone, Serialize)]
pub(super) struct RecordRow {
    pub anchor: String,
    pub operator: Link,
    pub shape: Link,
    pub implementation: Link,
    pub role: String,
    pub batch: Link,
    pub class: String,
    /// As published.
    pub latency: String,
    /// Where the record stands on its shape's page.
    pub derivation: String,
    pub bounds: String,
    /// `published digits`, `95 % over rounds`, with the number of samples.
    pub precision: String,
    pub model: String,
    pub retests: Vec<RetestMark>,
    pub limits: String,
    pub status: Badge,
    pub reason: String,
    pub marks: Vec<NoteMark>,
    pub source: Link,
}

/// A retest that covers a record.
#[derive(Debug, Clone, Serialize)]
pub(super) struct RetestMark {
    pub badge: Badge,
    pub standard: String,
    pub detail: String,
}

/// A published ratio.
#[derive(Debug, Clone, Serialize)]
pub(super) struct RatioRow {
    pub anchor: String,
    pub operator: Link,
    pub shape: Link,
    pub implementation: Link,
    pub reference: Link,
    pub batch: Link,
    pub class: String,
    pub speedup: String,
    pub bounds: String,
    pub retests: Vec<RetestMark>,
    pub marks: Vec<NoteMark>,
    pub source: Link,
}

/// A retest on its own.
#[derive(Debug, Clone, Serialize)]
pub(super) struct RetestRow {
    pub implementation: Link,
    /// What it covers: an operator, a shape, all.
    pub covers: Link,
    pub batch: Link,
    pub badge: Badge,
    pub standard: String,
    pub detail: String,
    pub marks: Vec<NoteMark>,
    pub source: Link,
}

pub(super) fn implementation_link(
    lookup: &Lookup<'_>,
    frame: &Frame,
    id: &crate::model::ImplementationId,
) -> Link {
    Link::new(lookup.implementation_name(id), frame.to(&path::implementation(&lookup.study.id, id)))
}

pub(super) fn batch_link(lookup: &Lookup<'_>, frame: &Frame, id: &crate::model::BatchId) -> Link {
    Link::new(lookup.batch_name(id), frame.to(&path::batch(&lookup.study.id, id)))
}

pub(super) fn operator_link(
    lookup: &Lookup<'_>,
    frame: &Frame,
    id: &crate::model::OperatorId,
) -> Link {
    Link::new(lookup.operator_name(id), frame.to(&path::operator(&lookup.study.id, id)))
}

pub(super) fn shape_link(lookup: &Lookup<'_>, frame: &Frame, key: &crate::model::ShapeKey) -> Link {
    Link::new(lookup.shape_name(key), frame.to(&path::shape(&lookup.study.id, key)))
}

/// The retests that cover a record.
fn retests_of(lookup: &Lookup<'_>, key: &RecordKey) -> Vec<RetestMark> {
    lookup
        .retests_of(&key.implementation)
        .iter()
        .map(|&at| &lookup.study.retests[at])
        .filter(|retest| retest.covers(key))
        .map(|retest| RetestMark {
            badge: words::retest(retest.outcome).1,
            standard: retest.standard.clone().unwrap_or_default(),
            detail: retest.detail.clone().unwrap_or_default(),
        })
        .collect()
}

/// The latency records at these indices.
pub(super) fn records<'a>(
    context: &Context<'a>,
    lookup: &Lookup<'a>,
    at: &[usize],
    frame: &Frame,
    notes: &mut Notes<'a>,
) -> Vec<RecordRow> {
    at.iter()
        .map(|&at| {
            let record = lookup.record(at);
            let key = &record.key;
            let implementation = lookup.study.implementations.get(&key.implementation);
            let batch = lookup.study.batches.get(&key.batch);
            let mut limits = Vec::new();
            if let Some(share) = record.limits.memory {
                limits.push(format!("memory {}", format::percent(share)));
            }
            if let Some(share) = record.limits.arithmetic {
                limits.push(format!("arithmetic {}", format::percent(share)));
            }
            let mut precision = words::kind_of(&record.latency).to_owned();
            if let Some((samples, rounds)) = record.samples {
                precision = format!(
                    "{precision}; {} in {}",
                    format::count(samples, "sample", "samples"),
                    format::count(rounds, "round", "rounds"),
                );
            }
            let model =
                record.model.as_deref().map(str::to_owned).or_else(|| {
                    implementation.and_then(|implementation| implementation.model.clone())
                });
            let anchor = path::record_anchor(&key.implementation, &key.batch);
            RecordRow {
                operator: operator_link(lookup, frame, &key.shape.operator),
                shape: shape_link(lookup, frame, &key.shape),
                implementation: implementation_link(lookup, frame, &key.implementation),
                role: implementation.map_or("", |one| one.role.as_str()).to_owned(),
                batch: batch_link(lookup, frame, &key.batch),
                class: batch.map_or_else(String::new, |batch| batch.class.to_string()),
                latency: record.published.to_string(),
                derivation: frame.to_place(&path::shape(&lookup.study.id, &key.shape), &anchor),
                anchor,
                bounds: record.latency.interval.as_ref().map_or_else(String::new, format::bounds),
                precision,
                model: model.unwrap_or_default(),
                retests: retests_of(lookup, key),
                limits: limits.join(", "),
                status: words::status_badge(&record.status),
                reason: lookup.status_reason(&record.status),
                marks: notes.marks(&lookup.record_notes(key, &record.notes)),
                source: context.source(&record.span),
            }
        })
        .collect()
}

/// These ratio records.
pub(super) fn ratios<'a>(
    context: &Context<'a>,
    lookup: &Lookup<'a>,
    ratios: impl Iterator<Item = &'a RatioRecord>,
    frame: &Frame,
    notes: &mut Notes<'a>,
) -> Vec<RatioRow> {
    ratios
        .map(|ratio| {
            let key = &ratio.key;
            let batch = lookup.study.batches.get(&key.batch);
            RatioRow {
                anchor: path::ratio_anchor(&key.implementation, &ratio.reference, &key.batch),
                operator: operator_link(lookup, frame, &key.shape.operator),
                shape: shape_link(lookup, frame, &key.shape),
                implementation: implementation_link(lookup, frame, &key.implementation),
                reference: implementation_link(lookup, frame, &ratio.reference),
                batch: batch_link(lookup, frame, &key.batch),
                class: batch.map_or_else(String::new, |batch| batch.class.to_string()),
                speedup: format!("{}×", ratio.speedup.text),
                bounds: format!(
                    "{}–{}",
                    format::significant_to(ratio.speedup.low, 4),
                    format::significant_to(ratio.speedup.high, 4)
                ),
                retests: retests_of(lookup, key),
                marks: notes.marks(&lookup.record_notes(key, &ratio.notes)),
                source: context.source(&ratio.span),
            }
        })
        .collect()
}

/// These retests.
pub(super) fn retests<'a>(
    context: &Context<'a>,
    lookup: &Lookup<'a>,
    retests: impl Iterator<Item = &'a Retest>,
    frame: &Frame,
    notes: &mut Notes<'a>,
) -> Vec<RetestRow> {
    retests
        .map(|retest| {
            let covers = match (&retest.shape, &retest.operator) {
                (Some(shape), _) => {
                    let link = shape_link(lookup, frame, shape);
                    let operator = lookup.operator_name(&shape.operator);
                    Link::new(format!("{operator}, {}", link.text), link.href)
                }
                (None, Some(operator)) => operator_link(lookup, frame, operator),
                (None, None) => Link::plain("everything"),
            };
            let named: Vec<_> =
                retest.notes.iter().filter_map(|id| lookup.study.notes.get(id)).collect();
            RetestRow {
                implementation: implementation_link(lookup, frame, &retest.implementation),
                covers,
                batch: retest.batch.as_ref().map_or_else(
                    || Link::plain("all batches"),
                    |batch| batch_link(lookup, frame, batch),
                ),
                badge: words::retest(retest.outcome).1,
                standard: retest.standard.clone().unwrap_or_default(),
                detail: retest.detail.clone().unwrap_or_default(),
                marks: notes.marks(&named),
                source: context.source(&retest.span),
            }
        })
        .collect()
}
