//! A site on disk against its manifest.

use std::{
    collections::BTreeSet,
    fmt, io,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use walkdir::WalkDir;

use crate::site::{
    api,
    manifest::{self, Manifest},
};

/// Something in a site that its manifest does not say.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// The stated version is not that of the stated data.
    DataVersion {
        /// In the manifest.
        stated: String,
        /// Computed from its `data` part.
        computed: String,
    },
    /// The copy of a data file that the site offers is not the file that the site was made from,
    /// or there is no copy.
    DataCopy {
        /// The data file, below the data folder.
        data: String,
        /// Where its copy is to stand in the site.
        copy: String,
    },
    /// A file of the manifest is not there.
    Missing(String),
    /// A file has other bytes than the manifest says.
    Changed(String),
    /// A file, or a link, of which the manifest says nothing.
    Extra(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DataVersion { stated, computed } => write!(
                f,
                "the data version is {stated}, but the data that the manifest lists has {computed}"
            ),
            Self::DataCopy { data, copy } => {
                write!(f, "{copy}: not the {data} that the site was made from")
            }
            Self::Missing(path) => write!(f, "{path}: missing"),
            Self::Changed(path) => write!(f, "{path}: changed"),
            Self::Extra(path) => write!(f, "{path}: not in the manifest"),
        }
    }
}

/// Checks every file of a site. The faults come in order of kind and path; none means that the
/// site is what was built, from the data it names.
///
/// An `Err` means that there is no site to check, or that it cannot be read.
pub fn verify(site: &Path) -> anyhow::Result<Vec<Fault>> {
    let path = site.join(manifest::PATH);
    let text = fs_err::read(&path)?;
    let manifest = Manifest::parse(&text)
        .with_context(|| format!("{} is not a manifest of Paceboard", path.display()))?;
    let mut faults = data_faults(&manifest);

    let mut found: BTreeSet<String> = BTreeSet::new();
    for entry in WalkDir::new(site).min_depth(1) {
        let entry = entry?;
        let path = relative(site, entry.path());
        if !entry.file_type().is_dir() && path != manifest::PATH {
            if entry.file_type().is_file() && manifest.files.contains_key(&path) {
                found.insert(path);
            } else {
                faults.push(Fault::Extra(path));
            }
        }
    }
    let files: Vec<(&String, &String)> = manifest.files.iter().collect();
    let of_files: Vec<Option<Fault>> = files
        .par_iter()
        .map(|(path, stated)| {
            if !found.contains(*path) {
                return Ok(Some(Fault::Missing((*path).clone())));
            }
            let digest = digest_of(&site.join(path))?;
            Ok((digest != **stated).then(|| Fault::Changed((*path).clone())))
        })
        .collect::<anyhow::Result<_>>()?;
    faults.extend(of_files.into_iter().flatten());
    faults.sort();
    Ok(faults)
}

/// What is wrong within the manifest itself.
fn data_faults(manifest: &Manifest) -> Vec<Fault> {
    let mut faults = Vec::new();
    let computed = manifest::version_of(&manifest.data);
    if computed != manifest.data_version {
        let stated = manifest.data_version.clone();
        faults.push(Fault::DataVersion { stated, computed });
    }
    for (data, digest) in &manifest.data {
        let copy = api::raw_copy(data);
        if manifest.files.get(&copy) != Some(digest) {
            faults.push(Fault::DataCopy { data: data.clone(), copy });
        }
    }
    faults
}

/// The digest of a file, which is never in memory as a whole.
fn digest_of(path: &PathBuf) -> anyhow::Result<String> {
    let mut file = fs_err::File::open(path)?;
    let mut hasher = Sha256::new();
    io::copy(&mut file, &mut hasher)?;
    Ok(manifest::hex(&hasher.finalize()))
}

/// A path below the site, with `/` between its parts.
fn relative(site: &Path, path: &Path) -> String {
    let parts = path.strip_prefix(site).unwrap_or(path).components();
    let parts: Vec<String> =
        parts.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::manifest::Digests;

    /// A site with these files, made from a data folder with one file.
    fn site() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let files = [("index.html", "a"), ("b/c.html", "b"), ("data/files/gpus.csv", "id\n")];
        let mut digests = Digests::new();
        for (path, text) in files {
            let at = folder.path().join(path);
            std::fs::create_dir_all(at.parent().unwrap()).unwrap();
            std::fs::write(at, text).unwrap();
            digests.insert(path.into(), manifest::digest(text.as_bytes()));
        }
        let data = Digests::from([("gpus.csv".into(), manifest::digest(b"id\n"))]);
        let manifest = Manifest {
            generator: manifest::GENERATOR.into(),
            data_version: manifest::version_of(&data),
            data,
            files: digests,
        };
        write(&folder, &manifest);
        folder
    }

    fn write(folder: &tempfile::TempDir, manifest: &Manifest) {
        std::fs::write(folder.path().join(manifest::PATH), manifest.to_text()).unwrap();
    }

    fn check(change: impl FnOnce(&Path, &mut Manifest), expected: &[&str]) {
        let folder = site();
        let text = std::fs::read(folder.path().join(manifest::PATH)).unwrap();
        let mut manifest = Manifest::parse(&text).unwrap();
        change(folder.path(), &mut manifest);
        write(&folder, &manifest);
        let faults = verify(folder.path()).unwrap();
        let faults: Vec<String> = faults.iter().map(Fault::to_string).collect();
        assert_eq!(faults, expected);
    }

    #[test]
    fn every_kind_of_fault_is_found() {
        check(|_, _| {}, &[]);
        check(|at, _| std::fs::remove_file(at.join("b/c.html")).unwrap(), &["b/c.html: missing"]);
        check(|at, _| std::fs::write(at.join("b/c.html"), "x").unwrap(), &["b/c.html: changed"]);
        check(
            |at, _| std::fs::write(at.join("b/new.html"), "x").unwrap(),
            &["b/new.html: not in the manifest"],
        );
        check(
            |_, manifest| manifest.data_version = "0".into(),
            &["the data version is 0, but the data that the manifest lists has \
               32002714e0a5c2bd3fe5cf37fe47c7365b969c9dcafefc819d5023d35b388904"],
        );
        // File and `files` part changed together: the `data` part still tells.
        check(
            |at, manifest| {
                std::fs::write(at.join("data/files/gpus.csv"), "x").unwrap();
                manifest.files.insert("data/files/gpus.csv".into(), manifest::digest(b"x"));
            },
            &["data/files/gpus.csv: not the gpus.csv that the site was made from"],
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_not_the_file() {
        check(
            |at, _| {
                std::fs::remove_file(at.join("b/c.html")).unwrap();
                std::os::unix::fs::symlink(at.join("index.html"), at.join("b/c.html")).unwrap();
            },
            &["b/c.html: missing", "b/c.html: not in the manifest"],
        );
    }

    #[test]
    fn without_a_manifest_there_is_nothing_to_check() {
        let folder = tempfile::tempdir().unwrap();
        assert!(verify(folder.path()).is_err());
        std::fs::write(folder.path().join(manifest::PATH), "{}").unwrap();
        assert!(verify(folder.path()).is_err());
        assert!(verify(&folder.path().join("nowhere")).is_err());
    }
}
