//! The penalty of a fit to rows: a prior that pulls the weights toward 0.

use crate::error::{Error, Result};
use crate::tune::logistic::linear::{add_multiple, dot, inverse};

/// A penalty on all weights except the first ones.
#[derive(Clone, Copy)]
pub(super) struct Ridge {
    pub(super) penalty: f64,
    /// The number of first weights without a penalty.
    pub(super) free: usize,
}

impl Ridge {
    /// The penalty at a point, in nats.
    pub(super) fn cost(self, point: &[f64]) -> f64 {
        let bound = &point[self.free..];
        self.penalty / 2.0 * dot(bound, bound)
    }

    /// Adds the derivatives of the penalty.
    pub(super) fn pull(self, gradient: &mut [f64], point: &[f64]) {
        add_multiple(&mut gradient[self.free..], self.penalty, &point[self.free..]);
    }

    /// The inverse of a curvature plus the penalty's curvature.
    pub(super) fn inverse(self, curvature: &[f64]) -> Result<Vec<Vec<f64>>> {
        let mut whole = curvature.to_vec();
        for place in 0..self.free {
            whole[place * (place + 1) / 2 + place] -= self.penalty;
        }
        let found = inverse(&whole, self.penalty);
        match found.is_empty() && !curvature.is_empty() {
            true => Err(Error::input("columns", "the rows do not tell some of them apart").remedy(
                "leave out columns that follow from others (--only), or raise --penalties",
            )),
            false => Ok(found),
        }
    }
}
