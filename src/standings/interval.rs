//! Intervals: how far a value may be off, carried through minima, ratios and means.
//!
//! Two kinds of evidence are carried in logs, where a ratio is a difference and a geometric mean
//! is a mean. *Published digits* are hard bounds and go end point by end point. *Rounds* are
//! repeated measurements: ratios and means are formed round by round, and the interval is
//! Student's t over the rounds at the end, not a sum of intervals.

use super::{Estimate, Interval, IntervalKind};
use crate::model::{Figure, SampleSet};

/// A positive quantity in logs, with the evidence on its precision.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LogQuantity {
    /// Natural logarithm of the value.
    value: f64,
    /// Hard bounds of the parts that were published, relative to `value`.
    digits: Offsets,
    /// Values per round of the parts that were sampled.
    rounds: Option<Rounds>,
}

/// How far below and above a value its bounds are: `low <= 0 <= high`, in logs.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Offsets {
    low: f64,
    high: f64,
}

/// The same quantity in each round of a measurement.
#[derive(Debug, Clone, PartialEq)]
struct Rounds {
    /// (number of the round, logarithm of the whole quantity in it), by number.
    values: Vec<(u32, f64)>,
    /// What the sampled medians' own digits leave open. The interval is widened to hold it, but
    /// it is not added: it is far smaller than what the rounds show, or the rounds show nothing.
    digits: Offsets,
}

impl LogQuantity {
    /// Exactly 1: a thing divided by itself.
    pub(super) fn one() -> Self {
        Self { value: 0.0, digits: Offsets::default(), rounds: None }
    }

    /// A published number.
    pub(super) fn published(figure: &Figure) -> Self {
        let value = libm::log(figure.value);
        Self { value, digits: Offsets::around(figure), rounds: None }
    }

    /// A median of samples.
    pub(super) fn sampled(samples: &SampleSet) -> Self {
        let rounds =
            samples.rounds.iter().map(|round| (round.number, libm::log(round.median_us))).collect();
        Self {
            value: libm::log(samples.median.value),
            digits: Offsets::default(),
            rounds: Some(Rounds { values: rounds, digits: Offsets::around(&samples.median) }),
        }
    }

    /// `self / other`, round by round over the rounds that both have.
    pub(super) fn over(&self, other: &Self) -> Self {
        Self {
            value: self.value - other.value,
            digits: self.digits.minus(other.digits),
            rounds: combine(&[(1.0, self), (-1.0, other)]),
        }
    }

    /// 1 / `self`.
    pub(super) fn inverse(&self) -> Self {
        Self::one().over(self)
    }

    /// The geometric mean; `None` of nothing.
    pub(super) fn geomean(parts: &[&Self]) -> Option<Self> {
        if parts.is_empty() {
            return None;
        }
        #[expect(clippy::cast_precision_loss, reason = "a board has far fewer than 2^52 shapes")]
        let weight = 1.0 / parts.len() as f64;
        let mean = |of: fn(&Self) -> f64| parts.iter().map(|part| of(part)).sum::<f64>() * weight;
        Some(Self {
            value: mean(|part| part.value),
            digits: Offsets {
                low: mean(|part| part.digits.low),
                high: mean(|part| part.digits.high),
            },
            rounds: combine(&parts.iter().map(|part| (weight, *part)).collect::<Vec<_>>()),
        })
    }

    /// The fastest of several things that any of `rivals` may be instead of `self`: the value
    /// stays, the bounds hold them all.
    pub(super) fn fastest_of(&self, rivals: &[&Self]) -> Self {
        let mut fastest = self.clone();
        for rival in rivals {
            match (&mut fastest.rounds, &rival.rounds) {
                (Some(rounds), Some(others)) => rounds.take_lower(others),
                _ => fastest.digits = fastest.digits_with(rival),
            }
        }
        fastest
    }

    /// The offsets of the minimum of `self` and a rival that is not sampled alongside it.
    fn digits_with(&self, rival: &Self) -> Offsets {
        let (low, high) = rival.bounds().unwrap_or((rival.value, rival.value));
        Offsets {
            low: self.digits.low.min(low - self.value),
            high: self.digits.high.min(high - self.value).max(0.0),
        }
    }

