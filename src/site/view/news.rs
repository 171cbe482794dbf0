//! News, newest first.

use askama::Template;
use serde::Serialize;

use super::context::{Context, Frame, page};
use crate::site::{
    File,
    markdown::{self, Place},
    path,
};

/// `news/index.html`.
#[derive(Template, Serialize)]
#[template(path = "news.html", whitespace = "minimize")]
pub(super) struct NewsPage {
    #[serde(skip)]
    frame: Frame,
    entries: Vec<Entry>,
}

/// An entry.
#[derive(Serialize)]
struct Entry {
    id: String,
    title: String,
    date: String,
    body: String,
}

fn view(context: &Context<'_>) -> NewsPage {
    let frame = context.frame(&path::top("news"), "News", "What changed, newest first.", &[]);
    let entries = context
        .model
        .news
        .iter()
        .map(|entry| {
            let prefix = format!("{}-", entry.name);
            Entry {
                id: entry.name.clone(),
                title: entry.title.clone(),
                date: entry.date.to_string(),
                body: markdown::html(
                    &entry.body,
                    Place { root: &frame.root, first_heading: 3, prefix: &prefix },
                ),
            }
        })
        .collect();
    NewsPage { frame, entries }
}

/// The page; none without news.
pub(super) fn file(context: &Context<'_>) -> Option<File> {
    (!context.model.news.is_empty()).then(|| page(path::top("news"), &view(context)))
}
