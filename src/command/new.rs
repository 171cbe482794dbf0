//! `paceboard new`: pre-filled files and rows for someone who has measured something.
//!
//! It reads the tables of a study itself, and not the model: half-finished data has none, and is
//! what a contributor has.

use std::{
    collections::BTreeMap,
    io::Write as _,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail, ensure};
use paceboard::{
    input::{
        judge,
        schema::{self, ColumnType, Entity, FileKind},
    },
    model::check_id,
};

use super::{Outcome, explain::suggestion, files, terminal};
use crate::cli;

pub fn run(args: &cli::New) -> anyhow::Result<Outcome> {
    match &args.what {
        cli::NewThing::Latencies(args) => latencies(args),
        cli::NewThing::Implementation(args) => {
            let study = study(&args.study)?;
            let path = append(&study, FileKind::Implementations, &args.cells(), &[])?;
            say(&format!(
                "Added {} to {}.\nNext: `paceboard new latencies --study {} --operator OPERATOR \
                 --implementation {} --batch BATCH`.",
                args.id,
                path.display(),
                args.study.study,
                args.id
            ))
        }
        cli::NewThing::Batch(args) => {
            let study = study(&args.study)?;
            let gpus = ids(&args.study.data.folder.join("gpus.csv"), &[])?;
            let path = append(&study, FileKind::Batches, &args.cells(), &gpus)?;
            say(&format!(
                "Added {} to {}.\nWhat you left empty is shown as not known. Latencies are divided \
                 only inside one class: give two batches the same only if they were measured side \
                 by side.",
                args.id,
                path.display()
            ))
        }
    }
}

fn say(text: &str) -> anyhow::Result<Outcome> {
    terminal::result(&format!("{text}\n"))?;
    Ok(Outcome::Clean)
}

/// The folder of a study that exists.
fn study(args: &cli::StudyArgs) -> anyhow::Result<PathBuf> {
    let studies = args.data.folder.join("studies");
    let folder = studies.join(&args.study);
    if check_id(&args.study).is_ok() && folder.is_dir() {
        return Ok(folder);
    }
    let mut known = Vec::new();
    for entry in fs_err::read_dir(&studies)? {
        known.push(entry?.file_name().to_string_lossy().into_owned());
    }
    known.sort();
    let known = known.iter().map(String::as_str);
    bail!("there is no study `{}`; {}", args.study, suggestion(&args.study, known))
}

/// One row per shape of an operator, with empty latencies.
fn latencies(args: &cli::NewLatencies) -> anyhow::Result<Outcome> {
    let study = study(&args.study)?;
    let cli::NewLatencies { operator, implementation, batch, .. } = args;
    for (what, id, file) in [
        ("operator", operator, "operators.csv"),
        ("implementation", implementation, "implementations.csv"),
        ("batch", batch, "batches.csv"),
    ] {
        known(what, id, &ids(&study.join(file), &[])?, &study.join(file))?;
    }
    let shapes = ids(&study.join("shapes.csv"), &[("operator", operator)])?;
    ensure!(
        !shapes.is_empty(),
        "the operator `{operator}` has no shape; describe its sizes in {} first",
        study.join("shapes.csv").display()
    );
    let header = ["operator", "shape", "implementation", "batch", "latency_us", "note"];
    let rows = shapes.iter().map(|shape| [operator, shape, implementation, batch, "", ""]);
    let text = csv_text(std::iter::once(header).chain(rows), csv::Terminator::Any(b'\n'))?;
    let plain = format!("latencies/{implementation}-{operator}.csv");
    // The same kernel measured once more, in another batch.
    let path = if study.join(&plain).exists() {
        format!("latencies/{implementation}-{operator}-{batch}.csv")
    } else {
        plain
    };
    files::create(&study, [(path.as_str(), text.as_str())])?;
    let path = study.join(path);
    say(&format!(
        "Wrote {} with {} of {operator}.\n\
         Next:\n\
         1. Write the latencies into `latency_us`, in microseconds, with the digits you measured: \
         874.0 was measured to a tenth, 874 was not. Delete the rows of shapes you did not \
         measure.\n\
         2. Add a row to a file of `retests/` for each independent check of correctness.\n\
         3. Run `paceboard check`, then `paceboard serve` to see what it changes.",
        path.display(),
        if shapes.len() == 1 { "the shape".to_owned() } else { format!("{} shapes", shapes.len()) },
    ))
}

fn known(what: &str, id: &str, ids: &[String], file: &Path) -> anyhow::Result<()> {
    ensure!(
        ids.iter().any(|known| known == id),
        "there is no {what} `{id}` in {}; {}",
        file.display(),
        suggestion(id, ids.iter().map(String::as_str))
    );
    Ok(())
}

