//! `leaderboard.json` of `FastKernels`, schema version 1: a `MacroEval` study.
//!
//! Outcomes per model are taken, and the tables that cannot be recomputed from them. Scores,
//! means per family and ranks are not: Paceboard computes them. Numbers keep the JSON's text.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{
    Fault, Imported, Place, Source, counted,
    json::{self, Object},
    number::Number,
    sheet::Sheet,
    slug::{self, Use},
    study::{self, TableBoard},
};
use crate::input::schema::FileKind;

/// The version of the file that is known here.
const SCHEMA_VERSION: &str = "1";

#[derive(Debug, Deserialize)]
struct Version {
    schema_version: Box<RawValue>,
}

#[derive(Debug, Deserialize)]
struct Leaderboard {
    generated_at: String,
    #[serde(default)]
    generated_by: String,
    metric: Metric,
    environment: Environment,
    universe: Universe,
    agent_info: Object<AgentInfo>,
    targets_per_level: Object<Number>,
    #[serde(default)]
    excluded_stems: Vec<String>,
    boards: Boards,
}

#[derive(Debug, Deserialize)]
struct Metric {
    lambda: Number,
    tau: Number,
}

#[derive(Debug, Deserialize)]
struct Environment {
    #[serde(default)]
    gpu: String,
    gpu_count: Option<Number>,
    python: Option<String>,
    torch: Option<String>,
    vllm: Option<String>,
    transformers: Option<String>,
    fastkernels: Option<String>,
    macroeval_config: Config,
}

#[derive(Debug, Deserialize)]
struct Config {
    f: Object<Number>,
}

#[derive(Debug, Deserialize)]
struct Universe {
    families: Vec<String>,
    models: Vec<Model>,
}

#[derive(Debug, Deserialize)]
struct Model {
    id: String,
    label: String,
    family: String,
}

#[derive(Debug, Deserialize)]
struct AgentInfo {
    name: String,
    kind: Option<String>,
    models: Option<String>,
    r#loop: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Boards {
    agents: Board<Row>,
    models: Option<Board<Box<RawValue>>>,
}

#[derive(Debug, Deserialize)]
struct Board<T> {
    rows: Vec<T>,
}

#[derive(Debug, Deserialize)]
struct Row {
    agent: String,
    agent_key: String,
    mode: String,
    mode_label: String,
    kernel: Option<Object<Level>>,
    composition: Option<Object<Edge>>,
    e2e: Option<EndToEnd>,
    cost: Option<Cost>,
}

#[derive(Debug, Deserialize)]
struct Level {
    benched: Option<Number>,
    correct: Option<Number>,
    geomean: Option<Number>,
    fast_1: Option<Number>,
    fast_2: Option<Number>,
}

#[derive(Debug, Deserialize, PartialEq, Eq, Clone)]
struct Edge {
    n: Option<Number>,
    from: Option<Number>,
    to: Option<Number>,
    ratio: Option<Number>,
    broke: Option<Number>,
}

#[derive(Debug, Deserialize)]
struct EndToEnd {
    per_model: Vec<PerModel>,
    drops: Option<Drops>,
    sensitivity: Option<Object<Sensitivity>>,
}

#[derive(Debug, Deserialize)]
struct PerModel {
    model: String,
    outcome: String,
    detail: Option<String>,
    valid: Option<bool>,
    #[serde(rename = "C")]
    c: Option<Number>,
    s: Option<Speedups>,
    mean_d: Option<Number>,
    n_dropped: Option<Number>,
    as_is: Option<AsIs>,
}

#[derive(Debug, Deserialize)]
struct Speedups {
    thr: Option<Number>,
    lat: Option<Number>,
}

#[derive(Debug, Deserialize)]
struct AsIs {
    outcome: String,
    detail: Option<String>,
    valid: Option<bool>,
}

#[derive(Debug, Deserialize)]
struct Drops {
    requested: Option<Number>,
    kept: Option<Number>,
    kept_fraction: Option<Number>,
    dropped_unique_kernels: Option<Number>,
    #[serde(default)]
    dropped_by_category: Object<Number>,
    #[serde(default)]
    status: Object<Number>,
}

#[derive(Debug, Deserialize)]
struct Sensitivity {
    score: Option<Number>,
    rank: Option<Number>,
}

#[derive(Debug, Deserialize, PartialEq, Eq, Clone)]
struct Cost {
    n_ops: Option<Number>,
    agent_hours: Option<Number>,
    median_hours_per_op: Option<Number>,
    tokens: Option<Number>,
    tokens_output: Option<Number>,
    tokens_cached: Option<Number>,
    tokens_per_op: Option<Number>,
}

