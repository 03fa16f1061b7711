//! argmin's own derivative-free solvers over the same batches, as baselines: Nelder-Mead,
//! particle swarm and simulated annealing.
//!
//! Their cost of a point is the share of the points that it loses in a few pairs against the start.
//! They trust that number although it is noisy, and answer with the best they have seen, which is
//! largely the luckiest: docs/measurements/2026-11-20-methods.md shows what that costs. A resumed
//! run runs the solver again over the recorded costs.

use super::batches::{Batches, Duel};
use super::cma::to_weights;
use super::plan::{Method, StepOptions};
use super::space::Space;
use crate::arena::seed::{derive, generator, normal};
use crate::error::Result;
use crate::eval::Game;
use argmin::core::{CostFunction, Error, Executor};
use argmin::solver::neldermead::NelderMead;
use argmin::solver::particleswarm::ParticleSwarm;
use argmin::solver::simulatedannealing::{Anneal, SimulatedAnnealing};
use rand_09::RngCore;
use rand_mt::Mt64;
use std::cell::{Cell, RefCell};

/// How far the swarm's particles may go, and how far the simplex reaches at first, in half ranges.
const REACH: f64 = 1.0;
/// Particles of the swarm.
const PARTICLES: usize = 12;
/// The first temperature, in shares of the points.
const TEMPERATURE: f64 = 0.1;
/// How far annealing steps at the first temperature, in half ranges.
const ANNEALING_STEP: f64 = 0.5;
/// The streams below the run's seed.
const STREAM: u64 = 0xb1;

/// The Mersenne Twister for solvers that take generators of rand 0.9.
struct Twister(Mt64);

impl RngCore for Twister {
    fn next_u32(&mut self) -> u32 {
        (self.next_u64() >> 32) as u32
    }

    fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.next_u64().to_le_bytes()[..chunk.len()]);
        }
    }
}

/// Batches as a cost function of points in half ranges around the start.
struct PairCost<'a, 'b, G: Game> {
    batches: &'b Batches<'a, G>,
    space: &'b Space,
    seed: u64,
    pairs: usize,
    left: Cell<u64>,
    steps: Cell<u64>,
    best: RefCell<(f64, Vec<f64>)>,
    failed: RefCell<Option<crate::error::Error>>,
}

impl<G: Game> CostFunction for &PairCost<'_, '_, G> {
    type Param = Vec<f64>;
    type Output = f64;

    /// Never an error: Nelder-Mead panics on one. When no games are left or a batch failed, every
    /// further point costs all, at once, and the solver runs out of iterations.
    fn cost(&self, point: &Vec<f64>) -> std::result::Result<f64, Error> {
        const ALL_LOST: f64 = 1.0;
        if self.left.get() == 0 || self.failed.borrow().is_some() {
            return Ok(ALL_LOST);
        }
        self.left.set(self.left.get() - 1);
        match self.play(point) {
            Ok(lost) => Ok(lost),
            Err(error) => {
                *self.failed.borrow_mut() = Some(error);
                Ok(ALL_LOST)
            }
        }
    }
}

impl<G: Game> PairCost<'_, '_, G> {
    /// The share of the points that a point loses against the start.
    fn play(&self, point: &[f64]) -> Result<f64> {
        let candidate = self.space.nearest(&to_weights(self.space, point));
        let start = self.space.nearest(&self.space.start());
        let duel =
            |opening| Duel { values: [candidate.clone(), start.clone()], opening, probe: true };
        self.batches.submit((0..self.pairs).map(duel).collect())?;
        let mut lost = 0.0;
        self.batches.collect(|points| {
            let won: u64 = points.iter().map(|&pair_score| u64::from(pair_score)).sum();
            lost = 1.0 - won as f64 / (4.0 * points.len().max(1) as f64);
            if lost < self.best.borrow().0 {
                *self.best.borrow_mut() = (lost, point.to_vec());
            }
            self.answer()
        })?;
        Ok(lost)
    }

    /// The best point so far, as weights.
    fn answer(&self) -> Vec<f64> {
        self.space.project(&to_weights(self.space, &self.best.borrow().1))
    }
}

impl<G: Game> Anneal for &PairCost<'_, '_, G> {
    type Param = Vec<f64>;
    type Output = Vec<f64>;
    type Float = f64;

    fn anneal(&self, point: &Vec<f64>, temperature: f64) -> std::result::Result<Vec<f64>, Error> {
        let step = self.steps.replace(self.steps.get() + 1);
        let mut generator = generator(self.seed, &[STREAM, 1, step]);
        let width = ANNEALING_STEP * (temperature / TEMPERATURE).sqrt();
        Ok(point.iter().map(|x| x + width * normal(&mut generator)).collect())
    }
}

/// Runs one of argmin's solvers until the games are used up, and gives the point that it thinks
/// best, as weights.
///
/// # Errors
/// When the run is interrupted, or a batch cannot be kept.
pub fn run<G: Game>(
    method: Method,
    options: &StepOptions,
    [games, seed]: [u64; 2],
    space: &Space,
    batches: &Batches<G>,
) -> Result<Vec<f64>> {
    let pairs = options.batch as usize;
    let cost = PairCost {
        batches,
        space,
        seed,
        pairs,
        left: Cell::new(games / (2 * options.batch).max(1)),
        steps: Cell::new(0),
        best: RefCell::new((f64::INFINITY, vec![0.0; space.len()])),
        failed: RefCell::new(None),
    };
    let evaluations = cost.left.get();
    let ended = match method {
        Method::NelderMead => nelder_mead(&cost, space.len(), evaluations),
        Method::Pso => swarm(&cost, space.len(), seed, evaluations),
        _ => annealing(&cost, space.len(), seed, evaluations),
    };
    let answer = cost.answer();
    if let Some(error) = cost.failed.into_inner() {
        return Err(error);
    }
    ended.map_err(|error| crate::error::Error::failed("solver", error))?;
    Ok(answer)
}

type SolverEnd = std::result::Result<(), Error>;

fn nelder_mead<G: Game>(cost: &PairCost<G>, n: usize, evaluations: u64) -> SolverEnd {
    let corner =
        |moved: usize| (0..n).map(|i| if i + 1 == moved { REACH / 2.0 } else { 0.0 }).collect();
    // Noise keeps the simplex from shrinking below its tolerance in earnest: it ends with the
    // games.
    let solver = NelderMead::new((0..=n).map(corner).collect()).with_sd_tolerance(0.0)?;
    Executor::new(cost, solver).configure(|state| state.max_iters(evaluations)).run()?;
    Ok(())
}

fn swarm<G: Game>(cost: &PairCost<G>, n: usize, seed: u64, evaluations: u64) -> SolverEnd {
    let solver = ParticleSwarm::new((vec![-REACH; n], vec![REACH; n]), PARTICLES)
        .with_rng_generator(Twister(Mt64::new(derive(seed, &[STREAM, 2]))));
    Executor::new(cost, solver).configure(|state| state.max_iters(evaluations)).run()?;
    Ok(())
}

fn annealing<G: Game>(cost: &PairCost<G>, n: usize, seed: u64, evaluations: u64) -> SolverEnd {
    let solver = SimulatedAnnealing::new_with_rng(
        TEMPERATURE,
        Twister(Mt64::new(derive(seed, &[STREAM, 3]))),
    )?;
    Executor::new(cost, solver)
        .configure(|state| state.param(vec![0.0; n]).max_iters(evaluations))
        .run()?;
    Ok(())
}
