//! A trained network in integers, as in weight files.

use super::adam::MOST_WEIGHT;
use super::block::{LANES, LearningBlock};
use super::config::TrainConfig;
use crate::weights::{Activation, InputScheme, Network};

/// The limit of a hidden unit: the integer for a sum of 1, and for the greatest weight.
const LIMIT: i16 = i8::MAX as i16;
/// The score of a logit of a network that stands alone.
pub const SCORE_PER_LOGIT: f64 = 100.0;
/// The greatest integer for an output of 1, as a power of two.
const MOST_OUTPUT_BITS: i32 = 13;

/// The network of these hidden units, with `logit` units of its value in one logit.
pub(super) fn network(
    blocks: &[LearningBlock],
    output_bias: f64,
    config: &TrainConfig,
    scheme: InputScheme,
    logit: f64,
) -> Network {
    let units = config.units;
    let limit = f64::from(LIMIT);
    let unit = |unit: usize| (&blocks[unit / LANES], unit % LANES);
    let outputs: Vec<f64> = (0..units)
        .map(|index| {
            let (block, lane) = unit(index);
            f64::from(block.outputs.values[lane])
        })
        .collect();
    let one = output_unit(&outputs, output_bias);
    let inputs = blocks.first().map_or(0, |block| block.weights.values.len() / LANES);
    let hidden_weight = |input: usize, index: usize| {
        let (block, lane) = unit(index);
        let weight = block.weights.values[input * LANES + lane] / MOST_WEIGHT;
        (f64::from(weight) * limit).round().clamp(-limit, limit) as i8
    };
    Network {
        window: config.window,
        units,
        activation: Activation::Screlu,
        limit: LIMIT,
        divisor: (one * limit * limit / logit).round().max(1.0) as i32,
        hidden_biases: (0..units)
            .map(|index| {
                let (block, lane) = unit(index);
                let most = f64::from(scheme.most_bias);
                (f64::from(block.biases.values[lane]) * limit).round().clamp(-most, most) as i16
            })
            .collect(),
        output_bias: (output_bias * one * limit * limit).round() as i32,
        output_weights: outputs.iter().map(|output| (output * one).round() as i16).collect(),
        hidden_weights: (0..inputs)
            .flat_map(|input| (0..units).map(move |index| (input, index)))
            .map(|(input, index)| hidden_weight(input, index))
            .collect(),
    }
}

/// The integer for an output of 1: the greatest power of two with which everything fits.
fn output_unit(outputs: &[f64], bias: f64) -> f64 {
    let most = outputs.iter().fold(0.0, |most: f64, output| most.max(output.abs()));
    // Each output may be rounded up by one half.
    let sum = |one: f64| outputs.iter().map(|output| output.abs() * one + 0.5).sum::<f64>();
    let greatest = |one: f64| (sum(one) + bias.abs() * one) * f64::from(LIMIT).powi(2);
    let fits = |one: f64| most * one < f64::from(i16::MAX) && greatest(one) < f64::from(i32::MAX);
    let units = (0..=MOST_OUTPUT_BITS).rev().map(|bits| f64::from(1 << bits));
    units.into_iter().find(|&one| fits(one)).unwrap_or(1.0)
}

/// The integer for an output of 1 in a network with `logit` units of its value in one logit. In
/// networks that were trained here it is a power of two, but their divisor is rounded.
pub(super) fn output_unit_of(network: &Network, logit: f64) -> f64 {
    const ROUNDED: f64 = 1e-3;
    let one = f64::from(network.divisor) * logit / f64::from(network.limit).powi(2);
    let power = one.log2().round().exp2();
    if (one / power - 1.0).abs() < ROUNDED { power } else { one }
}
