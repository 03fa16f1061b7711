//! Draws by repetition in a search: see [`Position::REPEATS`].
//!
//! A position that repeats one of the current line, the root included, counts as a draw at once: a
//! side that can do better the second time could have done so the first time. For the game before
//! the root the exact rule holds: a position is a draw only if it has occurred there twice. The
//! score of such a draw depends on its line, yet the transposition table keeps it for all lines, as
//! in most programs. If the search tries only one order of a turn's moves, a repetition in between
//! hides the other orders.

use super::lines::RootMoves;
use super::score::MAX_PLY;
use crate::game::{Position, Repetitions};

/// The root of a search: its position, the earlier positions of the game, and the moves to choose
/// from.
pub(super) struct Root<'a, P> {
    pub(super) position: &'a P,
    pub(super) line_keys: LineKeys,
    pub(super) root_moves: RootMoves,
}

/// The positions of the current line, and the game's positions that count for draws. Empty for
/// games without repetitions.
#[derive(Clone, Debug)]
pub(super) struct LineKeys {
    /// The keys of the line's positions, by ply.
    line: Vec<u64>,
    /// The first ply that can be repeated; a null move makes it the next ply.
    from: usize,
    /// The sorted keys of the game's positions whose next occurrence is a draw.
    drawn: Vec<u64>,
}

impl LineKeys {
    /// An empty line after the earlier positions of a game.
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

    /// Whether there are positions of the game whose next occurrence is a draw.
    #[inline]
    pub(super) fn has_game_draws(&self) -> bool {
        !self.drawn.is_empty()
    }

    /// Whether a position is a draw because of its earlier occurrences in the game.
    #[cfg(feature = "tree-search")]
    pub(super) fn is_game_draw<P: Position>(&self, position: &P) -> bool {
        P::REPEATS
            && self.has_game_draws()
            && self.drawn.binary_search(&position.repetition_key()).is_ok()
    }

    /// Ignores positions before a ply for repetitions. Pass the result to
    /// [`restore`](Self::restore) to undo this.
    #[inline]
    pub(super) fn hide_before(&mut self, ply: usize) -> usize {
        std::mem::replace(&mut self.from, ply)
    }

    #[inline]
    pub(super) fn restore(&mut self, from: usize) {
        self.from = from;
    }
}
