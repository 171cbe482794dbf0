//! `<study>/data/records.js`: what the page's script needs to compute boards with another
//! baseline and other shapes.
//!
//! A classic script that assigns one global, since neither `fetch` nor modules work in a page
//! that was opened from disk. Things are named by their place in a list, numbers have full
//! precision. It holds no result: those the script computes, by the rules of `standings/`.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{File, Job, path, view::words};
use crate::{
    model::{
        BatchId, BoardKind, ClassId, Contender, FailedPolicy, Figure, ImplementationId, Members,
        Model, ShapeKey, Study,
    },
    standings::{Judgement, Standings, Status, StudyStandings, t_quantile},
};

/// The global that the file assigns.
const GLOBAL: &str = "paceboardRecords";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Data<'a> {
    id: &'a str,
    tie_band: f64,
    /// The 0.975 quantiles of Student's t, by degrees of freedom from 1 on, as far as some record
    /// has rounds.
    t: Vec<f64>,
    labels: &'a crate::model::Labels,
    /// What stands in the place of a number, by the code of a record's status.
    statuses: [&'static str; 5],
    /// Sign and class of the words that have one of their own.
    signs: BTreeMap<String, (&'static str, &'static str)>,
    /// Id, name.
    operators: Vec<(&'a str, &'a str)>,
    /// Operator, id, name.
    shapes: Vec<(usize, &'a str, &'a str)>,
    /// Id, name, role.
    implementations: Vec<(&'a str, &'a str, &'static str)>,
    classes: Vec<&'a str>,
    records: Vec<Row>,
    ratios: Vec<RatioRow>,
    /// All classes and shapes, without a baseline.
    whole: Whole,
    boards: Vec<Board<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Whole {
    title: &'static str,
    classes: Vec<usize>,
    shapes: Vec<usize>,
    as_is: bool,
}

/// Shape, implementation, class, status, value, low, high; where it was sampled the number and
/// median of each round.
#[derive(Serialize)]
#[serde(untagged)]
enum Row {
    Published(usize, usize, usize, u8, f64, f64, f64),
    Sampled(usize, usize, usize, u8, f64, f64, f64, Vec<(u32, f64)>),
}

/// Shape, implementation, class, status, value, low, high, reference.
#[derive(Serialize)]
struct RatioRow(usize, usize, usize, u8, f64, f64, f64, usize);

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Board<'a> {
    id: &'a str,
    title: &'a str,
    classes: Vec<usize>,
    shapes: Vec<usize>,
    /// Whether failed retests count.
    as_is: bool,
    baseline: Side<'a>,
    contenders: Vec<Side<'a>>,
}

#[derive(Serialize)]
struct Side<'a> {
    id: &'a str,
    name: &'a str,
    members: Of,
}

/// Implementations, on all operators or by operator.
#[derive(Serialize)]
#[serde(untagged)]
enum Of {
    Everywhere(Vec<usize>),
    PerOperator(BTreeMap<usize, Vec<usize>>),
}

/// Where things stand in their lists.
struct Places<'a> {
    study: &'a Study,
    classes: Vec<&'a ClassId>,
}

impl<'a> Places<'a> {
    fn of(study: &'a Study) -> Self {
        let mut classes: Vec<&ClassId> = Vec::new();
        for batch in study.batches.values() {
            if !classes.contains(&&batch.class) {
                classes.push(&batch.class);
            }
        }
        Self { study, classes }
    }

    fn class(&self, id: &ClassId) -> Option<usize> {
        self.classes.iter().position(|class| *class == id)
    }

    fn class_of(&self, batch: &BatchId) -> Option<usize> {
        self.class(&self.study.batches.get(batch)?.class)
    }

    fn shape(&self, key: &ShapeKey) -> Option<usize> {
        self.study.shapes.get_index_of(key)
    }

    fn implementations(&self, ids: &[ImplementationId]) -> Vec<usize> {
        ids.iter().filter_map(|id| self.study.implementations.get_index_of(id)).collect()
    }

