//! `paceboard build`: data folder to site folder.

use anyhow::Context as _;
use paceboard::{diagnostic::Summary, input, site, standings};

use super::{Outcome, clock, faults, progress::Progress, terminal};
use crate::cli;

pub fn run(args: &cli::Build) -> anyhow::Result<Outcome> {
    let folder = &args.data.folder;
    // No clock: two builds of the same data are the same, today and in a year.
    let today = clock::given_day()?;
    let progress = Progress::start("Reading the data");
    let input = input::load(folder, today)?;
    let Some(model) = &input.model else {
        drop(progress);
        faults::print_as_message(folder, &input);
        terminal::message(&format!("Nothing was written to {}.", args.out.display()));
        return Ok(Outcome::Faults);
    };
    progress.stage("Computing");
    let standings = standings::compute(model);
    progress.stage("Rendering");
    let files = site::render(model, &standings).inspect(|_| progress.file());
    let written = site::write::site(files, model, &args.out)
        .with_context(|| format!("{} stays as it was", args.out.display()))?;
    drop(progress);
    Ok(Outcome::Clean)
}
