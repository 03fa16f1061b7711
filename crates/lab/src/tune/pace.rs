//! The pace of a tune with a time limit: it measures how many steps fit while they are played.
//!
//! A trial before the tune plans its games, and with them the gain of the optimizer. The machine
//! may get busier, or the candidate's weights slower. So the tune ends its steps when the
//! validation and the reference matches need the remaining time, or plays more steps than planned.
//! A change is noted in the manifest before it is played, so that a resume plays the same games.

use super::settings::TuneSettings;
use crate::search::Limits;
use std::time::{Duration, Instant};

/// The share of its pairs that the validation is expected to play.
const EXPECTED_PAIRS: f64 = 0.75;
/// Steps that are measured before their speed replaces the trial's.
const MEASURED_STEPS: u64 = 2;
/// The share of the time left that the reference matches are planned to take.
const FILLED: f64 = 0.9;
/// The fewest games of a validation whose speed is used.
const MEASURED_GAMES: u64 = 20;
/// The fewest pairs of a reference match, unless fewer were planned.
const LEAST_PAIRS: u64 = 4;
/// The most pairs of a reference match, unless `TIMES_PLANNED` times the planned ones are more.
const MOST_PAIRS: u64 = 200;
const TIMES_PLANNED: u64 = 4;
/// The most of the time that is kept for the reference matches, as a share.
const YARDSTICK_SHARE: f64 = 0.15;

/// The time limit of a tune, and the speed of its games by a trial.
#[derive(Clone, Copy, Debug)]
pub struct TunePace {
    /// When the tune began.
    pub begun: Instant,
    /// The time of all its games.
    pub time: Duration,
    /// Seconds of a game of the steps.
    pub of_steps: f64,
    /// Seconds of a game at the limits of the tune.
    pub at_limits: f64,
    /// Seconds of one game in each of the reference matches, together.
    pub of_yardsticks: f64,
    /// How many games at the limits of the tune cost as much as one game in each reference match.
    pub games_of_yardsticks: f64,
    /// Whether the pairs of the reference matches follow the time left.
    pub fills: bool,
}

impl TunePace {
    /// The seconds that are left of the time.
    pub(super) fn left(&self) -> f64 {
        self.time.saturating_sub(self.begun.elapsed()).as_secs_f64()
    }

    /// Seconds that the matches after the steps are expected to take, if games take `slower` times
    /// as long as in the trial.
    pub fn proof_seconds(&self, config: &TuneSettings, slower: f64) -> f64 {
        self.proof_of(Self::expected_pairs(config), config, slower)
    }

    /// As [`proof_seconds`](Self::proof_seconds), for a validation of about this many pairs.
    pub(super) fn proof_of(&self, pairs: f64, config: &TuneSettings, slower: f64) -> f64 {
        let validation = 2.0 * pairs * self.at_limits;
        let yardsticks = 2.0 * config.yardsticks.pairs as f64 * self.of_yardsticks;
        let most = YARDSTICK_SHARE * self.time.as_secs_f64();
        validation * slower + (yardsticks * slower).min(most)
    }

    /// The pairs that a validation is expected to play if nothing is known of the candidate.
    pub(super) fn expected_pairs(config: &TuneSettings) -> f64 {
        EXPECTED_PAIRS * config.validation.pairs as f64
    }

    /// The pairs of each reference match that fit into the remaining time, where `planned` were
    /// planned. The validation has played `games` games in `spent`. `has_rounds` tells a candidate
    /// of another kind than the start, whose moves alone take longer, from a machine that has
    /// become slower.
    pub(super) fn yardstick_pairs(
        &self,
        planned: u64,
        (games, spent): (u64, Duration),
        has_rounds: bool,
    ) -> u64 {
        let of_game = match games >= MEASURED_GAMES {
            true => spent.as_secs_f64() / games as f64,
            false => self.at_limits,
        };
        let more = of_game - self.at_limits;
        let of_game_each = match has_rounds && more > 0.0 {
            true => self.of_yardsticks + self.games_of_yardsticks * more,
            false => self.of_yardsticks * of_game / self.at_limits.max(f64::MIN_POSITIVE),
        };
        let of_pair = (2.0 * of_game_each).max(f64::MIN_POSITIVE);
        let fitting = (FILLED * self.left() / of_pair) as u64;
        let most = planned.saturating_mul(TIMES_PLANNED).max(MOST_PAIRS);
        fitting.clamp(planned.min(LEAST_PAIRS), most)
    }

