//! An operator: on each board all its shapes against all contenders, its latencies, the course
//! of sessions on it, notes and exclusions.

use askama::Template;
use serde::Serialize;

use super::{
    cell::{self, Cell},
    comparison::{self, ComparisonRow},
    context::{Context, Frame, Link, part_crumb, study_crumb},
    figure::{self, FigureView, page_with},
    headline::{self, Series, plural, series},
    lookup::{Lookup, SpeedupPlace},
    minibar::{Minibars, Scale},
    notes::{NoteMark, NoteView, Notes},
    record,
    words::{self, Standing},
};
use crate::{
    model::{ImplementationId, Note, Operator, TrajectoryId, TrajectoryPoint, TrajectoryPointKind},
    site::{
        File,
        chart::{Dots, Point, Staircase},
        format, path,
    },
    standings::{Estimate, OperatorStandings, SpeedupSource},
};

/// Most implementations that a chart of latencies tells apart by colour.
const SERIES: usize = 8;

/// `<study>/operators/<operator>/index.html`.
#[derive(Template, Serialize)]
#[template(path = "operator.html", whitespace = "minimize")]
pub(super) struct OperatorPage {
    #[serde(skip)]
    frame: Frame,
    study: String,
    operator: String,
    facts: Vec<String>,
    shape_label: String,
    boards: Vec<BoardSection>,
    #[serde(skip)]
    figure: Option<FigureView>,
    latencies: Option<LatencyTable>,
    trajectories: Vec<TrajectoryView>,
    notes: Vec<NoteView>,
}

/// The operator on one board.
#[derive(Serialize)]
struct BoardSection {
    id: String,
    anchor: String,
    board: Link,
    baseline: String,
    standing: Standing,
    series: Vec<Series>,
    has_bars: bool,
    shapes: Vec<ShapeRow>,
    /// The geomeans; one per series.
    totals: Vec<Cell>,
    total_bars: Minibars,
    comparisons: Vec<ComparisonRow>,
    json: Link,
}

/// A shape on a board.
#[derive(Serialize)]
struct ShapeRow {
    link: Link,
    marks: Vec<NoteMark>,
    baseline: Vec<Link>,
    bars: Option<Minibars>,
    cells: Vec<Cell>,
}

/// All latencies, shapes by implementations.
#[derive(Serialize)]
struct LatencyTable {
    implementations: Vec<Link>,
    rows: Vec<LatencyRow>,
}

/// A shape's latencies.
#[derive(Serialize)]
struct LatencyRow {
    link: Link,
    /// Per implementation its records: the latency, and the batch where there are several.
    cells: Vec<Vec<LatencyEntry>>,
}

/// One latency.
#[derive(Serialize)]
struct LatencyEntry {
    link: Link,
    batch: String,
    counts: bool,
    status: words::Badge,
}

/// The course of a session.
#[derive(Serialize)]
struct TrajectoryView {
    title: String,
    marks: Vec<NoteMark>,
    /// What the figure leaves out; empty if nothing.
    untimed: String,
    #[serde(skip)]
    figure: Option<FigureView>,
    points: Vec<TrajectoryRow>,
}

/// A point of it.
#[derive(Serialize)]
struct TrajectoryRow {
    hours: String,
    latency: String,
    kind: &'static str,
    label: String,
    source: Link,
}

