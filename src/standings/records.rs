//! Every latency of a study, with what became of it: eligibility, and the share of the GPU's
//! limits that it reaches.

use std::{collections::BTreeMap, ops::Range, sync::Arc};

use indexmap::IndexMap;

use super::{Estimate, Judgement, Limits, Record, Status, interval::LogQuantity};
use crate::model::{
    Batch, ClassId, FailedPolicy, Gpu, GpuId, ImplementationId, LatencyRecord, RecordKey,
    RetestOutcome, SampleSet, Shape, ShapeKey, Study,
};

/// The records of a study in one order, and the ways to find them.
#[derive(Debug)]
pub(super) struct Records<'m> {
    /// The study.
    pub(super) study: &'m Study,
    /// By operator, shape, implementation, batch, each in the study's order.
    pub(super) all: Vec<Record>,
    /// What each record is in logs.
    quantities: Vec<LogQuantity>,
    /// Where the records of each shape stand.
    by_shape: BTreeMap<&'m ShapeKey, Range<usize>>,
    /// Indices of the published ratios of each shape.
    ratios_by_shape: BTreeMap<&'m ShapeKey, Vec<usize>>,
    /// What became of each published ratio.
    pub(super) ratio_status: Vec<Judgement>,
}

impl<'m> Records<'m> {
    /// Collects the records of a study.
    pub(super) fn of(study: &'m Study, gpus: &IndexMap<GpuId, Gpu>) -> Self {
        let court = Court::of(study);
        let mut measured: BTreeMap<[usize; 4], Measured<'m>> = BTreeMap::new();
        let order = Order::of(study);
        for record in &study.latencies {
            measured.entry(order.of_key(&record.key)).or_default().published = Some(record);
        }
        for set in &study.samples {
            measured.entry(order.of_key(&set.key)).or_default().sampled = Some(set);
        }

        let mut records = Self {
            study,
            all: Vec::with_capacity(measured.len()),
            quantities: Vec::with_capacity(measured.len()),
            by_shape: BTreeMap::new(),
            ratios_by_shape: BTreeMap::new(),
            ratio_status: study.ratios.iter().map(|ratio| court.judge_ratio(ratio)).collect(),
        };
        for measurement in measured.into_values() {
            let Some((key, quantity)) = measurement.quantity() else { continue };
            let at = records.all.len();
            records.by_shape.entry(&key.shape).or_insert(at..at).end = at + 1;
            let latency = measurement.estimate(&quantity);
            let Judgement { status, passed } = court.judge(key);
            records.all.push(Record {
                limits: limits(study, gpus, key, &latency),
                status,
                passed,
                latency,
                ..measurement.record(key)
            });
            records.quantities.push(quantity);
        }
        for (at, ratio) in study.ratios.iter().enumerate() {
            records.ratios_by_shape.entry(&ratio.key.shape).or_default().push(at);
        }
        records
    }

    /// Indices of the records of some implementations on a shape, whatever became of them.
    pub(super) fn on<'a>(
        &'a self,
        shape: &ShapeKey,
        members: &'a [ImplementationId],
    ) -> impl Iterator<Item = usize> + 'a {
        let range = self.by_shape.get(shape).cloned().unwrap_or_default();
        range.filter(|&at| members.contains(&self.all[at].key.implementation))
    }

    /// Indices of the published ratios of some implementations on a shape.
    pub(super) fn ratios_on<'a>(
        &'a self,
        shape: &ShapeKey,
        members: &'a [ImplementationId],
    ) -> impl Iterator<Item = usize> + 'a {
        let ratios = self.ratios_by_shape.get(shape).map_or(&[][..], Vec::as_slice);
        let study = self.study;
        ratios.iter().copied().filter(|&at| members.contains(&study.ratios[at].key.implementation))
    }

    /// The class of a record's batch.
    pub(super) fn class_of(&self, key: &RecordKey) -> Option<&'m ClassId> {
        self.study.batches.get(&key.batch).map(|batch| &batch.class)
    }

    /// What a record is in logs.
    pub(super) fn quantity(&self, record: usize) -> &LogQuantity {
        &self.quantities[record]
    }

    /// Whether a record counts on a board.
    pub(super) fn is_eligible(&self, record: usize, failed: FailedPolicy) -> bool {
        let record = &self.all[record];
        eligible(&record.status, record.passed, failed, self.study.require_retest)
    }

    /// Whether a published ratio counts on a board.
    pub(super) fn is_ratio_eligible(&self, ratio: usize, failed: FailedPolicy) -> bool {
        let Judgement { status, passed } = &self.ratio_status[ratio];
        eligible(status, *passed, failed, self.study.require_retest)
    }

    /// Whether a retest of either side of a published ratio failed.
    pub(super) fn has_ratio_failed(&self, ratio: usize) -> bool {
        matches!(self.ratio_status[ratio].status, Status::Failed { .. })
    }
}