    /// The limits of a move as a share of the limits `of`.
    pub fn share(limits: Limits, of: Limits) -> f64 {
        let nodes = limits.nodes.zip(of.nodes).map(|(a, b)| a as f64 / b.max(1) as f64);
        let times = limits.movetime.zip(of.movetime);
        let share = |(a, b): (Duration, Duration)| a.as_secs_f64() / b.as_secs_f64().max(1e-9);
        nodes.or(times.map(share)).unwrap_or(1.0)
    }
}

/// Counts the steps that fit, from the first one that is played.
pub(super) struct StepClock<'a> {
    pace: TunePace,
    config: &'a TuneSettings,
    games_of_step: u64,
    /// When the first step began, and the steps done then.
    since: Option<(Instant, u64)>,
    is_over: bool,
}

impl<'a> StepClock<'a> {
    pub(super) fn new(pace: TunePace, config: &'a TuneSettings, games_of_step: u64) -> Self {
        Self { pace, config, games_of_step, since: None, is_over: false }
    }

    /// The number of all steps that fit, if `done` are done and `begun` have begun; at least one.
    pub(super) fn steps(&mut self, done: u64, begun: u64) -> u64 {
        if self.is_over {
            return begun.max(1);
        }
        let (since, before) = *self.since.get_or_insert_with(|| (Instant::now(), done));
        let by_trial = (self.pace.of_steps * self.games_of_step as f64).max(f64::MIN_POSITIVE);
        let measured = done - before;
        let (of_step, proof) = match measured >= MEASURED_STEPS {
            true => {
                let of_step = since.elapsed().as_secs_f64() / measured as f64;
                (of_step, self.pace.proof_seconds(self.config, of_step / by_trial))
            }
            // The trial alone does not end a tune before steps are measured.
            false => (by_trial, 0.0),
        };
        let of_step = of_step.max(f64::MIN_POSITIVE);
        let fitting = done.saturating_add(((self.pace.left() - proof) / of_step) as u64);
        self.is_over = fitting <= begun;
        fitting.max(begun).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game takes 10 ms in the trial, and one in each of four reference matches 100 ms.
    fn pace(time: u64) -> TunePace {
        TunePace {
            begun: Instant::now(),
            time: Duration::from_secs(time),
            of_steps: 0.01,
            at_limits: 0.01,
            of_yardsticks: 0.1,
            games_of_yardsticks: 4.0,
            fills: true,
        }
    }

    #[test]
    fn reference_matches_fill_the_time_by_the_speed_of_the_validation() {
        // 400 games of the validation at the speed of the trial, and three times as slow.
        let [same, slow] = [4, 12].map(|seconds| (400, Duration::from_secs(seconds)));
        let pairs = |spent, has_rounds| pace(20).yardstick_pairs(24, spent, has_rounds);
        assert!((85..=90).contains(&pairs(same, false)) && pairs(same, false) == pairs(same, true));
        // On a machine that has become three times as slow, and with a candidate that is slower.
        assert!((28..=30).contains(&pairs(slow, false)), "{}", pairs(slow, false));
        assert!((48..=50).contains(&pairs(slow, true)), "{}", pairs(slow, true));
    }

    #[test]
    fn reference_matches_have_bounds() {
        let spent = (400, Duration::from_secs(4));
        assert_eq!(pace(9_000).yardstick_pairs(24, spent, false), MOST_PAIRS);
        assert_eq!(pace(9_000).yardstick_pairs(150, spent, false), 600);
        assert_eq!(pace(0).yardstick_pairs(24, spent, false), LEAST_PAIRS);
        assert_eq!(pace(0).yardstick_pairs(2, spent, false), 2);
    }
}
