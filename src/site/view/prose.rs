//! Pages of prose: methodology, contribute, about, and any other file of `data/pages`.

use askama::Template;
use serde::Serialize;

use super::context::{Context, Frame, page};
use crate::{
    model::Document,
    site::{
        File,
        markdown::{self, Place},
        path,
    },
};

/// `<page>/index.html`.
#[derive(Template, Serialize)]
#[template(path = "prose.html", whitespace = "minimize")]
pub(super) struct Prose {
    #[serde(skip)]
    frame: Frame,
    body: String,
}

/// The folder of a file of `data/pages`.
fn folder(name: &str) -> &str {
    if name == "contributing" { "contribute" } else { name }
}

fn view(context: &Context<'_>, name: &str, document: &Document) -> Prose {
    let text = markdown::plain(&document.body);
    let description: String = text.chars().take(200).collect();
    let frame = context.frame(&path::top(folder(name)), &document.title, &description, &[]);
    Prose {
        body: markdown::html(
            &document.body,
            Place { root: &frame.root, first_heading: 2, prefix: "" },
        ),
        frame,
    }
}

pub(super) fn files(context: &Context<'_>) -> Vec<File> {
    context
        .model
        .pages
        .iter()
        .map(|(name, document)| page(path::top(folder(name)), &view(context, name, document)))
        .collect()
}