/// The cells of a row by their columns.
pub type Row = BTreeMap<String, String>;

/// The rows of a table.
pub fn rows(text: &str) -> csv::Result<Vec<Row>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    csv::Reader::from_reader(text.as_bytes()).deserialize().collect()
}

/// The ids of a table's rows that have certain cells. A table that is not there has none.
fn ids(path: &Path, with: &[(&str, &str)]) -> anyhow::Result<Vec<String>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let rows = rows(&fs_err::read_to_string(path)?)
        .with_context(|| format!("cannot read {}", path.display()))?;
    Ok(rows
        .into_iter()
        .filter(|row| with.iter().all(|(name, value)| row.get(*name).is_some_and(|c| c == value)))
        .filter_map(|mut row| row.remove("id"))
        .collect())
}

/// Adds a row to a table of the study, and nothing else.
fn append(
    study: &Path,
    kind: FileKind,
    cells: &[(&str, Option<&str>)],
    gpus: &[String],
) -> anyhow::Result<PathBuf> {
    let pattern = schema::of(kind).pattern;
    let path = study.join(pattern.rsplit_once('/').map_or(pattern, |(_, name)| name));
    let cells: Vec<(&str, &str)> =
        cells.iter().filter_map(|(column, cell)| cell.map(|cell| (*column, cell))).collect();
    for (column, cell) in &cells {
        valid(kind, column, cell, gpus)?;
    }
    let text = if path.exists() { fs_err::read_to_string(&path)? } else { String::new() };
    let addition = addition(&text, kind, &cells)
        .with_context(|| format!("{} stays as it was", path.display()))?;
    let mut file = fs_err::OpenOptions::new().append(true).create(true).open(&path)?;
    file.write_all(addition.as_bytes())?;
    Ok(path)
}

/// Whether a cell follows the rule of its column, as far as one table can tell.
fn valid(kind: FileKind, column: &str, cell: &str, gpus: &[String]) -> anyhow::Result<()> {
    let schema = schema::of(kind).columns().iter().find(|known| known.name == column);
    let Some(schema) = schema else { bail!("there is no column `{column}`") };
    if schema.kind == ColumnType::Reference(Entity::Gpu) {
        ensure!(
            gpus.iter().any(|gpu| gpu == cell),
            "there is no GPU `{cell}` in gpus.csv; {}",
            suggestion(cell, gpus.iter().map(String::as_str))
        );
    }
    ensure!(!cell.contains(['\n', '\r']), "the cell for `{column}` has a line break in it");
    if let Some(fault) = judge(schema, cell).first() {
        bail!("`{column}`: {}; {}", fault.message, fault.help);
    }
    Ok(())
}

/// What has to be added to a table for one more row: in its column order, with its line ends.
fn addition(text: &str, kind: FileKind, cells: &[(&str, &str)]) -> anyhow::Result<String> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = csv::Reader::from_reader(body.as_bytes());
    let header: Vec<String> = reader.headers()?.iter().map(str::to_owned).collect();
    let is_new = header.is_empty();
    let header = if is_new {
        schema::of(kind).columns().iter().map(|column| column.name.to_owned()).collect()
    } else {
        header
    };
    for (column, cell) in cells {
        ensure!(
            header.iter().any(|known| known == column),
            "its header has no column `{column}` for `{cell}`; add the column to it first"
        );
    }
    let id = cells.iter().find_map(|(column, cell)| (*column == "id").then_some(*cell));
    for row in rows(body)? {
        ensure!(
            row.get("id").map(String::as_str) != id,
            "the id `{}` is taken",
            id.unwrap_or_default()
        );
    }
    let row: Vec<&str> = header
        .iter()
        .map(|column| {
            cells.iter().find_map(|(name, cell)| (*name == column).then_some(*cell)).unwrap_or("")
        })
        .collect();
    let crlf = body.split_once('\n').is_some_and(|(first, _)| first.ends_with('\r'));
    let terminator = if crlf { csv::Terminator::CRLF } else { csv::Terminator::Any(b'\n') };
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let records = is_new.then_some(header).into_iter().chain([row]);
    let mut out = csv_text(records, terminator)?;
    if !body.is_empty() && !body.ends_with('\n') {
        out.insert_str(0, if crlf { "\r\n" } else { "\n" });
    }
    Ok(out)
}

fn csv_text<'a, R>(
    records: impl Iterator<Item = R>,
    terminator: csv::Terminator,
) -> anyhow::Result<String>
where
    R: IntoIterator<Item = &'a str>,
{
    let mut writer = csv::WriterBuilder::new().terminator(terminator).from_writer(Vec::new());
    for record in records {
        writer.write_record(record)?;
    }
    let bytes = writer.into_inner().map_err(csv::IntoInnerError::into_error)?;
    Ok(String::from_utf8(bytes)?)
}

