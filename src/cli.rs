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
    /// Show what a change of the data does: records, numbers, ranks, verdicts, warnings.
    ///
    /// The data folder is compared with another version of it: a second folder, or a revision of
    /// the git repository that it lies in, which is read without touching the working tree. A
    /// number has moved if its value or its bounds differ at all, or a record is printed with
    /// other digits; there is no threshold. Rows that moved within or between files have not
    /// changed.
    #[command(after_help = "\
Examples:
  paceboard diff --base-rev HEAD                    what is not yet committed
  paceboard diff --base-rev origin/main --format text
  paceboard diff --base ../published/data --format json")]
    Diff(Diff),
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
    /// Print the data format: every file, column, setting and fault.
    ///
    /// All three forms come from the table that the checks use, so they cannot disagree. JSON
    /// Schema describes a data folder as one JSON object of files; a Data Package describes the
    /// tables that a data folder has, so that other tools can read and check them.
    #[command(after_help = "\
Examples:
  paceboard schema | less
  paceboard schema --format json > schema.json
  paceboard schema --format datapackage > datapackage.json")]
    Schema(Schema),
    /// Check that a site is complete and unchanged, file by file, against its manifest.
    #[command(after_help = "\
Examples:
  paceboard verify site")]
    Verify(Verify),
    /// Turn the files of another benchmark into a study.
    ///
    /// Prints what was taken, and what was left out and why. Nothing is overwritten: if one of the
    /// files to be written exists, none is. Digits stay as they are, failing evaluations become
    /// retest records, and two foreign names never share an id.
    #[command(after_help = "\
Examples:
  paceboard import flashinfer-trace definitions/ traces/ --study my-traces
  paceboard import fastkernels leaderboard.json --study fastkernels
  paceboard import ako4x baseline.json variants/ --study my-variants")]
    Import(Import),
    /// Make a small working data folder with every kind of file, to be edited.
    #[command(after_help = "\
Examples:
  paceboard init data && paceboard serve")]
    Init(Init),
    /// Prepare a file or a row for something that was measured.
    #[command(after_help = "\
Examples:
  paceboard new implementation --study S --id my-kernel --name 'My kernel' --role agent
  paceboard new batch --study S --id my-run --name 'My run' --gpu b200 --timer cupti
  paceboard new latencies --study S --operator O --implementation my-kernel --batch my-run")]
    New(New),
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

/// `paceboard diff`.
#[derive(Debug, Args)]
pub struct Diff {
    #[command(flatten)]
    pub data: Data,
    #[command(flatten)]
    pub base: Base,
    /// How the change is printed.
    #[arg(long, value_enum, default_value_t = ChangeFormat::Markdown)]
    pub format: ChangeFormat,
}

/// What the data is compared with.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct Base {
    /// Another data folder.
    #[arg(id = "base", long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// The data folder as it was at a revision: a branch, a tag, a commit.
    #[arg(long = "base-rev", value_name = "REV")]
    pub revision: Option<String>,
}

/// How a change is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ChangeFormat {
    /// For a pull request: at most 65,000 characters, the summary first.
    Markdown,
    /// For a terminal.
    Text,
    /// For programs, with full precision.
    Json,
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

/// `paceboard schema`.
#[derive(Debug, Args)]
pub struct Schema {
    #[command(flatten)]
    pub data: Data,
    /// How the format is printed.
    #[arg(long, value_enum, default_value_t = SchemaFormat::Markdown)]
    pub format: SchemaFormat,
}

/// How the data format is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SchemaFormat {
    /// A reference for people.
    Markdown,
    /// JSON Schema, draft 2020-12.
    Json,
    /// A Frictionless Data Package, version 2, of the tables in the data folder.
    Datapackage,
}

/// `paceboard verify`.
#[derive(Debug, Args)]
pub struct Verify {
    /// The site: a folder that `paceboard build` wrote.
    #[arg(value_name = "SITE")]
    pub site: PathBuf,
}

/// `paceboard import`.
#[derive(Debug, Args)]
pub struct Import {
    /// The format of the files.
    #[arg(value_enum)]
    pub format: ForeignFormat,
    /// The files, or folders of them.
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Id of the study to write: the name of its folder.
    #[arg(long, value_name = "ID")]
    pub study: String,
    #[command(flatten)]
    pub data: Data,
}

