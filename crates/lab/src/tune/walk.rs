//! The walk of an optimizer: where its batches were played, and the gradients that they measured.

/// Weighted sums over the batches of a walk. Places are in steps, gradients in Elo a step.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    /// The sum of the batches' weights, and of their squares over the information of each.
    pub(super) weight: f64,
    pub(super) weight_squares: f64,
    /// The weighted means over the batches of the centre, and of the gradient.
    pub(super) centre: Vec<f64>,
    pub(super) gradient: Vec<f64>,
    /// The weighted sums over batches and knobs of the centre's squared deviations from its mean,
    /// and of its products with the gradient's.
    pub(super) centre_squares: f64,
    pub(super) centre_gradient: f64,
}

impl Walk {
    /// A walk without batches.
    pub(super) fn new(knobs: usize) -> Self {
        Self {
            weight: 0.0,
            weight_squares: 0.0,
            centre: vec![0.0; knobs],
            gradient: vec![0.0; knobs],
            centre_squares: 0.0,
            centre_gradient: 0.0,
        }
    }

    /// Adds a batch. `information` is the number of its pairs times the square of the sides'
    /// distance in steps: the variance of a pair's gradient, divided by it, is the variance of the
    /// batch's gradient.
    ///
    /// The running means and products of Welford (1962) and West (1979).
    pub(super) fn add(&mut self, centre: &[f64], gradient: &[f64], weight: f64, information: f64) {
        self.weight += weight;
        self.weight_squares += weight * weight / information;
        let share = weight / self.weight;
        for (i, (place, slope)) in centre.iter().zip(gradient).enumerate() {
            let to_centre = place - self.centre[i];
            self.centre[i] += share * to_centre;
            self.gradient[i] += share * (slope - self.gradient[i]);
            self.centre_squares += weight * to_centre * (place - self.centre[i]);
            self.centre_gradient += weight * to_centre * (slope - self.gradient[i]);
        }
    }
}
