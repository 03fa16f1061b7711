//! The scales of a fit: the units of the search's score in one logit, and the units of a set's
//! weighted sum.

use super::fit_error::{FitError, FitResult};
use super::linear::add_multiple;
use super::pass::{Data, SeenPosition, Split, add, sigmoid};
use super::samples::FOLDS;
use crate::any::AnyEvaluator;
use crate::error::{Error, Result};
use std::collections::BTreeMap;

/// Steps of a bisection, on a logarithmic scale, where a step costs next to nothing, and where it
/// costs a pass.
const STEPS: (u32, u32) = (48, 20);
/// Positions that are read to find the scale of a set.
const SAMPLE: u64 = 1 << 20;
/// Portions are left out only if at least this many of them remain.
const LEAST_PORTIONS: u64 = 64;

/// The scale of the scores of a part of the records.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreScale {
    /// The divisor K that makes a logit of a score, in percent of a piece's worth.
    pub k: f64,
    /// Its standard error, in the same units; `None` where fewer than two folds have games.
    pub error: Option<f64>,
    /// The move of 1 / K when the games of each fold, of all parts, are left out, to first order.
    pub(super) left_out: Vec<f64>,
}

/// The divisor K for each part of the records that makes sigmoid(score / K) fit the results of its
/// training games best. The loss is convex in 1 / K, so its derivative has one zero, which
/// bisection finds; the scores are counted in one pass. A second pass finds the errors: the
/// jackknife's, from how far 1 / K moves when a fold is left out.
///
/// Each part has its own K, since other weights searched in it, but a few games alone tell little
/// about it: each 1 / K is shrunk toward the mean of all parts, by its error (see `Pooled`). A part
/// without training positions has the mean of the others.
///
/// # Errors
/// When records cannot be read, or the scores do not predict the results.
pub fn score_scales(data: &Data) -> FitResult<Vec<ScoreScale>> {
    let tally = tally(data)?;
    let slopes: FitResult<Vec<Option<f64>>> =
        (0..data.samples.parts().len() as u32).map(|part| slope(data, &tally, part)).collect();
    let slopes = slopes?;
    let known: Vec<f64> = slopes.iter().copied().flatten().collect();
    let Some(&other) = known.first() else {
        return Err(FitError::NothingToFit(
            Error::input("positions", "none for training").remedy("play more games"),
        ));
    };
    let all: Vec<f64> = slopes.iter().map(|slope| slope.unwrap_or(other)).collect();
    let mut moves = moves(data, &all)?;
    let mut is_known = slopes.iter().map(Option::is_some);
    moves.retain(|_| is_known.next().unwrap_or_default());
    let found = known_scales(&known, &moves);
    let mean = mean_scale(&found);
    let mut found = found.into_iter();
    let scale =
        |slope: Option<f64>| slope.and_then(|_| found.next()).unwrap_or_else(|| mean.clone());
    Ok(slopes.into_iter().map(scale).collect())
}

/// The mean of the scales of several parts, for a part of which nothing is known.
fn mean_scale(scales: &[ScoreScale]) -> ScoreScale {
    let share = 1.0 / scales.len() as f64;
    let slope: f64 = scales.iter().map(|scale| share / scale.k).sum();
    let mut left_out = vec![0.0; usize::from(FOLDS)];
    for scale in scales {
        add_multiple(&mut left_out, share, &scale.left_out);
    }
    ScoreScale { k: 1.0 / slope, error: None, left_out }
}

