//! Names that rows give to things described elsewhere, looked up.

use std::{borrow::Borrow, hash::Hash, ops::Range};

use indexmap::{Equivalent, IndexSet};

use crate::{
    diagnostic::Code,
    input::{cell, faults::Faults, row::Row, schema::Entity, source::shown},
    model::{
        BatchId, ClassId, FamilyId, GpuId, ImplementationId, ItemId, NoteId, OperatorId, RESERVED,
        RunId, ShapeId, ShapeKey,
    },
};

/// The ids of one kind that are described in the folder, also those whose description is at fault
/// in other respects.
#[derive(Debug, Clone)]
pub struct Known<T> {
    /// The ids in the order of their files.
    pub ids: IndexSet<T>,
    /// Whether all descriptions could be read. If not, an id that is not found says nothing.
    pub complete: bool,
}

impl<T> Default for Known<T> {
    fn default() -> Self {
        Self { ids: IndexSet::new(), complete: true }
    }
}

/// All ids that the rows of a study can name.
#[derive(Debug, Default)]
pub struct StudyIds {
    /// `gpus.csv`.
    pub gpus: Known<GpuId>,
    /// `operators.csv`.
    pub operators: Known<OperatorId>,
    /// `shapes.csv`.
    pub shapes: Known<ShapeKey>,
    /// `implementations.csv`.
    pub implementations: Known<ImplementationId>,
    /// `batches.csv`.
    pub batches: Known<BatchId>,
    /// The classes of `batches.csv`.
    pub classes: Known<ClassId>,
    /// `notes/`.
    pub notes: Known<NoteId>,
    /// `families.csv`.
    pub families: Known<FamilyId>,
    /// `items.csv`.
    pub items: Known<ItemId>,
    /// `runs.csv`.
    pub runs: Known<RunId>,
}

/// A shape's key, borrowed, to look one up without making it.
#[derive(Hash)]
struct ShapeRef<'a> {
    operator: &'a str,
    shape: &'a str,
}

impl Equivalent<ShapeKey> for ShapeRef<'_> {
    fn equivalent(&self, key: &ShapeKey) -> bool {
        *self.operator == *key.operator && *self.shape == *key.shape
    }
}

/// The code of an unknown id.
fn unknown_code(entity: Entity) -> Code {
    match entity {
        Entity::Operator => Code::UnknownOperator,
        Entity::Shape => Code::UnknownShape,
        Entity::Implementation => Code::UnknownImplementation,
        Entity::Batch => Code::UnknownBatch,
        Entity::Note => Code::UnknownNote,
        Entity::Gpu => Code::UnknownGpu,
        Entity::Class => Code::UnknownClass,
        Entity::Board => Code::UnknownBoard,
        Entity::Contender => Code::UnknownContender,
        Entity::Effect => Code::UnknownEffect,
        Entity::Run => Code::UnknownRun,
        Entity::Item => Code::UnknownItem,
        Entity::Family => Code::UnknownFamily,
    }
}

/// Looks an id up; reports it if it is unknown, or no id at all.
pub fn find<T: Clone + Eq + Hash + Borrow<str>>(
    known: &Known<T>,
    entity: Entity,
    text: &str,
    range: &Range<usize>,
    faults: &mut Faults,
) -> Option<T> {
    position(known, entity, text, range, faults).map(|index| known.ids[index].clone())
}

/// Looks an id up and gives its position; reports it if it is unknown, or no id at all.
pub fn position<T: Eq + Hash + Borrow<str>>(
    known: &Known<T>,
    entity: Entity,
    text: &str,
    range: &Range<usize>,
    faults: &mut Faults,
) -> Option<usize> {
    if let Some(index) = known.ids.get_index_of(text) {
        return Some(index);
    }
    if cell::id(text, range, faults) && known.complete {
        let names = known.ids.iter().map(Borrow::borrow);
        unknown(entity, text, range, "", names, faults);
    }
    None
}

