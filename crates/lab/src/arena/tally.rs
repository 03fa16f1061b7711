//! Statistics of a match beside the points.

use super::pair_record::PairRecord;
use super::play::SideTotals;
use crate::game::Outcome;
use serde::{Deserialize, Serialize};

/// Totals of a match's games, beside the points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatchTally {
    /// Moves, nodes and depths of the first and the second player.
    pub totals: [SideTotals; 2],
    /// Games forfeited by the first and the second player.
    pub forfeits: [u64; 2],
    /// Drawn games.
    pub draws: u64,
    /// Random openings drawn until now.
    pub drawn: u64,
    /// Pairs with an opening of their own. A pair whose opening was played before carries no
    /// information.
    pub distinct_pairs: u64,
}

impl MatchTally {
    /// Counts a pair from the opening with this candidate number; `is_distinct` says that the opening
    /// was not played before.
    pub fn add(&mut self, record: &PairRecord, candidate: u64, is_distinct: bool) {
        for (mine, new) in self.totals.iter_mut().zip(record.totals()) {
            mine.add(new);
        }
        for (mine, new) in self.forfeits.iter_mut().zip(record.forfeits()) {
            *mine = mine.saturating_add(new);
        }
        let drawn = record.games.iter().filter(|game| game.outcome == Outcome::Draw).count();
        self.draws = self.draws.saturating_add(drawn as u64);
        self.drawn = candidate.saturating_add(1);
        self.distinct_pairs = self.distinct_pairs.saturating_add(u64::from(is_distinct));
    }

    /// The nodes of both players.
    pub fn nodes(&self) -> u64 {
        self.totals.iter().fold(0, |sum, totals| sum.saturating_add(totals.nodes))
    }
}
