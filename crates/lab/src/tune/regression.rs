//! The best values by regression of all results on all perturbations.
//!
//! Near the best values the Elo of a player is a quadratic function of its knobs, so the gradient
//! that a batch measures is linear in the knobs that the batch was played around, and zero at the
//! best ones. Every batch says something about the place where that line meets zero, and the
//! regression uses all of them alike, where an averaged iterate forgets what it has walked away
//! from.
//!
//! Knobs are measured in steps (half the distance between the sides of a pair), and all of them
//! share one curvature per step: the results of some thousand games are far too noisy for one of
//! each. What the results do not settle is shrunk toward the values that the tune starts from, by
//! the empirical Bayes of James and Stein (1961): one deviation in steps, estimated from the
//! results, for all knobs.
//!
//! Memory and time of a batch grow with the number of knobs, not with that of the batches.

use super::optimizer::ELO_PER_SCORE;

/// The precision of the prior of the curvature around the planned one, whose share it is measured
/// in: about as much as a standard deviation of 1.4 times the planned curvature.
const CURVATURE_PRECISION: f64 = 0.5;
/// The least and the greatest curvature that are believed, as shares of the planned one. Where the
/// surface is no longer quadratic the results can say next to none, and the answer would be beyond
/// all that was tried.
const CURVATURES: [f64; 2] = [0.3, 20.0];
/// How much the regression leans toward later batches, whose number to this power they count: the
/// surface is only nearly quadratic, and the later ones were played nearer to the best values.
const LEAN: i32 = 1;
/// How much Elo a knob of the start is taken to lose by its distance from the best value, as far as
/// the results do not say.
const USUAL_LOSS: f64 = 10.0;

/// The estimate of the best values after the games so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Posterior {
    /// The answer: the mean of each knob, in its own units.
    pub means: Vec<f64>,
    /// The standard error of each knob, in its own units. It assumes that the surface is quadratic,
    /// with the same curvature for all knobs when each is measured in steps.
    pub errors: Vec<f64>,
    /// The Elo that the best values are expected to be ahead of the answer, 0 or more, under the
    /// same assumption.
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
    /// The sum of the batches' weights, and that of their squares over the pairs of each.
    weight: f64,
    weight_squares: f64,
    /// The weighted means over the batches of the centre in steps, and of the gradient.
    centre: Vec<f64>,
    gradient: Vec<f64>,
    /// The weighted sums over batches and knobs of the centre's squared deviations from its mean,
    /// and of its products with the gradient's.
    centre_squares: f64,
    centre_gradient: f64,
}

/// The gradient estimate of a batch.
#[derive(Clone, Debug, Default)]
pub struct BatchGradient {
    /// Pairs of the batch, without probes.
    pub pairs: u64,
    /// For each knob, the surpluses of the sides that had it a step higher, less the surpluses of
    /// the others, over the pairs.
    pub surpluses: Vec<f64>,
    /// The sum of the squared surpluses.
    pub squares: f64,
}

impl BatchGradient {
    /// A batch of no pairs yet.
    pub fn new(knobs: usize) -> Self {
        Self { surpluses: vec![0.0; knobs], ..Self::default() }
    }

    /// Adds a pair: the coins that its plus side moved by, +1 or -1, and that side's wins less
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
    /// `elo_at_half_range` is what half a range is planned to lose.
    pub fn new(start: Vec<f64>, steps: Vec<f64>, c: f64, elo_at_half_range: f64) -> Self {
        let zeros = vec![0.0; steps.len()];
        Self {
            start,
            // The loss at half range is that of 1 / (2 c) steps; the gradient between two sides is
            // four times the loss per square step.
            curvature: 16.0 * elo_at_half_range * c * c,
            usual_distance: (USUAL_LOSS / elo_at_half_range).sqrt() / (2.0 * c),
            pairs: 0.0,
            squares: 0.0,
            batches: 0,
            weight: 0.0,
            weight_squares: 0.0,
            centre: zeros.clone(),
            gradient: zeros,
            centre_squares: 0.0,
            centre_gradient: 0.0,
            steps,
        }
    }

