//! A study: its headline standings, boards, protocol, and how to cite it.

use askama::Template;
use serde::Serialize;

use super::{
    board,
    context::{Context, Frame, Link, part_crumb},
    dataset,
    figure::{FigureView, page_with},
    headline::{self, Headline},
    listing,
    lookup::Lookup,
    notes::{NoteView, Notes},
    timers::{self, TimerFigure},
};
use crate::{
    model::BoardKind,
    site::{
        File, format,
        markdown::{self, Place},
        path,
    },
};

/// `<study>/index.html`.
#[derive(Template, Serialize)]
#[template(path = "study.html", whitespace = "minimize")]
pub(super) struct StudyPage {
    #[serde(skip)]
    frame: Frame,
    facts: Vec<String>,
    headline: Option<Headline>,
    #[serde(skip)]
    figure: Option<FigureView>,
    timers: Vec<TimerFigure>,
    summary: String,
    boards: Vec<BoardEntry>,
    batches: Vec<BatchEntry>,
    parts: Vec<Link>,
    authors: String,
    paper: Link,
    licence: String,
    citation: String,
    notes: Vec<NoteView>,
}

/// A board of the study.
#[derive(Serialize)]
struct BoardEntry {
    link: Link,
    kind: &'static str,
    what: String,
}

/// A batch, as the protocol of what was measured in it.
#[derive(Serialize)]
pub(super) struct BatchEntry {
    pub link: Link,
    pub class: String,
    pub gpu: String,
    pub timer: String,
    pub cache: String,
    pub statistic: String,
    pub measured_on: String,
    pub verified: String,
    pub records: String,
}

/// The batches of a study, a row each.
pub(super) fn batch_entries(
    context: &Context<'_>,
    lookup: &Lookup<'_>,
    frame: &Frame,
) -> Vec<BatchEntry> {
    let study = lookup.study;
    let given = |text: &Option<String>| text.clone().unwrap_or_else(|| "not given".into());
    study
        .batches
        .values()
        .map(|batch| {
            let ratios = study.ratios.iter().filter(|ratio| ratio.key.batch == batch.id).count();
            BatchEntry {
                link: Link::new(&batch.name, frame.to(&path::batch(&study.id, &batch.id))),
                class: batch.class.to_string(),
                gpu: batch.gpu.as_ref().map_or_else(
                    || "not given".to_owned(),
                    |id| context.model.gpus.get(id).map_or(id.to_string(), |gpu| gpu.name.clone()),
                ),
                timer: given(&batch.timer),
                cache: given(&batch.cache),
                statistic: given(&batch.statistic),
                measured_on: batch
                    .measured_on
                    .map_or_else(|| "not given".to_owned(), |date| date.to_string()),
                verified: batch.verified.clone().unwrap_or_else(|| "self-reported".into()),
                records: (lookup.records_of_batch(&batch.id).len() + ratios).to_string(),
            }
        })
        .collect()
}

fn view<'a>(context: &Context<'a>, lookup: &Lookup<'a>) -> StudyPage {
    let study = lookup.study;
    let path = path::study(&study.id);
    let description = markdown::plain(&study.summary);
    let mut frame = context.frame(&path, &study.title, &description, &[]);
    frame.json_ld = dataset::json_ld(context, lookup, &frame);
    let mut notes = Notes::default();
    let headline = headline::headline(context, lookup, &frame, &mut notes);
    notes.show(&lookup.study_notes());
    let boards = study
        .boards
        .values()
        .map(|board| {
            let (kind, what) = match &board.kind {
                BoardKind::Speedup(speedup) => (
                    "speedups",
                    format!(
                        "{} against {}, {}",
                        format::count(speedup.contenders.len(), "contender", "contenders"),
                        speedup.baseline.name,
                        format::count(speedup.shapes.len(), "shape", "shapes"),
                    ),
                ),
                BoardKind::MacroEval { .. } => ("MacroEval", "runs by their score".to_owned()),
                BoardKind::Table(table) => ("table", format!("as published, {}", table.file)),
            };
            BoardEntry { link: headline::board_link(study, board, &frame), kind, what }
        })
        .collect();
    let mut parts: Vec<Link> = listing::ALL
        .iter()
        .filter(|listing| (listing.exists)(study))
        .map(|listing| {
            Link::new(listing.title(study), frame.to(&path::study_part(&study.id, listing.part)))
        })
        .collect();
    parts.push(Link::new("Audit", frame.to(&path::study_part(&study.id, "audit"))));
    parts.push(Link::new("Data and downloads", frame.to(&path::study_part(&study.id, "data"))));
    let headline_place = study
        .headline
        .as_ref()
        .and_then(|id| lookup.speedup_boards().iter().find(|place| place.board.id == *id));
    let figure = headline_place.and_then(|place| board::figure(lookup, *place, &frame));
    StudyPage {
        facts: headline::facts(context, study),
        headline,
        figure,
        timers: timers::figures(lookup, &frame),
        summary: markdown::html(
            &study.summary,
            Place { root: &frame.root, first_heading: 3, prefix: "summary-" },
        ),
        boards,
        batches: batch_entries(context, lookup, &frame),
        parts,
        authors: study.authors.join(", "),
        paper: study.paper_url.as_ref().map_or_else(Link::default, |url| Link::new(url, url)),
        licence: study.licence.clone().unwrap_or_default(),
        citation: study.citation.as_deref().unwrap_or_default().trim().to_owned(),
        notes: notes.finish(&frame),
        frame,
    }
}

/// The page, and the figures of its timers as files; its first one is its board's.
pub(super) fn files<'a>(context: &Context<'a>, lookup: &Lookup<'a>) -> Vec<File> {
    let view = view(context, lookup);
    page_with(path::study(&lookup.study.id), &view, view.timers.iter().map(|timer| &timer.figure))
}

/// The crumb of a study's listing, for pages below it.
pub(super) fn listing_crumb<'s>(
    study: &'s crate::model::Study,
    title: &'s str,
    part: &str,
) -> [(&'s str, String); 2] {
    [(study.title.as_str(), path::study(&study.id)), part_crumb(study, title, part)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::view::fixture;

    #[test]
    fn answers_first() {
        fixture::with(|context| {
            insta::assert_json_snapshot!(view(context, &context.studies[0]));
        });
    }
}
