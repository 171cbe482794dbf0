//! `paceboard import`: another benchmark's files become a study.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use paceboard::{
    import::{self, Imported, LeftOut, Source, Surroundings},
    input,
    model::{RESERVED, check_id},
};

use super::{Outcome, clock, faults, files, terminal};
use crate::cli::{self, ForeignFormat};

/// A title for a folder that has none yet.
const SITE: &str = "title = \"Paceboard\"\n";

pub fn run(args: &cli::Import) -> anyhow::Result<Outcome> {
    let data = &args.data.folder;
    check_study(&args.study)?;
    let (sources, passed_over) = read(&args.files)?;
    let surroundings = Surroundings { gpus: gpus(data)? };
    let imported = match args.format {
        ForeignFormat::FlashinferTrace => {
            import::flashinfer_trace::import(&args.study, &sources, &surroundings)
        }
        ForeignFormat::Fastkernels => import::fastkernels::import(&sources),
        ForeignFormat::Ako4x => import::ako4x::import(&args.study, &sources, &surroundings),
    };
    let mut imported = match imported {
        Ok(imported) => imported,
        Err(faults) => {
            for fault in &faults {
                terminal::message(&format!("error: {fault}"));
            }
            terminal::message("Nothing was written.");
            return Ok(Outcome::Faults);
        }
    };
    imported.left_out.extend(passed_over);

    let below = format!("studies/{}", args.study);
    let folder = data.join(&below);
    if folder.join("study.toml").exists() && imported.files.remove("study.toml").is_some() {
        imported.left_out.push(LeftOut {
            what: "study.toml with its boards".to_owned(),
            why: format!("{} has one", folder.display()),
        });
    }
    let written: Vec<(String, &str)> = imported
        .files
        .iter()
        .map(|(path, text)| (format!("{below}/{path}"), text.as_str()))
        .chain((!data.join("site.toml").exists()).then_some(("site.toml".to_owned(), SITE)))
        .collect();
    files::create(data, written.iter().map(|(path, text)| (path.as_str(), *text)))
        .context("import into a study of its own, with another --study")?;
    let paths: Vec<&str> = written.iter().map(|(path, _)| path.as_str()).collect();
    terminal::result(&report(&imported, data, &paths))?;
    checked(data, &below)
}

fn check_study(study: &str) -> anyhow::Result<()> {
    anyhow::ensure!(
        check_id(study).is_ok(),
        "`{study}` cannot be the id of a study: lower-case letters, digits, dots and hyphens, at \
         most 64 characters, beginning and ending with a letter or digit"
    );
    anyhow::ensure!(
        !RESERVED.contains(&study),
        "`{study}` cannot be the id of a study: it is the address of one of the site's own pages"
    );
    Ok(())
}

/// The files, and of folders the JSON files in them; what else is there is passed over.
fn read(paths: &[PathBuf]) -> anyhow::Result<(Vec<Source>, Vec<LeftOut>)> {
    let mut sources = Vec::new();
    let mut passed_over = Vec::new();
    for path in paths {
        if !path.is_dir() {
            sources.push(source(path)?);
            continue;
        }
        let mut others = 0;
        for entry in walkdir::WalkDir::new(path).sort_by_file_name() {
            let entry = entry.with_context(|| format!("cannot read {}", path.display()))?;
            let extension = entry.path().extension().and_then(|extension| extension.to_str());
            if !entry.file_type().is_file() {
                continue;
            }
            if matches!(extension, Some("json" | "jsonl")) {
                sources.push(source(entry.path())?);
            } else {
                others += 1;
            }
        }
        if others > 0 {
            passed_over.push(LeftOut {
                what: format!("files of other kinds in {} ({others})", path.display()),
                why: "of a folder only .json and .jsonl are read".to_owned(),
            });
        }
    }
    Ok((sources, passed_over))
}

fn source(path: &Path) -> anyhow::Result<Source> {
    let text = fs_err::read_to_string(path)?;
    Ok(Source { name: path.display().to_string(), text })
}

/// Name and id of the GPUs that the data folder knows.
fn gpus(data: &Path) -> anyhow::Result<Vec<(String, String)>> {
    let path = data.join("gpus.csv");
    if !path.exists() {
        return Ok(Vec::new());
    }
    let rows = super::new::rows(&fs_err::read_to_string(&path)?)
        .with_context(|| format!("cannot read {}", path.display()))?;
    let of = |row: &super::new::Row, column: &str| row.get(column).cloned().unwrap_or_default();
    Ok(rows.iter().map(|row| (of(row, "name"), of(row, "id"))).collect())
}

/// What was taken, what was left out and why, and what was written.
fn report(imported: &Imported, data: &Path, written: &[&str]) -> String {
    let mut out = String::from("Taken:\n");
    for line in &imported.taken {
        let _ = writeln!(out, "  {line}");
    }
    if !imported.left_out.is_empty() {
        out.push_str("Left out:\n");
    }
    for LeftOut { what, why } in &imported.left_out {
        let _ = writeln!(out, "  {what}: {why}");
    }
    let _ = writeln!(out, "Written below {}:", data.display());
    for path in written {
        let _ = writeln!(out, "  {path}");
    }
    out
}

/// Whether the study is without faults among the rest of the data.
fn checked(data: &Path, below: &str) -> anyhow::Result<Outcome> {
    let input = input::load(data, Some(clock::today()?))?;
    let inside = |fault: &&paceboard::diagnostic::Diagnostic| {
        fault.is_error() && fault.place.file().starts_with(&format!("{below}/"))
    };
    if input.diagnostics.iter().any(|fault| inside(&fault)) {
        faults::print_as_message(data, &input);
        return Ok(Outcome::Faults);
    }
    terminal::message(
        "Next: read what was left out, edit the study.toml (title, summary, licence, boards), and \
         run `paceboard check`.",
    );
    Ok(Outcome::Clean)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_studies_are_those_of_folders_of_the_site() {
        for good in ["a", "my-study.2"] {
            assert!(check_study(good).is_ok(), "{good}");
        }
        for bad in ["", "A", "../x", "api", "con", "a b"] {
            assert!(check_study(bad).is_err(), "{bad}");
        }
    }
}