/// Formats of other benchmarks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ForeignFormat {
    /// Definitions, solutions (JSON) and traces (JSON lines) of FlashInfer-Bench.
    FlashinferTrace,
    /// `leaderboard.json` of FastKernels, schema version 1.
    Fastkernels,
    /// `baseline.json`, `result.json` and `variance.json` of AKO4X.
    Ako4x,
}

/// `paceboard init`.
#[derive(Debug, Args)]
pub struct Init {
    /// The folder to make; it must be empty or not be there.
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}

/// `paceboard new`.
#[derive(Debug, Args)]
pub struct New {
    /// What to prepare.
    #[command(subcommand)]
    pub what: NewThing,
}

/// What `paceboard new` prepares.
#[derive(Debug, Subcommand)]
pub enum NewThing {
    /// Write a file with a row per shape of an operator and empty latencies.
    Latencies(NewLatencies),
    /// Add a row to `implementations.csv`.
    Implementation(NewImplementation),
    /// Add a row to `batches.csv`.
    Batch(Box<NewBatch>),
}

/// Which study.
#[derive(Debug, Args)]
pub struct StudyArgs {
    /// Id of the study: the name of its folder.
    #[arg(long, value_name = "ID")]
    pub study: String,
    #[command(flatten)]
    pub data: Data,
}

/// `paceboard new latencies`.
#[derive(Debug, Args)]
pub struct NewLatencies {
    #[command(flatten)]
    pub study: StudyArgs,
    /// What was computed.
    #[arg(long, value_name = "ID")]
    pub operator: String,
    /// What was timed.
    #[arg(long, value_name = "ID")]
    pub implementation: String,
    /// The measuring campaign.
    #[arg(long, value_name = "ID")]
    pub batch: String,
}

/// `paceboard new implementation`.
#[derive(Debug, Args)]
pub struct NewImplementation {
    #[command(flatten)]
    pub study: StudyArgs,
    /// The id that other files will name; it never changes.
    #[arg(long)]
    pub id: String,
    /// Name as printed.
    #[arg(long)]
    pub name: String,
    /// What kind of thing it is: goal-only, library, contest, agent or reference.
    #[arg(long)]
    pub role: String,
    /// The agent, harness or library it comes from.
    #[arg(long)]
    pub system: Option<String>,
    /// The model that wrote it.
    #[arg(long)]
    pub model: Option<String>,
    /// What one session had to cover.
    #[arg(long)]
    pub scope: Option<String>,
    /// Commit of its source.
    #[arg(long)]
    pub commit: Option<String>,
    /// Where its source is.
    #[arg(long)]
    pub url: Option<String>,
}

/// `paceboard new batch`.
#[derive(Debug, Args)]
pub struct NewBatch {
    #[command(flatten)]
    pub study: StudyArgs,
    /// The id that other files will name; it never changes.
    #[arg(long)]
    pub id: String,
    /// Name as printed.
    #[arg(long)]
    pub name: String,
    /// Comparability label: latencies are divided only inside one class. Its own id if not given.
    #[arg(long)]
    pub class: Option<String>,
    /// Kind of GPU, an id of gpus.csv.
    #[arg(long)]
    pub gpu: Option<String>,
    /// How many of them one call used.
    #[arg(long)]
    pub gpu_count: Option<String>,
    /// Driver version.
    #[arg(long)]
    pub driver: Option<String>,
    /// CUDA version.
    #[arg(long)]
    pub cuda: Option<String>,
    /// Other software and versions.
    #[arg(long)]
    pub software: Option<String>,
    /// Which clock was used, and from where to where.
    #[arg(long)]
    pub timer: Option<String>,
    /// State of the caches before a call.
    #[arg(long)]
    pub cache: Option<String>,
    /// How one latency was formed from many calls.
    #[arg(long)]
    pub statistic: Option<String>,
    /// The measuring program.
    #[arg(long)]
    pub tool: Option<String>,
    /// Its commit.
    #[arg(long)]
    pub tool_commit: Option<String>,
    /// The command that repeats the measurement.
    #[arg(long)]
    pub command: Option<String>,
    /// When it was measured, as 2026-01-31.
    #[arg(long)]
    pub measured_on: Option<String>,
    /// Who verified it independently.
    #[arg(long)]
    pub verified: Option<String>,
}