    fn side(&self, contender: &'a Contender) -> Side<'a> {
        let members = match &contender.members {
            Members::Everywhere(ids) => Of::Everywhere(self.implementations(ids)),
            Members::PerOperator(table) => Of::PerOperator(
                table
                    .iter()
                    .filter_map(|(operator, ids)| {
                        let at = self.study.operators.get_index_of(operator)?;
                        Some((at, self.implementations(ids)))
                    })
                    .collect(),
            ),
        };
        Side { id: &contender.id, name: &contender.name, members }
    }
}

/// What stands in the place of a number, by status: 0 counts, 1 failed but counts where boards
/// count failures, 2 failed, 3 not retested, 4 withdrawn.
fn statuses() -> [&'static str; 5] {
    let failed = words::status(&Status::Failed { retest: 0 });
    let not_retested = words::status(&Status::NotRetested);
    let withdrawn = words::status(&Status::Withdrawn { withdrawal: 0 });
    [words::NOT_COMPARABLE, failed, failed, not_retested, withdrawn]
}

/// The status as a place in [`statuses`].
fn code(status: &Status, passed: bool, require_retest: bool) -> u8 {
    match status {
        Status::Counts => 0,
        Status::Failed { .. } if passed || !require_retest => 1,
        Status::Failed { .. } => 2,
        Status::NotRetested => 3,
        Status::Withdrawn { .. } => 4,
    }
}

fn data<'a>(study: &'a Study, results: &StudyStandings) -> Data<'a> {
    let places = Places::of(study);
    let sampled: BTreeMap<_, _> = study.samples.iter().map(|set| (&set.key, set)).collect();
    let published: BTreeMap<_, _> =
        study.latencies.iter().map(|record| (&record.key, &record.latency)).collect();
    let records = results.records.iter().filter_map(|record| {
        let key = &record.key;
        let shape = places.shape(&key.shape)?;
        let implementation = study.implementations.get_index_of(&key.implementation)?;
        let class = places.class_of(&key.batch)?;
        let status = code(&record.status, record.passed, study.require_retest);
        if let Some(set) = sampled.get(key) {
            let Figure { value, low, high, .. } = set.median;
            let rounds = set.rounds.iter().map(|round| (round.number, round.median_us)).collect();
            return Some(Row::Sampled(
                shape,
                implementation,
                class,
                status,
                value,
                low,
                high,
                rounds,
            ));
        }
        let Figure { value, low, high, .. } = **published.get(key)?;
        Some(Row::Published(shape, implementation, class, status, value, low, high))
    });
    let ratios = study.ratios.iter().zip(&results.ratios).filter_map(|(ratio, judgement)| {
        let Judgement { status, passed } = judgement;
        let Figure { value, low, high, .. } = ratio.speedup;
        Some(RatioRow(
            places.shape(&ratio.key.shape)?,
            study.implementations.get_index_of(&ratio.key.implementation)?,
            places.class_of(&ratio.key.batch)?,
            code(status, *passed, study.require_retest),
            value,
            low,
            high,
            study.implementations.get_index_of(&ratio.reference)?,
        ))
    });
    let boards = study.boards.values().filter_map(|board| {
        let BoardKind::Speedup(of) = &board.kind else { return None };
        Some(Board {
            id: &board.id,
            title: &board.title,
            classes: of.classes.iter().filter_map(|id| places.class(id)).collect(),
            shapes: of.shapes.iter().filter_map(|key| places.shape(key)).collect(),
            as_is: of.failed == FailedPolicy::AsIs,
            baseline: places.side(&of.baseline),
            contenders: of.contenders.iter().map(|one| places.side(one)).collect(),
        })
    });
    Data {
        id: &study.id,
        tie_band: study.tie_band,
        t: (1..study.samples.iter().map(|set| set.rounds.len()).max().unwrap_or(0))
            .map(t_quantile)
            .collect(),
        labels: &study.labels,
        statuses: statuses(),
        signs: words::recomputed().map(|one| (one.word, (one.sign, one.class))).into(),
        operators: study.operators.values().map(|one| (&*one.id, &*one.name)).collect(),
        shapes: study
            .shapes
            .values()
            .filter_map(|one| {
                let operator = study.operators.get_index_of(&one.key.operator)?;
                Some((operator, &**one.id(), &*one.name))
            })
            .collect(),
        implementations: study
            .implementations
            .values()
            .map(|one| (&*one.id, &*one.name, one.role.as_str()))
            .collect(),
        whole: Whole {
            title: "Whole study",
            classes: (0..places.classes.len()).collect(),
            shapes: (0..study.shapes.len()).collect(),
            as_is: false,
        },
        records: records.collect(),
        ratios: ratios.collect(),
        boards: boards.collect(),
        classes: places.classes.into_iter().map(ClassId::as_str).collect(),
    }
}

