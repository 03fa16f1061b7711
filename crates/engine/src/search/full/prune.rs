//! Pruning and reductions: nodes and moves that are searched less deeply or not at all.

use super::node::{LateMove, Node};
use super::probe::NodeEval;
use super::state::Full;
use crate::eval::{Game, Score};
use crate::search::score::{MAX_PLY, is_proven};
use crate::search::window::{Window, descend};

impl<G: Game> Full<'_, G> {
    /// Reverse futility pruning and razoring: a score for a quiet node whose static value is too
    /// far from the window for a shallow search to bring it back. Razoring verifies the score by
    /// the quiescence search.
    #[inline]
    pub(super) fn prune_node(
        &mut self,
        position: &G,
        depth: i32,
        window: Window,
        ply: usize,
        eval: NodeEval,
    ) -> Option<Score> {
        let p = self.constants;
        if !self.switches.pruning || eval.threatened || is_proven(window.beta) {
            return None;
        }
        let plies = depth - i32::from(eval.improving);
        if depth <= p.reverse_futility_depth
            && eval.value.saturating_sub(self.margin(p.reverse_futility_margin, plies.max(0)))
                >= window.beta
        {
            return Some(eval.value);
        }
        if depth <= p.razor_depth
            && eval.value.saturating_add(self.margin(p.razor_margin, depth)) <= window.alpha
        {
            let score = self.quiesce(position, window, ply, 0);
            if score <= window.alpha {
                return Some(score);
            }
        }
        None
    }

    /// Null-move pruning (Beal 1989; Donninger 1993): if the score stays above beta even after a
    /// pass, a move will too. It is not used twice in a row, nor with few pieces, because of
    /// zugzwang.
    #[inline]
    pub(super) fn null_move_score(
        &mut self,
        position: &G,
        depth: i32,
        beta: Score,
        ply: usize,
        eval: NodeEval,
    ) -> Option<Score> {
        let p = self.constants;
        let allowed = self.switches.null_move
            && depth >= p.null_depth
            && eval.value >= beta
            && !eval.threatened
            && !is_proven(beta)
            && self.heuristics.stack[ply].previous.is_some()
            && position.piece_count() > p.null_pieces as u32;
        if !allowed {
            return None;
        }
        let passed = position.pass()?;
        self.table.prefetch(passed.key());
        let depth = depth - p.null_base - depth / p.null_divisor;
        self.heuristics.stack[ply + 1].previous = None;
        let turns = passed.side_to_move() != position.side_to_move();
        let before = self.line_keys.hide_before(ply + 1);
        let score = descend(turns, Window::below(beta), |window| {
            self.search::<false>(&passed, depth, window, ply + 1, true)
        });
        self.line_keys.restore(before);
        // A win found after a pass is not proven.
        (score >= beta).then(|| if is_proven(score) { beta } else { score })
    }

    /// Whether this quiet move and all later ones are pruned (futility and late-move pruning).
    /// `quiets` is the number of quiet moves already searched, `number` the number of all moves.
    #[inline]
    pub(super) fn prunes_quiets(
        &self,
        &Node { depth, eval, .. }: &Node<G>,
        quiets: usize,
        number: usize,
        alpha: Score,
    ) -> bool {
        let p = self.constants;
        if !self.switches.pruning || eval.threatened || is_proven(alpha) {
            return false;
        }
        let patience = p.late_move_base + depth * depth;
        let patience = if eval.improving { patience } else { patience / 2 };
        if depth <= p.late_move_depth && quiets as i32 >= patience.max(1) {
            return true;
        }
        let left = (depth - self.heuristics.reductions.get(depth, number) / 100).max(1);
        left <= p.futility_depth
            && eval
                .value
                .saturating_add(self.margin(p.futility_base, 1))
                .saturating_add(self.margin(p.futility_margin, left))
                <= alpha
    }

    /// The late-move reduction of a move, in plies.
    #[inline]
    pub(super) fn reduction<const PV: bool>(
        &self,
        &Node { depth, cut, eval, .. }: &Node<G>,
        LateMove { number, history, capture }: LateMove,
    ) -> i32 {
        let p = self.constants;
        if !self.switches.reductions
            || depth < p.reduction_depth
            || number < p.reduction_moves as usize
            || eval.threatened
        {
            return 0;
        }
        let mut hundredths = self.heuristics.reductions.get(depth, number);
        hundredths += if cut { p.cut_reduction } else { 0 };
        hundredths -= if PV { p.pv_reduction } else { 0 };
        hundredths -= if eval.improving { p.improving_reduction } else { 0 };
        hundredths -=
            if capture { p.capture_reduction } else { history * 100 / p.reduction_history };
        (hundredths / 100).clamp(0, depth - 1)
    }

    /// Whether a node may be extended: its line must not be much longer than the depth of the
    /// iteration.
    #[inline]
    pub(super) fn may_extend(&self, ply: usize) -> bool {
        self.switches.extensions && (ply as i32) < 2 * self.depth && ply < MAX_PLY / 2
    }
}
