//! A board of contenders: standings, figure, per-operator table, comparisons, effects, claims,
//! and where its numbers are from.

use std::collections::BTreeMap;

use askama::Template;
use serde::Serialize;

use super::{
    cell,
    cite::{self, Cite},
    claims::{self, ClaimRow},
    comparison::{self, ComparisonRow, EffectRow},
    context::{Context, Frame, Link, study_crumb},
    figure::{self, FigureView, page_with},
    headline::{self, OperatorTable},
    lookup::{Lookup, SpeedupPlace},
    minibar::{Minibars, Scale, series_class},
    notes::{NoteView, Notes},
    record,
    shape_table::{self, ShapeTable},
    words::{self, Badge, Standing},
};
use crate::{
    model::{BatchId, Board, FailedPolicy, FigureKind, SpeedupBoard},
    site::{
        File,
        chart::{Bars, Point},
        format, path,
    },
    standings::{Estimate, SpeedupSource, SpeedupStandings},
};

/// `<study>/<board>/index.html` of a board of contenders.
#[derive(Template, Serialize)]
#[template(path = "board.html", whitespace = "minimize")]
pub(super) struct BoardPage {
    #[serde(skip)]
    frame: Frame,
    study: String,
    board: String,
    facts: Vec<String>,
    answer: String,
    standing: Standing,
    baseline: String,
    /// Whether the operators' table comes before the overall standings: where it has few columns.
    operators_first: bool,
    operators: OperatorTable,
    overall: Vec<OverallRow>,
    shapes: ShapeTable,
    #[serde(skip)]
    figure: Option<FigureView>,
    comparisons: Vec<ComparisonRow>,
    effect_columns: Vec<String>,
    effects: Vec<EffectRow>,
    claims: Vec<ClaimRow>,
    evidence: Vec<EvidenceRow>,
    downloads: Vec<Link>,
    #[serde(skip)]
    cite: Cite,
    notes: Vec<NoteView>,
}

/// A contender over all shapes of the board.
#[derive(Serialize)]
struct OverallRow {
    /// `1`, or `1=` where it is shared.
    rank: String,
    is_shared: bool,
    name: String,
    members: Vec<Link>,
    bars: Minibars,
    class: String,
    geomean: String,
    /// The geomean in full, to sort by.
    sort: String,
    interval: String,
    kind: String,
    count: String,
    missing: Vec<Link>,
    missing_count: String,
    badges: Vec<Badge>,
    evidence: String,
}

/// A batch that the board stands on.
#[derive(Serialize)]
struct EvidenceRow {
    batch: Link,
    class: String,
    gpu: String,
    verified: Badge,
    who: String,
    uses: String,
}

/// Which batches each contender's counted speedups are from, and how often.
fn batches_used(
    lookup: &Lookup<'_>,
    results: &SpeedupStandings,
    contender: Option<&str>,
) -> BTreeMap<BatchId, usize> {
    let mut used = BTreeMap::new();
    for result in results
        .operators
        .iter()
        .flat_map(|operator| &operator.shapes)
        .flat_map(|shape| &shape.results)
        .filter(|result| contender.is_none_or(|id| *result.contender == *id))
    {
        if let Ok(speedup) = &result.outcome {
            let batch = match &speedup.source {
                SpeedupSource::Latencies { contender, .. } => {
                    &lookup.record(contender.record).key.batch
                }
                SpeedupSource::Ratio(side) => &lookup.study.ratios[side.ratio].key.batch,
            };
            *used.entry(batch.clone()).or_insert(0) += 1;
        }
    }
    used
}

fn is_verified(lookup: &Lookup<'_>, batch: &BatchId) -> bool {
    lookup.study.batches.get(batch).is_some_and(|batch| batch.verified.is_some())
}

/// `verified`, `self-reported`, or how many are which.
fn evidence(lookup: &Lookup<'_>, used: &BTreeMap<BatchId, usize>) -> String {
    let total: usize = used.values().sum();
    let verified: usize =
        used.iter().filter(|(batch, _)| is_verified(lookup, batch)).map(|(_, count)| count).sum();
    match (verified, total) {
        (_, 0) => "none".into(),
        (0, _) => "self-reported".into(),
        (verified, total) if verified == total => "verified".into(),
        _ => format!("{verified} of {total} verified"),
    }
}

