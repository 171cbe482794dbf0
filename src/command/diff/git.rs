//! A data folder as it was at a revision, read from git's object store.
//!
//! The working tree, the index and the refs are never written, and no filter or hook runs.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, ErrorKind, Write},
    path::Path,
    process::{Child, Command, Output, Stdio},
};

use anyhow::{Context as _, bail, ensure};

use super::shown;

/// How many symbolic links in a row are followed.
const MOST_LINKS: usize = 8;
/// Mode of a symbolic link in a tree.
const LINK: &str = "120000";

/// The files of the data folder at a revision, with their paths relative to the folder. Like on
/// disk, names that begin with a dot are passed over, and links are followed inside the folder.
pub fn files_at(folder: &Path, revision: &str) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let git = Git { folder };
    let prefix = git.prefix()?;
    let commit = git.commit(revision)?;
    let tree = git.tree(&commit, &prefix, revision)?;
    let entries = git.entries(&tree)?;
    let contents = git.contents(&entries)?;
    let files: BTreeMap<&str, (&Entry, Vec<u8>)> =
        entries.iter().zip(contents).map(|(entry, bytes)| (&*entry.path, (entry, bytes))).collect();
    let followed =
        files.keys().filter_map(|path| Some(((*path).to_owned(), follow(&files, path)?)));
    Ok(followed.collect())
}

/// A file of a tree.
struct Entry {
    path: String,
    object: String,
    is_link: bool,
}

/// The bytes at a path, through links; none for a link that leaves the folder or leads to none of
/// its files.
fn follow(files: &BTreeMap<&str, (&Entry, Vec<u8>)>, path: &str) -> Option<Vec<u8>> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let (entry, bytes) = files.get(&*path)?;
        if !entry.is_link {
            return Some(bytes.clone());
        }
        path = resolve(&path, std::str::from_utf8(bytes).ok()?)?;
    }
    None
}

/// Where a link leads, if that is inside the folder.
fn resolve(link: &str, target: &str) -> Option<String> {
    if target.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = link.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

/// Git, asked from inside a data folder.
struct Git<'a> {
    folder: &'a Path,
}