/// The scales of parts by their 1 / K, and by how these move when folds are left out.
fn known_scales(slopes: &[f64], moves: &[Vec<f64>]) -> Vec<ScoreScale> {
    let variances: Option<Vec<f64>> = moves.iter().map(|moves| jackknife_variance(moves)).collect();
    let Some(variances) = variances else {
        let alone = |(slope, left_out): (&f64, &Vec<f64>)| ScoreScale {
            k: 1.0 / slope,
            error: None,
            left_out: left_out.clone(),
        };
        return slopes.iter().zip(moves).map(alone).collect();
    };
    let scale = |Pooled { shares, variance }: Pooled| {
        let slope: f64 = shares.iter().zip(slopes).map(|(share, slope)| share * slope).sum();
        let mut left_out = vec![0.0; usize::from(FOLDS)];
        for (share, moves) in shares.iter().zip(moves) {
            add_multiple(&mut left_out, *share, moves);
        }
        ScoreScale { k: 1.0 / slope, error: Some(variance.sqrt() / slope.powi(2)), left_out }
    };
    pooled(slopes, &variances).into_iter().map(scale).collect()
}

/// An estimate for one of several parts that differ by chance: its own, shrunk toward the mean.
struct Pooled {
    /// The shares of the parts' own estimates in it.
    shares: Vec<f64>,
    variance: f64,
}

/// Estimates of a random-effects model: the parts' true values scatter around a mean with a
/// variance that DerSimonian and Laird's (1986) estimator finds, and each part's estimate is shrunk
/// toward the mean the more, the larger its own variance is beside that.
fn pooled(estimates: &[f64], variances: &[f64]) -> Vec<Pooled> {
    let precisions: Vec<f64> = variances.iter().map(|variance| 1.0 / variance).collect();
    let total: f64 = precisions.iter().sum();
    let squares: f64 = precisions.iter().map(|precision| precision * precision).sum();
    let mean = estimates.iter().zip(&precisions).map(|(x, p)| x * p).sum::<f64>() / total;
    let scatter: f64 = estimates.iter().zip(&precisions).map(|(x, p)| p * (x - mean).powi(2)).sum();
    let excess = scatter - (estimates.len() as f64 - 1.0);
    // A single part is its own mean, except for rounding.
    let differ = estimates.len() > 1 && excess > 0.0;
    let between = if differ { excess / (total - squares / total) } else { 0.0 };
    let weights: Vec<f64> = variances.iter().map(|variance| 1.0 / (variance + between)).collect();
    let total: f64 = weights.iter().sum();
    let part = |(place, variance): (usize, &f64)| {
        let own = between / (between + variance);
        let mut shares: Vec<f64> =
            weights.iter().map(|weight| (1.0 - own) * weight / total).collect();
        shares[place] += own;
        Pooled { shares, variance: own * variance + (1.0 - own).powi(2) / total }
    };
    variances.iter().enumerate().map(part).collect()
}

/// The number of labels with a score, and the half points of their games, by part and score. The
/// labels of a position count as one together.
type ScoreTally = BTreeMap<(u32, i32), (f64, f64)>;

