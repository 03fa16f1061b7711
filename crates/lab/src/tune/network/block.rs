//! A block of the hidden units, with everything that training changes.

use super::adam::{AdamStep, MOST_WEIGHT, Parameters, take_step};
use crate::weights::Network;
use rand_mt::Mt64;

/// The hidden units of a block: few enough to keep their sums in registers, and enough for a row of
/// weights to fill two cache lines.
pub(super) const LANES: usize = 32;
/// A number for each unit of a block.
pub(super) type Lanes = [f32; LANES];
/// The positions that a thread works through at a time. Their sums are added up first.
pub(super) const SHARD: usize = 64;
/// The inputs of a shard's positions, by slot (a window, or whose turn it is), then by position.
pub(super) type Slots = [[u32; SHARD]];

/// The first output of a unit that is added to a network.
const FAINT: f32 = 1e-5;

/// [`LANES`] hidden units that learn together.
#[derive(Clone)]
pub(super) struct LearningBlock {
    /// By input, then by unit.
    pub(super) weights: Parameters,
    pub(super) biases: Parameters,
    pub(super) outputs: Parameters,
}

impl LearningBlock {
    /// Units with random weights, of a network with `units` units that takes `windows` of its
    /// inputs at a time.
    pub(super) fn random(
        inputs: usize,
        windows: usize,
        units: usize,
        generator: &mut Mt64,
    ) -> Self {
        let spread = |count: usize| (count.max(1) as f64).sqrt().recip();
        Self {
            weights: Parameters::random(inputs * LANES, spread(windows), generator),
            biases: Parameters::random(LANES, spread(windows), generator),
            outputs: Parameters::random(LANES, spread(units), generator),
        }
    }

    /// Sets the weights of the inputs that are not shown to 0, where they stay.
    pub(super) fn keep_shown(&mut self, shown: &[bool]) {
        for (row, _) in self.weights.values.chunks_exact_mut(LANES).zip(shown).filter(|row| !row.1)
        {
            row.fill(0.0);
        }
    }

    /// Everything that training changes.
    pub(super) fn parameters_mut(&mut self) -> [&mut Parameters; 3] {
        [&mut self.weights, &mut self.biases, &mut self.outputs]
    }

    /// Takes the units of a network from number `first` on; `one` is the integer for an output of 1
    /// in it. Units that the network does not have or does not use get an output too small for
    /// integers, but large enough to learn.
    pub(super) fn begin_with(&mut self, start: &Network, first: usize, one: f64) {
        let limit = f32::from(start.limit);
        let rows = self.weights.values.chunks_exact_mut(LANES);
        for (row, known) in rows.zip(start.hidden_weights.chunks_exact(start.units.max(1))) {
            for (weight, known) in row.iter_mut().zip(known.iter().skip(first)) {
                *weight = f32::from(*known) / limit;
            }
        }
        for (bias, known) in
            self.biases.values.iter_mut().zip(start.hidden_biases.iter().skip(first))
        {
            *bias = f32::from(*known) / limit;
        }
        let known =
            start.output_weights.iter().skip(first).map(Some).chain(std::iter::repeat(None));
        for (output, known) in self.outputs.values.iter_mut().zip(known) {
            *output = match known {
                Some(&known) if known != 0 => (f64::from(known) / one) as f32,
                _ if *output == 0.0 => 0.0,
                _ => FAINT.copysign(*output),
            };
        }
    }

    /// Leaves the units from this one on out of the network.
    pub(super) fn cut(&mut self, units: usize) {
        self.outputs.values.iter_mut().skip(units).for_each(|output| *output = 0.0);
    }

    /// Adds the units' contributions to the logits of a shard's positions, and leaves the sums of
    /// the units in `sums`.
    pub(super) fn forward(&self, slots: &Slots, sums: &mut [Lanes], logits: &mut [f32]) {
        let (rows, biases) = (rows(&self.weights.values), lanes(&self.biases.values));
        let outputs = lanes(&self.outputs.values);
        for (place, (sums, logit)) in sums.iter_mut().zip(logits).enumerate() {
            let mut hidden = *biases;
            for slot in slots {
                if let Some(row) = rows.get(slot[place % SHARD] as usize) {
                    add(&mut hidden, row);
                }
            }
            let mut summands = [0.0; LANES];
            for lane in 0..LANES {
                let active = hidden[lane].clamp(0.0, 1.0);
                summands[lane] = active * active * outputs[lane];
            }
            *sums = hidden;
            *logit += sum(summands);
        }
    }

    /// Replaces the sums by their slopes, from the errors of the logits. Returns the gradients of
    /// the biases and of the outputs.
    pub(super) fn backward(&self, sums: &mut [Lanes], errors: &[f32]) -> UnitGradient {
        let outputs = *lanes(&self.outputs.values);
        let mut gradient = UnitGradient::default();
        for (sums, &error) in sums.iter_mut().zip(errors) {
            for lane in 0..LANES {
                let active = sums[lane].clamp(0.0, 1.0);
                let inside = if sums[lane] < 1.0 { active } else { 0.0 };
                sums[lane] = error * outputs[lane] * 2.0 * inside;
                gradient.outputs[lane] += error * active * active;
                gradient.biases[lane] += sums[lane];
            }
        }
        gradient
    }

