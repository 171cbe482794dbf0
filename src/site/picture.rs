//! Pictures that links are shown with elsewhere: 1200 × 630 pixels of PNG, with the top results
//! of a study or board.
//!
//! Text is drawn with the one font that is compiled in, never with the system's, so that the same
//! data gives the same bytes on every machine. Room for a text is estimated as in the charts.

use std::sync::{Arc, LazyLock};

use askama::Template;
use resvg::{
    tiny_skia::{Pixmap, Transform},
    usvg::{Options, Tree, fontdb},
};

use super::chart;

/// Width and height in pixels, as previews want them.
pub const SIZE: (u32, u32) = (1200, 630);

/// Most results that are shown.
pub const ROWS: usize = 4;

/// What a picture says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Picture {
    /// The site's title, beside its mark.
    pub site: String,
    /// What the title belongs to; may be empty.
    pub kicker: String,
    /// The largest words.
    pub title: String,
    /// What the results say, a paragraph a line; may be empty.
    pub answer: String,
    /// What the bars show; empty without bars.
    pub caption: String,
    /// The top results; at most [`ROWS`] are shown.
    pub rows: Vec<Row>,
    /// Where the reference line stands, in the bars' unit.
    pub reference: Option<f64>,
    /// Data version and date.
    pub foot: String,
}

/// One result.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Whose it is.
    pub name: String,
    /// The length of its bar; none without a result.
    pub value: Option<f64>,
    /// Its interval.
    pub bounds: Option<(f64, f64)>,
    /// The value as text, or a word in its place.
    pub text: String,
    /// `3 of 3`.
    pub count: String,
    /// Which colour its bar has.
    pub series: usize,
}

/// The light theme's colours of series.
const SERIES: [&str; 8] =
    ["#0b4f8f", "#d9730d", "#00866a", "#b04a84", "#6d5a00", "#2f8fd0", "#59636e", "#7a3fa0"];
const INK: &str = "#16202a";
const QUIET: &str = "#515d69";

const LEFT: i32 = 64;
const RIGHT: i32 = 1136;
/// Where bars begin, and where the longest ends.
const BARS: (i32, i32) = (440, 860);
/// Where the lowest row ends.
const BOTTOM: i32 = 596;

#[derive(Template)]
#[template(path = "picture.svg")]
struct Drawing {
    texts: Vec<Text>,
    bars: Vec<Bar>,
}

struct Text {
    x: i32,
    /// The base line.
    y: i32,
    size: i32,
    fill: &'static str,
    bold: bool,
    /// Whether `x` is where it ends.
    end: bool,
    words: String,
}

struct Bar {
    x: i32,
    y: i32,
    width: i32,
    height: i32,
    fill: &'static str,
}

impl Drawing {
    fn text(&mut self, text: &str, (x, y): (i32, i32), size: i32, fill: &'static str) -> &mut Text {
        self.texts.push(Text { x, y, size, fill, bold: false, end: false, words: text.to_owned() });
        self.texts.last_mut().expect("one was pushed")
    }

    /// Lines of text from a base line downwards; gives the base line of the next.
    fn lines(&mut self, text: &str, y: i32, size: i32, most: usize, fill: &'static str) -> i32 {
        let mut y = y;
        for line in wrapped(text, RIGHT - LEFT, size, most) {
            self.text(&line, (LEFT, y), size, fill).bold = size > 40;
            y += size * 5 / 4;
        }
        y
    }
}

/// A text broken into lines; what does not fit ends in an ellipsis.
fn wrapped(text: &str, room: i32, size: i32, most: usize) -> Vec<String> {
    if text.is_empty() {
        return Vec::new();
    }
    // The estimate is on the safe side by a tenth.
    chart::wrap(text, room * 11 / 10 * chart::TEXT_SIZE / size, most).lines
}

