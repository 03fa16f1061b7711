//! Principal variation search (Marsland, Campbell 1982; the null-window scout of Pearl 1980).

use super::Full;
use super::known::bound_of;
use super::prune::NodeEval;
use crate::eval::{Game, Score};
use crate::game::{Foresight, MoveCode, MoveList, Position};
use crate::search::busy::Claim;
use crate::search::history::MoveContext;
use crate::search::ordering::{MoveOrder, Next, ScoredMoves, list_moves, score_moves};
use crate::search::score::{INFINITE, PROVEN, descend, is_proven, win_at};
use crate::search::table::{Bound, TableEntry};
use arrayvec::ArrayVec;

/// The most quiet moves of a node whose history is lowered when a later one refutes it.
const MOST_TRIED: usize = 64;

/// What stays the same while the moves of a node are searched.
struct Node<'n, P: Position> {
    position: &'n P,
    depth: i32,
    /// The depth that was asked for; `depth` is less where the node is searched less deeply than
    /// that.
    asked: i32,
    ply: usize,
    /// Whether the node is expected to be refuted.
    cut: bool,
    /// The table's move; 0 for none.
    code: u16,
    standing: NodeEval,
    /// Whether only the answers to a threat are searched.
    forced: bool,
    /// By how many plies all moves are searched deeper.
    extension: i32,
    /// Whether the table's move is searched one ply deeper still.
    singular: bool,
    moment: MoveContext,
}

impl<'a, G: Game> Full<'a, G> {
    /// The score of a position at a depth. `PV` nodes have an open window; `cut` nodes are expected
    /// to be refuted.
    pub(super) fn search<const PV: bool>(
        &mut self,
        position: &G,
        asked: i32,
        alpha: Score,
        beta: Score,
        ply: usize,
        cut: bool,
    ) -> Score {
        let score = self.visit::<PV>(position, asked, alpha, beta, ply, cut);
        if self.busy.is_some()
            && let Some(answer) = self.arrive(position, ply)
        {
            return answer;
        }
        score
    }

    /// As [`search`](Self::search); where another thread has the answer first, the score is worth
    /// nothing.
    fn visit<const PV: bool>(
        &mut self,
        position: &G,
        asked: i32,
        mut alpha: Score,
        mut beta: Score,
        ply: usize,
        cut: bool,
    ) -> Score {
        if asked <= 0 {
            return self.quiesce(position, alpha, beta, ply, 0);
        }
        self.heuristics.lines.clear(ply);
        if self.work.enter(ply) {
            return 0;
        }
        if let Some(score) = self.settled(position, ply) {
            return score;
        }
        if ply > 0 {
            // No line from here can be better than winning next ply, or worse than having lost by
            // now.
            alpha = alpha.max(-win_at(ply));
            beta = beta.min(win_at(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }
        let excluded = self.heuristics.stack[ply].excluded;
        if self.busy.is_some() && self.join(position, asked, (alpha, beta), ply) {
            return 0;
        }
        let known = self.probe(position, ply);
        if !PV
            && excluded == 0
            && let Some(score) = known.and_then(|entry| self.usable(entry, asked, alpha, beta))
        {
            self.work.counters.table_cutoffs += 1;
            return score;
        }
        let standing = self.stand(position, known, ply);
        let code = known.map_or(0, |entry| entry.code);
        let mut depth = asked;
        if !PV && excluded == 0 {
            if let Some(score) = self.leave_early(position, depth, (alpha, beta), ply, standing) {
                return score;
            }
            if let Some(score) = self.pass_suffices(position, depth, beta, ply, standing) {
                return score;
            }
        }
        if self.work.is_stopped() {
            return 0;
        }
        if code == 0 && depth >= self.params.internal_depth && self.switches.reductions {
            depth -= 1;
        }
        let singular =
            known.is_some_and(|entry| self.is_singular(position, entry, depth, ply, cut));
        if self.work.is_stopped() {
            return 0;
        }
        let forced = self.must_answer(position, ply);
        let node = Node {
            position,
            depth,
            asked,
            ply,
            cut,
            code,
            standing,
            forced,
            extension: i32::from(self.extends(ply, forced)),
            singular,
            moment: self.moment(position, ply),
        };
        self.search_moves::<PV>(&node, alpha, beta)
    }

    /// Searches the moves of a node whose fate is still open.
    fn search_moves<const PV: bool>(
        &mut self,
        node: &Node<G>,
        mut alpha: Score,
        beta: Score,
    ) -> Score {
        let &Node { position, depth, ply, code, forced, moment, .. } = node;
        let excluded = self.heuristics.stack[ply].excluded;
        let mut order = MoveOrder::new(self.first_move(position, code, forced || code == excluded));
        let mut tried: ArrayVec<G::Move, MOST_TRIED> = ArrayVec::new();
        let (mut best, mut best_code, original_alpha) = (-INFINITE, 0, alpha);
        let mut searched = 0;
        while let Some(Next { mv, waited }) =
            order.next(|scored| self.list_moves(position, code, forced, moment, scored))
        {
            if mv.code() == excluded {
                continue;
            }
            if searched > 0 && self.busy.is_some() && self.is_answered(ply) {
                return best;
            }
            let capture = position.is_capture(mv);
            let quiet = !capture && mv.code() != code;
            let number = waited.unwrap_or(searched + order.times_put_off());
            // While all moves searched lose, none may be left out: the loss would not be proven.
            if !PV
                && quiet
                && waited.is_none()
                && best > -PROVEN
                && self.skips(depth, (tried.len(), number), alpha, node.standing)
            {
                // Quiet moves stand last, and what leaves out one leaves out those after it too.
                if order.times_put_off() == 0 {
                    break;
                }
                continue;
            }
            let mark = self.mark(position, mv, depth, searched);
            if waited.is_none() && mark.as_ref().is_some_and(Claim::is_taken) {
                order.put_off(number);
                continue;
            }
            let taken = mark.map(Claim::take);
            let rank = (searched > 0).then_some(number);
            let score = self.search_move::<PV>(node, mv, rank, capture, alpha, beta);
            drop(taken);
            if self.work.is_stopped() {
                return best;
            }
            searched += 1;
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_code = mv.code();
                    self.heuristics.lines.set(ply, best_code);
                }
                if alpha >= beta {
                    self.work.count_cutoff(searched - 1);
                    if !capture {
                        self.heuristics.history.reward(moment, depth, mv, &tried);
                    }
                    break;
                }
            }
            if !capture {
                let _ = tried.try_push(mv);
            }
        }
        if self.switches.table && excluded == 0 {
            let bound = bound_of(best, original_alpha, beta);
            // An answer to what was asked: whoever asks again is content with it, the other threads
            // above all.
            let depth = node.asked.clamp(0, u8::MAX.into()) as u8;
            self.table.store(
                position.key(),
                ply,
                TableEntry { code: best_code, score: best, bound, depth },
            );
        }
        best
    }

