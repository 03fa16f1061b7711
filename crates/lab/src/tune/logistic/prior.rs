//! The prior of single weights around 0, in the Hessian of a fit.

use super::linear::{add_multiple, inverse};

/// The prior of the single weights: one precision for all. The two weights of a feature by phase
/// are u + v and u' + v with this precision for each of u, u' and v, so that their correlation is
/// one half.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SinglePrior {
    /// The precision, per squared logit.
    pub penalty: f64,
    /// The columns of the weights by phase that share a part, the lower one first.
    pub pairs: Vec<[usize; 2]>,
}

impl SinglePrior {
    /// The inverse of a Hessian, given by its lower triangle row by row, with the prior; empty if
    /// there is none.
    ///
    /// The precision of a pair is penalty / 3 times ((2, -1), (-1, 2)): a third of that of plain
    /// weights along (1, 1).
    pub(super) fn inverse(&self, triangle: &[f64]) -> Vec<Vec<f64>> {
        let mut triangle = triangle.to_vec();
        for &[a, b] in &self.pairs {
            for (row, column) in [(a, a), (b, a), (b, b)] {
                let cell = triangle.get_mut(row * (row + 1) / 2 + column);
                cell.into_iter().for_each(|cell| *cell -= self.penalty / 3.0);
            }
        }
        inverse(&triangle, self.penalty)
    }

    /// Adds the derivatives of the prior's part of the loss.
    pub(super) fn pull(&self, weights: &[f64], gradient: &mut [f64]) {
        add_multiple(gradient, self.penalty, weights);
        for &[a, b] in &self.pairs {
            let common = self.penalty / 3.0 * (weights[a] + weights[b]);
            gradient[a] -= common;
            gradient[b] -= common;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prior_of_a_pair_is_that_of_its_parts() {
        let prior = SinglePrior { penalty: 2.0, pairs: vec![[1, 2]] };
        // Without data the inverse is the prior's covariance: 1 / penalty for each part.
        let covariance = prior.inverse(&[0.0; 6]);
        for (found, expected) in
            covariance.concat().into_iter().zip([0.5, 0., 0., 0., 1., 0.5, 0., 0.5, 1.])
        {
            assert!((found - expected).abs() < 1e-12, "{covariance:?}");
        }
        let (weights, mut gradient) = ([3.0, 4.0, -1.0], vec![0.0; 3]);
        prior.pull(&weights, &mut gradient);
        for (row, weight) in covariance.iter().zip(weights) {
            let back: f64 = row.iter().zip(&gradient).map(|(a, b)| a * b).sum();
            assert!((back - weight).abs() < 1e-12, "{gradient:?}");
        }
    }
}
