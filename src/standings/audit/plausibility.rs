//! Plausibility: values that are hard to believe. Each is a warning with the numbers it rests on,
//! and none changes a result.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::coverage::without_retest;
use crate::{
    diagnostic::{Code, Diagnostic, number::significant},
    model::{ClassId, Figure, Gpu, GpuId, ImplementationId, OperatorId, Study},
    standings::{Estimate, Record, records::Records},
};

/// How far off the others a latency must be to be doubted.
const FAR: f64 = 10.0;
/// How much farther off than on its other shapes: half an order of magnitude.
const FARTHER: f64 = 3.16;
/// What a file's factor to its neighbours is when its unit is a thousand times too large or small.
const SLIP: std::ops::RangeInclusive<f64> = 500.0..=2000.0;
/// How many shapes must show it.
const SLIP_SHAPES: usize = 3;

/// All doubts about a study, in order of file and line.
pub(super) fn find(
    study: &Study,
    gpus: &IndexMap<GpuId, Gpu>,
    records: &Records<'_>,
) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
    warnings.extend(records.all.iter().flat_map(|record| beyond_limits(study, gpus, record)));
    let offsets = Offsets::of(records);
    let slips = offsets.unit_slips();
    warnings.extend(slips.iter().map(Slip::warning));
    warnings.extend(offsets.far_from_median(&slips));
    warnings.extend(contradictions(study, records));
    warnings.extend(records.all.iter().filter_map(one_digit));
    warnings.extend(no_retest(study));
    crate::diagnostic::sort(&mut warnings);
    warnings
}

/// A latency shorter than the GPU's memory or arithmetic allows, whatever its digits leave open.
fn beyond_limits(study: &Study, gpus: &IndexMap<GpuId, Gpu>, record: &Record) -> Vec<Diagnostic> {
    let gpu = study.batches.get(&record.key.batch).and_then(|batch| gpus.get(batch.gpu.as_ref()?));
    let name = gpu.map_or("the GPU", |gpu| gpu.name.as_str());
    let upper = record.latency.interval.map_or(record.latency.value, |interval| interval.high);
    let beyond = |share: Option<f64>| share.filter(|share| share * record.latency.value > upper);
    let warning = |code, share: f64, what: &str, column: &str| {
        Diagnostic::new(
            code,
            &record.span,
            format!(
                "{} µs is {} times faster than {name}'s {what} allows: at least {} µs",
                record.published,
                significant(share),
                significant(share * record.latency.value),
            ),
            format!(
                "check the latency's unit, the shape's `{column}` and that the kernel does all of the work"
            ),
        )
    };
    let memory = beyond(record.limits.memory)
        .map(|share| warning(Code::BelowMemoryLimit, share, "memory bandwidth", "bytes"));
    let arithmetic = beyond(record.limits.arithmetic)
        .map(|share| warning(Code::BelowArithmeticLimit, share, "arithmetic", "flops"));
    memory.into_iter().chain(arithmetic).collect()
}

/// How far each record is from the others of its class on its shape.
struct Offsets<'a> {
    records: &'a [Record],
    /// For each record: the median, over the other implementations, of the logarithm of its
    /// latency over theirs.
    to_others: Vec<Option<f64>>,
    /// The same, over the implementations that stand in other files.
    to_other_files: Vec<Option<f64>>,
    /// Which records the same implementation has on other shapes of its operator, by class.
    siblings: BTreeMap<(&'a OperatorId, &'a ImplementationId, &'a ClassId), Vec<usize>>,
    classes: Vec<Option<&'a ClassId>>,
}

