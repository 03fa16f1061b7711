//! The nodes of the search tree, in memory of a fixed size.

use super::proof::Proven;
use crate::game::MAX_MOVES;

/// The index of a node in the tree.
pub(super) type NodeId = u32;

/// The id that stands for no node.
pub(super) const NO_NODE: NodeId = u32::MAX;

/// The number of moves that a node is expected to have.
const EDGES_PER_NODE: usize = 24;
/// The greatest number of hash slots for each node.
const SLOTS_PER_NODE: usize = 4;
/// The number of nodes in the smallest tree.
const LEAST_NODES: usize = 16;

/// A position in the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeNode {
    key: u64,
    first_edge: u32,
    edge_count: u16,
    pub(super) proof: Proven,
    /// The value of the position as a leaf, from the side to move.
    pub(super) base: f32,
    /// The mean over the leaf and the visits of its moves, from the side to move.
    pub(super) value: f32,
    /// The minimax value, from the side to move.
    pub(super) best: f32,
}

/// A move of a node. Its values are from the side that makes the move.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeEdge {
    pub(super) code: u16,
    /// The number of pending visits by threads.
    pub(super) pending: u16,
    pub(super) proof: Proven,
    pub(super) visits: u32,
    /// The node after the move, or [`NO_NODE`].
    pub(super) child: NodeId,
    pub(super) prior: f32,
    /// The mean value.
    pub(super) value: f32,
    /// The minimax value.
    pub(super) best: f32,
}

/// The search tree. It is a directed graph: transpositions share a node.
pub(super) struct Tree {
    nodes: Vec<TreeNode>,
    edges: Vec<TreeEdge>,
    /// A hash index with open addressing: 1 + the node's id by key, 0 for a free slot.
    index: Vec<u32>,
    max_nodes: usize,
    max_edges: usize,
}

impl Tree {
    /// An empty tree of about this many bytes at most.
    pub(super) fn new(bytes: usize) -> Self {
        let each = size_of::<TreeNode>()
            + EDGES_PER_NODE * size_of::<TreeEdge>()
            + SLOTS_PER_NODE * size_of::<u32>();
        let max_nodes =
            (bytes / each).clamp(LEAST_NODES, (NO_NODE / EDGES_PER_NODE as u32) as usize);
        let max_edges = (max_nodes * EDGES_PER_NODE).max(2 * MAX_MOVES);
        Self {
            nodes: Vec::with_capacity(max_nodes),
            edges: Vec::with_capacity(max_edges),
            index: vec![0; (2 * max_nodes).next_power_of_two()],
            max_nodes,
            max_edges,
        }
    }

    /// Removes all nodes from the tree.
    pub(super) fn clear(&mut self) {
        if !self.nodes.is_empty() {
            self.nodes.clear();
            self.edges.clear();
            self.index.fill(0);
        }
    }

