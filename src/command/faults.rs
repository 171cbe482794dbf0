//! How the commands print faults in the data.

use std::{io, path::Path};

use paceboard::{
    diagnostic::{self, Context, Diagnostic, Format},
    input::Input,
};

use super::terminal;

/// All faults of an input for a person, on stderr.
pub fn print_as_message(folder: &Path, input: &Input) {
    let colour = terminal::in_colour(&io::stderr());
    let text = in_format(Format::Text, folder, input, &input.diagnostics, colour);
    terminal::message(text.trim_end());
}

/// All faults of an input for a person, without colours.
pub fn plain_text(folder: &Path, input: &Input) -> String {
    in_format(Format::Text, folder, input, &input.diagnostics, false)
}

/// Faults in the format that was asked for.
pub fn in_format(
    format: Format,
    folder: &Path,
    input: &Input,
    diagnostics: &[Diagnostic],
    colour: bool,
) -> String {
    let folder = folder.display().to_string();
    let text_of = |path: &str| input.sources.text(path);
    diagnostic::render(diagnostics, format, &Context { folder: &folder, colour, text_of: &text_of })
}
