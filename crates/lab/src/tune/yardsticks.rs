//! The matches after the validation: how strong the candidate is against known sets.
//!
//! Beating the start does not make a set strong. So the candidate, accepted or not, meets the
//! yardsticks of its board, at the limits of the tune and at others, on openings that follow the
//! openings of the validation. These matches decide nothing, so their Elo needs no correction.

use super::validation::MOST_GAMES;
use crate::error::{Error, Result};
use crate::game::Board;
use crate::games::GameId;
use crate::search::Limits;
use crate::stats::Summary;
use crate::tune::Validation;
use crate::weights::{YardstickElo, yardsticks};
use serde::{Deserialize, Serialize};

/// Games of a tune for each pair of a match: four matches then take less than 3 % of the games.
const GAMES_FOR_A_PAIR: u64 = 300;
/// The most pairs of a match by default: the Elo is known to some 15 then.
const MOST_PAIRS: u64 = 400;
/// The other limits are this share of the tune's, or, if that is too little, larger by the same
/// factor.
const OTHER: (u64, u64) = (3, 10);
/// The fewest nodes or milliseconds that are reduced.
const LEAST_SHARED: u64 = 100;

/// The start's name among the yardsticks.
pub(super) const START: &str = "start";
/// Games of a tune of an engine for each pair of its match at longer limits, and the most of these
/// pairs.
const GAMES_FOR_A_LONG_PAIR: u64 = 50;
const MOST_LONG_PAIRS: u64 = 200;
/// How much longer these limits are, and by how many plies.
const LONGER: f64 = 4.0;
const DEEPER: u32 = 2;

/// The matches of a candidate that measure it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Yardsticks {
    /// Pairs of each match; 0 leaves them out.
    pub pairs: u64,
    /// The names of the shipped sets that are met; `start` is the start of the tune.
    pub sets: Vec<String>,
    /// The limits of a move in the matches against each.
    pub limits: Vec<Limits>,
}

/// The result of one of these matches, finished or not.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct YardstickMatch {
    /// The name of the shipped set.
    pub against: String,
    /// The limits of a move.
    pub limits: Limits,
    /// Whether the set was an opponent in the tune, so that the candidate has learnt against it.
    pub trained: bool,
    /// The statistics of the match, as the candidate sees them.
    #[serde(rename = "match")]
    pub summary: Summary,
}

impl YardstickMatch {
    /// The part that the provenance keeps.
    pub(super) fn elo(&self) -> YardstickElo {
        YardstickElo {
            against: self.against.clone(),
            limits: self.limits.to_string(),
            games: self.summary.games,
            elo: self.summary.elo,
            elo_error: self.summary.elo_error,
        }
    }
}

impl Yardsticks {
    /// The yardsticks of a board for a tune of `games` games at `limits`; `pairs` as asked for, by
    /// default in proportion to the games.
    pub fn of(game: GameId, board: Board, limits: Limits, games: u64, pairs: Option<u64>) -> Self {
        let usual = (games / GAMES_FOR_A_PAIR).min(MOST_PAIRS);
        let sets = yardsticks(game.name, &board.to_string(), game.guide.default_set);
        Self {
            pairs: pairs.unwrap_or(usual),
            sets: sets.into_iter().map(|set| set.name.into()).collect(),
            limits: vec![limits, other(limits)],
        }
    }

    /// The match of a tuned engine: against its start at four times the limits of the tune, since
    /// gains at short limits may vanish at longer ones.
    pub fn at_longer_limits(limits: Limits, games: u64, pairs: Option<u64>) -> Self {
        let usual = (games / GAMES_FOR_A_LONG_PAIR).min(MOST_LONG_PAIRS);
        let depth = limits.depth.map(|depth| depth + DEEPER);
        let longer = Limits { depth, ..limits.share(LONGER) };
        Self { pairs: pairs.unwrap_or(usual), sets: vec![START.into()], limits: vec![longer] }
    }

    /// Whether nothing is played.
    pub fn is_empty(&self) -> bool {
        self.pairs == 0
    }

    /// The set and the limits of each match, in the order in which they are played.
    pub fn matches(&self) -> impl Iterator<Item = (&str, Limits)> {
        let sets = self.sets.iter().filter(|_| !self.is_empty());
        sets.flat_map(|set| self.limits.iter().map(|&limits| (set.as_str(), limits)))
    }

    /// How long each match lasts, in batches like the validation's.
    pub(super) fn length(&self, validation: &Validation) -> Validation {
        Validation { pairs: self.pairs, least_pairs: self.pairs, ..*validation }
    }

    pub(super) fn check(&self) -> Result<()> {
        if self.pairs > MOST_GAMES {
            let reason = format!("{} are too many", self.pairs);
            return Err(Error::input("pairs against each yardstick", reason)
                .remedy(format!("give at most {MOST_GAMES} with --yardstick-pairs")));
        }
        self.limits.iter().try_for_each(Limits::check)
    }
}

/// Other limits, at which the strength of a set may differ: smaller ones, which take less time,
/// unless the limits are small already.
fn other(limits: Limits) -> Limits {
    let share = |n: u64| match n {
        n if n >= LEAST_SHARED => n / OTHER.1 * OTHER.0,
        n => n.saturating_mul(OTHER.1) / OTHER.0,
    };
    Limits {
        nodes: limits.nodes.map(share),
        depth: limits.depth.map(|depth| if depth > 1 { depth - 1 } else { depth + 1 }),
        movetime: limits.movetime.map(|time| {
            std::time::Duration::from_millis(share(time.as_millis().try_into().unwrap_or(u64::MAX)))
        }),
        clock: limits.share(OTHER.0 as f64 / OTHER.1 as f64).clock,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Breakthrough;

    #[test]
    fn the_matches_are_few_for_the_games_of_the_tune() {
        let of = |games, pairs| {
            Yardsticks::of(
                GameId::of::<Breakthrough>(),
                Board::new(8, 8),
                Limits::nodes(1000),
                games,
                pairs,
            )
        };
        assert_eq!(of(30_000, None).pairs, 100);
        assert_eq!((of(200, None).pairs, of(200, None).matches().count()), (0, 0));
        assert_eq!((of(30_000, Some(7)).pairs, of(u64::MAX, None).pairs), (7, 400));
        let usual = of(30_000, None);
        let met: Vec<_> = usual.matches().map(|(set, limits)| (set, limits.nodes)).collect();
        let (piece, best) = ("breakthrough/piece", "breakthrough/8x8-network");
        let nodes = [Some(1000), Some(300)];
        assert_eq!(met, [(piece, nodes[0]), (piece, nodes[1]), (best, nodes[0]), (best, nodes[1])]);
    }

    #[test]
    fn other_limits_are_valid_and_other() {
        for limits in [Limits::nodes(1), Limits::nodes(99), Limits::nodes(100), Limits::depth(1)] {
            assert!(other(limits).check().is_ok() && other(limits) != limits, "{limits}");
        }
    }
}
