//! One request, one answer.

use std::{io::Cursor, time::Duration};

use tiny_http::{Header, Method, Request, Response, StatusCode};

use super::{Current, Files, Shared, live};

/// How long a page waits for a change before it asks again.
const PATIENCE: Duration = Duration::from_secs(20);

/// Answers a request. May wait for a change, so that each request needs a thread of its own.
pub fn respond(request: Request, shared: &Shared) {
    let answer = answer(request.method(), host(&request), request.url(), &shared.current());
    let reply = match answer {
        Answer::Now(reply) => reply,
        Answer::OnChange { seen } => {
            Reply::text(200, shared.wait_for_change(seen, PATIENCE).to_string())
        }
    };
    send(request, reply);
}

fn send(request: Request, reply: Reply) {
    let mut headers = vec![
        header("Content-Type", reply.kind),
        // What is served changes under the reader's hands.
        header("Cache-Control", "no-store"),
        header("X-Content-Type-Options", "nosniff"),
        header("Cross-Origin-Resource-Policy", "same-origin"),
        header("X-Frame-Options", "DENY"),
    ];
    headers.extend(reply.location.as_deref().map(|location| header("Location", location)));
    let length = reply.body.len();
    let body = Cursor::new(reply.body);
    let headers = headers.into_iter().flatten().collect();
    let status = StatusCode(reply.status);
    // A reader that went away does not need an answer.
    let _ = request.respond(Response::new(status, headers, body, Some(length), None));
}

fn header(name: &str, value: &str) -> Option<Header> {
    Header::from_bytes(name, value).ok()
}

fn host(request: &Request) -> Option<&str> {
    let mut hosts = request.headers().iter().filter(|header| header.field.equiv("Host"));
    match (hosts.next(), hosts.next()) {
        (Some(host), None) => Some(host.value.as_str()),
        _ => None,
    }
}

#[derive(Debug, PartialEq)]
enum Answer {
    Now(Reply),
    OnChange {
        /// The version that the page shows.
        seen: u64,
    },
}

#[derive(Debug, PartialEq)]
struct Reply {
    status: u16,
    kind: &'static str,
    body: Vec<u8>,
    location: Option<String>,
}

impl Reply {
    fn new(status: u16, kind: &'static str, body: impl Into<Vec<u8>>) -> Self {
        Self { status, kind, body: body.into(), location: None }
    }

    fn text(status: u16, text: impl Into<String>) -> Self {
        Self::new(status, "text/plain; charset=utf-8", text.into())
    }
}

/// What a request gets. A name that is not this machine's own is refused: a page of another site
/// could have had it resolved to this address, and would read the answer as its own.
fn answer(method: &Method, host: Option<&str>, url: &str, current: &Current) -> Answer {
    if !host.is_some_and(is_local) {
        return Answer::Now(Reply::text(403, "only localhost and 127.0.0.1 are served\n"));
    }
    if !matches!(method, Method::Get | Method::Head) {
        return Answer::Now(Reply::text(405, "only GET and HEAD are served\n"));
    }
    let (path, query) = url.split_once('?').unwrap_or((url, ""));
    let Some(path) = path.strip_prefix('/').and_then(percent_decoded) else {
        return Answer::Now(Reply::text(400, "not a path\n"));
    };
    let version = current.version;
    let seen = query.strip_prefix("seen=").and_then(|seen| seen.parse().ok());
    if let (live::VERSION_PATH, Some(seen)) = (path.as_str(), seen) {
        return Answer::OnChange { seen };
    }
    Answer::Now(match path.as_str() {
        live::VERSION_PATH => Reply::text(200, version.to_string()),
        live::SCRIPT_PATH => Reply::new(200, "text/javascript; charset=utf-8", live::SCRIPT),
        live::STYLE_PATH => Reply::new(200, "text/css; charset=utf-8", live::STYLE),
        path => {
            if let Some(files) = &current.site {
                file(files, path, current)
            } else {
                let fault = current.fault.as_deref().unwrap_or("The site is being built.");
                Reply::new(503, HTML, live::no_site(version, fault))
            }
        }
    })
}

const HTML: &str = "text/html; charset=utf-8";

