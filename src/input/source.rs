//! The text of the files, and the one place where bytes become lines and columns.
//!
//! Nothing here knows what a file is about.

use std::{ops::Range, sync::Arc};

use crate::{
    diagnostic::{Code, Diagnostic, Place, Span},
    input::character,
};

const BOM: &str = "\u{feff}";

/// One file as text.
#[derive(Debug, Clone)]
pub struct Source {
    /// Path relative to the data folder, with `/` between its parts.
    pub path: Arc<str>,
    /// The whole text, a byte order mark included. Where bytes were not UTF-8, each faulty run
    /// stands as U+FFFD.
    pub text: Arc<str>,
    /// Byte offset at which each line begins; the first is behind the byte order mark.
    line_starts: Arc<[u32]>,
}

impl Source {
    /// A file whose bytes are known to be text. `text` must be shorter than 4 GiB.
    pub fn new(path: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Self {
        let text: Arc<str> = text.into();
        let first = if text.starts_with(BOM) { BOM.len() } else { 0 };
        let newlines = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let line_starts = std::iter::once(first)
            .chain(newlines.map(|(at, _)| at + 1))
            .map(|at| u32::try_from(at).unwrap_or(u32::MAX))
            .collect();
        Self { path: path.into(), text, line_starts }
    }

    /// Byte offset of the first character behind a byte order mark.
    pub fn start(&self) -> usize {
        self.line_starts[0] as usize
    }

    /// The text behind a byte order mark.
    pub fn body(&self) -> &str {
        &self.text[self.start()..]
    }

    /// The line (from 0) that an offset is on.
    fn line_index(&self, offset: usize) -> usize {
        self.line_starts.partition_point(|&start| start as usize <= offset).saturating_sub(1)
    }

    /// The line (from 1) that an offset is on.
    pub fn line(&self, offset: usize) -> usize {
        self.line_index(offset) + 1
    }

    /// Number of lines, a last one without text not counted.
    pub fn line_count(&self) -> usize {
        let last_is_empty = self.line_starts.last().is_some_and(|&s| s as usize >= self.text.len());
        self.line_starts.len() - usize::from(last_is_empty)
    }

    /// Byte range of the line (from 0) without its line end.
    fn line_range(&self, index: usize) -> Range<usize> {
        let start = self.line_starts[index] as usize;
        let end = self.line_starts.get(index + 1).map_or(self.text.len(), |&next| next as usize);
        let line = &self.text[start..end];
        let bare = line.strip_suffix('\n').map_or(line, |l| l.strip_suffix('\r').unwrap_or(l));
        start..start + bare.len()
    }

    /// Byte range of the whole line that an offset is on, without its line end.
    pub fn line_around(&self, offset: usize) -> Range<usize> {
        self.line_range(self.line_index(offset))
    }

    /// A run of bytes as a place in the file. Both ends must be on character boundaries.
    pub fn span(&self, range: Range<usize>) -> Span {
        let index = self.line_index(range.start);
        let line_start = self.line_starts[index] as usize;
        let from = range.start.max(line_start);
        let column = 1 + count(&self.text[line_start..from]);
        // Only a run of several lines can end behind the line's own end.
        let visible_end = match self.line_starts.get(index + 1) {
            Some(&next) if range.end >= next as usize => self.line_range(index).end.max(from),
            _ => range.end.max(from),
        };
        let end_column = column + count(&self.text[from..visible_end]);
        Span {
            file: Arc::clone(&self.path),
            line: number(index + 1),
            column: number(column),
            end_column: number(end_column),
            start: number(range.start),
            end: number(range.end),
        }
    }

    /// The bytes that a place of this file stands for.
    pub fn slice(&self, span: &Span) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }
}

fn count(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}

