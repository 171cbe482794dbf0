//! Prints, as JSON, what the build would print for every board and every implementation as its
//! baseline: what the page's script is held against.
//!
//! `cargo run --release --example baselines -- data > baselines.json`
//!
//! Per board (and for each study as a whole) there are three kinds of cases: `own`, the board's
//! contenders over one implementation; `pair`, one implementation over another; and `compare`,
//! all pairs of implementations by the board's own rules, its baseline in between.

use std::{
    io::{BufWriter, Write as _},
    path::Path,
};

use anyhow::{Context as _, bail};
use indexmap::IndexMap;
use paceboard::{
    input,
    model::{
        Board, BoardId, BoardKind, ClassId, Contender, ContenderId, FailedPolicy, FigureKind,
        ImplementationId, Members, Model, ShapeKey, SpeedupBoard, Study,
    },
    site::format,
    standings::{self, BoardStandings, ContenderStanding, Estimate, IntervalKind, Verdict},
};
use serde::Serialize;

/// What a case is over: a board's rules, or the whole study.
struct Rules {
    board: Option<BoardId>,
    classes: Vec<ClassId>,
    shapes: Vec<ShapeKey>,
    failed: FailedPolicy,
}

/// A board to compute, and what it is for.
struct Asked {
    board: Option<BoardId>,
    kind: &'static str,
    baseline: Option<ImplementationId>,
}

#[derive(Serialize)]
struct Case {
    study: String,
    board: Option<BoardId>,
    kind: &'static str,
    baseline: Option<ImplementationId>,
    operators: Vec<(String, Vec<Standing>)>,
    overall: Vec<Standing>,
    shapes: Vec<(String, Vec<Option<Value>>)>,
    comparisons: Vec<Pair>,
}

/// Value, low, high, kind, and both as printed.
#[derive(Serialize)]
struct Value(f64, Option<f64>, Option<f64>, Option<IntervalKind>, Option<Verdict>, String, String);

#[derive(Serialize)]
struct Standing {
    contender: String,
    value: Option<Value>,
    counted: usize,
    total: usize,
    failed: usize,
    rank: Option<usize>,
}

#[derive(Serialize)]
struct Pair {
    contender: String,
    against: String,
    value: Option<Value>,
    common: usize,
    through: usize,
}

fn value(estimate: &Estimate, verdict: Option<Verdict>) -> Value {
    let Estimate { value, interval } = estimate;
    Value(
        *value,
        interval.map(|bounds| bounds.low),
        interval.map(|bounds| bounds.high),
        interval.map(|bounds| bounds.kind),
        verdict,
        format::speedup(*value),
        interval.as_ref().map_or_else(String::new, format::interval),
    )
}

fn standing(of: &ContenderStanding) -> Standing {
    Standing {
        contender: of.contender.to_string(),
        value: of.geomean.as_ref().map(|mean| value(mean, of.verdict)),
        counted: of.counted,
        total: of.total,
        failed: of.failed.len(),
        rank: of.rank,
    }
}

fn copy(of: &Contender) -> Contender {
    let members = match &of.members {
        Members::Everywhere(all) => Members::Everywhere(all.clone()),
        Members::PerOperator(table) => Members::PerOperator(table.clone()),
    };
    Contender { id: of.id.clone(), name: of.name.clone(), members }
}

fn alone(id: &ImplementationId) -> anyhow::Result<Contender> {
    let members = Members::Everywhere(vec![id.clone()]);
    // Ids of contenders and implementations have the same form.
    let id = ContenderId::parse(id.as_str()).map_err(|_| anyhow::anyhow!("{id}"))?;
    Ok(Contender { name: id.to_string(), id, members })
}

