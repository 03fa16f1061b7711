//! Steps of Adam, the optimizer of networks.

use rand_mt::Mt64;

/// The decay of the means of the gradients and of their squares, and the number that keeps the
/// divisor above 0, as Adam's authors propose.
pub(super) const DECAY: (f32, f32) = (0.9, 0.999);
const EPSILON: f32 = 1e-8;
/// The greatest hidden weight, which becomes the greatest 8-bit integer.
pub(super) const MOST_WEIGHT: f32 = 1.0;

/// The size of a step of Adam.
#[derive(Clone, Copy)]
pub(super) struct AdamStep {
    rate: f32,
    /// Corrects the means, which begin at 0.
    corrections: (f32, f32),
}

impl AdamStep {
    /// Step number `number`, from 1, at a rate.
    pub(super) fn new(number: u64, rate: f64) -> Self {
        let correction = |decay: f32| 1.0 / (1.0 - f64::from(decay).powf(number as f64)) as f32;
        Self { rate: rate as f32, corrections: (correction(DECAY.0), correction(DECAY.1)) }
    }
}

/// Numbers that training changes.
#[derive(Clone)]
pub(super) struct Parameters {
    pub(super) values: Vec<f32>,
    pub(super) means: Vec<f32>,
    pub(super) squares: Vec<f32>,
}

impl Parameters {
    pub(super) fn new(values: Vec<f32>) -> Self {
        let zeros = vec![0.0; values.len()];
        Self { means: zeros.clone(), squares: zeros, values }
    }

    /// Uniform numbers between minus and plus `most`.
    pub(super) fn random(count: usize, most: f64, generator: &mut Mt64) -> Self {
        let draw = |_| ((2.0 * crate::arena::seed::uniform(generator) - 1.0) * most) as f32;
        Self::new((0..count).map(draw).collect())
    }

    /// Calls `each` with every number that the next step depends on.
    pub(super) fn each_number(&mut self, each: &mut dyn FnMut(&mut f32)) {
        let Self { values, means, squares } = self;
        [values, means, squares].into_iter().flatten().for_each(each);
    }

    /// Takes a step along a gradient. Values stay between minus and plus `most`.
    pub(super) fn step(&mut self, gradient: &[f32], step: AdamStep, most: f32) {
        let Self { values, means, squares } = self;
        take_step(values, means, squares, gradient, step, most);
    }
}

/// A step of Adam.
#[inline(always)]
pub(super) fn take_step(
    values: &mut [f32],
    means: &mut [f32],
    squares: &mut [f32],
    gradient: &[f32],
    step: AdamStep,
    most: f32,
) {
    let moments = means.iter_mut().zip(squares);
    for ((value, slope), (mean, square)) in values.iter_mut().zip(gradient).zip(moments) {
        *mean = DECAY.0 * *mean + (1.0 - DECAY.0) * *slope;
        *square = DECAY.1 * *square + (1.0 - DECAY.1) * *slope * *slope;
        let size = (*square * step.corrections.1).sqrt() + EPSILON;
        let moved = *value - step.rate * *mean * step.corrections.0 / size;
        *value = moved.clamp(-most, most);
    }
}
