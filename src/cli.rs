//! The command line as a type. What is said here is what `--help` prints; nothing is done here.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// A static leaderboard in which every number can be traced to the line it came from.
///
/// Paceboard reads a folder of CSV, TOML and Markdown files and writes a folder of web pages.
/// Any file server can serve them, and they also open from disk.
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "\
Exit codes:
  0  done; warnings are allowed
  1  the data (for `verify`: the site) has errors
  2  the command could not run

Examples:
  paceboard build                      data/ becomes site/
  paceboard serve                      preview while you edit data/
  paceboard check --format github      annotations for a pull request
  paceboard explain justgoal-b200 fa4-backward

`paceboard help COMMAND` says more about one command."
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands, in the order of the help.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check the data, compute the standings and write the site.
    ///
    /// The site is written beside its place and swapped in when it is complete. If the data has
    /// an error, every error is printed and the old site stays as it was. An output folder that
    /// is not empty and was not made by Paceboard is refused.
    ///
    /// The same data gives the same bytes on every machine. No clock is read: dates in the future
    /// are found by `paceboard check`, or here if `SOURCE_DATE_EPOCH` is set.
    #[command(after_help = "\
Examples:
  paceboard build
  paceboard build --data ../results --out public")]
    Build(Build),
    /// Check the data and print every fault, with its place and what to do about it.
    ///
    /// Errors stop a build. Warnings do not: they mark values that are hard to believe. Dates are
    /// held against today, or against `SOURCE_DATE_EPOCH` if it is set.
    #[command(after_help = "\
Examples:
  paceboard check
  paceboard check --format github      annotations in a GitHub workflow
  paceboard check --format sarif > faults.sarif
  paceboard check --format json | jq .summary")]
    Check(Check),
    /// Serve the site on this machine and rebuild it whenever the data changes.
    ///
    /// Nothing is written to disk, and only this machine can connect. Open pages reload by
    /// themselves. While the data has an error, pages show it above the last good site.
    #[command(after_help = "\
Examples:
  paceboard serve
  paceboard serve --port 0             any free port; the address is printed")]
    Serve(Serve),
    /// Show how the numbers of an operator or of one shape come about, down to file and line.
    ///
    /// For each board: the standing, the speedup on every shape with the two latencies it divides
    /// and the line each stands on, and what was left out by which rule. With a shape: all of its
    /// records as well, with batch, precision and retest.
    #[command(after_help = "\
Examples:
  paceboard explain justgoal-b200 fa4-backward
  paceboard explain justgoal-b200 fa4-forward/mha-8-4096-causal
  paceboard explain justgoal-b200 dsa-forward | less")]
    Explain(Explain),
    /// Check that a site is complete and unchanged, file by file, against its manifest.
    #[command(after_help = "\
Examples:
  paceboard verify site")]
    Verify(Verify),
}

/// Where the data is.
#[derive(Debug, Args)]
pub struct Data {
    /// The data folder.
    #[arg(long = "data", value_name = "DIR", default_value = "data")]
    pub folder: PathBuf,
}

/// `paceboard build`.
#[derive(Debug, Args)]
pub struct Build {
    #[command(flatten)]
    pub data: Data,
    /// The folder to write.
    #[arg(long, value_name = "DIR", default_value = "site")]
    pub out: PathBuf,
}

/// `paceboard check`.
#[derive(Debug, Args)]
pub struct Check {
    #[command(flatten)]
    pub data: Data,
    /// How faults are printed.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// How faults are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people, with the line at fault.
    Text,
    /// For programs: a list of diagnostics and a summary.
    Json,
    /// Workflow commands, which GitHub shows beside the changed lines.
    Github,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
}

impl From<Format> for paceboard::diagnostic::Format {
    fn from(format: Format) -> Self {
        match format {
            Format::Text => Self::Text,
            Format::Json => Self::Json,
            Format::Github => Self::Github,
            Format::Sarif => Self::Sarif,
        }
    }
}

/// `paceboard serve`.
#[derive(Debug, Args)]
pub struct Serve {
    #[command(flatten)]
    pub data: Data,
    /// The port to listen on; 0 takes any free one.
    #[arg(long, default_value_t = 4080)]
    pub port: u16,
}

/// `paceboard explain`.
#[derive(Debug, Args)]
pub struct Explain {
    #[command(flatten)]
    pub data: Data,
    /// Id of the study: the name of its folder.
    #[arg(value_name = "STUDY")]
    pub study: String,
    /// Id of the operator, or of one of its shapes.
    #[arg(value_name = "OPERATOR[/SHAPE]")]
    pub subject: String,
}

/// `paceboard verify`.
#[derive(Debug, Args)]
pub struct Verify {
    /// The site: a folder that `paceboard build` wrote.
    #[arg(value_name = "SITE")]
    pub site: PathBuf,
}
