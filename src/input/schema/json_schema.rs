//! The data format as JSON Schema (2020-12).
//!
//! The instance that it describes is a data folder as one JSON object: a key for each file, its
//! path; the value of a table is a list of its rows, that of settings and of Markdown files the
//! object that their TOML stands for. A row is an object of strings, cells exactly as they are
//! written, without its empty cells: a number's text is its precision.

use serde_json::{Map, Value, json};

use super::{ColumnSchema, ColumnType, Content, FILES, FileSchema, KeySchema, KeyType, pattern};
use crate::model::MAX_LENGTH;

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";
const DESCRIPTION: &str = "A data folder as one JSON object: a key for each file, its path relative \
    to the folder. A CSV table is a list of its rows; a row is an object of strings, cells exactly \
    as they are written, without its empty cells. A TOML file is the object that it stands for, \
    with dates as text; a Markdown file is that of its front matter. Rules across rows and files \
    (unique keys, ids that must be described elsewhere, ranges, dates not after today) cannot be \
    said here: `paceboard check` knows them all.";

/// The schema as one JSON document.
pub fn document() -> String {
    let once = |file: &&FileSchema| file.required && !file.pattern.contains(['*', '<']);
    let schema = json!({
        "$schema": DIALECT,
        "title": "Paceboard data folder",
        "description": DESCRIPTION,
        "type": "object",
        "required": FILES.iter().filter(once).map(|file| file.pattern).collect::<Vec<_>>(),
        "patternProperties":
            FILES.iter().map(|file| (path(file.pattern), content(file))).collect::<Map<_, _>>(),
        "additionalProperties": false,
        "$defs": FILES
            .iter()
            .map(|file| (file.name.to_owned(), definition(file)))
            .collect::<Map<_, _>>(),
    });
    format!("{schema:#}\n")
}

/// A path's pattern as a regular expression.
fn path(pattern: &str) -> String {
    let part = |part: &str| match part {
        "<study>" => pattern::ID.to_owned(),
        part => part.replace('.', "\\.").replace('*', "[^/]+"),
    };
    format!("^{}$", pattern.split('/').map(part).collect::<Vec<_>>().join("/"))
}

fn content(file: &FileSchema) -> Value {
    let definition = json!({ "$ref": format!("#/$defs/{}", file.name) });
    match file.content {
        Content::Table { .. } | Content::FreeTable => {
            json!({ "type": "array", "items": definition })
        }
        Content::Settings(_) | Content::Markdown(_) => definition,
    }
}

/// A row of a table, or the settings of a file.
fn definition(file: &FileSchema) -> Value {
    match file.content {
        Content::Table { columns, .. } => {
            let required: Vec<_> = columns.iter().filter(|c| c.required).map(|c| c.name).collect();
            let cells = columns.iter().map(|column| (column.name.to_owned(), cell(column)));
            json!({
                "description": file.help,
                "type": "object",
                "properties": cells.collect::<Map<_, _>>(),
                "required": required,
                "additionalProperties": false,
            })
        }
        Content::FreeTable => json!({
            "description": file.help,
            "type": "object",
            "additionalProperties": { "type": "string" },
        }),
        Content::Settings(keys) | Content::Markdown(keys) => object(file.help, keys),
    }
}

fn cell(column: &ColumnSchema) -> Value {
    let mut schema = json!({ "description": column.help, "type": "string" });
    match column.kind {
        ColumnType::OneOf(words) => schema["enum"] = json!(words),
        kind => {
            schema["pattern"] = json!(pattern::of_cell(kind));
            if matches!(kind, ColumnType::Id | ColumnType::Reference(_)) {
                schema["maxLength"] = json!(MAX_LENGTH);
            }
        }
    }
    schema
}

fn object(description: &str, keys: &[KeySchema]) -> Value {
    let everywhere = keys.iter().filter(|key| key.required && key.boards.is_empty());
    let settings = keys.iter().map(|key| (key.name.to_owned(), setting(key)));
    let mut schema = json!({
        "description": description,
        "type": "object",
        "properties": settings.collect::<Map<_, _>>(),
        "required": everywhere.map(|key| key.name).collect::<Vec<_>>(),
        "additionalProperties": false,
    });
    let rules = by_kind(keys);
    if !rules.is_empty() {
        schema["allOf"] = Value::Array(rules);
    }
    schema
}

