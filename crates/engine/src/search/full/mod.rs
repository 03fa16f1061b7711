//! The full search: iterative deepening with aspiration windows around [`node`]'s principal
//! variation search, which ends in [`quiescence`].

mod node;
mod probe;
mod prune;
mod quiescence;
mod reductions;
mod state;
mod threads;

pub(super) use state::{Full, Heuristics};

use super::budget::SearchBudget;
use super::deepening::Iteration;
use super::lines::RootMoves;
use super::score::{INFINITE, is_proven};
use super::shared::RootResult;
use super::window::Window;
use crate::eval::{Game, Score};

/// The factor by which a missed aspiration window widens.
const WIDENING: i64 = 4;

impl<G: Game> Full<'_, G> {
    /// Searches the root with a window. The first of several threads to finish determines the
    /// result of all.
    fn search_root(&mut self, depth: i32, window: Window) -> Score {
        let score = self.search::<true>(self.root, depth, window, 0, false);
        if self.in_progress.is_none() {
            return score;
        }
        let pv = self.heuristics.pv.codes().to_vec();
        match self.budget.finish_root(RootResult { score, pv }) {
            Some(result) => {
                self.heuristics.pv.replace(0, &result.pv);
                result.score
            }
            None => score,
        }
    }

    /// Searches the root with aspiration windows around the expected score, widening them until the
    /// score is inside.
    fn search_with_aspiration(&mut self, depth: i32, expected: Score) -> Score {
        let mut width = i64::from(self.margin(self.constants.aspiration_window, 1).max(1));
        let is_narrow = self.switches.aspiration
            && depth >= self.constants.aspiration_depth
            && !is_proven(expected);
        let bound = |score: Score, offset: i64| {
            let bound = i64::from(score) + offset;
            bound.clamp(i64::from(-INFINITE), i64::from(INFINITE)) as Score
        };
        let mut window = match is_narrow {
            true => Window { alpha: bound(expected, -width), beta: bound(expected, width) },
            false => Window::FULL,
        };
        loop {
            let score = self.search_root(depth, window);
            if self.budget.is_stopped() || window.contains(score) {
                return score;
            }
            if score <= window.alpha && window.alpha > -INFINITE {
                window.alpha = bound(score, -width);
            } else if score >= window.beta && window.beta < INFINITE {
                window.beta = bound(score, width);
            } else {
                return score;
            }
            width *= WIDENING;
            if is_proven(score) {
                window = Window::FULL;
            }
        }
    }
}

impl<G: Game> Iteration<G> for Full<'_, G> {
    fn run(&mut self, depth: u32, expected: Score) -> Score {
        self.depth = depth as i32;
        self.search_with_aspiration(depth as i32, expected)
    }

    fn pv(&self) -> Vec<G::Move> {
        self.heuristics.pv.root()
    }

    fn budget(&self) -> &SearchBudget {
        &self.budget
    }

    fn root_moves(&mut self) -> &mut RootMoves {
        &mut self.root_moves
    }
}
