//! Axes: from values to units of the view box, and where the ticks stand.

use super::text;
use crate::site::format;

/// Values that span more than this factor are drawn on a logarithmic axis.
pub const LOGARITHMIC_FROM: f64 = 20.0;

/// An axis over a run of units. It maps every positive value to a place on it.
#[derive(Debug, Clone)]
pub struct Axis {
    kind: Kind,
    /// Where the low end is drawn.
    pub start: i32,
    /// Where the high end is drawn; less than `start` for an axis that goes up.
    end: i32,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    /// From 0 to this.
    Linear(f64),
    /// From the decimal logarithm of the low end to that of the high end.
    Logarithmic(f64, f64),
}

/// Smallest and largest of some positive numbers; none if there are none.
pub fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.filter(|value| value.is_finite() && *value >= 0.0).fold(None, |range, value| {
        let (low, high) = range.unwrap_or((value, value));
        Some((f64::min(low, value), f64::max(high, value)))
    })
}

/// The numbers 1, 2, 5, 10, 20, …: the `rung`th of them, where 1 is the 0th.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rung(i32);

impl Rung {
    fn mantissa(self) -> u64 {
        [1, 2, 5][usize::try_from(self.0.rem_euclid(3)).unwrap_or(0)]
    }

    fn exponent(self) -> i32 {
        self.0.div_euclid(3)
    }

    fn value(self) -> f64 {
        decimal(self.mantissa(), self.exponent())
    }

    /// The highest that is not above a positive number.
    fn below(value: f64) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "an f64's exponent is below 400")]
        let mut rung = Self(libm::floor(libm::log10(value)) as i32 * 3 - 1);
        while Self(rung.0 + 1).value() <= value {
            rung.0 += 1;
        }
        rung
    }

    /// The lowest that is not below a positive number.
    fn above(value: f64) -> Self {
        let below = Self::below(value);
        if below.value() < value { Self(below.0 + 1) } else { below }
    }
}

/// `digits · 10^exponent`, the nearest float to it.
fn decimal(digits: u64, exponent: i32) -> f64 {
    format!("{digits}e{exponent}").parse().unwrap_or(f64::MAX)
}

/// `digits · 10^exponent` as the text of a tick.
fn tick_text(digits: u64, exponent: i32) -> String {
    match (digits, exponent) {
        (0, _) => "0".to_owned(),
        (1, ..-3 | 5..) => format!("10{}", text::superscript(exponent)),
        (_, ..-3 | 5..) => format!("{digits}×10{}", text::superscript(exponent)),
        _ => format::decimals(decimal(digits, exponent), usize::try_from(-exponent).unwrap_or(0)),
    }
}

impl Axis {
    /// An axis from 0 to a value, drawn from one unit to another.
    pub fn linear(high: f64, start: i32, end: i32) -> Self {
        Self { kind: Kind::Linear(if high > 0.0 { high } else { 1.0 }), start, end }
    }

    /// A logarithmic axis from and to a number of the form 1, 2 or 5 times a power of ten.
    pub fn logarithmic((low, high): (f64, f64), start: i32, end: i32) -> Self {
        let (low, high) = (Rung::below(low), Rung::above(high));
        let high = if high > low { high } else { Rung(low.0 + 1) };
        let kind = Kind::Logarithmic(libm::log10(low.value()), libm::log10(high.value()));
        Self { kind, start, end }
    }

    /// The axis that suits some values: logarithmic if they span more than a factor, else linear
    /// from 0 with a little room at the end.
    pub fn fitting(range: Option<(f64, f64)>, factor: f64, start: i32, end: i32) -> Self {
        match range {
            Some((low, high)) if low > 0.0 && high / low > factor => {
                Self::logarithmic((low, high), start, end)
            }
            Some((_, high)) => Self::linear(high * 1.03, start, end),
            None => Self::linear(1.0, start, end),
        }
    }

    /// Whether it is logarithmic.
    pub fn is_logarithmic(&self) -> bool {
        matches!(self.kind, Kind::Logarithmic(..))
    }

    /// The number at its low end.
    pub fn low(&self) -> f64 {
        match self.kind {
            Kind::Linear(_) => 0.0,
            Kind::Logarithmic(low, _) => libm::pow(10.0, low),
        }
    }

    /// The number at its high end.
    pub fn high(&self) -> f64 {
        match self.kind {
            Kind::Linear(high) => high,
            Kind::Logarithmic(_, high) => libm::pow(10.0, high),
        }
    }

    /// Where a value is drawn. Values beyond its ends are drawn at the ends.
    pub fn at(&self, value: f64) -> i32 {
        let part = match self.kind {
            Kind::Linear(high) => value / high,
            Kind::Logarithmic(low, high) => (libm::log10(value) - low) / (high - low),
        };
        let length = f64::from(self.end - self.start);
        #[expect(clippy::cast_possible_truncation, reason = "clamped to the length of the axis")]
        let offset = (part.clamp(0.0, 1.0) * length).round() as i32;
        self.start + offset
    }

