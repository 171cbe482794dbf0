//! Data folders for tests.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use tempfile::TempDir;

/// The program under test.
pub const PACEBOARD: &str = env!("CARGO_BIN_EXE_paceboard");

/// A working folder with a data folder in it, where `paceboard build` makes `site/`.
pub struct Folder {
    root: TempDir,
}

impl Folder {
    /// A data folder with a title and no study.
    pub fn new() -> Self {
        let folder = Self { root: tempfile::tempdir().unwrap() };
        folder.file("site.toml", "title = \"Test\"\ntagline = \"A site for tests.\"\n")
    }

    /// One study: two operators, three shapes, a library, a contender that has measured all
    /// shapes and one that has not.
    pub fn example() -> Self {
        Self::new()
            .file(
                "studies/demo/study.toml",
                r#"title = "Demonstration"
summary = "Two kernels on one machine."
headline = "main"
tie_band = 0.005

[[board]]
id = "main"
title = "Against the library"
kind = "speedup"
classes = ["paired"]
[board.baseline]
id = "library"
name = "Library"
members = ["lib"]
[[board.contender]]
id = "goal"
name = "Goal"
members = ["goal"]
[[board.contender]]
id = "agent"
name = "Agent"
members = ["agent"]
"#,
            )
            .file(
                "studies/demo/operators.csv",
                "id,name,standard\nadd,Vector addition,atol 1e-6\nsoftmax,Softmax,atol 1e-5\n",
            )
            .file(
                "studies/demo/shapes.csv",
                "operator,id,name,description\n\
                 add,n-1024,N 1024,\n\
                 add,n-4096,N 4096,\n\
                 softmax,rows-8,8 rows,8 rows of 1024\n",
            )
            .file(
                "studies/demo/implementations.csv",
                "id,name,role\nlib,Library 1.2,library\ngoal,Goal kernel,goal-only\n\
                 agent,Agent kernel,agent\n",
            )
            .file("studies/demo/batches.csv", "id,name,class\nfirst,First campaign,paired\n")
            .file("studies/demo/latencies/all.csv", LATENCIES)
            .file(
                "studies/demo/retests/all.csv",
                "operator,implementation,standard,outcome\n\
                 ,lib,atol 1e-5,pass\n,goal,atol 1e-5,pass\n,agent,atol 1e-5,pass\n",
            )
    }

    /// The same folder with one more file, or with another text in it.
    pub fn file(self, path: &str, text: &str) -> Self {
        self.write(path, text);
        self
    }

    /// Writes a file of the data folder.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.data().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Where commands run.
    pub fn root(&self) -> &Path {
        self.root.path()
    }

    /// The data folder.
    pub fn data(&self) -> PathBuf {
        self.root().join("data")
    }

    /// A command in the working folder, untouched by the environment of the test run.
    pub fn paceboard(&self, arguments: &[&str]) -> assert_cmd::Command {
        let mut command = assert_cmd::Command::new(PACEBOARD);
        command.args(arguments).current_dir(self.root()).env_remove("SOURCE_DATE_EPOCH");
        command
    }

    /// Runs a command that must end with this code; its stdout and stderr.
    pub fn run(&self, arguments: &[&str], code: i32) -> (String, String) {
        outcome(self.paceboard(arguments), code)
    }

    /// Every file below a folder of the working folder, by path.
    pub fn files(&self, below: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        let below = self.root().join(below);
        walkdir::WalkDir::new(&below)
            .into_iter()
            .map(Result::unwrap)
            .filter(|entry| entry.file_type().is_file())
            .map(|entry| {
                let path = entry.path().strip_prefix(&below).unwrap().to_owned();
                (path, std::fs::read(entry.path()).unwrap())
            })
            .collect()
    }
}

/// Runs a command that must end with this code; its stdout and stderr.
pub fn outcome(mut command: assert_cmd::Command, code: i32) -> (String, String) {
    let output = command.output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "stdout:\n{stdout}\nstderr:\n{stderr}");
    (stdout, stderr)
}

/// The latencies of [`Folder::example`].
pub const LATENCIES: &str = "\
operator,shape,implementation,batch,latency_us
add,n-1024,lib,first,2.00
add,n-1024,goal,first,1.00
add,n-1024,agent,first,4.00
add,n-4096,lib,first,8.00
add,n-4096,goal,first,1.00
softmax,rows-8,lib,first,6.0
softmax,rows-8,goal,first,6.0
softmax,rows-8,agent,first,3.0
";

/// [`LATENCIES`] with a word where a number should be, on line 3, column 23.
pub fn broken_latencies() -> String {
    let broken =
        LATENCIES.replace("goal,first,1.00\nadd,n-1024,agent", "goal,first,fast\nadd,n-1024,agent");
    assert_ne!(broken, LATENCIES);
    broken
}
