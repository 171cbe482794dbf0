//! `FlashInfer`-Trace, the data of `FlashInfer`-Bench: definitions and solutions as JSON, traces as
//! JSON lines.
//!
//! The format is that of `flashinfer_bench/data/` in flashinfer-ai/flashinfer-bench. A trace says
//! how one solution did on one workload of a definition. Whether it has `correctness` and
//! `performance` depends on its status; only `PASSED` has a latency.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{
    Fault, Imported, Place, Source, Surroundings, counted, day,
    json::{self, Object},
    number::{Number, NumberOrWord, microseconds},
    sheet::Sheet,
    slug::{self, Clash, Use},
    status::Verdict,
    study::{self, Contender, SpeedupBoard},
};
use crate::input::schema::FileKind;

/// What definitions call their own slow version, beside which solutions are timed.
const REFERENCE: &str = "FlashInfer-Bench reference";
const STANDARD: &str = "FlashInfer-Bench evaluation";
/// Authors of the public data set whose solutions are calls of libraries.
const LIBRARY_AUTHORS: [&str; 2] = ["baseline", "flashinfer"];

#[derive(Debug, Deserialize)]
struct Definition {
    name: String,
    #[serde(alias = "type")]
    op_type: Option<String>,
    #[serde(default)]
    axes: Object<Axis>,
    #[serde(default)]
    inputs: Object<Tensor>,
}

#[derive(Debug, Deserialize)]
struct Axis {
    value: Option<Number>,
}

#[derive(Debug, Deserialize)]
struct Tensor {
    dtype: String,
}

#[derive(Debug, Deserialize)]
struct Solution {
    name: String,
    author: String,
}

#[derive(Debug, Deserialize)]
struct Trace {
    definition: String,
    workload: Workload,
    solution: Option<String>,
    evaluation: Option<Evaluation>,
}

#[derive(Debug, Deserialize)]
struct Workload {
    axes: Object<Number>,
    uuid: String,
}

#[derive(Debug, Deserialize)]
struct Evaluation {
    status: String,
    environment: Environment,
    timestamp: String,
    #[serde(default)]
    log: String,
    correctness: Option<Correctness>,
    performance: Option<Performance>,
}

#[derive(Debug, Deserialize, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Environment {
    hardware: String,
    #[serde(default)]
    libs: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
struct Correctness {
    max_relative_error: Option<NumberOrWord>,
    max_absolute_error: Option<NumberOrWord>,
}

#[derive(Debug, Deserialize)]
struct Performance {
    latency_ms: Number,
    reference_latency_ms: Option<Number>,
}

/// Which clock a latency was taken with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Timer {
    /// Nothing in the environment's logs says otherwise.
    Cupti,
    /// The log of the trace shows the fallback.
    CudaEvent,
    /// The log of the trace is silent, and that of another one in the same environment is not.
    Unknown,
    /// Nothing was timed.
    None,
}

impl Timer {
    fn name(self) -> &'static str {
        match self {
            Self::Cupti => "CUPTI",
            Self::CudaEvent => "CUDA events",
            Self::Unknown => "timer not known",
            Self::None => "nothing timed",
        }
    }

    fn cell(self) -> &'static str {
        match self {
            Self::Cupti => "cupti",
            Self::CudaEvent => "cuda-event",
            Self::Unknown => "cupti or cuda-event",
            Self::None => "",
        }
    }
}

/// Whether a log shows that CUPTI could not be used. `FlashInfer` says it in three ways.
fn shows_fallback(log: &str) -> bool {
    let log = log.to_lowercase();
    log.contains("cupti")
        && ["falling back", "not installed", "needs to be"].iter().any(|words| log.contains(words))
}

/// A trace that was evaluated, with where it stands.
struct Evaluated<'a> {
    file: &'a str,
    line: usize,
    definition: String,
    workload: Workload,
    solution: String,
    author: Option<String>,
    outcome: Verdict,
    evaluation: Evaluation,
}

/// Reads definitions, solutions and traces.
pub fn import(
    study_id: &str,
    sources: &[Source],
    surroundings: &Surroundings,
) -> Result<Imported, Vec<Fault>> {
    let mut read = Read::default();
    let mut faults = Vec::new();
    for source in sources {
        read.source(source, &mut faults);
    }
    if faults.is_empty() && read.traces.is_empty() {
        let files: Vec<&str> = sources.iter().map(|source| source.name.as_str()).collect();
        faults.push(Fault::new(
            &files.join(", "),
            Place::File,
            "there is no trace with an evaluation in these files, so nothing was measured",
        ));
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    read.into_files(study_id, surroundings).map_err(|fault| vec![fault])
}

#[derive(Default)]
struct Read<'a> {
    definitions: BTreeMap<String, Definition>,
    authors: BTreeMap<String, String>,
    traces: Vec<Evaluated<'a>>,
    out: Imported,
}

impl<'a> Read<'a> {
    fn source(&mut self, source: &'a Source, faults: &mut Vec<Fault>) {
        let extension = source.name.rsplit_once('.').map_or("", |(_, extension)| extension);
        match extension.to_ascii_lowercase().as_str() {
            "jsonl" => {
                let mut workloads: BTreeMap<String, usize> = BTreeMap::new();
                for (number, text) in json::lines(source) {
                    match json::line(&source.name, number, text)
                        .and_then(|trace| self.trace(source, number, trace, &mut workloads))
                    {
                        Ok(()) => {}
                        Err(fault) => faults.push(fault),
                    }
                }
                for (definition, count) in workloads {
                    self.out.leave_out(
                        format!("{} of {definition}", counted(count, "workload", "workloads")),
                        "no evaluation stands beside them, so nothing was measured",
                    );
                }
            }
            "json" => {
                if let Err(fault) = self.object(source) {
                    faults.push(fault);
                }
            }
            _ => self.out.leave_out(
                source.name.clone(),
                "not a file of FlashInfer-Trace: definitions and solutions are .json, traces .jsonl",
            ),
        }
    }