    /// Ticks from low to high: where each stands and what it says. As many as there is room for,
    /// when each text takes `extent` along the axis.
    pub fn ticks(&self, extent: impl Fn(&str) -> i32) -> Vec<(i32, String)> {
        let fits = |ticks: &[(i32, String)]| {
            ticks.windows(2).all(|pair| {
                let room = (pair[1].0 - pair[0].0).abs();
                room >= i32::midpoint(extent(&pair[0].1), extent(&pair[1].1)) + 8
            })
        };
        let tick =
            |digits, exponent| (self.at(decimal(digits, exponent)), tick_text(digits, exponent));
        match self.kind {
            Kind::Linear(high) => {
                // From steps that are too small upwards; one so large that only 0 is left fits.
                let first = Rung::below(high / 8.0);
                (first.0..first.0 + 9)
                    .map(Rung)
                    .map(|step| {
                        let steps = (0..).map(|count| count * step.mantissa());
                        steps
                            .map_while(|digits| {
                                let within = decimal(digits, step.exponent()) <= high;
                                within.then(|| tick(digits, step.exponent()))
                            })
                            .collect::<Vec<_>>()
                    })
                    .find(|ticks| fits(ticks))
                    .unwrap_or_default()
            }
            Kind::Logarithmic(low, high) => {
                let within = |rung: &Rung| {
                    let place = libm::log10(rung.value());
                    place >= low - 1e-9 && place <= high + 1e-9
                };
                #[expect(clippy::cast_possible_truncation, reason = "logarithms of floats")]
                let (first, last) = (low.floor() as i32 * 3, high.ceil() as i32 * 3);
                // 1-2-5, then powers of ten, then every second, third, … of them.
                [1].into_iter()
                    .chain((3..=last - first + 3).step_by(3))
                    .map(|step| {
                        (first..=last)
                            .filter(|rung| rung.rem_euclid(step) == 0)
                            .map(Rung)
                            .filter(within)
                            .map(|rung| tick(rung.mantissa(), rung.exponent()))
                            .collect::<Vec<_>>()
                    })
                    .find(|ticks| fits(ticks))
                    .unwrap_or_default()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(axis: &Axis, expected: &[&str]) {
        let ticks = axis.ticks(text::width);
        let texts: Vec<&str> = ticks.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn linear_ticks_are_round_and_few() {
        check(&Axis::linear(2.3, 0, 300), &["0", "0.5", "1.0", "1.5", "2.0"]);
        check(&Axis::linear(1.0, 0, 40), &["0", "1"]);
        check(&Axis::linear(1.0, 0, 9), &["0"]);
        check(&Axis::linear(981.0, 0, 300), &["0", "200", "400", "600", "800"]);
        check(&Axis::linear(3.2e7, 0, 300), &["0", "10⁷", "2×10⁷", "3×10⁷"]);
        check(&Axis::linear(0.0, 0, 300), &["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
    }

    #[test]
    fn logarithmic_ticks_are_1_2_5_where_they_fit() {
        let of = |low, high| Axis::fitting(Some((low, high)), LOGARITHMIC_FROM, 0, 300);
        check(&of(3.0, 70.0), &["2", "5", "10", "20", "50", "100"]);
        check(&of(0.5, 900.0), &["1", "10", "100", "1000"]);
        check(&of(1e-3, 1e7), &["0.01", "1", "100", "10000", "10⁶"]);
    }

    #[test]
    fn every_value_has_a_place_on_the_axis() {
        for axis in [
            Axis::fitting(None, 20.0, 10, 20),
            Axis::fitting(Some((5.0, 5.0)), 20.0, 10, 20),
            Axis::fitting(Some((1e-28, 1e28)), 20.0, 10, 20),
            Axis::logarithmic((1.0, 1.0), 10, 20),
            Axis::linear(1.0, 20, 10),
        ] {
            for value in [0.0, 1e-300, 1e-28, 1.0, 5.0, 1e28, f64::MAX] {
                assert!((10..=20).contains(&axis.at(value)), "{axis:?} {value}");
            }
        }
    }

    #[test]
    fn rungs_enclose_a_value() {
        for value in [1e-28, 0.001, 0.2, 0.3, 1.0, 1.5, 4.99, 5.0, 9.99, 10.0, 1e7, 3e28] {
            let (below, above) = (Rung::below(value), Rung::above(value));
            assert!(below.value() <= value && value <= above.value(), "{value}");
            assert!(above.0 - below.0 <= 1, "{value}");
        }
    }
}