impl Git<'_> {
    /// Path of the data folder below the root of its repository; empty if it is the root.
    fn prefix(&self) -> anyhow::Result<String> {
        ensure!(self.folder.is_dir(), "{} is not a folder", shown(self.folder));
        let output = self.run(&["rev-parse", "--show-prefix"])?;
        if !output.status.success() {
            bail!(
                "{} is in no git repository that can be read, so it has no revisions; use --base \
                 with a copy of the other version ({})",
                shown(self.folder),
                said(&output)
            );
        }
        let prefix = text(output.stdout)?;
        Ok(prefix.trim_end_matches('\n').trim_end_matches('/').to_owned())
    }

    /// The commit that a revision names.
    fn commit(&self, revision: &str) -> anyhow::Result<String> {
        // Git would take it for an option.
        ensure!(!revision.starts_with('-'), "{revision:?} is not a revision");
        let wanted = format!("{revision}^{{commit}}");
        let output = self.run(&["rev-parse", "--verify", "--quiet", &wanted])?;
        if !output.status.success() {
            let hint = if self.is_shallow()? {
                "; this clone is shallow, so fetch that revision first (`git fetch --unshallow`; \
                 in a workflow `fetch-depth: 0` for actions/checkout)"
            } else {
                ""
            };
            bail!("{revision:?} names no commit of this repository{hint}");
        }
        Ok(text(output.stdout)?.trim().to_owned())
    }

    fn is_shallow(&self) -> anyhow::Result<bool> {
        let output = self.run(&["rev-parse", "--is-shallow-repository"])?;
        Ok(output.stdout.starts_with(b"true"))
    }

    /// The tree of the data folder in a commit.
    fn tree(&self, commit: &str, prefix: &str, revision: &str) -> anyhow::Result<String> {
        let wanted = format!("{commit}:{prefix}");
        let output = self.run(&["rev-parse", "--verify", "--quiet", &wanted])?;
        ensure!(
            output.status.success(),
            "at {revision:?} there is no {} to compare with",
            if prefix.is_empty() { "folder" } else { prefix }
        );
        Ok(text(output.stdout)?.trim().to_owned())
    }

    /// Every file below a tree.
    fn entries(&self, tree: &str) -> anyhow::Result<Vec<Entry>> {
        let output = self.run(&["ls-tree", "-r", "-z", "--full-tree", tree])?;
        ensure!(output.status.success(), "git cannot list the revision: {}", said(&output));
        let lines = output.stdout.split(|&byte| byte == 0).filter(|line| !line.is_empty());
        let entries = lines.map(|line| parse_entry(line).context("git's list is not as expected"));
        let mut entries = entries.collect::<anyhow::Result<Vec<_>>>()?;
        entries.retain(|entry| {
            let is_hidden = entry.path.split('/').any(|part| part.starts_with('.'));
            !is_hidden && !entry.object.is_empty()
        });
        Ok(entries)
    }

    /// The bytes of each file.
    fn contents(&self, entries: &[Entry]) -> anyhow::Result<Vec<Vec<u8>>> {
        let mut child = self
            .command(&["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(cannot_run)?;
        let contents = exchange(&mut child, entries);
        let _ = child.wait();
        contents
    }

    fn run(&self, arguments: &[&str]) -> anyhow::Result<Output> {
        self.command(arguments).stdin(Stdio::null()).output().map_err(cannot_run)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        command
            .arg("-C")
            .arg(self.folder)
            .args(arguments)
            .env("LC_ALL", "C")
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_TERMINAL_PROMPT", "0");
        command
    }
}

/// Asks for every file and reads the answers, which come in the same order.
fn exchange(child: &mut Child, entries: &[Entry]) -> anyhow::Result<Vec<Vec<u8>>> {
    let mut questions = child.stdin.take().context("git has no input")?;
    let mut answers = BufReader::new(child.stdout.take().context("git has no output")?);
    std::thread::scope(|scope| {
        // Beside the reading: git stops taking questions while its answers are not read.
        scope.spawn(move || {
            for entry in entries {
                // If git is gone, the answers end and say so.
                if writeln!(questions, "{}", entry.object).is_err() {
                    break;
                }
            }
        });
        let contents = entries.iter().map(|entry| {
            read_answer(&mut answers)
                .with_context(|| format!("git cannot read {} of the revision", entry.path))
        });
        let contents = contents.collect::<anyhow::Result<Vec<_>>>();
        if contents.is_err() {
            // Nobody reads its answers any more, so it would never take the last questions.
            let _ = child.kill();
        }
        contents
    })
}

/// One answer: `<object> blob <size>`, a line break, the bytes, a line break.
fn read_answer(answers: &mut impl BufRead) -> anyhow::Result<Vec<u8>> {
    let mut head = String::new();
    answers.read_line(&mut head)?;
    let mut words = head.split_whitespace().skip(1);
    let (kind, size) = (words.next(), words.next());
    ensure!(kind == Some("blob"), "it says {:?}", head.trim_end());
    let size: usize = size.unwrap_or_default().parse().context("its answer has no size")?;
    let mut bytes = vec![0; size];
    answers.read_exact(&mut bytes)?;
    answers.read_exact(&mut [0])?;
    Ok(bytes)
}

/// One line of `git ls-tree`: `<mode> <type> <object>`, a tab, the path. What is no file (a
/// submodule) has no object here.
fn parse_entry(line: &[u8]) -> Option<Entry> {
    let tab = line.iter().position(|&byte| byte == b'\t')?;
    let head = std::str::from_utf8(&line[..tab]).ok()?;
    let mut words = head.split(' ');
    let (mode, kind, object) = (words.next()?, words.next()?, words.next()?);
    // A name that is no text is no name of the folder; the check says so, as it does on disk.
    let path = String::from_utf8_lossy(&line[tab + 1..]).into_owned();
    let object = if kind == "blob" { object } else { "" };
    Some(Entry { path, object: object.to_owned(), is_link: mode == LINK })
}

fn cannot_run(error: std::io::Error) -> anyhow::Error {
    match error.kind() {
        ErrorKind::NotFound => anyhow::anyhow!(
            "git is not installed; install it, or use --base with a copy of the other version"
        ),
        _ => anyhow::Error::new(error).context("git cannot be run"),
    }
}

fn text(bytes: Vec<u8>) -> anyhow::Result<String> {
    String::from_utf8(bytes).context("git's answer is not UTF-8")
}

/// What git said about a failure, on one line.
fn said(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let line = text.lines().next().unwrap_or_default().trim();
    if line.is_empty() { "git gave no reason".to_owned() } else { format!("git: {line}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_resolved_inside_the_folder() {
        for (link, target, expected) in [
            ("a/b.csv", "c.csv", Some("a/c.csv")),
            ("a/b.csv", "./c.csv", Some("a/c.csv")),
            ("a/b.csv", "../c.csv", Some("c.csv")),
            ("a/b.csv", "../../c.csv", None),
            ("a/b.csv", "/etc/passwd", None),
            ("b.csv", "x/../y.csv", Some("y.csv")),
        ] {
            assert_eq!(resolve(link, target).as_deref(), expected, "{link} -> {target}");
        }
    }

    #[test]
    fn a_line_of_a_tree() {
        let entry = parse_entry("100644 blob 0123\tstudies/a b/\u{e4}.csv".as_bytes()).unwrap();
        assert_eq!(
            (&*entry.path, &*entry.object, entry.is_link),
            ("studies/a b/\u{e4}.csv", "0123", false)
        );
        assert!(parse_entry(b"120000 blob 0123\ta").unwrap().is_link);
        assert_eq!(parse_entry(b"160000 commit 0123\tmodule").unwrap().object, "");
        assert!(parse_entry(b"100644 blob").is_none());
    }

    #[test]
    fn answers_are_read_to_their_size() {
        let mut answers = &b"01 blob 3\na\nb\n02 blob 0\n\n03 missing\n"[..];
        assert_eq!(read_answer(&mut answers).unwrap(), b"a\nb");
        assert_eq!(read_answer(&mut answers).unwrap(), b"");
        let error = read_answer(&mut answers).unwrap_err().to_string();
        assert!(error.contains("missing"), "{error}");
    }
}
