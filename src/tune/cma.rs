//! Covariance matrix adaptation (Hansen, Ostermeier 2001; constants after Hansen's tutorial of
//! 2016), with the Cholesky factor in place of the matrix's root (Krause, Arbones, Igel 2016).
//!
//! Each candidate of a generation meets the generation's mean on the same openings. The answer is
//! the mean: the best candidate seen would be the luckiest one.

use super::batches::{Batches, Duel};
use super::plan::{CmaOptions, PAIRS_PER_CANDIDATE, candidates};
use super::space::Space;
use super::spsa::TuneState;
use crate::arena::seed::{generator, normal};
use crate::eval::Game;
use argmin::core::{Error, KV, Problem, Solver, TerminationReason, TerminationStatus};

/// The stream below the run's seed.
const STREAM: u64 = 0xc3a;

/// The constants of a dimension.
#[derive(Clone, Debug)]
struct CmaConstants {
    lambda: usize,
    weights: Vec<f64>,
    mu_eff: f64,
    c_sigma: f64,
    d_sigma: f64,
    c_c: f64,
    c_1: f64,
    c_mu: f64,
    chi_n: f64,
}

impl CmaConstants {
    fn new(n: usize) -> Self {
        let dim = n as f64;
        let lambda = candidates(n);
        let mu = lambda / 2;
        let raw: Vec<f64> =
            (1..=mu).map(|i| ((lambda as f64 + 1.0) / 2.0).ln() - (i as f64).ln()).collect();
        let sum: f64 = raw.iter().sum();
        let weights: Vec<f64> = raw.iter().map(|w| w / sum).collect();
        let mu_eff = 1.0 / weights.iter().map(|w| w * w).sum::<f64>();
        let c_sigma = (mu_eff + 2.0) / (dim + mu_eff + 5.0);
        let c_1 = 2.0 / ((dim + 1.3).powi(2) + mu_eff);
        Self {
            lambda,
            mu_eff,
            c_sigma,
            d_sigma: 1.0 + 2.0 * (((mu_eff - 1.0) / (dim + 1.0)).sqrt() - 1.0).max(0.0) + c_sigma,
            c_c: (4.0 + mu_eff / dim) / (dim + 4.0 + 2.0 * mu_eff / dim),
            c_1,
            c_mu: (2.0 * (mu_eff - 2.0 + 1.0 / mu_eff) / ((dim + 2.0).powi(2) + mu_eff))
                .min(1.0 - c_1),
            chi_n: dim.sqrt() * (1.0 - 1.0 / (4.0 * dim) + 1.0 / (21.0 * dim * dim)),
            weights,
        }
    }
}

/// The distribution that candidates are drawn from, in coordinates where a weight's half range is
/// 1.
#[derive(Clone, Debug)]
struct Distribution {
    mean: Vec<f64>,
    sigma: f64,
    covariance: Vec<Vec<f64>>,
    path_sigma: Vec<f64>,
    path_c: Vec<f64>,
    k: CmaConstants,
}

impl Distribution {
    fn new(n: usize, sigma: f64) -> Self {
        let unit = |i: usize| (0..n).map(|j| if i == j { 1.0 } else { 0.0 }).collect();
        Self {
            mean: vec![0.0; n],
            sigma,
            covariance: (0..n).map(unit).collect(),
            path_sigma: vec![0.0; n],
            path_c: vec![0.0; n],
            k: CmaConstants::new(n),
        }
    }

    /// The points of these standard normal draws: mean + sigma A z.
    fn points(&self, draws: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let factor = cholesky(&self.covariance);
        draws.iter().map(|z| add(&self.mean, self.sigma, &times(&factor, z))).collect()
    }

