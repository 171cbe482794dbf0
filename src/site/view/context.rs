//! What every page shares: the frame around it, and the ways between pages.

use askama::Template;
use serde::Serialize;

use super::lookup::Lookup;
use crate::{
    model::{Model, OperatorId, Study},
    site::{File, path},
    standings::Standings,
};

/// What is looked up once for all pages.
pub(super) struct Context<'a> {
    pub model: &'a Model,
    pub studies: Vec<Lookup<'a>>,
    /// Hex digest of the files of the data folder.
    pub data_version: String,
}

/// A link, or plain text where `href` is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(super) struct Link {
    pub text: String,
    pub href: String,
}

impl Link {
    pub fn new(text: impl Into<String>, href: impl Into<String>) -> Self {
        Self { text: text.into(), href: href.into() }
    }

    /// Text that leads nowhere.
    pub fn plain(text: impl Into<String>) -> Self {
        Self::new(text, "")
    }
}

/// An entry of the navigation.
#[derive(Debug, Clone, Serialize)]
pub(super) struct NavItem {
    pub link: Link,
    pub current: bool,
}

/// What stands around a page's content.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Frame {
    /// What leads from this page to the root of the site.
    pub root: String,
    pub site_title: String,
    /// The page's title, with its study's and the site's.
    pub title: String,
    /// The page's own title: its one first heading.
    pub heading: String,
    pub description: String,
    /// Absolute address; empty where the site has none.
    pub canonical: String,
    /// Absolute address of the picture that links to the page are shown with; empty where the
    /// site has no address.
    pub picture: String,
    /// What the page is about, for programs; empty on most pages.
    pub json_ld: String,
    pub nav: Vec<NavItem>,
    /// The way from the index page to this one, itself not included.
    pub crumbs: Vec<Link>,
    pub data_version: String,
    pub data_version_short: String,
    pub licence: String,
    pub footer_links: Vec<Link>,
}

impl Frame {
    /// The address of a path of the site, from this page.
    pub fn to(&self, path: &str) -> String {
        format!("{}{path}", self.root)
    }

    /// The address of a place on a page of the site, from this page.
    pub fn to_place(&self, path: &str, anchor: &str) -> String {
        format!("{}{path}#{anchor}", self.root)
    }
}

/// Names of the prose pages in the navigation, in its order; each is shown where the page exists.
/// The navigation is short, so that few Tabs lead past it: other pages are linked in the footer.
const PROSE: [(&str, &str); 2] = [("methodology", "Methodology"), ("contribute", "Contribute")];

/// The file of `data/pages` behind a page: `contributing.md` is shown as `contribute/`.
pub(super) fn prose_source(page: &str) -> &str {
    if page == "contribute" { "contributing" } else { page }
}

impl<'a> Context<'a> {
    pub fn new(model: &'a Model, standings: &'a Standings) -> Self {
        let studies = model
            .studies
            .values()
            .filter_map(|study| Some(Lookup::new(study, standings.studies.get(&study.id)?)))
            .collect();
        Self { model, studies, data_version: crate::site::data_version(model) }
    }

    /// Whether a prose page exists: a file of `data/pages`, under either name.
    pub fn has_prose(&self, page: &str) -> bool {
        self.model.pages.contains_key(page) || self.model.pages.contains_key(prose_source(page))
    }

