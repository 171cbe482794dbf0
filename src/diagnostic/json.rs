//! Diagnostics as JSON, for other programs. The format is stable: DESIGN section 5.

use serde::Serialize;

use super::{Context, Diagnostic, Summary};

#[derive(Serialize)]
struct Report<'a> {
    diagnostics: Vec<Entry<'a>>,
    summary: Counts,
}

#[derive(Serialize)]
struct Entry<'a> {
    code: &'a str,
    severity: &'a str,
    file: &'a str,
    line: Option<u32>,
    column: Option<u32>,
    end_column: Option<u32>,
    message: &'a str,
    help: &'a str,
}

#[derive(Serialize)]
struct Counts {
    errors: usize,
    warnings: usize,
}

/// One JSON object. Files are relative to the data folder.
pub fn render(diagnostics: &[Diagnostic], _context: &Context) -> String {
    let entries = diagnostics.iter().map(|diagnostic| {
        let span = diagnostic.place.span();
        Entry {
            code: diagnostic.code.as_str(),
            severity: diagnostic.code.severity().as_str(),
            file: diagnostic.place.file(),
            line: span.map(|span| span.line),
            column: span.map(|span| span.column),
            end_column: span.map(|span| span.end_column),
            message: &diagnostic.message,
            help: &diagnostic.help,
        }
    });
    let Summary { errors, warnings } = Summary::of(diagnostics);
    let report = Report { diagnostics: entries.collect(), summary: Counts { errors, warnings } };
    // Texts and numbers always have a JSON form.
    let mut json = serde_json::to_string_pretty(&report).unwrap_or_default();
    json.push('\n');
    json
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::tests::{CONTEXT, sample};

    #[test]
    fn it_is_the_format_of_the_design() {
        assert_eq!(
            render(&sample(), &CONTEXT),
            r#"{
  "diagnostics": [
    {
      "code": "duplicate-key",
      "severity": "error",
      "file": "a.csv",
      "line": 2,
      "column": 1,
      "end_column": 4,
      "message": "the key `x,y` stands already in line 1 of b.csv",
      "help": "keep the right one"
    },
    {
      "code": "header-alone",
      "severity": "warning",
      "file": "empty, or 50%.csv",
      "line": null,
      "column": null,
      "end_column": null,
      "message": "two\nlines: 100 %",
      "help": "add rows"
    }
  ],
  "summary": {
    "errors": 1,
    "warnings": 1
  }
}
"#
        );
    }
}
