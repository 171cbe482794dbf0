//! The command line: parse, call, exit.

mod cli;
mod command;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    match command::run(&cli.command) {
        Ok(command::Outcome::Clean) => ExitCode::SUCCESS,
        Ok(command::Outcome::Faults) => ExitCode::from(1),
        Err(error) => {
            command::terminal::message(&format!("error: {error:#}"));
            ExitCode::from(2)
        }
    }
}
