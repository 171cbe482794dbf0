//! Text without fonts: estimated widths, wrapping, truncation.

use crate::site::format;

/// Height of the letters' box, in units of the view box.
pub const SIZE: i32 = 14;

/// Distance of two lines.
pub const LINE: i32 = 18;

/// Width of a text in units of the view box, rather too wide than too narrow for the sans-serif
/// fonts that systems come with.
pub fn width(text: &str) -> i32 {
    #[expect(clippy::cast_possible_truncation, reason = "labels are short; `as` saturates")]
    let units = (text.chars().map(em).sum::<f64>() * f64::from(SIZE)).ceil() as i32;
    units
}

/// Width of a character in parts of the font's size.
fn em(c: char) -> f64 {
    match c {
        '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' | '\u{fe00}'..='\u{fe0f}' => 0.0,
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' => 0.34,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '/' | '-' | '"' => 0.43,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '—' | '…' => 1.0,
        'a'..='z' | '0'..='9' | '–' | '_' => 0.63,
        'A'..='Z' => 0.76,
        // Scripts with wide letters, symbols, emoji.
        '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{ffef}' | '\u{10000}'.. => 1.2,
        _ => 0.85,
    }
}

/// A text broken into lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// At least one line.
    pub lines: Vec<String>,
    /// The whole text, where the lines do not hold it.
    pub full: Option<String>,
}

impl Block {
    /// Width of the longest line.
    pub fn width(&self) -> i32 {
        self.lines.iter().map(|line| width(line)).max().unwrap_or(0)
    }

    /// Height of all lines.
    pub fn height(&self) -> i32 {
        LINE * i32::try_from(self.lines.len()).unwrap_or(i32::MAX / LINE)
    }
}

/// Breaks a text into at most `most` lines no wider than `room`. What does not fit ends in an
/// ellipsis.
pub fn wrap(text: &str, room: i32, most: usize) -> Block {
    let text = clean(text);
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let wider = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if width(&wider) <= room {
            line = wider;
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        for c in word.chars() {
            line.push(c);
            if width(&line) > room && line.chars().count() > 1 {
                line.pop();
                lines.push(std::mem::take(&mut line));
                line.push(c);
            }
        }
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    if lines.len() <= most {
        return Block { lines, full: None };
    }
    let rest = lines.split_off(most.saturating_sub(1)).join(" ");
    lines.push(truncate(&rest, room));
    Block { lines, full: Some(text) }
}

/// A text cut to a width, with an ellipsis where something was cut.
fn truncate(text: &str, room: i32) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let mut kept = text.to_owned();
    while !kept.is_empty() && width(&kept) + width("…") > room {
        kept.pop();
    }
    format!("{}…", kept.trim_end())
}

/// A text that XML can hold: control characters become blanks.
pub fn clean(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') { ' ' } else { c })
        .collect()
}

/// A number to three significant digits, short also where it is huge or tiny: `1.66`,
/// `1.23×10⁷`.
pub fn number(value: f64) -> String {
    let plain = format::significant(value);
    if (1e-4..1e6).contains(&value) || value == 0.0 {
        return plain;
    }
    let digits: String = plain.chars().filter(char::is_ascii_digit).collect();
    let significant = digits.trim_start_matches('0');
    let exponent = if plain.starts_with('0') {
        // One zero stands before the point.
        -length(&digits[..digits.len() - significant.len()])
    } else {
        length(&digits) - 1
    };
    let (first, others) = significant.split_at(1.min(significant.len()));
    let others = &others[..others.len().min(2)];
    format!("{first}.{others}×10{}", superscript(exponent))
}

/// The same without zeros at the end of its decimals: `0.5`.
pub fn short_number(value: f64) -> String {
    let number = number(value);
    if number.contains('.') && !number.contains('×') {
        return number.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    number
}

fn length(text: &str) -> i32 {
    i32::try_from(text.len()).unwrap_or(i32::MAX)
}

/// An exponent in raised digits.
pub fn superscript(exponent: i32) -> String {
    exponent
        .to_string()
        .chars()
        .map(|c| match c {
            '-' => '⁻',
            '1' => '¹',
            '2' => '²',
            '3' => '³',
            '4' => '⁴',
            '5' => '⁵',
            '6' => '⁶',
            '7' => '⁷',
            '8' => '⁸',
            '9' => '⁹',
            _ => '⁰',
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_wrapped_at_blanks_and_cut_with_an_ellipsis() {
        let check = |text: &str, most, lines: &[&str], full: bool| {
            let block = wrap(text, 100, most);
            assert_eq!(block.lines, lines, "{text}");
            assert_eq!(block.full.is_some(), full, "{text}");
            assert!(block.width() <= 100, "{text}");
        };
        check("GDN decode", 2, &["GDN decode"], false);
        check("DSA top-k indexer", 2, &["DSA top-k", "indexer"], false);
        check("DSA top-k indexer", 1, &["DSA top-k i…"], true);
        check("", 2, &[""], false);
        check("abcdefghijklmnopqrst", 3, &["abcdefghijkl", "mnopqrst"], false);
        check("核心运算核心运算核心运算", 1, &["核心运算核…"], true);
    }

    #[test]
    fn control_characters_become_blanks() {
        assert_eq!(clean("a\u{1f}b\tc\u{0}"), "a b c ");
    }

    #[test]
    fn numbers_stay_short() {
        for (value, expected) in [
            (0.919, "0.919"),
            (1.0, "1.00"),
            (999_999.0, "1000000"),
            (12_345_678.0, "1.23×10⁷"),
            (1e7, "1.00×10⁷"),
            (1e-3, "0.00100"),
            (0.000_012_34, "1.23×10⁻⁵"),
        ] {
            assert_eq!(number(value), expected, "{value}");
        }
        assert_eq!(short_number(0.5), "0.5");
        assert_eq!(short_number(0.0), "0");
        assert_eq!(short_number(302.0), "302");
    }
}
