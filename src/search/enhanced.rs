//! A2 of the 2009 article: iterative deepening, a transposition table, all moves ordered by the
//! static value of the position they lead to, null move.
//!
//! Where the published program slips, this one does not: a result that fails low is stored as an
//! upper bound and one that fails high as a lower bound, and the null-move reduction of 3 is
//! reached (there the test for depth 4 hides the one for depth 7).

use super::driver::Iteration;
use super::limits::{Limits, Stop};
use super::line::Lines;
use super::ordering::{ScoredMoves, list_moves};
use super::score::{DRAWN, INFINITE, MAX_PLY, descend, terminal};
use super::table::{Bound, TableEntry, TranspositionTable};
use super::trail::LineKeys;
use super::work::SearchBudget;
use crate::eval::{Evaluator, Game, Score};
use crate::game::{MoveCode, MoveList};

/// The least depth of a null move.
const NULL_DEPTH: u32 = 2;
/// A side with no more pieces than this makes no null move.
const NULL_PIECES: u32 = 10;

/// By how much a null move's search is shallower: the article's steps.
fn null_reduction(depth: u32) -> u32 {
    match depth {
        0..=3 => 1,
        4..=6 => 2,
        _ => 3,
    }
}

pub(super) struct Enhanced<'a, G: Game> {
    root: &'a G,
    evaluator: &'a G::Evaluator,
    table: &'a TranspositionTable,
    work: SearchBudget,
    lines: Lines,
    trail: LineKeys,
}

impl<'a, G: Game> Enhanced<'a, G> {
    pub(super) fn new(
        (root, trail): (&'a G, LineKeys),
        evaluator: &'a G::Evaluator,
        table: &'a TranspositionTable,
        limits: &Limits,
        stop: &Stop,
    ) -> Self {
        Self {
            root,
            evaluator,
            table,
            work: SearchBudget::new(limits, stop),
            lines: Lines::new(),
            trail,
        }
    }

    fn search(
        &mut self,
        position: &G,
        depth: u32,
        mut alpha: Score,
        beta: Score,
        ply: usize,
        may_pass: bool,
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
        let known = self.probe(position, ply);
        if let Some(score) =
            known.and_then(|entry| usable(entry, depth, alpha, beta)).filter(|_| ply > 0)
        {
            self.work.counters.table_cutoffs += 1;
            return score;
        }
        if may_pass && ply > 0 && self.passing_suffices(position, depth, beta, ply) {
            return beta;
        }
        let original_alpha = alpha;
        let (mut best, mut best_code) = (-INFINITE, 0);
        for (index, &(_, mv)) in self.ordered(position, ply, known).iter().enumerate() {
            let child = position.play_unchecked(mv);
            let score = self.descend(position, &child, depth - 1, (alpha, beta), ply, true);
            if self.work.is_stopped() {
                return best;
            }
            if score > best {
                best = score;
                best_code = mv.code();
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
        let bound = match best {
            _ if best >= beta => Bound::Lower,
            _ if best <= original_alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        self.table.store(
            position.key(),
            ply,
            TableEntry { code: best_code, score: best, bound, depth: depth as u8 },
        );
        best
    }

    fn descend(
        &mut self,
        position: &G,
        child: &G,
        depth: u32,
        (alpha, beta): (Score, Score),
        ply: usize,
        may_pass: bool,
    ) -> Score {
        let turns = child.side_to_move() != position.side_to_move();
        descend(turns, alpha, beta, |alpha, beta| {
            self.search(child, depth, alpha, beta, ply + 1, may_pass)
        })
    }

    fn probe(&mut self, position: &G, ply: usize) -> Option<TableEntry> {
        self.work.counters.table_queries += 1;
        let known = self.table.probe(position.key(), ply);
        self.work.counters.table_hits += u64::from(known.is_some());
        known
    }

    /// Whether the side to move is so well off that even a pass would be enough.
    fn passing_suffices(&mut self, position: &G, depth: u32, beta: Score, ply: usize) -> bool {
        if depth < NULL_DEPTH || beta >= INFINITE || position.piece_count() <= NULL_PIECES {
            return false;
        }
        let Some(passed) = position.pass() else { return false };
        let depth = (depth - 1).saturating_sub(null_reduction(depth));
        let before = self.trail.cut(ply + 1);
        let score = self.descend(position, &passed, depth, (beta - 1, beta), ply, false);
        self.trail.mend(before);
        !self.work.is_stopped() && score >= beta
    }

    /// The moves with the static values of the positions they lead to, best first; before them the
    /// table's move.
    fn ordered(&self, position: &G, ply: usize, known: Option<TableEntry>) -> ScoredMoves<G::Move> {
        let mut moves = MoveList::new();
        list_moves(position, ply, &self.trail, &mut moves);
        let value = |mv: G::Move| {
            let child = position.play_unchecked(mv);
            match child.outcome() {
                _ if known.is_some_and(|entry| entry.code == mv.code()) => INFINITE,
                Some(outcome) => terminal(outcome, position.side_to_move(), 0),
                None if child.side_to_move() == position.side_to_move() => {
                    self.evaluator.evaluate(&child)
                }
                None => -self.evaluator.evaluate(&child),
            }
        };
        let mut scored: ScoredMoves<G::Move> = moves.iter().map(|&mv| (value(mv), mv)).collect();
        scored.sort_by_key(|&(value, _)| -value);
        scored
    }
}

/// The score of a table entry, if it settles a search of this depth and window.
fn usable(entry: TableEntry, depth: u32, alpha: Score, beta: Score) -> Option<Score> {
    let settles = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score >= beta,
        Bound::Upper => entry.score <= alpha,
    };
    (settles && u32::from(entry.depth) >= depth).then_some(entry.score)
}

impl<G: Game> Iteration<G> for Enhanced<'_, G> {
    fn run(&mut self, depth: u32) -> Score {
        self.search(self.root, depth, -INFINITE, INFINITE, 0, true)
    }

    fn line(&self) -> Vec<G::Move> {
        self.lines.root()
    }

    fn work(&self) -> &SearchBudget {
        &self.work
    }
}
