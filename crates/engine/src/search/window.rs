//! The alpha-beta window of a search, and its counterpart one ply deeper.

use super::score::INFINITE;
use crate::eval::Score;

/// A score outside the window, up to `alpha` or from `beta` on, need only be a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    /// The full window, in which every score is exact.
    pub(super) const FULL: Self = Self { alpha: -INFINITE, beta: INFINITE };

    /// A null window to test whether the score is above `alpha`.
    #[inline]
    pub(super) fn above(alpha: Score) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// A null window to test whether the score reaches `beta`.
    #[inline]
    pub(super) fn below(beta: Score) -> Self {
        Self { alpha: beta - 1, beta }
    }

    /// Whether the window contains no score.
    #[inline]
    pub(super) fn is_null(self) -> bool {
        self.beta - self.alpha == 1
    }

    #[inline]
    pub(super) fn contains(self, score: Score) -> bool {
        self.alpha < score && score < self.beta
    }
}

/// The score, for the side that moved, of the position after its move. It is negated and the window
/// swapped exactly if the side to move has changed. Every search descends through this function,
/// since a turn may take several plies.
#[inline]
pub(super) fn descend(
    turns: bool,
    Window { alpha, beta }: Window,
    search: impl FnOnce(Window) -> Score,
) -> Score {
    match turns {
        true => -search(Window { alpha: -beta, beta: -alpha }),
        false => search(Window { alpha, beta }),
    }
}
