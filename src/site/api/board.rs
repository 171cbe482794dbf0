//! `boards/<board>.json`: a board's results.

use serde::Serialize;
use serde_json::Value;

use super::{Bounds, kind, text};
use crate::{
    model::{Board, BoardKind, Column, ColumnType, Printed, ShapeKey, SpeedupBoard, Study},
    standings::{
        BoardStandings, ContenderStanding, EffectResult, IntervalKind, MacroEvalRow,
        MacroEvalStandings, OperatorStandings, SpeedupStandings, Verdict, Weighted,
    },
};

/// The file of a board; none if the results are not of the board's kind.
pub fn json(study: &Study, board: &Board, standings: &BoardStandings) -> Option<String> {
    match (&board.kind, standings) {
        (BoardKind::Speedup(kind), BoardStandings::Speedup(results)) => {
            Some(text(&speedup(study, board, kind, results)))
        }
        (BoardKind::MacroEval { tau, lambda }, BoardStandings::MacroEval(results)) => {
            Some(text(&macroeval(study, board, (*tau, *lambda), results)))
        }
        (BoardKind::Table(kind), BoardStandings::Table) => {
            Some(text(&table(study, board, &kind.file, &kind.columns)))
        }
        _ => None,
    }
}

#[derive(Serialize)]
struct Named<'a> {
    id: &'a str,
    name: &'a str,
}

#[derive(Serialize)]
struct Speedup<'a> {
    study: &'a str,
    board: &'a str,
    kind: &'static str,
    title: &'a str,
    baseline: Named<'a>,
    contenders: Vec<Named<'a>>,
    operators: Vec<Operator<'a>>,
    overall: Vec<Standing<'a>>,
    effects: Vec<Effect<'a>>,
}

#[derive(Serialize)]
struct Operator<'a> {
    id: &'a str,
    name: &'a str,
    shapes_total: usize,
    results: Vec<Standing<'a>>,
}

#[derive(Serialize)]
struct Standing<'a> {
    contender: &'a str,
    geomean: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    interval: Option<IntervalKind>,
    counted: usize,
    missing: Vec<String>,
    verdict: Option<Verdict>,
    rank: Option<usize>,
}

#[derive(Serialize)]
struct Effect<'a> {
    id: &'a str,
    operator: Option<&'a str>,
    value: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    counted: usize,
}

fn speedup<'a>(
    study: &'a Study,
    board: &'a Board,
    kind_of: &'a SpeedupBoard,
    results: &'a SpeedupStandings,
) -> Speedup<'a> {
    let named =
        |contender: &'a crate::model::Contender| Named { id: &contender.id, name: &contender.name };
    Speedup {
        study: &study.id,
        board: &board.id,
        kind: kind(board),
        title: &board.title,
        baseline: named(&kind_of.baseline),
        contenders: kind_of.contenders.iter().map(named).collect(),
        operators: results.operators.iter().map(|results| operator(study, results)).collect(),
        overall: results.overall.iter().map(|of| standing(of, ShapeKey::to_string)).collect(),
        effects: results.effects.iter().map(effect).collect(),
    }
}

fn operator<'a>(study: &'a Study, results: &'a OperatorStandings) -> Operator<'a> {
    let id = &results.operator;
    Operator {
        id,
        name: study.operators.get(id).map_or(id.as_str(), |operator| &operator.name),
        shapes_total: results.shapes.len(),
        results: results
            .results
            .iter()
            .map(|of| standing(of, |key| key.shape.to_string()))
            .collect(),
    }
}

fn standing(of: &ContenderStanding, name: impl Fn(&ShapeKey) -> String) -> Standing<'_> {
    let bounds = Bounds::of(of.geomean.as_ref());
    Standing {
        contender: &of.contender,
        geomean: of.geomean.map(|geomean| geomean.value),
        low: bounds.low,
        high: bounds.high,
        interval: bounds.kind,
        counted: of.counted,
        missing: of.missing.iter().map(name).collect(),
        verdict: of.verdict,
        rank: of.rank,
    }
}

