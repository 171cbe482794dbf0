//! Markdown behind TOML front matter, fenced by lines of `+++`.

use std::ops::Range;

use crate::{diagnostic::Code, input::faults::Faults};

/// Where front matter and body stand in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts {
    /// The TOML between the fences.
    pub front: Range<usize>,
    /// The Markdown behind them, without blank lines at its ends.
    pub body: Range<usize>,
}

const FENCE: &str = "+++";

/// Finds the front matter of a file.
pub fn split(faults: &mut Faults) -> Option<Parts> {
    let source = faults.source;
    let text = &source.text;
    let first = source.line_around(source.start());
    if text[first.clone()].trim_end() != FENCE {
        let help = if text[first.clone()].trim_end() == "---" {
            "the front matter is TOML between lines of `+++`, not YAML between lines of `---`"
        } else {
            "begin the file with a line `+++`, its settings and another line `+++`"
        };
        faults.at(
            first,
            Code::MissingFrontMatter,
            "the file does not begin with front matter",
            help,
        );
        return None;
    }
    let front_start = next_line(text, first.end);
    let mut at = front_start;
    while at < text.len() {
        let line = source.line_around(at);
        if text[line.clone()].trim_end() == FENCE {
            let rest = next_line(text, line.end);
            let body = text[rest..].trim();
            let start = if body.is_empty() {
                rest
            } else {
                rest + (text[rest..].len() - text[rest..].trim_start().len())
            };
            return Some(Parts { front: front_start..at, body: start..start + body.len() });
        }
        at = next_line(text, line.end);
    }
    faults.at(
        first,
        Code::UnclosedFrontMatter,
        "the front matter that begins here has no end",
        "write a line `+++` below its last setting",
    );
    None
}

/// Where the line after a line's end begins.
fn next_line(text: &str, end: usize) -> usize {
    text[end..].find('\n').map_or(text.len(), |at| end + at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::source::Source;

    fn check(text: &str, expected: Result<(&str, &str), (Code, u32)>) {
        let source = Source::new("a.md", text);
        let mut faults = Faults::new(&source);
        let found = split(&mut faults).map(|parts| (&text[parts.front], &text[parts.body]));
        match expected {
            Ok(parts) => assert_eq!(found, Some(parts), "{text:?}"),
            Err((code, line)) => {
                assert_eq!(found, None, "{text:?}");
                let fault = &faults.list[0];
                assert_eq!((fault.code, fault.place.span().unwrap().line), (code, line));
            }
        }
    }

    #[test]
    fn front_matter_is_found() {
        check("+++\na = 1\n+++\n\nText\n", Ok(("a = 1\n", "Text")));
        check("\u{feff}+++\r\na = 1\r\n+++\r\nText\r\n+++\r\n", Ok(("a = 1\r\n", "Text\r\n+++")));
        check("+++\n+++", Ok(("", "")));
        check("+++\na = 1\n+++\n", Ok(("a = 1\n", "")));
        check("# Title\n", Err((Code::MissingFrontMatter, 1)));
        check("---\na: 1\n---\n", Err((Code::MissingFrontMatter, 1)));
        check("+++\na = 1\n", Err((Code::UnclosedFrontMatter, 1)));
        check("", Err((Code::MissingFrontMatter, 1)));
    }
}