/// The geomeans of a board as bars, a group per operator.
pub(super) fn figure(
    lookup: &Lookup<'_>,
    place: SpeedupPlace<'_>,
    frame: &Frame,
) -> Option<FigureView> {
    // A board of one operator has its shapes on the operator's page; one group says nothing.
    if place.speedup.figure == FigureKind::None {
        return None;
    }
    let point = |estimate: &Estimate| Point {
        value: estimate.value,
        bounds: estimate.interval.map(|interval| (interval.low, interval.high)),
    };
    let groups: Vec<(String, Vec<Option<Point>>)> = place
        .results
        .operators
        .iter()
        .map(|operator| {
            let values = place
                .speedup
                .contenders
                .iter()
                .map(|contender| {
                    operator
                        .results
                        .iter()
                        .find(|one| one.contender == contender.id)
                        .and_then(|one| one.geomean.as_ref().map(point))
                })
                .collect();
            (lookup.operator_name(&operator.operator).to_owned(), values)
        })
        .collect();
    let caption = figure_caption(place);
    let at = figure::Place { study: &lookup.study.id, frame, caption: &caption };
    Some(at.bars(&Bars {
        id: format!("bars-{}", place.board.id),
        title: place.board.title.clone(),
        message: headline::answer(lookup.study, place),
        axis: format!(
            "Geometric mean speedup over {}, higher is better",
            place.speedup.baseline.name
        ),
        series: place.speedup.contenders.iter().map(|one| one.name.clone()).collect(),
        groups,
        reference: Some(1.0),
    }))
}

/// What the figure shows, as its caption.
fn figure_caption(place: SpeedupPlace<'_>) -> String {
    format!(
        "Geometric mean speedup over {}, higher is better; whiskers are the intervals, a dash is \
         no result.",
        place.speedup.baseline.name
    )
}

fn overall(lookup: &Lookup<'_>, place: SpeedupPlace<'_>, frame: &Frame) -> Vec<OverallRow> {
    let results = place.results;
    let scale = Scale::over(results.overall.iter().filter_map(|one| one.geomean.as_ref()));
    results
        .overall
        .iter()
        .map(|standing| {
            let series = place
                .speedup
                .contenders
                .iter()
                .position(|one| one.id == standing.contender)
                .unwrap_or_default();
            let contender = &place.speedup.contenders[series];
            let shared = results
                .overall
                .iter()
                .filter(|other| other.rank.is_some() && other.rank == standing.rank)
                .count()
                > 1;
            let rank = standing.rank.map_or_else(
                || format::NONE.to_owned(),
                |rank| if shared { format!("{rank}=") } else { rank.to_string() },
            );
            let mut bars = scale.bars(&[standing.geomean]);
            for bar in &mut bars.bars {
                bar.class = series_class(series);
            }
            let mut badges: Vec<Badge> = standing.verdict.map(words::verdict).into_iter().collect();
            if !standing.failed.is_empty() {
                badges.push(cell::failed_badge());
            }
            let used = batches_used(lookup, results, Some(&standing.contender));
            OverallRow {
                rank,
                is_shared: shared,
                name: contender.name.clone(),
                members: contender
                    .all_members()
                    .into_iter()
                    .map(|id| record::implementation_link(lookup, frame, id))
                    .collect(),
                bars,
                class: series_class(series),
                geomean: standing
                    .geomean
                    .as_ref()
                    .map_or_else(|| "no result".to_owned(), |one| format::speedup(one.value)),
                sort: standing
                    .geomean
                    .as_ref()
                    .map_or_else(String::new, |one| format::exact(one.value)),
                interval: standing.geomean.as_ref().map_or_else(String::new, words::interval),
                kind: standing
                    .geomean
                    .as_ref()
                    .map_or_else(String::new, |one| words::kind_of(one).to_owned()),
                count: format::n_of(standing.counted, standing.total),
                missing: standing
                    .missing
                    .iter()
                    .map(|key| {
                        let anchor = path::speedup_anchor(&place.board.id, &standing.contender);
                        Link::new(
                            format!(
                                "{}, {}",
                                lookup.operator_name(&key.operator),
                                lookup.shape_name(key)
                            ),
                            frame.to_place(&path::shape(&lookup.study.id, key), &anchor),
                        )
                    })
                    .collect(),
                missing_count: format::count(
                    standing.missing.len(),
                    &lookup.study.labels.shape.to_lowercase(),
                    &headline::plural(&lookup.study.labels.shape.to_lowercase()),
                ),
                badges,
                evidence: evidence(lookup, &used),
            }
        })
        .collect()
}

