//! Foreign names become ids. Two names never share one.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use crate::model::{IdFault, MAX_LENGTH, RESERVED, check_id};

/// Digits of the suffix that tells two names apart.
const SUFFIX: usize = 8;

/// Whether the ids become folders beside the site's own pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// Of a study, a board or an operator: the names of the site's pages are taken.
    Page,
    /// Of anything else.
    Row,
}

/// Two names that cannot be told apart by an id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clash {
    /// One of them.
    pub first: String,
    /// The other.
    pub second: String,
    /// The id that both would have.
    pub id: String,
}

/// The printed name in lower case, ASCII letters, digits and inner dots kept, every other run of
/// characters one `-`, outer `-` and `.` cut, `†` dropped. It may be empty, too long, or the slug
/// of another name as well: [`assign`] makes ids.
pub fn slug(name: &str) -> String {
    let mut slug = String::with_capacity(name.len());
    for character in name.chars().filter(|c| *c != '†').flat_map(char::to_lowercase) {
        match character {
            'a'..='z' | '0'..='9' | '.' => slug.push(character),
            _ if slug.ends_with('-') => {}
            _ => slug.push('-'),
        }
    }
    slug.trim_matches(['-', '.']).to_owned()
}

/// An id for each name, the same whatever the order of the names.
///
/// A name has its slug for an id if that is one and no other name has the same; else the slug
/// with a suffix from the name's own bytes.
pub fn assign<'a>(
    names: impl IntoIterator<Item = &'a str>,
    used_for: Use,
) -> Result<BTreeMap<&'a str, String>, Clash> {
    let mut by_slug: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for name in names {
        let names = by_slug.entry(slug(name)).or_default();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let mut ids = BTreeMap::new();
    let mut owners: BTreeMap<String, &str> = BTreeMap::new();
    for (slug, names) in by_slug {
        let taken = used_for == Use::Page && RESERVED.contains(&slug.as_str());
        let plain = names.len() == 1 && !taken && check_id(&slug).is_ok();
        for name in names {
            let id = if plain { slug.clone() } else { with_suffix(&slug, name) };
            if let Some(first) = owners.insert(id.clone(), name) {
                return Err(Clash { first: first.to_owned(), second: name.to_owned(), id });
            }
            ids.insert(name, id);
        }
    }
    Ok(ids)
}

/// The head of a slug and some digits of the name's SHA-256.
fn with_suffix(slug: &str, name: &str) -> String {
    let digest = Sha256::digest(name.as_bytes());
    let digest = format!("{digest:x}");
    let suffix = &digest[..SUFFIX];
    // `con.x` is a device to Windows, `con-x` is not.
    let head = if check_id(slug) == Err(IdFault::DeviceName) {
        slug.replace('.', "-")
    } else {
        slug.to_owned()
    };
    let head: String = head.chars().take(MAX_LENGTH - SUFFIX - 1).collect();
    let head = head.trim_end_matches(['-', '.']);
    if head.is_empty() { format!("id-{suffix}") } else { format!("{head}-{suffix}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slug_is_the_printed_name() {
        for (name, expected) in [
            ("MHA (8,4096) non-causal", "mha-8-4096-non-causal"),
            ("Dense & MoE LLMs", "dense-moe-llms"),
            ("Qwen3-VL-235B †", "qwen3-vl-235b"),
            ("BitNet 1.58b†", "bitnet-1.58b"),
            ("3D / Robotics / Science", "3d-robotics-science"),
            ("FLUX.1-dev", "flux.1-dev"),
            ("..a.b..", "a.b"),
            ("M=12251", "m-12251"),
            ("日本語", ""),
            ("", ""),
        ] {
            assert_eq!(slug(name), expected, "{name}");
        }
    }

    fn ids(names: &[&str], used_for: Use) -> Vec<String> {
        let ids = assign(names.iter().copied(), used_for).unwrap();
        names.iter().map(|name| ids[name].clone()).collect()
    }

    #[test]
    fn names_are_told_apart() {
        let long = "a".repeat(80);
        let longer = "a".repeat(81);
        for pair in [
            ["Kernel", "kernel"],
            ["a/b_c", "a_b/c"],
            ["x \u{e9} y", "x \u{e8} y"],
            ["caf\u{e9}", "cafe\u{301}"],
            [&long, &longer],
            ["日本語", "中文"],
            ["K", "\u{212a}"],
        ] {
            let [first, second] = &ids(&pair, Use::Row)[..] else { panic!() };
            assert_ne!(first, second, "{pair:?}");
            for id in [first, second] {
                assert_eq!(check_id(id), Ok(()), "{pair:?}");
            }
            let mut turned = ids(&[pair[1], pair[0]], Use::Row);
            turned.reverse();
            assert_eq!([first, second], [&turned[0], &turned[1]], "{pair:?}");
        }
    }

    #[test]
    fn a_name_alone_keeps_its_slug_and_a_repeated_one_its_id() {
        assert_eq!(ids(&["Kernel"], Use::Row), ["kernel"]);
        assert_eq!(ids(&["Kernel", "Kernel"], Use::Row), ["kernel", "kernel"]);
    }

    #[test]
    fn every_id_follows_the_rules() {
        for name in ["con", "CON.x", "lpt1", "", "†", "-", &"x-".repeat(60), "a.-b"] {
            for id in ids(&[name], Use::Row) {
                assert_eq!(check_id(&id), Ok(()), "{name:?} became {id:?}");
            }
        }
    }

    #[test]
    fn names_of_pages_are_reserved_where_it_matters() {
        assert_eq!(ids(&["Data"], Use::Row), ["data"]);
        let [id] = &ids(&["Data"], Use::Page)[..] else { panic!() };
        assert!(id.starts_with("data-") && !RESERVED.contains(&id.as_str()), "{id}");
    }

    #[test]
    fn a_name_that_is_the_suffixed_id_of_another_is_refused() {
        let [first, _] = &ids(&["Foo", "foo"], Use::Row)[..] else { panic!() };
        let clash = assign(["Foo", "foo", first], Use::Row).unwrap_err();
        assert_eq!(&clash.id, first);
        assert!([&clash.first, &clash.second].contains(&first));
    }
}
