//! The data format as a Frictionless Data Package (version 2), so that tools that have never
//! heard of Paceboard can read and check a data folder.
//!
//! A Data Package describes files, not kinds of files: there is a resource for every CSV file
//! that is there, with the columns that this file has. Of a folder at fault it describes what
//! should be there.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{ColumnSchema, ColumnType, Content, Entity, FileKind, FileSchema, classify, pattern};
use crate::model::MAX_LENGTH;

const PROFILE: &str = "https://datapackage.org/profiles/2.0/datapackage.json";
const DESCRIPTION: &str = "The CSV tables of a Paceboard data folder. Not said here, as a Data \
    Package cannot: several files of one kind are one table, so their keys are unique across \
    files; a shape that may be empty must be one of its operator; lists of ids (notes, a claim's \
    operators) name things that exist; boards, contenders and classes are those of study.toml; a \
    range has both ends or none and holds its value; numbers are never NaN or INF; dates are not \
    after today. `paceboard check` knows all rules.";

/// A CSV file of a data folder.
#[derive(Debug, Clone, Copy)]
pub struct TableFile<'a> {
    /// Path relative to the data folder; it decides what the file is.
    pub path: &'a str,
    /// Path relative to the descriptor.
    pub at: &'a str,
    /// Its text.
    pub text: &'a str,
}

#[derive(Serialize)]
struct Package<'a> {
    #[serde(rename = "$schema")]
    profile: &'static str,
    name: String,
    title: &'a str,
    description: &'static str,
    resources: Vec<Resource<'a>>,
}

#[derive(Serialize)]
struct Resource<'a> {
    name: String,
    path: &'a str,
    description: &'static str,
    r#type: &'static str,
    format: &'static str,
    mediatype: &'static str,
    encoding: &'static str,
    schema: Schema,
}

#[derive(Serialize)]
struct Schema {
    fields: Vec<Field>,
    #[serde(rename = "missingValues")]
    missing_values: [&'static str; 1],
    #[serde(rename = "primaryKey", skip_serializing_if = "Vec::is_empty")]
    primary_key: Vec<&'static str>,
    #[serde(rename = "foreignKeys", skip_serializing_if = "Vec::is_empty")]
    foreign_keys: Vec<ForeignKey>,
}

#[derive(Serialize)]
struct Field {
    name: String,
    r#type: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'static str,
    constraints: Constraints,
}

#[derive(Default, Serialize)]
struct Constraints {
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    required: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pattern: Option<String>,
    #[serde(rename = "maxLength", skip_serializing_if = "Option::is_none")]
    max_length: Option<usize>,
    #[serde(rename = "enum", skip_serializing_if = "Option::is_none")]
    words: Option<&'static [&'static str]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    minimum: Option<u8>,
    #[serde(rename = "exclusiveMinimum", skip_serializing_if = "Option::is_none")]
    exclusive_minimum: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    maximum: Option<u8>,
}

#[derive(Serialize)]
struct ForeignKey {
    fields: Vec<&'static str>,
    reference: Reference,
}

#[derive(Serialize)]
struct Reference {
    resource: String,
    fields: Vec<&'static str>,
}

/// The descriptor of some files of a data folder as one JSON document. Files that are no tables
/// of the format are passed over, foreign keys to files that are not among them left out.
pub fn descriptor<'a>(name: &str, title: &'a str, files: &[TableFile<'a>]) -> String {
    let tables: Vec<Known<'a>> = files.iter().filter_map(|file| Known::of(*file)).collect();
    let names = Names::of(&tables);
    let resources = tables.iter().map(|table| resource(table, &names)).collect();
    let package =
        Package { profile: PROFILE, name: slug(name), title, description: DESCRIPTION, resources };
    // Plain strings, numbers and lists: nothing in them can fail to be written.
    serde_json::to_string_pretty(&package).unwrap_or_default() + "\n"
}

/// A file whose kind is known.
struct Known<'a> {
    file: TableFile<'a>,
    schema: &'static FileSchema,
    study: Option<&'a str>,
}

impl<'a> Known<'a> {
    fn of(file: TableFile<'a>) -> Option<Self> {
        let (schema, study) = classify(file.path)?;
        let is_table = matches!(schema.content, Content::Table { .. } | Content::FreeTable);
        is_table.then_some(Self { file, schema, study })
    }
}

/// The names of resources. Each is unique.
struct Names<'a> {
    by_path: BTreeMap<&'a str, String>,
    /// The files that others can refer to, each alone of its kind in its study.
    by_kind: BTreeMap<(FileKind, Option<&'a str>), &'a str>,
}

