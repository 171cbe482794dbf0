//! Tables of the data folder, written row by row.

use super::Fault;
use crate::{
    input::judge,
    input::schema::{self, ColumnSchema, ColumnType, FileKind},
    model::Printed,
};

/// A table that is being written. Columns stand in the order of its header; an optional column
/// that no row fills is not written at all.
#[derive(Debug)]
pub struct Sheet {
    header: Vec<&'static str>,
    /// Whether a column may hold any text. Ids, words and numbers are written as they are.
    is_text: Vec<bool>,
    all_columns: bool,
    rows: Vec<Vec<String>>,
}

impl Sheet {
    /// A table of the data folder without rows.
    pub fn of(kind: FileKind) -> Self {
        let columns = schema::of(kind).columns();
        Self {
            is_text: columns.iter().map(|column| column.kind == ColumnType::Text).collect(),
            ..Self::free(columns.iter().map(|column| column.name))
        }
    }

    /// A table with a header of its own.
    pub fn free(header: impl IntoIterator<Item = &'static str>) -> Self {
        let header: Vec<&'static str> = header.into_iter().collect();
        let is_text = vec![true; header.len()];
        Self { header, is_text, all_columns: false, rows: Vec::new() }
    }

    /// The same table, written with the columns that no row fills.
    pub fn with_all_columns(self) -> Self {
        Self { all_columns: true, ..self }
    }

    /// One more row, as the cells of some columns. Texts are made safe by [`cell`].
    pub fn push(&mut self, cells: &[(&'static str, &str)]) {
        let value_of = |column: &&str| {
            cells.iter().find(|(name, _)| name == column).map_or("", |(_, value)| value)
        };
        debug_assert!(cells.iter().all(|(name, _)| self.header.contains(name)), "{cells:?}");
        let cells = self.header.iter().zip(&self.is_text).map(|(column, is_text)| {
            let value = value_of(column);
            if *is_text { cell(value) } else { value.to_owned() }
        });
        self.rows.push(cells.collect());
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table as CSV, with LF line ends.
    pub fn text(&self, file: &str) -> Result<String, Fault> {
        let kept: Vec<usize> = (0..self.header.len())
            .filter(|&column| {
                self.all_columns || self.rows.iter().any(|row| !row[column].is_empty())
            })
            .collect();
        let header: Vec<&str> = kept.iter().map(|&column| self.header[column]).collect();
        let rows = self.rows.iter().map(|row| kept.iter().map(|&column| row[column].as_str()));
        write(std::iter::once(header).chain(rows.map(Iterator::collect)))
            .map_err(|error| Fault::new(file, super::Place::File, error.to_string()))
    }
}

/// Records as CSV.
fn write<'a>(records: impl Iterator<Item = Vec<&'a str>>) -> csv::Result<String> {
    let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
    for record in records {
        writer.write_record(record)?;
    }
    let bytes = writer.into_inner().map_err(csv::IntoInnerError::into_error)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// What any text is judged by.
const TEXT: ColumnSchema =
    ColumnSchema { name: "", kind: ColumnType::Text, required: false, help: "" };

/// A foreign text as the data folder takes it: on one line, without control characters, and in
/// quotation marks if it is something that no text may be, such as `inf` or a formula.
pub fn cell(text: &str) -> String {
    let printable = text.replace(|c: char| c.is_control() && !c.is_whitespace(), "");
    let line = printable.split_whitespace().collect::<Vec<_>>().join(" ");
    if Printed::parse(&line).is_ok() || judge(&TEXT, &line).is_empty() {
        line
    } else {
        format!("“{line}”")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_safe() {
        for (text, expected) in [
            ("plain", "plain"),
            ("two\nlines\t and a tab ", "two lines and a tab"),
            ("=1+1", "“=1+1”"),
            ("@sum", "“@sum”"),
            (" -x", "“-x”"),
            ("nul\0bell\u{7}", "nulbell"),
            ("a-b", "a-b"),
            ("inf", "“inf”"),
            ("N/A", "“N/A”"),
            ("4-Mar", "“4-Mar”"),
            ("-0.5", "-0.5"),
            ("", ""),
        ] {
            assert_eq!(cell(text), expected, "{text:?}");
        }
    }

    #[test]
    fn empty_columns_are_left_out_and_cells_are_quoted() {
        let mut sheet = Sheet::free(["id", "name", "note", "url"]);
        sheet.push(&[("id", "a"), ("name", "one, \"two\"")]);
        sheet.push(&[("url", "https://example.org"), ("id", "b")]);
        assert_eq!(
            sheet.text("x.csv").unwrap(),
            "id,name,url\na,\"one, \"\"two\"\"\",\nb,,https://example.org\n"
        );
    }
}
