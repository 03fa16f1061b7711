//! The scales of a fit: how many units of the search's score make a logit, and how many of a set's
//! weighted sum.

use super::pass::{Data, SeenPosition, Split, add, sigmoid};
use super::samples::FOLDS;
use crate::error::{Error, Result};
use crate::eval::{Evaluator, Game};
use std::collections::BTreeMap;

/// Steps of a bisection, on a logarithmic scale, where a step costs next to nothing, and where it
/// costs a pass.
const STEPS: (u32, u32) = (48, 20);
/// Positions that are read to find the scale of a set.
const SAMPLE: u64 = 1 << 20;
/// Portions are left out only where more than this many of them remain.
const LEAST_PORTIONS: u64 = 64;

/// The scale of the scores of a part of the records.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreScale {
    /// The divisor K that makes a logit of a score, in percent of a piece's worth.
    pub k: f64,
    /// Its standard error, in the same units; `None` where fewer than two folds have games.
    pub error: Option<f64>,
    /// What the games of each fold add to the error of 1 / K, to first order.
    pub(super) influence: Vec<f64>,
}

/// The divisor K for each part of the records that makes sigmoid(score / K) fit the results of its
/// training games best. Each part has its own, since other weights searched in it. The loss is
/// convex in 1 / K, so its derivative has one zero, which bisection finds; the scores are counted
/// in one pass. A second pass finds the errors, by the delta method: that of 1 / K is the
/// derivative's, over the second derivative, and the games of a fold err together.
///
/// # Errors
/// When records cannot be read, or the scores do not predict the results.
pub fn score_scales<G: Game>(data: &Data<G>) -> Result<Vec<ScoreScale>> {
    let tally = tally(data)?;
    let slopes: Result<Vec<f64>> =
        (0..data.samples.parts().len() as u32).map(|part| slope(&tally, part)).collect();
    let slopes = slopes?;
    let influences = influences(data, &slopes)?;
    let scale = |(slope, influence): (f64, Vec<f64>)| ScoreScale {
        k: 1.0 / slope,
        error: clustered_variance(&influence).map(|variance| variance.sqrt() / slope.powi(2)),
        influence,
    };
    Ok(slopes.into_iter().zip(influences).map(scale).collect())
}

/// The number of labels with a score, and the half points of their games, by part and score. The
/// labels of a position count as one together.
type ScoreTally = BTreeMap<(u32, i32), (f64, f64)>;

fn tally<G: Game>(data: &Data<G>) -> Result<ScoreTally> {
    let lanes = data.lanes(
        &data.all(Split::Training),
        ScoreTally::new,
        |tally, SeenPosition { labels, .. }| {
            let share = 1.0 / labels.len() as f64;
            for label in *labels {
                let cell = tally.entry((label.part, label.score)).or_default();
                *cell = (cell.0 + share, cell.1 + share * f64::from(label.half_points));
            }
        },
    )?;
    Ok(lanes.into_iter().flatten().fold(ScoreTally::new(), |mut tally, (score, part)| {
        let cell = tally.entry(score).or_default();
        *cell = (cell.0 + part.0, cell.1 + part.1);
        tally
    }))
}

/// 1 / K of a part.
fn slope(tally: &ScoreTally, part: u32) -> Result<f64> {
    const SLOPES: (f64, f64) = (1e-5, 1.0);
    let derivative = |slope: f64| -> f64 {
        let term = |(&(_, score), &(count, half_points)): (&(u32, i32), &(f64, f64))| {
            let score = f64::from(score);
            (count * sigmoid(score * slope) - half_points / 2.0) * score
        };
        tally.range((part, i32::MIN)..=(part, i32::MAX)).map(term).sum()
    };
    bisect(STEPS.0, SLOPES, derivative).ok_or_else(|| {
        Error::input("positions", "their scores do not predict the results")
            .remedy("play more games, or with a stronger search")
            .for_good()
    })
}

/// What the games of each fold add to the error of each part's 1 / K.
fn influences<G: Game>(data: &Data<G>, slopes: &[f64]) -> Result<Vec<Vec<f64>>> {
    let folds = usize::from(FOLDS);
    // For each part the derivative by fold, and after them the second derivative.
    let fresh = || vec![vec![0.0; folds + 1]; slopes.len()];
    let lanes =
        data.lanes(&data.all(Split::Training), fresh, |sums, SeenPosition { labels, .. }| {
            let share = 1.0 / labels.len() as f64;
            for label in *labels {
                let part = label.part as usize;
                let score = f64::from(label.score);
                let p = sigmoid(score * slopes[part]);
                let error = p - f64::from(label.half_points) / 2.0;
                sums[part][usize::from(label.fold)] += share * error * score;
                sums[part][folds] += share * p * (1.0 - p) * score * score;
            }
        })?;
    let sums = lanes.into_iter().fold(fresh(), |mut total, part| {
        total.iter_mut().zip(&part).for_each(|(total, part)| add(total, part));
        total
    });
    let of_part = |sums: Vec<f64>| {
        let (derivatives, second) = sums.split_at(folds);
        let second = second[0].max(f64::MIN_POSITIVE);
        derivatives.iter().map(|derivative| -derivative / second).collect()
    };
    Ok(sums.into_iter().map(of_part).collect())
}

/// The variance of a sum to which the folds add these numbers, each of which is as far from 0 as
/// chance made it; `None` where fewer than two folds add anything.
fn clustered_variance(influence: &[f64]) -> Option<f64> {
    let folds = influence.iter().filter(|part| **part != 0.0).count() as f64;
    let squares: f64 = influence.iter().map(|part| part * part).sum();
    (folds > 1.0).then(|| squares * folds / (folds - 1.0))
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
