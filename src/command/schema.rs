//! `paceboard schema`: the data format, from the one table that the checks use.

use std::path::Path;

use paceboard::input::{
    self,
    schema::{
        datapackage::{self, TableFile},
        json_schema, markdown,
    },
};

use super::{Outcome, terminal};
use crate::cli;

pub fn run(args: &cli::Schema) -> anyhow::Result<Outcome> {
    let text = match args.format {
        cli::SchemaFormat::Markdown => markdown::reference(),
        cli::SchemaFormat::Json => json_schema::document(),
        cli::SchemaFormat::Datapackage => of_folder(&args.data.folder)?,
    };
    terminal::result(&text)?;
    Ok(Outcome::Clean)
}

/// Data Packages describe files, so there must be some. They may have faults.
fn of_folder(folder: &Path) -> anyhow::Result<String> {
    let input = input::load(folder, None)?;
    let title = input.model.as_ref().map_or("Data", |model| &model.site.title);
    let files: Vec<TableFile<'_>> = input
        .sources
        .iter()
        .map(|source| TableFile { path: &source.path, at: &source.path, text: &source.text })
        .collect();
    Ok(datapackage::descriptor("data", title, &files))
}
