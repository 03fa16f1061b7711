//! Principal variation search (Marsland, Campbell 1982; the null-window scout of Pearl 1980).

use super::probe::NodeEval;
use super::state::Full;
use crate::eval::{Game, Score};
use crate::game::{Foresight, MoveCode, MoveList, Position};
use crate::search::history::MoveContext;
use crate::search::in_progress::Claim;
use crate::search::ordering::{MoveOrder, NextMove, ScoredMoves, list_moves, score_moves};
use crate::search::score::{INFINITE, PROVEN, is_proven, win_at};
use crate::search::table::{Bound, TableEntry};
use crate::search::window::{Window, descend};
use arrayvec::ArrayVec;

/// The most quiet moves of a node whose history a later refutation lowers.
const MOST_TRIED: usize = 64;

/// The data of a node that stays constant while its moves are searched.
pub(super) struct Node<'n, P: Position> {
    position: &'n P,
    pub(super) depth: i32,
    /// The depth of the call; `depth` is less if the node is searched less deeply.
    target_depth: i32,
    ply: usize,
    /// Whether a beta cutoff is expected at the node.
    pub(super) cut: bool,
    /// The move from the table; 0 for none.
    code: u16,
    pub(super) eval: NodeEval,
    /// Whether only the answers to a threat are searched.
    forced: bool,
    /// The depth extension of all moves, in plies.
    extension: i32,
    /// Whether the move from the table is extended by one more ply.
    singular: bool,
    context: MoveContext,
}

/// A move after the first move of a node.
#[derive(Clone, Copy)]
pub(super) struct LateMove {
    /// The number of moves before it.
    pub(super) number: usize,
    /// Its history value for move ordering.
    pub(super) history: i32,
    pub(super) capture: bool,
}

impl<'a, G: Game> Full<'a, G> {
    /// The score of a position at a depth. `PV` nodes have an open window; `cut` nodes expect a
    /// beta cutoff.
    pub(super) fn search<const PV: bool>(
        &mut self,
        position: &G,
        target_depth: i32,
        window: Window,
        ply: usize,
        cut: bool,
    ) -> Score {
        let score = self.search_node::<PV>(position, target_depth, window, ply, cut);
        if self.in_progress.is_some()
            && let Some(found_elsewhere) = self.finish_unwind(position, ply)
        {
            return found_elsewhere;
        }
        score
    }

    /// As [`search`](Self::search). If another thread finishes the node first, the score is
    /// meaningless.
    fn search_node<const PV: bool>(
        &mut self,
        position: &G,
        target_depth: i32,
        mut window: Window,
        ply: usize,
        cut: bool,
    ) -> Score {
        if target_depth <= 0 {
            return self.quiesce(position, window, ply, 0);
        }
        self.heuristics.pv.clear(ply);
        if self.budget.enter(ply) {
            return 0;
        }
        if let Some(score) = self.score_without_search(position, ply) {
            return score;
        }
        if ply > 0 {
            // Mate distance pruning: no line from here beats a win on the next ply, or is worse
            // than a loss now.
            window.alpha = window.alpha.max(-win_at(ply));
            window.beta = window.beta.min(win_at(ply + 1));
            if window.alpha >= window.beta {
                return window.alpha;
            }
        }
        let excluded = self.heuristics.stack[ply].excluded;
        if self.in_progress.is_some() && self.begin_node(position, target_depth, window, ply) {
            return 0;
        }
        let early = self.evaluate_early(position, ply);
        let known = self.probe(position, ply);
        if !PV
            && excluded == 0
            && let Some(score) = known.and_then(|entry| self.usable(entry, target_depth, window))
        {
            self.budget.counters.table_cutoffs += 1;
            return score;
        }
        let fixed = early.unwrap_or_else(|| self.evaluate(position, ply));
        let eval = self.static_eval(position, fixed, known, ply);
        let code = known.map_or(0, |entry| entry.code);
        let mut depth = target_depth;
        if !PV && excluded == 0 {
            if let Some(score) = self.prune_node(position, depth, window, ply, eval) {
                return score;
            }
            if let Some(score) = self.null_move_score(position, depth, window.beta, ply, eval) {
                return score;
            }
        }
        if self.budget.is_stopped() {
            return 0;
        }
        if code == 0 && depth >= self.constants.internal_depth && self.switches.reductions {
            depth -= 1;
        }
        let singular =
            known.is_some_and(|entry| self.is_singular(position, entry, depth, ply, cut));
        if self.budget.is_stopped() {
            return 0;
        }
        let forced = self.must_answer(position, ply);
        let node = Node {
            position,
            depth,
            target_depth,
            ply,
            cut,
            code,
            eval,
            forced,
            extension: i32::from(forced && self.may_extend(ply)),
            singular,
            context: self.context(position, ply),
        };
        self.search_moves::<PV>(&node, window)
    }

