//! Diagnostics as GitHub workflow commands: annotations on the lines of a pull request.
//!
//! Properties and data are escaped by different rules (`actions/toolkit`, `command.ts`).

use super::{Context, Diagnostic, Severity};

/// One command per line. Files stand behind the data folder, as they lie in the repository.
pub fn render(diagnostics: &[Diagnostic], context: &Context) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let command = match diagnostic.code.severity() {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let mut properties = vec![("file", context.path(diagnostic.place.file()))];
        if let Some(span) = diagnostic.place.span() {
            properties.push(("line", span.line.to_string()));
            properties.push(("endLine", span.line.to_string()));
            properties.push(("col", span.column.to_string()));
            properties.push(("endColumn", span.end_column.to_string()));
        }
        properties.push(("title", diagnostic.code.as_str().to_owned()));
        let properties: Vec<String> =
            properties.iter().map(|(name, value)| format!("{name}={}", property(value))).collect();
        let mut text = format!("{}\nhelp: {}", diagnostic.message, diagnostic.help);
        for (span, label) in &diagnostic.related {
            let path = context.path(&span.file);
            text.push_str(&["\n", &path, ":", &span.line.to_string(), ": ", label].concat());
        }
        out.push_str(
            &["::", command, " ", &properties.join(","), "::", &data(&text), "\n"].concat(),
        );
    }
    out
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::tests::{CONTEXT, sample};

    #[test]
    fn properties_and_data_are_escaped_apart() {
        assert_eq!(
            render(&sample(), &CONTEXT),
            "::error file=data/a.csv,line=2,endLine=2,col=1,endColumn=4,title=duplicate-key::\
             the key `x,y` stands already in line 1 of b.csv%0Ahelp: keep the right one%0A\
             data/b.csv:1: first given here\n\
             ::warning file=data/empty%2C or 50%25.csv,title=header-alone::\
             two%0Alines: 100 %25%0Ahelp: add rows\n"
        );
    }
}
