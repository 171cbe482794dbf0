//! What the program says about a fault in the data: one type for every stage and every output.
//!
//! A diagnostic holds facts (which code, where, what, and what to do). It never decides how it
//! is printed; each output format has a file of its own beside this one.

mod code;
pub mod json;
pub mod number;
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
}

/// Orders diagnostics as a reader meets them: by file, line, column, then code and message.
pub fn sort(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by(|a, b| {
        (a.place.order(), a.code, &a.message).cmp(&(b.place.order(), b.code, &b.message))
    });
}
