//! AKO4X: `baseline.json`, and `result.json` and `variance.json` of each variant.
//!
//! The three have three baselines. `baseline.json` holds latencies of an expert solution in an
//! environment of its own. A result divides them by latencies of the variant in another
//! environment, and publishes the ratio; whether it means that baseline can be checked, since it
//! repeats the figures. A variance file holds ratios to a baseline that it does not name. So
//! every file is a batch and a class of its own, latencies are never divided across them, and
//! what was published as a ratio stays one.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{
    Fault, Imported, Place, Source, Surroundings, counted, day,
    json::{self, Object},
    number::{Number, microseconds},
    sheet::Sheet,
    slug::{self, Use},
    status::Verdict,
    study::{self, Contender, SpeedupBoard, TableBoard},
};
use crate::{input::schema::FileKind, model::Printed};

const STANDARD: &str = "AKO4X benchmark";

#[derive(Debug, Deserialize)]
struct Baseline {
    operator: String,
    #[serde(default)]
    source: String,
    #[serde(default)]
    environment: Object<Scalar>,
    #[serde(default)]
    benchmark_config: Object<Scalar>,
    workloads: Object<BaselineWorkload>,
    #[serde(default)]
    provenance: Object<Scalar>,
}

#[derive(Debug, Deserialize)]
struct BaselineWorkload {
    reference_latency_ms: Number,
}

#[derive(Debug, Deserialize)]
struct Measured {
    variant: String,
    definition: String,
    status: String,
    #[serde(default)]
    note: String,
    #[serde(default)]
    kernel_env: Object<Scalar>,
    #[serde(default)]
    kernel_measured_on: String,
    n_workloads: Option<Number>,
    n_passed: Option<Number>,
    per_workload: Object<MeasuredWorkload>,
    #[serde(default)]
    bench_config: Object<Scalar>,
}

#[derive(Debug, Deserialize)]
struct MeasuredWorkload {
    status: String,
    kernel_latency_ms: Option<Number>,
    canonical_baseline_latency_ms: Option<Number>,
    speedup_vs_canonical_baseline: Option<Number>,
}

#[derive(Debug, Deserialize)]
struct Variance {
    #[serde(default)]
    timestamp: String,
    #[serde(default)]
    backend: String,
    n_runs: Number,
    solution_name: String,
    definition: String,
    #[serde(default)]
    scores: Vec<Number>,
    per_workload: Object<Spread>,
}

#[derive(Debug, Deserialize)]
struct Spread {
    mean: Number,
    std: Option<Number>,
    cv: Option<Number>,
    n: Option<Number>,
}

/// A JSON value that is shown: a string as it is, anything else as its JSON.
#[derive(Debug, Clone)]
struct Scalar(String);

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Ok(Self(serde_json::from_str(raw.get()).unwrap_or_else(|_| raw.get().to_owned())))
    }
}

impl Object<Scalar> {
    /// A text that says something.
    fn text(&self, key: &str) -> &str {
        let text = self.get(key).map_or("", |scalar| scalar.0.trim());
        if matches!(text, "unknown" | "null" | "not required") { "" } else { text }
    }

    /// `key value; key value` of all that say something and are not among `except`.
    fn summary(&self, except: &[&str]) -> String {
        let all = self.0.iter().map(|(key, _)| key.as_str());
        let told = all.filter(|key| !except.contains(key) && !self.text(key).is_empty());
        told.map(|key| format!("{key} {}", self.text(key))).collect::<Vec<_>>().join("; ")
    }
}

/// A file that was read: its name, what it is about, and what it holds.
struct File<T> {
    name: String,
    definition: String,
    /// The implementation that was measured, by its printed name.
    implementation: String,
    /// What its ratios are to, by its printed name; what was measured itself in a baseline.
    baseline: String,
    /// Printed name of its batch.
    batch: String,
    data: T,
}

#[derive(Default)]
struct Files {
    baselines: Vec<File<Baseline>>,
    results: Vec<File<Measured>>,
    variances: Vec<File<Variance>>,
}

/// Reads baselines, results and variances, told apart by what they hold.
pub fn import(
    study_id: &str,
    sources: &[Source],
    surroundings: &Surroundings,
) -> Result<Imported, Vec<Fault>> {
    let mut files = Files::default();
    let faults: Vec<Fault> =
        sources.iter().filter_map(|source| files.read(source).err()).flatten().collect();
    if !faults.is_empty() {
        return Err(faults);
    }
    if files.results.is_empty() && files.variances.is_empty() {
        let message = "there is no result and no variance, so nothing stands against a baseline";
        let names: Vec<&str> = sources.iter().map(|source| source.name.as_str()).collect();
        return Err(vec![Fault::new(&names.join(", "), Place::File, message)]);
    }
    files.identify();
    let ids = Ids::of(&files).map_err(|fault| vec![fault])?;
    let mut writing = Writing {
        files: &files,
        ids: &ids,
        surroundings,
        tables: Tables::new(),
        notes: BTreeMap::new(),
        out: Imported::default(),
    };
    writing.entities();
    writing.baselines();
    writing.results();
    writing.variances();
    writing.finish(study_id).map_err(|fault| vec![fault])
}

