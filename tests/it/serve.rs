//! `paceboard serve`, over a socket.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use crate::folder::{Folder, LATENCIES, PACEBOARD, broken_latencies};

/// How long anything may take before the test fails.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server. It ends with the test, whatever becomes of the test.
struct Server {
    child: Child,
    address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    fn start(folder: &Folder) -> Self {
        let mut child = Command::new(PACEBOARD)
            .args(["serve", "--port", "0"])
            .current_dir(folder.root())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line
            .trim()
            .rsplit_once("http://")
            .map(|(_, address)| address.trim_end_matches('/').to_owned());
        let server = Self { child, address: address.unwrap_or_default() };
        assert!(server.address.starts_with("127.0.0.1:"), "{line:?}");
        server
    }

    /// Head and body of the answer to a request with this first line and host.
    fn ask(&self, request: &str, host: &str) -> (String, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(stream, "{request} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer);
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.to_owned(), body.to_owned())
    }

    fn get(&self, path: &str) -> (String, String) {
        self.ask(&format!("GET {path}"), &self.address)
    }

    /// The page, as soon as it is what is waited for.
    fn wait_for(&self, path: &str, expected: impl Fn(&str) -> bool) -> String {
        let start = Instant::now();
        loop {
            let (_, body) = self.get(path);
            if expected(&body) {
                return body;
            }
            assert!(start.elapsed() < PATIENCE, "still\n{body}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

#[test]
fn pages_are_served_and_reload_themselves() {
    let folder = Folder::example();
    let server = Server::start(&folder);
    for path in ["/", "/demo/", "/demo/main/", "/demo/operators/add/n-1024/"] {
        let (head, body) = server.get(path);
        assert!(head.starts_with("HTTP/1.1 200"), "{path}: {head}");
        assert!(body.contains("/.paceboard/live.js"), "{path}");
        assert!(body.contains("connect-src 'self'"), "{path}: its policy lets it ask the server");
    }
    let (head, _) = server.get("/nothing/here");
    assert!(head.starts_with("HTTP/1.1 404"), "{head}");
    assert!(!folder.root().join("site").exists(), "nothing is written");
}

#[test]
fn a_bad_edit_is_shown_and_the_last_good_site_stays() {
    let folder = Folder::example();
    let server = Server::start(&folder);
    let page = "/demo/operators/add/n-1024/";
    let (_, good) = server.get(page);
    assert!(good.contains("2.00"));

    folder.write("studies/demo/latencies/all.csv", &broken_latencies());
    let bad = server.wait_for(page, |body| body.contains("paceboard-fault"));
    assert!(bad.contains("latencies/all.csv:3:23"), "{bad}");
    assert!(bad.contains("N 1024"), "the page itself is still there");

    folder.write(
        "studies/demo/latencies/all.csv",
        &LATENCIES.replace("goal,first,1.00", "goal,first,1.25"),
    );
    let fixed = server.wait_for(page, |body| !body.contains("paceboard-fault"));
    assert!(fixed.contains("1.25"), "{fixed}");
}

#[test]
fn a_folder_that_is_bad_from_the_start_is_served_as_its_faults() {
    let folder = Folder::example().file("studies/demo/latencies/all.csv", &broken_latencies());
    let server = Server::start(&folder);
    let (head, body) = server.get("/");
    assert!(head.starts_with("HTTP/1.1 503"), "{head}");
    assert!(body.contains("latencies/all.csv:3:23"), "{body}");

    folder.write("studies/demo/latencies/all.csv", LATENCIES);
    server.wait_for("/", |body| body.contains("A site for tests."));
}

#[test]
fn a_waiting_page_is_told_of_a_change() {
    let folder = Folder::example();
    let server = Server::start(&folder);
    let (_, version) = server.get("/.paceboard/version");
    let asked = std::thread::scope(|scope| {
        let waiting =
            scope.spawn(|| server.get(&format!("/.paceboard/version?seen={}", version.trim())));
        folder.write("site.toml", "title = \"Test\"\ntagline = \"Another line.\"\n");
        waiting.join().unwrap().1
    });
    assert_ne!(asked, version);
    assert!(server.get("/").1.contains("Another line."));
}

#[test]
fn other_hosts_and_other_files_are_refused() {
    let folder = Folder::example();
    std::fs::write(folder.root().join("secret.txt"), "secret").unwrap();
    let server = Server::start(&folder);
    for host in ["example.org", "localhost.example.org"] {
        let (head, _) = server.ask("GET /", host);
        assert!(head.starts_with("HTTP/1.1 403"), "{host}: {head}");
    }
    for path in
        ["/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/demo/../../secret.txt"]
    {
        let (head, body) = server.get(path);
        assert!(head.starts_with("HTTP/1.1 404"), "{path}: {head}");
        assert!(!body.contains("secret\n") && body != "secret", "{path}");
    }
    let (head, _) = server.ask("POST /", "localhost");
    assert!(head.starts_with("HTTP/1.1 405"), "{head}");
}