/// DESIGN: a record counts unless it is withdrawn, or failed where the board excludes failures,
/// or has no pass where the study requires one.
fn eligible(status: &Status, passed: bool, failed: FailedPolicy, require_retest: bool) -> bool {
    match status {
        Status::Counts => true,
        Status::Failed { .. } => failed == FailedPolicy::AsIs && (passed || !require_retest),
        Status::NotRetested | Status::Withdrawn { .. } => false,
    }
}

/// What the folder holds for one key.
#[derive(Debug, Default)]
struct Measured<'m> {
    published: Option<&'m LatencyRecord>,
    sampled: Option<&'m SampleSet>,
}

impl<'m> Measured<'m> {
    /// Samples, where there are some, are the finer evidence.
    fn quantity(&self) -> Option<(&'m RecordKey, LogQuantity)> {
        match (self.sampled, self.published) {
            (Some(set), _) => Some((&set.key, LogQuantity::sampled(set))),
            (None, Some(record)) => Some((&record.key, LogQuantity::published(&record.latency))),
            (None, None) => None,
        }
    }

    /// The latency in microseconds. Its value is the number itself, not `exp(ln(number))`.
    fn estimate(&self, quantity: &LogQuantity) -> Estimate {
        let estimate = quantity.estimate();
        match (self.sampled, self.published) {
            (Some(set), _) => estimate.with_value(set.median.value),
            (None, Some(record)) => Estimate::exactly(&record.latency),
            (None, None) => estimate,
        }
    }

    fn record(&self, key: &RecordKey) -> Record {
        let figure = self.published.map(|record| &record.latency);
        let published: Arc<str> = figure
            .or(self.sampled.map(|set| &set.median))
            .map_or_else(|| "".into(), |figure| figure.text.clone());
        let span = self
            .published
            .map(|record| &record.span)
            .or(self.sampled.map(|set| &set.span))
            .cloned()
            .unwrap_or_else(|| unreachable!("a key is measured by something"));
        Record {
            key: key.clone(),
            latency: Estimate { value: 1.0, interval: None },
            published,
            samples: self.sampled.map(|set| (set.count, set.rounds.len())),
            model: self.published.and_then(|record| record.model.clone()),
            status: Status::Counts,
            passed: false,
            limits: Limits::default(),
            notes: self.published.map(|record| record.notes.clone()).unwrap_or_default(),
            span,
        }
    }
}

/// The order of a study's records: that of its operators, shapes, implementations and batches.
struct Order<'m>(&'m Study);

impl<'m> Order<'m> {
    fn of(study: &'m Study) -> Self {
        Self(study)
    }

    fn of_key(&self, key: &RecordKey) -> [usize; 4] {
        let last = usize::MAX;
        [
            self.0.operators.get_index_of(&key.shape.operator).unwrap_or(last),
            self.0.shapes.get_index_of(&key.shape).unwrap_or(last),
            self.0.implementations.get_index_of(&key.implementation).unwrap_or(last),
            self.0.batches.get_index_of(&key.batch).unwrap_or(last),
        ]
    }
}

/// The retests and withdrawals of a study, by implementation: what records are judged by.
pub(super) struct Court<'m> {
    study: &'m Study,
    retests: BTreeMap<&'m ImplementationId, Vec<usize>>,
    withdrawals: BTreeMap<&'m ImplementationId, Vec<usize>>,
}