impl Files {
    fn read(&mut self, source: &Source) -> Result<(), Vec<Fault>> {
        let keys: Object<Box<RawValue>> = json::file(source).map_err(|fault| vec![fault])?;
        let has = |key: &str| keys.get(key).is_some();
        let name = source.name.clone();
        if has("workloads") {
            let data: Baseline = json::file(source).map_err(|fault| vec![fault])?;
            let definition = data.operator.clone();
            self.baselines.push(File::new(name, definition, data));
        } else if has("variant") && has("per_workload") {
            let data: Measured = json::file(source).map_err(|fault| vec![fault])?;
            consistent(source, &data)?;
            let definition = data.definition.clone();
            self.results.push(File::new(name, definition, data));
        } else if has("n_runs") && has("per_workload") {
            let data: Variance = json::file(source).map_err(|fault| vec![fault])?;
            let definition = data.definition.clone();
            self.variances.push(File::new(name, definition, data));
        } else {
            return Err(vec![Fault::new(
                &source.name,
                Place::File,
                "this is neither a baseline (`workloads`) nor a result (`variant`, \
                 `per_workload`) nor a variance (`n_runs`, `per_workload`) of AKO4X",
            )]);
        }
        Ok(())
    }

    /// Says of each file what it measured and what its ratios are to.
    fn identify(&mut self) {
        for file in &mut self.baselines {
            let solution = file.data.provenance.text("solution");
            file.implementation = if solution.is_empty() {
                format!("{} baseline of {}", file.data.source, file.definition).trim().to_owned()
            } else {
                solution.to_owned()
            };
            file.baseline.clone_from(&file.implementation);
            file.batch = format!("Baseline of {}", file.definition);
        }
        // A variant of two definitions is two kernels.
        let shared: Vec<bool> = self
            .results
            .iter()
            .map(|file| {
                self.results.iter().any(|other| {
                    other.data.variant == file.data.variant && other.definition != file.definition
                })
            })
            .collect();
        for (file, shared) in self.results.iter_mut().zip(shared) {
            let Measured { variant, .. } = &file.data;
            file.implementation =
                if shared { format!("{}/{variant}", file.definition) } else { variant.clone() };
            let canonical = self.baselines.iter().find(|baseline| {
                baseline.definition == file.definition && repeats(&file.data, &baseline.data)
            });
            file.baseline = canonical.map_or_else(
                || format!("Canonical baseline of {}", file.implementation),
                |baseline| baseline.implementation.clone(),
            );
            file.batch = format!("Result of {}", file.implementation);
        }
        for file in &mut self.variances {
            let Variance { solution_name, .. } = &file.data;
            let of_definition =
                || self.results.iter().filter(|result| result.definition == file.definition);
            let variant = of_definition()
                .find(|result| result.data.variant == *solution_name)
                .or_else(|| of_definition().find(|result| is_beside(&file.name, &result.name)));
            file.implementation = variant
                .map_or_else(|| solution_name.clone(), |result| result.implementation.clone());
            file.baseline = format!("Baseline of the variance runs of {}", file.implementation);
            file.batch = format!("Variance runs of {}", file.implementation);
        }
        // Two files about the same thing are two batches with baselines of their own.
        tell_apart(self.baselines.iter_mut().map(|file| (&file.name, vec![&mut file.batch])));
        tell_apart(self.results.iter_mut().map(|file| (&file.name, vec![&mut file.batch])));
        tell_apart(
            self.variances
                .iter_mut()
                .map(|file| (&file.name, vec![&mut file.batch, &mut file.baseline])),
        );
    }

    /// Whether a printed name is that of a baseline among the files.
    fn is_canonical(&self, baseline: &str) -> bool {
        self.baselines.iter().any(|file| file.implementation == baseline)
    }

    /// Definition and workloads of every file.
    fn workloads(&self) -> impl Iterator<Item = (&str, &str)> {
        let baselines = self.baselines.iter().flat_map(|file| {
            file.data.workloads.0.iter().map(|(id, _)| (file.definition.as_str(), id.as_str()))
        });
        let results = self.results.iter().flat_map(|file| {
            file.data.per_workload.0.iter().map(|(id, _)| (file.definition.as_str(), id.as_str()))
        });
        let variances = self.variances.iter().flat_map(|file| {
            file.data.per_workload.0.iter().map(|(id, _)| (file.definition.as_str(), id.as_str()))
        });
        baselines.chain(results).chain(variances)
    }
}

impl<T> File<T> {
    fn new(name: String, definition: String, data: T) -> Self {
        let (implementation, baseline, batch) = Default::default();
        Self { name, definition, implementation, baseline, batch, data }
    }
}

/// Adds the file's name to names that several files have.
fn tell_apart<'a>(names: impl Iterator<Item = (&'a String, Vec<&'a mut String>)>) {
    let mut all: Vec<(&String, Vec<&mut String>)> = names.collect();
    let batches: Vec<String> = all.iter().map(|(_, names)| names[0].clone()).collect();
    for (file, names) in &mut all {
        if batches.iter().filter(|batch| **batch == *names[0]).count() > 1 {
            for name in names {
                **name = format!("{name} ({file})");
            }
        }
    }
}

