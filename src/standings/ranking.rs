//! From speedups on single shapes to means, comparisons, ranks and effects.

use std::cmp::Ordering;

use indexmap::IndexMap;

use super::{
    Comparison, ComparisonReplication, ContenderStanding, EffectResult, Estimate, NoSpeedup,
    OperatorStandings, ShapeResult, ShapeStandings, SpeedupSource, SpeedupStandings, Verdict,
    interval::LogQuantity,
    speedup::{Bench, Cell},
};
use crate::model::{ClassId, Contender, ContenderId, OperatorId, ShapeKey};

/// All contenders of a board on all its shapes.
#[derive(Debug)]
pub(super) struct Grid<'m> {
    /// The board and its records.
    pub(super) bench: Bench<'m>,
    /// One row per shape of the board, one cell per contender.
    rows: IndexMap<&'m ShapeKey, Vec<Result<Cell, NoSpeedup>>>,
}

/// A contender of a board: one of its columns, or the baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    /// The baseline.
    Baseline,
    /// The contender at this place.
    Contender(usize),
}

impl<'m> Grid<'m> {
    /// Computes every cell.
    pub(super) fn of(bench: Bench<'m>) -> Self {
        let rows = bench
            .board
            .shapes
            .iter()
            .map(|shape| {
                let cells = &bench.board.contenders;
                (shape, cells.iter().map(|contender| bench.speedup(contender, shape)).collect())
            })
            .collect();
        Self { bench, rows }
    }

    /// The column with this id.
    pub(super) fn column(&self, id: &str) -> Option<Column> {
        if *self.bench.board.baseline.id == *id {
            return Some(Column::Baseline);
        }
        self.bench.board.contenders.iter().position(|c| *c.id == *id).map(Column::Contender)
    }