fn board_section<'a>(
    lookup: &Lookup<'a>,
    place: SpeedupPlace<'a>,
    results: &'a OperatorStandings,
    frame: &Frame,
    notes: &mut Notes<'a>,
) -> BoardSection {
    let study = lookup.study;
    let contenders = &place.speedup.contenders;
    let estimates = |shape: &crate::standings::ShapeStandings| -> Vec<Option<Estimate>> {
        shape
            .results
            .iter()
            .map(|one| one.outcome.as_ref().ok().map(|speedup| speedup.estimate))
            .collect()
    };
    let all: Vec<Estimate> = results.shapes.iter().flat_map(estimates).flatten().collect();
    let scale = Scale::over(all.iter());
    let has_bars = contenders.len() <= 5;
    let shapes = results
        .shapes
        .iter()
        .map(|shape| {
            let page = path::shape(&study.id, &shape.key);
            let mut baseline: Vec<Link> = Vec::new();
            for result in shape.results.iter().filter_map(|one| one.outcome.as_ref().ok()) {
                let link = match &result.source {
                    SpeedupSource::Latencies { baseline, .. } => {
                        let record = lookup.record(baseline.record);
                        let key = &record.key;
                        Link::new(
                            &*record.published,
                            frame.to_place(
                                &page,
                                &path::record_anchor(&key.implementation, &key.batch),
                            ),
                        )
                    }
                    SpeedupSource::Ratio(_) => Link::plain("published as ratios"),
                };
                if !baseline.contains(&link) {
                    baseline.push(link);
                }
            }
            if baseline.is_empty() {
                baseline.push(Link::plain("none"));
            }
            ShapeRow {
                link: Link::new(lookup.shape_name(&shape.key), frame.to(&page)),
                marks: notes.marks(&lookup.shape_notes(&shape.key)),
                baseline,
                bars: has_bars.then(|| scale.bars(&estimates(shape))),
                cells: shape
                    .results
                    .iter()
                    .map(|result| cell::speedup(lookup, place, &shape.key, result, frame, notes))
                    .collect(),
            }
        })
        .collect();
    let totals = contenders
        .iter()
        .map(|contender| {
            results
                .results
                .iter()
                .find(|one| one.contender == contender.id)
                .map_or_else(Cell::default, |one| {
                    cell::geomean(lookup, place, Some(results), one, String::new())
                })
        })
        .collect();
    BoardSection {
        id: place.board.id.to_string(),
        anchor: path::board_anchor(&place.board.id),
        board: headline::board_link(study, place.board, frame),
        baseline: place.speedup.baseline.name.clone(),
        standing: words::standing(place.speedup, &results.results, &results.comparisons),
        series: series(place),
        has_bars,
        shapes,
        totals,
        comparisons: results
            .comparisons
            .iter()
            .map(|one| comparison::row(place, "", one))
            .collect(),
        total_bars: scale.bars(&headline::in_order(place, &results.results)),
        json: Link::new(
            "This table as JSON",
            frame.to(&path::api_board_operator(&study.id, &place.board.id, &results.operator)),
        ),
    }
}

/// Implementations with a latency on this operator, in the study's order.
fn implementations<'a>(lookup: &Lookup<'a>, operator: &Operator) -> Vec<&'a ImplementationId> {
    let study = lookup.study;
    study
        .implementations
        .keys()
        .filter(|id| {
            lookup
                .records_of_implementation(id)
                .iter()
                .any(|&at| lookup.record(at).key.shape.operator == operator.id)
        })
        .collect()
}

fn latencies(lookup: &Lookup<'_>, operator: &Operator, frame: &Frame) -> Option<LatencyTable> {
    let study = lookup.study;
    let implementations = implementations(lookup, operator);
    if implementations.is_empty() {
        return None;
    }
    let rows = study
        .shapes_of(&operator.id)
        .map(|shape| {
            let page = path::shape(&study.id, &shape.key);
            let cells = implementations
                .iter()
                .map(|id| {
                    lookup
                        .records_of_shape(&shape.key)
                        .iter()
                        .map(|&at| lookup.record(at))
                        .filter(|record| record.key.implementation == **id)
                        .map(|record| {
                            let key = &record.key;
                            let anchor = path::record_anchor(&key.implementation, &key.batch);
                            LatencyEntry {
                                link: Link::new(&*record.published, frame.to_place(&page, &anchor)),
                                batch: lookup.batch_name(&key.batch).to_owned(),
                                counts: record.status == crate::standings::Status::Counts,
                                status: words::status_badge(&record.status),
                            }
                        })
                        .collect()
                })
                .collect();
            LatencyRow { link: Link::new(&shape.name, frame.to(&page)), cells }
        })
        .collect();
    Some(LatencyTable {
        implementations: implementations
            .iter()
            .map(|id| record::implementation_link(lookup, frame, id))
            .collect(),
        rows,
    })
}

