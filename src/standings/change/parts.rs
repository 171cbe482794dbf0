//! The parts of the data beside latencies, ratios and claims: what came, what went, and which of
//! its fields say something else.
//!
//! Each kind of part is taken apart field by field, by name, so that a field added to the model
//! cannot be forgotten here.

use indexmap::IndexMap;

use super::paired;
use crate::model::{
    Batch, Board, BoardKind, Column, Contender, Distance, Document, Effect, FailedPolicy, Family,
    FigureKind, Gpu, Implementation, Item, Link, MacroEval, Mark, Members, Model, News, Note,
    Operator, Outcome, Retest, Run, Shape, Site, SpeedupBoard, Study, Table, TableBoard, Target,
    TrajectoryPoint, TrajectoryPointKind, Withdrawal,
};

/// A kind of part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the words of the domain")]
pub enum PartKind {
    Site,
    Page,
    News,
    Gpu,
    Study,
    Board,
    Operator,
    Shape,
    Implementation,
    Batch,
    Retest,
    Withdrawal,
    Trajectory,
    Table,
    Note,
    Family,
    Item,
    Run,
    Outcome,
    Distance,
}

impl PartKind {
    /// As printed.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Site => "site",
            Self::Page => "page",
            Self::News => "news",
            Self::Gpu => "GPU",
            Self::Study => "study",
            Self::Board => "board",
            Self::Operator => "operator",
            Self::Shape => "shape",
            Self::Implementation => "implementation",
            Self::Batch => "batch",
            Self::Retest => "retest",
            Self::Withdrawal => "withdrawal",
            Self::Trajectory => "trajectory",
            Self::Table => "table",
            Self::Note => "note",
            Self::Family => "family",
            Self::Item => "item",
            Self::Run => "run",
            Self::Outcome => "outcome",
            Self::Distance => "distance",
        }
    }
}

/// A part that differs.
#[derive(Debug, Clone, PartialEq)]
pub struct PartChange {
    /// What it is.
    pub kind: PartKind,
    /// What it is called: its id, or what it is about.
    pub name: String,
    /// How it differs.
    pub delta: PartDelta,
}

/// How a part differs.
#[derive(Debug, Clone, PartialEq)]
pub enum PartDelta {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// Some of its fields say something else.
    Changed(Vec<FieldChange>),
}

impl PartDelta {
    /// As printed.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed(_) => "changed",
        }
    }
}

/// A field of a part that says something else.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldChange {
    /// Which one.
    pub field: String,
    /// What it said; empty if nothing.
    pub old: String,
    /// What it says; empty if nothing.
    pub new: String,
}

/// Fields by name, as text. A text says all that there is to compare.
type Fields = Vec<(String, String)>;
/// Parts by kind and name.
type Parts = IndexMap<(PartKind, String), Fields>;

/// What differs outside the studies.
pub(super) fn of_site(old: &Model, new: &Model) -> Vec<PartChange> {
    differences(site_parts(old), site_parts(new))
}

/// What differs in a study.
pub(super) fn of_studies(old: Option<&Study>, new: Option<&Study>) -> Vec<PartChange> {
    differences(old.map(study_parts).unwrap_or_default(), new.map(study_parts).unwrap_or_default())
}

fn differences(old: Parts, new: Parts) -> Vec<PartChange> {
    let changes = paired(old, new).into_iter().filter_map(|((kind, name), old, new)| {
        let delta = match (old, new) {
            (None, _) => PartDelta::Added,
            (_, None) => PartDelta::Removed,
            (Some(old), Some(new)) => {
                let fields = field_changes(old, new);
                if fields.is_empty() {
                    return None;
                }
                PartDelta::Changed(fields)
            }
        };
        Some(PartChange { kind, name, delta })
    });
    changes.collect()
}

fn field_changes(old: Fields, new: Fields) -> Vec<FieldChange> {
    paired(old.into_iter().collect(), new.into_iter().collect())
        .into_iter()
        .filter_map(|(field, old, new)| {
            let (old, new): (String, String) = (old.unwrap_or_default(), new.unwrap_or_default());
            (old != new).then_some(FieldChange { field, old, new })
        })
        .collect()
}

