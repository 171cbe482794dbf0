//! Grouped horizontal bars, for speedups.

use super::{
    Bars, Point,
    axis::{self, Axis},
    canvas::{Anchor, Canvas, Head, WIDTH, figure},
    layout::{Below, Rows, whisker},
    mark::{self, Legend, RADIUS},
    text,
    theme::Ink,
};
use crate::site::format;

/// Height of a bar with the space to the next.
const PITCH: i32 = 19;

/// Height of a bar.
const THICKNESS: i32 = 13;

/// Bars that span more than this factor go left and right from the reference on a logarithmic
/// axis: on one from 0 the short ones could not be seen.
const LOGARITHMIC_FROM: f64 = 50.0;

/// Draws groups of bars from top to bottom: the value at the end of each, its interval as a
/// whisker, a dash where there is none.
pub fn bars(spec: &Bars) -> String {
    let legend = Legend::new(&spec.series);
    let content = PITCH * i32::try_from(spec.series.len().max(1)).unwrap_or(1);
    let labels = spec.groups.iter().map(|(label, _)| label.as_str());
    let rows = Rows::new(labels, content, legend.height + 4);
    let marks = if legend.height > 0 { 2 * RADIUS + 8 } else { 0 };
    let axis = axis_of(spec, rows.left + marks);
    let below = Below::new(&axis, &spec.axis);
    let head = Head { id: &spec.id, title: &spec.title, message: &spec.message };
    // Group, series, height of its middle, value.
    let cells: Vec<(&str, usize, i32, Option<Point>)> = spec
        .groups
        .iter()
        .zip(&rows.places)
        .flat_map(|((group, values), (_, top, height))| {
            let first = top + (height - content) / 2 + PITCH / 2;
            let middles = (0..).map(move |series| first + PITCH * series);
            let values = values.iter().take(spec.series.len()).enumerate();
            values.zip(middles).map(|((series, value), y)| (group.as_str(), series, y, *value))
        })
        .collect();
    figure(&head, rows.bottom + below.height(), |canvas| {
        let vertical = |x, ink| canvas.line(vec![(x, rows.top), (x, rows.bottom)], ink, 1);
        let reference = spec.reference.map(|reference| axis.at(reference));
        let base = reference.filter(|_| axis.is_logarithmic()).unwrap_or(axis.start);
        below.draw(canvas, (rows.top, rows.bottom));
        rows.draw(canvas);
        legend.draw(canvas);
        for &(_, series, y, value) in &cells {
            if marks > 0 {
                mark::draw(canvas, series, (axis.start - RADIUS - 5, y));
            }
            if let Some(point) = value {
                let end = axis.at(point.value);
                let (from, to) = (base.min(end), base.max(end).max(base.min(end) + 1));
                let top = y - THICKNESS / 2;
                canvas.area((from, top), (to, top + THICKNESS), Ink::Fill(series));
            }
        }
        vertical(base, Ink::Axis);
        if let Some(x) = reference {
            vertical(x, Ink::Reference);
        }
        for &(group, series, y, value) in &cells {
            draw_value(canvas, &axis, value, (base, y), reference);
            let Some(point) = value else { continue };
            let name = super::cell_name(group, &spec.series, series);
            let (low, high) = point.span();
            let end = base.max(axis.at(point.value)).max(axis.at(high));
            let start = base.min(axis.at(point.value)).min(axis.at(low));
            let text = format!("{name}: {}", point.words("×"));
            canvas.spot((start, end), y, PITCH / 2, text);
        }
    })
}

/// The axis of the values and the reference, with room for the longest number after its end.
fn axis_of(spec: &Bars, start: i32) -> Axis {
    let points = || spec.groups.iter().flat_map(|(_, values)| values.iter().flatten());
    let room = points().map(|point| text::width(&text::number(point.value))).max().unwrap_or(0);
    // A reference line just right of a bar's end pushes the number by some more.
    let end = WIDTH - room.max(24) - 12;
    let ends = points().flat_map(|point| [point.span().0, point.value, point.span().1]);
    let range = axis::range(ends.chain(spec.reference));
    match (range, spec.reference) {
        (Some((low, high)), Some(_)) if low > 0.0 && high / low > LOGARITHMIC_FROM => {
            Axis::logarithmic((low, high), start, end)
        }
        (Some((_, high)), Some(reference)) => Axis::linear(high.max(reference * 1.2), start, end),
        (Some((_, high)), None) => Axis::linear(high, start, end),
        (None, _) => Axis::linear(1.0, start, end),
    }
}

