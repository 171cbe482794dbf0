//! Claims: each published figure is recomputed from the data and held against what was printed.

use indexmap::IndexMap;

use crate::{
    model::{
        BoardId, BoardKind, Claim, ContenderId, EffectId, Figure, OutcomeKind, ShapeKey, Statistic,
        Study, Subset, Table, Weighting,
    },
    standings::{
        BoardStandings, ClaimResult, ClaimVerdict, Comparison, Estimate, MacroEvalRow,
        MacroEvalStandings, Recomputed, SpeedupSource, Verdict, Weighted,
        interval::LogQuantity,
        macroeval::{self, family_rows},
        ranking::{Column, Grid, direct, is_same_ratio, mean_of},
        records::Records,
        speedup::Bench,
    },
};

/// The boards of a study, computed as far as claims need them.
pub(in crate::standings) enum Board<'m> {
    /// All cells of a board of contenders.
    Speedup(Box<Grid<'m>>),
    /// The rows of a MacroEval board.
    MacroEval(MacroEvalStandings),
    /// A table as it is.
    Table(Option<&'m Table>),
}

/// The boards of a study by id.
pub(in crate::standings) type Boards<'m> = IndexMap<BoardId, Board<'m>>;

/// Computes the boards of a study.
pub(in crate::standings) fn boards<'m>(study: &'m Study, records: &'m Records<'m>) -> Boards<'m> {
    let compute = |kind: &'m BoardKind| match kind {
        BoardKind::Speedup(board) => Board::Speedup(Box::new(Grid::of(Bench { records, board }))),
        BoardKind::MacroEval { tau, lambda } => Board::MacroEval(match &study.macroeval {
            Some(data) => macroeval::standings(data, *tau, *lambda),
            None => MacroEvalStandings { rows: Vec::new() },
        }),
        BoardKind::Table(board) => Board::Table(study.tables.get(&board.file)),
    };
    study.boards.values().map(|board| (board.id.clone(), compute(&board.kind))).collect()
}

impl Board<'_> {
    /// What the pages show of it.
    pub(in crate::standings) fn standings(self) -> BoardStandings {
        match self {
            Self::Speedup(grid) => BoardStandings::Speedup(grid.standings()),
            Self::MacroEval(standings) => BoardStandings::MacroEval(standings),
            Self::Table(_) => BoardStandings::Table,
        }
    }
}

/// Holds every claim of a study against its boards.
pub(in crate::standings) fn hold(study: &Study, boards: &Boards<'_>) -> Vec<ClaimResult> {
    study
        .claims
        .iter()
        .enumerate()
        .map(|(at, claim)| {
            let (recomputed, inputs) = match boards.get(&claim.board) {
                Some(Board::Speedup(grid)) => {
                    let scope = Scope::of(claim, grid);
                    let value = on_speedup_board(claim, grid, boards, &scope);
                    (value, scope.shapes.into_iter().cloned().collect())
                }
                Some(Board::MacroEval(standings)) => {
                    (on_macroeval_board(study, claim, standings), Vec::new())
                }
                Some(Board::Table(table)) => {
                    (table.and_then(|table| on_table(claim, table)), Vec::new())
                }
                None => (None, Vec::new()),
            };
            let verdict =
                recomputed.map_or(ClaimVerdict::NotComputable, |x| judge(&claim.value, x));
            ClaimResult { claim: at, recomputed, verdict, inputs }
        })
        .collect()
}

/// `matches` if |x − v| ≤ ½·10⁻ᵈ, with a slack of 10⁻¹²·|v| for what floats cannot hold; else
/// `within rounding` if the interval of x meets v ± ½·10⁻ᵈ; else `differs`.
fn judge(published: &Figure, x: Recomputed) -> ClaimVerdict {
    let v = published.value;
    let slack = 1e-12 * v.abs();
    if (x.value - v).abs() <= published.half_unit() + slack {
        ClaimVerdict::Matches
    } else if x.low <= published.high + slack && published.low - slack <= x.high {
        ClaimVerdict::WithinRounding
    } else {
        ClaimVerdict::Differs
    }
}

impl Recomputed {
    /// A figure that is exact.
    fn exact(value: f64) -> Self {
        Self { value, low: value, high: value }
    }

    /// A count that may be as much as `open` higher.
    fn count(sure: usize, open: usize) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "counts of shapes and operators are small")]
        let (sure, most) = (sure as f64, (sure + open) as f64);
        Self { value: sure, low: sure, high: most }
    }
}