    /// Bounds in logs, if the evidence gives any.
    fn bounds(&self) -> Option<(f64, f64)> {
        let (low, high) = match &self.rounds {
            None => (self.value, self.value),
            Some(rounds) => {
                let (low, high) = rounds.confidence()?;
                (low.min(self.value + rounds.digits.low), high.max(self.value + rounds.digits.high))
            }
        };
        Some((low + self.digits.low, high + self.digits.high))
    }

    /// The quantity itself, with its interval.
    pub(super) fn estimate(&self) -> Estimate {
        let value = libm::exp(self.value);
        let kind = match &self.rounds {
            None => IntervalKind::PublishedDigits,
            Some(_) if self.digits == Offsets::default() => IntervalKind::Rounds,
            Some(_) => IntervalKind::Mixed,
        };
        // `exp` may round the ends past the value where they coincide with it in logs.
        let interval = self.bounds().map(|(low, high)| Interval {
            low: libm::exp(low).min(value),
            high: libm::exp(high).max(value),
            kind,
        });
        Estimate { value, interval }
    }
}

impl Offsets {
    fn around(figure: &Figure) -> Self {
        let value = libm::log(figure.value);
        Self {
            low: (libm::log(figure.low) - value).min(0.0),
            high: (libm::log(figure.high) - value).max(0.0),
        }
    }

    fn minus(self, other: Self) -> Self {
        Self { low: self.low - other.high, high: self.high - other.low }
    }
}

/// Forms a weighted sum in logs round by round, over the rounds that all sampled parts share.
/// Parts without rounds take part with their value. `None` if no part was sampled.
fn combine(parts: &[(f64, &LogQuantity)]) -> Option<Rounds> {
    let sampled =
        || parts.iter().filter_map(|(weight, part)| Some((*weight, part.rounds.as_ref()?)));
    let (_, first) = sampled().next()?;
    let values = first.values.iter().filter_map(|&(number, _)| {
        let sum: Option<f64> = parts
            .iter()
            .map(|(weight, part)| {
                let value = part.rounds.as_ref().map_or(Some(part.value), |r| r.value_in(number));
                value.map(|value| weight * value)
            })
            .sum();
        Some((number, sum?))
    });
    let mut digits = Offsets::default();
    for (weight, rounds) in sampled() {
        let (low, high) = (weight * rounds.digits.low, weight * rounds.digits.high);
        digits.low += low.min(high);
        digits.high += low.max(high);
    }
    Some(Rounds { values: values.collect(), digits })
}

impl Rounds {
    fn value_in(&self, number: u32) -> Option<f64> {
        let at = self.values.binary_search_by_key(&number, |&(number, _)| number).ok()?;
        Some(self.values[at].1)
    }

    /// In each round the lower of both values, where the other has that round.
    fn take_lower(&mut self, other: &Self) {
        for (number, value) in &mut self.values {
            if let Some(rival) = other.value_in(*number) {
                *value = value.min(rival);
            }
        }
    }

    /// mean ± t₀.₉₇₅,ₖ₋₁ · s / √k; `None` for fewer than two rounds.
    fn confidence(&self) -> Option<(f64, f64)> {
        let degrees = self.values.len().checked_sub(2)?;
        #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52 rounds")]
        let k = self.values.len() as f64;
        let mean = self.values.iter().map(|(_, value)| value).sum::<f64>() / k;
        let squares: f64 =
            self.values.iter().map(|(_, value)| (value - mean) * (value - mean)).sum();
        let deviation = libm::sqrt(squares / (k - 1.0));
        let half = t_quantile(degrees + 1) * deviation / libm::sqrt(k);
        Some((mean - half, mean + half))
    }
}

/// The 0.975 quantile of Student's t distribution with 1 to 30 degrees of freedom.
#[expect(clippy::unreadable_literal, reason = "a table of decimals")]
const T_975: [f64; 30] = [
    12.706204736,
    4.302652730,
    3.182446305,
    2.776445105,
    2.570581836,
    2.446911851,
    2.364624252,
    2.306004135,
    2.262157163,
    2.228138852,
    2.200985160,
    2.178812830,
    2.160368656,
    2.144786688,
    2.131449546,
    2.119905299,
    2.109815578,
    2.100922040,
    2.093024054,
    2.085963447,
    2.079613845,
    2.073873068,
    2.068657610,
    2.063898562,
    2.059538553,
    2.055529439,
    2.051830516,
    2.048407142,
    2.045229642,
    2.042272456,
];

