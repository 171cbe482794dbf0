//! Writes a site to disk, whole or not at all, and checks one that was written.
//!
//! The files go into a fresh folder beside the target, which is swapped in when everything is
//! there. Whatever goes wrong before that (a full disk, a panic while rendering, a kill) leaves
//! the old site byte for byte as it was. Never deleted: any folder that Paceboard did not make.

mod staging;
mod verify;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use anyhow::{bail, ensure};
use fs_err as fs;
use rayon::prelude::*;

use self::staging::Staging;
use super::{
    File,
    manifest::{self, Digests, Manifest},
};
use crate::model::Model;

pub use verify::{Fault, verify};

/// How many files are held before they are written, in parallel.
const BATCH: usize = 256;

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Number of files, the manifest included.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
    /// The version of the data they were made from.
    pub data_version: String,
}

/// Fails if one of the two folders lies in the other: the site would become data, or the data
/// would be replaced with the site.
pub fn check_apart(data: &Path, out: &Path) -> anyhow::Result<()> {
    let (real_data, real_out) = (resolved(data)?, resolved(out)?);
    let (data, out) = (data.display(), out.display());
    ensure!(real_data != real_out, "{out} is the data folder; choose another folder for the site");
    ensure!(
        !real_out.starts_with(&real_data),
        "{out} lies in the data folder {data}; choose a folder outside it"
    );
    ensure!(
        !real_data.starts_with(&real_out),
        "the data folder {data} lies in {out}, which the site would replace; choose another folder"
    );
    Ok(())
}

/// A path without links in the part of it that exists.
fn resolved(path: &Path) -> anyhow::Result<PathBuf> {
    let absolute = std::path::absolute(path)?;
    for ancestor in absolute.ancestors() {
        if let Ok(real) = ancestor.canonicalize() {
            return Ok(real.join(absolute.strip_prefix(ancestor)?));
        }
    }
    Ok(absolute)
}

/// Writes a site and its manifest to a folder, which it creates or, if Paceboard made it,
/// replaces. If two runs write to one folder, the later one stays.
///
/// Fails, with the old site as it was, if the folder holds anything else or is a file, if a file
/// cannot be written, or if two files have one path, also one that differs in case only.
pub fn site(
    files: impl Iterator<Item = File>,
    model: &Model,
    out: &Path,
) -> anyhow::Result<Written> {
    let staging = Staging::beside(out)?;
    let mut files = files;
    let mut paths = Paths::default();
    let mut digests = Digests::new();
    let mut bytes = 0;
    loop {
        let batch: Vec<File> = files.by_ref().take(BATCH).collect();
        if batch.is_empty() {
            break;
        }
        for file in &batch {
            for folder in paths.add(&file.path)? {
                fs::create_dir(staging.new_site().join(folder))?;
            }
            bytes += file.bytes.len() as u64;
        }
        let written: Vec<(String, String)> = batch
            .into_par_iter()
            .map(|file| {
                fs::write(staging.new_site().join(&file.path), &file.bytes)?;
                let digest = manifest::digest(&file.bytes);
                Ok((file.path, digest))
            })
            .collect::<anyhow::Result<_>>()?;
        digests.extend(written);
    }
    paths.add(manifest::PATH)?;
    let manifest = Manifest::new(model, digests);
    let text = manifest.to_text();
    fs::write(staging.new_site().join(manifest::PATH), &text)?;
    staging.swap()?;
    Ok(Written {
        files: manifest.files.len() + 1,
        bytes: bytes + text.len() as u64,
        data_version: manifest.data_version,
    })
}

/// The same site and manifest in memory, by path. Fails where [`site`] would for the paths.
pub fn in_memory(
    files: impl Iterator<Item = File>,
    model: &Model,
) -> anyhow::Result<BTreeMap<String, Vec<u8>>> {
    let mut paths = Paths::default();
    let mut site = BTreeMap::new();
    let mut digests = Digests::new();
    for file in files {
        paths.add(&file.path)?;
        digests.insert(file.path.clone(), manifest::digest(&file.bytes));
        site.insert(file.path, file.bytes);
    }
    paths.add(manifest::PATH)?;
    let manifest = Manifest::new(model, digests);
    site.insert(manifest::PATH.to_owned(), manifest.to_text().into_bytes());
    Ok(site)
}

/// The paths of a site so far, with the folders they stand in: each once, on any file system.
#[derive(Default)]
struct Paths {
    /// By its text in lower case: as it was first written, and whether it is a folder.
    seen: BTreeMap<String, (String, bool)>,
}

