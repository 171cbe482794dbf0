//! A study as a schema.org `Dataset` in JSON-LD, for the searches that look for data sets. Every
//! address in it is absolute, so that addresses are left out where the site does not know its own.

use serde_json::{Map, Value, json};

use super::{
    context::{Context, Frame},
    headline,
    lookup::Lookup,
};
use crate::{
    model::{BoardKind, Study},
    site::{markdown, path},
};

/// Fewest and most characters of a description, by Google's guidelines for data sets.
const DESCRIPTION: (usize, usize) = (50, 5000);

/// The text of a `<script type="application/ld+json">`.
pub(super) fn json_ld(context: &Context<'_>, lookup: &Lookup<'_>, frame: &Frame) -> String {
    let study = lookup.study;
    let site = &context.model.site;
    let mut set = Map::new();
    let mut put = |key: &str, value: Value| {
        let is_empty = match &value {
            Value::Null => true,
            Value::String(text) => text.is_empty(),
            Value::Array(list) => list.is_empty(),
            _ => false,
        };
        if !is_empty {
            set.insert(key.to_owned(), value);
        }
    };
    put("@context", "https://schema.org".into());
    put("@type", "Dataset".into());
    put("name", study.title.as_str().into());
    put("description", description(context, study).into());
    put("url", frame.canonical.as_str().into());
    put("creator", study.authors.iter().map(|name| creator(name)).collect());
    put("license", licence(study.licence.as_deref().or(site.licence.as_deref())));
    put("citation", citation(study));
    put("datePublished", study.published_on.map(|date| date.to_string()).into());
    put("version", context.data_version.as_str().into());
    put("isAccessibleForFree", true.into());
    put("includedInDataCatalog", catalog(site.base_url.as_deref(), &site.title));
    put("measurementTechnique", techniques(study).into());
    put("variableMeasured", variables(study).into());
    let base = site.base_url.as_deref();
    put("distribution", base.map_or_else(Vec::new, |base| downloads(study, base)).into());
    // Inside a script nothing is escaped but by JSON's own means.
    Value::Object(set).to_string().replace('<', "\\u003c")
}

/// The summary; with what the study holds where it is too short to be one.
fn description(context: &Context<'_>, study: &Study) -> String {
    let mut text = markdown::plain(&study.summary);
    if text.chars().count() < DESCRIPTION.0 {
        let facts = headline::facts(context, study).join(", ");
        text =
            format!("{text} {}, as shown by {}: {facts}.", study.title, context.model.site.title);
    }
    text.trim().chars().take(DESCRIPTION.1).collect()
}

/// A person; an organisation where the name is one word.
fn creator(name: &str) -> Value {
    let kind = if name.contains(' ') { "Person" } else { "Organization" };
    json!({ "@type": kind, "name": name })
}

/// The address of a licence, or what is said about it.
fn licence(text: Option<&str>) -> Value {
    match text {
        None => Value::Null,
        Some(text) if text.starts_with("https://") || text.starts_with("http://") => text.into(),
        Some(text) => json!({ "@type": "CreativeWork", "name": text }),
    }
}

/// The paper behind the study.
fn citation(study: &Study) -> Value {
    let title = study.citation.as_deref().and_then(bibtex_title);
    let mut work = Map::new();
    work.insert("@type".into(), "CreativeWork".into());
    work.insert("name".into(), title.unwrap_or(&study.title).into());
    if let Some(url) = &study.paper_url {
        work.insert("url".into(), url.as_str().into());
    } else if title.is_none() {
        return Value::Null;
    }
    work.into()
}

/// The title in a BibTeX entry that gives it on a line of its own.
fn bibtex_title(entry: &str) -> Option<&str> {
    entry.lines().find_map(|line| {
        let (name, value) = line.split_once('=')?;
        let value = value.trim().trim_end_matches(',').trim_matches(['{', '}', '"']).trim();
        (name.trim().eq_ignore_ascii_case("title") && !value.is_empty()).then_some(value)
    })
}

fn catalog(base: Option<&str>, title: &str) -> Value {
    let mut catalog = json!({ "@type": "DataCatalog", "name": title });
    if let Some(base) = base {
        catalog["url"] = format!("{base}/").into();
    }
    catalog
}

/// How latencies were measured, as the batches say.
fn techniques(study: &Study) -> Vec<String> {
    let mut techniques: Vec<String> = Vec::new();
    for batch in study.batches.values() {
        let parts = [&batch.tool, &batch.timer, &batch.cache, &batch.statistic];
        let parts: Vec<&str> = parts.into_iter().filter_map(|part| part.as_deref()).collect();
        let technique = parts.join("; ");
        if !technique.is_empty() && !techniques.contains(&technique) {
            techniques.push(technique);
        }
    }
    techniques
}

