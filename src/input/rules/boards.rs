//! Boards name things that exist, and each part of a board once.

use std::{collections::BTreeMap, ops::Range};

use indexmap::{IndexMap, IndexSet};

use crate::{
    diagnostic::Code,
    input::{
        cell,
        faults::{Faults, nearest},
        rules::known::{StudyIds, find, reserved, unknown},
        schema::Entity,
        settings::{Setting, Settings},
        source::shown,
    },
    model::{
        BestOf, Board, BoardId, BoardKind, Column, ColumnType, Contender, ContenderId, Effect,
        EffectId, FailedPolicy, FigureKind, Mark, Members, ShapeKey, SpeedupBoard, Table,
        TableBoard,
    },
};

/// What claims and notes can name of a board, also of one that is at fault in other respects.
#[derive(Debug, Default)]
pub struct Outline {
    /// `speedup`, `macroeval` or `table`.
    pub kind: String,
    /// Ids of its contenders, the baseline included.
    pub contenders: IndexSet<String>,
    /// Ids of its effects.
    pub effects: IndexSet<String>,
    /// Path of its table below the study, if it shows one.
    pub file: Option<String>,
}

/// The boards of a study by id. An id that two boards share is reported at the second.
pub fn outlines(root: &Settings, faults: &mut Faults) -> IndexMap<BoardId, Outline> {
    let mut boards: IndexMap<BoardId, (Range<usize>, Outline)> = IndexMap::new();
    for board in root.tables("board") {
        let Some(id) = board.text("id") else { continue };
        reserved(id.value, "board", &id.range, faults);
        let Ok(key) = BoardId::parse(id.value) else { continue };
        if let Some((first, _)) = boards.get(id.value) {
            duplicate("board", &id, first, faults);
            continue;
        }
        let of = |key: &str| -> Vec<Settings> { board.tables(key) };
        let contenders = board.table("baseline").into_iter().chain(of("contender"));
        let outline = Outline {
            kind: board.owned("kind").unwrap_or_default(),
            contenders: contenders.filter_map(|contender| contender.owned("id")).collect(),
            effects: of("effect").iter().filter_map(|effect| effect.owned("id")).collect(),
            file: board.owned("file"),
        };
        boards.insert(key, (id.range, outline));
    }
    boards.into_iter().map(|(id, (_, outline))| (id, outline)).collect()
}

fn duplicate(what: &str, id: &Setting<&str>, first: &Range<usize>, faults: &mut Faults) {
    let related = faults.span(first.clone());
    faults
        .at(
            id.range.clone(),
            Code::DuplicateId,
            format!("there are two {what}s {}", shown(id.value)),
            "give one of them another id",
        )
        .related
        .push((related, "the first is here".to_owned()));
}

/// The boards of a study. What is at fault is left out and has been reported.
pub fn boards(
    root: &Settings,
    ids: &StudyIds,
    tables: &BTreeMap<String, Option<Table>>,
    faults: &mut Faults,
) -> IndexMap<BoardId, Board> {
    let mut boards = IndexMap::new();
    for board in root.tables("board") {
        let kind = match board.text("kind").map(|kind| kind.value) {
            Some("speedup") => speedup(&board, ids, faults).map(BoardKind::Speedup),
            Some("macroeval") => Some(BoardKind::MacroEval {
                tau: board.number("tau").unwrap_or(0.9),
                lambda: board.number("lambda").unwrap_or(0.5),
            }),
            Some("table") => table(&board, tables, faults).map(BoardKind::Table),
            _ => None,
        };
        let Some(id) = board.text("id") else { continue };
        let (Ok(key), Some(kind), Some(title)) =
            (BoardId::parse(id.value), kind, board.owned("title"))
        else {
            continue;
        };
        let span = faults.span(id.range);
        boards.entry(key.clone()).or_insert(Board { id: key, title, kind, span });
    }
    boards
}

