//! Openings for a match or a tune: random, all different, the balanced ones of them.
//!
//! Candidate number n is a line of random plies from a generator of its own, so a book is a
//! function of its configuration. A candidate is taken when no earlier one led to the same position
//! and when a short search finds it balanced: its score is nearer to zero than that of a set share
//! of a sample. When candidate after candidate is a repetition, the positions that can be reached
//! are used up, and the book begins anew.

use super::seed::generator;
use crate::any::{AnyEngine, AnyEvaluator, AnyOpening, AnyPosition};
use crate::error::{Error, Result};
use crate::eval::Score;
use crate::game::{Board, Repetitions};
use crate::games::GameId;
use crate::search::score::is_proven;
use crate::search::{Limits, Options, Stop};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// Candidates whose scores set the threshold of balance.
const SAMPLE: u64 = 64;
/// Nodes of the short search that judges a candidate.
const JUDGE_NODES: u64 = 400;
/// The table of that search, in bytes.
const JUDGE_TABLE: usize = 1 << 14;
/// Candidates rejected in a row after which the book begins anew.
const MAX_REJECTED: u64 = 1000;
/// The stream of candidates below a book's seed.
const CANDIDATES: u64 = 1;

/// A book's openings are a function of this.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BookConfig {
    /// The board, for example `8x8`.
    pub board: String,
    /// Random plies of an opening, at most [`BookConfig::MAX_PLIES`].
    pub plies: u32,
    /// The share of candidates, the most balanced ones, that is kept: above 0, at most 1 (1 keeps
    /// all but lost ones).
    pub keep: f64,
    /// The seed of the random plies.
    pub seed: u64,
}

impl BookConfig {
    /// The share of candidates kept by default.
    pub const KEEP: f64 = 0.5;
    /// The most random plies of an opening. No game here lasts as long.
    pub const MAX_PLIES: u32 = 1000;

    /// The usual openings of a board.
    pub fn new(game: GameId, board: Board, seed: u64) -> Self {
        let plies = game.default_opening_plies(board);
        Self { board: board.to_string(), plies, keep: Self::KEEP, seed }
    }

    /// Checks the numbers.
    ///
    /// # Errors
    /// When one is out of range.
    pub fn check(&self) -> Result<()> {
        if self.plies > Self::MAX_PLIES {
            return Err(Error::input(
                format!("openings of {} random plies", self.plies),
                "out of range",
            )
            .remedy(format!("give at most {} with --plies", Self::MAX_PLIES)));
        }
        if !(self.keep > 0.0 && self.keep <= 1.0) {
            return Err(Error::input(
                format!("share of openings kept, {}", self.keep),
                "out of range",
            )
            .remedy("give a number above 0 and at most 1 with --keep"));
        }
        Ok(())
    }

    /// Checks also that there are such openings.
    ///
    /// # Errors
    /// When the board does not exist, a number is out of range, or random play always ends in fewer
    /// plies.
    pub fn check_for(&self, game: GameId) -> Result<()> {
        self.check()?;
        let start = game.start(self.board.parse()?)?;
        if (0..SAMPLE).any(|number| self.candidate(&start, number).is_some()) {
            return Ok(());
        }
        Err(Error::input(
            format!("openings of {} random plies on {}", self.plies, self.board),
            "every game is over by then",
        )
        .remedy("ask for fewer with --plies"))
    }

    fn candidate(&self, start: &AnyPosition, number: u64) -> Option<AnyOpening> {
        let mut generator = generator(self.seed, &[CANDIDATES, number]);
        start.random_line(self.plies, &mut generator)
    }
}

/// Counts of a book's candidates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BookStats {
    /// Candidates drawn.
    pub drawn: u64,
    /// Openings given out.
    pub kept: u64,
    /// Candidates that repeated an earlier position.
    pub repeated: u64,
    /// Candidates that were lopsided or over before they began.
    pub lopsided: u64,
    /// How often the book was used up and began anew.
    pub renewed: u64,
}

/// The state of a book. Together with the candidate numbers given out since the book last began
/// anew it is all that [`Book::restore`] needs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BookState {
    /// The number of the next candidate, from 0.
    pub next: u64,
    /// Openings given out since the book last began anew.
    pub fresh: u64,
    /// Whether lopsided openings are taken because there are no others.
    pub unjudged: bool,
    /// The counts so far.
    pub stats: BookStats,
}

