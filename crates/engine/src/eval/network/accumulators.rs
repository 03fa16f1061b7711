//! The sums of a network's hidden units for the positions of the line that a search is in.
//!
//! A position differs from the one before it by one move, so few windows show something else, and
//! its sums are the sums of before without the weights of the patterns that are gone and with the
//! weights of the patterns that are new. But each side has its own view of the board, so the sums
//! of the position before are wanted as the side to move *now* sees it: they are made when its
//! first successor is evaluated, and serve all others. Sums of integers do not depend on the way to
//! them, so the value is the same as when the whole board is added up.

use super::LANES;
use super::{NetworkView, WindowReader};
use crate::game::bitboard::ones;

/// What a search keeps of the positions that it has evaluated: for each ply one, as each of the
/// sides sees it.
#[derive(Debug)]
pub struct Accumulators<V> {
    /// By place: the view that the sums belong to.
    views: Vec<Option<V>>,
    /// By place and block of units.
    sums: Vec<[i16; LANES]>,
    /// Blocks of a position.
    blocks: usize,
}

/// Where [`Accumulators`] keep the sums of one view of the position at a ply.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place(usize);

/// Sums to begin with: their place, what they belong to, and the windows that show something else.
pub(super) struct Base<V: NetworkView> {
    pub(super) place: Place,
    pub(super) view: V,
    pub(super) changed: V::Changed,
}

impl Place {
    /// The position at a ply as the side to move sees it.
    pub(super) const fn own(ply: usize) -> Self {
        Self(2 * ply)
    }

    /// The same as the other side sees it.
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
    /// The number of windows that show something else.
    #[inline]
    pub(super) fn distance(&self) -> i32 {
        ones(self.changed)
    }

    /// Whether beginning here is less work than adding up the whole board: each changed window is
    /// taken out and put in again, and the sums are read.
    #[inline]
    pub(super) fn is_near(&self, reader: &WindowReader<V>) -> bool {
        2 * self.distance() + 1 < (reader.shown)(self.view) as i32
    }
}

impl<V: NetworkView> Accumulators<V> {
    /// Forgets all positions: from here on the sums belong to a network with this many blocks.
    pub(super) fn begin(&mut self, plies: usize, blocks: usize) {
        self.views.clear();
        self.views.resize(2 * plies, None);
        self.blocks = blocks;
        self.sums.resize(2 * plies * blocks, [0; LANES]);
    }

    /// The sums of a place as those to begin with for a view.
    #[inline]
    pub(super) fn base(&self, place: Place, reader: &WindowReader<V>, view: V) -> Option<Base<V>> {
        let old = self.view(place)?;
        Some(Base { place, view: old, changed: (reader.changed)(old, view) })
    }

    /// The view whose sums a place has.
    #[inline]
    pub(super) fn view(&self, place: Place) -> Option<V> {
        *self.views.get(place.0)?
    }

    /// Says whose sums a place has from now on.
    #[inline]
    pub(super) fn set_view(&mut self, place: Place, view: V) {
        if let Some(shown) = self.views.get_mut(place.0) {
            *shown = Some(view);
        }
    }

    /// The sums of a block of units at a place that has a view.
    #[inline]
    pub(super) fn sums(&self, place: Place, block: usize) -> [i16; LANES] {
        self.sums[place.0 * self.blocks + block]
    }

    /// Keeps the sums of a block of units at a place, if there is room for it.
    #[inline]
    pub(super) fn set_sums(&mut self, place: Place, block: usize, sums: &[i16; LANES]) {
        if let Some(kept) = self.sums.get_mut(place.0 * self.blocks + block) {
            *kept = *sums;
        }
    }
}