    /// Learns from a batch that was played around `centre`, in the knobs' own units, with sides this
    /// many steps from it. Over more steps a pair says more of the gradient, by the square.
    pub fn add(&mut self, centre: &[f64], batch: &BatchGradient, apart: f64) {
        if batch.pairs == 0 {
            return;
        }
        self.pairs += batch.pairs as f64;
        self.squares += batch.squares;
        self.batches += 1;
        let information = apart * apart;
        let weight = f64::from(self.batches).powi(LEAN) * information;
        self.weight += weight;
        self.weight_squares += weight * weight / (information * batch.pairs as f64);
        let share = weight / self.weight;
        let scale = ELO_PER_SCORE / 2.0 / (apart * batch.pairs as f64);
        // The running means and products of Welford (1962) and West (1979).
        for (i, (value, surplus)) in centre.iter().zip(&batch.surpluses).enumerate() {
            let to_centre = value / self.steps[i] - self.centre[i];
            self.centre[i] += share * to_centre;
            self.gradient[i] += share * (scale * surplus - self.gradient[i]);
            self.centre_squares += weight * to_centre * (value / self.steps[i] - self.centre[i]);
            self.centre_gradient += weight * to_centre * (scale * surplus - self.gradient[i]);
        }
    }

    /// Whether a pair has come out other than level: level pairs alone say nothing of the noise, so
    /// nothing can be learnt from them.
    fn has_results(&self) -> bool {
        self.squares > 0.0
    }

    /// The variance of the gradient that a single pair measures, for each knob.
    fn variance(&self) -> f64 {
        (ELO_PER_SCORE / 2.0).powi(2) * self.squares / self.pairs.max(1.0)
    }

    /// The curvature by the results and the plan together, and the relative variance of it.
    fn curvature(&self) -> (f64, f64) {
        if !self.has_results() {
            return (self.curvature, 1.0 / CURVATURE_PRECISION);
        }
        let noise = self.variance() * self.weight_squares / self.weight.max(f64::MIN_POSITIVE);
        // In shares of the planned curvature.
        let squares = self.centre_squares * self.curvature.powi(2);
        let slope = -self.centre_gradient * self.curvature;
        let precision = squares / noise.max(f64::MIN_POSITIVE) + CURVATURE_PRECISION;
        let share = (slope / noise.max(f64::MIN_POSITIVE) + CURVATURE_PRECISION) / precision;
        let share = share.clamp(CURVATURES[0], CURVATURES[1]);
        (self.curvature * share, 1.0 / (precision * share * share))
    }

