//! How the commands print faults in the data.

use std::{fmt::Write as _, io, path::Path};

use paceboard::{
    diagnostic::{Diagnostic, Summary},
    input::Input,
    site::format,
};

use super::terminal;

/// All faults of an input for a person, on stderr.
pub fn print_as_message(folder: &Path, input: &Input) {
    let colour = terminal::in_colour(&io::stderr());
    let text = for_people(folder, input, &input.diagnostics, colour);
    terminal::message(&format!("{text}{}", summary(Summary::of(&input.diagnostics))));
}

/// Faults for a person.
pub fn for_people(
    folder: &Path,
    _input: &Input,
    diagnostics: &[Diagnostic],
    _colour: bool,
) -> String {
    let mut out = String::new();
    for d in diagnostics {
        let at = d.place.span().map_or(String::new(), |s| format!(":{}:{}", s.line, s.column));
        let file = folder.join(d.place.file());
        let (severity, code) = (d.code.severity().as_str(), d.code.as_str());
        let _ = writeln!(
            out,
            "{severity}[{code}]: {}\n  --> {}{at}\n  help: {}\n",
            d.message,
            file.display(),
            d.help
        );
    }
    out
}

/// `2 errors, 1 warning`, or `No faults`.
pub fn summary(summary: Summary) -> String {
    let errors = (summary.errors > 0).then(|| format::count(summary.errors, "error", "errors"));
    let warnings =
        (summary.warnings > 0).then(|| format::count(summary.warnings, "warning", "warnings"));
    let parts: Vec<String> = errors.into_iter().chain(warnings).collect();
    if parts.is_empty() { "No faults".to_owned() } else { parts.join(", ") }
}

/// Faults in the format that was asked for.
pub fn in_format(
    format: crate::cli::Format,
    folder: &Path,
    input: &Input,
    diagnostics: &[Diagnostic],
    colour: bool,
) -> String {
    match format {
        crate::cli::Format::Text => for_people(folder, input, diagnostics, colour),
        _ => String::new(),
    }
}

/// All faults of an input without colours.
pub fn plain_text(folder: &Path, input: &Input) -> String {
    for_people(folder, input, &input.diagnostics, false)
}
