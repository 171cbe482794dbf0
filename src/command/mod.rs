//! The subcommands, one file each. This is the only place that prints, reads the clock or looks
//! at the environment; nothing here computes a figure or writes a page.

mod build;
mod check;
mod clock;
mod diff;
mod explain;
mod faults;
mod files;
mod import;
mod init;
mod new;
mod progress;
mod schema;
mod serve;
pub mod terminal;
mod verify;

use crate::cli::Command;

/// How a command ended, if it could run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// All is well.
    Clean,
    /// The data, or the site, has errors; they have been printed.
    Faults,
}

/// Runs a subcommand. An `Err` means that it could not run.
pub fn run(command: &Command) -> anyhow::Result<Outcome> {
    match command {
        Command::Build(args) => build::run(args),
        Command::Check(args) => check::run(args),
        Command::Schema(args) => schema::run(args),
        Command::Serve(args) => serve::run(args),
        Command::Diff(args) => diff::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Import(args) => import::run(args),
        Command::Init(args) => init::run(args),
        Command::New(args) => new::run(args),
    }
}