/// Collects parts. Names are unique by the rules of the folder; should two agree all the same,
/// the later one is told apart by a number, never merged into the first.
#[derive(Default)]
struct Collection(Parts);

impl Collection {
    fn add(&mut self, kind: PartKind, name: impl Into<String>, fields: Fields) {
        let name = name.into();
        let mut key = (kind, name.clone());
        let mut number = 2;
        while self.0.contains_key(&key) {
            key.1 = format!("{name} ({number})");
            number += 1;
        }
        self.0.insert(key, fields);
    }
}

fn site_parts(model: &Model) -> Parts {
    // The files are where all of this was read from.
    let Model { site, pages, news, gpus, studies: _, files: _ } = model;
    let mut parts = Collection::default();
    parts.add(PartKind::Site, "site.toml", site_fields(site));
    for (name, Document { title, body, span: _ }) in pages {
        let fields = fields([("title", title.clone()), ("text", body.clone())]);
        parts.add(PartKind::Page, name, fields);
    }
    for News { name, title, date, body, span: _ } in news {
        let fields =
            fields([("title", title.clone()), ("date", date.to_string()), ("text", body.clone())]);
        parts.add(PartKind::News, name, fields);
    }
    for gpu in gpus.values() {
        let Gpu { id, name, memory_tb_s, l2_mb, bf16_tflops, fp8_tflops, source, span: _ } = gpu;
        let fields = fields([
            ("name", name.clone()),
            ("memory_tb_s", given(memory_tb_s)),
            ("l2_mb", given(l2_mb)),
            ("bf16_tflops", given(bf16_tflops)),
            ("fp8_tflops", given(fp8_tflops)),
            ("source", given(source)),
        ]);
        parts.add(PartKind::Gpu, id.as_str(), fields);
    }
    parts.0
}

fn site_fields(site: &Site) -> Fields {
    let Site { title, tagline, base_url, source_url, licence, footer_links, accent } = site;
    let link = |Link { title, url }: &Link| format!("{title} {url}");
    fields([
        ("title", title.clone()),
        ("tagline", tagline.clone()),
        ("base_url", given(base_url)),
        ("source_url", given(source_url)),
        ("licence", given(licence)),
        ("footer_links", footer_links.iter().map(link).collect::<Vec<_>>().join(", ")),
        ("accent", given(accent)),
    ])
}

