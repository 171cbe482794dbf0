//! Where each page stands. Every path is relative to the root of the site and names a file, so
//! that links also work in a site that is opened from disk.

use crate::model::{
    BatchId, BoardId, ContenderId, ImplementationId, NoteId, OperatorId, RunId, ShapeKey, StudyId,
};

/// `index.html`.
pub const INDEX: &str = "index.html";

/// What leads from a page back to the root: `../` for each folder it stands in.
pub fn root_of(path: &str) -> String {
    "../".repeat(path.matches('/').count())
}

/// A page that belongs to no study: `methodology/index.html`.
pub fn top(name: &str) -> String {
    format!("{name}/index.html")
}

/// A study.
pub fn study(study: &StudyId) -> String {
    format!("{study}/index.html")
}

/// A part of a study: `audit`, `data`, `operators`, `implementations`, `batches`.
pub fn study_part(study: &StudyId, part: &str) -> String {
    format!("{study}/{part}/index.html")
}

/// A board.
pub fn board(study: &StudyId, board: &BoardId) -> String {
    format!("{study}/{board}/index.html")
}

/// An operator.
pub fn operator(study: &StudyId, operator: &OperatorId) -> String {
    format!("{study}/operators/{operator}/index.html")
}

/// A shape.
pub fn shape(study: &StudyId, shape: &ShapeKey) -> String {
    format!("{study}/operators/{}/{}/index.html", shape.operator, shape.shape)
}

/// An implementation.
pub fn implementation(study: &StudyId, implementation: &ImplementationId) -> String {
    format!("{study}/implementations/{implementation}/index.html")
}

/// A batch.
pub fn batch(study: &StudyId, batch: &BatchId) -> String {
    format!("{study}/batches/{batch}/index.html")
}

/// A `MacroEval` run.
pub fn run(study: &StudyId, run: &RunId) -> String {
    format!("{study}/runs/{run}/index.html")
}

/// A board's JSON.
pub fn api_board(study: &StudyId, board: &BoardId) -> String {
    format!("api/v1/{study}/boards/{board}.json")
}

/// The JSON of one operator of a board.
pub fn api_board_operator(study: &StudyId, board: &BoardId, operator: &OperatorId) -> String {
    format!("api/v1/{study}/boards/{board}/{operator}.json")
}

/// A figure as a file of its own: `<study>/data/figures/<name>.svg`.
pub fn figure(study: &StudyId, name: &str) -> String {
    format!("{study}/data/figures/{name}.svg")
}

/// The data behind a figure, beside it.
pub fn figure_data(study: &StudyId, name: &str) -> String {
    format!("{study}/data/figures/{name}.csv")
}

/// The picture that a link to the site is shown with.
pub fn site_picture() -> &'static str {
    "data/picture.png"
}

/// The picture that a link to a study is shown with.
pub fn study_picture(study: &StudyId) -> String {
    format!("{study}/data/picture.png")
}

/// The picture that a link to a board is shown with.
pub fn board_picture(study: &StudyId, board: &BoardId) -> String {
    format!("{study}/data/pictures/{board}.png")
}

/// The shields.io badge of a board.
pub fn api_badge(study: &StudyId, board: &BoardId) -> String {
    format!("api/v1/{study}/badges/{board}.json")
}

/// The shields.io badge of one operator of a board.
pub fn api_badge_operator(study: &StudyId, board: &BoardId, operator: &OperatorId) -> String {
    format!("api/v1/{study}/badges/{board}/{operator}.json")
}

/// What the page's script computes boards from: `<study>/data/records.js`.
pub fn records(study: &StudyId) -> String {
    format!("{study}/data/records.js")
}

/// A file of the folder `assets`.
pub fn asset(name: &str) -> String {
    format!("assets/{name}")
}

/// All latencies of a study in one tidy file.
pub fn api_latencies(study: &StudyId) -> String {
    format!("api/v1/{study}/latencies.csv")
}

/// A JSON file of a study: `claims`, `audit`.
pub fn api_study_part(study: &StudyId, part: &str) -> String {
    format!("api/v1/{study}/{part}.json")
}

/// Where a note stands on each page that shows it.
pub fn note_anchor(note: &NoteId) -> String {
    format!("note-{note}")
}

/// Where a board stands on an operator's or shape's page. Ids have no `/`, so that this never
/// meets [`speedup_anchor`] or [`record_anchor`].
pub fn board_anchor(board: &BoardId) -> String {
    format!("board/{board}")
}

/// Where the speedup of a contender on a board is derived on a shape's page.
pub fn speedup_anchor(board: &BoardId, contender: &ContenderId) -> String {
    format!("board/{board}/{contender}")
}

/// Where a latency record stands on its shape's page.
pub fn record_anchor(implementation: &ImplementationId, batch: &BatchId) -> String {
    format!("record/{implementation}/{batch}")
}

/// Where a ratio record stands on its shape's page.
pub fn ratio_anchor(
    implementation: &ImplementationId,
    reference: &ImplementationId,
    batch: &BatchId,
) -> String {
    format!("ratio/{implementation}/{reference}/{batch}")
}

/// The address of a page below the address of the site: folders without `index.html`.
pub fn absolute(base_url: &str, path: &str) -> String {
    let folder = path.strip_suffix(INDEX).unwrap_or(path);
    format!("{base_url}/{folder}")
}

/// A study's `datapackage.json`.
pub fn data_package(study: &StudyId) -> String {
    format!("{study}/data/datapackage.json")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_is_one_step_up_per_folder() {
        for (path, expected) in [
            ("index.html", ""),
            ("methodology/index.html", "../"),
            ("a/operators/b/c/index.html", "../../../../"),
        ] {
            assert_eq!(root_of(path), expected, "{path}");
        }
    }

    #[test]
    fn absolute_addresses_are_of_folders() {
        for (path, expected) in [
            ("index.html", "https://x.org/p/"),
            ("a/b/index.html", "https://x.org/p/a/b/"),
            ("404.html", "https://x.org/p/404.html"),
        ] {
            assert_eq!(absolute("https://x.org/p", path), expected, "{path}");
        }
    }
}
