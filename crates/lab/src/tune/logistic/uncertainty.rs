//! The standard error of each fitted weight, and how much the fit loses without it.
//!
//! Near its minimum the penalised loss is a parabola with the Hessian H. The fitted weights scatter
//! around the true ones with the covariance H^-1 J H^-1, where J is the scatter of the derivatives
//! from game to game (see `sandwich`). The positions of a game are not independent, and the targets
//! need not be coin flips. The covariance is estimated by the jackknife over the folds, which serve
//! as the clusters of games, and the error of the scores' scale is part of it. The shrinkage of the
//! weights by the penalty is not an error in this sense: it is the same in all samples.
//!
//! If a few games hold nearly all the information about a weight, its standard error is uncertain
//! too. The printed error is then wider, by Student's t (see `sandwich`).
//!
//! For single weights the whole covariance is computed, with the cells of tables held fixed. Tables
//! have too many cells for that, and only the diagonals are computed: the error of each cell with
//! everything else held fixed, including the weights of its parts and the scale of the scores.

use super::fit::MOST_SINGLE;
use super::pass::{Split, Wanted};
use super::prior::SinglePrior;
use super::sandwich::{CellSums, SingleSums};
use super::task::SetFit;
use crate::error::Result;
use crate::stats::{Z_95, t_95};
use serde::Serialize;
use std::ops::Range;

/// Correlations below this are not reported.
const LEAST_CORRELATION: f64 = 0.1;

/// A fitted single weight.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FittedWeight {
    /// The name of the feature.
    pub name: String,
    /// The weight, in the units of the set.
    pub weight: f64,
    /// The error of the weight: 95 % of true weights lie within 1.96 times this. It is the standard
    /// error times Student's quantile for these degrees of freedom over the normal quantile; `None`
    /// if it is not defined, as for a feature that no position shows.
    pub error: Option<f64>,
    /// The effective degrees of freedom of that standard error, from 1 to 64: few if a few games
    /// hold nearly all the information about the weight. `None` if the error is.
    pub degrees: Option<f64>,
    /// The training positions in which the feature is not 0.
    pub shown: u64,
    /// The rise of the loss per training position without the feature, in nats, with the other
    /// weights fitted again: w^2 / (2 [H^-1]_ii), a quadratic estimate.
    pub loss: Option<f64>,
}

/// A fitted table of weights, in a few numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TableWeights {
    /// The name of the table.
    pub name: &'static str,
    /// The number of its free weights: cells that share a weight count once.
    pub columns: usize,
    /// The number of those weights that some training position shows.
    pub seen: usize,
    /// The root mean square of the shown weights, in the units of the set.
    pub rms: f64,
    /// The mean of their standard errors, each with all other weights held fixed, in the same
    /// units.
    pub error: f64,
    /// The rise of the loss per validation position without the table, in nats, with nothing fitted
    /// again.
    pub loss: f64,
}

/// Two single weights whose errors are strongly correlated.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Correlation {
    /// The name of the first feature.
    pub a: String,
    /// The name of the second feature.
    pub b: String,
    /// The correlation of their errors, -1 to 1.
    pub correlation: f64,
}

/// The uncertainty of a fit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Uncertainty {
    /// The single weights, in the order of the game's list.
    pub weights: Vec<FittedWeight>,
    /// The fitted tables, a few numbers for each.
    pub tables: Vec<TableWeights>,
    /// The strongest correlations between single weights, strongest first.
    pub correlations: Vec<Correlation>,
    /// The covariance of the single weights, in their order, in squared units of the set: H^-1 J
    /// H^-1 by the jackknife, their scatter from one set of games to another. Its rank is at most
    /// the number of folds minus one, and weights that no position shows have zeros. Empty if it is
    /// not defined: with more than 150 single weights, weights that cannot be told apart, or games
    /// of fewer than two folds.
    #[serde(skip)]
    pub covariance: Vec<Vec<f64>>,
}

