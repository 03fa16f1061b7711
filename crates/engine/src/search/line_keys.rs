//! Repetitions in a search: see [`Position::REPEATS`].
//!
//! A position that the line being searched has met before, the root included, counts as a draw at
//! once: a side that can do better the second time could do so the first time. Of the game before
//! the root only what the rules count is a draw, a position that has been met twice. The score of
//! such a draw depends on the line that led to it, and is yet kept in the transposition table for
//! all lines, as most programs do. And where the moves of a turn are searched in one order only, a
//! repetition between them hides the other order.

use super::lines::RootMoves;
use super::score::MAX_PLY;
use crate::game::{Position, Repetitions};

/// The position that a search begins with, what its game has met before, and the moves to choose
/// from.
pub(super) struct Root<'a, P> {
    pub(super) position: &'a P,
    pub(super) line_keys: LineKeys,
    pub(super) root_moves: RootMoves,
}

/// The line that is being searched, and what counts of the game before it. Nothing for games
/// without repetitions.
#[derive(Clone, Debug)]
pub(super) struct LineKeys {
    /// The keys of the line's positions, by ply.
    line: Vec<u64>,
    /// The first ply that can be met again: after a null move nothing before it.
    from: usize,
    /// The keys of the game's positions that are a draw when met once more, in order.
    drawn: Vec<u64>,
}

impl LineKeys {
    /// No line yet, after the positions that have been met in a game.
    pub(super) fn after<P: Position>(met: &Repetitions) -> Self {
        let mut drawn: Vec<u64> = met.at_the_last().collect();
        drawn.sort_unstable();
        Self { line: vec![0; if P::REPEATS { MAX_PLY + 2 } else { 0 }], from: 0, drawn }
    }

    /// Records the position at a ply; true when it is a repetition.
    #[inline]
    pub(super) fn enters_repetition<P: Position>(&mut self, position: &P, ply: usize) -> bool {
        if !P::REPEATS {
            return false;
        }
        let key = position.repetition_key();
        self.line[ply] = key;
        ply > 0
            && (self.line[self.from..ply].contains(&key) || self.drawn.binary_search(&key).is_ok())
    }

    /// Whether some position of the game is a draw when it is met once more.
    #[inline]
    pub(super) fn has_game_draws(&self) -> bool {
        !self.drawn.is_empty()
    }

    /// Whether a position is a draw because the game has met it before.
    #[cfg(feature = "tree-search")]
    pub(super) fn is_game_draw<P: Position>(&self, position: &P) -> bool {
        P::REPEATS
            && self.has_game_draws()
            && self.drawn.binary_search(&position.repetition_key()).is_ok()
    }

    /// Makes positions before a ply count no longer, until the result is given back to
    /// [`restore`](Self::restore).
    #[inline]
    pub(super) fn hide_before(&mut self, ply: usize) -> usize {
        std::mem::replace(&mut self.from, ply)
    }

    #[inline]
    pub(super) fn restore(&mut self, from: usize) {
        self.from = from;
    }
}
