//! Expanding a leaf: the proofs, values and priors of its moves.

use super::playout::{PlayoutRandom, playout};
use super::proof::Proven;
use super::tree::{NO_NODE, TreeEdge};
use super::value::Squash;
use crate::eval::{Accumulators, Evaluator, Game, Score};
use crate::game::{MAX_MOVES, MoveCode, MoveList};
use crate::search::budget::SearchBudget;
use crate::search::constants::SearchConstants;
use crate::search::line_keys::LineKeys;

/// A thread's resources for evaluating leaves.
pub(super) struct Expander<'a, G: Game> {
    evaluator: &'a G::Evaluator,
    accumulators: &'a mut Accumulators<G::NetworkView>,
    pub(super) squash: Squash,
    /// The difference in score that multiplies a move's prior by e.
    temperature: f64,
    playout_plies: u32,
    /// The random generator of playouts, if they replace the evaluation.
    random: Option<PlayoutRandom>,
    children: Vec<Branch<G>>,
    edges: Vec<TreeEdge>,
}

/// A move of the leaf with the position after it.
struct Branch<G: Game> {
    mv: G::Move,
    position: G,
    turns: bool,
    proof: Proven,
}

/// The result of expanding a leaf.
pub(super) struct Expanded<'a> {
    /// Its value for the side to move.
    pub(super) base: f32,
    /// Its moves; only a winning move if there is one, unless all moves were requested.
    pub(super) edges: &'a [TreeEdge],
    /// Whether the search was stopped before all moves were evaluated.
    pub(super) is_partial: bool,
}

impl<'a, G: Game> Expander<'a, G> {
    pub(super) fn new(
        evaluator: &'a G::Evaluator,
        accumulators: &'a mut Accumulators<G::NetworkView>,
        constants: &SearchConstants,
        random: Option<PlayoutRandom>,
    ) -> Self {
        let unit = evaluator.unit();
        Self {
            evaluator,
            accumulators,
            squash: Squash::new(constants.tree_scale, unit),
            temperature: f64::from(unit) * f64::from(constants.tree_temperature) / 100.0,
            playout_plies: constants.playout_plies.unsigned_abs(),
            random,
            children: Vec::new(),
            edges: Vec::new(),
        }
    }

    pub(super) fn is_uct(&self) -> bool {
        self.random.is_some()
    }

    /// The value of an unfinished position for the side to move, without expanding it.
    pub(super) fn static_value(&mut self, position: &G, ply: usize) -> f32 {
        match &mut self.random {
            None => {
                self.squash.value(self.evaluator.evaluate_near(position, ply, self.accumulators))
            }
            Some(random) => {
                playout(position, self.playout_plies, self.evaluator, self.squash, random)
            }
        }
    }

    /// Expands an unfinished position. `whole` requests all moves even if one wins.
    pub(super) fn expand(
        &mut self,
        position: &G,
        ply: usize,
        whole: bool,
        keys: &LineKeys,
        budget: &mut SearchBudget,
    ) -> Expanded<'_> {
        self.list_children(position, whole, keys);
        self.edges.clear();
        let is_proven = Proven::of_moves(self.children.iter().map(|child| child.proof)).is_some();
        let mut is_partial = false;
        if self.is_uct() {
            self.rank_children(position);
        } else {
            is_partial = self.evaluate_children(ply, is_proven && !whole, budget);
        }
        let base = match (is_proven, self.is_uct()) {
            // The proof supplies the value.
            (true, _) => 0.0,
            (false, true) => self.static_value(position, ply),
            (false, false) => self.edges.iter().map(|edge| edge.prior * edge.value).sum(),
        };
        Expanded { base, edges: &self.edges, is_partial }
    }

    fn list_children(&mut self, position: &G, whole: bool, keys: &LineKeys) {
        let mut moves = MoveList::new();
        position.moves(&mut moves);
        self.children.clear();
        for &mv in &moves {
            let next = position.play_unchecked(mv);
            let side = next.side_to_move();
            let turns = side != position.side_to_move();
            let proof = match next.outcome() {
                Some(outcome) => Proven::of_outcome(outcome, side),
                None if keys.is_game_draw(&next) => Proven::Draw,
                None => Proven::of_foresight(next.foresight()),
            };
            let child = Branch { mv, position: next, turns, proof: proof.before_move(turns) };
            if matches!(child.proof, Proven::Win(_)) && !whole {
                self.children.clear();
                self.children.push(child);
                return;
            }
            self.children.push(child);
        }
    }

    /// Evaluates the position after each unproven move; true if the search was stopped on the way.
    /// Moves that were not reached get the value of a loss.
    fn evaluate_children(
        &mut self,
        ply: usize,
        is_settled: bool,
        budget: &mut SearchBudget,
    ) -> bool {
        let mut scores = [Score::MIN; MAX_MOVES];
        let mut is_partial = false;
        for (child, score) in self.children.iter().zip(&mut scores) {
            if child.proof.is_some() || is_settled {
                continue;
            }
            is_partial = is_partial || budget.enter(ply + 1);
            if !is_partial {
                let own = self.evaluator.evaluate_near(&child.position, ply + 1, self.accumulators);
                *score = if child.turns { -own } else { own };
            }
        }
        let best = scores.iter().copied().max().unwrap_or_default();
        for (child, &score) in self.children.iter().zip(&scores) {
            let is_scored = score > Score::MIN;
            let value = if is_scored { self.squash.value(score) } else { -1.0 };
            // The factor by which the move is less likely than the best move.
            let below = (f64::from(score) - f64::from(best)) / self.temperature;
            let prior = if is_scored { below.exp() as f32 } else { 0.0 };
            self.edges.push(edge(child, prior, value));
        }
        share_priors(&mut self.edges);
        is_partial
    }

    /// Gives each move a prior by its rank, which decides the order of first visits.
    fn rank_children(&mut self, position: &G) {
        for child in &self.children {
            let prior = 1.0 + f32::from(position.move_rank(child.mv));
            self.edges.push(edge(child, prior, 0.0));
        }
        share_priors(&mut self.edges);
    }
}

fn edge<G: Game>(child: &Branch<G>, prior: f32, value: f32) -> TreeEdge {
    let value = child.proof.value().unwrap_or(value);
    TreeEdge {
        code: child.mv.code(),
        pending: 0,
        proof: child.proof,
        visits: 0,
        child: NO_NODE,
        prior,
        value,
        best: value,
    }
}

/// Normalizes the priors of all moves to a sum of 1.
fn share_priors(edges: &mut [TreeEdge]) {
    let sum: f32 = edges.iter().map(|edge| edge.prior).sum();
    let even = 1.0 / edges.len().max(1) as f32;
    for edge in edges {
        edge.prior = if sum > 0.0 { edge.prior / sum } else { even };
    }
}
