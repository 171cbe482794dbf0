//! The folder that a site is prepared in, and the swap.
//!
//! `.<name>.paceboard-<run>/` beside the target holds `lock`, which its run keeps locked while it
//! lives, `new`, the site that is being written, and for a moment of the swap, where the system
//! cannot exchange two folders at once, `old`. A run that finds the folder of another one that
//! is dead completes its swap, if the target is away, and removes what is left of it. It removes
//! nothing that it does not know.

use std::{
    ffi::{OsStr, OsString},
    fs::TryLockError,
    io::{self, ErrorKind},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

use anyhow::{Context as _, bail, ensure};
use fs_err as fs;

use crate::site::manifest::{self, Manifest};

const LOCK: &str = "lock";
const NEW: &str = "new";
const OLD: &str = "old";

/// A folder to prepare a site in. Goes away with this value, and with it what was not swapped in.
pub struct Staging {
    folder: PathBuf,
    /// Where the site is to stand, without links.
    target: PathBuf,
    /// Locked until this value is dropped.
    _lock: std::fs::File,
}

/// Tells the folders of one process apart.
static COUNT: AtomicU32 = AtomicU32::new(0);

impl Staging {
    /// Makes one beside the target, after it has cleaned up after runs that died. Fails if the
    /// target is something that must not be replaced.
    pub fn beside(out: &Path) -> anyhow::Result<Self> {
        let target = target(out)?;
        let (Some(parent), Some(name)) = (target.parent(), target.file_name()) else {
            bail!("{} cannot be replaced; choose another folder for the site", out.display());
        };
        let mut prefix = OsString::from(".");
        prefix.push(name);
        prefix.push(".paceboard-");
        recover(parent, &prefix, &target)?;
        check_replaceable(&target)?;
        // Another run that cleans up may take a folder away before it is locked.
        for _ in 0..100 {
            let mut run = prefix.clone();
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            run.push(format!("{}-{count}", std::process::id()));
            let folder = parent.join(run);
            match fs::create_dir(&folder) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                other => other?,
            }
            if let Some(lock) = create_lock(&folder)? {
                let staging = Self { folder, target, _lock: lock };
                fs::create_dir(staging.new_site())?;
                return Ok(staging);
            }
        }
        bail!("no folder beside {} stays in place", out.display())
    }

    /// Where the new site is written.
    pub fn new_site(&self) -> PathBuf {
        self.folder.join(NEW)
    }

    /// Puts the new site in the place of the old one.
    pub fn swap(self) -> anyhow::Result<()> {
        let (new, target) = (self.new_site(), &self.target);
        if !exists(target) {
            match std::fs::rename(&new, target) {
                Ok(()) => return Ok(()),
                // Another run was first: what it wrote is an old site now.
                Err(_) if exists(target) => {}
                Err(error) => {
                    return Err(error)
                        .with_context(|| format!("cannot create {}", target.display()));
                }
            }
        }
        check_replaceable(target)?;
        exchange(&new, target, &self.folder.join(OLD))
            .with_context(|| format!("cannot replace {}", target.display()))
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // The old site, taken away without a new one in its place, is put back by the next run.
        if exists(&self.folder.join(OLD)) && !exists(&self.target) {
            return;
        }
        // What cannot be removed now is removed by the next run.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The path of the site without links, its parents made.
fn target(out: &Path) -> anyhow::Result<PathBuf> {
    if exists(out) {
        return Ok(fs::canonicalize(out)?);
    }
    let absolute = std::path::absolute(out)?;
    let (Some(parent), Some(name)) = (absolute.parent(), absolute.file_name()) else {
        bail!("{} is not a folder that can be made", out.display());
    };
    fs::create_dir_all(parent)?;
    Ok(fs::canonicalize(parent)?.join(name))
}

/// Whether there is anything at a path, a link to nowhere included.
fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// Fails unless a path is free, an empty folder, or a site that Paceboard made.
fn check_replaceable(target: &Path) -> anyhow::Result<()> {
    let shown = target.display();
    if !exists(target) {
        return Ok(());
    }
    ensure!(target.is_dir(), "{shown} is not a folder");
    if fs::read_dir(target)?.next().is_none() {
        return Ok(());
    }
    let manifest = target.join(manifest::PATH);
    let ours = std::fs::read(manifest).is_ok_and(|text| Manifest::parse(&text).is_ok());
    ensure!(
        ours,
        "{shown} is not empty and was not made by Paceboard; empty it or choose another folder"
    );
    ensure!(
        !exists(&target.join(".git")),
        "{shown} holds a git repository, which the swap would take away; build elsewhere and copy"
    );
    Ok(())
}

/// Makes and locks the lock of a fresh folder. None if another run took the folder away.
fn create_lock(folder: &Path) -> anyhow::Result<Option<std::fs::File>> {
    let path = folder.join(LOCK);
    let lock = match std::fs::File::create_new(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        other => other.with_context(|| format!("cannot create {}", path.display()))?,
    };
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(None),
        // Without locks nobody can tell that this run is dead, so nobody cleans up after it.
        Err(TryLockError::Error(_)) => return Ok(Some(lock)),
    }
    Ok(is_at(&lock, &path).then_some(lock))
}

/// Whether an open file still stands at its path.
fn is_at(file: &std::fs::File, path: &Path) -> bool {
    let open = file.try_clone().and_then(same_file::Handle::from_file);
    matches!((open, same_file::Handle::from_path(path)), (Ok(a), Ok(b)) if a == b)
}

/// Cleans up after runs that died: completes a swap that left no site, removes their folders.
fn recover(parent: &Path, prefix: &OsStr, target: &Path) -> anyhow::Result<()> {
    let mut folders: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(parent)? {
        let entry = entry?;
        let name = entry.file_name();
        if name.as_encoded_bytes().starts_with(prefix.as_encoded_bytes())
            && entry.file_type()?.is_dir()
        {
            folders.push(entry.path());
        }
    }
    folders.sort();
    for folder in folders {
        let path = folder.join(LOCK);
        let Ok(lock) = std::fs::File::options().read(true).write(true).open(&path) else {
            // A run that died before it had a lock leaves an empty folder.
            let _ = std::fs::remove_dir(&folder);
            continue;
        };
        let is_dead = lock.try_lock().is_ok() && is_at(&lock, &path);
        if !is_dead || !holds_only_ours(&folder) {
            continue;
        }
        let (new, old) = (folder.join(NEW), folder.join(OLD));
        if exists(&old) && !exists(target) {
            // The new site was whole before the old one was taken away.
            let whole = if exists(&new) { new } else { old };
            fs::rename(whole, target)?;
        }
        let _ = std::fs::remove_dir_all(&folder);
    }
    Ok(())
}

fn holds_only_ours(folder: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    entries.flatten().all(|entry| {
        let name = entry.file_name();
        [LOCK, NEW, OLD].iter().any(|ours| name == *ours)
    })
}

/// Exchanges two folders at once where the system can, else by two renames.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn exchange(new: &Path, target: &Path, old: &Path) -> io::Result<()> {
    use rustix::{
        fs::{CWD, RenameFlags, renameat_with},
        io::Errno,
    };
    match renameat_with(CWD, new, CWD, target, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(()),
        // The kernel or this file system does not know how.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => two_renames(new, target, old),
        Err(errno) => Err(errno.into()),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn exchange(new: &Path, target: &Path, old: &Path) -> io::Result<()> {
    two_renames(new, target, old)
}

/// Takes the old site away and puts the new one in its place. The next run finishes what a run
/// that dies in between has begun.
fn two_renames(new: &Path, target: &Path, old: &Path) -> io::Result<()> {
    std::fs::rename(target, old)?;
    std::fs::rename(new, target).inspect_err(|_| {
        let _ = std::fs::rename(old, target);
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A parent with a site that says `old`, and the folder of a run that died.
    fn scene() -> (tempfile::TempDir, PathBuf, PathBuf) {
        let parent = tempfile::tempdir().unwrap();
        let target = fs::canonicalize(parent.path()).unwrap().join("site");
        let dead = target.parent().unwrap().join(".site.paceboard-999999-0");
        std::fs::create_dir_all(dead.join(NEW)).unwrap();
        std::fs::write(dead.join(LOCK), "").unwrap();
        write_site(&dead.join(NEW), "new");
        write_site(&target, "old");
        (parent, target, dead)
    }

    fn write_site(folder: &Path, word: &str) {
        std::fs::create_dir_all(folder).unwrap();
        std::fs::write(folder.join("index.html"), word).unwrap();
        let manifest =
            "{\"generator\":\"paceboard\",\"data_version\":\"\",\"data\":{},\"files\":{}}";
        std::fs::write(folder.join(manifest::PATH), manifest).unwrap();
    }

    fn word(site: &Path) -> String {
        std::fs::read_to_string(site.join("index.html")).unwrap()
    }

    #[test]
    fn what_dead_runs_left_is_removed() {
        let (_parent, target, dead) = scene();
        let empty = target.parent().unwrap().join(".site.paceboard-1-1");
        std::fs::create_dir(&empty).unwrap();
        drop(Staging::beside(&target).unwrap());
        assert!(!dead.exists() && !empty.exists());
        assert_eq!(word(&target), "old");
    }

    #[test]
    fn a_run_that_lives_keeps_its_folder() {
        let (_parent, target, _) = scene();
        let living = Staging::beside(&target).unwrap();
        let other = Staging::beside(&target).unwrap();
        assert!(living.new_site().is_dir() && other.new_site().is_dir());
        assert_ne!(living.new_site(), other.new_site());
    }

    #[test]
    fn a_swap_that_was_cut_in_half_is_completed() {
        let (_parent, target, dead) = scene();
        std::fs::rename(&target, dead.join(OLD)).unwrap();
        drop(Staging::beside(&target).unwrap());
        assert_eq!(word(&target), "new");
        assert!(!dead.exists());
    }

    #[test]
    fn nothing_unknown_is_removed() {
        let (_parent, target, dead) = scene();
        std::fs::write(dead.join("thesis.txt"), "precious").unwrap();
        let beside = target.parent().unwrap().join(".site.paceboard");
        std::fs::create_dir(&beside).unwrap();
        drop(Staging::beside(&target).unwrap());
        assert!(dead.join("thesis.txt").exists() && dead.join(NEW).exists() && beside.exists());
    }

    #[test]
    fn two_renames_do_what_an_exchange_does() {
        let (_parent, target, dead) = scene();
        two_renames(&dead.join(NEW), &target, &dead.join(OLD)).unwrap();
        assert_eq!((word(&target).as_str(), word(&dead.join(OLD)).as_str()), ("new", "old"));
        // Without a new site the old one comes back.
        std::fs::remove_dir_all(dead.join(OLD)).unwrap();
        assert!(two_renames(&dead.join(NEW), &target, &dead.join(OLD)).is_err());
        assert_eq!(word(&target), "new");
    }
}
