//! A change as a comment on a pull request: the summary first, short enough for GitHub, and no
//! text of the data can do anything in it but be read.

use std::fmt::Write as _;

use paceboard::site::format;

use super::report::{Alert, Cell, NO_CHANGE, Piece, Report, Section};

/// GitHub takes comments of up to 65,536 characters; the rest is left for what posts it.
pub const LIMIT: usize = 65_000;

/// Longest line on what was left out of a section.
const LONGEST_REST: usize = 60;

/// The report as Markdown of at most [`LIMIT`] characters.
pub fn render(report: &Report<'_>) -> String {
    if report.summary.is_empty() {
        return format!("{NO_CHANGE}\n");
    }
    let mut out = String::new();
    if report.alerts.is_empty() {
        out.push_str("No n falls, no result is withdrawn or removed, no published rank changes.\n");
    }
    for alert in &report.alerts {
        out.push_str(&alert_line(alert));
    }
    out.push('\n');
    for line in &report.summary {
        let _ = writeln!(out, "- {line}");
    }
    let room = LIMIT.saturating_sub(length(&out));
    out.push_str(&sections(&report.sections, room));
    out
}

/// `- **n falls** (7): a, b, … and 2 more`.
fn alert_line(alert: &Alert) -> String {
    let items: Vec<String> = alert.items.iter().map(marked_up).collect();
    let more = match alert.total - alert.items.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("- **{}** ({}): {}{more}\n", alert.lead, alert.total, items.join("; "))
}

/// A section with the rows that were made so far.
struct Written<'r, 'c> {
    section: &'r Section<'c>,
    head: String,
    rows: Vec<String>,
}

impl Written<'_, '_> {
    /// Adds rows while they fit, and returns how many characters they took.
    fn fill(&mut self, room: usize) -> usize {
        let mut taken = 0;
        while self.rows.len() < self.section.count {
            let row = table_row((self.section.row)(self.rows.len()).iter().map(marked_up));
            let longer = length(&row);
            if taken + longer > room {
                break;
            }
            taken += longer;
            self.rows.push(row);
        }
        taken
    }
}

/// All sections in so many characters. Each may first take its equal share; what some leave, the
/// others take, in order.
fn sections(sections: &[Section<'_>], room: usize) -> String {
    let mut written: Vec<Written<'_, '_>> = sections
        .iter()
        .map(|section| Written { section, head: head(section), rows: Vec::new() })
        .collect();
    let fixed: usize = written.iter().map(|one| length(&one.head) + LONGEST_REST).sum();
    let mut left = room.saturating_sub(fixed);
    let share = left / written.len().max(1);
    for one in &mut written {
        left -= one.fill(share);
    }
    for one in &mut written {
        left -= one.fill(left);
    }

    let mut out = String::new();
    for Written { section, head, rows } in written {
        out.push_str(&head);
        for row in &rows {
            out.push_str(row);
        }
        let more = section.count - rows.len();
        if more > 0 {
            let noun = if more == 1 { section.nouns.0 } else { section.nouns.1 };
            let _ = write!(out, "\nand {more} more {noun}\n");
        }
    }
    out
}

fn head(section: &Section<'_>) -> String {
    let (one, several) = section.nouns;
    let count = format::count(section.count, one, several);
    let names = table_row(section.columns.iter().map(|name| (*name).to_owned()));
    let rule = table_row(section.columns.iter().map(|_| "---".to_owned()));
    format!("\n#### {} ({count})\n\n{names}{rule}", section.title)
}

fn table_row(cells: impl Iterator<Item = String>) -> String {
    let cells: Vec<String> = cells.collect();
    format!("| {} |\n", cells.join(" | "))
}

fn marked_up(cell: &Cell) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Say(text) => text.clone(),
        Piece::Name(text) => code(text),
        Piece::Quote(text) => inert(text),
    };
    cell.iter().map(piece).collect()
}

/// A code span around a text. In it nothing is markup, a mention or a link; only its own fence
/// must be longer than any in the text, and in a table a bar must be escaped even here.
fn code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let text = text.replace('|', "\\|");
    // A blank beside a backtick is taken off again; an empty span would be no span.
    let blank =
        if text.is_empty() || text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{blank}{text}{blank}{fence}")
}

/// Text in which nothing is markup, HTML, a mention, a reference, an emoji or a link.
fn inert(text: &str) -> String {
    // It has no width and breaks no line, but no `@name`, `#1` or `://` survives it.
    const JOINER: char = '\u{2060}';
    // Not markup in the middle of a line, once brackets and the signs above are escaped.
    const HARMLESS: &str = ".,;'\"/%-()+=?";
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '@' | '#' => {
                out.push('\\');
                out.push(character);
                out.push(JOINER);
            }
            ':' => {
                out.push(':');
                out.push(JOINER);
            }
            // `www.` becomes a link by itself, and so may `GH-1`.
            '.' if before.eq_ignore_ascii_case(&'w') => {
                out.push(JOINER);
                out.push('.');
            }
            '-' if before.eq_ignore_ascii_case(&'h') => {
                out.push(JOINER);
                out.push('-');
            }
            '\n' | '\r' => out.push(' '),
            c if c.is_ascii_punctuation() && !HARMLESS.contains(c) => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
        before = character;
    }
    out
}

