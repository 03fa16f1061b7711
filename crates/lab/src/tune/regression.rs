//! The best values by regression of all results on all perturbations.
//!
//! Near the best values the Elo of a player is a quadratic function of its knobs, so the gradient
//! that a batch measures is linear in the knobs that the batch was played around, and zero at the
//! best ones. Every batch is evidence about where that line meets zero, and the regression uses all
//! of them. An averaged iterate forgets the places that it has left.
//!
//! Knobs are measured in steps (half the distance between the sides of a pair), and all of them
//! share one curvature per step: the results of some thousand games are far too noisy for a
//! curvature of each. Values that the results do not settle are shrunk toward the values that the
//! tune starts from, by the empirical Bayes of James and Stein (1961): one deviation in steps,
//! estimated from the results, for all knobs.
//!
//! The errors of an answer have a model of their own, in `best_values.rs`, which can compute the
//! answer too.
//!
//! Memory and time of a batch grow with the number of knobs, not of batches.

use super::best_values::{BestValues, WalkPrior};
use super::optimizer::ELO_PER_SCORE;
use super::walk::Walk;

/// The precision of the prior of the curvature, as a share of the planned one: a standard deviation
/// of about 1.4 times the planned curvature.
const CURVATURE_PRECISION: f64 = 0.5;
/// The least and the greatest credible curvature, as shares of the planned one. Where the surface
/// is no longer quadratic, the results can suggest almost none, and the answer would lie beyond
/// everything that was tried.
const CURVATURES: [f64; 2] = [0.3, 20.0];
/// A batch counts by its number to this power: the surface is only nearly quadratic, and later
/// batches were played nearer to the best values.
const LEAN: i32 = 1;
/// The Elo that a knob of the start is assumed to lose by its distance from the best value, as far
/// as the results do not tell.
const USUAL_LOSS: f64 = 10.0;

/// The pairs after which the noise has a least value.
const MANY_PAIRS: f64 = 100.0;
/// The squared surpluses that the noise behind the errors is at least taken from, ten pairs won by
/// both games: fewer do not tell how large it is, and two in a row by luck would make errors ten
/// times too small.
const LEAST_FOR_ERRORS: f64 = 40.0;
/// The same for the fit to the walk of the centres, which journals keep: any, as in earlier
/// versions, whose runs must stay the same.
const LEAST_FOR_FIT: f64 = 0.0;

/// The estimate of the best values after the games so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Posterior {
    /// The answer: the mean of each knob, in its own units.
    pub means: Vec<f64>,
    /// How far the best values may be from it.
    pub errors: AnswerErrors,
    /// The same by the slope that was fitted to the walk of the centres. The slope is too steep, so
    /// these errors are too small. Journals keep them, so that runs of earlier versions stay the
    /// same.
    pub fitted: AnswerErrors,
}

/// How far the best values may be from an answer. All of it assumes that the surface is quadratic,
/// with the same curvature for all knobs when each is measured in steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnswerErrors {
    /// The standard error of each knob, in its own units.
    pub errors: Vec<f64>,
    /// The Elo that the best values are expected to be ahead of the answer, 0 or more.
    pub elo_left: f64,
}

/// The regression so far.
#[derive(Clone, Debug)]
pub struct Regression {
    /// The prior mean of each knob, in its own units.
    start: Vec<f64>,
    /// A step of each knob, in its own units.
    steps: Vec<f64>,
    /// The planned curvature: Elo per square step, of the gradient between two sides.
    curvature: f64,
    /// The planned distance of a best value, in steps.
    usual_distance: f64,
    pairs: f64,
    /// The sum of the squared surpluses of pairs.
    squares: f64,
    batches: i32,
    /// The batches with weights that lean toward later ones, for the answer.
    leaning: Walk,
    /// The batches weighted by their information, for the errors.
    even: Walk,
}

/// The gradient estimate of a batch.
#[derive(Clone, Debug, Default)]
pub struct BatchGradient {
    /// Pairs of the batch, without probes.
    pub pairs: u64,
    /// For each knob, the surpluses of the sides with a step more, minus the surpluses of the sides
    /// with a step less, summed over the pairs.
    pub surpluses: Vec<f64>,
    /// The sum of the squared surpluses.
    pub squares: f64,
}

