//! The engine as the rest of the program sees it.

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

/// An engine: an evaluator, a way of searching, and what it remembers from move to move.
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
    /// The states of the threads beside the first.
    helpers: Vec<Heuristics<G>>,
    /// The moves under search by several threads, if there are several.
    in_progress: Option<InProgress>,
    /// The tree of a tree search, kept from move to move.
    #[cfg(feature = "tree-search")]
    trees: Option<TreeMemory<G>>,
    /// Values that the full search need not find.
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

    /// Takes another evaluator. What the tables hold belongs to the old one:
    /// [`clear`](Engine::clear) them.
    pub fn set_evaluator(&mut self, evaluator: G::Evaluator) {
        self.evaluator = evaluator;
    }

    /// Takes other constants. What the tables hold belongs to the old ones:
    /// [`clear`](Engine::clear) them.
    pub fn set_constants(&mut self, constants: &SearchConstants) {
        if self.options.constants != *constants {
            self.options.constants = constants.clone();
            self.heuristics.set_constants(constants);
            self.helpers.iter_mut().for_each(|helper| helper.set_constants(constants));
        }
    }

    /// Takes the values of some positions as known, for example from an endgame database. Only the
    /// full search asks for them.
    #[cfg(feature = "endgames")]
    pub fn set_known(&mut self, known: Option<Arc<dyn KnownValues<G>>>) {
        self.known = known;
    }

    /// Forgets everything: before each game.
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

    /// How this engine searches.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The evaluator.
    pub fn evaluator(&self) -> &G::Evaluator {
        &self.evaluator
    }

    /// Its memory, the table or the tree, to look at how full it is.
    pub fn fill(&self) -> Fill {
        #[cfg(feature = "tree-search")]
        if let Some(trees) = &self.trees {
            return Fill::of_tree(trees.fill());
        }
        Fill::of_table(&self.table)
    }

    /// Searches a position until a limit is reached, telling of each finished iteration.
    ///
    /// Limits without any bound end only with the stop flag or a proven result. Several threads
    /// together visit no more nodes than allowed, and may leave some hundreds for each of them
    /// unused. A deep search is recursive: give a thread that calls it a stack of
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
    /// Each iteration searches the best line first, then the best of the moves that are left, and so
    /// on. Where nothing is pruned or reduced ([`Algorithm::Plain`], or [`Switches::EXACT`]), the
    /// score of a line is the one that a search of its first move alone has at the same depth.
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
                // The article clears its table before every move.
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

/// The size of the transposition table: a tree search has its memory for the tree.
fn table_bytes(options: &Options) -> usize {
    if options.algorithm.is_tree_search() { 0 } else { options.table_bytes }
}
