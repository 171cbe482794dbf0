//! `paceboard schema`.

use serde_json::Value;

use crate::folder::{Folder, broken_latencies};

#[test]
fn markdown_and_json_need_no_data_folder() {
    let folder = Folder::new();
    std::fs::remove_dir_all(folder.data()).unwrap();
    let (markdown, _) = folder.run(&["schema"], 0);
    assert!(markdown.contains("## `studies/<study>/latencies/*.csv`"), "{markdown}");
    let (json, _) = folder.run(&["schema", "--format", "json"], 0);
    let schema: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    let (stdout, stderr) = folder.run(&["schema", "--format", "datapackage"], 2);
    assert_eq!(stdout, "");
    assert!(stderr.contains("data"), "{stderr}");
}

#[test]
fn a_data_package_describes_every_table_of_the_folder() {
    for folder in [
        Folder::example(),
        Folder::example().file("studies/demo/latencies/all.csv", &broken_latencies()),
    ] {
        let (text, _) = folder.run(&["schema", "--format", "datapackage"], 0);
        let package: Value = serde_json::from_str(&text).unwrap();
        let described: Vec<&str> = package["resources"]
            .as_array()
            .unwrap()
            .iter()
            .map(|resource| resource["path"].as_str().unwrap())
            .collect();
        let files = folder.files("data");
        let tables: Vec<&str> = files
            .keys()
            .filter_map(|path| path.to_str())
            .filter(|path| std::path::Path::new(path).extension().is_some_and(|e| e == "csv"))
            .collect();
        assert_eq!(described, tables);
    }
}
