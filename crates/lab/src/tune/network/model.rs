//! The network during training.

use super::block::{AdamStep, LANES, LearningBlock, Parameters};
use super::whole;
use crate::arena::queue::Threads;
use crate::arena::seed::generator;
use crate::weights::Network;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The stream of the first weights, below the seed.
const FIRST_WEIGHTS: u64 = 0x4e1;

/// The network during training, with everything that its steps change.
pub(super) struct LearningNetwork {
    blocks: Vec<Mutex<LearningBlock>>,
    output_bias: Parameters,
    /// The inputs that a position shows.
    shown: usize,
    pub(super) steps: u64,
}

impl LearningNetwork {
    /// The network before training: `units` units over inputs of which a position shows `shown`.
    pub(super) fn new(units: usize, inputs: usize, shown: usize, seed: u64) -> Self {
        let block = |index: usize| {
            let mut generator = generator(seed, &[FIRST_WEIGHTS, index as u64]);
            let mut block = LearningBlock::random(inputs, shown, units, &mut generator);
            block.cut(units - index * LANES);
            Mutex::new(block)
        };
        Self {
            blocks: (0..units.div_ceil(LANES)).map(block).collect(),
            output_bias: Parameters::new(vec![0.0]),
            shown,
            steps: 0,
        }
    }

    /// The number of inputs.
    pub(super) fn inputs(&self) -> usize {
        self.blocks.first().map_or(0, |block| locked(block).inputs())
    }

    /// Leaves out the inputs that the training does not show: nothing is learned of them, and random
    /// weights would be noise, which no file packs well.
    pub(super) fn keep_shown(&mut self, shown: &[bool]) {
        for block in &mut self.blocks {
            block.get_mut().unwrap_or_else(PoisonError::into_inner).keep_shown(shown);
        }
    }

    /// Begins with a network in which `logit` units of the value make a logit, in place of random
    /// numbers: its function stays as it is, also where this network has more units.
    pub(super) fn begin_with(&mut self, start: &Network, logit: f64) {
        let one = whole::output_unit_of(start, logit);
        for (place, block) in self.blocks.iter_mut().enumerate() {
            let block = block.get_mut().unwrap_or_else(PoisonError::into_inner);
            block.begin_with(start, place * LANES, one);
        }
        let bias = f64::from(start.output_bias) / (one * f64::from(start.limit).powi(2));
        self.output_bias.values[0] = bias as f32;
    }

    /// The logits of positions, given by their inputs one after the other.
    pub(super) fn logits(&self, inputs: &[u32], threads: &Threads) -> Vec<f32> {
        let part = |index: usize| locked(&self.blocks[index]).forward(inputs, self.shown);
        let parts = threads.map_ordered(self.blocks.len(), part);
        let bias = self.output_bias.values[0];
        let logit = |at: usize| parts.iter().fold(bias, |logit, part| logit + part[at]);
        (0..inputs.len() / self.shown.max(1)).map(logit).collect()
    }

    /// Takes a step against the errors of the logits.
    pub(super) fn learn(&mut self, inputs: &[u32], errors: &[f32], rate: f64, threads: &Threads) {
        self.steps += 1;
        let step = AdamStep::new(self.steps, rate);
        let Self { blocks, shown, output_bias, .. } = self;
        let learn = |index: usize| {
            locked(&blocks[index]).backward(inputs, *shown, errors, step);
        };
        threads.map_ordered(blocks.len(), learn);
        output_bias.gradient[0] = errors.iter().sum();
        output_bias.step(step, f32::MAX);
    }

    /// The blocks as they are, and the bias of the output.
    pub(super) fn parts(&self) -> (Vec<MutexGuard<'_, LearningBlock>>, f64) {
        (self.blocks.iter().map(locked).collect(), self.output_bias.values[0].into())
    }

    /// Calls `each` with every number that the next step depends on, the count of steps aside.
    pub(super) fn each_number(&mut self, each: &mut dyn FnMut(&mut f32)) {
        for block in &mut self.blocks {
            let block = block.get_mut().unwrap_or_else(PoisonError::into_inner);
            block.parameters_mut().into_iter().for_each(|part| part.each_number(each));
        }
        self.output_bias.each_number(each);
    }
}

fn locked(block: &Mutex<LearningBlock>) -> MutexGuard<'_, LearningBlock> {
    block.lock().unwrap_or_else(PoisonError::into_inner)
}
