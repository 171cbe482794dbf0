//! The notes of one page: marks where they apply, the texts at the end, and the ways between.

use serde::Serialize;

use super::{context::Frame, words};
use crate::{
    model::Note,
    site::{
        markdown::{self, Place},
        path,
    },
};

/// A mark that leads to a note.
#[derive(Debug, Clone, Serialize)]
pub(super) struct NoteMark {
    pub number: String,
    pub href: String,
    /// What the note's way back leads to.
    pub id: String,
    pub title: String,
}

/// A note at the end of a page.
#[derive(Debug, Clone, Serialize)]
pub(super) struct NoteView {
    pub number: String,
    pub id: String,
    pub title: String,
    pub badge: words::Badge,
    pub body: String,
    /// The marks that lead here.
    pub back: Vec<NoteMark>,
}

/// How many ways back a note offers.
const WAYS_BACK: usize = 6;

/// Collects the notes of a page in the order in which it names them.
#[derive(Default)]
pub(super) struct Notes<'a> {
    entries: Vec<(&'a Note, Vec<NoteMark>)>,
    marks: usize,
}

impl<'a> Notes<'a> {
    /// Marks for some notes, at one place of the page.
    pub fn marks(&mut self, notes: &[&'a Note]) -> Vec<NoteMark> {
        notes.iter().map(|note| self.mark(note)).collect()
    }

    fn mark(&mut self, note: &'a Note) -> NoteMark {
        let at = self.entry(note);
        self.marks += 1;
        let mark = NoteMark {
            number: (at + 1).to_string(),
            href: format!("#{}", path::note_anchor(&note.id)),
            id: format!("mark-{}", self.marks),
            title: note.title.clone(),
        };
        self.entries[at].1.push(mark.clone());
        mark
    }

    /// Shows notes that are about the page as a whole, without a mark.
    pub fn show(&mut self, notes: &[&'a Note]) {
        for note in notes {
            self.entry(note);
        }
    }

    fn entry(&mut self, note: &'a Note) -> usize {
        let known = self.entries.iter().position(|(known, _)| known.id == note.id);
        known.unwrap_or_else(|| {
            self.entries.push((note, Vec::new()));
            self.entries.len() - 1
        })
    }

    /// The notes' texts.
    pub fn finish(self, frame: &Frame) -> Vec<NoteView> {
        self.entries
            .into_iter()
            .enumerate()
            .map(|(at, (note, mut back))| {
                back.truncate(WAYS_BACK);
                let id = path::note_anchor(&note.id);
                let prefix = format!("{id}-");
                NoteView {
                    number: (at + 1).to_string(),
                    title: note.title.clone(),
                    badge: words::severity(note.severity),
                    body: markdown::html(
                        &note.body,
                        Place { root: &frame.root, first_heading: 4, prefix: &prefix },
                    ),
                    back,
                    id,
                }
            })
            .collect()
    }
}