    /// Learns from the draws of a generation, best first.
    fn learn(&mut self, generation: u64, ranked: &[Vec<f64>]) {
        let (k, n) = (self.k.clone(), self.mean.len());
        let factor = cholesky(&self.covariance);
        let mut z = vec![0.0; n];
        for (weight, draw) in k.weights.iter().zip(ranked) {
            z = add(&z, *weight, draw);
        }
        let y = times(&factor, &z);
        self.mean = add(&self.mean, self.sigma, &y);
        let keep = 1.0 - k.c_sigma;
        self.path_sigma =
            combine(keep, &self.path_sigma, (k.c_sigma * (2.0 - k.c_sigma) * k.mu_eff).sqrt(), &z);
        let length = norm(&self.path_sigma);
        let settled = (1.0 - keep.powf(2.0 * (generation as f64 + 1.0))).sqrt();
        let moving = length / settled < (1.4 + 2.0 / (n as f64 + 1.0)) * k.chi_n;
        let push = if moving { (k.c_c * (2.0 - k.c_c) * k.mu_eff).sqrt() } else { 0.0 };
        self.path_c = combine(1.0 - k.c_c, &self.path_c, push, &y);
        let missing = if moving { 0.0 } else { k.c_1 * k.c_c * (2.0 - k.c_c) };
        let steps: Vec<Vec<f64>> =
            ranked.iter().take(k.weights.len()).map(|draw| times(&factor, draw)).collect();
        for i in 0..n {
            for j in 0..n {
                let rank_mu: f64 = k.weights.iter().zip(&steps).map(|(w, s)| w * s[i] * s[j]).sum();
                let cell = &mut self.covariance[i][j];
                *cell *= 1.0 - k.c_1 - k.c_mu + missing;
                *cell += k.c_1 * self.path_c[i] * self.path_c[j] + k.c_mu * rank_mu;
            }
        }
        self.sigma *= ((k.c_sigma / k.d_sigma) * (length / k.chi_n - 1.0)).exp();
        self.sigma = self.sigma.clamp(1e-6, 10.0);
    }
}

/// The solver.
pub struct Cma {
    space: Space,
    seed: u64,
    generations: u64,
    probes: u64,
    distribution: Distribution,
    done: u64,
}

impl Cma {
    /// A solver that plays `games` games.
    pub fn new(options: &CmaOptions, games: u64, seed: u64, space: Space) -> Self {
        // The perturbation is a share of the range, the coordinates are in half ranges.
        let distribution = Distribution::new(space.len(), 2.0 * options.c);
        let pairs = (distribution.k.lambda * PAIRS_PER_CANDIDATE) as u64 + options.probes;
        let generations = games / (2 * pairs);
        Self { space, seed, generations, probes: options.probes, distribution, done: 0 }
    }

    /// The mean, as weights.
    pub fn mean(&self) -> Vec<f64> {
        self.space.project(&to_weights(&self.space, &self.distribution.mean))
    }

    fn draws(&self) -> Vec<Vec<f64>> {
        let draw = |lane: u64| {
            let mut generator = generator(self.seed, &[STREAM, self.done, lane]);
            (0..self.space.len()).map(|_| normal(&mut generator)).collect()
        };
        (0..self.distribution.k.lambda as u64).map(draw).collect()
    }

    fn duels(&self, points: &[Vec<f64>]) -> Vec<Duel> {
        let mean = self.space.nearest(&self.mean());
        let mut duels = Vec::new();
        for point in points {
            let candidate = self.space.nearest(&to_weights(&self.space, point));
            for opening in 0..PAIRS_PER_CANDIDATE {
                duels.push(Duel {
                    values: [candidate.clone(), mean.clone()],
                    opening,
                    probe: false,
                });
            }
        }
        let start = self.space.nearest(&self.space.start());
        for index in 0..self.probes as usize {
            let opening = PAIRS_PER_CANDIDATE + index;
            duels.push(Duel { values: [mean.clone(), start.clone()], opening, probe: true });
        }
        duels
    }

    /// Moves the distribution by the results of a generation.
    fn learn(&mut self, draws: &[Vec<f64>], results: &[u8]) {
        let mut ranked: Vec<(u32, usize)> = results
            .chunks(PAIRS_PER_CANDIDATE)
            .take(draws.len())
            .enumerate()
            .map(|(index, points)| (points.iter().map(|&p| u32::from(p)).sum(), index))
            .collect();
        // Equal scores keep the order of the draws, which is random.
        ranked.sort_by_key(|&(score, index)| (std::cmp::Reverse(score), index));
        let best_first: Vec<Vec<f64>> =
            ranked.iter().map(|&(_, index)| draws[index].clone()).collect();
        self.distribution.learn(self.done, &best_first);
    }
}

