//! Openings for a match or a tune: random ones, all different and balanced, or the openings of a
//! file.
//!
//! Candidate number n is a line of random plies from a generator of its own, so a book depends on
//! its configuration alone. A candidate is taken if no earlier one led to the same position and a
//! short search finds it balanced: its absolute score is within the limit that a set share of a
//! sample keeps. When too many candidates in a row are rejected, the reachable positions count as
//! used up, and the book starts over. The openings of a file are all taken, in random order. In a
//! game that our engine does not play, an external engine judges random openings against a fixed
//! limit.

mod candidates;
mod config;
mod engine_judge;
pub mod file;
mod lines;
mod texts;

pub use config::BookConfig;
pub use engine_judge::EngineJudge;
pub use file::{BookFile, BookPart};

use crate::any::{AnyEvaluator, AnyOpening};
use crate::arena::pool::Pool;
use crate::arena::queue::Threads;
use crate::error::Result;
use crate::eval::Score;
use crate::games::GameId;
use crate::search::score::is_proven;
use candidates::{Candidate, Candidates, JudgedAhead};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Candidates whose scores set the threshold of balance.
pub(super) const SAMPLE: u64 = 64;
/// Candidates rejected in a row after which the book starts over.
const MAX_REJECTED: u64 = 1000;

/// Counts of a book's candidates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BookStats {
    /// Candidates drawn so far, kept or not.
    pub drawn: u64,
    /// Candidates that became openings of pairs.
    pub kept: u64,
    /// Candidates that repeated an earlier position.
    pub repeated: u64,
    /// Candidates that were lopsided, or whose random plies ended the game.
    pub lopsided: u64,
    /// How often the book was used up and started over.
    pub renewed: u64,
}

/// The state of a book. [`Book::rewind`] needs only this and the candidate numbers given out since
/// the book last started over.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BookState {
    /// The number of the next candidate, from 0.
    pub next: u64,
    /// Openings given out since the book last started over.
    pub fresh: u64,
    /// Whether lopsided openings are taken because there are no others.
    pub unjudged: bool,
    /// The counts so far.
    pub stats: BookStats,
}

/// A source of openings.
pub struct Book {
    candidates: Arc<Candidates>,
    /// The greatest absolute score of a balanced opening, measured when the first candidate is
    /// judged.
    threshold: Option<Score>,
    threads: Option<Threads>,
    ahead: Option<JudgedAhead>,
    /// The candidate numbers of all openings given out.
    given: Vec<u64>,
    state: BookState,
}

impl Book {
    /// A book that keeps the random candidates which `judge` finds balanced, or takes all openings
    /// of a file.
    ///
    /// # Errors
    /// As [`BookConfig::check_for`].
    pub fn new(game: GameId, config: BookConfig, judge: Option<&AnyEvaluator>) -> Result<Self> {
        let lines = config.lines(game)?;
        let candidates = Candidates {
            start: game.start(config.board.parse()?)?,
            judge: judge.filter(|_| lines.is_none()).cloned(),
            engine: None,
            lines,
            config,
            engines: Pool::default(),
            known: Mutex::default(),
        };
        Ok(Self {
            candidates: Arc::new(candidates),
            threshold: None,
            threads: None,
            ahead: None,
            given: Vec::new(),
            state: BookState::default(),
        })
    }

    /// Lets an external engine judge random openings if the configuration has a `balance`. Call it
    /// before the first draw.
    #[must_use]
    pub fn judged_by(mut self, engine: Option<EngineJudge>) -> Self {
        let Some(candidates) = Arc::get_mut(&mut self.candidates) else { return self };
        let is_judged = candidates.lines.is_none() && candidates.judge.is_none();
        if let Some(balance) = candidates.config.balance.filter(|_| is_judged) {
            candidates.engine = engine;
            self.threshold = Some(Score::try_from(balance).unwrap_or(Score::MAX));
        }
        self
    }

    /// Judges candidates ahead of time on these threads. The openings stay the same.
    pub fn judge_on(&mut self, threads: &Threads) {
        self.threads = Some(threads.clone());
    }

    /// The counts so far.
    pub fn stats(&self) -> BookStats {
        self.state.stats
    }

    /// The state, from which the book can continue later.
    pub fn state(&self) -> &BookState {
        &self.state
    }

    /// The number of openings given out so far.
    pub fn given(&self) -> usize {
        self.given.len()
    }

    /// The next opening and its candidate number.
    pub fn draw(&mut self) -> (u64, AnyOpening) {
        let mut rejected = 0;
        loop {
            if rejected >= MAX_REJECTED {
                self.start_over();
                rejected = 0;
            }
            let number = self.state.next;
            let candidate = self.take(number);
            self.state.next += 1;
            self.state.stats.drawn += 1;
            rejected += 1;
            let Some(candidate) = candidate else {
                self.state.stats.lopsided += 1;
                continue;
            };
            if self.candidates.known.lock().contains(candidate.key) {
                self.state.stats.repeated += 1;
            } else if !self.is_balanced(&candidate) {
                self.state.stats.lopsided += 1;
            } else {
                self.candidates.known.lock().seen.insert(candidate.key);
                self.given.push(number);
                self.state.stats.kept += 1;
                self.state.fresh += 1;
                return (number, candidate.opening);
            }
        }
    }

    fn start_over(&mut self) {
        let mut known = self.candidates.known.lock();
        known.seen.clear();
        known.is_renewed = true;
        self.state.stats.renewed += 1;
        // If no balanced opening was left at all, lopsided ones are better than none.
        self.state.unjudged |= self.state.fresh == 0;
        self.state.fresh = 0;
    }