fn speedup(board: &Settings, ids: &StudyIds, faults: &mut Faults) -> Option<SpeedupBoard> {
    let classes = board
        .texts("classes")
        .iter()
        .filter_map(|class| find(&ids.classes, Entity::Class, class.value, &class.range, faults))
        .collect();
    let shapes = shapes(board, ids, faults);
    let baseline = board.table("baseline").and_then(|table| contender(&table, ids, faults));
    let mut seen: IndexMap<&str, Range<usize>> = IndexMap::new();
    let given = board.table("baseline").into_iter().chain(board.tables("contender"));
    for id in given.filter_map(|contender| contender.text("id")) {
        match seen.get(id.value) {
            Some(first) => duplicate("contender", &id, first, faults),
            None => {
                seen.insert(id.value, id.range);
            }
        }
    }
    let contenders = board
        .tables("contender")
        .iter()
        .filter_map(|table| contender(table, ids, faults))
        .collect();
    let effects = effects(board, &seen, faults);
    Some(SpeedupBoard {
        classes,
        shapes,
        failed: match board.text("failed").map(|text| text.value) {
            Some("as-is") => FailedPolicy::AsIs,
            _ => FailedPolicy::Exclude,
        },
        figure: match board.text("figure").map(|text| text.value) {
            Some("dots") => FigureKind::Dots,
            Some("lines") => FigureKind::Lines,
            Some("scatter") => FigureKind::Scatter,
            Some("none") => FigureKind::None,
            _ => FigureKind::Bars,
        },
        baseline: baseline?,
        contenders,
        effects,
    })
}

/// The shapes of a board after its filters, in the order of `shapes.csv`.
fn shapes(board: &Settings, ids: &StudyIds, faults: &mut Faults) -> Vec<ShapeKey> {
    let operators: Vec<_> = board
        .texts("operators")
        .iter()
        .filter_map(|operator| {
            find(&ids.operators, Entity::Operator, operator.value, &operator.range, faults)
        })
        .collect();
    let named: Vec<ShapeKey> = board
        .texts("shapes")
        .iter()
        .filter_map(|shape| ids.qualified_shape(shape.value, &shape.range, faults))
        .collect();
    ids.shapes
        .ids
        .iter()
        .filter(|key| !board.has("operators") || operators.contains(&key.operator))
        .filter(|key| !board.has("shapes") || named.contains(key))
        .cloned()
        .collect()
}

fn contender(table: &Settings, ids: &StudyIds, faults: &mut Faults) -> Option<Contender> {
    let implementation = |member: &Setting<&str>, faults: &mut Faults| {
        find(&ids.implementations, Entity::Implementation, member.value, &member.range, faults)
    };
    let members = match table.table("members") {
        None => Members::Everywhere(
            table
                .texts("members")
                .iter()
                .filter_map(|member| implementation(member, faults))
                .collect(),
        ),
        Some(by_operator) => Members::PerOperator(
            by_operator
                .lists()
                .iter()
                .filter_map(|(operator, members)| {
                    let members =
                        members.iter().filter_map(|m| implementation(m, faults)).collect();
                    let operator = find(
                        &ids.operators,
                        Entity::Operator,
                        operator.value,
                        &operator.range,
                        faults,
                    )?;
                    Some((operator, members))
                })
                .collect(),
        ),
    };
    Some(Contender {
        id: ContenderId::parse(table.text("id")?.value).ok()?,
        name: table.owned("name")?,
        members,
    })
}

