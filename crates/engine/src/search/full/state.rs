//! The state of a full search's thread: the root, the tables, and the current line.

use super::reductions::Reductions;
use crate::eval::{Accumulators, Evaluator, Game, Score};
#[cfg(feature = "endgames")]
use crate::game::KnownValues;
use crate::game::{MoveCode, Side};
use crate::search::budget::SearchBudget;
use crate::search::constants::SearchConstants;
use crate::search::history::History;
use crate::search::in_progress::InProgress;
use crate::search::line_keys::{LineKeys, Root};
use crate::search::lines::RootMoves;
use crate::search::options::Options;
use crate::search::pv::PvTable;
use crate::search::score::{INFINITE, MAX_PLY};
use crate::search::switches::Switches;
use crate::search::table::TranspositionTable;
use crate::search::window::Window;

/// The memory that the full search keeps between moves, besides the transposition table.
pub(in crate::search) struct Heuristics<G: Game> {
    pub(super) history: History,
    pub(super) reductions: Reductions,
    pub(super) stack: Vec<StackEntry>,
    pub(super) pending: Vec<PendingNode>,
    pub(super) pv: PvTable,
    accumulators: Accumulators<G::NetworkView>,
}

/// The data of a node that its children use.
#[derive(Clone, Copy, Default)]
pub(super) struct StackEntry {
    /// The static value, from the side to move.
    pub(super) value: Score,
    pub(super) side: Option<Side>,
    /// The kind of the move that led to the node; `None` at the root and after a null move.
    pub(super) previous: Option<usize>,
    /// The move excluded by a singular search; 0 for none.
    pub(super) excluded: u16,
}

/// The goal of the search of a node on the current line.
#[derive(Clone, Copy)]
pub(super) struct PendingNode {
    pub(super) key: u64,
    pub(super) depth: i32,
    pub(super) window: Window,
}

impl<G: Game> Heuristics<G> {
    pub(in crate::search) fn new(constants: &SearchConstants) -> Self {
        Self::with(History::new::<G::Move>(), constants)
    }

    /// The state of another thread of the same search.
    pub(in crate::search) fn for_helper(&self, constants: &SearchConstants) -> Self {
        Self::with(self.history.for_helper(), constants)
    }

    fn with(history: History, constants: &SearchConstants) -> Self {
        let pending = PendingNode { key: 0, depth: 0, window: Window::FULL };
        Self {
            history,
            reductions: Reductions::new(constants),
            stack: vec![StackEntry::default(); MAX_PLY + 2],
            pending: vec![pending; MAX_PLY + 2],
            pv: PvTable::new(),
            accumulators: Accumulators::default(),
        }
    }

    /// Clears the memory that the threads of a search share. The rest is reset by each search.
    pub(in crate::search) fn clear(&mut self) {
        self.history.clear();
    }

    /// Ages the memory for the next move of a game: once for all threads of its search.
    pub(in crate::search) fn age(&mut self) {
        self.history.age();
    }

    /// Recomputes the data that depends on the constants.
    pub(in crate::search) fn set_constants(&mut self, constants: &SearchConstants) {
        self.reductions = Reductions::new(constants);
    }
}

/// One thread of a full search.
pub(in crate::search) struct Full<'a, G: Game> {
    pub(super) root: &'a G,
    pub(super) evaluator: &'a G::Evaluator,
    pub(super) table: &'a TranspositionTable,
    pub(super) constants: &'a SearchConstants,
    pub(super) switches: Switches,
    pub(super) heuristics: &'a mut Heuristics<G>,
    pub(super) budget: SearchBudget,
    pub(super) line_keys: LineKeys,
    pub(super) root_moves: RootMoves,
    /// The moves that other threads are searching, if there are any.
    pub(super) in_progress: Option<&'a InProgress>,
    /// Known values of positions, such as an endgame database.
    #[cfg(feature = "endgames")]
    pub(super) known: Option<&'a dyn KnownValues<G>>,
    /// The value of a piece: the unit of all margins.
    unit: Score,
    /// The depth of the current iteration, in plies.
    pub(super) depth: i32,
}

impl<'a, G: Game> Full<'a, G> {
    pub(in crate::search) fn new(
        root: Root<'a, G>,
        evaluator: &'a G::Evaluator,
        table: &'a TranspositionTable,
        options: &'a Options,
        heuristics: &'a mut Heuristics<G>,
        budget: SearchBudget,
        in_progress: Option<&'a InProgress>,
    ) -> Self {
        heuristics.history.forget_killers();
        evaluator.begin(MAX_PLY + 2, &mut heuristics.accumulators);
        let unit = evaluator.unit();
        Self {
            root: root.position,
            evaluator,
            table,
            constants: &options.constants,
            switches: options.switches,
            heuristics,
            budget,
            line_keys: root.line_keys,
            root_moves: root.root_moves,
            in_progress,
            #[cfg(feature = "endgames")]
            known: None,
            unit,
            depth: 0,
        }
    }

    /// The state of another thread of the same search.
    pub(in crate::search) fn helper(
        &self,
        options: &'a Options,
        heuristics: &'a mut Heuristics<G>,
    ) -> Self {
        let (line_keys, root_moves) = (self.line_keys.clone(), self.root_moves.clone());
        let root = Root { position: self.root, line_keys, root_moves };
        let budget = self.budget.for_helper();
        let (table, in_progress) = (self.table, self.in_progress);
        Self {
            #[cfg(feature = "endgames")]
            known: self.known,
            ..Self::new(root, self.evaluator, table, options, heuristics, budget, in_progress)
        }
    }

    /// The same search with known values.
    #[cfg(feature = "endgames")]
    pub(in crate::search) fn knowing(self, known: Option<&'a dyn KnownValues<G>>) -> Self {
        Self { known, ..self }
    }

    pub(in crate::search) fn budget_mut(&mut self) -> &mut SearchBudget {
        &mut self.budget
    }

    /// The static value of a position.
    #[inline]
    pub(super) fn evaluate(&mut self, position: &G, ply: usize) -> Score {
        self.evaluator.evaluate_near(position, ply, &mut self.heuristics.accumulators)
    }

    /// The static value, if it is best computed before probing the table. A large table's memory
    /// responds more slowly than this takes. A small table makes the value unnecessary at every
    /// fifth node.
    #[inline]
    pub(super) fn evaluate_early(&mut self, position: &G, ply: usize) -> Option<Score> {
        (!self.table.is_small()).then(|| self.evaluate(position, ply))
    }

    /// Plays a move of a node, and prefetches the table's bucket for the new position.
    #[inline]
    pub(super) fn play(&mut self, position: &G, mv: G::Move, ply: usize) -> G {
        let child = position.play_unchecked(mv);
        self.table.prefetch(child.key());
        self.heuristics.stack[ply + 1].previous = Some(mv.context());
        child
    }

    /// A margin in percent of a piece, times a number of plies.
    #[inline]
    pub(super) fn margin(&self, percent: i32, plies: i32) -> Score {
        let margin = i64::from(self.unit) * i64::from(percent) * i64::from(plies) / 100;
        margin.min(i64::from(INFINITE)) as Score
    }
}
