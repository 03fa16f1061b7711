//! The positions of a tree and the moves between them.

use crate::any::{AnyMove, AnyPosition};
use crate::eval::Score;
use crate::search::score::is_proven;

/// The deepest ply of a tree.
pub(super) const MOST_PLIES: u16 = 400;

/// The answer of the search of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeafAnswer {
    /// The score from the side to move, in units of the weight set.
    pub score: Score,
    /// The best move; `None` when the game is over.
    pub best: Option<AnyMove>,
}

/// A move of an expanded position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookEdge {
    /// The move, in the node's own position.
    pub mv: AnyMove,
    /// The number of the node that it leads to.
    pub child: usize,
    /// Whether the mover makes the next ply, too.
    pub keeps_turn: bool,
}

/// A position of the tree.
#[derive(Clone, Debug)]
pub struct BookNode {
    /// The position, or the first of its symmetric images that was met.
    pub position: AnyPosition,
    /// The key that it shares with its images.
    pub key: u128,
    /// Plies from the start.
    pub ply: u16,
    /// The answer of its own search.
    pub answer: LeafAnswer,
    /// Whether the game is over here.
    pub is_over: bool,
    /// Its legal moves, once it is expanded.
    pub edges: Vec<BookEdge>,
    /// The minimax value from the side to move; the score of its own search for a leaf.
    pub value: Score,
    /// The drop-out cost of the cheapest line to it, in hundredths of the unit of the weight set.
    pub cost: i64,
    /// The node before it on that line, and the place of the move among its edges.
    pub parent: Option<(usize, usize)>,
    /// For each side, the cost of the cheapest line in which that side plays only its chosen moves;
    /// `i64::MAX` if there is none, and always outside a repertoire.
    pub side_costs: [i64; 2],
    /// In a repertoire, the place among the edges of the move to play.
    pub plays: Option<usize>,
    /// Whether it was expanded with more than its best move.
    pub(super) is_whole: bool,
    /// Plies of the longest line below it.
    pub height: u16,
    /// Decides between leaves of equal cost.
    pub(super) tie: u64,
}

/// A position to expand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// The number of its node.
    pub node: usize,
    /// The moves to add.
    pub moves: Vec<AnyMove>,
    /// Whether it adds more than the best move.
    pub is_whole: bool,
}

impl BookNode {
    /// Whether nothing below it is in the tree.
    pub fn is_leaf(&self) -> bool {
        self.edges.is_empty()
    }

    /// Whether its search left the result open, so that a deeper tree can tell more.
    pub(super) fn is_undecided(&self) -> bool {
        !self.is_over && !is_proven(self.answer.score) && self.ply < MOST_PLIES
    }
}
