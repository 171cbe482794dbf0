//! Diagnostics as text, for people: drawn as rustc draws them, readable without colour.

use std::collections::BTreeMap;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::{Code, Context, Diagnostic, Severity, Span, Summary, grouped};

/// Of one code in one file, at most this many are drawn; of the others their number is said.
const DRAWN: usize = 5;

/// Every diagnostic with the line it points at, and a last line that counts them. Nothing if there
/// are none.
pub fn render(diagnostics: &[Diagnostic], context: &Context) -> String {
    if diagnostics.is_empty() {
        return String::new();
    }
    let renderer = if context.colour { Renderer::styled() } else { Renderer::plain() };
    let mut totals: BTreeMap<(&str, Code), usize> = BTreeMap::new();
    for diagnostic in diagnostics {
        *totals.entry((diagnostic.place.file(), diagnostic.code)).or_default() += 1;
    }
    let mut drawn: BTreeMap<(&str, Code), usize> = BTreeMap::new();
    let mut out = String::new();
    for diagnostic in diagnostics {
        let kind = (diagnostic.place.file(), diagnostic.code);
        let count = drawn.entry(kind).or_default();
        *count += 1;
        if *count > DRAWN {
            continue;
        }
        let total = totals.get(&kind).copied().unwrap_or_default();
        let more = if *count == DRAWN && total > DRAWN {
            Some(format!(
                "{} more `{}` in this file, {} in all",
                grouped(total - DRAWN),
                diagnostic.code.as_str(),
                grouped(total)
            ))
        } else {
            None
        };
        out.push_str(&draw(diagnostic, more, &renderer, context));
        out.push_str("\n\n");
    }
    let summary = Summary::of(diagnostics);
    let level = if summary.errors > 0 { Level::ERROR } else { Level::WARNING };
    out.push_str(&renderer.render(&[Group::with_title(level.primary_title(summary.words()))]));
    out.push('\n');
    out
}

fn draw(
    diagnostic: &Diagnostic,
    more: Option<String>,
    renderer: &Renderer,
    context: &Context,
) -> String {
    let level = match diagnostic.code.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(&diagnostic.message).id(diagnostic.code.as_str());
    let path = context.path(diagnostic.place.file());
    let mut group = match diagnostic.place.span() {
        None => title.element(Origin::path(path)),
        Some(span) => match snippet(span, AnnotationKind::Primary, None, context) {
            Some(snippet) => title.element(snippet),
            None => title.element(
                Origin::path(path).line(span.line as usize).char_column(span.column as usize),
            ),
        },
    };
    for (span, label) in &diagnostic.related {
        if let Some(snippet) = snippet(span, AnnotationKind::Context, Some(label), context) {
            group = group.element(snippet);
        }
    }
    group = group.element(Level::HELP.message(&diagnostic.help));
    if let Some(more) = more {
        group = group.element(Level::NOTE.message(more));
    }
    renderer.render(&[group])
}

/// The line a place begins on, with the place marked. Only this line is handed over: the file may
/// have a million.
fn snippet<'a, 'c: 'a>(
    span: &Span,
    kind: AnnotationKind,
    label: Option<&'a String>,
    context: &Context<'c>,
) -> Option<Snippet<'a, Annotation<'a>>> {
    let text = (context.text_of)(&span.file)?;
    let (start, end) = (span.start as usize, span.end as usize);
    let before = text.get(..start)?;
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    // A byte order mark is no part of the first line.
    let line_start = if line_start == 0 && text.starts_with('\u{feff}') {
        '\u{feff}'.len_utf8()
    } else {
        line_start
    };
    let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let line = text.get(line_start..line_end)?;
    let line = line.strip_suffix('\r').unwrap_or(line);
    let from = (start - line_start).min(line.len());
    let to = (end.max(start) - line_start).clamp(from, line.len());
    let annotation = kind.span(from..to).label(label);
    Some(
        Snippet::source(line)
            .line_start(span.line as usize)
            .path(context.path(&span.file))
            .annotation(annotation),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::tests::{CONTEXT, sample};

    #[test]
    fn places_and_related_places_are_drawn() {
        assert_eq!(
            render(&sample(), &CONTEXT),
            "\
error[duplicate-key]: the key `x,y` stands already in line 1 of b.csv
 --> data/a.csv:2:1
  |
2 | x,y
  | ^^^
  |
 ::: data/b.csv:1:1
  |
1 | x,y
  | --- first given here
  |
  = help: keep the right one

warning[header-alone]: two
                       lines: 100 %
--> data/empty, or 50%.csv
 = help: add rows

error: 1 error and 1 warning
"
        );
    }

    #[test]
    fn many_of_one_kind_are_counted() {
        let many: Vec<Diagnostic> = std::iter::repeat_n(sample().remove(0), 1234).collect();
        let text = render(&many, &CONTEXT);
        assert_eq!(text.matches("error[duplicate-key]").count(), DRAWN);
        assert!(text.contains("= note: 1,229 more `duplicate-key` in this file, 1,234 in all"));
        assert!(text.ends_with("error: 1,234 errors\n"), "{text}");
    }

    #[test]
    fn colour_only_when_asked() {
        assert!(!render(&sample(), &CONTEXT).contains('\u{1b}'));
        assert!(render(&sample(), &Context { colour: true, ..CONTEXT }).contains('\u{1b}'));
    }

    #[test]
    fn no_diagnostics_no_text() {
        assert_eq!(render(&[], &CONTEXT), "");
    }
}
