//! MacroEval: how well a set of kernels serves whole models (`FastKernels`, section 5).
//!
//! Request → item → family → macro, each a mean; speed as geometric means over what is valid.
//! Anything but an `ok` outcome has a correctness of 0 and stays in every mean.

use std::collections::BTreeMap;

use super::{FamilyRow, ItemRow, MacroEvalRow, MacroEvalStandings, Ranks, Weighted};
use crate::model::{FamilyId, Item, MacroEval, Outcome, OutcomeKind, Run, RunId, Subset};

/// Quantile of a noise run's distances that becomes the noise floor.
const NOISE_QUANTILE: f64 = 0.95;
/// Least noise floor.
const NOISE_FLOOR: f64 = 0.001;
/// Noise floor of an item without a noise run.
const NOISE_FALLBACK: f64 = 0.02;
/// Greatest noise floor.
const NOISE_CAP: f64 = 0.5;

/// The correctness of one request, between 0 and 1: 1 up to the noise floor, 0 from the failure
/// threshold on, linear between (`FastKernels`, section 5, "Calibrated correctness").
pub fn calibrated_correctness(distance: f64, noise_floor: f64, failure_threshold: f64) -> f64 {
    if distance <= noise_floor {
        1.0
    } else if distance >= failure_threshold {
        0.0
    } else {
        (failure_threshold - distance) / (failure_threshold - noise_floor)
    }
}

/// The noise floor of an item from the distances that its reference shows to itself in a noise
/// run: their 0.95 quantile (linear between order statistics), at least 0.001, at most 0.5; 0.02
/// without a noise run.
pub fn noise_floor(distances: &[f64]) -> f64 {
    let mut sorted = distances.to_vec();
    sorted.sort_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else { return NOISE_FALLBACK };
    #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52 requests")]
    let position = NOISE_QUANTILE * last as f64;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "0 <= position <= last"
    )]
    let below = position as usize;
    let above = (below + 1).min(last);
    #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52 requests")]
    let part = position - below as f64;
    let quantile = sorted[below] + (sorted[above] - sorted[below]) * part;
    quantile.clamp(NOISE_FLOOR, NOISE_CAP)
}

/// The correctness of an item: the mean over its requests; `None` without a request.
pub fn item_correctness(
    distances: &[f64],
    noise_floor: f64,
    failure_threshold: f64,
) -> Option<f64> {
    mean(distances.iter().map(|&d| calibrated_correctness(d, noise_floor, failure_threshold)))
}

/// The results of a board.
pub(super) fn standings(data: &MacroEval, tau: f64, lambda: f64) -> MacroEvalStandings {
    let evaluation = Evaluation::of(data, tau, lambda);
    let mut rows: Vec<MacroEvalRow> = Vec::new();
    for subset in Subset::ALL {
        let mut of_subset: Vec<MacroEvalRow> =
            data.runs.values().filter_map(|run| evaluation.row(run, subset)).collect();
        let scores: Vec<Weighted> = of_subset.iter().map(|row| row.score).collect();
        for row in &mut of_subset {
            row.rank = rank_among(&scores, &row.score);
        }
        of_subset.sort_by(|a, b| (a.rank.blend, &a.run).cmp(&(b.rank.blend, &b.run)));
        rows.append(&mut of_subset);
    }
    MacroEvalStandings { rows }
}

/// 1 + the number of higher scores, per weighting.
fn rank_among(scores: &[Weighted], own: &Weighted) -> Ranks {
    let rank = |of: fn(&Weighted) -> Option<f64>| {
        1 + scores.iter().filter(|score| of(score) > of(own)).count()
    };
    Ranks {
        blend: rank(|score| score.blend),
        throughput: rank(|score| score.throughput),
        latency: rank(|score| score.latency),
    }
}

/// The data of a board, indexed.
struct Evaluation<'m> {
    data: &'m MacroEval,
    tau: f64,
    lambda: f64,
    outcomes: BTreeMap<(&'m RunId, Subset, &'m str), usize>,
    distances: BTreeMap<(&'m RunId, &'m str), Vec<f64>>,
}

