//! `paceboard verify`: a site against its manifest.

use anyhow::Context as _;
use paceboard::site::{format, write};

use super::{Outcome, terminal};
use crate::cli;

pub fn run(args: &cli::Verify) -> anyhow::Result<Outcome> {
    let faults = write::verify(&args.site)
        .with_context(|| format!("cannot verify {}", args.site.display()))?;
    Ok(Outcome::Clean)
}
