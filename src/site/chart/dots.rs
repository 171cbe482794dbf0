//! Dots with intervals, a row per shape; for latencies.

use super::{
    Dots, Point,
    axis::{self, Axis, LOGARITHMIC_FROM},
    canvas::{Anchor, Head, WIDTH, figure},
    layout::{Below, Rows, whisker},
    mark::{self, Legend},
    theme::Ink,
};
use crate::site::format;

/// Distance of two lanes: each series has a lane of its own in every row, so that equal values
/// stand below each other.
const PITCH: i32 = 11;

/// Draws rows of marks, a form per series. A row without any value has a dash; a single value
/// that is missing is left out.
pub fn dots(spec: &Dots) -> String {
    let legend = Legend::new(&spec.series);
    let content = PITCH * i32::try_from(spec.series.len().max(1)).unwrap_or(1);
    let labels = spec.rows.iter().map(|(label, _)| label.as_str());
    let rows = Rows::new(labels, content, legend.height + 4);
    let points = || spec.rows.iter().flat_map(|(_, values)| values.iter().flatten());
    let ends = points().flat_map(|point| [point.span().0, point.value, point.span().1]);
    let axis = Axis::fitting(axis::range(ends), LOGARITHMIC_FROM, rows.left, WIDTH - 16);
    let below = Below::new(&axis, &spec.axis);
    let head = Head { id: &spec.id, title: &spec.title, message: &spec.message };
    figure(&head, rows.bottom + below.height(), |canvas| {
        below.draw(canvas, (rows.top, rows.bottom));
        rows.draw(canvas);
        legend.draw(canvas);
        canvas.line(vec![(axis.start, rows.top), (axis.start, rows.bottom)], Ink::Axis, 1);
        for ((row, values), (_, top, height)) in spec.rows.iter().zip(&rows.places) {
            let values: &[Option<Point>] = &values[..values.len().min(spec.series.len())];
            if values.iter().all(Option::is_none) {
                let at = (axis.start + 6, top + height / 2);
                canvas.text(format::NONE, at, Anchor::Start, Ink::Value);
            }
            let first = top + (height - content) / 2 + PITCH / 2;
            let middles = (0..).map(|series| first + PITCH * series);
            for ((series, value), y) in values.iter().enumerate().zip(middles) {
                let Some(point) = value else { continue };
                // Whiskers that would hide behind the mark are left out.
                if let Some((low, high)) = point.bounds {
                    let (low, high) = (axis.at(low), axis.at(high));
                    if high - low > 2 * mark::RADIUS {
                        whisker(canvas, (low, high), y);
                    }
                }
                mark::draw(canvas, series, (axis.at(point.value), y));
                let (low, high) = point.span();
                let name = super::cell_name(row, &spec.series, series);
                let text = format!("{name}: {}", point.words(" µs"));
                canvas.spot((axis.at(low), axis.at(high)), y, PITCH / 2, text);
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::chart::check::{assert_sound, point};

    fn spec(series: &[&str], rows: &[(&str, Vec<Option<Point>>)]) -> Dots {
        Dots {
            id: "figure".into(),
            title: "Latencies".into(),
            message: "The first is ahead.".into(),
            axis: "Latency, µs (lower is better)".into(),
            series: series.iter().map(|&name| name.into()).collect(),
            rows: rows.iter().map(|(label, values)| ((*label).into(), values.clone())).collect(),
        }
    }

    #[test]
    fn every_series_has_a_form_of_its_own() {
        let values = (0..8).map(|n| point(f64::from(n + 1), 0.5, 9.0)).collect();
        let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
        let svg = dots(&spec(&names, &[("shape", values)]));
        assert_sound(&svg);
        assert_eq!(svg.matches("class=\"bound\"").count(), 8);
        for class in ["s0", "s1", "s2", "s3", "s4", "l5", "l6", "l7"] {
            // Once in the legend, once in the plot.
            assert_eq!(svg.matches(&format!("class=\"{class}\"")).count(), 2, "{class}");
        }
    }

    #[test]
    fn the_axis_is_logarithmic_where_values_span_a_factor_over_20() {
        let exact = |value| Some(Point { value, bounds: None });
        let narrow = dots(&spec(&["a"], &[("x", vec![exact(10.0)]), ("y", vec![exact(190.0)])]));
        assert!(narrow.contains(">0</text>"), "{narrow}");
        let wide = dots(&spec(&["a"], &[("x", vec![exact(10.0)]), ("y", vec![exact(210.0)])]));
        assert!(!wide.contains(">0</text>"), "{wide}");
        for tick in [10, 20, 50, 100, 200] {
            assert!(wide.contains(&format!(">{tick}</text>")), "{tick}");
        }
    }

    #[test]
    fn odd_values_draw_sensibly() {
        let exact = |value| Some(Point { value, bounds: None });
        let long = "B 8, N 4096, H 16, H_KV 2, D 128, causal, ".repeat(5);
        for rows in [
            vec![],
            vec![("none", vec![None, None])],
            vec![("one", vec![exact(7.0), None])],
            vec![("equal", vec![exact(7.0), exact(7.0)]), ("too", vec![exact(7.0), exact(7.0)])],
            vec![("huge", vec![exact(1e-3), exact(1e7)])],
            vec![(long.as_str(), vec![point(1.0, 0.5, 30.0), exact(2.0)]), ("", vec![None])],
            vec![("核心运算".repeat(20).leak() as &str, vec![exact(1.0), exact(2.0), exact(3.0)])],
        ] {
            assert_sound(&dots(&spec(&["a", "b"], &rows)));
            assert_sound(&dots(&spec(&[], &rows)));
        }
    }

    #[test]
    fn a_row_without_values_has_a_dash() {
        let svg = dots(&spec(&["a", "b"], &[("x", vec![None, None]), ("y", vec![None])]));
        assert_eq!(svg.matches(">—</text>").count(), 2);
    }
}