impl<'m> Evaluation<'m> {
    fn of(data: &'m MacroEval, tau: f64, lambda: f64) -> Self {
        let mut evaluation =
            Self { data, tau, lambda, outcomes: BTreeMap::new(), distances: BTreeMap::new() };
        for (at, outcome) in data.outcomes.iter().enumerate() {
            evaluation.outcomes.insert((&outcome.run, outcome.subset, &outcome.item), at);
        }
        for distance in &data.distances {
            let key = (&distance.run, &*distance.item);
            evaluation.distances.entry(key).or_default().push(distance.distance);
        }
        evaluation
    }

    /// A run on a subset; `None` if it has no outcome there at all.
    fn row(&self, run: &Run, subset: Subset) -> Option<MacroEvalRow> {
        let items: Vec<ItemRow> =
            self.data.items.values().map(|item| self.item(run, subset, item)).collect();
        if items.iter().all(|item| item.record.is_none()) {
            return None;
        }
        let families = family_rows(self.data, &items.iter().collect::<Vec<_>>());
        let Totals { coverage_macro, c_macro, s_macro, score } = totals(&families);
        Some(MacroEvalRow {
            run: run.id.clone(),
            subset,
            items: items.len(),
            valid: items.iter().filter(|item| item.valid).count(),
            coverage_macro,
            c_macro,
            s_macro,
            score,
            rank: Ranks { blend: 0, throughput: 0, latency: 0 },
            families,
            items_detail: items,
        })
    }

    fn item(&self, run: &Run, subset: Subset, item: &Item) -> ItemRow {
        let record = self.outcomes.get(&(&run.id, subset, &*item.id)).copied();
        let outcome = record.map(|at| &self.data.outcomes[at]);
        let ok = outcome.filter(|outcome| outcome.outcome == OutcomeKind::Ok);
        let c = ok.and_then(|outcome| self.correctness(outcome, item)).unwrap_or(0.0);
        let valid = ok.is_some() && c >= self.tau;
        let s = ok.map_or(Weighted::NONE, |outcome| self.speed(outcome));
        ItemRow {
            item: item.id.clone(),
            family: item.family.clone(),
            outcome: outcome.map_or(OutcomeKind::Incomplete, |outcome| outcome.outcome),
            record,
            c,
            valid,
            s,
        }
    }

    /// As recorded, else from the request distances.
    fn correctness(&self, outcome: &Outcome, item: &Item) -> Option<f64> {
        outcome.correctness.or_else(|| {
            let distances = self.distances.get(&(&outcome.run, &*outcome.item))?;
            let threshold = self.data.families.get(&item.family)?.failure_threshold?;
            item_correctness(distances, item.noise_floor.unwrap_or(NOISE_FALLBACK), threshold)
        })
    }

    /// s = thr^λ · lat^(1−λ).
    fn speed(&self, outcome: &Outcome) -> Weighted {
        let (throughput, latency) = (outcome.throughput_speedup, outcome.latency_speedup);
        let blend = throughput.zip(latency).map(|(throughput, latency)| {
            let logs =
                self.lambda * libm::log(throughput) + (1.0 - self.lambda) * libm::log(latency);
            libm::exp(logs)
        });
        Weighted { blend, throughput, latency }
    }
}

/// The families of some items of a run, in the order of `families.csv`.
pub(super) fn family_rows(data: &MacroEval, items: &[&ItemRow]) -> Vec<FamilyRow> {
    let of = |family: &FamilyId| {
        family_row(family, items.iter().copied().filter(|item| item.family == *family))
    };
    data.families.keys().filter_map(of).collect()
}

