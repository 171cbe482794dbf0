//! The small bars inside tables: a bar per contender from the line at 1×, to the right where it
//! is faster, on a logarithmic scale that all rows of a table share.

use serde::Serialize;

use crate::standings::Estimate;

/// Width of the drawing, in its own units.
const WIDTH: f64 = 150.0;
/// Height of one bar, and of the gap below it.
const BAR: f64 = 8.0;
const GAP: f64 = 4.0;

/// The scale that the rows of a table share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    low: f64,
    high: f64,
}

/// The bars of one row.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Minibars {
    pub width: String,
    pub height: String,
    /// Where 1× stands.
    pub origin: String,
    pub bars: Vec<Minibar>,
}

/// One bar with its interval.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Minibar {
    pub class: String,
    pub x: String,
    pub y: String,
    pub width: String,
    pub height: String,
    /// The line from the lower to the upper bound; empty where there is none.
    pub from: String,
    pub to: String,
    pub middle: String,
}

fn text(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

impl Scale {
    /// The scale that holds 1 and all of these with their intervals.
    pub fn over<'e>(estimates: impl Iterator<Item = &'e Estimate>) -> Self {
        let (mut low, mut high) = (1.0_f64, 1.0_f64);
        for estimate in estimates {
            let bounds = estimate
                .interval
                .map_or((estimate.value, estimate.value), |interval| (interval.low, interval.high));
            low = low.min(bounds.0);
            high = high.max(bounds.1);
        }
        // Never a scale of no width, and a little air at both ends.
        Self { low: libm::log(low.min(0.95)) * 1.04, high: libm::log(high.max(1.05)) * 1.04 }
    }

    fn x(self, value: f64) -> f64 {
        ((libm::log(value) - self.low) / (self.high - self.low)).clamp(0.0, 1.0) * WIDTH
    }

    /// The bars of a row, the first on top. A missing one leaves its place empty.
    pub fn bars(self, values: &[Option<Estimate>]) -> Minibars {
        let origin = self.x(1.0);
        let mut y = 2.0;
        let mut bars = Vec::new();
        for (series, value) in values.iter().enumerate() {
            if let Some(value) = value {
                let x = self.x(value.value);
                let (left, right) = if x < origin { (x, origin) } else { (origin, x) };
                let (from, to) =
                    value.interval.map_or((String::new(), String::new()), |interval| {
                        (text(self.x(interval.low)), text(self.x(interval.high)))
                    });
                bars.push(Minibar {
                    class: series_class(series),
                    x: text(left),
                    y: text(y),
                    width: text((right - left).max(0.5)),
                    height: text(BAR),
                    from,
                    to,
                    middle: text(y + BAR / 2.0),
                });
            }
            y += BAR + GAP;
        }
        Minibars { width: text(WIDTH), height: text(y - GAP + 2.0), origin: text(origin), bars }
    }
}

/// The class of a series' colour; there are eight.
pub(super) fn series_class(series: usize) -> String {
    format!("s{}", series % 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(value: f64) -> Estimate {
        Estimate { value, interval: None }
    }

    #[test]
    fn faster_is_to_the_right_of_the_line() {
        let (slow, fast) = (estimate(0.5), estimate(2.0));
        let scale = Scale::over([&slow, &fast].into_iter());
        let bars = scale.bars(&[Some(slow), None, Some(fast)]);
        assert_eq!(bars.origin, "75");
        let found: Vec<_> =
            bars.bars.iter().map(|bar| (&*bar.class, &*bar.x, &*bar.width, &*bar.y)).collect();
        assert_eq!(found, [("s0", "2.9", "72.1", "2"), ("s2", "75", "72.1", "26")]);
    }

    #[test]
    fn without_values_there_is_still_a_line() {
        let bars = Scale::over([].into_iter()).bars(&[None]);
        assert!(bars.bars.is_empty());
        assert_ne!(bars.origin, "NaN");
    }
}
