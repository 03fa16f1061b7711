//! Zobrist keys (Zobrist 1970) from the 64-bit Mersenne Twister (Nishimura, Matsumoto 2000).

use super::squares::SQUARES;
use super::{LAST_TURN, Move, Piece};
use rand_mt::Mt64;
use std::sync::LazyLock;

/// The seed of the reference implementation of MT19937-64.
const SEED: u64 = 5489;

/// A number for each piece on each square, for the turn, for the side to move, and for the first
/// ship of a turn.
pub(super) struct Zobrist {
    pieces: [[u64; SQUARES]; 3],
    left: [u64; SQUARES],
    entered: [u64; SQUARES],
    turns: [u64; LAST_TURN as usize + 2],
    silver_to_move: u64,
    half_turn: u64,
}

/// The numbers that all keys are made of.
pub(super) static ZOBRIST: LazyLock<Zobrist> = LazyLock::new(|| {
    let mut generator = Mt64::new(SEED);
    let mut numbers = || std::array::from_fn(|_| generator.next_u64());
    let pieces = [numbers(), numbers(), numbers()];
    let (left, entered) = (numbers(), numbers());
    let turns = std::array::from_fn(|_| generator.next_u64());
    Zobrist {
        pieces,
        left,
        entered,
        turns,
        silver_to_move: generator.next_u64(),
        half_turn: generator.next_u64(),
    }
});

impl Zobrist {
    /// The number of a piece on a square of the board.
    #[inline]
    pub(super) fn piece(&self, piece: Piece, square: u8) -> u64 {
        self.pieces[piece as usize][usize::from(square)]
    }

    /// The number of the first ship's move in an unfinished turn; none is 0.
    #[inline]
    pub(super) fn first(&self, first: Option<Move>) -> u64 {
        first.map_or(0, |mv| self.left[usize::from(mv.from())] ^ self.entered[usize::from(mv.to())])
    }

    /// The number of a turn.
    #[inline]
    pub(super) fn turn(&self, turn: u8) -> u64 {
        self.turns[usize::from(turn.min(LAST_TURN + 1))]
    }

    /// The number that is in a key when Silver is to move.
    #[inline]
    pub(super) fn silver(&self) -> u64 {
        self.silver_to_move
    }

    /// The number of a turn of which one ship's move is left, for repetitions.
    pub(super) fn half_turn(&self) -> u64 {
        self.half_turn
    }
}