fn effects(
    board: &Settings,
    contenders: &IndexMap<&str, Range<usize>>,
    faults: &mut Faults,
) -> Vec<Effect> {
    let mut effects = Vec::new();
    let mut seen: IndexMap<&str, Range<usize>> = IndexMap::new();
    for table in board.tables("effect") {
        let mut side = |key: &str| {
            let name = table.text(key)?;
            if !contenders.contains_key(name.value) && cell::id(name.value, &name.range, faults) {
                let of = board_of(board);
                let names = contenders.keys().copied();
                unknown(Entity::Contender, name.value, &name.range, &of, names, faults);
            }
            ContenderId::parse(name.value).ok()
        };
        let (numerator, denominator) = (side("numerator"), side("denominator"));
        let Some(id) = table.text("id") else { continue };
        match seen.get(id.value) {
            Some(first) => duplicate("effect", &id, first, faults),
            None => {
                seen.insert(id.value, id.range.clone());
            }
        }
        let (Ok(id), Some(name), Some(numerator), Some(denominator)) =
            (EffectId::parse(id.value), table.owned("name"), numerator, denominator)
        else {
            continue;
        };
        effects.push(Effect { id, name, numerator, denominator });
    }
    effects
}

fn board_of(board: &Settings) -> String {
    board.text("id").map_or(String::new(), |id| format!(" on the board `{}`", id.value))
}

fn table(
    board: &Settings,
    tables: &BTreeMap<String, Option<Table>>,
    faults: &mut Faults,
) -> Option<TableBoard> {
    let file = board.text("file")?;
    let Some(table) = tables.get(file.value) else {
        let help = match nearest(file.value, tables.keys().map(String::as_str)) {
            Some(path) => format!("did you mean `{path}`?"),
            None => "write the path below the study: `tables/NAME.csv`".to_owned(),
        };
        faults.at(
            file.range,
            Code::UnknownTable,
            format!("the study has no table {}", shown(file.value)),
            help,
        );
        return None;
    };
    // A table at fault has been reported; its columns are not known.
    let table = table.as_ref()?;
    let shown_columns = board.tables("columns");
    let mut seen: IndexMap<&str, Range<usize>> = IndexMap::new();
    let mut columns = Vec::new();
    for column in &shown_columns {
        let Some(id) = column.text("id") else { continue };
        if let Some(first) = seen.get(id.value) {
            duplicate("column", &id, first, faults);
        }
        seen.insert(id.value, id.range.clone());
        if !table.header.iter().any(|name| name == id.value) {
            unknown_column(id.value, &id.range, file.value, &table.header, faults);
            continue;
        }
        let kind = match column.text("type").map(|kind| kind.value) {
            Some("number") => ColumnType::Number,
            Some("ratio") => ColumnType::Ratio,
            Some("share") => ColumnType::Share,
            _ => ColumnType::Text,
        };
        columns.push(Column {
            id: id.value.to_owned(),
            title: column.owned("title").unwrap_or_default(),
            kind,
            unit: column.owned("unit"),
            decimals: column.integer("decimals"),
        });
    }
    let mark = board.table("mark").map(|mark| {
        let against = mark.text("against");
        if let Some(against) = against.as_ref().filter(|against| !seen.contains_key(against.value))
        {
            let names: Vec<String> = seen.keys().map(|name| (*name).to_owned()).collect();
            unknown_column(against.value, &against.range, "the board", &names, faults);
        }
        Mark {
            best: match mark.text("best").map(|best| best.value) {
                Some("row") => Some(BestOf::Row),
                Some("column") => Some(BestOf::Column),
                _ => None,
            },
            against: against.map(|against| against.value.to_owned()),
        }
    });
    Some(TableBoard { file: file.value.to_owned(), columns, mark })
}

/// Reports a column that a table does not have.
pub fn unknown_column(
    name: &str,
    range: &Range<usize>,
    of: &str,
    header: &[String],
    faults: &mut Faults,
) {
    let help = match nearest(name, header.iter().map(String::as_str)) {
        Some(known) => format!("did you mean `{known}`?"),
        None => format!("the columns are `{}`", header.join("`, `")),
    };
    faults.at(
        range.clone(),
        Code::UnknownTableColumn,
        format!(
            "{} has no column {}",
            if of == "the board" { of.to_owned() } else { format!("`{of}`") },
            shown(name)
        ),
        help,
    );
}