/// Reports an unknown name, with the nearest known one. `of` says of what it would be a part, if
/// that matters, and begins with a blank.
pub fn unknown<'a>(
    entity: Entity,
    text: &str,
    range: &Range<usize>,
    of: &str,
    names: impl ExactSizeIterator<Item = &'a str>,
    faults: &mut Faults,
) {
    let among = format!("{}{of}", entity.as_str());
    let none_known = names.len() == 0;
    let help = match faults.nearest(text, &among, names) {
        Some(name) => format!("did you mean `{name}`?"),
        None if none_known => {
            format!("describe it in {}: there is no {} yet", entity.described_in(), among)
        }
        None => format!("describe it in {}, or correct the name", entity.described_in()),
    };
    faults.at(
        range.clone(),
        unknown_code(entity),
        format!("there is no {} {}{of}", entity.as_str(), shown(text)),
        help,
    );
}

/// The id that a required or optional cell names.
pub fn named<T: Clone + Eq + Hash + Borrow<str>>(
    known: &Known<T>,
    entity: Entity,
    row: &Row,
    column: &str,
    faults: &mut Faults,
) -> Option<T> {
    find(known, entity, row.text(column)?, &row.range(column), faults)
}

/// The notes that a row names.
pub fn notes(ids: &StudyIds, row: &Row, faults: &mut Faults) -> Vec<NoteId> {
    let Some(text) = row.text("note") else { return Vec::new() };
    let range = row.range("note");
    words(text, &range)
        .filter_map(|(word, range)| find(&ids.notes, Entity::Note, word, &range, faults))
        .collect()
}

/// The words of a cell with their bytes.
pub fn words<'a>(
    text: &'a str,
    range: &Range<usize>,
) -> impl Iterator<Item = (&'a str, Range<usize>)> {
    let start = range.start;
    text.split([' ', '\t']).filter(|word| !word.is_empty()).map(move |word| {
        let at = start + (word.as_ptr() as usize - text.as_ptr() as usize);
        (word, at..at + word.len())
    })
}

impl StudyIds {
    /// The position of the shape that a row names by `operator` and `shape`.
    pub fn row_shape(&self, row: &Row, faults: &mut Faults) -> Option<usize> {
        let operator = row.text("operator");
        let shape = row.text("shape");
        if let (Some(operator), Some(shape)) = (operator, shape) {
            // The common case, at the price of one look-up.
            if let Some(index) = self.shapes.ids.get_index_of(&ShapeRef { operator, shape }) {
                return Some(index);
            }
        }
        let operator = operator.and_then(|operator| {
            find(&self.operators, Entity::Operator, operator, &row.range("operator"), faults)
        });
        self.shape(operator.as_ref()?, shape?, &row.range("shape"), faults)
    }

    /// The position of a shape of an operator; reports it if it is none.
    pub fn shape(
        &self,
        operator: &OperatorId,
        shape: &str,
        range: &Range<usize>,
        faults: &mut Faults,
    ) -> Option<usize> {
        let key = ShapeRef { operator, shape };
        if let Some(index) = self.shapes.ids.get_index_of(&key) {
            return Some(index);
        }
        if !cell::id(shape, range, faults) || !self.shapes.complete {
            return None;
        }
        let others: Vec<&str> = self
            .shapes
            .ids
            .iter()
            .filter(|key| *key.shape == *shape)
            .map(|key| key.operator.as_str())
            .collect();
        let own: Vec<&str> = self
            .shapes
            .ids
            .iter()
            .filter(|key| key.operator == *operator)
            .map(|key| key.shape.as_str())
            .collect();
        if others.is_empty() {
            let of = format!(" of `{operator}`");
            unknown(Entity::Shape, shape, range, &of, own.into_iter(), faults);
        } else {
            let help = match faults.nearest(shape, operator, own.into_iter()) {
                Some(name) => format!("did you mean `{name}`, or another operator?"),
                None => "correct the operator or the shape".to_owned(),
            };
            faults.at(
                range.clone(),
                Code::ShapeOfAnotherOperator,
                format!(
                    "the shape {} belongs to `{}`, not to `{operator}`",
                    shown(shape),
                    others.join("`, `")
                ),
                help,
            );
        }
        None
    }