fn drawing(picture: &Picture) -> Drawing {
    let mut drawing = Drawing { texts: Vec::new(), bars: Vec::new() };
    for line in wrapped(&picture.site, 500, 28, 1) {
        drawing.text(&line, (124, 78), 28, INK);
    }
    drawing.text(&picture.foot, (RIGHT, 78), 22, QUIET).end = true;
    let mut y = drawing.lines(&picture.kicker, 150, 28, 1, QUIET);
    y = drawing.lines(&picture.title, y.max(160) + 20, 50, 2, INK);
    let rows = &picture.rows[..picture.rows.len().min(ROWS)];
    // A text has the room that results leave.
    let mut most = match rows.len() {
        0 => 7,
        1 | 2 => 3,
        _ => 2,
    };
    for paragraph in picture.answer.lines() {
        let before = y;
        y = drawing.lines(paragraph, y - 10, 26, most, INK) + 22;
        most = most.saturating_sub(usize::try_from((y - before) / 32).unwrap_or(1)).max(1);
        if y > BOTTOM {
            break;
        }
    }
    if !rows.is_empty() {
        drawing.lines(&picture.caption, y, 22, 1, QUIET);
        draw_rows(&mut drawing, rows, picture.reference, y + 14);
    }
    drawing
}

fn draw_rows(drawing: &mut Drawing, rows: &[Row], reference: Option<f64>, top: i32) {
    let ends = rows.iter().flat_map(|row| [row.value, row.bounds.map(|(_, high)| high)]);
    let highest = ends.flatten().chain(reference).fold(0.0, f64::max);
    let at = |value: f64| {
        let part = if highest > 0.0 { (value / highest).clamp(0.0, 1.0) } else { 0.0 };
        #[expect(clippy::cast_possible_truncation, reason = "within the picture")]
        let offset = (part * f64::from(BARS.1 - BARS.0)).round() as i32;
        BARS.0 + offset
    };
    let line = reference.map(at);
    let count = i32::try_from(rows.len()).unwrap_or(1);
    let pitch = ((BOTTOM - top) / count).min(64);
    let height = pitch - 14;
    // Names have one size, the largest at which each fits its line; else the smallest, on two.
    let room = BARS.0 - LEFT - 16;
    let fits = |size: &i32| rows.iter().all(|row| wrapped(&row.name, room, *size, 2).len() < 2);
    let size = [28, 25, 22].into_iter().find(fits).unwrap_or(20);
    let mut middle = top + pitch / 2;
    for row in rows {
        // The base line of figures 28 pixels high.
        let base = middle + 10;
        let lines = wrapped(&row.name, room, size, 2);
        let first = if lines.len() > 1 { middle - 3 } else { middle + size * 9 / 25 };
        for (line, y) in lines.iter().zip([first, first + size + 1]) {
            drawing.text(line, (LEFT, y), size, INK);
        }
        let mut bar = |x: i32, y: i32, width: i32, height: i32, fill| {
            drawing.bars.push(Bar { x, y, width: width.max(2), height, fill });
        };
        let mut end = BARS.0;
        if let Some(value) = row.value {
            end = at(value);
            let fill = SERIES[row.series % SERIES.len()];
            bar(BARS.0, middle - height / 2, end - BARS.0, height, fill);
        }
        if let Some((low, high)) = row.bounds {
            let (low, high) = (at(low), at(high));
            end = end.max(high);
            bar(low, middle - 1, high - low, 2, INK);
            bar(low, middle - 6, 2, 12, INK);
            bar(high - 2, middle - 6, 2, 12, INK);
        }
        // The reference line does not cross a number.
        let mut x = end + 14;
        if let Some(line) = line.filter(|line| (x - 8..x + 120).contains(line)) {
            x = line + 14;
        }
        drawing.text(&row.text, (x, base), 28, INK).bold = row.value.is_some();
        drawing.text(&row.count, (RIGHT, base), 26, QUIET).end = true;
        middle += pitch;
    }
    let height = pitch * count;
    drawing.bars.push(Bar { x: BARS.0, y: top, width: 2, height, fill: "#9fabb7" });
    if let Some(x) = line {
        drawing.bars.push(Bar { x, y: top, width: 2, height, fill: INK });
    }
}

