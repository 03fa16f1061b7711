//! The window in which a search needs exact scores, and the same window one ply deeper.

use super::score::INFINITE;
use crate::eval::Score;

/// Scores up to `alpha` and from `beta` on need not be exact: a bound beyond the window is enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    /// Every score is exact.
    pub(super) const FULL: Self = Self { alpha: -INFINITE, beta: INFINITE };

    /// Asks only whether the score is above `alpha`.
    #[inline]
    pub(super) fn above(alpha: Score) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// Asks only whether the score reaches `beta`.
    #[inline]
    pub(super) fn below(beta: Score) -> Self {
        Self { alpha: beta - 1, beta }
    }

    /// Whether no score lies inside.
    #[inline]
    pub(super) fn is_null(self) -> bool {
        self.beta - self.alpha == 1
    }

    #[inline]
    pub(super) fn contains(self, score: Score) -> bool {
        self.alpha < score && score < self.beta
    }
}

/// The score, for the side that moved, of searching the position its move led to: negated and with
/// the window swapped exactly when the side to move has changed. Every search descends through
/// this, since a turn may take several plies.
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
