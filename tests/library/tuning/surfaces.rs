//! Simulated surfaces: how much Elo a point loses on the best one is known, so that the real
//! optimizers can be driven without an engine and judged by what their answers lose.
//!
//! A surface is a sum of losses along directions of its own. Games have no draws, and the two games
//! of a pair are independent, so a pair carries the least information possible.

use rand_mt::Mt64;
use sparring::arena::seed::{generator, normal, uniform};
use sparring::tune::{Duel, Knob, Posterior, Spsa, Target};
use std::collections::VecDeque;

/// The range of a knob, in its own units: fine enough that rounding to integers does not matter.
const RANGE: f64 = 1_000.0;

/// The shape of the loss away from the best point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shape {
    Quadratic,
    /// Quadratic, and 5.7 times as steep on one side as on the other.
    Skewed,
    /// Quadratic nearby; far away the loss grows with the logarithm only.
    FlatTails,
}

/// The shape of a surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SurfaceConfig {
    pub(crate) name: &'static str,
    pub(crate) knobs: usize,
    /// The ratio of the greatest curvature to the least. Above 1 the directions are rotated at
    /// random.
    pub(crate) condition: f64,
    pub(crate) shape: Shape,
    /// Elo lost at half the range of a knob, the geometric mean over the directions. The optimizers
    /// plan for 10.
    pub(crate) half_range: f64,
    /// Elo lost at the start.
    pub(crate) start: f64,
}

impl SurfaceConfig {
    pub(crate) const fn quadratic(name: &'static str, knobs: usize, start: f64) -> Self {
        let shape = Shape::Quadratic;
        Self { name, knobs, condition: 1.0, shape, half_range: 10.0, start }
    }
}

/// A surface, its best point at the origin.
pub(crate) struct Surface {
    config: SurfaceConfig,
    curvatures: Vec<f64>,
    /// Orthonormal rows, if the directions are not the knobs themselves.
    directions: Vec<Vec<f64>>,
    /// The start, in ranges.
    start: Vec<f64>,
    seed: u64,
}

impl Surface {
    /// The surface of this kind that the seed makes, with its start in a random direction.
    pub(crate) fn new(config: SurfaceConfig, seed: u64) -> Self {
        let n = config.knobs;
        let mut random = generator(seed, &[1]);
        // A loss of l at half range is one of 4 l at a whole range.
        let share = |i: usize| i as f64 / (n as f64 - 1.0).max(1.0) - 0.5;
        let curvature = |i| 4.0 * config.half_range * config.condition.powf(share(i));
        let directions = if config.condition > 1.0 { rotation(n, &mut random) } else { vec![] };
        let curvatures = (0..n).map(curvature).collect();
        let mut surface = Self { config, curvatures, directions, start: vec![], seed };
        let direction: Vec<f64> = (0..n).map(|_| normal(&mut random)).collect();
        let at = |length: f64| direction.iter().map(|x| x * length).collect::<Vec<_>>();
        let (mut near, mut far) = (0.0, 1e4);
        for _ in 0..100 {
            let middle = (near + far) / 2.0;
            let lost = surface.loss(&at(middle));
            *(if lost < config.start { &mut near } else { &mut far }) = middle;
        }
        surface.start = at(near);
        surface
    }

    /// The view of the optimizers.
    pub(crate) fn knobs(&self) -> Vec<Knob> {
        const BOUND: f64 = 1e6;
        let knob = |(i, &start): (usize, &f64)| Knob {
            target: Target::Weights,
            name: format!("knob_{i}"),
            start: start * RANGE,
            min: -BOUND,
            max: BOUND,
            range: RANGE,
            ..Knob::default()
        };
        self.start.iter().enumerate().map(knob).collect()
    }

    /// The Elo that a point, in the knobs' units, loses on the best one.
    pub(crate) fn elo_lost(&self, values: &[f64]) -> f64 {
        self.loss(&values.iter().map(|value| value / RANGE).collect::<Vec<_>>())
    }

    fn loss(&self, point: &[f64]) -> f64 {
        let along: Vec<f64> = match self.directions.is_empty() {
            true => point.to_vec(),
            false => self
                .directions
                .iter()
                .map(|row| row.iter().zip(point).map(|(a, b)| a * b).sum())
                .collect(),
        };
        let parts = self.curvatures.iter().zip(along);
        match self.config.shape {
            Shape::Quadratic => parts.map(|(curvature, x)| curvature * x * x).sum(),
            Shape::Skewed => {
                // From 0.3 to 1.7 of the curvature, half of the way at a quarter of the range.
                let skew = |x: f64| 1.0 + 0.7 * x / x.hypot(0.25 * 3f64.sqrt());
                parts.map(|(curvature, x)| curvature * x * x * skew(x)).sum()
            }
            Shape::FlatTails => {
                const BEND: f64 = 200.0;
                let quadratic: f64 = parts.map(|(curvature, x)| curvature * x * x).sum();
                BEND * (1.0 + quadratic / BEND).ln()
            }
        }
    }

    /// Plays a batch: the pair scores of the first players.
    pub(crate) fn play(&self, batch: u64, duels: &[Duel]) -> Vec<Option<u8>> {
        let score = |(index, duel): (usize, &Duel)| {
            let [a, b] = duel.values.each_ref().map(|values| self.elo_lost(values));
            let expected = 1.0 / (1.0 + 10f64.powf((a - b) / 400.0));
            let mut random = generator(self.seed, &[2, batch, index as u64]);
            Some((0..2).map(|_| if uniform(&mut random) < expected { 2 } else { 0 }).sum())
        };
        duels.iter().enumerate().map(score).collect()
    }
}

/// A random rotation: orthonormal rows, by Gram and Schmidt.
fn rotation(n: usize, random: &mut Mt64) -> Vec<Vec<f64>> {
    let mut rows: Vec<Vec<f64>> = Vec::with_capacity(n);
    for _ in 0..n {
        let mut row: Vec<f64> = (0..n).map(|_| normal(random)).collect();
        for earlier in &rows {
            let shared: f64 = row.iter().zip(earlier).map(|(a, b)| a * b).sum();
            row.iter_mut().zip(earlier).for_each(|(a, b)| *a -= shared * b);
        }
        let length = row.iter().map(|x| x * x).sum::<f64>().sqrt();
        row.iter_mut().for_each(|x| *x /= length);
        rows.push(row);
    }
    rows
}

/// Runs a solver on a surface to its end: the Elo that its answer loses.
pub(crate) fn run(surface: &Surface, spsa: Spsa) -> f64 {
    surface.elo_lost(&posterior(surface, spsa).means)
}

/// Runs a solver on a surface to its end: its answer, with the errors. The best values are 0.
pub(crate) fn posterior(surface: &Surface, mut spsa: Spsa) -> Posterior {
    let mut batches = VecDeque::new();
    for number in 0.. {
        while let Some(duels) = spsa.ask() {
            batches.push_back(duels);
        }
        let Some(duels) = batches.pop_front() else { break };
        spsa.tell(&surface.play(number, &duels));
    }
    spsa.posterior()
}
