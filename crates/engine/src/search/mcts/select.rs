//! Selecting the move of a node to visit next.

use super::proof::Proven;
use super::tree::TreeEdge;
use crate::search::constants::SearchConstants;

/// The UCB1 value of an unvisited move, before its prior: more than any visited move has.
const UNVISITED: f32 = 1e6;

/// The rule for selecting moves, from the search constants.
#[derive(Clone, Copy, Debug)]
pub(super) struct SelectionRule {
    exploration: f32,
    first_play: f32,
    /// The share of the minimax value in the value of a move.
    minimax: f32,
    virtual_loss: f32,
    /// Whether UCB1 selects the moves, with priors only for unvisited ones.
    is_uct: bool,
}

impl SelectionRule {
    pub(super) fn new(constants: &SearchConstants, is_uct: bool) -> Self {
        let hundredths = |value: i32| value as f32 / 100.0;
        let exploration =
            if is_uct { constants.uct_exploration } else { constants.tree_exploration };
        Self {
            exploration: hundredths(exploration),
            first_play: hundredths(constants.tree_first_play),
            minimax: if is_uct { 0.0 } else { hundredths(constants.tree_minimax) },
            virtual_loss: constants.tree_virtual_loss as f32,
            is_uct,
        }
    }

    /// The value of a move: proven, or a mixture of mean and minimax value.
    pub(super) fn worth(&self, edge: &TreeEdge) -> f32 {
        let mixed = (1.0 - self.minimax) * edge.value + self.minimax * edge.best;
        edge.proof.value().unwrap_or(mixed)
    }

    /// The index of the allowed move to visit; `None` if there is none. Lost moves are visited only
    /// if all are lost.
    pub(super) fn choose(
        &self,
        edges: &[TreeEdge],
        allowed: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let visits: f32 = edges.iter().map(|edge| self.visits(edge)).sum();
        let of_visits = if self.is_uct { (visits + 1.0).ln() } else { (visits + 1.0).sqrt() };
        let mut best: Option<(usize, f32)> = None;
        for (place, edge) in edges.iter().enumerate().filter(|&(place, _)| allowed(place)) {
            let priority = self.priority(edge, of_visits);
            if best.is_none_or(|(_, most)| priority > most) {
                best = Some((place, priority));
            }
        }
        best.map(|(place, _)| place)
    }

    /// The number of visits, plus the virtual losses of pending visits.
    fn visits(&self, edge: &TreeEdge) -> f32 {
        edge.visits as f32 + f32::from(edge.pending) * self.virtual_loss
    }

    fn priority(&self, edge: &TreeEdge, of_visits: f32) -> f32 {
        if let Proven::Loss(plies) = edge.proof {
            return f32::from(plies) - UNVISITED;
        }
        let visits = self.visits(edge);
        if self.is_uct && visits == 0.0 {
            return UNVISITED + edge.prior;
        }
        let worth = self.worth(edge) - if edge.visits == 0 { self.first_play } else { 0.0 };
        let lost = visits - edge.visits as f32;
        let made = (edge.visits as f32).max(1.0);
        let worth = (worth * made - lost) / (made + lost);
        worth
            + self.exploration
                * if self.is_uct {
                    (of_visits / visits).sqrt()
                } else {
                    edge.prior * of_visits / (1.0 + visits)
                }
    }
}
