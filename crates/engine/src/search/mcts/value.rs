//! Values between -1 (lost) and 1 (won), and their conversion from and to scores.

use crate::eval::Score;
use crate::search::score::PROVEN;

/// The value nearest to a win that still has its own score.
const NEAREST: f64 = 1.0 - 1e-6;

/// The logistic function between scores and values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Squash {
    /// Twice the score at which the winning odds are e to 1.
    width: f64,
}

impl Squash {
    /// A logistic function with odds of e to 1 at this percentage of a piece; `unit` is the value
    /// of a piece.
    pub(super) fn new(percent: i32, unit: Score) -> Self {
        Self { width: 2.0 * (f64::from(unit) * f64::from(percent) / 100.0).max(1e-3) }
    }

    pub(super) fn value(self, score: Score) -> f32 {
        (f64::from(score) / self.width).tanh() as f32
    }

    /// The score of a value, always below every proven score.
    pub(super) fn score(self, value: f32) -> Score {
        let value = f64::from(value).clamp(-NEAREST, NEAREST);
        let most = f64::from(PROVEN - 1);
        (value.atanh() * self.width).clamp(-most, most) as Score
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::score::is_proven;

    #[test]
    fn scores_come_back() {
        let squash = Squash::new(150, 1000);
        for score in [-4000, -1500, -3, 0, 1, 700, 5000] {
            assert!((squash.score(squash.value(score)) - score).abs() <= 1 + score.abs() / 100);
        }
        assert!(squash.value(1500) > 0.46 && squash.value(1500) < 0.47, "odds of e to 1");
        for value in [-1.0, 1.0] {
            assert!(!is_proven(Squash::new(2000, Score::MAX).score(value)));
        }
    }
}