/// Latencies of the first board that has some: its contenders and baseline. Without a board, the
/// implementations themselves, as many as colours tell apart.
fn figure(lookup: &Lookup<'_>, operator: &Operator, frame: &Frame) -> Option<FigureView> {
    let study = lookup.study;
    let point = |estimate: &Estimate| Point {
        value: estimate.value,
        bounds: estimate.interval.map(|interval| (interval.low, interval.high)),
    };
    let on_board = lookup.speedup_boards().iter().find_map(|place| {
        let results = place.operator(&operator.id)?;
        let mut rows = Vec::new();
        for shape in &results.shapes {
            // The baseline comes last, so that contenders keep their colours.
            let contenders = place.speedup.contenders.len();
            let mut values = vec![None; contenders + 1];
            for (at, result) in shape.results.iter().enumerate() {
                if let Ok(speedup) = &result.outcome
                    && let SpeedupSource::Latencies { baseline, contender } = &speedup.source
                {
                    values[at] = Some(point(&contender.latency));
                    values[contenders].get_or_insert(point(&baseline.latency));
                }
            }
            rows.push((lookup.shape_name(&shape.key).to_owned(), values));
        }
        let names: Vec<String> = place
            .speedup
            .contenders
            .iter()
            .chain([&place.speedup.baseline])
            .map(|contender| contender.name.clone())
            .collect();
        let has_values = rows.iter().any(|(_, values)| values.iter().any(Option::is_some));
        (has_values && names.len() <= SERIES).then_some((names, rows))
    });
    let (series, rows) = on_board.unwrap_or_else(|| {
        let ids: Vec<_> = implementations(lookup, operator).into_iter().take(SERIES).collect();
        let names = ids.iter().map(|id| lookup.implementation_name(id).to_owned()).collect();
        let rows = study
            .shapes_of(&operator.id)
            .map(|shape| {
                let values = ids
                    .iter()
                    .map(|id| {
                        lookup
                            .records_of_shape(&shape.key)
                            .iter()
                            .map(|&at| lookup.record(at))
                            .find(|record| record.key.implementation == **id)
                            .map(|record| point(&record.latency))
                    })
                    .collect();
                (shape.name.clone(), values)
            })
            .collect();
        (names, rows)
    });
    if series.is_empty() {
        return None;
    }
    let message = format!(
        "Latencies of {} on {} of {}.",
        words::list(&series.iter().map(String::as_str).collect::<Vec<_>>()),
        format::count(
            rows.len(),
            &study.labels.shape.to_lowercase(),
            &plural(&study.labels.shape.to_lowercase())
        ),
        operator.name
    );
    let caption = "Latencies in µs, lower is better";
    let at = figure::Place { study: &study.id, frame, caption };
    Some(at.dots(&Dots {
        id: format!("latencies-{}", operator.id),
        title: format!("{}: latencies", operator.name),
        message,
        axis: "Latency in µs, lower is better".into(),
        series,
        rows,
    }))
}

/// The notes on what a session is about: those of its implementation's records on the shape.
fn session_notes<'a>(lookup: &Lookup<'a>, point: &TrajectoryPoint) -> Vec<&'a Note> {
    let mut notes: Vec<&'a Note> = Vec::new();
    let records = lookup.records_of_shape(&point.shape).iter().map(|&at| lookup.record(at));
    for record in records.filter(|one| one.key.implementation == point.implementation) {
        for note in lookup.record_notes(&record.key, &record.notes) {
            if !notes.iter().any(|known| known.id == note.id) {
                notes.push(note);
            }
        }
    }
    notes
}

/// When a version that did not improve was tried: where no time is given, in the middle between
/// those before and after it.
fn attempted(points: &[&TrajectoryPoint], at: usize) -> Option<(f64, String)> {
    let label = points[at].label.clone().unwrap_or_default();
    if let Some(hours) = points[at].hours {
        return Some((hours, label));
    }
    let before = points[..at].iter().rev().find_map(|point| point.hours)?;
    let after = points[at..].iter().find_map(|point| point.hours)?;
    Some((f64::midpoint(before, after), format!("{label} (no time given, drawn midway)")))
}

