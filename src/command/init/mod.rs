//! `paceboard init`: a small working data folder, with every kind of file, to be edited.

use anyhow::ensure;

use super::{Outcome, files, terminal};
use crate::cli;

macro_rules! example {
    ($($path:literal)+) => {
        &[$(($path, include_str!(concat!("example/", $path)))),+]
    };
}

/// The files of the folder, by path.
const EXAMPLE: &[(&str, &str)] = example! {
    "site.toml"
    "gpus.csv"
    "pages/about.md"
    "pages/contributing.md"
    "pages/methodology.md"
    "news/2026-01-02-first-figures.md"
    "studies/example/study.toml"
    "studies/example/operators.csv"
    "studies/example/shapes.csv"
    "studies/example/implementations.csv"
    "studies/example/batches.csv"
    "studies/example/latencies/first.csv"
    "studies/example/samples/softmax.csv"
    "studies/example/ratios/published.csv"
    "studies/example/retests/first.csv"
    "studies/example/withdrawals.csv"
    "studies/example/claims.csv"
    "studies/example/trajectories/rms-norm.csv"
    "studies/example/tables/effort.csv"
    "studies/example/notes/how-measured.md"
    "studies/example/notes/range-of-two.md"
    "studies/example-models/study.toml"
    "studies/example-models/families.csv"
    "studies/example-models/items.csv"
    "studies/example-models/runs.csv"
    "studies/example-models/outcomes/all.csv"
    "studies/example-models/distances/model-a.csv"
};

pub fn run(args: &cli::Init) -> anyhow::Result<Outcome> {
    let folder = &args.folder;
    if folder.symlink_metadata().is_ok() {
        ensure!(folder.is_dir(), "{} is not a folder", folder.display());
        let empty = fs_err::read_dir(folder)?.next().is_none();
        ensure!(empty, "{} is not empty; nothing was written", folder.display());
    }
    files::create(folder, EXAMPLE.iter().copied())?;
    let data = folder.display();
    terminal::result(&format!(
        "Wrote {} files to {data}. Every figure in them is invented; {data}/pages/about.md says \
         what each file is for.\nNext: `paceboard serve --data {data}`.\n",
        EXAMPLE.len()
    ))?;
    Ok(Outcome::Clean)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use paceboard::{input, input::schema, standings};

    use super::*;

    #[test]
    fn the_example_has_no_fault_and_no_doubt() {
        let files = EXAMPLE
            .iter()
            .map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()))
            .collect();
        let input = input::load_files(files, None);
        let model = input.model.unwrap_or_else(|| panic!("{:#?}", input.diagnostics));
        assert!(input.diagnostics.is_empty(), "{:#?}", input.diagnostics);
        let standings = standings::compute(&model);
        for (study, standings) in &standings.studies {
            assert!(standings.audit.plausibility.is_empty(), "{study}: {:#?}", standings.audit);
        }
    }

    #[test]
    fn the_example_has_every_kind_of_file_and_every_column() {
        let mut kinds = BTreeSet::new();
        for (path, text) in EXAMPLE {
            let (file, _) = schema::classify(path).unwrap();
            kinds.insert(file.kind);
            let header: Vec<&str> = text.lines().next().unwrap().split(',').collect();
            for column in file.columns() {
                assert!(header.contains(&column.name), "{path} has no {}", column.name);
            }
        }
        assert_eq!(kinds.len(), schema::FILES.len());
    }
}
