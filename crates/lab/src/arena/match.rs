//! The score of a match: pairs are counted until there are enough, or a test reaches its verdict.

use crate::stats::{PairCounts, Sprt, SprtTracker, Summary};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// Pairs in a row that repeat earlier ones move by move, after which further pairs say nothing.
pub const MOST_REPEATS: u64 = 64;

/// When a match ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchConfig {
    /// The number of pairs, unless a test ends the match sooner.
    pub pairs: u64,
    /// The test that ends the match with its verdict.
    pub sprt: Option<Sprt>,
    /// Pairs played even after a verdict, for an estimate that is worth quoting.
    pub least_pairs: u64,
    /// Whether a pair equal move by move to an earlier one is played but not counted: it carries no
    /// information.
    pub counts_once: bool,
    /// Whether [`MOST_REPEATS`] such pairs in a row end the match.
    pub ends_on_repeats: bool,
}

impl MatchConfig {
    /// A match of at most `pairs` pairs, which the test, if there is one, may end sooner.
    pub fn new(pairs: u64, sprt: Option<Sprt>) -> Self {
        Self { pairs, sprt, least_pairs: 0, counts_once: false, ends_on_repeats: false }
    }
}

/// Why a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum MatchEnd {
    /// All pairs are played.
    Pairs,
    /// The test has its verdict.
    Verdict,
    /// 64 pairs in a row repeated earlier ones move by move.
    Repeats,
    /// A signal or the user stopped the match.
    Stopped,
}

/// The score of a match between two players.
pub struct Match {
    config: MatchConfig,
    counts: PairCounts,
    /// Pairs equal to earlier ones.
    repeats: u64,
    /// Void pairs, which have no score.
    void: u64,
    /// Recognises repeated pairs, if equal pairs count once.
    watch: RepeatWatch,
    tracker: Option<SprtTracker>,
}

impl Match {
    /// A match before its first pair.
    pub fn new(config: MatchConfig) -> Self {
        let tracker = config.sprt.map(SprtTracker::new);
        let (counts, watch) = (PairCounts::default(), RepeatWatch::default());
        Self { config, counts, repeats: 0, void: 0, watch, tracker }
    }

    /// The pairs and the test that end the match.
    pub fn config(&self) -> &MatchConfig {
        &self.config
    }

    /// Counts a pair by its [pair score](super::PairRecord::pair_score), unless an earlier one had
    /// the same digest.
    pub fn count(&mut self, pair_score: u8, digest: Option<u64>) {
        if digest.is_some_and(|digest| !self.watch.add(digest)) {
            self.repeats += 1;
            return;
        }
        self.counts.add(pair_score);
        if let Some(tracker) = &mut self.tracker {
            tracker.add(pair_score);
        }
    }

    /// Counts a pair by its score, or as void if it has none.
    pub fn note(&mut self, pair_score: Option<u8>, digest: Option<u64>) {
        match pair_score {
            Some(pair_score) => self.count(pair_score, digest),
            None => self.void += 1,
        }
    }

    /// The void pairs so far.
    pub fn void(&self) -> u64 {
        self.void
    }

    /// The pairs so far that repeated earlier ones, and did not count.
    pub fn repeats(&self) -> u64 {
        self.repeats
    }

    /// The pairs counted so far.
    pub fn counts(&self) -> PairCounts {
        self.counts
    }

    /// The pairs played so far, including those that did not count.
    pub fn played(&self) -> u64 {
        self.counts.pairs().saturating_add(self.repeats).saturating_add(self.void)
    }

    /// The test, if there is one.
    pub fn tracker(&self) -> Option<&SprtTracker> {
        self.tracker.as_ref()
    }

    /// The numbers so far, with the frozen verdict.
    pub fn summary(&self) -> Summary {
        match &self.tracker {
            Some(tracker) => tracker.summary(),
            None => Summary::of(&self.counts, None),
        }
    }

    /// Why the match has ended; `None` while it needs more pairs.
    pub fn ended(&self) -> Option<MatchEnd> {
        let played = self.played();
        let decided = self.tracker.as_ref().is_some_and(|tracker| tracker.verdict().is_some());
        if decided && played >= self.config.least_pairs {
            Some(MatchEnd::Verdict)
        } else if self.config.ends_on_repeats && self.watch.is_over() {
            Some(MatchEnd::Repeats)
        } else {
            (played >= self.config.pairs).then_some(MatchEnd::Pairs)
        }
    }
}

/// Recognises pairs that repeat earlier ones move by move.
#[derive(Clone, Debug, Default)]
pub struct RepeatWatch {
    /// The digests of the pairs so far.
    known: HashSet<u64>,
    in_a_row: u64,
}

impl RepeatWatch {
    /// Notes a pair by its [digest](super::PairRecord::digest), and returns whether it is new.
    pub fn add(&mut self, digest: u64) -> bool {
        let is_new = self.known.insert(digest);
        self.in_a_row = if is_new { 0 } else { self.in_a_row + 1 };
        is_new
    }

    /// The different pairs so far.
    pub fn distinct(&self) -> u64 {
        self.known.len() as u64
    }

    /// Whether the latest [`MOST_REPEATS`] pairs all repeated earlier ones.
    pub fn is_over(&self) -> bool {
        self.in_a_row >= MOST_REPEATS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn void_pairs_are_played_and_do_not_count() {
        let mut score = Match::new(MatchConfig::new(3, None));
        for pair_score in [Some(4), None, Some(2)] {
            assert_eq!(score.ended(), None);
            score.note(pair_score, None);
        }
        assert_eq!((score.counts().pairs(), score.void(), score.played()), (2, 1, 3));
        assert_eq!(score.ended(), Some(MatchEnd::Pairs));
    }

    #[test]
    fn repeats_in_a_row_end_a_match_that_asks_for_it() {
        let config = MatchConfig { counts_once: true, ..MatchConfig::new(1_000, None) };
        let ends = |ends_on_repeats| {
            let mut score = Match::new(MatchConfig { ends_on_repeats, ..config });
            for pair in 0..1_000 {
                if score.ended().is_some() {
                    break;
                }
                // A new pair comes in the midst of the first repeats.
                score.count(2, Some(if pair == 40 { 2 } else { 1 }));
            }
            (score.ended(), score.played(), score.counts().pairs())
        };
        assert_eq!(ends(true), (Some(MatchEnd::Repeats), 41 + MOST_REPEATS, 2));
        assert_eq!(ends(false), (Some(MatchEnd::Pairs), 1_000, 2));
    }
}
