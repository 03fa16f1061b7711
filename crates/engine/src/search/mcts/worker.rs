//! One thread of a tree search, which simulates lines from the root to a leaf and back.

use super::backup::{Leaf, PathStep, abandon, back_up, refresh};
use super::expand::Expander;
use super::proof::Proven;
use super::select::SelectionRule;
use super::tree::{NO_NODE, NodeId, Tree};
use crate::eval::Game;
use crate::game::MoveCode;
use crate::search::budget::SearchBudget;
use crate::search::line_keys::LineKeys;
use crate::search::score::MAX_PLY;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The number of simulations between two checks of the clock.
const SIMULATIONS_PER_CHECK: u32 = 8;

/// The root, shared by all threads.
pub(super) struct TreeRoot<'a, G: Game> {
    pub(super) position: &'a G,
    pub(super) node: NodeId,
    /// The moves that the search may choose, by index.
    pub(super) allowed: &'a [bool],
    /// The number of lines that the search should report.
    pub(super) wanted: usize,
}

/// One thread of a search.
pub(super) struct TreeWorker<'a, G: Game> {
    pub(super) root: &'a TreeRoot<'a, G>,
    pub(super) tree: &'a Mutex<Tree>,
    pub(super) selection: SelectionRule,
    pub(super) expander: Expander<'a, G>,
    pub(super) budget: SearchBudget,
    pub(super) line_keys: LineKeys,
    pub(super) line: Vec<PathStep>,
    pub(super) unchecked: u32,
}

/// The outcome of a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Simulated {
    /// The simulation was completed.
    Done,
    /// A limit was reached on the way.
    Stopped,
    /// Everything that the search should find out is proven.
    Proven,
}

/// The end of the selected line.
enum LineEnd<G> {
    Leaf(G),
    Known(Leaf),
    /// A position at the greatest length of a line.
    Deepest(G),
    /// There is no move left to visit.
    Nothing,
}

impl<G: Game> TreeWorker<'_, G> {
    /// Selects the most promising line to a leaf, evaluates the leaf and backs up its value.
    pub(super) fn simulate(&mut self) -> Simulated {
        self.unchecked += 1;
        if self.unchecked >= SIMULATIONS_PER_CHECK {
            self.unchecked = 0;
            if self.budget.check_time() {
                return Simulated::Stopped;
            }
        }
        let end = self.descend();
        let ply = self.line.len();
        if matches!(end, LineEnd::Nothing) {
            return Simulated::Proven;
        }
        let leaf = if self.budget.enter(ply) { None } else { self.evaluate(end) };
        let mut tree = lock(self.tree);
        match leaf {
            Some(leaf) => back_up(&mut tree, &self.line, leaf),
            None => {
                abandon(&mut tree, &self.line);
                return Simulated::Stopped;
            }
        }
        Simulated::Done
    }

    fn descend(&mut self) -> LineEnd<G> {
        let mut tree = lock(self.tree);
        let mut position = self.root.position.clone();
        let mut id = self.root.node;
        self.line.clear();
        self.line_keys.enters_repetition(&position, 0);
        loop {
            let ply = self.line.len();
            if ply > 0 && tree.node(id).proof.is_some() {
                return LineEnd::Known(Leaf::TreeNode(id));
            }
            let Some(place) = self.choose(&tree, id) else { return LineEnd::Nothing };
            let edge = &mut tree.edges_mut(id)[place];
            edge.pending = edge.pending.saturating_add(1);
            let (code, proof, child) = (edge.code, edge.proof, edge.child);
            let next = position.play_unchecked(G::Move::from_code(code));
            let turns = next.side_to_move() != position.side_to_move();
            self.line.push(PathStep { node: id, place, turns });
            if self.line_keys.enters_repetition(&next, ply + 1) {
                return LineEnd::Known(Leaf::Repetition);
            }
            if proof.is_some() {
                return LineEnd::Known(Leaf::Settled);
            }
            if ply + 2 >= MAX_PLY {
                return LineEnd::Deepest(next);
            }
            let known = if child == NO_NODE { tree.find(next.key()) } else { Some(child) };
            self.budget.counters.count_probe(known.is_some());
            match known {
                Some(child) => (id, position) = (child, next),
                None => return LineEnd::Leaf(next),
            }
        }
    }

    /// The move of a node to visit next. At the root only unproven moves are visited: proven moves
    /// need no visits.
    fn choose(&self, tree: &Tree, id: NodeId) -> Option<usize> {
        let edges = tree.edges(id);
        if !self.line.is_empty() {
            return self.selection.choose(edges, |_| true);
        }
        let allowed = self.root.allowed;
        let proofs = edges.iter().zip(allowed).filter(|(_, allowed)| **allowed);
        let is_proven = Proven::of_moves(proofs.map(|(edge, _)| edge.proof)).is_some();
        if self.root.wanted == 1 && is_proven {
            return None;
        }
        self.selection.choose(edges, |place| allowed[place] && !edges[place].proof.is_some())
    }

    /// The value of the end of a line; `None` if the search is stopped on the way.
    fn evaluate(&mut self, end: LineEnd<G>) -> Option<Leaf> {
        let ply = self.line.len();
        let position = match end {
            LineEnd::Known(leaf) => return Some(leaf),
            LineEnd::Nothing => return None,
            LineEnd::Deepest(position) => {
                return Some(Leaf::Value(self.expander.static_value(&position, ply), Proven::None));
            }
            LineEnd::Leaf(position) => position,
        };
        let (keys, budget) = (&self.line_keys, &mut self.budget);
        let expanded = self.expander.expand(&position, ply, false, keys, budget);
        if expanded.is_partial {
            return None;
        }
        let mut tree = lock(self.tree);
        if let Some(id) = tree.insert(position.key(), expanded.base, expanded.edges) {
            refresh(&mut tree, id);
            return Some(Leaf::TreeNode(id));
        }
        let proof = Proven::of_moves(expanded.edges.iter().map(|edge| edge.proof));
        Some(Leaf::Value(proof.value().unwrap_or(expanded.base), proof))
    }
}

/// Locks the tree. It is consistent between any two operations, also after a panic.
pub(super) fn lock(tree: &Mutex<Tree>) -> MutexGuard<'_, Tree> {
    tree.lock().unwrap_or_else(PoisonError::into_inner)
}