/// A source of openings.
pub struct Book {
    start: AnyPosition,
    config: BookConfig,
    judge: AnyEngine,
    threshold: Score,
    seen: HashSet<u64>,
    /// Positions that another book has given out.
    avoided: HashSet<u64>,
    state: BookState,
}

impl Book {
    /// A book whose candidates are judged with `evaluator`.
    ///
    /// # Errors
    /// When the board does not exist, a number is out of range, or random play always ends in fewer
    /// plies.
    pub fn new(game: GameId, config: BookConfig, evaluator: &AnyEvaluator) -> Result<Self> {
        config.check_for(game)?;
        let options = Options { table_bytes: JUDGE_TABLE, ..Options::default() };
        let mut book = Self {
            start: game.start(config.board.parse()?)?,
            config,
            judge: evaluator.engine(options),
            threshold: 0,
            seen: HashSet::new(),
            avoided: HashSet::new(),
            state: BookState::default(),
        };
        book.threshold = book.measure_threshold();
        Ok(book)
    }

    /// The counts so far.
    pub fn stats(&self) -> BookStats {
        self.state.stats
    }

    /// The state now.
    pub fn state(&self) -> &BookState {
        &self.state
    }

    /// The next opening and its candidate number.
    pub fn draw(&mut self) -> (u64, AnyOpening) {
        let mut rejected = 0;
        loop {
            if rejected >= MAX_REJECTED {
                self.seen.clear();
                self.avoided.clear();
                self.state.stats.renewed += 1;
                // Nothing balanced may be left at all: then lopsided openings are better than none.
                self.state.unjudged |= self.state.fresh == 0;
                self.state.fresh = 0;
                rejected = 0;
            }
            let number = self.state.next;
            self.state.next += 1;
            self.state.stats.drawn += 1;
            rejected += 1;
            let Some(opening) = self.candidate(number) else {
                self.state.stats.lopsided += 1;
                continue;
            };
            let key = opening.position.key();
            if self.seen.contains(&key) || self.avoided.contains(&key) {
                self.state.stats.repeated += 1;
            } else if !self.is_balanced(&opening) {
                self.state.stats.lopsided += 1;
            } else {
                self.seen.insert(key);
                self.state.stats.kept += 1;
                self.state.fresh += 1;
                return (number, opening);
            }
        }
    }

    /// Puts the book into the state after giving out the openings of these candidate numbers, in
    /// this order.
    pub fn restore(&mut self, given: &[u64], state: BookState) {
        let fresh = given.len().saturating_sub(usize::try_from(state.fresh).unwrap_or(usize::MAX));
        let keys = given[fresh..].iter().filter_map(|&number| self.candidate(number));
        self.seen = keys.map(|opening| opening.position.key()).collect();
        if state.stats.renewed > 0 {
            self.avoided.clear();
        }
        self.state = state;
    }

    /// Gives out no opening that another book has given out, until everything is used up.
    pub fn avoid(&mut self, other: &Self) {
        self.avoided.extend(&other.seen);
    }

    /// The opening of a candidate number; `None` if random play ended before.
    pub fn candidate(&self, number: u64) -> Option<AnyOpening> {
        self.config.candidate(&self.start, number)
    }

    fn score(&mut self, opening: &AnyOpening) -> Score {
        self.judge.clear();
        let limits = Limits::nodes(JUDGE_NODES);
        let met = Repetitions::default();
        self.judge.search(&met, &opening.position, &limits, &Stop::default(), None).score
    }

    fn is_balanced(&mut self, opening: &AnyOpening) -> bool {
        if self.state.unjudged {
            return true;
        }
        let score = self.score(opening);
        !is_proven(score) && score.abs() <= self.threshold
    }

    /// The score that the wanted share of a sample of candidates stays within.
    fn measure_threshold(&mut self) -> Score {
        let sample: Vec<AnyOpening> = (0..SAMPLE).filter_map(|n| self.candidate(n)).collect();
        let mut scores: Vec<Score> =
            sample.iter().map(|opening| self.score(opening).abs()).collect();
        scores.sort_unstable();
        let wanted = (scores.len() as f64 * self.config.keep).ceil() as usize;
        scores[wanted.clamp(1, scores.len()) - 1]
    }
}
