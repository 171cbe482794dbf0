//! One cell against its column: what the rules of the folder say of a single value.
//!
//! Nothing here knows other rows or files.

use std::{borrow::Cow, ops::Range};

use chrono::NaiveDate;

use crate::{
    diagnostic::Code,
    input::{
        character,
        faults::{Faults, nearest},
        schema::{ColumnSchema, ColumnType, STATISTICS},
        source::shown,
        table::comma_code,
    },
    model::{IdFault, MAX_LENGTH, Printed, Statistic, check_id},
};

/// What a cell holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'s> {
    /// Nothing.
    Absent,
    /// Something at fault, which has been reported.
    Faulty,
    /// A text, or an id that is still to be looked up.
    Text(Cow<'s, str>),
    /// A number as printed.
    Number(Printed),
    /// A whole number.
    Count(u32),
    /// A date.
    Date(NaiveDate),
}

/// Signs for "nothing" and "not a number" that are errors in every cell.
const PLACEHOLDERS: &[&str] = &["-", "--", "---", "–", "—", "n/a", "#n/a"];
/// More of them, which could be words in a text.
const NUMBER_PLACEHOLDERS: &[&str] = &[
    "na", "null", "none", "nil", "tbd", "?", "x", "oom", "fail", "failed", "error", "timeout", ".",
];
const NOT_FINITE: &[&str] = &[
    "nan",
    "inf",
    "+inf",
    "-inf",
    "infinity",
    "+infinity",
    "-infinity",
    "-nan",
    "#num!",
    "#div/0!",
];

/// Reads a cell. What is wrong with it is reported.
pub fn read<'s>(
    text: Cow<'s, str>,
    range: &Range<usize>,
    column: &ColumnSchema,
    today: Option<NaiveDate>,
    faults: &mut Faults,
) -> Value<'s> {
    if text.is_empty() {
        if column.required {
            faults.at(
                range.clone(),
                Code::EmptyCell,
                format!("the required cell `{}` is empty", column.name),
                format!("give {}", column.kind.rule()),
            );
            return Value::Faulty;
        }
        return Value::Absent;
    }
    let before = faults.list.len();
    let value = match column.kind {
        // Ids are looked up first and judged letter by letter only if they are not found.
        ColumnType::Reference(_) => Some(Value::Text(text)),
        ColumnType::Id => id(&text, range, faults).then_some(Value::Text(text)),
        ColumnType::References(_) => one_line(&text, range, faults).then_some(Value::Text(text)),
        ColumnType::Text => plain_text(&text, range, faults).then_some(Value::Text(text)),
        ColumnType::OneOf(words) => word(&text, range, words, faults).then_some(Value::Text(text)),
        ColumnType::Statistic => statistic(&text, range, faults).then_some(Value::Text(text)),
        ColumnType::Link => link(&text, range, faults).then_some(Value::Text(text)),
        ColumnType::Date => date(&text, range, today, faults).map(Value::Date),
        ColumnType::Count => count(&text, range, faults).map(Value::Count),
        ColumnType::Positive
        | ColumnType::Published
        | ColumnType::NonNegative
        | ColumnType::Share => number(&text, range, column.kind, faults).map(Value::Number),
    };
    debug_assert!(value.is_some() || faults.list.len() > before, "a fault without a diagnostic");
    value.unwrap_or(Value::Faulty)
}

/// Reports a sign for "nothing"; `words` are further ones.
fn placeholder(text: &str, range: &Range<usize>, words: &[&str], faults: &mut Faults) -> bool {
    if text.len() > 10 {
        return false;
    }
    let lower = text.trim().to_ascii_lowercase();
    if PLACEHOLDERS.contains(&&*lower) || words.contains(&&*lower) {
        faults.at(
            range.clone(),
            Code::Placeholder,
            format!("{} stands for a missing value", shown(text)),
            "leave the cell empty: an empty cell is \"not given\"",
        );
        true
    } else if NOT_FINITE.contains(&&*lower) {
        faults.at(
            range.clone(),
            Code::NotFinite,
            format!("{} is not a finite number", shown(text)),
            "leave the cell empty, or give the number; a failure is a row in retests/",
        );
        true
    } else {
        false
    }
}

