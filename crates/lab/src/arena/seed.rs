//! Seeds made from seeds: each pair, iteration and lane has a generator of its own.

use rand_mt::Mt64;

/// A seed for the place that `path` names below `seed`. Different paths give unrelated seeds
/// (SplitMix64's finalizer, Steele, Lea and Flood 2014, over each part in turn).
pub fn derive(seed: u64, path: &[u64]) -> u64 {
    path.iter().fold(mix(seed), |state, &part| mix(state.rotate_left(17) ^ mix(part)))
}

/// The generator of the place that `path` names below `seed`.
pub fn generator(seed: u64, path: &[u64]) -> Mt64 {
    Mt64::new(derive(seed, path))
}

fn mix(value: u64) -> u64 {
    let z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// A uniform number in [0, 1) with 53 random bits.
pub fn uniform(generator: &mut Mt64) -> f64 {
    (generator.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// A standard normal number (Box and Muller 1958; the second of the pair is thrown away, so that
/// each call takes two draws and no state).
pub fn normal(generator: &mut Mt64) -> f64 {
    let radius = (-2.0 * (1.0 - uniform(generator)).ln()).sqrt();
    radius * (std::f64::consts::TAU * uniform(generator)).cos()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn places_have_seeds_of_their_own() {
        let mut seen = HashSet::new();
        for seed in 0..10 {
            for a in 0..30 {
                for b in 0..30 {
                    assert!(seen.insert(derive(seed, &[a, b])));
                }
                assert!(seen.insert(derive(seed, &[a])));
            }
        }
    }

    #[test]
    fn normal_numbers_have_mean_zero_and_variance_one() {
        let mut generator = generator(1, &[]);
        let draws: Vec<f64> = (0..100_000).map(|_| normal(&mut generator)).collect();
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / draws.len() as f64;
        assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.03, "{mean} {variance}");
    }
}
