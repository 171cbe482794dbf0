//! What notes apply to.

use std::ops::Range;

use indexmap::IndexMap;

use crate::{
    diagnostic::Code,
    input::{
        faults::{Faults, nearest},
        rules::{
            boards::Outline,
            known::{self, StudyIds, find},
        },
        schema::Entity,
        source::shown,
    },
    model::{BoardId, Target},
};

const FORMS: &str = "`study`, `board:ID`, `operator:ID`, `shape:OP/SHAPE`, `implementation:ID`, \
                     `batch:ID`, `record:OP/SHAPE/IMPLEMENTATION[/BATCH]` or `run:ID[/ITEM]`";

/// Reads one entry of `applies_to`. What it names must be known.
pub fn target(
    text: &str,
    range: &Range<usize>,
    ids: &StudyIds,
    boards: &IndexMap<BoardId, Outline>,
    boards_complete: bool,
    faults: &mut Faults,
) -> Option<Target> {
    if text == "study" {
        return Some(Target::Study);
    }
    let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
    let at = range.start + kind.len() + 1;
    let parts: Vec<(&str, Range<usize>)> = rest
        .split('/')
        .map(|part| {
            let start = at + (part.as_ptr() as usize - rest.as_ptr() as usize);
            // An escape in the TOML text makes the bytes longer than the text.
            let place =
                if range.len() == text.len() { start..start + part.len() } else { range.clone() };
            (part, place)
        })
        .collect();
    let shape =
        |operator: &(&str, Range<usize>), shape: &(&str, Range<usize>), faults: &mut Faults| {
            let operator = find(&ids.operators, Entity::Operator, operator.0, &operator.1, faults)?;
            let index = ids.shape(&operator, shape.0, &shape.1, faults)?;
            Some(ids.shapes.ids[index].clone())
        };
    match (kind, &parts[..]) {
        ("board", [(id, place)]) => {
            if let Some((id, _)) = boards.get_key_value(*id) {
                return Some(Target::Board(id.clone()));
            }
            if crate::input::cell::id(id, place, faults) && boards_complete {
                let names = boards.keys().map(BoardId::as_str);
                known::unknown(Entity::Board, id, place, "", names, faults);
            }
            None
        }
        ("operator", [(id, place)]) => {
            find(&ids.operators, Entity::Operator, id, place, faults).map(Target::Operator)
        }
        ("shape", [operator, name]) => shape(operator, name, faults).map(Target::Shape),
        ("implementation", [(id, place)]) => {
            find(&ids.implementations, Entity::Implementation, id, place, faults)
                .map(Target::Implementation)
        }
        ("batch", [(id, place)]) => {
            find(&ids.batches, Entity::Batch, id, place, faults).map(Target::Batch)
        }
        ("record", [operator, name, (id, place), batch @ ..]) if batch.len() <= 1 => {
            let shape = shape(operator, name, faults);
            let implementation =
                find(&ids.implementations, Entity::Implementation, id, place, faults);
            let batch = match batch {
                [(id, place)] => Some(find(&ids.batches, Entity::Batch, id, place, faults)?),
                _ => None,
            };
            Some(Target::Record { shape: shape?, implementation: implementation?, batch })
        }
        ("run", [(id, place), item @ ..]) if item.len() <= 1 => {
            let run = find(&ids.runs, Entity::Run, id, place, faults);
            let item = match item {
                [(id, place)] => Some(find(&ids.items, Entity::Item, id, place, faults)?),
                _ => None,
            };
            Some(Target::Run { run: run?, item })
        }
        _ => {
            let kinds =
                ["study", "board", "operator", "shape", "implementation", "batch", "record", "run"];
            let help = match nearest(kind, kinds.into_iter()).filter(|known| *known != kind) {
                Some(known) => format!("did you mean `{known}`? The forms are {FORMS}"),
                None => format!("write {FORMS}"),
            };
            faults.at(
                range.clone(),
                Code::UnknownTarget,
                format!("{} names nothing that a note can apply to", shown(text)),
                help,
            );
            None
        }
    }
}