    /// The share of the memory that is in use, in permille.
    pub(super) fn permille_full(&self) -> u32 {
        let share = |used: usize, of: usize| used * 1000 / of;
        share(self.nodes.len(), self.max_nodes).max(share(self.edges.len(), self.max_edges)) as u32
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn node(&self, id: NodeId) -> &TreeNode {
        &self.nodes[id as usize]
    }

    pub(super) fn node_mut(&mut self, id: NodeId) -> &mut TreeNode {
        &mut self.nodes[id as usize]
    }

    /// The moves of a node.
    pub(super) fn edges(&self, id: NodeId) -> &[TreeEdge] {
        let node = self.node(id);
        &self.edges[node.first_edge as usize..][..node.edge_count.into()]
    }

    pub(super) fn edges_mut(&mut self, id: NodeId) -> &mut [TreeEdge] {
        let TreeNode { first_edge, edge_count, .. } = *self.node(id);
        &mut self.edges[first_edge as usize..][..edge_count.into()]
    }

    /// The slot of the index with a key, or the free slot where it belongs.
    fn slot(&self, key: u64) -> usize {
        let mask = self.index.len() - 1;
        let mut slot = (key >> 20) as usize & mask;
        while self.index[slot] != 0 && self.node(self.index[slot] - 1).key != key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// The node of the position with this key.
    pub(super) fn find(&self, key: u64) -> Option<NodeId> {
        self.index[self.slot(key)].checked_sub(1)
    }

    /// Adds the node of a position, or returns the existing one; `None` if there is no room.
    pub(super) fn insert(&mut self, key: u64, base: f32, edges: &[TreeEdge]) -> Option<NodeId> {
        let slot = self.slot(key);
        if self.index[slot] != 0 {
            return Some(self.index[slot] - 1);
        }
        let fits = self.nodes.len() < self.max_nodes
            && self.edges.len() + edges.len() <= self.max_edges
            && edges.len() <= MAX_MOVES;
        if !fits {
            return None;
        }
        let id = self.nodes.len() as NodeId;
        let (first_edge, edge_count) = (self.edges.len() as u32, edges.len() as u16);
        let (proof, value, best) = (Proven::None, base, base);
        self.nodes.push(TreeNode { key, first_edge, edge_count, proof, base, value, best });
        self.edges.extend_from_slice(edges);
        self.index[slot] = id + 1;
        Some(id)
    }

    /// Keeps only the nodes reachable from a node, and returns its new id. Nodes and moves keep
    /// their order and slide towards the front.
    pub(super) fn keep_below(&mut self, root: NodeId) -> NodeId {
        let reached = self.reached_from(root);
        let mut places = vec![NO_NODE; self.nodes.len()];
        let (mut kept, mut kept_edges) = (0, 0);
        for old in (0..self.nodes.len()).filter(|&old| reached[old]) {
            let TreeNode { first_edge, edge_count, .. } = self.nodes[old];
            let from = first_edge as usize;
            self.edges.copy_within(from..from + usize::from(edge_count), kept_edges);
            self.nodes[kept] = TreeNode { first_edge: kept_edges as u32, ..self.nodes[old] };
            places[old] = kept as NodeId;
            kept += 1;
            kept_edges += usize::from(edge_count);
        }
        self.nodes.truncate(kept);
        self.edges.truncate(kept_edges);
        for edge in self.edges.iter_mut().filter(|edge| edge.child != NO_NODE) {
            edge.child = places[edge.child as usize];
        }
        self.rebuild_index();
        places[root as usize]
    }

    fn reached_from(&self, root: NodeId) -> Vec<bool> {
        let mut reached = vec![false; self.nodes.len()];
        let mut open = vec![root];
        reached[root as usize] = true;
        while let Some(id) = open.pop() {
            for child in self.edges(id).iter().map(|edge| edge.child) {
                if child != NO_NODE && !std::mem::replace(&mut reached[child as usize], true) {
                    open.push(child);
                }
            }
        }
        reached
    }

    fn rebuild_index(&mut self) {
        self.index.fill(0);
        for id in 0..self.nodes.len() {
            let slot = self.slot(self.nodes[id].key);
            self.index[slot] = id as u32 + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(code: u16, child: NodeId) -> TreeEdge {
        let (proof, prior, value, best) = (Proven::None, 0.5, 0.0, 0.0);
        TreeEdge { code, pending: 0, proof, visits: 0, child, prior, value, best }
    }

    #[test]
    fn what_is_below_a_node_is_kept_and_the_rest_is_not() {
        let mut tree = Tree::new(1 << 16);
        // 0 -> 1, 2; 1 -> 3; 2 -> 3; 3 -> 1, a circle.
        for (key, children) in [(10, vec![1, 2]), (11, vec![3]), (12, vec![3]), (13, vec![1])] {
            let edges: Vec<TreeEdge> =
                children.iter().map(|&child| edge(key as u16 * 10 + child as u16, child)).collect();
            tree.insert(key, 0.25, &edges).unwrap();
        }
        assert_eq!(tree.insert(11, 0.0, &[]), Some(1), "known already");
        let root = tree.keep_below(1);
        assert_eq!((root, tree.len()), (0, 2));
        assert_eq!((tree.find(10), tree.find(11), tree.find(13)), (None, Some(0), Some(1)));
        assert_eq!((tree.edges(0)[0].code, tree.edges(0)[0].child), (113, 1));
        assert_eq!((tree.edges(1)[0].code, tree.edges(1)[0].child), (131, 0));
        tree.clear();
        assert_eq!((tree.find(11), tree.permille_full()), (None, 0));
    }

    #[test]
    fn a_full_tree_takes_no_more_nodes() {
        let mut tree = Tree::new(0);
        let edges = vec![edge(1, NO_NODE); MAX_MOVES];
        let added = (0..100).filter(|&key| tree.insert(key, 0.0, &edges).is_some()).count();
        assert_eq!((added, tree.permille_full()), (2, 1000));
        assert!((0..2).all(|key| tree.find(key).is_some()) && tree.find(2).is_none());
    }
}
