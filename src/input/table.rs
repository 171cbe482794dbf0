//! CSV with a place for every cell (RFC 4180, with LF or CRLF), and the header against its schema.
//!
//! The text is split here and not by the `csv` crate, whose positions are wrong after CRLF and
//! blank lines. The delimiter is never guessed; what a cell means is not known here.

use std::{borrow::Cow, collections::BTreeSet, ops::Range};

use crate::{
    diagnostic::Code,
    input::{
        cell,
        faults::{Faults, nearest},
        schema::{self, ColumnSchema, Content, FileSchema},
        source::{Source, shown},
    },
};

/// The bytes of one cell, without the quotes around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    start: u32,
    end: u32,
}

impl Cell {
    fn new(range: Range<usize>) -> Self {
        let number = |at| u32::try_from(at).unwrap_or(u32::MAX);
        Self { start: number(range.start), end: number(range.end) }
    }

    /// The bytes of the text that it is.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A table, split into cells.
#[derive(Debug)]
pub struct Table<'s> {
    /// The file.
    pub source: &'s Source,
    /// The cells of the header.
    pub header: Vec<Cell>,
    /// Cells of all rows, each row as long as the header.
    cells: Vec<Cell>,
    /// Rows that had too few or too many cells or a broken quote, in ascending order; their cells
    /// are cut or filled up.
    broken: Vec<usize>,
}

impl<'s> Table<'s> {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.cells.len().checked_div(self.header.len()).unwrap_or(0)
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cells of a row.
    pub fn row(&self, index: usize) -> &[Cell] {
        let width = self.header.len();
        &self.cells[index * width..(index + 1) * width]
    }

    /// Whether a row is not as long as the header, or has a broken quote.
    pub fn is_broken(&self, row: usize) -> bool {
        self.broken.binary_search(&row).is_ok()
    }

    /// The text of a cell, with doubled quotes undone.
    pub fn text(&self, cell: Cell) -> Cow<'s, str> {
        let raw: &'s str = &self.source.text[cell.range()];
        // Only a quoted cell can hold quotes.
        if raw.contains('"') { Cow::Owned(raw.replace("\"\"", "\"")) } else { Cow::Borrowed(raw) }
    }

    /// The bytes of a row, from its first cell to its last.
    pub fn row_range(&self, index: usize) -> Range<usize> {
        let row = self.row(index);
        let ends = row.first().zip(row.last());
        ends.map_or(0..0, |(first, last)| first.range().start..last.range().end)
    }
}

/// What ends a line.
fn line_end(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at) {
        None => Some(at),
        Some(b'\n') => Some(at + 1),
        Some(b'\r') if bytes.get(at + 1) == Some(&b'\n') => Some(at + 2),
        Some(_) => None,
    }
}

/// One record: its cells are the last `count` of the list, the next record begins at `next`.
struct Record {
    next: usize,
    broken: bool,
}

/// Splits the record that begins at `at` and appends its cells.
fn split_record(source: &Source, at: usize, cells: &mut Vec<Cell>, faults: &mut Faults) -> Record {
    let bytes = source.text.as_bytes();
    let mut at = at;
    let mut broken = false;
    loop {
        if bytes.get(at) == Some(&b'"') {
            match close_quote(bytes, at + 1) {
                Some(end) => {
                    cells.push(Cell::new(at + 1..end));
                    at = end + 1;
                }
                None => return unclosed(source, at, None, cells, faults),
            }
            if bytes.get(at) == Some(&b',') {
                at += 1;
                continue;
            }
            if let Some(next) = line_end(bytes, at) {
                return Record { next, broken };
            }
            // Text behind the closing quote.
            let opening = cells.last().map_or(at, |cell| cell.range().start - 1);
            if source.line(opening) != source.line(at) {
                cells.pop();
                return unclosed(source, opening, Some(at), cells, faults);
            }
            let end = unquoted_end(bytes, at);
            if bytes[at] == b'\r' && end == at + 1 {
                bare_return(at, faults);
            } else {
                faults.at(
                    at..end,
                    Code::StrayQuote,
                    format!("{} follows the closing quote of a cell", shown(&source.text[at..end])),
                    "put the quotes around the whole cell, and double each quote inside it",
                );
            }
            broken = true;
            at = end;
        } else {
            let start = at;
            let end = unquoted_end(bytes, at);
            if let Some(quote) = source.text[start..end].find('"') {
                let quote = start + quote;
                faults.at(
                    quote..quote + 1,
                    Code::StrayQuote,
                    format!(
                        "a quote stands inside the cell {}, which does not begin with one",
                        shown(&source.text[start..end])
                    ),
                    "put quotes around the whole cell, and double each quote inside it",
                );
                broken = true;
            }
            if let Some(carriage_return) = source.text[start..end].find('\r') {
                bare_return(start + carriage_return, faults);
                broken = true;
            }
            cells.push(Cell::new(start..end));
            at = end;
        }
        if bytes.get(at) == Some(&b',') {
            at += 1;
            continue;
        }
        // What ends an unquoted run is a comma or a line end.
        let next = line_end(bytes, at).unwrap_or(bytes.len());
        return Record { next, broken };
    }
}

