//! The best latency over the time of a session, as a descending staircase.

use super::{
    Staircase,
    axis::{self, Axis, LOGARITHMIC_FROM},
    canvas::{Anchor, Canvas, Head, WIDTH, figure},
    layout::Below,
    mark,
    text::{self, Block},
    theme::Ink,
};
use crate::site::format;

/// Height of the plot.
const PLOT: i32 = 230;

/// Half the height of what shows a version's values.
const SPOT: i32 = 7;

/// Where the plot begins: below the title of the vertical axis.
const TOP: i32 = text::LINE + 10;

/// Draws each new best as a numbered step, versions that did not improve as crosses, and below
/// the plot what each number stands for: texts at the steps would cover each other.
pub fn staircase(spec: &Staircase) -> String {
    let points = || spec.best.iter().chain(&spec.attempts);
    let levels = points().map(|point| point.1);
    let range = axis::range(levels.chain(spec.reference.iter().map(|reference| reference.0)));
    let vertical = Axis::fitting(range, LOGARITHMIC_FROM, TOP + PLOT, TOP);
    let ticks = vertical.ticks(|_| text::LINE);
    let left = ticks.iter().map(|(_, label)| text::width(label)).max().unwrap_or(0) + 10;
    let hours = axis::range(points().map(|point| point.0)).map_or(1.0, |(_, last)| last);
    let horizontal = Axis::linear(hours * 1.05, left, WIDTH - 10);
    let below = Below::new(&horizontal, "Hours since the session began");
    let legend_top = TOP + PLOT + below.height() + 4;
    let key = key(spec);
    let height = legend_top + key.iter().map(|(_, block)| block.height()).sum::<i32>();
    let head = Head { id: &spec.id, title: &spec.title, message: &spec.message };
    figure(&head, height + 4, |canvas| {
        let title = (2, text::LINE / 2);
        canvas.text("Latency, µs (lower is better)", title, Anchor::Start, Ink::Tick);
        for (y, label) in &ticks {
            canvas.line(vec![(left, *y), (WIDTH - 10, *y)], Ink::Grid, 1);
            canvas.text(label, (left - 5, *y), Anchor::End, Ink::Tick);
        }
        below.draw(canvas, (TOP, TOP + PLOT));
        canvas.line(vec![(left, TOP), (left, TOP + PLOT), (WIDTH - 10, TOP + PLOT)], Ink::Axis, 1);
        if let Some((latency, _)) = &spec.reference {
            let y = vertical.at(*latency);
            canvas.line(vec![(left, y), (WIDTH - 10, y)], Ink::Reference, 1);
        }
        for (hours, latency, _) in &spec.attempts {
            mark::cross(canvas, (horizontal.at(*hours), vertical.at(*latency)), Ink::Stroke(1));
        }
        steps(canvas, spec, &horizontal, &vertical);
        for (at, label) in points().zip(labels(spec)) {
            let (x, y) = (horizontal.at(at.0), vertical.at(at.1));
            canvas.spot((x, x), y, SPOT, label);
        }
        if spec.best.is_empty() {
            let at = (left + 8, TOP + PLOT / 2);
            canvas.text(format::NONE, at, Anchor::Start, Ink::Value);
        }
        draw_key(canvas, &key, legend_top);
    })
}

/// Draws the staircase, its marks and their numbers.
fn steps(canvas: &Canvas, spec: &Staircase, horizontal: &Axis, vertical: &Axis) {
    let places: Vec<(i32, i32)> = spec
        .best
        .iter()
        .map(|(hours, latency, _)| (horizontal.at(*hours), vertical.at(*latency)))
        .collect();
    let (Some(_), Some(last)) = (places.first(), places.last()) else { return };
    let mut line = Vec::new();
    for &(x, y) in &places {
        if let Some(&(_, before)) = line.last() {
            line.push((x, before));
        }
        line.push((x, y));
    }
    line.push((WIDTH - 10, last.1));
    canvas.line(line, Ink::Stroke(0), 2);
    let mut taken: Vec<(i32, i32)> = places.clone();
    for (number, &(x, y)) in (1..).zip(&places) {
        mark::draw(canvas, 0, (x, y));
        let label = i32::to_string(&number);
        // Left of and below a step there is nothing, unless the axis or another number is close:
        // then right of and above it, then further up.
        let (width, line) = (text::width(&label) + 4, text::LINE);
        let clear = |&(x, y): &(i32, i32)| {
            x - width / 2 > horizontal.start + 1
                && x + width / 2 < WIDTH - 2
                && (TOP..TOP + PLOT - line / 2).contains(&y)
                && taken
                    .iter()
                    .all(|(tx, ty)| (x - tx).abs() >= width || (y - ty).abs() >= line - 3)
        };
        let near = [(-11, 13), (11, -13), (13, 13), (-13, -13)];
        let far = (1..12).flat_map(|n| [(0, -n * line), (0, n * line)]);
        let place = near.into_iter().chain(far).map(|(dx, dy)| (x + dx, y + dy)).find(clear);
        let place = place.unwrap_or((x.clamp(width, WIDTH - width), y));
        taken.push(place);
        canvas.text(&label, place, Anchor::Middle, Ink::Value);
    }
}

