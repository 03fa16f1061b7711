//! The scales of a fit: how many units of the search's score make a logit, and how many of a set's
//! weighted sum.

use super::pass::{Data, Scope, SeenPosition, Split, sigmoid};
use super::samples::MAX_SCORE;
use crate::error::{Error, Result};
use crate::eval::{Evaluator, Game};

/// Steps of a bisection, on a logarithmic scale, where a step costs next to nothing, and where it
/// costs a pass.
const STEPS: (u32, u32) = (48, 20);
/// Positions that are read to find the scale of a set.
const SAMPLE: u64 = 1 << 20;
/// Portions are left out only where more than this many of them remain.
const LEAST_PORTIONS: u64 = 64;

/// The divisor K for each part of the records that makes sigmoid(score / K) fit the results of its
/// training games best, in percent of a piece's worth. Each part has its own, since other weights
/// searched in it. The loss is convex in 1 / K, so its derivative has one zero, which bisection
/// finds; the scores are counted in one pass.
///
/// # Errors
/// When records cannot be read, or the scores do not predict the results.
pub fn score_scales<G: Game>(data: &Data<G>) -> Result<Vec<f64>> {
    let starts = data.samples.parts();
    let ends = starts.iter().skip(1).copied().chain([data.samples.count()]);
    starts.iter().zip(ends).map(|(&first, end)| score_scale(data, first..end)).collect()
}

/// The number of positions with a score, and the half points of their games.
type ScoreTally = Vec<(u64, u64)>;

fn score_scale<G: Game>(data: &Data<G>, records: std::ops::Range<u64>) -> Result<f64> {
    const SLOPES: (f64, f64) = (1e-5, 1.0);
    let scope = Scope { split: Split::Training, records, every: 1 };
    let place = |score: i32| (score + MAX_SCORE).clamp(0, 2 * MAX_SCORE) as usize;
    let lanes = data.lanes(
        &scope,
        || vec![(0, 0); place(MAX_SCORE) + 1],
        |tally: &mut ScoreTally, SeenPosition { sample, .. }| {
            let cell = &mut tally[place(sample.score)];
            *cell = (cell.0 + 1, cell.1 + u64::from(sample.half_points));
        },
    )?;
    let mut tally: ScoreTally = vec![(0, 0); place(MAX_SCORE) + 1];
    for (total, part) in lanes.iter().flat_map(tally_pairs) {
        tally[total] = (tally[total].0 + part.0, tally[total].1 + part.1);
    }
    let derivative = |slope: f64| -> f64 {
        let term = |(index, &(count, half_points)): (usize, &(u64, u64))| {
            let score = index as f64 - f64::from(MAX_SCORE);
            (count as f64 * sigmoid(score * slope) - half_points as f64 / 2.0) * score
        };
        tally.iter().enumerate().filter(|(_, cell)| cell.0 > 0).map(term).sum()
    };
    bisect(STEPS.0, SLOPES, derivative).map(|slope| 1.0 / slope).ok_or_else(|| {
        Error::input("positions", "their scores do not predict the results")
            .remedy("play more games, or with a stronger search")
            .for_good()
    })
}

fn tally_pairs(tally: &ScoreTally) -> impl Iterator<Item = (usize, (u64, u64))> {
    tally.iter().copied().enumerate().filter(|(_, cell)| cell.0 > 0)
}

/// The units of an evaluator's value that make a logit: those with which sigmoid(value / units)
/// fits the targets best. `None` when its values do not predict the targets.
///
/// # Errors
/// When records cannot be read, or the pass was stopped.
pub fn value_scale<G: Game>(data: &Data<G>, evaluator: &G::Evaluator) -> Result<Option<f64>> {
    const SLOPES: (f64, f64) = (1e-8, 10.0);
    let mut scope = data.all(Split::Training);
    scope.every = (data.samples.count() / SAMPLE).max(1);
    if data.samples.count() / super::pass::CHUNK / scope.every < LEAST_PORTIONS {
        scope.every = 1;
    }
    let mut failed = None;
    let slope = bisect(STEPS.1, SLOPES, |slope| {
        let lanes = data.lanes(
            &scope,
            || 0.0,
            |sum: &mut f64, seen| {
                let value = f64::from(evaluator.evaluate(&seen.sample.position));
                *sum += (sigmoid(value * slope) - data.target(seen)) * value;
            },
        );
        lanes.map(|lanes| lanes.iter().sum()).unwrap_or_else(|error| {
            failed.get_or_insert(error);
            0.0
        })
    });
    match failed {
        Some(error) => Err(error),
        None => Ok(slope.map(|slope| 1.0 / slope)),
    }
}

/// The zero of a rising function between bounds above 0; `None` when it lies at a bound or beyond.
fn bisect(
    steps: u32,
    (low, high): (f64, f64),
    mut function: impl FnMut(f64) -> f64,
) -> Option<f64> {
    let (mut from, mut to) = (low, high);
    for _ in 0..steps {
        let middle = (from * to).sqrt();
        if function(middle) < 0.0 { from = middle } else { to = middle }
    }
    let found = (from * to).sqrt();
    (low * 2.0..high / 2.0).contains(&found).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bisection_finds_a_zero_within_its_bounds_only() {
        let near = |found: Option<f64>, zero: f64| {
            found.is_some_and(|found| (found / zero - 1.0).abs() < 1e-9)
        };
        assert!(near(bisect(48, (1e-5, 1.0), |x| x - 0.01), 0.01));
        assert_eq!(bisect(48, (1e-5, 1.0), |x| x - 5.0), None);
        assert_eq!(bisect(48, (1e-5, 1.0), |x| x), None);
        assert_eq!(bisect(48, (1e-5, 1.0), |_| 0.0), None);
    }
}
