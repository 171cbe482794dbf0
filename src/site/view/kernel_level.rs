//! Kernels alone against whole models, run by run: the two rankings side by side.
//!
//! The kernel level is read from any table board of the study that has a run, a level, a count of
//! correct operators and their geomean in each row.

use serde::Serialize;

use super::{
    context::{Context, Frame, Link},
    figure::{self, FigureView},
    headline,
    lookup::Lookup,
};
use crate::{
    model::{BoardId, BoardKind, MacroEval, RunId, Table},
    site::{
        chart::{Mark, Scatter},
        format, path,
    },
    standings::{MacroEvalRow, macroeval::pooled_geomean},
};

/// Names of the columns that make a table one of kernels by level.
const COLUMNS: [&str; 4] = ["run", "level", "correct", "geomean"];

/// Both rankings, and the figure of one against the other.
#[derive(Serialize)]
pub(super) struct KernelLevel {
    pub message: String,
    pub source: Link,
    #[serde(skip)]
    pub figure: FigureView,
    pub subset: String,
    pub rows: Vec<KernelRow>,
}

/// A run in both rankings.
#[derive(Serialize)]
pub(super) struct KernelRow {
    pub run: Link,
    pub correct: String,
    pub geomean: String,
    pub kernel_rank: String,
    pub rank: String,
    pub score: String,
    /// `▲ 8 places higher`.
    pub moves: String,
}

/// A run with its kernels alone.
struct Entry<'r, 'a> {
    row: &'r MacroEvalRow,
    name: &'a str,
    correct: u32,
    geomean: f64,
}

/// The correct operators of a run over all levels, and their geomean.
fn kernels(table: &Table, places: [usize; 4], run: &RunId) -> Option<(u32, f64)> {
    let [of, _, correct, geomean] = places;
    let groups: Vec<(u32, Option<f64>)> = table
        .rows
        .iter()
        .filter(|row| *row[of] == **run)
        .map(|row| Some((row[correct].parse().ok()?, row[geomean].parse().ok())))
        .collect::<Option<_>>()?;
    Some((groups.iter().map(|group| group.0).sum(), pooled_geomean(groups)?))
}

/// `1 + the number of higher values`.
fn rank(values: &[f64], own: f64) -> usize {
    1 + values.iter().filter(|value| **value > own).count()
}

fn moves(kernel: usize, whole: usize) -> String {
    let places = |by| format::count(by, "place", "places");
    match kernel.cmp(&whole) {
        std::cmp::Ordering::Greater => format!("▲ {} higher", places(kernel - whole)),
        std::cmp::Ordering::Less => format!("▼ {} lower", places(whole - kernel)),
        std::cmp::Ordering::Equal => "= the same place".into(),
    }
}

/// What the two rankings say of those who lead them.
fn message(entries: &[Entry<'_, '_>], ranks: &[usize]) -> String {
    let fastest = entries.iter().zip(ranks).find(|(_, rank)| **rank == 1);
    let first = entries.iter().zip(ranks).find(|(entry, _)| entry.row.rank.blend == 1);
    let (Some((fastest, _)), Some((first, alone))) = (fastest, first) else {
        return String::new();
    };
    if fastest.row.run == first.row.run {
        return format!("{} leads both rankings.", first.name);
    }
    format!(
        "{} has the fastest kernels alone, {}, and is number {} of {} in models; {} leads there \
         and is number {alone} alone, with {}.",
        fastest.name,
        format::speedup(fastest.geomean),
        fastest.row.rank.blend,
        entries.len(),
        first.name,
        format::speedup(first.geomean),
    )
}

