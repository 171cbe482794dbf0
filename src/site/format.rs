//! Numbers as pages and the terminal print them, on top of the rounding in
//! `diagnostic::number`.

pub use crate::diagnostic::number::{significant, significant_to};
use crate::standings::{Estimate, Interval};

/// What stands where there is no number.
pub const NONE: &str = "—";

/// A speedup: `1.66×`.
pub fn speedup(value: f64) -> String {
    format!("{}×", significant(value))
}

/// A speedup, or a dash.
pub fn speedup_or_none(estimate: Option<&Estimate>) -> String {
    estimate.map_or_else(|| NONE.to_owned(), |estimate| speedup(estimate.value))
}

/// The two ends of an interval: `1.58–1.91`. Ends that round to the same text get more digits,
/// up to six, so that an interval never looks like a point.
pub fn interval(interval: &Interval) -> String {
    ends(interval.low, interval.high)
}

/// The same of two numbers.
pub fn ends(low: f64, high: f64) -> String {
    for digits in 3..=6 {
        let (low, high) = (significant_to(low, digits), significant_to(high, digits));
        if low != high {
            return format!("{low}–{high}");
        }
    }
    significant(low)
}

/// The two ends of what printed digits stand for, in full: `158.45–158.55`.
pub fn bounds(bounds: &Interval) -> String {
    let exact = |text: &str, end: f64| {
        text.parse().is_ok_and(|shown: f64| (shown - end).abs() <= 1e-12 * end.abs())
    };
    for digits in 1..=10 {
        let (low, high) = (significant_to(bounds.low, digits), significant_to(bounds.high, digits));
        if exact(&low, bounds.low) && exact(&high, bounds.high) {
            return format!("{low}–{high}");
        }
    }
    interval(bounds)
}

/// A number in full: the shortest text that reads back as the same float.
pub fn exact(value: f64) -> String {
    value.to_string()
}

/// A latency that was computed, in microseconds, to four significant digits.
pub fn latency(us: f64) -> String {
    significant_to(us, 4)
}

/// A fixed number of decimals.
pub fn decimals(value: f64, decimals: usize) -> String {
    format!("{value:.decimals$}")
}

/// A number that was entered, in its shortest form: `8`, `132.6`.
pub fn plain(value: f64) -> String {
    value.to_string()
}

/// A share in per cent with one decimal: `87.5 %`.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// The sample size beside every mean: `9 of 10`.
pub fn n_of(counted: usize, total: usize) -> String {
    format!("{counted} of {total}")
}

/// A count with its noun: `1 shape`, `3 shapes`.
pub fn count(number: usize, singular: &str, plural: &str) -> String {
    format!("{number} {}", if number == 1 { singular } else { plural })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standings::IntervalKind;

    #[test]
    fn bounds_of_digits_are_not_rounded() {
        let of = |low, high| bounds(&Interval { low, high, kind: IntervalKind::PublishedDigits });
        assert_eq!(of(158.45, 158.55), "158.45–158.55");
        assert_eq!(of(980.5, 981.5), "980.5–981.5");
        assert_eq!(of(6.5, 7.5), "6.5–7.5");
        assert_eq!(of(1.0 / 3.0, 2.0 / 3.0), "0.333–0.667");
    }

    #[test]
    fn an_interval_never_looks_like_a_point() {
        let of = |low, high| interval(&Interval { low, high, kind: IntervalKind::PublishedDigits });
        assert_eq!(of(1.58, 1.91), "1.58–1.91");
        assert_eq!(of(1.661, 1.662), "1.661–1.662");
        assert_eq!(of(1.0, 1.0), "1.00");
    }
}