/// Takes the study's boards out and puts in those that are asked for.
fn ask(study: &mut Study) -> anyhow::Result<Vec<Asked>> {
    let mut classes: Vec<ClassId> = Vec::new();
    for batch in study.batches.values() {
        if !classes.contains(&batch.class) {
            classes.push(batch.class.clone());
        }
    }
    let whole = Rules {
        board: None,
        classes,
        shapes: study.shapes.keys().cloned().collect(),
        failed: FailedPolicy::Exclude,
    };
    let mut asked = Vec::new();
    let mut boards: IndexMap<BoardId, Board> = IndexMap::new();
    let mut add = |rules: &Rules,
                   kind: &'static str,
                   baseline: Contender,
                   contenders: Vec<Contender>,
                   implementation: Option<&ImplementationId>|
     -> anyhow::Result<()> {
        let id = format!("b{}", asked.len());
        let id = BoardId::parse(&id).map_err(|_| anyhow::anyhow!("{id}"))?;
        asked.push(Asked { board: rules.board.clone(), kind, baseline: implementation.cloned() });
        let speedup = SpeedupBoard {
            classes: rules.classes.clone(),
            shapes: rules.shapes.clone(),
            failed: rules.failed,
            figure: FigureKind::None,
            baseline,
            contenders,
            effects: Vec::new(),
        };
        boards.insert(
            id.clone(),
            Board {
                id,
                title: String::new(),
                kind: BoardKind::Speedup(speedup),
                span: study.span.clone(),
            },
        );
        Ok(())
    };
    let ids: Vec<ImplementationId> = study.implementations.keys().cloned().collect();
    let singles = || ids.iter().map(alone).collect::<anyhow::Result<Vec<_>>>();
    let own = std::mem::take(&mut study.boards);
    for board in own.values() {
        let BoardKind::Speedup(of) = &board.kind else { continue };
        let rules = Rules {
            board: Some(board.id.clone()),
            classes: of.classes.clone(),
            shapes: of.shapes.clone(),
            failed: of.failed,
        };
        add(&rules, "own", copy(&of.baseline), of.contenders.iter().map(copy).collect(), None)?;
        add(&rules, "compare", copy(&of.baseline), singles()?, None)?;
        for id in &ids {
            let contenders = of.contenders.iter().map(copy).collect();
            add(&rules, "own", alone(id)?, contenders, Some(id))?;
            add(&rules, "pair", alone(id)?, singles()?, Some(id))?;
        }
    }
    for id in &ids {
        add(&whole, "pair", alone(id)?, singles()?, Some(id))?;
    }
    study.boards = boards;
    study.claims.clear();
    Ok(asked)
}

fn cases(model: &mut Model) -> anyhow::Result<Vec<Case>> {
    let mut asked: Vec<(String, Vec<Asked>)> = Vec::new();
    for (id, study) in &mut model.studies {
        asked.push((id.to_string(), ask(study)?));
    }
    let results = standings::compute(model);
    let mut cases = Vec::new();
    for ((study, asked), results) in asked.into_iter().zip(results.studies.into_values()) {
        for (asked, board) in asked.into_iter().zip(results.boards.into_values()) {
            let BoardStandings::Speedup(board) = board else { continue };
            let is_pair = asked.kind == "pair";
            let shapes = board.operators.iter().flat_map(|operator| &operator.shapes);
            let comparisons = if is_pair { Vec::new() } else { board.comparisons };
            cases.push(Case {
                study: study.clone(),
                board: asked.board,
                kind: asked.kind,
                baseline: asked.baseline,
                overall: board.overall.iter().map(standing).collect(),
                shapes: shapes
                    .map(|shape| {
                        let cells = shape.results.iter().map(|result| {
                            let speedup = result.outcome.as_ref().ok()?;
                            Some(value(&speedup.estimate, Some(speedup.verdict)))
                        });
                        (shape.key.to_string(), cells.collect())
                    })
                    .collect(),
                comparisons: comparisons
                    .iter()
                    .map(|pair| Pair {
                        contender: pair.contender.to_string(),
                        against: pair.against.to_string(),
                        value: pair.ratio.as_ref().map(|ratio| value(ratio, pair.verdict)),
                        common: pair.common,
                        through: pair.through_baseline,
                    })
                    .collect(),
                operators: board
                    .operators
                    .iter()
                    .map(|one| {
                        (one.operator.to_string(), one.results.iter().map(standing).collect())
                    })
                    .collect(),
            });
        }
    }
    Ok(cases)
}

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder] = &arguments[..] else { bail!("usage: baselines DATA") };
    let input = input::load(Path::new(folder), None)?;
    let mut model = input.model.with_context(|| format!("{folder} has faults"))?;
    let cases = cases(&mut model)?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    serde_json::to_writer(&mut out, &cases)?;
    out.flush()?;
    Ok(())
}