/// Length as GitHub counts it. It counts characters; UTF-16 units are never fewer.
fn length(text: &str) -> usize {
    text.encode_utf16().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section<'c>(title: &'static str, count: usize, width: usize) -> Section<'c> {
        Section {
            title,
            nouns: ("record", "records"),
            columns: &["Record"],
            subject: 1,
            count,
            row: Box::new(move |at| vec![vec![Piece::Quote(format!("{at:0width$}"))]]),
        }
    }

    fn report(sections: Vec<Section<'_>>) -> Report<'_> {
        Report { alerts: Vec::new(), summary: vec!["Records: some".into()], sections }
    }

    fn rows(text: &str) -> usize {
        text.lines().filter(|line| line.starts_with("| 0") || line.starts_with("| 1")).count()
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        for (count, width) in [(20_000, 80), (20_000, 8), (1_000_000, 300), (3, 65_000)] {
            let text = render(&report(vec![section("Records", count, width)]));
            assert!(text.chars().count() <= LIMIT, "{}", text.chars().count());
            let shown = rows(&text);
            assert!(text.contains(&format!("\nand {} more records\n", count - shown)), "{count}");
            // As much as there is room for.
            if width < 100 {
                assert!(text.chars().count() > LIMIT - 2 * width - 200, "{}", text.len());
            }
        }
    }

    #[test]
    fn what_fits_is_all_there() {
        let text = render(&report(vec![section("Records", 100, 20), section("More", 5, 20)]));
        assert_eq!(rows(&text), 105);
        assert!(!text.contains(" more "), "{text}");
    }

    #[test]
    fn a_long_section_leaves_room_for_the_others() {
        let text = render(&report(vec![section("First", 50_000, 40), section("Second", 200, 40)]));
        let (_, second) = text.split_once("#### Second").unwrap();
        assert_eq!(rows(second), 200);
        assert!(text.chars().count() <= LIMIT);
    }

    #[test]
    fn characters_outside_the_basic_plane_are_counted_as_two() {
        let mut wide = section("Records", 20_000, 1);
        wide.row = Box::new(|_| vec![vec![Piece::Quote("🚀".repeat(40))]]);
        assert!(render(&report(vec![wide])).encode_utf16().count() <= LIMIT);
    }

    /// What a reader of Markdown makes of a text: the text again, and nothing but text.
    fn rendered(markdown: &str) -> String {
        // GitHub turns no `--` into a dash.
        let options =
            pulldown_cmark::Options::all() - pulldown_cmark::Options::ENABLE_SMART_PUNCTUATION;
        let mut html = String::new();
        pulldown_cmark::html::push_html(
            &mut html,
            pulldown_cmark::Parser::new_ext(markdown, options),
        );
        html
    }

    #[test]
    fn names_are_inert() {
        for hostile in [
            "<img src=x onerror=alert(1)>",
            "<!-- comment",
            "a | b || c",
            "`code` ``` more",
            "**bold** _it_ ~~no~~ [link](https://example.org) ![i](j)",
            "# heading",
            "$x$ $$y$$",
            "&lt;b&gt; &#64;root",
            "\\| \\` \\<b>",
            "[^1] [x] {#id}",
        ] {
            let table =
                format!("| a | b |\n| --- | --- |\n| {} | {} |\n", inert(hostile), code(hostile));
            let html = rendered(&table);
            assert_eq!(html.matches("<td>").count(), 2, "{hostile}: {html}");
            for tag in
                ["<img", "<strong", "<em>", "<a ", "<del", "<h1", "<!--", "<b>", "<sup", "<input"]
            {
                assert!(!html.contains(tag), "{hostile}: {html}");
            }
            let escaped = hostile.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            let text = html.replace('\u{2060}', "").replace("&quot;", "\"");
            assert_eq!(text.matches(&escaped).count(), 2, "{hostile}: {html}");
        }
    }

    #[test]
    fn nobody_is_called_and_nothing_is_linked() {
        for (hostile, never) in [
            ("thanks @octocat", "@octocat"),
            ("fixes #12", "#12"),
            ("see GH-12", "GH-12"),
            ("https://example.org", "://"),
            ("www.example.org", "www."),
            (":tada:", ":tada:"),
            ("me@example.org", "@example"),
        ] {
            let html = rendered(&inert(hostile));
            assert!(!html.contains(never), "{hostile}: {html}");
        }
        assert_eq!(code("@octocat #1 https://x"), "`@octocat #1 https://x`");
    }

    #[test]
    fn a_code_span_holds_whatever_it_is_given() {
        for (text, expected) in [
            ("a/b", "`a/b`"),
            ("a|b", "`a\\|b`"),
            ("a`b", "``a`b``"),
            ("`a", "`` `a ``"),
            ("", "`  `"),
        ] {
            assert_eq!(code(text), expected, "{text:?}");
        }
    }

    #[test]
    fn nothing_is_one_line() {
        let empty = Report { alerts: Vec::new(), summary: Vec::new(), sections: Vec::new() };
        assert_eq!(render(&empty).lines().count(), 1);
    }

    #[test]
    fn alerts_come_first() {
        let item = vec![Piece::Name("s/b".into())];
        let alert = Alert { lead: "n falls".into(), items: vec![item], total: 3 };
        let text = render(&Report { alerts: vec![alert], ..report(Vec::new()) });
        assert_eq!(text.lines().next(), Some("- **n falls** (3): `s/b` and 2 more"));
    }
}
