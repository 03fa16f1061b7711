//! The network during training.

use super::adam::{AdamStep, Parameters};
use super::block::{LANES, LearningBlock, SHARD};
use super::positions::InputReader;
use super::shard::{Seen, Shard};
use super::whole;
use crate::arena::queue::Threads;
use crate::arena::seed::generator;
use crate::weights::Network;

/// The stream of the first weights, below the seed.
const FIRST_WEIGHTS: u64 = 0x4e1;

/// The inputs of a network.
#[derive(Clone, Copy)]
pub(super) struct InputCounts {
    /// All inputs that windows can show.
    pub(super) inputs: usize,
    /// The number of inputs that a position shows.
    pub(super) shown: usize,
    /// Inputs of one window, of which a position shows one.
    pub(super) patterns: usize,
}

/// The network during training, with everything that its steps change.
pub(super) struct LearningNetwork {
    blocks: Vec<LearningBlock>,
    output_bias: Parameters,
    counts: InputCounts,
    /// The steps taken.
    pub(super) steps: u64,
    /// Room for the positions of a batch.
    shards: Vec<Shard>,
}

/// How a step is taken.
#[derive(Clone, Copy)]
pub(super) struct StepSettings {
    /// The rate of Adam.
    pub(super) rate: f64,
    /// The positions of a whole batch. A smaller batch at the end counts less.
    pub(super) batch: usize,
    /// The logits of a unit of the value beside the network.
    pub(super) per_unit: f32,
}

impl LearningNetwork {
    /// The network before training.
    pub(super) fn new(units: usize, counts: InputCounts, seed: u64) -> Self {
        let InputCounts { inputs, shown, .. } = counts;
        let block = |index: usize| {
            let mut generator = generator(seed, &[FIRST_WEIGHTS, index as u64]);
            let mut block = LearningBlock::random(inputs, shown, units, &mut generator);
            block.cut(units - index * LANES);
            block
        };
        Self {
            blocks: (0..units.div_ceil(LANES)).map(block).collect(),
            output_bias: Parameters::new(vec![0.0]),
            counts,
            steps: 0,
            shards: Vec::new(),
        }
    }

    /// Leaves out the inputs that the training positions do not show. Nothing is learned about
    /// them, and random weights would be noise that compresses badly.
    pub(super) fn keep_shown(&mut self, shown: &[bool]) {
        self.blocks.iter_mut().for_each(|block| block.keep_shown(shown));
    }

    /// Begins with a network, with `logit` units of its value in one logit, in place of random
    /// numbers. The function stays the same, even if this network has more units.
    pub(super) fn begin_with(&mut self, start: &Network, logit: f64) {
        let one = whole::output_unit_of(start, logit);
        for (place, block) in self.blocks.iter_mut().enumerate() {
            block.begin_with(start, place * LANES, one);
        }
        let bias = f64::from(start.output_bias) / (one * f64::from(start.limit).powi(2));
        self.output_bias.values[0] = bias as f32;
    }

    /// The summed losses of positions, in nats. One unit of the value beside the network is
    /// `per_unit` logits.
    pub(super) fn loss<'e>(
        &self,
        reader: &InputReader,
        positions: impl ExactSizeIterator<Item = Seen<'e>>,
        per_unit: f32,
    ) -> f64 {
        let mut shard = self.shard();
        let count = positions.len().div_ceil(SHARD);
        let mut positions = positions;
        let loss = |_| {
            shard.read(reader, positions.by_ref().take(SHARD));
            shard.forward(&self.blocks, self.output_bias.values[0], per_unit);
            shard.loss
        };
        (0..count).map(loss).sum()
    }

    /// Takes a step against the errors of `count` positions. Returns their summed losses, in nats.
    ///
    /// Threads first work through shards of the positions, then through parts of the weights, each
    /// of which adds up the slopes of all positions in their order. So no sum depends on the threads.
    pub(super) fn learn<'e>(
        &mut self,
        count: usize,
        position: impl Fn(usize) -> Seen<'e> + Sync,
        reader: &InputReader,
        settings: StepSettings,
        threads: &Threads,
    ) -> f64 {
        let used = count.div_ceil(SHARD);
        while self.shards.len() < used {
            self.shards.push(self.shard());
        }
        let Self { blocks, output_bias, shards, .. } = self;
        let (shards, bias) = (&mut shards[..used], output_bias.values[0]);
        threads.for_items(shards.iter_mut().enumerate(), |(index, shard)| {
            let first = index * SHARD;
            shard.read(reader, (first..count.min(first + SHARD)).map(&position));
            shard.forward(blocks, bias, settings.per_unit);
            shard.backward(blocks, settings.batch);
        });
        let loss = shards.iter().map(|shard| shard.loss).sum();
        self.step(used, settings.rate, threads);
        loss
    }

    /// Takes a step along the gradients of the first shards.
    fn step(&mut self, used: usize, rate: f64, threads: &Threads) {
        self.steps += 1;
        let step = AdamStep::new(self.steps, rate);
        let patterns = self.counts.patterns;
        let shards = &self.shards[..used];
        for (index, block) in self.blocks.iter_mut().enumerate() {
            let mut gradient = *shards[0].gradient(index);
            shards[1..].iter().for_each(|shard| gradient.add(shard.gradient(index)));
            block.step(&gradient, step);
        }
        let error: f32 = shards.iter().map(Shard::error).sum();
        self.output_bias.step(&[error], step, f32::MAX);
        let groups = self.blocks.iter_mut().enumerate();
        let groups =
            groups.flat_map(|(index, block)| block.row_groups(patterns).map(move |g| (index, g)));
        threads.for_items(groups, |(block, group)| {
            let slot = group.slot;
            group.learn(shards.iter().map(|shard| shard.slopes(block, slot)), step);
        });
    }

    fn shard(&self) -> Shard {
        Shard::new(self.blocks.len(), self.counts.shown)
    }

    /// The current blocks, and the bias of the output.
    pub(super) fn parts(&self) -> (&[LearningBlock], f64) {
        (&self.blocks, self.output_bias.values[0].into())
    }

    /// Calls `each` with every number that the next step depends on, except the count of steps.
    pub(super) fn each_number(&mut self, each: &mut dyn FnMut(&mut f32)) {
        for block in &mut self.blocks {
            block.parameters_mut().into_iter().for_each(|part| part.each_number(each));
        }
        self.output_bias.each_number(each);
    }
}
