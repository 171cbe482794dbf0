//! The index page: each study's headline standings, at once.

use std::cmp::Reverse;

use askama::Template;
use serde::Serialize;

use super::{
    context::{Context, Frame, Link, page},
    headline::{self, Headline},
    lookup::Lookup,
    macroeval,
    notes::Notes,
};
use crate::site::{File, path};

/// `index.html`.
#[derive(Template, Serialize)]
#[template(path = "index.html", whitespace = "minimize")]
pub(super) struct Index {
    #[serde(skip)]
    frame: Frame,
    tagline: String,
    studies: Vec<StudyEntry>,
    news: Vec<NewsEntry>,
}

/// A study on the index page.
#[derive(Serialize)]
struct StudyEntry {
    id: String,
    link: Link,
    facts: Vec<String>,
    headline: Option<Headline>,
    /// What only the board shows; empty if nothing.
    more: String,
    boards: Vec<Link>,
}

/// A line of news.
#[derive(Serialize)]
struct NewsEntry {
    date: String,
    link: Link,
}

/// How many entries of the news the index page shows.
const NEWS: usize = 3;

fn view(context: &Context<'_>) -> Index {
    let site = &context.model.site;
    let description = if site.tagline.is_empty() { &site.title } else { &site.tagline };
    let frame = context.frame(path::INDEX, &site.title, description, &[]);
    let studies = newest_first(&context.studies)
        .into_iter()
        .map(|lookup| {
            let study = lookup.study;
            // The marks lead to the study's page, which has the notes: none are shown here.
            let headline =
                headline::headline(context, lookup, &frame, &mut Notes::default()).map(shortened);
            let more = headline.as_ref().map_or_else(String::new, |(_, more)| more.clone());
            StudyEntry {
                id: study.id.to_string(),
                link: Link::new(&study.title, path::study(&study.id)),
                facts: headline::facts(context, study),
                boards: study
                    .boards
                    .values()
                    .filter(|board| Some(&board.id) != study.headline.as_ref())
                    .map(|board| headline::board_link(study, board, &frame))
                    .collect(),
                headline: headline.map(|(headline, _)| headline),
                more,
            }
        })
        .collect();
    let news = context
        .model
        .news
        .iter()
        .take(NEWS)
        .map(|entry| NewsEntry {
            date: entry.date.to_string(),
            link: Link::new(&entry.title, format!("{}#{}", path::top("news"), entry.name)),
        })
        .collect();
    Index { tagline: site.tagline.clone(), studies, news, frame }
}

/// Studies by the day of their publication, the newest first and those without a day last.
fn newest_first<'c, 'a>(studies: &'c [Lookup<'a>]) -> Vec<&'c Lookup<'a>> {
    let mut studies: Vec<&Lookup<'a>> = studies.iter().collect();
    studies.sort_by_key(|lookup| (Reverse(lookup.study.published_on), &lookup.study.id));
    studies
}

/// A headline without marks, and of one subset of runs only; with what only the board shows.
fn shortened(mut headline: Headline) -> (Headline, String) {
    let others = headline.subsets.iter().skip(1).map(|subset| subset.title.to_lowercase());
    let more = others.collect::<Vec<_>>().join(", ");
    headline.subsets.truncate(1);
    if !headline.subsets.is_empty() {
        headline.answer = macroeval::answer(&headline.subsets);
    }
    for row in headline.operators.iter_mut().flat_map(|table| &mut table.rows) {
        row.marks.clear();
    }
    (headline, more)
}

pub(super) fn file(context: &Context<'_>) -> File {
    page(path::INDEX.into(), &view(context))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::view::fixture;

    #[test]
    fn shows_each_study_at_once() {
        fixture::with(|context| insta::assert_json_snapshot!(view(context)));
    }
}