impl<'a> Names<'a> {
    fn of(tables: &[Known<'a>]) -> Self {
        let mut taken = BTreeSet::new();
        let mut by_path = BTreeMap::new();
        let mut by_kind = BTreeMap::new();
        for Known { file, schema, study } in tables {
            let path = file.path;
            let plain = path.strip_suffix(".csv").unwrap_or(path);
            let plain = slug(plain.strip_prefix("studies/").unwrap_or(plain));
            let mut name = plain.clone();
            let mut number = 2;
            while !taken.insert(name.clone()) {
                name = format!("{plain}-{number}");
                number += 1;
            }
            by_path.insert(path, name);
            if !schema.pattern.contains('*') {
                by_kind.insert((schema.kind, *study), path);
            }
        }
        Self { by_path, by_kind }
    }

    fn of_path(&self, path: &str) -> String {
        self.by_path.get(path).cloned().unwrap_or_default()
    }

    /// The resource of a kind, in a study or in none.
    fn of_kind(&self, kind: FileKind, study: Option<&str>) -> Option<String> {
        let study = if kind == FileKind::Gpus { None } else { study };
        let path =
            self.by_kind.iter().find(|((of, in_study), _)| *of == kind && *in_study == study);
        path.map(|(_, path)| self.of_path(path))
    }
}

/// Small letters, digits, `.`, `_`, `-` and `/`: what names of resources are made of.
fn slug(text: &str) -> String {
    let plain = |c: char| match c.to_ascii_lowercase() {
        c @ ('a'..='z' | '0'..='9' | '.' | '_' | '-' | '/') => c,
        _ => '-',
    };
    text.chars().map(plain).collect()
}

fn resource<'a>(table: &Known<'a>, names: &Names<'_>) -> Resource<'a> {
    let header = header(table.file.text);
    let schema = match table.schema.content {
        Content::Table { key, columns } => Schema {
            fields: fields(&header, columns),
            missing_values: [""],
            // A column of the key that may be empty cannot be part of a primary key.
            primary_key: if key.iter().all(|name| is_required(columns, name)) {
                key.to_vec()
            } else {
                Vec::new()
            },
            foreign_keys: foreign_keys(table, &header, columns, names),
        },
        _ => Schema {
            fields: header.iter().map(|name| free_field(name)).collect(),
            missing_values: [""],
            primary_key: Vec::new(),
            foreign_keys: Vec::new(),
        },
    };
    Resource {
        name: names.of_path(table.file.path),
        path: table.file.at,
        description: table.schema.help,
        r#type: "table",
        format: "csv",
        mediatype: "text/csv",
        encoding: "utf-8",
        schema,
    }
}

fn header(text: &str) -> Vec<String> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = csv::ReaderBuilder::new().has_headers(true).from_reader(body.as_bytes());
    let names = |header: &csv::StringRecord| header.iter().map(str::to_owned).collect();
    reader.headers().map(names).unwrap_or_default()
}

fn is_required(columns: &[ColumnSchema], name: &str) -> bool {
    columns.iter().any(|column| column.name == name && column.required)
}

/// The columns that the file has, in its order, then those that it lacks and must have. A column
/// that the format does not know is not described, and so it is a fault here, too.
fn fields(header: &[String], columns: &'static [ColumnSchema]) -> Vec<Field> {
    let known = header.iter().filter_map(|name| columns.iter().find(|c| c.name == *name));
    let missing = columns.iter().filter(|c| c.required && !header.iter().any(|h| h == c.name));
    known.chain(missing).map(field).collect()
}

fn field(column: &ColumnSchema) -> Field {
    let mut constraints = Constraints { required: column.required, ..Constraints::default() };
    let pattern = || Some(pattern::of_cell(column.kind));
    let r#type = match column.kind {
        ColumnType::Id | ColumnType::Reference(_) => {
            constraints.pattern = pattern();
            constraints.max_length = Some(MAX_LENGTH);
            "string"
        }
        ColumnType::References(_) | ColumnType::Text | ColumnType::Link | ColumnType::Statistic => {
            constraints.pattern = pattern();
            "string"
        }
        ColumnType::OneOf(words) => {
            constraints.words = Some(words);
            "string"
        }
        ColumnType::Positive => {
            constraints.exclusive_minimum = Some(0);
            "number"
        }
        ColumnType::Published => "number",
        ColumnType::NonNegative => {
            constraints.minimum = Some(0);
            "number"
        }
        ColumnType::Share => {
            constraints.minimum = Some(0);
            constraints.maximum = Some(1);
            "number"
        }
        ColumnType::Count => {
            constraints.minimum = Some(0);
            "integer"
        }
        ColumnType::Date => "date",
    };
    Field { name: column.name.to_owned(), r#type, description: column.help, constraints }
}

