//! From the formats of other benchmarks to the files of a study.
//!
//! Each format is one file with one pure function: named texts go in, the files of a study come
//! out, with what was taken, what was left out and why. Nothing here reads a disk, prints,
//! computes a figure that was not published, or guesses: what a text does not say stays empty,
//! and a text that contradicts its own format is a fault. Digits are never re-printed.

pub mod ako4x;
pub mod fastkernels;
pub mod flashinfer_trace;
mod json;
mod number;
mod sheet;
pub mod slug;
mod status;
mod study;

use std::{collections::BTreeMap, fmt};

/// One foreign file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Its path as the caller knows it; formats in which a folder has a meaning read it.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// What an importer must know of the data folder that its files go into.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    /// The rows of `gpus.csv`: name and id.
    pub gpus: Vec<(String, String)>,
}

impl Surroundings {
    /// The id of the GPU that a foreign text names, by its name or by its id.
    fn gpu(&self, foreign: &str) -> Option<&str> {
        let wanted = slug::slug(foreign);
        self.gpus
            .iter()
            .find(|(name, id)| slug::slug(name) == wanted || *id == wanted)
            .map(|(_, id)| id.as_str())
    }

    /// The id of the only GPU that a word of a text names.
    fn gpu_in(&self, text: &str) -> Option<&str> {
        if let Some(id) = self.gpu(text) {
            return Some(id);
        }
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let mut found: Vec<&str> = words.filter_map(|word| self.gpu(word)).collect();
        found.sort_unstable();
        found.dedup();
        if let [id] = found[..] { Some(id) } else { None }
    }
}

/// What an import gives.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Imported {
    /// Files by their path below the study's folder. `study.toml` is among them.
    pub files: BTreeMap<String, String>,
    /// What was taken, a sentence each.
    pub taken: Vec<String>,
    /// What was left out.
    pub left_out: Vec<LeftOut>,
}

/// Something that was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// What.
    pub what: String,
    /// Why.
    pub why: String,
}

impl Imported {
    fn leave_out(&mut self, what: impl Into<String>, why: impl Into<String>) {
        let left_out = LeftOut { what: what.into(), why: why.into() };
        if !self.left_out.contains(&left_out) {
            self.left_out.push(left_out);
        }
    }
}

/// Why a foreign file cannot be imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The file, as the caller named it.
    pub file: String,
    /// Where in it.
    pub place: Place,
    /// One sentence on what is wrong.
    pub message: String,
}

/// A place in a foreign file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// All of it.
    File,
    /// A line.
    Line(usize),
    /// A line and a column of it.
    Column(usize, usize),
    /// A value, by its JSON pointer.
    Pointer(String),
}

impl Fault {
    fn new(file: &str, place: Place, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), place, message: message.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, place, message } = self;
        match place {
            Place::File => write!(f, "{file}: {message}"),
            Place::Line(line) => write!(f, "{file}:{line}: {message}"),
            Place::Column(line, column) => write!(f, "{file}:{line}:{column}: {message}"),
            Place::Pointer(pointer) => write!(f, "{file}#{pointer}: {message}"),
        }
    }
}

/// `1 trace`, `2 traces`.
fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// The day at the head of an ISO 8601 timestamp.
fn day(timestamp: &str) -> Option<String> {
    let head = timestamp.get(..10)?;
    let ends = timestamp.as_bytes().get(10).is_none_or(|next| matches!(next, b'T' | b' '));
    (ends && head.parse::<chrono::NaiveDate>().is_ok()).then(|| head.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A source of this text.
    pub fn source(name: &str, text: &str) -> Source {
        Source { name: name.to_owned(), text: text.to_owned() }
    }

    /// Asserts that the files of an import are a study without faults.
    pub fn assert_passes_check(imported: &Imported) {
        let study = imported
            .files
            .iter()
            .map(|(path, text)| (format!("studies/test/{path}"), text.clone().into_bytes()));
        let files = [
            ("site.toml".to_owned(), b"title = \"Test\"\n".to_vec()),
            ("gpus.csv".to_owned(), b"id,name\nb200,NVIDIA B200\n".to_vec()),
        ]
        .into_iter()
        .chain(study)
        .collect();
        let input = crate::input::load_files(files, None);
        let faults: Vec<String> = input
            .diagnostics
            .iter()
            .map(|fault| format!("{:?}: {}", fault.place, fault.message))
            .collect();
        assert!(faults.is_empty(), "{faults:#?}\n{imported:#?}");
        assert!(input.model.is_some_and(|model| model.studies.len() == 1));
    }

    #[test]
    fn a_timestamp_begins_with_its_day() {
        for (text, expected) in [
            ("2026-03-17T14:19:57.635893", Some("2026-03-17")),
            ("2026-03-17", Some("2026-03-17")),
            ("2026-03-17 14:19", Some("2026-03-17")),
            ("2026-03-175", None),
            ("2026-02-30T00:00:00", None),
            ("yesterday", None),
            ("", None),
        ] {
            assert_eq!(day(text).as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn a_gpu_is_known_by_name_or_id_and_never_guessed() {
        let surroundings =
            Surroundings { gpus: vec![("NVIDIA B200".to_owned(), "b200".to_owned())] };
        for (text, expected) in [
            ("NVIDIA B200", Some("b200")),
            ("NVIDIA_B200", Some("b200")),
            ("B200", Some("b200")),
            ("NVIDIA B200 (half)", None),
            ("NVIDIA GB200", None),
        ] {
            assert_eq!(surroundings.gpu(text), expected, "{text}");
        }
        for (text, expected) in [
            ("Modal B200 (sm_100)", Some("b200")),
            ("modal-b200", Some("b200")),
            ("GB200", None),
            ("", None),
        ] {
            assert_eq!(surroundings.gpu_in(text), expected, "{text}");
        }
    }
}
