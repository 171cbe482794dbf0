//! From results to files: pages, charts, JSON, downloads. Rendering returns values; only
//! `write.rs` touches the disk.

pub mod api;
pub mod assets;
pub mod chart;
pub mod format;
pub mod manifest;
pub mod markdown;
pub mod path;
pub mod picture;
pub mod records;
pub mod search;
pub mod view;
pub mod write;

pub use manifest::data_version;

use rayon::prelude::*;

use crate::{model::Model, standings::Standings};

/// One file of the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Path relative to the root of the site, with `/` between its parts.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl File {
    /// A file of text.
    pub fn text(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), bytes: text.into().into_bytes() }
    }
}

/// Something that can be rendered on its own: the unit of parallel work.
pub type Job<'a> = Box<dyn Fn() -> Vec<File> + Send + Sync + 'a>;

/// How many jobs are rendered at a time: enough for every core, few enough for little memory.
const BATCH: usize = 256;

/// All files of the site but the manifest, rendered as they are asked for, in a fixed order.
pub fn render<'a>(model: &'a Model, standings: &'a Standings) -> impl Iterator<Item = File> + 'a {
    let jobs: Vec<Job<'a>> = assets::jobs(model)
        .into_iter()
        .chain(view::jobs(model, standings))
        .chain(api::jobs(model, standings))
        .chain(records::jobs(model, standings))
        .chain(search::jobs(model))
        .collect();
    let mut jobs = jobs.into_iter();
    // The sitemap comes last: it lists the pages that there were.
    let mut pages: Option<Vec<String>> = Some(Vec::new());
    std::iter::from_fn(move || {
        let batch: Vec<Job<'a>> = jobs.by_ref().take(BATCH).collect();
        if batch.is_empty() {
            return pages
                .take()
                .map(|pages| vec![api::sitemap(model, &pages).into_iter().collect()]);
        }
        let rendered: Vec<Vec<File>> = batch.par_iter().map(|job| job()).collect();
        if let Some(pages) = &mut pages {
            let paths = rendered.iter().flatten().map(|file| &file.path);
            let is_page = |path: &&String| **path == path::INDEX || path.ends_with("/index.html");
            pages.extend(paths.filter(is_page).cloned());
        }
        Some(rendered)
    })
    .flatten()
    .flatten()
}