fn file(files: &Files, path: &str, current: &Current) -> Reply {
    let index = if path.is_empty() || path.ends_with('/') {
        format!("{path}index.html")
    } else {
        path.to_owned()
    };
    if let Some(bytes) = files.get(&index) {
        return served(200, &index, bytes, current);
    }
    // Known to be a folder of the site: the target is one of its own paths.
    if files.contains_key(&format!("{path}/index.html")) {
        let mut reply = Reply::text(302, "");
        reply.location = Some(format!("/{path}/"));
        return reply;
    }
    match files.get("404.html") {
        Some(bytes) => served(404, "404.html", bytes, current),
        None => Reply::text(404, "not found\n"),
    }
}

fn served(status: u16, path: &str, bytes: &[u8], current: &Current) -> Reply {
    let kind = kind_of(path);
    match std::str::from_utf8(bytes) {
        Ok(html) if kind == HTML => {
            Reply::new(status, kind, live::page(html, current.version, current.fault.as_deref()))
        }
        _ => Reply::new(status, kind, bytes),
    }
}

fn kind_of(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => HTML,
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "json" | "webmanifest" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "xml" => "application/xml",
        "csv" => "text/csv; charset=utf-8",
        "txt" | "md" | "toml" | "bib" => "text/plain; charset=utf-8",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}

/// Whether a `Host` header names this machine, with any port.
fn is_local(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    name.eq_ignore_ascii_case("localhost") || name == "127.0.0.1"
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        if first != b'%' {
            bytes.push(first);
            continue;
        }
        let digits = rest.get(..2).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))?;
        bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
        rest = &rest[2..];
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn current() -> Current {
        let files = Files::from(
            [
                ("index.html", "home"),
                ("s/index.html", "study"),
                ("s/a.csv", "a,b"),
                ("404.html", "none"),
            ]
            .map(|(path, text)| (path.to_owned(), text.into())),
        );
        Current { version: 3, site: Some(Arc::new(files)), fault: None }
    }

    fn check(host: &str, url: &str, status: u16, starts: &str) {
        let Answer::Now(reply) = answer(&Method::Get, Some(host), url, &current()) else {
            panic!("{url} waits");
        };
        let body = String::from_utf8(reply.body).unwrap();
        assert_eq!(reply.status, status, "{host} {url}: {body}");
        assert!(body.starts_with(starts), "{host} {url}: {body}");
    }

    #[test]
    fn paths_name_keys_of_the_map() {
        for (url, status, starts) in [
            ("/", 200, "home"),
            ("/index.html?x=1", 200, "home"),
            ("/s/", 200, "study"),
            ("/s", 302, ""),
            ("/%73/a.csv", 200, "a,b"),
            ("/s/../../../etc/passwd", 404, "none"),
            ("/%2e%2e/%2e%2e/etc/passwd", 404, "none"),
            ("//example.org", 404, "none"),
            ("/%", 400, ""),
            ("/%+1", 400, ""),
            ("/%ff", 400, ""),
            ("http://example.org/", 400, ""),
        ] {
            check("localhost:4080", url, status, starts);
        }
    }

    #[test]
    fn only_this_machine_is_served() {
        for (host, status) in [
            ("localhost", 200),
            ("LOCALHOST:1", 200),
            ("127.0.0.1:4080", 200),
            ("example.org", 403),
            ("example.org:4080", 403),
            ("localhost.example.org", 403),
            ("127.0.0.1.example.org:80", 403),
            ("", 403),
        ] {
            check(host, "/", status, if status == 200 { "home" } else { "only" });
        }
        let refused = answer(&Method::Get, None, "/", &current());
        assert!(matches!(refused, Answer::Now(reply) if reply.status == 403));
    }

    #[test]
    fn a_page_waits_for_the_version_after_its_own() {
        let get = |url| answer(&Method::Get, Some("localhost"), url, &current());
        assert_eq!(get("/.paceboard/version?seen=3"), Answer::OnChange { seen: 3 });
        assert_eq!(get("/.paceboard/version"), Answer::Now(Reply::text(200, "3")));
    }

    #[test]
    fn nothing_can_be_sent_to_it() {
        let reply = answer(&Method::Post, Some("localhost"), "/", &current());
        assert!(matches!(reply, Answer::Now(reply) if reply.status == 405));
    }
}
