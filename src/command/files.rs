//! Writing files that are not there yet: all of them or none, and nothing over anything.

use std::{io::Write as _, path::Path};

use anyhow::Context as _;

/// Writes files below a folder, by their path below it. If one exists nothing is written; if one
/// cannot be written those before it are taken back.
pub fn create<'a>(
    folder: &Path,
    files: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> anyhow::Result<()> {
    let files: Vec<_> = files.into_iter().map(|(path, text)| (folder.join(path), text)).collect();
    let present: Vec<String> = files
        .iter()
        // Also a link that leads nowhere is something.
        .filter(|(path, _)| path.symlink_metadata().is_ok())
        .map(|(path, _)| path.display().to_string())
        .collect();
    anyhow::ensure!(
        present.is_empty(),
        "nothing was written, since this would be overwritten: {}",
        present.join(", ")
    );
    let mut written = Vec::new();
    for (path, text) in &files {
        if let Err(error) = create_one(path, text) {
            for path in written {
                let _ = fs_err::remove_file(path);
            }
            return Err(error).context("nothing was written");
        }
        written.push(path);
    }
    Ok(())
}

fn create_one(path: &Path, text: &str) -> anyhow::Result<()> {
    if let Some(parent) = path.parent() {
        fs_err::create_dir_all(parent)?;
    }
    let mut file = fs_err::OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(text.as_bytes())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_that_exists_keeps_all_from_being_written() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("b"), "old").unwrap();
        let error = create(folder.path(), [("a", "1"), ("b", "2")]).unwrap_err().to_string();
        assert!(error.contains("nothing was written"), "{error}");
        assert!(!folder.path().join("a").exists());
        assert_eq!(std::fs::read_to_string(folder.path().join("b")).unwrap(), "old");
    }

    #[test]
    fn a_failure_on_the_way_is_taken_back() {
        let folder = tempfile::tempdir().unwrap();
        // `a` is a file, so `a/b` cannot be written.
        assert!(create(folder.path(), [("a", "1"), ("a/b", "2")]).is_err());
        assert!(!folder.path().join("a").exists());
        create(folder.path(), [("x/y", "1")]).unwrap();
        assert_eq!(std::fs::read_to_string(folder.path().join("x/y")).unwrap(), "1");
    }
}
