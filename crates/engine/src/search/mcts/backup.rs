//! Backing up the result of a simulation to the root.

use super::proof::Proven;
use super::tree::{NO_NODE, NodeId, Tree, TreeEdge};

/// A move of a simulation's line.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathStep {
    pub(super) node: NodeId,
    /// The index of the move in its node.
    pub(super) place: usize,
    /// Whether the move changed the side to move.
    pub(super) turns: bool,
}

/// The end of a simulation's line.
#[derive(Clone, Copy, Debug)]
pub(super) enum Leaf {
    /// A new or proven node, whose values the move gets.
    TreeNode(NodeId),
    /// A move that was already proven.
    Settled,
    /// A position without a node: its value for the side to move there.
    Value(f32, Proven),
    /// A draw by repetition, which holds for this line only.
    Repetition,
}

/// Backs up the result of a simulation along its line.
pub(super) fn back_up(tree: &mut Tree, line: &[PathStep], leaf: Leaf) {
    for (above, step) in line.iter().rev().enumerate() {
        let leaf = if above == 0 { leaf } else { Leaf::TreeNode(line[line.len() - above].node) };
        let found = match leaf {
            Leaf::TreeNode(id) => Some(*tree.node(id)),
            _ => None,
        };
        let edge = &mut tree.edges_mut(step.node)[step.place];
        edge.pending = edge.pending.saturating_sub(1);
        edge.visits = edge.visits.saturating_add(1);
        let sign = if step.turns { -1.0 } else { 1.0 };
        match (leaf, found) {
            (Leaf::TreeNode(id), Some(node)) => {
                (edge.child, edge.value, edge.best) = (id, sign * node.value, sign * node.best);
                prove(edge, node.proof.before_move(step.turns));
            }
            (Leaf::Value(value, proof), _) => {
                add(edge, sign * value);
                prove(edge, proof.before_move(step.turns));
            }
            (Leaf::Settled, _) => {}
            _ => add(edge, 0.0),
        }
        refresh(tree, step.node);
    }
}

/// Undoes a line that was not followed to its end.
pub(super) fn abandon(tree: &mut Tree, line: &[PathStep]) {
    for step in line {
        let edge = &mut tree.edges_mut(step.node)[step.place];
        edge.pending = edge.pending.saturating_sub(1);
    }
}

/// Updates the mean value of a move without a node.
fn add(edge: &mut TreeEdge, value: f32) {
    edge.value += (value - edge.value) / edge.visits as f32;
    if edge.child == NO_NODE {
        edge.best = edge.value;
    }
}

fn prove(edge: &mut TreeEdge, proof: Proven) {
    edge.proof = proof;
    if let Some(value) = proof.value() {
        (edge.value, edge.best) = (value, value);
    }
}

/// Recomputes the values of a node from its moves. Lost moves count only if all moves are lost.
pub(super) fn refresh(tree: &mut Tree, id: NodeId) {
    let edges = tree.edges(id);
    let proof = Proven::of_moves(edges.iter().map(|edge| edge.proof));
    let (value, best) = match proof.value() {
        Some(value) => (value, value),
        None => {
            let (mut sum, mut visits) = (tree.node(id).base, 1.0);
            let mut best = f32::NEG_INFINITY;
            for edge in edges.iter().filter(|edge| !edge.proof.is_loss()) {
                sum += edge.value * edge.visits as f32;
                visits += edge.visits as f32;
                best = best.max(edge.best);
            }
            (sum / visits, best)
        }
    };
    let node = tree.node_mut(id);
    (node.proof, node.value, node.best) = (proof, value, best);
}
