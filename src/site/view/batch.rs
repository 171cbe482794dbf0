//! A batch: its environment, its command, and all that was measured in it.

use std::collections::BTreeSet;

use askama::Template;
use serde::Serialize;

use super::{
    board::verified_badge,
    context::{Context, Frame, Link, page},
    lookup::Lookup,
    notes::{NoteView, Notes},
    record::{self, RatioRow, RecordRow, RetestRow},
    study::listing_crumb,
    words::Badge,
};
use crate::{
    model::{Batch, RecordKey},
    site::{File, format, path},
};

/// `<study>/batches/<id>/index.html`.
#[derive(Template, Serialize)]
#[template(path = "batch.html", whitespace = "minimize")]
pub(super) struct BatchPage {
    #[serde(skip)]
    frame: Frame,
    verified: Badge,
    who: String,
    environment: Vec<(String, String)>,
    gpu_source: String,
    /// What the batch does not say.
    unknown: String,
    command: String,
    /// How many records there are, where they are too many to be shown one by one.
    many: String,
    /// The records by operator, where they are too many.
    groups: Vec<GroupRow>,
    records: Vec<RecordRow>,
    ratios: Vec<RatioRow>,
    retests: Vec<RetestRow>,
    source: Link,
    notes: Vec<NoteView>,
}

/// What was measured of an operator.
#[derive(Serialize)]
struct GroupRow {
    operator: Link,
    records: String,
    ratios: String,
    shapes: String,
    implementations: String,
}

/// Most records that a batch shows one by one; a longer table is slow to load and hard to read.
const MANY: usize = 500;

/// The records of a batch, counted by operator in the study's order.
fn groups(lookup: &Lookup<'_>, batch: &Batch, frame: &Frame) -> Vec<GroupRow> {
    let study = lookup.study;
    let records: Vec<&RecordKey> =
        lookup.records_of_batch(&batch.id).iter().map(|&at| &lookup.record(at).key).collect();
    let ratios: Vec<&RecordKey> =
        study.ratios.iter().map(|ratio| &ratio.key).filter(|key| key.batch == batch.id).collect();
    study
        .operators
        .keys()
        .filter_map(|operator| {
            let of = |keys: &[&'_ RecordKey]| {
                keys.iter().filter(|key| key.shape.operator == *operator).count()
            };
            let here =
                || records.iter().chain(&ratios).filter(|key| key.shape.operator == *operator);
            here().next()?;
            let shapes: BTreeSet<_> = here().map(|key| &key.shape).collect();
            let implementations: BTreeSet<_> = here().map(|key| &key.implementation).collect();
            Some(GroupRow {
                operator: record::operator_link(lookup, frame, operator),
                records: of(&records).to_string(),
                ratios: of(&ratios).to_string(),
                shapes: shapes.len().to_string(),
                implementations: implementations.len().to_string(),
            })
        })
        .collect()
}

fn view<'a>(context: &Context<'a>, lookup: &Lookup<'a>, batch: &'a Batch) -> BatchPage {
    let study = lookup.study;
    let frame = context.frame(
        &path::batch(&study.id, &batch.id),
        &batch.name,
        &format!("Batch {}: environment, command, and all that was measured.", batch.name),
        &listing_crumb(study, "Batches", "batches"),
    );
    let gpu = batch.gpu.as_ref().and_then(|id| context.model.gpus.get(id));
    let gpu_name = batch.gpu.as_ref().map(|id| gpu.map_or(id.to_string(), |gpu| gpu.name.clone()));
    let facts: [(&str, Option<String>); 12] = [
        ("GPU", gpu_name),
        ("GPUs per call", batch.gpu_count.map(|count| count.to_string())),
        ("Driver", batch.driver.clone()),
        ("CUDA", batch.cuda.clone()),
        ("Software", batch.software.clone()),
        ("Timer", batch.timer.clone()),
        ("Cache", batch.cache.clone()),
        ("Statistic", batch.statistic.clone()),
        ("Tool", batch.tool.clone()),
        ("Tool commit", batch.tool_commit.clone()),
        ("Measured on", batch.measured_on.map(|date| date.to_string())),
        ("Command", batch.command.clone()),
    ];
    let mut environment = vec![("Comparability class".to_owned(), batch.class.to_string())];
    let mut unknown = Vec::new();
    for (term, text) in facts {
        match text {
            None => unknown.push(term.to_owned()),
            // The command has a place of its own.
            Some(_) if term == "Command" => {}
            Some(text) => environment.push((term.to_owned(), text)),
        }
    }
    if let Some(gpu) = gpu {
        let limits = [
            ("Memory bandwidth", gpu.memory_tb_s, "TB/s"),
            ("L2 cache", gpu.l2_mb, "MB"),
            ("bf16, dense", gpu.bf16_tflops, "TFLOP/s"),
            ("fp8, dense", gpu.fp8_tflops, "TFLOP/s"),
        ];
        for (term, value, unit) in limits {
            if let Some(value) = value {
                // As the vendor states it: the shortest text of the number.
                environment.push((term.into(), format!("{} {unit}", format::plain(value))));
            }
        }
    }
    let mut notes = Notes::default();
    notes.show(&lookup.batch_notes(&batch.id));
    let all = lookup.records_of_batch(&batch.id);
    let in_it = study.ratios.iter().filter(|ratio| ratio.key.batch == batch.id);
    let count = all.len() + in_it.clone().count();
    let (groups, records, ratios) = if count > MANY {
        (groups(lookup, batch, &frame), Vec::new(), Vec::new())
    } else {
        (
            Vec::new(),
            record::records(context, lookup, all, &frame, &mut notes),
            record::ratios(context, lookup, in_it, &frame, &mut notes),
        )
    };
    let of_it = study.retests.iter().filter(|retest| retest.batch.as_ref() == Some(&batch.id));
    let retests = record::retests(context, lookup, of_it, &frame, &mut notes);
    BatchPage {
        verified: verified_badge(batch.verified.is_some()),
        who: batch.verified.clone().unwrap_or_default(),
        environment,
        gpu_source: gpu.and_then(|gpu| gpu.source.clone()).unwrap_or_default(),
        unknown: unknown.join(", ").to_lowercase().replace("gpu", "GPU").replace("cuda", "CUDA"),
        command: batch.command.clone().unwrap_or_default(),
        many: if groups.is_empty() { String::new() } else { count.to_string() },
        groups,
        records,
        ratios,
        retests,
        source: context.source(&batch.span),
        notes: notes.finish(&frame),
        frame,
    }
}

pub(super) fn file<'a>(context: &Context<'a>, lookup: &Lookup<'a>, batch: &'a Batch) -> File {
    page(path::batch(&lookup.study.id, &batch.id), &view(context, lookup, batch))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::view::fixture;

    #[test]
    fn says_what_is_known_and_what_is_not() {
        fixture::with(|context| {
            let lookup = &context.studies[0];
            insta::assert_json_snapshot!(view(context, lookup, &lookup.study.batches["first"]));
        });
    }

    #[test]
    fn records_are_counted_by_operator() {
        fixture::with(|context| {
            let lookup = &context.studies[0];
            let batch = &lookup.study.batches["first"];
            let frame = context.frame(&path::batch(&lookup.study.id, &batch.id), "", "", &[]);
            insta::assert_json_snapshot!(groups(lookup, batch, &frame));
        });
    }
}
