use std::sync::Arc;

/// A run of text in one file of the data folder.
///
/// Bytes count from the start of the file, a byte order mark included; lines and columns count
/// from 1, columns in characters. They are worked out once, in `input/source.rs`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Path relative to the data folder, with `/` between its parts.
    pub file: Arc<str>,
    /// Line of the first character.
    pub line: u32,
    /// Column of the first character.
    pub column: u32,
    /// Column just after the last character on that line; at least `column`.
    pub end_column: u32,
    /// Byte offset of the first character.
    pub start: u32,
    /// Byte offset just after the last character.
    pub end: u32,
}

/// Where a diagnostic points: a whole file, or some text in it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Place {
    /// The file as a whole, by its path relative to the data folder.
    File(Arc<str>),
    /// A run of text.
    Span(Span),
}

impl Place {
    /// Path of the file, relative to the data folder.
    pub fn file(&self) -> &str {
        match self {
            Self::File(file) => file,
            Self::Span(span) => &span.file,
        }
    }

    /// The run of text, if it is not the whole file that is meant.
    pub fn span(&self) -> Option<&Span> {
        match self {
            Self::File(_) => None,
            Self::Span(span) => Some(span),
        }
    }

    /// What places are sorted by.
    pub(super) fn order(&self) -> (&str, u32, u32) {
        self.span().map_or((self.file(), 0, 0), |span| (&span.file, span.line, span.column))
    }
}

impl From<Span> for Place {
    fn from(span: Span) -> Self {
        Self::Span(span)
    }
}

impl From<&Span> for Place {
    fn from(span: &Span) -> Self {
        Self::Span(span.clone())
    }
}
