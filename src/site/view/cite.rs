//! How to cite a page: in plain text, as BibTeX, and where its numbers are as JSON.

use serde::Serialize;

use super::context::{Context, Frame, Link};
use crate::{
    model::{Board, Study},
    site::path,
};

/// A page as a reference.
#[derive(Serialize)]
pub(super) struct Cite {
    pub plain: String,
    pub bibtex: String,
    pub json: Link,
    pub data_version: String,
}

/// A page of a study. `key` is the entry's, `title` says what the page shows, `json` is the path
/// of its numbers.
pub(super) fn cite(
    context: &Context<'_>,
    study: &Study,
    frame: &Frame,
    (key, title, json): (&str, &str, &str),
) -> Cite {
    Cite {
        plain: plain(context, study, frame, title),
        bibtex: bibtex(context, study, frame, (key, title)),
        json: Link::new(json, frame.to(json)),
        data_version: frame.data_version.clone(),
    }
}

/// A board.
pub(super) fn board(context: &Context<'_>, study: &Study, board: &Board, frame: &Frame) -> Cite {
    let key = format!("{}-{}", study.id, board.id);
    cite(context, study, frame, (&key, &board.title, &path::api_board(&study.id, &board.id)))
}

/// `A. Author, B. Author. Board, in: Study, 2026-10-27. As shown by Paces, data version 01ab.`
/// with the address, if the site has one. Without a title the study itself.
pub(super) fn plain(context: &Context<'_>, study: &Study, frame: &Frame, title: &str) -> String {
    let mut text = String::new();
    if !study.authors.is_empty() {
        text = format!("{}. ", study.authors.join(", "));
    }
    if !title.is_empty() {
        text = format!("{text}{title}, in: ");
    }
    text.push_str(&study.title);
    if let Some(date) = study.published_on {
        text = format!("{text}, {date}");
    }
    let site = &context.model.site.title;
    text = format!("{text}. As shown by {site}, data version {}.", frame.data_version_short);
    if frame.canonical.is_empty() { text } else { format!("{text} {}", frame.canonical) }
}

fn bibtex(
    context: &Context<'_>,
    study: &Study,
    frame: &Frame,
    (key, title): (&str, &str),
) -> String {
    let authors: Vec<String> = study.authors.iter().map(|author| escaped(author)).collect();
    let version = format!("data version {}", frame.data_version);
    let fields = [
        ("title", format!("{{{}, in: {}}}", escaped(title), escaped(&study.title))),
        ("author", authors.join(" and ")),
        ("year", study.published_on.map_or_else(String::new, |on| on.format("%Y").to_string())),
        ("howpublished", escaped(&format!("As shown by {}", context.model.site.title))),
        ("note", version),
        ("url", frame.canonical.clone()),
    ];
    let fields = fields.iter().filter(|(_, value)| !value.is_empty());
    let fields: Vec<String> =
        fields.map(|(name, value)| format!("  {name} = {{{value}}}")).collect();
    format!("@misc{{{key},\n{}\n}}", fields.join(",\n"))
}

/// Text as TeX shows it.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '{' | '}' | '%' | '&' | '#' | '_' | '$' => {
                escaped.push('\\');
                escaped.push(c);
            }
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::view::fixture;

    #[test]
    fn a_page_is_cited_with_its_data_version() {
        fixture::with(|context| {
            let study = context.studies[0].study;
            let mut frame = context.frame(&path::study(&study.id), "Toy", "", &[]);
            frame.data_version = "0123456789abcdef".into();
            frame.data_version_short = "0123456789ab".into();
            frame.canonical = "https://example.org/toy/".into();
            let site = &context.model.site.title;
            let cite = cite(context, study, &frame, ("toy-main", "100 % & more", "a.json"));
            assert_eq!(
                cite.plain,
                format!(
                    "A. Author, B. Author. 100 % & more, in: Toy study <&>, 2026-10-27. As shown \
                     by {site}, data version 0123456789ab. https://example.org/toy/"
                )
            );
            assert_eq!(
                cite.bibtex,
                format!(
                    "@misc{{toy-main,\n  title = {{{{100 \\% \\& more, in: Toy study <\\&>}}}},\n  \
                     author = {{A. Author and B. Author}},\n  year = {{2026}},\n  howpublished = \
                     {{As shown by {}}},\n  note = {{data version 0123456789abcdef}},\n  \
                     url = {{https://example.org/toy/}}\n}}",
                    escaped(site)
                )
            );
            assert_eq!(cite.json.href, "../a.json");
        });
    }
}
