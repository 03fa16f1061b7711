//! The counters of a search.

use serde::Serialize;

/// The counters of one search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Counters {
    /// The number of positions visited, the quiescence search and the root included.
    pub nodes: u64,
    /// The number of positions visited in the quiescence search.
    pub quiescence_nodes: u64,
    /// The number of transposition table probes.
    pub table_queries: u64,
    /// The number of probes that found an entry.
    pub table_hits: u64,
    /// The number of table entries that ended the search of a node.
    pub table_cutoffs: u64,
    /// The number of nodes at which a move caused a beta cutoff.
    pub cutoffs: u64,
    /// The number of moves searched at those nodes, the refuting moves included.
    pub cutoff_moves: u64,
    /// The greatest ply reached.
    pub seldepth: u32,
}

impl Counters {
    /// The average number of moves searched up to a cutoff, the refuting move included; `None`
    /// without cutoffs.
    pub fn moves_before_cutoff(&self) -> Option<f64> {
        (self.cutoffs > 0).then(|| self.cutoff_moves as f64 / self.cutoffs as f64)
    }

    /// Counts a probe of the transposition table.
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

    /// Adds the counts of another search; the greatest ply is the greater of both.
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