impl From<Estimate> for Recomputed {
    fn from(estimate: Estimate) -> Self {
        let (low, high) = estimate
            .interval
            .map_or((estimate.value, estimate.value), |interval| (interval.low, interval.high));
        Self { value: estimate.value, low, high }
    }
}

/// What part of a board a claim is about.
struct Scope<'m> {
    /// Its shapes.
    shapes: Vec<&'m ShapeKey>,
    /// Whether wins are counted shape by shape: one operator is named, or shapes are. Otherwise
    /// they are counted operator by operator.
    by_shape: bool,
}

impl<'m> Scope<'m> {
    fn of(claim: &Claim, grid: &Grid<'m>) -> Self {
        let named = |key: &ShapeKey| {
            let operator =
                claim.operators.is_empty() || claim.operators.iter().any(|o| **o == *key.operator);
            let shape = claim.shapes.is_empty() || claim.shapes.iter().any(|s| names(s, key));
            operator && shape
        };
        Self {
            shapes: grid.shapes_where(named),
            by_shape: claim.operators.len() == 1 || !claim.shapes.is_empty(),
        }
    }

    /// The units in which wins are counted.
    fn units(&self) -> Vec<Vec<&'m ShapeKey>> {
        if self.by_shape {
            return self.shapes.iter().map(|shape| vec![*shape]).collect();
        }
        let mut by_operator: IndexMap<&str, Vec<&'m ShapeKey>> = IndexMap::new();
        for &shape in &self.shapes {
            by_operator.entry(&shape.operator).or_default().push(shape);
        }
        by_operator.into_values().collect()
    }
}

/// Whether a text names a shape: as `OPERATOR/SHAPE` or `SHAPE`.
fn names(text: &str, key: &ShapeKey) -> bool {
    match text.split_once('/') {
        Some((operator, shape)) => *operator == *key.operator && *shape == *key.shape,
        None => *text == *key.shape,
    }
}

/// A claim on a board of contenders.
fn on_speedup_board(
    claim: &Claim,
    grid: &Grid<'_>,
    boards: &Boards<'_>,
    scope: &Scope<'_>,
) -> Option<Recomputed> {
    if let Statistic::Effect(effect) = &claim.statistic {
        return on_effect(effect, grid, scope);
    }
    let column = grid.column(claim.contender.as_deref()?)?;
    let pair = Pair { grid, column, against: Against::of(claim, grid, boards)? };
    match &claim.statistic {
        Statistic::Geomean => pair.geomean(&scope.shapes).map(Recomputed::from),
        Statistic::Speedup => match scope.shapes[..] {
            [_] => pair.geomean(&scope.shapes).map(Recomputed::from),
            _ => None,
        },
        Statistic::Latency => match scope.shapes[..] {
            [shape] => grid.bench.latency(grid.contender(column), shape).map(Recomputed::from),
            _ => None,
        },
        Statistic::Rank(Weighting::Blend) => rank(grid, column, &scope.shapes),
        Statistic::N => Some(Recomputed::count(pair.speedups(&scope.shapes).len(), 0)),
        Statistic::Wins => Some(pair.count(scope, Verdict::Faster)),
        Statistic::Losses => Some(pair.count(scope, Verdict::Slower)),
        Statistic::Ties => Some(pair.count(scope, Verdict::Tie)),
        Statistic::Min => pair.extreme(&scope.shapes, f64::min),
        Statistic::Max => pair.extreme(&scope.shapes, f64::max),
        _ => None,
    }
}

/// A column of a board and what it is held against.
struct Pair<'a, 'm> {
    grid: &'a Grid<'m>,
    column: Column,
    against: Against<'a, 'm>,
}

/// What a contender is held against.
enum Against<'a, 'm> {
    /// The baseline or another contender of its board.
    Own(Column),
    /// A contender of another board.
    Other(&'a Grid<'m>, Column),
}

impl<'a, 'm> Against<'a, 'm> {
    fn of(claim: &Claim, grid: &Grid<'m>, boards: &'a Boards<'m>) -> Option<Self> {
        let Some(text) = &claim.against else { return Some(Self::Own(Column::Baseline)) };
        let Some((board, contender)) = text.split_once('/') else {
            return grid.column(text).map(Self::Own);
        };
        match boards.get(board)? {
            Board::Speedup(other) => Some(Self::Other(other, other.column(contender)?)),
            Board::MacroEval(_) | Board::Table(_) => None,
        }
    }
}

