//! Cells of result tables: a number with its interval and its derivation one link away, or a
//! word in its place with the reason.

use serde::Serialize;

use super::{
    context::Frame,
    lookup::{Lookup, SpeedupPlace},
    notes::{NoteMark, Notes},
    words::{self, Badge},
};
use crate::{
    model::{Contender, ShapeKey},
    site::{format, path},
    standings::{ContenderStanding, NoSpeedup, OperatorStandings, ShapeResult},
};

/// A result in a table.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Cell {
    /// `1.66×`, or a word.
    pub text: String,
    /// Where it is derived, or where the reason stands; empty if nowhere.
    pub href: String,
    /// `1.58–1.91`, or the reason.
    pub detail: String,
    /// The number in full, to sort by; empty where it is a word.
    pub sort: String,
    /// `4 of 4`; empty where it is one value.
    pub count: String,
    /// Whether a word stands in place of the number.
    pub is_word: bool,
    pub badges: Vec<Badge>,
    pub marks: Vec<NoteMark>,
}

/// The mark of a result that counts in spite of a failed retest.
pub(super) fn failed_badge() -> Badge {
    Badge { sign: "✗", word: "failed retest".into(), class: "bad" }
}

/// The mark of a result that a replication does not share.
pub(super) fn not_replicated_badge() -> Badge {
    Badge { sign: "≠", word: "not replicated".into(), class: "open" }
}

/// A contender's geomean over an operator or a board.
pub(super) fn geomean(
    lookup: &Lookup<'_>,
    place: SpeedupPlace<'_>,
    operator: Option<&OperatorStandings>,
    standing: &ContenderStanding,
    href: String,
) -> Cell {
    let count = format::n_of(standing.counted, standing.total);
    let Some(geomean) = &standing.geomean else {
        let (word, reason) = why_none(lookup, place, operator, standing)
            .unwrap_or_else(|| ("no result".to_owned(), "No shape counts.".to_owned()));
        return Cell { text: word, href, detail: reason, count, is_word: true, ..Cell::default() };
    };
    let mut badges = Vec::new();
    if !standing.failed.is_empty() {
        badges.push(failed_badge());
    }
    Cell {
        text: format::speedup(geomean.value),
        sort: format::exact(geomean.value),
        href,
        detail: words::interval(geomean),
        count,
        badges,
        ..Cell::default()
    }
}

/// The word for an operator on which a contender has no speedup at all: its shapes' word where
/// they share one.
fn why_none(
    lookup: &Lookup<'_>,
    place: SpeedupPlace<'_>,
    operator: Option<&OperatorStandings>,
    standing: &ContenderStanding,
) -> Option<(String, String)> {
    let contender = place.speedup.contender(&standing.contender)?;
    let mut reasons: Vec<(String, String)> = Vec::new();
    let operators: Vec<&OperatorStandings> = match operator {
        Some(one) => vec![one],
        None => place.results.operators.iter().collect(),
    };
    for shape in operators.iter().flat_map(|operator| &operator.shapes) {
        for result in shape.results.iter().filter(|one| one.contender == standing.contender) {
            if let Err(reason) = &result.outcome {
                let why = lookup.why(place.speedup, contender, reason);
                if !reasons.contains(&why) {
                    reasons.push(why);
                }
            }
        }
    }
    let (word, reason) = reasons.first()?.clone();
    if reasons.iter().all(|(other, _)| *other == word) {
        Some((word, reason))
    } else {
        let mut all: Vec<&str> = Vec::new();
        for (word, _) in &reasons {
            if !all.contains(&word.as_str()) {
                all.push(word);
            }
        }
        Some((all.join(", "), "The reason differs from shape to shape.".into()))
    }
}

/// A contender's speedup on one shape.
pub(super) fn speedup<'a>(
    lookup: &Lookup<'a>,
    place: SpeedupPlace<'a>,
    key: &ShapeKey,
    result: &ShapeResult,
    frame: &Frame,
    notes: &mut Notes<'a>,
) -> Cell {
    let anchor = path::speedup_anchor(&place.board.id, &result.contender);
    let href = frame.to_place(&path::shape(&lookup.study.id, key), &anchor);
    match &result.outcome {
        Ok(speedup) => {
            let mut badges = vec![words::verdict(speedup.verdict)];
            if speedup.failed() {
                badges.push(failed_badge());
            }
            if speedup.not_replicated() {
                badges.push(not_replicated_badge());
            }
            Cell {
                text: format::speedup(speedup.estimate.value),
                sort: format::exact(speedup.estimate.value),
                href,
                detail: words::interval(&speedup.estimate),
                count: String::new(),
                is_word: false,
                badges,
                marks: notes.marks(&lookup.speedup_notes(speedup)),
            }
        }
        Err(reason) => missing(lookup, place, &result.contender, reason, href),
    }
}

fn missing<'a>(
    lookup: &Lookup<'a>,
    place: SpeedupPlace<'a>,
    contender: &str,
    reason: &NoSpeedup,
    href: String,
) -> Cell {
    let (text, detail) = place
        .speedup
        .contender(contender)
        .map(|contender: &Contender| lookup.why(place.speedup, contender, reason))
        .unwrap_or_default();
    Cell { text, href, detail, is_word: true, ..Cell::default() }
}
