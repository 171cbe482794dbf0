//! What other programs read: the JSON and CSV of `api/v1/`, the raw data files, the sitemap and
//! the feed.
//!
//! The keys of every JSON object stand in the order of their struct's fields, which is the
//! published one. Numbers have full precision (the shortest text that reads back as the same
//! float); one that does not exist is `null`. Each file ends in a line feed.
//!
//! Raw data files keep their names: a file of a study stands at
//! `<study>/data/files/<path below the study's folder>`, any other at
//! `data/files/<path below the data folder>`. No page can be in their way, since neither `data`
//! is an id of a study nor is anything else called `files` in a study's `data`.

mod board;
mod feed;
mod latencies;
mod reason;
mod shapes;
mod study;

use serde::Serialize;

use super::{File, Job, data_version, path};
use crate::{
    model::{Board, BoardKind, Model, Study},
    standings::{BoardStandings, Estimate, IntervalKind, Standings, StudyStandings},
};

pub use feed::sitemap;

/// Everything of this module but the sitemap, which needs to know what pages there are.
pub fn jobs<'a>(model: &'a Model, standings: &'a Standings) -> Vec<Job<'a>> {
    let mut jobs: Vec<Job<'a>> = vec![Box::new(|| vec![studies(model)])];
    for study in model.studies.values() {
        let Some(results) = standings.studies.get(&study.id) else { continue };
        jobs.extend(study_jobs(study, results));
    }
    for file in &model.files {
        jobs.push(Box::new(|| {
            let bytes = file.text.as_bytes().to_vec();
            vec![File { path: raw_copy(&file.path), bytes }]
        }));
    }
    jobs.push(Box::new(|| feed::jobs(model)));
    jobs
}

fn study_jobs<'a>(study: &'a Study, results: &'a StudyStandings) -> Vec<Job<'a>> {
    let mut jobs: Vec<Job<'a>> = Vec::new();
    for board in study.boards.values() {
        let Some(standings) = results.boards.get(&board.id) else { continue };
        jobs.push(Box::new(move || {
            board::json(study, board, standings)
                .map(|text| File::text(path::api_board(&study.id, &board.id), text))
                .into_iter()
                .collect()
        }));
        let BoardStandings::Speedup(speedup) = standings else { continue };
        for operator in &speedup.operators {
            jobs.push(Box::new(move || {
                let path = path::api_board_operator(&study.id, &board.id, &operator.operator);
                vec![File::text(path, shapes::json(study, results, board, operator))]
            }));
        }
    }
    let part = |name: &str| format!("api/v1/{}/{name}", study.id);
    jobs.push(Box::new(move || {
        vec![
            File::text(part("claims.json"), study::claims(study, results)),
            File::text(part("audit.json"), study::audit(study, results)),
            File::text(part("latencies.csv"), latencies::csv(results)),
        ]
    }));
    jobs
}

/// Where the copy of a data file stands in the site.
pub fn raw_copy(path: &str) -> String {
    match path.strip_prefix("studies/").and_then(|path| path.split_once('/')) {
        Some((study, file)) => format!("{study}/data/files/{file}"),
        None => format!("data/files/{path}"),
    }
}

/// A value as JSON on one line.
fn text(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string(value).expect("plain values serialise");
    text.push('\n');
    text
}

/// `studies.json`.
fn studies(model: &Model) -> File {
    #[derive(Serialize)]
    struct Entry<'a> {
        id: &'a str,
        title: &'a str,
        data_version: &'a str,
        boards: Vec<BoardEntry<'a>>,
    }
    #[derive(Serialize)]
    struct BoardEntry<'a> {
        id: &'a str,
        kind: &'static str,
        title: &'a str,
    }
    let version = data_version(model);
    let entries: Vec<Entry> = model
        .studies
        .values()
        .map(|study| Entry {
            id: &study.id,
            title: &study.title,
            data_version: &version,
            boards: study
                .boards
                .values()
                .map(|board| BoardEntry { id: &board.id, kind: kind(board), title: &board.title })
                .collect(),
        })
        .collect();
    File::text("api/v1/studies.json", text(&entries))
}

fn kind(board: &Board) -> &'static str {
    match board.kind {
        BoardKind::Speedup(_) => "speedup",
        BoardKind::MacroEval { .. } => "macroeval",
        BoardKind::Table(_) => "table",
    }
}

/// The bounds of an estimate and their kind, each null where there is none.
#[derive(Debug, Clone, Copy, Default)]
struct Bounds {
    low: Option<f64>,
    high: Option<f64>,
    kind: Option<IntervalKind>,
}

impl Bounds {
    fn of(estimate: Option<&Estimate>) -> Self {
        estimate.and_then(|estimate| estimate.interval).map_or_else(Self::default, |interval| {
            Self { low: Some(interval.low), high: Some(interval.high), kind: Some(interval.kind) }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_data_files_keep_their_names() {
        for (path, expected) in [
            ("site.toml", "data/files/site.toml"),
            ("pages/about.md", "data/files/pages/about.md"),
            ("studies/a/study.toml", "a/data/files/study.toml"),
            ("studies/a/latencies/x.csv", "a/data/files/latencies/x.csv"),
        ] {
            assert_eq!(raw_copy(path), expected);
        }
    }
}
