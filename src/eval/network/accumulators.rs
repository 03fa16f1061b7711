//! The sums of a network's hidden units for the positions of the line that a search is in.
//!
//! A position differs from the last one at its ply, and from the one two plies before, which the
//! same side sees, by two moves; where the sides see the board alike, from the one before it by one.
//! So few windows show something else, and its sums are theirs, without the weights of the patterns
//! that are gone and with those of the patterns that are new. Sums of integers do not depend on the
//! way to them, so the value is the same as when the whole board is added up.

use super::LANES;
use super::{NetworkView, WindowReader};
use crate::game::bitboard::ones;

/// What a search keeps of the positions that it has evaluated: one for each ply.
#[derive(Debug)]
pub struct Accumulators<V> {
    /// By ply: the position that the sums belong to.
    views: Vec<Option<V>>,
    /// By ply and block of units.
    sums: Vec<[i16; LANES]>,
    /// Blocks of a position.
    blocks: usize,
}

impl<V> Default for Accumulators<V> {
    fn default() -> Self {
        Self { views: Vec::new(), sums: Vec::new(), blocks: 0 }
    }
}

impl<V: NetworkView> Accumulators<V> {
    /// Forgets all positions: from here on the sums are those of a network of so many blocks.
    pub(super) fn begin(&mut self, plies: usize, blocks: usize) {
        self.views.clear();
        self.views.resize(plies, None);
        self.blocks = blocks;
        self.sums.resize(plies * blocks, [0; LANES]);
    }

    /// The ply, of those whose positions are likely near, whose position differs from this one in
    /// the fewest windows, and a bit for each of these; `None` where adding up the whole board is
    /// less work.
    #[inline]
    pub(super) fn nearest(
        &self,
        reader: &WindowReader<V>,
        view: V,
        ply: usize,
    ) -> Option<(usize, V::Changed)> {
        let difference = |ply: usize| {
            let old = (*self.views.get(ply)?)?;
            Some((ply, (reader.changed)(old, view)))
        };
        let same_ply = difference(ply);
        let same_side = ply.checked_sub(2).and_then(difference);
        let before = if V::IS_COMMON { ply.checked_sub(1).and_then(difference) } else { None };
        let (ply, changed) = [same_ply, same_side, before]
            .into_iter()
            .flatten()
            .min_by_key(|&(_, changed)| ones(changed))?;
        // Each changed window is taken out and put in again, and the sums are read.
        (2 * ones(changed) + 1 < (reader.shown)(view) as i32).then_some((ply, changed))
    }

    /// The position whose sums a ply has.
    #[inline]
    pub(super) fn view(&self, ply: usize) -> Option<V> {
        *self.views.get(ply)?
    }

    /// Says whose sums a ply has from now on.
    #[inline]
    pub(super) fn set_view(&mut self, ply: usize, view: V) {
        if let Some(shown) = self.views.get_mut(ply) {
            *shown = Some(view);
        }
    }

    /// The sums of a block of units at a ply.
    #[inline]
    pub(super) fn sums(&mut self, ply: usize, block: usize) -> Option<&mut [i16; LANES]> {
        self.sums.get_mut(ply * self.blocks + block)
    }
}
