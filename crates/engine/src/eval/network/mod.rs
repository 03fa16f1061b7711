//! The network of a weight set, prepared for the search. Its inputs are the patterns of all windows
//! of the board, and it has one hidden layer.
//!
//! The hidden sums are computed 64 at a time to stay in registers. They cover the whole board, or
//! within a search only the windows that differ from an earlier position ([`Accumulators`]). The
//! loops over units use indices, since zipped iterators are not always inlined, and such loops
//! would handle one unit at a time.

mod accumulators;
mod view;
mod windows;

pub use accumulators::Accumulators;
use accumulators::{Base, Place};
pub use view::{NetworkView, WindowReader};

use super::Score;
use crate::weights::Network;
use arrayvec::ArrayVec;
use std::sync::Arc;

/// The active inputs of a position: one for each window, and any additional inputs.
pub type NetworkInputs = ArrayVec<u32, 104>;

/// The rows of weights to exchange for changed windows: the start of the old pattern's row, and the
/// start of the new pattern's row.
pub type Replaced = ArrayVec<(u32, u32), 64>;

/// The number of hidden units summed at once. A network is padded to a multiple of it with units of
/// weight 0.
const LANES: usize = 64;

/// If the previous position differs in at most this many windows, no other base is tried. Few moves
/// change more.
const NEAR_ENOUGH: i32 = 12;

/// A network prepared for the search.
#[derive(Clone, Debug)]
pub(super) struct PreparedNetwork<V: NetworkView> {
    reader: WindowReader<V>,
    blocks: Arc<[UnitBlock]>,
    /// By input, then by block, so that the weights of an input to all units are adjacent.
    weights: Arc<[[i8; LANES]]>,
    limit: i16,
    output_bias: i32,
    divisor: i32,
}

/// [`LANES`] hidden units.
#[derive(Debug)]
struct UnitBlock {
    biases: [i16; LANES],
    outputs: [i16; LANES],
}

impl<V: NetworkView> PreparedNetwork<V> {
    /// Prepares a network that was already checked for its board.
    pub(super) fn new(network: &Network) -> Self {
        let firsts = || (0..network.units).step_by(LANES);
        let inputs = network.hidden_weights.chunks_exact(network.units.max(1));
        let weights = inputs.flat_map(|row| firsts().map(|first| filled_up(&row[first..])));
        Self {
            reader: V::reader(network.window),
            blocks: firsts().map(|first| UnitBlock::new(network, first)).collect(),
            weights: weights.collect(),
            limit: network.limit,
            output_bias: network.output_bias,
            divisor: network.divisor,
        }
    }

    /// The network's value of a board view, from the side to move.
    #[inline]
    pub(super) fn value(&self, view: V) -> Score {
        let inputs = (self.reader.read)(view);
        let mut total = 0_i32;
        for (index, block) in self.blocks.iter().enumerate() {
            total = total.wrapping_add(block.output(&self.sums(index, &inputs), self.limit));
        }
        self.shown(view, total)
    }

    /// Begins a search of at most `plies` plies, for [`value_near`](Self::value_near).
    pub(super) fn begin(&self, plies: usize, accumulators: &mut Accumulators<V>) {
        accumulators.begin(plies, self.blocks.len());
    }

    /// The same as [`value`](Self::value), but cheaper if an earlier position was similar. `turned`
    /// gives the opponent's view, see [`Game::turned_view`](crate::eval::Game::turned_view).
    #[inline]
    pub(super) fn value_near(
        &self,
        view: V,
        ply: usize,
        turned: impl Fn(V) -> Option<V>,
        accumulators: &mut Accumulators<V>,
    ) -> Score {
        let nearest = self.nearest(view, ply, turned, accumulators);
        let mut total = 0_i32;
        self.update(Place::own(ply), view, nearest, accumulators, |block, sums| {
            total = total.wrapping_add(block.output(sums, self.limit));
        });
        self.shown(view, total)
    }

    /// The stored sums with the fewest changed windows for the view at a ply, among likely
    /// candidates.
    #[inline]
    fn nearest(
        &self,
        view: V,
        ply: usize,
        turned: impl Fn(V) -> Option<V>,
        accumulators: &mut Accumulators<V>,
    ) -> Option<Base<V>> {
        let reader = &self.reader;
        let before = ply.checked_sub(1).and_then(|before| {
            let place = match turned(accumulators.view(Place::own(before))?) {
                Some(turned) => self.turn(turned, before, accumulators),
                None => Place::own(before),
            };
            accumulators.base(place, reader, view)
        });
        if before.as_ref().is_some_and(|base| base.distance() <= NEAR_ENOUGH) {
            return before;
        }
        let kept = |ply| accumulators.base(Place::own(ply), reader, view);
        let same_side = ply.checked_sub(2).and_then(kept);
        [before, kept(ply), same_side].into_iter().flatten().min_by_key(Base::distance)
    }

    /// Ensures that the sums of the position at a ply are stored as the opponent sees it; returns
    /// their place.
    #[inline]
    fn turn(&self, view: V, ply: usize, accumulators: &mut Accumulators<V>) -> Place {
        let place = Place::turned(ply);
        if accumulators.view(place) != Some(view) {
            let kept = |place| accumulators.base(place, &self.reader, view);
            let before = ply.checked_sub(1).and_then(|before| kept(Place::own(before)));
            let nearest = [before, kept(place)].into_iter().flatten().min_by_key(Base::distance);
            self.update(place, view, nearest, accumulators, |_, _| ());
        }
        place
    }

