//! Small studies for tests, written as lines of text.

use indexmap::IndexMap;

use crate::{
    diagnostic::Span,
    model::{
        Batch, BatchId, Board, BoardId, BoardKind, Claim, ClaimId, ClassId, Contender, ContenderId,
        Effect, EffectId, FailedPolicy, Figure, FigureKind, Gpu, Implementation, ImplementationId,
        Labels, LatencyRecord, Members, Model, Operator, OperatorId, Printed, RatioRecord,
        RecordKey, Retest, RetestOutcome, Role, Round, SampleSet, Shape, ShapeId, ShapeKey, Site,
        SpeedupBoard, Statistic, Study, StudyId,
    },
};

pub(super) fn span(line: u32) -> Span {
    Span { file: "latencies/a.csv".into(), line, column: 1, end_column: 2, start: 0, end: 1 }
}

pub(super) fn figure(text: &str) -> Figure {
    Figure::from_printed(text, Printed::parse(text).unwrap())
}

pub(super) fn shape_key(text: &str) -> ShapeKey {
    let (operator, shape) = text.split_once('/').unwrap();
    ShapeKey {
        operator: OperatorId::parse(operator).unwrap(),
        shape: ShapeId::parse(shape).unwrap(),
    }
}

pub(super) fn record_key(text: &str) -> RecordKey {
    let parts: Vec<_> = text.split('/').collect();
    RecordKey {
        shape: shape_key(&parts[..2].join("/")),
        implementation: ImplementationId::parse(parts[2]).unwrap(),
        batch: BatchId::parse(parts[3]).unwrap(),
    }
}

/// A sample set with one median per round.
pub(super) fn samples(key: &str, rounds: &[(u32, f64)], median: &str) -> SampleSet {
    SampleSet {
        key: record_key(key),
        rounds: rounds.iter().map(|&(number, median_us)| Round { number, median_us }).collect(),
        median: figure(median),
        count: rounds.len(),
        span: span(1),
    }
}

/// A study with one board `b`: a baseline `base` with the member `lib` and the contenders given.
pub(super) struct Fixture {
    pub(super) study: Study,
    pub(super) gpus: IndexMap<crate::model::GpuId, Gpu>,
}

impl Fixture {
    /// Contenders as `id=member,member`; the board stands on the classes given.
    pub(super) fn new(classes: &str, contenders: &[&str]) -> Self {
        let contender = |text: &&str| {
            let (id, members) = text.split_once('=').unwrap();
            Contender {
                id: ContenderId::parse(id).unwrap(),
                name: id.into(),
                members: Members::Everywhere(
                    members.split(',').map(|m| ImplementationId::parse(m).unwrap()).collect(),
                ),
            }
        };
        let board = Board {
            id: BoardId::parse("b").unwrap(),
            title: "b".into(),
            kind: BoardKind::Speedup(SpeedupBoard {
                classes: classes.split(' ').map(|c| ClassId::parse(c).unwrap()).collect(),
                shapes: Vec::new(),
                failed: FailedPolicy::Exclude,
                figure: FigureKind::Bars,
                baseline: contender(&"base=lib"),
                contenders: contenders.iter().map(contender).collect(),
                effects: Vec::new(),
            }),
            span: span(1),
        };
        let study = Study {
            id: StudyId::parse("s").unwrap(),
            title: "s".into(),
            summary: String::new(),
            licence: None,
            citation: None,
            authors: Vec::new(),
            paper_url: None,
            published_on: None,
            headline: Some(board.id.clone()),
            tie_band: 0.0,
            require_retest: false,
            labels: Labels::default(),
            boards: IndexMap::from([(board.id.clone(), board)]),
            operators: IndexMap::new(),
            shapes: IndexMap::new(),
            implementations: IndexMap::new(),
            batches: IndexMap::new(),
            latencies: Vec::new(),
            samples: Vec::new(),
            ratios: Vec::new(),
            retests: Vec::new(),
            withdrawals: Vec::new(),
            claims: Vec::new(),
            trajectories: Vec::new(),
            tables: IndexMap::new(),
            notes: IndexMap::new(),
            macroeval: None,
            span: span(1),
        };
        Self { study, gpus: IndexMap::new() }
    }

    pub(super) fn board(&mut self) -> &mut SpeedupBoard {
        let BoardKind::Speedup(board) = &mut self.study.boards[0].kind else { unreachable!() };
        board
    }

