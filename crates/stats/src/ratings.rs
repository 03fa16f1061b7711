//! Ratings of a round robin, or of any set of matches between more than two players: [`rate`]
//! documents the method, and `fit` has the numerics.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::Serialize;

use super::elo::{ELO_PER_LOGIT, Interval, certain_interval, softplus};
use super::graph::components;
use super::pairs::{PairCounts, PairingResult};
use super::quantile::{TAIL, Z_95, los_of_z};
use super::root::root;
use crate::error::{Error, Result};

mod fit;
#[cfg(test)]
mod tests;

use fit::RatingFit;

/// A difference in Elo at which the weaker player hardly ever wins even one pair, and the stronger
/// one wins 2^64 in a row.
const FAR: f64 = 20_000.0;

/// The rating of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Rating {
    /// The pool that the player is rated in, from 0 for the largest; `None` outside all pools.
    /// Ratings of different pools are on scales that cannot be compared.
    pub pool: Option<usize>,
    /// The rating in Elo, on the scale where the mean of the pool is zero; `None` outside all
    /// pools, and if unplayable counts (above 10^9 pairs) drown the others in rounding.
    pub elo: Option<f64>,
    /// Half the width of the 95 % interval of `elo`, in Elo.
    #[serde(rename = "elo_error")]
    pub error: Option<f64>,
    /// The lower end of a 95 % interval of the rating: `elo` - `error` in the pool; for a player
    /// outside who won all pairs against one, a bound on its scale that holds for any number of
    /// pairs; else `None`.
    #[serde(rename = "elo_low")]
    pub low: Option<f64>,
    /// The upper end: `elo` + `error` in the pool; a bound for a player who lost all pairs against
    /// it.
    #[serde(rename = "elo_high")]
    pub high: Option<f64>,
    /// The mean score over all pairs, from 0 to 1; `None` without pairs.
    pub score: Option<f64>,
    /// The number of games played.
    pub games: u64,
}

/// How much stronger one player is than another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The difference in Elo; `None` unless both are in one pool.
    pub elo: Option<f64>,
    /// Half the width of its 95 % interval, in Elo. It does not follow from the two players' own
    /// errors, since these depend on each other.
    pub error: Option<f64>,
    /// The lower end of the interval; without it, that of the two players' own pairing.
    pub low: Option<f64>,
    /// The upper end of the interval; without it, that of the two players' own pairing.
    pub high: Option<f64>,
    /// The likelihood of superiority, from 0 to 1.
    pub los: Option<f64>,
}

/// The ratings of all players, and how they depend on each other.
#[derive(Clone, Debug)]
pub struct Ratings {
    players: Vec<Rating>,
    table: Table,
    /// The place of each player in a fit; `None` outside the pools.
    places: Vec<Option<Place>>,
    /// The fit of each pool.
    fits: Vec<Option<RatingFit>>,
}

/// Where a player is rated.
#[derive(Clone, Copy, Debug)]
struct Place {
    pool: usize,
    /// The number within the pool.
    member: usize,
}

/// All pairs by players, the smaller number first.
type Table = BTreeMap<(usize, usize), PairCounts>;

/// Rates `players` players, numbered from 0, by all their pairings; the same two players may meet
/// in several, in either order.
///
/// # The estimate
/// Maximum likelihood of the Bradley-Terry model, the score of a pair counted as a fraction of a
/// win: the ratings at which every player's expected points are the points scored. No prior is
/// used, so two players get exactly the Elo of their match. The maximum exists when, for any split
/// of the players in two, each side took a point from the other (Ford, 1957), that is, among
/// players who are all joined by chains of points taken. Each such group of two or more is a *pool*
/// with a scale of its own, on which its ratings have mean zero: no result says how the scales of
/// two pools relate.
///
/// A player outside a pool won every pair against it, or lost every pair, or never met it. Any
/// finite rating would come from a prior alone, so there is none; the player's pairs against the
/// largest pool met still bound the rating on one side.
///
/// # The error bars
/// The covariance is the robust one (White's sandwich): H^-1 J H^-1, with H the curvature of the
/// likelihood and J the variance of the points *as observed between pairs* of each pairing, about
/// their expectation. It does not assume that games are independent, nor any share of draws, and it
/// widens when results do not fit one scale of strength. Each pairing's squares are divided by
/// its pairs less the fitted parameters they determine (the leverage), and one more pair of two
/// independent drawless games is added. A pairing of equal pairs gets seven, so that its error is
/// that of a share of other pairs which n pairs do not show in one of forty matches.
///
/// Time grows with the cube of the number of players, memory with the square.
///
/// # Errors
/// Bad input, when a pairing names a player beyond `players` or a player against itself.
///
/// ```
/// use sparring_stats::{PairCounts, PairingResult, rate};
/// let pairing = |a, b, counts| PairingResult { a, b, counts: PairCounts::from_array(counts) };
/// let ratings = rate(3, &[
///     pairing(0, 1, [10, 20, 40, 30, 20]),
///     pairing(1, 2, [15, 20, 40, 25, 20]),
///     pairing(0, 2, [5, 20, 40, 30, 25]),
/// ])?;
/// let elo: Vec<f64> = ratings.players().iter().filter_map(|rating| rating.elo).collect();
/// assert!(elo[0] > elo[1] && elo[1] > elo[2]);
/// assert!(elo.iter().sum::<f64>().abs() < 1e-9);
/// assert!(ratings.los(0, 2).unwrap() > 0.99);
/// # Ok::<(), sparring_stats::error::Error>(())
/// ```
pub fn rate(players: usize, pairings: &[PairingResult]) -> Result<Ratings> {
    let table = tabulate(players, pairings)?;
    let pools = pools(players, &table);
    let mut places = vec![None; players];
    for (pool, members) in pools.iter().enumerate() {
        for (member, &player) in members.iter().enumerate() {
            places[player] = Some(Place { pool, member });
        }
    }
    let fit = |(pool, members): (usize, &Vec<usize>)| {
        RatingFit::new(members.len(), &pairings_within(&table, &places, pool))
    };
    let fits = pools.iter().enumerate().map(fit).collect();
    let mut ratings = Ratings { players: Vec::new(), table, places, fits };
    ratings.players = ratings.all();
    Ok(ratings)
}