fn bare_return(at: usize, faults: &mut Faults) {
    if faults.list.iter().any(|fault| fault.code == Code::BareCarriageReturn) {
        return;
    }
    faults.at(
        at..at + 1,
        Code::BareCarriageReturn,
        "a carriage return (0x0D) stands without the line feed that should follow it",
        "save the file with LF or CRLF line ends",
    );
}

/// Where the quote that closes a cell stands.
fn close_quote(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += bytes[at..].iter().position(|&byte| byte == b'"')?;
        if bytes.get(at + 1) != Some(&b'"') {
            return Some(at);
        }
        at += 2;
    }
}

/// Where a run without quotes ends: at a comma, a line end or the end of the text.
fn unquoted_end(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b',' | b'\n' => break,
            b'\r' if bytes.get(at + 1) == Some(&b'\n') => break,
            _ => at += 1,
        }
    }
    at
}

/// Reports a quote that is not closed where it should be, and goes on with the line after it, so
/// that nothing behind it is lost. `wrongly_closed` is where text follows the next quote, if
/// there is one.
fn unclosed(
    source: &Source,
    opening: usize,
    wrongly_closed: Option<usize>,
    cells: &mut Vec<Cell>,
    faults: &mut Faults,
) -> Record {
    let bytes = source.text.as_bytes();
    let line_end_at = source.line_around(opening).end;
    let until = wrongly_closed.map_or(source.line_count(), |at| source.line(at));
    let swallowed = until - source.line(opening);
    let message = match (wrongly_closed, swallowed) {
        (Some(_), lines) => format!(
            "this quote is not closed on its line; it would swallow {} up to the next quote, on line {until}",
            counted(lines, "line")
        ),
        (None, 0) => "this quote is never closed".to_owned(),
        (None, lines) => format!(
            "this quote is never closed; it would swallow the remaining {} of the file",
            counted(lines, "line")
        ),
    };
    faults.at(
        opening..opening + 1,
        Code::UnclosedQuote,
        message,
        "close the quote, or remove it; a quote inside a quoted cell is written twice",
    );
    cells.push(Cell::new(opening + 1..line_end_at.max(opening + 1)));
    Record { next: line_end(bytes, line_end_at).unwrap_or(bytes.len()), broken: true }
}

/// `1 line`, `2 lines`.
pub fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// The first offset from `at` on that is not on a blank line.
fn skip_blank_lines(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() {
        match line_end(bytes, at) {
            Some(next) => at = next,
            None => break,
        }
    }
    at
}

/// Splits the header. The table has no rows yet; they begin at the offset beside it. `None` if
/// there is no header to go by.
fn split_header<'s>(source: &'s Source, faults: &mut Faults) -> Option<(Table<'s>, usize)> {
    if source.body().trim().is_empty() {
        faults.of_file(
            Code::EmptyFile,
            "the file is empty",
            "write the header and at least one row, or remove the file",
        );
        return None;
    }
    let start = skip_blank_lines(source.text.as_bytes(), source.start());
    let mut header = Vec::new();
    let record = split_record(source, start, &mut header, faults);
    if record.broken || wrong_delimiter(source, &header, faults) {
        return None;
    }
    Some((Table { source, header, cells: Vec::new(), broken: Vec::new() }, record.next))
}