impl Pair<'_, '_> {
    /// The ratio on one shape, over 1 being faster.
    fn ratio(&self, shape: &ShapeKey) -> Option<LogQuantity> {
        match self.against {
            Against::Own(against) => {
                self.grid.ratio(self.column, against, shape).map(|(ratio, _)| ratio)
            }
            Against::Other(other, against) => {
                let a = self.grid.cell(self.column, shape)?;
                let b = other.cell(against, shape)?;
                if let Some(direct) = direct(a, b, self.grid, self.column, other, against, shape) {
                    return Some(direct);
                }
                if is_same_ratio(a, b) {
                    return Some(LogQuantity::one());
                }
                // Through the baselines, if they are the same implementation.
                (self.reference(a)? == self.reference(b)?).then(|| a.quantity.over(&b.quantity))
            }
        }
    }

    /// The implementation that a cell was divided by.
    fn reference(&self, cell: &crate::standings::speedup::Cell) -> Option<&str> {
        let records = self.grid.bench.records;
        Some(match &cell.speedup.source {
            SpeedupSource::Latencies { baseline, .. } => {
                &records.all.get(baseline.record)?.key.implementation
            }
            SpeedupSource::Ratio(side) => &records.study.ratios.get(side.ratio)?.reference,
        })
    }

    /// The ratios on those of some shapes where there is one.
    fn speedups(&self, shapes: &[&ShapeKey]) -> Vec<LogQuantity> {
        shapes.iter().filter_map(|shape| self.ratio(shape)).collect()
    }

    fn geomean(&self, shapes: &[&ShapeKey]) -> Option<Estimate> {
        if let Against::Own(Column::Baseline) = self.against {
            let cells: Vec<_> =
                shapes.iter().filter_map(|shape| self.grid.cell(self.column, shape)).collect();
            return mean_of(&cells);
        }
        let ratios = self.speedups(shapes);
        let mean = LogQuantity::geomean(&ratios.iter().collect::<Vec<_>>())?;
        Some(mean.estimate())
    }

    /// How many units have a verdict. Undecided ones leave the count open upwards.
    fn count(&self, scope: &Scope<'_>, verdict: Verdict) -> Recomputed {
        let verdicts: Vec<Verdict> = scope
            .units()
            .iter()
            .filter_map(|unit| self.geomean(unit))
            .map(|ratio| self.grid.bench.verdict(&ratio))
            .collect();
        let of = |wanted: Verdict| verdicts.iter().filter(|verdict| **verdict == wanted).count();
        Recomputed::count(of(verdict), of(Verdict::Undecided))
    }

    fn extreme(&self, shapes: &[&ShapeKey], pick: fn(f64, f64) -> f64) -> Option<Recomputed> {
        self.speedups(shapes).into_iter().map(|ratio| Recomputed::from(ratio.estimate())).reduce(
            |a, b| Recomputed {
                value: pick(a.value, b.value),
                low: pick(a.low, b.low),
                high: pick(a.high, b.high),
            },
        )
    }
}

/// 1 + the number of contenders decidedly faster over some shapes; those that may be leave it
/// open upwards.
fn rank(grid: &Grid<'_>, column: Column, shapes: &[&ShapeKey]) -> Option<Recomputed> {
    let Column::Contender(own) = column else { return None };
    shapes.iter().find(|shape| grid.cell(column, shape).is_some())?;
    let others = (0..grid.bench.board.contenders.len()).filter(|at| *at != own);
    let comparisons: Vec<Comparison> =
        others.map(|other| grid.compare(Column::Contender(other), column, shapes)).collect();
    let of = |wanted| comparisons.iter().filter(|c| c.verdict == Some(wanted)).count();
    Some(Recomputed::count(1 + of(Verdict::Faster), of(Verdict::Undecided)))
}

/// An effect over some shapes.
fn on_effect(effect: &EffectId, grid: &Grid<'_>, scope: &Scope<'_>) -> Option<Recomputed> {
    let effect = grid.bench.board.effects.iter().find(|e| e.id == *effect)?;
    let column = |id: &ContenderId| grid.column(id);
    let (numerator, denominator) = column(&effect.numerator).zip(column(&effect.denominator))?;
    grid.compare(numerator, denominator, &scope.shapes).ratio.map(Recomputed::from)
}

