//! Published figures beside what the data gives.

use serde::Serialize;

use super::{
    context::{Context, Frame, Link},
    lookup::Lookup,
    notes::{NoteMark, Notes},
    words::{self, Badge},
};
use crate::{
    model::{Board, BoardId, BoardKind, Claim, Statistic},
    site::{format, path},
    standings::{ClaimResult, ClaimVerdict},
};

/// A claim with its verdict.
#[derive(Debug, Clone, Serialize)]
pub(super) struct ClaimRow {
    pub id: String,
    /// What is claimed: `geomean of JustGoal on FA4 forward`.
    pub what: String,
    pub board: Link,
    pub published: String,
    pub recomputed: String,
    pub bounds: String,
    pub badge: Badge,
    /// Where it was published.
    pub origin: String,
    /// The shapes it was recomputed over.
    pub inputs: Vec<Link>,
    pub inputs_count: String,
    pub source: Link,
    pub marks: Vec<NoteMark>,
}

/// Claims about a board, or about all.
pub(super) fn rows<'a>(
    context: &Context<'a>,
    lookup: &Lookup<'a>,
    board: Option<&BoardId>,
    frame: &Frame,
    notes: &mut Notes<'a>,
) -> Vec<ClaimRow> {
    let mut results: Vec<(&Claim, &ClaimResult)> = lookup
        .standings
        .claims
        .iter()
        .filter_map(|result| Some((lookup.study.claims.get(result.claim)?, result)))
        .filter(|(claim, _)| board.is_none_or(|board| *board == claim.board))
        .collect();
    // What does not match comes first; within a verdict the order of the file stays.
    results.sort_by_key(|(_, result)| match result.verdict {
        ClaimVerdict::Differs => 0,
        ClaimVerdict::NotComputable => 1,
        ClaimVerdict::WithinRounding => 2,
        ClaimVerdict::Matches => 3,
    });
    results
        .into_iter()
        .map(|(claim, result)| row(context, lookup, claim, result, frame, notes))
        .collect()
}

fn row<'a>(
    context: &Context<'a>,
    lookup: &Lookup<'a>,
    claim: &'a Claim,
    result: &ClaimResult,
    frame: &Frame,
    notes: &mut Notes<'a>,
) -> ClaimRow {
    let study = lookup.study;
    let board = study.boards.get(&claim.board);
    let text = |value: f64| recomputed(&claim.statistic, value, claim.value.decimals);
    let (value, bounds) = match &result.recomputed {
        None => ("not computable".to_owned(), String::new()),
        Some(one) if one.low.to_bits() == one.high.to_bits() => (text(one.value), String::new()),
        Some(one) => (text(one.value), format!("{}–{}", text(one.low), text(one.high))),
    };
    let marked: Vec<_> = claim.notes.iter().filter_map(|id| study.notes.get(id)).collect();
    ClaimRow {
        id: claim.id.to_string(),
        what: what(lookup, board, claim),
        board: board.map_or_else(Link::default, |board| {
            Link::new(&board.title, frame.to(&path::board(&study.id, &board.id)))
        }),
        published: claim.value.text.to_string(),
        recomputed: value,
        bounds,
        badge: words::claim_verdict(result.verdict),
        origin: claim.source.clone().unwrap_or_default(),
        inputs: result
            .inputs
            .iter()
            .map(|key| {
                let name =
                    format!("{}, {}", lookup.operator_name(&key.operator), lookup.shape_name(key));
                Link::new(name, frame.to(&path::shape(&study.id, key)))
            })
            .collect(),
        inputs_count: format::count(result.inputs.len(), "input", "inputs"),
        source: context.source(&claim.span),
        marks: notes.marks(&marked),
    }
}

/// Two digits more than were published, so that a difference shows; counts as they are.
fn recomputed(statistic: &Statistic, value: f64, decimals: i32) -> String {
    match statistic {
        Statistic::Rank(_)
        | Statistic::N
        | Statistic::Wins
        | Statistic::Losses
        | Statistic::Ties
        | Statistic::Valid => format::decimals(value, 0),
        _ => format::decimals(value, usize::try_from(decimals.max(0) + 2).unwrap_or(2)),
    }
}

fn what(lookup: &Lookup<'_>, board: Option<&Board>, claim: &Claim) -> String {
    let study = lookup.study;
    let statistic = match &claim.statistic {
        Statistic::Effect(id) => board
            .and_then(|board| match &board.kind {
                BoardKind::Speedup(speedup) => {
                    speedup.effects.iter().find(|effect| effect.id == *id)
                }
                _ => None,
            })
            .map_or_else(|| claim.statistic_text.clone(), |effect| effect.name.clone()),
        Statistic::N => "number of shapes counted".into(),
        _ => claim.statistic_text.clone(),
    };
    let contender_name = |board: Option<&Board>, id: &str| {
        board
            .and_then(|board| match &board.kind {
                BoardKind::Speedup(speedup) => speedup.contender(id).map(|one| one.name.clone()),
                _ => None,
            })
            .unwrap_or_else(|| id.to_owned())
    };
    let mut what = statistic;
    if let Some(contender) = &claim.contender {
        what = format!("{what} of {}", contender_name(board, contender));
    }
    if let Some(against) = &claim.against {
        let name = match against.split_once('/') {
            Some((other, id)) => contender_name(study.boards.get(other), id),
            None => contender_name(board, against),
        };
        what = format!("{what} against {name}");
    }
    let operators: Vec<&str> = claim
        .operators
        .iter()
        .map(|id| study.operators.get(id.as_str()).map_or(id.as_str(), |one| one.name.as_str()))
        .collect();
    if !operators.is_empty() {
        what = format!("{what} on {}", words::list(&operators));
    }
    let shapes: Vec<&str> = claim.shapes.iter().map(String::as_str).collect();
    if !shapes.is_empty() {
        what = format!("{what}, {}", words::list(&shapes));
    }
    let mut letters = what.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