fn effect(of: &EffectResult) -> Effect<'_> {
    let bounds = Bounds::of(of.estimate.as_ref());
    Effect {
        id: &of.effect,
        operator: of.operator.as_deref(),
        value: of.estimate.map(|estimate| estimate.value),
        low: bounds.low,
        high: bounds.high,
        counted: of.counted,
    }
}

#[derive(Serialize)]
struct MacroEval<'a> {
    study: &'a str,
    board: &'a str,
    kind: &'static str,
    title: &'a str,
    lambda: f64,
    tau: f64,
    rows: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    run: &'a str,
    agent: Option<&'a str>,
    mode: Option<&'a str>,
    subset: &'static str,
    items: usize,
    valid: usize,
    coverage_macro: f64,
    c_macro: f64,
    s_macro: Weighted,
    score: Weighted,
    rank: usize,
    families: Vec<Family<'a>>,
}

#[derive(Serialize)]
struct Family<'a> {
    id: &'a str,
    items: usize,
    valid: usize,
    c: f64,
    coverage: f64,
    s: Weighted,
}

fn macroeval<'a>(
    study: &'a Study,
    board: &'a Board,
    (tau, lambda): (f64, f64),
    results: &'a MacroEvalStandings,
) -> MacroEval<'a> {
    MacroEval {
        study: &study.id,
        board: &board.id,
        kind: kind(board),
        title: &board.title,
        lambda,
        tau,
        rows: results.rows.iter().map(|of| row(study, of)).collect(),
    }
}

fn row<'a>(study: &'a Study, of: &'a MacroEvalRow) -> Row<'a> {
    let run = study.macroeval.as_ref().and_then(|files| files.runs.get(&of.run));
    Row {
        run: &of.run,
        agent: run.map(|run| run.agent.as_str()),
        mode: run.map(|run| run.mode.as_str()),
        subset: of.subset.as_str(),
        items: of.items,
        valid: of.valid,
        coverage_macro: of.coverage_macro,
        c_macro: of.c_macro,
        s_macro: of.s_macro,
        score: of.score,
        rank: of.rank.blend,
        families: of
            .families
            .iter()
            .map(|family| Family {
                id: &family.family,
                items: family.items,
                valid: family.valid,
                c: family.c,
                coverage: family.coverage,
                s: family.s,
            })
            .collect(),
    }
}

#[derive(Serialize)]
struct Table<'a> {
    study: &'a str,
    board: &'a str,
    kind: &'static str,
    title: &'a str,
    columns: Vec<TableColumn<'a>>,
    rows: Vec<Vec<Value>>,
}

#[derive(Serialize)]
struct TableColumn<'a> {
    id: &'a str,
    title: &'a str,
    #[serde(rename = "type")]
    kind: &'static str,
    unit: Option<&'a str>,
}

fn table<'a>(study: &'a Study, board: &'a Board, file: &str, columns: &'a [Column]) -> Table<'a> {
    let rows = study.tables.get(file).map_or_else(Vec::new, |table| {
        let places: Vec<Option<usize>> = columns
            .iter()
            .map(|column| table.header.iter().position(|name| *name == column.id))
            .collect();
        let cells = |row: &Vec<String>| {
            let cell = |place: &Option<usize>| place.and_then(|place| row.get(place));
            let values = columns.iter().zip(&places);
            values.map(|(column, place)| value(column.kind, cell(place))).collect()
        };
        table.rows.iter().map(cells).collect()
    });
    Table {
        study: &study.id,
        board: &board.id,
        kind: kind(board),
        title: &board.title,
        columns: columns
            .iter()
            .map(|column| TableColumn {
                id: &column.id,
                title: &column.title,
                kind: match column.kind {
                    ColumnType::Text => "text",
                    ColumnType::Number => "number",
                    ColumnType::Ratio => "ratio",
                    ColumnType::Share => "share",
                },
                unit: column.unit.as_deref(),
            })
            .collect(),
        rows,
    }
}

/// A cell: null if empty, a number where the column says so and it is one, else its text.
fn value(kind: ColumnType, cell: Option<&String>) -> Value {
    match cell.map_or("", String::as_str) {
        "" => Value::Null,
        text if kind == ColumnType::Text => text.into(),
        text => Printed::parse(text).map_or_else(|_| text.into(), |number| number.value().into()),
    }
}
