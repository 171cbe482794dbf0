//! The one theme: which class each stroke and letter gets, and how plotters' drawing turns into a
//! figure that the page's style sheet colours.
//!
//! plotters knows colours only. Each [`Ink`] is drawn in a colour of its own, which no chart uses
//! for anything else, and that colour is replaced by the ink's class here.

use std::fmt::Write as _;

use plotters::style::RGBColor;

use super::{
    canvas::{Head, Spot},
    text,
};

/// What something is drawn with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// An area of a series.
    Fill(usize),
    /// A line of a series.
    Stroke(usize),
    /// The line of an axis.
    Axis,
    /// Lines that lead the eye.
    Grid,
    /// Text along an axis.
    Tick,
    /// Names of groups, series and points.
    Label,
    /// Numbers at what they belong to.
    Value,
    /// The line that others are compared with.
    Reference,
    /// The line of an interval.
    Bound,
}

/// Number of series that look different.
pub const SERIES: usize = 8;

/// The classes, in the order of [`Ink::index`].
const CLASSES: [&str; 23] = [
    "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "l0", "l1", "l2", "l3", "l4", "l5", "l6", "l7",
    "axis", "grid", "tick", "label", "value", "ref", "bound",
];

/// Red and green of every sentinel; its blue is the index of the class.
const SENTINEL: (u8, u8) = (0xfe, 0x01);

/// Between the shown and the whole text of a label that was cut. No label holds it: control
/// characters are taken out of them.
const CUT: char = '\u{1f}';

impl Ink {
    fn index(self) -> usize {
        match self {
            Self::Fill(series) => series % SERIES,
            Self::Stroke(series) => SERIES + series % SERIES,
            Self::Axis => 16,
            Self::Grid => 17,
            Self::Tick => 18,
            Self::Label => 19,
            Self::Value => 20,
            Self::Reference => 21,
            Self::Bound => 22,
        }
    }

    /// The colour that stands for it until the drawing is themed.
    pub fn colour(self) -> RGBColor {
        RGBColor(SENTINEL.0, SENTINEL.1, u8::try_from(self.index()).unwrap_or(u8::MAX))
    }
}

/// What a cut label is drawn as: the shown text, and the whole one to be its `<title>`.
pub fn cut(shown: &str, full: &str) -> String {
    format!("{shown}{CUT}{full}")
}

/// The class of a sentinel colour as plotters writes it.
fn class(colour: &str) -> Option<&'static str> {
    let index = colour.strip_prefix(&format!("#{:02X}{:02X}", SENTINEL.0, SENTINEL.1))?;
    CLASSES.get(usize::from_str_radix(index, 16).ok()?).copied()
}

/// Turns a drawing into a figure: classes for colours, no size but the view box, title and
/// description first, the spots of its values last and so on top. What CSS inherits is stated
/// once, on the root.
pub fn themed(drawing: &str, head: &Head, (width, height): (i32, i32), spots: &[Spot]) -> String {
    let Head { id, title, message } = head;
    let (id, title, message) = (escape(id), escape(title), escape(message));
    let size = text::SIZE;
    let mut figure = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-labelledby=\"{id}-title {id}-desc\" fill=\"none\" font-size=\"{size}\">\n\
         <title id=\"{id}-title\">{title}</title>\n<desc id=\"{id}-desc\">{message}</desc>\n"
    );
    // Everything after the tag that opens the drawing.
    let body = drawing.split_once('>').map_or("", |(_, body)| body);
    let body = body.rsplit_once("</svg>").map_or(body, |(body, _)| body);
    for piece in body.split_inclusive('>') {
        let Some((content, tag)) = piece.split_once('<') else { continue };
        push_content(&mut figure, content.trim());
        push_tag(&mut figure, tag);
    }
    for Spot { area: (x, y, width, height), text } in spots {
        let text = escape(text);
        // Writing into a text cannot fail.
        let _ = writeln!(
            figure,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" class=\"spot\">\
             <title>{text}</title></rect>"
        );
    }
    figure.push_str("</svg>\n");
    figure
}

/// Appends the text of an element; the whole text of a cut one becomes its `<title>`.
fn push_content(figure: &mut String, content: &str) {
    match content.split_once(CUT) {
        None => figure.push_str(content),
        Some((shown, full)) => {
            figure.push_str(shown);
            figure.push_str("<title>");
            figure.push_str(full);
            figure.push_str("</title>");
        }
    }
}

