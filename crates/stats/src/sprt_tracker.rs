//! A sequential probability ratio test that follows a match.

use super::pairs::PairCounts;
use super::sprt::{Sprt, Verdict};
use super::summary::Summary;

/// Follows a match pair by pair and freezes the verdict at the pair that crossed a bound.
///
/// Pairs in progress at that moment may still be added: they count in [`counts`](Self::counts) and
/// [`llr`](Self::llr), but do not change the verdict.
///
/// ```
/// use sparring_stats::{Model, Sprt, SprtTracker, Verdict};
/// let mut tracker = SprtTracker::new(Sprt::new(0.0, 200.0, 0.05, 0.05, Model::Logistic)?);
/// while tracker.add(4).is_none() {}
/// let decided_at = tracker.decided_at();
/// (0..100).for_each(|_| {
///     tracker.add(0);
/// });
/// assert_eq!(tracker.verdict(), Some(Verdict::H1));
/// assert_eq!(tracker.decided_at(), decided_at);
/// # Ok::<(), sparring_stats::error::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SprtTracker {
    sprt: Sprt,
    counts: PairCounts,
    /// The verdict, and the counts at its pair.
    decision: Option<(Verdict, PairCounts)>,
}

impl SprtTracker {
    /// A tracker that has seen no pair.
    pub fn new(sprt: Sprt) -> Self {
        Self { sprt, counts: PairCounts::default(), decision: None }
    }

    /// Counts one more pair (see [`PairCounts::add`]) and returns the verdict so far.
    ///
    /// # Panics
    /// When `pair_score` is above 4.
    pub fn add(&mut self, pair_score: u8) -> Option<Verdict> {
        self.counts.add(pair_score);
        if self.decision.is_none() {
            let verdict = self.llr().and_then(|llr| self.sprt.verdict_at(llr));
            self.decision = verdict.map(|verdict| (verdict, self.counts));
        }
        self.verdict()
    }

    /// The verdict, once a bound has been crossed.
    pub fn verdict(&self) -> Option<Verdict> {
        self.decision.map(|(verdict, _)| verdict)
    }

    /// The number of pairs at which the bound was crossed.
    pub fn decided_at(&self) -> Option<u64> {
        self.counts_at_verdict().map(|counts| counts.pairs())
    }

    /// The counts at that pair.
    pub(super) fn counts_at_verdict(&self) -> Option<PairCounts> {
        self.decision.map(|(_, counts)| counts)
    }

    /// All pairs added, including those after the verdict.
    pub fn counts(&self) -> &PairCounts {
        &self.counts
    }

    /// The LLR of all pairs added; `None` before the first.
    pub fn llr(&self) -> Option<f64> {
        self.sprt.llr(&self.counts)
    }

    /// The test that is followed.
    pub fn sprt(&self) -> &Sprt {
        &self.sprt
    }

    /// The summary of all pairs added, with the frozen verdict.
    pub fn summary(&self) -> Summary {
        Summary { verdict: self.verdict(), ..Summary::of(&self.counts, Some(&self.sprt)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;

    fn sprt(elo0: f64, elo1: f64, model: Model) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap()
    }

    #[test]
    fn a_verdict_stays_when_later_pairs_speak_against_it() {
        for model in [Model::Normalized, Model::Logistic] {
            let mut tracker = SprtTracker::new(sprt(0.0, 100.0, model));
            let pairs = [4, 2, 4, 3, 4].into_iter().cycle().take(2000);
            let crossed = pairs.take_while(|&pair| tracker.add(pair).is_none()).count() as u64 + 1;
            assert_eq!(tracker.decided_at(), Some(crossed));
            (0..3000).for_each(|_| assert_eq!(tracker.add(0), Some(Verdict::H1)));
            assert_eq!(tracker.decided_at(), Some(crossed));
            assert_eq!(tracker.counts().pairs(), crossed + 3000);
            assert_eq!(tracker.sprt().verdict_at(tracker.llr().unwrap()), Some(Verdict::H0));
            assert_eq!(tracker.summary().verdict, Some(Verdict::H1));
        }
    }

    #[test]
    fn the_tracker_decides_at_the_first_pair_past_the_bound() {
        let test = sprt(0.0, 60.0, Model::Normalized);
        let mut tracker = SprtTracker::new(test);
        let mut counts = PairCounts::default();
        for pair_score in [2, 1, 0, 3, 2, 1].into_iter().cycle().take(600) {
            let verdict = tracker.add(pair_score);
            counts.add(pair_score);
            assert_eq!(verdict, test.verdict_at(test.llr(&counts).unwrap()));
            if verdict.is_some() {
                return;
            }
        }
        panic!("600 pairs at minus 40 Elo did not fail a test of 0 against 60");
    }
}
