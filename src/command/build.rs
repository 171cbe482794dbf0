//! `paceboard build`: data folder to site folder.

use anyhow::Context as _;
use paceboard::{diagnostic::Summary, input, site, standings};

use super::{Outcome, clock, faults, progress::Progress, terminal};
use crate::cli;

pub fn run(args: &cli::Build) -> anyhow::Result<Outcome> {
    let (folder, out) = (&args.data.folder, &args.out);
    site::write::check_apart(folder, out)?;
    // No clock: two builds of the same data are the same, today and in a year.
    let day = clock::given_day()?;
    let progress = Progress::start("Reading the data");
    let input = input::load(folder, day)?;
    let Some(model) = &input.model else {
        drop(progress);
        faults::print_as_message(folder, &input);
        terminal::message(&format!("Nothing was written to {}.", out.display()));
        return Ok(Outcome::Faults);
    };
    progress.stage("Computing");
    let standings = standings::compute(model);
    progress.stage("Rendering");
    let files = site::render(model, &standings).inspect(|_| progress.file());
    let written = site::write::site(files, model, out)
        .with_context(|| format!("nothing was written to {}", out.display()))?;
    drop(progress);

    let doubts = standings.studies.values().map(|study| study.audit.plausibility.len());
    let warnings = Summary::of(&input.diagnostics).warnings + doubts.sum::<usize>();
    if warnings > 0 {
        let warnings = site::format::count(warnings, "warning", "warnings");
        terminal::message(&format!("{warnings}: see `paceboard check`."));
    }
    let files = site::format::count(written.files, "file", "files");
    let (out, version) = (out.display(), &written.data_version);
    terminal::result(&format!("{out}: {files}, data version {version}\n"))?;
    Ok(Outcome::Clean)
}