    /// Batches are named like their class.
    fn know(&mut self, key: &RecordKey) {
        let study = &mut self.study;
        study.operators.entry(key.shape.operator.clone()).or_insert_with(|| Operator {
            id: key.shape.operator.clone(),
            name: key.shape.operator.to_string(),
            family: None,
            standard: None,
            notes: Vec::new(),
            span: span(1),
        });
        study.batches.entry(key.batch.clone()).or_insert_with(|| Batch {
            id: key.batch.clone(),
            name: key.batch.to_string(),
            class: ClassId::parse(&key.batch).unwrap(),
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
            measured_on: None,
            verified: None,
            notes: Vec::new(),
            span: span(1),
        });
        study.implementations.entry(key.implementation.clone()).or_insert_with(|| Implementation {
            id: key.implementation.clone(),
            name: key.implementation.to_string(),
            role: Role::Agent,
            system: None,
            model: None,
            scope: None,
            commit: None,
            url: None,
            notes: Vec::new(),
            span: span(1),
        });
        if !study.shapes.contains_key(&key.shape) {
            study.shapes.insert(
                key.shape.clone(),
                Shape {
                    key: key.shape.clone(),
                    name: key.shape.shape.to_string(),
                    description: None,
                    dtype: None,
                    flops: None,
                    bytes: None,
                    notes: Vec::new(),
                    span: span(1),
                },
            );
            self.board().shapes.push(key.shape.clone());
        }
    }

    /// Latencies as `operator/shape/implementation/batch latency`.
    pub(super) fn latencies(mut self, lines: &[&str]) -> Self {
        for line in lines {
            let (key, latency) = line.split_once(' ').unwrap();
            let key = record_key(key);
            self.know(&key);
            let number = u32::try_from(self.study.latencies.len()).unwrap() + 2;
            self.study.latencies.push(LatencyRecord {
                key,
                latency: figure(latency),
                model: None,
                notes: Vec::new(),
                span: span(number),
            });
        }
        self
    }

    /// Ratios as `operator/shape/implementation/batch speedup`, over `lib`.
    pub(super) fn ratios(mut self, lines: &[&str]) -> Self {
        for line in lines {
            let (key, speedup) = line.split_once(' ').unwrap();
            let key = record_key(key);
            self.know(&key);
            self.study.ratios.push(RatioRecord {
                key,
                reference: ImplementationId::parse("lib").unwrap(),
                speedup: figure(speedup),
                notes: Vec::new(),
                span: span(1),
            });
        }
        self
    }

    /// Sets of samples.
    pub(super) fn samples(mut self, sets: Vec<SampleSet>) -> Self {
        for set in sets {
            self.know(&set.key);
            self.study.samples.push(set);
        }
        self
    }

    /// Retests as `implementation outcome`, over all shapes and batches.
    pub(super) fn retests(mut self, lines: &[&str]) -> Self {
        for line in lines {
            let (implementation, outcome) = line.split_once(' ').unwrap();
            self.study.retests.push(Retest {
                operator: None,
                shape: None,
                implementation: ImplementationId::parse(implementation).unwrap(),
                batch: None,
                standard: None,
                outcome: RetestOutcome::ALL.into_iter().find(|o| o.as_str() == outcome).unwrap(),
                detail: None,
                notes: Vec::new(),
                span: span(1),
            });
        }
        self
    }

    /// An effect `e` of the board: numerator over denominator.
    pub(super) fn effect(mut self, numerator: &str, denominator: &str) -> Self {
        self.board().effects.push(Effect {
            id: EffectId::parse("e").unwrap(),
            name: "e".into(),
            numerator: ContenderId::parse(numerator).unwrap(),
            denominator: ContenderId::parse(denominator).unwrap(),
        });
        self
    }

    /// Claims as `contender|against|operators|shapes|statistic|value`.
    pub(super) fn claims(mut self, lines: &[&str]) -> Self {
        let words = |text: &str| text.split_whitespace().map(String::from).collect::<Vec<_>>();
        let optional = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        for (at, line) in lines.iter().enumerate() {
            let cells: Vec<_> = line.split('|').collect();
            self.study.claims.push(Claim {
                id: ClaimId::parse(&format!("claim-{at}")).unwrap(),
                board: BoardId::parse("b").unwrap(),
                contender: optional(cells[0]),
                against: optional(cells[1]),
                operators: words(cells[2]),
                shapes: words(cells[3]),
                statistic: Statistic::parse(cells[4]).unwrap(),
                statistic_text: cells[4].into(),
                value: figure(cells[5]),
                source: None,
                notes: Vec::new(),
                span: span(1),
            });
        }
        self
    }

    /// A model that holds this study alone.
    pub(super) fn model(self) -> Model {
        Model {
            site: Site::default(),
            pages: IndexMap::new(),
            news: Vec::new(),
            gpus: self.gpus,
            studies: IndexMap::from([(self.study.id.clone(), self.study)]),
            files: Vec::new(),
        }
    }
}
