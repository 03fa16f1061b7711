//! A part of the hidden units, with everything that training changes.

use crate::weights::Network;
use rand_mt::Mt64;

/// Hidden units of a block. Few enough that several threads have one, many enough that a row of
/// weights fills two lines of the cache.
pub(super) const LANES: usize = 32;
/// The decay of the mean of the gradients and of their squares, and what keeps the division from 0,
/// as Adam's authors propose.
const DECAY: (f32, f32) = (0.9, 0.999);
const EPSILON: f32 = 1e-8;
/// The greatest hidden weight, which becomes the greatest number of 8 bits.
pub(super) const MOST_WEIGHT: f32 = 1.0;

/// The output of a unit that a network is grown by.
const FAINT: f32 = 1e-5;

/// How far a step of Adam goes.
#[derive(Clone, Copy)]
pub(super) struct AdamStep {
    rate: f32,
    /// Corrects the means, which begin at 0.
    corrections: (f32, f32),
}

impl AdamStep {
    /// The step of this number, from 1, at a rate.
    pub(super) fn new(number: u64, rate: f64) -> Self {
        let correction = |decay: f32| 1.0 / (1.0 - f64::from(decay).powf(number as f64)) as f32;
        Self { rate: rate as f32, corrections: (correction(DECAY.0), correction(DECAY.1)) }
    }
}

/// Numbers that training changes.
#[derive(Clone)]
pub(super) struct Parameters {
    pub(super) values: Vec<f32>,
    pub(super) gradient: Vec<f32>,
    means: Vec<f32>,
    squares: Vec<f32>,
}

impl Parameters {
    pub(super) fn new(values: Vec<f32>) -> Self {
        let zeros = vec![0.0; values.len()];
        Self { gradient: zeros.clone(), means: zeros.clone(), squares: zeros, values }
    }

    /// Uniform numbers between minus and plus `most`.
    fn random(count: usize, most: f64, generator: &mut Mt64) -> Self {
        let draw = |_| ((2.0 * crate::arena::seed::uniform(generator) - 1.0) * most) as f32;
        Self::new((0..count).map(draw).collect())
    }

    /// Calls `each` with every number that the next step depends on. Between steps the gradient is
    /// 0.
    pub(super) fn each_number(&mut self, each: &mut dyn FnMut(&mut f32)) {
        let Self { values, means, squares, .. } = self;
        [values, means, squares].into_iter().flatten().for_each(each);
    }

    /// Takes a step along the gradient, and forgets it. Values stay between minus and plus `most`.
    pub(super) fn step(&mut self, step: AdamStep, most: f32) {
        let Self { values, gradient, means, squares } = self;
        let moments = means.iter_mut().zip(squares);
        for ((value, slope), (mean, square)) in values.iter_mut().zip(gradient).zip(moments) {
            *mean = DECAY.0 * *mean + (1.0 - DECAY.0) * *slope;
            *square = DECAY.1 * *square + (1.0 - DECAY.1) * *slope * *slope;
            let size = (*square * step.corrections.1).sqrt() + EPSILON;
            let moved = *value - step.rate * *mean * step.corrections.0 / size;
            *value = moved.clamp(-most, most);
            *slope = 0.0;
        }
    }
}

