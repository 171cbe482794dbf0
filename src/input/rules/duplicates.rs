//! No two rows of one kind in a study have the same key, in whichever files they are.

use std::{
    borrow::Cow,
    collections::{HashMap, hash_map::Entry},
    hash::{DefaultHasher, Hash, Hasher},
    ops::Range,
};

use crate::{
    diagnostic::{Code, Diagnostic},
    input::{schema::Content, source::shown, table::Fitted},
};

/// Reports every row whose key an earlier row has, with both lines named. The files must be of
/// one kind, and in the order in which rows count as earlier.
pub fn check(files: &[&Fitted]) -> Vec<Diagnostic> {
    let Some(first) = files.first() else { return Vec::new() };
    let Content::Table { key, columns } = first.schema.content else { return Vec::new() };
    let key_columns: Vec<usize> =
        key.iter().filter_map(|name| columns.iter().position(|c| c.name == *name)).collect();
    let mut list = Vec::new();
    let rows: usize = files.iter().map(|file| file.table.len()).sum();
    // From the hash of a key to the row that has it. Where two keys share a hash, the later one
    // moves on to the next free number.
    let mut seen: HashMap<u64, (u32, u32)> = HashMap::with_capacity(rows);
    for (file_index, file) in files.iter().enumerate() {
        for row in (0..file.table.len()).filter(|&row| !file.table.is_broken(row)) {
            let mut hash = hash_of(file, row, &key_columns);
            loop {
                match seen.entry(hash) {
                    Entry::Vacant(place) => {
                        place.insert((number(file_index), number(row)));
                        break;
                    }
                    Entry::Occupied(place) => {
                        let (other_file, other_row) = *place.get();
                        let other = (files[other_file as usize], other_row as usize);
                        if same_key((file, row), other, &key_columns) {
                            list.extend(report((file, row), other, &key_columns));
                            break;
                        }
                    }
                }
                hash = hash.wrapping_add(1);
            }
        }
    }
    list
}

fn number(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

fn cell<'s>(file: &Fitted<'s>, row: usize, column: usize) -> Cow<'s, str> {
    file.places[column]
        .map_or(Cow::Borrowed(""), |place| file.table.text(file.table.row(row)[place]))
}

fn hash_of(file: &Fitted, row: usize, key: &[usize]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for &column in key {
        cell(file, row, column).hash(&mut hasher);
    }
    hasher.finish()
}

fn same_key(a: (&Fitted, usize), b: (&Fitted, usize), key: &[usize]) -> bool {
    key.iter().all(|&column| cell(a.0, a.1, column) == cell(b.0, b.1, column))
}

fn report(later: (&Fitted, usize), earlier: (&Fitted, usize), key: &[usize]) -> Option<Diagnostic> {
    let columns = later.0.schema.columns();
    let texts: Vec<Cow<str>> = key.iter().map(|&column| cell(later.0, later.1, column)).collect();
    let required = key.iter().zip(&texts).filter(|(column, _)| columns[**column].required);
    if required.clone().any(|(_, text)| text.is_empty()) {
        // An empty cell that must not be empty is a fault of its own.
        return None;
    }
    let given: Vec<&str> =
        texts.iter().map(|text| &**text).filter(|text| !text.is_empty()).collect();
    let differing: Vec<usize> = (0..columns.len())
        .filter(|column| !key.contains(column))
        .filter(|&column| cell(later.0, later.1, column) != cell(earlier.0, earlier.1, column))
        .collect();
    let (later_source, earlier_source) = (later.0.table.source, earlier.0.table.source);
    let earlier_span = earlier_source.span(key_range(earlier, key));
    let place = if later_source.path == earlier_source.path {
        format!("line {}", earlier_span.line)
    } else {
        format!("line {} of {}", earlier_span.line, earlier_source.path)
    };
    let what = format!("the key {} stands already in {place}", shown(&given.join(",")));
    let (code, message, help) = if differing.is_empty() {
        (
            Code::DuplicateRow,
            format!("{what}, with the same values"),
            "remove one of the two rows".to_owned(),
        )
    } else {
        let differences: Vec<String> = differing
            .iter()
            .map(|&column| {
                format!(
                    "`{}` is {} here and {} there",
                    columns[column].name,
                    visible(&cell(later.0, later.1, column)),
                    visible(&cell(earlier.0, earlier.1, column))
                )
            })
            .collect();
        (
            Code::DuplicateKey,
            format!("{what}, with other values: {}", differences.join(", ")),
            "keep the right one; a value that was replaced belongs in another batch".to_owned(),
        )
    };
    let span = later_source.span(key_range(later, key));
    Some(Diagnostic::new(code, span, message, help).with_related(earlier_span, "first given here"))
}

fn visible(text: &str) -> String {
    if text.is_empty() { "empty".to_owned() } else { shown(text) }
}

/// The bytes from the first cell of the key to the last, in the order of the file.
fn key_range((file, row): (&Fitted, usize), key: &[usize]) -> Range<usize> {
    let cells = file.table.row(row);
    let places = key.iter().filter_map(|&column| file.places[column]);
    let ranges = places.map(|place| cells[place].range()).filter(|range| !range.is_empty());
    ranges
        .reduce(|all, range| all.start.min(range.start)..all.end.max(range.end))
        .unwrap_or_else(|| file.table.row_range(row))
}
