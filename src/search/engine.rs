//! The engine as the rest of the program sees it.

use super::busy::InProgress;
use super::driver::deepen;
use super::enhanced::Enhanced;
use super::full::{Full, Heuristics};
use super::limits::{Limits, Stop};
use super::parallel;
use super::params::{SearchConstants, Switches};
use super::plain::Plain;
use super::table::TranspositionTable;
use super::trail::LineKeys;
use super::work::{Counters, SearchBudget};
use crate::error::{Error, Result, by_name};
use crate::eval::{Evaluator, Game, Score};
use crate::game::{Position, Repetitions};
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

/// A way of searching.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Algorithm {
    /// Alpha-beta to a fixed depth and nothing else (A1 of the 2009 article).
    Plain,
    /// Iterative deepening, table, static ordering, null move (A2 of the 2009 article).
    Enhanced,
    /// Everything that makes the engine stronger.
    #[default]
    Full,
}

impl Algorithm {
    /// Every algorithm.
    pub const ALL: [Algorithm; 3] = [Algorithm::Plain, Algorithm::Enhanced, Algorithm::Full];

    /// The name in commands.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Plain => "plain",
            Algorithm::Enhanced => "enhanced",
            Algorithm::Full => "full",
        }
    }
}

impl std::fmt::Display for Algorithm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Algorithm {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        by_name("algorithm", text, &Self::ALL, Self::name)
    }
}

/// How an engine searches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The size of the transposition table in bytes.
    pub table_bytes: usize,
    /// The constants of the full search.
    pub params: SearchConstants,
    /// The parts of the full search that are on.
    pub switches: Switches,
    /// The threads of one full search, at least 1; the other algorithms use one. With more than one
    /// the nodes, and sometimes the answer, differ from run to run.
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::default(),
            table_bytes: 64 << 20,
            params: SearchConstants::default(),
            switches: Switches::ALL,
            threads: 1,
        }
    }
}

impl Options {
    /// The table that suits a limit: large ones cost time to clear, which short searches cannot
    /// earn back.
    pub fn table_for(limits: &Limits) -> usize {
        const LARGEST: u64 = 64 << 20;
        const SMALLEST: u64 = 1 << 20;
        /// Up to this depth the smallest table will do; each ply more visits several times the
        /// nodes.
        const SHALLOW: u32 = 5;
        // A game is some forty searches of a side; an entry takes 16 bytes.
        let by_nodes = limits.nodes.map_or(LARGEST, |nodes| nodes.saturating_mul(40 * 16));
        let by_depth = limits
            .depth
            .map_or(LARGEST, |depth| SMALLEST << (2 * depth.saturating_sub(SHALLOW)).min(6));
        by_nodes.min(by_depth).clamp(SMALLEST, LARGEST) as usize
    }
}

/// The result of a finished iteration.
#[derive(Debug)]
pub struct DepthReport<'a, P: Position> {
    /// Its depth in plies.
    pub depth: u32,
    /// The score from the side to move.
    pub score: Score,
    /// The principal variation.
    pub line: &'a [P::Move],
    /// What has been counted since the search began.
    pub counters: Counters,
    /// The time since the search began.
    pub elapsed: Duration,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report<P: Position> {
    /// The move to play; `None` only when the game is over.
    pub best: Option<P::Move>,
    /// The score from the side to move.
    pub score: Score,
    /// The last depth finished, in plies.
    pub depth: u32,
    /// The principal variation, beginning with the best move.
    pub line: Vec<P::Move>,
    /// What was counted.
    pub counters: Counters,
    /// How long it took.
    pub elapsed: Duration,
}

impl<P: Position> Report<P> {
    pub(super) fn empty() -> Self {
        Self {
            best: None,
            score: 0,
            depth: 0,
            line: Vec::new(),
            counters: Counters::default(),
            elapsed: Duration::ZERO,
        }
    }
}

/// An engine: an evaluator, a way of searching, and what it remembers from move to move.
///
/// ```
/// use sparring::eval::Game;
/// use sparring::game::Position;
/// use sparring::games::Breakthrough;
/// use sparring::search::{Engine, Limits, Options, Stop};
/// let weights = sparring::weights::find("atachiants", "breakthrough").unwrap();
/// let evaluator = Breakthrough::evaluator(&weights).unwrap();
/// let mut engine = Engine::<Breakthrough>::new(evaluator, Options { table_bytes: 1 << 20, ..Options::default() });
/// let position = Breakthrough::from_fen("8/8/3P4/8/8/8/pp6/8 w - - 0 1").unwrap();
/// let report = engine.search(&position, &Limits::depth(5), &Stop::default(), &mut |_| {});
/// assert!(report.best.is_some());
/// ```
pub struct Engine<G: Game> {
    evaluator: G::Evaluator,
    options: Options,
    table: Arc<TranspositionTable>,
    heuristics: Heuristics,
    /// Those of the threads beside the first.
    helpers: Vec<Heuristics>,
    /// What they search, if there are any.
    busy: Option<InProgress>,
}

