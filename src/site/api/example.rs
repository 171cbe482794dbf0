//! A small study with its results, both written by hand, for the tests of this module.

use std::sync::Arc;

use chrono::NaiveDate;
use indexmap::IndexMap;

use crate::{
    diagnostic::{Code, Diagnostic, Span},
    model::{
        Batch, BatchId, Board, BoardId, BoardKind, Claim, ClaimId, ClassId, Column, ColumnType,
        Contender, ContenderId, EffectId, FailedPolicy, Family, FamilyId, Figure, FigureKind,
        Implementation, ImplementationId, Labels, MacroEval, Members, Model, NoteId, Operator,
        OperatorId, Printed, RatioRecord, RecordKey, Retest, RetestOutcome, Role, Run, RunId,
        Shape, ShapeId, ShapeKey, Site, SpeedupBoard, Statistic, Study, StudyId, Subset, Table,
        TableBoard, Withdrawal,
    },
    standings::{
        BoardStandings, ClaimResult, ClaimVerdict, Comparison, ContenderStanding, EffectResult,
        Estimate, FamilyRow, Interval, IntervalKind, Judgement, Limits, MacroEvalRow,
        MacroEvalStandings, NoSpeedup, OperatorStandings, Ranks, RatioSide, Recomputed, Record,
        Replication, ShapeResult, ShapeStandings, Side, Speedup, SpeedupSource, SpeedupStandings,
        Standings, Status, StudyStandings, Verdict, Weighted,
        audit::{Audit, Coverage, Drift, Exclusion, OpenStanding},
    },
};

fn span(file: &str, line: u32) -> Span {
    Span { file: file.into(), line, column: 5, end_column: 8, start: 0, end: 3 }
}

fn shape(id: &str) -> ShapeKey {
    ShapeKey { operator: OperatorId::parse("gemm").unwrap(), shape: ShapeId::parse(id).unwrap() }
}

fn implementation(id: &str) -> ImplementationId {
    ImplementationId::parse(id).unwrap()
}

fn batch(id: &str) -> BatchId {
    BatchId::parse(id).unwrap()
}

fn class(id: &str) -> ClassId {
    ClassId::parse(id).unwrap()
}

fn contender(id: &str) -> ContenderId {
    ContenderId::parse(id).unwrap()
}

fn key(shape_id: &str, of: &str, batch_id: &str) -> RecordKey {
    RecordKey { shape: shape(shape_id), implementation: implementation(of), batch: batch(batch_id) }
}

fn figure(text: &str) -> Figure {
    Figure::from_printed(text, Printed::parse(text).unwrap())
}

fn estimate(value: f64, low: f64, high: f64) -> Estimate {
    let kind = IntervalKind::PublishedDigits;
    Estimate { value, interval: Some(Interval { low, high, kind }) }
}

fn board(id: &str, title: &str, kind: BoardKind) -> Board {
    Board {
        id: BoardId::parse(id).unwrap(),
        title: title.into(),
        kind,
        span: span("study.toml", 9),
    }
}

fn member(id: &str, name: &str) -> Contender {
    let members = Members::Everywhere(vec![implementation(id)]);
    Contender { id: contender(id), name: name.into(), members }
}