/// The 0.975 quantile of the standard normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// The 0.975 quantile of Student's t distribution, to 2·10⁻⁶.
///
/// Beyond the table by the expansion of Abramowitz & Stegun, *Handbook of Mathematical
/// Functions*, 26.7.5.
pub fn t_quantile(degrees: usize) -> f64 {
    if let Some(quantile) = degrees.checked_sub(1).and_then(|at| T_975.get(at)) {
        return *quantile;
    }
    #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52 rounds")]
    let n = degrees as f64;
    let z2 = Z * Z;
    let g1 = (z2 + 1.0) * Z / 4.0;
    let g2 = ((5.0 * z2 + 16.0) * z2 + 3.0) * Z / 96.0;
    let g3 = (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) * Z / 384.0;
    Z + (g1 + (g2 + g3 / n) / n) / n
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::{Printed, Round},
        standings::fixture::samples,
    };

    fn figure(text: &str) -> Figure {
        Figure::from_printed(text, Printed::parse(text).unwrap())
    }

    fn published(text: &str) -> LogQuantity {
        LogQuantity::published(&figure(text))
    }

    fn close(got: f64, expected: f64, tolerance: f64) {
        assert!((got - expected).abs() <= tolerance, "{got} is not {expected}");
    }

    #[test]
    fn published_digits_go_through_a_ratio_end_by_end() {
        let ratio = published("981").over(&published("874.0")).estimate();
        let interval = ratio.interval.unwrap();
        close(ratio.value, 981.0 / 874.0, 1e-14);
        close(interval.low, 980.5 / 874.05, 1e-14);
        close(interval.high, 981.5 / 873.95, 1e-14);
        assert_eq!(interval.kind, IntervalKind::PublishedDigits);
    }

    #[test]
    fn three_rounds_give_students_t() {
        let set = samples("o/s/i/b", &[(0, 10.0), (1, 11.0), (2, 12.0)], "11.000");
        let got = LogQuantity::sampled(&set).estimate();
        let logs = [10_f64.ln(), 11_f64.ln(), 12_f64.ln()];
        let mean = logs.iter().sum::<f64>() / 3.0;
        let s = (logs.iter().map(|l| (l - mean).powi(2)).sum::<f64>() / 2.0).sqrt();
        let half = 4.302_652_730 * s / 3_f64.sqrt();
        let interval = got.interval.unwrap();
        close(interval.low, (mean - half).exp(), 1e-12);
        close(interval.high, (mean + half).exp(), 1e-12);
        assert_eq!(interval.kind, IntervalKind::Rounds);
        close(got.value, 11.0, 1e-12);
    }

    #[test]
    fn one_round_gives_no_interval() {
        let set = samples("o/s/i/b", &[(0, 10.0)], "10.0");
        assert_eq!(LogQuantity::sampled(&set).estimate().interval, None);
    }

    #[test]
    fn equal_rounds_still_leave_the_digits_open() {
        let set = samples("o/s/i/b", &[(0, 10.0), (1, 10.0)], "10.0");
        let interval = LogQuantity::sampled(&set).estimate().interval.unwrap();
        close(interval.low, 9.95, 1e-12);
        close(interval.high, 10.05, 1e-12);
    }

    #[test]
    fn common_drift_cancels_round_by_round() {
        let a = samples("o/s/a/b", &[(0, 10.0), (1, 20.0), (2, 40.0)], "20.000");
        let b = samples("o/s/b/b", &[(0, 5.0), (1, 10.0), (2, 20.0)], "10.000");
        let ratio = LogQuantity::sampled(&a).over(&LogQuantity::sampled(&b)).estimate();
        let interval = ratio.interval.unwrap();
        // Only the digits of both medians are left.
        close(interval.low, 19.9995 / 10.0005, 1e-9);
        close(interval.high, 20.0005 / 9.9995, 1e-9);
    }

    #[test]
    fn only_shared_rounds_count() {
        let a = samples("o/s/a/b", &[(0, 10.0), (1, 20.0)], "15.0");
        let b = samples("o/s/b/b", &[(1, 10.0), (2, 20.0)], "15.0");
        let ratio = LogQuantity::sampled(&a).over(&LogQuantity::sampled(&b));
        assert_eq!(ratio.rounds.as_ref().unwrap().values.len(), 1);
        assert_eq!(ratio.estimate().interval, None);
    }

    #[test]
    fn where_both_kinds_meet_the_published_half_width_is_added() {
        let set = samples("o/s/a/b", &[(0, 10.0), (1, 10.0)], "10.000");
        let ratio = published("20").over(&LogQuantity::sampled(&set)).estimate();
        let interval = ratio.interval.unwrap();
        assert_eq!(interval.kind, IntervalKind::Mixed);
        close(interval.low, 19.5 / 10.0005, 1e-9);
        close(interval.high, 20.5 / 9.9995, 1e-9);
    }

    #[test]
    fn the_fastest_of_a_set_goes_end_by_end() {
        // GDN forward, single short sequence: 5.936 against a 6 that may be 5.5.
        let fastest = published("5.936").fastest_of(&[&published("6")]).estimate();
        let interval = fastest.interval.unwrap();
        close(fastest.value, 5.936, 1e-14);
        close(interval.low, 5.5, 1e-12);
        close(interval.high, 5.9365, 1e-12);
    }

    #[test]
    fn the_t_quantile_is_continuous_beyond_its_table() {
        close(t_quantile(31), 2.039_513_446, 2e-6);
        close(t_quantile(60), 2.000_297_822, 2e-7);
        close(t_quantile(1_000_000), 1.959_966, 1e-5);
    }

    mod properties {
        use proptest::prelude::*;

        use super::*;

        fn latency() -> impl Strategy<Value = LogQuantity> {
            let published = (1_u32..1_000_000, 0_usize..4).prop_map(|(digits, decimals)| {
                let text = format!(
                    "{:.*}",
                    decimals,
                    f64::from(digits) / [1.0, 10.0, 100.0, 1000.0][decimals]
                );
                published(&text)
            });
            let sampled = proptest::collection::vec(0.01..1e6_f64, 1..5).prop_map(|rounds| {
                let rounds: Vec<_> = (0_u32..).zip(rounds).collect();
                let median = format!("{:.3}", rounds[0].1.max(0.001));
                LogQuantity::sampled(&samples("o/s/i/b", &rounds, &median))
            });
            prop_oneof![published, sampled]
        }

        fn sound(quantity: &LogQuantity) -> Result<(), TestCaseError> {
            let Estimate { value, interval } = quantity.estimate();
            prop_assert!(value.is_finite() && value > 0.0);
            if let Some(Interval { low, high, .. }) = interval {
                prop_assert!(low.is_finite() && high.is_finite());
                prop_assert!(0.0 < low && low <= value && value <= high);
            }
            Ok(())
        }

        proptest! {
            #[test]
            fn an_interval_always_holds_its_value(parts in proptest::collection::vec((latency(), latency()), 1..6)) {
                let ratios: Vec<_> = parts.iter().map(|(a, b)| a.over(b)).collect();
                for ((a, b), ratio) in parts.iter().zip(&ratios) {
                    sound(a)?;
                    sound(ratio)?;
                    sound(&ratio.inverse())?;
                    sound(&a.fastest_of(&[b]))?;
                }
                sound(&LogQuantity::geomean(&ratios.iter().collect::<Vec<_>>()).unwrap())?;
            }

            #[test]
            fn a_geomean_is_scale_equivariant_and_free_of_order(
                values in proptest::collection::vec(1_u32..100_000, 1..10),
                factor in 1_u32..1000,
            ) {
                let of = |numbers: &[u32]| {
                    let parts: Vec<_> = numbers.iter().map(|n| published(&n.to_string())).collect();
                    LogQuantity::geomean(&parts.iter().collect::<Vec<_>>()).unwrap().estimate().value
                };
                let plain = of(&values);
                let mut reversed = values.clone();
                reversed.reverse();
                prop_assert!((of(&reversed) / plain - 1.0).abs() < 1e-12);
                let scaled: Vec<_> = values.iter().map(|value| value * factor).collect();
                prop_assert!((of(&scaled) / plain / f64::from(factor) - 1.0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn rounds_are_found_by_their_number() {
        let set = samples("o/s/i/b", &[(3, 1.0), (7, 2.0)], "1.5");
        assert_eq!(set.rounds[1], Round { number: 7, median_us: 2.0 });
        let rounds = LogQuantity::sampled(&set).rounds.unwrap();
        assert_eq!((rounds.value_in(3), rounds.value_in(4)), (Some(0.0), None));
    }
}