/// Splits the rows, which begin at `at`.
fn split_rows(table: &mut Table, mut at: usize, faults: &mut Faults) {
    let source = table.source;
    let bytes = source.text.as_bytes();
    let width = table.header.len();
    // A guess that spares most of the growing: rows are about as long as the header.
    let line = at.saturating_sub(source.start()).max(1);
    table.cells.reserve(width * (bytes.len() / line).min(bytes.len() / (2 * width)));
    loop {
        at = skip_blank_lines(bytes, at);
        if at >= bytes.len() {
            break;
        }
        let first = table.cells.len();
        let record = split_record(source, at, &mut table.cells, faults);
        let found = table.cells.len() - first;
        let row = first / width;
        if record.broken {
            table.broken.push(row);
        } else if found != width {
            table.broken.push(row);
            ragged(table, first, found, at, faults);
        } else if width > 1 && table.cells[first..].iter().all(|cell| cell.start == cell.end) {
            table.broken.push(row);
            faults.at(
                at..record.next,
                Code::EmptyRow,
                "the row has nothing but empty cells",
                "remove it; spreadsheets write such rows below the table",
            );
        }
        let end = table.cells.last().map_or(at, |cell| cell.range().end);
        table.cells.resize(first + width, Cell::new(end..end));
        at = record.next;
    }
}

/// Names a delimiter that is not the comma.
fn wrong_delimiter(source: &Source, header: &[Cell], faults: &mut Faults) -> bool {
    let [only] = header else { return false };
    let text = &source.text[only.range()];
    for (delimiter, name) in [(';', "semicolons"), ('\t', "tabs"), ('|', "vertical bars")] {
        if let Some(at) = text.find(delimiter) {
            let at = only.range().start + at;
            faults.at(
                at..at + 1,
                Code::WrongDelimiter,
                format!(
                    "the columns seem to be separated by {name} ({}), not by commas",
                    shown(&delimiter.to_string())
                ),
                "save the file with commas between the columns; the delimiter is never guessed",
            );
            return true;
        }
    }
    false
}

/// Reports a row that is not as long as the header.
fn ragged(table: &Table, first: usize, found: usize, start: usize, faults: &mut Faults) {
    let width = table.header.len();
    let cells = &table.cells[first..];
    let expected = format!("the header has {}", counted(width, "column"));
    let last_line = table.source.line(cells[found - 1].range().end) - table.source.line(start);
    let several_lines = if last_line == 0 {
        String::new()
    } else {
        format!(" and runs over {}", counted(last_line + 1, "line"))
    };
    if found < width {
        let comment = table.source.text[start..].starts_with('#');
        faults.at(
            start..cells[found - 1].range().end,
            Code::RowTooShort,
            format!("the row has {}{several_lines}; {expected}", counted(found, "cell")),
            if comment {
                "remove the line: tables have no comments".to_owned()
            } else if found == 1 {
                "remove the line, or write all its cells; an empty cell still needs its comma"
                    .to_owned()
            } else {
                format!(
                    "add {}; an empty cell still needs its comma",
                    counted(width - found, "comma")
                )
            },
        );
        return;
    }
    if found == width + 1
        && let Some((code, range)) = split_number(table, &cells[..found])
    {
        let text = &table.source.text[range.clone()];
        let (what, remedy) = if code == Code::DecimalComma {
            ("a decimal comma", text.replace(',', "."))
        } else {
            ("a thousands separator", text.replace(',', ""))
        };
        faults.at(
            range,
            code,
            format!("{} looks like a number with {what}, which makes two cells of it", shown(text)),
            format!("write `{remedy}` if that is meant"),
        );
        return;
    }
    let extra = &cells[width..found];
    let end = extra[extra.len() - 1].range().end;
    faults.at(
        extra[0].range().start..end,
        Code::RowTooLong,
        format!("the row has {}{several_lines}; {expected}", counted(found, "cell")),
        if extra.iter().all(|cell| cell.range().is_empty()) {
            // Where the last cells may be empty, a comma inside of another one looks the same.
            format!(
                "remove {} at its end, unless a cell before has a comma in it: put quotes around \
                 that one, or write a number with a point",
                counted(found - width, "comma")
            )
        } else {
            "put quotes around a cell that has a comma in it".to_owned()
        },
    );
}

