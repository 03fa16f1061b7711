//! Some positions of a batch, which one thread works through.

use super::block::{LANES, Lanes, LearningBlock, SHARD, Slots, UnitGradient};
use super::positions::{Examples, InputReader, LearningTarget, NO_INPUT};

/// A position of a training.
pub(super) struct Seen<'a> {
    pub(super) examples: &'a Examples,
    pub(super) index: usize,
    /// The number of its image, see [`InputReader::images`].
    pub(super) image: u64,
}

/// At most [`SHARD`] positions, with their results.
pub(super) struct Shard {
    targets: Vec<LearningTarget>,
    slots: Vec<[u32; SHARD]>,
    /// By block, then by position: the sums of the units, then their slopes.
    sums: Vec<[Lanes; SHARD]>,
    logits: [f32; SHARD],
    errors: [f32; SHARD],
    /// The gradients of the units, a block each.
    gradients: Vec<UnitGradient>,
    /// The sum of the losses, in nats.
    pub(super) loss: f64,
}

impl Shard {
    /// An empty shard for a network of `blocks` blocks, over positions that show `shown` inputs.
    pub(super) fn new(blocks: usize, shown: usize) -> Self {
        Self {
            targets: Vec::with_capacity(SHARD),
            slots: vec![[NO_INPUT; SHARD]; shown],
            sums: vec![[[0.0; LANES]; SHARD]; blocks],
            logits: [0.0; SHARD],
            errors: [0.0; SHARD],
            gradients: vec![UnitGradient::default(); blocks],
            loss: 0.0,
        }
    }

    /// Removes the positions.
    pub(super) fn clear(&mut self) {
        self.targets.clear();
    }

    /// Takes positions, in place of the earlier ones.
    pub(super) fn read<'e>(
        &mut self,
        reader: &InputReader,
        positions: impl Iterator<Item = Seen<'e>>,
    ) {
        self.clear();
        for (place, seen) in positions.take(SHARD).enumerate() {
            self.targets.push(seen.examples.targets[seen.index]);
            let inputs = reader.inputs(seen.examples, seen.index, seen.image);
            for (slot, input) in self.slots.iter_mut().zip(inputs) {
                slot[place] = input;
            }
        }
    }

    /// Computes the logits and the losses. One unit of the value beside the network is `per_unit`
    /// logits.
    pub(super) fn forward(&mut self, blocks: &[LearningBlock], output_bias: f32, per_unit: f32) {
        let count = self.targets.len();
        self.logits = [output_bias; SHARD];
        for (block, sums) in blocks.iter().zip(&mut self.sums) {
            block.forward(&self.slots, &mut sums[..count], &mut self.logits);
        }
        self.loss = 0.0;
        for ((target, &logit), error) in self.targets.iter().zip(&self.logits).zip(&mut self.errors)
        {
            let logit = f64::from(logit + target.beside * per_unit);
            let (loss, slope) = loss_and_slope(logit, f64::from(target.points));
            self.loss += loss;
            *error = slope as f32;
        }
    }

    /// Computes the slopes of the mean loss of `batch` positions, to which the loss of these
    /// belongs.
    pub(super) fn backward(&mut self, blocks: &[LearningBlock], batch: usize) {
        let count = self.targets.len();
        let share = 1.0 / batch as f32;
        self.errors[..count].iter_mut().for_each(|error| *error *= share);
        for ((block, sums), gradient) in blocks.iter().zip(&mut self.sums).zip(&mut self.gradients)
        {
            *gradient = block.backward(&mut sums[..count], &self.errors[..count]);
        }
    }

    /// The sum of the errors.
    pub(super) fn error(&self) -> f32 {
        self.errors[..self.targets.len()].iter().sum()
    }

    /// The gradient of the units of a block.
    pub(super) fn gradient(&self, block: usize) -> &UnitGradient {
        &self.gradients[block]
    }

    /// The inputs in a slot and the slopes of a block.
    pub(super) fn slopes(&self, block: usize, slot: usize) -> (&[u32], &[Lanes]) {
        let count = self.targets.len();
        let slots: &Slots = &self.slots;
        (&slots[slot][..count], &self.sums[block][..count])
    }
}

/// The cross-entropy of a prediction in logits against a target between 0 and 1, in nats, and its
/// derivative by the logit.
#[inline]
fn loss_and_slope(logit: f64, target: f64) -> (f64, f64) {
    // e^-|x| does not overflow.
    let small = (-logit.abs()).exp();
    let less = small / (1.0 + small);
    let expected = if logit < 0.0 { less } else { 1.0 - less };
    (logit.max(0.0) - target * logit + small.ln_1p(), expected - target)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::logistic::pass::{cross_entropy, sigmoid};

    #[test]
    fn losses_and_slopes_are_those_of_the_cross_entropy() {
        for logit in [-800.0, -3.0, -0.1, 0.0, 0.7, 5.0, 800.0] {
            for target in [0.0, 0.3, 1.0] {
                let (loss, slope) = loss_and_slope(logit, target);
                assert!((loss - cross_entropy(logit, target)).abs() < 1e-12);
                assert!((slope - (sigmoid(logit) - target)).abs() < 1e-12);
            }
        }
    }
}