    /// Stores the sums of a view in a place. They are updated from the nearest position's sums,
    /// unless adding up the whole board is cheaper. Each block of sums is passed to `each`.
    #[inline]
    fn update(
        &self,
        place: Place,
        view: V,
        nearest: Option<Base<V>>,
        accumulators: &mut Accumulators<V>,
        each: impl FnMut(&UnitBlock, &[i16; LANES]),
    ) {
        match nearest.filter(|base| base.is_near(&self.reader)) {
            Some(base) => self.change(&base, place, view, accumulators, each),
            None => self.add_up(place, view, accumulators, each),
        }
    }

    /// Stores the sums of a view in a place, computed as changes to other sums.
    #[inline(always)]
    fn change(
        &self,
        base: &Base<V>,
        place: Place,
        view: V,
        accumulators: &mut Accumulators<V>,
        each: impl FnMut(&UnitBlock, &[i16; LANES]),
    ) {
        let mut replaced = Replaced::new();
        let row_length = self.blocks.len() as u32;
        (self.reader.replaced)(base.view, view, base.changed, row_length, &mut replaced);
        self.fill(place, view, accumulators, each, |accumulators, index| {
            let mut sums = accumulators.sums(base.place, index);
            self.replace(index, &mut sums, &replaced);
            sums
        });
    }

    /// The same, added up over the whole board.
    fn add_up(
        &self,
        place: Place,
        view: V,
        accumulators: &mut Accumulators<V>,
        each: impl FnMut(&UnitBlock, &[i16; LANES]),
    ) {
        let inputs = (self.reader.read)(view);
        self.fill(place, view, accumulators, each, |_, index| self.sums(index, &inputs));
    }

    /// Passes each block of units with its sums to a function and stores the sums in a place.
    #[inline(always)]
    fn fill(
        &self,
        place: Place,
        view: V,
        accumulators: &mut Accumulators<V>,
        mut each: impl FnMut(&UnitBlock, &[i16; LANES]),
        sums: impl Fn(&Accumulators<V>, usize) -> [i16; LANES],
    ) {
        for (index, block) in self.blocks.iter().enumerate() {
            let sums = sums(accumulators, index);
            each(block, &sums);
            accumulators.set_sums(place, index, &sums);
        }
        accumulators.set_view(place, view);
    }

    /// The weights from an input to the units of a block.
    #[inline]
    fn weights(&self, input: u32, block: usize) -> Option<&[i8; LANES]> {
        self.weights.get(input as usize * self.blocks.len() + block)
    }

    /// The sums of the units of a block for these inputs.
    #[inline]
    fn sums(&self, block: usize, inputs: &NetworkInputs) -> [i16; LANES] {
        let mut sums = self.blocks[block].biases;
        for &input in inputs {
            if let Some(weights) = self.weights(input, block) {
                for lane in 0..LANES {
                    sums[lane] = sums[lane].wrapping_add(i16::from(weights[lane]));
                }
            }
        }
        sums
    }

    /// Subtracts the old weights from the sums of a block and adds the new ones.
    #[inline]
    fn replace(&self, block: usize, sums: &mut [i16; LANES], replaced: &Replaced) {
        let weights = &self.weights[block..];
        for &(old, new) in replaced {
            if let (Some(old), Some(new)) = (weights.get(old as usize), weights.get(new as usize)) {
                for lane in 0..LANES {
                    let change = i16::from(new[lane]).wrapping_sub(i16::from(old[lane]));
                    sums[lane] = sums[lane].wrapping_add(change);
                }
            }
        }
    }

    /// The network's value from the total over all units. Adding the bias cannot overflow: the check
    /// of files rejects networks that could.
    #[inline]
    fn shown(&self, view: V, total: i32) -> Score {
        view.sign() * (total.wrapping_add(self.output_bias) / self.divisor)
    }
}

/// The first numbers of a list, one for each unit of a block, padded with zeros.
fn filled_up<T: Copy + Default>(list: &[T]) -> [T; LANES] {
    std::array::from_fn(|lane| list.get(lane).copied().unwrap_or_default())
}

impl UnitBlock {
    fn new(network: &Network, first: usize) -> Self {
        Self {
            biases: filled_up(&network.hidden_biases[first..]),
            outputs: filled_up(&network.output_weights[first..]),
        }
    }

    /// The output of the units with these sums.
    #[inline]
    fn output(&self, sums: &[i16; LANES], limit: i16) -> i32 {
        let mut active = [0_i16; LANES];
        for (lane, active) in active.iter_mut().enumerate() {
            // `clamp` would check the limit again.
            let shown = sums[lane].max(0).min(limit);
            // At most 181 x 181, see `Network::check`.
            *active = shown.wrapping_mul(shown);
        }
        // A separate loop: the total has 32 bits, and a joint loop would process half as many
        // lanes.
        let mut total = 0_i32;
        for (lane, active) in active.into_iter().enumerate() {
            total = total.wrapping_add(i32::from(active) * i32::from(self.outputs[lane]));
        }
        total
    }
}
