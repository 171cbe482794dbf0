//! `paceboard init` and `paceboard new`.

use crate::folder::Folder;

#[test]
fn an_example_folder_passes_check_and_builds() {
    let folder = Folder::new();
    folder.run(&["init", "mine"], 0);
    let (_, stderr) = folder.run(&["check", "--data", "mine"], 0);
    assert!(stderr.contains("No faults"), "{stderr}");
    folder.run(&["build", "--data", "mine"], 0);
    let files = folder.files("mine");
    let (_, stderr) = folder.run(&["init", "mine"], 2);
    assert!(stderr.contains("not empty"), "{stderr}");
    assert_eq!(folder.files("mine"), files);
}

#[test]
fn a_contribution_from_nothing_to_a_checked_file() {
    let folder = Folder::example();
    let study = ["--study", "demo"];
    let new = |what: &str, arguments: &[&str], code| {
        folder.run(&[&["new", what], &study[..], arguments].concat(), code)
    };
    new("implementation", &["--id", "mine", "--name", "Mine, new", "--role", "agent"], 0);
    new("batch", &["--id", "second", "--name", "Second"], 0);
    let (stdout, _) = new(
        "latencies",
        &["--operator", "add", "--implementation", "mine", "--batch", "second"],
        0,
    );
    assert!(stdout.contains("2 shapes of add"), "{stdout}");
    let path = "studies/demo/latencies/mine-add.csv";
    let text = std::fs::read_to_string(folder.data().join(path)).unwrap();
    assert_eq!(
        text,
        "operator,shape,implementation,batch,latency_us,note\n\
         add,n-1024,mine,second,,\nadd,n-4096,mine,second,,\n"
    );
    // Empty latencies are faults until they are filled in.
    folder.run(&["check"], 1);
    folder.write(path, &text.replace("second,,", "second,1.5,"));
    folder.run(&["check"], 0);
    let implementations =
        std::fs::read_to_string(folder.data().join("studies/demo/implementations.csv")).unwrap();
    assert!(implementations.ends_with("agent\nmine,\"Mine, new\",agent\n"), "{implementations}");
}

#[test]
fn an_unknown_id_is_answered_with_the_nearest() {
    let folder = Folder::example();
    for (arguments, expected) in [
        (["--study", "dmeo", "--operator", "add", "--implementation", "lib"], "`demo`"),
        (["--study", "demo", "--operator", "adds", "--implementation", "lib"], "`add`"),
        (["--study", "demo", "--operator", "add", "--implementation", "gaol"], "`goal`"),
    ] {
        let command = [&["new", "latencies", "--batch", "first"], &arguments[..]].concat();
        let (_, stderr) = folder.run(&command, 2);
        assert!(stderr.contains(&format!("did you mean {expected}?")), "{stderr}");
    }
}
