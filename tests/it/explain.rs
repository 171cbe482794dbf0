//! `paceboard explain`.

use crate::folder::{Folder, LATENCIES};

#[test]
fn an_operator_down_to_the_lines() {
    let (stdout, _) = Folder::example().run(&["explain", "demo", "add"], 0);
    for expected in [
        "Vector addition (add)",
        "Board main: Against the library",
        // √(2 · 8) = 4
        "1  Goal: 4.00×",
        "2 of 2 shapes, faster than the baseline",
        "(2.00 · 8.00)^(1/2)",
        "2  Agent: 0.500×",
        "1 of 2 shapes",
        "without n-4096",
        "2.00 / 1.00 = 2.00×",
        "data/studies/demo/latencies/all.csv:2:22",
        "data/studies/demo/latencies/all.csv:3:23",
        "Agent: —, not measured",
        "retest: pass",
    ] {
        assert!(stdout.contains(expected), "{expected:?} is missing from\n{stdout}");
    }
    assert!(!stdout.contains("softmax"), "{stdout}");
}

#[test]
fn a_shape_alone() {
    let (stdout, _) = Folder::example().run(&["explain", "demo", "add/n-4096"], 0);
    assert!(stdout.contains("8.00 / 1.00 = 8.00×"), "{stdout}");
    assert!(!stdout.contains("n-1024"), "{stdout}");
}

#[test]
fn what_was_left_out_and_why() {
    let folder = Folder::example()
        .file(
            "studies/demo/retests/all.csv",
            "operator,implementation,outcome\n,lib,pass\n,goal,fail\n,agent,pass\n",
        )
        .file(
            "studies/demo/withdrawals.csv",
            "operator,shape,implementation,withdrawn_on,reason\nsoftmax,rows-8,agent,2025-02-03,wrong clock\n",
        );
    let (stdout, _) = folder.run(&["explain", "demo", "softmax"], 0);
    for expected in [
        "Goal: —, its records are left out",
        "a retest says fail (data/studies/demo/retests/all.csv:3:",
        "withdrawn on 2025-02-03: wrong clock (data/studies/demo/withdrawals.csv:2:",
    ] {
        assert!(stdout.contains(expected), "{expected:?} is missing from\n{stdout}");
    }
}

#[test]
fn what_cannot_be_compared_says_so() {
    let latencies = LATENCIES.replace("softmax,rows-8,goal,first", "softmax,rows-8,goal,second");
    let folder = Folder::example().file("studies/demo/latencies/all.csv", &latencies).file(
        "studies/demo/batches.csv",
        "id,name,class\nfirst,First campaign,paired\nsecond,Second campaign,alone\n",
    );
    let (stdout, _) = folder.run(&["explain", "demo", "softmax/rows-8"], 0);
    let expected =
        "Goal: —, not comparable: the contender was measured in second, the baseline in first";
    assert!(stdout.contains(expected), "{stdout}");
}

#[test]
fn a_typo_gets_a_suggestion() {
    let folder = Folder::example();
    for (study, subject, suggestion) in [
        ("dmeo", "add", "did you mean `demo`?"),
        ("demo", "sotfmax", "did you mean `softmax`?"),
        ("demo", "add/n-1025", "did you mean `n-1024`?"),
    ] {
        let (stdout, stderr) = folder.run(&["explain", study, subject], 2);
        assert_eq!(stdout, "");
        assert!(stderr.contains(suggestion), "{study} {subject}: {stderr}");
    }
}