/// What holds on boards of each kind: the settings they must have, and those they cannot have.
fn by_kind(keys: &[KeySchema]) -> Vec<Value> {
    let kinds = keys.iter().find_map(|key| match key.kind {
        KeyType::OneOf(words) if key.name == "kind" => Some(words),
        _ => None,
    });
    let of_kind = |kind: &&'static str| {
        let of_boards = || keys.iter().filter(|key| !key.boards.is_empty());
        let must: Vec<_> = of_boards()
            .filter(|key| key.required && key.boards.contains(kind))
            .map(|key| key.name)
            .collect();
        let never: Map<_, _> = of_boards()
            .filter(|key| !key.boards.contains(kind))
            .map(|key| (key.name.to_owned(), Value::Bool(false)))
            .collect();
        json!({
            "if": { "properties": { "kind": { "const": kind } }, "required": ["kind"] },
            "then": { "required": must, "properties": never },
        })
    };
    kinds.unwrap_or_default().iter().map(of_kind).collect()
}

fn setting(key: &KeySchema) -> Value {
    let mut schema = of_type(key.kind);
    schema["description"] = json!(key.help);
    schema
}

fn of_type(kind: KeyType) -> Value {
    let id = || json!({ "type": "string", "pattern": pattern::id(), "maxLength": MAX_LENGTH });
    let text = |pattern: &str| json!({ "type": "string", "pattern": pattern });
    let list = |items: Value| json!({ "type": "array", "items": items });
    match kind {
        KeyType::Text => json!({ "type": "string", "minLength": 1 }),
        KeyType::Id => id(),
        KeyType::OneOf(words) => json!({ "type": "string", "enum": words }),
        KeyType::Link => text(pattern::LINK),
        KeyType::LineLink => text(pattern::LINE_LINK),
        KeyType::Colour => text(pattern::COLOUR),
        KeyType::Date => text(pattern::DATE),
        KeyType::Boolean => json!({ "type": "boolean" }),
        KeyType::Number(low, high) if high.is_finite() => {
            json!({ "type": "number", "minimum": low, "maximum": high })
        }
        KeyType::Number(low, _) => json!({ "type": "number", "minimum": low }),
        KeyType::Integer(most) => json!({ "type": "integer", "minimum": 0, "maximum": most }),
        KeyType::Texts => list(json!({ "type": "string" })),
        KeyType::Ids => list(id()),
        KeyType::Members => json!({
            "anyOf": [
                list(id()),
                { "type": "object", "additionalProperties": list(id()) },
            ],
        }),
        KeyType::Table(keys) => object("", keys),
        KeyType::Tables(keys) => list(object("", keys)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_a_definition_and_a_path() {
        let schema: Value = serde_json::from_str(&document()).unwrap();
        for file in FILES {
            let definition = &schema["$defs"][file.name];
            assert_eq!(definition["type"], "object", "{}", file.name);
            for column in file.columns() {
                assert_eq!(definition["properties"][column.name]["type"], "string");
            }
            assert!(schema["patternProperties"].get(path(file.pattern)).is_some());
        }
        assert_eq!(schema["required"], json!(["site.toml"]));
    }

    #[test]
    fn paths_become_anchored_expressions() {
        for (pattern, expected) in [
            ("site.toml", r"^site\.toml$"),
            (
                "studies/<study>/latencies/*.csv",
                r"^studies/[a-z0-9]([a-z0-9.-]*[a-z0-9])?/latencies/[^/]+\.csv$",
            ),
        ] {
            assert_eq!(path(pattern), expected);
        }
    }

    #[test]
    fn boards_of_each_kind_have_their_own_settings() {
        let schema: Value = serde_json::from_str(&document()).unwrap();
        let rules = schema["$defs"]["study"]["properties"]["board"]["items"]["allOf"].clone();
        let rules = rules.as_array().unwrap();
        assert_eq!(rules.len(), 3);
        let speedup = &rules[0];
        assert_eq!(speedup["if"]["properties"]["kind"]["const"], "speedup");
        assert_eq!(speedup["then"]["required"], json!(["classes", "baseline", "contender"]));
        assert_eq!(speedup["then"]["properties"]["tau"], false);
        assert!(speedup["then"]["properties"].get("classes").is_none());
    }
}