fn evidence_rows(
    context: &Context<'_>,
    lookup: &Lookup<'_>,
    results: &SpeedupStandings,
    frame: &Frame,
) -> Vec<EvidenceRow> {
    let used = batches_used(lookup, results, None);
    lookup
        .study
        .batches
        .values()
        .filter_map(|batch| {
            let count = used.get(&batch.id)?;
            Some(EvidenceRow {
                batch: record::batch_link(lookup, frame, &batch.id),
                class: batch.class.to_string(),
                gpu: batch.gpu.as_ref().map_or_else(
                    || "not given".to_owned(),
                    |id| context.model.gpus.get(id).map_or(id.to_string(), |gpu| gpu.name.clone()),
                ),
                verified: verified_badge(batch.verified.is_some()),
                who: batch.verified.clone().unwrap_or_default(),
                uses: count.to_string(),
            })
        })
        .collect()
}

pub(super) fn verified_badge(verified: bool) -> Badge {
    if verified {
        Badge { sign: "✓", word: "verified".into(), class: "good" }
    } else {
        Badge { sign: "○", word: "self-reported".into(), class: "open" }
    }
}

fn view<'a>(
    context: &Context<'a>,
    lookup: &Lookup<'a>,
    board: &'a Board,
    speedup: &'a SpeedupBoard,
    results: &'a SpeedupStandings,
) -> BoardPage {
    let study = lookup.study;
    let place = SpeedupPlace { board, speedup, results };
    let answer = headline::answer(study, place);
    let frame = context.frame(
        &path::board(&study.id, &board.id),
        &board.title,
        &format!("{} Speedups over {}.", answer, speedup.baseline.name),
        &[study_crumb(study)],
    );
    let mut notes = Notes::default();
    let operators = headline::operator_table(lookup, place, &frame, &mut notes);
    let shapes = shape_table::shape_table(lookup, place, &frame, &mut notes);
    notes.show(&lookup.board_notes(board));
    let shape_label = study.labels.shape.to_lowercase();
    let mut facts = vec![
        format!("speedup over {}", speedup.baseline.name),
        format::count(speedup.shapes.len(), &shape_label, &headline::plural(&shape_label)),
    ];
    let hardware = headline::hardware(context, study);
    if !hardware.is_empty() {
        facts.push(hardware);
    }
    facts.push(match speedup.failed {
        FailedPolicy::Exclude => "failed retests are left out".into(),
        FailedPolicy::AsIs => "failed retests count and are marked".into(),
    });
    if study.tie_band > 0.0 {
        facts.push(format!("a tie is within {}", format::percent(study.tie_band)));
    }
    let mut downloads =
        vec![Link::new("This board as JSON", frame.to(&path::api_board(&study.id, &board.id)))];
    downloads.extend(results.operators.iter().map(|operator| {
        Link::new(
            format!("{} as JSON", lookup.operator_name(&operator.operator)),
            frame.to(&path::api_board_operator(&study.id, &board.id, &operator.operator)),
        )
    }));
    downloads.push(Link::new("All latencies as CSV", frame.to(&path::api_latencies(&study.id))));
    BoardPage {
        study: study.id.to_string(),
        board: board.id.to_string(),
        facts,
        answer,
        standing: words::standing(speedup, &results.overall, &results.comparisons),
        baseline: speedup.baseline.name.clone(),
        operators_first: operators.has_bars,
        operators,
        overall: overall(lookup, place, &frame),
        shapes,
        figure: figure(lookup, place, &frame),
        comparisons: comparison::rows(lookup, place),
        effect_columns: results
            .operators
            .iter()
            .map(|operator| lookup.operator_name(&operator.operator).to_owned())
            .chain(["All".to_owned()])
            .collect(),
        effects: comparison::effects(place),
        claims: claims::rows(context, lookup, Some(&board.id), &frame, &mut notes),
        evidence: evidence_rows(context, lookup, results, &frame),
        downloads,
        cite: cite::board(context, study, board, &frame),
        notes: notes.finish(&frame),
        frame,
    }
}

/// The page, and its figure as files.
pub(super) fn files<'a>(
    context: &Context<'a>,
    lookup: &Lookup<'a>,
    board: &'a Board,
    speedup: &'a SpeedupBoard,
    results: &'a SpeedupStandings,
) -> Vec<File> {
    let id = &lookup.study.id;
    let view = view(context, lookup, board, speedup, results);
    page_with(path::board(id, &board.id), &view, &view.figure)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::view::fixture;

    #[test]
    fn shows_standings_with_what_they_stand_on() {
        fixture::with(|context| {
            let lookup = &context.studies[0];
            let place = lookup.speedup_boards()[0];
            insta::assert_json_snapshot!(view(
                context,
                lookup,
                place.board,
                place.speedup,
                place.results
            ));
        });
    }
}