/// Checks the pairings, and adds up the pairings of the same two players.
fn tabulate(players: usize, pairings: &[PairingResult]) -> Result<Table> {
    let mut table = Table::new();
    for (number, &PairingResult { a, b, counts }) in pairings.iter().enumerate() {
        let place = || format!("pairing {number}");
        if a.max(b) >= players {
            return Err(Error::input(place(), format!("there is no player {}", a.max(b)))
                .remedy(format!("the {players} players are numbered from 0")));
        }
        if a == b {
            return Err(Error::input(place(), format!("player {a} against itself"))
                .remedy("name two players"));
        }
        *table.entry((a.min(b), a.max(b))).or_default() +=
            if a < b { counts } else { counts.mirrored() };
    }
    Ok(table)
}

/// The groups of players who can be rated together, joined by chains of points taken: the largest
/// first, and among equally large groups the one with most pairs. A single player is no group.
fn pools(players: usize, table: &Table) -> Vec<Vec<usize>> {
    let mut beat = vec![Vec::new(); players];
    for (&(a, b), counts) in table {
        if counts.won() > 0.0 {
            beat[a].push(b);
        }
        if counts.lost() > 0.0 {
            beat[b].push(a);
        }
    }
    let inside = |group: &[usize], a: &usize, b: &usize| group.contains(a) && group.contains(b);
    let pairs = |group: &[usize]| {
        table
            .iter()
            .filter(|((a, b), _)| inside(group, a, b))
            .map(|(_, counts)| counts.total())
            .sum::<f64>()
    };
    let mut groups = components(&beat);
    groups.retain(|group| group.len() > 1);
    let size = |group: &[usize]| (group.len() as f64, pairs(group));
    groups.sort_by(|a, b| size(b).partial_cmp(&size(a)).unwrap_or(Ordering::Equal));
    groups
}

/// The pairings inside a pool, with the players' numbers in it.
fn pairings_within(table: &Table, places: &[Option<Place>], pool: usize) -> Vec<PairingResult> {
    let member =
        |player: usize| places[player].filter(|place| place.pool == pool).map(|place| place.member);
    let pairing = |(&(a, b), &counts): (&(usize, usize), &PairCounts)| {
        Some(PairingResult { a: member(a)?, b: member(b)?, counts }).filter(|_| counts.pairs() > 0)
    };
    table.iter().filter_map(pairing).collect()
}

impl Ratings {
    /// The rating of each player, by number.
    pub fn players(&self) -> &[Rating] {
        &self.players
    }

    /// The numbers of the players, the strongest first.
    pub fn ranking(&self) -> Vec<usize> {
        // A player outside the pools has won or lost all games against them.
        let place = |&player: &usize| match self.players[player] {
            Rating { pool: Some(pool), elo: Some(elo), .. } => (pool as f64, -elo),
            Rating { score, .. } if score > Some(0.5) => (-1.0, 0.0),
            _ => (f64::INFINITY, 0.0),
        };
        let score = |player: &usize| self.players[*player].score.unwrap_or(0.0);
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        order.sort_by(|a, b| {
            let places = place(a).partial_cmp(&place(b)).unwrap_or(Ordering::Equal);
            places.then(score(b).total_cmp(&score(a)))
        });
        order
    }

