//! Reading JSON so that nothing is lost on the way: objects keep their order, and a repeated key
//! is an error instead of the last value.

use std::{fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error as _, MapAccess, Visitor},
};

use super::{Fault, Place, Source};

/// A JSON object whose keys are names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object<T>(pub Vec<(String, T)>);

impl<T> Default for Object<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Object<T> {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&T> {
        self.0.iter().find_map(|(name, value)| (name == key).then_some(value))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
            type Value = Object<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object<T>, A::Error> {
                let mut keys = std::collections::BTreeSet::new();
                let mut entries = Vec::new();
                while let Some(key) = map.next_key::<String>()? {
                    if !keys.insert(key.clone()) {
                        return Err(A::Error::custom(format!("the key `{key}` is given twice")));
                    }
                    entries.push((key, map.next_value()?));
                }
                Ok(Object(entries))
            }
        }

        deserializer.deserialize_map(Entries(PhantomData))
    }
}

/// A whole file as one JSON value.
pub fn file<T: DeserializeOwned>(source: &Source) -> Result<T, Fault> {
    serde_json::from_str(without_mark(&source.text)).map_err(|error| {
        Fault::new(&source.name, Place::Column(error.line(), error.column()), reason(&error))
    })
}

/// One line of a file as a JSON value.
pub fn line<T: DeserializeOwned>(file: &str, number: usize, text: &str) -> Result<T, Fault> {
    serde_json::from_str(text)
        .map_err(|error| Fault::new(file, Place::Column(number, error.column()), reason(&error)))
}

/// The lines of a file that hold something, with their numbers.
pub fn lines(source: &Source) -> impl Iterator<Item = (usize, &str)> {
    let lines = without_mark(&source.text).lines().enumerate();
    lines.map(|(index, line)| (index + 1, line)).filter(|(_, line)| !line.trim().is_empty())
}

fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// What the parser says, without the place, which the fault holds.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&place).unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Source {
        Source { name: "f.json".to_owned(), text: text.to_owned() }
    }

    #[test]
    fn objects_keep_their_order_and_refuse_a_repeated_key() {
        let read: Object<u32> = file(&source("\u{feff}{\"b\": 1, \"a\": 2}")).unwrap();
        assert_eq!(read.0, [("b".to_owned(), 1), ("a".to_owned(), 2)]);
        let fault = file::<Object<u32>>(&source("{\"a\": 1,\n \"a\": 2}")).unwrap_err();
        assert_eq!(fault.to_string(), "f.json:2:4: the key `a` is given twice");
    }

    #[test]
    fn a_line_at_fault_is_named_by_its_number_in_the_file() {
        let text = source("{}\n\n{\"a\": }\n");
        let numbers: Vec<usize> = lines(&text).map(|(number, _)| number).collect();
        assert_eq!(numbers, [1, 3]);
        let (number, line_text) = lines(&text).last().unwrap();
        let fault = line::<Object<u32>>("f.jsonl", number, line_text).unwrap_err();
        assert_eq!(fault.place, Place::Column(3, 7));
    }
}
