//! Time management: the thinking time of a move on a clock, without the clock itself.
//!
//! [`Clock::move_time`] gives a move two times. After the *soft* time no iteration begins. [`Pace`]
//! stretches it while the best move keeps changing or the score falls, and shortens it while
//! nothing changes. The *hard* time ends the search wherever it is.
//!
//! This is the policy [`ClockPolicy::Share`]. With [`ClockPolicy::Stages`] a move has a depth
//! instead of a soft time.

use crate::eval::Score;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The number of moves that share the time left, unless the time control comes sooner.
const HORIZON: u32 = 25;
/// The share of the increment for a move, in percent.
const INCREMENT_PERCENT: u32 = 75;
/// The share of a move's time after which no iteration begins, in percent. The last iteration must
/// still finish.
const SOFT_PERCENT: u32 = 60;
/// A move takes at most the time of `N` moves, this number, and less if few moves are left: the
/// share `N / (moves + N - 1)` of the whole.
const MOST_MOVES: u32 = 4;
/// If the overhead would use up a move's time, the move still gets its time divided by this.
const LEAST_SHARE: u32 = 4;
/// The soft time in percent, by the number of iterations with the same best move.
const STABILITY_PERCENT: [u32; 5] = [150, 120, 100, 85, 70];
/// The largest drop of the score that counts, in percent of a piece: it doubles the time. Smaller
/// drops extend the time in proportion.
const GREATEST_DROP: i64 = 100;

/// The stages of a clock: while more than this share of the game's time is left, in percent, a move
/// is searched for this many turns (S. Grassi, "Breakthru: game AI engine", 2020).
const STAGES: [(u32, u32); 3] = [(50, 3), (20, 2), (0, 1)];

/// The policy for spending the time of a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum ClockPolicy {
    /// Each move gets its share of the time that is left, more while the search changes its mind.
    #[default]
    Share,
    /// Each move is searched to a fixed depth: 3 turns while more than half of the game's time is
    /// left, then 2, and 1 from a fifth on. A move that takes too much of what is left is cut short
    /// all the same.
    Stages,
}

impl ClockPolicy {
    /// The name in commands and options.
    pub fn name(self) -> &'static str {
        match self {
            ClockPolicy::Share => "share",
            ClockPolicy::Stages => "stages",
        }
    }

    fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

impl std::fmt::Display for ClockPolicy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// The time left for a side and its increment for each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Clock {
    /// Time left.
    pub left: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// The moves until more time is added; `None` if the time left is for the rest of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves_to_go: Option<u32>,
    /// The overhead of each move besides the search, held in reserve.
    #[serde(default = "Clock::usual_overhead", skip_serializing_if = "Clock::is_usual_overhead")]
    pub overhead: Duration,
    /// The policy that spends the time.
    #[serde(default, skip_serializing_if = "ClockPolicy::is_usual")]
    pub policy: ClockPolicy,
    /// The time left when the game began, if known. Stages are shares of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole: Option<Duration>,
}

/// The times of one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MoveTime {
    /// No iteration begins after this time.
    pub(super) soft: Duration,
    /// The search ends at this time.
    pub(super) hard: Duration,
}

impl Clock {
    /// The default overhead of each move besides the search.
    pub const OVERHEAD: Duration = Duration::from_millis(10);

    /// A clock for the rest of a game.
    pub fn new(left: Duration, increment: Duration) -> Self {
        let policy = ClockPolicy::default();
        Self { left, increment, moves_to_go: None, overhead: Self::OVERHEAD, policy, whole: None }
    }

    /// The time control in the usual notation: `40/60+0.6` is 60 s for 40 moves plus 0.6 s for
    /// each.
    pub fn time_control(&self) -> String {
        let moves = self.moves_to_go.map_or(String::new(), |moves| format!("{moves}/"));
        let [left, increment] = [self.left, self.increment].map(|time| time.as_secs_f64());
        let increment = if increment > 0.0 { format!("+{increment}") } else { String::new() };
        format!("{moves}{left}{increment}")
    }

    /// The number of turns to search a move, if the policy sets one.
    pub(super) fn turns(&self) -> Option<u32> {
        let whole = self.whole.unwrap_or(self.left);
        let stage = STAGES.iter().find(|&&(above, _)| self.left > percent(whole, above));
        let (_, turns) = *stage.or(STAGES.last())?;
        (self.policy == ClockPolicy::Stages).then_some(turns)
    }

    fn usual_overhead() -> Duration {
        Self::OVERHEAD
    }

    fn is_usual_overhead(overhead: &Duration) -> bool {
        *overhead == Self::OVERHEAD
    }

    /// The times of the next move. They never reduce the time left below the overhead. If it is
    /// already below, the move gets no time, and the search ends at its first look at the clock.
    pub(super) fn move_time(&self) -> MoveTime {
        let moves = self.moves_to_go.filter(|&moves| moves > 0).unwrap_or(HORIZON).min(HORIZON);
        let spare = self.left.saturating_sub(self.overhead);
        let increment = percent(self.increment, INCREMENT_PERCENT);
        let share = (spare / moves).saturating_add(increment);
        let target = share.saturating_sub(self.overhead).max(share / LEAST_SHARE);
        let most = (spare / (moves + MOST_MOVES - 1)).saturating_mul(MOST_MOVES);
        let hard = most.saturating_add(increment).min(spare);
        MoveTime { soft: percent(target, SOFT_PERCENT).min(hard), hard }
    }
}