fn study_parts(study: &Study) -> Parts {
    let Study {
        id: _,
        title,
        summary,
        licence,
        citation,
        authors,
        paper_url,
        published_on,
        headline,
        tie_band,
        require_retest,
        labels,
        boards,
        operators,
        shapes,
        implementations,
        batches,
        latencies: _, // compared as records
        samples: _,   // compared as records
        ratios: _,    // compared as records
        retests,
        withdrawals,
        claims: _, // compared with their results
        trajectories,
        tables,
        notes,
        macroeval,
        span: _,
    } = study;
    let mut parts = Collection::default();
    let settings = fields([
        ("title", title.clone()),
        ("summary", summary.clone()),
        ("licence", given(licence)),
        ("citation", given(citation)),
        ("authors", authors.join(", ")),
        ("paper_url", given(paper_url)),
        ("published_on", given(published_on)),
        ("headline", given(headline)),
        ("tie_band", tie_band.to_string()),
        ("require_retest", require_retest.to_string()),
        ("labels.operator", labels.operator.clone()),
        ("labels.shape", labels.shape.clone()),
        ("labels.implementation", labels.implementation.clone()),
    ]);
    parts.add(PartKind::Study, "study.toml", settings);
    for board in boards.values() {
        parts.add(PartKind::Board, board.id.as_str(), board_fields(board));
    }
    for operator in operators.values() {
        let Operator { id, name, family, standard, notes, span: _ } = operator;
        let fields = fields([
            ("name", name.clone()),
            ("family", given(family)),
            ("standard", given(standard)),
            ("note", words(notes)),
        ]);
        parts.add(PartKind::Operator, id.as_str(), fields);
    }
    for shape in shapes.values() {
        let Shape { key, name, description, dtype, flops, bytes, notes, span: _ } = shape;
        let fields = fields([
            ("name", name.clone()),
            ("description", given(description)),
            ("dtype", given(dtype)),
            ("flops", given(flops)),
            ("bytes", given(bytes)),
            ("note", words(notes)),
        ]);
        parts.add(PartKind::Shape, key.to_string(), fields);
    }
    for implementation in implementations.values() {
        parts.add(
            PartKind::Implementation,
            implementation.id.as_str(),
            implementation_fields(implementation),
        );
    }
    for batch in batches.values() {
        parts.add(PartKind::Batch, batch.id.as_str(), batch_fields(batch));
    }
    for retest in retests {
        add_retest(&mut parts, retest);
    }
    for withdrawal in withdrawals {
        add_withdrawal(&mut parts, withdrawal);
    }
    for point in trajectories {
        add_trajectory_point(&mut parts, point);
    }
    for (path, table) in tables {
        parts.add(PartKind::Table, path, table_fields(table));
    }
    for note in notes.values() {
        let Note { id, title, severity, applies_to, body, span: _ } = note;
        let fields = fields([
            ("title", title.clone()),
            ("severity", severity.to_string()),
            ("applies_to", applies_to.iter().map(target).collect::<Vec<_>>().join(", ")),
            ("text", body.clone()),
        ]);
        parts.add(PartKind::Note, id.as_str(), fields);
    }
    if let Some(macroeval) = macroeval {
        add_macroeval(&mut parts, macroeval);
    }
    parts.0
}

fn board_fields(board: &Board) -> Fields {
    let Board { id: _, title, kind, span: _ } = board;
    let mut all = fields([("title", title.clone())]);
    match kind {
        BoardKind::Speedup(SpeedupBoard {
            classes,
            shapes,
            failed,
            figure,
            baseline,
            contenders,
            effects,
        }) => {
            let failed = match failed {
                FailedPolicy::Exclude => "exclude",
                FailedPolicy::AsIs => "as-is",
            };
            let figure = match figure {
                FigureKind::Bars => "bars",
                FigureKind::Dots => "dots",
                FigureKind::Lines => "lines",
                FigureKind::Scatter => "scatter",
                FigureKind::None => "none",
            };
            all.extend(fields([
                ("kind", "speedup".into()),
                ("classes", words(classes)),
                ("shapes", words(shapes)),
                ("failed", failed.into()),
                ("figure", figure.into()),
                ("baseline", contender(baseline)),
            ]));
            let named = |one: &Contender| (format!("contender {}", one.id), contender(one));
            all.extend(contenders.iter().map(named));
            all.extend(effects.iter().map(|Effect { id, name, numerator, denominator }| {
                (format!("effect {id}"), format!("{name}: {numerator} / {denominator}"))
            }));
            let order: Vec<_> = contenders.iter().map(|contender| &contender.id).collect();
            all.extend(fields([("order", words(&order))]));
        }
        BoardKind::MacroEval { tau, lambda } => all.extend(fields([
            ("kind", "macroeval".into()),
            ("tau", tau.to_string()),
            ("lambda", lambda.to_string()),
        ])),
        BoardKind::Table(TableBoard { file, columns, mark }) => {
            let column = |Column { id, title, kind, unit, decimals }: &Column| {
                format!("{id} {title:?} {kind:?} {} {}", given(unit), given(decimals))
            };
            let mark = mark.as_ref().map(|Mark { best, against }| {
                format!("best {best:?}, against {}", given(against)).to_lowercase()
            });
            all.extend(fields([
                ("kind", "table".into()),
                ("file", file.clone()),
                ("columns", columns.iter().map(column).collect::<Vec<_>>().join(", ")),
                ("mark", given(&mark)),
            ]));
        }
    }
    all
}

