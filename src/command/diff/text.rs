//! A change for a terminal: all of it, a line each.

use std::fmt::Write as _;

use paceboard::site::format;

use super::report::{Cell, NO_CHANGE, Piece, Report};

/// The report as plain text.
pub fn render(report: &Report<'_>) -> String {
    if report.summary.is_empty() {
        return format!("{NO_CHANGE}\n");
    }
    let mut out = String::new();
    if report.alerts.is_empty() {
        out.push_str("No n falls, no result is withdrawn or removed, no published rank changes.\n");
    }
    for alert in &report.alerts {
        let _ = writeln!(out, "! {}: {}", alert.lead, alert.total);
        for item in &alert.items {
            let _ = writeln!(out, "    {}", plain(item));
        }
        if alert.total > alert.items.len() {
            let _ = writeln!(out, "    and {} more, listed below", alert.total - alert.items.len());
        }
    }
    out.push('\n');
    for line in &report.summary {
        let _ = writeln!(out, "{line}");
    }
    for section in &report.sections {
        let (one, several) = section.nouns;
        let _ =
            writeln!(out, "\n{} ({})", section.title, format::count(section.count, one, several));
        for at in 0..section.count {
            let cells = (section.row)(at);
            let (subject, rest) = cells.split_at(section.subject.min(cells.len()));
            let subject: Vec<String> = subject.iter().map(plain).collect();
            let names = &section.columns[subject.len()..];
            let rest: Vec<String> = names
                .iter()
                .zip(rest)
                .filter(|(_, cell)| !cell.is_empty())
                .map(|(name, cell)| format!("{} {}", name.to_lowercase(), plain(cell)))
                .collect();
            let _ = writeln!(out, "  {}: {}", subject.join(", "), rest.join(" · "));
        }
    }
    out
}

fn plain(cell: &Cell) -> String {
    let text = |piece: &Piece| match piece {
        Piece::Say(text) | Piece::Name(text) | Piece::Quote(text) => text.clone(),
    };
    cell.iter().map(text).collect()
}