    /// The weights in groups of `rows` inputs. Different threads may change different groups.
    pub(super) fn row_groups(&mut self, rows: usize) -> impl Iterator<Item = RowGroup<'_>> {
        let Parameters { values, means, squares } = &mut self.weights;
        let length = rows.max(1) * LANES;
        let moments = means.chunks_mut(length).zip(squares.chunks_mut(length));
        let groups = values.chunks_mut(length).zip(moments).enumerate();
        groups.map(move |(slot, (values, (means, squares)))| RowGroup {
            slot,
            first: slot * rows,
            values,
            means,
            squares,
        })
    }

    /// Takes a step of the biases and the outputs.
    pub(super) fn step(&mut self, gradient: &UnitGradient, step: AdamStep) {
        self.biases.step(&gradient.biases, step, f32::MAX);
        // Units that were cut have no output, and never get one.
        let mut slopes = gradient.outputs;
        for (slope, output) in slopes.iter_mut().zip(&self.outputs.values) {
            *slope = if *output == 0.0 { 0.0 } else { *slope };
        }
        self.outputs.step(&slopes, step, f32::MAX);
    }
}

/// The gradients of the biases and of the outputs of a block.
#[derive(Clone, Copy)]
pub(super) struct UnitGradient {
    biases: Lanes,
    outputs: Lanes,
}

impl Default for UnitGradient {
    fn default() -> Self {
        Self { biases: [0.0; LANES], outputs: [0.0; LANES] }
    }
}

impl UnitGradient {
    /// Adds the gradient of other positions.
    pub(super) fn add(&mut self, other: &Self) {
        add(&mut self.biases, &other.biases);
        add(&mut self.outputs, &other.outputs);
    }
}

/// The weights of a block for the inputs of one slot, of which a position shows one.
pub(super) struct RowGroup<'a> {
    pub(super) slot: usize,
    first: usize,
    values: &'a mut [f32],
    means: &'a mut [f32],
    squares: &'a mut [f32],
}

impl RowGroup<'_> {
    /// Adds up the slopes of all positions of a batch, in their order, and takes a step. For each
    /// shard there are the inputs in this slot and the slopes.
    pub(super) fn learn<'s>(
        self,
        shards: impl Iterator<Item = (&'s [u32], &'s [Lanes])>,
        step: AdamStep,
    ) {
        let mut gradient = vec![[0.0; LANES]; self.values.len() / LANES];
        for (inputs, slopes) in shards {
            for (&input, slopes) in inputs.iter().zip(slopes) {
                // The number that stands for no input lies beyond all rows.
                let row = (input as usize).wrapping_sub(self.first);
                if let Some(sums) = gradient.get_mut(row) {
                    add(sums, slopes);
                }
            }
        }
        let moments = self.means.chunks_exact_mut(LANES).zip(self.squares.chunks_exact_mut(LANES));
        let rows = self.values.chunks_exact_mut(LANES).zip(moments);
        for ((values, (means, squares)), slopes) in rows.zip(&gradient) {
            // A row that was never shown has no moments, and a step would not move it.
            if slopes.iter().chain(&*squares).any(|&number| number != 0.0) {
                take_step(values, means, squares, slopes, step, MOST_WEIGHT);
            }
        }
    }
}

/// Adds to sums. The compiler turns this form into vector instructions, but not a loop over
/// references.
#[inline(always)]
fn add(sums: &mut Lanes, summands: &Lanes) {
    *sums = std::array::from_fn(|lane| sums[lane] + summands[lane]);
}

/// The sum, by halves: an order that suits vector registers.
#[inline(always)]
fn sum(mut summands: Lanes) -> f32 {
    let mut width = LANES;
    while width > 1 {
        width /= 2;
        for lane in 0..width {
            summands[lane] += summands[lane + width];
        }
    }
    summands[0]
}

#[inline(always)]
fn rows(values: &[f32]) -> &[Lanes] {
    values.as_chunks().0
}

/// The numbers of the units.
#[inline(always)]
fn lanes(values: &[f32]) -> &Lanes {
    const NONE: &Lanes = &[0.0; LANES];
    values.first_chunk().unwrap_or(NONE)
}

#[cfg(test)]
mod tests {
    use super::super::adam::DECAY;
    use super::*;
    use crate::game::openings::below;

    const WINDOWS: usize = 4;
    /// The inputs of a window.
    const ROWS: usize = 6;
    const INPUTS: usize = WINDOWS * ROWS;
    /// The change of a parameter that measures a slope: so small that hardly any unit crosses its
    /// limit, where the slope jumps.
    const MOVE: f64 = 1e-6;

    /// The weights, the biases and the outputs of a block, with 64 bits.
    type Values = [Vec<f64>; 3];

