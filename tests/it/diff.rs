//! `paceboard diff`.

use std::fmt::Write as _;

use serde_json::Value;

use crate::folder::{Folder, LATENCIES, broken_latencies, outcome};

const FILE: &str = "studies/demo/latencies/all.csv";
const NO_CHANGE: &str =
    "No change: every record, number, rank, verdict and warning is as before.\n";

/// The example with a copy of its data folder in `base/`.
fn with_base() -> Folder {
    let folder = Folder::example();
    copy_to_base(&folder);
    folder
}

fn copy_to_base(folder: &Folder) {
    for (path, bytes) in folder.files("data") {
        let path = folder.root().join("base").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
}

/// Runs git in the working folder; what it prints.
fn git(folder: &Folder, arguments: &[&str]) -> String {
    let mut command = assert_cmd::Command::new("git");
    command
        .args(["-c", "user.name=Test", "-c", "user.email=test@example.org"])
        .args(["-c", "init.defaultBranch=main", "-c", "commit.gpgsign=false"])
        .args(arguments)
        .current_dir(folder.root());
    outcome(command, 0).0
}

/// The example, committed in a repository of its own.
fn committed() -> Folder {
    let folder = Folder::example();
    git(&folder, &["init", "--quiet"]);
    commit(&folder);
    folder
}

fn commit(folder: &Folder) {
    git(folder, &["add", "--all"]);
    git(folder, &["commit", "--quiet", "--message", "Data"]);
}

fn edit(folder: &Folder, old: &str, new: &str) {
    assert!(LATENCIES.contains(old), "{old}");
    folder.write(FILE, &LATENCIES.replace(old, new));
}

fn json(folder: &Folder, base: &[&str]) -> Value {
    let arguments = [&["diff", "--format", "json"], base].concat();
    serde_json::from_str(&folder.run(&arguments, 0).0).unwrap()
}

#[test]
fn nothing_is_one_line_in_every_format_for_people() {
    let folder = with_base();
    for format in ["markdown", "text"] {
        let (stdout, stderr) = folder.run(&["diff", "--base", "base", "--format", format], 0);
        assert_eq!((&*stdout, &*stderr), (NO_CHANGE, ""));
    }
    assert_eq!(json(&folder, &["--base", "base"])["changed"], false);
}

#[test]
fn the_order_of_rows_and_files_changes_nothing() {
    let folder = with_base();
    let (header, rows) = LATENCIES.split_once('\n').unwrap();
    let reversed: Vec<&str> = rows.lines().rev().collect();
    folder.write(FILE, &format!("{header}\n{}\n", reversed.join("\n")));
    assert_eq!(folder.run(&["diff", "--base", "base"], 0).0, NO_CHANGE);
}

#[test]
fn a_rank_that_changes_is_said_first() {
    let folder = with_base();
    edit(&folder, "add,n-1024,agent,first,4.00", "add,n-1024,agent,first,0.10");
    let (stdout, _) = folder.run(&["diff", "--base", "base"], 0);
    let first = stdout.lines().next().unwrap();
    assert!(first.starts_with("- **Published ranks change**"), "{stdout}");
    assert!(first.contains("`demo/main`"), "{stdout}");
    assert!(stdout.contains("4.00 µs → 0.10 µs"), "{stdout}");
    // √(2 · 8) is as before; the agent's 2 / 4 is 2 / 0.1 now.
    assert!(stdout.contains("20.0×"), "{stdout}");
}

#[test]
fn a_result_that_goes_lowers_n_and_both_are_said_first() {
    let folder = with_base();
    edit(&folder, "add,n-4096,goal,first,1.00\n", "");
    let (stdout, _) = folder.run(&["diff", "--base", "base", "--format", "markdown"], 0);
    let alerts: Vec<&str> = stdout.lines().take_while(|line| line.starts_with("- **")).collect();
    assert!(alerts.iter().any(|line| line.starts_with("- **n falls** (2): ")), "{stdout}");
    assert!(alerts.iter().any(|line| line.starts_with("- **Results removed** (1): ")), "{stdout}");
    assert!(stdout.contains("3 of 3 → 2 of 3; without `add/n-4096`"), "{stdout}");
}

#[test]
fn a_withdrawal_is_said_first_with_its_reason() {
    let folder = with_base().file(
        "studies/demo/withdrawals.csv",
        "operator,shape,implementation,batch,withdrawn_on,reason\n\
         softmax,,agent,,2026-01-02,\"wrong | unit, says @someone <b>\"\n",
    );
    let (stdout, _) = folder.run(&["diff", "--base", "base"], 0);
    let line =
        stdout.lines().find(|line| line.starts_with("- **Results withdrawn** (1): ")).unwrap();
    assert!(line.contains("`demo/softmax/rows-8/agent/first`"), "{line}");
    assert!(line.contains("wrong \\| unit"), "{line}");
    assert!(!stdout.contains("@someone") && !stdout.contains("<b>"), "{stdout}");

    let report = json(&folder, &["--base", "base"]);
    let record = &report["studies"][0]["records"][0];
    assert_eq!(record["what"], "withdrawn");
    assert_eq!(record["old"]["status"], "counts");
    assert_eq!(record["new"]["reason"], "wrong | unit, says @someone <b>");
    assert_eq!(record["line"], 9);
}

#[test]
fn twenty_thousand_records_fit_into_a_comment() {
    let folder = with_base();
    let mut shapes = String::from("operator,id,name\n");
    let mut latencies = LATENCIES.to_owned();
    for at in 0..20_000 {
        writeln!(shapes, "add,big-{at:05},Big {at}").unwrap();
        writeln!(latencies, "add,big-{at:05},goal,first,{at}.5").unwrap();
    }
    for old in ["add,n-1024,N 1024", "add,n-4096,N 4096", "softmax,rows-8,8 rows"] {
        writeln!(shapes, "{old}").unwrap();
    }
    folder.write("studies/demo/shapes.csv", &shapes);
    folder.write(FILE, &latencies);
    let (stdout, _) = folder.run(&["diff", "--base", "base"], 0);
    assert!(stdout.chars().count() <= 65_000, "{}", stdout.chars().count());
    assert!(stdout.contains("- Records: 20000 added\n"), "{stdout}");
    let shown = stdout.lines().filter(|line| line.starts_with("| `demo/add/big-")).count();
    assert!(shown > 100, "{shown}");
    assert!(stdout.contains(&format!("\nand {} more records\n", 20_000 - shown)), "{shown}");
}

#[test]
fn a_revision_is_read_without_touching_anything() {
    let folder = committed();
    edit(&folder, "add,n-1024,goal,first,1.00", "add,n-1024,goal,first,1.25");
    git(&folder, &["add", "--all"]);
    folder.write("studies/demo/notes/new.md", "+++\ntitle = \"New\"\nseverity = \"info\"\n+++\n");
    let before = (folder.files(".git"), git(&folder, &["status", "--porcelain"]));
    let report = json(&folder, &["--base-rev", "HEAD"]);
    assert_eq!((folder.files(".git"), git(&folder, &["status", "--porcelain"])), before);
    let study = &report["studies"][0];
    assert_eq!(study["records"][0]["old"]["published"], "1.00");
    assert_eq!(study["records"][0]["new"]["published"], "1.25");
    assert_eq!(study["parts"][0]["kind"], "note");
    assert_eq!(study["parts"][0]["what"], "added");
}

#[test]
fn branches_tags_and_commits_are_revisions() {
    let folder = committed();
    git(&folder, &["tag", "published"]);
    edit(&folder, "goal,first,6.0", "goal,first,5.0");
    commit(&folder);
    let parent = git(&folder, &["rev-parse", "HEAD~1"]);
    for (revision, records) in
        [("HEAD", 0), ("main", 0), ("HEAD~1", 1), ("published", 1), (parent.trim(), 1)]
    {
        let report = json(&folder, &["--base-rev", revision]);
        let found = report["studies"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|study| study["records"].as_array().unwrap());
        assert_eq!(found.count(), records, "{revision}");
    }
}

#[test]
fn a_folder_deep_in_the_repository_and_a_folder_that_is_the_repository() {
    let folder = Folder::example();
    git(&folder, &["init", "--quiet", "data"]);
    let data = ["-C", "data"];
    git(&folder, &[&data[..], &["add", "--all"]].concat());
    git(&folder, &[&data[..], &["commit", "--quiet", "--message", "Data"]].concat());
    edit(&folder, "goal,first,6.0", "goal,first,5.0");
    assert_eq!(json(&folder, &["--base-rev", "HEAD"])["changed"], true);

    let folder = Folder::example();
    git(&folder, &["init", "--quiet"]);
    std::fs::create_dir_all(folder.root().join("a b/ü")).unwrap();
    std::fs::rename(folder.data(), folder.root().join("a b/ü/data")).unwrap();
    commit(&folder);
    let arguments = ["diff", "--base-rev", "HEAD", "--data", "a b/ü/data"];
    assert_eq!(folder.run(&arguments, 0).0, NO_CHANGE);
    let mut inside = folder.paceboard(&["diff", "--base-rev", "HEAD"]);
    inside.current_dir(folder.root().join("a b/ü"));
    assert_eq!(outcome(inside, 0).0, NO_CHANGE);
}

#[cfg(unix)]
#[test]
fn links_inside_the_folder_are_followed_at_a_revision_too() {
    let folder = Folder::example();
    // A GPU needs no more than an operator has: an id and a name.
    folder.write("studies/demo/operators.csv", "id,name\nadd,Addition\nsoftmax,Softmax\n");
    let link = folder.data().join("gpus.csv");
    std::os::unix::fs::symlink("studies/demo/operators.csv", link).unwrap();
    git(&folder, &["init", "--quiet"]);
    commit(&folder);
    assert_eq!(folder.run(&["diff", "--base-rev", "HEAD"], 0).0, NO_CHANGE);
}

#[test]
fn what_cannot_be_read_is_said_plainly() {
    let fails = |folder: &Folder, arguments: &[&str], expected: &str| {
        let (stdout, stderr) = folder.run(&[&["diff"], arguments].concat(), 2);
        assert_eq!(stdout, "");
        assert!(stderr.contains(expected), "{arguments:?}: {stderr}");
    };
    let folder = committed();
    fails(&folder, &["--base-rev", "nowhere"], "\"nowhere\" names no commit");
    fails(&folder, &["--base-rev=--all"], "is not a revision");
    fails(&folder, &["--base-rev", "HEAD", "--data", "missing"], "missing");
    fails(&folder, &["--base", "missing"], "missing");
    fails(&folder, &[], "--base");
    fails(&folder, &["--base", "data", "--base-rev", "HEAD"], "cannot be used with");

    std::fs::rename(folder.data(), folder.root().join("other")).unwrap();
    fails(&folder, &["--base-rev", "HEAD", "--data", "other"], "there is no other");

    let outside = Folder::example();
    let mut command = outside.paceboard(&["diff", "--base-rev", "HEAD"]);
    command.env("GIT_CEILING_DIRECTORIES", outside.root().parent().unwrap());
    let (_, stderr) = outcome(command, 2);
    assert!(stderr.contains("in no git repository"), "{stderr}");

    let mut command = outside.paceboard(&["diff", "--base-rev", "HEAD"]);
    command.env("PATH", outside.root());
    let (_, stderr) = outcome(command, 2);
    assert!(stderr.contains("git is not installed"), "{stderr}");
}

#[test]
fn a_shallow_clone_is_told_what_to_fetch() {
    let origin = committed();
    edit(&origin, "goal,first,6.0", "goal,first,5.0");
    commit(&origin);
    let first = git(&origin, &["rev-parse", "HEAD~1"]);
    let clone = Folder::new();
    std::fs::remove_dir_all(clone.data()).unwrap();
    let url = format!("file://{}", origin.root().display());
    git(&clone, &["clone", "--quiet", "--depth", "1", &url, "clone"]);
    let arguments = ["diff", "--data", "clone/data", "--base-rev", first.trim()];
    let (_, stderr) = clone.run(&arguments, 2);
    assert!(stderr.contains("shallow") && stderr.contains("fetch-depth: 0"), "{stderr}");
}

#[test]
fn errors_of_the_base_and_of_the_change_are_told_apart() {
    let folder = with_base();
    folder.write(FILE, &broken_latencies());
    let (stdout, stderr) = folder.run(&["diff", "--base", "base"], 1);
    assert_eq!(stdout, "");
    assert!(stderr.contains("data/studies/demo/latencies/all.csv:3:23"), "{stderr}");

    let (stdout, stderr) = folder.run(&["diff", "--data", "base", "--base", "data"], 2);
    assert_eq!(stdout, "");
    assert!(stderr.contains("the base data cannot be compared with"), "{stderr}");
    assert!(stderr.contains(&format!("{FILE}:3")), "{stderr}");
}

#[test]
fn warnings_come_and_go() {
    let folder = with_base();
    edit(&folder, "softmax,rows-8,agent,first,3.0", "softmax,rows-8,agent,first,3");
    let (stdout, _) = folder.run(&["diff", "--base", "base"], 0);
    assert!(stdout.contains("#### New warnings (1 warning)"), "{stdout}");
    assert!(stdout.contains("`one-digit`"), "{stdout}");
    let arguments = ["diff", "--data", "base", "--base", "data"];
    assert!(folder.run(&arguments, 0).0.contains("- Warnings: 1 went"));
}