    /// A definition or a solution.
    fn object(&mut self, source: &'a Source) -> Result<(), Fault> {
        let keys: Object<Box<RawValue>> = json::file(source)?;
        if keys.get("sources").is_some() || keys.get("spec").is_some() {
            let Solution { name, author } = json::file(source)?;
            return match self.authors.insert(name.clone(), author.clone()) {
                Some(other) if other != author => Err(Fault::new(
                    &source.name,
                    Place::Pointer("/author".to_owned()),
                    format!(
                        "the solution `{name}` is by {author} here and by {other} in another file"
                    ),
                )),
                _ => Ok(()),
            };
        }
        if keys.get("axes").is_none() {
            return Err(Fault::new(
                &source.name,
                Place::File,
                "this is neither a definition (`axes`) nor a solution (`spec`, `sources`); traces \
                 are JSON lines in a file that ends in .jsonl",
            ));
        }
        let definition: Definition = json::file(source)?;
        let name = definition.name.clone();
        if self.definitions.insert(name.clone(), definition).is_some() {
            return Err(Fault::new(
                &source.name,
                Place::Pointer("/name".to_owned()),
                format!("the definition `{name}` is given by another of the files as well"),
            ));
        }
        Ok(())
    }

    fn trace(
        &mut self,
        source: &'a Source,
        line: usize,
        trace: Trace,
        workloads: &mut BTreeMap<String, usize>,
    ) -> Result<(), Fault> {
        let fault = |message: String| Err(Fault::new(&source.name, Place::Line(line), message));
        let Trace { definition, workload, solution, evaluation } = trace;
        let (solution, evaluation) = match (solution, evaluation) {
            (Some(solution), Some(evaluation)) => (solution, evaluation),
            (None, None) => {
                *workloads.entry(definition).or_default() += 1;
                return Ok(());
            }
            (Some(_), None) => return fault("there is a solution and no evaluation".to_owned()),
            (None, Some(_)) => return fault("there is an evaluation and no solution".to_owned()),
        };
        // It would be taken for the definition's own implementation.
        if solution == REFERENCE || self.authors.get(&solution).is_some_and(|a| a == REFERENCE) {
            return fault(format!("no solution and no author may be called `{REFERENCE}`"));
        }
        let status = &evaluation.status;
        let Some(outcome) = Verdict::of(status) else {
            return fault(format!("`{status}` is not a status of FlashInfer-Bench"));
        };
        if outcome == Verdict::Pass && evaluation.performance.is_none() {
            return fault("the status is PASSED and there is no performance".to_owned());
        }
        if outcome != Verdict::Pass && evaluation.performance.is_some() {
            self.out.leave_out(
                format!("the latency in {}:{line}", source.name),
                format!("the status is {status}: a failing solution has no latency"),
            );
        }
        self.traces.push(Evaluated {
            file: &source.name,
            line,
            author: author_in(&source.name),
            definition,
            workload,
            solution,
            outcome,
            evaluation,
        });
        Ok(())
    }

    fn into_files(
        mut self,
        study_id: &str,
        surroundings: &Surroundings,
    ) -> Result<Imported, Fault> {
        let traces = std::mem::take(&mut self.traces);
        let mut out = std::mem::take(&mut self.out);
        let named = Names::of(&self, &traces)?;
        let mut files = Files::new();

        for name in named.definitions.keys() {
            if !self.definitions.contains_key(*name) {
                out.leave_out(
                    format!("family and constant axes of {name}"),
                    "its definition is not among the files",
                );
            }
        }
        self.write_entities(&named, &traces, &mut files);
        write_batches(&named, &traces, surroundings, &mut files, &mut out);
        write_results(&named, &traces, &mut files, &mut out);
        out.leave_out(
            "speedup_factor of every trace",
            "Paceboard computes speedups from the latencies",
        );
        out.leave_out(
            "how a latency was formed from its calls, and the state of the caches",
            "traces do not say",
        );

        let (latencies, retests) = (files.latencies.len(), files.retests.len());
        out.taken.push(format!(
            "{} with {} and {}",
            counted(traces.len(), "trace", "traces"),
            counted(latencies, "latency", "latencies"),
            counted(retests, "retest record", "retest records"),
        ));
        if !files.samples.is_empty() {
            out.taken.push(format!(
                "{} of the reference, a round per evaluation",
                counted(files.samples.len(), "sample", "samples")
            ));
        }
        out.taken.push(format!(
            "{}, {}, {} and {}",
            counted(files.operators.len(), "operator", "operators"),
            counted(files.shapes.len(), "shape", "shapes"),
            counted(files.implementations.len(), "implementation", "implementations"),
            counted(files.batches.len(), "batch", "batches"),
        ));
        out.files = files.texts()?;
        out.files.insert("study.toml".to_owned(), study_toml(study_id, &named, &traces)?);
        for (id, batch) in named.unsure_batches() {
            out.files.insert(format!("notes/{id}.md"), unsure_note(&batch));
        }
        Ok(out)
    }

    fn write_entities(&self, named: &Names<'_>, traces: &[Evaluated<'_>], files: &mut Files) {
        let mut seen = BTreeSet::new();
        for trace in traces {
            let operator = &named.definitions[trace.definition.as_str()];
            let definition = self.definitions.get(&trace.definition);
            if seen.insert(("operator", operator.clone())) {
                files.operators.push(&[
                    ("id", operator),
                    ("name", &trace.definition),
                    ("family", definition.and_then(|d| d.op_type.as_deref()).unwrap_or("")),
                    ("standard", STANDARD),
                ]);
            }
            let (name, shape) = &named.shapes[&trace.shape_key()];
            if seen.insert(("shape", format!("{operator}/{shape}"))) {
                files.shapes.push(&[
                    ("operator", operator),
                    ("id", shape),
                    ("name", name),
                    ("description", &describe(&trace.workload, definition)),
                ]);
            }
        }
        files.implementations.push(&[
            ("id", named.reference()),
            ("name", REFERENCE),
            ("role", "reference"),
            ("system", "FlashInfer-Bench"),
        ]);
        for trace in traces {
            let (name, id) = named.implementation(trace);
            if seen.insert(("implementation", id.to_owned())) {
                let author = named.author(trace).unwrap_or("");
                let library = LIBRARY_AUTHORS.contains(&slug::slug(author).as_str());
                files.implementations.push(&[
                    ("id", id),
                    ("name", name),
                    ("role", if library { "library" } else { "agent" }),
                    ("system", author),
                ]);
            }
        }
    }
}

