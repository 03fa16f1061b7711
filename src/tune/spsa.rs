//! Simultaneous perturbation stochastic approximation (Spall 1992) as it suits engine matches.
//!
//! - Every pair perturbs all weights at once, each up or down by its own coin; the two sides of the
//!   perturbation meet on one opening with both colours, so openings and colours cancel.
//! - Both sides are rounded to integers with one shared random number for each weight, so that
//!   rounding is right on average and small weights still move.
//! - Each pair of a batch has a perturbation of its own.
//! - A batch is begun before the one before it is finished, from the weights known then: threads
//!   never wait at a batch's end, and since the lag is fixed the run does not depend on their
//!   number.
//! - The answer is an average of the iterates that leans toward the later ones (polynomial-decay
//!   averaging, Shamir and Zhang 2013), not the last one and never the luckiest.

use super::batches::{Batches, Duel};
use super::plan::SpsaOptions;
use super::space::Space;
use crate::arena::seed::{generator, uniform};
use crate::eval::Game;
use argmin::core::{Error, IterState, KV, Problem, Solver, TerminationReason, TerminationStatus};
use rand_mt::Mt64;

/// Batches begun ahead of the one that is waited for.
const LAG: u64 = 1;
/// How much the average leans toward later iterates; 0 would be the plain mean.
const DECAY: f64 = 3.0;
/// The stream below the run's seed.
const STREAM: u64 = 0x5b5a;

/// The state of argmin's executor for our solvers.
pub type TuneState = IterState<Vec<f64>, (), (), (), (), f64>;

/// The solver.
pub struct Spsa {
    space: Space,
    seed: u64,
    batches: u64,
    pairs: u64,
    probes: u64,
    /// Half the distance between the two sides, for each weight.
    steps: Vec<f64>,
    gain: f64,
    theta: Vec<f64>,
    average: Vec<f64>,
    begun: u64,
    done: u64,
}

impl Spsa {
    /// A solver that plays `games` games.
    pub fn new(options: &SpsaOptions, games: u64, seed: u64, space: Space) -> Self {
        // A step below one could round both sides to the same integer.
        const LEAST_STEP: f64 = 0.5;
        let step = |range: f64| (range * options.c).max(LEAST_STEP);
        let steps = space.knobs().iter().map(|knob| step(knob.range)).collect();
        let start = space.start();
        Self {
            seed,
            batches: games / (2 * (options.batch + options.probes)).max(1),
            pairs: options.batch,
            probes: options.probes,
            steps,
            gain: options.gain(games),
            theta: start.clone(),
            average: start,
            begun: 0,
            done: 0,
            space,
        }
    }

    /// The number of steps.
    pub fn batches(&self) -> u64 {
        self.batches
    }

    /// The averaged iterate: what the solver would answer if it ended now.
    pub fn average(&self) -> &[f64] {
        &self.average
    }

    /// The coins of a pair, +1 or -1 for each weight, and the generator that goes on from there.
    fn coins(&self, batch: u64, pair: u64) -> (Vec<f64>, Mt64) {
        let mut generator = generator(self.seed, &[STREAM, batch, pair]);
        let coin = |generator: &mut _| if uniform(generator) < 0.5 { -1.0 } else { 1.0 };
        (self.steps.iter().map(|_| coin(&mut generator)).collect(), generator)
    }

    /// The coins of a pair, and for each weight the number in [0, 1) that it is rounded with.
    fn draw(&self, batch: u64, pair: u64) -> (Vec<f64>, Vec<f64>) {
        let (coins, mut generator) = self.coins(batch, pair);
        let lifts = self.steps.iter().map(|_| uniform(&mut generator)).collect();
        (coins, lifts)
    }

    fn duels(&self, batch: u64) -> Vec<Duel> {
        let pair = |pair: u64| {
            let (coins, lifts) = self.draw(batch, pair);
            let side = |sign: f64| {
                let moved = self
                    .theta
                    .iter()
                    .zip(&self.steps)
                    .zip(&coins)
                    .map(|((t, c), d)| t + sign * c * d);
                self.space.round(&moved.collect::<Vec<_>>(), &lifts)
            };
            Duel { values: [side(1.0), side(-1.0)], opening: pair as usize, probe: false }
        };
        let probe = |index: u64| Duel {
            values: [self.space.nearest(&self.average), self.space.nearest(&self.space.start())],
            opening: (self.pairs + index) as usize,
            probe: true,
        };
        (0..self.pairs).map(pair).chain((0..self.probes).map(probe)).collect()
    }

    /// Begins the batches that may be in progress while this one is waited for.
    fn begin<G: Game>(&mut self, batches: &Batches<G>) -> Result<(), Error> {
        while self.begun < self.batches && self.begun <= self.done + LAG {
            batches.submit(self.duels(self.begun))?;
            self.begun += 1;
        }
        Ok(())
    }

    /// Moves the weights by the results of a batch. `pair_scores` are those of the plus sides, 0
    /// to 4.
    fn learn(&mut self, batch: u64, pair_scores: &[u8]) {
        let mut moved = self.theta.clone();
        for (pair, &pair_score) in pair_scores.iter().take(self.pairs as usize).enumerate() {
            // Wins less losses of the plus side in the pair's two games; an even pair moves
            // nothing.
            let surplus = f64::from(pair_score) - 2.0;
            if surplus == 0.0 {
                continue;
            }
            let (coins, _) = self.coins(batch, pair as u64);
            for ((theta, step), coin) in moved.iter_mut().zip(&self.steps).zip(&coins) {
                *theta += self.gain * step * coin * surplus;
            }
        }
        self.theta = self.space.project(&moved);
        let share = (DECAY + 1.0) / (batch as f64 + 1.0 + DECAY);
        for (average, theta) in self.average.iter_mut().zip(&self.theta) {
            *average += share * (theta - *average);
        }
    }
}

impl<G: Game> Solver<Batches<'_, G>, TuneState> for Spsa {
    fn name(&self) -> &str {
        "SPSA"
    }

    fn next_iter(
        &mut self,
        problem: &mut Problem<Batches<'_, G>>,
        state: TuneState,
    ) -> Result<(TuneState, Option<KV>), Error> {
        problem.problem("batches", |batches| self.begin(batches))?;
        problem.problem("collected", |batches| {
            Ok(batches.collect(|pair_scores| {
                self.learn(self.done, pair_scores);
                self.average.clone()
            })?)
        })?;
        self.done += 1;
        Ok((state.param(self.average.clone()).cost(0.0), None))
    }

    fn terminate(&mut self, _: &TuneState) -> TerminationStatus {
        if self.done >= self.batches {
            TerminationStatus::Terminated(TerminationReason::MaxItersReached)
        } else {
            TerminationStatus::NotTerminated
        }
    }
}
