//! Claims name boards and parts of them that exist.

use std::{collections::BTreeMap, ops::Range};

use indexmap::IndexMap;

use crate::{
    diagnostic::Code,
    input::{
        cell,
        faults::{Faults, nearest},
        row::Row,
        rules::{
            boards::{Outline, unknown_column},
            known::{self, StudyIds, find, unknown, words},
        },
        schema::{Entity, SUBSETS},
        source::shown,
    },
    model::{BoardId, Claim, ClaimId, Figure, Statistic, Table},
};

/// What claims are looked up in.
#[derive(Debug)]
pub struct Boards<'a> {
    /// The boards of the study.
    pub outlines: &'a IndexMap<BoardId, Outline>,
    /// Whether `study.toml` could be read.
    pub complete: bool,
    /// The tables of the study by path below it; none for one at fault.
    pub tables: &'a BTreeMap<String, Option<Table>>,
    /// The ids of the study.
    pub ids: &'a StudyIds,
}

/// Reads a claim.
pub fn claim(row: &Row, boards: &Boards, faults: &mut Faults) -> Option<Claim> {
    let notes = known::notes(boards.ids, row, faults);
    let board = board(row.text("board"), &row.range("board"), boards, faults);
    let mut operators = split(row, "operator");
    let mut shapes = split(row, "shape");
    if let Some((_, outline)) = board {
        match &*outline.kind {
            "speedup" => speedup(row, board?, boards, &operators, &shapes, faults),
            "macroeval" => macroeval(row, boards, &operators, &shapes, faults),
            "table" => shapes = table(row, outline, boards, faults),
            _ => {}
        }
    }
    let statistic_text = row.owned("statistic");
    let statistic = statistic_text.as_deref().and_then(Statistic::parse);
    if let (Some((id, outline)), Some(Statistic::Effect(effect))) = (board, &statistic)
        && !outline.effects.contains(effect.as_str())
    {
        let range = row.range("statistic");
        let range = range.start + "effect:".len()..range.end;
        let names = outline.effects.iter().map(String::as_str);
        unknown(Entity::Effect, effect, &range, &on(id), names, faults);
    }
    let (text, printed) = row.number("value")?;
    let texts = |list: &mut Vec<(&str, Range<usize>)>| {
        list.drain(..).map(|(text, _)| text.to_owned()).collect()
    };
    Some(Claim {
        id: ClaimId::parse(row.text("id")?).ok()?,
        board: board?.0.clone(),
        contender: row.owned("contender"),
        against: row.owned("against"),
        operators: texts(&mut operators),
        shapes: texts(&mut shapes),
        statistic: statistic?,
        statistic_text: statistic_text?,
        value: Figure::from_printed(text, printed),
        source: row.owned("source"),
        notes,
        span: row.span("value"),
    })
}

fn on(board: &BoardId) -> String {
    format!(" on the board `{board}`")
}

fn split<'r>(row: &Row<'r, '_>, column: &str) -> Vec<(&'r str, Range<usize>)> {
    let range = row.range(column);
    row.text(column).map_or(Vec::new(), |text| words(text, &range).collect())
}

fn board<'a>(
    id: Option<&str>,
    range: &Range<usize>,
    boards: &Boards<'a>,
    faults: &mut Faults,
) -> Option<(&'a BoardId, &'a Outline)> {
    let id = id?;
    let found = boards.outlines.get_key_value(id);
    if found.is_none() && cell::id(id, range, faults) && boards.complete {
        let names = boards.outlines.keys().map(BoardId::as_str);
        unknown(Entity::Board, id, range, "", names, faults);
    }
    found
}

fn contender(
    (id, outline): (&BoardId, &Outline),
    text: &str,
    range: &Range<usize>,
    faults: &mut Faults,
) {
    if !outline.contenders.contains(text) && cell::id(text, range, faults) {
        let names = outline.contenders.iter().map(String::as_str);
        unknown(Entity::Contender, text, range, &on(id), names, faults);
    }
}