    /// Searches the moves of a node whose score no earlier step has settled.
    fn search_moves<const PV: bool>(&mut self, node: &Node<G>, mut window: Window) -> Score {
        let &Node { position, depth, ply, code, forced, context, .. } = node;
        let excluded = self.heuristics.stack[ply].excluded;
        let mut order = MoveOrder::new(self.first_move(
            position,
            code,
            forced || code == excluded || self.is_partial_root(ply),
        ));
        let mut tried: ArrayVec<G::Move, MOST_TRIED> = ArrayVec::new();
        let (mut best, mut best_code, original) = (-INFINITE, 0, window);
        let mut searched = 0;
        while let Some(NextMove { mv, deferred_number }) =
            order.next(|scored| self.list_moves(position, code, forced, context, scored))
        {
            if mv.code() == excluded {
                continue;
            }
            if searched > 0 && self.in_progress.is_some() && self.is_finished_elsewhere(ply) {
                return best;
            }
            let capture = position.is_capture(mv);
            let quiet = !capture && mv.code() != code;
            let number = deferred_number.unwrap_or(searched + order.deferred_count());
            // While all searched moves lose, none may be pruned: the loss would not be proven.
            if !PV
                && quiet
                && deferred_number.is_none()
                && best > -PROVEN
                && self.prunes_quiets(node, tried.len(), number, window.alpha)
            {
                // Quiet moves are last, and pruning one prunes all after it.
                if order.deferred_count() == 0 {
                    break;
                }
                continue;
            }
            let claim = self.claim(position, mv, depth, searched);
            if deferred_number.is_none() && claim.as_ref().is_some_and(Claim::is_taken) {
                order.defer(number);
                continue;
            }
            let taken = claim.map(Claim::take);
            let rank = (searched > 0).then_some(number);
            let score = self.search_move::<PV>(node, mv, rank, capture, window);
            drop(taken);
            if self.budget.is_stopped() {
                return best;
            }
            searched += 1;
            if score > best {
                best = score;
                if score > window.alpha {
                    window.alpha = score;
                    best_code = mv.code();
                    self.heuristics.pv.set(ply, best_code);
                }
                if window.alpha >= window.beta {
                    self.budget.counters.count_cutoff(searched - 1);
                    if !capture {
                        self.heuristics.history.reward(context, depth, mv, &tried);
                    }
                    break;
                }
            }
            if !capture {
                let _ = tried.try_push(mv);
            }
        }
        if self.switches.table && excluded == 0 && !self.is_partial_root(ply) {
            let bound = Bound::of(best, original);
            // Stored with the depth of the call, which later searches of the node and other threads
            // expect.
            let depth = node.target_depth.clamp(0, u8::MAX.into()) as u8;
            self.table.store(
                position.key(),
                ply,
                TableEntry { code: best_code, score: best, bound, depth },
            );
        }
        best
    }