impl Paths {
    /// Adds a file. Gives the folders that it is the first to stand in, outermost first.
    fn add(&mut self, path: &str) -> anyhow::Result<Vec<String>> {
        let is_name = |name: &str| !matches!(name, "" | "." | "..") && !name.contains(['\\', '\0']);
        ensure!(path.split('/').all(is_name), "{path:?} is not a path below the site");
        let mut folders = Vec::new();
        for (end, _) in path.match_indices('/') {
            if self.claim(&path[..end], true)? {
                folders.push(path[..end].to_owned());
            }
        }
        if !self.claim(path, false)? {
            bail!("two files of the site are called {path}");
        }
        Ok(folders)
    }

    /// Whether a path is new. Fails if another one is in its way.
    fn claim(&mut self, path: &str, is_folder: bool) -> anyhow::Result<bool> {
        let key = path.to_lowercase();
        match self.seen.get(&key) {
            None => {
                self.seen.insert(key, (path.to_owned(), is_folder));
                Ok(true)
            }
            Some((other, _)) if other != path => {
                bail!("{other} and {path} would be one file on some file systems")
            }
            Some((_, was_folder)) if *was_folder != is_folder => {
                bail!("{path} would be both a file and a folder of the site")
            }
            Some(_) => Ok(false),
        }
    }
}

/// The text of an error with all its causes.
#[cfg(test)]
fn causes(error: &anyhow::Error) -> String {
    format!("{error:#}")
}

#[cfg(test)]
mod tests {
    use std::{panic, sync::Arc};

    use super::*;
    use crate::model::DataFile;

    fn model() -> Model {
        let file = |path: &str, text: &str| DataFile { path: path.into(), text: Arc::from(text) };
        Model {
            site: crate::model::Site::default(),
            pages: indexmap::IndexMap::new(),
            news: Vec::new(),
            gpus: indexmap::IndexMap::new(),
            studies: indexmap::IndexMap::new(),
            files: vec![file("site.toml", "title = \"x\"\n"), file("studies/a/study.toml", "")],
        }
    }

    /// A small site, whose index says `word`.
    fn files(word: &str) -> Vec<File> {
        vec![
            File::text("index.html", word),
            File::text("a/b/index.html", "deep"),
            File::text("a/c.html", ""),
            File::text("data/files/site.toml", "title = \"x\"\n"),
            File::text("a/data/files/study.toml", ""),
        ]
    }

    /// Everything below a folder, by path.
    fn snapshot(folder: &Path) -> BTreeMap<String, Vec<u8>> {
        walkdir::WalkDir::new(folder)
            .into_iter()
            .map(Result::unwrap)
            .filter(|entry| entry.file_type().is_file())
            .map(|entry| {
                let path = entry.path().strip_prefix(folder).unwrap();
                (path.to_str().unwrap().replace('\\', "/"), std::fs::read(entry.path()).unwrap())
            })
            .collect()
    }

    /// Names in a folder.
    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_site_is_written_replaced_and_the_same_each_time() {
        let parent = tempfile::tempdir().unwrap();
        let out = parent.path().join("deep/site");
        let written = site(files("one").into_iter(), &model(), &out).unwrap();
        let first = snapshot(&out);
        assert_eq!(written.files, 6);
        assert_eq!(written.bytes, first.values().map(|bytes| bytes.len() as u64).sum::<u64>());
        assert_eq!(written.data_version, manifest::data_version(&model()));
        assert_eq!(first, in_memory(files("one").into_iter(), &model()).unwrap());
        site(files("two").into_iter().take(1), &model(), &out).unwrap();
        assert_eq!(snapshot(&out).keys().collect::<Vec<_>>(), ["index.html", "manifest.json"]);
        site(files("one").into_iter(), &model(), &out).unwrap();
        assert_eq!(snapshot(&out), first);
        assert_eq!(names(out.parent().unwrap()), ["site"]);
    }

    #[test]
    fn the_manifest_lists_every_file_and_the_data() {
        let memory = in_memory(files("one").into_iter(), &model()).unwrap();
        let manifest = Manifest::parse(&memory["manifest.json"]).unwrap();
        assert_eq!(manifest.data.keys().collect::<Vec<_>>(), ["site.toml", "studies/a/study.toml"]);
        let expected: Vec<&String> =
            memory.keys().filter(|path| *path != "manifest.json").collect();
        assert_eq!(manifest.files.keys().collect::<Vec<_>>(), expected);
        assert_eq!(manifest.files["index.html"], manifest::digest(b"one"));
    }

    /// Fails to write these files over an old site, which must stay as it was.
    fn check_failure(bad: impl Iterator<Item = File>, expected: &str) {
        let parent = tempfile::tempdir().unwrap();
        let out = parent.path().join("site");
        site(files("old").into_iter(), &model(), &out).unwrap();
        let before = snapshot(parent.path());
        let error = site(bad, &model(), &out).unwrap_err();
        assert!(causes(&error).contains(expected), "{error:#}");
        assert_eq!(snapshot(parent.path()), before);
        assert_eq!(names(parent.path()), ["site"]);
    }