impl Evaluated<'_> {
    fn shape_key(&self) -> (String, String) {
        (self.definition.clone(), self.workload.uuid.clone())
    }
}

/// The author in a path of the data set: `traces/<author>/<op_type>/<definition>.jsonl`.
fn author_in(path: &str) -> Option<String> {
    let parts: Vec<&str> = path.split(['/', '\\']).collect();
    let traces = parts.iter().rposition(|part| *part == "traces")?;
    (parts.len() >= traces + 4).then(|| parts[traces + 1].to_owned())
}

/// `M=12251`, the axes that a workload sets.
fn axes(workload: &Workload) -> String {
    let axes: Vec<String> =
        workload.axes.0.iter().map(|(name, value)| format!("{name}={}", value.0)).collect();
    if axes.is_empty() { "constant axes".to_owned() } else { axes.join(", ") }
}

/// All axes with their values, and the types of the inputs.
fn describe(workload: &Workload, definition: Option<&Definition>) -> String {
    let Some(definition) = definition else { return axes(workload) };
    let constants =
        definition.axes.0.iter().filter_map(|(name, axis)| Some((name, axis.value.as_ref()?)));
    let all: Vec<String> = workload
        .axes
        .0
        .iter()
        .map(|(name, value)| (name, value))
        .chain(constants)
        .map(|(name, value)| format!("{name}={}", value.0))
        .collect();
    let mut by_type: Vec<(&str, Vec<&str>)> = Vec::new();
    for (name, tensor) in &definition.inputs.0 {
        match by_type.iter_mut().find(|(dtype, _)| *dtype == tensor.dtype) {
            Some((_, names)) => names.push(name),
            None => by_type.push((&tensor.dtype, vec![name])),
        }
    }
    let types = by_type.iter().map(|(dtype, names)| format!("{} {dtype}", names.join(", ")));
    std::iter::once(all.join(", ")).chain(types).collect::<Vec<_>>().join("; ")
}

/// An environment together with a clock: what a batch is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct BatchKey {
    environment: Environment,
    timer: Timer,
}

/// By definition and workload: name and id.
type Shapes = BTreeMap<(String, String), (String, String)>;

/// Ids for everything that the traces name.
struct Names<'a> {
    definitions: BTreeMap<&'a str, String>,
    shapes: Shapes,
    /// By name: id. [`REFERENCE`] is among them.
    implementations: BTreeMap<String, String>,
    /// Solutions that several authors have under the same name.
    ambiguous: BTreeSet<&'a str>,
    authors: &'a BTreeMap<String, String>,
    /// By what they are: name and id, in order of first appearance.
    batches: Vec<(BatchKey, String, String)>,
    fallbacks: BTreeSet<&'a Environment>,
}

impl<'a> Names<'a> {
    fn of(read: &'a Read<'_>, traces: &'a [Evaluated<'_>]) -> Result<Self, Fault> {
        let clash = |what: &'static str| move |clash: Clash| clash_fault(traces, what, &clash);
        let definitions =
            slug::assign(traces.iter().map(|trace| trace.definition.as_str()), Use::Page)
                .map_err(clash("definitions"))?;

        let mut by_solution: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for trace in traces {
            let author = author_of(&read.authors, trace);
            by_solution.entry(&trace.solution).or_default().extend(author);
        }
        let ambiguous: BTreeSet<&str> = by_solution
            .into_iter()
            .filter_map(|(solution, authors)| (authors.len() > 1).then_some(solution))
            .collect();

        let mut names = Self {
            definitions,
            shapes: shapes(traces, clash("shapes"))?,
            implementations: BTreeMap::new(),
            ambiguous,
            authors: &read.authors,
            batches: Vec::new(),
            fallbacks: traces
                .iter()
                .filter(|trace| shows_fallback(&trace.evaluation.log))
                .map(|trace| &trace.evaluation.environment)
                .collect(),
        };
        let implementations: Vec<String> =
            traces.iter().map(|trace| names.implementation_name(trace)).collect();
        let ids =
            slug::assign(implementations.iter().map(String::as_str).chain([REFERENCE]), Use::Row)
                .map_err(clash("solutions"))?;
        names.implementations = ids.into_iter().map(|(name, id)| (name.to_owned(), id)).collect();
        names.batches = names.name_batches(traces).map_err(clash("environments"))?;
        Ok(names)
    }

    fn author<'t>(&'t self, trace: &'t Evaluated<'_>) -> Option<&'t str> {
        author_of(self.authors, trace)
    }

    fn implementation_name(&self, trace: &Evaluated<'_>) -> String {
        match self.author(trace) {
            Some(author) if self.ambiguous.contains(trace.solution.as_str()) => {
                format!("{author}/{}", trace.solution)
            }
            _ => trace.solution.clone(),
        }
    }

    /// Name and id.
    fn implementation(&self, trace: &Evaluated<'_>) -> (&str, &str) {
        let name = self.implementation_name(trace);
        self.implementations
            .get_key_value(&name)
            .map_or(("", ""), |(name, id)| (name.as_str(), id.as_str()))
    }

    fn reference(&self) -> &str {
        &self.implementations[REFERENCE]
    }

    /// The clock of a trace that was timed.
    fn timer(&self, trace: &Evaluated<'_>) -> Timer {
        if shows_fallback(&trace.evaluation.log) {
            Timer::CudaEvent
        } else if self.fallbacks.contains(&trace.evaluation.environment) {
            Timer::Unknown
        } else {
            Timer::Cupti
        }
    }

    fn name_batches(
        &self,
        traces: &[Evaluated<'_>],
    ) -> Result<Vec<(BatchKey, String, String)>, Clash> {
        let mut keys: Vec<BatchKey> = Vec::new();
        let mut add = |environment: &Environment, timer| {
            let key = BatchKey { environment: environment.clone(), timer };
            if !keys.contains(&key) {
                keys.push(key);
            }
        };
        for trace in traces.iter().filter(|trace| trace.outcome == Verdict::Pass) {
            add(&trace.evaluation.environment, self.timer(trace));
        }
        let timed: BTreeSet<&Environment> = traces
            .iter()
            .filter(|trace| trace.outcome == Verdict::Pass)
            .map(|trace| &trace.evaluation.environment)
            .collect();
        for trace in traces {
            let environment = &trace.evaluation.environment;
            if !timed.contains(environment) {
                add(environment, Timer::None);
            }
        }
        let hardware_is_shared = |environment: &Environment| {
            keys.iter().any(|key| {
                key.environment.hardware == environment.hardware && key.environment != *environment
            })
        };
        let names: Vec<String> = keys
            .iter()
            .map(|BatchKey { environment, timer }| {
                let clock = timer.name();
                if hardware_is_shared(environment) {
                    format!("{}, {clock}, {}", environment.hardware, software(environment, false))
                } else {
                    format!("{}, {clock}", environment.hardware)
                }
            })
            .collect();
        let ids = slug::assign(names.iter().map(String::as_str), Use::Row)?;
        let ids: Vec<String> = names.iter().map(|name| ids[name.as_str()].clone()).collect();
        Ok(keys.into_iter().zip(names).zip(ids).map(|((key, name), id)| (key, name, id)).collect())
    }

    /// The batches that a trace speaks of: its own if it was timed, else all of its environment.
    fn batches_of(&self, trace: &Evaluated<'_>) -> Vec<&str> {
        let timer = (trace.outcome == Verdict::Pass).then(|| self.timer(trace));
        self.batches
            .iter()
            .filter(|(key, ..)| key.environment == trace.evaluation.environment)
            .filter(|(key, ..)| timer.is_none_or(|timer| timer == key.timer))
            .map(|(_, _, id)| id.as_str())
            .collect()
    }

    /// Batches whose clock the logs leave open, each with the id of the note on it.
    fn unsure_batches(&self) -> impl Iterator<Item = (String, String)> {
        let unsure = self.batches.iter().filter(|(key, ..)| key.timer == Timer::Unknown);
        unsure.enumerate().map(|(index, (_, _, id))| (note_id(index), id.clone()))
    }
}

