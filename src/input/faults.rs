//! Collecting the faults of one file.

use std::{collections::HashMap, ops::Range};

use crate::{
    diagnostic::{Code, Diagnostic, Place, Span},
    input::source::Source,
};

/// Most comparisons with known ids that the suggestions of one file (or one run of rows of a large
/// one) may cost. Beyond them, faults are still found, but nothing is suggested.
const SUGGESTION_BUDGET: usize = 200_000;

/// The faults found in one file so far.
#[derive(Debug)]
pub struct Faults<'s> {
    /// The file.
    pub source: &'s Source,
    /// What was found.
    pub list: Vec<Diagnostic>,
    budget: usize,
    suggested: HashMap<String, Option<String>>,
}

impl<'s> Faults<'s> {
    /// None yet.
    pub fn new(source: &'s Source) -> Self {
        Self { source, list: Vec::new(), budget: SUGGESTION_BUDGET, suggested: HashMap::new() }
    }

    /// Adds a fault at a run of bytes.
    pub fn at(
        &mut self,
        range: Range<usize>,
        code: Code,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> &mut Diagnostic {
        self.push(Diagnostic::new(code, self.source.span(range), message, help))
    }

    /// Adds a fault of the file as a whole.
    pub fn of_file(
        &mut self,
        code: Code,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> &mut Diagnostic {
        self.push(Diagnostic::new(code, Place::File(self.source.path.clone()), message, help))
    }

    fn push(&mut self, diagnostic: Diagnostic) -> &mut Diagnostic {
        self.list.push(diagnostic);
        let last = self.list.len() - 1;
        &mut self.list[last]
    }

    /// A run of bytes as a place.
    pub fn span(&self, range: Range<usize>) -> Span {
        self.source.span(range)
    }

    /// The known text that one is most likely meant to be. `among` says which list of known texts
    /// is meant, so that answers can be kept.
    pub fn nearest<'a>(
        &mut self,
        text: &str,
        among: &str,
        known: impl ExactSizeIterator<Item = &'a str>,
    ) -> Option<String> {
        let key = format!("{among}\0{text}");
        if let Some(answer) = self.suggested.get(&key) {
            return answer.clone();
        }
        self.budget = self.budget.checked_sub(known.len())?;
        let answer = nearest(text, known).map(str::to_owned);
        self.suggested.insert(key, answer.clone());
        answer
    }
}

/// The text of a list that is nearest to one, if any is near enough to be meant.
pub fn nearest<'a>(text: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let plain = plainly(text);
    let length = text.chars().count();
    let furthest = (length / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in known {
        // What differs only in case and separators is meant for sure.
        if plainly(candidate) == plain {
            return Some(candidate);
        }
        let is_part = length >= 3 && (candidate.starts_with(text) || text.starts_with(candidate));
        if is_part && best.is_none() {
            // `latency` is meant for `latency_us`, if nothing is nearer.
            best = Some((furthest, candidate));
            continue;
        }
        let bound = best.map_or(furthest, |(distance, _)| distance - 1);
        if candidate.len().abs_diff(text.len()) > bound + (text.len() - length) {
            continue;
        }
        let distance = strsim::osa_distance(text, candidate);
        if distance <= bound {
            if distance <= 1 {
                // Nothing but an equal text is nearer, and that would not be unknown.
                return Some(candidate);
            }
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

fn plainly(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_is_found_if_it_is_near() {
        let known = ["fa4-backward", "fa4-forward", "gdn-forward", "mha"];
        for (text, expected) in [
            ("fa4-backwards", Some("fa4-backward")),
            ("FA4_Forward", Some("fa4-forward")),
            ("fa4backward", Some("fa4-backward")),
            ("mah", Some("mha")),
            ("gnd-forward", Some("gdn-forward")),
            ("gdn", Some("gdn-forward")),
            ("softmax", None),
            ("", None),
        ] {
            assert_eq!(nearest(text, known.into_iter()), expected, "{text}");
        }
    }

    #[test]
    fn a_budget_bounds_the_work() {
        let source = Source::new("a", "");
        let mut faults = Faults::new(&source);
        faults.budget = 1;
        assert_eq!(faults.nearest("mah", "shape", ["mha"].into_iter()).as_deref(), Some("mha"));
        assert_eq!(faults.nearest("mah", "shape", ["mha"].into_iter()).as_deref(), Some("mha"));
        assert_eq!(faults.nearest("mahh", "shape", ["mha"].into_iter()), None);
    }
}