/// Whether a study has something to compute: latencies or ratios.
pub(super) fn exists(study: &Study) -> bool {
    !(study.latencies.is_empty() && study.samples.is_empty() && study.ratios.is_empty())
}

/// The data script of a study.
pub(super) fn file(study: &Study, results: &StudyStandings) -> File {
    let json = serde_json::to_string(&data(study, results)).expect("plain values serialise");
    File::text(path::records(&study.id), format!("var {GLOBAL} = {json};\n"))
}

/// The data scripts of all studies that have something to compute.
pub(super) fn jobs<'a>(model: &'a Model, standings: &'a Standings) -> Vec<Job<'a>> {
    let mut jobs: Vec<Job<'a>> = Vec::new();
    for study in model.studies.values().filter(|study| exists(study)) {
        if let Some(results) = standings.studies.get(&study.id) {
            jobs.push(Box::new(move || vec![file(study, results)]));
        }
    }
    jobs
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::{site::view::fixture, standings};

    fn published() -> (Model, Value) {
        let model = fixture::model();
        let standings = standings::compute(&model);
        let study = &model.studies[0];
        let File { path, bytes } = file(study, &standings.studies[&study.id]);
        assert_eq!(path, "toy/data/records.js");
        let text = String::from_utf8(bytes).unwrap();
        let json = text.strip_prefix("var paceboardRecords = ").unwrap();
        let json = serde_json::from_str(json.strip_suffix(";\n").unwrap()).unwrap();
        (model, json)
    }

    #[test]
    fn every_latency_and_ratio_is_there_and_names_what_is_there() {
        let (model, data) = published();
        let study = &model.studies[0];
        let length = |of: &str| data[of].as_array().unwrap().len() as u64;
        assert_eq!(length("records"), study.latencies.len() as u64);
        assert_eq!(length("ratios"), study.ratios.len() as u64);
        assert_eq!(length("shapes"), study.shapes.len() as u64);
        for row in ["records", "ratios"].iter().flat_map(|of| data[*of].as_array().unwrap()) {
            for (at, list) in ["shapes", "implementations", "classes"].iter().enumerate() {
                assert!(row[at].as_u64().unwrap() < length(list), "{row}");
            }
        }
    }

    #[test]
    fn what_does_not_count_says_why() {
        let (_, data) = published();
        let codes: Vec<u64> = data["records"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row[3].as_u64().unwrap())
            .collect();
        for (code, what) in [(0, "one that counts"), (1, "a failed one"), (4, "a withdrawn one")] {
            assert!(codes.contains(&code), "{what} in {codes:?}");
        }
    }

    #[test]
    fn codes_follow_the_rules() {
        let failed = Status::Failed { retest: 0 };
        for (status, passed, require, expected) in [
            (Status::Counts, false, false, 0),
            (failed.clone(), false, false, 1),
            (failed.clone(), true, true, 1),
            (failed, false, true, 2),
            (Status::NotRetested, false, true, 3),
            (Status::Withdrawn { withdrawal: 0 }, true, false, 4),
        ] {
            assert_eq!(code(&status, passed, require), expected, "{status:?}");
        }
    }
}