    /// Searches one move of a node. The first move, without a `number`, gets the full window. Later
    /// moves get a null window and a reduced depth, and are searched again if they turn out better
    /// than expected.
    #[inline]
    fn search_move<const PV: bool>(
        &mut self,
        node: &Node<G>,
        mv: G::Move,
        number: Option<usize>,
        capture: bool,
        window: Window,
    ) -> Score {
        let &Node { position, depth, ply, cut, context, .. } = node;
        let child = self.play(position, mv, ply);
        let history = self.heuristics.history.value(context, mv, self.constants.answer_weight);
        let turns = child.side_to_move() != context.side;
        let next = depth - 1 + node.extension + i32::from(node.singular && mv.code() == node.code);
        // A cutoff is expected for one side, which does not change if the turn stays with the same
        // side.
        let other = cut != turns;
        let Some(number) = number else {
            return self.descend::<PV>(&child, turns, next, window, ply, !PV && other);
        };
        let reduction = self.reduction::<PV>(node, LateMove { number, history, capture });
        let null = Window::above(window.alpha);
        let mut score = self.descend::<false>(&child, turns, next - reduction, null, ply, turns);
        if score > window.alpha && reduction > 0 {
            score = self.descend::<false>(&child, turns, next, null, ply, other);
        }
        if PV && window.contains(score) {
            score = self.descend::<PV>(&child, turns, next, window, ply, false);
        }
        score
    }

    /// The table's move, if it can be searched before the other moves are generated.
    #[inline]
    fn first_move(&self, position: &G, code: u16, listed_first: bool) -> Option<G::Move> {
        (code != 0 && !listed_first)
            .then(|| G::Move::from_code(code))
            .filter(|&mv| position.is_legal(mv))
    }

    /// Generates the moves with their ordering values: all moves, or the answers to a threat.
    #[inline]
    fn list_moves(
        &self,
        position: &G,
        code: u16,
        forced: bool,
        context: MoveContext,
        scored: &mut ScoredMoves<G::Move>,
    ) {
        let mut moves = MoveList::new();
        if forced && !self.is_partial_root(context.ply) {
            position.relevant_moves(&mut moves)
        } else {
            list_moves(position, context.ply, &self.line_keys, &self.root_moves, &mut moves)
        }
        score_moves(
            position,
            &moves,
            code,
            &self.heuristics.history,
            context,
            self.constants,
            scored,
        );
    }

    /// Whether this is the root and some of its moves are excluded.
    #[inline]
    fn is_partial_root(&self, ply: usize) -> bool {
        ply == 0 && self.root_moves.is_partial()
    }

    /// The context of a node for the history.
    #[inline]
    pub(super) fn context(&self, position: &G, ply: usize) -> MoveContext {
        MoveContext {
            side: position.side_to_move(),
            ply,
            previous: self.heuristics.stack[ply].previous,
        }
    }

    /// Whether the table's move is singular: a shallower search of the other moves stays well below
    /// its score. It is then extended by one ply (singular extensions; Anantharaman, Campbell and
    /// Hsu 1988).
    fn is_singular(
        &mut self,
        position: &G,
        entry: TableEntry,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> bool {
        let p = self.constants;
        if depth < p.singular_depth
            || ply == 0
            || entry.code == 0
            || self.heuristics.stack[ply].excluded != 0
            || entry.bound == Bound::Upper
            || i32::from(entry.depth) < depth - 3
            || is_proven(entry.score)
            || !self.may_extend(ply)
        {
            return false;
        }
        let bound = entry.score.saturating_sub(self.margin(p.singular_margin, depth));
        self.heuristics.stack[ply].excluded = entry.code;
        let score = self.search::<false>(position, (depth - 1) / 2, Window::below(bound), ply, cut);
        self.heuristics.stack[ply].excluded = 0;
        score < bound
    }

    /// Whether only the answers to a threat are searched. Not at a root that is already decided,
    /// where the answers may lack the win or be empty. Further down, decided positions are scored
    /// without searching any move.
    #[inline]
    fn must_answer(&self, position: &G, ply: usize) -> bool {
        self.switches.foresight
            && position.must_answer()
            && (ply > 0 || position.foresight() == Foresight::Unknown)
    }

    /// Searches a position one ply deeper. The score is negated and the window swapped only if the
    /// side to move changes.
    #[inline]
    fn descend<const PV: bool>(
        &mut self,
        child: &G,
        turns: bool,
        depth: i32,
        window: Window,
        ply: usize,
        cut: bool,
    ) -> Score {
        descend(turns, window, |window| self.search::<PV>(child, depth, window, ply + 1, cut))
    }
}