fn variables(study: &Study) -> Vec<Value> {
    let mut variables = Vec::new();
    if !study.latencies.is_empty() || !study.samples.is_empty() {
        variables.push(json!({ "@type": "PropertyValue", "name": "Latency", "unitText": "µs" }));
    }
    for board in study.boards.values() {
        let name = match &board.kind {
            BoardKind::Speedup(speedup) => format!("Speedup over {}", speedup.baseline.name),
            BoardKind::MacroEval { .. } => "MacroEval score".to_owned(),
            BoardKind::Table(_) => continue,
        };
        let variable = json!({ "@type": "PropertyValue", "name": name });
        if !variables.contains(&variable) {
            variables.push(variable);
        }
    }
    variables
}

fn downloads(study: &Study, base: &str) -> Vec<Value> {
    let download = |name: &str, kind: &str, path: String| {
        json!({
            "@type": "DataDownload",
            "name": name,
            "encodingFormat": kind,
            "contentUrl": format!("{base}/{path}"),
        })
    };
    let (csv, json) = ("text/csv", "application/json");
    let mut downloads = vec![
        download("All latencies", csv, path::api_latencies(&study.id)),
        download("Data package", json, path::data_package(&study.id)),
        download("Claims", json, path::api_study_part(&study.id, "claims")),
    ];
    let boards = study.boards.values();
    downloads.extend(
        boards.map(|board| download(&board.title, json, path::api_board(&study.id, &board.id))),
    );
    downloads
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{site::view::fixture, standings};

    fn of(base_url: Option<&str>, summary: &str) -> (String, Value) {
        let mut model = fixture::model();
        model.site.base_url = base_url.map(str::to_owned);
        model.studies[0].summary = summary.into();
        let standings = standings::compute(&model);
        let context = Context::new(&model, &standings);
        let lookup = &context.studies[0];
        let study = lookup.study;
        let frame = context.frame(&path::study(&study.id), &study.title, "", &[]);
        let text = json_ld(&context, lookup, &frame);
        let value = serde_json::from_str(&text).unwrap();
        (text, value)
    }

    #[test]
    fn a_study_is_a_data_set_as_searches_want_it() {
        for summary in ["Short.", "Two operators, *four* shapes, one library and an agent.", ""] {
            let (text, set) = of(Some("https://example.org/p"), summary);
            assert!(!text.contains('<'), "{text}");
            assert_eq!(set["@context"], "https://schema.org");
            assert_eq!(set["@type"], "Dataset");
            assert_eq!(set["name"], "Toy study <&>");
            let description = set["description"].as_str().unwrap();
            assert!((50..=5000).contains(&description.chars().count()), "{description}");
            assert_eq!(set["url"], "https://example.org/p/toy/");
            assert_eq!(set["creator"][1], json!({ "@type": "Person", "name": "B. Author" }));
            assert_eq!(set["license"], json!({ "@type": "CreativeWork", "name": "CC0" }));
            assert_eq!(set["datePublished"], "2026-10-27");
            assert_eq!(set["version"].as_str().unwrap().len(), 64);
            assert_eq!(set["citation"]["url"], "https://example.org/paper");
            let first = &set["distribution"][0];
            assert_eq!(first["@type"], "DataDownload");
            assert_eq!(first["encodingFormat"], "text/csv");
            assert_eq!(first["contentUrl"], "https://example.org/p/api/v1/toy/latencies.csv");
            assert_eq!(set["variableMeasured"][0]["name"], "Latency");
        }
    }

    #[test]
    fn without_an_address_there_is_none_in_it() {
        let (_, set) = of(None, "Short.");
        for key in ["url", "distribution"] {
            assert!(set.get(key).is_none(), "{key}");
        }
        assert!(set["includedInDataCatalog"].get("url").is_none());
    }

    #[test]
    fn a_long_summary_is_cut() {
        let (_, set) = of(None, &"é ".repeat(6000));
        assert!(set["description"].as_str().unwrap().chars().count() <= 5000);
    }

    #[test]
    fn titles_are_found_in_bibtex() {
        for (entry, expected) in [
            ("@misc{a,\n  title  = {Fast: a study},\n  year = {2026}\n}", Some("Fast: a study")),
            ("@misc{a,\n  booktitle = {B},\n Title = \"T\",\n}", Some("T")),
            ("@misc{toy, title = {Toy}}", None),
        ] {
            assert_eq!(bibtex_title(entry), expected, "{entry}");
        }
    }
}
