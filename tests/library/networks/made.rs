//! Networks made for tests: random ones, and ones whose numbers are at their limits.

use crate::common::below;
use rand_mt::Mt64;
use sparring::eval::{Game, NetworkView};
use sparring::game::Board;
use sparring::weights::{
    Activation, FORMAT_WITH_NETWORK, MAX_LIMIT, MAX_NETWORK_VALUE, Network, Weight, WeightSet,
    WindowShape,
};

/// The sizes of the numbers of a network.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Numbers {
    /// As a training makes them, so that sums lie below, between and above the bounds.
    Usual,
    /// The greatest and the smallest that a file may have.
    Extreme,
}

/// A number from `-most` to `most`.
fn around_zero(most: i64, generator: &mut Mt64) -> i64 {
    below(generator, 2 * most as u64 + 1) as i64 - most
}

fn one_of<const N: usize>(numbers: [i64; N], generator: &mut Mt64) -> i64 {
    numbers[below(generator, N as u64) as usize]
}

/// A network for a board.
pub(crate) fn network<G: Game>(
    board: Board,
    window: WindowShape,
    units: usize,
    numbers: Numbers,
    generator: &mut Mt64,
) -> Network {
    let scheme = G::NetworkView::SCHEME;
    let inputs = scheme.inputs(window, board);
    match numbers {
        Numbers::Usual => Network {
            window,
            units,
            activation: Activation::Screlu,
            limit: 127,
            divisor: 200 + below(generator, 3000) as i32,
            hidden_biases: (0..units).map(|_| around_zero(100, generator) as i16).collect(),
            output_bias: around_zero(1_000_000, generator) as i32,
            output_weights: (0..units).map(|_| around_zero(900, generator) as i16).collect(),
            hidden_weights: (0..inputs * units).map(|_| around_zero(40, generator) as i8).collect(),
        },
        Numbers::Extreme => extreme(window, units, inputs, scheme.most_bias, generator),
    }
}

fn extreme(
    window: WindowShape,
    units: usize,
    inputs: usize,
    most_bias: i16,
    generator: &mut Mt64,
) -> Network {
    let bias = i64::from(most_bias);
    let square = i64::from(MAX_LIMIT).pow(2);
    // The output weights take all that 32 bits can hold, and the bias takes the rest.
    let most = (i64::from(i32::MAX) / square / units as i64).min(i16::MAX.into());
    let rest = i64::from(i32::MAX) - most * square * units as i64;
    // Mostly one sign, so that the greatest sum is met.
    let sign = one_of([1, -1], generator);
    let weight = |generator: &mut Mt64| match below(generator, 50) {
        0 => -sign * most,
        _ => sign * most,
    };
    Network {
        window,
        units,
        activation: Activation::Screlu,
        limit: MAX_LIMIT,
        divisor: i32::MAX / MAX_NETWORK_VALUE + 1,
        hidden_biases: (0..units)
            .map(|_| one_of([-bias, 0, 181, bias, bias], generator) as i16)
            .collect(),
        output_bias: (sign * rest) as i32,
        output_weights: (0..units).map(|_| weight(generator) as i16).collect(),
        hidden_weights: (0..inputs * units)
            .map(|_| one_of([-128, -127, 127], generator) as i8)
            .collect(),
    }
}

/// A set of a network and a few single weights.
pub(crate) fn set<G: Game>(board: Board, network: Network, scale: i32) -> WeightSet {
    let names = G::FEATURES.iter().map(|feature| feature.name).take(3);
    WeightSet {
        format: FORMAT_WITH_NETWORK,
        game: G::GAME.into(),
        board: Some(board.to_string()),
        name: "made".into(),
        description: "Made by a test.".into(),
        scale,
        weights: names.zip([17, -23, 5].map(Weight::One)).collect(),
        network: Some(network),
        search: None,
        provenance: None,
    }
}
