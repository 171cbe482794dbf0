//! `paceboard build`.

use crate::folder::{Folder, LATENCIES, broken_latencies, outcome};

#[test]
fn a_folder_becomes_a_site() {
    let folder = Folder::example();
    let (stdout, _) = folder.run(&["build"], 0);
    assert!(stdout.contains("site"), "{stdout}");
    let files = folder.files("site");
    for path in ["index.html", "manifest.json", "demo/main/index.html", "api/v1/studies.json"] {
        assert!(files.contains_key(std::path::Path::new(path)), "no {path}");
    }
}

#[test]
fn a_folder_without_studies_becomes_a_site() {
    let folder = Folder::new();
    folder.run(&["build"], 0);
    assert!(folder.root().join("site/index.html").is_file());
}

#[test]
fn a_data_error_leaves_the_old_site_byte_for_byte() {
    let folder = Folder::example();
    folder.run(&["build"], 0);
    let before = folder.files("site");

    folder.write("studies/demo/latencies/all.csv", &broken_latencies());
    let (stdout, stderr) = folder.run(&["build"], 1);
    assert_eq!(stdout, "");
    assert!(stderr.contains("studies/demo/latencies/all.csv:3:23"), "{stderr}");
    assert_eq!(folder.files("site"), before);
}

#[test]
fn a_data_error_in_the_first_build_makes_no_folder() {
    let folder = Folder::example().file("studies/demo/latencies/all.csv", &broken_latencies());
    folder.run(&["build"], 1);
    let left: Vec<_> =
        std::fs::read_dir(folder.root()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["data"]);
}

#[test]
fn a_page_that_is_no_longer_made_is_gone() {
    let folder = Folder::example();
    folder.run(&["build"], 0);
    let page = folder.root().join("site/demo/operators/add/n-4096/index.html");
    assert!(page.is_file());

    let without: Vec<&str> = LATENCIES.lines().filter(|line| !line.contains("n-4096")).collect();
    folder.write("studies/demo/latencies/all.csv", &without.join("\n"));
    folder.write(
        "studies/demo/shapes.csv",
        "operator,id,name\nadd,n-1024,N 1024\nsoftmax,rows-8,8 rows\n",
    );
    folder.run(&["build"], 0);
    assert!(!page.exists());
}

#[test]
fn a_foreign_folder_is_refused_and_an_empty_one_is_not() {
    let folder = Folder::example();
    std::fs::create_dir_all(folder.root().join("thesis")).unwrap();
    std::fs::create_dir_all(folder.root().join("empty")).unwrap();
    std::fs::write(folder.root().join("thesis/index.html"), "ten years of work").unwrap();

    let (_, stderr) = folder.run(&["build", "--out", "thesis"], 2);
    assert!(stderr.contains("thesis"), "{stderr}");
    assert_eq!(folder.files("thesis").len(), 1);

    folder.run(&["build", "--out", "empty"], 0);
    assert!(folder.root().join("empty/index.html").is_file());
}

#[test]
fn the_data_folder_is_refused_as_output() {
    let folder = Folder::example();
    let before = folder.files("data");
    folder.run(&["build", "--out", "data"], 2);
    assert_eq!(folder.files("data"), before);
}

#[test]
fn output_paths_are_relative_to_where_the_command_runs() {
    let folder = Folder::example();
    std::fs::create_dir_all(folder.root().join("work/deep")).unwrap();
    for (from, out, expected) in [
        ("", "./public", "public"),
        ("", "other/", "other"),
        ("work", "../up", "up"),
        ("work/deep", "here", "work/deep/here"),
        ("work/deep", "../../work/./dots", "work/dots"),
    ] {
        let data = folder.data();
        let mut command = folder.paceboard(&["build", "--out", out, "--data"]);
        command.arg(&data).current_dir(folder.root().join(from));
        outcome(command, 0);
        assert!(folder.root().join(expected).join("index.html").is_file(), "{from} {out}");
        // Once more: now there is a site to replace.
        let mut command = folder.paceboard(&["build", "--out", out, "--data"]);
        command.arg(&data).current_dir(folder.root().join(from));
        outcome(command, 0);
    }
    let left: Vec<_> = std::fs::read_dir(folder.root().join("work/deep"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left, ["here"], "nothing is left beside the site");
}

#[test]
fn the_same_data_gives_the_same_bytes_everywhere() {
    let folder = Folder::example();
    folder.run(&["build"], 0);
    let reference = folder.files("site");
    for (zone, locale, threads) in
        [("Pacific/Kiritimati", "tr_TR.UTF-8", "1"), ("America/Adak", "C", "7")]
    {
        let mut command = folder.paceboard(&["build", "--out", "again"]);
        command.env("TZ", zone).env("LC_ALL", locale).env("RAYON_NUM_THREADS", threads);
        outcome(command, 0);
        assert_eq!(folder.files("again"), reference, "{zone} {locale} {threads}");
    }

    // In another place of the file system.
    let elsewhere = Folder::example();
    elsewhere.run(&["build"], 0);
    assert_eq!(elsewhere.files("site"), reference);
}

#[test]
fn what_cannot_run_exits_with_2() {
    let folder = Folder::example();
    for arguments in [
        &["build", "--data", "nowhere"][..],
        &["check", "--data", "nowhere"],
        &["serve", "--data", "nowhere"],
        &["explain", "demo", "add", "--data", "nowhere"],
        &["build", "--no-such-option"],
        &["check", "--format", "yaml"],
        &["explain", "demo"],
        &["publish"],
        &[],
    ] {
        let (stdout, stderr) = folder.run(arguments, 2);
        assert_eq!(stdout, "", "{arguments:?}");
        assert!(!stderr.is_empty(), "{arguments:?}");
        if arguments.contains(&"nowhere") {
            assert!(stderr.contains("there is no data folder nowhere"), "{stderr}");
        }
    }
}

#[test]
fn a_build_reads_no_clock() {
    let entry = "+++\ntitle = \"From the future\"\ndate = 2999-12-31\n+++\nText.\n";
    let folder = Folder::example().file("news/later.md", entry);
    folder.run(&["build"], 0);
    folder.run(&["check"], 1);

    let day = |folder: &Folder, epoch: &str, arguments: &[&str], code| {
        let mut command = folder.paceboard(arguments);
        command.env("SOURCE_DATE_EPOCH", epoch);
        outcome(command, code)
    };
    day(&folder, "1735689600", &["build"], 1);
    day(&folder, "32503679999", &["build"], 0);
    day(&folder, "32503679999", &["check"], 0);
    let (_, stderr) = day(&folder, "yesterday", &["build"], 2);
    assert!(stderr.contains("SOURCE_DATE_EPOCH"), "{stderr}");
}

#[test]
fn help_is_a_result() {
    let folder = Folder::new();
    for command in ["build", "check", "serve", "diff", "explain", "schema", "verify"] {
        let (stdout, stderr) = folder.run(&[command, "--help"], 0);
        assert!(stdout.contains("Examples:"), "{command}: {stdout}");
        assert_eq!(stderr, "");
    }
}