impl<'a> Offsets<'a> {
    fn of(records: &'a Records<'_>) -> Self {
        let all = &records.all[..];
        let classes: Vec<Option<&ClassId>> =
            all.iter().map(|record| records.class_of(&record.key)).collect();
        let mut neighbours: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        let mut siblings: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (at, (record, class)) in all.iter().zip(&classes).enumerate() {
            let Some(class) = *class else { continue };
            neighbours.entry((&record.key.shape, class)).or_default().push(at);
            let key = (&record.key.shape.operator, &record.key.implementation, class);
            siblings.entry(key).or_default().push(at);
        }
        let mut offsets = Self {
            records: all,
            to_others: vec![None; all.len()],
            to_other_files: vec![None; all.len()],
            siblings,
            classes,
        };
        for group in neighbours.values() {
            for &at in group {
                let log =
                    |other: usize| libm::log(all[at].latency.value / all[other].latency.value);
                let others = || {
                    let own = &all[at].key.implementation;
                    group.iter().copied().filter(move |&o| all[o].key.implementation != *own)
                };
                let elsewhere = others().filter(|&other| all[other].span.file != all[at].span.file);
                offsets.to_other_files[at] = median(elsewhere.map(log).collect());
                offsets.to_others[at] = median(others().map(log).collect());
            }
        }
        offsets
    }

    /// Files whose latencies are about a thousand times off, implementation by implementation.
    fn unit_slips(&self) -> Vec<Slip<'a>> {
        let mut by_file: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (at, record) in self.records.iter().enumerate() {
            by_file.entry((&record.span.file, &record.key.implementation)).or_default().push(at);
        }
        let slip = |records: Vec<usize>| {
            let offsets: Vec<f64> =
                records.iter().filter_map(|&at| self.to_other_files[at]).collect();
            let shapes = offsets.len();
            let factor = libm::exp(median(offsets)?);
            let is_slip = SLIP.contains(&factor) || SLIP.contains(&(1.0 / factor));
            let record =
                &self.records[*records.iter().min_by_key(|&&at| self.records[at].span.line)?];
            (shapes >= SLIP_SHAPES && is_slip).then_some(Slip { record, records, shapes, factor })
        };
        by_file.into_values().filter_map(slip).collect()
    }

    /// Records more than ten times off, unless their siblings on other shapes show about the same,
    /// or a slip of their file's unit explains it.
    fn far_from_median(&self, slips: &[Slip<'_>]) -> Vec<Diagnostic> {
        let limit = libm::log(FAR);
        let explained = |at: usize| slips.iter().any(|slip| slip.records.contains(&at));
        let mut warnings = Vec::new();
        for (at, record) in self.records.iter().enumerate() {
            let (Some(offset), Some(class)) = (self.to_others[at], self.classes[at]) else {
                continue;
            };
            if offset.abs() <= limit || explained(at) {
                continue;
            }
            let key = (&record.key.shape.operator, &record.key.implementation, class);
            let siblings = self.siblings.get(&key).map_or(&[][..], Vec::as_slice);
            let elsewhere = siblings.iter().filter(|&&other| other != at);
            let usual = median(elsewhere.filter_map(|&other| self.to_others[other]).collect());
            if usual.is_some_and(|usual| (offset - usual).abs() <= libm::log(FARTHER)) {
                continue;
            }
            let direction = if offset > 0.0 { "slower" } else { "faster" };
            let usually = usual.map_or_else(String::new, |usual| {
                format!(
                    "; on its other shapes it is {} times as slow as they are",
                    significant(libm::exp(usual))
                )
            });
            warnings.push(Diagnostic::new(
                Code::FarFromMedian,
                &record.span,
                format!(
                    "{} µs is {} times {direction} than the other implementations on `{}`{usually}",
                    record.published,
                    significant(libm::exp(offset.abs())),
                    record.key.shape,
                ),
                "check the value and its unit; if it is right, say why in a note on the record",
            ));
        }
        warnings
    }
}

/// A file in which one implementation's latencies are about a thousand times off.
struct Slip<'a> {
    /// The first of its records in the file.
    record: &'a Record,
    records: Vec<usize>,
    shapes: usize,
    factor: f64,
}