/// A percentage of a time; it cannot overflow.
pub(super) fn percent(time: Duration, percent: u32) -> Duration {
    time.checked_mul(percent)
        .map_or_else(|| (time / 100).saturating_mul(percent), |product| product / 100)
}

/// Follows the iterations of a search, to judge whether more time would change the result.
#[derive(Debug, Default)]
pub(super) struct Pace {
    /// The code and the score of the last best move.
    last: Option<(u16, Score)>,
    /// The number of iterations since the best move changed.
    stable: usize,
}

impl Pace {
    /// Records the result of an iteration. Returns the share of the soft time that the search
    /// should get, in percent. `unit` is the value of a piece.
    pub(super) fn note(&mut self, code: u16, score: Score, unit: Score) -> u32 {
        let (last_code, last_score) = self.last.unwrap_or((code, score));
        self.last = Some((code, score));
        self.stable = if code == last_code { self.stable + 1 } else { 0 };
        let by_move = STABILITY_PERCENT[self.stable.min(STABILITY_PERCENT.len() - 1)];
        let drop = (i64::from(last_score) - i64::from(score)) * 100 / i64::from(unit.max(1));
        by_move * (100 + drop.clamp(0, GREATEST_DROP) as u32) / 100
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(left: u64, increment: u64, moves_to_go: Option<u32>) -> Clock {
        let ms = Duration::from_millis;
        Clock { moves_to_go, ..Clock::new(ms(left), ms(increment)) }
    }

    #[test]
    fn times_are_in_order_and_within_what_is_left() {
        for left in [0, 1, 9, 10, 11, 100, 1000, 60_000, u64::MAX / 4] {
            for increment in [0, 1, 100, 10_000, u64::MAX / 4] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let MoveTime { soft, hard } = clock(left, increment, moves).move_time();
                    let most = Duration::from_millis(left).saturating_sub(Clock::OVERHEAD);
                    assert!(
                        soft <= hard && hard <= most,
                        "{left}+{increment}, {moves:?}: {soft:?} {hard:?}"
                    );
                }
            }
        }
        let endless = Clock::new(Duration::MAX, Duration::MAX).move_time();
        assert!(endless.soft <= endless.hard);
    }

    #[test]
    fn more_time_and_fewer_moves_give_a_move_more() {
        let move_time = |left, increment, moves| clock(left, increment, moves).move_time();
        let usual = move_time(60_000, 0, None);
        assert!(
            usual.soft > Duration::from_secs(1) && usual.hard < Duration::from_secs(10),
            "{usual:?}"
        );
        assert!(move_time(60_000, 1000, None).soft > usual.soft + Duration::from_millis(400));
        assert!(move_time(60_000, 0, Some(5)).soft > 4 * usual.soft);
        assert_eq!(move_time(1000, 0, Some(1)).hard, Duration::from_millis(990));
        assert_eq!(move_time(60_000, 0, Some(0)), usual);
    }

    /// A game of 200 moves on 100 ms without increment. Each move exceeds the hard time a little.
    #[test]
    fn a_short_clock_lasts_for_a_long_game() {
        let mut left = Duration::from_millis(100);
        for _ in 0..200 {
            let MoveTime { hard, .. } = Clock::new(left, Duration::ZERO).move_time();
            left = left.checked_sub(hard + Duration::from_micros(40)).expect("time is left");
        }
    }

    #[test]
    fn stages_go_by_the_time_the_game_began_with() {
        let turns = |left, whole: Option<u64>| {
            let whole = whole.map(Duration::from_millis);
            Clock { policy: ClockPolicy::Stages, whole, ..clock(left, 0, None) }.turns()
        };
        let stages = [(2000, 3), (1000, 3), (501, 3), (500, 2), (201, 2), (200, 1), (1, 1), (0, 1)];
        for (left, expected) in stages {
            assert_eq!(turns(left, Some(1000)), Some(expected), "{left}");
        }
        assert_eq!((turns(1000, None), turns(0, None)), (Some(3), Some(1)));
        assert_eq!(clock(1000, 0, None).turns(), None);
    }

    #[test]
    fn a_search_that_changes_its_mind_gets_more_time() {
        let mut pace = Pace::default();
        let steady: Vec<u32> = (0..6).map(|_| pace.note(7, 50, 100)).collect();
        assert_eq!(steady, [120, 100, 85, 70, 70, 70]);
        assert_eq!(pace.note(8, 50, 100), 150);
        assert_eq!(pace.note(8, 20, 100), 120 * 130 / 100);
        assert_eq!(pace.note(8, -900, 100), 100 * 2);
        assert_eq!(pace.note(8, 900, 100), 85);
        assert_eq!(pace.note(8, Score::MIN, 0), 70 * 2);
    }
}