impl cli::NewImplementation {
    fn cells(&self) -> [(&'static str, Option<&str>); 8] {
        [
            ("id", Some(&self.id)),
            ("name", Some(&self.name)),
            ("role", Some(&self.role)),
            ("system", self.system.as_deref()),
            ("model", self.model.as_deref()),
            ("scope", self.scope.as_deref()),
            ("commit", self.commit.as_deref()),
            ("url", self.url.as_deref()),
        ]
    }
}

impl cli::NewBatch {
    fn cells(&self) -> [(&'static str, Option<&str>); 16] {
        [
            ("id", Some(&self.id)),
            ("name", Some(&self.name)),
            ("class", Some(self.class.as_ref().unwrap_or(&self.id))),
            ("gpu", self.gpu.as_deref()),
            ("gpu_count", self.gpu_count.as_deref()),
            ("driver", self.driver.as_deref()),
            ("cuda", self.cuda.as_deref()),
            ("software", self.software.as_deref()),
            ("timer", self.timer.as_deref()),
            ("cache", self.cache.as_deref()),
            ("statistic", self.statistic.as_deref()),
            ("tool", self.tool.as_deref()),
            ("tool_commit", self.tool_commit.as_deref()),
            ("command", self.command.as_deref()),
            ("measured_on", self.measured_on.as_deref()),
            ("verified", self.verified.as_deref()),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CELLS: [(&str, &str); 3] = [("id", "k"), ("name", "Kernel, \"fast\""), ("role", "agent")];

    #[test]
    fn a_row_takes_the_order_and_the_line_ends_of_its_table() {
        for (text, expected) in [
            ("id,name,role\na,A,agent\n", "k,\"Kernel, \"\"fast\"\"\",agent\n"),
            ("id,name,role\na,A,agent", "\nk,\"Kernel, \"\"fast\"\"\",agent\n"),
            ("role,id,url,name\r\nagent,a,,A\r\n", "agent,k,,\"Kernel, \"\"fast\"\"\"\r\n"),
            ("role,id,url,name\r\nagent,a,,A", "\r\nagent,k,,\"Kernel, \"\"fast\"\"\"\r\n"),
            ("\u{feff}id,name,role\n", "k,\"Kernel, \"\"fast\"\"\",agent\n"),
            ("id,name,role", "\nk,\"Kernel, \"\"fast\"\"\",agent\n"),
            (
                "",
                "id,name,role,system,model,scope,commit,url,note\nk,\"Kernel, \"\"fast\"\"\",agent,,,,,,\n",
            ),
        ] {
            let got = addition(text, FileKind::Implementations, &CELLS).unwrap();
            assert_eq!(got, expected, "{text:?}");
        }
    }

    #[test]
    fn a_row_that_does_not_fit_is_refused() {
        for (text, expected) in [
            ("id,name\na,A\n", "no column `role`"),
            ("id,name,role\nk,A,agent\n", "the id `k` is taken"),
            ("id,name,role\na,A\n", "2 fields"),
        ] {
            let error = addition(text, FileKind::Implementations, &CELLS).unwrap_err();
            assert!(format!("{error:#}").contains(expected), "{error:#}");
        }
    }

    #[test]
    fn cells_follow_the_rules_of_their_columns() {
        let gpus = ["b200".to_owned()];
        let check = |column, cell| valid(FileKind::Batches, column, cell, &gpus);
        for (column, cell) in [
            ("id", "a.b"),
            ("name", "A name"),
            ("gpu", "b200"),
            ("gpu_count", "8"),
            ("measured_on", "2026-01-31"),
        ] {
            assert!(check(column, cell).is_ok(), "{column} {cell}");
        }
        for (column, cell, expected) in [
            ("id", "A", "`id`: "),
            ("class", "a b", "`class`: "),
            ("name", "=1+1", "formula"),
            ("name", "", "empty"),
            ("name", "two\nlines", "line break"),
            ("gpu", "b20", "did you mean `b200`?"),
            ("gpu_count", "-1", "`gpu_count`: "),
            ("measured_on", "31.1.2026", "`measured_on`: "),
        ] {
            let error = check(column, cell).unwrap_err().to_string();
            assert!(error.contains(expected), "{column} {cell}: {error}");
        }
        let error = valid(FileKind::Implementations, "role", "agnet", &[]).unwrap_err();
        assert!(error.to_string().contains("did you mean `agent`?"), "{error}");
        let error = valid(FileKind::Implementations, "url", "example.org", &[]).unwrap_err();
        assert!(error.to_string().contains("http"), "{error}");
    }
}