impl BatchGradient {
    /// A batch of no pairs yet.
    pub fn new(knobs: usize) -> Self {
        Self { surpluses: vec![0.0; knobs], ..Self::default() }
    }

    /// Adds a pair: the coins by which its plus side moved, +1 or -1, and that side's wins minus
    /// losses, -2 to 2.
    pub fn add(&mut self, coins: &[f64], surplus: f64) {
        self.pairs += 1;
        self.squares += surplus * surplus;
        if surplus != 0.0 {
            for (sum, coin) in self.surpluses.iter_mut().zip(coins) {
                *sum += coin * surplus;
            }
        }
    }
}

impl Regression {
    /// A regression without results. `start` and `steps` are the values that the tune starts from
    /// and the steps, in the knobs' own units; `c` is a step as a share of a knob's range, and
    /// `elo_at_half_range` is the planned Elo loss at half a range.
    pub fn new(start: Vec<f64>, steps: Vec<f64>, c: f64, elo_at_half_range: f64) -> Self {
        let walk = Walk::new(steps.len());
        Self {
            start,
            // Half a range is 1 / (2 c) steps; the gradient between two sides is
            // four times the loss per square step.
            curvature: 16.0 * elo_at_half_range * c * c,
            usual_distance: (USUAL_LOSS / elo_at_half_range).sqrt() / (2.0 * c),
            pairs: 0.0,
            squares: 0.0,
            batches: 0,
            leaning: walk.clone(),
            even: walk,
            steps,
        }
    }

    /// Learns from a batch that was played around `centre`, in the knobs' own units, with sides
    /// this many steps from it. With sides further apart a pair tells more about the gradient, by
    /// the square of the steps.
    pub fn add(&mut self, centre: &[f64], batch: &BatchGradient, apart: f64) {
        if batch.pairs == 0 {
            return;
        }
        self.pairs += batch.pairs as f64;
        self.squares += batch.squares;
        self.batches += 1;
        let information = apart * apart;
        let scale = ELO_PER_SCORE / 2.0 / (apart * batch.pairs as f64);
        let centre: Vec<f64> = centre.iter().zip(&self.steps).map(|(value, c)| value / c).collect();
        let gradient: Vec<f64> = batch.surpluses.iter().map(|surplus| scale * surplus).collect();
        let said = information * batch.pairs as f64;
        let weight = f64::from(self.batches).powi(LEAN) * information;
        self.leaning.add(&centre, &gradient, weight, said);
        self.even.add(&centre, &gradient, said, said);
    }

    /// Whether any pair was not level: level pairs alone tell nothing about the noise, so nothing
    /// can be learnt from them.
    fn has_results(&self) -> bool {
        self.squares > 0.0
    }

    /// The variance of the gradient that a single pair measures, for each knob. After many pairs it
    /// is taken from at least these squared surpluses.
    fn variance(&self, least: f64) -> f64 {
        let least = if self.pairs < MANY_PAIRS { 0.0 } else { least };
        let measured = (ELO_PER_SCORE / 2.0).powi(2) * self.squares / self.pairs.max(1.0);
        measured * (least / self.squares.max(f64::MIN_POSITIVE)).max(1.0)
    }

    /// The curvature by the results and the plan together, and its relative variance.
    fn curvature(&self) -> (f64, f64) {
        if !self.has_results() {
            return (self.curvature, 1.0 / CURVATURE_PRECISION);
        }
        let walk = &self.leaning;
        let noise =
            self.variance(LEAST_FOR_FIT) * walk.weight_squares / walk.weight.max(f64::MIN_POSITIVE);
        // In shares of the planned curvature.
        let squares = walk.centre_squares * self.curvature.powi(2);
        let slope = -walk.centre_gradient * self.curvature;
        let precision = squares / noise.max(f64::MIN_POSITIVE) + CURVATURE_PRECISION;
        let share = (slope / noise.max(f64::MIN_POSITIVE) + CURVATURE_PRECISION) / precision;
        let share = share.clamp(CURVATURES[0], CURVATURES[1]);
        (self.curvature * share, 1.0 / (precision * share * share))
    }