impl<'m> Court<'m> {
    pub(super) fn of(study: &'m Study) -> Self {
        let mut court = Self { study, retests: BTreeMap::new(), withdrawals: BTreeMap::new() };
        for (at, retest) in study.retests.iter().enumerate() {
            court.retests.entry(&retest.implementation).or_default().push(at);
        }
        for (at, withdrawal) in study.withdrawals.iter().enumerate() {
            court.withdrawals.entry(&withdrawal.implementation).or_default().push(at);
        }
        court
    }

    fn judge(&self, key: &RecordKey) -> Judgement {
        let of = |table: &BTreeMap<_, Vec<usize>>| table.get(&key.implementation).cloned();
        let retests: Vec<usize> = of(&self.retests)
            .unwrap_or_default()
            .into_iter()
            .filter(|&at| self.study.retests[at].covers(key))
            .collect();
        let passed =
            retests.iter().any(|&at| self.study.retests[at].outcome == RetestOutcome::Pass);
        let withdrawal = of(&self.withdrawals)
            .unwrap_or_default()
            .into_iter()
            .find(|&at| self.study.withdrawals[at].covers(key));
        let failure = retests.into_iter().find(|&at| self.study.retests[at].outcome.is_failure());
        let status = match (withdrawal, failure) {
            (Some(withdrawal), _) => Status::Withdrawn { withdrawal },
            (None, Some(retest)) => Status::Failed { retest },
            (None, None) if self.study.require_retest && !passed => Status::NotRetested,
            (None, None) => Status::Counts,
        };
        Judgement { status, passed }
    }

    /// A ratio is judged by both of its sides: the worse one decides.
    pub(super) fn judge_ratio(&self, ratio: &crate::model::RatioRecord) -> Judgement {
        let contender = self.judge(&ratio.key);
        let reference =
            self.judge(&RecordKey { implementation: ratio.reference.clone(), ..ratio.key.clone() });
        let severity = |judgement: &Judgement| match judgement.status {
            Status::Counts => 0,
            Status::Failed { .. } => 1,
            Status::NotRetested => 2,
            Status::Withdrawn { .. } => 3,
        };
        let passed = contender.passed && reference.passed;
        let worse = if severity(&reference) > severity(&contender) { reference } else { contender };
        Judgement { passed, ..worse }
    }
}

/// Bytes in a megabyte, and per second and microsecond in a TB/s: limits are in powers of ten.
const MB: f64 = 1e6;
const TERA_PER_US: f64 = 1e6;

/// What share of the GPU's limits a latency reaches. With a cold cache, bytes up to the size of
/// the L2 are not counted: written lines may still be in it when the call ends.
fn limits(
    study: &Study,
    gpus: &IndexMap<GpuId, Gpu>,
    key: &RecordKey,
    latency: &Estimate,
) -> Limits {
    let of = |shape: &Shape, batch: &Batch| {
        let gpu = gpus.get(batch.gpu.as_ref()?)?;
        // Each GPU of a call has its own memory, cache and arithmetic.
        let count = f64::from(batch.gpu_count.unwrap_or(1));
        let memory = memory_us(shape, batch, gpu, count).map(|us| us / latency.value);
        let arithmetic = arithmetic_us(shape, gpu, count).map(|us| us / latency.value);
        Some(Limits { memory, arithmetic })
    };
    let (shape, batch) = (study.shapes.get(&key.shape), study.batches.get(&key.batch));
    shape.zip(batch).and_then(|(shape, batch)| of(shape, batch)).unwrap_or_default()
}

/// Shortest time in µs in which the shape's bytes cross the memory bus.
fn memory_us(shape: &Shape, batch: &Batch, gpu: &Gpu, count: f64) -> Option<f64> {
    if !batch.cache.as_deref().is_some_and(|cache| cache.starts_with("cold")) {
        return None;
    }
    let bytes = shape.bytes? - gpu.l2_mb? * MB * count;
    (bytes > 0.0).then_some(bytes / (gpu.memory_tb_s? * TERA_PER_US * count))
}

/// Shortest time in µs in which the shape's operations can be done in its arithmetic.
fn arithmetic_us(shape: &Shape, gpu: &Gpu, count: f64) -> Option<f64> {
    let peak_tflops = match shape.dtype.as_deref()? {
        "bf16" | "fp16" => gpu.bf16_tflops?,
        "fp8" => gpu.fp8_tflops?,
        _ => return None,
    };
    Some(shape.flops? / (peak_tflops * TERA_PER_US * count))
}
