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

    let summary = Summary::of(&diagnostics);
    let colour = terminal::in_colour(&io::stdout());
    terminal::result(&faults::in_format(
        args.format,
        &args.data.folder,
        &input,
        &diagnostics,
        colour,
    ))?;
    if args.format == cli::Format::Text {
        terminal::message(&format!("{}.", faults::summary(summary)));
    }
    Ok(if summary.errors > 0 { Outcome::Faults } else { Outcome::Clean })
}
