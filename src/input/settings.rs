//! TOML with a place for every value, checked key by key against its table in `schema.rs`.
//!
//! A value of the wrong kind is reported once, here; those who ask for it then find nothing.

use std::ops::Range;

use chrono::NaiveDate;
use toml::de::{DeTable, DeValue};

use crate::{
    diagnostic::Code,
    input::{
        cell,
        faults::{Faults, nearest},
        schema::{KeySchema, KeyType},
        source::shown,
    },
};

/// A value and the bytes it was read from.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting<T> {
    /// The value.
    pub value: T,
    /// Its bytes in the file; for a text on one line without its quotes.
    pub range: Range<usize>,
}

/// A TOML table, with its place in the file.
#[derive(Debug, Clone)]
pub struct Settings<'t> {
    table: &'t DeTable<'t>,
    /// The file's text.
    text: &'t str,
    /// Byte offset of the TOML text in it.
    base: usize,
    /// Its bytes: the header of a table, or the braces of an inline one.
    pub range: Range<usize>,
}

/// Parses the TOML text at `range` of the file. Its faults of syntax are reported.
pub fn parse<'s>(range: Range<usize>, faults: &mut Faults<'s>) -> Option<DeTable<'s>> {
    let source = faults.source;
    let (table, errors) = DeTable::parse_recoverable(&source.text[range.clone()]);
    for error in &errors {
        let place = error.span().unwrap_or(0..0);
        // The parser may place an error inside a character.
        let boundary = |at: usize| {
            let mut at = (range.start + at).min(range.end);
            while !source.text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        faults.at(
            boundary(place.start)..boundary(place.end),
            Code::TomlSyntax,
            format!("this is not TOML: {}", error.message().trim().replace('\n', "; ")),
            "texts stand in quotes, lists in square brackets; see https://toml.io",
        );
    }
    errors.is_empty().then(|| table.into_inner())
}

impl<'t> Settings<'t> {
    /// The outermost table of a TOML text that begins at `base` of the file's text.
    pub fn root(table: &'t DeTable<'t>, text: &'t str, base: usize) -> Self {
        Self { table, text, base, range: base..base }
    }

    fn inner(&self, table: &'t DeTable<'t>, range: Range<usize>) -> Self {
        Self { table, text: self.text, base: self.base, range }
    }

    fn shift(&self, span: Range<usize>) -> Range<usize> {
        self.base + span.start..self.base + span.end
    }

    fn value(&self, key: &str) -> Option<(&'t DeValue<'t>, Range<usize>)> {
        let value = self.table.get(key)?;
        Some((value.get_ref(), self.shift(value.span())))
    }

    /// The bytes of a text without its quotes, where it stands on one line.
    fn unquoted(&self, range: Range<usize>) -> Range<usize> {
        let raw = &self.text[range.clone()];
        let bytes = raw.as_bytes();
        let simple = bytes.len() >= 2
            && matches!(bytes[0], b'"' | b'\'')
            && bytes[bytes.len() - 1] == bytes[0]
            && !raw.starts_with("\"\"\"")
            && !raw.starts_with("'''");
        if simple { range.start + 1..range.end - 1 } else { range }
    }

