//! How a tune in rounds goes: how many games, positions and pairs each round has.

use super::generate::GenerateConfig;
use super::task::FitConfig;
use crate::arena::seed::derive;
use crate::error::{Error, Result};
use crate::tune::config::Validation;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// The stream below the run's seed for the games of a round.
const STREAM: u64 = 0x109;

/// What decides a tune in rounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoundsConfig {
    /// The most rounds.
    pub rounds: u64,
    /// The games of a round; each round has a seed of its own below this one's.
    pub generate: GenerateConfig,
    /// Whether these are the games of a round on average, of which the first ones have fewer and
    /// the last ones more, in proportion to their numbers. Early rounds gain much from few games,
    /// and late ones little from many.
    #[serde(default)]
    pub growing: bool,
    /// Games on a line of the journal.
    pub games_per_line: u64,
    /// A fit takes the positions of so many rounds, its own and those before it; `None` for the
    /// newer half of them, but two at least. Runs of versions without this number took all.
    #[serde(default = "all_rounds")]
    pub memory: Option<u64>,
    /// So many rounds in a row that do not gain end the tune. Until then the best set goes on
    /// playing, and the fits get more positions.
    #[serde(default = "one_round")]
    pub patience: u64,
    /// The fit of a round.
    pub fit: FitConfig,
    /// The first so many rounds try all penalties of the fit, the others the one alone that was
    /// best in the last of these: what the best is hangs on the weights, not on the number of
    /// positions, and the late fits are the long ones. Runs of versions without this number tried
    /// all in every round.
    #[serde(default = "all")]
    pub choosing: u64,
    /// The match of a round's set against the best so far.
    pub gain: Validation,
}

fn all_rounds() -> Option<u64> {
    Some(u64::MAX)
}

fn one_round() -> u64 {
    1
}

fn all() -> u64 {
    u64::MAX
}

impl RoundsConfig {
    /// Checks what can be checked without playing.
    ///
    /// # Errors
    /// When a number is out of range.
    pub fn check(&self) -> Result<()> {
        self.generate.check()?;
        self.fit.check()?;
        let refuse =
            |place: &str, remedy: &str| Err(Error::input(place, "0 lead nowhere").remedy(remedy));
        if self.rounds == 0 {
            return refuse("rounds", "give at least 1 with --rounds");
        }
        if self.generate.games == 0 {
            return refuse("games of a round", "give more games, or fewer rounds");
        }
        if self.memory == Some(0) {
            return refuse("rounds of a fit", "give at least 1 with --memory");
        }
        if self.choosing == 0 {
            return refuse("rounds that choose the penalty", "restore the run's manifest");
        }
        if self.patience == 0 {
            return refuse("rounds without a gain", "give at least 1 with --patience");
        }
        if self.games_per_line == 0 || self.gain.batch_pairs == 0 || self.gain.pairs == 0 {
            return refuse("pairs of a round's match", "give at least 1 with --round-pairs");
        }
        Ok(())
    }

    /// The round whose best penalty a round, from 1, takes; `None` where it tries all of them.
    pub fn chooser(&self, round: u64) -> Option<u64> {
        (round > self.choosing).then_some(self.choosing)
    }

    /// The rounds whose positions the fit of a round, from 1, takes.
    pub fn fitted_rounds(&self, round: u64) -> RangeInclusive<u64> {
        let count = self.memory.unwrap_or(2.max(round.div_ceil(2)));
        round.saturating_sub(count - 1).max(1)..=round
    }

    /// The games of a round, from 1.
    pub(super) fn games_of(&self, round: u64) -> GenerateConfig {
        let seed = derive(self.generate.seed, &[STREAM, round]);
        let even = self.generate.games;
        let games = match self.growing {
            true => (2 * u128::from(even) * u128::from(round) / u128::from(self.rounds + 1)) as u64,
            false => even,
        };
        GenerateConfig { seed, games: games.max(1), ..self.generate.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Limits;
    use crate::stats::{Model, Sprt};

    fn config(memory: Option<u64>, growing: bool) -> RoundsConfig {
        RoundsConfig {
            rounds: 10,
            generate: GenerateConfig {
                game: "breakthrough".into(),
                board: "5x5".into(),
                games: 1000,
                limits: Limits::nodes(10),
                seed: 1,
                opening_plies: (2, 4),
                deviate: 0.0,
            },
            growing,
            games_per_line: 10,
            memory,
            patience: 1,
            fit: FitConfig::default(),
            choosing: 2,
            gain: Validation {
                pairs: 10,
                least_pairs: 1,
                sprt: Sprt::new(0.0, 10.0, 0.05, 0.05, Model::Normalized).unwrap(),
                batch_pairs: 1,
            },
        }
    }

    #[test]
    fn rounds_grow_and_play_as_many_games_in_all() {
        let games = |growing| {
            (1..=10).map(|round| config(None, growing).games_of(round).games).collect::<Vec<_>>()
        };
        assert_eq!(games(false), [1000; 10]);
        let grown = games(true);
        assert!(grown.is_sorted() && grown[9] > 9 * grown[0], "{grown:?}");
        assert!(grown.iter().sum::<u64>().abs_diff(10_000) <= 10, "{grown:?}");
    }

    #[test]
    fn a_fit_takes_the_newer_half_of_the_rounds_or_as_many_as_it_is_told() {
        let fitted = |memory| {
            (1..=6).map(|round| config(memory, true).fitted_rounds(round)).collect::<Vec<_>>()
        };
        assert_eq!(fitted(None), [1..=1, 1..=2, 2..=3, 3..=4, 3..=5, 4..=6]);
        assert_eq!(fitted(Some(1)), [1..=1, 2..=2, 3..=3, 4..=4, 5..=5, 6..=6]);
        assert_eq!(fitted(all_rounds()), [1..=1, 1..=2, 1..=3, 1..=4, 1..=5, 1..=6]);
    }
}
