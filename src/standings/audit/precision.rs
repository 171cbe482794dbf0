//! Precision: standings that the inputs leave open, between contenders and against the baseline.

use indexmap::IndexMap;

use super::OpenStanding;
use crate::{
    model::{BoardId, BoardKind, ContenderId, OperatorId, Study},
    standings::{BoardStandings, Comparison, ContenderStanding, Verdict},
};

/// Every undecided comparison.
pub(super) fn find(study: &Study, boards: &IndexMap<BoardId, BoardStandings>) -> Vec<OpenStanding> {
    let mut open = Vec::new();
    for (id, standings) in boards {
        let (Some(BoardKind::Speedup(board)), BoardStandings::Speedup(standings)) =
            (study.boards.get(id).map(|board| &board.kind), standings)
        else {
            continue;
        };
        let mut add = |operator: Option<&OperatorId>,
                       results: &[ContenderStanding],
                       comparisons: &[Comparison]| {
            let against_baseline = results.iter().map(|result| against(result, &board.baseline.id));
            let all = against_baseline.chain(comparisons.iter().cloned());
            open.extend(all.filter(|c| c.verdict == Some(Verdict::Undecided)).map(|comparison| {
                OpenStanding { board: id.clone(), operator: operator.cloned(), comparison }
            }));
        };
        for operator in &standings.operators {
            add(Some(&operator.operator), &operator.results, &operator.comparisons);
        }
        add(None, &standings.overall, &standings.comparisons);
    }
    open
}

/// A standing as a comparison with the baseline.
fn against(result: &ContenderStanding, baseline: &ContenderId) -> Comparison {
    Comparison {
        contender: result.contender.clone(),
        against: baseline.clone(),
        ratio: result.geomean,
        common: result.counted,
        through_baseline: 0,
        verdict: result.verdict,
        replications: Vec::new(),
    }
}