    /// The shape that `OPERATOR/SHAPE` names.
    pub fn qualified_shape(
        &self,
        text: &str,
        range: &Range<usize>,
        faults: &mut Faults,
    ) -> Option<ShapeKey> {
        let Some((operator, shape)) = text.split_once('/') else {
            faults.at(
                range.clone(),
                Code::AmbiguousShape,
                format!("the shape {} is named without its operator", shown(text)),
                "write `OPERATOR/SHAPE`",
            );
            return None;
        };
        let slash = range.start + operator.len();
        let operator =
            find(&self.operators, Entity::Operator, operator, &(range.start..slash), faults)?;
        let index = self.shape(&operator, shape, &(slash + 1..range.end), faults)?;
        Some(self.shapes.ids[index].clone())
    }

    /// The operator and shape that a row covers, where both may be left out. A shape without an
    /// operator must be the only one of its name. The outer `None` means a fault.
    pub fn coverage(
        &self,
        row: &Row,
        faults: &mut Faults,
    ) -> Option<(Option<OperatorId>, Option<ShapeKey>)> {
        match (row.text("operator"), row.text("shape")) {
            (None, None) => Some((None, None)),
            (Some(_), None) => {
                let operator = named(&self.operators, Entity::Operator, row, "operator", faults)?;
                Some((Some(operator), None))
            }
            (Some(_), Some(_)) => {
                let key = self.shapes.ids[self.row_shape(row, faults)?].clone();
                Some((Some(key.operator.clone()), Some(key)))
            }
            (None, Some(shape)) => self.only_shape(shape, &row.range("shape"), faults),
        }
    }

    fn only_shape(
        &self,
        shape: &str,
        range: &Range<usize>,
        faults: &mut Faults,
    ) -> Option<(Option<OperatorId>, Option<ShapeKey>)> {
        let found: Vec<&ShapeKey> =
            self.shapes.ids.iter().filter(|key| *key.shape == *shape).collect();
        match found[..] {
            [key] => Some((Some(key.operator.clone()), Some(key.clone()))),
            [] => {
                if cell::id(shape, range, faults) && self.shapes.complete {
                    let names: Vec<&str> =
                        self.shapes.ids.iter().map(|key| key.shape.as_str()).collect();
                    unknown(Entity::Shape, shape, range, "", names.into_iter(), faults);
                }
                None
            }
            _ => {
                let operators: Vec<&str> = found.iter().map(|key| key.operator.as_str()).collect();
                faults.at(
                    range.clone(),
                    Code::AmbiguousShape,
                    format!("several operators have a shape {}", shown(shape)),
                    format!("name the operator: `{}`", operators.join("` or `")),
                );
                None
            }
        }
    }
}

/// Reports an id that would collide with a page of the site.
pub fn reserved(text: &str, entity: &str, range: &Range<usize>, faults: &mut Faults) -> bool {
    let is_reserved = RESERVED.contains(&text);
    if is_reserved {
        faults.at(
            range.clone(),
            Code::ReservedId,
            format!(
                "no {entity} can have the id {}: a page of the site has this name",
                shown(text)
            ),
            "choose another id",
        );
    }
    is_reserved
}

/// The ids of a table's rows, those at fault included.
pub fn ids_of<T: Eq + Hash>(
    fitted: &crate::input::table::Fitted,
    column: &str,
    parse: impl Fn(&str) -> Option<T>,
) -> IndexSet<T> {
    let place = place_of(fitted, column);
    let Some(place) = place else { return IndexSet::new() };
    let rows = 0..fitted.table.len();
    rows.filter_map(|row| parse(&fitted.table.text(fitted.table.row(row)[place]))).collect()
}

/// The shapes of a table's rows, those at fault included.
pub fn shapes_of(fitted: &crate::input::table::Fitted) -> IndexSet<ShapeKey> {
    let places = place_of(fitted, "operator").zip(place_of(fitted, "id"));
    let Some((operator, id)) = places else { return IndexSet::new() };
    (0..fitted.table.len())
        .filter_map(|index| {
            let row = fitted.table.row(index);
            let operator = OperatorId::parse(&fitted.table.text(row[operator])).ok()?;
            let shape = ShapeId::parse(&fitted.table.text(row[id])).ok()?;
            Some(ShapeKey { operator, shape })
        })
        .collect()
}

fn place_of(fitted: &crate::input::table::Fitted, column: &str) -> Option<usize> {
    let index = fitted.schema.columns().iter().position(|known| known.name == column)?;
    fitted.places[index]
}
