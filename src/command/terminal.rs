//! The two streams of the program: results on stdout, messages on stderr.

use std::io::{self, IsTerminal, Write};

use anyhow::Context as _;

/// Writes a result to stdout. A reader that has seen enough (`| head`) is no error.
pub fn result(text: &str) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    unless_closed(written).context("cannot write to standard output")
}

/// Writes a message and a line break to stderr.
pub fn message(text: &str) {
    // There is nowhere left to report a failure to report.
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Whether a stream is shown in colour: only on a terminal, and never with `NO_COLOR`.
pub fn in_colour(stream: &impl IsTerminal) -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    stream.is_terminal() && !set("NO_COLOR") && !dumb
}

fn unless_closed(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_pipe_is_no_error_and_a_full_disk_is() {
        assert!(unless_closed(Err(io::ErrorKind::BrokenPipe.into())).is_ok());
        assert!(unless_closed(Err(io::ErrorKind::StorageFull.into())).is_err());
    }
}
