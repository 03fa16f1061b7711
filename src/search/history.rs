//! What earlier cutoffs say about moves: killers and the history heuristic (Schaeffer 1983), with the gravity that
//! keeps values within bounds.

use super::score::MAX_PLY;
use crate::game::{MoveCode, Side};

/// History values stay within this, either way.
pub(super) const LIMIT: i32 = 16_384;
/// The greatest change of a value by one cutoff.
const GREATEST_BONUS: i32 = 1_600;
/// The change of a value by a cutoff, for each ply of depth.
const BONUS: i32 = 150;

/// Killer moves and history, kept from move to move of a game.
pub(super) struct History {
    quiet: [Vec<i16>; 2],
    killers: Vec<[u16; 2]>,
}

impl History {
    pub(super) fn new<M: MoveCode>() -> Self {
        let quiet = || vec![0; M::HISTORY_SIZE];
        Self { quiet: [quiet(), quiet()], killers: vec![[0; 2]; MAX_PLY + 1] }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.quiet.iter_mut().for_each(|values| values.fill(0));
        self.killers.fill([0; 2]);
    }

    /// Begins the next move of a game: old experience counts half, killers belong to other plies.
    pub(super) fn age(&mut self) {
        self.quiet.iter_mut().flatten().for_each(|value| *value /= 2);
        self.killers.fill([0; 2]);
    }

    /// What a quiet move has earned, within [`LIMIT`].
    #[inline]
    pub(super) fn value<M: MoveCode>(&self, side: Side, mv: M) -> i32 {
        i32::from(self.quiet[side.index()][mv.history_index()])
    }

    /// The killers of a ply.
    #[inline]
    pub(super) fn killers(&self, ply: usize) -> [u16; 2] {
        self.killers[ply]
    }

    /// A quiet move refuted a node; the quiet moves tried before it did not.
    #[inline]
    pub(super) fn reward<M: MoveCode>(&mut self, side: Side, ply: usize, depth: i32, best: M, tried: &[M]) {
        let killers = &mut self.killers[ply];
        if killers[0] != best.code() {
            *killers = [best.code(), killers[0]];
        }
        let bonus = (BONUS * depth).min(GREATEST_BONUS);
        self.change(side, best, bonus);
        for &mv in tried {
            self.change(side, mv, -bonus);
        }
    }

    #[inline]
    fn change<M: MoveCode>(&mut self, side: Side, mv: M, bonus: i32) {
        let value = &mut self.quiet[side.index()][mv.history_index()];
        let old = i32::from(*value);
        *value = (old + bonus - old * bonus.abs() / LIMIT) as i16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::breakthrough::Move;

    #[test]
    fn values_stay_within_the_limit() {
        let mut history = History::new::<Move>();
        let (good, bad) = (Move::new(8, 16), Move::new(9, 17));
        for _ in 0..10_000 {
            history.reward(Side::First, 3, 20, good, &[bad]);
        }
        assert!(history.value(Side::First, good) > LIMIT / 2 && history.value(Side::First, good) <= LIMIT);
        assert!(history.value(Side::First, bad) < -LIMIT / 2 && history.value(Side::First, bad) >= -LIMIT);
        assert_eq!(history.value(Side::Second, good), 0);
        assert_eq!(history.killers(3)[0], good.code());
        history.clear();
        assert_eq!(history.value(Side::First, good), 0);
    }
}
