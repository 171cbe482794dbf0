//! `manifest.json`: what a site is made of, with a digest of everything.
//!
//! ```json
//! {"generator": "paceboard",
//!  "data_version": "<hex>",
//!  "data": {"<path below the data folder>": "<SHA-256>"},
//!  "files": {"<path below the site>": "<SHA-256>"}}
//! ```
//!
//! The *data version* covers the `data` part: it is the SHA-256 of the lines that `sha256sum`
//! prints for these files in the order of their paths, byte by byte. It cannot cover the pages,
//! since every page shows it; they are covered by `files`, one by one. The manifest itself is in
//! neither part.

use std::{collections::BTreeMap, fmt::Write as _};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::model::Model;

/// Where it stands in a site.
pub const PATH: &str = "manifest.json";

/// What made the site; a folder without it is never replaced.
pub const GENERATOR: &str = "paceboard";

/// Digests by path.
pub type Digests = BTreeMap<String, String>;

/// The manifest of a site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`GENERATOR`].
    pub generator: String,
    /// Digest of `data`.
    pub data_version: String,
    /// The files that the site was made from, by path below the data folder.
    pub data: Digests,
    /// The files of the site but the manifest, by path below the site.
    pub files: Digests,
}

impl Manifest {
    /// The manifest of a site with these files.
    pub fn new(model: &Model, files: Digests) -> Self {
        let data = data_digests(model);
        Self { generator: GENERATOR.to_owned(), data_version: version_of(&data), data, files }
    }

    /// The manifest in a text, if it is one that Paceboard wrote.
    pub fn parse(text: &[u8]) -> anyhow::Result<Self> {
        let manifest: Self = serde_json::from_slice(text)?;
        anyhow::ensure!(
            manifest.generator == GENERATOR,
            "it was made by {:?}, not by {GENERATOR}",
            manifest.generator
        );
        Ok(manifest)
    }

    /// As it is written, a file a line.
    #[expect(clippy::missing_panics_doc, reason = "texts serialise")]
    pub fn to_text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("texts serialise");
        text.push('\n');
        text
    }
}

/// The digest of some bytes, in hex.
pub fn digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Bytes in hex.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Digests of the files that a model was read from.
fn data_digests(model: &Model) -> Digests {
    let digests: Vec<(String, String)> = model
        .files
        .par_iter()
        .map(|file| (file.path.to_string(), digest(file.text.as_bytes())))
        .collect();
    digests.into_iter().collect()
}

/// The data version that belongs to the `data` part of a manifest.
pub(super) fn version_of(data: &Digests) -> String {
    let mut lines = String::new();
    for (path, digest) in data {
        let _ = writeln!(lines, "{digest}  {path}");
    }
    digest(lines.as_bytes())
}

/// The data version of a model, as pages, JSON and citations show it.
pub fn data_version(model: &Model) -> String {
    version_of(&data_digests(model))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_version_is_that_of_sha256sum() {
        // printf 'a\n' > a; printf 'b\n' > b; sha256sum a b | sha256sum
        let data = [("b", "b\n"), ("a", "a\n")];
        let data = data.map(|(path, text)| (path.to_owned(), digest(text.as_bytes())));
        assert_eq!(
            version_of(&Digests::from(data)),
            "a0ec3f531bc13ffd8fa37e6c75d95bfffb69287b1c13f3b9add256d1f4f77850"
        );
    }

    #[test]
    fn only_what_paceboard_wrote_is_a_manifest() {
        let text = |generator: &str| {
            format!(
                "{{\"generator\":\"{generator}\",\"data_version\":\"\",\"data\":{{}},\"files\":{{}}}}"
            )
        };
        assert!(Manifest::parse(text("paceboard").as_bytes()).is_ok());
        assert!(Manifest::parse(text("hugo").as_bytes()).is_err());
        assert!(Manifest::parse(b"{}").is_err());
        assert!(Manifest::parse(b"").is_err());
    }
}
