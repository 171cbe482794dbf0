//! Downloads of a study, its licence, and how to cite it.

use askama::Template;
use serde::Serialize;

use super::{
    cite,
    context::{Context, Frame, Link, page, study_crumb},
    lookup::Lookup,
};
use crate::{
    model::{BoardId, BoardKind, DataFile, Study},
    site::{File, api::raw_copy, format, path},
};

/// `<study>/data/index.html`.
#[derive(Template, Serialize)]
#[template(path = "data.html", whitespace = "minimize")]
pub(super) struct DataPage {
    #[serde(skip)]
    frame: Frame,
    results: Vec<Download>,
    files: Vec<Download>,
    licence: String,
    citation: String,
    cite: String,
    /// A line of Markdown with a badge; empty where there is none.
    badge: String,
}

/// A file to download.
#[derive(Serialize)]
struct Download {
    link: Link,
    what: String,
    size: String,
}

/// A number of bytes: `812 B`, `14 kB`.
fn size(bytes: usize) -> String {
    if bytes < 1000 { format!("{bytes} B") } else { format!("{} kB", bytes.div_ceil(1000)) }
}

fn view(context: &Context<'_>, lookup: &Lookup<'_>) -> DataPage {
    let study = lookup.study;
    let frame = context.frame(
        &path::study_part(&study.id, "data"),
        "Data and downloads",
        &format!("CSV and JSON of {}, its licence, and how to cite it.", study.title),
        &[study_crumb(study)],
    );
    let result = |path: String, what: String| Download {
        link: Link::new(&path, frame.to(&path)),
        what,
        size: String::new(),
    };
    let mut results = vec![
        result(path::api_latencies(&study.id), "all latencies in one tidy table".into()),
        result(
            path::api_study_part(&study.id, "claims"),
            "published figures and what was recomputed".into(),
        ),
        result(path::api_study_part(&study.id, "audit"), "the audit tables".into()),
        result(
            path::data_package(&study.id),
            "the data files below, described column by column as a Frictionless Data Package"
                .into(),
        ),
    ];
    for board in study.boards.values() {
        results.push(result(path::api_board(&study.id, &board.id), board.title.clone()));
        if !matches!(board.kind, BoardKind::Table(_)) {
            results.push(result(
                path::api_badge(&study.id, &board.id),
                format!("{}: badge for shields.io", board.title),
            ));
        }
        if let BoardKind::Speedup(speedup) = &board.kind {
            for operator in speedup.operators() {
                results.push(result(
                    path::api_board_operator(&study.id, &board.id, operator),
                    format!("{}: {}", board.title, lookup.operator_name(operator)),
                ));
            }
        }
    }
    let folder = format!("studies/{}/", study.id);
    let files = context
        .model
        .files
        .iter()
        .filter_map(|file| {
            let name = file.path.strip_prefix(&folder)?;
            Some(download(&frame, name, file))
        })
        .collect();
    DataPage {
        results,
        files,
        licence: study
            .licence
            .clone()
            .or_else(|| context.model.site.licence.clone())
            .unwrap_or_default(),
        citation: study.citation.as_deref().unwrap_or_default().trim().to_owned(),
        cite: cite::plain(context, study, &frame, ""),
        badge: badge(context, study),
        frame,
    }
}

/// A line of Markdown that shows the badge of the headline board, or of the first that has one.
fn badge(context: &Context<'_>, study: &Study) -> String {
    let has_badge = |id: &&BoardId| !matches!(study.boards[*id].kind, BoardKind::Table(_));
    let mut ids = study.headline.iter().chain(study.boards.keys());
    ids.find(has_badge).map_or_else(String::new, |id| {
        let base = context.model.site.base_url.as_deref().unwrap_or("https://example.org");
        let json = path::api_badge(&study.id, id);
        format!("![{}](https://img.shields.io/endpoint?url={base}/{json})", study.boards[id].title)
    })
}

/// The files that belong to no study, at `data/index.html`.
fn site_view(context: &Context<'_>) -> DataPage {
    let title = &context.model.site.title;
    let frame = context.frame(
        &path::top("data"),
        "Data and downloads",
        &format!("The files of {title} that belong to no study."),
        &[],
    );
    let files = context
        .model
        .files
        .iter()
        .filter(|file| !file.path.starts_with("studies/"))
        .map(|file| download(&frame, &file.path, file))
        .collect();
    let results = context
        .studies
        .iter()
        .map(|lookup| {
            let path = path::study_part(&lookup.study.id, "data");
            Download {
                link: Link::new(&lookup.study.title, frame.to(&path)),
                what: "downloads of this study".into(),
                size: String::new(),
            }
        })
        .chain([Download {
            link: Link::new("api/v1/studies.json", frame.to("api/v1/studies.json")),
            what: "all studies and their boards".into(),
            size: String::new(),
        }])
        .collect();
    DataPage {
        results,
        files,
        licence: context.model.site.licence.clone().unwrap_or_default(),
        citation: String::new(),
        cite: format!("{title}, data version {}.", frame.data_version_short),
        badge: String::new(),
        frame,
    }
}

pub(super) fn site_file(context: &Context<'_>) -> File {
    page(path::top("data"), &site_view(context))
}

/// A file of the data folder as a download, called by `name`.
fn download(frame: &Frame, name: &str, file: &DataFile) -> Download {
    Download {
        link: Link::new(name, frame.to(&raw_copy(&file.path))),
        what: format::count(file.text.lines().count(), "line", "lines"),
        size: size(file.text.len()),
    }
}

pub(super) fn file<'a>(context: &Context<'a>, lookup: &Lookup<'a>) -> File {
    page(path::study_part(&lookup.study.id, "data"), &view(context, lookup))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::view::fixture;

    #[test]
    fn names_every_download() {
        fixture::with(|context| {
            insta::assert_json_snapshot!(view(context, &context.studies[0]));
        });
    }

    #[test]
    fn sizes_are_short() {
        assert_eq!((size(12), size(1200)), ("12 B".into(), "2 kB".into()));
    }
}