/// Both rankings of the runs of a subset that have kernels in a table of the study; none unless
/// there are at least two.
pub(super) fn kernel_level<'a>(
    context: &Context<'a>,
    lookup: &Lookup<'a>,
    macroeval: &'a MacroEval,
    (on, subset, rows): (&BoardId, &str, &[&MacroEvalRow]),
    frame: &Frame,
) -> Option<KernelLevel> {
    let study = lookup.study;
    let (board, table, places) = study.boards.values().find_map(|board| {
        let BoardKind::Table(of) = &board.kind else { return None };
        let table = study.tables.get(&of.file)?;
        let at = COLUMNS.map(|name| table.header.iter().position(|column| column == name));
        let [Some(run), Some(level), Some(correct), Some(geomean)] = at else { return None };
        Some((board, table, [run, level, correct, geomean]))
    })?;
    let entries: Vec<Entry<'_, 'a>> = rows
        .iter()
        .filter_map(|row| {
            let (correct, geomean) = kernels(table, places, &row.run)?;
            let name = &macroeval.runs.get(&row.run)?.name;
            Some(Entry { row, name, correct, geomean })
        })
        .collect();
    if entries.len() < 2 {
        return None;
    }
    let geomeans: Vec<f64> = entries.iter().map(|entry| entry.geomean).collect();
    let ranks: Vec<usize> = geomeans.iter().map(|own| rank(&geomeans, *own)).collect();
    let message = message(&entries, &ranks);
    let mut modes: Vec<String> = Vec::new();
    let mut points = Vec::new();
    for entry in &entries {
        let run = macroeval.runs.get(&entry.row.run)?;
        let series = modes.iter().position(|mode| *mode == run.mode).unwrap_or_else(|| {
            modes.push(run.mode.clone());
            modes.len() - 1
        });
        if let Some(score) = entry.row.score.blend {
            let name = run.agent.clone();
            let label = Some(name.clone());
            points.push(Mark { name, label, series, x: entry.geomean, y: score });
        }
    }
    let caption = "Each run's kernels alone against its score in whole models.";
    let at = figure::Place { study: &study.id, frame, caption };
    let figure = at.scatter(&Scatter {
        id: format!("kernels-and-models-{on}"),
        title: "Kernels alone against whole models".into(),
        message: message.clone(),
        x_axis: "Geomean of the correct kernels alone, × (higher is better)".into(),
        y_axis: format!("MacroEval score, {} (higher is better)", subset.to_lowercase()),
        points,
        series: modes,
        diagonal: false,
    });
    let mut by_kernels: Vec<usize> = (0..entries.len()).collect();
    by_kernels.sort_by_key(|&at| (ranks[at], entries[at].row.rank.blend, &entries[at].row.run));
    let shown = by_kernels.into_iter().map(|at| {
        let Entry { row, name, correct, geomean } = &entries[at];
        KernelRow {
            run: Link::new(*name, frame.to(&path::run(&study.id, &row.run))),
            correct: correct.to_string(),
            geomean: format::speedup(*geomean),
            kernel_rank: ranks[at].to_string(),
            rank: row.rank.blend.to_string(),
            score: row
                .score
                .blend
                .map_or_else(|| format::NONE.to_owned(), |score| format::decimals(score, 3)),
            moves: moves(ranks[at], row.rank.blend),
        }
    });
    let rows = shown.collect();
    // Where the rows of the table stand in the data.
    let file = table.spans.first().map_or_else(Link::default, |span| context.source(span));
    let link = headline::board_link(study, board, frame);
    Some(KernelLevel {
        message,
        source: if link.href.is_empty() { file } else { link },
        figure,
        subset: subset.to_owned(),
        rows,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_of_a_run_are_pooled() {
        let texts = [
            ["a", "L1", "2", "4.0"],
            ["a", "L2", "1", "0.25"],
            ["b", "L1", "0", ""],
            ["c", "L1", "x", "1"],
        ];
        let table = Table {
            header: COLUMNS.map(str::to_owned).to_vec(),
            rows: texts.iter().map(|row| row.map(str::to_owned).to_vec()).collect(),
            spans: Vec::new(),
        };
        let of = |run: &str| kernels(&table, [0, 1, 2, 3], &RunId::parse(run).unwrap());
        let (correct, geomean) = of("a").unwrap();
        assert_eq!(correct, 3);
        assert!((geomean - 4.0_f64.cbrt()).abs() < 1e-12);
        assert_eq!(of("b"), None);
        assert_eq!(of("c"), None);
        assert_eq!(of("d"), None);
    }

    #[test]
    fn places_are_compared() {
        assert_eq!(moves(9, 1), "▲ 8 places higher");
        assert_eq!(moves(1, 2), "▼ 1 place lower");
        assert_eq!(moves(2, 2), "= the same place");
    }
}
