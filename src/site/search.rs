//! What there is to jump to: `search.json` for programs, and the same as `search.js` for the
//! page's script, which can load no JSON in a page that was opened from disk.

use serde::Serialize;

use super::{File, Job, path};
use crate::model::{BoardKind, Model, Note, Study, Target};

/// The global that `search.js` assigns.
const GLOBAL: &str = "paceboardSearch";

/// A page, or a place on one.
#[derive(Debug, Serialize)]
struct Entry {
    kind: &'static str,
    name: String,
    /// What it belongs to: a study, an operator of it.
    within: String,
    /// From the root of the site.
    href: String,
}

fn entry(kind: &'static str, name: &str, within: &str, href: String) -> Entry {
    Entry { kind, name: name.to_owned(), within: within.to_owned(), href }
}

/// Where a note is read: on the page of the first thing it is about, else of the first record
/// that names it, else of the study.
fn note_page(study: &Study, note: &Note) -> String {
    let id = &study.id;
    let named = || {
        let record = study.latencies.iter().find(|row| row.notes.contains(&note.id));
        let ratio = || study.ratios.iter().find(|row| row.notes.contains(&note.id));
        record
            .map(|row| &row.key.shape)
            .or_else(|| ratio().map(|row| &row.key.shape))
            .map_or_else(|| path::study(id), |shape| path::shape(id, shape))
    };
    match note.applies_to.first() {
        Some(Target::Study) => path::study(id),
        Some(Target::Board(board)) => path::board(id, board),
        Some(Target::Operator(operator)) => path::operator(id, operator),
        Some(Target::Shape(shape) | Target::Record { shape, .. }) => path::shape(id, shape),
        Some(Target::Implementation(implementation)) => path::implementation(id, implementation),
        Some(Target::Batch(batch)) => path::batch(id, batch),
        Some(Target::Run { run, .. }) => path::run(id, run),
        None => named(),
    }
}

fn of_study(study: &Study) -> Vec<Entry> {
    let (id, title) = (&study.id, study.title.as_str());
    let mut entries = vec![entry("study", title, "", path::study(id))];
    for board in study.boards.values() {
        let kind = match board.kind {
            BoardKind::Table(_) => "table",
            BoardKind::Speedup(_) | BoardKind::MacroEval { .. } => "board",
        };
        entries.push(entry(kind, &board.title, title, path::board(id, &board.id)));
    }
    for operator in study.operators.values() {
        entries.push(entry("operator", &operator.name, title, path::operator(id, &operator.id)));
    }
    for implementation in study.implementations.values() {
        let href = path::implementation(id, &implementation.id);
        entries.push(entry("implementation", &implementation.name, title, href));
    }
    for shape in study.shapes.values() {
        let operator = study.operators.get(&shape.key.operator);
        let within = operator.map_or("", |operator| &operator.name);
        entries.push(entry("shape", &shape.name, within, path::shape(id, &shape.key)));
    }
    for batch in study.batches.values() {
        entries.push(entry("batch", &batch.name, title, path::batch(id, &batch.id)));
    }
    for run in study.macroeval.iter().flat_map(|macroeval| macroeval.runs.values()) {
        entries.push(entry("run", &run.name, title, path::run(id, &run.id)));
    }
    for note in study.notes.values() {
        let href = format!("{}#{}", note_page(study, note), path::note_anchor(&note.id));
        entries.push(entry("note", &note.title, title, href));
    }
    for (part, name) in [("audit", "Audit"), ("data", "Data")] {
        entries.push(entry("page", name, title, path::study_part(id, part)));
    }
    entries
}

fn entries(model: &Model) -> Vec<Entry> {
    let mut entries: Vec<Entry> = model.studies.values().flat_map(of_study).collect();
    entries.push(entry("page", "Data format", "", path::top("data-format")));
    if !model.news.is_empty() {
        entries.push(entry("page", "News", "", path::top("news")));
    }
    for (name, document) in &model.pages {
        let folder = if name == "contributing" { "contribute" } else { name };
        entries.push(entry("page", &document.title, "", path::top(folder)));
    }
    entries
}

/// The index, twice.
pub(super) fn jobs(model: &Model) -> Vec<Job<'_>> {
    vec![Box::new(|| {
        let json = serde_json::to_string(&entries(model)).expect("plain values serialise");
        vec![
            File::text("search.js", format!("var {GLOBAL} = {json};\n")),
            File::text("search.json", json + "\n"),
        ]
    })]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{
        site::{self, view::fixture},
        standings,
    };

    #[test]
    fn every_entry_leads_to_a_page_of_the_site() {
        let model = fixture::model();
        let standings = standings::compute(&model);
        let files: BTreeSet<String> =
            site::render(&model, &standings).map(|file| file.path).collect();
        let entries = entries(&model);
        for kind in ["study", "board", "operator", "shape", "implementation", "batch", "note"] {
            assert!(entries.iter().any(|entry| entry.kind == kind), "{kind}");
        }
        for Entry { href, .. } in &entries {
            let page = href.split('#').next().unwrap();
            assert!(files.contains(page), "{href}");
        }
    }

    #[test]
    fn both_forms_hold_the_same() {
        let model = fixture::model();
        let files: Vec<File> = jobs(&model).iter().flat_map(|job| job()).collect();
        let [script, json] = &files[..] else { panic!("two files") };
        let script = String::from_utf8(script.bytes.clone()).unwrap();
        let json = String::from_utf8(json.bytes.clone()).unwrap();
        assert_eq!(script, format!("var paceboardSearch = {};\n", json.trim_end()));
    }
}
