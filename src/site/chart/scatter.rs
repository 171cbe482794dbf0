//! One quantity against another, each point named.

use super::{
    Mark, Scatter,
    axis::{self, Axis, LOGARITHMIC_FROM},
    canvas::{Anchor, Canvas, Head, WIDTH, figure},
    layout::Below,
    mark::{self, Legend, RADIUS},
    text::{self, Block},
    theme::Ink,
};
use crate::site::format;

/// Height of the plot.
const PLOT: i32 = 340;

/// Where the plot ends on the right.
const RIGHT: i32 = WIDTH - 14;

/// Draws points with their names beside them. Where there is no room for a name, it is listed
/// below the plot.
pub fn scatter(spec: &Scatter) -> String {
    let legend = Legend::new(&spec.series);
    let title = text::wrap(&spec.y_axis, WIDTH - 4, 2);
    let top = legend.height + title.height() + 10;
    let range_of = |pick: fn(&Mark) -> f64| axis::range(spec.points.iter().map(pick));
    let vertical = Axis::fitting(range_of(|point| point.y), LOGARITHMIC_FROM, top + PLOT, top);
    let ticks = vertical.ticks(|_| text::LINE);
    let left = ticks.iter().map(|(_, label)| text::width(label)).max().unwrap_or(0) + 10;
    let horizontal = Axis::fitting(range_of(|point| point.x), LOGARITHMIC_FROM, left, RIGHT);
    let below = Below::new(&horizontal, &spec.x_axis);
    let places: Vec<(i32, i32)> =
        spec.points.iter().map(|mark| (horizontal.at(mark.x), vertical.at(mark.y))).collect();
    let names = name_places(spec, &places, (left, RIGHT), (top, top + PLOT));
    let unnamed = unnamed(spec, &names);
    let unnamed_height = unnamed.as_ref().map_or(0, Block::height);
    let height = top + PLOT + below.height() + unnamed_height + 4;
    let head = Head { id: &spec.id, title: &spec.title, message: &spec.message };
    figure(&head, height, |canvas| {
        legend.draw(canvas);
        let middle = legend.height + title.height() / 2;
        canvas.block(&title, (2, middle), Anchor::Start, Ink::Tick);
        for (y, label) in &ticks {
            canvas.line(vec![(left, *y), (RIGHT, *y)], Ink::Grid, 1);
            canvas.text(label, (left - 5, *y), Anchor::End, Ink::Tick);
        }
        below.draw(canvas, (top, top + PLOT));
        canvas.line(vec![(left, top), (left, top + PLOT), (RIGHT, top + PLOT)], Ink::Axis, 1);
        if spec.diagonal {
            diagonal(canvas, &horizontal, &vertical);
        }
        for (of, &(x, y)) in spec.points.iter().zip(&places) {
            mark::draw(canvas, of.series, (x, y));
            let name = super::cell_name(&of.name, &spec.series, of.series);
            let text = format!(
                "{name}. {}: {}. {}: {}",
                bare(&spec.x_axis),
                text::number(of.x),
                bare(&spec.y_axis),
                text::number(of.y)
            );
            canvas.spot((x, x), y, RADIUS + 1, text);
        }
        for (of, place) in spec.points.iter().zip(&names) {
            if let (Some(label), Some(at)) = (&of.label, place) {
                canvas.text(&text::clean(label), *at, Anchor::Start, Ink::Label);
            }
        }
        if spec.points.is_empty() {
            let at = (left + 8, top + PLOT / 2);
            canvas.text(format::NONE, at, Anchor::Start, Ink::Value);
        }
        if let Some(block) = &unnamed {
            let middle = top + PLOT + below.height() + unnamed_height / 2;
            canvas.block(block, (2, middle), Anchor::Start, Ink::Label);
        }
    })
}

/// An axis without its direction.
fn bare(axis: &str) -> &str {
    axis.split_once(" (").map_or(axis, |(bare, _)| bare)
}

/// The line on which both quantities are equal, as far as both axes show it.
fn diagonal(canvas: &Canvas, horizontal: &Axis, vertical: &Axis) {
    let from = horizontal.low().max(vertical.low());
    let to = horizontal.high().min(vertical.high());
    if from >= to {
        return;
    }
    // A line is straight if both axes are of one kind; else it takes some points.
    let line = (0..=32).map(|step| {
        let part = f64::from(step) / 32.0;
        let value = if from > 0.0 {
            libm::exp(libm::log(from) + part * (libm::log(to) - libm::log(from)))
        } else {
            from + part * (to - from)
        };
        (horizontal.at(value), vertical.at(value))
    });
    let straight = horizontal.is_logarithmic() == vertical.is_logarithmic();
    let line: Vec<(i32, i32)> = line.collect();
    let line = if straight { vec![line[0], line[32]] } else { line };
    canvas.line(line, Ink::Reference, 1);
}

/// A rectangle that something is drawn in: left, top, right, bottom.
type Box4 = (i32, i32, i32, i32);

