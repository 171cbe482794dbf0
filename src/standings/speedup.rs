//! Speedups on single shapes: which records are divided, and why there is sometimes nothing to
//! divide.
//!
//! Two latencies are divided only inside one comparability class. Nothing is ever substituted for
//! a value that is missing.

use super::{
    Estimate, NoSpeedup, RatioSide, Replication, Side, Speedup, SpeedupSource, Verdict,
    interval::LogQuantity, records::Records,
};
use crate::model::{BatchId, ClassId, Contender, Figure, ImplementationId, ShapeKey, SpeedupBoard};

/// One contender on one shape: what is shown, and what means and comparisons go on from.
#[derive(Debug)]
pub(super) struct Cell {
    /// What is shown.
    pub(super) speedup: Speedup,
    /// Its speedup in logs.
    pub(super) quantity: LogQuantity,
}

/// Something with latencies on a shape, in logs.
#[derive(Debug, Clone)]
struct Fastest {
    side: Side,
    quantity: LogQuantity,
    is_sampled: bool,
}

/// One board's way of looking at the records.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bench<'m> {
    /// All records of the study.
    pub(super) records: &'m Records<'m>,
    /// The board.
    pub(super) board: &'m SpeedupBoard,
}

impl Bench<'_> {
    /// The speedup of a contender on a shape, or why there is none.
    pub(super) fn speedup(
        &self,
        contender: &Contender,
        shape: &ShapeKey,
    ) -> Result<Cell, NoSpeedup> {
        let mut found = self
            .board
            .classes
            .iter()
            .filter_map(|class| Some((class, self.speedup_in(class, contender, shape)?)));
        let Some((class, (source, quantity, estimate))) = found.next() else {
            return Err(self.why_none(contender, shape));
        };
        let verdict = self.verdict(&estimate);
        let replications = found
            .map(|(class, (source, _, again))| Replication {
                class: class.clone(),
                ratio: again.value / estimate.value,
                verdict: self.verdict(&again),
                shared: self.verdict(&again) == verdict,
                estimate: again,
                source,
            })
            .collect();
        let speedup = Speedup { class: class.clone(), estimate, source, verdict, replications };
        Ok(Cell { speedup, quantity })
    }

    /// The latency of a contender on a shape, the baseline's too: in the first class of the board
    /// in which it has any.
    pub(super) fn latency(&self, contender: &Contender, shape: &ShapeKey) -> Option<Estimate> {
        let members = contender.members_on(&shape.operator);
        let fastest =
            self.board.classes.iter().find_map(|class| self.fastest(class, shape, members))?;
        Some(fastest.side.latency)
    }

    /// The latency of `other` over that of `contender` from their own records, in `class` if it is
    /// given and both are there, else in the first class of the board that holds both.
    pub(super) fn direct_ratio(
        &self,
        class: Option<&ClassId>,
        contender: &Contender,
        other: (&Bench<'_>, &Contender),
        shape: &ShapeKey,
    ) -> Option<LogQuantity> {
        let (bench, other) = other;
        class
            .into_iter()
            .chain(&self.board.classes)
            .find_map(|class| self.ratio_in(class, contender, (bench, other), shape))
    }

    /// The latency of `other` over that of `contender` from their own records in one class.
    pub(super) fn ratio_in(
        &self,
        class: &ClassId,
        contender: &Contender,
        other: (&Bench<'_>, &Contender),
        shape: &ShapeKey,
    ) -> Option<LogQuantity> {
        let (bench, other) = other;
        let own = self.fastest(class, shape, contender.members_on(&shape.operator))?;
        let theirs = bench.fastest(class, shape, other.members_on(&shape.operator))?;
        Some(ratio(&theirs, &own))
    }

    /// How a ratio compares with 1.
    pub(super) fn verdict(&self, ratio: &Estimate) -> Verdict {
        Verdict::of(ratio, self.records.study.tie_band)
    }

    /// The speedup in one class: from latencies, else from a published ratio.
    fn speedup_in(
        &self,
        class: &ClassId,
        contender: &Contender,
        shape: &ShapeKey,
    ) -> Option<(SpeedupSource, LogQuantity, Estimate)> {
        let members = contender.members_on(&shape.operator);
        let references = self.board.baseline.members_on(&shape.operator);
        let own = self.fastest(class, shape, members);
        let baseline = self.fastest(class, shape, references);
        if let Some((baseline, own)) = baseline.zip(own) {
            let quantity = ratio(&baseline, &own);
            let estimate =
                if baseline.is_sampled || own.is_sampled || quantity == LogQuantity::one() {
                    let value = baseline.side.latency.value / own.side.latency.value;
                    quantity.estimate().with_value(value)
                } else {
                    baseline.side.latency.divided_by(&own.side.latency)
                };
            let source = SpeedupSource::Latencies { baseline: baseline.side, contender: own.side };
            return Some((source, quantity, estimate));
        }
        self.published_ratio(class, shape, members, references)
    }

    /// The highest eligible published ratio of a class: the fastest member's.
    fn published_ratio(
        &self,
        class: &ClassId,
        shape: &ShapeKey,
        members: &[ImplementationId],
        references: &[ImplementationId],
    ) -> Option<(SpeedupSource, LogQuantity, Estimate)> {
        let Records { study, .. } = self.records;
        let speedup_of = |at: usize| -> &Figure { &study.ratios[at].speedup };
        let ratio = self
            .records
            .ratios_on(shape, members)
            .filter(|&at| {
                let ratio = &study.ratios[at];
                self.records.class_of(&ratio.key) == Some(class)
                    && references.contains(&ratio.reference)
                    && self.records.is_ratio_eligible(at, self.board.failed)
            })
            .reduce(
                |best, at| if speedup_of(at).value > speedup_of(best).value { at } else { best },
            )?;
        let side = RatioSide { ratio, failed: self.records.has_ratio_failed(ratio) };
        let figure = speedup_of(ratio);
        let estimate = Estimate::exactly(figure);
        Some((SpeedupSource::Ratio(side), LogQuantity::published(figure), estimate))
    }

    /// The fastest eligible record of some implementations in a class.
    ///
    /// Its interval also holds every rival: a member whose value is slower, but whose interval
    /// reaches below the fastest one's upper bound. One that is slower throughout changes nothing.
    fn fastest(
        &self,
        class: &ClassId,
        shape: &ShapeKey,
        members: &[ImplementationId],
    ) -> Option<Fastest> {
        let records = self.records;
        let candidates: Vec<usize> = records
            .on(shape, members)
            .filter(|&at| {
                records.class_of(&records.all[at].key) == Some(class)
                    && records.is_eligible(at, self.board.failed)
            })
            .collect();
        let latency = |at: usize| &records.all[at].latency;
        let low =
            |at: usize| latency(at).interval.map_or(latency(at).value, |interval| interval.low);
        let high =
            |at: usize| latency(at).interval.map_or(latency(at).value, |interval| interval.high);
        let record = candidates
            .iter()
            .copied()
            .reduce(|best, at| if latency(at).value < latency(best).value { at } else { best })?;
        let ceiling = candidates.iter().copied().map(high).fold(high(record), f64::min);
        let rivals: Vec<usize> =
            candidates.into_iter().filter(|&at| at != record && low(at) <= ceiling).collect();

        let own = records.quantity(record);
        let quantity =
            own.fastest_of(&rivals.iter().map(|&at| records.quantity(at)).collect::<Vec<_>>());
        let is_sampled =
            std::iter::once(&record).chain(&rivals).any(|&at| records.all[at].samples.is_some());
        let estimate = if is_sampled {
            quantity.estimate().with_value(latency(record).value)
        } else {
            // Hard bounds go end by end, without a detour through logs.
            let mut estimate = *latency(record);
            if let Some(interval) = &mut estimate.interval {
                interval.low = rivals.iter().copied().map(low).fold(interval.low, f64::min);
                interval.high = ceiling;
            }
            estimate
        };
        let failed = matches!(records.all[record].status, super::Status::Failed { .. });
        let side = Side { record, latency: estimate, rivals, failed };
        Some(Fastest { side, quantity, is_sampled })
    }

    /// Why a contender has no speedup on a shape.
    fn why_none(&self, contender: &Contender, shape: &ShapeKey) -> NoSpeedup {
        let records = self.records;
        let members = contender.members_on(&shape.operator);
        let references = self.board.baseline.members_on(&shape.operator);
        let own: Vec<usize> = records.on(shape, members).collect();
        let theirs: Vec<usize> = records.on(shape, references).collect();
        let ratios: Vec<usize> = records.ratios_on(shape, members).collect();
        let eligible = |at: &&usize| records.is_eligible(**at, self.board.failed);
        let batches = |of: &[usize]| -> Vec<BatchId> {
            let mut batches: Vec<BatchId> = Vec::new();
            for record in of.iter().filter(eligible).map(|&at| &records.all[at]) {
                if !batches.contains(&record.key.batch) {
                    batches.push(record.key.batch.clone());
                }
            }
            batches
        };
        if own.is_empty() {
            return if ratios.is_empty() {
                NoSpeedup::NotMeasured
            } else if ratios.iter().any(|&at| records.is_ratio_eligible(at, self.board.failed)) {
                NoSpeedup::NoBaseline
            } else {
                NoSpeedup::RatioExcluded(ratios)
            };
        }
        if own.iter().filter(eligible).count() == 0 {
            return NoSpeedup::Excluded(own);
        }
        if theirs.is_empty() {
            return NoSpeedup::NoBaseline;
        }
        if theirs.iter().filter(eligible).count() == 0 {
            return NoSpeedup::BaselineExcluded(theirs);
        }
        NoSpeedup::NotComparable { contender: batches(&own), baseline: batches(&theirs) }
    }
}

/// `above / below` in logs. The same record on both sides is exactly 1, however it was measured.
fn ratio(above: &Fastest, below: &Fastest) -> LogQuantity {
    if above.side.record == below.side.record {
        LogQuantity::one()
    } else {
        above.quantity.over(&below.quantity)
    }
}