    /// Marks the openings of these candidate numbers as given out. The book was in `state` after
    /// them.
    pub fn recall(&mut self, numbers: &[u64], state: BookState) {
        let known = match state.stats.renewed > self.state.stats.renewed {
            true => 0,
            false => self.given.len(),
        };
        self.given.extend(numbers);
        self.see(known, state);
    }

    /// Takes back all openings except the first `given`. The book was in `state` after those.
    pub fn rewind(&mut self, given: usize, state: BookState) {
        self.given.truncate(given);
        self.see(0, state);
    }

    /// Takes on a state. The positions of the first `known` openings are noted already.
    fn see(&mut self, known: usize, state: BookState) {
        let fresh = usize::try_from(state.fresh).unwrap_or(usize::MAX);
        let from = self.given.len().saturating_sub(fresh).max(known);
        let openings = self.given[from..].iter().filter_map(|&number| self.candidates.get(number));
        let keys: Vec<u64> = openings.map(|candidate| candidate.key).collect();
        let mut positions = self.candidates.known.lock();
        if known == 0 {
            positions.seen.clear();
        }
        positions.seen.extend(keys);
        positions.is_renewed = state.stats.renewed > 0;
        self.state = state;
    }

    /// Avoids the openings that another book has given out, until this book starts over.
    pub fn avoid(&mut self, other: &Self) {
        let seen = other.candidates.known.lock().seen.clone();
        self.candidates.known.lock().avoided.extend(seen);
    }

    /// The opening of a candidate number; `None` if random play ended the game first.
    pub fn candidate(&self, number: u64) -> Option<AnyOpening> {
        self.candidates.get(number).map(|candidate| candidate.opening)
    }

    /// The candidate of a number, already judged if threads judge ahead.
    fn take(&mut self, number: u64) -> Option<Candidate> {
        let is_judged = !self.state.unjudged && self.candidates.are_judged();
        let Some(threads) = self.threads.as_ref().filter(|_| is_judged) else {
            return self.candidates.get(number);
        };
        let ahead = self.ahead.take().filter(|ahead| ahead.next_number() == number);
        let ahead = ahead.unwrap_or_else(|| JudgedAhead::new(&self.candidates, threads, number));
        self.ahead.insert(ahead).take()
    }

    fn is_balanced(&mut self, candidate: &Candidate) -> bool {
        if self.state.unjudged || !self.candidates.are_judged() {
            return true;
        }
        let judged = candidate.score;
        let score = judged.unwrap_or_else(|| self.candidates.score(&candidate.opening));
        !is_proven(score) && score.abs() <= self.threshold()
    }

    /// The absolute score that the wanted share (`keep`) of a sample of candidates does not exceed.
    fn threshold(&mut self) -> Score {
        let Self { candidates, threads, .. } = self;
        *self.threshold.get_or_insert_with(|| {
            let score = |number: usize| {
                let sample = candidates.get(number as u64);
                sample.map(|sample| candidates.score(&sample.opening).abs())
            };
            let scores = match threads {
                Some(threads) => threads.map_ordered(SAMPLE as usize, score),
                None => (0..SAMPLE as usize).map(score).collect(),
            };
            let mut scores: Vec<Score> = scores.into_iter().flatten().collect();
            scores.sort_unstable();
            let wanted = (scores.len() as f64 * candidates.config.keep).ceil() as usize;
            scores[wanted.clamp(1, scores.len()) - 1]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Breakthrough;
    use crate::player::{DefaultWeights, Player};

    fn book(board: &str, plies: u32) -> Book {
        let game = GameId::of::<Breakthrough>();
        let player = Player::find(game, Some("piece"), DefaultWeights::HandMade).unwrap();
        let config = BookConfig {
            board: board.into(),
            plies,
            keep: 0.3,
            seed: 5,
            balance: None,
            file: None,
        };
        Book::new(game, config, Some(&game.evaluator(&player.weights).unwrap())).unwrap()
    }

    #[test]
    fn openings_judged_ahead_are_those_judged_one_by_one() {
        // After one ply there are few positions, so that the book starts over.
        for (board, plies, count, renews) in [("6x6", 3, 300, false), ("5x5", 1, 24, true)] {
            let mut plain = book(board, plies);
            let drawn: Vec<u64> = (0..count).map(|_| plain.draw().0).collect();
            assert_eq!(plain.stats().renewed > 0, renews, "{board}");
            for threads in [1, 3] {
                let mut judged = book(board, plies);
                judged.judge_on(&Threads::new(threads).unwrap());
                assert_eq!((0..count).map(|_| judged.draw().0).collect::<Vec<_>>(), drawn);
                assert_eq!(judged.state(), plain.state());
                // The draws that follow are the same after others are taken back, or recalled.
                let mut recalled = book(board, plies);
                recalled.judge_on(&Threads::new(threads).unwrap());
                let mut earlier = book(board, plies);
                for _ in 0..count / 3 {
                    let (number, _) = earlier.draw();
                    recalled.recall(&[number], earlier.state().clone());
                }
                judged.rewind(count / 3, earlier.state().clone());
                for mut book in [judged, recalled] {
                    let rest: Vec<u64> = (count / 3..count).map(|_| book.draw().0).collect();
                    assert_eq!(rest, drawn[count / 3..]);
                }
            }
        }
    }

    #[test]
    fn an_avoided_opening_comes_only_once_all_are_used_up() {
        let mut first = book("6x6", 3);
        let taken: Vec<u64> = (0..50).map(|_| first.draw().0).collect();
        let mut second = book("6x6", 3);
        second.avoid(&first);
        second.judge_on(&Threads::new(2).unwrap());
        assert!((0..50).all(|_| !taken.contains(&second.draw().0)));
    }
}
