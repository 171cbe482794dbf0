//! What must hold of every figure, whatever it shows.

use super::{Point, text};

/// A value with bounds.
#[expect(clippy::unnecessary_wraps, reason = "specs hold options")]
pub fn point(value: f64, low: f64, high: f64) -> Option<Point> {
    Some(Point { value, bounds: Some((low, high)) })
}

/// Fails unless a figure has only numbers in it that are numbers, everything inside its view box,
/// no colour and no style, a size only from the view box, and a text alternative.
pub fn assert_sound(svg: &str) {
    for forbidden in ["NaN", "inf\"", "style", "#", "rgb(", "opacity", "\u{1f}"] {
        assert!(!svg.contains(forbidden), "{forbidden} in {svg}");
    }
    let root = svg.split_once('>').unwrap().0;
    for expected in [
        "viewBox=\"0 0 480 ",
        "role=\"img\"",
        "aria-labelledby=\"figure-title figure-desc\"",
        "fill=\"none\"",
    ] {
        assert!(root.contains(expected), "{root}");
    }
    assert!(!root.contains(" width=") && !root.contains(" height="), "{root}");
    assert!(
        svg.contains("<title id=\"figure-title\">") && svg.contains("<desc id=\"figure-desc\">")
    );
    let height: i32 =
        root.split_once("0 0 480 ").unwrap().1.split('"').next().unwrap().parse().unwrap();
    let inside = |x: i32, y: i32, tag: &str| {
        assert!((0..=480).contains(&x) && (0..=height).contains(&y), "{x},{y} of {tag} in {svg}");
    };
    let body = svg.split_once("</desc>").unwrap().1;
    for element in body.split('<').filter(|piece| !piece.starts_with('/')).skip(1) {
        if element.starts_with("title>") {
            continue;
        }
        let (tag, content) = element.split_once('>').unwrap();
        let attribute = |key: &str| {
            let value = tag.split_once(&format!(" {key}=\""))?.1;
            Some(value.split('"').next().unwrap())
        };
        let number = |key: &str| -> i32 {
            let value = attribute(key).unwrap_or_else(|| panic!("{key} of {tag}"));
            value.parse().unwrap_or_else(|_| panic!("{value:?} is a whole number in {tag}"))
        };
        let class = attribute("class").unwrap_or_else(|| panic!("{tag} has no class"));
        assert!(!tag.contains(" fill=") && !tag.contains(" stroke="), "{tag}");
        match tag.split(' ').next().unwrap() {
            "rect" => {
                let (x, y, w, h) = (number("x"), number("y"), number("width"), number("height"));
                assert!(w > 0 && h > 0, "{tag}");
                inside(x, y, tag);
                inside(x + w, y + h, tag);
            }
            "circle" => {
                let (x, y, r) = (number("cx"), number("cy"), number("r"));
                inside(x - r, y - r, tag);
                inside(x + r, y + r, tag);
            }
            "polyline" | "polygon" => {
                for pair in attribute("points").unwrap().split_whitespace() {
                    let (x, y) = pair.split_once(',').unwrap();
                    inside(x.parse().unwrap(), y.parse().unwrap(), tag);
                }
            }
            "text" => {
                assert!(matches!(class, "label" | "value" | "tick"), "{tag}");
                let content = content
                    .replace("&lt;", "<")
                    .replace("&gt;", ">")
                    .replace("&quot;", "\"")
                    .replace("&amp;", "&");
                let width = text::width(&content);
                let x = number("x");
                let start = match attribute("text-anchor") {
                    None => x,
                    Some("middle") => x - width / 2,
                    _ => x - width,
                };
                inside(start, number("y") - text::SIZE / 2, tag);
                inside(start + width - 1, number("y") + text::SIZE / 2, tag);
            }
            other => panic!("unexpected <{other}>"),
        }
    }
}
