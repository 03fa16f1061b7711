//! The best values by the evidence of a walk, with errors.
//!
//! An optimizer walks where its results lead, so the luck of a batch shows again in the centres of
//! later batches. A straight line through the gradients of such a walk comes out too steep: two to
//! four times if the tune walks straight to the best values and stays there (for panel data:
//! Nickell 1981). By its slope an answer stops short of them, and its errors are too small. So
//! nothing here rests on a single slope. Each curvature, and each spread of the best values around
//! the start, weighs by how well it explains the walk, with the best values integrated out. The
//! reason why a walk went where it did has no part in that likelihood.

use super::walk::Walk;

/// The least and the greatest curvature that are weighed, as shares of the planned one.
const CURVATURES: [f64; 2] = [0.02, 20.0];
const CURVATURE_POINTS: usize = 96;
/// The least and the greatest spread that are weighed, as shares of the usual one.
const SPREADS: [f64; 2] = [0.05, 8.0];
const SPREAD_POINTS: usize = 20;
/// The prior deviation of the logarithm of the spread.
const SPREAD_DEVIATION: f64 = 0.7;

/// The assumptions of a tune before its first result. Distances are in steps.
pub(super) struct WalkPrior {
    /// The planned curvature, in Elo a square step.
    pub(super) curvature: f64,
    /// The precision of the prior of the curvature's share of it.
    pub(super) precision: f64,
    /// The usual distance of a best value from the start.
    pub(super) usual: f64,
}

/// The best values after a walk: normally distributed for each curvature and spread. Places are in
/// steps.
pub(super) struct BestValues {
    start: Vec<f64>,
    /// The mean centre of each knob, from the start, and its mean gradient.
    walked: Vec<(f64, f64)>,
    /// Over all curvatures and spreads, and the same with each curvature as a further factor.
    all: Moments,
    by_slope: Moments,
}

impl BestValues {
    /// The best values after this walk from `start`. `variance` is the variance of the gradient by a
    /// single pair.
    pub(super) fn after(walk: &Walk, prior: &WalkPrior, variance: f64, start: Vec<f64>) -> Self {
        let centres = walk.centre.iter().zip(&start).map(|(centre, start)| centre - start);
        let walked: Vec<(f64, f64)> = centres.zip(walk.gradient.iter().copied()).collect();
        let (all, by_slope) = Evidence::new(prior, walk, variance, &walked).moments();
        Self { start, walked, all, by_slope }
    }

    /// The values with the least expected loss: a square of the distance counts by its curvature.
    pub(super) fn least_loss(&self) -> Vec<f64> {
        let knobs = self.start.iter().zip(&self.walked);
        knobs.map(|(start, &(centre, slope))| start + self.by_slope.mean(centre, slope)).collect()
    }

    /// The Elo that the best values are expected to be ahead of an answer, and the standard error of
    /// each of its knobs.
    pub(super) fn elo_and_errors(&self, answer: &[f64]) -> (f64, Vec<f64>) {
        let (mut elo, mut errors) = (0.0, Vec::with_capacity(answer.len()));
        for ((&(centre, gradient), start), answer) in
            self.walked.iter().zip(&self.start).zip(answer)
        {
            let answer = answer - start;
            elo += self.by_slope.square(centre, gradient, answer) / 4.0;
            errors.push(self.all.square(centre, gradient, answer).max(0.0).sqrt());
        }
        (elo.max(0.0), errors)
    }
}

/// Means over curvatures and spreads. `pull` is the share of the way from the start to where the
/// gradient is zero, and `slope` the curvature.
#[derive(Default)]
struct Moments {
    weight: f64,
    variance: f64,
    pull: f64,
    pull_by_slope: f64,
    pull_squared: f64,
    pull_squared_by_slope: f64,
    pull_squared_by_slope_squared: f64,
}

impl Moments {
    fn add(&mut self, weight: f64, variance: f64, pull: f64, slope: f64) {
        self.weight += weight;
        self.variance += weight * variance;
        self.pull += weight * pull;
        self.pull_by_slope += weight * pull / slope;
        self.pull_squared += weight * pull * pull;
        self.pull_squared_by_slope += weight * pull * pull / slope;
        self.pull_squared_by_slope_squared += weight * (pull / slope).powi(2);
    }

