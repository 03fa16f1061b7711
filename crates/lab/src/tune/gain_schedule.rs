//! How the steps and gains of SPSA change over a tune.

use serde::{Deserialize, Serialize};

/// Fishtest's constants: the pairs that the gain is delayed by, as a share of all, and the exponents
/// by which gain and steps shrink (Spall 1998).
const STABILITY: f64 = 0.1;
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;

/// How steps and gains change over a tune. Constant in a manifest without it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum GainSchedule {
    /// The same over the whole tune
    #[default]
    Constant,
    /// As in fishtest and OpenBench: A is a tenth of the pairs, alpha 0.602, gamma 0.101; the
    /// knobs' steps are c_end, the gain is r_end
    Fishtest,
}

impl GainSchedule {
    /// Whether steps and gains stay the same.
    pub fn is_constant(&self) -> bool {
        *self == Self::Constant
    }

    /// The factors on the steps and on the gain of pair number `pair`, from 1, of `pairs`.
    ///
    /// Fishtest has c_k = c / k^gamma and R_k = a / (A + k)^alpha / c_k^2, and moves a value by
    /// R_k c_k (wins - losses); c and a are such that c_N = c_end and R_N = r_end.
    pub(super) fn factors(self, pair: u64, pairs: u64) -> [f64; 2] {
        match self {
            Self::Constant => [1.0; 2],
            Self::Fishtest => {
                let (k, n) = (pair.max(1) as f64, pairs.max(1) as f64);
                let step = (n / k).powf(GAMMA);
                let delay = STABILITY * n;
                [step, ((delay + n) / (delay + k)).powf(ALPHA) / (step * step)]
            }
        }
    }

    /// How far the whole tune moves a knob, relative to a tune with the last pair's step and gain
    /// throughout: the mean over its pairs of the gain's factor times the square of the step's.
    pub(super) fn reach(self) -> f64 {
        match self {
            Self::Constant => 1.0,
            Self::Fishtest => {
                let (first, last) = (STABILITY, 1.0 + STABILITY);
                let rest = 1.0 - ALPHA;
                last.powf(ALPHA) * (last.powf(rest) - first.powf(rest)) / rest
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_factors_are_those_of_fishtest() {
        // As its server computes them from what a user enters.
        let (pairs, c_end, r_end) = (15_000.0_f64, 12.0, 0.002);
        let (delay, alpha, gamma) = (0.1 * pairs, 0.602, 0.101);
        let c = c_end * pairs.powf(gamma);
        let a = r_end * c_end * c_end * (delay + pairs).powf(alpha);
        for k in [1.0_f64, 24.0, 1_500.0, 9_999.0, 15_000.0, 20_000.0] {
            let step = c / k.powf(gamma);
            let gain = a / (delay + k).powf(alpha) / (step * step);
            let found = GainSchedule::Fishtest.factors(k as u64, pairs as u64);
            assert!((found[0] * c_end / step - 1.0).abs() < 1e-12, "{k}: {found:?}");
            assert!((found[1] * r_end / gain - 1.0).abs() < 1e-12, "{k}: {found:?}");
        }
        assert_eq!(GainSchedule::Fishtest.factors(500, 500), [1.0; 2]);
        assert_eq!(GainSchedule::Constant.factors(3, 500), [1.0; 2]);
    }

    #[test]
    fn the_reach_is_the_mean_over_a_tune() {
        let pairs = 10_000;
        let moved = |pair| {
            let [step, gain] = GainSchedule::Fishtest.factors(pair, pairs);
            step * step * gain
        };
        let mean = (1..=pairs).map(moved).sum::<f64>() / pairs as f64;
        assert!((mean / GainSchedule::Fishtest.reach() - 1.0).abs() < 0.001, "{mean}");
    }
}
