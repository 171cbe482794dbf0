//! Markdown to HTML that is safe to put into a page: raw HTML is dropped, only links to `http`,
//! `https` and to the site itself work, headings start below the page's own.
//!
//! Never emits `style` attributes: the pages' Content-Security-Policy blocks them.

use std::collections::BTreeMap;

use pulldown_cmark::{
    Alignment, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html::push_html,
};

/// How a text is put into a page.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// What leads from the page to the root of the site: put before relative links, which name
    /// pages from the root (`methodology/index.html#geomean`).
    pub root: &'a str,
    /// The level that the text's highest headings become, whatever they are in it: 2 where the
    /// page has a title.
    pub first_heading: usize,
    /// Put before the ids of headings, so that they are unique on the page.
    pub prefix: &'a str,
}

/// The text as HTML.
pub fn html(text: &str, place: Place<'_>) -> String {
    let mut options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    options.insert(Options::ENABLE_HEADING_ATTRIBUTES);
    let events: Vec<Event<'_>> = Parser::new_ext(text, options).collect();
    let highest = events
        .iter()
        .filter_map(|event| match event {
            Event::Start(Tag::Heading { level, .. }) => Some(*level as usize),
            _ => None,
        })
        .min()
        .unwrap_or(1);
    let shifted = |level| shifted(level, highest, place.first_heading);
    let mut ids = Ids { prefix: place.prefix, seen: BTreeMap::new() };
    let (mut inert, mut tables) = (0_usize, 0_usize);
    let mut out = Vec::with_capacity(events.len());
    for at in 0..events.len() {
        match &events[at] {
            Event::Html(_)
            | Event::InlineHtml(_)
            | Event::Start(Tag::HtmlBlock | Tag::Image { .. })
            // A picture would be a request to another host; its text says what it shows.
            | Event::End(TagEnd::HtmlBlock | TagEnd::Image) => {}
            Event::Start(Tag::Heading { level, id, .. }) => {
                let chosen =
                    id.as_deref().map_or_else(|| words_of(&events[at + 1..]), str::to_owned);
                out.push(Event::Start(Tag::Heading {
                    level: shifted(*level),
                    id: Some(ids.unique(&chosen).into()),
                    classes: Vec::new(),
                    attrs: Vec::new(),
                }));
            }
            Event::End(TagEnd::Heading(level)) => {
                out.push(Event::End(TagEnd::Heading(shifted(*level))));
            }
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                match destination(dest_url, place.root) {
                    Some(dest_url) => out.push(Event::Start(Tag::Link {
                        link_type: *link_type,
                        dest_url: dest_url.into(),
                        title: title.clone(),
                        id: id.clone(),
                    })),
                    None => inert += 1,
                }
            }
            Event::End(TagEnd::Link) => {
                // Links do not nest, so the one that ends is the one that began last.
                if inert > 0 {
                    inert -= 1;
                } else {
                    out.push(Event::End(TagEnd::Link));
                }
            }
            Event::Start(Tag::Table(alignments)) => {
                tables += 1;
                // Regions of a page have names of their own; a prefix is an id and needs no escape.
                let name = match place.prefix.trim_end_matches('-') {
                    "" => format!("Table {tables}"),
                    of => format!("Table {tables} of {of}"),
                };
                out.push(Event::Html(CowStr::from(format!(
                    "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{name}\">"
                ))));
                // An alignment would become a `style` attribute.
                out.push(Event::Start(Tag::Table(vec![Alignment::None; alignments.len()])));
            }
            Event::End(TagEnd::Table) => {
                out.push(Event::End(TagEnd::Table));
                out.push(Event::Html(CowStr::Borrowed("</div>\n")));
            }
            other => out.push(other.clone()),
        }
    }
    let mut html = String::with_capacity(text.len() * 3 / 2);
    push_html(&mut html, out.into_iter());
    // The texts of cells are escaped, so that these tags are the table's own.
    html.replace("<th></th>", "<td></td>")
        .replace("<th>", "<th scope=\"col\">")
        // Long lines scroll, also from the keyboard.
        .replace("<pre>", "<pre tabindex=\"0\">")
}

/// A line of text with its code and emphasis, without a paragraph around it and without links.
pub fn inline(text: &str) -> String {
    let events = Parser::new(text).filter(|event| {
        matches!(
            event,
            Event::Text(_)
                | Event::Code(_)
                | Event::SoftBreak
                | Event::Start(Tag::Emphasis | Tag::Strong)
                | Event::End(TagEnd::Emphasis | TagEnd::Strong)
        )
    });
    let mut html = String::new();
    push_html(&mut html, events);
    html
}

/// The text without markup, in one line: for descriptions.
pub fn plain(text: &str) -> String {
    let mut out = String::new();
    for event in Parser::new(text) {
        match event {
            Event::Text(text) | Event::Code(text) => out.push_str(&text),
            Event::SoftBreak | Event::HardBreak | Event::End(TagEnd::Paragraph) => out.push(' '),
            _ => {}
        }
    }
    out.trim().to_owned()
}

