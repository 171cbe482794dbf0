//! `paceboard verify`.

use crate::folder::Folder;

fn built() -> Folder {
    let folder = Folder::example();
    folder.run(&["build"], 0);
    folder
}

#[test]
fn a_fresh_site_is_whole() {
    let (stdout, _) = built().run(&["verify", "site"], 0);
    assert!(stdout.contains("as its manifest says"), "{stdout}");
}

#[test]
fn a_changed_file_is_named() {
    let folder = built();
    let page = folder.root().join("site/demo/index.html");
    let text = std::fs::read_to_string(&page).unwrap();
    std::fs::write(&page, text.replace("Demonstration", "Demonstratiom")).unwrap();
    let (stdout, _) = folder.run(&["verify", "site"], 1);
    assert!(stdout.contains("demo/index.html"), "{stdout}");
}

#[test]
fn a_missing_file_and_an_extra_one_are_named() {
    let folder = built();
    std::fs::remove_file(folder.root().join("site/demo/index.html")).unwrap();
    std::fs::write(folder.root().join("site/demo/extra.html"), "").unwrap();
    let (stdout, _) = folder.run(&["verify", "site"], 1);
    assert!(stdout.contains("demo/index.html"), "{stdout}");
    assert!(stdout.contains("demo/extra.html"), "{stdout}");
}

#[test]
fn what_is_no_site_cannot_be_verified() {
    let folder = Folder::example();
    folder.run(&["verify", "nowhere"], 2);
    folder.run(&["verify", "data"], 2);
}