    /// Whether a key is given, with whatever value.
    pub fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// A text.
    pub fn text(&self, key: &str) -> Option<Setting<&'t str>> {
        let (value, range) = self.value(key)?;
        self.text_of(value, range)
    }

    fn text_of(&self, value: &'t DeValue<'t>, range: Range<usize>) -> Option<Setting<&'t str>> {
        Some(Setting { value: value.as_str()?, range: self.unquoted(range) })
    }

    /// A text of its own, or nothing where none is given.
    pub fn owned(&self, key: &str) -> Option<String> {
        self.text(key).map(|text| text.value.to_owned())
    }

    /// A number, whole or not.
    pub fn number(&self, key: &str) -> Option<f64> {
        number_of(self.value(key)?.0)
    }

    /// A whole number.
    pub fn integer(&self, key: &str) -> Option<u32> {
        match self.value(key)?.0 {
            DeValue::Integer(integer) => {
                u32::from_str_radix(integer.as_str(), integer.radix()).ok()
            }
            _ => None,
        }
    }

    /// `true` or `false`.
    pub fn boolean(&self, key: &str) -> Option<bool> {
        self.value(key)?.0.as_bool()
    }

    /// A date, with or without quotes.
    pub fn date(&self, key: &str) -> Option<NaiveDate> {
        match self.value(key)?.0 {
            DeValue::String(text) => text.parse().ok(),
            DeValue::Datetime(date) => date.to_string().parse().ok(),
            _ => None,
        }
    }

    /// The texts of a list; what is no text is passed over.
    pub fn texts(&self, key: &str) -> Vec<Setting<&'t str>> {
        let Some((value, _)) = self.value(key) else { return Vec::new() };
        self.texts_of(value)
    }

    fn texts_of(&self, value: &'t DeValue<'t>) -> Vec<Setting<&'t str>> {
        let items = value.as_array().into_iter().flatten();
        items.filter_map(|item| self.text_of(item.get_ref(), self.shift(item.span()))).collect()
    }

    /// A table.
    pub fn table(&self, key: &str) -> Option<Self> {
        let (value, range) = self.value(key)?;
        Some(self.inner(value.as_table()?, range))
    }

    /// The tables of a list.
    pub fn tables(&self, key: &str) -> Vec<Self> {
        let Some((value, _)) = self.value(key) else { return Vec::new() };
        value
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|item| {
                Some(self.inner(item.get_ref().as_table()?, self.shift(item.span())))
            })
            .collect()
    }

    /// The lists of texts of a table, each with its key, in the order of the file.
    pub fn lists(&self) -> Vec<(Setting<&'t str>, Vec<Setting<&'t str>>)> {
        self.ordered().into_iter().map(|(key, value, _)| (key, self.texts_of(value))).collect()
    }

    /// Keys and values in the order of the file. The parser itself sorts them by name.
    fn ordered(&self) -> Vec<(Setting<&'t str>, &'t DeValue<'t>, Range<usize>)> {
        let mut entries: Vec<_> = self
            .table
            .iter()
            .map(|(key, value)| {
                let range = self.unquoted(self.shift(key.span()));
                (
                    Setting { value: &**key.get_ref(), range },
                    value.get_ref(),
                    self.shift(value.span()),
                )
            })
            .collect();
        entries.sort_by_key(|(key, _, _)| key.range.start);
        entries
    }
}

fn number_of(value: &DeValue) -> Option<f64> {
    let text = match value {
        DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str(),
        DeValue::Float(float) => float.as_str(),
        _ => return None,
    };
    text.parse::<f64>().ok().filter(|number| number.is_finite())
}

/// Checks a table against the keys it may have, and all tables in it.
pub fn check(
    settings: &Settings,
    keys: &[KeySchema],
    today: Option<NaiveDate>,
    faults: &mut Faults,
) {
    let board = settings.text("kind").map(|kind| kind.value);
    let belongs = |key: &KeySchema| {
        key.boards.is_empty() || board.is_none_or(|kind| key.boards.contains(&kind))
    };
    for (key, value, range) in settings.ordered() {
        match keys.iter().find(|known| known.name == key.value) {
            Some(known) if belongs(known) => {
                check_value(settings, known.kind, key.value, value, &range, today, faults);
            }
            Some(known) => {
                faults.at(
                    key.range,
                    Code::UnknownKey,
                    format!(
                        "`{}` belongs to boards of the kind `{}`, not `{}`",
                        key.value,
                        known.boards.join("` or `"),
                        board.unwrap_or_default()
                    ),
                    "remove it, or correct the board's kind",
                );
            }
            None => {
                let names = || keys.iter().filter(|known| belongs(known)).map(|known| known.name);
                let help = match nearest(key.value, names()) {
                    Some(name) if settings.has(name) => {
                        format!("did you mean `{name}`? It is given as well: keep one of the two")
                    }
                    Some(name) => format!("did you mean `{name}`?"),
                    None => format!(
                        "remove it; the settings here are `{}`",
                        names().collect::<Vec<_>>().join("`, `")
                    ),
                };
                faults.at(
                    key.range,
                    Code::UnknownKey,
                    format!("there is no setting {} here", shown(key.value)),
                    help,
                );
            }
        }
    }
    for key in keys.iter().filter(|key| key.required && belongs(key) && !settings.has(key.name)) {
        if !key.boards.is_empty() && board.is_none() {
            // Without a kind nobody knows what the board needs.
            continue;
        }
        let message = format!("the setting `{}` is missing", key.name);
        let help = format!("add it ({}): {}", key.kind.name(), key.help);
        if settings.range.is_empty() {
            faults.of_file(Code::MissingKey, message, help);
        } else {
            faults.at(settings.range.clone(), Code::MissingKey, message, help);
        }
    }
}