/// One family of a run; `None` without items.
fn family_row<'a>(
    family: &FamilyId,
    items: impl Iterator<Item = &'a ItemRow> + Clone,
) -> Option<FamilyRow> {
    let valid = items.clone().filter(|item| item.valid);
    Some(FamilyRow {
        family: family.clone(),
        items: items.clone().count(),
        valid: valid.clone().count(),
        c: mean(items.clone().map(|item| item.c))?,
        coverage: mean(items.map(|item| f64::from(u8::from(item.valid))))?,
        s: Weighted::geomean(&valid.map(|item| item.s)),
    })
}

/// What a run comes to over some families.
pub(super) struct Totals {
    pub(super) coverage_macro: f64,
    pub(super) c_macro: f64,
    pub(super) s_macro: Weighted,
    pub(super) score: Weighted,
}

/// Macro means over families, and the score. Without a valid item there is no speed, the coverage
/// is 0 and so is the score.
pub(super) fn totals<'a>(
    families: impl IntoIterator<Item = &'a FamilyRow, IntoIter: Clone>,
) -> Totals {
    let families = families.into_iter();
    let coverage_macro = mean(families.clone().map(|family| family.coverage)).unwrap_or(0.0);
    let c_macro = mean(families.clone().map(|family| family.c)).unwrap_or(0.0);
    let s_macro = Weighted::geomean(&families.map(|family| family.s));
    let score = s_macro.map(|s| match s {
        Some(s) => Some(s * c_macro * coverage_macro),
        None => (coverage_macro <= 0.0).then_some(0.0),
    });
    Totals { coverage_macro, c_macro, s_macro, score }
}

/// A factor of the score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Factor {
    /// Mean over families of the share of valid items.
    Coverage,
    /// Mean over families of their correctness.
    Correctness,
    /// Geomean over families of their speed.
    Speed,
}

/// A factor of a run's score beside the highest among its rivals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shortfall {
    /// The factor.
    pub factor: Factor,
    /// Its value for the run.
    pub value: f64,
    /// The highest value among the runs of its subset.
    pub best: f64,
}

impl Shortfall {
    /// What the score is multiplied by because the factor is not at its best; 1 where it is.
    pub fn share(&self) -> f64 {
        if self.best > 0.0 { self.value / self.best } else { 1.0 }
    }
}

/// The factors of a run's score, the one that costs it most first. A run without a valid item has
/// no speed.
pub fn shortfalls(run: &MacroEvalRow, subset: &[&MacroEvalRow]) -> Vec<Shortfall> {
    let of = |row: &MacroEvalRow, factor| match factor {
        Factor::Coverage => Some(row.coverage_macro),
        Factor::Correctness => Some(row.c_macro),
        Factor::Speed => row.s_macro.blend,
    };
    let mut found: Vec<Shortfall> = [Factor::Coverage, Factor::Correctness, Factor::Speed]
        .into_iter()
        .filter_map(|factor| {
            let best = subset.iter().filter_map(|row| of(row, factor)).fold(0.0, f64::max);
            Some(Shortfall { factor, value: of(run, factor)?, best })
        })
        .collect();
    // Stable: equal ones stay in the order in which a reader should read them.
    found.sort_by(|a, b| a.share().total_cmp(&b.share()));
    found
}

/// The geomean over all operators of several groups, from the number and the geomean of each
/// group: exp(Σ n · ln g / Σ n). A group of none has no geomean and does not count; `None` if no
/// group counts.
pub fn pooled_geomean(groups: impl IntoIterator<Item = (u32, Option<f64>)>) -> Option<f64> {
    let (mut logs, mut count) = (0.0, 0_u32);
    for (number, geomean) in groups {
        if number > 0 {
            logs += f64::from(number) * libm::log(geomean?);
            count += number;
        }
    }
    (count > 0).then(|| libm::exp(logs / f64::from(count)))
}

impl Weighted {
    /// No speed.
    const NONE: Self = Self { blend: None, throughput: None, latency: None };

    fn map(self, f: impl Fn(Option<f64>) -> Option<f64>) -> Self {
        Self { blend: f(self.blend), throughput: f(self.throughput), latency: f(self.latency) }
    }