fn number(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// What the bytes of a file are.
#[derive(Debug)]
pub struct Decoded {
    /// The text, as far as there is one.
    pub source: Source,
    /// What is wrong with the bytes.
    pub faults: Vec<Diagnostic>,
    /// Whether the text can be looked at further.
    pub readable: bool,
}

/// Reads bytes as UTF-8. Another encoding is named, never converted.
pub fn decode(path: &str, bytes: Vec<u8>) -> Decoded {
    let path: Arc<str> = path.into();
    if u32::try_from(bytes.len()).is_err() {
        let fault = Diagnostic::new(
            Code::FileTooLarge,
            Place::File(Arc::clone(&path)),
            format!("the file has {} bytes, and 4,294,967,295 are the most", bytes.len()),
            "split it: several files in one folder are one table",
        );
        return unreadable(path, "", fault);
    }
    if let Some((order, why)) = utf16(&bytes) {
        let units: Vec<u16> = bytes
            .chunks_exact(2)
            .map(|pair| {
                let pair = [pair[0], pair[1]];
                if order == "little" { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) }
            })
            .collect();
        let text = String::from_utf16_lossy(&units);
        let source = Source::new(path, text);
        let start = source.start();
        let first = source.body().chars().next().map_or(0, char::len_utf8);
        let fault = Diagnostic::new(
            Code::Utf16,
            source.span(start..start + first),
            format!("the file is UTF-16 ({order}-endian), not UTF-8: {why}"),
            "save it as UTF-8; in a spreadsheet choose \"CSV UTF-8 (comma delimited)\"",
        );
        return Decoded { source, faults: vec![fault], readable: false };
    }
    match String::from_utf8(bytes) {
        Ok(text) => text_with_nul_named(Source::new(path, text)),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let bytes = error.into_bytes();
            let byte = bytes[at];
            let runs = bytes.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count();
            let more = if runs == 1 {
                String::new()
            } else {
                format!(" ({} more such places in the file)", runs - 1)
            };
            let source = Source::new(path, String::from_utf8_lossy(&bytes));
            let guess = if byte >= 0xa0 {
                format!("in Latin-1 it would be `{}`", char::from(byte))
            } else {
                "it is no letter in Latin-1 either".to_owned()
            };
            let fault = Diagnostic::new(
                Code::NotUtf8,
                source.span(at..at + '\u{fffd}'.len_utf8()),
                format!("the byte 0x{byte:02X} is not UTF-8; {guess}{more}"),
                "save the file as UTF-8",
            );
            let mut decoded = text_with_nul_named(source);
            decoded.faults.insert(0, fault);
            decoded
        }
    }
}

fn text_with_nul_named(source: Source) -> Decoded {
    let faults = source.text.find('\0').map(|at| {
        let count = source.text.bytes().filter(|&byte| byte == 0).count();
        let more =
            if count == 1 { String::new() } else { format!(" ({} more in the file)", count - 1) };
        Diagnostic::new(
            Code::NulByte,
            source.span(at..at + 1),
            format!("the file holds a NUL byte (0x00){more}"),
            "remove it; a file with NUL bytes is often no text at all",
        )
    });
    Decoded { faults: faults.into_iter().collect(), source, readable: true }
}

fn unreadable(path: Arc<str>, text: &str, fault: Diagnostic) -> Decoded {
    Decoded { source: Source::new(path, text), faults: vec![fault], readable: false }
}

/// The byte order of UTF-16 text and what shows it: a byte order mark, or NUL bytes at every
/// second place of the beginning.
fn utf16(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    match bytes {
        [0xff, 0xfe, ..] => return Some(("little", "it begins with the bytes 0xFF 0xFE")),
        [0xfe, 0xff, ..] => return Some(("big", "it begins with the bytes 0xFE 0xFF")),
        _ => {}
    }
    let head = &bytes[..bytes.len().min(512) / 2 * 2];
    let nul_at =
        |parity: usize| head.iter().skip(parity).step_by(2).filter(|&&byte| byte == 0).count();
    let (even, odd) = (nul_at(0), nul_at(1));
    let most = head.len() / 2 * 4 / 5;
    if head.len() < 4 {
        None
    } else if odd > 0 && odd >= most && even == 0 {
        Some(("little", "every second byte is 0x00, from the second on"))
    } else if even > 0 && even >= most && odd == 0 {
        Some(("big", "every second byte is 0x00, from the first on"))
    } else {
        None
    }
}

/// All files, to look text up by path.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// In order of path.
    files: Vec<Source>,
}

impl Sources {
    /// The files, in any order.
    pub fn new(mut files: Vec<Source>) -> Self {
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Self { files }
    }

    /// A file by its path relative to the data folder.
    pub fn get(&self, path: &str) -> Option<&Source> {
        let index = self.files.binary_search_by(|source| (*source.path).cmp(path)).ok()?;
        self.files.get(index)
    }