/// A claim on a MacroEval board. Held against another run it is the ratio of both.
fn on_macroeval_board(
    study: &Study,
    claim: &Claim,
    standings: &MacroEvalStandings,
) -> Option<Recomputed> {
    let of = |name: &str| {
        let (run, subset) = name.split_once('/').unwrap_or((name, Subset::Deployable.as_str()));
        let row =
            standings.rows.iter().find(|row| *row.run == *run && row.subset.as_str() == subset)?;
        macroeval_statistic(study, claim, row, standings)
    };
    let own = of(claim.contender.as_deref()?)?;
    match &claim.against {
        None => Some(Recomputed::exact(own)),
        Some(other) => {
            of(other).filter(|other| *other > 0.0).map(|other| Recomputed::exact(own / other))
        }
    }
}

/// A statistic of one row, over the families and items that the claim names.
fn macroeval_statistic(
    study: &Study,
    claim: &Claim,
    row: &MacroEvalRow,
    standings: &MacroEvalStandings,
) -> Option<f64> {
    let is_named =
        |names: &[String], id: &str| names.is_empty() || names.iter().any(|name| name == id);
    let items = row.items_detail.iter().filter(|item| {
        is_named(&claim.operators, &item.family) && is_named(&claim.shapes, &item.item)
    });
    let families = family_rows(study.macroeval.as_ref()?, &items.clone().collect::<Vec<_>>());
    let totals = macroeval::totals(&families);
    let pick = |weighted: Weighted, weighting: Weighting| match weighting {
        Weighting::Blend => weighted.blend,
        Weighting::Throughput => weighted.throughput,
        Weighting::Latency => weighted.latency,
    };
    #[expect(clippy::cast_precision_loss, reason = "ranks and counts are small")]
    Some(match claim.statistic {
        Statistic::Score(weighting) => pick(totals.score, weighting)?,
        Statistic::SMacro(weighting) => pick(totals.s_macro, weighting)?,
        Statistic::CMacro => totals.c_macro,
        Statistic::CoverageMacro => totals.coverage_macro,
        Statistic::Valid => items.filter(|item| item.valid).count() as f64,
        Statistic::N => items.filter(|item| item.outcome == OutcomeKind::Ok).count() as f64,
        Statistic::Rank(weighting) => {
            let of = |row: &MacroEvalRow| pick(row.score, weighting);
            let higher =
                standings.rows.iter().filter(|r| r.subset == row.subset && of(r) > of(row));
            (1 + higher.count()) as f64
        }
        _ => return None,
    })
}

/// A claim on a table: `contender` is a column, `shape` names rows by their first cells. Empty
/// cells are passed over. A share is the named rows' sum of the column over that of the column
/// `against`, or, without one, over the whole column's.
fn on_table(claim: &Claim, table: &Table) -> Option<Recomputed> {
    let column = |name: &str| table.header.iter().position(|header| header == name);
    let is_named = |row: &[String]| {
        claim.shapes.is_empty() || row.first().is_some_and(|key| claim.shapes.contains(key))
    };
    let numbers = |column: usize, keep: &dyn Fn(&[String]) -> bool| -> Vec<f64> {
        let rows = table.rows.iter().filter(|row| keep(row));
        rows.filter_map(|row| crate::model::Printed::parse(row.get(column)?).ok())
            .map(crate::model::Printed::value)
            .collect()
    };
    let own = column(claim.contender.as_deref()?)?;
    let named = numbers(own, &is_named);
    let sum = |values: &[f64]| -> Option<f64> { (!values.is_empty()).then(|| values.iter().sum()) };
    let value = match claim.statistic {
        Statistic::Cell => match named[..] {
            [cell] => cell,
            _ => return None,
        },
        Statistic::Sum => sum(&named)?,
        Statistic::Min => named.iter().copied().reduce(f64::min)?,
        Statistic::Max => named.iter().copied().reduce(f64::max)?,
        Statistic::N => Recomputed::count(named.len(), 0).value,
        Statistic::Share => {
            let whole = match &claim.against {
                Some(other) => numbers(column(other)?, &is_named),
                None => numbers(own, &|_| true),
            };
            let whole = sum(&whole).filter(|whole| *whole != 0.0)?;
            sum(&named)? / whole
        }
        _ => return None,
    };
    Some(Recomputed::exact(value))
}