    /// The geometric mean of those that there are, per weighting.
    fn geomean(parts: &(impl Iterator<Item = Self> + Clone)) -> Self {
        let of = |part: fn(Self) -> Option<f64>| {
            mean(parts.clone().filter_map(part).map(libm::log)).map(libm::exp)
        };
        Self {
            blend: of(|part| part.blend),
            throughput: of(|part| part.throughput),
            latency: of(|part| part.latency),
        }
    }
}

/// The arithmetic mean; `None` of nothing.
fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correctness_is_linear_between_floor_and_threshold() {
        for (distance, expected) in
            [(0.0, 1.0), (0.02, 1.0), (0.06, 0.5), (0.08, 0.25), (0.1, 0.0), (3.0, 0.0)]
        {
            let got = calibrated_correctness(distance, 0.02, 0.1);
            assert!((got - expected).abs() < 1e-12, "{distance}: {got}");
        }
    }

    #[test]
    fn a_floor_at_the_threshold_leaves_no_middle() {
        assert!((calibrated_correctness(0.1, 0.1, 0.1) - 1.0).abs() < f64::EPSILON);
        assert!(calibrated_correctness(0.11, 0.1, 0.1).abs() < f64::EPSILON);
    }

    #[test]
    fn the_noise_floor_is_a_bounded_quantile() {
        let evenly: Vec<f64> = (0..=20).map(|i| f64::from(i) / 100.0).collect();
        for (distances, expected) in [
            (&evenly[..], 0.19),
            (&[0.01, 0.03][..], 0.029),
            (&[], 0.02),
            (&[0.0, 0.0], 0.001),
            (&[2.0], 0.5),
        ] {
            let got = noise_floor(distances);
            assert!((got - expected).abs() < 1e-12, "{distances:?}: {got}");
        }
    }

    #[test]
    fn an_item_is_the_mean_of_its_requests() {
        let got = item_correctness(&[0.0, 0.06, 0.2], 0.02, 0.1).unwrap();
        assert!((got - 0.5).abs() < 1e-12);
        assert_eq!(item_correctness(&[], 0.02, 0.1), None);
    }

    #[test]
    fn groups_pool_to_the_geomean_of_their_operators() {
        // 2 and 8 in one group, 4 in another: the cube root of 64.
        let got = pooled_geomean([(2, Some(4.0)), (1, Some(4.0)), (0, None)]).unwrap();
        assert!((got - 4.0).abs() < 1e-12);
        let got = pooled_geomean([(3, Some(2.0)), (1, Some(32.0))]).unwrap();
        assert!((got - 4.0).abs() < 1e-12);
        assert_eq!(pooled_geomean([(0, None)]), None);
        assert_eq!(pooled_geomean([(1, None), (1, Some(2.0))]), None);
    }

    #[test]
    fn the_factor_furthest_from_the_best_costs_most() {
        let row = |coverage, correctness, speed| MacroEvalRow {
            run: RunId::parse("run").unwrap(),
            subset: Subset::Deployable,
            items: 1,
            valid: 1,
            coverage_macro: coverage,
            c_macro: correctness,
            s_macro: Weighted { blend: speed, ..Weighted::NONE },
            score: Weighted::NONE,
            rank: Ranks { blend: 1, throughput: 1, latency: 1 },
            families: Vec::new(),
            items_detail: Vec::new(),
        };
        let rows = [row(1.0, 1.0, Some(1.0)), row(0.5, 0.9, Some(2.0)), row(0.0, 0.2, None)];
        let rivals: Vec<&MacroEvalRow> = rows.iter().collect();
        let first = |at: usize| shortfalls(&rows[at], &rivals)[0];
        assert_eq!(first(0), Shortfall { factor: Factor::Speed, value: 1.0, best: 2.0 });
        assert_eq!(first(1), Shortfall { factor: Factor::Coverage, value: 0.5, best: 1.0 });
        assert_eq!(first(2), Shortfall { factor: Factor::Coverage, value: 0.0, best: 1.0 });
        assert_eq!(shortfalls(&rows[2], &rivals).len(), 2);
    }
}