/// Reports what a spreadsheet makes of `3-4`: `4-Mar`, `Mar-04`.
fn spreadsheet_date(text: &str, range: &Range<usize>, faults: &mut Faults) -> bool {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    if text.len() > 11 {
        return false;
    }
    let lower = text.to_ascii_lowercase();
    let mut parts = lower.split('-');
    let (Some(first), Some(second)) = (parts.next(), parts.next()) else { return false };
    let third = parts.next();
    let number = |part: &str| {
        matches!(part.len(), 1 | 2 | 4) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    let month = |part: &str| MONTHS.contains(&part);
    let is_date = parts.next().is_none()
        && ((number(first) && month(second)) || (month(first) && number(second)))
        && third.is_none_or(number);
    if is_date {
        faults.at(
            range.clone(),
            Code::SpreadsheetDate,
            format!("{} looks like a date that a spreadsheet made of something else", shown(text)),
            "write what was there before, and import the column as text",
        );
    }
    is_date
}

/// The rules for text that is shown as it is.
pub fn plain_text(text: &str, range: &Range<usize>, faults: &mut Faults) -> bool {
    if placeholder(text, range, &[], faults)
        || spreadsheet_date(text, range, faults)
        || formula(text, range, faults)
    {
        return false;
    }
    let control =
        text.char_indices().find(|&(_, c)| c.is_control() && !matches!(c, '\n' | '\r' | '\t'));
    if let Some((_, c)) = control {
        faults.at(
            range.clone(),
            Code::ControlCharacter,
            format!("the cell {} holds the control character {}", shown(text), character::named(c)),
            "remove it",
        );
        return false;
    }
    true
}

/// Reports a text that a spreadsheet would run.
fn formula(text: &str, range: &Range<usize>, faults: &mut Faults) -> bool {
    let Some(first) =
        text.chars().next().filter(|c| matches!(c, '=' | '+' | '-' | '@' | '\t' | '\r'))
    else {
        return false;
    };
    faults.at(
        range.clone(),
        Code::FormulaCell,
        format!(
            "the cell {} begins with {}: a spreadsheet would take it for a formula",
            shown(text),
            shown(&first.to_string())
        ),
        "begin it with another character",
    );
    true
}

/// The rules for a cell of a free table: text, or a number with a sign.
pub fn free_cell(text: &str, range: &Range<usize>, faults: &mut Faults) -> bool {
    text.is_empty() || Printed::parse(text).is_ok() || plain_text(text, range, faults)
}

/// The part of a cell's bytes that is a part of its text. A text with doubled quotes has no such
/// simple part; the whole cell is taken.
fn part(text: &str, range: &Range<usize>, part: Range<usize>) -> Range<usize> {
    if text.len() == range.len() {
        range.start + part.start..range.start + part.end
    } else {
        range.clone()
    }
}

/// The rules for ids, with every character that stands there by mistake named.
pub fn id(text: &str, range: &Range<usize>, faults: &mut Faults) -> bool {
    let Err(fault) = check_id(text) else { return true };
    match fault {
        IdFault::Empty => {
            faults.at(range.clone(), Code::InvalidId, "the id is empty", "give the id");
        }
        IdFault::TooLong => {
            faults.at(
                range.clone(),
                Code::InvalidId,
                format!("the id {} has {} characters", shown(text), text.len()),
                format!("shorten it to at most {MAX_LENGTH}"),
            );
        }
        IdFault::DeviceName => {
            faults.at(
                range.clone(),
                Code::InvalidId,
                format!(
                    "{} is a device on Windows, where no folder can have this name",
                    shown(text)
                ),
                "choose another id",
            );
        }
        IdFault::Edge { at } => {
            faults.at(
                part(text, range, at..at + 1),
                Code::InvalidId,
                format!(
                    "the id {} {} with {}",
                    shown(text),
                    if at == 0 { "begins" } else { "ends" },
                    shown(&text[at..=at])
                ),
                format!("write `{}`", text.trim_matches(['.', '-'])),
            );
        }
        IdFault::Character { at, found } => character_fault(text, range, at, found, faults),
    }
    false
}

fn character_fault(text: &str, range: &Range<usize>, at: usize, found: char, faults: &mut Faults) {
    if spreadsheet_date(text, range, faults) || placeholder(text, range, &[], faults) {
        return;
    }
    let place = part(text, range, at..at + found.len_utf8());
    let id = shown(text);
    let name = character::named(found);
    let next = text[at + found.len_utf8()..].chars().next();
    let (code, message, help) = if matches!(found, '\n' | '\r') {
        (
            Code::NewlineInCell,
            format!("the id {id} has a line break in it"),
            "remove the line break; look for a quote that should not be there".to_owned(),
        )
    } else if found == ' ' || found == '\t' {
        let (blank, side) = (if found == ' ' { "a blank" } else { "a tab" }, at);
        let trimmed = text.trim_matches([' ', '\t']);
        if side == 0 || text[at..].trim_matches([' ', '\t']).is_empty() {
            let side = if side == 0 { "begins" } else { "ends" };
            (
                Code::StrayBlank,
                format!("the id {id} {side} with {blank} ({name})"),
                format!("write `{trimmed}`"),
            )
        } else {
            (
                Code::StrayBlank,
                format!("the id {id} has {blank} ({name}) in it"),
                format!("write `{}`", slug(text)),
            )
        }
    } else if character::is_other_space(found) {
        (
            Code::NonBreakingSpace,
            format!("the id {id} has the space {name} in it"),
            "remove it: it looks like a blank, or like nothing".to_owned(),
        )
    } else if character::is_unseen(found) {
        (
            Code::ZeroWidthCharacter,
            format!("the id {id} has the unseen character {name} in it"),
            "remove it".to_owned(),
        )
    } else if character::is_mark(found) || next.is_some_and(character::is_mark) {
        let mark = if character::is_mark(found) { found } else { next.unwrap_or(found) };
        (
            Code::DecomposedLetter,
            format!("the id {id} has a letter written with the mark {}", character::named(mark)),
            format!("write `{}`", slug(text)),
        )
    } else if let Some(like) = character::looks_like(found) {
        (
            Code::LookAlikeLetter,
            format!("the id {id} has {name} in it, which looks like `{like}`"),
            format!(
                "write `{}`",
                text.chars().map(|c| character::looks_like(c).unwrap_or(c)).collect::<String>()
            ),
        )
    } else if found.is_ascii_uppercase() {
        (
            Code::UpperCaseId,
            format!("the id {id} has upper-case letters"),
            format!("write `{}`", slug(text)),
        )
    } else {
        let slug = slug(text);
        (
            Code::InvalidId,
            format!("the id {id} has {} ({name}) in it", shown(&found.to_string())),
            if slug.is_empty() {
                "use lower-case letters, digits, dots and hyphens".to_owned()
            } else {
                format!("use lower-case letters, digits, dots and hyphens: `{slug}`")
            },
        )
    };
    faults.at(place, code, message, help);
}

/// A name as an id: lower case, other runs of characters as one hyphen.
fn slug(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars().filter(|&c| !character::is_mark(c)) {
        let c = character::looks_like(c).unwrap_or(c).to_ascii_lowercase();
        if matches!(c, 'a'..='z' | '0'..='9' | '.') {
            out.push(c);
        } else if !out.ends_with('-') {
            out.push('-');
        }
    }
    out.trim_matches(['.', '-']).to_owned()
}

/// Reports blanks at the edges, unseen characters and line breaks in a cell that is one word or a
/// list of words.
fn tidy(text: &str, range: &Range<usize>, faults: &mut Faults) -> bool {
    if !one_line(text, range, faults) {
        return false;
    }
    for (at, c) in text.char_indices() {
        let code = if character::is_other_space(c) {
            Code::NonBreakingSpace
        } else if character::is_unseen(c) {
            Code::ZeroWidthCharacter
        } else if (c == ' ' || c == '\t')
            && (at == 0 || text[at..].trim_matches([' ', '\t']).is_empty())
        {
            Code::StrayBlank
        } else if c.is_control() {
            Code::ControlCharacter
        } else {
            continue;
        };
        faults.at(
            part(text, range, at..at + c.len_utf8()),
            code,
            format!("the cell {} has the character {} in it", shown(text), character::named(c)),
            "remove it",
        );
        return false;
    }
    true
}

fn one_line(text: &str, range: &Range<usize>, faults: &mut Faults) -> bool {
    let Some(at) = text.find(['\n', '\r']) else { return true };
    faults.at(
        part(text, range, at..at + 1),
        Code::NewlineInCell,
        format!("the cell {} has a line break in it", shown(text)),
        "remove the line break; look for a quote that should not be there",
    );
    false
}

fn word(text: &str, range: &Range<usize>, words: &[&'static str], faults: &mut Faults) -> bool {
    if words.contains(&text) {
        return true;
    }
    if placeholder(text, range, &[], faults) || !tidy(text, range, faults) {
        return false;
    }
    let help = match nearest(text, words.iter().copied()) {
        Some(word) => format!("did you mean `{word}`?"),
        None => format!("write one of `{}`", words.join("`, `")),
    };
    faults.at(
        range.clone(),
        Code::UnknownWord,
        format!("{} is none of `{}`", shown(text), words.join("`, `")),
        help,
    );
    false
}

fn statistic(text: &str, range: &Range<usize>, faults: &mut Faults) -> bool {
    if Statistic::parse(text).is_some() {
        return true;
    }
    if placeholder(text, range, &[], faults) || !tidy(text, range, faults) {
        return false;
    }
    let help = match nearest(text, STATISTICS.iter().copied()) {
        Some(word) => format!("did you mean `{word}`?"),
        None => format!("write one of `{}`", STATISTICS.join("`, `")),
    };
    faults.at(range.clone(), Code::UnknownWord, format!("{} is no statistic", shown(text)), help);
    false
}

/// The rules for web addresses.
pub fn link(text: &str, range: &Range<usize>, faults: &mut Faults) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let is_plain = text.chars().all(|c| {
        !c.is_whitespace() && !c.is_control() && !matches!(c, '"' | '<' | '>' | '`' | '\\')
    });
    let has_host = rest.is_some_and(|rest| {
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        !host.is_empty() && !host.starts_with(':')
    });
    if is_plain && has_host {
        return true;
    }
    if placeholder(text, range, &[], faults) || !tidy(text, range, faults) {
        return false;
    }
    let help = if !text.contains(':') && text.contains('.') {
        format!("write `https://{text}`")
    } else if rest.is_some() && has_host {
        "percent-encode blanks, quotes and angle brackets".to_owned()
    } else {
        "give an address that begins with `https://` or `http://`, or leave it empty".to_owned()
    };
    faults.at(
        range.clone(),
        Code::InvalidLink,
        format!("{} is not an http or https address", shown(text)),
        help,
    );
    false
}

/// The rules for dates.
pub fn date(
    text: &str,
    range: &Range<usize>,
    today: Option<NaiveDate>,
    faults: &mut Faults,
) -> Option<NaiveDate> {
    let bytes = text.as_bytes();
    // chrono would take `+2026-1-2` as well.
    let shape = bytes.len() == 10
        && bytes.iter().enumerate().all(|(index, byte)| match index {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    let parsed = if shape { NaiveDate::parse_from_str(text, "%Y-%m-%d").ok() } else { None };
    let Some(date) = parsed else {
        if placeholder(text, range, &["null", "none", "tbd", "?"], faults)
            || spreadsheet_date(text, range, faults)
            || !tidy(text, range, faults)
        {
            return None;
        }
        faults.at(
            range.clone(),
            Code::InvalidDate,
            if shape {
                format!("there is no day {}", shown(text))
            } else {
                format!("{} is not an ISO 8601 date", shown(text))
            },
            "write year, month and day: `2026-10-27`",
        );
        return None;
    };
    if let Some(today) = today.filter(|&today| date > today) {
        faults.at(
            range.clone(),
            Code::DateInFuture,
            format!("{} is after today, {today}", shown(text)),
            "give the day it happened",
        );
        return None;
    }
    Some(date)
}

/// The rules for numbers whose text is kept.
pub fn number(
    text: &str,
    range: &Range<usize>,
    kind: ColumnType,
    faults: &mut Faults,
) -> Option<Printed> {
    let Ok(printed) = Printed::parse(text) else {
        not_a_number(text, range, faults);
        return None;
    };
    let (fits, wanted) = match kind {
        ColumnType::Positive => {
            (printed.exact.is_sign_positive() && !printed.exact.is_zero(), "over zero")
        }
        ColumnType::NonNegative => {
            (printed.exact.is_zero() || printed.exact.is_sign_positive(), "zero or more")
        }
        ColumnType::Share => {
            let one = rust_decimal::Decimal::ONE;
            let zero = rust_decimal::Decimal::ZERO;
            (printed.exact >= zero && printed.exact <= one, "from 0 to 1")
        }
        _ => (true, ""),
    };
    if fits {
        return Some(printed);
    }
    let (code, help) = if kind == ColumnType::Share {
        (Code::NumberOutOfRange, "write a share of one, not of a hundred")
    } else {
        (
            Code::NotPositive,
            "give the number as measured, or leave the row out; a failure is a row in retests/",
        )
    };
    faults.at(range.clone(), code, format!("{} is not {wanted}", shown(text)), help);
    None
}

/// Says what a text is that should be a number.
fn not_a_number(text: &str, range: &Range<usize>, faults: &mut Faults) {
    if placeholder(text, range, NUMBER_PLACEHOLDERS, faults)
        || spreadsheet_date(text, range, faults)
    {
        return;
    }
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let lower = unsigned.to_ascii_lowercase();
    let grouped = |separator: fn(char) -> bool| -> Option<String> {
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
        let groups: Vec<&str> = whole.split(separator).collect();
        let fits = groups.len() > 1
            && digits(groups[0])
            && groups[1..].iter().all(|group| group.len() == 3 && digits(group))
            && digits(fraction);
        fits.then(|| text.replace(separator, ""))
    };
    let apart = |c: char| matches!(c, ' ' | '_' | '\'' | '’' | '\u{a0}' | '\u{202f}' | '\u{2009}');
    let (code, message, help) = if digits(&unsigned.replace(['.', ','], "")) && text.contains(',') {
        // `1.234,5` and `1,234.5` say by their order which sign is which.
        let comma_last = text.rfind(',') > text.rfind('.');
        let code = if text.contains('.') {
            if comma_last { Code::DecimalComma } else { Code::ThousandsSeparator }
        } else {
            comma_code(unsigned)
        };
        if code == Code::DecimalComma {
            let plain = text.replace('.', "").replace(',', ".");
            (code, "is written with a decimal comma", format!("write `{plain}` if that is meant"))
        } else {
            let plain = text.replace(',', "");
            (
                code,
                "is written with a comma between thousands",
                format!("write `{plain}` if that is meant"),
            )
        }
    } else if let Some(plain) = grouped(apart) {
        (
            Code::ThousandsSeparator,
            "is written with a sign between thousands",
            format!("write `{plain}`"),
        )
    } else if lower.starts_with("0x") || lower.starts_with("0b") || lower.starts_with("0o") {
        (Code::HexNumber, "is not written in decimal", "write it in decimal".to_owned())
    } else if Printed::parse(text)
        .is_err_and(|fault| fault == crate::model::FigureFault::OutOfRange)
    {
        (
            Code::NumberOutOfRange,
            "has more digits, or a larger exponent, than can be held exactly",
            "write at most 28 digits".to_owned(),
        )
    } else if !tidy(text, range, faults) {
        return;
    } else {
        (Code::NotANumber, "is not a number", number_help(text))
    };
    faults.at(range.clone(), code, format!("{} {message}", shown(text)), help);
}

fn number_help(text: &str) -> String {
    let plain = |text: &str| Printed::parse(text).is_ok();
    let number_end = text
        .char_indices()
        .find(|&(_, c)| !matches!(c, '0'..='9' | '.' | '-'))
        .map_or(text.len(), |(at, _)| at);
    let (head, tail) = text.split_at(number_end);
    if let Some(rest) = text.strip_prefix('+').filter(|rest| plain(rest)) {
        format!("write `{rest}`")
    } else if text.starts_with('.') && plain(&format!("0{text}")) {
        format!("write `0{text}`")
    } else if let Some(rest) = text.strip_suffix('.').filter(|rest| plain(rest)) {
        format!("write `{rest}`")
    } else if let Some(rest) = text.strip_prefix(['~', '<', '>', '≈', '≤', '≥']) {
        let rest = rest.trim();
        format!("write a number as published (`{rest}`) and say the rest in a note")
    } else if plain(head) && tail.trim_start().starts_with(char::is_alphabetic) {
        format!(
            "write `{head}` if that is in the unit of the column: a unit ({}) is never read",
            shown(tail.trim())
        )
    } else if plain(head) && matches!(tail.trim(), "×" | "%") {
        format!("write the number alone, without {}", shown(tail.trim()))
    } else if text.contains('–') || (text.contains('-') && !text.starts_with('-')) {
        "write the ends of a range into the columns for its low and high end".to_owned()
    } else {
        "write a decimal number with a point, such as `12.5` or `1.25E+01`".to_owned()
    }
}

/// The rules for whole numbers.
fn count(text: &str, range: &Range<usize>, faults: &mut Faults) -> Option<u32> {
    let Ok(printed) = Printed::parse(text) else {
        not_a_number(text, range, faults);
        return None;
    };
    if !printed.exact.is_integer() {
        faults.at(
            range.clone(),
            Code::NotAnInteger,
            format!("{} is not a whole number", shown(text)),
            "write a whole number",
        );
        return None;
    }
    let number = u32::try_from(printed.exact).ok();
    if number.is_none() {
        let (code, help) = if printed.exact.is_sign_negative() {
            (Code::NotPositive, "write a whole number, zero or more")
        } else {
            (Code::NumberOutOfRange, "write a whole number up to 4294967295")
        };
        faults.at(range.clone(), code, format!("{} is out of range", shown(text)), help);
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::source::Source;

    /// Reads a text as a cell of a type and compares code and column; columns count from the
    /// cell's first character.
    fn check(kind: ColumnType, text: &str, expected: Option<(Code, u32)>) {
        let source = Source::new("a.csv", text);
        let mut faults = Faults::new(&source);
        let column = ColumnSchema { name: "x", kind, required: true, help: "" };
        let today = NaiveDate::from_ymd_opt(2026, 11, 30);
        let value = read(text.into(), &(0..text.len()), &column, today, &mut faults);
        let found = faults.list.first().map(|fault| {
            let span = fault.place.span().unwrap();
            (fault.code, span.column)
        });
        assert_eq!(found, expected, "{text:?}: {:?}", faults.list);
        assert_eq!(value == Value::Faulty, expected.is_some(), "{text:?}");
        assert!(faults.list.len() <= 1, "{text:?}: {:?}", faults.list);
    }

    #[test]
    fn numbers() {
        for text in ["981", "874.0", "1.25E+01", "0.5", "1e3"] {
            check(ColumnType::Positive, text, None);
        }
        for (text, code) in [
            ("0", Code::NotPositive),
            ("0.00", Code::NotPositive),
            ("-1.5", Code::NotPositive),
            ("-0", Code::NotPositive),
            ("nan", Code::NotFinite),
            ("NaN", Code::NotFinite),
            ("inf", Code::NotFinite),
            ("-Infinity", Code::NotFinite),
            ("-", Code::Placeholder),
            ("—", Code::Placeholder),
            ("N/A", Code::Placeholder),
            ("null", Code::Placeholder),
            ("12,5", Code::DecimalComma),
            ("0,125", Code::DecimalComma),
            ("1.234,5", Code::DecimalComma),
            ("1,234", Code::ThousandsSeparator),
            ("1,234.5", Code::ThousandsSeparator),
            ("1 234", Code::ThousandsSeparator),
            ("1\u{a0}234.5", Code::ThousandsSeparator),
            ("1_234", Code::ThousandsSeparator),
            ("1'234", Code::ThousandsSeparator),
            ("0x1F", Code::HexNumber),
            ("4-Mar", Code::SpreadsheetDate),
            ("1e99", Code::NumberOutOfRange),
            ("12.5us", Code::NotANumber),
            ("12.5 µs", Code::NotANumber),
            ("+12.5", Code::NotANumber),
            (".5", Code::NotANumber),
            ("abc", Code::NotANumber),
            ("1.47–1.55", Code::NotANumber),
            ("1,,2", Code::DecimalComma),
            (" 12.5", Code::StrayBlank),
        ] {
            check(ColumnType::Positive, text, Some((code, 1)));
        }
        check(ColumnType::Positive, "12.5 ", Some((Code::StrayBlank, 5)));
        check(ColumnType::Positive, "12.5\u{200b}", Some((Code::ZeroWidthCharacter, 5)));
        check(ColumnType::Positive, "12.5\u{a0}", Some((Code::NonBreakingSpace, 5)));
        check(ColumnType::Positive, "", Some((Code::EmptyCell, 1)));
        check(ColumnType::Published, "-0.5", None);
        check(ColumnType::NonNegative, "0", None);
        check(ColumnType::Share, "1.0", None);
        check(ColumnType::Share, "1.01", Some((Code::NumberOutOfRange, 1)));
        check(ColumnType::Count, "3", None);
        check(ColumnType::Count, "3.0", None);
        check(ColumnType::Count, "3.5", Some((Code::NotAnInteger, 1)));
        check(ColumnType::Count, "-1", Some((Code::NotPositive, 1)));
        check(ColumnType::Count, "4294967296", Some((Code::NumberOutOfRange, 1)));
    }

    #[test]
    fn ids() {
        for text in ["fa4", "kda-0.5", "a", "mha-8-4096-non-causal"] {
            check(ColumnType::Id, text, None);
        }
        for (text, code, column) in [
            ("FA4", Code::UpperCaseId, 1),
            ("fa4 ", Code::StrayBlank, 4),
            (" fa4", Code::StrayBlank, 1),
            ("f a4", Code::StrayBlank, 2),
            ("fa4\t", Code::StrayBlank, 4),
            ("fa4\u{a0}", Code::NonBreakingSpace, 4),
            ("fa\u{200b}4", Code::ZeroWidthCharacter, 3),
            ("f\u{430}4", Code::LookAlikeLetter, 2),
            ("kda–0.5", Code::LookAlikeLetter, 4),
            ("cafe\u{301}", Code::DecomposedLetter, 5),
            ("caf\u{e9}", Code::InvalidId, 4),
            ("fa4_b", Code::InvalidId, 4),
            ("-fa4", Code::InvalidId, 1),
            ("fa4-", Code::InvalidId, 4),
            ("con", Code::InvalidId, 1),
            ("fa4\nx", Code::NewlineInCell, 4),
            ("4-Mar", Code::SpreadsheetDate, 1),
            ("N/A", Code::Placeholder, 1),
        ] {
            check(ColumnType::Id, text, Some((code, column)));
        }
        check(ColumnType::Id, &"x".repeat(65), Some((Code::InvalidId, 1)));
    }

    #[test]
    fn texts_words_dates_and_links() {
        for text in ["JustGoal", "a\nb", "5 × 3 – µ", "0", "no-retest", "none", "a = b"] {
            check(ColumnType::Text, text, None);
        }
        for (text, code) in [
            ("=1+2", Code::FormulaCell),
            ("+x", Code::FormulaCell),
            ("-x", Code::FormulaCell),
            ("@x", Code::FormulaCell),
            ("\tx", Code::FormulaCell),
            ("-", Code::Placeholder),
            ("N/A", Code::Placeholder),
            ("nan", Code::NotFinite),
            ("4-Mar", Code::SpreadsheetDate),
            ("a\u{7}", Code::ControlCharacter),
        ] {
            check(ColumnType::Text, text, Some((code, 1)));
        }
        let words = ColumnType::OneOf(&["pass", "fail"]);
        check(words, "pass", None);
        check(words, "passed", Some((Code::UnknownWord, 1)));
        check(words, "pass ", Some((Code::StrayBlank, 5)));
        check(ColumnType::Date, "2026-11-30", None);
        check(ColumnType::Date, "2026-12-01", Some((Code::DateInFuture, 1)));
        check(ColumnType::Date, "2026-02-30", Some((Code::InvalidDate, 1)));
        check(ColumnType::Date, "27/10/2026", Some((Code::InvalidDate, 1)));
        check(ColumnType::Date, "2026-1-2", Some((Code::InvalidDate, 1)));
        check(ColumnType::Date, "4-Mar", Some((Code::SpreadsheetDate, 1)));
        check(ColumnType::Link, "https://arxiv.org/abs/2610.36434", None);
        check(ColumnType::Link, "http://localhost:8000/", None);
        for text in [
            "ftp://example.org/x",
            "javascript:alert(1)",
            "example.org",
            "https://",
            "https://a.b/c d",
            "//x.y",
        ] {
            check(ColumnType::Link, text, Some((Code::InvalidLink, 1)));
        }
        check(ColumnType::Statistic, "effect:scope", None);
        check(ColumnType::Statistic, "gaomean", Some((Code::UnknownWord, 1)));
    }

    #[test]
    fn without_a_today_no_date_is_in_the_future() {
        let source = Source::new("a", "2999-01-01");
        let mut faults = Faults::new(&source);
        assert!(date("2999-01-01", &(0..10), None, &mut faults).is_some());
    }
}