    /// The summary of the results so far.
    pub fn posterior(&self) -> Posterior {
        let (curvature, curvature_variance) = self.curvature();
        let noise = self.variance() * self.weight_squares
            / (self.weight * curvature).powi(2).max(f64::MIN_POSITIVE);
        // From the centre to where the gradient is zero.
        let ahead: Vec<f64> = self.gradient.iter().map(|gradient| gradient / curvature).collect();
        let prior_means = self.start.iter().zip(&self.steps).map(|(mean, step)| mean / step);
        let moved: Vec<f64> = prior_means
            .zip(self.centre.iter().zip(&ahead))
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
        Posterior { means, errors, elo_left: curvature / 4.0 * squares }
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
mod tests {
    use super::*;
    use crate::arena::seed::{generator, normal, uniform};
    use crate::tune::Optimizer;

    const C: f64 = 1.0 / 6.0;
    const ELO: f64 = Optimizer::ELO_AT_HALF_RANGE;
    /// Steps of the knobs, which the results must not depend on.
    const STEPS: [f64; 4] = [1.0, 2.0, 5.0, 30.0];

    /// Plays `pairs` pairs around points scattered about `around` on a surface of the planned
    /// curvature whose best point is `best`, in batches of 24; all in steps.
    fn play(regression: &mut Regression, around: &[f64], best: &[f64], pairs: u64, seed: u64) {
        let loss = 4.0 * ELO * C * C;
        let mut random = generator(seed, &[]);
        for _ in 0..pairs / 24 {
            let centre: Vec<f64> = around.iter().map(|z| z + normal(&mut random)).collect();
            let mut batch = BatchGradient::new(best.len());
            for _ in 0..24 {
                let coin = |random: &mut _| if uniform(random) < 0.5 { 1.0 } else { -1.0 };
                let coins: Vec<f64> = best.iter().map(|_| coin(&mut random)).collect();
                let elo = |sign: f64| -> f64 {
                    let places = centre.iter().zip(&coins).zip(best);
                    places.map(|((z, d), b)| -loss * (z + sign * d - b).powi(2)).sum()
                };
                let score = 1.0 / (1.0 + 10f64.powf((elo(-1.0) - elo(1.0)) / 400.0));
                let game = |random: &mut _| if uniform(random) < score { 1.0 } else { -1.0 };
                batch.add(&coins, game(&mut random) + game(&mut random));
            }
            let own: Vec<f64> = centre.iter().zip(STEPS).map(|(z, step)| z * step).collect();
            regression.add(&own, &batch, 1.0);
        }
    }

    fn regression() -> Regression {
        Regression::new(vec![0.0; STEPS.len()], STEPS.to_vec(), C, ELO)
    }

    #[test]
    fn errors_cover_the_best_values_at_their_rate() {
        let (mut inside, mut left, mut lost) = (0, 0.0, 0.0);
        const RUNS: u64 = 120;
        for seed in 0..RUNS {
            let mut random = generator(seed, &[1]);
            let best: Vec<f64> = STEPS.iter().map(|_| 2.0 * normal(&mut random)).collect();
            let mut regression = regression();
            // As an optimizer that has come most of the way.
            let around: Vec<f64> = best.iter().map(|z| 0.8 * z).collect();
            play(&mut regression, &around, &best, 4_800, seed);
            let Posterior { means, errors, elo_left } = regression.posterior();
            left += elo_left;
            for i in 0..STEPS.len() {
                let off = means[i] - best[i] * STEPS[i];
                inside += u64::from(off.abs() <= 1.96 * errors[i]);
                lost += 4.0 * ELO * C * C * (off / STEPS[i]).powi(2);
            }
        }
        let coverage = inside as f64 / (RUNS * STEPS.len() as u64) as f64;
        assert!((0.92..0.98).contains(&coverage), "{coverage}");
        assert!((0.8..1.25).contains(&(left / lost)), "{left} foretold, {lost} lost");
    }

    #[test]
    fn without_results_the_answer_is_the_start() {
        let open = regression().posterior();
        assert_eq!(open.means, [0.0; 4]);
        // Half a range away in each knob, by the plan.
        for (error, step) in open.errors.iter().zip(STEPS) {
            assert!((error - 0.5 / C * step).abs() < 1e-9, "{:?}", open.errors);
        }
        assert!((open.elo_left - 4.0 * ELO).abs() < 1e-9, "{}", open.elo_left);
    }

    #[test]
    fn the_start_gives_way_to_results() {
        let mut regression = regression();
        play(&mut regression, &[0.0; 4], &[3.0; 4], 24_000, 5);
        let answer = regression.posterior().means;
        for (value, step) in answer.iter().zip(STEPS) {
            assert!((value / step - 3.0).abs() < 1.0, "{answer:?}");
        }
    }

    #[test]
    fn batches_without_wins_or_pairs_say_nothing_wrong() {
        let mut regression = regression();
        let mut even = BatchGradient::new(STEPS.len());
        regression.add(&[1.0; 4], &even, 1.0);
        even.add(&[1.0; 4], 0.0);
        regression.add(&[1.0; 4], &even, 1.0);
        regression.add(&[2.0; 4], &even, 1.0);
        let posterior = regression.posterior();
        assert!(posterior.elo_left.is_finite(), "{posterior:?}");
        assert!(posterior.means.iter().chain(&posterior.errors).all(|x| x.is_finite()));
    }

    #[test]
    fn level_pairs_alone_leave_the_errors_of_the_plan() {
        let (mut regression, mut level) = (regression(), BatchGradient::new(STEPS.len()));
        (0..24).for_each(|_| level.add(&[1.0; 4], 0.0));
        regression.add(&[0.0; 4], &level, 1.0);
        regression.add(&[0.0; 4], &level, 1.0);
        let posterior = regression.posterior();
        assert_eq!(posterior.means, [0.0; 4]);
        for (error, step) in posterior.errors.iter().zip(STEPS) {
            assert!((error - 0.5 / C * step).abs() < 1e-9, "{:?}", posterior.errors);
        }
    }
}
