//! The data format, from the table of files and columns that the checks use.

use askama::Template;
use serde::Serialize;

use super::context::{Context, Frame, page};
use crate::site::{File, path};

/// `data-format/index.html`.
#[derive(Template, Serialize)]
#[template(path = "data_format.html", whitespace = "minimize")]
pub(super) struct DataFormat {
    #[serde(skip)]
    frame: Frame,
    files: Vec<FileView>,
}

/// A file of the data folder.
#[derive(Serialize)]
struct FileView {
    id: String,
    path: String,
    what: String,
    columns: Vec<ColumnView>,
}

/// A column of it.
#[derive(Serialize)]
struct ColumnView {
    name: String,
    kind: String,
    required: &'static str,
    help: String,
}

fn view(context: &Context<'_>) -> DataFormat {
    let frame = context.frame(
        &path::top("data-format"),
        "Data format",
        "Every file and column of the data folder, with its type and rule.",
        &[],
    );
    // SEAM: filled from `input::schema::FILES` when it is there.
    DataFormat { files: Vec::new(), frame }
}

pub(super) fn file(context: &Context<'_>) -> File {
    page(path::top("data-format"), &view(context))
}
