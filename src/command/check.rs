//! `paceboard check`: every fault and every doubt, and nothing else.

use std::io;

use paceboard::{
    diagnostic::{self, Summary},
    input, standings,
};

use super::{Outcome, clock, faults, progress::Progress, terminal};
use crate::cli;

pub fn run(args: &cli::Check) -> anyhow::Result<Outcome> {
    let today = clock::today()?;
    let progress = Progress::start("Reading the data");
    let input = input::load(&args.data.folder, Some(today))?;
    let mut diagnostics = input.diagnostics.clone();
    if let Some(model) = &input.model {
        progress.stage("Computing");
        let standings = standings::compute(model);
        let doubts = standings.studies.into_values().flat_map(|study| study.audit.plausibility);
        diagnostics.extend(doubts);
        diagnostic::sort(&mut diagnostics);
    }
    drop(progress);

    let colour = terminal::in_colour(&io::stdout());
    let format = args.format.into();
    let folder = &args.data.folder;
    terminal::result(&faults::in_format(format, folder, &input, &diagnostics, colour))?;
    if diagnostics.is_empty() && args.format == cli::Format::Text {
        terminal::message("No faults.");
    }
    let errors = Summary::of(&diagnostics).errors;
    Ok(if errors > 0 { Outcome::Faults } else { Outcome::Clean })
}