/// [`LANES`] hidden units that learn together.
#[derive(Clone)]
pub(super) struct LearningBlock {
    /// By input, then by unit.
    pub(super) weights: Parameters,
    pub(super) biases: Parameters,
    pub(super) outputs: Parameters,
    /// The sums of the units for the positions of the batch.
    sums: Vec<[f32; LANES]>,
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
            sums: Vec::new(),
        }
    }

    /// The number of inputs.
    pub(super) fn inputs(&self) -> usize {
        self.weights.values.len() / LANES
    }

    /// Gives the inputs that are not shown no weight. They never get one.
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

    /// Takes the units of a network from number `first` on. An output of 1 in it is `one`. Units
    /// that it does not have, or does not use, get an output that whole numbers do not show, but
    /// with which they learn.
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

    /// The units' summands in the logits of positions, given by their inputs, `windows` for each.
    pub(super) fn forward(&mut self, inputs: &[u32], windows: usize) -> Vec<f32> {
        self.sums.clear();
        let Self { weights, biases, outputs, sums } = self;
        let biases = lanes(&biases.values, 0);
        let outputs = lanes(&outputs.values, 0);
        let logit = |inputs: &[u32]| {
            let mut hidden = *biases;
            for &input in inputs {
                for (sum, weight) in hidden.iter_mut().zip(lanes(&weights.values, input)) {
                    *sum += weight;
                }
            }
            sums.push(hidden);
            let active = hidden.map(|sum| sum.clamp(0.0, 1.0));
            active.iter().zip(outputs).map(|(active, output)| active * active * output).sum()
        };
        inputs.chunks_exact(windows).map(logit).collect()
    }

    /// Learns from the errors of the logits, and takes a step.
    pub(super) fn backward(
        &mut self,
        inputs: &[u32],
        windows: usize,
        errors: &[f32],
        step: AdamStep,
    ) {
        let outputs = *lanes(&self.outputs.values, 0);
        let (mut bias_slopes, mut output_slopes) = ([0.0; LANES], [0.0; LANES]);
        for ((inputs, sums), error) in inputs.chunks_exact(windows).zip(&self.sums).zip(errors) {
            let mut slopes = [0.0; LANES];
            for lane in 0..LANES {
                let active = sums[lane].clamp(0.0, 1.0);
                let inside = if sums[lane] < 1.0 { active } else { 0.0 };
                slopes[lane] = error * outputs[lane] * 2.0 * inside;
                output_slopes[lane] += error * active * active;
                bias_slopes[lane] += slopes[lane];
            }
            for &input in inputs {
                let row = lanes_mut(&mut self.weights.gradient, input);
                for (sum, slope) in row.iter_mut().zip(&slopes) {
                    *sum += slope;
                }
            }
        }
        self.biases.gradient.copy_from_slice(&bias_slopes);
        // Units that were cut have no output, and never get one.
        for (slope, output) in output_slopes.iter_mut().zip(&outputs) {
            *slope = if *output == 0.0 { 0.0 } else { *slope };
        }
        self.outputs.gradient.copy_from_slice(&output_slopes);
        self.weights.step(step, MOST_WEIGHT);
        self.biases.step(step, f32::MAX);
        self.outputs.step(step, f32::MAX);
    }
}

/// The numbers of the units for an input.
#[inline]
fn lanes(values: &[f32], input: u32) -> &[f32; LANES] {
    const NONE: &[f32; LANES] = &[0.0; LANES];
    let begin = input as usize * LANES;
    values.get(begin..).and_then(|rest| rest.first_chunk()).unwrap_or(NONE)
}

#[inline]
fn lanes_mut(values: &mut [f32], input: u32) -> &mut [f32] {
    let begin = input as usize * LANES;
    values.get_mut(begin..begin + LANES).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::openings::below;

    const INPUTS: usize = 24;
    const WINDOWS: usize = 4;
    /// What a parameter is moved by to see the slope: so little that hardly any unit passes its
    /// limit on the way, where the slope jumps.
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

    /// A block, the inputs of positions, and errors of their logits.
    fn example(units: usize) -> (LearningBlock, Vec<u32>, Vec<f32>) {
        let mut generator = Mt64::new(7);
        let mut block = LearningBlock::random(INPUTS, WINDOWS, units, &mut generator);
        block.cut(units);
        let inputs =
            (0..50 * WINDOWS).map(|_| below(&mut generator, INPUTS as u64) as u32).collect();
        let errors = (0..50).map(|_| below(&mut generator, 2001) as f32 / 1000.0 - 1.0).collect();
        (block, inputs, errors)
    }

    /// The gradients that a step has used, told from the means that it leaves behind.
    fn gradients(parameters: &Parameters) -> Vec<f64> {
        let slope = |mean: &f32| f64::from(*mean) / f64::from(1.0 - DECAY.0);
        parameters.means.iter().map(slope).collect()
    }

    #[test]
    fn the_slopes_are_those_of_the_loss() {
        let (mut block, inputs, errors) = example(LANES);
        let before = values(&block);
        let logits = block.forward(&inputs, WINDOWS);
        let sum: f64 = logits.iter().zip(&errors).map(|(l, e)| f64::from(l * e)).sum();
        assert!((sum - loss(&before, &inputs, &errors)).abs() < 1e-4);
        block.backward(&inputs, WINDOWS, &errors, AdamStep::new(1, 0.001));
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
            block.forward(&inputs, WINDOWS);
            block.backward(&inputs, WINDOWS, &errors, AdamStep::new(step, 0.01));
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
            block.forward(&inputs, WINDOWS);
            block.backward(&inputs, WINDOWS, &errors, AdamStep::new(step, 0.01));
        }
        let (in_use, cut) = block.outputs.values.split_at(UNITS);
        assert!(in_use.iter().all(|&output| output != 0.0));
        assert!(cut.iter().all(|&output| output == 0.0));
    }
}
