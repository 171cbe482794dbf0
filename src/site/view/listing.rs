//! Lists of a study's operators, implementations, batches and runs: a folder's own page.

use askama::Template;
use serde::Serialize;

use super::{
    context::{Context, Frame, Link, page, study_crumb},
    headline::plural,
    lookup::Lookup,
    words,
};
use crate::{
    model::Study,
    site::{File, path},
};

/// A kind of list.
pub(super) struct Listing {
    /// Its folder.
    pub part: &'static str,
    /// Whether the study has any.
    pub exists: fn(&Study) -> bool,
    heading: fn(&Study) -> String,
    columns: &'static [&'static str],
    rows: fn(&Context<'_>, &Lookup<'_>, &Frame) -> Vec<Row>,
}

impl Listing {
    /// `Operators`, or what the study calls them.
    pub fn title(&self, study: &Study) -> String {
        (self.heading)(study)
    }
}

/// All lists.
pub(super) const ALL: &[Listing] = &[
    Listing {
        part: "operators",
        exists: |study| !study.operators.is_empty(),
        heading: |study| plural(&study.labels.operator),
        columns: &["Family", "Correctness standard", "Shapes", "Records"],
        rows: operators,
    },
    Listing {
        part: "implementations",
        exists: |study| !study.implementations.is_empty(),
        heading: |study| plural(&study.labels.implementation),
        columns: &["Role", "System", "Model", "Scope", "Records"],
        rows: implementations,
    },
    Listing {
        part: "batches",
        exists: |study| !study.batches.is_empty(),
        heading: |_| "Batches".into(),
        columns: &["Class", "GPU", "Timer", "Cache", "Measured on", "Verified by", "Records"],
        rows: batches,
    },
    Listing {
        part: "runs",
        exists: |study| {
            study.macroeval.as_ref().is_some_and(|macroeval| !macroeval.runs.is_empty())
        },
        heading: |_| "Runs".into(),
        columns: &["Agent", "Mode", "Model"],
        rows: runs,
    },
];

/// `<study>/<part>/index.html`.
#[derive(Template, Serialize)]
#[template(path = "listing.html", whitespace = "minimize")]
pub(super) struct ListingPage {
    #[serde(skip)]
    frame: Frame,
    columns: &'static [&'static str],
    rows: Vec<Row>,
}

/// One entry with a cell per column.
#[derive(Serialize)]
struct Row {
    link: Link,
    cells: Vec<String>,
}

fn given(text: Option<&String>) -> String {
    text.cloned().unwrap_or_else(|| "not given".into())
}

fn operators(_: &Context<'_>, lookup: &Lookup<'_>, frame: &Frame) -> Vec<Row> {
    let study = lookup.study;
    study
        .operators
        .values()
        .map(|operator| {
            let shapes: Vec<_> = study.shapes_of(&operator.id).collect();
            let records: usize = shapes
                .iter()
                .map(|shape| {
                    lookup.records_of_shape(&shape.key).len()
                        + lookup.ratios_of_shape(&shape.key).len()
                })
                .sum();
            Row {
                link: Link::new(&operator.name, frame.to(&path::operator(&study.id, &operator.id))),
                cells: vec![
                    given(operator.family.as_ref()),
                    given(operator.standard.as_ref()),
                    shapes.len().to_string(),
                    records.to_string(),
                ],
            }
        })
        .collect()
}

fn implementations(_: &Context<'_>, lookup: &Lookup<'_>, frame: &Frame) -> Vec<Row> {
    let study = lookup.study;
    study
        .implementations
        .values()
        .map(|one| {
            let ratios =
                study.ratios.iter().filter(|ratio| ratio.key.implementation == one.id).count();
            Row {
                link: Link::new(&one.name, frame.to(&path::implementation(&study.id, &one.id))),
                cells: vec![
                    words::role(one.role).into(),
                    given(one.system.as_ref()),
                    given(one.model.as_ref()),
                    given(one.scope.as_ref()),
                    (lookup.records_of_implementation(&one.id).len() + ratios).to_string(),
                ],
            }
        })
        .collect()
}

fn batches(context: &Context<'_>, lookup: &Lookup<'_>, frame: &Frame) -> Vec<Row> {
    super::study::batch_entries(context, lookup, frame)
        .into_iter()
        .map(|batch| Row {
            link: batch.link,
            cells: vec![
                batch.class,
                batch.gpu,
                batch.timer,
                batch.cache,
                batch.measured_on,
                batch.verified,
                batch.records,
            ],
        })
        .collect()
}

fn runs(_: &Context<'_>, lookup: &Lookup<'_>, frame: &Frame) -> Vec<Row> {
    let study = lookup.study;
    study
        .macroeval
        .iter()
        .flat_map(|macroeval| macroeval.runs.values())
        .map(|run| Row {
            link: Link::new(&run.name, frame.to(&path::run(&study.id, &run.id))),
            cells: vec![run.agent.clone(), run.mode.clone(), given(run.model.as_ref())],
        })
        .collect()
}

fn view(context: &Context<'_>, lookup: &Lookup<'_>, listing: &Listing) -> ListingPage {
    let study = lookup.study;
    let title = listing.title(study);
    let frame = context.frame(
        &path::study_part(&study.id, listing.part),
        &title,
        &format!("{title} of {}.", study.title),
        &[study_crumb(study)],
    );
    ListingPage { columns: listing.columns, rows: (listing.rows)(context, lookup, &frame), frame }
}

pub(super) fn file(context: &Context<'_>, lookup: &Lookup<'_>, listing: &Listing) -> File {
    page(path::study_part(&lookup.study.id, listing.part), &view(context, lookup, listing))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::view::fixture;

    #[test]
    fn every_row_has_a_cell_per_column() {
        fixture::with(|context| {
            for listing in ALL {
                let view = view(context, &context.studies[0], listing);
                for row in &view.rows {
                    assert_eq!(row.cells.len(), view.columns.len(), "{}", listing.part);
                }
            }
        });
    }
}
