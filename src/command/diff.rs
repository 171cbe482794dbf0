//! `paceboard diff`: what a change of the data does to every number, rank and verdict.
//!
//! The comparison itself is `standings::change`. Here the two versions are read and the result is
//! written down: for a pull request, for a terminal, for another program.

mod git;
mod json;
mod markdown;
mod report;
mod text;

use std::path::Path;

use paceboard::{
    diagnostic::{Code, Diagnostic, Summary},
    input::{self, Input},
    model::Model,
    standings::{
        self, Standings,
        change::{self, Change, Version},
    },
};

use super::{Outcome, clock, faults, progress::Progress, terminal};
use crate::cli;

pub fn run(args: &cli::Diff) -> anyhow::Result<Outcome> {
    let folder = &args.data.folder;
    // As in a build: no clock, so that the same two versions always give the same text.
    let today = clock::given_day()?;
    let progress = Progress::start("Reading the data");
    let new = input::load(folder, today)?;
    let Some(new_model) = &new.model else {
        drop(progress);
        faults::print_as_message(folder, &new);
        return Ok(Outcome::Faults);
    };
    progress.stage("Reading the base");
    let (base_name, base) = match (&args.base.folder, &args.base.revision) {
        (Some(base), _) => (base.display().to_string(), input::load(base, today)?),
        (None, Some(revision)) => {
            let files = git::files_at(folder, revision)?;
            (revision.clone(), input::load_files(files, today))
        }
        (None, None) => anyhow::bail!("either --base or --base-rev is needed"),
    };
    let base_model = model_of_base(&base_name, &base)?;

    progress.stage("Computing");
    let (old_standings, new_standings) =
        (standings::compute(base_model), standings::compute(new_model));
    progress.stage("Comparing");
    let (old_warnings, new_warnings) =
        (warnings(&base, &old_standings), warnings(&new, &new_standings));
    let change = change::between(
        Version { model: base_model, standings: &old_standings, warnings: &old_warnings },
        Version { model: new_model, standings: &new_standings, warnings: &new_warnings },
    );
    drop(progress);
    terminal::result(&in_format(args.format, &change))?;
    Ok(Outcome::Clean)
}

fn in_format(format: cli::ChangeFormat, change: &Change) -> String {
    match format {
        cli::ChangeFormat::Markdown => markdown::render(&report::of(change)),
        cli::ChangeFormat::Text => text::render(&report::of(change)),
        cli::ChangeFormat::Json => json::render(change),
    }
}

/// There is nothing to compare with if the base cannot be computed. Its faults are not those of
/// the change, so they are counted and the first one is shown.
fn model_of_base<'i>(name: &str, base: &'i Input) -> anyhow::Result<&'i Model> {
    let Some(model) = &base.model else {
        let errors = Summary::of(&base.diagnostics).errors;
        let first = base.diagnostics.iter().find(|diagnostic| diagnostic.is_error());
        let first = first.map_or_else(String::new, |diagnostic| {
            let line =
                diagnostic.place.span().map_or(String::new(), |span| format!(":{}", span.line));
            format!("; the first: {}{line}: {}", diagnostic.place.file(), diagnostic.message)
        });
        anyhow::bail!(
            "the base {name} cannot be compared with: its data has {}{first}",
            paceboard::site::format::count(errors, "error", "errors"),
        );
    };
    Ok(model)
}

/// All doubts about a version. Links that are not followed are left out: they belong to a folder
/// on disk, and a revision has none.
fn warnings(input: &Input, standings: &Standings) -> Vec<Diagnostic> {
    let doubts = standings.studies.values().flat_map(|study| &study.audit.plausibility);
    let found = input.diagnostics.iter().filter(|warning| warning.code != Code::LinkNotFollowed);
    found.chain(doubts).cloned().collect()
}

/// What a data folder is called in messages.
fn shown(folder: &Path) -> String {
    folder.display().to_string()
}