impl<G: Game> Engine<G> {
    /// An engine with empty tables.
    pub fn new(evaluator: G::Evaluator, options: Options) -> Self {
        let table = Arc::new(TranspositionTable::new(options.table_bytes));
        let heuristics = Heuristics::new::<G>(&options.params);
        let helpers: Vec<_> =
            (1..options.threads).map(|_| heuristics.shared(&options.params)).collect();
        let busy = (!helpers.is_empty()).then(InProgress::new);
        Self { evaluator, table, heuristics, helpers, busy, options }
    }

    /// Takes another evaluator. What the tables hold belongs to the old one:
    /// [`clear`](Engine::clear) them.
    pub fn set_evaluator(&mut self, evaluator: G::Evaluator) {
        self.evaluator = evaluator;
    }

    /// Takes other constants. What the tables hold belongs to the old ones:
    /// [`clear`](Engine::clear) them.
    pub fn set_params(&mut self, params: &SearchConstants) {
        if self.options.params != *params {
            self.options.params = params.clone();
            self.heuristics.set_params(params);
            self.helpers.iter_mut().for_each(|helper| helper.set_params(params));
        }
    }

    /// Forgets everything: before each game.
    pub fn clear(&mut self) {
        match Arc::get_mut(&mut self.table) {
            Some(table) => table.clear(),
            None => self.table = Arc::new(TranspositionTable::new(self.options.table_bytes)),
        }
        self.heuristics.clear();
    }

    /// How this engine searches.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The evaluator.
    pub fn evaluator(&self) -> &G::Evaluator {
        &self.evaluator
    }

    /// The transposition table, to look at how full it is, during a search too. It must be let go
    /// of before the engine is cleared, which otherwise takes a new table.
    pub fn table(&self) -> &Arc<TranspositionTable> {
        &self.table
    }

    /// Searches a position until a limit is reached, telling of each finished iteration.
    ///
    /// Limits without any bound end only with the stop flag or a proven result. Several threads
    /// together visit no more nodes than allowed, and may leave some hundreds for each of them
    /// unused.
    pub fn search(
        &mut self,
        position: &G,
        limits: &Limits,
        stop: &Stop,
        on_depth: &mut dyn FnMut(&DepthReport<G>),
    ) -> Report<G> {
        self.search_after(&Repetitions::default(), position, limits, stop, on_depth)
    }

    /// As [`search`](Self::search), in a game in which these positions have been met: those that
    /// would be a draw when met once more are one in the search too. Whether the position itself is
    /// counted among them makes no difference.
    pub fn search_after(
        &mut self,
        met: &Repetitions,
        position: &G,
        limits: &Limits,
        stop: &Stop,
        on_depth: &mut dyn FnMut(&DepthReport<G>),
    ) -> Report<G> {
        let root = (position, LineKeys::after::<G>(met));
        let limits = &limits.at(position);
        let evaluator = &self.evaluator;
        let unit = evaluator.unit();
        match self.options.algorithm {
            Algorithm::Plain => deepen(
                position,
                &mut Plain::new(root, evaluator, limits, stop),
                limits,
                unit,
                on_depth,
            ),
            Algorithm::Enhanced => {
                // The article clears its table before every move.
                if let Some(table) = Arc::get_mut(&mut self.table) {
                    table.clear();
                }
                let mut search = Enhanced::new(root, evaluator, &self.table, limits, stop);
                deepen(position, &mut search, limits, unit, on_depth)
            }
            Algorithm::Full => {
                self.table.age();
                self.heuristics.age();
                let busy = self.busy.as_ref();
                let (table, options, work) =
                    (&self.table, &self.options, SearchBudget::new(limits, stop));
                let first =
                    Full::new(root, evaluator, table, options, &mut self.heuristics, work, busy);
                let helpers =
                    self.helpers.iter_mut().map(|helper| first.helper(options, helper)).collect();
                parallel::search(position, first, helpers, limits, unit, on_depth)
            }
        }
    }
}
