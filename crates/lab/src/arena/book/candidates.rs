//! The candidates of a book, which are judged on the calling thread or ahead of time on many.

use super::lines::BookLines;
use crate::any::{AnyEngine, AnyEvaluator, AnyOpening, AnyPosition};
use crate::arena::{BookConfig, EngineJudge, Pool, Queue, Task, Threads};
use crate::eval::Score;
use crate::game::Repetitions;
use crate::search::{Limits, Options, Stop};
use parking_lot::Mutex;
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

/// Nodes of the short search that judges a candidate.
const JUDGE_NODES: u64 = 400;
/// The table of that search, in bytes.
const JUDGE_TABLE: usize = 1 << 14;
/// Candidates that a thread judges at a time.
const PORTION: u64 = 4;
/// Candidates judged ahead for each thread: at first, so that a short match wastes few, and at
/// most.
const AHEAD: (u64, u64) = (4, 32);

/// A candidate for an opening.
pub(super) struct Candidate {
    pub(super) opening: AnyOpening,
    /// The key of its position.
    pub(super) key: u64,
    /// The score of a short search; `None` if it has not been judged.
    pub(super) score: Option<Score>,
}

/// The candidates of a book: each is a function of its number, and so is its score.
pub(super) struct Candidates {
    pub(super) start: AnyPosition,
    pub(super) config: BookConfig,
    /// The lines of a file of openings, if these are the candidates.
    pub(super) lines: Option<BookLines>,
    /// Judges whether a candidate is balanced; without a judge all are taken.
    pub(super) judge: Option<AnyEvaluator>,
    /// The external engine that judges, in a game that this program's engine does not play.
    pub(super) engine: Option<EngineJudge>,
    pub(super) engines: Pool<AnyEngine>,
    /// Positions that need no judgement, since the book does not give them out.
    pub(super) known: Mutex<KnownPositions>,
}

/// Positions that a book does not give out.
#[derive(Default)]
pub(super) struct KnownPositions {
    /// Positions given out since the book last started over.
    pub(super) seen: HashSet<u64>,
    /// Positions that another book has given out, which count until this book starts over.
    pub(super) avoided: HashSet<u64>,
    pub(super) is_renewed: bool,
}

impl KnownPositions {
    pub(super) fn contains(&self, key: u64) -> bool {
        self.seen.contains(&key) || (!self.is_renewed && self.avoided.contains(&key))
    }
}

impl Candidates {
    /// The candidate of a number, not judged yet; `None` if random play ended the game first.
    pub(super) fn get(&self, number: u64) -> Option<Candidate> {
        let opening = match &self.lines {
            Some(lines) => lines.opening(number)?,
            None => self.config.candidate(&self.start, number)?,
        };
        Some(Candidate { key: opening.position.key(), opening, score: None })
    }

    /// Whether there is a judge of the candidates.
    pub(super) fn are_judged(&self) -> bool {
        self.judge.is_some() || self.engine.is_some()
    }

    /// The score of an opening by a short search; 0 without a judge.
    pub(super) fn score(&self, opening: &AnyOpening) -> Score {
        if let Some(engine) = &self.engine {
            return engine.score(opening);
        }
        let Some(judge) = &self.judge else { return 0 };
        let mut engine = self.engines.take().unwrap_or_else(|| {
            judge.engine(Options { table_bytes: JUDGE_TABLE, ..Options::default() })
        });
        engine.clear();
        let (limits, met) = (Limits::nodes(JUDGE_NODES), Repetitions::default());
        let report = engine.search(&met, &opening.position, &limits, &Stop::default(), None);
        self.engines.give(engine);
        report.score
    }

    fn judged(&self, number: u64) -> Option<Candidate> {
        let mut candidate = self.get(number)?;
        if !self.known.lock().contains(candidate.key) {
            candidate.score = Some(self.score(&candidate.opening));
        }
        Some(candidate)
    }
}

/// Candidates that threads judge ahead of time.
pub(super) struct JudgedAhead {
    candidates: Arc<Candidates>,
    queue: Queue<Vec<Option<Candidate>>>,
    /// The candidates from number `next` on that are judged.
    judged: VecDeque<Option<Candidate>>,
    next: u64,
    /// The number after the last candidate that is being judged.
    end: u64,
    /// How many to judge ahead, now and at most.
    ahead: u64,
    most_ahead: u64,
    stop: Stop,
}

impl JudgedAhead {
    /// Begins with the candidate of number `first`.
    pub(super) fn new(candidates: &Arc<Candidates>, threads: &Threads, first: u64) -> Self {
        let count = threads.count() as u64;
        Self {
            candidates: candidates.clone(),
            queue: Queue::new(threads),
            judged: VecDeque::new(),
            next: first,
            end: first,
            ahead: AHEAD.0 * count,
            most_ahead: AHEAD.1 * count,
            stop: Stop::default(),
        }
    }

    /// The number of the candidate that comes next.
    pub(super) fn next_number(&self) -> u64 {
        self.next
    }

    /// The next candidate; `None` if random play ended the game first.
    pub(super) fn take(&mut self) -> Option<Candidate> {
        while self.end < self.next + self.ahead {
            let (candidates, stop) = (self.candidates.clone(), self.stop.clone());
            self.queue.submit(JudgeTask { candidates, first: self.end, stop });
            self.end += PORTION;
        }
        if self.judged.is_empty() {
            self.judged = self.queue.take().unwrap_or_default().into();
            self.ahead = (2 * self.ahead).min(self.most_ahead);
        }
        self.next += 1;
        self.judged.pop_front().flatten()
    }
}

impl Drop for JudgedAhead {
    fn drop(&mut self) {
        self.stop.set();
    }
}

/// Candidates to be judged, from number `first` on.
struct JudgeTask {
    candidates: Arc<Candidates>,
    first: u64,
    stop: Stop,
}

impl Task for JudgeTask {
    type Outcome = Vec<Option<Candidate>>;

    fn run(&self) -> Self::Outcome {
        if self.stop.is_set() {
            return Vec::new();
        }
        (self.first..self.first + PORTION).map(|number| self.candidates.judged(number)).collect()
    }

    fn given_up(&self) -> Self::Outcome {
        Vec::new()
    }
}
