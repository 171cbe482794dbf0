//! The text of `study.toml` and of notes.

use std::fmt::Write as _;

/// A text as TOML, quoted.
pub fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// A list of texts as TOML.
pub fn list<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = texts.into_iter().map(quoted).collect();
    format!("[{}]", quoted.join(", "))
}

/// A column of a board of contenders.
#[derive(Debug, Clone)]
pub struct Contender {
    /// Id.
    pub id: String,
    /// Name as shown.
    pub name: String,
    /// Implementations by their ids.
    pub members: Vec<String>,
}

/// A board of contenders, divided by a baseline.
#[derive(Debug)]
pub struct SpeedupBoard<'a> {
    /// Id.
    pub id: &'a str,
    /// Title.
    pub title: &'a str,
    /// Classes in order of preference.
    pub classes: Vec<&'a str>,
    /// What the others are divided by.
    pub baseline: Contender,
    /// The others.
    pub contenders: Vec<Contender>,
}

/// A board that shows a table as it is.
#[derive(Debug)]
pub struct TableBoard<'a> {
    /// Id.
    pub id: &'a str,
    /// Title.
    pub title: &'a str,
    /// Path below the study.
    pub file: &'a str,
    /// Columns: name in the header, title and type.
    pub columns: &'a [(&'a str, &'a str, &'a str)],
}

/// The head of a `study.toml`.
pub fn head(title: &str, summary: &str) -> String {
    format!(
        "# Written by `paceboard import`. Title, summary, licence, citation and boards are yours to \
         edit.\ntitle = {}\nsummary = {}\n",
        quoted(title),
        quoted(summary)
    )
}

/// A `[[board]]` of contenders.
pub fn speedup_board(board: &SpeedupBoard<'_>) -> String {
    let mut out = format!(
        "\n[[board]]\nid = {}\ntitle = {}\nkind = \"speedup\"\nclasses = {}\n",
        quoted(board.id),
        quoted(board.title),
        list(board.classes.iter().copied())
    );
    let contenders = board.contenders.iter().map(|contender| ("[[board.contender]]", contender));
    for (table, contender) in
        std::iter::once(("[board.baseline]", &board.baseline)).chain(contenders)
    {
        let members = list(contender.members.iter().map(String::as_str));
        let (id, name) = (quoted(&contender.id), quoted(&contender.name));
        let _ = write!(out, "{table}\nid = {id}\nname = {name}\nmembers = {members}\n");
    }
    out
}

/// A `[[board]]` that shows a table.
pub fn table_board(board: &TableBoard<'_>) -> String {
    let mut out = format!(
        "\n[[board]]\nid = {}\ntitle = {}\nkind = \"table\"\nfile = {}\ncolumns = [\n",
        quoted(board.id),
        quoted(board.title),
        quoted(board.file)
    );
    for (id, title, kind) in board.columns {
        let (id, title) = (quoted(id), quoted(title));
        let _ = writeln!(out, "  {{ id = {id}, title = {title}, type = \"{kind}\" }},");
    }
    out.push_str("]\n");
    out
}

/// A note: front matter and Markdown.
pub fn note<'a>(
    title: &str,
    severity: &str,
    applies_to: impl IntoIterator<Item = &'a str>,
    body: &str,
) -> String {
    format!(
        "+++\ntitle = {}\nseverity = {}\napplies_to = {}\n+++\n\n{}\n",
        quoted(title),
        quoted(severity),
        list(applies_to),
        body.trim_end()
    )
}

/// A foreign text inside Markdown: its own characters and nothing else. Lines stay lines.
pub fn verbatim(text: &str) -> String {
    let clean = text.replace(|c: char| c.is_control() && c != '\n', " ");
    // A fence longer than any run of backticks in the text cannot be closed by it.
    let longest = clean.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{}\n{fence}", clean.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_survives_toml() {
        for text in ["plain", "a \"quote\"", "back\\slash", "two\nlines", "tab\t", "\u{7f}", ""] {
            let read: toml::Table = format!("x = {}", quoted(text)).parse().unwrap();
            assert_eq!(read["x"].as_str(), Some(text), "{text:?}");
        }
    }

    #[test]
    fn a_foreign_text_cannot_leave_its_fence() {
        assert_eq!(verbatim("a ```` b\r"), "`````text\na ```` b\n`````");
        assert_eq!(verbatim("plain"), "```text\nplain\n```");
    }
}
