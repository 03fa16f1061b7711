//! How far the best values may be from an answer.
//!
//! An optimizer walks where its results lead, so the luck of a batch shows again in the centres of later
//! batches. A straight line through the gradients of such a walk comes out too steep, two to four times
//! where the tune makes one way to the best values and stays there (in panels: Nickell 1981), and errors
//! by its slope are too small. So the errors rest on no single slope. They weigh each curvature, and each
//! spread of the best values around the start, by how well it explains the walk, with the best values
//! integrated out. Why a walk went where it did has no part in that likelihood.

use super::walk::Walk;

/// The least and the greatest curvature that are weighed, as shares of the planned one.
const CURVATURES: [f64; 2] = [0.02, 20.0];
const CURVATURE_POINTS: usize = 96;
/// The least and the greatest spread that are weighed, as shares of the usual one.
const SPREADS: [f64; 2] = [0.05, 8.0];
const SPREAD_POINTS: usize = 20;
/// The prior deviation of the logarithm of the spread.
const SPREAD_DEVIATION: f64 = 0.7;

/// The assumptions of a tune. Distances are in steps.
pub(super) struct Plan {
    /// The planned curvature, in Elo a square step.
    pub(super) curvature: f64,
    /// The precision of the prior of the curvature's share of it.
    pub(super) precision: f64,
    /// The usual distance of a best value from the start.
    pub(super) usual: f64,
}

/// Sums over the knobs that the weights of curvatures and spreads need.
#[derive(Default)]
struct Sums {
    knobs: f64,
    centre_squares: f64,
    centre_gradients: f64,
    gradient_squares: f64,
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

/// Numbers from the first to the last, each the same factor above the one before.
fn grid([first, last]: [f64; 2], points: usize) -> impl Iterator<Item = f64> {
    let factor = (last / first).powf(1.0 / (points - 1) as f64);
    (0..points).map(move |i| first * factor.powi(i as i32))
}

/// The Elo that the best values are expected to be ahead of an answer, and the standard error of each
/// of its knobs, in steps. `variance` is the variance of the gradient by a single pair; the places are
/// the start and the answer, in steps.
pub(super) fn elo_and_errors(
    plan: &Plan,
    walk: &Walk,
    variance: f64,
    [start, answer]: [&[f64]; 2],
) -> (f64, Vec<f64>) {
    let from_start = |places: &[f64]| -> Vec<f64> {
        places.iter().zip(start).map(|(place, start)| place - start).collect()
    };
    let (centres, answers) = (from_start(&walk.centre), from_start(answer));
    let evidence = Evidence::new(plan, walk, variance, &centres);
    let (all, by_slope) = evidence.moments();
    let (mut elo, mut errors) = (0.0, Vec::with_capacity(centres.len()));
    for ((&centre, &gradient), &answer) in centres.iter().zip(&walk.gradient).zip(&answers) {
        elo += by_slope.square(centre, gradient, answer) / 4.0;
        errors.push(all.square(centre, gradient, answer).max(0.0).sqrt());
    }
    (elo.max(0.0), errors)
}

/// The evidence of a walk for curvatures and spreads.
struct Evidence<'a> {
    plan: &'a Plan,
    walk: &'a Walk,
    sums: Sums,
    /// The variance of a mean gradient.
    noise: f64,
    /// The variance of the gradient of a batch of weight 1.
    unit_noise: f64,
}

impl<'a> Evidence<'a> {
    /// The evidence of a walk whose mean centres are these, from the start.
    fn new(plan: &'a Plan, walk: &'a Walk, variance: f64, centres: &[f64]) -> Self {
        let mut sums = Sums { knobs: centres.len() as f64, ..Sums::default() };
        for (centre, gradient) in centres.iter().zip(&walk.gradient) {
            sums.centre_squares += centre * centre;
            sums.centre_gradients += centre * gradient;
            sums.gradient_squares += gradient * gradient;
        }
        let unit_noise = variance * walk.weight_squares / walk.weight;
        Self { plan, walk, sums, noise: unit_noise / walk.weight, unit_noise }
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
            let slope = share * self.plan.curvature;
            let prior = (spread * self.plan.usual).powi(2);
            let noise = self.noise / (slope * slope);
            let pull = prior / (prior + noise);
            all.add(weight, pull * noise, pull, slope);
            by_slope.add(weight * slope, pull * noise, pull, slope);
        }
        (all, by_slope)
    }

    /// The logarithm of the weight of a curvature and a spread, both as shares: the priors, and the
    /// likelihood of the walk with the best values integrated out.
    fn log_weight(&self, share: f64, spread: f64) -> f64 {
        let (walk, sums, slope) = (self.walk, &self.sums, share * self.plan.curvature);
        // The last term is for the grid, which has as many points in each octave.
        let curvature_prior = -self.plan.precision / 2.0 * (share - 1.0).powi(2) + share.ln();
        let spread_prior = -(spread.ln() / SPREAD_DEVIATION).powi(2) / 2.0;
        // The gradient at the start, by the means.
        let at_start = sums.gradient_squares
            + 2.0 * slope * sums.centre_gradients
            + slope * slope * sums.centre_squares;
        let variance = (slope * spread * self.plan.usual).powi(2) + self.noise;
        let by_means = -(at_start / variance + sums.knobs * variance.ln()) / 2.0;
        let by_walk = -(2.0 * slope * walk.centre_gradient + slope * slope * walk.centre_squares)
            / (2.0 * self.unit_noise);
        curvature_prior + spread_prior + by_means + by_walk
    }
}