/// Reads one `leaderboard.json`.
pub fn import(sources: &[Source]) -> Result<Imported, Vec<Fault>> {
    let [source] = sources else {
        let names: Vec<&str> = sources.iter().map(|source| source.name.as_str()).collect();
        let message = "give one leaderboard.json: two of them would be two studies";
        return Err(vec![Fault::new(&names.join(", "), Place::File, message)]);
    };
    let board = read(source).map_err(|fault| vec![fault])?;
    let mut reading = Reading {
        source,
        board: &board,
        names: Names::of(source, &board)?,
        faults: Vec::new(),
        out: Imported::default(),
    };
    reading.all();
    if reading.faults.is_empty() { Ok(reading.out) } else { Err(reading.faults) }
}

fn read(source: &Source) -> Result<Leaderboard, Fault> {
    // The version first: another one may have other fields, and its name says more than theirs.
    let Version { schema_version } = json::file(source)?;
    if schema_version.get() != SCHEMA_VERSION {
        let message = format!(
            "this is schema version {}, and version {SCHEMA_VERSION} is what can be read",
            schema_version.get()
        );
        return Err(Fault::new(&source.name, Place::Pointer("/schema_version".into()), message));
    }
    json::file(source)
}

/// Ids by foreign names.
struct Names<'a> {
    families: BTreeMap<&'a str, String>,
    /// By the label: the model's own id is a path in a repository of models.
    items: BTreeMap<&'a str, String>,
    /// By `agent_key-mode`.
    runs: BTreeMap<String, String>,
    agents: BTreeMap<&'a str, String>,
}

impl<'a> Names<'a> {
    fn of(source: &Source, board: &'a Leaderboard) -> Result<Self, Vec<Fault>> {
        let mut faults = Vec::new();
        let mut assigned = |pointer: &str, names: Vec<&'a str>| {
            let mut seen = std::collections::BTreeSet::new();
            for name in &names {
                if !seen.insert(*name) {
                    let message = format!("`{name}` is given twice");
                    faults.push(Fault::new(&source.name, Place::Pointer(pointer.into()), message));
                }
            }
            slug::assign(names, Use::Row).unwrap_or_else(|clash| {
                let slug::Clash { first, second, id } = clash;
                let message = format!("`{first}` and `{second}` would share the id `{id}`");
                faults.push(Fault::new(&source.name, Place::Pointer(pointer.into()), message));
                BTreeMap::new()
            })
        };
        let universe = &board.universe;
        let families =
            assigned("/universe/families", universe.families.iter().map(String::as_str).collect());
        let items = assigned(
            "/universe/models",
            universe.models.iter().map(|model| model.label.as_str()).collect(),
        );
        let agents = assigned(
            "/agent_info",
            board.agent_info.0.iter().map(|(key, _)| key.as_str()).collect(),
        );
        let keys: Vec<String> = board.boards.agents.rows.iter().map(run_key).collect();
        let mut runs = BTreeMap::new();
        match slug::assign(keys.iter().map(String::as_str), Use::Row) {
            Ok(ids) => runs.extend(ids.into_iter().map(|(key, id)| (key.to_owned(), id))),
            Err(clash) => {
                let message = format!(
                    "the runs `{}` and `{}` would share the id `{}`",
                    clash.first, clash.second, clash.id
                );
                let place = Place::Pointer("/boards/agents/rows".into());
                faults.push(Fault::new(&source.name, place, message));
            }
        }
        for (index, key) in keys.iter().enumerate() {
            if keys[..index].contains(key) {
                let place = Place::Pointer(format!("/boards/agents/rows/{index}"));
                faults.push(Fault::new(&source.name, place, format!("a second row of {key}")));
            }
        }
        if faults.is_empty() { Ok(Self { families, items, runs, agents }) } else { Err(faults) }
    }
}

fn run_key(row: &Row) -> String {
    format!("{}-{}", row.agent_key, row.mode)
}

fn text(number: Option<&Number>) -> &str {
    number.map_or("", |number| &number.0)
}

struct Reading<'a> {
    source: &'a Source,
    board: &'a Leaderboard,
    names: Names<'a>,
    faults: Vec<Fault>,
    out: Imported,
}

impl<'a> Reading<'a> {
    fn fault(&mut self, pointer: impl Into<String>, message: impl Into<String>) {
        self.faults.push(Fault::new(&self.source.name, Place::Pointer(pointer.into()), message));
    }

    fn write(&mut self, path: &str, sheet: &Sheet) -> bool {
        if sheet.is_empty() {
            return false;
        }
        match sheet.text(path) {
            Ok(text) => {
                self.out.files.insert(path.to_owned(), text);
            }
            Err(fault) => self.faults.push(fault),
        }
        true
    }

    fn all(&mut self) {
        self.entities();
        self.outcomes();
        let mut boards = String::new();
        for table in [kernel_tier, composition, drops, sensitivity, cost, agents] {
            let table = table(self);
            if self.write(table.board.file, &table.sheet) {
                self.out.taken.push(format!(
                    "{}: {}",
                    table.board.file,
                    counted(table.sheet.len(), "row", "rows")
                ));
                boards += &study::table_board(&table.board);
            }
        }
        self.study(&boards);
        self.leave_out();
    }