    /// The frame of the page at `path`, below `crumbs`.
    pub fn frame(
        &self,
        path: &str,
        heading: &str,
        description: &str,
        crumbs: &[(&str, String)],
    ) -> Frame {
        let site = &self.model.site;
        let root = path::root_of(path);
        let to = |path: &str| format!("{root}{path}");
        let section = path.split('/').next().unwrap_or_default();
        let mut nav = Vec::new();
        let mut entry = |text: &str, name: &str| {
            nav.push(NavItem {
                link: Link::new(text, to(&path::top(name))),
                current: section == name,
            });
        };
        for (name, text) in PROSE {
            if self.has_prose(name) {
                entry(text, name);
            }
        }
        if !self.model.news.is_empty() {
            entry("News", "news");
        }
        let mut footer_links = vec![Link::new("Data format", to(&path::top("data-format")))];
        if self.has_prose("about") {
            footer_links.push(Link::new("About", to(&path::top("about"))));
        }
        let named = site.footer_links.iter().map(|link| Link::new(&link.title, &link.url));
        footer_links.extend(named);
        let in_study = self.studies.iter().any(|lookup| *lookup.study.id == *section);
        nav.insert(
            0,
            NavItem {
                link: Link::new("Studies", to(path::INDEX)),
                current: in_study || path == path::INDEX,
            },
        );
        let mut title = heading.to_owned();
        for (crumb, _) in crumbs.iter().rev() {
            title = format!("{title} · {crumb}");
        }
        if heading != site.title {
            title = format!("{title} · {}", site.title);
        }
        let mut way = Vec::new();
        if path != path::INDEX {
            way.push(Link::new("Studies", to(path::INDEX)));
        }
        way.extend(crumbs.iter().map(|(text, path)| Link::new(*text, to(path))));
        Frame {
            site_title: site.title.clone(),
            title,
            heading: heading.to_owned(),
            description: description.to_owned(),
            canonical: site
                .base_url
                .as_deref()
                .map_or_else(String::new, |base| path::absolute(base, path)),
            picture: site
                .base_url
                .as_deref()
                .map_or_else(String::new, |base| format!("{base}/{}", self.picture(path))),
            json_ld: String::new(),
            nav,
            crumbs: way,
            data_version: self.data_version.clone(),
            data_version_short: self.data_version.chars().take(12).collect(),
            licence: site.licence.clone().unwrap_or_default(),
            footer_links,
            root,
        }
    }

    /// The picture of a page: its board's, its study's, or the site's.
    fn picture(&self, page: &str) -> String {
        let mut parts = page.split('/');
        let section = parts.next().unwrap_or_default();
        let Some(lookup) = self.studies.iter().find(|lookup| *lookup.study.id == *section) else {
            return path::site_picture().to_owned();
        };
        let study = lookup.study;
        let board = parts.next().and_then(|part| study.boards.keys().find(|id| ***id == *part));
        board.map_or_else(
            || path::study_picture(&study.id),
            |board| path::board_picture(&study.id, board),
        )
    }

    /// `file:line` below the study's folder, linked to the repository where the site names one.
    pub fn source(&self, span: &crate::diagnostic::Span) -> Link {
        let within = span.file.strip_prefix("studies/").and_then(|path| path.split_once('/'));
        let text = format!("{}:{}", within.map_or(&*span.file, |(_, file)| file), span.line);
        let href = self.model.site.source_url.as_deref().map_or_else(String::new, |url| {
            url.replace("{file}", &span.file).replace("{line}", &span.line.to_string())
        });
        Link { text, href }
    }
}

/// The crumb of a study, and of an operator below it.
pub(super) fn study_crumb(study: &Study) -> (&str, String) {
    (&study.title, path::study(&study.id))
}

/// The crumb of one of a study's listings.
pub(super) fn part_crumb<'s>(study: &Study, text: &'s str, part: &str) -> (&'s str, String) {
    (text, path::study_part(&study.id, part))
}

/// The crumb of an operator.
pub(super) fn operator_crumb<'s>(study: &'s Study, operator: &OperatorId) -> (&'s str, String) {
    let name = study.operators.get(operator).map_or("", |operator| operator.name.as_str());
    (name, path::operator(&study.id, operator))
}

/// A page as a file.
pub(super) fn page(path: String, template: &impl Template) -> File {
    // Templates write to a String, which cannot fail; what they call is ours and does not.
    let html = template.render().unwrap_or_else(|fault| format!("<!-- {fault} -->"));
    File::text(path, html)
}