/// Draws the whisker and the number of a bar, or the dash in its place.
fn draw_value(
    canvas: &Canvas,
    axis: &Axis,
    value: Option<Point>,
    (base, y): (i32, i32),
    reference: Option<i32>,
) {
    let Some(point) = value else {
        canvas.text(format::NONE, (base + 5, y), Anchor::Start, Ink::Value);
        return;
    };
    let mut end = base.max(axis.at(point.value));
    if let Some((low, high)) = point.bounds {
        let (low, high) = (axis.at(low), axis.at(high));
        whisker(canvas, (low, high), y);
        end = end.max(high);
    }
    let number = text::number(point.value);
    let mut x = end + 5;
    // The reference line does not cross a number.
    if let Some(line) = reference
        && (x - 3..x + text::width(&number)).contains(&line)
    {
        x = line + 5;
    }
    canvas.text(&number, (x, y), Anchor::Start, Ink::Value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::chart::check::{assert_sound, point};

    fn spec(series: &[&str], groups: &[(&str, Vec<Option<Point>>)]) -> Bars {
        Bars {
            id: "figure".into(),
            title: "Speedups".into(),
            message: "The first is ahead.".into(),
            axis: "Speedup over the library, × (higher is better)".into(),
            series: series.iter().map(|&name| name.into()).collect(),
            groups: groups
                .iter()
                .map(|(label, values)| ((*label).into(), values.clone()))
                .collect(),
            reference: Some(1.0),
        }
    }

    #[test]
    fn a_bar_has_its_number_its_whisker_and_its_mark() {
        let svg = bars(&spec(
            &["JustGoal", "Agents"],
            &[("DSA forward", vec![point(1.66, 1.6, 1.7), None])],
        ));
        assert_sound(&svg);
        for expected in [
            ">JustGoal</text>",
            ">Agents</text>",
            ">DSA forward</text>",
            ">1.66</text>",
            ">—</text>",
            "class=\"bound\"",
            "class=\"ref\"",
            "<circle",
        ] {
            assert!(svg.contains(expected), "{expected} in {svg}");
        }
        assert_eq!(svg.matches("class=\"bound\"").count(), 1);
    }

    #[test]
    fn a_bar_says_its_value_where_the_reader_points() {
        let value = vec![point(1.66, 1.6, 1.7)];
        let svg = bars(&spec(&["JustGoal"], &[("DSA forward", value.clone())]));
        assert!(svg.contains("<title>DSA forward: 1.66× (1.60–1.70)</title>"), "{svg}");
        let svg = bars(&spec(&["JustGoal", "Agents"], &[("DSA forward", value)]));
        assert_eq!(svg.matches("class=\"spot\"").count(), 1);
        assert!(svg.contains("<title>DSA forward, JustGoal: 1.66× (1.60–1.70)</title>"), "{svg}");
    }

    #[test]
    fn a_single_series_has_no_legend() {
        let svg = bars(&spec(&["JustGoal"], &[("DSA", vec![point(2.0, 2.0, 2.0)])]));
        assert_sound(&svg);
        assert!(!svg.contains("JustGoal"));
        assert!(!svg.contains("<circle"));
    }

    #[test]
    fn odd_values_draw_sensibly() {
        let exact = |value| Some(Point { value, bounds: None });
        let long = "An operator with a name that is far longer than any column of labels, \
                    Ünïcödé, 核心运算 and <tags> & quotes \" included, and still it goes on";
        for groups in [
            vec![],
            vec![("none", vec![None, None])],
            vec![("one", vec![exact(1.0), None])],
            vec![("equal", vec![exact(1.3), exact(1.3)]), ("too", vec![exact(1.3), exact(1.3)])],
            vec![("huge", vec![exact(1e-3), exact(1e7)])],
            vec![("absurd", vec![exact(1e-28), exact(1e28)])],
            vec![(long, vec![point(0.98, 0.9, 1.1), exact(0.99)]), ("", vec![exact(3.0), None])],
            vec![("fewer values than series", vec![exact(1.0)])],
            vec![("more", vec![exact(1.0), exact(2.0), exact(3.0)])],
        ] {
            for reference in [Some(1.0), None] {
                for series in [vec!["a", "b"], vec![long, "b"], vec![]] {
                    let spec = Bars { reference, ..spec(&series, &groups) };
                    assert_sound(&bars(&spec));
                }
            }
        }
    }

    #[test]
    fn the_whole_of_a_cut_label_is_in_its_title() {
        let long = ["a very long name"; 12].join(" ");
        let svg = bars(&spec(&["a"], &[(&long, vec![None])]));
        assert!(svg.contains(&format!("<title>{long}</title>")), "{svg}");
    }

    #[test]
    fn a_number_stands_clear_of_the_reference_line() {
        // At 0.99 the number would begin before the line at 1 and end behind it.
        let svg = bars(&spec(&["a"], &[("x", vec![Some(Point { value: 0.99, bounds: None })])]));
        let x_of = |class: &str, key: &str| {
            let tag = svg.lines().find(|line| line.contains(class)).unwrap();
            let value = tag.split_once(key).unwrap().1;
            value.split([',', '"', ' ']).next().unwrap().parse::<i32>().unwrap()
        };
        assert!(x_of("class=\"value\"", " x=\"") > x_of("class=\"ref\"", "points=\""));
    }

    #[test]
    fn the_largest_board_stays_small() {
        let values = vec![point(1.234, 1.2, 1.3), point(0.919, 0.9, 0.92), point(2.4, 1.0, 2.47)];
        let names: Vec<String> = (0..11).map(|n| format!("MLA paged prefill {n}")).collect();
        let groups: Vec<(&str, Vec<Option<Point>>)> =
            names.iter().map(|name| (name.as_str(), values.clone())).collect();
        let svg = bars(&spec(&["JustGoal", "Open-source library", "Kernel agents"], &groups));
        assert_sound(&svg);
        assert!(svg.len() < 16_000, "{} bytes", svg.len());
    }
}