    fn entities(&mut self) {
        let board = self.board;
        let mut families = Sheet::of(FileKind::Families);
        for name in &board.universe.families {
            let threshold = board.environment.macroeval_config.f.get(name);
            families.push(&[
                ("id", &self.names.families[name.as_str()]),
                ("name", name),
                ("failure_threshold", text(threshold)),
            ]);
        }
        let mut items = Sheet::of(FileKind::Items);
        for (index, model) in board.universe.models.iter().enumerate() {
            let Some(family) = self.names.families.get(model.family.as_str()).cloned() else {
                let message = format!("`{}` is not one of universe.families", model.family);
                self.fault(format!("/universe/models/{index}/family"), message);
                continue;
            };
            items.push(&[
                ("id", &self.names.items[model.label.as_str()]),
                ("name", &model.label),
                ("family", &family),
            ]);
        }
        let mut runs = Sheet::of(FileKind::Runs);
        for row in &board.boards.agents.rows {
            let mode = row.mode_label.to_lowercase();
            let info = board.agent_info.get(&row.agent_key);
            runs.push(&[
                ("id", &self.names.runs[&run_key(row)]),
                ("name", &format!("{}, {mode}", row.agent)),
                ("agent", &row.agent),
                ("mode", &mode),
                ("model", info.and_then(|info| info.models.as_deref()).unwrap_or("")),
            ]);
        }
        self.out.taken.push(format!(
            "{}, {} and {}",
            counted(families.len(), "family", "families"),
            counted(items.len(), "item", "items"),
            counted(runs.len(), "run", "runs"),
        ));
        for (path, sheet) in
            [("families.csv", &families), ("items.csv", &items), ("runs.csv", &runs)]
        {
            self.write(path, sheet);
        }
    }

    fn outcomes(&mut self) {
        let mut deployable = Sheet::of(FileKind::Outcomes);
        let mut all_winners = Sheet::of(FileKind::Outcomes);
        for (index, row) in self.board.boards.agents.rows.iter().enumerate() {
            let run = self.names.runs[&run_key(row)].clone();
            let Some(e2e) = &row.e2e else {
                self.out.leave_out(
                    format!("end-to-end outcomes of {run}"),
                    "the file has none: kernels of this mode were timed alone",
                );
                continue;
            };
            for (place, per_model) in e2e.per_model.iter().enumerate() {
                let pointer = format!("/boards/agents/rows/{index}/e2e/per_model/{place}");
                self.outcome(&pointer, &run, per_model, &mut deployable, &mut all_winners);
            }
        }
        self.out.taken.push(format!(
            "{} of deployable sets and {} of all winners",
            counted(deployable.len(), "outcome", "outcomes"),
            all_winners.len()
        ));
        self.write("outcomes/deployable.csv", &deployable);
        self.write("outcomes/all-winners.csv", &all_winners);
    }

    fn outcome(
        &mut self,
        pointer: &str,
        run: &str,
        per_model: &'a PerModel,
        deployable: &mut Sheet,
        all_winners: &mut Sheet,
    ) {
        let models = &self.board.universe.models;
        let Some(model) = models.iter().find(|model| model.id == per_model.model) else {
            let message = format!("`{}` is not one of universe.models", per_model.model);
            return self.fault(format!("{pointer}/model"), message);
        };
        let item = self.names.items[model.label.as_str()].clone();
        let PerModel { outcome, detail, c, s, mean_d, n_dropped, as_is, .. } = per_model;
        let ok = outcome == "ok";
        // Measured beside an outcome that is not `ok`, if ever, these would be of what failed.
        let speedups = s.as_ref().filter(|_| ok);
        let measured = [
            ("correctness", text(c.as_ref())),
            ("throughput_speedup", text(speedups.and_then(|s| s.thr.as_ref()))),
            ("latency_speedup", text(speedups.and_then(|s| s.lat.as_ref()))),
            ("distance", text(mean_d.as_ref())),
        ];
        if self.known_outcome(&format!("{pointer}/outcome"), outcome) {
            self.agrees(pointer, outcome, per_model.valid, c.as_ref());
            let cells = [
                ("run", run),
                ("item", &item),
                ("subset", "deployable"),
                ("outcome", outcome),
                ("category", detail.as_deref().unwrap_or("")),
                ("dropped", text(n_dropped.as_ref())),
            ];
            deployable.push(&[&cells[..], &measured].concat());
        }
        let Some(as_is) = as_is else { return };
        if self.known_outcome(&format!("{pointer}/as_is/outcome"), &as_is.outcome) {
            let whole = as_is.outcome == "ok";
            if whole && !(ok && n_dropped.as_ref().and_then(Number::value) == Some(0.0)) {
                let message = "all winners ran as they are, and yet the deployable set is another \
                               one: its correctness cannot be taken for theirs";
                return self.fault(format!("{pointer}/as_is"), message);
            }
            self.agrees(&format!("{pointer}/as_is"), &as_is.outcome, as_is.valid, c.as_ref());
            let cells = [
                ("run", run),
                ("item", &item),
                ("subset", "all-winners"),
                ("outcome", as_is.outcome.as_str()),
                ("category", as_is.detail.as_deref().unwrap_or("")),
                // Nothing was dropped, so the deployable run is this run.
                ("dropped", if whole { "0" } else { "" }),
            ];
            let measured = if whole { &measured[..] } else { &[] };
            all_winners.push(&[&cells[..], measured].concat());
        }
    }