/// A number that a comma split in two, if the row is as long as the header without that.
fn split_number(table: &Table, cells: &[Cell]) -> Option<(Code, Range<usize>)> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number_column = |index: usize| {
        let name = table.header.get(index).map(|&cell| table.text(cell));
        name.is_some_and(|name| {
            schema::FILES
                .iter()
                .flat_map(FileSchema::columns)
                .any(|column| column.name == name && column.kind.is_number())
        })
    };
    let raw = |cell: Cell| &table.source.text[cell.range()];
    let mut candidates = cells.windows(2).enumerate().filter(|(index, pair)| {
        let right = raw(pair[1]);
        let (whole, fraction) = right.split_once('.').unwrap_or((right, "0"));
        // Two cells with a quote between them were not split by a comma inside a number.
        pair[0].range().end + 1 == pair[1].range().start
            && number_column(*index)
            && digits(raw(pair[0]))
            && digits(whole)
            && digits(fraction)
    });
    let (_, pair) = candidates.next()?;
    if candidates.next().is_some() {
        // Several places are possible: none is named.
        return None;
    }
    let range = pair[0].range().start..pair[1].range().end;
    Some((comma_code(&table.source.text[range.clone()]), range))
}

/// What the comma in a number stands for: `1,234` is taken for thousands, `12,5` for a decimal
/// comma.
pub fn comma_code(number: &str) -> Code {
    let whole = number.split('.').next().unwrap_or(number);
    let mut groups = whole.split(',');
    let first_fits = groups.next().is_some_and(|group| (1..=3).contains(&group.len()));
    if first_fits
        && whole != "0"
        && !whole.starts_with("0,")
        && groups.all(|group| group.len() == 3)
    {
        Code::ThousandsSeparator
    } else {
        Code::DecimalComma
    }
}

/// A table whose header fits its schema.
#[derive(Debug)]
pub struct Fitted<'s> {
    /// The cells.
    pub table: Table<'s>,
    /// What the file is.
    pub schema: &'static FileSchema,
    /// For each column of the schema, its place in the file.
    pub places: Vec<Option<usize>>,
    /// Whether every row could be read: if not, ids may be missing through no fault of those who
    /// name them.
    pub complete: bool,
}

/// Reads a table of a known kind. `None` if its header cannot be gone by.
pub fn read<'s>(
    source: &'s Source,
    file: &'static FileSchema,
    faults: &mut Faults,
) -> Option<Fitted<'s>> {
    let before = faults.list.len();
    let (mut table, rows) = split_header(source, faults)?;
    let places = if matches!(file.content, Content::FreeTable) {
        free_header(&table, faults);
        Vec::new()
    } else {
        fit_header(&table, file, faults)?
    };
    split_rows(&mut table, rows, faults);
    header_alone(&table, faults);
    let complete = faults.list[before..].iter().all(|fault| !fault.is_error());
    Some(Fitted { table, schema: file, places, complete })
}

fn header_alone(table: &Table, faults: &mut Faults) {
    if table.is_empty() {
        let end = table.header[table.header.len() - 1].range().end;
        faults.at(
            table.header[0].range().start..end,
            Code::HeaderAlone,
            "the file has a header and no rows",
            "add rows, or remove the file",
        );
    }
}

/// A header of a table's own: each name once, none empty.
fn free_header(table: &Table, faults: &mut Faults) {
    let mut seen: Vec<(Cow<str>, Cell)> = Vec::new();
    for (index, &place) in table.header.iter().enumerate() {
        let name = table.text(place);
        if name.trim().is_empty() {
            unnamed_column(index, place, faults);
        } else if let Some(&(_, first)) = seen.iter().find(|(other, _)| *other == name) {
            duplicate_column(&name, place, first, faults);
        } else if cell::plain_text(&name, &place.range(), faults) {
            seen.push((name, place));
        }
    }
}

fn unnamed_column(index: usize, cell: Cell, faults: &mut Faults) {
    faults.at(
        cell.range(),
        Code::UnknownColumn,
        format!("column {} has no name", index + 1),
        "name it in the header, or remove it",
    );
}

fn duplicate_column(name: &str, cell: Cell, first: Cell, faults: &mut Faults) {
    let related = faults.span(first.range());
    faults
        .at(
            cell.range(),
            Code::DuplicateColumn,
            format!("the header names the column {} twice", shown(name)),
            "keep one of the two",
        )
        .related
        .push((related, "first named here".to_owned()));
}

