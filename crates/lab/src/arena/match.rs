//! A match: pairs between two players until enough are played, a test reaches its verdict, or it is
//! stopped.

use super::book::{Book, BookState};
use super::pair::{DuelData, PairJob, PairResult, PairRunner};
use super::queue::{Queue, Task, Threads};
use super::remote::RemoteJob;
use super::sent_pair::SentGames;
use crate::error::{Error, Result};
use crate::eval::Game;
use crate::game::openings::Opening;
use crate::search::Stop;
use crate::stats::{PairCounts, Sprt, SprtTracker, Summary};
use serde::{Deserialize, Serialize};
use serde_json::Value;
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
pub struct PairDone<'a, G: Game> {
    /// Its number, from 0.
    pub number: u64,
    /// The candidate number of its opening.
    pub candidate: u64,
    /// The state of the book after giving out the opening.
    pub book: &'a BookState,
    /// The opening.
    pub opening: &'a Opening<G>,
    /// The two games.
    pub result: &'a PairResult<G>,
    /// The counts with this pair.
    pub counts: PairCounts,
    /// Why the match ends with this pair, if it does.
    pub end: Option<MatchEnd>,
}

/// A pair of a match, to be played by a thread or by a worker.
struct MatchPair<G: Game> {
    runner: PairRunner<G>,
    job: PairJob<G>,
    interrupt: Stop,
}

impl<G: Game> Task for MatchPair<G> {
    type Outcome = PairResult<G>;

    fn run(&self) -> PairResult<G> {
        match self.interrupt.is_set() {
            true => PairResult::stopped(),
            false => self.runner.play(&self.job),
        }
    }

    fn remote_job(&self) -> Option<RemoteJob> {
        let PairJob { opening, constants, limits, opponent, .. } = &self.job;
        self.runner.remote_job(DuelData {
            opening,
            weights: None,
            constants: constants.as_ref(),
            limits: *limits,
            opponent: opponent.as_ref(),
        })
    }

    fn read(&self, result: &Value) -> Result<PairResult<G>> {
        read_games(result, &self.job.opening, &self.runner)
    }

    fn write(&self, outcome: &PairResult<G>) -> Option<Value> {
        SentGames::new(&self.job.opening, outcome).and_then(|sent| serde_json::to_value(sent).ok())
    }

    fn given_up(&self) -> PairResult<G> {
        PairResult::stopped()
    }

    fn is_interrupted(&self) -> bool {
        self.interrupt.is_set()
    }
}

/// The games that a worker has sent for a pair from this opening.
///
/// # Errors
/// When they cannot be.
pub fn read_games<G: Game>(
    result: &Value,
    opening: &Opening<G>,
    runner: &PairRunner<G>,
) -> Result<PairResult<G>> {
    let sent = SentGames::deserialize(result).map_err(|error| Error::input("result", error))?;
    sent.read(opening, runner.settings().adjudication)
}

/// A match between two players.
pub struct Match<G: Game> {
    config: MatchConfig,
    runner: PairRunner<G>,
    evaluators: [G::Evaluator; 2],
    counts: PairCounts,
    tracker: Option<SprtTracker>,
}

impl<G: Game> Match<G> {
    /// A match before its first pair.
    pub fn new(config: MatchConfig, runner: PairRunner<G>, evaluators: [G::Evaluator; 2]) -> Self {
        let tracker = config.sprt.map(SprtTracker::new);
        Self { config, runner, evaluators, counts: PairCounts::default(), tracker }
    }

    /// Counts a pair, played just now or recorded earlier, by its [pair
    /// score](PairResult::pair_score).
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
    /// Those of `on_pair`, which sees every pair once, after it is counted.
    pub fn run(
        &mut self,
        book: &mut Book<G>,
        threads: &Threads,
        interrupt: &Stop,
        on_pair: &mut dyn FnMut(&PairDone<G>) -> Result<()>,
    ) -> Result<MatchEnd> {
        let mut queue = Queue::new(threads);
        let mut openings: VecDeque<(u64, Arc<Opening<G>>, BookState)> = VecDeque::new();
        loop {
            if let Some(end) = self.ended() {
                return Ok(end);
            }
            let in_hand = PAIRS_AHEAD * threads.players();
            let wanted = self.config.pairs.saturating_sub(self.counts.pairs());
            while openings.len() < in_hand && (openings.len() as u64) < wanted {
                let (candidate, opening) = book.draw();
                let opening = Arc::new(opening);
                let job = PairJob {
                    opening: opening.clone(),
                    evaluators: self.evaluators.clone(),
                    constants: None,
                    limits: None,
                    opponent: None,
                };
                openings.push_back((candidate, opening, book.state().clone()));
                let (runner, interrupt) = (self.runner.clone(), interrupt.clone());
                queue.submit(MatchPair { runner, job, interrupt });
            }
            let (Some((candidate, opening, state)), Some(result)) =
                (openings.pop_front(), queue.take())
            else {
                return Ok(MatchEnd::Stopped);
            };
            if !result.is_complete() {
                return Ok(MatchEnd::Stopped);
            }
            let number = self.counts.pairs();
            self.count(result.pair_score());
            let (counts, end, opening, book) = (self.counts, self.ended(), &*opening, &state);
            on_pair(&PairDone { number, candidate, book, opening, result: &result, counts, end })?;
        }
    }
}
