//! The marks that tell series apart without colour.

use super::{
    canvas::{Anchor, Canvas, WIDTH},
    text::{self, Block},
    theme::{Ink, SERIES},
};

/// Half the size of a mark.
pub const RADIUS: i32 = 5;

/// Draws the mark of a series: circle, square, diamond, triangle, triangle upside down, ring,
/// cross, frame.
pub fn draw(canvas: &Canvas, series: usize, (x, y): (i32, i32)) {
    let (fill, stroke) = (Ink::Fill(series), Ink::Stroke(series));
    let r = RADIUS;
    match series % SERIES {
        0 => canvas.disc((x, y), r, fill),
        1 => canvas.area((x - r + 1, y - r + 1), (x + r - 1, y + r - 1), fill),
        2 => canvas
            .polygon(vec![(x, y - r - 1), (x + r + 1, y), (x, y + r + 1), (x - r - 1, y)], fill),
        3 => canvas.polygon(vec![(x, y - r), (x + r + 1, y + r - 1), (x - r - 1, y + r - 1)], fill),
        4 => canvas.polygon(vec![(x, y + r), (x + r + 1, y - r + 1), (x - r - 1, y - r + 1)], fill),
        5 => canvas.ring((x, y), r - 1, stroke, 2),
        6 => cross(canvas, (x, y), stroke),
        _ => {
            let (low, high) = (-r + 1, r - 1);
            let corners = [(low, low), (high, low), (high, high), (low, high), (low, low)];
            canvas.line(corners.map(|(dx, dy)| (x + dx, y + dy)).to_vec(), stroke, 2);
        }
    }
}

/// Two crossed lines in one stroke.
pub fn cross(canvas: &Canvas, (x, y): (i32, i32), ink: Ink) {
    let r = RADIUS - 1;
    let ends = [(-r, -r), (r, r), (0, 0), (-r, r), (r, -r)];
    canvas.line(ends.map(|(dx, dy)| (x + dx, y + dy)).to_vec(), ink, 2);
}

/// What each series is called, beside its mark, in as many lines as it takes.
pub struct Legend {
    entries: Vec<(i32, i32, Block)>,
    /// Height of it all; 0 if there is nothing to tell apart.
    pub height: i32,
}

/// Space between a mark's middle and its text.
const GAP: i32 = RADIUS + 7;

impl Legend {
    /// Sets out a legend over the width of a figure.
    pub fn new(series: &[String]) -> Self {
        if series.len() < 2 {
            return Self { entries: Vec::new(), height: 0 };
        }
        let (mut x, mut y) = (RADIUS + 2, text::LINE / 2 + 2);
        let entries = series
            .iter()
            .map(|name| {
                let block = text::wrap(name, WIDTH - GAP - RADIUS - 4, 1);
                if x + GAP + block.width() > WIDTH - 2 && x > RADIUS + 2 {
                    (x, y) = (RADIUS + 2, y + text::LINE + 2);
                }
                let entry = (x, y, block);
                x += GAP + entry.2.width() + 14;
                entry
            })
            .collect();
        Self { entries, height: y + text::LINE / 2 + 8 }
    }

    /// Draws it at the top of the figure.
    pub fn draw(&self, canvas: &Canvas) {
        for (series, (x, y, block)) in self.entries.iter().enumerate() {
            draw(canvas, series, (*x, *y));
            canvas.block(block, (x + GAP, *y), Anchor::Start, Ink::Label);
        }
    }
}
