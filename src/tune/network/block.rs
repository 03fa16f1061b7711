//! A part of the hidden units, with everything that training changes.

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

/// [`LANES`] hidden units.
#[derive(Clone)]
pub(super) struct Block {
    /// By input, then by unit.
    pub(super) weights: Parameters,
    pub(super) biases: Parameters,
    pub(super) outputs: Parameters,
    /// The sums of the units for the positions of the batch.
    sums: Vec<[f32; LANES]>,
}

impl Block {
    /// Units with random weights, of a network with so many units that takes `windows` of its
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

    /// Leaves the units from this one on out of the network.
    pub(super) fn cut(&mut self, units: usize) {
        self.outputs.values.iter_mut().skip(units).for_each(|output| *output = 0.0);
    }

    /// What the units add to the logits of positions, given by their inputs, `windows` for each.
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
