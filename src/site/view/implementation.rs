//! An implementation: what it is, how it was checked, and where it stands everywhere.

use askama::Template;
use serde::Serialize;

use super::{
    context::{Context, Frame, Link, page},
    headline::{board_link, plural},
    lookup::Lookup,
    notes::{NoteView, Notes},
    record::{self, RatioRow, RecordRow, RetestRow},
    study::listing_crumb,
    words::{self, Badge},
};
use crate::{
    model::{Implementation, ImplementationId},
    site::{File, format, path},
    standings::{ShapeResult, SpeedupSource},
};

/// `<study>/implementations/<id>/index.html`.
#[derive(Template, Serialize)]
#[template(path = "implementation.html", whitespace = "minimize")]
pub(super) struct ImplementationPage {
    #[serde(skip)]
    frame: Frame,
    study: String,
    id: String,
    /// Whether it has something to compare.
    is_measured: bool,
    identity: Vec<(String, Link)>,
    retests: Vec<RetestRow>,
    boards: Vec<BoardSection>,
    records: Vec<RecordRow>,
    ratios: Vec<RatioRow>,
    notes: Vec<NoteView>,
}

/// Where it stands on a board.
#[derive(Serialize)]
struct BoardSection {
    board: Link,
    baseline: String,
    rows: Vec<PlaceRow>,
}

/// Where it stands on a shape of a board.
#[derive(Serialize)]
struct PlaceRow {
    operator: Link,
    shape: Link,
    /// As which contender, or as the baseline.
    contender: String,
    result: Link,
    is_word: bool,
    interval: String,
    badges: Vec<Badge>,
    /// What stands for the contender here, where it is another one.
    instead: Link,
}

/// What stands for the contender in a result.
fn stands_for<'a>(lookup: &Lookup<'a>, result: &ShapeResult) -> Option<&'a ImplementationId> {
    Some(match &result.outcome.as_ref().ok()?.source {
        SpeedupSource::Latencies { contender, .. } => {
            &lookup.record(contender.record).key.implementation
        }
        SpeedupSource::Ratio(side) => &lookup.study.ratios[side.ratio].key.implementation,
    })
}

fn boards(
    lookup: &Lookup<'_>,
    implementation: &Implementation,
    frame: &Frame,
) -> Vec<BoardSection> {
    let study = lookup.study;
    let id = &implementation.id;
    let mut sections = Vec::new();
    for place in lookup.speedup_boards() {
        let mut rows = Vec::new();
        for (operator, shape) in place
            .results
            .operators
            .iter()
            .flat_map(|operator| operator.shapes.iter().map(move |shape| (operator, shape)))
        {
            let page = path::shape(&study.id, &shape.key);
            let row = |contender: &str, anchor: &str, text: String| PlaceRow {
                operator: record::operator_link(lookup, frame, &operator.operator),
                shape: record::shape_link(lookup, frame, &shape.key),
                contender: contender.to_owned(),
                result: Link::new(text, frame.to_place(&page, anchor)),
                is_word: true,
                interval: String::new(),
                badges: Vec::new(),
                instead: Link::default(),
            };
            let measured = || {
                lookup
                    .records_of_shape(&shape.key)
                    .iter()
                    .any(|&at| lookup.record(at).key.implementation == *id)
                    || lookup
                        .ratios_of_shape(&shape.key)
                        .iter()
                        .map(|&at| &study.ratios[at])
                        .any(|ratio| ratio.key.implementation == *id || ratio.reference == *id)
            };
            if place.speedup.baseline.members_on(&operator.operator).contains(id) && measured() {
                let anchor = path::board_anchor(&place.board.id);
                rows.push(row(
                    &format!("{} (baseline)", place.speedup.baseline.name),
                    &anchor,
                    "baseline".into(),
                ));
            }
            for contender in &place.speedup.contenders {
                if !contender.members_on(&operator.operator).contains(id) || !measured() {
                    continue;
                }
                let Some(result) =
                    shape.results.iter().find(|result| result.contender == contender.id)
                else {
                    continue;
                };
                let anchor = path::speedup_anchor(&place.board.id, &contender.id);
                let mut found = row(&contender.name, &anchor, String::new());
                match (&result.outcome, stands_for(lookup, result)) {
                    (Ok(speedup), Some(chosen)) if chosen == id => {
                        found.result.text = format::speedup(speedup.estimate.value);
                        found.is_word = false;
                        found.interval = words::interval(&speedup.estimate);
                        found.badges = vec![words::verdict(speedup.verdict)];
                    }
                    (Ok(_), Some(chosen)) => {
                        found.result.text = "not the fastest".into();
                        found.instead = record::implementation_link(lookup, frame, chosen);
                    }
                    (Ok(_), None) => {}
                    (Err(reason), _) => {
                        found.result.text = lookup.why(place.speedup, contender, reason).0;
                    }
                }
                rows.push(found);
            }
        }
        if !rows.is_empty() {
            sections.push(BoardSection {
                board: board_link(study, place.board, frame),
                baseline: place.speedup.baseline.name.clone(),
                rows,
            });
        }
    }
    sections
}

fn view<'a>(
    context: &Context<'a>,
    lookup: &Lookup<'a>,
    implementation: &'a Implementation,
) -> ImplementationPage {
    let study = lookup.study;
    let listing = plural(&study.labels.implementation);
    let frame = context.frame(
        &path::implementation(&study.id, &implementation.id),
        &implementation.name,
        &format!("{}: where it stands on every shape, and every record.", implementation.name),
        &listing_crumb(study, &listing, "implementations"),
    );
    let mut identity = vec![("Role".to_owned(), Link::plain(words::role(implementation.role)))];
    let mut add = |term: &str, text: &Option<String>| {
        if let Some(text) = text {
            identity.push((term.to_owned(), Link::plain(text)));
        }
    };
    add("System", &implementation.system);
    add("Model", &implementation.model);
    add("Scope", &implementation.scope);
    add("Commit", &implementation.commit);
    if let Some(url) = &implementation.url {
        identity.push(("Source".into(), Link::new(url, url)));
    }
    identity.push(("Entered in".into(), context.source(&implementation.span)));
    let mut notes = Notes::default();
    notes.show(&lookup.implementation_notes(&implementation.id));
    let of_it = lookup.retests_of(&implementation.id).iter().map(|&at| &study.retests[at]);
    let retests = record::retests(context, lookup, of_it, &frame, &mut notes);
    let records = record::records(
        context,
        lookup,
        lookup.records_of_implementation(&implementation.id),
        &frame,
        &mut notes,
    );
    let with_it = study.ratios.iter().filter(|ratio| {
        ratio.key.implementation == implementation.id || ratio.reference == implementation.id
    });
    let ratios = record::ratios(context, lookup, with_it, &frame, &mut notes);
    ImplementationPage {
        study: study.id.to_string(),
        id: implementation.id.to_string(),
        is_measured: !(records.is_empty() && ratios.is_empty()),
        identity,
        retests,
        boards: boards(lookup, implementation, &frame),
        records,
        ratios,
        notes: notes.finish(&frame),
        frame,
    }
}

pub(super) fn file<'a>(
    context: &Context<'a>,
    lookup: &Lookup<'a>,
    implementation: &'a Implementation,
) -> File {
    page(
        path::implementation(&lookup.study.id, &implementation.id),
        &view(context, lookup, implementation),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::view::fixture;

    #[test]
    fn stands_somewhere_on_every_board() {
        fixture::with(|context| {
            let lookup = &context.studies[0];
            let implementation = &lookup.study.implementations["ours"];
            insta::assert_json_snapshot!(view(context, lookup, implementation));
        });
    }
}