fn tally(data: &Data) -> Result<ScoreTally> {
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

/// 1 / K of a part; `None` without training positions.
fn slope(data: &Data, tally: &ScoreTally, part: u32) -> FitResult<Option<f64>> {
    const SLOPES: (f64, f64) = (1e-5, 1.0);
    let derivative = |slope: f64| -> f64 {
        let term = |(&(_, score), &(count, half_points)): (&(u32, i32), &(f64, f64))| {
            let score = f64::from(score);
            (count * sigmoid(score * slope) - half_points / 2.0) * score
        };
        tally.range((part, i32::MIN)..=(part, i32::MAX)).map(term).sum()
    };
    if tally.range((part, i32::MIN)..=(part, i32::MAX)).next().is_none() {
        return Ok(None);
    }
    bisect(STEPS.0, SLOPES, derivative).map(Some).ok_or_else(|| {
        let paths = data.samples.paths();
        let place = paths.get(part as usize).map_or("positions", String::as_str);
        FitError::NothingToFit(
            Error::input(place, "the scores of its positions do not predict the results")
                .remedy("play more games, or with a stronger search"),
        )
    })
}

/// By how much each part's 1 / K moves when the games of each fold are left out, to first order:
/// the derivative by its games over the second derivative by the others.
fn moves(data: &Data, slopes: &[f64]) -> Result<Vec<Vec<f64>>> {
    // The first and the second derivative of the loss, for each part and fold.
    let fresh = || vec![[0.0; 2]; slopes.len() * usize::from(FOLDS)];
    let lanes =
        data.lanes(&data.all(Split::Training), fresh, |sums, SeenPosition { labels, .. }| {
            let share = 1.0 / labels.len() as f64;
            for label in *labels {
                let part = label.part as usize;
                let score = f64::from(label.score);
                let p = sigmoid(score * slopes[part]);
                let error = p - f64::from(label.half_points) / 2.0;
                let cell = &mut sums[part * usize::from(FOLDS) + usize::from(label.fold)];
                cell[0] += share * error * score;
                cell[1] += share * p * (1.0 - p) * score * score;
            }
        })?;
    let sums = lanes.into_iter().fold(fresh(), |mut total, lane| {
        add(total.as_flattened_mut(), lane.as_flattened());
        total
    });
    let of_part = |folds: &[[f64; 2]]| {
        let all: f64 = folds.iter().map(|fold| fold[1]).sum();
        let moved = |fold: &[f64; 2]| if fold[1] < all { fold[0] / (all - fold[1]) } else { 0.0 };
        folds.iter().map(moved).collect()
    };
    Ok(sums.chunks(usize::from(FOLDS)).map(of_part).collect())
}

/// The variance of an estimate, by its moves when each fold is left out; `None` if fewer than two
/// folds move it.
fn jackknife_variance(moves: &[f64]) -> Option<f64> {
    let moves: Vec<f64> = moves.iter().copied().filter(|moved| *moved != 0.0).collect();
    let folds = moves.len() as f64;
    let mean = moves.iter().sum::<f64>() / folds;
    let squares: f64 = moves.iter().map(|moved| (moved - mean).powi(2)).sum();
    (folds > 1.0).then(|| squares * (folds - 1.0) / folds)
}

/// The units of an evaluator's value that make a logit: the number with which sigmoid(value /
/// units) fits the targets best. `None` when its values do not predict the targets.
///
/// # Errors
/// When records cannot be read, or the pass was stopped.
pub fn value_scale(data: &Data, evaluator: &AnyEvaluator) -> Result<Option<f64>> {
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
pub(in crate::tune) fn bisect(
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

    /// Estimates that agree within their errors become one; those far apart stay.
    #[test]
    fn estimates_are_drawn_to_their_mean_by_their_errors() {
        let of = |estimates: &[f64], variances: &[f64]| -> Vec<(f64, f64)> {
            let value = |pooled: Pooled| {
                assert!((pooled.shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                let value = pooled.shares.iter().zip(estimates).map(|(share, x)| share * x).sum();
                (value, pooled.variance)
            };
            pooled(estimates, variances).into_iter().map(value).collect()
        };
        for n in 1..100 {
            let (estimate, variance) = (f64::from(n) / 7.0, f64::from(n) / 300.0);
            let found = of(&[estimate], &[variance])[0];
            assert!((found.0 - estimate).abs() < 1e-12 && (found.1 - variance).abs() < 1e-12);
        }
        // Precisions 4 and 1: the mean is 1.2, with a variance of 1 / 5.
        for (value, variance) in of(&[1.0, 2.0], &[0.25, 1.0]) {
            assert!((value - 1.2).abs() < 1e-12 && (variance - 0.2).abs() < 1e-12);
        }
        // Between three of variance 1 at 0, 10 and 20 there is a variance of 99.
        let far = of(&[0.0, 10.0, 20.0], &[1.0; 3]);
        assert!(far.iter().zip([0.1, 10.0, 19.9]).all(|(a, b)| (a.0 - b).abs() < 1e-12), "{far:?}");
        assert!(far.iter().all(|&(_, variance)| variance < 1.0 && variance > 0.98), "{far:?}");
        // The uncertain one moves more.
        let mixed = of(&[0.0, 10.0, 20.0], &[1.0, 1.0, 50.0]);
        assert!(mixed[2].0 < 19.0 && mixed[0].0 < 0.5, "{mixed:?}");
    }

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
