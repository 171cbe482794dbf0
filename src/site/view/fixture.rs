//! A small study for the tests of this folder, with one of everything that pages must show:
//! a decided order, a tie in rank, a shape without baseline, batches that are not comparable, a
//! failed retest, a withdrawal, a claim that differs, notes, names that look like markup.

use std::sync::Arc;

use chrono::NaiveDate;
use indexmap::IndexMap;

use super::context::Context;
use crate::{
    diagnostic::Span,
    model::*,
    standings::{self, Standings},
};

/// Calls `check` with the fixture's pages in place.
pub(super) fn with(check: impl FnOnce(&Context<'_>)) {
    let model = model();
    let standings: Standings = standings::compute(&model);
    check(&Context::new(&model, &standings));
}

fn span(file: &str, line: u32) -> Span {
    Span {
        file: format!("studies/toy/{file}").into(),
        line,
        column: 1,
        end_column: 2,
        start: 0,
        end: 1,
    }
}

fn id<T>(parse: fn(&str) -> Result<T, IdFault>, text: &str) -> T {
    parse(text).ok().unwrap()
}

fn figure(text: &str) -> Figure {
    Figure::from_printed(text, Printed::parse(text).unwrap())
}

fn key(operator: &str, shape: &str) -> ShapeKey {
    ShapeKey { operator: id(OperatorId::parse, operator), shape: id(ShapeId::parse, shape) }
}

fn record_key(operator: &str, shape: &str, implementation: &str, batch: &str) -> RecordKey {
    RecordKey {
        shape: key(operator, shape),
        implementation: id(ImplementationId::parse, implementation),
        batch: id(BatchId::parse, batch),
    }
}

fn contender(contender: &str, name: &str, members: &[&str]) -> Contender {
    Contender {
        id: id(ContenderId::parse, contender),
        name: name.into(),
        members: Members::Everywhere(
            members.iter().map(|member| id(ImplementationId::parse, member)).collect(),
        ),
    }
}

fn note(name: &str, title: &str, severity: NoteSeverity, applies_to: Vec<Target>) -> Note {
    Note {
        id: id(NoteId::parse, name),
        title: title.into(),
        severity,
        applies_to,
        body: "Read *this* <script>alert(1)</script> first. [Method](methodology/index.html)."
            .into(),
        span: span(&format!("notes/{name}.md"), 1),
    }
}

/// operator, shape, implementation, batch, µs.
const LATENCIES: &[(&str, &str, &str, &str, &str)] = &[
    ("scan", "short", "ours", "first", "158.5"),
    ("scan", "short", "lib", "first", "145.6"),
    ("scan", "short", "agent", "first", "140.0"),
    ("scan", "long", "ours", "first", "320.1"),
    ("scan", "long", "lib", "first", "640.7"),
    ("scan", "long", "agent", "first", "7"),
    ("scan", "long", "agent", "second", "410.0"),
    ("scan", "alone", "ours", "first", "12.5"),
    ("sort", "apart", "ours", "second", "5.00"),
    ("sort", "apart", "lib", "first", "6.00"),
    ("sort", "apart", "agent", "first", "6.00"),
];

pub(in crate::site) fn model() -> Model {
    let toy = id(StudyId::parse, "toy");
    let mut studies = IndexMap::new();
    studies.insert(toy.clone(), study(toy));
    let gpu = id(GpuId::parse, "b200");
    Model {
        site: Site {
            title: "Paceboard".into(),
            tagline: "Every number can be traced to the line it came from.".into(),
            base_url: Some("https://example.org/pace".into()),
            source_url: Some("https://example.org/blob/main/data/{file}#L{line}".into()),
            licence: Some("CC BY 4.0".into()),
            footer_links: vec![Link {
                title: "Repository".into(),
                url: "https://example.org/repo".into(),
            }],
            accent: None,
        },
        pages: IndexMap::from([(
            "methodology".to_owned(),
            Document {
                title: "Methodology".into(),
                body: "# Geomean\n\nA mean of logs.".into(),
                span: span("methodology.md", 1),
            },
        )]),
        news: vec![News {
            name: "first".into(),
            title: "First".into(),
            date: NaiveDate::from_ymd_opt(2026, 11, 1).unwrap(),
            body: "It *begins*.".into(),
            span: span("first.md", 1),
        }],
        gpus: IndexMap::from([(
            gpu.clone(),
            Gpu {
                id: gpu,
                name: "NVIDIA B200".into(),
                memory_tb_s: Some(8.0),
                l2_mb: Some(126.0),
                bf16_tflops: Some(2250.0),
                fp8_tflops: None,
                source: Some("the vendor's data sheet".into()),
                span: span("gpus.csv", 2),
            },
        )]),
        studies,
        files: vec![DataFile {
            path: "studies/toy/latencies/all.csv".into(),
            text: "operator\nscan\n".into(),
        }],
    }
}

fn implementation(name: &str, role: Role, text: &str) -> (ImplementationId, Implementation) {
    let id = id(ImplementationId::parse, name);
    let row = Implementation {
        id: id.clone(),
        name: text.into(),
        role,
        system: Some("Claude Code".into()),
        model: Some("Fable 5.1".into()),
        scope: None,
        commit: None,
        url: Some("https://example.org/kernel".into()),
        notes: Vec::new(),
        span: span("implementations.csv", 2),
    };
    (id, row)
}

fn batch(name: &str, class: &str, verified: Option<&str>) -> (BatchId, Batch) {
    let id_ = id(BatchId::parse, name);
    let row = Batch {
        id: id_.clone(),
        name: format!("The {name} batch"),
        class: id(ClassId::parse, class),
        gpu: Some(id(GpuId::parse, "b200")),
        gpu_count: None,
        driver: Some("580.105.08".into()),
        cuda: Some("13.0".into()),
        software: None,
        timer: Some("cupti".into()),
        cache: Some("cold-l2".into()),
        statistic: None,
        tool: None,
        tool_commit: None,
        command: Some("bench --cold <x>".into()),
        measured_on: None,
        verified: verified.map(str::to_owned),
        notes: Vec::new(),
        span: span("batches.csv", 2),
    };
    (id_, row)
}

fn retest(implementation: &str, outcome: RetestOutcome) -> Retest {
    Retest {
        operator: Some(id(OperatorId::parse, "sort")),
        shape: None,
        implementation: id(ImplementationId::parse, implementation),
        batch: None,
        standard: Some("exact order".into()),
        outcome,
        detail: Some("3 of 10 inputs differ".into()),
        notes: Vec::new(),
        span: span("retests/all.csv", 2),
    }
}

fn claim(name: &str, operator: &str, value: &str) -> Claim {
    Claim {
        id: id(ClaimId::parse, name),
        board: id(BoardId::parse, "main"),
        contender: Some("ours".into()),
        against: None,
        operators: vec![operator.into()],
        shapes: Vec::new(),
        statistic: Statistic::Geomean,
        statistic_text: "geomean".into(),
        value: figure(value),
        source: Some("Figure 2".into()),
        notes: Vec::new(),
        span: span("claims.csv", 2),
    }
}

fn study(toy: StudyId) -> Study {
    let shapes: Vec<ShapeKey> =
        [("scan", "short"), ("scan", "long"), ("scan", "alone"), ("sort", "apart")]
            .iter()
            .map(|(operator, shape)| key(operator, shape))
            .collect();
    let main = id(BoardId::parse, "main");
    let board = Board {
        id: main.clone(),
        title: "Against the library & the agent".into(),
        kind: BoardKind::Speedup(SpeedupBoard {
            classes: vec![id(ClassId::parse, "paired")],
            shapes: shapes.clone(),
            failed: FailedPolicy::Exclude,
            figure: FigureKind::Bars,
            baseline: contender("library", "Library", &["lib"]),
            contenders: vec![
                contender("ours", "Ours <b>", &["ours"]),
                contender("agent", "Agent", &["agent"]),
            ],
            effects: vec![Effect {
                id: id(EffectId::parse, "gain"),
                name: "Ours / Agent".into(),
                numerator: id(ContenderId::parse, "ours"),
                denominator: id(ContenderId::parse, "agent"),
            }],
        }),
        span: span("study.toml", 10),
    };
    let operators = [("scan", "Scan"), ("sort", "Sort & merge")].map(|(name, text)| {
        let id = id(OperatorId::parse, name);
        let row = Operator {
            id: id.clone(),
            name: text.into(),
            family: Some("prefix".into()),
            standard: Some("bitwise".into()),
            notes: Vec::new(),
            span: span("operators.csv", 2),
        };
        (id, row)
    });
    let notes = [
        note(
            "drift",
            "The library drifts",
            NoteSeverity::Caution,
            vec![Target::Operator(id(OperatorId::parse, "scan"))],
        ),
        note(
            "rounded",
            "Printed to one digit",
            NoteSeverity::Info,
            vec![Target::Record {
                shape: key("scan", "long"),
                implementation: id(ImplementationId::parse, "agent"),
                batch: None,
            }],
        ),
    ];
    Study {
        id: toy,
        title: "Toy study <&>".into(),
        summary: "Two operators, *four* shapes.".into(),
        licence: Some("CC0".into()),
        citation: Some("@misc{toy, title = {Toy}}".into()),
        authors: vec!["A. Author".into(), "B. Author".into()],
        paper_url: Some("https://example.org/paper".into()),
        published_on: NaiveDate::from_ymd_opt(2026, 10, 27),
        headline: Some(main.clone()),
        tie_band: 0.005,
        require_retest: false,
        labels: Labels::default(),
        boards: IndexMap::from([(main, board)]),
        operators: IndexMap::from(operators),
        shapes: shapes
            .into_iter()
            .map(|key| {
                let row = Shape {
                    name: format!("{} one", key.shape),
                    description: Some("N = 4096".into()),
                    dtype: Some("bf16".into()),
                    flops: Some(1.374e12),
                    bytes: Some(6.06e8),
                    notes: Vec::new(),
                    span: span("shapes.csv", 2),
                    key: key.clone(),
                };
                (key, row)
            })
            .collect(),
        implementations: IndexMap::from([
            implementation("ours", Role::GoalOnly, "Ours"),
            implementation("lib", Role::Library, "Lib"),
            implementation("agent", Role::Agent, "Agent"),
        ]),
        batches: IndexMap::from([
            batch("first", "paired", Some("the authors")),
            batch("second", "other", None),
        ]),
        latencies: LATENCIES
            .iter()
            .enumerate()
            .map(|(at, (operator, shape, implementation, batch, latency))| LatencyRecord {
                key: record_key(operator, shape, implementation, batch),
                latency: figure(latency),
                model: (at == 0).then(|| Arc::from("Opus 5")),
                notes: Vec::new(),
                span: span("latencies/all.csv", u32::try_from(at).unwrap() + 2),
            })
            .collect(),
        samples: Vec::new(),
        ratios: Vec::new(),
        retests: vec![retest("ours", RetestOutcome::Pass), retest("agent", RetestOutcome::Fail)],
        withdrawals: vec![Withdrawal {
            operator: Some(id(OperatorId::parse, "scan")),
            shape: Some(key("scan", "long")),
            implementation: id(ImplementationId::parse, "agent"),
            batch: Some(id(BatchId::parse, "second")),
            withdrawn_on: NaiveDate::from_ymd_opt(2026, 11, 2).unwrap(),
            reason: "measured with a warm cache".into(),
            url: Some("https://example.org/issue".into()),
            span: span("withdrawals.csv", 2),
        }],
        claims: vec![claim("right", "scan", "1.36"), claim("wrong", "scan", "2.5")],
        trajectories: vec![
            TrajectoryPoint {
                trajectory: id(TrajectoryId::parse, "course"),
                shape: key("scan", "short"),
                implementation: id(ImplementationId::parse, "ours"),
                hours: None,
                latency: figure("300"),
                kind: TrajectoryPointKind::Start,
                label: Some("first version".into()),
                span: span("trajectories/course.csv", 2),
            },
            TrajectoryPoint {
                trajectory: id(TrajectoryId::parse, "course"),
                shape: key("scan", "short"),
                implementation: id(ImplementationId::parse, "ours"),
                hours: Some(2.5),
                latency: figure("158.5"),
                kind: TrajectoryPointKind::Final,
                label: None,
                span: span("trajectories/course.csv", 3),
            },
        ],
        tables: IndexMap::new(),
        notes: notes.into_iter().map(|note| (note.id.clone(), note)).collect(),
        macroeval: None,
        span: span("study.toml", 1),
    }
}
