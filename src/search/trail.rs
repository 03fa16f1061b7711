//! Positions that come back in a search: see [`Position::REPEATS`].
//!
//! A position that has been met in the line that is being searched, the root included, is the draw
//! that going round leads to: a side that can do better the second time could do so the first time.
//! Of the game before the root only what the rules count is a draw, a position that has been met
//! twice. A score that such a draw went into belongs to the line that led to it, and is yet kept in
//! the transposition table for all lines, as in most programs of the kind. And where the moves of a
//! turn are searched in one order only, a draw of the line between them hides the other order.

use super::score::MAX_PLY;
use crate::game::{Position, Repetitions};

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

    /// Takes note of the position at a ply, and says whether it has come back.
    #[inline]
    pub(super) fn comes_back<P: Position>(&mut self, position: &P, ply: usize) -> bool {
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
    pub(super) fn knows_draws(&self) -> bool {
        !self.drawn.is_empty()
    }

    /// Lets nothing before a ply be met again, and gives what [`mend`](Self::mend) takes to allow
    /// it.
    #[inline]
    pub(super) fn cut(&mut self, ply: usize) -> usize {
        std::mem::replace(&mut self.from, ply)
    }

    /// Takes a cut back.
    #[inline]
    pub(super) fn mend(&mut self, from: usize) {
        self.from = from;
    }
}
