//! The standard error of each fitted weight, and how much the fit loses without it.
//!
//! Near its minimum the penalised loss is a parabola with the Hessian H, and the fitted weights
//! scatter around the true ones with the covariance H^-1 (Fisher's information; the penalty counts
//! as that of a prior). It takes the positions for independent, and the model for right: since the
//! positions of a game share its result, the true errors are somewhat larger.
//!
//! For single weights the whole inverse is computed, by Cholesky's factors, with the cells of
//! tables held fixed. For tables, whose cells are too many, only the diagonal of H is: the error of
//! each cell with all else held fixed, the weights of its parts too.

use super::columns::Columns;
use super::pass::{Data, SeenPosition, Split, Wanted, add, sigmoid};
use super::task::SetFit;
use crate::error::Result;
use crate::eval::Game;
use serde::Serialize;
use std::ops::Range;

/// With more single weights than these there is no inverse Hessian.
const MOST_SINGLE: usize = 500;
/// With a pivot below this share of the diagonal the matrix is taken to be singular: some weights
/// cannot be distinguished.
const LEAST_PIVOT: f64 = 1e-10;
/// Correlations below this are not reported.
const LEAST_CORRELATION: f64 = 0.1;

/// A fitted single weight.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SingleWeight {
    /// The feature.
    pub name: &'static str,
    /// The weight, in the units of the set.
    pub weight: f64,
    /// Its standard error; `None` where it is not defined, as for a feature that no position shows.
    pub error: Option<f64>,
    /// By how much the loss per training position rises without it, in nats, the other weights
    /// being fitted anew: w^2 / (2 [H^-1]_ii), a quadratic estimate.
    pub loss: Option<f64>,
}

/// A fitted table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableWeights {
    /// The table.
    pub name: &'static str,
    /// Its free weights: cells that mean the same count once.
    pub columns: usize,
    /// How many of them some training position shows.
    pub seen: usize,
    /// The root of the mean square of those, in the units of the set.
    pub rms: f64,
    /// The mean of their standard errors, each with all other weights held fixed.
    pub error: f64,
    /// By how much the loss per validation position rises when the table is taken out and nothing
    /// is fitted anew, in nats.
    pub loss: f64,
}

/// Two single weights whose errors are strongly correlated.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Correlation {
    /// The first feature.
    pub a: &'static str,
    /// The second feature.
    pub b: &'static str,
    /// The correlation of their errors, -1 to 1.
    pub correlation: f64,
}

/// The uncertainty of a fit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Uncertainty {
    /// The single weights, in the order of the game's list.
    pub weights: Vec<SingleWeight>,
    /// The tables.
    pub tables: Vec<TableWeights>,
    /// The strongest correlations between single weights, strongest first.
    pub correlations: Vec<Correlation>,
}

impl Uncertainty {
    /// Computes the uncertainty of a fit: a pass over the training positions, and one over the
    /// validation positions for each table.
    ///
    /// # Errors
    /// When records cannot be read, or the pass was stopped.
    pub fn of<G: Game>(fit: &SetFit<G>) -> Result<Self> {
        let SetFit { columns, data, fitted, units, .. } = fit;
        let penalty = fitted.trials.get(fitted.best).map_or(0.0, |trial| trial.penalty);
        let names = columns.names();
        let hessian = if names.len() <= MOST_SINGLE {
            hessian(data, columns, &fitted.point)?
        } else {
            Vec::new()
        };
        let covariance = inverse(hessian, penalty);
        let count = fitted.positions[0].max(1) as f64;
        let single = |(index, name): (usize, &'static str)| {
            let variance = covariance.get(index).map(|row| row[index]);
            let weight = fitted.point[index];
            SingleWeight {
                name,
                weight: weight * units,
                error: variance.map(|variance| variance.sqrt() * units),
                loss: variance.map(|variance| weight * weight / (2.0 * variance) / count),
            }
        };
        let weights =
            names.iter().enumerate().map(|(index, &name)| single((index, name))).collect();
        Ok(Self {
            weights,
            tables: tables(fit, penalty)?,
            correlations: correlations(&names, &covariance),
        })
    }
}

/// The Hessian of the loss over the single weights, its lower triangle row by row.
fn hessian<G: Game>(data: &Data<G>, columns: &Columns, point: &[f64]) -> Result<Vec<f64>> {
    let n = columns.names().len();
    let fresh = || (vec![0.0; n * (n + 1) / 2], Vec::new());
    let lanes = data.lanes(
        &data.all(Split::Training),
        fresh,
        |(sums, row), SeenPosition { sample, .. }| {
            let p = sigmoid(data.logit(columns, point, &sample.position, row));
            let mut cells = sums.iter_mut();
            for i in 0..n {
                let weighted = p * (1.0 - p) * row[i].1;
                row[..=i].iter().for_each(|&(_, value)| {
                    if let Some(cell) = cells.next() {
                        *cell += weighted * value;
                    }
                });
            }
        },
    )?;
    Ok(lanes.into_iter().fold(fresh().0, |mut total, (part, _)| {
        add(&mut total, &part);
        total
    }))
}

