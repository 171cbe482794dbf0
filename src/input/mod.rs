//! From the data folder to a [`Model`](crate::model::Model), with every fault found on the way.
//!
//! A fault in the data is a diagnostic, never an `Err`; one pass finds them all. Nothing here
//! computes a standing, and nothing but `folder.rs` touches the disk.

mod cell;
mod character;
mod faults;
mod folder;
mod load;
mod note;
mod row;
mod rules;
pub mod schema;
mod settings;
pub mod source;
mod table;
#[cfg(test)]
mod tests;

use std::{borrow::Cow, path::Path};

use chrono::NaiveDate;

pub use source::{Source, Sources};

use crate::{diagnostic::Diagnostic, model::Model};

pub use folder::find as find_folder;

/// What one pass over a data folder gives.
#[derive(Debug)]
pub struct Input {
    /// The model; none if any diagnostic is an error.
    pub model: Option<Model>,
    /// Everything that was found, in order of file and line.
    pub diagnostics: Vec<Diagnostic>,
    /// The text of all files, also of those at fault, to show what a diagnostic points at.
    pub sources: Sources,
}

/// Reads a data folder. Dates after `today` are faults; without it no date is.
///
/// An `Err` means that the environment failed: the folder is missing or cannot be read.
pub fn load(folder: &Path, today: Option<NaiveDate>) -> anyhow::Result<Input> {
    let folder = folder::read(folder)?;
    Ok(load::load_files(folder.files, folder.faults, today))
}

/// Reads the files of a data folder from memory, each with its path relative to the folder.
pub fn load_files(files: Vec<(String, Vec<u8>)>, today: Option<NaiveDate>) -> Input {
    load::load_files(files, Vec::new(), today)
}

/// What the rules of a column say of one cell, before there is a file that it stands in. Whether
/// an id that it names exists is another question.
pub fn judge(column: &schema::ColumnSchema, cell: &str) -> Vec<Diagnostic> {
    let source = Source::new("cell", cell);
    let mut faults = faults::Faults::new(&source);
    cell::read(Cow::Borrowed(cell), &(0..cell.len()), column, None, &mut faults);
    faults.list
}