/// What a line below the plot stands for.
enum Sign {
    /// The step with this number.
    Step(usize),
    /// Versions that did not improve.
    Attempt,
    /// The reference line.
    Reference,
}

/// Where the text of a line below the plot begins.
const INDENT: i32 = 30;

/// Most versions that did not improve of which each has a line of its own.
const EXPLAINED: usize = 4;

/// What each new best and then each other version says.
fn labels(spec: &Staircase) -> impl Iterator<Item = String> {
    let text = |(hours, latency, label): &(f64, f64, String), more: &str| {
        let (hours, latency) = (text::short_number(*hours), format::latency(*latency));
        let label = if label.is_empty() { String::new() } else { format!(": {label}") };
        format!("{latency} µs at {hours} h{more}{label}")
    };
    let best = spec.best.iter().map(move |point| text(point, ""));
    best.chain(spec.attempts.iter().map(move |point| text(point, ", did not improve")))
}

/// The lines below the plot.
fn key(spec: &Staircase) -> Vec<(Sign, Block)> {
    let wrap = |text: &str| text::wrap(text, WIDTH - INDENT - 2, 3);
    let steps = (1..).zip(labels(spec)).take(spec.best.len());
    let steps = steps.map(|(number, label)| (Sign::Step(number), wrap(&label)));
    let attempts: Vec<(Sign, Block)> = if spec.attempts.len() > EXPLAINED {
        vec![(Sign::Attempt, wrap("a version that did not improve"))]
    } else {
        let text = |(_, latency, label): &(f64, f64, String)| {
            let latency = format::latency(*latency);
            wrap(&format!("{latency} µs, did not improve: {label}"))
        };
        spec.attempts.iter().map(|attempt| (Sign::Attempt, text(attempt))).collect()
    };
    let reference = spec.reference.as_ref().map(|(latency, label)| {
        (Sign::Reference, wrap(&format!("{} µs: {label}", format::latency(*latency))))
    });
    steps.chain(attempts).chain(reference).collect()
}

fn draw_key(canvas: &Canvas, key: &[(Sign, Block)], top: i32) {
    let mut top = top;
    for (sign, block) in key {
        let y = top + text::LINE / 2;
        match sign {
            Sign::Step(number) => {
                canvas.text(&number.to_string(), (INDENT - 8, y), Anchor::End, Ink::Value);
            }
            Sign::Attempt => mark::cross(canvas, (INDENT - 13, y), Ink::Stroke(1)),
            Sign::Reference => {
                canvas.line(vec![(INDENT - 24, y), (INDENT - 6, y)], Ink::Reference, 1);
            }
        }
        let middle = top + block.height() / 2;
        canvas.block(block, (INDENT, middle), Anchor::Start, Ink::Label);
        top += block.height();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::chart::check::assert_sound;

    fn spec(best: &[(f64, f64, &str)], attempts: &[(f64, f64, &str)]) -> Staircase {
        let owned = |points: &[(f64, f64, &str)]| {
            points.iter().map(|&(hours, us, label)| (hours, us, label.to_owned())).collect()
        };
        Staircase {
            id: "figure".into(),
            title: "A session".into(),
            message: "It got faster.".into(),
            best: owned(best),
            attempts: owned(attempts),
            reference: Some((302.0, "Triton".into())),
        }
    }

    #[test]
    fn steps_are_numbered_and_explained_below() {
        let svg = staircase(&spec(
            &[(0.5, 194.5, "first version"), (1.3, 165.0, "larger tiles")],
            &[(5.0, 235.0, "first tcgen05")],
        ));
        assert_sound(&svg);
        for expected in [
            "194.5 µs at 0.5 h: first version",
            "165.0 µs at 1.3 h: larger tiles",
            "302.0 µs: Triton",
            "235.0 µs, did not improve: first tcgen05",
        ] {
            assert!(svg.contains(expected), "{expected} in {svg}");
        }
        assert_eq!(svg.matches("class=\"spot\"").count(), 3);
        assert!(svg.contains("<title>235.0 µs at 5 h, did not improve: first tcgen05</title>"));
        // One at its step, one in the list below.
        assert_eq!(svg.matches(">2</text>").count(), 2);
    }

    #[test]
    fn odd_sessions_draw_sensibly() {
        let long = "and then it was rewritten, ".repeat(20);
        let crowd: Vec<(f64, f64, &str)> =
            (0..40).map(|n| (f64::from(n) / 1e3, 9.0, "x")).collect();
        for best in [
            vec![],
            vec![(0.0, 5.0, "only")],
            vec![(0.0, 1e7, "start"), (9.0, 1e-3, long.as_str())],
            crowd,
        ] {
            assert_sound(&staircase(&spec(&best, &[])));
            assert_sound(&staircase(&Staircase { reference: None, ..spec(&best, &best) }));
        }
    }
}