fn note_id(index: usize) -> String {
    if index == 0 { "timer-not-known".to_owned() } else { format!("timer-not-known-{}", index + 1) }
}

fn author_of<'t>(
    authors: &'t BTreeMap<String, String>,
    trace: &'t Evaluated<'_>,
) -> Option<&'t str> {
    authors.get(&trace.solution).or(trace.author.as_ref()).map(String::as_str)
}

/// By definition and workload: name and id. Workloads with the same axes are told apart by their
/// uuid, since their inputs may differ.
fn shapes(
    traces: &[Evaluated<'_>],
    clash: impl Fn(Clash) -> Fault + Copy,
) -> Result<Shapes, Fault> {
    let mut by_definition: BTreeMap<&str, BTreeMap<&str, (String, &Evaluated<'_>)>> =
        BTreeMap::new();
    for trace in traces {
        let axes = axes(&trace.workload);
        let uuid = trace.workload.uuid.as_str();
        let workloads = by_definition.entry(&trace.definition).or_default();
        if let Some((other, at)) = workloads.get(uuid) {
            if *other != axes {
                return Err(Fault::new(
                    trace.file,
                    Place::Line(trace.line),
                    format!(
                        "the workload {uuid} has the axes {axes} here and {other} in {}:{}",
                        at.file, at.line
                    ),
                ));
            }
        } else {
            workloads.insert(uuid, (axes, trace));
        }
    }
    let mut shapes = BTreeMap::new();
    for (definition, workloads) in by_definition {
        let names: BTreeMap<&str, String> = workloads
            .iter()
            .map(|(uuid, (axes, _))| {
                let shared = workloads.values().filter(|(other, _)| other == axes).count() > 1;
                (*uuid, if shared { format!("{axes} ({uuid})") } else { axes.clone() })
            })
            .collect();
        let ids = slug::assign(names.values().map(String::as_str), Use::Row).map_err(clash)?;
        for (uuid, name) in &names {
            let key = (definition.to_owned(), (*uuid).to_owned());
            shapes.insert(key, (name.clone(), ids[name.as_str()].clone()));
        }
    }
    Ok(shapes)
}

/// `torch 2.9.1+cu130; triton 3.5.1`, with or without CUDA.
fn software(environment: &Environment, without_cuda: bool) -> String {
    let libraries = environment.libs.iter().filter(|(name, _)| !(without_cuda && *name == "cuda"));
    libraries.map(|(name, version)| format!("{name} {version}")).collect::<Vec<_>>().join("; ")
}

fn write_batches(
    named: &Names<'_>,
    traces: &[Evaluated<'_>],
    surroundings: &Surroundings,
    files: &mut Files,
    out: &mut Imported,
) {
    let mut unsure = 0;
    for (key, name, id) in &named.batches {
        let BatchKey { environment, timer } = key;
        let gpu = surroundings.gpu(&environment.hardware);
        if gpu.is_none() {
            out.leave_out(
                format!("the GPU of the batch {id}"),
                format!(
                    "gpus.csv has no row for `{}`; the batch's name says it",
                    environment.hardware
                ),
            );
        }
        let days: BTreeSet<Option<String>> = traces
            .iter()
            .filter(|trace| named.batches_of(trace).contains(&id.as_str()))
            .map(|trace| day(&trace.evaluation.timestamp))
            .collect();
        let measured_on = match days.first() {
            Some(Some(day)) if days.len() == 1 => day.as_str(),
            _ => {
                out.leave_out(
                    format!("the day of the batch {id}"),
                    "its traces have several days, or a time that is not ISO 8601",
                );
                ""
            }
        };
        let note = if *timer == Timer::Unknown {
            unsure += 1;
            note_id(unsure - 1)
        } else {
            String::new()
        };
        files.batches.push(&[
            ("id", id),
            ("name", name),
            // Environment and clock are what makes latencies comparable, and also the batch.
            ("class", id),
            ("gpu", gpu.unwrap_or("")),
            ("cuda", environment.libs.get("cuda").map_or("", String::as_str)),
            ("software", &software(environment, true)),
            ("timer", timer.cell()),
            ("tool", "FlashInfer-Bench"),
            ("measured_on", measured_on),
            ("note", &note),
        ]);
    }
}

fn unsure_note(batch: &str) -> String {
    study::note(
        "CUPTI or CUDA events: the logs do not say",
        "caution",
        [format!("batch:{batch}").as_str()],
        "FlashInfer-Bench warns when it cannot use CUPTI and times with CUDA events instead. Python \
         prints a warning once per process, so the log of a later trace is silent although it was \
         timed in the same way. In this environment one log shows the warning and the logs behind \
         these latencies do not. They are therefore compared with neither of the two.",
    )
}

/// One key of the tables of results: operator, shape, implementation, batch.
type Key = [String; 4];

fn write_results(
    named: &Names<'_>,
    traces: &[Evaluated<'_>],
    files: &mut Files,
    out: &mut Imported,
) {
    let mut by_key: BTreeMap<Key, Vec<&Evaluated<'_>>> = BTreeMap::new();
    let mut references: BTreeMap<Key, Vec<&Evaluated<'_>>> = BTreeMap::new();
    let mut order: Vec<Key> = Vec::new();
    for trace in traces {
        let operator = &named.definitions[trace.definition.as_str()];
        let (_, shape) = &named.shapes[&trace.shape_key()];
        let (_, implementation) = named.implementation(trace);
        for batch in named.batches_of(trace) {
            let key = |implementation: &str| {
                [operator.as_str(), shape, implementation, batch].map(str::to_owned)
            };
            let entry = by_key.entry(key(implementation)).or_default();
            if entry.is_empty() {
                order.push(key(implementation));
            }
            entry.push(trace);
            if trace.outcome == Verdict::Pass {
                references.entry(key(named.reference())).or_default().push(trace);
            }
        }
    }
    for key in &order {
        let mut traces = by_key[key].clone();
        traces.sort_by_key(|trace| &trace.evaluation.timestamp);
        write_latency(key, &traces, files, out);
        write_retest(key, &traces, files);
    }
    for (key, mut traces) in references {
        traces.sort_by_key(|trace| &trace.evaluation.timestamp);
        write_reference(&key, &traces, files, out);
    }
}

fn key_cells(key: &Key) -> [(&'static str, &str); 4] {
    let [operator, shape, implementation, batch] = key;
    [("operator", operator), ("shape", shape), ("implementation", implementation), ("batch", batch)]
}

/// The latency of the last evaluation that passed.
fn write_latency(key: &Key, traces: &[&Evaluated<'_>], files: &mut Files, out: &mut Imported) {
    let mut passed = traces.iter().rev().filter_map(|trace| {
        Some((trace, trace.evaluation.performance.as_ref()?))
            .filter(|_| trace.outcome == Verdict::Pass)
    });
    let Some((trace, performance)) = passed.next() else { return };
    for (earlier, _) in passed {
        out.leave_out(
            format!("the latency in {}:{}", earlier.file, earlier.line),
            format!(
                "{}:{} evaluates the same solution on the same workload in the same environment, \
                 and later",
                trace.file, trace.line
            ),
        );
    }
    match microseconds(&performance.latency_ms) {
        Ok(latency) => {
            let cells = [&key_cells(key)[..], &[("latency_us", &latency)]].concat();
            files.latencies.push(&cells);
        }
        Err(why) => out.leave_out(
            format!("the latency in {}:{}", trace.file, trace.line),
            format!("{} {}", performance.latency_ms.0, why.as_str()),
        ),
    }
}

/// One retest record per key; where there are several outcomes, the one that outweighs the others.
fn write_retest(key: &Key, traces: &[&Evaluated<'_>], files: &mut Files) {
    let Some(worst) = traces.iter().max_by_key(|trace| trace.outcome) else { return };
    let Evaluation { status, correctness, .. } = &worst.evaluation;
    let mut detail: Vec<String> = Vec::new();
    if worst.outcome != Verdict::Pass {
        detail.push(status.clone());
    }
    // Only these two statuses come with errors; others have none to speak of.
    if let Some(Correctness { max_absolute_error, max_relative_error }) = correctness {
        let errors = [("absolute", max_absolute_error), ("relative", max_relative_error)];
        for (kind, error) in errors {
            detail.extend(error.as_ref().map(|error| format!("max {kind} error {}", error.0)));
        }
    }
    if traces.len() > 1 {
        let same = traces.iter().filter(|trace| trace.evaluation.status == *status).count();
        detail.push(format!("{status} in {same} of {} evaluations", traces.len()));
    }
    let detail = detail.join("; ");
    let cells =
        [("standard", STANDARD), ("outcome", worst.outcome.as_str()), ("detail", detail.as_str())];
    files.retests.push(&[&key_cells(key)[..], &cells].concat());
}

/// The reference is timed once per evaluation: one figure is a latency, several are samples, a
/// round each.
fn write_reference(key: &Key, traces: &[&Evaluated<'_>], files: &mut Files, out: &mut Imported) {
    let mut figures: Vec<String> = Vec::new();
    for trace in traces {
        let performance = trace.evaluation.performance.as_ref();
        let Some(ms) = performance.and_then(|p| p.reference_latency_ms.as_ref()) else { continue };
        match microseconds(ms) {
            Ok(latency) if figures.contains(&latency) => {}
            Ok(latency) => figures.push(latency),
            Err(why) => out.leave_out(
                format!("the reference latency in {}:{}", trace.file, trace.line),
                format!("{} {}", ms.0, why.as_str()),
            ),
        }
    }
    if let [latency] = &figures[..] {
        files.latencies.push(&[&key_cells(key)[..], &[("latency_us", latency)]].concat());
        return;
    }
    for (round, latency) in figures.iter().enumerate() {
        let round = round.to_string();
        let cells = [("round", round.as_str()), ("call", "0"), ("latency_us", latency)];
        files.samples.push(&[&key_cells(key)[..], &cells].concat());
    }
}

/// The tables of the study.
struct Files {
    operators: Sheet,
    shapes: Sheet,
    implementations: Sheet,
    batches: Sheet,
    latencies: Sheet,
    samples: Sheet,
    retests: Sheet,
}

impl Files {
    fn new() -> Self {
        Self {
            operators: Sheet::of(FileKind::Operators),
            shapes: Sheet::of(FileKind::Shapes),
            implementations: Sheet::of(FileKind::Implementations),
            batches: Sheet::of(FileKind::Batches),
            latencies: Sheet::of(FileKind::Latencies),
            samples: Sheet::of(FileKind::Samples),
            retests: Sheet::of(FileKind::Retests),
        }
    }

    fn texts(&self) -> Result<BTreeMap<String, String>, Fault> {
        [
            ("operators.csv", &self.operators),
            ("shapes.csv", &self.shapes),
            ("implementations.csv", &self.implementations),
            ("batches.csv", &self.batches),
            ("latencies/flashinfer-bench.csv", &self.latencies),
            ("samples/flashinfer-bench-reference.csv", &self.samples),
            ("retests/flashinfer-bench.csv", &self.retests),
        ]
        .into_iter()
        .filter(|(_, sheet)| !sheet.is_empty())
        .map(|(path, sheet)| Ok((path.to_owned(), sheet.text(path)?)))
        .collect()
    }
}

/// One board: a contender per author, or per solution where the author is not known.
fn study_toml(
    study_id: &str,
    named: &Names<'_>,
    traces: &[Evaluated<'_>],
) -> Result<String, Fault> {
    let authors: BTreeSet<&str> = traces.iter().filter_map(|trace| named.author(trace)).collect();
    let mut members: Vec<(String, Vec<String>)> = Vec::new();
    let mut seen = BTreeSet::new();
    for trace in traces {
        let (name, id) = named.implementation(trace);
        if !seen.insert(id) {
            continue;
        }
        let contender = match named.author(trace) {
            Some(author) => author.to_owned(),
            None if authors.contains(name) => format!("{name} (solution)"),
            None => name.to_owned(),
        };
        let at = members.iter().position(|(known, _)| *known == contender);
        let at = at.unwrap_or_else(|| {
            members.push((contender, Vec::new()));
            members.len() - 1
        });
        members[at].1.push(id.to_owned());
    }
    let contenders = members.iter().map(|(name, _)| name.as_str()).chain([REFERENCE]);
    let ids = slug::assign(contenders, Use::Row)
        .map_err(|clash| clash_fault(traces, "authors", &clash))?;
    let mut classes: Vec<(Timer, &str)> =
        named.batches.iter().map(|(key, _, id)| (key.timer, id.as_str())).collect();
    classes.sort_by_key(|(timer, _)| *timer);
    let board = SpeedupBoard {
        id: "against-reference",
        title: "Speedup over the reference of each definition",
        classes: classes.into_iter().map(|(_, id)| id).collect(),
        baseline: Contender {
            id: ids[REFERENCE].clone(),
            name: REFERENCE.to_owned(),
            members: vec![named.reference().to_owned()],
        },
        contenders: members
            .iter()
            .map(|(name, members)| Contender {
                id: ids[name.as_str()].clone(),
                name: name.clone(),
                members: members.clone(),
            })
            .collect(),
    };
    let head = study::head(
        &format!("FlashInfer-Trace: {study_id}"),
        "Traces of FlashInfer-Bench: solutions against the reference implementation of their \
         definition, workload by workload.",
    );
    Ok(head + &study::speedup_board(&board))
}

fn clash_fault(traces: &[Evaluated<'_>], what: &str, clash: &Clash) -> Fault {
    let Clash { first, second, id } = clash;
    let message = format!("the {what} `{first}` and `{second}` would share the id `{id}`");
    Fault::new(traces.first().map_or("", |trace| trace.file), Place::File, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::tests::{assert_passes_check, source};

    const DEFINITION: &str = r#"{"name": "gemm_n8", "op_type": "gemm",
        "axes": {"M": {"type": "var"}, "N": {"type": "const", "value": 8}},
        "inputs": {"A": {"shape": ["M"], "dtype": "float16"}, "B": {"shape": ["N"], "dtype": "float16"}},
        "outputs": {}, "reference": "def run(): pass"}"#;

    /// A trace of `gemm_n8` on one environment; `evaluation` is what differs.
    fn trace(solution: &str, axes: &str, uuid: &str, evaluation: &str) -> String {
        format!(
            r#"{{"definition":"gemm_n8","workload":{{"axes":{axes},"inputs":{{}},"uuid":"{uuid}"}},"solution":"{solution}","evaluation":{{"environment":{{"hardware":"NVIDIA B200","libs":{{"torch":"2.9","cuda":"13.0"}}}},"timestamp":"2026-03-17T14:00:00",{evaluation}}}}}"#
        )
    }

    fn passed(latency: &str, reference: &str) -> String {
        format!(
            r#""status":"PASSED","log":"","correctness":{{"max_relative_error":1e-3,"max_absolute_error":"NaN","extra":null}},"performance":{{"latency_ms":{latency},"reference_latency_ms":{reference},"speedup_factor":2.0}}"#
        )
    }

    fn failed(status: &str) -> String {
        format!(r#""status":"{status}","log":"","correctness":null,"performance":null"#)
    }

    fn read(files: &[(&str, &str)]) -> Result<Imported, Vec<Fault>> {
        let sources: Vec<Source> = files.iter().map(|(name, text)| source(name, text)).collect();
        let gpus = vec![("NVIDIA B200".to_owned(), "b200".to_owned())];
        let imported = import("test", &sources, &Surroundings { gpus })?;
        assert_passes_check(&imported);
        Ok(imported)
    }

    fn check(traces: &[String], expected: &[(&str, &str)]) -> Imported {
        let got = read(&[("d.json", DEFINITION), ("t.jsonl", &traces.join("\n"))]).unwrap();
        for (path, text) in expected {
            let lines: Vec<&str> = text.lines().map(str::trim).collect();
            assert_eq!(got.files[*path].lines().collect::<Vec<_>>(), lines, "{path}");
        }
        got
    }

    #[test]
    fn a_trace_becomes_a_row_of_each_table() {
        let got = check(
            &[trace("fast", r#"{"M":16}"#, "u1", &passed("0.24115200092395148", "0.5"))],
            &[
                (
                    "operators.csv",
                    "id,name,family,standard
                     gemm-n8,gemm_n8,gemm,FlashInfer-Bench evaluation",
                ),
                (
                    "shapes.csv",
                    "operator,id,name,description
                     gemm-n8,m-16,M=16,\"M=16, N=8; A, B float16\"",
                ),
                (
                    "batches.csv",
                    "id,name,class,gpu,cuda,software,timer,tool,measured_on
                     nvidia-b200-cupti,\"NVIDIA B200, CUPTI\",nvidia-b200-cupti,b200,13.0,torch 2.9,cupti,FlashInfer-Bench,2026-03-17",
                ),
                (
                    "latencies/flashinfer-bench.csv",
                    "operator,shape,implementation,batch,latency_us
                     gemm-n8,m-16,fast,nvidia-b200-cupti,241.15200092395148
                     gemm-n8,m-16,flashinfer-bench-reference,nvidia-b200-cupti,5E+02",
                ),
                (
                    "retests/flashinfer-bench.csv",
                    "operator,shape,implementation,batch,standard,outcome,detail
                     gemm-n8,m-16,fast,nvidia-b200-cupti,FlashInfer-Bench evaluation,pass,max absolute error NaN; max relative error 1e-3",
                ),
            ],
        );
        let study: toml::Table = got.files["study.toml"].parse().unwrap();
        assert_eq!(study["board"][0]["contender"][0]["members"][0].as_str(), Some("fast"));
    }

    #[test]
    fn a_failing_status_is_a_retest_record_and_never_a_latency() {
        let mut traces = vec![trace("good", r#"{"M":16}"#, "u1", &passed("0.0010", "0.0020"))];
        let cases = [
            ("INCORRECT_SHAPE", "fail"),
            ("INCORRECT_DTYPE", "fail"),
            ("REWARD_HACK", "fail"),
            ("RUNTIME_ERROR", "error"),
            ("COMPILE_ERROR", "error"),
            ("TIMEOUT", "error"),
            ("INVALID_REFERENCE", "not-judged"),
        ];
        traces.extend(cases.map(|(status, _)| {
            trace(&status.to_lowercase(), r#"{"M":16}"#, "u1", &failed(status))
        }));
        traces.push(trace(
            "inf",
            r#"{"M":16}"#,
            "u1",
            r#""status":"INCORRECT_NUMERICAL","correctness":{"max_relative_error":"Infinity","max_absolute_error":"NaN"},"performance":{"latency_ms":0.1}"#,
        ));
        let got = check(&traces, &[]);
        let latencies = &got.files["latencies/flashinfer-bench.csv"];
        assert_eq!(latencies.lines().count(), 3, "{latencies}");
        let retests = &got.files["retests/flashinfer-bench.csv"];
        for (status, outcome) in cases {
            assert!(retests.contains(&format!("evaluation,{outcome},{status}\n")), "{retests}");
        }
        assert!(
            retests.contains(
                "evaluation,fail,INCORRECT_NUMERICAL; max absolute error NaN; max relative error Infinity\n"
            ),
            "{retests}"
        );
        assert!(got.left_out.iter().any(|l| l.what == "the latency in t.jsonl:9"), "{got:?}");
    }

    const FALLBACK: &str =
        "UserWarning: CUPTI is not installed. Falling back to CUDA events for benchmarking.";

    #[test]
    fn the_fallback_is_another_class_and_a_silent_log_beside_it_is_neither() {
        let with_log =
            passed("0.0010", "0.0020").replace(r#""log":"""#, &format!(r#""log":"{FALLBACK}""#));
        let other = trace("d", r#"{"M":1}"#, "u1", &passed("0.0010", "0.0020"))
            .replace("NVIDIA B200", "NVIDIA H200");
        let got = check(
            &[
                trace("a", r#"{"M":1}"#, "u1", &with_log),
                trace("b", r#"{"M":1}"#, "u1", &passed("0.0010", "0.0020")),
                trace("c", r#"{"M":1}"#, "u1", &failed("TIMEOUT")),
                other,
            ],
            &[],
        );
        let batches = &got.files["batches.csv"];
        let class_and_timer: Vec<(&str, &str)> = batches
            .lines()
            .skip(1)
            .map(|line| {
                let class = line.split("\",").nth(1).unwrap().split(',').next().unwrap();
                (
                    class,
                    ["cuda-event,F", "cupti,F", "cupti or cuda-event,F"]
                        .into_iter()
                        .rfind(|timer| line.contains(&format!(",{timer}")))
                        .unwrap(),
                )
            })
            .collect();
        assert_eq!(
            class_and_timer,
            [
                ("nvidia-b200-cuda-events", "cuda-event,F"),
                ("nvidia-b200-timer-not-known", "cupti or cuda-event,F"),
                ("nvidia-h200-cupti", "cupti,F"),
            ]
        );
        // A failure has no clock: it stands against both batches of its environment.
        let failures =
            got.files["retests/flashinfer-bench.csv"].lines().filter(|l| l.contains("TIMEOUT"));
        assert_eq!(failures.count(), 2);
        assert!(
            got.files["notes/timer-not-known.md"].contains("batch:nvidia-b200-timer-not-known")
        );
    }

    #[test]
    fn names_that_would_share_an_id_stay_two() {
        let got = check(
            &[
                trace("a/b_c", r#"{"M":1}"#, "u1", &passed("0.0010", "0.0020")),
                trace("a_b/c", r#"{"M":1}"#, "u1", &passed("0.0030", "0.0020")),
                trace("A_b/c", r#"{"M":1}"#, "u1", &passed("0.0040", "0.0020")),
            ],
            &[],
        );
        let ids: BTreeSet<&str> = got.files["implementations.csv"]
            .lines()
            .skip(1)
            .map(|line| line.split(',').next().unwrap())
            .collect();
        assert_eq!(ids.len(), 4, "{ids:?}");
    }

    #[test]
    fn the_same_name_by_two_authors_is_two_implementations() {
        let line = trace("k", r#"{"M":1}"#, "u1", &passed("0.0010", "0.0020"));
        let got =
            read(&[("x/traces/ann/gemm/g.jsonl", &line), ("x/traces/bob/gemm/g.jsonl", &line)])
                .unwrap();
        let implementations = &got.files["implementations.csv"];
        assert!(implementations.contains("ann-k,ann/k,agent,ann"), "{implementations}");
        assert!(implementations.contains("bob-k,bob/k,agent,bob"), "{implementations}");
    }

    #[test]
    fn workloads_with_the_same_axes_are_two_shapes() {
        let got = check(
            &[
                trace("a", r#"{"M":1}"#, "u1", &passed("0.0010", "0.0020")),
                trace("a", r#"{"M":1}"#, "u2", &passed("0.0030", "0.0040")),
                trace("a", r#"{"M":2}"#, "u3", &passed("0.0030", "0.0040")),
            ],
            &[],
        );
        let ids: Vec<&str> = got.files["shapes.csv"]
            .lines()
            .skip(1)
            .map(|line| line.split(',').nth(1).unwrap())
            .collect();
        assert_eq!(ids, ["m-1-u1", "m-1-u2", "m-2"]);
    }

    #[test]
    fn a_repeated_evaluation_keeps_the_last_latency_and_the_worst_outcome() {
        let at = |hour: &str, text: String| text.replace("T14:", &format!("T{hour}:"));
        let got = check(
            &[
                at("16", trace("a", r#"{"M":1}"#, "u1", &passed("0.0030", "0.0041"))),
                at("15", trace("a", r#"{"M":1}"#, "u1", &passed("0.0020", "0.0040"))),
                at("14", trace("a", r#"{"M":1}"#, "u1", &failed("TIMEOUT"))),
            ],
            &[
                (
                    "latencies/flashinfer-bench.csv",
                    "operator,shape,implementation,batch,latency_us
                     gemm-n8,m-1,a,nvidia-b200-cupti,3.0",
                ),
                (
                    "samples/flashinfer-bench-reference.csv",
                    "operator,shape,implementation,batch,round,call,latency_us
                     gemm-n8,m-1,flashinfer-bench-reference,nvidia-b200-cupti,0,0,4.0
                     gemm-n8,m-1,flashinfer-bench-reference,nvidia-b200-cupti,1,0,4.1",
                ),
                (
                    "retests/flashinfer-bench.csv",
                    "operator,shape,implementation,batch,standard,outcome,detail
                     gemm-n8,m-1,a,nvidia-b200-cupti,FlashInfer-Bench evaluation,error,TIMEOUT; TIMEOUT in 1 of 3 evaluations",
                ),
            ],
        );
        assert!(got.left_out.iter().any(|l| l.what == "the latency in t.jsonl:2"), "{got:?}");
    }

    #[test]
    fn a_latency_of_zero_is_left_out_and_said() {
        let got = check(&[trace("a", r#"{"M":1}"#, "u1", &passed("0.0", "0.0"))], &[]);
        assert!(!got.files.contains_key("latencies/flashinfer-bench.csv"));
        assert!(got.left_out.iter().any(|l| l.why == "0.0 is not over zero"), "{got:?}");
    }

    #[test]
    fn faults_name_file_and_line_and_all_are_found() {
        let good = trace("a", r#"{"M":1}"#, "u1", &passed("0.0010", "0.0020"));
        let text = [
            good.as_str(),
            "{",
            &good.replace("PASSED", "SPLENDID"),
            &trace("a", r#"{"M":1}"#, "u1", &failed("PASSED")),
            &good.replace("0.0010", "\"inf\""),
        ]
        .join("\n");
        let faults = read(&[("t.jsonl", &text)]).unwrap_err();
        let places: Vec<String> = faults.iter().map(ToString::to_string).collect();
        assert_eq!(places.len(), 4, "{places:#?}");
        assert!(places[0].starts_with("t.jsonl:2:1: EOF"), "{places:#?}");
        assert_eq!(places[1], "t.jsonl:3: `SPLENDID` is not a status of FlashInfer-Bench");
        assert_eq!(places[2], "t.jsonl:4: the status is PASSED and there is no performance");
        assert!(places[3].starts_with("t.jsonl:5:"), "{places:#?}");
    }

    #[test]
    fn workloads_without_evaluation_are_not_measurements() {
        let workload = r#"{"definition":"g","solution":null,"workload":{"uuid":"u","axes":{"M":1},"inputs":{}},"evaluation":null}"#;
        let faults = read(&[("w.jsonl", workload)]).unwrap_err();
        assert!(faults[0].to_string().contains("no trace with an evaluation"), "{faults:?}");
        let trace = trace("a", r#"{"M":1}"#, "u1", &passed("0.0010", "0.0020"));
        let got = read(&[("w.jsonl", workload), ("t.jsonl", &trace)]).unwrap();
        assert!(got.left_out.iter().any(|l| l.what == "1 workload of g"), "{got:?}");
    }
}
