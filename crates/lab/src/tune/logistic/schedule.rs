//! The schedule of a tune in rounds: the games, positions and pairs of each round.

use super::config::FitConfig;
use super::generate::{SelfPlay, fold};
use crate::arena::seed::derive;
use crate::error::{Error, Result};
use crate::stats::Sprt;
use crate::tune::network::TrainConfig;
use crate::tune::validation::Validation;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// The stream below the run's seed for the games of a round.
const STREAM: u64 = 0x109;
/// Games that a round should have at least, and the most rounds by default.
const GAMES_OF_A_ROUND: u64 = 10_000;
const USUAL_ROUNDS: u64 = 12;
/// The most rounds that are accepted.
const MOST_ROUNDS: u64 = 1000;
/// The fewest games of the first round: fewer cannot give the positions that a fit needs.
const LEAST_GAMES: u64 = 16;
/// The most pairs of a round's match by default: the larger of `ROUND_PAIRS` and the round's games
/// over `GAMES_FOR_A_PAIR`. Late rounds gain less, and long tunes have the games to measure it.
const ROUND_PAIRS: u64 = 1_000;
const GAMES_FOR_A_PAIR: u64 = 10;
/// The bounds of a round's match in the Elo of the validation's test, from minus to plus this. Of 0
/// to 10 with and without a decision at the cap, -5 to 15 and this, this reached most in simulated
/// tunes of ten rounds (see docs/measurements/archive/2026-11-23-decisions.md).
const ROUND_ELO: f64 = 10.0;
/// The fewest pairs of a round's match, even when the verdict comes sooner.
const LEAST_ROUND_PAIRS: u64 = 50;
/// About how many lines of the journal a round's positions take, and the fewest and the most games
/// of a line.
const LINES: u64 = 200;
const GAMES_PER_LINE: (u64, u64) = (16, 512);
/// The first rounds, which try all penalties of the fit; later ones take the best penalty of the
/// last of these. Which is best depends on the weights, not on the number of positions, and late
/// fits take the longest.
const CHOOSING: u64 = 2;

/// A tune in rounds of games, a fit and a match. `F` defines what is fitted, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FittingPlan<F: Learning = FitConfig> {
    /// The most rounds of games, fit and match [default: one for each 10,000 games, at most 12]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = crate::count::parse_count, help_heading = "Rounds"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u64>,
    /// The most pairs of a round's match [default: a tenth of the round's games, at least 1000]
    #[cfg_attr(feature = "clap", arg(long, value_name = "PAIRS", value_parser = crate::count::parse_count, help_heading = "Rounds"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round_pairs: Option<u64>,
    /// Rounds whose positions a fit takes: its own and the latest before it [default: the newer
    /// half of the rounds, at least 2, and all of them for a network]
    #[cfg_attr(feature = "clap", arg(long, value_name = "ROUNDS", value_parser = crate::count::parse_count, help_heading = "Rounds"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Rounds in a row whose sets lose to the best one that end the tune [default: 2, and 4 for a
    /// network, whose positions add up until it wins]
    #[cfg_attr(feature = "clap", arg(long, value_name = "ROUNDS", value_parser = crate::count::parse_count, help_heading = "Rounds"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patience: Option<u64>,
    /// The games of each round, where a time limit has changed them.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub round_games: Vec<u64>,
    /// How the games of a round are played
    #[cfg_attr(feature = "clap", command(flatten))]
    pub self_play: SelfPlay,
    /// The fit of a round
    #[cfg_attr(feature = "clap", command(flatten))]
    pub fit: F,
}

/// A tune in rounds of games, a training of a network and a match.
pub type TrainingPlan = FittingPlan<TrainConfig>;

/// The rounds of a tune, whatever is fitted in them.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// The most rounds, where that was set.
    pub rounds: Option<u64>,
    /// The most pairs of a round's match, where that was set.
    pub round_pairs: Option<u64>,
    /// Rounds whose positions a fit takes; `None` for the newer half.
    pub memory: Option<u64>,
    /// Rounds in a row whose sets lose to the best one that end the tune.
    pub patience: u64,
    /// The games of each round, where a time limit has changed them.
    pub timed: Vec<u64>,
    /// How the games of a round are played.
    pub self_play: SelfPlay,
}

#[cfg(feature = "clap")]
pub use clap::Args as Arguments;

/// Options that a command line can have, where there is one.
#[cfg(not(feature = "clap"))]
pub trait Arguments {}
#[cfg(not(feature = "clap"))]
impl<T> Arguments for T {}

