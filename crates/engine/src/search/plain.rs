//! A1: negamax with alpha-beta to a fixed depth, moves in the order of generation.

use super::budget::SearchBudget;
use super::deepening::Iteration;
use super::limits::Limits;
use super::line_keys::{LineKeys, Root};
use super::lines::RootMoves;
use super::ordering::list_moves;
use super::pv::PvTable;
use super::score::{DRAWN, INFINITE, MAX_PLY, terminal};
use super::window::{Window, descend};
use crate::eval::{Evaluator, Game, Score};
use crate::game::{MoveCode, MoveList};

pub(super) struct Plain<'a, G: Game> {
    root: &'a G,
    evaluator: &'a G::Evaluator,
    budget: SearchBudget,
    pv: PvTable,
    line_keys: LineKeys,
    root_moves: RootMoves,
}

impl<'a, G: Game> Plain<'a, G> {
    pub(super) fn new(
        Root { position: root, line_keys, root_moves }: Root<'a, G>,
        evaluator: &'a G::Evaluator,
        budget: SearchBudget,
    ) -> Self {
        Self { root, evaluator, budget, pv: PvTable::new(), line_keys, root_moves }
    }

    fn search(&mut self, position: &G, depth: u32, mut window: Window, ply: usize) -> Score {
        self.pv.clear(ply);
        if self.budget.enter(ply) {
            return 0;
        }
        if let Some(outcome) = position.outcome() {
            return terminal(outcome, position.side_to_move(), ply);
        }
        if self.line_keys.enters_repetition(position, ply) {
            return DRAWN;
        }
        if depth == 0 || ply + 1 >= MAX_PLY {
            return self.evaluator.evaluate(position);
        }
        let mut moves = MoveList::new();
        list_moves(position, ply, &self.line_keys, &self.root_moves, &mut moves);
        let mut best = -INFINITE;
        for (index, &mv) in moves.iter().enumerate() {
            let child = position.play_unchecked(mv);
            let turns = child.side_to_move() != position.side_to_move();
            let score =
                descend(turns, window, |window| self.search(&child, depth - 1, window, ply + 1));
            if self.budget.is_stopped() {
                return best;
            }
            if score > best {
                best = score;
                if score > window.alpha {
                    window.alpha = score;
                    self.pv.set(ply, mv.code());
                }
                if window.alpha >= window.beta {
                    self.budget.counters.count_cutoff(index);
                    break;
                }
            }
        }
        best
    }
}

impl<G: Game> Iteration<G> for Plain<'_, G> {
    fn run(&mut self, depth: u32, _expected: Score) -> Score {
        self.search(self.root, depth, Window::FULL, 0)
    }

    fn pv(&self) -> Vec<G::Move> {
        self.pv.root()
    }

    fn budget(&self) -> &SearchBudget {
        &self.budget
    }

    fn root_moves(&mut self) -> &mut RootMoves {
        &mut self.root_moves
    }

    /// Moves are in the order of generation, so the best one may come later.
    fn counts_when_stopped(&self, _score: Score) -> bool {
        false
    }

    /// A depth limit is searched at once. Under other limits the depth grows step by step.
    fn first_depth(&self, limits: &Limits) -> u32 {
        match limits.depth {
            Some(depth) if limits.nodes.is_none() && limits.is_deterministic() => depth,
            _ => 1,
        }
    }
}