fn contender(contender: &Contender) -> String {
    let Contender { id, name, members } = contender;
    let members = match members {
        Members::Everywhere(members) => words(members),
        Members::PerOperator(table) => {
            let of = |(operator, members): (_, &Vec<_>)| format!("{operator}: {}", words(members));
            table.iter().map(of).collect::<Vec<_>>().join("; ")
        }
    };
    format!("{id} {name:?} = {members}")
}

fn implementation_fields(implementation: &Implementation) -> Fields {
    let Implementation { id: _, name, role, system, model, scope, commit, url, notes, span: _ } =
        implementation;
    fields([
        ("name", name.clone()),
        ("role", role.to_string()),
        ("system", given(system)),
        ("model", given(model)),
        ("scope", given(scope)),
        ("commit", given(commit)),
        ("url", given(url)),
        ("note", words(notes)),
    ])
}

fn batch_fields(batch: &Batch) -> Fields {
    let Batch {
        id: _,
        name,
        class,
        gpu,
        gpu_count,
        driver,
        cuda,
        software,
        timer,
        cache,
        statistic,
        tool,
        tool_commit,
        command,
        measured_on,
        verified,
        notes,
        span: _,
    } = batch;
    fields([
        ("name", name.clone()),
        ("class", class.to_string()),
        ("gpu", given(gpu)),
        ("gpu_count", given(gpu_count)),
        ("driver", given(driver)),
        ("cuda", given(cuda)),
        ("software", given(software)),
        ("timer", given(timer)),
        ("cache", given(cache)),
        ("statistic", given(statistic)),
        ("tool", given(tool)),
        ("tool_commit", given(tool_commit)),
        ("command", given(command)),
        ("measured_on", given(measured_on)),
        ("verified", given(verified)),
        ("note", words(notes)),
    ])
}

fn add_retest(parts: &mut Collection, retest: &Retest) {
    let Retest {
        operator,
        shape,
        implementation,
        batch,
        standard,
        outcome,
        detail,
        notes,
        span: _,
    } = retest;
    let name =
        [scope(operator.as_ref(), shape.as_ref(), implementation, batch.as_ref()), given(standard)];
    let fields = fields([
        ("outcome", outcome.to_string()),
        ("detail", given(detail)),
        ("note", words(notes)),
    ]);
    parts.add(PartKind::Retest, name.join(" ").trim_end(), fields);
}

fn add_withdrawal(parts: &mut Collection, withdrawal: &Withdrawal) {
    let Withdrawal { operator, shape, implementation, batch, withdrawn_on, reason, url, span: _ } =
        withdrawal;
    let name = scope(operator.as_ref(), shape.as_ref(), implementation, batch.as_ref());
    let fields = fields([
        ("withdrawn_on", withdrawn_on.to_string()),
        ("reason", reason.clone()),
        ("url", given(url)),
    ]);
    parts.add(PartKind::Withdrawal, name, fields);
}

/// `operator/shape/implementation/batch` with `*` for all.
fn scope(
    operator: Option<&crate::model::OperatorId>,
    shape: Option<&crate::model::ShapeKey>,
    implementation: &str,
    batch: Option<&crate::model::BatchId>,
) -> String {
    let operator = operator.or(shape.map(|key| &key.operator)).map_or("*", AsRef::as_ref);
    let shape = shape.map_or("*", |key| key.shape.as_ref());
    format!("{operator}/{shape}/{implementation}/{}", batch.map_or("*", AsRef::as_ref))
}

fn add_trajectory_point(parts: &mut Collection, point: &TrajectoryPoint) {
    let TrajectoryPoint { trajectory, shape, implementation, hours, latency, kind, label, span: _ } =
        point;
    let kind = match kind {
        TrajectoryPointKind::Start => "start",
        TrajectoryPointKind::Best => "best",
        TrajectoryPointKind::Attempt => "attempt",
        TrajectoryPointKind::Reference => "reference",
        TrajectoryPointKind::Final => "final",
    };
    let after = hours.map(|hours| format!(" at {hours} h")).unwrap_or_default();
    let name = format!("{trajectory}{after}, {kind} {} µs", latency.text);
    let fields = fields([
        ("shape", shape.to_string()),
        ("implementation", implementation.to_string()),
        ("label", given(label)),
    ]);
    parts.add(PartKind::Trajectory, name, fields);
}

