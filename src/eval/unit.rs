//! The worth of a piece under a weight set, measured: the unit of the search's margins.

use super::features::sample_positions;
use super::{Evaluator, Score};
use crate::game::{Board, Position};
use std::sync::OnceLock;

/// The seed of every sample.
const SEED: u64 = 1;
/// The positions of a sample.
const SIZE: usize = 64;
/// Boards have fewer columns and rows.
const SIDES: usize = 12;

/// The pairs of a board, once they are made.
type Pairs<P> = OnceLock<Vec<(P, P)>>;

/// For each board pairs of positions, the second one lacking a piece of the side to move; made
/// once, when asked for.
pub(crate) struct UnitSamples<P>([[Pairs<P>; SIDES]; SIDES]);

impl<P: Position> UnitSamples<P> {
    /// Nothing is made yet.
    pub(crate) const fn new() -> Self {
        Self([const { [const { OnceLock::new() }; SIDES] }; SIDES])
    }

    /// The pairs of a board, made with what takes a piece away; none for a board that the game is
    /// not played on.
    fn of(&self, board: Board, lacking_one: fn(&P) -> Option<P>) -> &[(P, P)] {
        let Ok(start) = P::start(board) else { return &[] };
        let by_rows = self.0.get(usize::from(board.cols()));
        let Some(sample) = by_rows.and_then(|by_rows| by_rows.get(usize::from(board.rows())))
        else {
            return &[];
        };
        sample.get_or_init(|| {
            let pair = |position: P| lacking_one(&position).map(|without| (position, without));
            sample_positions(&start, SIZE, SEED).into_iter().filter_map(pair).collect()
        })
    }

    /// The median change of the value when a piece of the side to move disappears, at least 1.
    pub(crate) fn median_change(
        &self,
        evaluator: &impl Evaluator<P>,
        board: Board,
        lacking_one: fn(&P) -> Option<P>,
    ) -> Score {
        let change = |(with, without): &(P, P)| {
            evaluator.evaluate(with).saturating_sub(evaluator.evaluate(without)).saturating_abs()
        };
        let mut changes: Vec<Score> = self.of(board, lacking_one).iter().map(change).collect();
        changes.sort_unstable();
        changes.get(changes.len() / 2).copied().unwrap_or(1).max(1)
    }
}

/// One of some pieces, picked by a position's key: any choice will do that is the same in every
/// release.
pub(crate) fn pick_piece(mut pieces: u64, key: u64) -> u64 {
    for _ in 0..key % u64::from(pieces.count_ones().max(1)) {
        pieces &= pieces - 1;
    }
    pieces & pieces.wrapping_neg()
}
