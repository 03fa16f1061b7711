//! Merges two trees into one.

use super::file::digest;
use super::node::{BookEdge, BookNode, LeafAnswer};
use super::tree::{OpeningTree, Successor, successors};
use crate::error::{Error, Result};
use std::collections::HashSet;

impl OpeningTree {
    /// Merges both trees: every position of either, and the moves of every position that one of
    /// them has expanded. For a position in both, the search with more nodes counts; with equal
    /// nodes that of the first tree.
    ///
    /// # Errors
    /// When they are of different games, boards or weights, so that their values cannot be
    /// compared; when only one is a repertoire, or both keep moves by different margins; when
    /// neither has the stronger searches in every position.
    pub fn merge(&self, other: &Self) -> Result<Self> {
        self.check_compares(other)?;
        self.check_grew_like(other)?;
        let (more, less) = self.stronger_first(other)?;
        let mut merged = Self::empty(more.game(), more.board(), more.settings().clone());
        merged.merged =
            vec![digest(self.to_json()?.as_bytes()), digest(other.to_json()?.as_bytes())];
        merged.fewest_nodes =
            self.known_fewest().zip(other.known_fewest()).map(|(first, second)| first.min(second));
        for node in more.nodes().iter().chain(less.nodes()) {
            if merged.number(node.ply, node.key).is_none() {
                let LeafAnswer { score, best } = node.answer;
                merged.add(node.position.clone(), node.ply, LeafAnswer { score, best });
            }
        }
        for number in 0..merged.nodes().len() {
            let edges = merged.linked(number, [more, less]);
            let chosen = merged.chosen(number, [more, less]);
            let node = &mut merged.nodes_mut()[number];
            // Without its chosen move a repertoire would take the best one, however close they are.
            node.plays = edges.iter().position(|edge| Some(edge.child) == chosen);
            node.edges = edges;
        }
        merged.refresh();
        Ok(merged)
    }

    /// Checks that values of both trees can be compared.
    fn check_compares(&self, other: &Self) -> Result<()> {
        if (self.game(), self.board()) != (other.game(), other.board()) {
            let reason = format!(
                "{} on {}, but the first one is {} on {}",
                other.game(),
                other.board(),
                self.game(),
                self.board()
            );
            return refuse(reason, "name two books of one game and board");
        }
        if self.settings().fingerprint != other.settings().fingerprint {
            let reason = format!(
                "searched with the weights {}, the first one with {}",
                other.settings().weights,
                self.settings().weights
            );
            return refuse(reason, "build both with the same --weights");
        }
        Ok(())
    }

    /// Checks that both have all moves of an expanded position, or both choose by the same margin.
    fn check_grew_like(&self, other: &Self) -> Result<()> {
        let [first, second] =
            [self, other].map(|tree| tree.settings().repertoire.map(|found| found.drop));
        if first == second {
            return Ok(());
        }
        let kind = |drop: Option<u32>| {
            drop.map_or("no repertoire".into(), |drop| format!("a repertoire of --drop {drop}"))
        };
        let reason = format!("{}, but the first one is {}", kind(second), kind(first));
        refuse(reason, "name two books without --repertoire, or two repertoires of the same --drop")
    }

    /// Both trees, first the one whose searches have at least as many nodes in every position.
    fn stronger_first<'a>(&'a self, other: &'a Self) -> Result<(&'a Self, &'a Self)> {
        // A merged book of an earlier version may have searches of any number of nodes.
        let fewest = |tree: &Self| tree.known_fewest().unwrap_or(1);
        let is_stronger = |a: &Self, b: &Self| fewest(a) >= b.settings().nodes;
        if is_stronger(self, other) {
            return Ok((self, other));
        }
        if is_stronger(other, self) {
            return Ok((other, self));
        }
        let nodes = |tree: &Self| match (tree.known_fewest(), tree.settings().nodes) {
            (Some(fewest), most) if fewest == most => format!("{most} nodes"),
            (Some(fewest), most) => format!("{fewest} to {most} nodes"),
            (None, most) => format!("at most {most} nodes, the fewest of which are not on record"),
        };
        let reason = format!("searches of {}, the first one {}", nodes(other), nodes(self));
        match self.known_fewest().and(other.known_fewest()) {
            Some(_) => refuse(
                reason,
                "merge the two books with the fewest nodes first, then the result with the next",
            ),
            None => refuse(reason, "merge the parts of the older merged book again"),
        }
    }

    /// The fewest nodes of the search of a position; `None` for a merged book of an earlier version.
    pub fn known_fewest(&self) -> Option<u64> {
        if self.merged.is_empty() { Some(self.settings().nodes) } else { self.fewest_nodes }
    }

    /// The node of the same position at the same ply.
    fn same(&self, node: &BookNode) -> Option<&BookNode> {
        self.number(node.ply, node.key).map(|number| &self.nodes()[number])
    }

    /// The moves of a node that either tree has.
    fn linked(&self, number: usize, trees: [&Self; 2]) -> Vec<BookEdge> {
        let node = &self.nodes()[number];
        let keys = |tree: &Self| -> Vec<u128> {
            let edges = tree.same(node).map_or(&[][..], |found| &found.edges);
            edges.iter().map(|edge| tree.nodes()[edge.child].key).collect()
        };
        let known: HashSet<u128> = trees.into_iter().flat_map(keys).collect();
        let edge = |successor: Successor| {
            let (mv, key, keeps_turn) = successor.parts();
            let child = known.contains(&key).then(|| self.number(node.ply + 1, key))??;
            Some(BookEdge { mv, child, keeps_turn })
        };
        match known.is_empty() {
            true => Vec::new(),
            false => successors(&node.position).filter_map(edge).collect(),
        }
    }

    /// The number of the node after the chosen move of the first tree that has one.
    fn chosen(&self, number: usize, trees: [&Self; 2]) -> Option<usize> {
        let node = &self.nodes()[number];
        let key = |tree: &Self| {
            let found = tree.same(node)?;
            found.plays.map(|place| tree.nodes()[found.edges[place].child].key)
        };
        self.number(node.ply + 1, trees.into_iter().find_map(key)?)
    }
}

fn refuse<T>(reason: String, remedy: &str) -> Result<T> {
    Err(Error::input("the second book", reason).remedy(remedy))
}