/// The inverse of a symmetric matrix, given by its lower triangle, with `ridge` added to the
/// diagonal; empty when it is singular or nearly so.
fn inverse(triangle: Vec<f64>, ridge: f64) -> Vec<Vec<f64>> {
    let n = ((2.0 * triangle.len() as f64).sqrt()) as usize;
    let at = |i: usize, j: usize| triangle[i * (i + 1) / 2 + j] + if i == j { ridge } else { 0.0 };
    let mut factor = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let rest = at(i, j) - (0..j).map(|k| factor[i][k] * factor[j][k]).sum::<f64>();
            if i == j
                && rest.partial_cmp(&(LEAST_PIVOT * at(i, i))) != Some(std::cmp::Ordering::Greater)
            {
                return Vec::new();
            }
            factor[i][j] = if i == j { rest.sqrt() } else { rest / factor[j][j] };
        }
    }
    let column = |unit: usize| {
        let mut x = vec![0.0; n];
        for i in 0..n {
            let known: f64 = (0..i).map(|k| factor[i][k] * x[k]).sum();
            x[i] = (f64::from(u8::from(i == unit)) - known) / factor[i][i];
        }
        for i in (0..n).rev() {
            let known: f64 = (i + 1..n).map(|k| factor[k][i] * x[k]).sum();
            x[i] = (x[i] - known) / factor[i][i];
        }
        x
    };
    (0..n).map(column).collect()
}

fn correlations(names: &[&'static str], covariance: &[Vec<f64>]) -> Vec<Correlation> {
    /// The most correlations that are reported.
    const MOST: usize = 10;
    let mut pairs = Vec::new();
    for (i, row) in covariance.iter().enumerate() {
        for (j, covariance_ij) in row.iter().enumerate().take(i) {
            let correlation = covariance_ij / (row[i] * covariance[j][j]).sqrt();
            if correlation.abs() >= LEAST_CORRELATION {
                pairs.push(Correlation { a: names[j], b: names[i], correlation });
            }
        }
    }
    pairs.sort_by(|a, b| b.correlation.abs().total_cmp(&a.correlation.abs()));
    pairs.truncate(MOST);
    pairs
}

fn tables<G: Game>(fit: &SetFit<G>, penalty: f64) -> Result<Vec<TableWeights>> {
    let SetFit { columns, data, fitted, units, .. } = fit;
    if columns.tables().next().is_none() {
        return Ok(Vec::new());
    }
    let curvature =
        data.pass(columns, &fitted.point, Split::Training, Wanted::Curvature)?.curvature;
    let with = data.pass(columns, &fitted.point, Split::Validation, Wanted::Loss)?.mean_loss();
    let table = |(name, range): (&'static str, Range<usize>)| {
        let seen: Vec<usize> = range.clone().filter(|&column| curvature[column] > 0.0).collect();
        let mean = |sum: f64| sum / seen.len().max(1) as f64;
        let squares = seen.iter().map(|&column| fitted.point[column].powi(2)).sum();
        let errors = seen.iter().map(|&column| 1.0 / (curvature[column] + penalty).sqrt()).sum();
        let mut without = fitted.point.clone();
        without[range.clone()].fill(0.0);
        let loss =
            data.pass(columns, &without, Split::Validation, Wanted::Loss)?.mean_loss() - with;
        let (rms, error) = (mean(squares).sqrt() * units, mean(errors) * units);
        Ok(TableWeights { name, columns: range.len(), seen: seen.len(), rms, error, loss })
    };
    columns.tables().map(table).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses_multiply_back_and_singular_matrices_have_none() {
        let matrix = [[4.0, 2.0, 0.6], [2.0, 5.0, 1.0], [0.6, 1.0, 3.0]];
        let found = inverse(vec![3.5, 2.0, 4.5, 0.6, 1.0, 2.5], 0.5);
        for (i, row) in matrix.iter().enumerate() {
            for (j, column) in found.iter().enumerate() {
                // The inverse is symmetric, too.
                let product: f64 = row.iter().zip(column).map(|(a, b)| a * b).sum();
                assert!((product - f64::from(u8::from(i == j))).abs() < 1e-12);
            }
        }
        assert!(inverse(vec![1.0, 2.0, 4.0], 0.0).is_empty());
        assert!(inverse(vec![1.0, 0.0, 0.0], 0.0).is_empty());
        assert!(inverse(vec![f64::NAN], 0.0).is_empty());
        assert!(inverse(Vec::new(), 1.0).is_empty());
        assert_eq!(inverse(vec![3.0, 0.0, 0.0], 1.0), [[0.25, 0.0], [0.0, 1.0]]);
    }
}
