//! The data folder on disk: which files there are, and their bytes.

use std::{
    ffi::OsStr,
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::Context;
use rayon::prelude::*;
use walkdir::{DirEntry, WalkDir};

use crate::{
    diagnostic::{Code, Diagnostic, Place},
    input::source::shown,
};

/// The files of a folder with their bytes, in order of path, and what was wrong with the folder.
#[derive(Debug, Default)]
pub struct Folder {
    /// Paths relative to the folder, with `/` between their parts.
    pub files: Vec<(String, Vec<u8>)>,
    /// Links that are not followed, names that are no text.
    pub faults: Vec<Diagnostic>,
}

/// Where a data folder really is.
pub fn find(folder: &Path) -> anyhow::Result<PathBuf> {
    let root = fs_err::canonicalize(folder).with_context(|| {
        let folder = folder.display();
        format!(
            "there is no data folder {folder}: name another with --data, or make one with \
             `paceboard init {folder}`"
        )
    })?;
    anyhow::ensure!(root.is_dir(), "{} is not a folder", folder.display());
    Ok(root)
}

/// Reads a folder. Names that begin with a dot are passed over.
pub fn read(folder: &Path) -> anyhow::Result<Folder> {
    let root = find(folder)?;
    let mut paths = Vec::new();
    let mut faults = Vec::new();
    let walk = WalkDir::new(&root).min_depth(1).sort_by_file_name();
    for entry in walk.into_iter().filter_entry(|entry| !is_hidden(entry)) {
        let entry =
            entry.with_context(|| format!("cannot read the folder {}", folder.display()))?;
        let inside = entry.path().strip_prefix(&root).unwrap_or(entry.path());
        let Some(name) = inside.to_str().map(|name| name.replace(std::path::MAIN_SEPARATOR, "/"))
        else {
            let lossy = inside.to_string_lossy();
            faults.push(fault(
                Code::InvalidFileName,
                &lossy,
                format!("the name {} is not UTF-8", shown(&lossy)),
                "rename the file",
            ));
            continue;
        };
        if entry.path_is_symlink() {
            match link(&root, entry.path(), &name)? {
                None => paths.push(name),
                Some(found) => faults.push(found),
            }
        } else if entry.file_type().is_file() {
            paths.push(name);
        } else if !entry.file_type().is_dir() {
            faults.push(fault(
                Code::UnexpectedFile,
                &name,
                format!("{} is neither a file nor a folder", shown(&name)),
                "remove it",
            ));
        }
    }
    let files = paths
        .into_par_iter()
        .map(|name| {
            let bytes = fs_err::read(root.join(&name))?;
            Ok((name, bytes))
        })
        .collect::<io::Result<Vec<_>>>()?;
    Ok(Folder { files, faults })
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().starts_with(OsStr::new(".").as_encoded_bytes())
}

fn fault(code: Code, name: &str, message: String, help: &str) -> Diagnostic {
    Diagnostic::new(code, Place::File(Arc::from(name)), message, help)
}

/// Why a symbolic link is not followed; `None` if it leads to a file of the folder.
fn link(root: &Path, path: &Path, name: &str) -> anyhow::Result<Option<Diagnostic>> {
    let target = match path.canonicalize() {
        Ok(target) => target,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(Some(fault(
                Code::BrokenLink,
                name,
                format!("the symbolic link {} leads to nothing", shown(name)),
                "remove it, or put the file itself there",
            )));
        }
        Err(error) => {
            return Err(error)
                .with_context(|| format!("cannot follow the link {}", path.display()));
        }
    };
    let why = if !target.starts_with(root) {
        "leaves the data folder"
    } else if target.is_dir() {
        "leads to a folder"
    } else {
        return Ok(None);
    };
    Ok(Some(fault(
        Code::LinkNotFollowed,
        name,
        format!("the symbolic link {} {why} and is not followed", shown(name)),
        "put the file itself there, or remove the link",
    )))
}