    /// The contender in a column.
    pub(super) fn contender(&self, column: Column) -> &'m Contender {
        match column {
            Column::Baseline => &self.bench.board.baseline,
            Column::Contender(at) => &self.bench.board.contenders[at],
        }
    }

    /// The board's shapes for which `keep` holds.
    pub(super) fn shapes_where(&self, keep: impl Fn(&ShapeKey) -> bool) -> Vec<&'m ShapeKey> {
        self.rows.keys().copied().filter(|shape| keep(shape)).collect()
    }

    /// A contender's cell on a shape of the board, if it counts there.
    pub(super) fn cell(&self, column: Column, shape: &ShapeKey) -> Option<&Cell> {
        let Column::Contender(at) = column else { return None };
        self.rows.get(shape)?[at].as_ref().ok()
    }

    /// The ratio of two columns on a shape, over 1 meaning that the first is faster, and whether
    /// it goes through the baseline. `None` unless both count there.
    pub(super) fn ratio(
        &self,
        first: Column,
        second: Column,
        shape: &ShapeKey,
    ) -> Option<(LogQuantity, bool)> {
        match (first, second) {
            (Column::Baseline, Column::Baseline) => Some((LogQuantity::one(), false)),
            (_, Column::Baseline) => Some((self.cell(first, shape)?.quantity.clone(), false)),
            (Column::Baseline, _) => Some((self.cell(second, shape)?.quantity.inverse(), false)),
            _ => {
                let (a, b) = (self.cell(first, shape)?, self.cell(second, shape)?);
                if let Some(direct) = direct(a, b, self, first, self, second, shape) {
                    return Some((direct, false));
                }
                if is_same_ratio(a, b) {
                    return Some((LogQuantity::one(), false));
                }
                Some((a.quantity.over(&b.quantity), true))
            }
        }
    }

    /// Compares two columns over those of the given shapes on which both count.
    pub(super) fn compare(
        &self,
        first: Column,
        second: Column,
        shapes: &[&ShapeKey],
    ) -> Comparison {
        let (shapes, ratios): (Vec<&ShapeKey>, Vec<(LogQuantity, bool)>) = shapes
            .iter()
            .filter_map(|shape| Some((*shape, self.ratio(first, second, shape)?)))
            .unzip();
        let quantities: Vec<&LogQuantity> = ratios.iter().map(|(ratio, _)| ratio).collect();
        let ratio = LogQuantity::geomean(&quantities).map(|mean| mean.estimate());
        Comparison {
            contender: self.contender(first).id.clone(),
            against: self.contender(second).id.clone(),
            verdict: ratio.map(|ratio| self.bench.verdict(&ratio)),
            ratio,
            common: ratios.len(),
            through_baseline: ratios.iter().filter(|(_, through)| *through).count(),
            replications: self.replications(first, second, &shapes),
        }
    }

    /// The comparison of two columns in every class that holds both on all of some shapes, except
    /// the one that either stands on.
    fn replications(
        &self,
        first: Column,
        second: Column,
        shapes: &[&ShapeKey],
    ) -> Vec<ComparisonReplication> {
        let stands_on = |column: Column, class: &ClassId| {
            let cells = shapes.iter().filter_map(|shape| self.cell(column, shape));
            cells.into_iter().any(|cell| cell.speedup.class == *class)
        };
        let other = (&self.bench, self.contender(second));
        let in_class = |class: &&ClassId| {
            if stands_on(first, class) || stands_on(second, class) {
                return None;
            }
            let ratios: Option<Vec<LogQuantity>> = shapes
                .iter()
                .map(|shape| self.bench.ratio_in(class, self.contender(first), other, shape))
                .collect();
            let ratios = ratios?;
            let ratio = LogQuantity::geomean(&ratios.iter().collect::<Vec<_>>())?.estimate();
            let verdict = self.bench.verdict(&ratio);
            Some(ComparisonReplication { class: (*class).clone(), ratio, verdict })
        };
        self.bench.board.classes.iter().filter_map(|class| in_class(&class)).collect()
    }

    /// Every pair of contenders over some shapes, in the board's order.
    fn comparisons(&self, shapes: &[&ShapeKey]) -> Vec<Comparison> {
        let columns: Vec<Column> =
            (0..self.bench.board.contenders.len()).map(Column::Contender).collect();
        columns
            .iter()
            .enumerate()
            .flat_map(|(at, &first)| columns[at + 1..].iter().map(move |&second| (first, second)))
            .map(|(first, second)| self.compare(first, second, shapes))
            .collect()
    }

    /// The whole board.
    pub(super) fn standings(self) -> SpeedupStandings {
        let all = self.shapes_where(|_| true);
        let mut by_operator: IndexMap<&OperatorId, Vec<&ShapeKey>> = IndexMap::new();
        for &shape in &all {
            by_operator.entry(&shape.operator).or_default().push(shape);
        }
        let (overall, comparisons) = self.rank(&all);
        let effects = self.effects(&by_operator, &all);
        let mut operators: IndexMap<&OperatorId, OperatorStandings> = by_operator
            .into_iter()
            .map(|(operator, shapes)| {
                let (results, comparisons) = self.rank(&shapes);
                let id = operator.clone();
                (
                    operator,
                    OperatorStandings { operator: id, results, comparisons, shapes: Vec::new() },
                )
            })
            .collect();
        let compared: Vec<Vec<Comparison>> = self
            .rows
            .keys()
            .map(|shape| {
                let all = self.comparisons(&[*shape]);
                all.into_iter().filter(|comparison| comparison.common > 0).collect()
            })
            .collect();
        for ((key, cells), comparisons) in self.rows.into_iter().zip(compared) {
            let results = self
                .bench
                .board
                .contenders
                .iter()
                .zip(cells)
                .map(|(contender, cell)| ShapeResult {
                    contender: contender.id.clone(),
                    outcome: cell.map(|cell| cell.speedup),
                })
                .collect();
            if let Some(of) = operators.get_mut(&key.operator) {
                of.shapes.push(ShapeStandings { key: key.clone(), results, comparisons });
            }
        }
        let operators = operators.into_values().collect();
        SpeedupStandings { operators, overall, comparisons, effects }
    }

    /// Means, comparisons and ranks over some shapes.
    fn rank(&self, shapes: &[&ShapeKey]) -> (Vec<ContenderStanding>, Vec<Comparison>) {
        let columns: Vec<Column> =
            (0..self.bench.board.contenders.len()).map(Column::Contender).collect();
        let comparisons = self.comparisons(shapes);
        let mut standings: Vec<ContenderStanding> =
            columns.iter().map(|&column| self.standing(column, shapes)).collect();
        for standing in standings.iter_mut().filter(|standing| standing.counted > 0) {
            let faster = comparisons.iter().filter(|c| is_faster_than(c, &standing.contender));
            standing.rank = Some(1 + faster.count());
        }
        standings.sort_by(in_order);
        (standings, comparisons)
    }

    /// One contender over some shapes, still without its rank.
    fn standing(&self, column: Column, shapes: &[&ShapeKey]) -> ContenderStanding {
        let cells: Vec<(&ShapeKey, Option<&Cell>)> =
            shapes.iter().map(|shape| (*shape, self.cell(column, shape))).collect();
        let counted: Vec<&Cell> = cells.iter().filter_map(|(_, cell)| *cell).collect();
        let geomean = mean_of(&counted);
        let keys_where = |keep: fn(Option<&Cell>) -> bool| {
            cells.iter().filter(|(_, cell)| keep(*cell)).map(|(key, _)| (*key).clone()).collect()
        };
        ContenderStanding {
            contender: self.contender(column).id.clone(),
            verdict: geomean.map(|geomean| self.bench.verdict(&geomean)),
            geomean,
            counted: counted.len(),
            total: shapes.len(),
            missing: keys_where(|cell| cell.is_none()),
            failed: keys_where(|cell| cell.is_some_and(|cell| cell.speedup.failed())),
            rank: None,
        }
    }

    /// The board's effects: each per operator, then overall.
    fn effects(
        &self,
        by_operator: &IndexMap<&OperatorId, Vec<&ShapeKey>>,
        all: &[&ShapeKey],
    ) -> Vec<EffectResult> {
        let scopes = || {
            let operators =
                by_operator.iter().map(|(operator, shapes)| (Some(*operator), shapes.as_slice()));
            operators.chain([(None, all)])
        };
        let mut results = Vec::new();
        for effect in &self.bench.board.effects {
            let ends = self.column(&effect.numerator).zip(self.column(&effect.denominator));
            let Some((numerator, denominator)) = ends else { continue };
            for (operator, shapes) in scopes() {
                let comparison = self.compare(numerator, denominator, shapes);
                results.push(EffectResult {
                    effect: effect.id.clone(),
                    operator: operator.cloned(),
                    estimate: comparison.ratio,
                    counted: comparison.common,
                });
            }
        }
        results
    }
}

