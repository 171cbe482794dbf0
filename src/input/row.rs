//! The rows of a table that fits its schema, cell by cell as values.

use std::ops::Range;

use chrono::NaiveDate;
use rayon::prelude::*;

use crate::{
    diagnostic::{Diagnostic, Span},
    input::{
        cell::{self, Value},
        faults::Faults,
        table::Fitted,
    },
    model::Printed,
};

/// Rows that one thread reads in one go. Fixed, so that the result does not depend on the number
/// of threads.
const CHUNK: usize = 16_384;

/// One row.
#[derive(Debug)]
pub struct Row<'r, 's> {
    fitted: &'r Fitted<'s>,
    index: usize,
    values: &'r [Value<'s>],
}

impl<'r, 's> Row<'r, 's> {
    fn column(&self, name: &str) -> usize {
        let position = self.fitted.schema.columns().iter().position(|column| column.name == name);
        debug_assert!(position.is_some(), "{} has no column {name}", self.fitted.schema.name);
        position.unwrap_or(0)
    }

    fn value(&self, name: &str) -> &'r Value<'s> {
        &self.values[self.column(name)]
    }

    /// Whether any cell is at fault by itself.
    pub fn is_faulty(&self) -> bool {
        self.values.contains(&Value::Faulty)
    }

    /// A text or an id, if the cell is not empty.
    pub fn text(&self, name: &str) -> Option<&'r str> {
        match self.value(name) {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The same as a value of its own.
    pub fn owned(&self, name: &str) -> Option<String> {
        self.text(name).map(str::to_owned)
    }

    /// A number, with its text.
    pub fn number(&self, name: &str) -> Option<(&'s str, Printed)> {
        let column = self.column(name);
        match self.values[column] {
            Value::Number(printed) => {
                Some((&self.fitted.table.source.text[self.column_range(column)], printed))
            }
            _ => None,
        }
    }

    /// A number as a float.
    pub fn float(&self, name: &str) -> Option<f64> {
        self.number(name).map(|(_, printed)| printed.value())
    }

    /// A whole number.
    pub fn count(&self, name: &str) -> Option<u32> {
        match self.value(name) {
            Value::Count(count) => Some(*count),
            _ => None,
        }
    }

    /// A date.
    pub fn date(&self, name: &str) -> Option<NaiveDate> {
        match self.value(name) {
            Value::Date(date) => Some(*date),
            _ => None,
        }
    }

    /// The bytes of a cell; the row's beginning where the file lacks the column.
    pub fn range(&self, name: &str) -> Range<usize> {
        self.column_range(self.column(name))
    }

    fn column_range(&self, column: usize) -> Range<usize> {
        let row = self.fitted.table.row(self.index);
        match self.fitted.places[column] {
            Some(place) => row[place].range(),
            None => row[0].range().start..row[0].range().start,
        }
    }

    /// A cell as a place.
    pub fn span(&self, name: &str) -> Span {
        self.fitted.table.source.span(self.range(name))
    }
}

/// Reads all rows that are as long as the header, in parallel and in order. `build` makes of each
/// what the model keeps, and reports what only other rows and files can show.
pub fn read<T: Send>(
    fitted: &Fitted,
    today: Option<NaiveDate>,
    list: &mut Vec<Diagnostic>,
    build: impl Fn(&Row, &mut Faults) -> Option<T> + Sync,
) -> Vec<T> {
    let rows = fitted.table.len();
    let chunks: Vec<(Vec<T>, Vec<Diagnostic>)> = (0..rows.div_ceil(CHUNK))
        .into_par_iter()
        .map(|chunk| {
            let range = chunk * CHUNK..rows.min((chunk + 1) * CHUNK);
            read_chunk(fitted, range, today, &build)
        })
        .collect();
    let mut all = Vec::with_capacity(rows);
    for (built, faults) in chunks {
        all.extend(built);
        list.extend(faults);
    }
    all
}

fn read_chunk<'s, T>(
    fitted: &Fitted<'s>,
    rows: Range<usize>,
    today: Option<NaiveDate>,
    build: impl Fn(&Row, &mut Faults) -> Option<T>,
) -> (Vec<T>, Vec<Diagnostic>) {
    let columns = fitted.schema.columns();
    let mut faults = Faults::new(fitted.table.source);
    let mut kept = Vec::with_capacity(rows.len());
    let mut values: Vec<Value<'s>> = Vec::with_capacity(columns.len());
    for index in rows.filter(|&row| !fitted.table.is_broken(row)) {
        values.clear();
        let cells = fitted.table.row(index);
        for (column, place) in columns.iter().zip(&fitted.places) {
            values.push(match place {
                // A missing column has been reported where it is required.
                None => Value::Absent,
                Some(place) => {
                    let cell = cells[*place];
                    let text = fitted.table.text(cell);
                    cell::read(text, &cell.range(), column, today, &mut faults)
                }
            });
        }
        kept.extend(build(&Row { fitted, index, values: &values }, &mut faults));
    }
    (kept, faults.list)
}