/// Appends a tag, given without its `<`, with a class in place of its colour.
fn push_tag(figure: &mut String, tag: &str) {
    figure.push('<');
    let name_ends = tag.find([' ', '>']).unwrap_or(tag.len());
    figure.push_str(&tag[..name_ends]);
    let mut class_of_tag = None;
    let mut rest = &tag[name_ends..];
    while let Some((key, after)) = rest.split_once("=\"") {
        let Some((value, after)) = after.split_once('"') else { break };
        rest = after;
        match (key.trim(), value.trim()) {
            ("fill" | "stroke", colour) => class_of_tag = class_of_tag.or(class(colour)),
            // The same on every element, or what is meant without them.
            ("opacity" | "font-family" | "font-size", _)
            | ("stroke-width", "0" | "1")
            | ("text-anchor", "start") => {}
            (key, value) => {
                for part in [" ", key, "=\"", value, "\""] {
                    figure.push_str(part);
                }
            }
        }
    }
    if let Some(class) = class_of_tag {
        for part in [" class=\"", class, "\""] {
            figure.push_str(part);
        }
    }
    figure.push_str(rest.trim());
    // Text and its end stay on one line, since blanks in it would be drawn.
    if !tag.starts_with("text") {
        figure.push('\n');
    }
}

/// Text that may stand in an element or an attribute.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text::clean(text).chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// The light theme of the style sheet, for a figure that is opened without its page.
const LIGHT: &str = "\
svg{background:#fff;font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}
.s0{fill:#0b4f8f}.s1{fill:#d9730d}.s2{fill:#00866a}.s3{fill:#b04a84}
.s4{fill:#6d5a00}.s5{fill:#2f8fd0}.s6{fill:#59636e}.s7{fill:#7a3fa0}
.l0{stroke:#0b4f8f}.l1{stroke:#d9730d}.l2{stroke:#00866a}.l3{stroke:#b04a84}
.l4{stroke:#6d5a00}.l5{stroke:#2f8fd0}.l6{stroke:#59636e}.l7{stroke:#7a3fa0}
.axis{stroke:#9fabb7}.grid{stroke:#d7dee5}.ref,.bound{stroke:#16202a}
.tick{fill:#515d69}.label,.value{fill:#16202a}.spot{pointer-events:all}
";

/// The same figure with the light theme in it, for download: a file that is opened alone has no
/// page to take its colours from.
pub fn standalone(svg: &str) -> String {
    match svg.split_once('>') {
        None => svg.to_owned(),
        Some((root, rest)) => format!("{root}>\n<style>\n{LIGHT}</style>{rest}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ink_has_its_class() {
        for (ink, expected) in [
            (Ink::Fill(0), "s0"),
            (Ink::Fill(9), "s1"),
            (Ink::Stroke(7), "l7"),
            (Ink::Axis, "axis"),
            (Ink::Grid, "grid"),
            (Ink::Tick, "tick"),
            (Ink::Label, "label"),
            (Ink::Value, "value"),
            (Ink::Reference, "ref"),
            (Ink::Bound, "bound"),
        ] {
            let RGBColor(r, g, b) = ink.colour();
            assert_eq!(class(&format!("#{r:02X}{g:02X}{b:02X}")), Some(expected));
        }
        assert_eq!(class("#000000"), None);
        assert_eq!(class("#FE01FF"), None);
    }

    #[test]
    fn colours_become_classes_and_a_cut_text_gets_its_title() {
        let head = Head { id: "f<", title: "A & B", message: "\"so\"" };
        let drawing = "<svg width=\"9\" height=\"9\">\n\
            <rect x=\"1\" opacity=\"1\" fill=\"#FE0101\" stroke=\"none\"/>\n\
            <text x=\"2\" dy=\"0.5ex\" text-anchor=\"start\" font-family=\"sans-serif\" \
            font-size=\"11\" opacity=\"1\" fill=\"#FE0113\">\na&lt;…\u{1f}a&lt;b &gt; c\n</text>\n\
            </svg>\n";
        let spots = [Spot { area: (1, 2, 12, 4), text: "a < b".into() }];
        assert_eq!(
            themed(drawing, &head, (480, 20), &spots),
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 480 20\" role=\"img\" \
             aria-labelledby=\"f&lt;-title f&lt;-desc\" fill=\"none\" font-size=\"14\">\n\
             <title id=\"f&lt;-title\">A &amp; B</title>\n\
             <desc id=\"f&lt;-desc\">&quot;so&quot;</desc>\n\
             <rect x=\"1\" class=\"s1\"/>\n\
             <text x=\"2\" dy=\"0.5ex\" class=\"label\">a&lt;…<title>a&lt;b &gt; c</title></text>\n\
             <rect x=\"1\" y=\"2\" width=\"12\" height=\"4\" class=\"spot\">\
             <title>a &lt; b</title></rect>\n\
             </svg>\n"
        );
    }

    #[test]
    fn a_figure_alone_brings_its_colours() {
        let alone = standalone("<svg viewBox=\"0 0 1 1\">\n<title>t</title>\n</svg>\n");
        assert!(alone.starts_with("<svg viewBox=\"0 0 1 1\">\n<style>\nsvg{background:#fff;"));
        assert!(alone.ends_with("</style>\n<title>t</title>\n</svg>\n"));
        for class in CLASSES {
            assert!(alone.contains(&format!(".{class}")), "{class}");
        }
    }
}