/// How positions become a set.
pub trait Learning: Arguments {
    /// Rounds in a row whose sets lose to the best one that end a tune by default.
    const PATIENCE: u64;
    /// Rounds whose positions are taken by default; `None` for the newer half.
    const MEMORY: Option<u64>;

    /// The folds whose games are kept for validation.
    fn validation_folds(&self) -> u8;

    /// Checks what can be checked without positions.
    ///
    /// # Errors
    /// When a number is out of range.
    fn check(&self) -> Result<()>;
}

impl Learning for FitConfig {
    const PATIENCE: u64 = 2;
    const MEMORY: Option<u64> = None;

    fn validation_folds(&self) -> u8 {
        self.validation_folds
    }

    fn check(&self) -> Result<()> {
        self.check()
    }
}

impl Learning for TrainConfig {
    const PATIENCE: u64 = 4;
    const MEMORY: Option<u64> = Some(u64::MAX);

    fn validation_folds(&self) -> u8 {
        self.validation_folds
    }

    fn check(&self) -> Result<()> {
        self.check()
    }
}

impl<F: Learning + Default> Default for FittingPlan<F> {
    fn default() -> Self {
        Self {
            rounds: None,
            round_pairs: None,
            memory: None,
            patience: None,
            round_games: Vec::new(),
            self_play: SelfPlay::default(),
            fit: F::default(),
        }
    }
}

impl<F: Learning> FittingPlan<F> {
    /// The games of each round.
    pub fn schedule(&self) -> Schedule {
        let Self { rounds, round_pairs, self_play, .. } = *self;
        let memory = self.memory.or(F::MEMORY);
        let patience = self.patience.unwrap_or(F::PATIENCE);
        let timed = self.round_games.clone();
        Schedule { rounds, round_pairs, memory, patience, timed, self_play }
    }

    /// Checks what can be checked without playing.
    ///
    /// # Errors
    /// When a number is out of range, or there are too few games for a fit.
    pub(in crate::tune) fn check(
        &self,
        games: u64,
        seed: u64,
        validation: &Validation,
    ) -> Result<()> {
        self.fit.check()?;
        self.schedule().check((games, seed), validation, self.fit.validation_folds())
    }

    /// Whether a tune of `games` games with this seed has enough for a fit in its first round.
    pub(in crate::tune) fn has_enough(&self, games: u64, seed: u64) -> bool {
        self.schedule().has_enough((games, seed), self.fit.validation_folds())
    }
}

impl Schedule {
    /// Checks the rounds of a tune of `games` games with this seed.
    fn check(
        &self,
        (games, seed): (u64, u64),
        validation: &Validation,
        validation_folds: u8,
    ) -> Result<()> {
        let refuse = |place: &str, number: u64, remedy: String| {
            Err(Error::input(place, format!("{number} is out of range")).remedy(remedy))
        };
        if let Some(rounds) = self.rounds.filter(|n| !(1..=MOST_ROUNDS).contains(n)) {
            return refuse("rounds", rounds, format!("give 1 to {MOST_ROUNDS} with --rounds"));
        }
        if self.round_pairs == Some(0) {
            return refuse(
                "pairs of a round's match",
                0,
                "give at least 1 with --round-pairs".into(),
            );
        }
        if self.memory == Some(0) {
            return refuse("rounds of a fit", 0, "give at least 1 with --memory".into());
        }
        if self.patience == 0 {
            return refuse("lost rounds in a row", 0, "give at least 1 with --patience".into());
        }
        if self.timed.len() as u64 > MOST_ROUNDS || self.timed.contains(&0) {
            return Err(Error::input("key `round_games`", "is no list of games of rounds")
                .remedy("restore the manifest as the run wrote it"));
        }
        self.round_match(games, validation).check("match of a round", "--round-pairs")?;
        if self.has_enough((games, seed), validation_folds) {
            return Ok(());
        }
        let reason =
            format!("too few for a fit: the first round would have {}", self.round_games(games, 1));
        Err(Error::input("games", reason)
            .remedy("give more with --games (a round needs thousands), or fewer --rounds"))
    }

    /// Whether the first round, which has the fewest games, has enough for a fit, some of them for
    /// training and some for validation.
    fn has_enough(&self, (games, seed): (u64, u64), validation_folds: u8) -> bool {
        let games = self.round_games(games, 1);
        let seed = self.round_seed(seed, 1);
        let mut folds = (0..games).map(|game| fold(seed, game) < validation_folds);
        let first = folds.next();
        let is_split = folds.any(|fold| Some(fold) != first);
        games >= LEAST_GAMES && is_split
    }