/// Weights from coordinates in half ranges around the start.
pub(super) fn to_weights(space: &Space, point: &[f64]) -> Vec<f64> {
    space.knobs().iter().zip(point).map(|(knob, x)| knob.start + x * knob.range / 2.0).collect()
}

impl<G: Game> Solver<Batches<'_, G>, TuneState> for Cma {
    fn name(&self) -> &str {
        "CMA-ES"
    }

    fn next_iter(
        &mut self,
        problem: &mut Problem<Batches<'_, G>>,
        state: TuneState,
    ) -> Result<(TuneState, Option<KV>), Error> {
        let draws = self.draws();
        let points = self.distribution.points(&draws);
        let duels = self.duels(&points);
        problem.problem("batches", |batches| {
            batches.submit(duels)?;
            Ok(batches.collect(|results| {
                self.learn(&draws, results);
                self.mean()
            })?)
        })?;
        self.done += 1;
        Ok((state.param(self.mean()).cost(0.0), None))
    }

    fn terminate(&mut self, _: &TuneState) -> TerminationStatus {
        if self.done >= self.generations {
            TerminationStatus::Terminated(TerminationReason::MaxItersReached)
        } else {
            TerminationStatus::NotTerminated
        }
    }
}

/// The lower triangular A with A A' = C; tiny or negative pivots, which rounding can make, are
/// lifted.
fn cholesky(c: &[Vec<f64>]) -> Vec<Vec<f64>> {
    const LEAST_PIVOT: f64 = 1e-12;
    let n = c.len();
    let mut a = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let rest = c[i][j] - (0..j).map(|k| a[i][k] * a[j][k]).sum::<f64>();
            a[i][j] = if i == j { rest.max(LEAST_PIVOT).sqrt() } else { rest / a[j][j] };
        }
    }
    a
}

fn times(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum()).collect()
}

fn add(a: &[f64], factor: f64, b: &[f64]) -> Vec<f64> {
    combine(1.0, a, factor, b)
}

fn combine(p: f64, a: &[f64], q: f64, b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(x, y)| p * x + q * y).collect()
}

fn norm(a: &[f64]) -> f64 {
    a.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minimise(f: impl Fn(&[f64]) -> f64, n: usize, generations: u64) -> Vec<f64> {
        let mut distribution = Distribution::new(n, 0.5);
        for generation in 0..generations {
            let draw = |lane: u64| {
                let mut generator = generator(3, &[generation, lane]);
                (0..n).map(|_| normal(&mut generator)).collect::<Vec<f64>>()
            };
            let draws: Vec<Vec<f64>> = (0..distribution.k.lambda as u64).map(draw).collect();
            let points = distribution.points(&draws);
            let mut order: Vec<usize> = (0..draws.len()).collect();
            order.sort_by(|&a, &b| f(&points[a]).total_cmp(&f(&points[b])));
            let ranked: Vec<Vec<f64>> = order.iter().map(|&i| draws[i].clone()).collect();
            distribution.learn(generation, &ranked);
        }
        distribution.mean
    }

    #[test]
    fn an_ill_conditioned_valley_is_followed_to_its_end() {
        let valley = |x: &[f64]| {
            x.iter()
                .enumerate()
                .map(|(i, v)| 10f64.powi(i as i32) * (v - 1.0) * (v - 1.0))
                .sum::<f64>()
        };
        let end = minimise(valley, 5, 300);
        assert!(valley(&end) < 1e-8, "{end:?}");
    }

    #[test]
    fn cholesky_factors_multiply_back() {
        let c = vec![vec![4.0, 2.0, 0.6], vec![2.0, 5.0, 1.0], vec![0.6, 1.0, 3.0]];
        let a = cholesky(&c);
        for i in 0..3 {
            for j in 0..3 {
                let product: f64 = (0..3).map(|k| a[i][k] * a[j][k]).sum();
                assert!((product - c[i][j]).abs() < 1e-12);
            }
        }
    }
}