/// The geometric mean of some cells. That of one cell is the cell itself.
pub(super) fn mean_of(cells: &[&Cell]) -> Option<Estimate> {
    if let [cell] = cells {
        return Some(cell.speedup.estimate);
    }
    let quantities: Vec<&LogQuantity> = cells.iter().map(|cell| &cell.quantity).collect();
    LogQuantity::geomean(&quantities).map(|mean| mean.estimate())
}

/// The ratio of two cells from their contenders' own records in one class, where there are such.
pub(super) fn direct(
    a: &Cell,
    b: &Cell,
    grid_a: &Grid<'_>,
    first: Column,
    grid_b: &Grid<'_>,
    second: Column,
    shape: &ShapeKey,
) -> Option<LogQuantity> {
    let have_latencies =
        [a, b].iter().all(|cell| matches!(cell.speedup.source, SpeedupSource::Latencies { .. }));
    if !have_latencies {
        return None;
    }
    let shared = (a.speedup.class == b.speedup.class).then_some(&a.speedup.class);
    let other = (&grid_b.bench, grid_b.contender(second));
    grid_a.bench.direct_ratio(shared, grid_a.contender(first), other, shape)
}

/// Whether both cells stand on one published ratio.
pub(super) fn is_same_ratio(a: &Cell, b: &Cell) -> bool {
    match (&a.speedup.source, &b.speedup.source) {
        (SpeedupSource::Ratio(a), SpeedupSource::Ratio(b)) => a.ratio == b.ratio,
        _ => false,
    }
}

/// Whether a comparison decides that the other side is faster than this contender.
fn is_faster_than(comparison: &Comparison, contender: &ContenderId) -> bool {
    match comparison.verdict {
        Some(Verdict::Faster) => comparison.against == *contender,
        Some(Verdict::Slower) => comparison.contender == *contender,
        _ => false,
    }
}

/// By rank, then by geomean, then by id; those without a rank last.
fn in_order(a: &ContenderStanding, b: &ContenderStanding) -> Ordering {
    let rank = |standing: &ContenderStanding| standing.rank.unwrap_or(usize::MAX);
    let geomean = |standing: &ContenderStanding| standing.geomean.map_or(0.0, |mean| mean.value);
    rank(a)
        .cmp(&rank(b))
        .then_with(|| geomean(b).total_cmp(&geomean(a)))
        .then_with(|| a.contender.cmp(&b.contender))
}
