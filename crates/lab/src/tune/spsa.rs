//! Simultaneous perturbation stochastic approximation (Spall 1992), adapted to engine matches.
//!
//! - Every pair perturbs all weights at once, each up or down by its own coin; the two sides of the
//!   perturbation meet on one opening with both colours, so openings and colours cancel.
//! - Both sides are rounded to integers with one shared random number for each weight, so that
//!   rounding is right on average and small weights still move.
//! - Each pair of a batch has a perturbation of its own.
//! - A batch begins before the previous one is finished, from the weights known then. So threads
//!   never wait at the end of a batch, and since the lag is fixed, the run does not depend on their
//!   number.
//! - The answer is an average of the iterates that leans toward the later ones (polynomial-decay
//!   averaging, Shamir and Zhang 2013), or the optimum of a regression of all results on all
//!   perturbations (see [`regression`](super::regression)). It is never the luckiest iterate, and
//!   the last one only if the user asks for it.

use super::regression::{BatchGradient, Regression};
use crate::arena::seed::{generator, uniform};
use crate::tune::{Answer, Duel, GainSchedule, Posterior, Space, SpsaOptions};
use rand_mt::Mt64;
use std::collections::VecDeque;

/// How much the average leans toward later iterates; 0 would be the plain mean.
const DECAY: f64 = 3.0;
/// The stream below the run's seed.
const STREAM: u64 = 0x5b5a;

/// The solver. It is asked for batches with [`ask`](Self::ask) and told their results in the same
/// order with [`tell`](Self::tell); games or a simulation may score them.
pub struct Spsa {
    space: Space,
    seed: u64,
    batches: u64,
    pairs: u64,
    probes: u64,
    /// Batches begun ahead of the current one.
    ahead: u64,
    answer: Answer,
    /// Half the distance between the two sides, for each weight.
    steps: Vec<f64>,
    gain: f64,
    schedule: GainSchedule,
    /// The pairs that the schedule is planned for, without probes.
    scheduled_pairs: u64,
    theta: Vec<f64>,
    average: Vec<f64>,
    regression: Regression,
    /// The points around which the unfinished batches are played.
    centres: VecDeque<Vec<f64>>,
    begun: u64,
    done: u64,
}

impl Spsa {
    /// A solver that plays `games` games.
    pub fn new(options: &SpsaOptions, games: u64, seed: u64, space: Space) -> Self {
        let steps: Vec<f64> = space.knobs().iter().map(|knob| knob.step(options.c)).collect();
        let start = space.start();
        let batches_of = |games: u64| games / (2 * (options.batch + options.probes)).max(1);
        let scheduled = batches_of(options.planned_games.unwrap_or(games));
        Self {
            seed,
            batches: batches_of(games),
            pairs: options.batch,
            probes: options.probes,
            ahead: options.ahead(),
            answer: options.answer,
            regression: Regression::new(
                start.clone(),
                steps.clone(),
                options.c,
                options.elo_at_half_range(),
            ),
            steps,
            gain: options.planned_gain(games),
            schedule: options.schedule,
            scheduled_pairs: scheduled.saturating_mul(options.batch),
            theta: start.clone(),
            average: start,
            centres: VecDeque::new(),
            begun: 0,
            done: 0,
            space,
        }
    }

    /// Whether all batches have been told.
    pub fn is_done(&self) -> bool {
        self.done >= self.batches
    }

    /// Batches begun, and how many of these have been told.
    pub(super) fn progress(&self) -> [u64; 2] {
        [self.begun, self.done]
    }

    /// Ends after this many batches, or after the begun ones if these are more. The gain stays.
    pub(super) fn end_after(&mut self, batches: u64) {
        self.batches = batches.max(self.begun);
    }

    /// Games of a batch.
    pub(super) fn games_of_batch(&self) -> u64 {
        2 * (self.pairs + self.probes)
    }

    /// All batches that are planned.
    pub(super) fn batches(&self) -> u64 {
        self.batches
    }

    /// The estimate after the batches told so far: the answer if the tune ended now, and the errors
    /// of the regression. The answer keeps to bounds and constraints. The errors ignore them.
    pub fn posterior(&self) -> Posterior {
        self.regression.posterior(self.answer())
    }

