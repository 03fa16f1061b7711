//! The one root finder for the equations of this crate.

/// More steps than bisection needs to reach adjacent doubles between any two bounds used here.
const MAX_STEPS: u32 = 200;

/// A root of the continuous `f` between `low` and `high`, to the last few bits, by Chandrupatla's
/// method: inverse quadratic interpolation where it is safe, bisection where it is not.
///
/// Where `f` has the same sign at both ends, the end with the smaller value is returned.
pub(super) fn root(f: impl Fn(f64) -> f64, low: f64, high: f64) -> f64 {
    let (mut a, mut b) = (low, high);
    let (mut fa, mut fb) = (f(a), f(b));
    if fa.signum() == fb.signum() {
        return if fa.abs() < fb.abs() { a } else { b };
    }
    let mut t = 0.5;
    for _ in 0..MAX_STEPS {
        let x = a + t * (b - a);
        let fx = f(x);
        let (c, fc);
        if fx.signum() == fa.signum() {
            (c, fc) = (a, fa);
        } else {
            (c, fc) = (b, fb);
            (b, fb) = (a, fa);
        }
        (a, fa) = (x, fx);
        let best = if fa.abs() < fb.abs() { a } else { b };
        let margin = 2.0 * f64::EPSILON * best.abs() / (b - a).abs();
        if fx == 0.0 || margin > 0.5 || !margin.is_finite() {
            return best;
        }
        t = interpolated((a, fa), (b, fb), (c, fc)).clamp(margin, 1.0 - margin);
    }
    a
}

/// The next point to try between `a` (0) and `b` (1): by the parabola through three points if it is
/// monotone there, else the middle.
fn interpolated((a, fa): (f64, f64), (b, fb): (f64, f64), (c, fc): (f64, f64)) -> f64 {
    let xi = (a - b) / (c - b);
    let phi = (fa - fb) / (fc - fb);
    if phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi {
        fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
    } else {
        0.5
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_found_to_the_last_bits() {
        assert!((root(|x| x * x - 2.0, 0.0, 2.0) - 2f64.sqrt()).abs() < 1e-15);
        assert!((root(|x| 2.0 - x * x, 0.0, 2.0) - 2f64.sqrt()).abs() < 1e-15);
        assert!((root(|x| (x - 1.0).powi(9), 0.0, 1e6) - 1.0).abs() < 1e-6);
        assert!((root(|x| f64::exp(-x) - 1e-20, 0.0, 700.0) - 1e20f64.ln()).abs() < 1e-13);
    }

    #[test]
    fn without_a_change_of_sign_the_nearer_end_is_returned() {
        assert_eq!(root(|x| x, 1.0, 2.0), 1.0);
        assert_eq!(root(|x| x, -2.0, -1.0), -1.0);
        assert_eq!(root(|x| x, 0.0, 0.0), 0.0);
    }
}
