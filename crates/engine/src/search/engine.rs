//! The engine's public interface for one game.

use super::budget::SearchBudget;
use super::constants::SearchConstants;
use super::deepening::deepen;
use super::enhanced::Enhanced;
use super::fill::Fill;
use super::full::{Full, Heuristics};
use super::in_progress::InProgress;
use super::limits::{Limits, Stop};
use super::line_keys::{LineKeys, Root};
use super::lines::{Lines, RootMoves};
#[cfg(feature = "tree-search")]
use super::mcts::{self, TreeMemory};
use super::options::{Algorithm, Options};
use super::parallel;
use super::plain::Plain;
use super::report::{DepthReport, Report};
use super::table::TranspositionTable;
use crate::eval::{Evaluator, Game};
#[cfg(feature = "endgames")]
use crate::game::KnownValues;
use crate::game::Repetitions;
use std::sync::Arc;

/// An engine: an evaluator, a search method, and the memory it keeps between moves.
///
/// ```
/// use sparring_engine::eval::Game;
/// use sparring_engine::game::Notation;
/// use sparring_engine::games::Breakthrough;
/// use sparring_engine::search::{Engine, Limits, Options, Stop};
/// let weights = sparring_engine::weights::find("atachiants", "breakthrough").unwrap();
/// let evaluator = Breakthrough::evaluator(&weights).unwrap();
/// let options = Options { table_bytes: 1 << 20, ..Options::default() };
/// let mut engine = Engine::<Breakthrough>::new(evaluator, options);
/// let position = Breakthrough::from_fen("8/8/3P4/8/8/8/pp6/8 w - - 0 1").unwrap();
/// let report = engine.search(&position, &Limits::depth(5), &Stop::default(), &mut |_| {});
/// assert!(report.best.is_some());
/// ```
pub struct Engine<G: Game> {
    evaluator: G::Evaluator,
    options: Options,
    table: Arc<TranspositionTable>,
    heuristics: Heuristics<G>,
    /// The states of all threads except the first.
    helpers: Vec<Heuristics<G>>,
    /// The moves that threads are searching, if there are several threads.
    in_progress: Option<InProgress>,
    /// The tree of a tree search, kept between moves.
    #[cfg(feature = "tree-search")]
    trees: Option<TreeMemory<G>>,
    /// Known values for the full search, such as an endgame database.
    #[cfg(feature = "endgames")]
    known: Option<Arc<dyn KnownValues<G>>>,
}

impl<G: Game> Engine<G> {
    /// An engine with empty tables.
    pub fn new(evaluator: G::Evaluator, options: Options) -> Self {
        #[cfg(feature = "tree-search")]
        let trees = options.algorithm.is_tree_search().then(|| TreeMemory::new(&options));
        let table = Arc::new(TranspositionTable::new(table_bytes(&options)));
        let heuristics = Heuristics::new(&options.constants);
        let helpers: Vec<_> =
            (1..options.threads).map(|_| heuristics.for_helper(&options.constants)).collect();
        let in_progress = (!helpers.is_empty()).then(InProgress::new);
        Self {
            evaluator,
            table,
            heuristics,
            helpers,
            in_progress,
            #[cfg(feature = "tree-search")]
            trees,
            #[cfg(feature = "endgames")]
            known: None,
            options,
        }
    }

    /// Replaces the evaluator. The tables still hold values of the old one:
    /// [`clear`](Engine::clear) them.
    pub fn set_evaluator(&mut self, evaluator: G::Evaluator) {
        self.evaluator = evaluator;
    }

    /// Replaces the search constants. The tables still hold values of the old ones:
    /// [`clear`](Engine::clear) them.
    pub fn set_constants(&mut self, constants: &SearchConstants) {
        if self.options.constants != *constants {
            self.options.constants = constants.clone();
            self.heuristics.set_constants(constants);
            self.helpers.iter_mut().for_each(|helper| helper.set_constants(constants));
        }
    }

    /// Provides known values of positions, for example of an endgame database. Only the full search
    /// uses them.
    #[cfg(feature = "endgames")]
    pub fn set_known(&mut self, known: Option<Arc<dyn KnownValues<G>>>) {
        self.known = known;
    }

    /// Clears all memory, as before each game.
    pub fn clear(&mut self) {
        match Arc::get_mut(&mut self.table) {
            Some(table) => table.clear(),
            None => self.table = Arc::new(TranspositionTable::new(table_bytes(&self.options))),
        }
        self.heuristics.clear();
        #[cfg(feature = "tree-search")]
        if let Some(trees) = &mut self.trees {
            trees.clear();
        }
    }

