//! Where each page stands. Every path is relative to the root of the site and names a file, so
//! that links also work in a site that is opened from disk.

use crate::model::{BatchId, BoardId, ImplementationId, OperatorId, RunId, ShapeKey, StudyId};

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

/// A figure that is also a download: `<study>/figures/<name>.svg`.
pub fn figure(study: &StudyId, name: &str) -> String {
    format!("{study}/data/figures/{name}.svg")
}
