//! A match: pairs between two players until enough are played, a test reaches its verdict, or it is
//! stopped.

use super::book::{Book, BookState};
use super::pair::PairRunner;
use super::pair_record::PairRecord;
use super::pair_task::PairTask;
use super::queue::{Queue, Threads};
use super::spec::{PairSpec, Sets};
use crate::any::AnyOpening;
use crate::error::Result;
use crate::search::Stop;
use crate::stats::{PairCounts, Sprt, SprtTracker, Summary};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::Arc;

/// Pairs submitted ahead for each that plays: enough that nobody waits for the next one.
const PAIRS_AHEAD: usize = 3;

/// When a match ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchConfig {
    /// The most pairs played, unless a test ends it sooner.
    pub pairs: u64,
    /// The test that ends the match with its verdict.
    pub sprt: Option<Sprt>,
    /// Pairs played even after a verdict, for an estimate that is worth quoting.
    pub least_pairs: u64,
}

impl MatchConfig {
    /// A match of so many pairs, which the test, if there is one, may end sooner.
    pub fn new(pairs: u64, sprt: Option<Sprt>) -> Self {
        Self { pairs, sprt, least_pairs: 0 }
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

/// A pair that has just been counted.
#[derive(Debug)]
pub struct PairDone<'a> {
    /// Its number, from 0.
    pub number: u64,
    /// The candidate number of its opening.
    pub candidate: u64,
    /// The state of the book after giving out the opening.
    pub book: &'a BookState,
    /// The opening.
    pub opening: &'a AnyOpening,
    /// The pair as it was to be played.
    pub spec: &'a PairSpec,
    /// The two games.
    pub record: &'a PairRecord,
    /// The counts with this pair.
    pub counts: PairCounts,
    /// Why the match ends with this pair, if it does.
    pub end: Option<MatchEnd>,
}

/// A match between two players.
pub struct Match {
    config: MatchConfig,
    runner: PairRunner,
    /// Every pair but for its opening.
    pair: PairSpec,
    sets: Arc<Sets>,
    counts: PairCounts,
    tracker: Option<SprtTracker>,
}

impl Match {
    /// A match before its first pair. All pairs are like `pair`, each from an opening of its own.
    pub fn new(config: MatchConfig, runner: PairRunner, pair: PairSpec, sets: Sets) -> Self {
        let tracker = config.sprt.map(SprtTracker::new);
        let (sets, counts) = (Arc::new(sets), PairCounts::default());
        Self { config, runner, pair, sets, counts, tracker }
    }

    /// Counts a pair, played just now or recorded earlier, by its [pair
    /// score](PairRecord::pair_score).
    pub fn count(&mut self, pair_score: u8) {
        self.counts.add(pair_score);
        if let Some(tracker) = &mut self.tracker {
            tracker.add(pair_score);
        }
    }

    /// The pairs counted so far.
    pub fn counts(&self) -> PairCounts {
        self.counts
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
        let played = self.counts.pairs();
        let decided = self.tracker.as_ref().is_some_and(|tracker| tracker.verdict().is_some());
        if decided && played >= self.config.least_pairs {
            Some(MatchEnd::Verdict)
        } else {
            (played >= self.config.pairs).then_some(MatchEnd::Pairs)
        }
    }

    /// Plays on until the match ends. Pairs are counted in order; `interrupt` lets those that have
    /// begun finish, and no other begins.
    ///
    /// # Errors
    /// When a pair cannot be played, and those of `on_pair`, which sees every pair once, after it is
    /// counted.
    pub fn run(
        &mut self,
        book: &mut Book,
        threads: &Threads,
        interrupt: &Stop,
        on_pair: &mut dyn FnMut(&PairDone) -> Result<()>,
    ) -> Result<MatchEnd> {
        book.judge_on(threads);
        let mut queue = Queue::new(threads);
        let mut openings: VecDeque<(u64, AnyOpening, PairSpec, BookState)> = VecDeque::new();
        loop {
            if let Some(end) = self.ended() {
                return Ok(end);
            }
            let in_hand = PAIRS_AHEAD * threads.players();
            let wanted = self.config.pairs.saturating_sub(self.counts.pairs());
            while openings.len() < in_hand && (openings.len() as u64) < wanted {
                let (candidate, opening) = book.draw();
                let spec = self.pair.from_opening(&opening);
                let task = PairTask {
                    runner: self.runner.clone(),
                    sets: self.sets.clone(),
                    spec: spec.clone(),
                    interrupt: interrupt.clone(),
                };
                openings.push_back((candidate, opening, spec, book.state().clone()));
                queue.submit(task);
            }
            let (Some((candidate, opening, spec, state)), Some(record)) =
                (openings.pop_front(), queue.take())
            else {
                return Ok(MatchEnd::Stopped);
            };
            let record = record?;
            if !record.is_complete() {
                return Ok(MatchEnd::Stopped);
            }
            let number = self.counts.pairs();
            self.count(record.pair_score());
            let (counts, end, book) = (self.counts, self.ended(), &state);
            let (opening, spec, record) = (&opening, &spec, &record);
            on_pair(&PairDone { number, candidate, book, opening, spec, record, counts, end })?;
        }
    }
}