fn table_fields(table: &Table) -> Fields {
    let Table { header, rows, spans: _ } = table;
    let mut all = fields([("header", header.join(" | "))]);
    all.extend(rows.iter().enumerate().map(|(at, row)| {
        let first = row.first().map_or("", String::as_str);
        (format!("row {} {first}", at + 1).trim_end().to_owned(), row.join(" | "))
    }));
    all
}

fn target(target: &Target) -> String {
    let and = |id: Option<&str>| id.map(|id| format!("/{id}")).unwrap_or_default();
    match target {
        Target::Study => "study".into(),
        Target::Board(id) => format!("board:{id}"),
        Target::Operator(id) => format!("operator:{id}"),
        Target::Shape(key) => format!("shape:{key}"),
        Target::Implementation(id) => format!("implementation:{id}"),
        Target::Batch(id) => format!("batch:{id}"),
        Target::Record { shape, implementation, batch } => {
            format!("record:{shape}/{implementation}{}", and(batch.as_deref()))
        }
        Target::Run { run, item } => format!("run:{run}{}", and(item.as_deref())),
    }
}

fn add_macroeval(parts: &mut Collection, macroeval: &MacroEval) {
    let MacroEval { families, items, runs, outcomes, distances } = macroeval;
    for Family { id, name, failure_threshold, notes, span: _ } in families.values() {
        let fields = fields([
            ("name", name.clone()),
            ("failure_threshold", given(failure_threshold)),
            ("note", words(notes)),
        ]);
        parts.add(PartKind::Family, id.as_str(), fields);
    }
    for Item { id, name, family, noise_floor, notes, span: _ } in items.values() {
        let fields = fields([
            ("name", name.clone()),
            ("family", family.to_string()),
            ("noise_floor", given(noise_floor)),
            ("note", words(notes)),
        ]);
        parts.add(PartKind::Item, id.as_str(), fields);
    }
    for Run { id, name, agent, mode, model, notes, span: _ } in runs.values() {
        let fields = fields([
            ("name", name.clone()),
            ("agent", agent.clone()),
            ("mode", mode.clone()),
            ("model", given(model)),
            ("note", words(notes)),
        ]);
        parts.add(PartKind::Run, id.as_str(), fields);
    }
    for one in outcomes {
        let Outcome {
            run,
            item,
            subset,
            outcome,
            category,
            correctness,
            throughput_speedup,
            latency_speedup,
            distance,
            dropped,
            notes,
            span: _,
        } = one;
        let fields = fields([
            ("outcome", outcome.to_string()),
            ("category", given(category)),
            ("correctness", given(correctness)),
            ("throughput_speedup", given(throughput_speedup)),
            ("latency_speedup", given(latency_speedup)),
            ("distance", given(distance)),
            ("dropped", given(dropped)),
            ("note", words(notes)),
        ]);
        parts.add(PartKind::Outcome, format!("{run}/{item}/{subset}"), fields);
    }
    for Distance { run, item, request, distance, span: _ } in distances {
        let fields = fields([("distance", distance.to_string())]);
        parts.add(PartKind::Distance, format!("{run}/{item}/{request}"), fields);
    }
}

fn fields<const N: usize>(pairs: [(&str, String); N]) -> Fields {
    pairs.into_iter().map(|(name, text)| (name.to_owned(), text)).collect()
}

/// A value as text, empty if it is not given. Floats print all the digits it takes to tell them
/// from any other.
#[expect(clippy::ref_option, reason = "fields are at hand as references")]
fn given<T: ToString>(value: &Option<T>) -> String {
    value.as_ref().map(ToString::to_string).unwrap_or_default()
}

fn words<T: ToString>(list: &[T]) -> String {
    list.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
