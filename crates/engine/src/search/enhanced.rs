//! A2 of the 2009 article: iterative deepening, a transposition table, null move, and all moves
//! ordered by the static value of the position they lead to.
//!
//! This version does not repeat the mistakes of the published program. A fail-low result is stored
//! as an upper bound and a fail-high result as a lower bound. The null-move reduction of 3 is
//! reachable (there the test for depth 4 hides the one for depth 7).

use super::budget::SearchBudget;
use super::deepening::Iteration;
use super::line_keys::{LineKeys, Root};
use super::lines::RootMoves;
use super::ordering::{ScoredMoves, list_moves};
use super::pv::PvTable;
use super::score::{DRAWN, INFINITE, MAX_PLY, is_loss, terminal};
use super::table::{Bound, TableEntry, TranspositionTable};
use super::window::{Window, descend};
use crate::eval::{Evaluator, Game, Score};
use crate::game::{MoveCode, MoveList};

/// The least depth for a null move.
const NULL_DEPTH: u32 = 2;
/// A side with this many pieces or fewer makes no null move.
const NULL_PIECES: u32 = 10;

/// The depth reduction of a null move, in the article's steps.
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
    budget: SearchBudget,
    pv: PvTable,
    line_keys: LineKeys,
    root_moves: RootMoves,
}

impl<'a, G: Game> Enhanced<'a, G> {
    pub(super) fn new(
        Root { position: root, line_keys, root_moves }: Root<'a, G>,
        evaluator: &'a G::Evaluator,
        table: &'a TranspositionTable,
        budget: SearchBudget,
    ) -> Self {
        Self { root, evaluator, table, budget, pv: PvTable::new(), line_keys, root_moves }
    }

    fn search(
        &mut self,
        position: &G,
        depth: u32,
        mut window: Window,
        ply: usize,
        may_pass: bool,
    ) -> Score {
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
        let known = self.probe(position, ply);
        if let Some(score) = known
            .filter(|entry| ply > 0 && u32::from(entry.depth) >= depth)
            .and_then(|entry| entry.cutoff(window))
        {
            self.budget.counters.table_cutoffs += 1;
            return score;
        }
        if may_pass && ply > 0 && self.null_move_fails_high(position, depth, window.beta, ply) {
            return window.beta;
        }
        let original = window;
        let (mut best, mut best_code) = (-INFINITE, 0);
        for (index, &(_, mv)) in self.ordered(position, ply, known).iter().enumerate() {
            let child = position.play_unchecked(mv);
            let score = self.descend(position, &child, depth - 1, window, ply, true);
            if self.budget.is_stopped() {
                return best;
            }
            if score > best {
                best = score;
                best_code = mv.code();
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
        if ply > 0 || !self.root_moves.is_partial() {
            let bound = Bound::of(best, original);
            let entry = TableEntry { code: best_code, score: best, bound, depth: depth as u8 };
            self.table.store(position.key(), ply, entry);
        }
        best
    }

    fn descend(
        &mut self,
        position: &G,
        child: &G,
        depth: u32,
        window: Window,
        ply: usize,
        may_pass: bool,
    ) -> Score {
        let turns = child.side_to_move() != position.side_to_move();
        descend(turns, window, |window| self.search(child, depth, window, ply + 1, may_pass))
    }

    fn probe(&mut self, position: &G, ply: usize) -> Option<TableEntry> {
        let known = self.table.probe(position.key(), ply);
        self.budget.counters.count_probe(known.is_some());
        known
    }

    /// Whether the side to move would fail high even after a pass.
    fn null_move_fails_high(&mut self, position: &G, depth: u32, beta: Score, ply: usize) -> bool {
        if depth < NULL_DEPTH || beta >= INFINITE || position.piece_count() <= NULL_PIECES {
            return false;
        }
        let Some(passed) = position.pass() else { return false };
        let depth = (depth - 1).saturating_sub(null_reduction(depth));
        let before = self.line_keys.hide_before(ply + 1);
        let score = self.descend(position, &passed, depth, Window::below(beta), ply, false);
        self.line_keys.restore(before);
        !self.budget.is_stopped() && score >= beta
    }

    /// The moves with the static values of their positions, best first. The table's move precedes
    /// them.
    fn ordered(&self, position: &G, ply: usize, known: Option<TableEntry>) -> ScoredMoves<G::Move> {
        let mut moves = MoveList::new();
        list_moves(position, ply, &self.line_keys, &self.root_moves, &mut moves);
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
        by_falling_value(&moves, value)
    }
}

/// The moves sorted by falling value; equal values keep their order. This sorts integers: the
/// standard library's sort of another type takes 4 kB of a WebAssembly module for each game.
fn by_falling_value<M: MoveCode>(
    moves: &MoveList<M>,
    mut value: impl FnMut(M) -> Score,
) -> ScoredMoves<M> {
    const PLACE_BITS: u32 = 16;
    let key = |(place, &mv): (usize, &M)| {
        let distance = u64::from(i32::MAX.abs_diff(value(mv)));
        distance << PLACE_BITS | place as u64
    };
    let mut keys: MoveList<u64> = moves.iter().enumerate().map(key).collect();
    keys.sort_unstable();
    let move_of = |key: u64| {
        let place = (key & ((1 << PLACE_BITS) - 1)) as usize;
        (i32::MAX.wrapping_sub_unsigned((key >> PLACE_BITS) as u32), moves[place])
    };
    keys.into_iter().map(move_of).collect()
}

impl<G: Game> Iteration<G> for Enhanced<'_, G> {
    fn run(&mut self, depth: u32, _expected: Score) -> Score {
        self.search(self.root, depth, Window::FULL, 0, true)
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

    /// The best move is searched first, so a better one counts. A loss counts only if all moves
    /// lose.
    fn counts_when_stopped(&self, score: Score) -> bool {
        !is_loss(score)
    }
}