    fn known_outcome(&mut self, pointer: &str, outcome: &str) -> bool {
        let known = crate::input::schema::OUTCOMES.contains(&outcome);
        if !known {
            let words = crate::input::schema::OUTCOMES.join(", ");
            self.fault(pointer, format!("`{outcome}` is not an outcome of MacroEval ({words})"));
        }
        known
    }

    /// Whether the file's own `valid` is what its outcome and correctness say.
    fn agrees(&mut self, pointer: &str, outcome: &str, valid: Option<bool>, c: Option<&Number>) {
        let tau = self.board.metric.tau.value();
        let computed = outcome == "ok" && c.and_then(Number::value) >= tau;
        if valid.is_some_and(|valid| valid != computed) {
            let message =
                format!("`valid` is {}, and outcome, C and tau say {computed}", !computed);
            self.fault(format!("{pointer}/valid"), message);
        }
    }

    fn study(&mut self, tables: &str) {
        let Leaderboard { generated_at, generated_by, metric, environment, .. } = self.board;
        let head = study::head(
            "FastKernels leaderboard",
            "Kernels of several agents alone and in production models, from leaderboard.json of \
             FastKernels. Scores are recomputed from the outcomes per model.",
        );
        let macroeval = format!(
            "\n[[board]]\nid = \"macroeval\"\ntitle = \"MacroEval\"\nkind = \"macroeval\"\ntau = \
             {}\nlambda = {}\n",
            metric.tau.0, metric.lambda.0
        );
        self.out.files.insert("study.toml".to_owned(), head + &macroeval + tables);

        let versions = [
            ("Python", &environment.python),
            ("PyTorch", &environment.torch),
            ("vLLM", &environment.vllm),
            ("transformers", &environment.transformers),
            ("FastKernels", &environment.fastkernels),
        ];
        let lines = [("generated at", generated_at.as_str()), ("generated by", generated_by)]
            .into_iter()
            .map(|(what, value)| (what, value.to_owned()))
            .chain([
                ("GPU", environment.gpu.clone()),
                ("GPUs", text(environment.gpu_count.as_ref()).to_owned()),
            ])
            .chain(versions.map(|(what, value)| (what, value.clone().unwrap_or_default())))
            .filter(|(_, value)| !value.is_empty())
            .map(|(what, value)| format!("{what}: {value}"));
        let body = format!(
            "Imported from leaderboard.json, schema version {SCHEMA_VERSION}. What the file says of \
             itself:\n\n{}",
            study::verbatim(&lines.collect::<Vec<_>>().join("\n"))
        );
        let note = study::note("Where the figures come from", "info", ["study"], &body);
        self.out.files.insert("notes/source.md".to_owned(), note);
    }

    fn leave_out(&mut self) {
        let board = self.board;
        let out = &mut self.out;
        for (what, why) in [
            (
                "scores, means per family and coverage of every run",
                "Paceboard computes them from the outcomes per model",
            ),
            (
                "S of every model at lambda 0.5, which is the geometric mean of its two speedups",
                "Paceboard computes it",
            ),
            ("open_weights and provenance of every run", "the data folder has no place for them"),
            ("noise floors of the models", "the file has none"),
        ] {
            out.leave_out(what, why);
        }
        if !board.excluded_stems.is_empty() {
            out.leave_out(
                format!("the operators {}", board.excluded_stems.join(", ")),
                "the file excludes them from the kernel tier",
            );
        }
        if let Some(models) = &board.boards.models {
            out.leave_out(
                format!("the board `models` with {}", counted(models.rows.len(), "row", "rows")),
                "it is another benchmark, and version 1 says that it is out of scope",
            );
        }
    }
}

/// A published table and the board that shows it.
struct Table {
    board: TableBoard<'static>,
    sheet: Sheet,
}

impl Table {
    fn new(
        id: &'static str,
        title: &'static str,
        file: &'static str,
        columns: &'static [(&'static str, &'static str, &'static str)],
    ) -> Self {
        Self {
            board: TableBoard { id, title, file, columns },
            sheet: Sheet::free(columns.iter().map(|(id, ..)| *id)).with_all_columns(),
        }
    }
}

