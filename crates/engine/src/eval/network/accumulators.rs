//! The hidden sums of a network for the positions of the current search line.
//!
//! A move changes few windows, so a position's sums follow from its predecessor's: subtract the
//! weights of the vanished patterns and add the weights of the new ones. But each side has its own
//! view of the board, so the predecessor's sums are needed from the side to move *now*. They are
//! computed when its first successor is evaluated, and then serve all other successors. Sums of
//! integers do not depend on the order of addition, so the value equals a full evaluation of the
//! board.

use super::LANES;
use super::{NetworkView, WindowReader};
use crate::game::bitboard::ones;

/// The hidden sums of positions that a search has evaluated: one position for each ply, seen by
/// both sides.
#[derive(Debug)]
pub struct Accumulators<V> {
    /// The view that the sums belong to, by place.
    views: Vec<Option<V>>,
    /// The sums by place and block of units.
    sums: Vec<[i16; LANES]>,
    /// The number of blocks of a position.
    blocks: usize,
}

/// The slot in [`Accumulators`] for one view of the position at a ply.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place(usize);

/// Sums to start from: their place, their view, and the windows that differ.
pub(super) struct Base<V: NetworkView> {
    pub(super) place: Place,
    pub(super) view: V,
    pub(super) changed: V::Changed,
}

impl Place {
    /// The place of the position at a ply, seen by the side to move.
    pub(super) const fn own(ply: usize) -> Self {
        Self(2 * ply)
    }

    /// The place of the same position, seen by the opponent.
    pub(super) const fn turned(ply: usize) -> Self {
        Self(2 * ply + 1)
    }
}

impl<V> Default for Accumulators<V> {
    fn default() -> Self {
        Self { views: Vec::new(), sums: Vec::new(), blocks: 0 }
    }
}

impl<V: NetworkView> Base<V> {
    /// The number of windows that differ.
    #[inline]
    pub(super) fn distance(&self) -> i32 {
        ones(self.changed)
    }

    /// Whether updating these sums is cheaper than adding up the whole board. Each changed window
    /// is subtracted and added, and the old sums are read.
    #[inline]
    pub(super) fn is_near(&self, reader: &WindowReader<V>) -> bool {
        2 * self.distance() + 1 < (reader.shown)(self.view) as i32
    }
}

impl<V: NetworkView> Accumulators<V> {
    /// Clears all positions and prepares for a network with this many blocks.
    pub(super) fn begin(&mut self, plies: usize, blocks: usize) {
        self.views.clear();
        self.views.resize(2 * plies, None);
        self.blocks = blocks;
        self.sums.resize(2 * plies * blocks, [0; LANES]);
    }

    /// The sums of a place as a starting point for a view.
    #[inline]
    pub(super) fn base(&self, place: Place, reader: &WindowReader<V>, view: V) -> Option<Base<V>> {
        let old = self.view(place)?;
        Some(Base { place, view: old, changed: (reader.changed)(old, view) })
    }

    /// The view that the sums of a place belong to.
    #[inline]
    pub(super) fn view(&self, place: Place) -> Option<V> {
        *self.views.get(place.0)?
    }

    /// Sets the view that the sums of a place belong to.
    #[inline]
    pub(super) fn set_view(&mut self, place: Place, view: V) {
        if let Some(shown) = self.views.get_mut(place.0) {
            *shown = Some(view);
        }
    }

    /// The sums of a block of units at an occupied place.
    #[inline]
    pub(super) fn sums(&self, place: Place, block: usize) -> [i16; LANES] {
        self.sums[place.0 * self.blocks + block]
    }

    /// Stores the sums of a block of units at a place, if there is room for it.
    #[inline]
    pub(super) fn set_sums(&mut self, place: Place, block: usize, sums: &[i16; LANES]) {
        if let Some(kept) = self.sums.get_mut(place.0 * self.blocks + block) {
            *kept = *sums;
        }
    }
}