fn shifted(level: HeadingLevel, highest: usize, first: usize) -> HeadingLevel {
    let wanted = (level as usize + first).saturating_sub(highest).min(6);
    HeadingLevel::try_from(wanted).unwrap_or(HeadingLevel::H6)
}

/// Where a link may lead: the web, this page, or a page of the site.
fn destination(link: &str, root: &str) -> Option<String> {
    // What browsers skip inside a scheme (`java\nscript:`) makes no link of ours.
    if link.chars().any(char::is_control) {
        return None;
    }
    let lower = link.to_ascii_lowercase();
    if lower.starts_with("https://") || lower.starts_with("http://") || link.starts_with('#') {
        return Some(link.to_owned());
    }
    let path = link.split(['#', '?']).next().unwrap_or(link);
    let has_scheme = path.contains(':');
    let leaves_the_site = link.starts_with(['/', '\\']) || path.split('/').any(|part| part == "..");
    (!has_scheme && !leaves_the_site && !link.is_empty()).then(|| format!("{root}{link}"))
}

/// The text of the heading that these events begin with.
fn words_of(events: &[Event<'_>]) -> String {
    let mut words = String::new();
    for event in events {
        match event {
            Event::End(TagEnd::Heading(_)) => break,
            Event::Text(text) | Event::Code(text) => words.push_str(text),
            _ => {}
        }
    }
    words
}

struct Ids<'a> {
    prefix: &'a str,
    seen: BTreeMap<String, usize>,
}

impl Ids<'_> {
    /// `What counts?` becomes `what-counts`, a second one `what-counts-2`.
    fn unique(&mut self, words: &str) -> String {
        let mut slug = String::new();
        for c in words.to_lowercase().chars() {
            if c.is_alphanumeric() {
                slug.push(c);
            } else if !slug.is_empty() && !slug.ends_with('-') {
                slug.push('-');
            }
        }
        let slug = slug.trim_end_matches('-');
        let base = format!("{}{}", self.prefix, if slug.is_empty() { "section" } else { slug });
        let times = self.seen.entry(base.clone()).or_insert(0);
        *times += 1;
        if *times == 1 { base } else { format!("{base}-{times}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let place = Place { root: "../", first_heading: 2, prefix: "" };
        assert_eq!(html(text, place).trim(), expected, "{text}");
    }

    #[test]
    fn raw_html_is_dropped() {
        check("a <b>c</b> <script>x()</script>", "<p>a c x()</p>");
        check("<div onclick=\"x()\">\nhello\n</div>", "");
    }

    #[test]
    fn only_the_web_and_the_site_are_linked() {
        check("[a](https://x.org)", "<p><a href=\"https://x.org\">a</a></p>");
        check("[a](javascript:x())", "<p>a</p>");
        check("[a](JaVaScRiPt:x())", "<p>a</p>");
        check("[a](data:text/html,x)", "<p>a</p>");
        check("[a](//evil.org)", "<p>a</p>");
        check("[a](../../etc)", "<p>a</p>");
        check("<javascript:x()>", "<p>javascript:x()</p>");
        check(
            "[a](methodology/index.html#geomean)",
            "<p><a href=\"../methodology/index.html#geomean\">a</a></p>",
        );
        check("[a](#b)", "<p><a href=\"#b\">a</a></p>");
    }

    #[test]
    fn a_page_has_one_first_heading() {
        check("# One\n\n# One", "<h2 id=\"one\">One</h2>\n<h2 id=\"one-2\">One</h2>");
        check("## A\n\n### B", "<h2 id=\"a\">A</h2>\n<h3 id=\"b\">B</h3>");
        check("# A\n\n###### Deep", "<h2 id=\"a\">A</h2>\n<h6 id=\"deep\">Deep</h6>");
        check("# Geomean {#mean}", "<h2 id=\"mean\">Geomean</h2>");
    }

    #[test]
    fn tables_have_no_style() {
        let place = Place { root: "", first_heading: 2, prefix: "" };
        let table = html("| a | b |\n|--:|:-:|\n| 1 | 2 |", place);
        assert!(table.contains("<table>") && !table.contains("style="), "{table}");
        assert_eq!(table.matches("<th scope=\"col\">").count(), 2, "{table}");
        let corner = html("| | b |\n|--|--|\n| 1 | 2 |", place);
        assert!(corner.contains("<td></td><th scope=\"col\">b</th>"), "{corner}");
    }

    #[test]
    fn a_line_has_no_paragraph_and_no_html() {
        assert_eq!(
            inline("one of `a` & *b* <i>[c](https://x.org)</i>"),
            "one of <code>a</code> &amp; <em>b</em> c"
        );
    }

    #[test]
    fn plain_text_has_no_markup() {
        assert_eq!(plain("A *b* `c`\nd [e](https://x.org)"), "A b c d e");
    }
}
