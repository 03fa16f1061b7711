//! The full search: iterations with aspiration windows around [`node`]'s principal variation
//! search, which ends in [`quiescence`].

mod known;
mod node;
mod prune;
mod quiescence;
mod teamwork;

use super::busy::InProgress;
use super::driver::Iteration;
use super::engine::Options;
use super::history::History;
use super::line::Lines;
use super::params::{SearchConstants, Switches};
use super::score::{INFINITE, MAX_PLY, is_proven};
use super::table::TranspositionTable;
use super::team::SettledSearch;
use super::trail::LineKeys;
use super::work::SearchBudget;
use crate::eval::{Evaluator, Game, Score};
use crate::game::Side;
use prune::Reductions;
use teamwork::PendingNode;

/// What the full search remembers from move to move of a game, beside the transposition table.
pub(super) struct Heuristics {
    history: History,
    reductions: Reductions,
    stack: Vec<StackEntry>,
    questions: Vec<PendingNode>,
    lines: Lines,
}

/// What a node tells the nodes below it.
#[derive(Clone, Copy, Default)]
struct StackEntry {
    /// The static value, from the side to move.
    value: Score,
    /// The side to move.
    side: Option<Side>,
    /// The kind of the move that led here; `None` at the root and after a null move.
    after: Option<usize>,
    /// The move that is left out, to see what the node is worth without it; 0 for none.
    excluded: u16,
}

impl Heuristics {
    pub(super) fn new<G: Game>(params: &SearchConstants) -> Self {
        Self::with(History::new::<G::Move>(), params)
    }

    /// Those of another thread of the same search.
    pub(super) fn shared(&self, params: &SearchConstants) -> Self {
        Self::with(self.history.shared(), params)
    }

    fn with(history: History, params: &SearchConstants) -> Self {
        Self {
            history,
            reductions: Reductions::new(params),
            stack: vec![StackEntry::default(); MAX_PLY + 2],
            questions: vec![PendingNode::default(); MAX_PLY + 2],
            lines: Lines::new(),
        }
    }

    /// Forgets everything that the threads of a search have in common; the rest begins anew with
    /// each search.
    pub(super) fn clear(&mut self) {
        self.history.clear();
    }

    /// Begins the next move of a game: once for all threads of its search.
    pub(super) fn age(&mut self) {
        self.history.age();
    }

    /// Works out again what depends on the constants.
    pub(super) fn set_params(&mut self, params: &SearchConstants) {
        self.reductions = Reductions::new(params);
    }
}

pub(super) struct Full<'a, G: Game> {
    root: &'a G,
    evaluator: &'a G::Evaluator,
    table: &'a TranspositionTable,
    params: &'a SearchConstants,
    switches: Switches,
    heuristics: &'a mut Heuristics,
    work: SearchBudget,
    trail: LineKeys,
    /// What the other threads search, if there are any.
    busy: Option<&'a InProgress>,
    /// A piece's worth: the unit of all margins.
    unit: Score,
    /// The depth of the iteration.
    depth: i32,
    score: Score,
}

impl<'a, G: Game> Full<'a, G> {
    pub(super) fn new(
        (root, trail): (&'a G, LineKeys),
        evaluator: &'a G::Evaluator,
        table: &'a TranspositionTable,
        options: &'a Options,
        heuristics: &'a mut Heuristics,
        work: SearchBudget,
        busy: Option<&'a InProgress>,
    ) -> Self {
        heuristics.history.forget_killers();
        let unit = evaluator.unit();
        Self {
            root,
            evaluator,
            table,
            params: &options.params,
            switches: options.switches,
            heuristics,
            work,
            trail,
            busy,
            unit,
            depth: 0,
            score: 0,
        }
    }

    /// The search of a helper in the team of this one.
    pub(super) fn helper(&self, options: &'a Options, heuristics: &'a mut Heuristics) -> Self {
        let (work, trail) = (self.work.helper(), self.trail.clone());
        Self::new(
            (self.root, trail),
            self.evaluator,
            self.table,
            options,
            heuristics,
            work,
            self.busy,
        )
    }

    pub(super) fn work_mut(&mut self) -> &mut SearchBudget {
        &mut self.work
    }

    /// A margin in percent of a piece, times a number of plies.
    #[inline]
    fn margin(&self, percent: i32, plies: i32) -> Score {
        let margin = i64::from(self.unit) * i64::from(percent) * i64::from(plies) / 100;
        margin.min(i64::from(INFINITE)) as Score
    }

    /// Searches the root with a window. Of several threads the first one to finish finds the answer
    /// of all.
    fn search_root(&mut self, depth: i32, alpha: Score, beta: Score) -> Score {
        let score = self.search::<true>(self.root, depth, alpha, beta, 0, false);
        if self.busy.is_none() {
            return score;
        }
        let line = self.heuristics.lines.codes().to_vec();
        match self.work.settle(SettledSearch { score, line }) {
            Some(settled) => {
                self.heuristics.lines.replace(0, &settled.line);
                settled.score
            }
            None => score,
        }
    }

    /// Searches the root with windows that widen until the score falls inside.
    fn aspire(&mut self, depth: i32) -> Score {
        let mut width = i64::from(self.margin(self.params.aspiration_window, 1).max(1));
        let narrow = self.switches.aspiration
            && depth >= self.params.aspiration_depth
            && !is_proven(self.score);
        let bound = |score: i64| score.clamp(i64::from(-INFINITE), i64::from(INFINITE)) as Score;
        let (mut alpha, mut beta) = match narrow {
            true => (bound(i64::from(self.score) - width), bound(i64::from(self.score) + width)),
            false => (-INFINITE, INFINITE),
        };
        loop {
            let score = self.search_root(depth, alpha, beta);
            if self.work.is_stopped() || (alpha < score && score < beta) {
                return score;
            }
            if score <= alpha && alpha > -INFINITE {
                alpha = bound(i64::from(score) - width);
            } else if score >= beta && beta < INFINITE {
                beta = bound(i64::from(score) + width);
            } else {
                return score;
            }
            width *= 4;
            if is_proven(score) {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }
}

impl<G: Game> Iteration<G> for Full<'_, G> {
    fn run(&mut self, depth: u32) -> Score {
        self.depth = depth as i32;
        let score = self.aspire(depth as i32);
        if !self.work.is_stopped() {
            self.score = score;
        }
        score
    }

    fn line(&self) -> Vec<G::Move> {
        self.heuristics.lines.root()
    }

    fn work(&self) -> &SearchBudget {
        &self.work
    }
}