fn kernel_tier(reading: &mut Reading<'_>) -> Table {
    let mut table = Table::new(
        "kernel-tier",
        "Kernels alone, by level",
        "tables/kernel-tier.csv",
        &[
            ("entry", "Entry", "text"),
            ("run", "Run", "text"),
            ("agent", "Agent", "text"),
            ("mode", "Mode", "text"),
            ("level", "Level", "text"),
            ("targets", "Targets", "number"),
            ("benched", "Benchmarked", "number"),
            ("correct", "Correct", "number"),
            ("geomean", "Geomean", "ratio"),
            ("fast-1", "fast_1", "number"),
            ("fast-2", "fast_2", "number"),
        ],
    );
    for row in &reading.board.boards.agents.rows {
        let run = &reading.names.runs[&run_key(row)];
        for (level, kernel) in row.kernel.iter().flat_map(|kernel| &kernel.0) {
            let targets =
                level.strip_prefix('L').and_then(|l| reading.board.targets_per_level.get(l));
            table.sheet.push(&[
                ("entry", &format!("{run}-{}", level.to_lowercase())),
                ("run", run),
                ("agent", &row.agent),
                ("mode", &row.mode_label.to_lowercase()),
                ("level", level),
                ("targets", text(targets)),
                ("benched", text(kernel.benched.as_ref())),
                ("correct", text(kernel.correct.as_ref())),
                ("geomean", text(kernel.geomean.as_ref())),
                ("fast-1", text(kernel.fast_1.as_ref())),
                ("fast-2", text(kernel.fast_2.as_ref())),
            ]);
        }
    }
    table
}

/// The file repeats the edges of an agent under each of its modes; each stands here once.
fn composition(reading: &mut Reading<'_>) -> Table {
    let mut table = Table::new(
        "composition",
        "What composing kernels does to them",
        "tables/composition.csv",
        &[
            ("edge", "Edge", "text"),
            ("agent", "Agent", "text"),
            ("before", "Before", "text"),
            ("after", "After", "text"),
            ("level", "Level", "text"),
            ("paired", "Correct in both", "number"),
            ("broke", "Broke", "number"),
            ("geomean-before", "Geomean before", "ratio"),
            ("geomean-after", "Geomean after", "ratio"),
            ("ratio", "After / before", "ratio"),
        ],
    );
    let rows = &reading.board.boards.agents.rows;
    let mode_of = |key: &str| {
        rows.iter().find(|row| row.mode == key).map(|row| row.mode_label.to_lowercase())
    };
    let mut seen: BTreeMap<(&str, &str), &Edge> = BTreeMap::new();
    let mut faults = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        for (key, edge) in row.composition.iter().flat_map(|composition| &composition.0) {
            let pointer = format!("/boards/agents/rows/{index}/composition/{key}");
            match seen.insert((&row.agent_key, key), edge) {
                Some(earlier) if earlier == edge => continue,
                Some(_) => {
                    faults.push((pointer, "another row of this agent has other figures for it"));
                    continue;
                }
                None => {}
            }
            let parts = key.rsplit_once('_').and_then(|(modes, level)| {
                let (before, after) = modes.split_once("_to_")?;
                Some((mode_of(before)?, mode_of(after)?, level))
            });
            let Some((before, after, level)) = parts else {
                faults.push((pointer, "expected MODE_to_MODE_LEVEL with modes of the rows"));
                continue;
            };
            table.sheet.push(&[
                ("edge", &slug::slug(&format!("{}-{key}", row.agent_key))),
                ("agent", &row.agent),
                ("before", &before),
                ("after", &after),
                ("level", level),
                ("paired", text(edge.n.as_ref())),
                ("broke", text(edge.broke.as_ref())),
                ("geomean-before", text(edge.from.as_ref())),
                ("geomean-after", text(edge.to.as_ref())),
                ("ratio", text(edge.ratio.as_ref())),
            ]);
        }
    }
    for (pointer, message) in faults {
        reading.fault(pointer, message);
    }
    table
}

