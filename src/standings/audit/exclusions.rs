//! Exclusions: contenders without a speedup on a shape, and the rule that left them out.

use indexmap::IndexMap;

use super::Exclusion;
use crate::{model::BoardId, standings::BoardStandings};

/// All exclusions, by board and shape.
pub(super) fn find(boards: &IndexMap<BoardId, BoardStandings>) -> Vec<Exclusion> {
    let mut exclusions = Vec::new();
    for (board, standings) in boards {
        let BoardStandings::Speedup(standings) = standings else { continue };
        for shape in standings.operators.iter().flat_map(|operator| &operator.shapes) {
            for result in &shape.results {
                if let Err(reason) = &result.outcome {
                    exclusions.push(Exclusion {
                        board: board.clone(),
                        shape: shape.key.clone(),
                        contender: result.contender.clone(),
                        reason: reason.clone(),
                    });
                }
            }
        }
    }
    exclusions
}
