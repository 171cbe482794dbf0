//! The pages. One file per template: its view struct, the function that fills it, its test.
//!
//! A view holds finished text; a template only places it. Nothing here computes a result: every
//! number comes from the standings and goes through `format.rs`.

mod audit;
mod batch;
mod board;
mod cell;
mod cite;
mod claims;
mod comparison;
mod context;
mod data;
mod data_format;
mod dataset;
mod figure;
#[cfg(test)]
pub(super) mod fixture;
mod headline;
mod implementation;
mod index;
mod kernel_level;
mod listing;
mod lookup;
mod macroeval;
mod minibar;
mod news;
mod not_found;
mod notes;
mod operator;
mod outcomes;
mod picture;
mod prose;
mod record;
mod run;
mod shape;
mod shape_table;
mod study;
mod table;
mod timers;
pub(in crate::site) mod words;

use std::sync::Arc;

use self::{context::Context, lookup::Lookup};
use super::{File, Job};
use crate::{
    model::{BoardKind, Model},
    standings::{BoardStandings, Standings},
};

/// All pages. What every page needs is looked up once; each job renders a page or a few.
pub fn jobs<'a>(model: &'a Model, standings: &'a Standings) -> Vec<Job<'a>> {
    let context = Arc::new(Context::new(model, standings));
    let mut jobs: Vec<Job<'a>> = Vec::new();
    {
        let context = Arc::clone(&context);
        jobs.push(Box::new(move || {
            let mut files = vec![
                index::file(&context),
                not_found::file(&context),
                data_format::file(&context),
                data::site_file(&context),
            ];
            files.extend(prose::files(&context));
            files.extend(news::file(&context));
            if context.model.site.base_url.is_some() {
                files.push(picture::site_file(&context));
            }
            files
        }));
    }
    for at in 0..context.studies.len() {
        study_jobs(&context, at, &mut jobs);
    }
    jobs
}

/// A page of a study with what belongs to it, made from the study's lookup.
fn push_all<'a, F>(context: &Arc<Context<'a>>, at: usize, jobs: &mut Vec<Job<'a>>, files: F)
where
    F: Fn(&Context<'a>, &Lookup<'a>) -> Vec<File> + Send + Sync + 'a,
{
    let context = Arc::clone(context);
    jobs.push(Box::new(move || files(&context, &context.studies[at])));
}

/// A page of a study.
fn push<'a, F>(context: &Arc<Context<'a>>, at: usize, jobs: &mut Vec<Job<'a>>, page: F)
where
    F: Fn(&Context<'a>, &Lookup<'a>) -> File + Send + Sync + 'a,
{
    push_all(context, at, jobs, move |context, lookup| vec![page(context, lookup)]);
}

