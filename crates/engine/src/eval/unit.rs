//! The worth of a piece under a weight set, measured: the unit of the search's margins.

use super::features::sample_positions;
use super::{Evaluator, Game, Score};
use crate::game::Board;
use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The seed of every sample.
const SEED: u64 = 1;
/// The positions of a sample.
const SIZE: usize = 64;

/// For each game and board its pairs of positions, made on first use.
static PAIRS: Mutex<BTreeMap<(TypeId, Board), Arc<dyn Any + Send + Sync>>> =
    Mutex::new(BTreeMap::new());

/// Pairs of positions, the second one lacking a piece of the side to move; none for a board that
/// the game is not played on.
fn pairs<G: Game>(board: Board) -> Arc<Vec<(G, G)>> {
    let make = || {
        let sample = G::start(board).map(|start| sample_positions(&start, SIZE, SEED));
        let pair = |position: G| position.without_a_piece().map(|without| (position, without));
        sample.unwrap_or_default().into_iter().filter_map(pair).collect::<Vec<_>>()
    };
    let mut known = PAIRS.lock().unwrap_or_else(PoisonError::into_inner);
    let pairs = known.entry((TypeId::of::<G>(), board)).or_insert_with(|| Arc::new(make()));
    pairs.clone().downcast().unwrap_or_default()
}

/// The median change of the value when a piece of the side to move disappears, at least 1.
pub(super) fn median_change<G: Game>(evaluator: &impl Evaluator<G>, board: Board) -> Score {
    let change = |(with, without): &(G, G)| {
        evaluator.evaluate(with).saturating_sub(evaluator.evaluate(without)).saturating_abs()
    };
    let mut changes: Vec<Score> = pairs(board).iter().map(change).collect();
    changes.sort_unstable();
    changes.get(changes.len() / 2).copied().unwrap_or(1).max(1)
}
