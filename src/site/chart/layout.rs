//! What charts with rows share: a column of labels on the left, rows that are as high as their
//! label or their values need, and an axis below.

use super::{
    axis::Axis,
    canvas::{Anchor, Canvas, WIDTH},
    text::{self, Block},
    theme::Ink,
};

/// Widest column of labels.
const LABELS: i32 = 168;

/// Rows from top to bottom.
pub struct Rows {
    /// Label, top and height of each.
    pub places: Vec<(Block, i32, i32)>,
    /// Where the plot begins, right of the labels.
    pub left: i32,
    /// Where the first row begins.
    pub top: i32,
    /// Where the last row ends.
    pub bottom: i32,
}

impl Rows {
    /// Sets out rows whose values need a height each.
    pub fn new<'a>(labels: impl Iterator<Item = &'a str>, content: i32, top: i32) -> Self {
        let lines = usize::try_from(content / text::LINE).unwrap_or(0).max(3);
        let mut bottom = top;
        let places: Vec<(Block, i32, i32)> = labels
            .map(|label| {
                let block = text::wrap(label, LABELS, lines);
                let height = content.max(block.height()) + 10;
                let top = bottom;
                bottom += height;
                (block, top, height)
            })
            .collect();
        let widest = places.iter().map(|(block, ..)| block.width()).max().unwrap_or(0);
        Self { places, left: widest + 12, top, bottom }
    }

    /// Draws the labels, and a line between each two rows.
    pub fn draw(&self, canvas: &Canvas) {
        for (index, (block, top, height)) in self.places.iter().enumerate() {
            if index > 0 {
                canvas.line(vec![(0, *top), (WIDTH, *top)], Ink::Grid, 1);
            }
            canvas.block(block, (2, top + height / 2), Anchor::Start, Ink::Label);
        }
    }
}

/// A horizontal axis below a plot: its lines, its ticks, and its title in as many lines as it
/// takes.
pub struct Below {
    ticks: Vec<(i32, String)>,
    title: Block,
}

impl Below {
    /// Sets out what stands below a plot.
    pub fn new(axis: &Axis, title: &str) -> Self {
        Self { ticks: axis.ticks(text::width), title: text::wrap(title, WIDTH - 4, 3) }
    }

    /// How much height it takes.
    pub fn height(&self) -> i32 {
        4 + text::LINE + self.title.height() + 4
    }

    /// Draws it below a plot between two heights.
    pub fn draw(&self, canvas: &Canvas, (top, bottom): (i32, i32)) {
        for (x, label) in &self.ticks {
            canvas.line(vec![(*x, top), (*x, bottom)], Ink::Grid, 1);
            let half = text::width(label) / 2 + 1;
            let x = (*x).clamp(half, WIDTH - half);
            canvas.text(label, (x, bottom + 4 + text::LINE / 2), Anchor::Middle, Ink::Tick);
        }
        let middle = bottom + 4 + text::LINE + self.title.height() / 2;
        canvas.block(&self.title, (WIDTH - 2, middle), Anchor::End, Ink::Tick);
    }
}

/// The whisker of an interval from left to right: one line with an end at each bound.
pub fn whisker(canvas: &Canvas, (low, high): (i32, i32), y: i32) {
    let (up, down) = (y - 3, y + 3);
    let line = if high - low < 2 {
        vec![(high, up), (high, down)]
    } else {
        vec![(low, up), (low, down), (low, y), (high, y), (high, up), (high, down)]
    };
    canvas.line(line, Ink::Bound, 1);
}