    /// The mean of a knob's best value.
    fn mean(&self, centre: f64, gradient: f64) -> f64 {
        (centre * self.pull + gradient * self.pull_by_slope) / self.weight
    }

    /// The mean square of a knob's best value less its answer, times the weight.
    fn square(&self, centre: f64, gradient: f64, answer: f64) -> f64 {
        self.variance
            + centre * centre * self.pull_squared
            + 2.0 * centre * gradient * self.pull_squared_by_slope
            + gradient * gradient * self.pull_squared_by_slope_squared
            - 2.0 * answer * (centre * self.pull + gradient * self.pull_by_slope)
            + answer * answer * self.weight
    }
}

/// Numbers from the first to the last in a geometric progression.
fn grid([first, last]: [f64; 2], points: usize) -> impl Iterator<Item = f64> {
    let factor = (last / first).powf(1.0 / (points - 1) as f64);
    (0..points).map(move |i| first * factor.powi(i as i32))
}

/// The evidence of a walk for curvatures and spreads.
struct Evidence<'a> {
    prior: &'a WalkPrior,
    walk: &'a Walk,
    /// The number of knobs, and sums over them.
    knobs: f64,
    centre_squares: f64,
    centre_gradients: f64,
    gradient_squares: f64,
    /// The variance of a mean gradient.
    noise: f64,
    /// The variance of the gradient of a batch of weight 1.
    unit_noise: f64,
}

impl<'a> Evidence<'a> {
    /// The evidence of a walk with these mean centres, from the start, and mean gradients.
    fn new(prior: &'a WalkPrior, walk: &'a Walk, variance: f64, walked: &[(f64, f64)]) -> Self {
        let sum = |of: fn(&(f64, f64)) -> f64| walked.iter().map(of).sum::<f64>();
        let unit_noise = variance * walk.weight_squares / walk.weight;
        Self {
            prior,
            walk,
            knobs: walked.len() as f64,
            centre_squares: sum(|(centre, _)| centre * centre),
            centre_gradients: sum(|(centre, gradient)| centre * gradient),
            gradient_squares: sum(|(_, gradient)| gradient * gradient),
            noise: unit_noise / walk.weight,
            unit_noise,
        }
    }

    /// The moments, and the moments with each curvature as a further factor.
    fn moments(&self) -> (Moments, Moments) {
        let mut points = Vec::with_capacity(CURVATURE_POINTS * SPREAD_POINTS);
        for share in grid(CURVATURES, CURVATURE_POINTS) {
            for spread in grid(SPREADS, SPREAD_POINTS) {
                points.push((share, spread, self.log_weight(share, spread)));
            }
        }
        let most = points.iter().fold(f64::NEG_INFINITY, |most, point| most.max(point.2));
        let total: f64 = points.iter().map(|point| (point.2 - most).exp()).sum();
        let (mut all, mut by_slope) = (Moments::default(), Moments::default());
        for (share, spread, log_weight) in points {
            let weight = (log_weight - most).exp() / total;
            let slope = share * self.prior.curvature;
            let spread = (spread * self.prior.usual).powi(2);
            let noise = self.noise / (slope * slope);
            let pull = spread / (spread + noise);
            all.add(weight, pull * noise, pull, slope);
            by_slope.add(weight * slope, pull * noise, pull, slope);
        }
        (all, by_slope)
    }

    /// The logarithm of the weight of a curvature and a spread, both as shares: the priors, and the
    /// likelihood of the walk with the best values integrated out.
    fn log_weight(&self, share: f64, spread: f64) -> f64 {
        let (walk, slope) = (self.walk, share * self.prior.curvature);
        // The last term makes up for the grid, which has equally many points in each octave.
        let curvature_prior = -self.prior.precision / 2.0 * (share - 1.0).powi(2) + share.ln();
        let spread_prior = -(spread.ln() / SPREAD_DEVIATION).powi(2) / 2.0;
        // The gradient at the start, by the means.
        let at_start = self.gradient_squares
            + 2.0 * slope * self.centre_gradients
            + slope * slope * self.centre_squares;
        let variance = (slope * spread * self.prior.usual).powi(2) + self.noise;
        let by_means = -(at_start / variance + self.knobs * variance.ln()) / 2.0;
        let by_walk = -(2.0 * slope * walk.centre_gradient + slope * slope * walk.centre_squares)
            / (2.0 * self.unit_noise);
        curvature_prior + spread_prior + by_means + by_walk
    }
}