impl Slip<'_> {
    fn warning(&self) -> Diagnostic {
        let (times, looks_like) =
            if self.factor > 1.0 { (self.factor, "ns") } else { (1.0 / self.factor, "ms") };
        let than = if self.factor > 1.0 { "slower" } else { "faster" };
        Diagnostic::new(
            Code::UnitSlip,
            &self.record.span,
            format!(
                "`{}` is about {} times {than} here than the others on {} shapes: looks like {looks_like} in a column of µs",
                self.record.key.implementation,
                significant(times),
                self.shapes,
            ),
            format!("if these are {looks_like}, convert them to µs"),
        )
    }
}

/// Published ratios against the latencies of their own pair, in the same batch.
fn contradictions(study: &Study, records: &Records<'_>) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
    for ratio in &study.ratios {
        let in_batch = |implementation: &ImplementationId| {
            let members = std::slice::from_ref(implementation);
            records
                .on(&ratio.key.shape, members)
                .find(|&at| records.all[at].key.batch == ratio.key.batch)
        };
        let pair = in_batch(&ratio.reference).zip(in_batch(&ratio.key.implementation));
        let Some((reference, own)) = pair else { continue };
        let measured = records.quantity(reference).over(records.quantity(own)).estimate();
        if !disjoint(&measured, &ratio.speedup) {
            continue;
        }
        let inverse = records.quantity(own).over(records.quantity(reference)).estimate();
        let swapped = !disjoint(&inverse, &ratio.speedup);
        let (code, conclusion) = if swapped {
            (Code::SidesSwapped, "; the inverse would fit: baseline and contender look swapped")
        } else {
            (Code::RatioContradicts, "")
        };
        let message = format!(
            "the speedup {} contradicts the latencies of its own pair, {} / {} = {}{conclusion}",
            ratio.speedup.text,
            records.all[reference].published,
            records.all[own].published,
            significant(measured.value),
        );
        warnings.push(
            Diagnostic::new(
                code,
                &ratio.span,
                message,
                "check which of the three figures is wrong",
            )
            .with_related(records.all[reference].span.clone(), "the reference's latency")
            .with_related(records.all[own].span.clone(), "the implementation's latency"),
        );
    }
    warnings
}

/// Whether a computed value and a published figure cannot be the same.
fn disjoint(estimate: &Estimate, figure: &Figure) -> bool {
    estimate
        .interval
        .is_some_and(|interval| interval.high < figure.low || figure.high < interval.low)
}

/// A latency published to one significant digit.
fn one_digit(record: &Record) -> Option<Diagnostic> {
    if record.samples.is_some() || record.published.contains('–') {
        return None;
    }
    let mantissa = record.published.split(['e', 'E']).next().unwrap_or_default();
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    (digits.trim_start_matches('0').len() == 1).then(|| {
        let interval = record.latency.interval.map_or((0.0, 0.0), |i| (i.low, i.high));
        Diagnostic::new(
            Code::OneDigit,
            &record.span,
            format!(
                "{} µs is published to one digit: it stands for anything from {} to {} µs",
                record.published,
                significant(interval.0),
                significant(interval.1),
            ),
            "publish more digits; until then, standings that hang on it may stay undecided",
        )
    })
}

/// Implementations with records that no retest covers.
fn no_retest(study: &Study) -> Vec<Diagnostic> {
    let warning = |id: &ImplementationId| {
        let implementation = study.implementations.get(id)?;
        Some(Diagnostic::new(
            Code::NoRetest,
            &implementation.span,
            format!("`{id}` has results, but no retest says whether it is correct"),
            "add a row to `retests/`; `not retested` is not held against it until then",
        ))
    };
    without_retest(study).iter().filter_map(warning).collect()
}

/// The median; `None` of nothing.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len().checked_sub(1)? / 2;
    Some(if values.len() % 2 == 1 {
        values[middle]
    } else {
        f64::midpoint(values[middle], values[middle + 1])
    })
}
