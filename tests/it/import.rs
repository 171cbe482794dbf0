//! `paceboard import`.

use crate::folder::Folder;

const TRACE: &str = r#"{"definition":"gemm_n8","workload":{"axes":{"M":16},"inputs":{},"uuid":"u1"},"solution":"fast","evaluation":{"status":"PASSED","environment":{"hardware":"Example GPU","libs":{"torch":"2.9"}},"timestamp":"2026-03-17T14:00:00","log":"","correctness":{"max_relative_error":"inf","max_absolute_error":0.5},"performance":{"latency_ms":0.0123400,"reference_latency_ms":0.5,"speedup_factor":40.0}}}
{"definition":"gemm_n8","workload":{"axes":{"M":16},"inputs":{},"uuid":"u1"},"solution":"broken","evaluation":{"status":"COMPILE_ERROR","environment":{"hardware":"Example GPU","libs":{"torch":"2.9"}},"timestamp":"2026-03-17T14:00:01","log":"","correctness":null,"performance":null}}
"#;

fn with_traces() -> Folder {
    let folder = Folder::new();
    std::fs::write(folder.root().join("t.jsonl"), TRACE).unwrap();
    folder
}

#[test]
fn an_imported_study_passes_check_and_builds() {
    let folder = with_traces();
    let (stdout, _) =
        folder.run(&["import", "flashinfer-trace", "t.jsonl", "--study", "traces"], 0);
    for part in
        ["Taken:", "2 traces with 2 latencies and 2 retest records", "Left out:", "gpus.csv"]
    {
        assert!(stdout.contains(part), "{stdout}");
    }
    let files = folder.files("data/studies/traces");
    let latencies = &files[std::path::Path::new("latencies/flashinfer-bench.csv")];
    let latencies = String::from_utf8_lossy(latencies);
    assert!(latencies.contains(",fast,example-gpu-cupti,12.3400\n"), "{latencies}");
    assert!(!latencies.contains("broken"), "{latencies}");
    folder.run(&["check"], 0);
    folder.run(&["build"], 0);
    assert!(folder.root().join("site/traces/against-reference/index.html").is_file());
}

#[test]
fn nothing_is_overwritten_and_nothing_half_written() {
    let folder = with_traces().file("studies/traces/batches.csv", "id,name,class\n");
    let before = folder.files("data");
    let (_, stderr) =
        folder.run(&["import", "flashinfer-trace", "t.jsonl", "--study", "traces"], 2);
    assert!(stderr.contains("batches.csv"), "{stderr}");
    assert_eq!(folder.files("data"), before);
}

#[test]
fn a_study_that_is_there_keeps_its_boards() {
    let settings = "title = \"Mine\"\n";
    let folder = with_traces().file("studies/traces/study.toml", settings);
    let (stdout, _) =
        folder.run(&["import", "flashinfer-trace", "t.jsonl", "--study", "traces"], 0);
    assert!(stdout.contains("study.toml with its boards"), "{stdout}");
    let files = folder.files("data/studies/traces");
    assert_eq!(files[std::path::Path::new("study.toml")], settings.as_bytes());
}

#[test]
fn a_fault_in_a_foreign_file_is_named_and_nothing_is_written() {
    let folder = Folder::new();
    let text = TRACE.replace("COMPILE_ERROR", "SPLENDID");
    std::fs::write(folder.root().join("t.jsonl"), text).unwrap();
    std::fs::write(folder.root().join("l.json"), "{\"schema_version\": 7}").unwrap();
    let before = folder.files("data");
    let (_, stderr) =
        folder.run(&["import", "flashinfer-trace", "t.jsonl", "--study", "traces"], 1);
    assert!(stderr.contains("error: t.jsonl:2: `SPLENDID`"), "{stderr}");
    let (_, stderr) = folder.run(&["import", "fastkernels", "l.json", "--study", "traces"], 1);
    assert!(stderr.contains("schema version 7"), "{stderr}");
    let (_, stderr) = folder.run(&["import", "ako4x", "l.json", "--study", "API"], 2);
    assert!(stderr.contains("`API` cannot be the id of a study"), "{stderr}");
    assert_eq!(folder.files("data"), before);
}