    /// The most rounds of a tune of `games` games.
    pub fn most_rounds(&self, games: u64) -> u64 {
        match self.timed.len() {
            0 => self.rounds_at_first(games),
            rounds => rounds as u64,
        }
    }

    /// As [`most_rounds`](Self::most_rounds), before a time limit changed it.
    pub(super) fn rounds_at_first(&self, games: u64) -> u64 {
        self.rounds.unwrap_or_else(|| (games / GAMES_OF_A_ROUND).clamp(1, USUAL_ROUNDS)).max(1)
    }

    /// The games of all rounds of a tune of `games` games.
    pub fn planned_games(&self, games: u64) -> u64 {
        let timed = self.timed.iter().fold(0, |sum: u64, &games| sum.saturating_add(games));
        if self.timed.is_empty() { games } else { timed }
    }

    /// The games of a round on average, before a time limit changed them.
    fn mean_games(&self, games: u64) -> u64 {
        (games / self.rounds_at_first(games)).max(1)
    }

    /// Games on a line of the journal.
    pub(super) fn games_per_line(&self, games: u64) -> u64 {
        (self.mean_games(games) / LINES).clamp(GAMES_PER_LINE.0, GAMES_PER_LINE.1)
    }

    /// The match of a round's set against the best so far, in a tune of `games` games whose answer
    /// is decided by `validation`.
    pub fn round_match(&self, games: u64, validation: &Validation) -> Validation {
        let usual = || ROUND_PAIRS.max(self.mean_games(games) / GAMES_FOR_A_PAIR);
        let pairs = self.round_pairs.unwrap_or_else(usual);
        let sprt = Sprt { elo0: -ROUND_ELO, elo1: ROUND_ELO, ..validation.sprt };
        Validation { pairs, least_pairs: LEAST_ROUND_PAIRS.min(pairs), sprt, ..*validation }
    }

    /// The round whose best penalty a round, from 1, takes; `None` if it tries all penalties.
    pub fn chooser(&self, round: u64) -> Option<u64> {
        (round > CHOOSING).then_some(CHOOSING)
    }

    /// The rounds whose positions the fit of a round, from 1, takes.
    pub fn fitted_rounds(&self, round: u64) -> RangeInclusive<u64> {
        let count = self.memory.unwrap_or(2.max(round.div_ceil(2)));
        round.saturating_sub(count.saturating_sub(1)).max(1)..=round
    }

    /// The number of games of a round, from 1, which grows in proportion to the round's number:
    /// early rounds gain much from few games, and late ones little from many.
    pub(in crate::tune) fn round_games(&self, games: u64, round: u64) -> u64 {
        let index = usize::try_from(round.saturating_sub(1)).unwrap_or(usize::MAX);
        if let Some(&timed) = self.timed.get(index) {
            return timed;
        }
        let (mean, rounds) = (self.mean_games(games), self.rounds_at_first(games));
        let grown = 2 * u128::from(mean) * u128::from(round) / (u128::from(rounds) + 1);
        u64::try_from(grown).unwrap_or(u64::MAX).max(1)
    }

    /// The seed of the games of a round.
    pub(in crate::tune) fn round_seed(&self, seed: u64, round: u64) -> u64 {
        derive(seed, &[STREAM, round])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_grow_and_play_as_many_games_in_all() {
        let plan: FittingPlan = FittingPlan { rounds: Some(10), ..FittingPlan::default() };
        let plan = plan.schedule();
        let games: Vec<u64> = (1..=10).map(|round| plan.round_games(10_000, round)).collect();
        assert!(games.is_sorted() && games[9] > 9 * games[0], "{games:?}");
        assert!(games.iter().sum::<u64>().abs_diff(10_000) <= 10, "{games:?}");
    }

    #[test]
    fn a_fit_takes_the_newer_half_of_the_rounds_or_as_many_as_it_is_told() {
        let fitted = |memory| {
            let plan: FittingPlan = FittingPlan { memory, ..FittingPlan::default() };
            let plan = plan.schedule();
            (1..=6).map(|round| plan.fitted_rounds(round)).collect::<Vec<_>>()
        };
        assert_eq!(fitted(None), [1..=1, 1..=2, 2..=3, 3..=4, 3..=5, 4..=6]);
        assert_eq!(fitted(Some(1)), [1..=1, 2..=2, 3..=3, 4..=4, 5..=5, 6..=6]);
        assert_eq!(fitted(Some(u64::MAX)), [1..=1, 1..=2, 1..=3, 1..=4, 1..=5, 1..=6]);
    }
}