fn check_value(
    settings: &Settings,
    kind: KeyType,
    key: &str,
    value: &DeValue,
    range: &Range<usize>,
    today: Option<NaiveDate>,
    faults: &mut Faults,
) {
    let wrong = |faults: &mut Faults| {
        faults.at(
            range.clone(),
            Code::WrongType,
            format!("`{key}` is {}, not {}", type_name(value), kind.name()),
            format!("write {}", kind.rule()),
        );
    };
    let inside = settings.unquoted(range.clone());
    match (kind, value) {
        (KeyType::Date, DeValue::Datetime(date)) if date.time.is_none() => {
            cell::date(&date.to_string(), range, today, faults);
        }
        (
            KeyType::Text
            | KeyType::Id
            | KeyType::OneOf(_)
            | KeyType::Link
            | KeyType::LineLink
            | KeyType::Colour
            | KeyType::Date,
            DeValue::String(text),
        ) => check_text(kind, key, text, &inside, today, faults),
        (KeyType::Boolean, DeValue::Boolean(_)) => {}
        (KeyType::Number(low, high), DeValue::Integer(_) | DeValue::Float(_)) => {
            let fits = number_of(value).is_some_and(|number| (low..=high).contains(&number));
            if !fits {
                out_of_range(kind, key, &settings.text[range.clone()], range, faults);
            }
        }
        (KeyType::Integer(most), DeValue::Integer(integer)) => {
            let number = u32::from_str_radix(integer.as_str(), integer.radix());
            if number.is_ok_and(|number| number <= most) {
                return;
            }
            out_of_range(kind, key, &settings.text[range.clone()], range, faults);
        }
        (KeyType::Texts | KeyType::Ids | KeyType::Members, DeValue::Array(items)) => {
            if items.is_empty() && !matches!(kind, KeyType::Texts) {
                faults.at(
                    range.clone(),
                    Code::InvalidSetting,
                    format!("the list `{key}` is empty"),
                    "name at least one, or leave the setting out",
                );
            }
            let item_kind =
                if matches!(kind, KeyType::Texts) { KeyType::Text } else { KeyType::Id };
            for item in items {
                let range = settings.shift(item.span());
                check_value(settings, item_kind, key, item.get_ref(), &range, today, faults);
            }
        }
        (KeyType::Members, DeValue::Table(table)) => {
            let inner = settings.inner(table, range.clone());
            for (operator, members, range) in inner.ordered() {
                cell::id(operator.value, &operator.range, faults);
                check_value(&inner, KeyType::Ids, operator.value, members, &range, today, faults);
            }
        }
        (KeyType::Table(keys), DeValue::Table(table)) => {
            check(&settings.inner(table, range.clone()), keys, today, faults);
        }
        (KeyType::Tables(keys), DeValue::Array(items)) => {
            for item in items {
                let range = settings.shift(item.span());
                match item.get_ref() {
                    DeValue::Table(table) => {
                        check(&settings.inner(table, range), keys, today, faults);
                    }
                    other => check_value(
                        settings,
                        KeyType::Table(keys),
                        key,
                        other,
                        &range,
                        today,
                        faults,
                    ),
                }
            }
        }
        _ => wrong(faults),
    }
}

fn check_text(
    kind: KeyType,
    key: &str,
    text: &str,
    range: &Range<usize>,
    today: Option<NaiveDate>,
    faults: &mut Faults,
) {
    let invalid = |faults: &mut Faults| {
        faults.at(
            range.clone(),
            Code::InvalidSetting,
            format!("`{key}` is {}, which is not {}", shown(text), kind.rule()),
            format!("write {}", kind.rule()),
        );
    };
    match kind {
        KeyType::Id => {
            cell::id(text, range, faults);
        }
        KeyType::OneOf(words) if !words.contains(&text) => {
            let help = match nearest(text, words.iter().copied()) {
                Some(word) => format!("did you mean `{word}`?"),
                None => format!("write one of `{}`", words.join("`, `")),
            };
            faults.at(
                range.clone(),
                Code::InvalidSetting,
                format!("`{key}` is {}, which is none of `{}`", shown(text), words.join("`, `")),
                help,
            );
        }
        KeyType::Link => {
            cell::link(text, range, faults);
        }
        KeyType::LineLink => {
            let has_places = text.contains("{file}") && text.contains("{line}");
            if cell::link(text, range, faults) && !has_places {
                invalid(faults);
            }
        }
        KeyType::Colour => {
            let hex = text.strip_prefix('#').unwrap_or_default();
            if hex.len() != 6 || !hex.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                invalid(faults);
            }
        }
        KeyType::Date => {
            cell::date(text, range, today, faults);
        }
        _ if text.trim().is_empty() => {
            faults.at(
                range.clone(),
                Code::InvalidSetting,
                format!("`{key}` is empty"),
                "write a text, or leave the setting out",
            );
        }
        _ => {}
    }
}

