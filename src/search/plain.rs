//! A1: negamax with alpha-beta to a fixed depth, moves in the order of generation.

use super::driver::Iteration;
use super::limits::{Limits, Stop};
use super::line::Lines;
use super::ordering::list_moves;
use super::score::{DRAWN, INFINITE, MAX_PLY, descend, terminal};
use super::trail::LineKeys;
use super::work::SearchBudget;
use crate::eval::{Evaluator, Game, Score};
use crate::game::{MoveCode, MoveList};

pub(super) struct Plain<'a, G: Game> {
    root: &'a G,
    evaluator: &'a G::Evaluator,
    work: SearchBudget,
    lines: Lines,
    trail: LineKeys,
}

impl<'a, G: Game> Plain<'a, G> {
    pub(super) fn new(
        (root, trail): (&'a G, LineKeys),
        evaluator: &'a G::Evaluator,
        limits: &Limits,
        stop: &Stop,
    ) -> Self {
        Self { root, evaluator, work: SearchBudget::new(limits, stop), lines: Lines::new(), trail }
    }

    fn search(
        &mut self,
        position: &G,
        depth: u32,
        mut alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Score {
        self.lines.clear(ply);
        if self.work.enter(ply) {
            return 0;
        }
        if let Some(outcome) = position.outcome() {
            return terminal(outcome, position.side_to_move(), ply);
        }
        if self.trail.comes_back(position, ply) {
            return DRAWN;
        }
        if depth == 0 || ply + 1 >= MAX_PLY {
            return self.evaluator.evaluate(position);
        }
        let mut moves = MoveList::new();
        list_moves(position, ply, &self.trail, &mut moves);
        let mut best = -INFINITE;
        for (index, &mv) in moves.iter().enumerate() {
            let child = position.play_unchecked(mv);
            let turns = child.side_to_move() != position.side_to_move();
            let score = descend(turns, alpha, beta, |alpha, beta| {
                self.search(&child, depth - 1, alpha, beta, ply + 1)
            });
            if self.work.is_stopped() {
                return best;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    self.lines.set(ply, mv.code());
                }
                if alpha >= beta {
                    self.work.count_cutoff(index);
                    break;
                }
            }
        }
        best
    }
}

impl<G: Game> Iteration<G> for Plain<'_, G> {
    fn run(&mut self, depth: u32) -> Score {
        self.search(self.root, depth, -INFINITE, INFINITE, 0)
    }

    fn line(&self) -> Vec<G::Move> {
        self.lines.root()
    }

    fn work(&self) -> &SearchBudget {
        &self.work
    }

    /// A search to a given depth goes there at once; under other limits the depth must grow step by
    /// step.
    fn first_depth(&self, limits: &Limits) -> u32 {
        match limits.depth {
            Some(depth) if limits.nodes.is_none() && limits.is_deterministic() => depth,
            _ => 1,
        }
    }
}
