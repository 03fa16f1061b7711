//! The network of a weight set, prepared for the search: the patterns of all windows of the board
//! are its inputs, and one hidden layer stands between them and the value.
//!
//! The sums of the hidden units are added up 64 at a time, so that they stay in registers: over the
//! whole board, or, within a search, over the windows in which the position differs from one before
//! it ([`Accumulators`]). The loops over units count, since iterators side by side are not always
//! inlined, and then such a loop takes its units one by one.

mod accumulators;
mod view;
mod windows;

pub use accumulators::Accumulators;
pub use view::{NetworkView, WindowReader};

use super::Score;
use crate::weights::Network;
use arrayvec::ArrayVec;
use std::sync::Arc;

/// The inputs that a position shows: one for each window, and those beside them.
pub type NetworkInputs = ArrayVec<u32, 104>;

/// The inputs of windows that changed: what each showed before, and what it shows now.
pub type Replaced = ArrayVec<(u32, u32), 64>;

/// Hidden units whose sums are added up at once. Their number in a set is filled up to a multiple
/// of it, with units that count for nothing.
const LANES: usize = 64;

/// A network prepared for the search.
#[derive(Clone, Debug)]
pub(super) struct PreparedNetwork<V: NetworkView> {
    reader: WindowReader<V>,
    blocks: Arc<[UnitBlock]>,
    /// By input, then by block: what an input adds to all units lies side by side.
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
    /// Prepares a network that was checked for its board.
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

    /// The network's value of what a board shows, from the side to move.
    #[inline]
    pub(super) fn value(&self, view: V) -> Score {
        let inputs = (self.reader.read)(view);
        let mut total = 0_i32;
        for (index, block) in self.blocks.iter().enumerate() {
            total = total.wrapping_add(block.output(&self.sums(index, &inputs), self.limit));
        }
        self.shown(view, total)
    }

    /// Begins a search of so many plies, for [`value_near`](Self::value_near).
    pub(super) fn begin(&self, plies: usize, accumulators: &mut Accumulators<V>) {
        accumulators.begin(plies, self.blocks.len());
    }

    /// The same as [`value`](Self::value), with less work where a position before was much the
    /// same.
    #[inline]
    pub(super) fn value_near(
        &self,
        view: V,
        ply: usize,
        accumulators: &mut Accumulators<V>,
    ) -> Score {
        let Some((base, changed)) = accumulators.nearest(&self.reader, view, ply) else {
            return self.value_kept(view, ply, accumulators);
        };
        let Some(old) = accumulators.view(base) else {
            return self.value(view);
        };
        let mut replaced = Replaced::new();
        (self.reader.replaced)(old, view, changed, &mut replaced);
        let mut total = 0_i32;
        for (index, block) in self.blocks.iter().enumerate() {
            let Some(&mut mut sums) = accumulators.sums(base, index) else {
                return self.value(view);
            };
            self.replace(index, &mut sums, &replaced);
            total = total.wrapping_add(block.output(&sums, self.limit));
            if let Some(kept) = accumulators.sums(ply, index) {
                *kept = sums;
            }
        }
        accumulators.set_view(ply, view);
        self.shown(view, total)
    }

    /// The value over the whole board, whose sums are kept for positions to come.
    fn value_kept(&self, view: V, ply: usize, accumulators: &mut Accumulators<V>) -> Score {
        let inputs = (self.reader.read)(view);
        let mut total = 0_i32;
        for (index, block) in self.blocks.iter().enumerate() {
            let sums = self.sums(index, &inputs);
            total = total.wrapping_add(block.output(&sums, self.limit));
            if let Some(kept) = accumulators.sums(ply, index) {
                *kept = sums;
            }
        }
        accumulators.set_view(ply, view);
        self.shown(view, total)
    }

    /// What an input adds to the units of a block.
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

    /// Takes inputs out of the sums of a block and puts others in.
    #[inline]
    fn replace(&self, block: usize, sums: &mut [i16; LANES], replaced: &Replaced) {
        for &(old, new) in replaced {
            if let (Some(old), Some(new)) = (self.weights(old, block), self.weights(new, block)) {
                for lane in 0..LANES {
                    let change = i16::from(new[lane]).wrapping_sub(i16::from(old[lane]));
                    sums[lane] = sums[lane].wrapping_add(change);
                }
            }
        }
    }

    /// The value of a sum over all units. With the bias it fits, which the reader of files sees to.
    #[inline]
    fn shown(&self, view: V, total: i32) -> Score {
        view.sign() * (total.wrapping_add(self.output_bias) / self.divisor)
    }
}

/// The first numbers of a list, as many as a block has units; zeros where it has fewer.
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

    /// The outputs of the units with these sums, added up.
    #[inline]
    fn output(&self, sums: &[i16; LANES], limit: i16) -> i32 {
        let mut total = 0_i32;
        for (lane, sum) in sums.iter().enumerate() {
            let shown = (*sum).clamp(0, limit);
            // At most 181 x 181, see `Network::check`.
            let active = shown.wrapping_mul(shown);
            total = total.wrapping_add(i32::from(active) * i32::from(self.outputs[lane]));
        }
        total
    }
}