    fn values(block: &LearningBlock) -> Values {
        [&block.weights, &block.biases, &block.outputs]
            .map(|part| part.values.iter().map(|&value| value.into()).collect())
    }

    /// The units' logits times the errors, summed.
    fn loss([weights, biases, outputs]: &Values, inputs: &[u32], errors: &[f32]) -> f64 {
        let logit = |inputs: &[u32]| -> f64 {
            let unit = |lane: usize| {
                let weight = |&input: &u32| weights[input as usize * LANES + lane];
                let sum = biases[lane] + inputs.iter().map(weight).sum::<f64>();
                sum.clamp(0.0, 1.0).powi(2) * outputs[lane]
            };
            (0..LANES).map(unit).sum()
        };
        inputs.chunks(WINDOWS).zip(errors).map(|(i, &error)| logit(i) * f64::from(error)).sum()
    }

    /// A block, the inputs of positions in their slots, and errors of their logits.
    fn example(units: usize) -> (LearningBlock, Vec<u32>, Vec<f32>) {
        let mut generator = Mt64::new(7);
        let mut block = LearningBlock::random(INPUTS, WINDOWS, units, &mut generator);
        block.cut(units);
        let inputs = (0..50 * WINDOWS)
            .map(|at| (at % WINDOWS * ROWS) as u32 + below(&mut generator, ROWS as u64) as u32)
            .collect();
        let errors = (0..50).map(|_| below(&mut generator, 2001) as f32 / 1000.0 - 1.0).collect();
        (block, inputs, errors)
    }

    /// The gradients of the first step, from the means that it leaves.
    fn gradients(parameters: &Parameters) -> Vec<f64> {
        let slope = |mean: &f32| f64::from(*mean) / f64::from(1.0 - DECAY.0);
        parameters.means.iter().map(slope).collect()
    }

    /// The logits of positions; takes a step with their errors.
    fn learn(
        block: &mut LearningBlock,
        inputs: &[u32],
        errors: &[f32],
        step: AdamStep,
    ) -> Vec<f32> {
        let mut slots = [[0; SHARD]; WINDOWS];
        for (place, inputs) in inputs.chunks(WINDOWS).enumerate() {
            slots.iter_mut().zip(inputs).for_each(|(slot, &input)| slot[place] = input);
        }
        let (mut sums, mut logits) = (vec![[0.0; LANES]; errors.len()], vec![0.0; errors.len()]);
        block.forward(&slots, &mut sums, &mut logits);
        let gradient = block.backward(&mut sums, errors);
        for group in block.row_groups(ROWS) {
            let slot = slots[group.slot].as_slice();
            group.learn([(slot, sums.as_slice())].into_iter(), step);
        }
        block.step(&gradient, step);
        logits
    }

    #[test]
    fn the_slopes_are_those_of_the_loss() {
        let (mut block, inputs, errors) = example(LANES);
        let before = values(&block);
        let logits = learn(&mut block, &inputs, &errors, AdamStep::new(1, 0.001));
        let sum: f64 = logits.iter().zip(&errors).map(|(l, e)| f64::from(l * e)).sum();
        assert!((sum - loss(&before, &inputs, &errors)).abs() < 1e-4);
        for (part, learned) in [&block.weights, &block.biases, &block.outputs].iter().enumerate() {
            let found = gradients(learned);
            assert!(found.iter().filter(|slope| slope.abs() > 1e-3).count() >= LANES / 2);
            for (index, slope) in found.into_iter().enumerate() {
                let [up, down] = [MOVE, -MOVE].map(|by| {
                    let mut moved = before.clone();
                    moved[part][index] += by;
                    loss(&moved, &inputs, &errors)
                });
                let expected = (up - down) / (2.0 * MOVE);
                assert!((slope - expected).abs() < 1e-4, "{part} {index}: {slope}, {expected}");
            }
        }
    }

    #[test]
    fn inputs_that_are_not_shown_have_no_weight_and_get_none() {
        let (mut block, mut inputs, errors) = example(LANES);
        inputs.iter_mut().for_each(|input| *input &= !1);
        block.keep_shown(&(0..INPUTS).map(|input| input % 2 == 0).collect::<Vec<_>>());
        for step in 1..20 {
            learn(&mut block, &inputs, &errors, AdamStep::new(step, 0.01));
        }
        let rows = block.weights.values.chunks(LANES).enumerate();
        for (input, row) in rows {
            assert_eq!(row.iter().all(|&weight| weight == 0.0), input % 2 == 1, "{input}");
        }
    }

    #[test]
    fn units_that_were_cut_stay_without_an_output() {
        const UNITS: usize = 5;
        let (mut block, inputs, errors) = example(UNITS);
        for step in 1..20 {
            learn(&mut block, &inputs, &errors, AdamStep::new(step, 0.01));
        }
        let (in_use, cut) = block.outputs.values.split_at(UNITS);
        assert!(in_use.iter().all(|&output| output != 0.0));
        assert!(cut.iter().all(|&output| output == 0.0));
    }
}
