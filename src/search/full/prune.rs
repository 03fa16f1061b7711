//! When a node or a move need not be searched, or not so deeply.

use super::Full;
use crate::eval::{Game, Score};
use crate::search::params::SearchConstants;
use crate::search::score::{MAX_PLY, descend, is_proven};

/// Depths and move numbers beyond this are reduced like this one.
const TABLE_SIDE: usize = 64;

/// Late-move reductions by depth and move number, in hundredths of a ply.
pub(super) struct Reductions(Vec<[i32; TABLE_SIDE]>);

impl Reductions {
    pub(super) fn new(params: &SearchConstants) -> Self {
        let cell = |depth: usize, number: usize| {
            let product = (depth.max(1) as f64).ln() * (number.max(1) as f64).ln();
            params.reduction_base + (f64::from(params.reduction_factor) * product) as i32
        };
        let row = |depth| std::array::from_fn(|number| cell(depth, number));
        Self((0..TABLE_SIDE).map(row).collect())
    }

    #[inline]
    fn get(&self, depth: i32, number: usize) -> i32 {
        self.0[(depth.max(0) as usize).min(TABLE_SIDE - 1)][number.min(TABLE_SIDE - 1)]
    }
}

/// What is known of a node before its moves are searched.
#[derive(Clone, Copy)]
pub(super) struct NodeEval {
    /// The static value, or a better estimate from the table.
    pub(super) value: Score,
    /// Whether it is better than a round of turns before, one of each side.
    pub(super) improving: bool,
    /// Whether the other side would win at once if the side to move passed, or a move is forced.
    pub(super) threatened: bool,
}

impl<G: Game> Full<'_, G> {
    /// A score to leave a quiet node with before any move is searched, if its static value is so
    /// far from the window that a shallow search will hardly bring it back.
    #[inline]
    pub(super) fn leave_early(
        &mut self,
        position: &G,
        depth: i32,
        (alpha, beta): (Score, Score),
        ply: usize,
        standing: NodeEval,
    ) -> Option<Score> {
        let p = self.params;
        if !self.switches.pruning || standing.threatened || is_proven(beta) {
            return None;
        }
        let plies = depth - i32::from(standing.improving);
        if depth <= p.reverse_futility_depth
            && standing.value.saturating_sub(self.margin(p.reverse_futility_margin, plies.max(0)))
                >= beta
        {
            return Some(standing.value);
        }
        if depth <= p.razor_depth
            && standing.value.saturating_add(self.margin(p.razor_margin, depth)) <= alpha
        {
            let score = self.quiesce(position, alpha, beta, ply, 0);
            if score <= alpha {
                return Some(score);
            }
        }
        None
    }

    /// Null move (Beal 1989; Donninger 1993): when even a pass keeps the score above beta, a move
    /// surely does. It is not tried twice running, nor with few pieces, where having to move can be
    /// a burden.
    #[inline]
    pub(super) fn pass_suffices(
        &mut self,
        position: &G,
        depth: i32,
        beta: Score,
        ply: usize,
        standing: NodeEval,
    ) -> Option<Score> {
        let p = self.params;
        let allowed = self.switches.null_move
            && depth >= p.null_depth
            && standing.value >= beta
            && !standing.threatened
            && !is_proven(beta)
            && self.heuristics.stack[ply].after.is_some()
            && position.piece_count() > p.null_pieces as u32;
        if !allowed {
            return None;
        }
        let passed = position.pass()?;
        let depth = depth - p.null_base - depth / p.null_divisor;
        self.heuristics.stack[ply + 1].after = None;
        let turns = passed.side_to_move() != position.side_to_move();
        let before = self.trail.cut(ply + 1);
        let score = descend(turns, beta - 1, beta, |alpha, beta| {
            self.search::<false>(&passed, depth, alpha, beta, ply + 1, true)
        });
        self.trail.mend(before);
        // A win found behind a pass is not proven.
        (score >= beta).then(|| if is_proven(score) { beta } else { score })
    }

    /// Whether a quiet move is left out, and with it all quiet moves after it: so many quiet moves
    /// and moves at all have been searched before.
    #[inline]
    pub(super) fn skips(
        &self,
        depth: i32,
        (quiets, number): (usize, usize),
        alpha: Score,
        standing: NodeEval,
    ) -> bool {
        let p = self.params;
        if !self.switches.pruning || standing.threatened || is_proven(alpha) {
            return false;
        }
        let patience = p.late_move_base + depth * depth;
        let patience = if standing.improving { patience } else { patience / 2 };
        if depth <= p.late_move_depth && quiets as i32 >= patience.max(1) {
            return true;
        }
        let left = (depth - self.heuristics.reductions.get(depth, number) / 100).max(1);
        left <= p.futility_depth
            && standing
                .value
                .saturating_add(self.margin(p.futility_base, 1))
                .saturating_add(self.margin(p.futility_margin, left))
                <= alpha
    }

    /// By how many plies a move is searched shallower.
    #[inline]
    pub(super) fn reduction(
        &self,
        depth: i32,
        number: usize,
        history: i32,
        (pv, cut, capture): (bool, bool, bool),
        standing: NodeEval,
    ) -> i32 {
        let p = self.params;
        if !self.switches.reductions
            || depth < p.reduction_depth
            || number < p.reduction_moves as usize
            || standing.threatened
        {
            return 0;
        }
        let mut hundredths = self.heuristics.reductions.get(depth, number);
        hundredths += if cut { p.cut_reduction } else { 0 };
        hundredths -= if pv { p.pv_reduction } else { 0 };
        hundredths -= if standing.improving { p.improving_reduction } else { 0 };
        hundredths -=
            if capture { p.capture_reduction } else { history * 100 / p.reduction_history };
        (hundredths / 100).clamp(0, depth - 1)
    }

    /// Whether a forced answer is searched one ply deeper: as long as the line is not much longer
    /// than asked for.
    #[inline]
    pub(super) fn extends(&self, ply: usize, forced: bool) -> bool {
        forced && self.switches.extensions && (ply as i32) < 2 * self.depth && ply < MAX_PLY / 2
    }
}
