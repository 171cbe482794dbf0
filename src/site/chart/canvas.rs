//! What charts draw on: plotters' SVG back end, in units of the view box.

use std::cell::RefCell;

use plotters::{
    coord::Shift,
    prelude::{
        Circle, DrawingArea, IntoDrawingArea, PathElement, Polygon, Rectangle, SVGBackend, Text,
    },
    style::{
        Color, IntoFont, ShapeStyle,
        text_anchor::{HPos, Pos, VPos},
    },
};

use super::{
    text::Block,
    theme::{self, Ink},
};

/// Width of every figure. Shown 358 pixels wide, its text is about 10 pixels high.
pub const WIDTH: i32 = 480;

/// What a figure says in words.
pub struct Head<'a> {
    /// Prefix of its ids.
    pub id: &'a str,
    /// Short title.
    pub title: &'a str,
    /// Text alternative.
    pub message: &'a str,
}

/// A drawing in progress.
pub struct Canvas<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
    spots: RefCell<Vec<Spot>>,
}

/// What a value says where the reader points at it.
pub struct Spot {
    /// Left, top, width and height.
    pub area: (i32, i32, i32, i32),
    /// What it belongs to, and how much it is.
    pub text: String,
}

/// Least width of a spot.
const SPOT: i32 = 12;

/// Draws a figure of some height.
pub fn figure(head: &Head, height: i32, draw: impl FnOnce(&Canvas)) -> String {
    let mut drawing = String::new();
    let size = (WIDTH.unsigned_abs(), height.unsigned_abs());
    let area = SVGBackend::with_string(&mut drawing, size).into_drawing_area();
    let canvas = Canvas { area, spots: RefCell::default() };
    draw(&canvas);
    let spots = canvas.spots.take();
    drop(canvas);
    theme::themed(&drawing, head, (WIDTH, height), &spots)
}

/// Where a text is held.
#[derive(Debug, Clone, Copy)]
pub enum Anchor {
    /// At its start.
    Start,
    /// In its middle.
    Middle,
    /// At its end.
    End,
}

impl Canvas<'_> {
    /// A straight or broken line.
    pub fn line(&self, points: Vec<(i32, i32)>, ink: Ink, width: u32) {
        self.draw(&PathElement::new(points, ShapeStyle::from(&ink.colour()).stroke_width(width)));
    }

    /// A filled rectangle.
    pub fn area(&self, from: (i32, i32), to: (i32, i32), ink: Ink) {
        self.draw(&Rectangle::new([from, to], ink.colour().filled()));
    }

    /// A filled circle.
    pub fn disc(&self, centre: (i32, i32), radius: i32, ink: Ink) {
        self.draw(&Circle::new(centre, radius, ink.colour().filled()));
    }

    /// A circle's line.
    pub fn ring(&self, centre: (i32, i32), radius: i32, ink: Ink, width: u32) {
        let style = ShapeStyle::from(&ink.colour()).stroke_width(width);
        self.draw(&Circle::new(centre, radius, style));
    }

    /// A filled polygon.
    pub fn polygon(&self, points: Vec<(i32, i32)>, ink: Ink) {
        self.draw(&Polygon::new(points, ink.colour()));
    }

    /// A line of text, centred on a height.
    pub fn text(&self, text: &str, at: (i32, i32), anchor: Anchor, ink: Ink) {
        let hold = match anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        let colour = ink.colour();
        let font = ("sans-serif", super::text::SIZE).into_font();
        let style = font.color(&colour).pos(Pos::new(hold, VPos::Center));
        self.draw(&Text::new(text, at, style));
    }

    /// Lines of text, the block centred on a height.
    pub fn block(&self, block: &Block, (x, middle): (i32, i32), anchor: Anchor, ink: Ink) {
        let line = super::text::LINE;
        let mut y = middle - (block.height() - line) / 2;
        for (index, shown) in block.lines.iter().enumerate() {
            let is_last = index + 1 == block.lines.len();
            match &block.full {
                Some(full) if is_last => self.text(&theme::cut(shown, full), (x, y), anchor, ink),
                _ => self.text(shown, (x, y), anchor, ink),
            }
            y += line;
        }
    }

    /// Lets a value say what it is, over a line from one unit to another and some height above and
    /// below it.
    pub fn spot(&self, (from, to): (i32, i32), middle: i32, half: i32, text: String) {
        let (from, to) = (from.min(to), from.max(to));
        let wider = ((SPOT - (to - from)) / 2).max(0);
        let (left, right) = ((from - wider).max(0), (to + wider).min(WIDTH));
        let area = (left, middle - half, right - left, 2 * half);
        self.spots.borrow_mut().push(Spot { area, text });
    }

    fn draw<'b, E>(&self, element: &'b E)
    where
        &'b E: plotters::element::PointCollection<'b, (i32, i32)>,
        E: for<'c> plotters::element::Drawable<SVGBackend<'c>>,
    {
        self.area.draw(element).expect("drawing into a text cannot fail");
    }
}
