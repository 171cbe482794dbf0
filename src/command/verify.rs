//! `paceboard verify`: a site against its manifest.

use std::fmt::Write as _;

use anyhow::Context as _;
use paceboard::site::{format, write};

use super::{Outcome, terminal};
use crate::cli;

pub fn run(args: &cli::Verify) -> anyhow::Result<Outcome> {
    let site = args.site.display();
    let faults = write::verify(&args.site).with_context(|| format!("cannot verify {site}"))?;
    if faults.is_empty() {
        terminal::result(&format!("{site}: every file is as its manifest says\n"))?;
        return Ok(Outcome::Clean);
    }
    let mut out = String::new();
    for fault in &faults {
        writeln!(out, "{fault}")?;
    }
    terminal::result(&out)?;
    let faults = format::count(faults.len(), "fault", "faults");
    terminal::message(&format!("{site}: {faults}. It is not the site that was built."));
    Ok(Outcome::Faults)
}
