//! Move ordering by earlier cutoffs: killer moves and the history heuristic (Schaeffer 1983), with
//! gravity to keep values within bounds.

use super::score::MAX_PLY;
use crate::game::{MoveCode, Side};
use std::sync::Arc;
use std::sync::atomic::{AtomicI16, Ordering::Relaxed};

/// The greatest absolute value of a history entry.
pub(super) const LIMIT: i32 = 16_384;
/// The greatest change of a value by one cutoff.
const GREATEST_BONUS: i32 = 1_600;
/// The change of a value by a cutoff, for each ply of depth.
const BONUS: i32 = 150;

/// Killer moves and history, kept between the moves of a game. The threads of a search share the
/// history, so each thread's cutoffs order the moves of all. A lost update does little harm.
pub(super) struct History {
    quiet: [Arc<[AtomicI16]>; 2],
    /// The same, separate for each kind of the opponent's preceding move.
    answers: [Arc<[AtomicI16]>; 2],
    killers: Vec<[u16; 2]>,
}

/// The history's context: the node in which a move is made.
#[derive(Clone, Copy)]
pub(super) struct MoveContext {
    /// The side that makes the move.
    pub(super) side: Side,
    /// The number of plies from the root.
    pub(super) ply: usize,
    /// The kind of the move that led to the node; `None` at the root and after a null move.
    pub(super) previous: Option<usize>,
}

impl History {
    pub(super) fn new<M: MoveCode>() -> Self {
        let values = |count| std::iter::repeat_with(AtomicI16::default).take(count).collect();
        let quiet = || values(M::HISTORY_SIZE);
        let answers = || values(M::HISTORY_SIZE * M::CONTEXTS);
        Self {
            quiet: [quiet(), quiet()],
            answers: [answers(), answers()],
            killers: vec![[0; 2]; MAX_PLY + 1],
        }
    }

    /// The history of another thread of the same search: shared values and separate killers.
    pub(super) fn for_helper(&self) -> Self {
        Self {
            quiet: self.quiet.clone(),
            answers: self.answers.clone(),
            killers: vec![[0; 2]; MAX_PLY + 1],
        }
    }

    /// Clears the history and the killers.
    pub(super) fn clear(&mut self) {
        self.change_all(|_| 0);
        self.forget_killers();
    }

    /// Ages the history for the next move of a game by halving all values.
    pub(super) fn age(&mut self) {
        self.change_all(|value| value / 2);
    }

    /// Clears the killers, which belong to the plies of one search.
    pub(super) fn forget_killers(&mut self) {
        self.killers.fill([0; 2]);
    }

    /// Applies a change to every history value.
    fn change_all(&mut self, change: impl Fn(i16) -> i16) {
        for values in self.quiet.iter_mut().chain(&mut self.answers) {
            // Values not shared with helpers are plain numbers, so the processor can change many at
            // a time. Changing them one by one takes as long as searching some hundred nodes.
            if let Some(values) = Arc::get_mut(values) {
                for value in values.iter_mut().map(AtomicI16::get_mut) {
                    *value = change(*value);
                }
            } else {
                for value in values.iter() {
                    value.store(change(value.load(Relaxed)), Relaxed);
                }
            }
        }
    }

    /// The history value of a quiet move, within [`LIMIT`], plus `percent` of its value as a reply
    /// to the preceding move.
    #[inline]
    pub(super) fn value<M: MoveCode>(&self, context: MoveContext, mv: M, percent: i32) -> i32 {
        let index = mv.history_index();
        let side = context.side.index();
        let answer = context.previous.map_or(0, |kind| {
            i32::from(self.answers[side][kind * M::HISTORY_SIZE + index].load(Relaxed))
        });
        i32::from(self.quiet[side][index].load(Relaxed)) + answer * percent / 100
    }

    /// The killers of a ply.
    #[inline]
    pub(super) fn killers(&self, ply: usize) -> [u16; 2] {
        self.killers[ply]
    }

    /// Rewards a quiet move that refuted a node, and penalizes the quiet moves tried before it.
    #[inline]
    pub(super) fn reward<M: MoveCode>(
        &mut self,
        context: MoveContext,
        depth: i32,
        best: M,
        tried: &[M],
    ) {
        let killers = &mut self.killers[context.ply];
        if killers[0] != best.code() {
            *killers = [best.code(), killers[0]];
        }
        let bonus = (BONUS * depth).min(GREATEST_BONUS);
        self.adjust(context, best, bonus);
        for &mv in tried {
            self.adjust(context, mv, -bonus);
        }
    }

    #[inline]
    fn adjust<M: MoveCode>(&mut self, context: MoveContext, mv: M, bonus: i32) {
        let (side, index) = (context.side.index(), mv.history_index());
        apply_bonus(&self.quiet[side][index], bonus);
        if let Some(kind) = context.previous {
            apply_bonus(&self.answers[side][kind * M::HISTORY_SIZE + index], bonus);
        }
    }
}

/// Adds a bonus with gravity: the nearer a value is to the limit, the smaller the effect.
#[inline]
fn apply_bonus(value: &AtomicI16, bonus: i32) {
    let old = i32::from(value.load(Relaxed));
    value.store((old + bonus - old * bonus.abs() / LIMIT) as i16, Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::breakthrough::Move;

    #[test]
    fn values_stay_within_the_limit() {
        let mut history = History::new::<Move>();
        let context = MoveContext { side: Side::First, ply: 3, previous: Some(5) };
        let elsewhere = MoveContext { previous: None, ..context };
        let (good, bad) = (Move::new(8, 16), Move::new(9, 17));
        for _ in 0..10_000 {
            history.reward(context, 20, good, &[bad]);
        }
        let value = |context, mv| history.value(context, mv, 100);
        assert!(value(elsewhere, good) > LIMIT / 2 && value(elsewhere, good) <= LIMIT);
        assert!(value(elsewhere, bad) < -LIMIT / 2 && value(elsewhere, bad) >= -LIMIT);
        assert_eq!(value(context, good), 2 * value(elsewhere, good));
        assert_eq!(
            value(MoveContext { previous: Some(6), ..context }, good),
            value(elsewhere, good)
        );
        assert_eq!(value(MoveContext { side: Side::Second, ..context }, good), 0);
        assert_eq!(history.killers(3)[0], good.code());
        history.clear();
        assert_eq!(history.value(context, good, 100), 0);
    }
}
