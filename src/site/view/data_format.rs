//! The data format, from the table of files and columns that the checks use.

use askama::Template;
use serde::Serialize;

use super::context::{Context, Frame, page};
use crate::{
    input::schema::{ColumnSchema, Content, FILES, FileSchema, KeySchema, KeyType},
    site::{File, markdown, path},
};

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
    id: &'static str,
    path: &'static str,
    required: &'static str,
    help: String,
    /// What its rows are called: columns, or keys of TOML.
    kind: &'static str,
    /// The columns whose values together are unique; empty where there are none.
    key: String,
    rows: Vec<RowView>,
}

/// A column or a key of it.
#[derive(Serialize)]
struct RowView {
    name: String,
    required: &'static str,
    rule: String,
    help: String,
}

fn required(is_required: bool) -> &'static str {
    if is_required { "required" } else { "optional" }
}

fn column(column: &ColumnSchema) -> RowView {
    RowView {
        name: column.name.into(),
        required: required(column.required),
        rule: markdown::inline(&column.kind.rule()),
        help: markdown::inline(column.help),
    }
}

/// A key and those below it, with their path in front.
fn keys(schema: &[KeySchema], above: &str, rows: &mut Vec<RowView>) {
    for key in schema {
        let name = format!("{above}{}", key.name);
        let mut rule = markdown::inline(&key.kind.rule());
        if !key.boards.is_empty() {
            rule = format!("{rule}; on boards of kind {}", key.boards.join(", "));
        }
        if !key.default.is_empty() {
            rule = format!("{rule}; if not given, {}", markdown::inline(key.default));
        }
        rows.push(RowView {
            required: required(key.required),
            rule,
            help: markdown::inline(key.help),
            name: name.clone(),
        });
        if let KeyType::Table(below) | KeyType::Tables(below) = key.kind {
            keys(below, &format!("{name}."), rows);
        }
    }
}

fn file_view(schema: &FileSchema) -> FileView {
    let mut rows = Vec::new();
    let mut unique = String::new();
    let kind = match schema.content {
        Content::Table { key, columns } => {
            rows.extend(columns.iter().map(column));
            unique = key.join(", ");
            "Column"
        }
        Content::FreeTable => "Column",
        Content::Settings(schema) | Content::Markdown(schema) => {
            keys(schema, "", &mut rows);
            "Key"
        }
    };
    FileView {
        id: schema.name,
        path: schema.pattern,
        required: required(schema.required),
        help: markdown::inline(schema.help),
        kind,
        key: unique,
        rows,
    }
}

fn view(context: &Context<'_>) -> DataFormat {
    let frame = context.frame(
        &path::top("data-format"),
        "Data format",
        "Every file of the data folder, with its columns and their rules.",
        &[],
    );
    DataFormat { files: FILES.iter().map(file_view).collect(), frame }
}

pub(super) fn file(context: &Context<'_>) -> File {
    page(path::top("data-format"), &view(context))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_below_a_key_have_its_name_in_front() {
        let study = FILES.iter().find(|file| file.name == "study").unwrap();
        let view = file_view(study);
        for name in ["headline", "board", "board.id", "board.baseline.members"] {
            assert!(view.rows.iter().any(|row| row.name == name), "{name}");
        }
    }

    #[test]
    fn words_of_the_data_are_set_as_code() {
        let latencies = FILES.iter().find(|file| file.name == "latencies").unwrap();
        let view = file_view(latencies);
        assert!(view.rows.iter().any(|row| row.rule.contains("<code>874.0</code>")));
    }
}
