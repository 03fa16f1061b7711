//! The score of a match: pairs are counted until there are enough, or a test reaches its verdict.

use crate::stats::{PairCounts, Sprt, SprtTracker, Summary};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// When a match ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchConfig {
    /// The most pairs played, unless a test ends it sooner.
    pub pairs: u64,
    /// The test that ends the match with its verdict.
    pub sprt: Option<Sprt>,
    /// Pairs played even after a verdict, for an estimate that is worth quoting.
    pub least_pairs: u64,
    /// Whether a pair equal move by move to an earlier one is played but not counted: it carries no
    /// information.
    pub counts_once: bool,
}

impl MatchConfig {
    /// A match of at most `pairs` pairs, which the test, if there is one, may end sooner.
    pub fn new(pairs: u64, sprt: Option<Sprt>) -> Self {
        Self { pairs, sprt, least_pairs: 0, counts_once: false }
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
    /// It was interrupted.
    Stopped,
}

/// The score of a match between two players.
pub struct Match {
    config: MatchConfig,
    counts: PairCounts,
    /// Pairs equal to earlier ones.
    repeats: u64,
    /// The digests of the counted pairs, where equal ones count once.
    known: HashSet<u64>,
    tracker: Option<SprtTracker>,
}

impl Match {
    /// A match before its first pair.
    pub fn new(config: MatchConfig) -> Self {
        let tracker = config.sprt.map(SprtTracker::new);
        let (counts, known) = (PairCounts::default(), HashSet::new());
        Self { config, counts, repeats: 0, known, tracker }
    }

    /// When it ends.
    pub fn config(&self) -> &MatchConfig {
        &self.config
    }

    /// Counts a pair by its [pair score](super::PairRecord::pair_score), unless an earlier one had
    /// the same digest.
    pub fn count(&mut self, pair_score: u8, digest: Option<u64>) {
        if digest.is_some_and(|digest| !self.known.insert(digest)) {
            self.repeats += 1;
            return;
        }
        self.counts.add(pair_score);
        if let Some(tracker) = &mut self.tracker {
            tracker.add(pair_score);
        }
    }

    /// The pairs counted so far.
    pub fn counts(&self) -> PairCounts {
        self.counts
    }

    /// The pairs played so far, with those that did not count.
    pub fn played(&self) -> u64 {
        self.counts.pairs().saturating_add(self.repeats)
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

    /// Why no more pairs are needed, if so.
    pub fn ended(&self) -> Option<MatchEnd> {
        let played = self.played();
        let decided = self.tracker.as_ref().is_some_and(|tracker| tracker.verdict().is_some());
        if decided && played >= self.config.least_pairs {
            Some(MatchEnd::Verdict)
        } else {
            (played >= self.config.pairs).then_some(MatchEnd::Pairs)
        }
    }
}
