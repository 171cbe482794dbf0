//! `paceboard check`.

use std::process::Stdio;

use serde_json::Value;

use crate::folder::{Folder, LATENCIES, broken_latencies};

const FILE: &str = "studies/demo/latencies/all.csv";

fn json(folder: &Folder, code: i32) -> Value {
    let (stdout, _) = folder.run(&["check", "--format", "json"], code);
    serde_json::from_str(&stdout).unwrap()
}

#[test]
fn clean_data() {
    let folder = Folder::example();
    folder.run(&["check"], 0);
    let report = json(&folder, 0);
    assert_eq!(report["summary"]["errors"], 0, "{report}");
}

#[test]
fn json_has_exactly_the_documented_keys() {
    let folder = Folder::example().file(FILE, &broken_latencies());
    let (stdout, _) = folder.run(&["check", "--format", "json"], 1);
    let report: Value = serde_json::from_str(&stdout).unwrap();
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&report), ["diagnostics", "summary"]);
    assert_eq!(keys(&report["summary"]), ["errors", "warnings"]);

    let errors: Vec<&Value> = report["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|diagnostic| diagnostic["severity"] == "error")
        .collect();
    let [error] = errors[..] else { panic!("{report}") };
    let expected = ["code", "column", "end_column", "file", "help", "line", "message", "severity"];
    let mut found = keys(error);
    found.sort();
    assert_eq!(found, expected);
    assert_eq!(error["file"], FILE);
    assert_eq!(
        (&error["line"], &error["column"], &error["end_column"]),
        (&3.into(), &23.into(), &27.into())
    );
    assert!(error["message"].as_str().unwrap().contains("fast"), "{error}");
}

#[test]
fn columns_count_characters_whatever_the_file_looks_like() {
    let quoted = "\u{feff}operator,note,shape,implementation,batch,latency_us\r\n\r\n\
                  softmax,\"\",rows-8,lib,first,6.0\r\nsoftmax,,\"rows-8\",\"\u{fc}ml\u{e4}ut\",first,fast\r\n";
    let folder = Folder::example().file(FILE, quoted);
    let report = json(&folder, 1);
    let places: Vec<(u64, u64)> = report["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|d| d["severity"] == "error" && d["file"] == FILE)
        .map(|d| (d["line"].as_u64().unwrap(), d["column"].as_u64().unwrap()))
        .collect();
    assert!(places.iter().any(|&(line, _)| line == 4), "{report}");
    assert!(places.contains(&(4, 34)), "the number stands in column 34: {report}");
}

#[test]
fn one_run_finds_every_fault() {
    let folder = Folder::example()
        .file(FILE, &LATENCIES.replace("goal,first,1.00", "gaol,first,-1"))
        .file("studies/demo/batches.csv", "id,name,klass\nfirst,First campaign,paired\n")
        .file("site.toml", "titel = \"Test\"\n");
    let report = json(&folder, 1);
    let files: Vec<&str> = report["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|d| d["file"].as_str().unwrap())
        .collect();
    for expected in ["site.toml", "studies/demo/batches.csv", FILE] {
        assert!(files.contains(&expected), "{expected} is missing from {files:?}");
    }
    let mut sorted = files.clone();
    sorted.sort_unstable();
    assert_eq!(files, sorted);
}

#[test]
fn warnings_are_allowed() {
    // Half a nanosecond, where the others take microseconds.
    let folder = Folder::example().file(
        FILE,
        &LATENCIES.replace("softmax,rows-8,agent,first,3.0", "softmax,rows-8,agent,first,0.0005"),
    );
    let report = json(&folder, 0);
    assert_eq!(report["summary"]["errors"], 0, "{report}");
    assert_ne!(report["summary"]["warnings"], 0, "{report}");
}

#[test]
fn text_names_place_and_remedy_without_colours() {
    let folder = Folder::example().file(FILE, &broken_latencies());
    let (stdout, _) = folder.run(&["check"], 1);
    assert!(stdout.contains("data/studies/demo/latencies/all.csv:3:23"), "{stdout}");
    assert!(stdout.contains("1 error"), "{stdout}");
    assert!(stdout.contains("help: "), "{stdout}");
    assert!(!stdout.contains('\x1b'), "{stdout}");
}

#[test]
fn annotations_for_github() {
    let folder = Folder::example().file(FILE, &broken_latencies());
    let (stdout, _) = folder.run(&["check", "--format", "github"], 1);
    let line = stdout.lines().find(|line| line.starts_with("::error ")).unwrap();
    assert!(line.contains("file=data/studies/demo/latencies/all.csv"), "{line}");
    assert!(line.contains("line=3") && line.contains("col=23"), "{line}");
}

#[test]
fn sarif_for_code_scanning() {
    let folder = Folder::example().file(FILE, &broken_latencies());
    let (stdout, _) = folder.run(&["check", "--format", "sarif"], 1);
    let report: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(report["version"], "2.1.0");
    let results = report["runs"][0]["results"].as_array().unwrap();
    let error = results.iter().find(|result| result["level"] == "error").unwrap();
    let region = &error["locations"][0]["physicalLocation"]["region"];
    assert_eq!((&region["startLine"], &region["startColumn"]), (&3.into(), &23.into()));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let folder = Folder::example();
    let mut child = std::process::Command::new(crate::folder::PACEBOARD)
        .args(["explain", "demo", "add"])
        .current_dir(folder.root())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
