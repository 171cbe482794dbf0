//! What the program says about a fault in the data: one type for every stage and every output.
//!
//! A diagnostic holds facts (which code, where, what, and what to do). It never decides how it
//! is printed; each output format has a file of its own beside this one.

mod code;
pub mod github;
pub mod json;
pub mod number;
pub mod sarif;
mod span;
pub mod text;

pub use code::{Code, Severity};
pub use span::{Place, Span};

/// One fault in the data, or one doubt about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The stable name of the kind of fault; it decides the severity.
    pub code: Code,
    /// Where the fault is.
    pub place: Place,
    /// One sentence on what is wrong, with the bytes at fault made visible.
    pub message: String,
    /// One sentence on what to do about it.
    pub help: String,
    /// Other places that take part in the fault, each with a word on its part in it,
    /// such as the first line of a duplicate key.
    pub related: Vec<(Span, String)>,
}

impl Diagnostic {
    /// A diagnostic without related places.
    pub fn new(
        code: Code,
        place: impl Into<Place>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self {
            code,
            place: place.into(),
            message: message.into(),
            help: help.into(),
            related: Vec::new(),
        }
    }

    /// The same diagnostic, pointing at one more place.
    #[must_use]
    pub fn with_related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related.push((span, label.into()));
        self
    }

    /// Whether the data cannot be used as it is.
    pub fn is_error(&self) -> bool {
        self.code.severity() == Severity::Error
    }
}

/// What diagnostics can be written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// For people, as rustc does it.
    Text,
    /// For programs: DESIGN section 5.
    Json,
    /// Workflow commands, which GitHub shows as annotations on the lines of a pull request.
    Github,
    /// SARIF 2.1.0, which code-scanning services read.
    Sarif,
}

/// What a format needs to know beside the diagnostics.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Path of the data folder, as it is to stand before the paths of files; may be empty.
    pub folder: &'a str,
    /// Whether escape sequences for colours may be used.
    pub colour: bool,
    /// The text of a file, by its path relative to the data folder.
    pub text_of: &'a dyn Fn(&str) -> Option<&'a str>,
}

impl Context<'_> {
    /// Path of a file from where the program was called.
    fn path(&self, file: &str) -> String {
        let folder = self.folder.trim_end_matches('/');
        let folder = folder.strip_prefix("./").unwrap_or(folder);
        if folder.is_empty() || folder == "." {
            file.to_owned()
        } else {
            format!("{folder}/{file}")
        }
    }
}

/// Writes diagnostics in a format. The list should be [sorted](sort).
pub fn render(diagnostics: &[Diagnostic], format: Format, context: &Context) -> String {
    match format {
        Format::Text => text::render(diagnostics, context),
        Format::Json => json::render(diagnostics, context),
        Format::Github => github::render(diagnostics, context),
        Format::Sarif => sarif::render(diagnostics, context),
    }
}

/// How many diagnostics of each severity there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Summary {
    /// Faults that stop a build.
    pub errors: usize,
    /// Doubts that do not.
    pub warnings: usize,
}

impl Summary {
    /// Counts a list of diagnostics.
    pub fn of(diagnostics: &[Diagnostic]) -> Self {
        let errors = diagnostics.iter().filter(|d| d.is_error()).count();
        Self { errors, warnings: diagnostics.len() - errors }
    }

    /// `2 errors and 1 warning`.
    pub fn words(self) -> String {
        let counted = |number: usize, what: &str| {
            format!("{} {what}{}", grouped(number), if number == 1 { "" } else { "s" })
        };
        match (self.errors, self.warnings) {
            (0, 0) => "no errors and no warnings".to_owned(),
            (errors, 0) => counted(errors, "error"),
            (0, warnings) => counted(warnings, "warning"),
            (errors, warnings) => {
                format!("{} and {}", counted(errors, "error"), counted(warnings, "warning"))
            }
        }
    }
}

/// Orders diagnostics as a reader meets them: by file, line, column, then code and message.
pub fn sort(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by(|a, b| {
        (a.place.order(), a.code, &a.message).cmp(&(b.place.order(), b.code, &b.message))
    });
}

/// A number for people: `12,345`.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Three diagnostics: one with a related place in another file, one on a whole file, one that
    /// needs escaping.
    pub fn sample() -> Vec<Diagnostic> {
        let span = |file: &str, line, column, end_column, start, end| Span {
            file: file.into(),
            line,
            column,
            end_column,
            start,
            end,
        };
        vec![
            Diagnostic::new(
                Code::DuplicateKey,
                span("a.csv", 2, 1, 4, 4, 7),
                "the key `x,y` stands already in line 1 of b.csv",
                "keep the right one",
            )
            .with_related(span("b.csv", 1, 1, 4, 0, 3), "first given here"),
            Diagnostic::new(
                Code::HeaderAlone,
                Place::File("empty, or 50%.csv".into()),
                "two\nlines: 100 %",
                "add rows",
            ),
        ]
    }

    /// The texts that `sample` points at.
    pub fn text_of(file: &str) -> Option<&'static str> {
        match file {
            "a.csv" => Some("x,y\nx,y\n"),
            "b.csv" => Some("x,y\n"),
            _ => None,
        }
    }

    /// A context for the tests of the formats.
    pub const CONTEXT: Context<'static> =
        Context { folder: "data", colour: false, text_of: &text_of };

    #[test]
    fn counts_are_said_in_words() {
        assert_eq!(Summary::of(&sample()).words(), "1 error and 1 warning");
        assert_eq!(Summary { errors: 1_234_567, warnings: 0 }.words(), "1,234,567 errors");
        assert_eq!(Summary::default().words(), "no errors and no warnings");
    }

    #[test]
    fn paths_stand_behind_the_folder() {
        for (folder, path) in
            [("data", "data/a"), ("./data/", "data/a"), ("", "a"), (".", "a"), ("/x", "/x/a")]
        {
            assert_eq!(Context { folder, ..CONTEXT }.path("a"), path, "{folder:?}");
        }
    }
}
