//! Statistics of a match beside the points.

use crate::arena::{GameEnding, GameRecord, PairRecord, SideTotals};
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
    /// Games that neither player won.
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
        let drawn = record
            .games
            .iter()
            .filter(|game| game.outcome == Outcome::Draw && !game.is_void())
            .count();
        self.draws = self.draws.saturating_add(drawn as u64);
        self.drawn = candidate.saturating_add(1);
        self.distinct_pairs = self.distinct_pairs.saturating_add(u64::from(is_distinct));
    }

    /// The nodes of both players.
    pub fn nodes(&self) -> u64 {
        self.totals.iter().fold(0, |sum, totals| sum.saturating_add(totals.nodes))
    }
}

/// Games that ended before the rules of the game ended them, and the check of those that scores
/// end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EarlyEnds {
    /// Games that the players' scores ended.
    pub by_scores: u64,
    /// Games that scores would have ended, and that were played on as a check to the end that their
    /// rules gave them. What a crash, the clock, a failed referee or the most plies ended checks nothing.
    pub checked: u64,
    /// Checked games with another result than the scores would have given.
    pub wrong: u64,
    /// Games lost on time.
    pub on_time: u64,
    /// Games forfeited for any other reason, such as a crash.
    pub forfeited: u64,
    /// Games that reached the most plies, and are draws.
    #[serde(default, skip_serializing_if = "crate::session::ledger::is_zero")]
    pub by_length: u64,
}

impl EarlyEnds {
    /// The counts of these games.
    pub fn of(games: &[GameRecord]) -> Self {
        let count =
            |is_one: &dyn Fn(&&GameRecord) -> bool| games.iter().filter(is_one).count() as u64;
        let is_checked = |game: &&GameRecord| {
            let is_judged = matches!(game.ending, GameEnding::Rules | GameEnding::Adjudicated);
            is_judged && game.audit.is_some()
        };
        let is_wrong = |game: &&GameRecord| {
            is_checked(game) && game.audit.as_ref().is_some_and(|it| it.result != game.result)
        };
        Self {
            by_scores: count(&|game| game.ending == GameEnding::Scores),
            checked: count(&is_checked),
            wrong: count(&is_wrong),
            on_time: count(&|game| game.ending == GameEnding::Time),
            forfeited: count(&|game| game.ending == GameEnding::Forfeit),
            by_length: count(&|game| game.ending == GameEnding::Length),
        }
    }

    /// Whether every game ended by its rules.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds the counts of other games.
    pub fn add(&mut self, other: Self) {
        let Self { by_scores, checked, wrong, on_time, forfeited, by_length } = other;
        self.by_scores = self.by_scores.saturating_add(by_scores);
        self.checked = self.checked.saturating_add(checked);
        self.wrong = self.wrong.saturating_add(wrong);
        self.on_time = self.on_time.saturating_add(on_time);
        self.forfeited = self.forfeited.saturating_add(forfeited);
        self.by_length = self.by_length.saturating_add(by_length);
    }
}

impl std::iter::Sum for EarlyEnds {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        let mut sum = Self::default();
        all.for_each(|counts| sum.add(counts));
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Audit;

    #[test]
    fn only_ends_by_the_rules_check_the_scores() {
        let record = serde_json::json!({
            "game": "chess", "board": "8x8", "pair": 0, "players": ["a", "b"], "opening": "",
            "moves": "", "result": "1-0", "ending": "rules"
        });
        let game = |ending, result: &str| GameRecord {
            result: result.into(),
            ending,
            audit: Some(Audit { result: "1-0".into(), ply: 9 }),
            ..serde_json::from_value(record.clone()).unwrap()
        };
        let games = [
            game(GameEnding::Rules, "1-0"),
            game(GameEnding::Rules, "0-1"),
            game(GameEnding::Adjudicated, "0-1"),
            game(GameEnding::Length, "1/2-1/2"),
            game(GameEnding::Forfeit, "0-1"),
            game(GameEnding::Time, "0-1"),
        ];
        let found = EarlyEnds::of(&games);
        assert_eq!((found.checked, found.wrong), (3, 2));
        assert_eq!((found.by_length, found.forfeited, found.on_time), (1, 1, 1));
    }
}
