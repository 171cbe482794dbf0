//! The data format for people to read: every file, column and setting, and every fault.

use std::fmt::Write as _;

use super::{ColumnSchema, Content, FILES, FileSchema, KeySchema, KeyType};
use crate::diagnostic::{Code, Severity};

/// The reference as one Markdown document.
pub fn reference() -> String {
    let mut out = String::from(
        "# The data folder\n\n\
         Tables are CSV: UTF-8, separated by commas, one header line, columns in any order. An \
         optional column may be left out, and an empty cell means \"not given\". Several files \
         that match one path are one table. Settings and the front matter of Markdown files are \
         TOML.\n",
    );
    for file in FILES {
        file_section(&mut out, file);
    }
    out.push_str("\n# Faults\n\nAn error stops a build. A warning does not.\n");
    for severity in [Severity::Error, Severity::Warning] {
        let _ = write!(
            out,
            "\n## {}\n\n| Code | What it means | Example |\n| --- | --- | --- |\n",
            if severity == Severity::Error { "Errors" } else { "Warnings" }
        );
        for code in Code::ALL.iter().filter(|code| code.severity() == severity) {
            let cells = [code_span(code.as_str()), cell(code.meaning()), code_span(code.example())];
            let _ = writeln!(out, "| {} |", cells.join(" | "));
        }
    }
    out
}

fn file_section(out: &mut String, file: &FileSchema) {
    let required = if file.required { " Required." } else { "" };
    let _ = write!(out, "\n## {}\n\n{}{required}\n", code_span(file.pattern), file.help);
    match file.content {
        Content::Table { key, columns } => {
            let key: Vec<String> = key.iter().map(|name| code_span(name)).collect();
            let _ = write!(
                out,
                "\nUnique by {}.\n\n| Column | Type | Required | Rule | Meaning |\n\
                 | --- | --- | --- | --- | --- |\n",
                key.join(", ")
            );
            for column in columns {
                let _ = writeln!(out, "{}", column_row(column));
            }
        }
        Content::FreeTable => {}
        Content::Settings(keys) | Content::Markdown(keys) => {
            out.push_str(
                "\n| Setting | Required | Rule | Default | Meaning |\n\
                 | --- | --- | --- | --- | --- |\n",
            );
            for key in keys {
                key_rows(out, "", key);
            }
        }
    }
}

fn column_row(column: &ColumnSchema) -> String {
    let required = if column.required { "yes" } else { "no" };
    let cells = [
        code_span(column.name),
        column.kind.name().to_owned(),
        required.to_owned(),
        cell(&column.kind.rule()),
        cell(column.help),
    ];
    format!("| {} |", cells.join(" | "))
}

/// A setting, and below it the settings of the table that it is.
fn key_rows(out: &mut String, prefix: &str, key: &KeySchema) {
    let (name, below): (String, &[KeySchema]) = match key.kind {
        KeyType::Table(keys) => (format!("{prefix}{}", key.name), keys),
        KeyType::Tables(keys) => (format!("{prefix}{}[]", key.name), keys),
        _ => (format!("{prefix}{}", key.name), &[]),
    };
    let required = if key.required { "yes" } else { "no" };
    let required = match key.boards {
        [] => required.to_owned(),
        kinds => format!("{required}; only on boards of kind {}", kinds.join(", ")),
    };
    let cells =
        [code_span(&name), required, cell(&key.kind.rule()), cell(key.default), cell(key.help)];
    let _ = writeln!(out, "| {} |", cells.join(" | "));
    for inner in below {
        key_rows(out, &format!("{name}."), inner);
    }
}

/// Text of the schema in a table's cell. It is Markdown itself; only bars would end the cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

fn code_span(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let blank = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{blank}{}{blank}{fence}", cell(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_column_setting_and_code_is_in_it() {
        let text = reference();
        for file in FILES {
            assert!(text.contains(&format!("## `{}`", file.pattern)), "{}", file.pattern);
            for column in file.columns() {
                assert!(text.contains(column.help), "{} {}", file.name, column.name);
            }
        }
        for code in Code::ALL {
            assert!(text.contains(&format!("| `{}` |", code.as_str())), "{}", code.as_str());
        }
        for setting in ["`board[].contender[].members`", "`labels.operator`", "`tie_band`"] {
            assert!(text.contains(setting), "{setting}");
        }
    }

    #[test]
    fn every_row_has_the_cells_of_its_header() {
        let text = reference();
        let bars = |line: &str| line.replace("\\|", "").matches('|').count();
        let mut expected = 0;
        let mut rows = 0;
        for line in text.lines() {
            if !line.starts_with('|') {
                expected = 0;
                continue;
            }
            if expected == 0 {
                expected = bars(line);
            }
            assert_eq!(bars(line), expected, "{line}");
            rows += 1;
        }
        assert!(rows > 200, "{rows}");
    }
}
