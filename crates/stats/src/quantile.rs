//! Quantiles and tails of the distributions that statistics are compared with.

use super::root::root;
use statrs::distribution::{ContinuousCDF, StudentsT};
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

/// The two-sided 95 % quantile of Student's t with this many degrees of freedom, which need not be
/// a whole number: [`Z_95`] with very many, 12.7 with one. `None` unless there are at least one.
///
/// It uses our own root finder, since the library's inverse does not end for very many degrees.
pub fn t_95(degrees: f64) -> Option<f64> {
    /// With more, the difference from the normal quantile is below 1e-5.
    const MANY: f64 = 1e6;
    /// The quantile with one degree is below this.
    const GREATEST: f64 = 12.8;
    let student = StudentsT::new(0.0, 1.0, degrees).ok().filter(|_| degrees >= 1.0)?;
    if degrees > MANY {
        return Some(Z_95);
    }
    Some(root(|t| student.cdf(t) - (1.0 - TAIL), Z_95, GREATEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Quantiles as printed in tables.
    #[test]
    fn students_quantiles_are_right() {
        for (degrees, quantile) in
            [(1.0, 12.7062), (2.0, 4.3027), (7.0, 2.3646), (30.0, 2.0423), (60.0, 2.0003)]
        {
            let found = t_95(degrees).unwrap();
            assert!((found - quantile).abs() < 1e-4, "{degrees}: {found}");
        }
        assert!((t_95(1e9).unwrap() - Z_95).abs() < 1e-6);
        let steps: Vec<f64> = (0..200).map(|n| t_95(1.0 + 0.3 * f64::from(n)).unwrap()).collect();
        assert!(steps.windows(2).all(|pair| pair[0] > pair[1]));
        assert!((t_95(9e5).unwrap() - Z_95).abs() < 1e-5);
        assert_eq!([0.0, 0.99, -3.0, f64::NAN].map(t_95), [None; 4]);
    }

    #[test]
    fn the_normal_tail_is_right() {
        assert_eq!(los_of_z(0.0), 0.5);
        assert!((los_of_z(Z_95) - 0.975).abs() < 1e-11);
        assert!((los_of_z(-Z_95) - TAIL).abs() < 1e-11);
        assert_eq!((los_of_z(f64::MAX), los_of_z(f64::MIN)), (1.0, 0.0));
    }
}