fn trajectories<'a>(
    context: &Context<'a>,
    lookup: &Lookup<'a>,
    operator: &Operator,
    frame: &Frame,
    notes: &mut Notes<'a>,
) -> Vec<TrajectoryView> {
    let mut ids: Vec<&TrajectoryId> = Vec::new();
    for point in &lookup.study.trajectories {
        if point.shape.operator == operator.id && !ids.contains(&&point.trajectory) {
            ids.push(&point.trajectory);
        }
    }
    ids.into_iter()
        .map(|id| {
            let points: Vec<_> = lookup
                .study
                .trajectories
                .iter()
                .filter(|point| point.trajectory == *id && point.shape.operator == operator.id)
                .collect();
            let first = points[0];
            let title = format!(
                "{} on {}: latency over the session",
                lookup.implementation_name(&first.implementation),
                lookup.shape_name(&first.shape)
            );
            let timed = |wanted: &dyn Fn(TrajectoryPointKind) -> bool| {
                let mut found: Vec<(f64, f64, String)> = points
                    .iter()
                    .filter(|point| wanted(point.kind))
                    .filter_map(|point| {
                        // The first version stands at the beginning where no time is given.
                        let start = point.kind == TrajectoryPointKind::Start;
                        let hours = point.hours.or_else(|| start.then_some(0.0))?;
                        let label = point.label.clone().unwrap_or_default();
                        Some((hours, point.latency.value, label))
                    })
                    .collect();
                found.sort_by(|a, b| a.0.total_cmp(&b.0));
                found
            };
            let best = timed(&|kind| {
                !matches!(kind, TrajectoryPointKind::Attempt | TrajectoryPointKind::Reference)
            });
            let mut attempts: Vec<(f64, f64, String)> = (0..points.len())
                .filter(|&at| points[at].kind == TrajectoryPointKind::Attempt)
                .filter_map(|at| {
                    let (hours, label) = attempted(&points, at)?;
                    Some((hours, points[at].latency.value, label))
                })
                .collect();
            attempts.sort_by(|a, b| a.0.total_cmp(&b.0));
            let drawn = best.len() + attempts.len();
            let reference = points
                .iter()
                .find(|point| point.kind == TrajectoryPointKind::Reference)
                .map(|point| (point.latency.value, point.label.clone().unwrap_or_default()));
            let message = match (best.first(), best.last()) {
                (Some(first), Some(last)) => format!(
                    "From {} to {} µs in {} hours.",
                    format::latency(first.1),
                    format::latency(last.1),
                    format::significant(last.0)
                ),
                _ => title.clone(),
            };
            let figure = (!best.is_empty()).then(|| {
                let at = figure::Place { study: &lookup.study.id, frame, caption: &title };
                at.staircase(&Staircase {
                    // A trajectory may have points on several operators, a figure on each.
                    id: format!("course-{}-{id}", operator.id),
                    title: title.clone(),
                    message,
                    best,
                    attempts,
                    reference,
                })
            });
            let references =
                points.iter().filter(|point| point.kind == TrajectoryPointKind::Reference).count();
            let missing = points.len() - references - drawn;
            TrajectoryView {
                marks: notes.marks(&session_notes(lookup, first)),
                untimed: if missing > 0 {
                    let points = format::count(missing, "point", "points");
                    format!("{points} without a time: in the table only.")
                } else {
                    String::new()
                },
                title,
                figure,
                points: points
                    .iter()
                    .map(|point| TrajectoryRow {
                        hours: point
                            .hours
                            .map_or_else(|| "not given".to_owned(), format::significant),
                        latency: point.latency.text.to_string(),
                        kind: match point.kind {
                            TrajectoryPointKind::Start => "first version",
                            TrajectoryPointKind::Best => "new best",
                            TrajectoryPointKind::Attempt => "no improvement",
                            TrajectoryPointKind::Reference => "reference",
                            TrajectoryPointKind::Final => "final version",
                        },
                        label: point.label.clone().unwrap_or_default(),
                        source: context.source(&point.span),
                    })
                    .collect(),
            }
        })
        .collect()
}

fn view<'a>(context: &Context<'a>, lookup: &Lookup<'a>, operator: &'a Operator) -> OperatorPage {
    let study = lookup.study;
    let listing = plural(&study.labels.operator);
    let shape_label = study.labels.shape.to_lowercase();
    let shapes = study.shapes_of(&operator.id).count();
    let frame = context.frame(
        &path::operator(&study.id, &operator.id),
        &operator.name,
        &format!(
            "{} on {}: speedups and latencies, each with its derivation.",
            operator.name,
            format::count(shapes, &shape_label, &plural(&shape_label))
        ),
        &[study_crumb(study), part_crumb(study, &listing, "operators")],
    );
    let mut facts = vec![format::count(shapes, &shape_label, &plural(&shape_label))];
    facts.extend(operator.family.clone());
    if let Some(standard) = &operator.standard {
        facts.push(format!("correctness: {standard}"));
    }
    let mut notes = Notes::default();
    notes.show(&lookup.operator_notes(&operator.id));
    let boards = lookup
        .speedup_boards()
        .iter()
        .filter_map(|&place| {
            let results = place.operator(&operator.id)?;
            Some(board_section(lookup, place, results, &frame, &mut notes))
        })
        .collect();
    OperatorPage {
        study: study.id.to_string(),
        operator: operator.id.to_string(),
        facts,
        shape_label: study.labels.shape.clone(),
        boards,
        figure: figure(lookup, operator, &frame),
        latencies: latencies(lookup, operator, &frame),
        trajectories: trajectories(context, lookup, operator, &frame, &mut notes),
        notes: notes.finish(&frame),
        frame,
    }
}

/// The page, and its figures as files.
pub(super) fn files<'a>(
    context: &Context<'a>,
    lookup: &Lookup<'a>,
    operator: &'a Operator,
) -> Vec<File> {
    let view = view(context, lookup, operator);
    let courses = view.trajectories.iter().filter_map(|course| course.figure.as_ref());
    let figures = view.figure.iter().chain(courses);
    page_with(path::operator(&lookup.study.id, &operator.id), &view, figures)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::view::fixture;

    #[test]
    fn shows_shapes_against_contenders() {
        fixture::with(|context| {
            let lookup = &context.studies[0];
            let operator = &lookup.study.operators["scan"];
            insta::assert_json_snapshot!(view(context, lookup, operator));
        });
    }
}
