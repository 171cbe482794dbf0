//! What search engines, hosts and feed readers look for.

use askama::Template;
use chrono::NaiveDate;

use crate::{
    model::{Model, Study, Withdrawal},
    site::{
        File,
        markdown::{self, Place},
        path,
    },
};

/// `robots.txt`, `.nojekyll`, and `feed.xml` where the site knows its address and has something
/// dated.
pub fn jobs(model: &Model) -> Vec<File> {
    let base = model.site.base_url.as_deref();
    let map = base.map_or_else(String::new, |base| format!("\nSitemap: {base}/sitemap.xml\n"));
    let robots = format!("User-agent: *\nAllow: /\n{map}");
    let mut files = vec![
        // Without it GitHub Pages leaves out names that begin with an underscore.
        File::text(".nojekyll", ""),
        File::text("robots.txt", robots),
    ];
    files.extend(base.and_then(|base| feed(model, base)));
    files
}

#[derive(Template)]
#[template(path = "xml/sitemap.xml")]
struct Sitemap {
    addresses: Vec<String>,
}

/// `sitemap.xml` for the pages of a site, where the site knows its address.
pub fn sitemap(model: &Model, pages: &[String]) -> Option<File> {
    let base = model.site.base_url.as_deref()?;
    let addresses = pages.iter().map(|page| address(base, page)).collect();
    Some(xml("sitemap.xml", &Sitemap { addresses }))
}

/// A file of XML, without the control characters that XML cannot hold.
fn xml(path: &str, template: &impl Template) -> File {
    let mut text = template.render().expect("a text takes every entry");
    text.retain(|c| !c.is_control() || matches!(c, '\n' | '\t'));
    text.push('\n');
    File::text(path, text)
}

/// The address of a page: folders without `index.html`.
fn address(base: &str, page: &str) -> String {
    format!("{base}/{}", page.strip_suffix(path::INDEX).unwrap_or(page))
}

#[derive(Template)]
#[template(path = "xml/feed.xml")]
struct Feed<'a> {
    title: &'a str,
    tagline: &'a str,
    base: &'a str,
    updated: NaiveDate,
    entries: Vec<Entry>,
}

/// One entry.
struct Entry {
    date: NaiveDate,
    title: String,
    /// An address that no other entry has, and that never changes.
    id: String,
    /// Where to read it.
    address: String,
    /// A line of text; empty where there is a content.
    summary: String,
    /// HTML; empty where there is a summary.
    content: String,
}

/// `feed.xml`: news, batches and withdrawals, newest first. None without anything dated, since a
/// feed must say when it changed.
fn feed(model: &Model, base: &str) -> Option<File> {
    let news = model.news.iter().map(|news| {
        let address = format!("{}#{}", address(base, &path::top("news")), news.name);
        Entry {
            date: news.date,
            title: news.title.clone(),
            id: address.clone(),
            address,
            summary: String::new(),
            content: content(&news.body, base),
        }
    });
    let studies = model.studies.values();
    let of_studies = studies.flat_map(|study| batches(study, base).chain(withdrawals(study, base)));
    let mut entries: Vec<Entry> = news.chain(of_studies).collect();
    entries.sort_by(|a, b| (b.date, &a.id).cmp(&(a.date, &b.id)));
    let updated = entries.first()?.date;
    let site = &model.site;
    let feed = Feed { title: &site.title, tagline: &site.tagline, base, updated, entries };
    Some(xml("feed.xml", &feed))
}

/// Markdown as HTML whose links work anywhere.
fn content(text: &str, base: &str) -> String {
    let root = format!("{base}/");
    markdown::html(text, Place { root: &root, first_heading: 2, prefix: "" })
}

fn batches<'a>(study: &'a Study, base: &'a str) -> impl Iterator<Item = Entry> + 'a {
    study.batches.values().filter_map(move |batch| {
        let address = address(base, &path::batch(&study.id, &batch.id));
        Some(Entry {
            date: batch.measured_on?,
            title: format!("{}: measured in batch {}", study.title, batch.name),
            id: address.clone(),
            address,
            summary: String::new(),
            content: content(&study.summary, base),
        })
    })
}

fn withdrawals<'a>(study: &'a Study, base: &'a str) -> impl Iterator<Item = Entry> + 'a {
    study.withdrawals.iter().map(move |withdrawal| {
        let audit = address(base, &path::study_part(&study.id, "audit"));
        let name = study.implementations.get(&withdrawal.implementation);
        let name = name.map_or(withdrawal.implementation.as_str(), |of| &of.name);
        Entry {
            date: withdrawal.withdrawn_on,
            title: format!("{}: {name} withdrawn", study.title),
            id: format!("{audit}#{}", covered(withdrawal)),
            address: format!("{audit}#withdrawals"),
            summary: withdrawal.reason.clone(),
            content: String::new(),
        }
    })
}

/// What a withdrawal covers: `withdrawal/` and its ids, `*` for all.
fn covered(withdrawal: &Withdrawal) -> String {
    let shape = withdrawal.shape.as_ref().map_or("*", |key| &key.shape);
    let operator = withdrawal.operator.as_deref().unwrap_or("*");
    let batch = withdrawal.batch.as_deref().unwrap_or("*");
    format!("withdrawal/{}/{operator}/{shape}/{batch}", withdrawal.implementation)
}
