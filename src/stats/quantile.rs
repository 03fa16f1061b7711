//! Quantiles and tails of the distributions that statistics are compared with.

use statrs::function::erf::erfc;

/// The two-sided 95 % quantile of the standard normal distribution.
pub const Z_95: f64 = 1.959_963_984_540_054;

/// The probability left out at each end of a 95 % interval.
pub(super) const TAIL: f64 = 0.025;

/// The probability that a standard normal variable is below `z`: the likelihood of superiority of
/// an edge of `z` standard errors. From 0 to 1.
pub fn los_of_z(z: f64) -> f64 {
    0.5 * erfc(-z / std::f64::consts::SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_tail_is_right() {
        assert_eq!(los_of_z(0.0), 0.5);
        assert!((los_of_z(Z_95) - 0.975).abs() < 1e-11);
        assert!((los_of_z(-Z_95) - TAIL).abs() < 1e-11);
        assert_eq!((los_of_z(f64::MAX), los_of_z(f64::MIN)), (1.0, 0.0));
    }
}