fn study_jobs<'a>(context: &Arc<Context<'a>>, at: usize, jobs: &mut Vec<Job<'a>>) {
    let study = context.studies[at].study;
    let standings = context.studies[at].standings;
    push_all(context, at, jobs, study::files);
    push(context, at, jobs, audit::file);
    push(context, at, jobs, data::file);
    if context.model.site.base_url.is_some() {
        push(context, at, jobs, picture::study_file);
        for board in study.boards.values() {
            push(context, at, jobs, move |context, lookup| {
                picture::board_file(context, lookup, board)
            });
        }
    }
    for listing in listing::ALL {
        if (listing.exists)(study) {
            push(context, at, jobs, move |context, lookup| listing::file(context, lookup, listing));
        }
    }
    for board in study.boards.values() {
        match (&board.kind, standings.boards.get(&board.id)) {
            (BoardKind::Speedup(speedup), Some(BoardStandings::Speedup(results))) => {
                push_all(context, at, jobs, move |context, lookup| {
                    board::files(context, lookup, board, speedup, results)
                });
            }
            (BoardKind::MacroEval { tau, lambda }, Some(BoardStandings::MacroEval(results))) => {
                push_all(context, at, jobs, move |context, lookup| {
                    macroeval::files(context, lookup, board, (*tau, *lambda), results)
                });
            }
            (BoardKind::Table(table), _) => {
                push(context, at, jobs, move |context, lookup| {
                    table::file(context, lookup, board, table)
                });
            }
            _ => {}
        }
    }
    for operator in study.operators.values() {
        push_all(context, at, jobs, move |context, lookup| {
            operator::files(context, lookup, operator)
        });
    }
    for shape in study.shapes.values() {
        push(context, at, jobs, move |context, lookup| shape::file(context, lookup, shape));
    }
    for implementation in study.implementations.values() {
        push(context, at, jobs, move |context, lookup| {
            implementation::file(context, lookup, implementation)
        });
    }
    for batch in study.batches.values() {
        push(context, at, jobs, move |context, lookup| batch::file(context, lookup, batch));
    }
    for run in study.macroeval.iter().flat_map(|macroeval| macroeval.runs.values()) {
        push(context, at, jobs, move |context, lookup| run::file(context, lookup, run));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{site, standings};

    fn pages() -> Vec<File> {
        let model = fixture::model();
        let standings = standings::compute(&model);
        site::render(&model, &standings).collect()
    }

    fn is_page(file: &File) -> bool {
        std::path::Path::new(&file.path).extension().is_some_and(|extension| extension == "html")
    }

    /// The values of an attribute in a page.
    fn attribute<'p>(page: &'p str, name: &str) -> Vec<&'p str> {
        let start = format!(" {name}=\"");
        page.split(&start).skip(1).filter_map(|rest| rest.split('"').next()).collect()
    }

    /// `a/b/` and `../c` is `a/c`.
    fn resolve(page: &str, link: &str) -> String {
        let mut parts: Vec<&str> = page.split('/').collect();
        parts.pop();
        for part in link.split('/') {
            match part {
                ".." => assert!(parts.pop().is_some(), "{link} on {page} leaves the site"),
                part => parts.push(part),
            }
        }
        parts.join("/")
    }

    #[test]
    fn every_link_of_the_site_leads_somewhere() {
        let files = pages();
        let anchors: BTreeSet<String> = files
            .iter()
            .filter(|file| is_page(file))
            .flat_map(|file| {
                let text = String::from_utf8_lossy(&file.bytes).into_owned();
                let ids: Vec<String> =
                    attribute(&text, "id").iter().map(|id| format!("{}#{id}", file.path)).collect();
                let unique: BTreeSet<&String> = ids.iter().collect();
                assert_eq!(unique.len(), ids.len(), "an id occurs twice on {}", file.path);
                ids
            })
            .collect();
        let paths: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
        for file in files.iter().filter(|file| file.path.ends_with("index.html")) {
            let text = String::from_utf8_lossy(&file.bytes);
            let links = attribute(&text, "href").into_iter().chain(attribute(&text, "src"));
            for link in links.filter(|link| !link.contains("://")) {
                let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
                let target =
                    if path.is_empty() { file.path.clone() } else { resolve(&file.path, path) };
                assert!(paths.contains(&*target), "{link} on {}", file.path);
                assert!(
                    anchor.is_empty() || anchors.contains(&format!("{target}#{anchor}")),
                    "{link} on {}: no such place",
                    file.path
                );
            }
        }
    }

    #[test]
    fn nothing_from_the_data_is_markup_and_nothing_is_styled_in_place() {
        for file in pages().iter().filter(|file| is_page(file)) {
            let text = String::from_utf8_lossy(&file.bytes);
            assert!(!text.contains("Ours <b>") && !text.contains("Toy study <&>"), "{}", file.path);
            assert!(!text.contains("alert(1)</script>"), "{}", file.path);
            assert!(!text.contains(" style=") && !text.contains("<style"), "{}", file.path);
            assert_eq!(text.matches("<h1").count(), 1, "{}", file.path);
            let scripts = text.matches("<script").count();
            let data = text.matches("<script type=\"application/ld+json\">").count();
            assert_eq!(scripts - data, 1, "{}", file.path);
            assert_eq!(data, usize::from(file.path == "toy/index.html"), "{}", file.path);
        }
    }

    #[test]
    fn every_table_has_a_caption_and_scopes() {
        for file in pages().iter().filter(|file| is_page(file)) {
            let text = String::from_utf8_lossy(&file.bytes);
            for table in text.split("<table").skip(1) {
                assert!(table.contains("<caption"), "{}", file.path);
                let heads = table.split("<th").skip(1).filter(|rest| !rest.starts_with("ead"));
                for head in heads {
                    assert!(head.starts_with(" scope="), "{}: {head:.60}", file.path);
                }
            }
        }
    }

    #[test]
    fn every_folder_of_a_study_has_a_page() {
        let files = pages();
        let paths: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
        for path in paths.iter().filter(|path| path.ends_with("/index.html")) {
            let mut folder = path.trim_end_matches("/index.html");
            while let Some((above, _)) = folder.rsplit_once('/') {
                assert!(paths.contains(&*format!("{above}/index.html")), "{above}");
                folder = above;
            }
        }
    }
}