    /// How much stronger player `i` is than player `j`. Both numbers are defined if both players
    /// are in one pool; otherwise the players' own pairing may bound the difference.
    ///
    /// # Panics
    /// When there is no player `i` or `j`.
    pub fn difference(&self, i: usize, j: usize) -> Difference {
        let Some((elo, deviation)) = self.fitted_difference(i, j) else {
            let Interval { low, high } = self.direct(i, j);
            return Difference { elo: None, error: None, low, high, los: None };
        };
        let error = Z_95 * deviation;
        Difference {
            elo: Some(elo),
            error: Some(error),
            low: Some(elo - error),
            high: Some(elo + error),
            los: (deviation > 0.0).then(|| los_of_z(elo / deviation)),
        }
    }

    /// The likelihood of superiority, from 0 to 1: the probability that player `i` is stronger than
    /// `j`. `None` unless both are in one pool, or for a player and itself.
    ///
    /// # Panics
    /// When there is no player `i` or `j`.
    pub fn los(&self, i: usize, j: usize) -> Option<f64> {
        self.difference(i, j).los
    }

    /// The difference in Elo and its standard error.
    fn fitted_difference(&self, i: usize, j: usize) -> Option<(f64, f64)> {
        let (i, j) = (self.places[i]?, self.places[j]?);
        let fit = self.fits[i.pool].as_ref().filter(|_| i.pool == j.pool)?;
        let (logits, variance) = fit.difference(i.member, j.member);
        Some((ELO_PER_LOGIT * logits, ELO_PER_LOGIT * variance.sqrt()))
    }

    /// The interval that the pairing of these two gives by itself.
    fn direct(&self, i: usize, j: usize) -> Interval {
        let counts = self.table.get(&(i.min(j), i.max(j))).copied().unwrap_or_default();
        certain_interval(&if i < j { counts } else { counts.mirrored() })
    }

    /// The rating of every player.
    fn all(&self) -> Vec<Rating> {
        let mut totals = vec![PairCounts::default(); self.places.len()];
        for (&(a, b), &counts) in &self.table {
            totals[a] += counts;
            totals[b] += counts.mirrored();
        }
        let rating = |(player, counts): (usize, &PairCounts)| {
            let rating = self.inside(player).unwrap_or_else(|| self.outside(player));
            Rating { score: counts.score(), games: counts.games(), ..rating }
        };
        totals.iter().enumerate().map(rating).collect()
    }

    /// The rating of a player in a pool.
    fn inside(&self, player: usize) -> Option<Rating> {
        let Place { pool, member } = self.places[player]?;
        let (logits, variance) = self.fits[pool].as_ref()?.rating(member);
        let (elo, error) = (ELO_PER_LOGIT * logits, Z_95 * ELO_PER_LOGIT * variance.sqrt());
        let (low, high) = (Some(elo - error), Some(elo + error));
        let pool = Some(pool);
        Some(Rating { pool, elo: Some(elo), error: Some(error), low, high, ..Rating::default() })
    }

    /// The bound for a player outside all pools: on one side, on the scale of the largest pool met.
    fn outside(&self, player: usize) -> Rating {
        let against = |wins: bool| -> Vec<(f64, f64)> {
            let met = |&other: &usize| self.swept(player, other, wins).is_some();
            let pool_of = |other: usize| self.places[other].map(|place| place.pool);
            let pool = (0..self.places.len()).filter(met).filter_map(pool_of).min();
            (0..self.places.len())
                .filter(|&other| pool_of(other) == pool)
                .filter_map(|other| self.swept(player, other, wins))
                .collect()
        };
        Rating {
            low: sweep_bound(&against(true)),
            high: sweep_bound(&against(false)).map(|bound| -bound),
            ..Rating::default()
        }
    }

    /// The pairs of a player outside all pools who won (or lost) all of them against one inside,
    /// with the cautious end of the opponent's own interval, as the winner sees it.
    fn swept(&self, player: usize, other: usize, wins: bool) -> Option<(f64, f64)> {
        let counts = self.table.get(&(player.min(other), player.max(other)))?;
        let counts = if player < other { *counts } else { counts.mirrored() };
        let opponent = self.inside(other)?;
        match (wins, counts.won() > 0.0, counts.lost() > 0.0) {
            (true, true, false) => Some((counts.total(), opponent.low?)),
            (false, false, true) => Some((counts.total(), -opponent.high?)),
            _ => None,
        }
    }
}

/// The least rating of a player who won all of some pairs (number, opponent's rating): the rating
/// at which such a sweep has probability 0.025. Winning a pair twice is no likelier than its
/// expected score, so a sweep of N pairs against a rating r is no likelier than score^N.
fn sweep_bound(pairs: &[(f64, f64)]) -> Option<f64> {
    let lowest = pairs.iter().map(|&(_, elo)| elo).min_by(f64::total_cmp)?;
    let highest = pairs.iter().map(|&(_, elo)| elo).max_by(f64::total_cmp)?;
    let log_chance = |elo: f64| -> f64 {
        pairs
            .iter()
            .map(|&(count, opponent)| -count * softplus((opponent - elo) / ELO_PER_LOGIT))
            .sum()
    };
    Some(root(|elo| log_chance(elo) - TAIL.ln(), lowest - FAR, highest + FAR))
}
