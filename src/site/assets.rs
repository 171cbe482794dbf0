//! The files that every page shares. One row per file.

use super::{File, Job, path};
use crate::model::Model;

/// Name below `assets/`, and bytes.
const ASSETS: [(&str, &[u8]); 3] = [
    ("favicon.svg", include_bytes!("../../static/favicon.svg")),
    ("site.css", include_bytes!("../../static/site.css")),
    ("site.js", include_bytes!("../../static/site.js")),
];

/// The shared files.
pub fn jobs(model: &Model) -> Vec<Job<'_>> {
    let accent = model.site.accent.as_deref();
    vec![Box::new(move || {
        let mut files = Vec::with_capacity(ASSETS.len());
        for (name, bytes) in ASSETS {
            let mut bytes = bytes.to_vec();
            if let ("site.css", Some(accent)) = (name, accent) {
                bytes.extend(format!("\n:root {{ --brand: {accent}; }}\n").into_bytes());
            }
            files.push(File { path: path::asset(name), bytes });
        }
        files
    })]
}
