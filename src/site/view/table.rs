//! A published table, shown as it is, with its best cells marked.

use askama::Template;
use serde::Serialize;

use super::{
    cite::{self, Cite},
    claims::{self, ClaimRow},
    context::{Context, Frame, Link, page, study_crumb},
    lookup::Lookup,
    notes::{NoteView, Notes},
};
use crate::{
    model::{BestOf, Board, Column, ColumnType, Mark, Printed, Table, TableBoard},
    site::{File, api::raw_copy, format, path},
};

/// `<study>/<board>/index.html` of a published table.
#[derive(Template, Serialize)]
#[template(path = "table.html", whitespace = "minimize")]
pub(super) struct TablePage {
    #[serde(skip)]
    frame: Frame,
    table: Option<PlainTable>,
    file: Link,
    claims: Vec<ClaimRow>,
    downloads: Vec<Link>,
    #[serde(skip)]
    cite: Cite,
    notes: Vec<NoteView>,
}

/// The shown columns of a published table.
#[derive(Debug, Clone, Serialize)]
pub(super) struct PlainTable {
    pub caption: String,
    pub columns: Vec<Heading>,
    pub rows: Vec<PlainRow>,
    pub has_best: bool,
    /// Title of the column that others are marked against; empty if none.
    pub against: String,
}

/// A column's heading.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Heading {
    pub title: String,
    pub unit: String,
    pub is_number: bool,
}

/// A row: its first cell is its heading.
#[derive(Debug, Clone, Serialize)]
pub(super) struct PlainRow {
    pub cells: Vec<PlainCell>,
    pub source: Link,
}

/// A cell.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(super) struct PlainCell {
    pub text: String,
    pub is_number: bool,
    pub is_best: bool,
    /// `+` or `−` against the named column.
    pub sign: &'static str,
}

/// The number in a cell; none where it is not one.
fn number(text: &str, kind: ColumnType) -> Option<Printed> {
    if kind == ColumnType::Text { None } else { Printed::parse(text).ok() }
}

fn cell(text: &str, column: &Column) -> PlainCell {
    let value = number(text, column.kind);
    let shown = match (value, column.decimals) {
        (Some(value), _) if column.kind == ColumnType::Share => {
            let decimals = column.decimals.map_or_else(
                || usize::try_from((value.decimals - 2).max(0)).unwrap_or(0),
                |decimals| decimals as usize,
            );
            format!("{} %", format::decimals(value.value() * 100.0, decimals))
        }
        (Some(value), Some(decimals)) => format::decimals(value.value(), decimals as usize),
        _ if text.is_empty() => "not given".to_owned(),
        _ => text.to_owned(),
    };
    let text = if value.is_some() && column.kind == ColumnType::Ratio {
        format!("{shown}×")
    } else {
        shown
    };
    PlainCell { text, is_number: value.is_some(), ..PlainCell::default() }
}

/// The cells of the shown columns, in their order, with the texts they were made from.
fn rows<'t>(table: &'t Table, columns: &[Column]) -> Vec<Vec<&'t str>> {
    let places: Vec<Option<usize>> = columns
        .iter()
        .map(|column| table.header.iter().position(|name| *name == column.id))
        .collect();
    table
        .rows
        .iter()
        .map(|row| {
            places
                .iter()
                .map(|place| place.and_then(|at| row.get(at)).map_or("", String::as_str))
                .collect()
        })
        .collect()
}

/// Marks the highest numbers, and what lies above or below the column it is held against.
fn mark_cells(cells: &mut [Vec<PlainCell>], texts: &[Vec<&str>], columns: &[Column], mark: &Mark) {
    let exact = |row: usize, column: usize| {
        number(texts[row][column], columns[column].kind).map(|printed| printed.exact)
    };
    let places: Vec<(usize, usize)> = (0..texts.len())
        .flat_map(|row| (0..columns.len()).map(move |column| (row, column)))
        .collect();
    if let Some(best) = mark.best {
        for &(row, column) in &places {
            let Some(value) = exact(row, column) else { continue };
            let rivals: Vec<_> = places
                .iter()
                .filter(|place| match best {
                    BestOf::Row => place.0 == row,
                    BestOf::Column => place.1 == column,
                })
                .filter_map(|&(row, column)| exact(row, column))
                .collect();
            cells[row][column].is_best =
                rivals.len() > 1 && rivals.iter().all(|rival| *rival <= value);
        }
    }
    let against =
        mark.against.as_ref().and_then(|id| columns.iter().position(|column| column.id == *id));
    if let Some(against) = against {
        for &(row, column) in places.iter().filter(|place| place.1 != against) {
            if let (Some(value), Some(other)) = (exact(row, column), exact(row, against)) {
                cells[row][column].sign = match value.cmp(&other) {
                    std::cmp::Ordering::Greater => "+",
                    std::cmp::Ordering::Less => "−",
                    std::cmp::Ordering::Equal => "",
                };
            }
        }
    }
}

