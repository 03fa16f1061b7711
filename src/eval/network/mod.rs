//! The network of a weight set, prepared for the search: the patterns of all windows of the board
//! are its inputs, and one hidden layer stands between them and the value.
//!
//! The whole board is added up anew for each position, 64 hidden units at a time, so that their
//! sums stay in registers.

mod windows;

pub use windows::{NetworkInputs, network_inputs};

use super::{BoardView, Score};
use crate::weights::Network;
use std::sync::Arc;

/// Hidden units whose sums are added up at once. Their number in a set is filled up to a multiple
/// of it, with units that count for nothing.
const LANES: usize = 64;

/// A network prepared for the search.
#[derive(Clone, Debug)]
pub(super) struct PreparedNetwork {
    read: fn(BoardView) -> NetworkInputs,
    blocks: Arc<[Block]>,
    limit: i16,
    output_bias: i32,
    divisor: i32,
}

/// The weights of [`LANES`] hidden units.
#[derive(Debug)]
struct Block {
    biases: [i16; LANES],
    outputs: [i16; LANES],
    /// By input.
    weights: Vec<[i16; LANES]>,
}

impl PreparedNetwork {
    /// Prepares a network that was checked for its board.
    pub(super) fn new(network: &Network) -> Self {
        let blocks = (0..network.units).step_by(LANES).map(|first| Block::new(network, first));
        Self {
            read: network_inputs(network.window),
            blocks: blocks.collect(),
            limit: network.limit,
            output_bias: network.output_bias,
            divisor: network.divisor,
        }
    }

    /// The network's value of what a board shows.
    #[inline]
    pub(super) fn value(&self, view: BoardView) -> Score {
        let inputs = (self.read)(view);
        let outputs = self.blocks.iter().map(|block| block.sum(&inputs, self.limit));
        // The sum of all weights and the bias fits, which the reader of files sees to.
        outputs.fold(self.output_bias, i32::wrapping_add) / self.divisor
    }
}

impl Block {
    fn new(network: &Network, first: usize) -> Self {
        let mut block = Self {
            biases: [0; LANES],
            outputs: [0; LANES],
            weights: Vec::with_capacity(network.hidden_weights.len() / network.units.max(1)),
        };
        for (unit, (bias, output)) in
            (first..network.units).zip(block.biases.iter_mut().zip(&mut block.outputs))
        {
            *bias = network.hidden_biases[unit];
            *output = network.output_weights[unit];
        }
        for row in network.hidden_weights.chunks_exact(network.units.max(1)) {
            let mut weights = [0; LANES];
            for (weight, &shown) in weights.iter_mut().zip(&row[first..]) {
                *weight = i16::from(shown);
            }
            block.weights.push(weights);
        }
        block
    }

    /// The outputs of the units for these inputs, summed.
    #[inline]
    fn sum(&self, inputs: &NetworkInputs, limit: i16) -> i32 {
        let mut sums = self.biases;
        for &input in inputs {
            if let Some(weights) = self.weights.get(input as usize) {
                for (sum, weight) in sums.iter_mut().zip(weights) {
                    *sum = sum.wrapping_add(*weight);
                }
            }
        }
        let mut total = 0_i32;
        for (sum, output) in sums.iter().zip(&self.outputs) {
            let shown = (*sum).clamp(0, limit);
            // At most 181 x 181, see `Network::check`.
            let active = shown.wrapping_mul(shown);
            total = total.wrapping_add(i32::from(active) * i32::from(*output));
        }
        total
    }
}