/// Finds the schema's columns in the header. `None` if the rows cannot be read by it.
fn fit_header(
    table: &Table,
    file: &'static FileSchema,
    faults: &mut Faults,
) -> Option<Vec<Option<usize>>> {
    let columns = file.columns();
    let names: Vec<Cow<str>> = table.header.iter().map(|&cell| table.text(cell)).collect();
    let whole = table.header[0].range().start..table.header[table.header.len() - 1].range().end;
    if !fits(file, &names) {
        if let Some(other) = schema::FILES.iter().find(|other| fits(other, &names)) {
            faults.at(
                whole,
                Code::WrongFolder,
                format!("the columns are those of {}, not of {}", other.pattern, file.pattern),
                format!("move the file to {}", place_for(other, &table.source.path)),
            );
            return None;
        }
        let is_known =
            |name: &Cow<str>| nearest(name, columns.iter().map(|column| column.name)).is_some();
        if !names.iter().any(is_known) {
            faults.at(
                whole,
                Code::MissingHeader,
                format!("the first line is not the header: it names no column of {}", file.pattern),
                format!("begin the file with `{}`", header_of(columns)),
            );
            return None;
        }
    }
    let mut places = vec![None; columns.len()];
    for (index, &cell) in table.header.iter().enumerate() {
        let name = &*names[index];
        match columns.iter().position(|column| column.name == name) {
            Some(column) => match places[column] {
                None => places[column] = Some(index),
                Some(first) => duplicate_column(name, cell, table.header[first], faults),
            },
            None if name.is_empty() => unnamed_column(index, cell, faults),
            None => unknown_column(name, cell, columns, &names, faults),
        }
    }
    let found: BTreeSet<&str> = columns
        .iter()
        .zip(&places)
        .filter(|(_, place)| place.is_some())
        .map(|(column, _)| column.name)
        .collect();
    for column in columns.iter().filter(|column| column.required && !found.contains(column.name)) {
        faults.at(
            whole.clone(),
            Code::MissingColumn,
            format!("the column `{}` is missing", column.name),
            format!("add it to the header and to every row: {}", lower_first(column.help)),
        );
    }
    Some(places)
}

fn unknown_column(
    name: &str,
    cell: Cell,
    columns: &[ColumnSchema],
    names: &[Cow<str>],
    faults: &mut Faults,
) {
    let missing = columns.iter().filter(|column| !names.iter().any(|n| *n == column.name));
    let suggestion = nearest(name, missing.map(|column| column.name));
    let help = match suggestion {
        Some(suggestion) => format!("did you mean `{suggestion}`?"),
        None => format!(
            "remove it; the columns are `{}`",
            columns.iter().map(|column| column.name).collect::<Vec<_>>().join("`, `")
        ),
    };
    faults.at(
        cell.range(),
        Code::UnknownColumn,
        format!("there is no column {} here", shown(name)),
        help,
    );
}

/// Whether a header has all required columns of a file and none that it does not know.
fn fits(file: &FileSchema, names: &[Cow<str>]) -> bool {
    let columns = file.columns();
    !columns.is_empty()
        && columns.iter().filter(|c| c.required).all(|c| names.iter().any(|name| *name == c.name))
        && names.iter().all(|name| columns.iter().any(|column| *name == column.name))
}

/// Where a file of a kind belongs, with the study and name of a path.
pub fn place_for(file: &FileSchema, path: &str) -> String {
    let mut parts = path.split('/');
    let study = match (parts.next(), parts.next()) {
        (Some("studies"), Some(study)) if parts.next().is_some() => study,
        _ => "<study>",
    };
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    file.pattern.replace("<study>", study).replace('*', stem)
}

/// The kind of table whose columns a text begins with, if it is one.
pub fn kind_by_header(text: &str) -> Option<&'static FileSchema> {
    let line = text.trim_start_matches('\u{feff}').lines().next()?;
    let names: Vec<Cow<str>> = line.split(',').map(|name| Cow::Borrowed(name.trim())).collect();
    schema::FILES.iter().find(|file| fits(file, &names))
}

fn header_of(columns: &[ColumnSchema]) -> String {
    columns.iter().map(|column| column.name).collect::<Vec<_>>().join(",")
}

