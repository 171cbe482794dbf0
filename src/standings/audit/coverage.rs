//! Coverage: what a study does not have.

use std::collections::{BTreeMap, BTreeSet};

use super::Coverage;
use crate::{
    model::{Batch, BoardKind, ImplementationId, RetestOutcome, SpeedupBoard, Study},
    standings::records::Records,
};

/// What is missing.
pub(super) fn find(study: &Study, records: &Records<'_>) -> Coverage {
    let mut coverage = Coverage::default();
    let referred_to: BTreeSet<_> =
        study.ratios.iter().map(|ratio| (&ratio.key.shape, &ratio.reference)).collect();
    for (id, board) in speedup_boards(study) {
        for shape in &board.shapes {
            let members = board.baseline.members_on(&shape.operator);
            let measured = records.on(shape, members).next().is_some();
            let published = members.iter().any(|member| referred_to.contains(&(shape, member)));
            if !measured && !published {
                coverage.without_baseline.push((id.clone(), shape.clone()));
            }
        }
    }
    coverage.without_retest = without_retest(study);
    for batch in study.batches.values() {
        let missing = missing_environment(batch);
        if !missing.is_empty() {
            coverage.without_environment.push((batch.id.clone(), missing));
        }
    }
    coverage.without_board = without_board(study, records);
    coverage
}

/// The boards of contenders of a study.
fn speedup_boards(study: &Study) -> impl Iterator<Item = (&crate::model::BoardId, &SpeedupBoard)> {
    study.boards.values().filter_map(|board| match &board.kind {
        BoardKind::Speedup(speedup) => Some((&board.id, speedup)),
        BoardKind::MacroEval { .. } | BoardKind::Table(_) => None,
    })
}

/// Implementations with a latency or ratio that no judged retest covers anywhere, in the order
/// of their file.
pub(super) fn without_retest(study: &Study) -> Vec<ImplementationId> {
    let judged: BTreeSet<&ImplementationId> = study
        .retests
        .iter()
        .filter(|retest| retest.outcome != RetestOutcome::NotJudged)
        .map(|retest| &retest.implementation)
        .collect();
    let measured: BTreeSet<&ImplementationId> = study
        .latencies
        .iter()
        .map(|record| &record.key.implementation)
        .chain(study.samples.iter().map(|set| &set.key.implementation))
        .chain(study.ratios.iter().map(|ratio| &ratio.key.implementation))
        .collect();
    let missing = |id: &&ImplementationId| measured.contains(id) && !judged.contains(id);
    study.implementations.keys().filter(missing).cloned().collect()
}

/// What a batch does not say of its environment.
fn missing_environment(batch: &Batch) -> Vec<&'static str> {
    [
        ("GPU", batch.gpu.is_some()),
        ("driver", batch.driver.is_some()),
        ("CUDA", batch.cuda.is_some()),
        ("timer", batch.timer.is_some()),
        ("cache state", batch.cache.is_some()),
        ("statistic", batch.statistic.is_some()),
        ("date", batch.measured_on.is_some()),
    ]
    .into_iter()
    .filter(|(_, given)| !given)
    .map(|(name, _)| name)
    .collect()
}

/// Classes with records that no board stands on.
fn without_board(study: &Study, records: &Records<'_>) -> Vec<(crate::model::ClassId, usize)> {
    let used: BTreeSet<_> = speedup_boards(study).flat_map(|(_, board)| &board.classes).collect();
    let mut unused = BTreeMap::new();
    for class in records.all.iter().filter_map(|record| records.class_of(&record.key)) {
        if !used.contains(class) {
            *unused.entry(class.clone()).or_insert(0) += 1;
        }
    }
    unused.into_iter().collect()
}
