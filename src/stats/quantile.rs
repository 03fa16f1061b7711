//! Quantiles and tails of the distributions that statistics are compared with.

use statrs::distribution::{ChiSquared, ContinuousCDF};
use statrs::function::erf::erfc;

use super::root::root;

/// The two-sided 95 % quantile of the standard normal distribution.
pub(super) const Z_95: f64 = 1.959_963_984_540_054;

/// The probability left out at each end of a 95 % interval.
pub(super) const TAIL: f64 = 0.025;

/// The probability that a standard normal variable is below `z`: the likelihood of superiority of
/// an edge of `z` standard errors. From 0 to 1.
pub fn los_of_z(z: f64) -> f64 {
    0.5 * erfc(-z / std::f64::consts::SQRT_2)
}

/// The upper 95 % quantile of the chi-square distribution with `n` degrees of freedom: what the sum
/// of `n` squared standard normal variables exceeds once in twenty times. It is 0 for `n` = 0, a
/// sum of nothing.
///
/// ```
/// assert!((sparring::stats::chi_square_95(1) - 3.841459).abs() < 1e-6);
/// ```
pub fn chi_square_95(n: u32) -> f64 {
    let Ok(distribution) = ChiSquared::new(f64::from(n)) else { return 0.0 };
    // Six standard deviations above the mean, and 10 for the skewed ones, leave well under 5 %.
    let beyond = f64::from(n) + 6.0 * (2.0 * f64::from(n)).sqrt() + 10.0;
    root(|x| distribution.cdf(x) - 0.95, 0.0, beyond)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chi_square_agrees_with_tables() {
        let table = [
            (1, 3.841458820694124),
            (2, 5.991464547107979),
            (3, 7.814727903251179),
            (10, 18.307038053275146),
            (64, 83.67526074272097),
            (100, 124.34211340400407),
            (1000, 1074.6794490333514),
        ];
        for (n, expected) in table {
            let found = chi_square_95(n);
            assert!((found - expected).abs() < 1e-9 * expected, "{n}: {found}, not {expected}");
        }
        assert_eq!(chi_square_95(0), 0.0);
        // Wilson and Hilferty's approximation is good to 1e-6 out there.
        let n = f64::from(u32::MAX);
        let far =
            n * (1.0 - 2.0 / (9.0 * n) + 1.6448536269514722 * (2.0 / (9.0 * n)).sqrt()).powi(3);
        assert!((chi_square_95(u32::MAX) - far).abs() < 1e-6 * far);
    }

    #[test]
    fn the_normal_tail_is_right() {
        assert_eq!(los_of_z(0.0), 0.5);
        assert!((los_of_z(Z_95) - 0.975).abs() < 1e-11);
        assert!((los_of_z(-Z_95) - TAIL).abs() < 1e-11);
        assert_eq!((los_of_z(f64::MAX), los_of_z(f64::MIN)), (1.0, 0.0));
    }
}