    #[test]
    fn a_failure_leaves_the_old_site_as_it_was() {
        let and = |path: &str| files("new").into_iter().chain([File::text(path, "more")]);
        check_failure(and("index.html"), "two files of the site are called index.html");
        check_failure(and("Index.html"), "would be one file on some file systems");
        check_failure(and("A/x.html"), "would be one file on some file systems");
        check_failure(and("a"), "both a file and a folder");
        check_failure(and("index.html/x"), "both a file and a folder");
        check_failure(and("manifest.json"), "two files of the site are called manifest.json");
        for path in ["../x", "/x", "", "a//b", "a/./b", "a\\b", "a/"] {
            check_failure(and(path), "is not a path below the site");
        }
        // No file system takes such a name: as when the disk is full, some file cannot be written.
        check_failure(and(&"x".repeat(5000)), "");
    }

    #[test]
    fn a_panic_while_rendering_leaves_the_old_site_as_it_was() {
        let parent = tempfile::tempdir().unwrap();
        let out = parent.path().join("site");
        site(files("old").into_iter(), &model(), &out).unwrap();
        let before = snapshot(parent.path());
        let many = (0..BATCH + 9).map(|n| {
            assert!(n < BATCH + 5, "a template gave up");
            File::text(format!("{n}.html"), "new")
        });
        let result = panic::catch_unwind(panic::AssertUnwindSafe(|| site(many, &model(), &out)));
        assert!(result.is_err());
        assert_eq!(snapshot(parent.path()), before);
        assert_eq!(names(parent.path()), ["site"]);
    }

    #[test]
    fn only_what_paceboard_made_is_replaced() {
        let parent = tempfile::tempdir().unwrap();
        let check = |name: &str, expected: Option<&str>| {
            let out = parent.path().join(name);
            let before = snapshot(parent.path());
            match (site(files("new").into_iter(), &model(), &out), expected) {
                (Ok(_), None) => {}
                (Err(error), Some(expected)) => {
                    assert!(causes(&error).contains(expected), "{name}: {error:#}");
                    assert_eq!(snapshot(parent.path()), before, "{name}");
                }
                (result, _) => panic!("{name}: {result:?}"),
            }
        };
        let folder = |name: &str| std::fs::create_dir(parent.path().join(name)).unwrap();
        let file = |name: &str, text: &str| std::fs::write(parent.path().join(name), text).unwrap();
        file("file", "precious");
        check("file", Some("is not a folder"));
        check("file/site", Some("file"));
        folder("empty");
        check("empty", None);
        folder("theses");
        file("theses/thesis.txt", "precious");
        check("theses", Some("is not empty and was not made by Paceboard"));
        folder("hugo");
        file("hugo/manifest.json", "{\"generator\": \"hugo\"}");
        check("hugo", Some("is not empty and was not made by Paceboard"));
        check("ours", None);
        folder("ours/.git");
        check("ours", Some("holds a git repository"));
    }

    #[test]
    fn data_and_site_stay_apart() {
        let parent = tempfile::tempdir().unwrap();
        let at = |name: &str| parent.path().join(name);
        std::fs::create_dir_all(at("data/studies")).unwrap();
        let check = |data: &str, out: &str, apart: bool| {
            assert_eq!(check_apart(&at(data), &at(out)).is_ok(), apart, "{data} {out}");
        };
        check("data", "site", true);
        check("data", "database", true);
        check("data", "data", false);
        check("data", "data/site", false);
        check("data", "data/../data/studies/new/site", false);
        check("data", ".", false);
        check("data/studies", "data", false);
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("data"), at("link")).unwrap();
            check("data", "link/site", false);
            check("link", "data", false);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_site_stays_a_link() {
        let parent = tempfile::tempdir().unwrap();
        let (real, link) = (parent.path().join("real"), parent.path().join("link"));
        std::fs::create_dir(&real).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        site(files("one").into_iter(), &model(), &link).unwrap();
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!(std::fs::read(real.join("index.html")).unwrap(), b"one");
    }

    #[test]
    fn builds_at_the_same_time_do_not_destroy_each_other() {
        let parent = tempfile::tempdir().unwrap();
        let out = parent.path().join("site");
        std::thread::scope(|scope| {
            for run in 0..8 {
                let out = &out;
                scope.spawn(move || {
                    for _ in 0..5 {
                        let files = files(&format!("run {run}")).into_iter();
                        site(files, &model(), out).unwrap();
                    }
                });
            }
        });
        assert_eq!(verify(&out).unwrap(), []);
        assert_eq!(names(parent.path()), ["site"]);
    }
}