    /// The answer if the tune ended now.
    fn answer(&self) -> Vec<f64> {
        match self.answer {
            Answer::Average => self.average.clone(),
            Answer::Last => self.theta.clone(),
            Answer::Regression => self.space.project(&self.regression.means()),
            Answer::LeastLoss => self.space.project(&self.regression.least_loss()),
        }
    }

    /// The next batch; `None` while the most batches are in progress, and once all have begun.
    pub fn ask(&mut self) -> Option<Vec<Duel>> {
        if self.begun >= self.batches || self.begun > self.done.saturating_add(self.ahead) {
            return None;
        }
        let duels = self.duels(self.begun);
        self.centres.push_back(self.theta.clone());
        self.begun += 1;
        Some(duels)
    }

    /// Takes the results of the oldest batch in progress: the pair scores of the first players,
    /// 0 to 4, in the order of its duels; `None` for a void pair, which teaches nothing.
    pub fn tell(&mut self, pair_scores: &[Option<u8>]) {
        let batch = self.done;
        self.done += 1;
        let mut gradient = BatchGradient::new(self.steps.len());
        for (pair, pair_score) in pair_scores.iter().take(self.pairs as usize).enumerate() {
            let Some(pair_score) = pair_score else { continue };
            let (coins, _) = self.coins(batch, pair as u64);
            // Wins minus losses of the plus side in the pair's two games.
            gradient.add(&coins, f64::from(*pair_score) - 2.0);
        }
        let centre = self.centres.pop_front().unwrap_or_default();
        let [step_factor, gain_factor] = self.factors(batch);
        self.regression.add(&centre, &gradient, step_factor);
        self.step(batch, &gradient, step_factor * gain_factor);
    }

    /// The factors on the steps and on the gain of a batch, taken at its first pair.
    fn factors(&self, batch: u64) -> [f64; 2] {
        let first = batch.saturating_mul(self.pairs).saturating_add(1);
        self.schedule.factors(first, self.scheduled_pairs)
    }

    /// Moves the weights by the results of a batch, with this factor on each move.
    fn step(&mut self, batch: u64, gradient: &BatchGradient, factor: f64) {
        let mut moved = self.theta.clone();
        for ((theta, step), surplus) in moved.iter_mut().zip(&self.steps).zip(&gradient.surpluses) {
            *theta += self.gain * factor * step * surplus;
        }
        self.theta = self.space.project(&moved);
        let share = (DECAY + 1.0) / (batch as f64 + 1.0 + DECAY);
        for (average, theta) in self.average.iter_mut().zip(&self.theta) {
            *average += share * (theta - *average);
        }
    }

    /// The coins of a pair, +1 or -1 for each weight, and the generator that continues from there.
    fn coins(&self, batch: u64, pair: u64) -> (Vec<f64>, Mt64) {
        let mut generator = generator(self.seed, &[STREAM, batch, pair]);
        let coin = |generator: &mut _| if uniform(generator) < 0.5 { -1.0 } else { 1.0 };
        (self.steps.iter().map(|_| coin(&mut generator)).collect(), generator)
    }

    /// The coins of a pair, and for each weight the number in [0, 1) with which it is rounded.
    fn draw(&self, batch: u64, pair: u64) -> (Vec<f64>, Vec<f64>) {
        let (coins, mut generator) = self.coins(batch, pair);
        let lifts = self.steps.iter().map(|_| uniform(&mut generator)).collect();
        (coins, lifts)
    }

    fn duels(&self, batch: u64) -> Vec<Duel> {
        let [factor, _] = self.factors(batch);
        let pair = |pair: u64| {
            let (coins, lifts) = self.draw(batch, pair);
            let side = |sign: f64| {
                let sign = sign * factor;
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
        (0..self.pairs).map(pair).chain(self.probes()).collect()
    }

    /// The pairs of a batch in which the answer, were this the end, meets the start.
    fn probes(&self) -> Vec<Duel> {
        if self.probes == 0 {
            return Vec::new();
        }
        let values = [self.answer(), self.space.start()].map(|point| self.space.nearest(&point));
        let duel =
            |opening: u64| Duel { values: values.clone(), opening: opening as usize, probe: true };
        (self.pairs..self.pairs + self.probes).map(duel).collect()
    }
}
