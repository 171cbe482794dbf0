//! `badges/<board>.json` and `badges/<board>/<operator>.json`: who is ahead, for the endpoint
//! badges of shields.io (<https://shields.io/badges/endpoint-badge>).
//!
//! A badge says no more than the pages do: their words where an order is open, a number only
//! where one contender is ahead.

use serde::Serialize;

use super::text;
use crate::{
    model::{Board, BoardKind, SpeedupBoard, Study, Subset},
    site::{File, format, path, view},
    standings::{
        BoardStandings, Comparison, ContenderStanding, MacroEvalStandings, SpeedupStandings,
        Verdict,
    },
};

#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Badge<'a> {
    schema_version: u8,
    label: &'a str,
    message: String,
    color: &'static str,
}

/// The badges of a board; none of a table, which has no order.
pub fn files(study: &Study, board: &Board, standings: &BoardStandings) -> Vec<File> {
    match (&board.kind, standings) {
        (BoardKind::Speedup(kind), BoardStandings::Speedup(results)) => {
            speedups(study, board, kind, results)
        }
        (BoardKind::MacroEval { .. }, BoardStandings::MacroEval(results)) => {
            let badge = text(&macroeval(study, board, results));
            vec![File::text(path::api_badge(&study.id, &board.id), badge)]
        }
        _ => Vec::new(),
    }
}

fn speedups(
    study: &Study,
    board: &Board,
    kind: &SpeedupBoard,
    results: &SpeedupStandings,
) -> Vec<File> {
    let overall = speedup(&board.title, kind, &results.overall, &results.comparisons);
    let overall = File::text(path::api_badge(&study.id, &board.id), text(&overall));
    let of_operators = results.operators.iter().map(|operator| {
        let id = &operator.operator;
        let name = study.operators.get(id).map_or(id.as_str(), |row| &row.name);
        let badge = speedup(name, kind, &operator.results, &operator.comparisons);
        File::text(path::api_badge_operator(&study.id, &board.id, id), text(&badge))
    });
    std::iter::once(overall).chain(of_operators).collect()
}

fn speedup<'a>(
    label: &'a str,
    board: &SpeedupBoard,
    results: &[ContenderStanding],
    comparisons: &[Comparison],
) -> Badge<'a> {
    let standing = view::words::standing(board, results, comparisons);
    let leaders: Vec<&ContenderStanding> =
        results.iter().filter(|one| one.rank == Some(1)).collect();
    let (message, color) = match leaders.as_slice() {
        [one] if one.verdict == Some(Verdict::Faster) => {
            let name = board.contender(&one.contender).map_or("", |of| &of.name);
            let speedup = format::speedup_or_none(one.geomean.as_ref());
            let count = format::n_of(one.counted, one.total);
            (format!("{name} {speedup} ({count})"), "brightgreen")
        }
        _ => {
            let color = match (standing.class, leaders.first().and_then(|one| one.verdict)) {
                // A contender is not, so the baseline is.
                ("ahead", _) | ("only", Some(Verdict::Slower)) => "red",
                ("tie", _) | ("only", Some(Verdict::Tie)) => "blue",
                ("open" | "only", _) => "yellow",
                _ => "lightgrey",
            };
            let only = standing.class == "only";
            let detail = if only { format!(", {}", standing.detail) } else { String::new() };
            (standing.words + &detail, color)
        }
    };
    Badge { schema_version: 1, label, message, color }
}

/// Who has the highest score of the first subset that has one.
fn macroeval<'a>(study: &Study, board: &'a Board, results: &MacroEvalStandings) -> Badge<'a> {
    let name = |id| {
        let runs = study.macroeval.as_ref().map(|files| &files.runs);
        runs.and_then(|runs| runs.get(id)).map_or("", |run| &run.name)
    };
    let leaders = |subset| {
        let rows = results.rows.iter().filter(move |row| row.subset == subset);
        let leading = rows.filter(|row| row.rank.blend == 1);
        leading.filter_map(|row| Some((row, row.score.blend?))).collect::<Vec<_>>()
    };
    let leaders = Subset::ALL.into_iter().map(leaders).find(|found| !found.is_empty());
    let (message, color) = match leaders.unwrap_or_default().as_slice() {
        [] => ("no result".to_owned(), "lightgrey"),
        [(row, score)] => {
            let (score, count) = (format::decimals(*score, 3), format::n_of(row.valid, row.items));
            (format!("{} {score} ({count} valid)", name(&row.run)), "blue")
        }
        several => {
            let names: Vec<&str> = several.iter().map(|(row, _)| name(&row.run)).collect();
            (format!("{} tie", names.join(" and ")), "blue")
        }
    };
    Badge { schema_version: 1, label: &board.title, message, color }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::api::example;

    #[test]
    fn a_badge_says_who_is_ahead() {
        let (model, standings) = (example::model(), example::standings());
        let study = &model.studies["s"];
        let files: Vec<(String, String)> = study
            .boards
            .values()
            .flat_map(|board| files(study, board, &standings.studies["s"].boards[&board.id]))
            .map(|file| (file.path, String::from_utf8(file.bytes).unwrap()))
            .collect();
        let of = |label: &str, message: &str, color: &str| {
            format!(
                "{{\"schemaVersion\":1,\"label\":\"{label}\",\"message\":\"{message}\",\
                 \"color\":\"{color}\"}}\n"
            )
        };
        let expected = [
            ("main", of("Main", "Ours 1.25× (2 of 3)", "brightgreen")),
            ("main/gemm", of("GEMM", "Ours 1.25× (2 of 3)", "brightgreen")),
        ];
        for ((path, text), (name, badge)) in files.iter().zip(expected) {
            assert_eq!(path, &format!("api/v1/s/badges/{name}.json"));
            assert_eq!(*text, badge);
        }
        assert_eq!(files.len(), 3, "{files:?}");
    }

    #[test]
    fn a_badge_does_not_decide_what_is_open() {
        let (model, standings) = (example::model(), example::standings());
        let study = &model.studies["s"];
        let BoardKind::Speedup(board) = &study.boards["main"].kind else { panic!() };
        let BoardStandings::Speedup(results) = &standings.studies["s"].boards["main"] else {
            panic!()
        };
        let check = |verdict, message: &str, color| {
            let mut overall = results.overall.clone();
            overall[0].verdict = Some(verdict);
            let badge = speedup("Main", board, &overall, &results.comparisons);
            assert_eq!((badge.message.as_str(), badge.color), (message, color));
        };
        // The other contender has no result here.
        check(Verdict::Undecided, "only Ours, undecided against Library", "yellow");
        check(Verdict::Tie, "only Ours, tie with Library", "blue");
        check(Verdict::Slower, "only Ours, slower than Library", "red");
        let none = speedup("Main", board, &[], &[]);
        assert_eq!((none.message.as_str(), none.color), ("no result", "lightgrey"));
    }
}
