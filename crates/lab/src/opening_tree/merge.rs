//! Merges two trees into one.

use super::file::digest;
use super::node::{BookEdge, LeafAnswer};
use super::tree::{OpeningTree, successors};
use crate::error::{Error, Result};

impl OpeningTree {
    /// Merges both trees: every position of either, and the moves of every position that one of
    /// them has expanded. For a position in both, the search with more nodes counts.
    ///
    /// # Errors
    /// When they are of different games, boards or weights: their values cannot be compared.
    pub fn merge(&self, other: &Self) -> Result<Self> {
        let refuse = |reason: String, remedy: &str| {
            Err(Error::input("the second book", reason).remedy(remedy))
        };
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
        let (more, less) = match self.settings().nodes >= other.settings().nodes {
            true => (self, other),
            false => (other, self),
        };
        let mut merged = Self::empty(more.game(), more.board(), more.settings().clone());
        merged.merged =
            vec![digest(self.to_json()?.as_bytes()), digest(other.to_json()?.as_bytes())];
        for node in more.nodes().iter().chain(less.nodes()) {
            if merged.number(node.ply, node.key).is_none() {
                let LeafAnswer { score, best } = node.answer;
                merged.add(node.position.clone(), node.ply, LeafAnswer { score, best });
            }
        }
        for node in more.nodes().iter().chain(less.nodes()).filter(|node| !node.is_leaf()) {
            if let Some(number) = merged.number(node.ply, node.key) {
                let edges = merged.linked(number);
                merged.nodes_mut()[number].edges = edges;
            }
        }
        merged.refresh();
        Ok(merged)
    }

    /// The moves of a node that lead to positions in the tree.
    fn linked(&self, number: usize) -> Vec<BookEdge> {
        let node = &self.nodes()[number];
        let edge = |successor: super::tree::Successor| {
            let (mv, key, keeps_turn) = successor.parts();
            Some(BookEdge { mv, child: self.number(node.ply + 1, key)?, keeps_turn })
        };
        successors(&node.position).filter_map(edge).collect()
    }
}
