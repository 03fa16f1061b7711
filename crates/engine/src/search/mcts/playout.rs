//! Random playouts, guided by the rules' foresight.

use super::proof::Proven;
use super::value::Squash;
use crate::eval::{Evaluator, Game};
use crate::game::MoveList;

/// The seed of all playouts, so that a search is a function of its input.
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// A small random generator (splitmix64), called once for each ply of a playout.
#[derive(Clone, Debug)]
pub(super) struct PlayoutRandom(u64);

impl PlayoutRandom {
    /// The generator of a thread in a search from the position with this key.
    pub(super) fn new(key: u64, thread: usize) -> Self {
        Self(key ^ SEED.wrapping_mul(thread as u64 + 1))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(SEED);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `count`, which must not be 0.
    fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.next()) * count as u128) >> 64) as usize
    }
}

/// Plays randomly until the game ends or the rules prove the result, and returns the value for the
/// side to move. A side that must answer a threat does so. After `plies` plies the evaluation
/// decides.
pub(super) fn playout<G: Game>(
    position: &G,
    plies: u32,
    evaluator: &G::Evaluator,
    squash: Squash,
    random: &mut PlayoutRandom,
) -> f32 {
    let side = position.side_to_move();
    let mut position = position.clone();
    let mut moves = MoveList::new();
    let mut left = plies;
    let value = loop {
        let own = position.side_to_move();
        let proof = match position.outcome() {
            Some(outcome) => Proven::of_outcome(outcome, own),
            None => Proven::of_foresight(position.foresight()),
        };
        if let Some(value) = proof.value() {
            break value;
        }
        if left == 0 {
            break squash.value(evaluator.evaluate(&position));
        }
        left -= 1;
        moves.clear();
        position.relevant_moves(&mut moves);
        if moves.is_empty() {
            position.moves(&mut moves);
        }
        if moves.is_empty() {
            break 0.0;
        }
        position = position.play_unchecked(moves[random.below(moves.len())]);
    };
    if position.side_to_move() == side { value } else { -value }
}
