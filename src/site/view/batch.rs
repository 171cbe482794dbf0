//! A batch: its environment, its command, and all that was measured in it.

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
    model::Batch,
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
    records: Vec<RecordRow>,
    ratios: Vec<RatioRow>,
    retests: Vec<RetestRow>,
    source: Link,
    notes: Vec<NoteView>,
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
    let records =
        record::records(context, lookup, lookup.records_of_batch(&batch.id), &frame, &mut notes);
    let in_it = study.ratios.iter().filter(|ratio| ratio.key.batch == batch.id);
    let ratios = record::ratios(context, lookup, in_it, &frame, &mut notes);
    let of_it = study.retests.iter().filter(|retest| retest.batch.as_ref() == Some(&batch.id));
    let retests = record::retests(context, lookup, of_it, &frame, &mut notes);
    BatchPage {
        verified: verified_badge(batch.verified.is_some()),
        who: batch.verified.clone().unwrap_or_default(),
        environment,
        gpu_source: gpu.and_then(|gpu| gpu.source.clone()).unwrap_or_default(),
        unknown: unknown.join(", ").to_lowercase().replace("gpu", "GPU").replace("cuda", "CUDA"),
        command: batch.command.clone().unwrap_or_default(),
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
}
