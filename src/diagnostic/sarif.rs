//! Diagnostics as SARIF 2.1.0 (OASIS), which code-scanning services read.

use serde_json::{Value, json};

use super::{Code, Context, Diagnostic, Severity, Span};

/// One SARIF log with one run. Files are relative to where the program was called.
pub fn render(diagnostics: &[Diagnostic], context: &Context) -> String {
    let mut codes: Vec<Code> = diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
    codes.sort_unstable();
    codes.dedup();
    let rules: Vec<Value> = codes.iter().map(|&code| rule(code)).collect();
    let results: Vec<Value> = diagnostics
        .iter()
        .map(|diagnostic| {
            let index = codes.binary_search(&diagnostic.code).unwrap_or_default();
            result(diagnostic, index, context)
        })
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": env!("CARGO_PKG_NAME"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    let mut text = serde_json::to_string_pretty(&log).unwrap_or_default();
    text.push('\n');
    text
}

fn level(code: Code) -> &'static str {
    match code.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

fn rule(code: Code) -> Value {
    json!({
        "id": code.as_str(),
        "shortDescription": { "text": code.meaning() },
        "defaultConfiguration": { "level": level(code) },
    })
}

fn result(diagnostic: &Diagnostic, rule_index: usize, context: &Context) -> Value {
    let file = context.path(diagnostic.place.file());
    let mut result = json!({
        "ruleId": diagnostic.code.as_str(),
        "ruleIndex": rule_index,
        "level": level(diagnostic.code),
        "message": { "text": format!("{}\nhelp: {}", diagnostic.message, diagnostic.help) },
        "locations": [{ "physicalLocation": location(&file, diagnostic.place.span()) }],
    });
    if !diagnostic.related.is_empty() {
        let related: Vec<Value> = diagnostic
            .related
            .iter()
            .map(|(span, label)| {
                json!({
                    "physicalLocation": location(&context.path(&span.file), Some(span)),
                    "message": { "text": label },
                })
            })
            .collect();
        result["relatedLocations"] = Value::Array(related);
    }
    result
}

fn location(file: &str, span: Option<&Span>) -> Value {
    let mut location = json!({ "artifactLocation": { "uri": uri(file) } });
    if let Some(span) = span {
        location["region"] = json!({
            "startLine": span.line,
            "startColumn": span.column,
            "endLine": span.line,
            "endColumn": span.end_column,
        });
    }
    location
}

/// A path as a relative URI reference (RFC 3986).
fn uri(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for &byte in path.as_bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'/') {
            out.push(char::from(byte));
        } else {
            let digit = |nibble: u8| char::from(b"0123456789ABCDEF"[usize::from(nibble)]);
            out.extend(['%', digit(byte >> 4), digit(byte & 15)]);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::tests::{CONTEXT, sample};

    #[test]
    fn results_point_at_rules_and_places() {
        let log: Value = serde_json::from_str(&render(&sample(), &CONTEXT)).unwrap();
        let run = &log["runs"][0];
        assert_eq!(log["version"], "2.1.0");
        for result in run["results"].as_array().unwrap() {
            let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
            assert_eq!(run["tool"]["driver"]["rules"][index]["id"], result["ruleId"]);
        }
        let first = &run["results"][0];
        assert_eq!(
            first["locations"][0]["physicalLocation"],
            json!({
                "artifactLocation": { "uri": "data/a.csv" },
                "region": { "startLine": 2, "startColumn": 1, "endLine": 2, "endColumn": 4 },
            })
        );
        assert_eq!(first["relatedLocations"][0]["message"]["text"], "first given here");
        let whole = &run["results"][1]["locations"][0]["physicalLocation"];
        assert_eq!(
            *whole,
            json!({ "artifactLocation": { "uri": "data/empty%2C%20or%2050%25.csv" } })
        );
    }
}