    /// The best values by the results so far.
    pub fn means(&self) -> Vec<f64> {
        self.fitted().0
    }

    /// The values with the least expected loss over all curvatures, in the knobs' own units.
    pub fn least_loss(&self) -> Vec<f64> {
        if !self.has_results() {
            return self.start.clone();
        }
        let values = self.best_values().least_loss();
        values.iter().zip(&self.steps).map(|(value, step)| value * step).collect()
    }

    /// An answer, with how far the best values may be from it by the results so far, in the knobs'
    /// own units.
    pub fn posterior(&self, answer: Vec<f64>) -> Posterior {
        let errors = self.errors(&answer);
        Posterior { means: answer, errors, fitted: self.fitted().1 }
    }

    /// How far the best values may be from an answer.
    fn errors(&self, answer: &[f64]) -> AnswerErrors {
        let usual = self.usual_distance;
        let (elo_left, mut errors) = if self.has_results() {
            self.best_values().elo_and_errors(&self.in_steps(answer))
        } else {
            let knobs = self.steps.len();
            (self.curvature / 4.0 * usual * usual * knobs as f64, vec![usual; knobs])
        };
        errors.iter_mut().zip(&self.steps).for_each(|(error, step)| *error *= step);
        AnswerErrors { errors, elo_left }
    }

    /// Values, given in the knobs' own units, in steps.
    fn in_steps(&self, values: &[f64]) -> Vec<f64> {
        values.iter().zip(&self.steps).map(|(value, step)| value / step).collect()
    }

    /// The best values, in steps, by the results so far. There must be some results.
    fn best_values(&self) -> BestValues {
        let prior = WalkPrior {
            curvature: self.curvature,
            precision: CURVATURE_PRECISION,
            usual: self.usual_distance,
        };
        let noise = self.variance(LEAST_FOR_ERRORS);
        BestValues::after(&self.even, &prior, noise, self.in_steps(&self.start))
    }

    /// The best values, and their errors by the fitted curvature.
    fn fitted(&self) -> (Vec<f64>, AnswerErrors) {
        let walk = &self.leaning;
        let (curvature, curvature_variance) = self.curvature();
        let noise = self.variance(LEAST_FOR_FIT) * walk.weight_squares
            / (walk.weight * curvature).powi(2).max(f64::MIN_POSITIVE);
        // From the centre to where the gradient is zero.
        let ahead: Vec<f64> = walk.gradient.iter().map(|gradient| gradient / curvature).collect();
        let prior_means = self.start.iter().zip(&self.steps).map(|(mean, step)| mean / step);
        let moved: Vec<f64> = prior_means
            .zip(walk.centre.iter().zip(&ahead))
            .map(|(mean, (centre, ahead))| centre + ahead - mean)
            .collect();
        let prior = self.prior_variance(&moved, noise);
        // Without results the prior alone counts.
        let counts = self.has_results() && prior > 0.0;
        let share = if counts { prior / (prior + noise) } else { 0.0 };
        let (mut means, mut errors, mut squares) = (Vec::new(), Vec::new(), 0.0);
        for i in 0..self.steps.len() {
            // The curvature decides how far ahead zero is.
            let by_curvature = (share * ahead[i]).powi(2) * curvature_variance;
            let variance = (1.0 - share) * prior + by_curvature;
            means.push(self.start[i] + self.steps[i] * moved[i] * share);
            errors.push(self.steps[i] * variance.sqrt());
            squares += variance;
        }
        (means, AnswerErrors { errors, elo_left: curvature / 4.0 * squares })
    }

    /// The variance of a knob's best value around its start, in square steps.
    fn prior_variance(&self, moved: &[f64], noise: f64) -> f64 {
        // The planned distance counts as much as what one knob's results say.
        let usual = self.usual_distance.powi(2);
        let squares: f64 = moved.iter().map(|z| z * z).sum();
        let spread = if self.has_results() {
            (squares + usual + noise) / (moved.len() as f64 + 1.0) - noise
        } else {
            usual
        };
        spread.max(0.0)
    }
}

#[cfg(test)]
#[path = "regression_tests.rs"]
mod tests;