/// Three boards, one of each kind; shapes `a` (two latencies and a ratio), `b` (a failed one that
/// counts and one that does not), `c` (nothing comparable).
pub fn study() -> Study {
    let speedup = BoardKind::Speedup(SpeedupBoard {
        classes: vec![class("k1"), class("k2")],
        shapes: vec![shape("a"), shape("b"), shape("c")],
        failed: FailedPolicy::AsIs,
        figure: FigureKind::Bars,
        baseline: member("lib", "Library"),
        contenders: vec![member("ours", "Ours"), member("theirs", "Theirs")],
        effects: Vec::new(),
    });
    let column = |id: &str, kind| Column {
        id: id.into(),
        title: id.to_uppercase(),
        kind,
        unit: (id == "us").then(|| "µs".into()),
        decimals: None,
    };
    let table = BoardKind::Table(TableBoard {
        file: "tables/t.csv".into(),
        columns: vec![column("us", ColumnType::Number), column("name", ColumnType::Text)],
        mark: None,
    });
    let boards = [
        board("main", "Main", speedup),
        board("scores", "Scores", BoardKind::MacroEval { tau: 0.9, lambda: 0.5 }),
        board("facts", "Facts", table),
    ];
    let cells = |row: [&str; 2]| row.map(str::to_owned).to_vec();
    let table = Table {
        header: cells(["name", "us"]),
        rows: vec![cells(["1.0", "1.50"]), cells(["b", ""]), cells(["", "n/a"])],
        spans: Vec::new(),
    };
    let shapes = ["a", "b", "c"].map(|id| Shape {
        key: shape(id),
        name: id.to_uppercase(),
        description: None,
        dtype: None,
        flops: None,
        bytes: None,
        notes: Vec::new(),
        span: span("shapes.csv", 2),
    });
    Study {
        id: StudyId::parse("s").unwrap(),
        title: "A & B".into(),
        summary: "Small.".into(),
        licence: None,
        citation: None,
        authors: Vec::new(),
        paper_url: None,
        published_on: None,
        headline: None,
        tie_band: 0.0,
        require_retest: false,
        labels: Labels::default(),
        boards: boards.map(|board| (board.id.clone(), board)).into_iter().collect(),
        operators: [operator()].map(|of| (of.id.clone(), of)).into_iter().collect(),
        shapes: shapes.map(|shape| (shape.key.clone(), shape)).into_iter().collect(),
        implementations: [made()].map(|of| (of.id.clone(), of)).into_iter().collect(),
        batches: [measured("m1", Some("2026-05-02")), measured("m2", None)]
            .map(|batch| (batch.id.clone(), batch))
            .into_iter()
            .collect(),
        latencies: Vec::new(),
        samples: Vec::new(),
        ratios: vec![RatioRecord {
            key: key("a", "theirs", "m1"),
            reference: implementation("lib"),
            speedup: figure("1.3"),
            notes: Vec::new(),
            span: span("studies/s/ratios/r.csv", 4),
        }],
        retests: vec![Retest {
            operator: Some(OperatorId::parse("gemm").unwrap()),
            shape: Some(shape("b")),
            implementation: implementation("theirs"),
            batch: None,
            standard: Some("strict".into()),
            outcome: RetestOutcome::Fail,
            detail: None,
            notes: Vec::new(),
            span: span("studies/s/retests/x.csv", 3),
        }],
        withdrawals: vec![Withdrawal {
            operator: None,
            shape: None,
            implementation: implementation("ours"),
            batch: Some(batch("m2")),
            withdrawn_on: date("2026-06-01"),
            reason: "wrong <clock>".into(),
            url: None,
            span: span("studies/s/withdrawals.csv", 2),
        }],
        claims: vec![claim()],
        trajectories: Vec::new(),
        tables: IndexMap::from([("tables/t.csv".into(), table)]),
        notes: IndexMap::new(),
        macroeval: Some(macroeval()),
        span: span("studies/s/study.toml", 1),
    }
}