/// A sentence for the inside of another one.
fn lower_first(text: &str) -> String {
    let mut chars = text.trim_end_matches('.').chars();
    let first = chars.next();
    let second_is_lower = chars.clone().next().is_some_and(char::is_lowercase);
    match first {
        Some(first) if second_is_lower => first.to_lowercase().chain(chars).collect(),
        _ => text.trim_end_matches('.').to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn split<'s>(source: &'s Source, faults: &mut Faults) -> Table<'s> {
        let (mut table, rows) = split_header(source, faults).unwrap();
        split_rows(&mut table, rows, faults);
        table
    }

    /// The texts of all cells by row.
    fn cells(text: &str) -> Vec<Vec<String>> {
        let source = Source::new("a.csv", text);
        let mut faults = Faults::new(&source);
        let table = split(&source, &mut faults);
        assert!(faults.list.is_empty(), "{text:?}: {:?}", faults.list);
        (0..table.len())
            .map(|row| table.row(row).iter().map(|&cell| table.text(cell).into_owned()).collect())
            .collect()
    }

    #[test]
    fn rfc_4180() {
        for (text, expected) in [
            ("a,b\n1,2\n", vec![["1", "2"]]),
            ("a,b\r\n1,2\r\n3,4", vec![["1", "2"], ["3", "4"]]),
            ("\u{feff}a,b\n\n1,\n\n", vec![["1", ""]]),
            ("a,b\n\"1,\n2\",\"\"\"x\"\"\"\n", vec![["1,\n2", "\"x\""]]),
            ("a,b\n\"\",\"é\"\n", vec![["", "é"]]),
        ] {
            assert_eq!(cells(text), expected, "{text:?}");
        }
    }

    #[test]
    fn commas_in_numbers() {
        for (number, code) in [
            ("12,5", Code::DecimalComma),
            ("0,125", Code::DecimalComma),
            ("1,234", Code::ThousandsSeparator),
            ("1,234,567.8", Code::ThousandsSeparator),
            ("1234,567", Code::DecimalComma),
        ] {
            assert_eq!(comma_code(number), code, "{number}");
        }
    }

    proptest! {
        /// A cell's place is exactly its raw bytes, with any line end, quoting and blank lines.
        #[test]
        fn a_place_is_its_bytes(
            rows in proptest::collection::vec(
                proptest::collection::vec(("[a-z0-9é漢 \"\n,.-]{0,6}", any::<bool>()), 3), 1..8),
            crlf in any::<bool>(),
            bom in any::<bool>(),
            blank in any::<bool>(),
        ) {
            let end = if crlf { "\r\n" } else { "\n" };
            let mut text = String::from(if bom { "\u{feff}" } else { "" });
            text.push_str("x,y,z");
            text.push_str(end);
            let mut raw: Vec<String> = Vec::new();
            for row in &rows {
                if blank {
                    text.push_str(end);
                }
                for (index, (value, quote)) in row.iter().enumerate() {
                    if index > 0 {
                        text.push(',');
                    }
                    // An empty row of cells is a fault of its own.
                    let value = if value.is_empty() { "v" } else { value };
                    if *quote || value.contains(['"', ',', '\n']) {
                        let inner = value.replace('"', "\"\"");
                        text.extend(["\"", inner.as_str(), "\""]);
                        raw.push(inner);
                    } else {
                        text.push_str(value);
                        raw.push(value.to_owned());
                    }
                }
                text.push_str(end);
            }
            let source = Source::new("a.csv", text.clone());
            let mut faults = Faults::new(&source);
            let table = split(&source, &mut faults);
            prop_assert!(faults.list.is_empty(), "{:?} {:?}", text, faults.list);
            prop_assert_eq!(table.len(), rows.len());
            let found: Vec<_> = (0..table.len())
                .flat_map(|row| table.row(row).iter().copied())
                .map(|cell| source.slice(&source.span(cell.range())).to_owned())
                .collect();
            prop_assert_eq!(found, raw);
            for cell in (0..table.len()).flat_map(|row| table.row(row)) {
                // Line and column lead back to the first byte.
                let span = source.span(cell.range());
                let line = source.body().split('\n').nth(span.line as usize - 1).unwrap();
                let before: usize = line.chars().take(span.column as usize - 1).map(char::len_utf8).sum();
                let line_start = line.as_ptr() as usize - source.text.as_ptr() as usize;
                prop_assert_eq!(line_start + before, span.start as usize);
            }
        }
    }
}