/// The table of a board; none if its file is missing.
pub(super) fn plain_table(
    context: &Context<'_>,
    lookup: &Lookup<'_>,
    board: &Board,
    of: &TableBoard,
) -> Option<PlainTable> {
    let table = lookup.study.tables.get(&of.file)?;
    let texts = rows(table, &of.columns);
    let mut cells: Vec<Vec<PlainCell>> = texts
        .iter()
        .map(|row| row.iter().zip(&of.columns).map(|(text, column)| cell(text, column)).collect())
        .collect();
    if let Some(mark) = &of.mark {
        mark_cells(&mut cells, &texts, &of.columns, mark);
    }
    Some(PlainTable {
        caption: format!("{}, as published", board.title),
        columns: of
            .columns
            .iter()
            .map(|column| Heading {
                title: column.title.clone(),
                unit: column.unit.clone().unwrap_or_default(),
                is_number: column.kind != ColumnType::Text,
            })
            .collect(),
        rows: cells
            .into_iter()
            .zip(&table.spans)
            .map(|(cells, span)| PlainRow { cells, source: context.source(span) })
            .collect(),
        has_best: of.mark.as_ref().is_some_and(|mark| mark.best.is_some()),
        against: of
            .mark
            .as_ref()
            .and_then(|mark| mark.against.as_ref())
            .and_then(|id| of.columns.iter().find(|column| column.id == *id))
            .map_or_else(String::new, |column| column.title.clone()),
    })
}

fn view<'a>(
    context: &Context<'a>,
    lookup: &Lookup<'a>,
    board: &'a Board,
    of: &'a TableBoard,
) -> TablePage {
    let study = lookup.study;
    let frame = context.frame(
        &path::board(&study.id, &board.id),
        &board.title,
        &format!("{}: a table of {}, as published.", board.title, study.title),
        &[study_crumb(study)],
    );
    let mut notes = Notes::default();
    notes.show(&lookup.board_notes(board));
    TablePage {
        table: plain_table(context, lookup, board, of),
        file: Link::new(
            &of.file,
            frame.to(&raw_copy(&format!("studies/{}/{}", study.id, of.file))),
        ),
        claims: claims::rows(context, lookup, Some(&board.id), &frame, &mut notes),
        downloads: vec![Link::new(
            "This board as JSON",
            frame.to(&path::api_board(&study.id, &board.id)),
        )],
        cite: cite::board(context, study, board, &frame),
        notes: notes.finish(&frame),
        frame,
    }
}

pub(super) fn file<'a>(
    context: &Context<'a>,
    lookup: &Lookup<'a>,
    board: &'a Board,
    of: &'a TableBoard,
) -> File {
    page(path::board(&lookup.study.id, &board.id), &view(context, lookup, board, of))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(id: &str, kind: ColumnType, decimals: Option<u32>) -> Column {
        Column { id: id.into(), title: id.into(), kind, unit: None, decimals }
    }

    #[test]
    fn cells_are_shown_as_published() {
        for (text, kind, decimals, expected) in [
            ("1.20", ColumnType::Number, None, "1.20"),
            ("1.26", ColumnType::Number, Some(1), "1.3"),
            ("1.20", ColumnType::Ratio, None, "1.20×"),
            ("0.875", ColumnType::Share, None, "87.5 %"),
            ("", ColumnType::Number, None, "not given"),
            ("crash", ColumnType::Ratio, None, "crash"),
        ] {
            assert_eq!(cell(text, &column("a", kind, decimals)).text, expected, "{text}");
        }
    }

    #[test]
    fn best_and_difference_are_marked() {
        let columns =
            [column("a", ColumnType::Number, None), column("b", ColumnType::Number, None)];
        let texts = vec![vec!["1.0", "2"], vec!["3", "3.00"], vec!["x", "1"]];
        let mut cells: Vec<Vec<PlainCell>> = texts
            .iter()
            .map(|row| row.iter().zip(&columns).map(|(text, of)| cell(text, of)).collect())
            .collect();
        let mark = Mark { best: Some(BestOf::Row), against: Some("a".into()) };
        mark_cells(&mut cells, &texts, &columns, &mark);
        let found: Vec<Vec<(bool, &str)>> = cells
            .iter()
            .map(|row| row.iter().map(|cell| (cell.is_best, cell.sign)).collect())
            .collect();
        assert_eq!(
            found,
            [[(false, ""), (true, "+")], [(true, ""), (true, "")], [(false, ""), (false, "")],]
        );
    }
}