    /// The text of a file by its path relative to the data folder.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.get(path).map(|source| &*source.text)
    }

    /// All files in order of path.
    pub fn iter(&self) -> impl Iterator<Item = &Source> {
        self.files.iter()
    }
}

/// A text as a message shows it: in backquotes, unseen characters escaped, long ones cut.
pub fn shown(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut out = String::from("`");
    for (index, c) in text.chars().enumerate() {
        if index == LONGEST {
            out.push('…');
            break;
        }
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0' => out.push_str("\\0"),
            c if c.is_control() || character::is_unseen(c) || character::is_mark(c) => {
                out.extend(c.escape_unicode());
            }
            c => out.push(c),
        }
    }
    out.push('`');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, needle: &str, expected: (u32, u32, u32)) {
        let source = Source::new("a.csv", text);
        let at = text.find(needle).unwrap();
        let span = source.span(at..at + needle.len());
        assert_eq!((span.line, span.column, span.end_column), expected, "{text:?} {needle:?}");
        assert_eq!(source.slice(&span), needle);
    }

    #[test]
    fn lines_and_columns_are_those_an_editor_shows() {
        check("a,b\nc,d\n", "d", (2, 3, 4));
        check("a,b\r\nc,d\r\n", "d", (2, 3, 4));
        check("\u{feff}a,b\nc,d", "a", (1, 1, 2));
        check("\u{feff}a,b\nc,d", "d", (2, 3, 4));
        check("\n\n\r\nx", "x", (4, 1, 2));
        check("é×漢,x", "x", (1, 5, 6));
        check("a,\"b\nc\",d", "d", (2, 4, 5));
        // A run of several lines ends with its first one.
        check("a,\"b\nc\",d", "b\nc", (1, 4, 5));
        check("a,\"b\r\nc\",d", "b\r\nc", (1, 4, 5));
        check("abc", "abc", (1, 1, 4));
    }

    #[test]
    fn the_end_of_a_file_is_a_place() {
        let source = Source::new("a", "a\n");
        let span = source.span(2..2);
        assert_eq!((span.line, span.column, span.end_column), (2, 1, 1));
        assert_eq!(source.line_count(), 1);
    }

    fn check_bytes(bytes: &[u8], code: Code, line: u32, column: u32, message: &str) {
        let decoded = decode("a.csv", bytes.to_vec());
        let fault = &decoded.faults[0];
        let span = fault.place.span().unwrap();
        assert_eq!((fault.code, span.line, span.column), (code, line, column), "{bytes:?}");
        assert!(fault.message.contains(message), "{}", fault.message);
    }

    #[test]
    fn bytes_that_are_no_utf8_are_named() {
        check_bytes(b"a\nb,caf\xe9,\xe9", Code::NotUtf8, 2, 6, "0xE9");
        check_bytes(b"a\nb,caf\xe9,\xe9", Code::NotUtf8, 2, 6, "`é` (1 more");
        check_bytes(b"a,b\nc,\0", Code::NulByte, 2, 3, "0x00");
        check_bytes(b"\xff\xfea\0,\0", Code::Utf16, 1, 1, "0xFF 0xFE");
        check_bytes(b"\xfe\xff\0a\0,", Code::Utf16, 1, 1, "big");
        check_bytes(b"a\0,\0b\0\n\0", Code::Utf16, 1, 1, "from the second on");
        check_bytes(b"\0a\0,\0b\0\n", Code::Utf16, 1, 1, "from the first on");
    }

    #[test]
    fn utf8_is_taken_as_it_is() {
        for text in ["", "a", "\u{feff}a,b\r\n", "é"] {
            let decoded = decode("a", text.as_bytes().to_vec());
            assert!(decoded.faults.is_empty() && decoded.readable);
            assert_eq!(&*decoded.source.text, text);
        }
    }

    #[test]
    fn unseen_characters_are_shown() {
        assert_eq!(shown("a\u{200b}\u{a0}\n\u{301}"), "`a\\u{200b}\\u{a0}\\n\\u{301}`");
        assert_eq!(shown(&"x".repeat(100)), format!("`{}…`", "x".repeat(60)));
    }
}
