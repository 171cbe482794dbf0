//! Figures as SVG texts, drawn by plotters.
//!
//! A chart is drawn in sentinel colours that `theme.rs` replaces by classes of the page's style
//! sheet (a page's Content-Security-Policy blocks `style` in inline SVG), so that one SVG follows
//! the page's theme. Every chart carries its message as text.
//!
//! Nothing here measures text with a font: widths are estimated on the safe side, so that the
//! same data gives the same bytes on every machine.

mod axis;
mod bars;
mod canvas;
#[cfg(test)]
mod check;
mod data;
mod dots;
mod layout;
mod mark;
mod scatter;
mod staircase;
mod text;
mod theme;

pub use bars::bars;
pub use data::{bars_csv, dots_csv, scatter_csv, staircase_csv};
pub use dots::dots;
pub use scatter::scatter;
pub use staircase::staircase;
pub use text::{SIZE as TEXT_SIZE, wrap};
pub use theme::standalone;

use crate::site::format;

/// A value with its bounds, if it has any.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The value: positive and finite.
    pub value: f64,
    /// Lower and upper bound.
    pub bounds: Option<(f64, f64)>,
}

/// Values of several series, side by side in each group. A missing value is a dash.
#[derive(Debug, Clone)]
pub struct Bars {
    /// Unique within a page; the prefix of ids inside the SVG.
    pub id: String,
    /// Short title.
    pub title: String,
    /// What the figure shows, in a sentence or two: its text alternative.
    pub message: String,
    /// What the axis shows, with unit and direction.
    pub axis: String,
    /// Names of the series.
    pub series: Vec<String>,
    /// Groups from top to bottom: label, and one value per series.
    pub groups: Vec<(String, Vec<Option<Point>>)>,
    /// Where the reference line stands (1 for speedups).
    pub reference: Option<f64>,
}

/// Values of several series over some rows, as dots with intervals; for latencies. The axis is
/// logarithmic where the values span more than a factor of 20.
#[derive(Debug, Clone)]
pub struct Dots {
    /// Unique within a page; the prefix of ids inside the SVG.
    pub id: String,
    /// Short title.
    pub title: String,
    /// What the figure shows, in a sentence or two: its text alternative.
    pub message: String,
    /// What the axis shows, with unit and direction.
    pub axis: String,
    /// Names of the series.
    pub series: Vec<String>,
    /// Rows from top to bottom: label, and one value per series.
    pub rows: Vec<(String, Vec<Option<Point>>)>,
}

/// The best latency over the time of a session.
#[derive(Debug, Clone)]
pub struct Staircase {
    /// Unique within a page; the prefix of ids inside the SVG.
    pub id: String,
    /// Short title.
    pub title: String,
    /// What the figure shows, in a sentence or two: its text alternative.
    pub message: String,
    /// (hours, µs, label) of each new best, in order of time.
    pub best: Vec<(f64, f64, String)>,
    /// (hours, µs, label) of versions that did not improve.
    pub attempts: Vec<(f64, f64, String)>,
    /// The reference's latency in µs.
    pub reference: Option<(f64, String)>,
}

/// One quantity against another.
#[derive(Debug, Clone)]
pub struct Scatter {
    /// Unique within a page; the prefix of ids inside the SVG.
    pub id: String,
    /// Short title.
    pub title: String,
    /// What the figure shows, in a sentence or two: its text alternative.
    pub message: String,
    /// What the horizontal axis shows.
    pub x_axis: String,
    /// What the vertical axis shows.
    pub y_axis: String,
    /// The points.
    pub points: Vec<Mark>,
    /// Names of the series.
    pub series: Vec<String>,
    /// Whether the diagonal x = y is drawn.
    pub diagonal: bool,
}

/// A point of a scatter plot.
#[derive(Debug, Clone)]
pub struct Mark {
    /// What it stands for.
    pub name: String,
    /// What is drawn beside it, if anything.
    pub label: Option<String>,
    /// Which series it belongs to.
    pub series: usize,
    /// Its place along the horizontal axis.
    pub x: f64,
    /// Its place along the vertical axis.
    pub y: f64,
}

/// What a value of a group belongs to: a group alone says it where there is one series.
fn cell_name(group: &str, series: &[String], at: usize) -> String {
    match series.get(at).filter(|_| series.len() > 1) {
        Some(series) => format!("{group}, {series}"),
        None => group.to_owned(),
    }
}

impl Point {
    /// Lowest and highest number that it stands for.
    fn span(&self) -> (f64, f64) {
        self.bounds.unwrap_or((self.value, self.value))
    }

    /// The value and its interval in words: `1.66× (1.60–1.70)`.
    fn words(&self, unit: &str) -> String {
        let value = format!("{}{unit}", text::number(self.value));
        match self.bounds {
            None => value,
            Some((low, high)) => format!("{value} ({})", format::ends(low, high)),
        }
    }
}