fn overlap(a: Box4, b: Box4) -> bool {
    a.0 < b.2 && b.0 < a.2 && a.1 < b.3 && b.1 < a.3
}

/// Where the name of each point begins, if there is room for it: beside its point, clear of
/// every mark and of every other name.
fn name_places(
    spec: &Scatter,
    places: &[(i32, i32)],
    (left, right): (i32, i32),
    (top, bottom): (i32, i32),
) -> Vec<Option<(i32, i32)>> {
    let r = RADIUS + 1;
    let mut taken: Vec<Box4> = places.iter().map(|&(x, y)| (x - r, y - r, x + r, y + r)).collect();
    let half = text::LINE / 2 - 1;
    spec.points
        .iter()
        .zip(places)
        .map(|(of, &(x, y))| {
            let width = text::width(&text::clean(of.label.as_deref()?));
            let middle = x - width / 2;
            let candidates = [
                (x + r + 2, y),
                (x - r - 2 - width, y),
                (middle, y - r - half - 1),
                (middle, y + r + half + 1),
                (x + r, y - half - 2),
                (x + r, y + half + 2),
                (x - r - width, y - half - 2),
                (x - r - width, y + half + 2),
            ];
            let (at, area) = candidates
                .into_iter()
                .map(|at| (at, (at.0, at.1 - half, at.0 + width, at.1 + half)))
                .find(|(_, area)| {
                    let inside = area.0 > left && area.2 < right && area.1 > top && area.3 < bottom;
                    inside && !taken.iter().any(|other| overlap(*area, *other))
                })?;
            taken.push(area);
            Some(at)
        })
        .collect()
}

/// The names that there was no room for, in words.
fn unnamed(spec: &Scatter, names: &[Option<(i32, i32)>]) -> Option<Block> {
    let missing: Vec<&str> = spec
        .points
        .iter()
        .zip(names)
        .filter(|(_, place)| place.is_none())
        .filter_map(|(of, _)| of.label.as_deref())
        .collect();
    let text = format!("Without a name above: {}", missing.join(", "));
    (!missing.is_empty()).then(|| text::wrap(&text, WIDTH - 4, 6))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::chart::check::assert_sound;

    fn spec(points: &[(&str, usize, f64, f64)]) -> Scatter {
        let mark = |&(name, series, x, y): &(&str, usize, f64, f64)| Mark {
            name: name.into(),
            label: Some(name.into()),
            series,
            x,
            y,
        };
        Scatter {
            id: "figure".into(),
            title: "Kernels against models".into(),
            message: "The best kernels do not give the best models.".into(),
            x_axis: "Kernel-level geomean, × (higher is better)".into(),
            y_axis: "End-to-end score (higher is better)".into(),
            points: points.iter().map(mark).collect(),
            series: vec!["independent".into(), "sequential".into()],
            diagonal: true,
        }
    }

    #[test]
    fn every_point_is_named_once() {
        let svg = scatter(&spec(&[("claude", 0, 1.5, 0.9), ("kda", 1, 1.2, 1.1)]));
        assert_sound(&svg);
        assert_eq!(svg.matches(">claude</text>").count(), 1);
        assert_eq!(svg.matches(">kda</text>").count(), 1);
        assert!(svg.contains("class=\"ref\""));
        assert!(!svg.contains("Without a name"));
    }

    #[test]
    fn odd_points_draw_sensibly() {
        let crowd: Vec<(&str, usize, f64, f64)> =
            (0..30).map(|n| ("the same", n, 1.0, 1.0)).collect();
        let long = "a name that is wider than the whole figure ".repeat(3);
        for points in [
            vec![],
            vec![("one", 0, 1.0, 1.0)],
            vec![("small", 0, 1e-3, 1.0), ("large", 1, 1e7, 2.0)],
            vec![("zero", 0, 0.0, 0.0), ("not", 1, 30.0, 1.0)],
            vec![(long.as_str(), 0, 1.0, 2.0)],
            crowd,
        ] {
            assert_sound(&scatter(&spec(&points)));
            assert_sound(&scatter(&Scatter { diagonal: false, series: vec![], ..spec(&points) }));
        }
    }

    #[test]
    fn a_point_without_a_label_is_only_a_mark() {
        let mut spec = spec(&[("quiet", 0, 1.0, 1.0), ("named", 0, 2.0, 2.0)]);
        spec.points[0].label = None;
        let svg = scatter(&spec);
        assert_sound(&svg);
        assert!(!svg.contains("Without a name above"), "{svg}");
        // Once in the legend, once per point.
        assert_eq!(svg.matches("class=\"s0\"").count(), 3);
    }

    #[test]
    fn a_name_without_room_is_listed_below() {
        let svg = scatter(&spec(&[("here", 0, 1.0, 1.0), (&"wide ".repeat(30), 1, 0.5, 0.5)]));
        assert!(svg.contains("Without a name above: wide wide"), "{svg}");
    }
}