impl Uncertainty {
    /// Computes the uncertainty of a fit: a pass over the training positions, another for tables,
    /// and one over the validation positions for each table.
    ///
    /// # Errors
    /// When records cannot be read, or the pass was stopped.
    pub fn of(fit: &SetFit) -> Result<Self> {
        let SetFit { columns, data, fitted, units, scales, .. } = fit;
        let penalty = fitted.trials.get(fitted.best).map_or(0.0, |trial| trial.penalty);
        let names = columns.names();
        let prior = SinglePrior { penalty, pairs: fit.phase_pairs.clone() };
        let sums = match names.len() {
            1..=MOST_SINGLE => SingleSums::of(data, columns, &fitted.point)?,
            _ => SingleSums::default(),
        };
        let inverse = sums.inverse(&prior);
        let degrees = sums.degrees(&inverse);
        let sampling = jackknife(&sums.moves(&prior, scales));
        let count = fitted.positions[0].max(1) as f64;
        let single = |(index, name): (usize, &&str)| {
            let weight = fitted.point[index];
            let shown = sums.shown.get(index).copied().unwrap_or(0);
            let degrees = degrees.get(index).copied().filter(|_| shown > 0);
            let variance = sampling.get(index).map(|row| row[index]);
            let wider = degrees.and_then(t_95).map(|quantile| quantile / Z_95);
            let error =
                variance.zip(wider).map(|(variance, wider)| variance.sqrt() * wider * units);
            FittedWeight {
                name: (*name).to_owned(),
                weight: weight * units,
                error,
                degrees: degrees.filter(|_| error.is_some()),
                shown,
                loss: inverse.get(index).map(|row| weight * weight / (2.0 * row[index]) / count),
            }
        };
        let weights = names.iter().enumerate().map(single).collect();
        let scaled = |matrix: Vec<Vec<f64>>| {
            let row = |row: Vec<f64>| row.into_iter().map(|value| value * units * units).collect();
            matrix.into_iter().map(row).collect::<Vec<_>>()
        };
        Ok(Self {
            weights,
            tables: tables(fit, penalty)?,
            correlations: correlations(&names, &sampling),
            covariance: scaled(sampling),
        })
    }
}

/// The jackknife's covariance, from the moves of the weights when each of F folds is left out: (F -
/// 1) / F times the sum of the squares; empty if it is not defined.
fn jackknife(moves: &[Vec<f64>]) -> Vec<Vec<f64>> {
    if moves.len() < 2 {
        return Vec::new();
    }
    let factor = (moves.len() - 1) as f64 / moves.len() as f64;
    squares_of(moves, moves[0].len(), factor)
}

/// The sum of the outer products of each vector with itself, times a factor.
fn squares_of(vectors: &[Vec<f64>], size: usize, factor: f64) -> Vec<Vec<f64>> {
    let mut matrix = vec![vec![0.0; size]; size];
    for vector in vectors {
        for (row, a) in matrix.iter_mut().zip(vector) {
            row.iter_mut().zip(vector).for_each(|(cell, b)| *cell += factor * a * b);
        }
    }
    matrix
}

fn correlations(names: &[&str], covariance: &[Vec<f64>]) -> Vec<Correlation> {
    /// The most correlations that are reported.
    const MOST: usize = 10;
    let mut pairs = Vec::new();
    for (i, row) in covariance.iter().enumerate() {
        for (j, covariance_ij) in row.iter().enumerate().take(i) {
            let correlation = covariance_ij / (row[i] * covariance[j][j]).sqrt();
            if correlation.abs() >= LEAST_CORRELATION {
                pairs.push(Correlation {
                    a: names[j].to_owned(),
                    b: names[i].to_owned(),
                    correlation,
                });
            }
        }
    }
    pairs.sort_by(|a, b| b.correlation.abs().total_cmp(&a.correlation.abs()));
    pairs.truncate(MOST);
    pairs
}

fn tables(fit: &SetFit, penalty: f64) -> Result<Vec<TableWeights>> {
    let SetFit { columns, data, fitted, units, .. } = fit;
    if columns.tables().next().is_none() {
        return Ok(Vec::new());
    }
    let CellSums { curvature, squares } = CellSums::of(data, columns, &fitted.point)?;
    let with = data.pass(columns, &fitted.point, Split::Validation, Wanted::Loss)?.mean_loss();
    let table = |(name, range): (&'static str, Range<usize>)| {
        let seen: Vec<usize> = range.clone().filter(|&column| curvature[column] > 0.0).collect();
        let mean = |sum: f64| sum / seen.len().max(1) as f64;
        let weights = seen.iter().map(|&column| fitted.point[column].powi(2)).sum();
        let error = |&column: &usize| squares[column].sqrt() / (curvature[column] + penalty);
        let errors = seen.iter().map(error).sum();
        let mut without = fitted.point.clone();
        without[range.clone()].fill(0.0);
        let loss =
            data.pass(columns, &without, Split::Validation, Wanted::Loss)?.mean_loss() - with;
        let (rms, error) = (mean(weights).sqrt() * units, mean(errors) * units);
        Ok(TableWeights { name, columns: range.len(), seen: seen.len(), rms, error, loss })
    };
    columns.tables().map(table).collect()
}