fn speedup(
    row: &Row,
    board_of_claim: (&BoardId, &Outline),
    boards: &Boards,
    operators: &[(&str, Range<usize>)],
    shapes: &[(&str, Range<usize>)],
    faults: &mut Faults,
) {
    if let Some(text) = row.text("contender") {
        contender(board_of_claim, text, &row.range("contender"), faults);
    }
    if let Some(text) = row.text("against") {
        let range = row.range("against");
        match text.split_once('/') {
            None => contender(board_of_claim, text, &range, faults),
            Some((id, text)) => {
                let slash = range.start + id.len();
                if let Some(other) = board(Some(id), &(range.start..slash), boards, faults) {
                    contender(other, text, &(slash + 1..range.end), faults);
                }
            }
        }
    }
    let ids = boards.ids;
    let found: Vec<_> = operators
        .iter()
        .map(|(text, range)| find(&ids.operators, Entity::Operator, text, range, faults))
        .collect();
    for (text, range) in shapes {
        if text.contains('/') {
            ids.qualified_shape(text, range, faults);
        } else if let [operator] = &found[..] {
            if let Some(operator) = operator {
                ids.shape(operator, text, range, faults);
            }
        } else {
            faults.at(
                range.clone(),
                Code::AmbiguousShape,
                format!(
                    "the shape {} is named without its operator, and the claim names {}",
                    shown(text),
                    if found.is_empty() { "none" } else { "several" }
                ),
                "write `OPERATOR/SHAPE`, or name one operator",
            );
        }
    }
}

fn macroeval(
    row: &Row,
    boards: &Boards,
    operators: &[(&str, Range<usize>)],
    shapes: &[(&str, Range<usize>)],
    faults: &mut Faults,
) {
    for column in ["contender", "against"] {
        let Some(text) = row.text(column) else { continue };
        let range = row.range(column);
        let (run, subset) = text.split_once('/').map_or((text, None), |(run, s)| (run, Some(s)));
        let run_range = range.start..range.start + run.len();
        find(&boards.ids.runs, Entity::Run, run, &run_range, faults);
        if let Some(subset) = subset.filter(|subset| !SUBSETS.contains(subset)) {
            let help = match nearest(subset, SUBSETS.iter().copied()) {
                Some(known) => format!("did you mean `{known}`?"),
                None => format!("write one of `{}`", SUBSETS.join("`, `")),
            };
            faults.at(
                run_range.end + 1..range.end,
                Code::UnknownWord,
                format!("{} is none of `{}`", shown(subset), SUBSETS.join("`, `")),
                help,
            );
        }
    }
    for (text, range) in operators {
        find(&boards.ids.families, Entity::Family, text, range, faults);
    }
    for (text, range) in shapes {
        find(&boards.ids.items, Entity::Item, text, range, faults);
    }
}

/// Checks column and rows of a claim on a table, and gives its rows. The cell is one row's name
/// if there is such a row, else several separated by blanks.
fn table<'r>(
    row: &Row<'r, '_>,
    outline: &Outline,
    boards: &Boards,
    faults: &mut Faults,
) -> Vec<(&'r str, Range<usize>)> {
    let whole = row.text("shape").map(|text| (text, row.range("shape")));
    let file = outline.file.as_deref().unwrap_or_default();
    let Some(table) = boards.tables.get(file).and_then(Option::as_ref) else {
        return whole.into_iter().collect();
    };
    for column in ["contender", "against"] {
        let Some(name) = row.text(column) else { continue };
        if !table.header.iter().any(|known| known == name) {
            unknown_column(name, &row.range(column), file, &table.header, faults);
        }
    }
    let Some((text, range)) = whole else { return Vec::new() };
    let has_row =
        |name: &str| table.rows.iter().any(|cells| cells.first().is_some_and(|cell| cell == name));
    if has_row(text) {
        return vec![(text, range)];
    }
    let several: Vec<_> = words(text, &range).collect();
    let strangers: Vec<_> = several.iter().filter(|(name, _)| !has_row(name)).collect();
    // Where no word is a row, the cell as a whole was meant to be one.
    let (name, place) = match strangers[..] {
        [] => return several,
        [first, ..] if strangers.len() < several.len() => (first.0, first.1.clone()),
        _ => (text, range.clone()),
    };
    let names = table.rows.iter().filter_map(|cells| cells.first());
    let help = match nearest(name, names.map(String::as_str)) {
        Some(known) => format!("did you mean `{known}`?"),
        None => "write the first cell of a row, or several separated by blanks".to_owned(),
    };
    faults.at(
        place,
        Code::UnknownTableRow,
        format!("no row of `{file}` begins with {}", shown(name)),
        help,
    );
    several
}