fn drops(reading: &mut Reading<'_>) -> Table {
    const CAUSES: [&str; 5] = ["runtime", "compile", "incorrect", "timeout", "import"];
    let mut table = Table::new(
        "drops",
        "Kernels dropped on the way into the models",
        "tables/drops.csv",
        &[
            ("run", "Run", "text"),
            ("agent", "Agent", "text"),
            ("mode", "Mode", "text"),
            ("requested", "Requested", "number"),
            ("kept", "Kept", "number"),
            ("kept-fraction", "Kept", "share"),
            ("dropped-unique", "Dropped, distinct", "number"),
            ("runtime", "Runtime", "number"),
            ("compile", "Compile", "number"),
            ("incorrect", "Incorrect", "number"),
            ("timeout", "Timeout", "number"),
            ("import", "Import", "number"),
            ("status-ok", "Models that ran", "number"),
            ("status-incomplete", "Models incomplete", "number"),
        ],
    );
    let mut others = Vec::new();
    for row in &reading.board.boards.agents.rows {
        let Some(drops) = row.e2e.as_ref().and_then(|e2e| e2e.drops.as_ref()) else { continue };
        let run = &reading.names.runs[&run_key(row)];
        let causes = &drops.dropped_by_category;
        let known = |(name, _): &&(String, Number)| !CAUSES.contains(&name.as_str());
        others.extend(
            causes
                .0
                .iter()
                .filter(known)
                .map(|(name, count)| format!("{} dropped of {run} by the cause `{name}`", count.0)),
        );
        let mode = row.mode_label.to_lowercase();
        let cells = [
            ("run", run.as_str()),
            ("agent", &row.agent),
            ("mode", &mode),
            ("requested", text(drops.requested.as_ref())),
            ("kept", text(drops.kept.as_ref())),
            ("kept-fraction", text(drops.kept_fraction.as_ref())),
            ("dropped-unique", text(drops.dropped_unique_kernels.as_ref())),
            ("status-ok", text(drops.status.get("ok"))),
            ("status-incomplete", text(drops.status.get("incomplete"))),
        ];
        table
            .sheet
            .push(&[&cells[..], &CAUSES.map(|name| (name, text(causes.get(name))))].concat());
    }
    for other in others {
        reading.out.leave_out(other, "the table has no column for this cause");
    }
    table
}

fn sensitivity(reading: &mut Reading<'_>) -> Table {
    const SCALES: [(&str, &str, &str); 3] = [
        ("0.5x", "score-half", "rank-half"),
        ("1x", "score", "rank"),
        ("2x", "score-double", "rank-double"),
    ];
    let mut table = Table::new(
        "sensitivity",
        "Score and rank under halved and doubled thresholds",
        "tables/sensitivity.csv",
        &[
            ("run", "Run", "text"),
            ("agent", "Agent", "text"),
            ("mode", "Mode", "text"),
            ("score-half", "Score, halved", "number"),
            ("rank-half", "Rank, halved", "number"),
            ("score", "Score", "number"),
            ("rank", "Rank", "number"),
            ("score-double", "Score, doubled", "number"),
            ("rank-double", "Rank, doubled", "number"),
        ],
    );
    let mut others = Vec::new();
    for row in &reading.board.boards.agents.rows {
        let Some(scales) = row.e2e.as_ref().and_then(|e2e| e2e.sensitivity.as_ref()) else {
            continue;
        };
        let run = &reading.names.runs[&run_key(row)];
        let mode = row.mode_label.to_lowercase();
        let mut cells = vec![("run", run.as_str()), ("agent", &row.agent), ("mode", &mode)];
        for (name, figures) in &scales.0 {
            match SCALES.iter().find(|(scale, ..)| scale == name) {
                Some((_, score, rank)) => cells.extend([
                    (*score, text(figures.score.as_ref())),
                    (*rank, text(figures.rank.as_ref())),
                ]),
                None => others.push(format!("the thresholds scaled by {name} of {run}")),
            }
        }
        table.sheet.push(&cells);
    }
    for other in others {
        reading.out.leave_out(other, "the table has columns for 0.5x, 1x and 2x");
    }
    table
}

/// What a campaign cost. A mode without end-to-end outcomes is not a campaign, and repeats the
/// cost of the one whose kernels it uses.
fn cost(reading: &mut Reading<'_>) -> Table {
    let mut table = Table::new(
        "cost",
        "What each campaign cost",
        "tables/cost.csv",
        &[
            ("run", "Run", "text"),
            ("agent", "Agent", "text"),
            ("campaign", "Campaign", "text"),
            ("ops", "Operators", "number"),
            ("agent-hours", "Agent-hours", "number"),
            ("median-hours-per-op", "Median hours per operator", "number"),
            ("tokens", "Tokens", "number"),
            ("tokens-output", "Output tokens", "number"),
            ("tokens-cached", "Cached tokens", "number"),
            ("tokens-per-op", "Tokens per operator", "number"),
        ],
    );
    let rows = &reading.board.boards.agents.rows;
    for row in rows {
        let Some(cost) = &row.cost else { continue };
        let run = &reading.names.runs[&run_key(row)];
        let repeated = rows.iter().find(|other| {
            row.e2e.is_none()
                && other.e2e.is_some()
                && other.agent_key == row.agent_key
                && other.cost.as_ref() == Some(cost)
        });
        if let Some(other) = repeated {
            reading.out.leave_out(
                format!("the cost of {run}"),
                format!("it repeats that of {}", run_key(other)),
            );
            continue;
        }
        table.sheet.push(&[
            ("run", run),
            ("agent", &row.agent),
            ("campaign", &row.mode_label.to_lowercase()),
            ("ops", text(cost.n_ops.as_ref())),
            ("agent-hours", text(cost.agent_hours.as_ref())),
            ("median-hours-per-op", text(cost.median_hours_per_op.as_ref())),
            ("tokens", text(cost.tokens.as_ref())),
            ("tokens-output", text(cost.tokens_output.as_ref())),
            ("tokens-cached", text(cost.tokens_cached.as_ref())),
            ("tokens-per-op", text(cost.tokens_per_op.as_ref())),
        ]);
    }
    table
}

