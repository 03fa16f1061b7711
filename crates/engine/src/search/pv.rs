//! The principal variation, collected during the search in a triangular array.

use super::score::MAX_PLY;
use crate::game::MoveCode;

/// One line for each ply, as move codes.
pub(super) struct PvTable {
    codes: Vec<[u16; MAX_PLY]>,
    lengths: [usize; MAX_PLY + 1],
}

impl PvTable {
    pub(super) fn new() -> Self {
        Self { codes: vec![[0; MAX_PLY]; MAX_PLY + 1], lengths: [0; MAX_PLY + 1] }
    }

    /// Clears the line of a node.
    #[inline]
    pub(super) fn clear(&mut self, ply: usize) {
        self.lengths[ply] = ply;
    }

    /// Sets the line at `ply` to its new best move, followed by the line below it.
    #[inline]
    pub(super) fn set(&mut self, ply: usize, code: u16) {
        let end = self.lengths[ply + 1].max(ply + 1);
        let (above, below) = self.codes.split_at_mut(ply + 1);
        above[ply][ply] = code;
        above[ply][ply + 1..end].copy_from_slice(&below[0][ply + 1..end]);
        self.lengths[ply] = end;
    }

    /// The principal variation from the root.
    pub(super) fn root<M: MoveCode>(&self) -> Vec<M> {
        self.codes().iter().map(|&code| M::from_code(code)).collect()
    }

    /// The move codes of the principal variation.
    pub(super) fn codes(&self) -> &[u16] {
        &self.codes[0][..self.lengths[0]]
    }

    /// Replaces the line from this ply by one that was found elsewhere.
    pub(super) fn replace(&mut self, ply: usize, codes: &[u16]) {
        let end = (ply + codes.len()).min(MAX_PLY).max(ply);
        self.codes[ply][ply..end].copy_from_slice(&codes[..end - ply]);
        self.lengths[ply] = end;
    }
}
