//! The page that a server shows in place of one that is not there.

use askama::Template;
use serde::Serialize;

use super::context::{Context, Frame, page};
use crate::site::File;

/// `404.html`.
#[derive(Template, Serialize)]
#[template(path = "not_found.html", whitespace = "minimize")]
pub(super) struct NotFound {
    #[serde(skip)]
    frame: Frame,
}

const PATH: &str = "404.html";

pub(super) fn file(context: &Context<'_>) -> File {
    let mut frame = context.frame(PATH, "Page not found", "There is no page at this address.", &[]);
    // It is served at any depth, so that its links cannot be relative where the site's address
    // is known.
    if let Some(base) = &context.model.site.base_url {
        let relative = std::mem::replace(&mut frame.root, format!("{base}/"));
        debug_assert!(relative.is_empty());
        for link in frame.nav.iter_mut().map(|item| &mut item.link).chain(&mut frame.crumbs) {
            link.href = format!("{base}/{}", link.href);
        }
    }
    frame.canonical = String::new();
    page(PATH.into(), &NotFound { frame })
}