fn agents(reading: &mut Reading<'_>) -> Table {
    let mut table = Table::new(
        "agents",
        "How each agent was run",
        "tables/agents.csv",
        &[
            ("id", "Id", "text"),
            ("agent", "Agent", "text"),
            ("kind", "Kind", "text"),
            ("models", "Models", "text"),
            ("loop", "Loop per operator", "text"),
        ],
    );
    for (key, info) in &reading.board.agent_info.0 {
        table.sheet.push(&[
            ("id", &reading.names.agents[key.as_str()]),
            ("agent", &info.name),
            ("kind", info.kind.as_deref().unwrap_or("")),
            ("models", info.models.as_deref().unwrap_or("")),
            ("loop", info.r#loop.as_deref().unwrap_or("")),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::tests::{assert_passes_check, source};

    const LEADERBOARD: &str = r#"{
  "schema_version": 1, "generated_at": "2026-01-01T00:00:00+00:00", "generated_by": "export.py",
  "metric": {"lambda": 0.50, "tau": 0.9},
  "environment": {"gpu": "NVIDIA B200", "torch": "2.11.0",
    "macroeval_config": {"f": {"Dense & MoE LLMs": 0.5}}},
  "universe": {"families": ["Dense & MoE LLMs"],
    "models": [{"id": "org/a", "label": "A-8B", "family": "Dense & MoE LLMs"},
               {"id": "org/b", "label": "B-8B", "family": "Dense & MoE LLMs"}]},
  "agent_info": {"kda": {"name": "KDA", "kind": "Harness", "models": "Model 1", "loop": "one round"}},
  "targets_per_level": {"1": 47},
  "boards": {"agents": {"rows": [
    {"agent": "KDA", "agent_key": "kda", "mode": "ind", "mode_label": "Independent",
     "kernel": {"L1": {"benched": 47, "correct": 46, "geomean": 1.6411511513224948, "fast_1": 42, "fast_2": 8}},
     "composition": {"ind_to_comp_L2": {"n": 5, "from": 1.10, "to": 1.2, "ratio": 1.1, "broke": 0}},
     "e2e": {
       "drops": {"requested": 5, "kept": 4, "kept_fraction": 0.8, "dropped_unique_kernels": 1,
                 "dropped_by_category": {"runtime": 1, "magic": 2}, "status": {"ok": 2}},
       "per_model": [
         {"model": "org/a", "outcome": "ok", "detail": null, "valid": true, "C": 1.0,
          "s": {"blend": 1.0, "thr": 0.96425940818170660, "lat": 1.1}, "mean_d": 0.0, "n_dropped": 0,
          "as_is": {"outcome": "ok", "detail": null, "valid": true}},
         {"model": "org/b", "outcome": "incomplete", "detail": null, "valid": false, "C": 0.0,
          "s": {"blend": null, "thr": null, "lat": null}, "mean_d": null, "n_dropped": 1,
          "as_is": {"outcome": "crash", "detail": "runtime", "valid": false}}],
       "sensitivity": {"1x": {"score": 0.6, "rank": 1, "of": 2}}},
     "cost": {"n_ops": 133, "agent_hours": 52.57, "tokens": 33637405}},
    {"agent": "KDA", "agent_key": "kda", "mode": "comp", "mode_label": "Composed",
     "kernel": {"L1": {"benched": 1, "correct": 0, "geomean": null, "fast_1": 0, "fast_2": 0}},
     "composition": {"ind_to_comp_L2": {"n": 5, "from": 1.10, "to": 1.2, "ratio": 1.1, "broke": 0}},
     "e2e": null,
     "cost": {"n_ops": 133, "agent_hours": 52.57, "tokens": 33637405}}]}}
}"#;

    fn read(text: &str) -> Result<Imported, Vec<Fault>> {
        import(&[source("leaderboard.json", text)])
    }

    /// The faults of the leaderboard with one text in it replaced.
    fn faults_with(from: &str, to: &str) -> Vec<String> {
        let text = LEADERBOARD.replace(from, to);
        assert_ne!(text, LEADERBOARD, "{from}");
        read(&text).unwrap_err().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_file_keeps_the_digits() {
        let got = read(LEADERBOARD).unwrap();
        assert_passes_check(&got);
        for (path, expected) in [
            ("families.csv", "id,name,failure_threshold\ndense-moe-llms,Dense & MoE LLMs,0.5\n"),
            ("items.csv", "id,name,family\na-8b,A-8B,dense-moe-llms\nb-8b,B-8B,dense-moe-llms\n"),
            (
                "runs.csv",
                "id,name,agent,mode,model\n\
                 kda-ind,\"KDA, independent\",KDA,independent,Model 1\n\
                 kda-comp,\"KDA, composed\",KDA,composed,Model 1\n",
            ),
            (
                "outcomes/deployable.csv",
                "run,item,subset,outcome,correctness,throughput_speedup,latency_speedup,distance,dropped\n\
                 kda-ind,a-8b,deployable,ok,1.0,0.96425940818170660,1.1,0.0,0\n\
                 kda-ind,b-8b,deployable,incomplete,0.0,,,,1\n",
            ),
            (
                "outcomes/all-winners.csv",
                "run,item,subset,outcome,category,correctness,throughput_speedup,latency_speedup,distance,dropped\n\
                 kda-ind,a-8b,all-winners,ok,,1.0,0.96425940818170660,1.1,0.0,0\n\
                 kda-ind,b-8b,all-winners,crash,runtime,,,,,\n",
            ),
            (
                "tables/kernel-tier.csv",
                "entry,run,agent,mode,level,targets,benched,correct,geomean,fast-1,fast-2\n\
                 kda-ind-l1,kda-ind,KDA,independent,L1,47,47,46,1.6411511513224948,42,8\n\
                 kda-comp-l1,kda-comp,KDA,composed,L1,47,1,0,,0,0\n",
            ),
            (
                "tables/composition.csv",
                "edge,agent,before,after,level,paired,broke,geomean-before,geomean-after,ratio\n\
                 kda-ind-to-comp-l2,KDA,independent,composed,L2,5,0,1.10,1.2,1.1\n",
            ),
        ] {
            assert_eq!(got.files[path], expected, "{path}");
        }
        let left_out: Vec<&str> = got.left_out.iter().map(|left| left.what.as_str()).collect();
        for what in [
            "end-to-end outcomes of kda-comp",
            "the cost of kda-comp",
            "2 dropped of kda-ind by the cause `magic`",
        ] {
            assert!(left_out.contains(&what), "{left_out:#?}");
        }
        assert!(got.files["study.toml"].contains("\ntau = 0.9\nlambda = 0.50\n"));
    }

    #[test]
    fn another_version_is_refused_by_name() {
        assert_eq!(
            faults_with("\"schema_version\": 1", "\"schema_version\": 2"),
            ["leaderboard.json#/schema_version: this is schema version 2, and version 1 is what \
              can be read"]
        );
        // Also where the rest of the file is another one altogether.
        let fault = read("{\"schema_version\": \"2.0\"}").unwrap_err();
        assert!(fault[0].message.contains("\"2.0\""), "{fault:?}");
    }

    #[test]
    fn contradictions_are_faults_with_a_pointer() {
        for (from, to, expected) in [
            (
                "\"outcome\": \"incomplete\"",
                "\"outcome\": \"lost\"",
                "#/boards/agents/rows/0/e2e/per_model/1/outcome: `lost` is not",
            ),
            (
                "\"valid\": true, \"C\": 1.0",
                "\"valid\": true, \"C\": 0.8",
                "#/boards/agents/rows/0/e2e/per_model/0/valid: `valid` is true",
            ),
            (
                "\"model\": \"org/b\"",
                "\"model\": \"org/c\"",
                "#/boards/agents/rows/0/e2e/per_model/1/model: `org/c` is not",
            ),
            ("\"mode\": \"comp\"", "\"mode\": \"ind\"", "#/boards/agents/rows/1: a second row"),
            (
                "\"label\": \"B-8B\"",
                "\"label\": \"A-8B\"",
                "#/universe/models: `A-8B` is given twice",
            ),
            (
                "\"n_dropped\": 0",
                "\"n_dropped\": 3",
                "#/boards/agents/rows/0/e2e/per_model/0/as_is: all winners ran",
            ),
        ] {
            let faults = faults_with(from, to);
            assert!(faults.iter().any(|fault| fault.contains(expected)), "{faults:#?}");
        }
        let text = LEADERBOARD.replacen("\"to\": 1.2", "\"to\": 1.3", 1);
        let faults = read(&text).unwrap_err();
        assert!(faults[0].to_string().contains("rows/1/composition/ind_to_comp_L2"), "{faults:?}");
    }

    #[test]
    fn labels_that_would_share_an_id_stay_two() {
        let got = read(&LEADERBOARD.replace("B-8B", "a-8b")).unwrap();
        assert_passes_check(&got);
        assert_eq!(got.files["items.csv"].lines().count(), 3);
    }
}