    /// Searches one move of a node: the first one, which has no `number`, with the whole window;
    /// any other with a null window and not so deeply, as long as it does not turn out to be better
    /// than expected.
    #[inline]
    fn search_move<const PV: bool>(
        &mut self,
        node: &Node<G>,
        mv: G::Move,
        number: Option<usize>,
        capture: bool,
        alpha: Score,
        beta: Score,
    ) -> Score {
        let &Node { position, depth, ply, cut, moment, standing, .. } = node;
        let history = self.heuristics.history.value(moment, mv, self.params.answer_weight);
        let child = position.play_unchecked(mv);
        let turns = child.side_to_move() != moment.side;
        let next = depth - 1 + node.extension + i32::from(node.singular && mv.code() == node.code);
        self.heuristics.stack[ply + 1].after = Some(mv.context());
        // A refutation is expected of one side: after a ply that leaves the turn to it, still of
        // the same.
        let other = cut != turns;
        let Some(number) = number else {
            return self.descend::<PV>(&child, turns, next, alpha, beta, ply, !PV && other);
        };
        let reduction = self.reduction(depth, number, history, (PV, cut, capture), standing);
        let mut score =
            self.descend::<false>(&child, turns, next - reduction, alpha, alpha + 1, ply, turns);
        if score > alpha && reduction > 0 {
            score = self.descend::<false>(&child, turns, next, alpha, alpha + 1, ply, other);
        }
        if PV && score > alpha && score < beta {
            score = self.descend::<PV>(&child, turns, next, alpha, beta, ply, false);
        }
        score
    }

    /// The table's move, if it can be searched before the others are listed.
    #[inline]
    fn first_move(&self, position: &G, code: u16, listed_first: bool) -> Option<G::Move> {
        (code != 0 && !listed_first)
            .then(|| G::Move::from_code(code))
            .filter(|&mv| position.is_legal(mv))
    }

    /// Lists the moves with their values: all of them, or the answers to a threat.
    #[inline]
    fn list_moves(
        &self,
        position: &G,
        code: u16,
        forced: bool,
        moment: MoveContext,
        scored: &mut ScoredMoves<G::Move>,
    ) {
        let mut moves = MoveList::new();
        if forced {
            position.relevant_moves(&mut moves)
        } else {
            list_moves(position, moment.ply, &self.trail, &mut moves)
        }
        score_moves(position, &moves, code, &self.heuristics.history, moment, self.params, scored);
    }

    /// The place of a node as the history sees it.
    #[inline]
    pub(super) fn moment(&self, position: &G, ply: usize) -> MoveContext {
        MoveContext { side: position.side_to_move(), ply, after: self.heuristics.stack[ply].after }
    }

    /// Whether the table's move is the only good one: a shallower search of the others stays well
    /// below its score. Then it is searched one ply deeper (singular extensions; Anantharaman,
    /// Campbell and Hsu 1988).
    fn is_singular(
        &mut self,
        position: &G,
        entry: TableEntry,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> bool {
        let p = self.params;
        if depth < p.singular_depth
            || ply == 0
            || entry.code == 0
            || self.heuristics.stack[ply].excluded != 0
            || entry.bound == Bound::Upper
            || i32::from(entry.depth) < depth - 3
            || is_proven(entry.score)
            || !self.extends(ply, true)
        {
            return false;
        }
        let bound = entry.score.saturating_sub(self.margin(p.singular_margin, depth));
        self.heuristics.stack[ply].excluded = entry.code;
        let score = self.search::<false>(position, (depth - 1) / 2, bound - 1, bound, ply, cut);
        self.heuristics.stack[ply].excluded = 0;
        score < bound
    }

    /// Whether only the answers to a threat are searched. At the root that takes a look whether the
    /// position is decided, which deeper down has ended its search: then the answers alone may lack
    /// the win, or be none.
    #[inline]
    fn must_answer(&self, position: &G, ply: usize) -> bool {
        self.switches.foresight
            && position.must_answer()
            && (ply > 0 || position.foresight() == Foresight::Unknown)
    }

    /// Searches a position one ply below: the score is negated and the window swapped only when the
    /// side changes.
    #[inline]
    #[allow(clippy::too_many_arguments)]
    fn descend<const PV: bool>(
        &mut self,
        child: &G,
        turns: bool,
        depth: i32,
        alpha: Score,
        beta: Score,
        ply: usize,
        cut: bool,
    ) -> Score {
        descend(turns, alpha, beta, |alpha, beta| {
            self.search::<PV>(child, depth, alpha, beta, ply + 1, cut)
        })
    }
}