fn free_field(name: &str) -> Field {
    let constraints = Constraints::default();
    Field { name: name.to_owned(), r#type: "string", description: "", constraints }
}

fn foreign_keys(
    table: &Known<'_>,
    header: &[String],
    columns: &'static [ColumnSchema],
    names: &Names<'_>,
) -> Vec<ForeignKey> {
    let has = |name: &str| header.iter().any(|column| column == name) || is_required(columns, name);
    let references = columns.iter().filter(|column| has(column.name));
    references
        .filter_map(|column| {
            let ColumnType::Reference(entity) = column.kind else { return None };
            let kind = described_in(entity)?;
            let resource = names.of_kind(kind, table.study)?;
            let (fields, keys) = if entity == Entity::Shape {
                // A shape is unique within its operator. Where either may be empty, a Data
                // Package has no way to say "if it is given".
                if !column.required {
                    return None;
                }
                (vec!["operator", column.name], vec!["operator", "id"])
            } else {
                (vec![column.name], vec!["id"])
            };
            Some(ForeignKey { fields, reference: Reference { resource, fields: keys } })
        })
        .collect()
}

/// The table that describes such ids, if they are described in one.
fn described_in(entity: Entity) -> Option<FileKind> {
    match entity {
        Entity::Operator => Some(FileKind::Operators),
        Entity::Shape => Some(FileKind::Shapes),
        Entity::Implementation => Some(FileKind::Implementations),
        Entity::Batch => Some(FileKind::Batches),
        Entity::Gpu => Some(FileKind::Gpus),
        Entity::Run => Some(FileKind::Runs),
        Entity::Item => Some(FileKind::Items),
        Entity::Family => Some(FileKind::Families),
        Entity::Note | Entity::Class | Entity::Board | Entity::Contender | Entity::Effect => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn package(files: &[(&str, &str)]) -> Value {
        let files: Vec<_> =
            files.iter().map(|&(path, text)| TableFile { path, at: path, text }).collect();
        serde_json::from_str(&descriptor("data", "Data", &files)).unwrap()
    }

    const OPERATORS: (&str, &str) = ("studies/s/operators.csv", "id,name\na,A\n");
    const SHAPES: (&str, &str) = ("studies/s/shapes.csv", "name,operator,id\nB,a,b\n");

    #[test]
    fn fields_are_in_the_order_of_the_file() {
        let package = package(&[("studies/s/shapes.csv", "\u{feff}name,\"id\",wrong\r\nB,b,\r\n")]);
        let fields: Vec<_> = package["resources"][0]["schema"]["fields"]
            .as_array()
            .unwrap()
            .iter()
            .map(|field| field["name"].as_str().unwrap())
            .collect();
        assert_eq!(fields, ["name", "id", "operator"]);
    }

    #[test]
    fn keys_lead_to_the_tables_of_the_same_study() {
        let other = ("studies/t/operators.csv", "id,name\na,A\n");
        let package = package(&[
            other,
            OPERATORS,
            SHAPES,
            ("studies/s/latencies/x.csv", "operator,shape,implementation,batch,latency_us\n"),
        ]);
        let latencies = &package["resources"][3]["schema"];
        assert_eq!(
            latencies["primaryKey"],
            json!(["operator", "shape", "implementation", "batch"])
        );
        // There is no table of implementations or batches to lead to.
        assert_eq!(
            latencies["foreignKeys"],
            json!([
                {
                    "fields": ["operator"],
                    "reference": { "resource": "s/operators", "fields": ["id"] },
                },
                {
                    "fields": ["operator", "shape"],
                    "reference": { "resource": "s/shapes", "fields": ["operator", "id"] },
                },
            ])
        );
    }

    #[test]
    fn what_may_be_empty_is_no_key() {
        let package = package(&[
            OPERATORS,
            SHAPES,
            ("studies/s/retests/x.csv", "operator,shape,implementation,outcome\n,,i,pass\n"),
        ]);
        let retests = &package["resources"][2]["schema"];
        assert_eq!(retests.get("primaryKey"), None);
        assert_eq!(retests["foreignKeys"].as_array().unwrap().len(), 1);
    }

    #[test]
    fn names_are_unique_and_plain() {
        let text = "id,name\n";
        let package = package(&[
            ("gpus.csv", text),
            ("studies/s/tables/A b.csv", text),
            ("studies/s/tables/a-b.csv", text),
            ("site.toml", "title = \"x\""),
            ("unknown.csv", text),
        ]);
        let names: Vec<_> = package["resources"]
            .as_array()
            .unwrap()
            .iter()
            .map(|resource| resource["name"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["gpus", "s/tables/a-b", "s/tables/a-b-2"]);
    }
}