    /// The options that it searches with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The evaluator.
    pub fn evaluator(&self) -> &G::Evaluator {
        &self.evaluator
    }

    /// A view of its memory, the table or the tree, that shows how full it is.
    pub fn fill(&self) -> Fill {
        #[cfg(feature = "tree-search")]
        if let Some(trees) = &self.trees {
            return Fill::of_tree(trees.fill());
        }
        Fill::of_table(&self.table)
    }

    /// Searches a position until a limit is reached, and reports each completed iteration.
    ///
    /// Without any limit only the stop flag or a proven result ends a search. Several threads
    /// together never exceed the node limit, and may leave some hundreds of nodes per thread
    /// unused. Deep searches recurse: call this on a thread with a stack of
    /// [`STACK_BYTES`](crate::search::STACK_BYTES).
    pub fn search(
        &mut self,
        position: &G,
        limits: &Limits,
        stop: &Stop,
        on_depth: &mut dyn FnMut(&DepthReport<G>),
    ) -> Report<G> {
        self.search_after(&Repetitions::default(), position, limits, stop, on_depth)
    }

    /// As [`search`](Self::search), given the earlier positions of the game. A position whose next
    /// occurrence is a draw counts as a draw in the search too. `met` may include the searched
    /// position itself or not.
    pub fn search_after(
        &mut self,
        met: &Repetitions,
        position: &G,
        limits: &Limits,
        stop: &Stop,
        on_depth: &mut dyn FnMut(&DepthReport<G>),
    ) -> Report<G> {
        self.search_lines_after(&Lines::default(), met, position, limits, stop, on_depth)
    }

    /// As [`search`](Self::search), for several lines or some moves only.
    pub fn search_lines(
        &mut self,
        lines: &Lines,
        position: &G,
        limits: &Limits,
        stop: &Stop,
        on_depth: &mut dyn FnMut(&DepthReport<G>),
    ) -> Report<G> {
        let met = Repetitions::default();
        self.search_lines_after(lines, &met, position, limits, stop, on_depth)
    }

    /// As [`search_after`](Self::search_after), for several lines or some moves only.
    ///
    /// Each iteration searches the best line first, then the best line of the remaining moves, and
    /// so on. Without pruning and reductions ([`Algorithm::Plain`], or [`Switches::EXACT`]), the
    /// score of a line equals the score of its first move searched alone to the same depth.
    ///
    /// [`Switches::EXACT`]: super::Switches::EXACT
    pub fn search_lines_after(
        &mut self,
        lines: &Lines,
        met: &Repetitions,
        position: &G,
        limits: &Limits,
        stop: &Stop,
        on_depth: &mut dyn FnMut(&DepthReport<G>),
    ) -> Report<G> {
        let (line_keys, root_moves) = (LineKeys::after::<G>(met), RootMoves::of(lines));
        let root = Root { position, line_keys, root_moves };
        let limits = &limits.at(position);
        let budget = SearchBudget::new(limits, stop);
        let (evaluator, options) = (&self.evaluator, &self.options);
        let unit = evaluator.unit();
        match options.algorithm {
            Algorithm::Plain => {
                let mut search = Plain::new(root, evaluator, budget);
                deepen(position, &mut search, lines, limits, unit, on_depth)
            }
            Algorithm::Enhanced => {
                // The program of the article clears its table before every move.
                if let Some(table) = Arc::get_mut(&mut self.table) {
                    table.clear();
                }
                let mut search = Enhanced::new(root, evaluator, &self.table, budget);
                deepen(position, &mut search, lines, limits, unit, on_depth)
            }
            Algorithm::Full => {
                self.table.age();
                self.heuristics.age();
                let (table, in_progress) = (&self.table, self.in_progress.as_ref());
                let heuristics = &mut self.heuristics;
                let first =
                    Full::new(root, evaluator, table, options, heuristics, budget, in_progress);
                #[cfg(feature = "endgames")]
                let first = first.knowing(self.known.as_deref());
                let helpers =
                    self.helpers.iter_mut().map(|helper| first.helper(options, helper)).collect();
                parallel::search(position, first, helpers, lines, limits, unit, on_depth)
            }
            #[cfg(feature = "tree-search")]
            Algorithm::Mcts | Algorithm::Uct => {
                let trees = self.trees.get_or_insert_with(|| TreeMemory::new(options));
                mcts::search(root, evaluator, options, trees, budget, (lines, limits), on_depth)
            }
        }
    }
}

/// The size of the transposition table; 0 for a tree search, whose memory holds the tree.
fn table_bytes(options: &Options) -> usize {
    if options.algorithm.is_tree_search() { 0 } else { options.table_bytes }
}