/// Whether the counts of a result are those of its workloads.
fn consistent(source: &Source, result: &Measured) -> Result<(), Vec<Fault>> {
    let workloads = &result.per_workload.0;
    let passed = workloads.iter().filter(|(_, workload)| workload.status == "PASSED").count();
    let counts = [
        ("n_workloads", &result.n_workloads, workloads.len()),
        ("n_passed", &result.n_passed, passed),
    ];
    let mut faults: Vec<Fault> = counts
        .into_iter()
        .filter_map(|(key, said, found)| {
            let said = said.as_ref()?;
            (said.0 != found.to_string()).then(|| {
                let message = format!("{key} is {}, and per_workload has {found}", said.0);
                Fault::new(&source.name, Place::Pointer(format!("/{key}")), message)
            })
        })
        .collect();
    for (id, workload) in workloads {
        let place = |key: &str| Place::Pointer(format!("/per_workload/{id}/{key}"));
        if Verdict::of(&workload.status).is_none() {
            let message = format!("`{}` is not a status that is known here", workload.status);
            faults.push(Fault::new(&source.name, place("status"), message));
        }
        if workload.status == "PASSED" && workload.kernel_latency_ms.is_none() {
            let message = "the status is PASSED and there is no latency";
            faults.push(Fault::new(&source.name, place("kernel_latency_ms"), message));
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// Whether the baseline that a result repeats is this one, to the digits it repeats.
fn repeats(result: &Measured, baseline: &Baseline) -> bool {
    let mut repeated = result.per_workload.0.iter().filter_map(|(id, workload)| {
        workload.canonical_baseline_latency_ms.as_ref().map(|canonical| (id, canonical))
    });
    let agrees = |(id, canonical): (&String, &Number)| {
        let Some(workload) = baseline.workloads.get(id) else { return false };
        let (Ok(canonical), Ok(original)) =
            (Printed::parse(&canonical.0), Printed::parse(&workload.reference_latency_ms.0))
        else {
            return false;
        };
        let (low, high) = canonical.bounds();
        (low..=high).contains(&original.exact)
    };
    let any = repeated.clone().next().is_some();
    any && repeated.all(agrees)
}

/// Whether two files differ only in that one says `variance` where the other says `result`.
fn is_beside(variance: &str, result: &str) -> bool {
    let parts = variance.rsplit_once("variance");
    parts.is_some() && parts == result.rsplit_once("result")
}

/// Ids by printed names.
struct Ids {
    operators: BTreeMap<String, String>,
    implementations: BTreeMap<String, String>,
    batches: BTreeMap<String, String>,
    /// By definition and workload.
    shapes: BTreeMap<(String, String), String>,
}

impl Ids {
    fn of(files: &Files) -> Result<Self, Fault> {
        let first = files.results.first().map(|file| &file.name);
        let first = first.or_else(|| files.variances.first().map(|file| &file.name));
        let assign = |names: Vec<&str>, used_for| {
            let owned = |ids: BTreeMap<&str, String>| -> BTreeMap<String, String> {
                ids.into_iter().map(|(name, id)| (name.to_owned(), id)).collect()
            };
            slug::assign(names, used_for).map(owned).map_err(|clash| {
                let slug::Clash { first: one, second: other, id } = clash;
                let message = format!("`{one}` and `{other}` would share the id `{id}`");
                Fault::new(first.map_or("", String::as_str), Place::File, message)
            })
        };
        let mut definitions = Vec::new();
        let mut implementations = Vec::new();
        let mut batches = Vec::new();
        for (definition, implementation, baseline, batch) in files.heads() {
            definitions.push(definition);
            implementations.extend([implementation, baseline]);
            batches.push(batch);
        }
        let mut by_definition: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (definition, workload) in files.workloads() {
            by_definition.entry(definition).or_default().push(workload);
        }
        let mut shapes = BTreeMap::new();
        for (definition, workloads) in by_definition {
            for (workload, id) in assign(workloads, Use::Row)? {
                shapes.insert((definition.to_owned(), workload), id);
            }
        }
        Ok(Self {
            operators: assign(definitions, Use::Page)?,
            implementations: assign(implementations, Use::Row)?,
            batches: assign(batches, Use::Row)?,
            shapes,
        })
    }
}

impl Files {
    /// Definition, implementation, baseline and batch of every file.
    fn heads(&self) -> impl Iterator<Item = (&str, &str, &str, &str)> {
        fn head<T>(file: &File<T>) -> (&str, &str, &str, &str) {
            (&file.definition, &file.implementation, &file.baseline, &file.batch)
        }
        let baselines = self.baselines.iter().map(head);
        baselines.chain(self.results.iter().map(head)).chain(self.variances.iter().map(head))
    }
}

/// The tables of the study.
struct Tables {
    operators: Sheet,
    shapes: Sheet,
    implementations: Sheet,
    batches: Sheet,
    latencies: Sheet,
    ratios: Sheet,
    retests: Sheet,
    variance: Sheet,
}

const VARIANCE_COLUMNS: &[(&str, &str, &str)] = &[
    ("entry", "Entry", "text"),
    ("batch", "Batch", "text"),
    ("definition", "Definition", "text"),
    ("workload", "Workload", "text"),
    ("mean", "Mean of the speedups", "ratio"),
    ("std", "Standard deviation", "number"),
    ("cv", "Coefficient of variation", "share"),
    ("n", "Runs", "number"),
];

impl Tables {
    fn new() -> Self {
        Self {
            operators: Sheet::of(FileKind::Operators),
            shapes: Sheet::of(FileKind::Shapes),
            implementations: Sheet::of(FileKind::Implementations),
            batches: Sheet::of(FileKind::Batches),
            latencies: Sheet::of(FileKind::Latencies),
            ratios: Sheet::of(FileKind::Ratios),
            retests: Sheet::of(FileKind::Retests),
            variance: Sheet::free(VARIANCE_COLUMNS.iter().map(|(id, ..)| *id)).with_all_columns(),
        }
    }

    fn texts(&self) -> Result<BTreeMap<String, String>, Fault> {
        [
            ("operators.csv", &self.operators),
            ("shapes.csv", &self.shapes),
            ("implementations.csv", &self.implementations),
            ("batches.csv", &self.batches),
            ("latencies/ako4x.csv", &self.latencies),
            ("ratios/ako4x.csv", &self.ratios),
            ("retests/ako4x.csv", &self.retests),
            ("tables/variance.csv", &self.variance),
        ]
        .into_iter()
        .filter(|(_, sheet)| !sheet.is_empty())
        .map(|(path, sheet)| Ok((path.to_owned(), sheet.text(path)?)))
        .collect()
    }
}

struct Writing<'a> {
    files: &'a Files,
    ids: &'a Ids,
    surroundings: &'a Surroundings,
    tables: Tables,
    /// By printed title.
    notes: BTreeMap<String, Note>,
    out: Imported,
}

struct Note {
    severity: &'static str,
    applies_to: String,
    body: String,
}

impl<'a> Writing<'a> {
    fn key(
        &self,
        definition: &str,
        workload: &str,
        implementation: &str,
        batch: &str,
    ) -> [(&'static str, &'a str); 4] {
        [
            ("operator", &self.ids.operators[definition]),
            ("shape", &self.ids.shapes[&(definition.to_owned(), workload.to_owned())]),
            ("implementation", &self.ids.implementations[implementation]),
            ("batch", &self.ids.batches[batch]),
        ]
    }

    fn entities(&mut self) {
        let mut seen = std::collections::BTreeSet::new();
        for (definition, workload) in self.files.workloads() {
            let operator = &self.ids.operators[definition];
            if seen.insert((definition, "")) {
                self.tables.operators.push(&[
                    ("id", operator),
                    ("name", definition),
                    ("standard", STANDARD),
                ]);
            }
            if seen.insert((definition, workload)) {
                let of_definition = self.ids.shapes.keys().filter(|(other, _)| other == definition);
                let head: String = workload.chars().take(8).collect();
                let alike = of_definition.filter(|(_, other)| other.starts_with(&head)).count();
                let id = &self.ids.shapes[&(definition.to_owned(), workload.to_owned())];
                self.tables.shapes.push(&[
                    ("operator", operator),
                    ("id", id),
                    ("name", if alike == 1 { &head } else { workload }),
                    ("description", &format!("workload {workload}")),
                ]);
            }
        }
        let mut seen = std::collections::BTreeSet::new();
        let baselines = self.files.heads().map(|(_, _, baseline, _)| (baseline, "reference"));
        let agents = self.files.heads().map(|(_, implementation, ..)| (implementation, "agent"));
        for (name, role) in baselines.chain(agents) {
            if seen.insert(name) {
                self.tables.implementations.push(&[
                    ("id", &self.ids.implementations[name]),
                    ("name", name),
                    ("role", role),
                    ("system", if role == "agent" { "AKO4X" } else { "" }),
                ]);
            }
        }
    }

    fn batch(&mut self, name: &str, gpu: &str, cells: &[(&'static str, &str)]) {
        let id = &self.ids.batches[name];
        let known = self.surroundings.gpu_in(gpu);
        if known.is_none() {
            self.out.leave_out(
                format!("the GPU of the batch {id}"),
                if gpu.is_empty() {
                    "the file does not name it".to_owned()
                } else {
                    format!("gpus.csv has no row for a GPU in `{gpu}`")
                },
            );
        }
        let head =
            [("id", id.as_str()), ("name", name), ("class", id), ("gpu", known.unwrap_or(""))];
        self.tables.batches.push(&[&head[..], cells].concat());
    }

    fn baselines(&mut self) {
        for file in &self.files.baselines {
            let File { data, definition, implementation, batch, .. } = file;
            let days = [
                day(data.environment.text("measured_at")),
                day(data.provenance.text("measured_on")),
            ];
            let measured_on = match days {
                [Some(one), Some(other)] if one != other => {
                    self.out.leave_out(
                        format!("the day of the batch {}", self.ids.batches[batch]),
                        format!(
                            "environment.measured_at is of {one}, provenance.measured_on of {other}"
                        ),
                    );
                    String::new()
                }
                [one, other] => one.or(other).unwrap_or_default(),
            };
            self.batch(
                batch,
                data.environment.text("gpu"),
                &[
                    ("cuda", data.environment.text("cuda_version")),
                    ("software", data.provenance.text("env")),
                    ("statistic", &data.benchmark_config.summary(&[])),
                    ("tool", "AKO4X"),
                    ("measured_on", &measured_on),
                ],
            );
            let mut taken = 0;
            for (workload, figures) in &data.workloads.0 {
                match microseconds(&figures.reference_latency_ms) {
                    Ok(latency) => {
                        let key = self.key(definition, workload, implementation, batch);
                        let cells = [&key[..], &[("latency_us", latency.as_str())]].concat();
                        self.tables.latencies.push(&cells);
                        taken += 1;
                    }
                    Err(why) => self.out.leave_out(
                        format!("the latency of workload {workload} in {}", file.name),
                        format!("{} {}", figures.reference_latency_ms.0, why.as_str()),
                    ),
                }
            }
            self.out.taken.push(format!(
                "{}: {} of {implementation}",
                file.name,
                counted(taken, "latency", "latencies")
            ));
            if !data.provenance.0.is_empty() {
                let lines =
                    data.provenance.0.iter().map(|(key, text)| format!("{key}: {}", text.0));
                let body = study::verbatim(&lines.collect::<Vec<_>>().join("\n"));
                self.note(
                    format!("{batch}: provenance"),
                    "info",
                    format!("batch:{}", self.ids.batches[batch]),
                    format!("What the file says of itself:\n\n{body}"),
                );
            }
        }
    }

    fn results(&mut self) {
        for file in &self.files.results {
            let File { data, definition, implementation, baseline, batch, .. } = file;
            if data.status != "measured" {
                self.out.leave_out(
                    format!("the latencies and ratios in {}", file.name),
                    format!("its status is `{}`, not `measured`", data.status),
                );
            }
            self.batch(
                batch,
                data.kernel_env.text("machine"),
                &[
                    ("cuda", data.kernel_env.text("cuda")),
                    ("software", &data.kernel_env.summary(&["cuda", "machine"])),
                    ("statistic", &data.bench_config.summary(&["baseline_iterations"])),
                    ("tool", "AKO4X"),
                    ("measured_on", &day(&data.kernel_measured_on).unwrap_or_default()),
                ],
            );
            let (mut latencies, mut ratios) = (0, 0);
            for (workload, figures) in &data.per_workload.0 {
                let key = self.key(definition, workload, implementation, batch);
                // `consistent` has refused every other status.
                let verdict = Verdict::of(&figures.status).unwrap_or(Verdict::NotJudged);
                let passed = verdict == Verdict::Pass;
                let detail = if passed { "" } else { figures.status.as_str() };
                let cells =
                    [("standard", STANDARD), ("outcome", verdict.as_str()), ("detail", detail)];
                self.tables.retests.push(&[&key[..], &cells].concat());
                if !passed && figures.kernel_latency_ms.is_some() {
                    self.out.leave_out(
                        format!("the latency of workload {workload} in {}", file.name),
                        format!(
                            "its status is {}: a failing kernel has no latency",
                            figures.status
                        ),
                    );
                }
                if !passed || data.status != "measured" {
                    continue;
                }
                let Some(ms) = &figures.kernel_latency_ms else { continue };
                match microseconds(ms) {
                    Ok(latency) => {
                        let cells = [&key[..], &[("latency_us", latency.as_str())]].concat();
                        self.tables.latencies.push(&cells);
                        latencies += 1;
                    }
                    Err(why) => self.out.leave_out(
                        format!("the latency of workload {workload} in {}", file.name),
                        format!("{} {}", ms.0, why.as_str()),
                    ),
                }
                if let Some(speedup) = &figures.speedup_vs_canonical_baseline {
                    ratios += usize::from(self.ratio(file, &key, workload, baseline, speedup));
                }
            }
            let identity = if self.files.is_canonical(baseline) {
                self.out.leave_out(
                    format!("canonical_baseline_latency_ms in {}", file.name),
                    "it repeats the baseline file",
                );
                format!("{baseline}, whose latencies it repeats")
            } else {
                self.out.leave_out(
                    format!("canonical_baseline_latency_ms in {}", file.name),
                    "no baseline among the files has these figures, and the result does not say \
                     where they were measured",
                );
                format!("a baseline that is not among the files, here `{baseline}`")
            };
            self.out.taken.push(format!(
                "{}: {} of {implementation} and {} to {identity}",
                file.name,
                counted(latencies, "latency", "latencies"),
                counted(ratios, "ratio", "ratios"),
            ));
            self.out.leave_out(
                format!("means over workloads in {}", file.name),
                "Paceboard computes geometric means from the workloads; these are arithmetic",
            );
            if !data.note.trim().is_empty() {
                self.note(
                    format!("{batch}: the authors' note"),
                    "info",
                    format!("batch:{}", self.ids.batches[batch]),
                    study::verbatim(&data.note),
                );
            }
        }
    }

    /// A published ratio. Whether it was taken.
    fn ratio<T>(
        &mut self,
        file: &File<T>,
        key: &[(&'static str, &str); 4],
        workload: &str,
        baseline: &str,
        speedup: &Number,
    ) -> bool {
        let positive = Printed::parse(&speedup.0)
            .is_ok_and(|printed| !printed.exact.is_zero() && printed.exact.is_sign_positive());
        if positive {
            let reference = self.ids.implementations[baseline].as_str();
            let cells = [("reference", reference), ("speedup", &speedup.0)];
            self.tables.ratios.push(&[&key[..], &cells].concat());
        } else {
            self.out.leave_out(
                format!("the ratio of workload {workload} in {}", file.name),
                format!("{} is not over zero, or has too many digits", speedup.0),
            );
        }
        positive
    }

    fn variances(&mut self) {
        for file in &self.files.variances {
            let File { data, definition, implementation, baseline, batch, .. } = file;
            self.batch(
                batch,
                &data.backend,
                &[
                    ("statistic", &format!("mean of the speedups of {} runs", data.n_runs.0)),
                    ("tool", "AKO4X"),
                    ("measured_on", &day(&data.timestamp).unwrap_or_default()),
                ],
            );
            let batch_id = &self.ids.batches[batch];
            let mut taken = 0;
            for (workload, spread) in &data.per_workload.0 {
                let key = self.key(definition, workload, implementation, batch);
                taken += usize::from(self.ratio(file, &key, workload, baseline, &spread.mean));
                let number = |number: &Option<Number>| {
                    number.as_ref().map_or_else(String::new, |number| number.0.clone())
                };
                self.tables.variance.push(&[
                    ("entry", &format!("{batch_id}/{workload}")),
                    ("batch", batch_id),
                    ("definition", definition),
                    ("workload", workload),
                    ("mean", &spread.mean.0),
                    ("std", &number(&spread.std)),
                    ("cv", &number(&spread.cv)),
                    ("n", &number(&spread.n)),
                ]);
            }
            self.out.taken.push(format!(
                "{}: {} of {implementation} to a baseline of its own",
                file.name,
                counted(taken, "mean ratio", "mean ratios")
            ));
            self.out.leave_out(
                format!("latencies and samples of {}", file.name),
                "it has none: mean and deviation of speedups are all it says of a workload",
            );
            self.out.leave_out(
                format!(
                    "{} and groups in {}",
                    counted(data.scores.len(), "score", "scores"),
                    file.name
                ),
                "they are means over workloads",
            );
            self.note(
                format!("{batch}: the baseline is not named"),
                "caution",
                format!("batch:{batch_id}"),
                "The file gives speedups and not what they are to. They may be held against each \
                 other, and against nothing else: the baseline of these runs stands here as an \
                 implementation of its own, without latencies."
                    .to_owned(),
            );
        }
    }

    fn note(&mut self, title: String, severity: &'static str, applies_to: String, body: String) {
        self.notes.insert(title, Note { severity, applies_to, body });
    }

    fn finish(self, study_id: &str) -> Result<Imported, Fault> {
        let Self { files, ids, tables, notes, mut out, .. } = self;
        out.taken.push(format!(
            "{}, {}, {} and {}",
            counted(tables.operators.len(), "operator", "operators"),
            counted(tables.shapes.len(), "shape", "shapes"),
            counted(tables.implementations.len(), "implementation", "implementations"),
            counted(tables.batches.len(), "batch", "batches"),
        ));
        out.files = tables.texts()?;
        let clash = |clash: slug::Clash| {
            let slug::Clash { first, second, id } = clash;
            let message = format!("`{first}` and `{second}` would share the id `{id}`");
            Fault::new("study.toml", Place::File, message)
        };
        let note_ids = slug::assign(notes.keys().map(String::as_str), Use::Row).map_err(clash)?;
        for (title, note) in &notes {
            let text = study::note(title, note.severity, [note.applies_to.as_str()], &note.body);
            out.files.insert(format!("notes/{}.md", note_ids[title.as_str()]), text);
        }

        let boards = boards(files, ids);
        let has_variance = !files.variances.is_empty();
        let table_title = "Spread of the variance runs";
        let titles = boards.iter().map(|board| board.title.as_str());
        let board_ids = slug::assign(titles.chain(has_variance.then_some(table_title)), Use::Page)
            .map_err(clash)?;
        let mut toml = study::head(
            &format!("AKO4X: {study_id}"),
            "Kernel variants of AKO4X. Each file of the source is a batch of its own, and ratios \
             are the published ones: latencies measured in different environments are not divided.",
        );
        for Board { title, baseline, contenders, classes } in &boards {
            toml += &study::speedup_board(&SpeedupBoard {
                id: &board_ids[title.as_str()],
                title,
                classes: classes.iter().map(String::as_str).collect(),
                baseline: baseline.clone(),
                contenders: contenders.clone(),
            });
        }
        if has_variance {
            toml += &study::table_board(&TableBoard {
                id: &board_ids[table_title],
                title: table_title,
                file: "tables/variance.csv",
                columns: VARIANCE_COLUMNS,
            });
        }
        out.files.insert("study.toml".to_owned(), toml);
        Ok(out)
    }
}

struct Board {
    title: String,
    baseline: Contender,
    contenders: Vec<Contender>,
    classes: Vec<String>,
}

/// A board per identity of a baseline: the baselines among the files on one, since every variant
/// of a definition there stands against the same solution, and every other one on its own.
fn boards(files: &Files, ids: &Ids) -> Vec<Board> {
    let contender = |name: &str| Contender {
        id: ids.implementations[name].clone(),
        name: name.to_owned(),
        members: vec![ids.implementations[name].clone()],
    };
    let mut boards: Vec<Board> = Vec::new();
    let results =
        files.results.iter().map(|file| (&file.implementation, &file.baseline, &file.batch));
    let variances =
        files.variances.iter().map(|file| (&file.implementation, &file.baseline, &file.batch));
    for (implementation, baseline, batch) in results.chain(variances) {
        let canonical = files.is_canonical(baseline);
        let title = if canonical {
            "Canonical baseline".to_owned()
        } else {
            format!("{batch}, own baseline")
        };
        let at = boards.iter().position(|board| board.title == title).unwrap_or_else(|| {
            let baseline = Contender {
                id: "baseline".to_owned(),
                name: if canonical { "Canonical baseline".to_owned() } else { baseline.clone() },
                members: Vec::new(),
            };
            boards.push(Board { title, baseline, contenders: Vec::new(), classes: Vec::new() });
            boards.len() - 1
        });
        let board = &mut boards[at];
        let reference = &ids.implementations[baseline.as_str()];
        if !board.baseline.members.contains(reference) {
            board.baseline.members.push(reference.clone());
        }
        if !board.contenders.iter().any(|known| known.name == *implementation) {
            board.contenders.push(contender(implementation));
        }
        board.classes.push(ids.batches[batch.as_str()].clone());
    }
    for board in &mut boards {
        // A variant may be called `baseline` as well.
        if board.contenders.iter().any(|contender| contender.id == board.baseline.id) {
            board.baseline.id.push_str("-of-this-board");
        }
    }
    boards
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::tests::{assert_passes_check, source};

    const BASELINE: &str = r#"{"operator": "dsa_h16", "source": "expert",
        "environment": {"gpu": "B200", "cuda_version": "unknown", "measured_at": "2026-04-19T13:16:49"},
        "benchmark_config": {"warmup_runs": 3, "iterations": 5},
        "workloads": {"aaaa1111bbbb": {"reference_latency_ms": 0.5372547},
                      "cccc2222dddd": {"reference_latency_ms": 0.5351233000000001}},
        "provenance": {"solution": "wrapper_5af199", "env": "CUDA 12.8", "measured_on": "2026-04-15 (approx)"}}"#;

    const RESULT: &str = r#"{"variant": "fast_v6", "definition": "dsa_h16", "status": "measured",
        "note": "Agent-assisted.", "kernel_env": {"machine": "Modal B200 (sm_100)", "cuda": "13.2", "torch": "2.12"},
        "kernel_measured_on": "2026-04-19T11:56:42", "n_workloads": 2, "n_passed": 1,
        "per_workload": {
          "aaaa1111bbbb": {"status": "PASSED", "kernel_latency_ms": 0.005068700000000001,
            "canonical_baseline_latency_ms": 0.537255, "speedup_vs_canonical_baseline": 105.995},
          "cccc2222dddd": {"status": "INCORRECT_NUMERICAL", "kernel_latency_ms": 0.001,
            "canonical_baseline_latency_ms": 0.5351233000000001, "speedup_vs_canonical_baseline": 535.1}},
        "bench_config": {"warmup_runs": 3, "solution_iterations": 100, "baseline_iterations": 5}}"#;

    const VARIANCE: &str = r#"{"timestamp": "2026-04-18T23:48:18", "backend": "modal-b200", "n_runs": 5,
        "solution_name": "dsa_h16-solution", "definition": "dsa_h16", "scores": [71.2, 71.9],
        "per_workload": {"aaaa1111bbbb": {"mean": 108.45201383675058, "std": 1.15, "cv": 0.0106, "n": 5}}}"#;

    fn read(files: &[(&str, &str)]) -> Result<Imported, Vec<Fault>> {
        let sources: Vec<Source> = files.iter().map(|(name, text)| source(name, text)).collect();
        let gpus = vec![("NVIDIA B200".to_owned(), "b200".to_owned())];
        let imported = import("test", &sources, &Surroundings { gpus })?;
        assert_passes_check(&imported);
        Ok(imported)
    }

    fn check(got: &Imported, path: &str, expected: &str) {
        let lines: Vec<&str> = expected.lines().map(str::trim).collect();
        assert_eq!(got.files[path].lines().collect::<Vec<_>>(), lines, "{path}");
    }

    #[test]
    fn every_file_is_a_batch_with_a_baseline_of_its_own() {
        let got = read(&[
            ("x/baseline.json", BASELINE),
            ("x/v6/result.json", RESULT),
            ("x/v6/variance.json", VARIANCE),
        ])
        .unwrap();
        check(
            &got,
            "implementations.csv",
            "id,name,role,system
             wrapper-5af199,wrapper_5af199,reference,
             baseline-of-the-variance-runs-of-fast-v6,Baseline of the variance runs of fast_v6,reference,
             fast-v6,fast_v6,agent,AKO4X",
        );
        check(
            &got,
            "batches.csv",
            "id,name,class,gpu,cuda,software,statistic,tool,measured_on
             baseline-of-dsa-h16,Baseline of dsa_h16,baseline-of-dsa-h16,b200,,CUDA 12.8,warmup_runs 3; iterations 5,AKO4X,
             result-of-fast-v6,Result of fast_v6,result-of-fast-v6,b200,13.2,torch 2.12,warmup_runs 3; solution_iterations 100,AKO4X,2026-04-19
             variance-runs-of-fast-v6,Variance runs of fast_v6,variance-runs-of-fast-v6,b200,,,mean of the speedups of 5 runs,AKO4X,2026-04-18",
        );
        check(
            &got,
            "latencies/ako4x.csv",
            "operator,shape,implementation,batch,latency_us
             dsa-h16,aaaa1111bbbb,wrapper-5af199,baseline-of-dsa-h16,537.2547
             dsa-h16,cccc2222dddd,wrapper-5af199,baseline-of-dsa-h16,535.1233000000001
             dsa-h16,aaaa1111bbbb,fast-v6,result-of-fast-v6,5.068700000000001",
        );
        check(
            &got,
            "ratios/ako4x.csv",
            "operator,shape,implementation,reference,batch,speedup
             dsa-h16,aaaa1111bbbb,fast-v6,wrapper-5af199,result-of-fast-v6,105.995
             dsa-h16,aaaa1111bbbb,fast-v6,baseline-of-the-variance-runs-of-fast-v6,variance-runs-of-fast-v6,108.45201383675058",
        );
        check(
            &got,
            "retests/ako4x.csv",
            "operator,shape,implementation,batch,standard,outcome,detail
             dsa-h16,aaaa1111bbbb,fast-v6,result-of-fast-v6,AKO4X benchmark,pass,
             dsa-h16,cccc2222dddd,fast-v6,result-of-fast-v6,AKO4X benchmark,fail,INCORRECT_NUMERICAL",
        );
        let left_out: Vec<&str> = got.left_out.iter().map(|left| left.what.as_str()).collect();
        for what in [
            "the day of the batch baseline-of-dsa-h16",
            "the latency of workload cccc2222dddd in x/v6/result.json",
            "latencies and samples of x/v6/variance.json",
        ] {
            assert!(left_out.contains(&what), "{left_out:#?}");
        }
        let study: toml::Table = got.files["study.toml"].parse().unwrap();
        let classes: Vec<&str> = study["board"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|board| board.get("classes")?.get(0)?.as_str())
            .collect();
        assert_eq!(classes, ["result-of-fast-v6", "variance-runs-of-fast-v6"]);
    }

    #[test]
    fn a_baseline_with_other_figures_is_not_the_results_baseline() {
        let other = BASELINE.replace("0.5372547", "0.5372");
        for files in [
            vec![("baseline.json", other.as_str()), ("result.json", RESULT)],
            vec![("result.json", RESULT)],
        ] {
            let got = read(&files).unwrap();
            let ratios = &got.files["ratios/ako4x.csv"];
            assert!(
                ratios.contains(",canonical-baseline-of-fast-v6,result-of-fast-v6,105.995"),
                "{ratios}"
            );
        }
    }

    #[test]
    fn a_variance_file_names_its_variant_or_lies_beside_it() {
        let named = VARIANCE.replace("dsa_h16-solution", "fast_v6");
        for (variance, text, expected) in [
            (
                "elsewhere.json",
                named.as_str(),
                ",fast-v6,baseline-of-the-variance-runs-of-fast-v6,",
            ),
            ("a__v6_variance.json", VARIANCE, ",fast-v6,baseline-of-the-variance-runs-of-fast-v6,"),
            (
                "b__v6_variance.json",
                VARIANCE,
                ",dsa-h16-solution,baseline-of-the-variance-runs-of-dsa-h16-solution,",
            ),
        ] {
            let got = read(&[("a__v6_result.json", RESULT), (variance, text)]).unwrap();
            assert!(got.files["ratios/ako4x.csv"].contains(expected), "{variance}");
        }
    }

    #[test]
    fn two_files_about_one_variant_are_two_batches() {
        let got = read(&[("1/result.json", RESULT), ("2/result.json", RESULT)]).unwrap();
        assert_eq!(got.files["batches.csv"].lines().count(), 3);
        assert_eq!(got.files["implementations.csv"].lines().count(), 3);
    }

    #[test]
    fn a_variant_of_two_definitions_is_two_kernels() {
        let other = RESULT.replace("dsa_h16", "mla");
        let got = read(&[("1/result.json", RESULT), ("2/result.json", &other)]).unwrap();
        let implementations = &got.files["implementations.csv"];
        assert!(implementations.contains("dsa-h16-fast-v6,"), "{implementations}");
        assert!(implementations.contains("mla-fast-v6,"), "{implementations}");
    }

    #[test]
    fn contradictions_are_faults_with_a_pointer() {
        for (from, to, expected) in [
            ("\"n_passed\": 1", "\"n_passed\": 2", "r.json#/n_passed: n_passed is 2, and"),
            ("INCORRECT_NUMERICAL", "ODD", "r.json#/per_workload/cccc2222dddd/status: `ODD` is"),
            (
                "\"kernel_latency_ms\": 0.005068700000000001",
                "\"kernel_latency_ms\": null",
                "r.json#/per_workload/aaaa1111bbbb/kernel_latency_ms: the status is PASSED",
            ),
            ("\"variant\"", "\"variety\"", "r.json: this is neither"),
        ] {
            let text = RESULT.replace(from, to);
            assert_ne!(text, RESULT);
            let faults = read(&[("r.json", &text)]).unwrap_err();
            assert!(faults[0].to_string().starts_with(expected), "{faults:?}");
        }
        assert!(read(&[("b.json", BASELINE)]).is_err(), "a baseline alone has no contender");
    }
}
