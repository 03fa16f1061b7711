//! The counters of a search.

use serde::Serialize;

/// The counters of one search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Counters {
    /// Positions visited, the quiescence search and the root included.
    pub nodes: u64,
    /// Positions visited in the quiescence search.
    pub quiescence_nodes: u64,
    /// Questions to the transposition table.
    pub table_queries: u64,
    /// Questions it had an answer to.
    pub table_hits: u64,
    /// Answers that ended the search of a node.
    pub table_cutoffs: u64,
    /// Nodes that a move refuted.
    pub cutoffs: u64,
    /// Moves searched at those nodes, the refuting ones included.
    pub cutoff_moves: u64,
    /// The deepest ply reached.
    pub seldepth: u32,
}

impl Counters {
    /// Moves tried before a cutoff, on average, the refuting one included; `None` without cutoffs.
    pub fn moves_before_cutoff(&self) -> Option<f64> {
        (self.cutoffs > 0).then(|| self.cutoff_moves as f64 / self.cutoffs as f64)
    }

    /// Counts a question to the transposition table.
    #[inline]
    pub(super) fn count_probe(&mut self, is_hit: bool) {
        self.table_queries += 1;
        self.table_hits += u64::from(is_hit);
    }

    /// Counts a cutoff by the move with this index.
    #[inline]
    pub(super) fn count_cutoff(&mut self, index: usize) {
        self.cutoffs += 1;
        self.cutoff_moves += index as u64 + 1;
    }

    /// Adds what another search counted; the deeper of the two depths stays.
    pub fn add(&mut self, other: &Self) {
        self.nodes += other.nodes;
        self.quiescence_nodes += other.quiescence_nodes;
        self.table_queries += other.table_queries;
        self.table_hits += other.table_hits;
        self.table_cutoffs += other.table_cutoffs;
        self.cutoffs += other.cutoffs;
        self.cutoff_moves += other.cutoff_moves;
        self.seldepth = self.seldepth.max(other.seldepth);
    }
}