fn date(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn operator() -> Operator {
    Operator {
        id: OperatorId::parse("gemm").unwrap(),
        name: "GEMM".into(),
        family: None,
        standard: None,
        notes: Vec::new(),
        span: span("operators.csv", 2),
    }
}

fn made() -> Implementation {
    Implementation {
        id: implementation("ours"),
        name: "Our kernel".into(),
        role: Role::GoalOnly,
        system: None,
        model: None,
        scope: None,
        commit: None,
        url: None,
        notes: Vec::new(),
        span: span("implementations.csv", 2),
    }
}

fn measured(id: &str, on: Option<&str>) -> Batch {
    Batch {
        id: batch(id),
        name: id.to_uppercase(),
        class: class("k1"),
        gpu: None,
        gpu_count: None,
        driver: None,
        cuda: None,
        software: None,
        timer: None,
        cache: None,
        statistic: None,
        tool: None,
        tool_commit: None,
        command: None,
        measured_on: on.map(date),
        verified: None,
        notes: Vec::new(),
        span: span("batches.csv", 2),
    }
}

fn claim() -> Claim {
    Claim {
        id: ClaimId::parse("c1").unwrap(),
        board: BoardId::parse("main").unwrap(),
        contender: Some("ours".into()),
        against: None,
        operators: vec!["gemm".into()],
        shapes: vec!["a".into(), "b".into()],
        statistic: Statistic::Geomean,
        statistic_text: "geomean".into(),
        value: figure("1.50"),
        source: None,
        notes: Vec::new(),
        span: span("studies/s/claims.csv", 2),
    }
}

fn macroeval() -> MacroEval {
    let family = Family {
        id: FamilyId::parse("f").unwrap(),
        name: "F".into(),
        failure_threshold: None,
        notes: Vec::new(),
        span: span("families.csv", 2),
    };
    let run = Run {
        id: RunId::parse("r").unwrap(),
        name: "R".into(),
        agent: "kda".into(),
        mode: "independent".into(),
        model: None,
        notes: Vec::new(),
        span: span("runs.csv", 2),
    };
    MacroEval {
        families: IndexMap::from([(family.id.clone(), family)]),
        items: IndexMap::new(),
        runs: IndexMap::from([(run.id.clone(), run)]),
        outcomes: Vec::new(),
        distances: Vec::new(),
    }
}

/// A site with this study.
pub fn model() -> Model {
    let study = study();
    Model {
        site: Site {
            title: "Paces".into(),
            tagline: "Who is fast".into(),
            base_url: Some("https://example.org/p".into()),
            ..Site::default()
        },
        pages: IndexMap::new(),
        news: Vec::new(),
        gpus: IndexMap::new(),
        studies: IndexMap::from([(study.id.clone(), study)]),
        files: Vec::new(),
    }
}

fn record(of: RecordKey, published: &str, latency: Estimate, status: Status, line: u32) -> Record {
    Record {
        key: of,
        latency,
        published: published.into(),
        samples: None,
        model: (line == 3).then(|| Arc::from("m, 1")),
        status,
        passed: false,
        limits: Limits::default(),
        notes: if line == 3 {
            vec![NoteId::parse("n1").unwrap(), NoteId::parse("n2").unwrap()]
        } else {
            Vec::new()
        },
        span: span("studies/s/latencies/l.csv", line),
    }
}

fn standing(id: &str, geomean: Option<Estimate>, missing: &[&str]) -> ContenderStanding {
    ContenderStanding {
        contender: contender(id),
        geomean,
        counted: 3 - missing.len(),
        total: 3,
        missing: missing.iter().map(|id| shape(id)).collect(),
        verdict: geomean.map(|_| Verdict::Faster),
        rank: geomean.map(|_| 1),
        failed: Vec::new(),
    }
}

fn side(record: usize, latency: Estimate, failed: bool) -> Side {
    Side { record, latency, rivals: Vec::new(), failed }
}

fn result(id: &str, outcome: Result<Speedup, NoSpeedup>) -> ShapeResult {
    ShapeResult { contender: contender(id), outcome }
}

/// What the study's results are.
pub fn results() -> StudyStandings {
    let (ten, eight) = (estimate(10.0, 9.95, 10.05), estimate(8.0, 7.5, 8.5));
    let source = |failed| SpeedupSource::Latencies {
        baseline: side(0, ten, false),
        contender: side(1, eight, failed),
    };
    let speedup = |failed, replications| Speedup {
        class: class("k1"),
        estimate: estimate(1.25, 1.17, 1.34),
        source: source(failed),
        verdict: Verdict::Faster,
        replications,
    };
    let replication = Replication {
        class: class("k2"),
        estimate: Estimate { value: 1.5, interval: None },
        source: source(false),
        ratio: 1.2,
        verdict: Verdict::Faster,
        shared: true,
    };
    let ratio = Speedup {
        class: class("k1"),
        estimate: estimate(1.3, 1.25, 1.35),
        source: SpeedupSource::Ratio(RatioSide { ratio: 0, failed: false }),
        verdict: Verdict::Faster,
        replications: Vec::new(),
    };
    let not_comparable = NoSpeedup::NotComparable {
        contender: vec![batch("m2")],
        baseline: vec![batch("m1"), batch("m3")],
    };
    let shape_of = |id: &str, ours, theirs| ShapeStandings {
        key: shape(id),
        results: vec![result("ours", ours), result("theirs", theirs)],
        comparisons: Vec::new(),
    };
    let shapes = vec![
        shape_of("a", Ok(speedup(false, vec![replication])), Ok(ratio)),
        shape_of("b", Ok(speedup(true, Vec::new())), Err(NoSpeedup::Excluded(vec![2]))),
        shape_of("c", Err(not_comparable.clone()), Err(NoSpeedup::NoBaseline)),
    ];
    let geomean = Some(estimate(1.25, 1.2, 1.3));
    let standings =
        || vec![standing("ours", geomean, &["c"]), standing("theirs", None, &["a", "b", "c"])];
    let open = Comparison {
        contender: contender("ours"),
        against: contender("theirs"),
        ratio: Some(estimate(1.0, 0.9, 1.1)),
        common: 1,
        through_baseline: 1,
        verdict: Some(Verdict::Undecided),
        replications: Vec::new(),
    };
    let board = SpeedupStandings {
        operators: vec![OperatorStandings {
            operator: OperatorId::parse("gemm").unwrap(),
            results: standings(),
            comparisons: Vec::new(),
            shapes,
        }],
        overall: standings(),
        comparisons: Vec::new(),
        effects: vec![EffectResult {
            effect: EffectId::parse("e").unwrap(),
            operator: None,
            estimate: Some(Estimate { value: 0.1 + 0.2, interval: None }),
            counted: 1,
        }],
    };
    let id = |id: &str| BoardId::parse(id).unwrap();
    let failed = Status::Failed { retest: 0 };
    StudyStandings {
        records: vec![
            record(key("a", "lib", "m1"), "10.0", ten, Status::Counts, 2),
            record(key("a", "ours", "m1"), "7.5–8.5", eight, Status::Counts, 3),
            record(
                key("b", "theirs", "m1"),
                "9",
                Estimate { value: 9.0, interval: None },
                failed,
                4,
            ),
        ],
        ratios: vec![Judgement { status: Status::Counts, passed: false }],
        boards: IndexMap::from([
            (id("main"), BoardStandings::Speedup(board)),
            (id("scores"), BoardStandings::MacroEval(scores())),
            (id("facts"), BoardStandings::Table),
        ]),
        claims: vec![
            ClaimResult {
                claim: 0,
                recomputed: Some(Recomputed { value: 1.25, low: 1.2, high: 1.3 }),
                verdict: ClaimVerdict::Differs,
                inputs: Vec::new(),
            },
            ClaimResult {
                claim: 0,
                recomputed: None,
                verdict: ClaimVerdict::NotComputable,
                inputs: Vec::new(),
            },
        ],
        audit: Audit {
            exclusions: vec![Exclusion {
                board: id("main"),
                shape: shape("c"),
                contender: contender("ours"),
                reason: not_comparable,
            }],
            drift: vec![Drift {
                shape: shape("a"),
                implementation: implementation("ours"),
                records: vec![1],
                spread: 1.5,
            }],
            precision: vec![OpenStanding { board: id("main"), operator: None, comparison: open }],
            plausibility: vec![Diagnostic::new(
                Code::UnitSlip,
                span("studies/s/latencies/l.csv", 4),
                "It is \"off\".",
                "Look.",
            )],
            coverage: Coverage {
                without_baseline: vec![(id("main"), shape("c"))],
                without_retest: vec![implementation("ours")],
                without_environment: vec![(batch("m1"), vec!["driver", "cuda"])],
                without_board: vec![(class("k9"), 3)],
            },
        },
    }
}

fn scores() -> MacroEvalStandings {
    let weighted = |blend| Weighted { blend, throughput: Some(1.5), latency: None };
    let family = FamilyRow {
        family: FamilyId::parse("f").unwrap(),
        items: 2,
        valid: 1,
        c: 0.5,
        coverage: 0.5,
        s: weighted(Some(1.25)),
    };
    let row = MacroEvalRow {
        run: RunId::parse("r").unwrap(),
        subset: Subset::AllWinners,
        items: 2,
        valid: 1,
        coverage_macro: 0.5,
        c_macro: 0.75,
        s_macro: weighted(Some(1.0)),
        score: weighted(None),
        rank: Ranks { blend: 1, throughput: 2, latency: 3 },
        families: vec![family],
        items_detail: Vec::new(),
    };
    MacroEvalStandings { rows: vec![row] }
}

/// The results of the site with this study.
pub fn standings() -> Standings {
    Standings { studies: IndexMap::from([(StudyId::parse("s").unwrap(), results())]) }
}