/// Inter Medium, cut down to the characters of European titles; see `static/fonts/OFL.txt`.
static FONT: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(include_bytes!("../../static/fonts/Inter-subset.otf").to_vec());
    Arc::new(fonts)
});

/// The picture as PNG.
#[expect(clippy::missing_panics_doc, reason = "the template is well-formed, the size not zero")]
pub fn png(picture: &Picture) -> Vec<u8> {
    let svg = drawing(picture).render().expect("a text takes every part");
    let options = Options { fontdb: Arc::clone(&FONT), ..Options::default() };
    let tree = Tree::from_str(&svg, &options).expect("the template is well-formed");
    let mut pixels = Pixmap::new(SIZE.0, SIZE.1).expect("the size is not zero");
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    pixels.encode_png().expect("pixels can be encoded")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, value: Option<f64>) -> Row {
        Row {
            name: name.into(),
            value,
            bounds: value.map(|value| (value * 0.9, value * 1.1)),
            text: value.map_or_else(|| "no result".into(), |value| format!("{value}×")),
            count: "3 of 3".into(),
            series: 1,
        }
    }

    fn picture(rows: Vec<Row>) -> Picture {
        Picture {
            site: "Paces <&>".into(),
            kicker: "A study".into(),
            title: "A board whose title is much too long for the one line that there is".into(),
            answer: "Of 2 operators: Ours ahead on 2.".into(),
            caption: "Speedup".into(),
            rows,
            reference: Some(1.0),
            foot: "Data version 0123".into(),
        }
    }

    #[test]
    fn a_picture_has_the_size_that_previews_want() {
        let bytes = png(&picture(vec![row("Ours", Some(1.5)), row("Theirs", None)]));
        assert_eq!(bytes[..8], *b"\x89PNG\r\n\x1a\n");
        let size = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!((size(16), size(20)), SIZE);
        assert!(bytes.len() < 100_000, "{} bytes", bytes.len());
    }

    #[test]
    fn everything_stays_inside_and_nothing_overlaps() {
        let many: Vec<Row> = (1..=6).map(|at| row("Name", Some(f64::from(at) * 1e3))).collect();
        let long = row("JustGoal on a single shape under the second of three models", Some(2.0));
        for rows in [Vec::new(), vec![row("Ours", None)], many, vec![long; 4]] {
            let answer = "Of 9 operators: many are ahead, and some are not. ".repeat(9);
            let drawing = drawing(&Picture { answer, ..picture(rows) });
            for bar in &drawing.bars {
                assert!(bar.x >= 0 && bar.x + bar.width <= RIGHT, "{}", bar.x);
                assert!(bar.y >= 0 && bar.y + bar.height <= BOTTOM, "{}", bar.y);
            }
            let mut left: Vec<i32> =
                drawing.texts.iter().filter(|text| text.x == LEFT).map(|text| text.y).collect();
            left.sort_unstable();
            assert!(left.windows(2).all(|pair| pair[1] - pair[0] >= 20), "{left:?}");
            let ends: Vec<_> = drawing.texts.iter().filter(|text| text.end).collect();
            assert!(ends.iter().all(|text| text.x == RIGHT), "{}", ends.len());
            assert!(left.last() <= Some(&BOTTOM), "{left:?}");
        }
    }

    #[test]
    fn the_font_has_what_results_are_written_with() {
        // A glyph that is missing would be drawn as nothing, or as an empty frame.
        let drawn = |text: &str| {
            let picture = Picture { site: text.into(), ..Picture::default() };
            png(&picture)
        };
        let none = drawn("\u{4e00}");
        for sign in "× – — µ → ≥ é Σ ± …".split(' ') {
            assert_ne!(drawn(sign), none, "{sign}");
        }
    }
}