fn out_of_range(kind: KeyType, key: &str, raw: &str, range: &Range<usize>, faults: &mut Faults) {
    faults.at(
        range.clone(),
        Code::InvalidSetting,
        format!("`{key}` is {}, which is not {}", shown(raw), kind.rule()),
        format!("write {}", kind.rule()),
    );
}

fn type_name(value: &DeValue) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "`true` or `false`",
        DeValue::Datetime(_) => "a date or time",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{
        schema::{NEWS_KEYS, SITE_KEYS, STUDY_KEYS},
        source::Source,
    };

    /// Code and line of every fault, in order.
    fn check_toml(text: &str, keys: &[KeySchema], expected: &[(Code, u32, u32)]) {
        let source = Source::new("study.toml", text);
        let mut faults = Faults::new(&source);
        let start = source.start();
        if let Some(table) = parse(start..text.len(), &mut faults) {
            check(&Settings::root(&table, text, start), keys, None, &mut faults);
        }
        let found: Vec<_> = faults
            .list
            .iter()
            .map(|fault| {
                let place = fault.place.span().map_or((0, 0), |span| (span.line, span.column));
                (fault.code, place.0, place.1)
            })
            .collect();
        assert_eq!(found, expected, "{:#?}", faults.list);
    }

    #[test]
    fn all_faults_are_found_in_one_run() {
        check_toml(
            "\u{feff}titel = \"é\"\r\ntie_band = -1\r\nrequire_retest = \"no\"\r\nheadline = \"A\"\r\n\
             paper_url = \"ftp://x\"\r\npublished_on = 2026-13-01x\r\n",
            STUDY_KEYS,
            &[(Code::TomlSyntax, 6, 16)],
        );
        check_toml(
            "titel = \"é\"\r\ntie_band = -1\r\nrequire_retest = \"no\"\r\nheadline = \"A\"\r\n\
             paper_url = \"ftp://x\"\r\npublished_on = \"27/10/2026\"\r\n",
            STUDY_KEYS,
            &[
                (Code::UnknownKey, 1, 1),
                (Code::InvalidSetting, 2, 12),
                (Code::WrongType, 3, 18),
                (Code::UpperCaseId, 4, 13),
                (Code::InvalidLink, 5, 14),
                (Code::InvalidDate, 6, 17),
                (Code::MissingKey, 0, 0),
            ],
        );
    }

    #[test]
    fn boards_have_the_keys_of_their_kind() {
        check_toml(
            "title = \"T\"\n[[board]]\nid = \"a\"\ntitle = \"A\"\nkind = \"table\"\ntau = 0.9\nfile = \"x\"\n",
            STUDY_KEYS,
            &[(Code::UnknownKey, 6, 1), (Code::MissingKey, 2, 1)],
        );
        check_toml(
            "title = \"T\"\n[[board]]\nid = \"a\"\ntitle = \"A\"\nkind = \"speed\"\n",
            STUDY_KEYS,
            &[(Code::InvalidSetting, 5, 9)],
        );
        check_toml(
            "title = \"T\"\n[[board]]\nid = \"a\"\ntitle = \"A\"\nkind = \"speedup\"\nclasses = []\n\
             [board.baseline]\nid = \"b\"\nname = \"B\"\nmembers = { x = [\"y\", 3] }\n",
            STUDY_KEYS,
            &[(Code::InvalidSetting, 6, 11), (Code::WrongType, 10, 23), (Code::MissingKey, 2, 1)],
        );
    }

    #[test]
    fn syntax_errors_are_reported_where_they_are() {
        check_toml("title = JustGoal\n", STUDY_KEYS, &[(Code::TomlSyntax, 1, 9)]);
        check_toml("title = \"a\"\ntitle = \"b\"\n", STUDY_KEYS, &[(Code::TomlSyntax, 2, 1)]);
    }

    #[test]
    fn dates_may_stand_without_quotes() {
        check_toml("title = \"a\"\ndate = 2026-10-27\n", NEWS_KEYS, &[]);
        check_toml("title = \"a\"\ndate = \"2026-10-27\"\n", NEWS_KEYS, &[]);
        check_toml("title = \"a\"\ndate = 2026\n", NEWS_KEYS, &[(Code::WrongType, 2, 8)]);
    }

    #[test]
    fn site_links_and_colours() {
        check_toml(
            "title = \"a\"\nsource_url = \"https://x/{file}\"\naccent = \"red\"\nfooter_links = [{ title = \"x\" }]\n",
            SITE_KEYS,
            &[
                (Code::InvalidSetting, 2, 15),
                (Code::InvalidSetting, 3, 11),
                (Code::MissingKey, 4, 17),
            ],
        );
    }
}
