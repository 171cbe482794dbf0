//! What the server adds to the pages it serves: a script that reloads them, a banner while the
//! data has an error, and the permission for both in the page's Content-Security-Policy.

/// Where the additions are served. No page of a site begins with a dot.
pub const SCRIPT_PATH: &str = ".paceboard/live.js";
pub const STYLE_PATH: &str = ".paceboard/live.css";
pub const VERSION_PATH: &str = ".paceboard/version";

/// Asks for the version until it is another one, then reloads. When the server is gone it asks
/// ever more slowly.
pub const SCRIPT: &str = r#""use strict";
(() => {
  const seen = document.currentScript.dataset.version;
  let pause = 250;
  const ask = async () => {
    try {
      const answer = await fetch("/.paceboard/version?seen=" + seen, { cache: "no-store" });
      const version = (await answer.text()).trim();
      if (answer.ok && version !== seen) { location.reload(); return; }
      pause = answer.ok ? 0 : pause;
    } catch {
      pause = Math.min(Math.max(pause, 250) * 2, 5000);
    }
    setTimeout(ask, pause);
  };
  ask();
})();
"#;

pub const STYLE: &str = "\
.paceboard-fault { box-sizing: border-box; position: sticky; top: 0; z-index: 1000; margin: 0;
  max-height: 60vh; overflow: auto; padding: 1rem; background: #7a1020; color: #fff; }
.paceboard-fault h2 { margin: 0 0 .5rem; font: 600 1rem/1.4 system-ui, sans-serif; color: #fff; }
.paceboard-fault pre { margin: 0; padding: 0; border: 0; background: none; color: #fff;
  font: .8125rem/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
@media print { .paceboard-fault { display: none; } }
";

/// A page as the server sends it.
pub fn page(html: &str, version: u64, fault: Option<&str>) -> String {
    let html = relax(html);
    let banner =
        fault.map(|text| banner(text, "The last good site is shown below.")).unwrap_or_default();
    let body = body_start(&html);
    let end = html.rfind("</body>").unwrap_or(html.len());
    let (before, rest) = html.split_at(body);
    let (content, after) = rest.split_at(end.max(body) - body);
    format!("{before}{banner}{content}{}{after}", script(version))
}

/// The page that is shown everywhere while there is no site at all.
pub fn no_site(version: u64, fault: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>Error in the data</title></head><body>{}{}</body></html>\n",
        banner(fault, "There is no site to show yet."),
        script(version)
    )
}

fn banner(text: &str, consequence: &str) -> String {
    format!(
        "<link rel=\"stylesheet\" href=\"/{STYLE_PATH}\">\
         <section class=\"paceboard-fault\" role=\"alert\" tabindex=\"0\">\
         <h2>The data has an error. {consequence}</h2><pre>{}</pre></section>",
        escape(text)
    )
}

fn script(version: u64) -> String {
    format!("<script src=\"/{SCRIPT_PATH}\" data-version=\"{version}\"></script>")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Where the content of the body begins.
fn body_start(html: &str) -> usize {
    html.find("<body").and_then(|at| html[at..].find('>').map(|end| at + end + 1)).unwrap_or(0)
}

/// The page with a policy that lets the server's own script ask the server.
fn relax(html: &str) -> String {
    let Some(policy) = policy_range(html) else {
        return html.to_owned();
    };
    let (before, rest) = html.split_at(policy.start);
    let (policy, after) = rest.split_at(policy.len());
    format!("{before}{}{after}", allow_self(policy))
}

/// Where the value of the policy's `content` attribute stands.
fn policy_range(html: &str) -> Option<std::ops::Range<usize>> {
    let name = html.find("Content-Security-Policy")?;
    let tag = html[..name].rfind("<meta")?;
    let end = name + html[name..].find('>')?;
    let value = tag + html[tag..end].find("content=\"")? + "content=\"".len();
    let length = html[value..end].find('"')?;
    Some(value..value + length)
}

/// Adds `'self'` to the directives that the additions need.
fn allow_self(policy: &str) -> String {
    const NEEDED: [&str; 3] = ["script-src", "style-src", "connect-src"];
    let mut directives: Vec<Vec<&str>> = policy
        .split(';')
        .map(|directive| directive.split_whitespace().collect::<Vec<_>>())
        .filter(|directive| !directive.is_empty())
        .collect();
    let default = directives.iter().find(|d| d[0] == "default-src").map(|d| d[1..].to_vec());
    for needed in NEEDED {
        let at = directives.iter().position(|d| d[0] == needed).unwrap_or_else(|| {
            let mut directive = vec![needed];
            directive.extend(default.iter().flatten());
            directives.push(directive);
            directives.len() - 1
        });
        let directive = &mut directives[at];
        directive.retain(|source| *source != "'none'");
        if !directive.contains(&"'self'") {
            directive.push("'self'");
        }
    }
    let directives: Vec<String> = directives.iter().map(|d| d.join(" ")).collect();
    directives.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_gains_what_the_server_needs_and_nothing_else() {
        for (policy, expected) in [
            (
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'",
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'",
            ),
            (
                "default-src 'self'; connect-src 'none'",
                "default-src 'self'; connect-src 'self'; script-src 'self'; style-src 'self'",
            ),
            (
                "script-src 'sha256-x'; style-src 'sha256-y'",
                "script-src 'sha256-x' 'self'; style-src 'sha256-y' 'self'; connect-src 'self'",
            ),
        ] {
            assert_eq!(allow_self(policy), expected);
        }
    }

    #[test]
    fn additions_stand_inside_the_body() {
        let html = "<html><head><meta content=\"default-src 'none'\" \
                    http-equiv=\"Content-Security-Policy\"></head>\
                    <body class=\"x\"><p>one</p></body></html>";
        let served = page(html, 7, Some("a < b"));
        assert!(served.contains("connect-src 'self'\" http-equiv"), "{served}");
        assert!(served.contains("<body class=\"x\"><link"), "{served}");
        assert!(served.contains("<pre>a &lt; b</pre></section><p>one</p><script"), "{served}");
        assert!(served.ends_with("data-version=\"7\"></script></body></html>"), "{served}");

        assert!(!page(html, 7, None).contains("paceboard-fault"));
        assert!(page("no markup", 1, None).starts_with("no markup<script"));
    }
}
