//! The fit: Newton's method on the penalised cross-entropy, and [`errors`] from game to game. The
//! curvature is computed again only when the old one no longer makes progress.
//!
//! [`errors`]: super::errors

use super::Rows;
use super::errors::WeightErrors;
use super::ridge::Ridge;
use super::split::{FoldSplit, RowSums};
use crate::error::{Error, Result};
use crate::search::Stop;
use crate::tune::PenaltyResult;
use crate::tune::logistic::FitConfig;
use crate::tune::logistic::linear::{add_multiple, dot};
use serde::Serialize;

/// The fit ends when a step promises less loss per row than this, in nats.
const TOLERANCE: f64 = 1e-12;
/// An old curvature is kept while each step promises at most this share of the gain of the step
/// before.
const KEPT: f64 = 0.25;
/// The most halvings of a step that does not lower the loss.
const HALVINGS: usize = 30;
/// The fewest training and validation rows.
const LEAST: [u64; 2] = [20, 2];

/// The settings of a fit to rows.
#[derive(Clone, Debug, PartialEq)]
pub struct RowsConfig {
    /// Penalties to try: precisions of a prior around 0, per squared logit.
    pub penalties: Vec<f64>,
    /// Maximum iterations for each penalty.
    pub iterations: u64,
    /// Folds, of 64, whose games are kept for validation.
    pub validation_folds: u8,
}

impl From<&FitConfig> for RowsConfig {
    fn from(config: &FitConfig) -> Self {
        Self {
            penalties: config.penalties.clone(),
            iterations: config.iterations,
            validation_folds: config.validation_folds,
        }
    }
}

/// The fitted weight of a column.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RowWeight {
    /// The name of its column.
    pub name: String,
    /// The weight, in the engine's units.
    pub weight: f64,
    /// Half the width of its 95 % interval, in the same units; `None` where the rows do not
    /// determine it: no training row shows the column, it follows from others, or the results of
    /// all its games lean one way, as with a single game.
    pub error: Option<f64>,
    /// The effective degrees of freedom of that error: few if a few games hold nearly all the
    /// information about the weight. `None` if the error is.
    pub degrees: Option<f64>,
    /// The training rows in which the feature is not 0.
    pub shown: u64,
}

/// The result of a fit to rows.
#[derive(Clone, Debug, PartialEq)]
pub struct RowsFit {
    /// The weights in logits, in the order of the columns.
    pub weights: Vec<RowWeight>,
    /// The penalties tried, in order.
    pub trials: Vec<PenaltyResult>,
    /// The place of the penalty with the least validation loss.
    pub best: usize,
    /// The loss per validation row with all weights 0, in nats.
    pub start_loss: f64,
    /// Training and validation rows.
    pub rows: [u64; 2],
    /// The number of games; the number of rows if each row is its own game.
    pub games: u64,
    /// Columns that follow from others in the training rows, each after these others: only a
    /// combination of their weights is known.
    pub dependent: Vec<Vec<usize>>,
}

/// Fits the weights, with one penalty after the other. Each fit starts from the result of the one
/// before.
///
/// # Errors
/// When there are too few rows, the columns cannot be told apart, or the fit is stopped.
pub fn fit(rows: &Rows, config: &RowsConfig, stop: &Stop) -> Result<RowsFit> {
    let data = FoldSplit { rows, folds: config.validation_folds, stop };
    let (mut fitted, best) = minimum(&data, config, 0)?;
    fitted.complete(&data, &best, 0)?;
    Ok(fitted)
}

/// The weight of a column as a multiple of the first column's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::tune) struct Ratio {
    pub(in crate::tune) value: f64,
    /// Half the width of its 95 % interval, by the delta method; `None` where the weight has none.
    pub(in crate::tune) error: Option<f64>,
}

/// Fits the weights, of which the first one is not penalised. Returns the fit, and all weights as
/// multiples of the first.
///
/// # Errors
/// The same as for [`fit`], and when the first column does not predict the results.
pub(in crate::tune) fn fit_ratios(
    rows: &Rows,
    config: &RowsConfig,
    stop: &Stop,
) -> Result<(RowsFit, Vec<Ratio>)> {
    let data = FoldSplit { rows, folds: config.validation_folds, stop };
    let (mut fitted, best) = minimum(&data, config, 1)?;
    let errors = fitted.complete(&data, &best, 1)?;
    let base = best.first().copied().unwrap_or_default();
    if base <= 0.0 {
        return Err(not_predictive("they do not predict the results"));
    }
    let ratio = |(place, weight): (usize, &f64)| {
        let value = weight / base;
        Ratio { value, error: errors.of_ratio(place, value).map(|error| error / base) }
    };
    let ratios = best.iter().enumerate().map(ratio).collect();
    Ok((fitted, ratios))
}

/// The error of scores that do not predict results.
pub(in crate::tune) fn not_predictive(reason: &str) -> Error {
    Error::failed("scores", reason).remedy(
        "give more positions, or search deeper; check that the engine scores from the side to move, \
         as UCI demands, and not from White's view",
    )
}

impl RowsFit {
    /// The names of the columns in `dependent`.
    pub fn dependent_names(&self) -> Vec<Vec<&str>> {
        let names = |columns: &Vec<usize>| {
            columns.iter().map(|&column| self.weights[column].name.as_str()).collect()
        };
        self.dependent.iter().map(names).collect()
    }

    /// The penalty with the least validation loss.
    fn penalty(&self) -> f64 {
        self.trials[self.best].penalty
    }

    /// Adds the weights of the minimum; the first ones are not penalised. Returns their errors.
    fn complete(&mut self, data: &FoldSplit, point: &[f64], free: usize) -> Result<WeightErrors> {
        let errors = WeightErrors::of(data, point, Ridge { penalty: self.penalty(), free })?;
        let weight = |(at, name): (usize, &String)| {
            let error = errors.of_weight(at);
            RowWeight {
                name: name.clone(),
                weight: point[at],
                error,
                degrees: error.map(|_| errors.degrees(at)),
                shown: errors.shown[at],
            }
        };
        self.weights = data.rows.names.iter().enumerate().map(weight).collect();
        self.dependent.clone_from(&errors.dependent);
        Ok(errors)
    }
}

/// The fit without its weights, and the point with the least validation loss.
fn minimum(data: &FoldSplit, config: &RowsConfig, free: usize) -> Result<(RowsFit, Vec<f64>)> {
    check_results(&data.rows.results)?;
    let width = data.width();
    let mut point = vec![0.0; width];
    let [training, held_out] = [false, true].map(|held_out| data.loss(&point, held_out));
    let (training, held_out) = (training?, held_out?);
    let counts = [training.count, held_out.count];
    if counts[0] < LEAST[0] || counts[1] < LEAST[1] {
        let reason = format!("{} for training, {} for validation", counts[0], counts[1]);
        let [least, withheld] = LEAST;
        let remedy = match counts[0] < least {
            true => format!(
                "give at least {least} for training, with more rows or fewer --validation-folds"
            ),
            false => format!(
                "give at least {withheld} for validation, with more rows or more --validation-folds"
            ),
        };
        return Err(Error::input("rows", reason)
            .remedy(format!("{remedy}; rows of one game stay together")));
    }
    let mut fitted = RowsFit {
        weights: Vec::new(),
        trials: Vec::new(),
        best: 0,
        start_loss: held_out.mean(),
        rows: counts,
        games: data.games(),
        dependent: Vec::new(),
    };
    let mut curvature = data.curvature(&point)?;
    let mut losses: Vec<Vec<f64>> = Vec::new();
    let mut best = point.clone();
    for &penalty in &config.penalties {
        let ridge = Ridge { penalty, free };
        let iterations = minimise(data, &mut point, &mut curvature, ridge, config.iterations)?;
        let training = data.loss(&point, false)?.mean();
        let held_out = data.loss(&point, true)?;
        let validation = held_out.mean();
        losses.push(held_out.by_fold);
        let is_better =
            fitted.trials.get(fitted.best).is_none_or(|best| validation < best.validation);
        fitted.trials.push(PenaltyResult {
            penalty,
            iterations,
            training,
            validation,
            difference_error: None,
        });
        if is_better {
            fitted.best = fitted.trials.len() - 1;
            best.clone_from(&point);
        }
    }
    let winner = fitted.best;
    for (place, trial) in fitted.trials.iter_mut().enumerate().filter(|(at, _)| *at != winner) {
        trial.difference_error = difference_error(&losses[place], &losses[winner], counts[1]);
    }
    Ok((fitted, best))
}

/// Refuses results that are all equal, from which nothing follows.
fn check_results(results: &[f32]) -> Result<()> {
    let Some(&first) = results.first() else { return Ok(()) };
    if results.iter().any(|&result| result != first) {
        return Ok(());
    }
    let reason = match first {
        1.0 => "all rows are of won games".into(),
        0.0 => "all rows are of lost games".into(),
        0.5 => "all rows are of drawn games".into(),
        other => format!("all rows have the result {other}"),
    };
    Err(Error::input("results", reason).remedy("give rows of games with different results"))
}

/// The standard error of the difference of two mean losses, from fold to fold; `None` for one fold.
fn difference_error(one: &[f64], other: &[f64], rows: u64) -> Option<f64> {
    let moved: Vec<f64> = one.iter().zip(other).map(|(a, b)| a - b).collect();
    let count = moved.len() as f64;
    let mean = moved.iter().sum::<f64>() / count;
    let squares: f64 = moved.iter().map(|difference| (difference - mean).powi(2)).sum();
    (count > 1.0).then(|| (squares * count / (count - 1.0)).sqrt() / rows as f64)
}

/// Moves a point to the minimum of the penalised loss. Returns the number of steps.
fn minimise(
    data: &FoldSplit,
    point: &mut Vec<f64>,
    curvature: &mut Vec<f64>,
    ridge: Ridge,
    iterations: u64,
) -> Result<u64> {
    let mut inverted = ridge.inverse(curvature)?;
    let (mut is_fresh, mut before) = (false, f64::INFINITY);
    let mut sums = data.gradient(point)?;
    for iteration in 0..iterations {
        let mut pull: Vec<f64> = sums.gradient.clone();
        ridge.pull(&mut pull, point);
        let step: Vec<f64> = inverted.iter().map(|row| -dot(row, &pull)).collect();
        let promised = -dot(&step, &pull) / 2.0;
        if promised <= TOLERANCE * sums.count as f64 {
            return Ok(iteration);
        }
        if promised > KEPT * before && !is_fresh {
            *curvature = data.curvature(point)?;
            inverted = ridge.inverse(curvature)?;
            (is_fresh, before) = (true, f64::INFINITY);
            continue;
        }
        let cost = |sums: &RowSums, point: &[f64]| sums.loss + ridge.cost(point);
        let now = cost(&sums, point);
        let mut length = 1.0;
        let mut found = None;
        for _ in 0..HALVINGS {
            let mut next = point.clone();
            add_multiple(&mut next, length, &step);
            let sums = data.gradient(&next)?;
            if cost(&sums, &next) < now {
                found = Some((next, sums));
                break;
            }
            length /= 2.0;
        }
        let Some((next, next_sums)) = found else { return Ok(iteration) };
        (*point, sums) = (next, next_sums);
        (is_fresh, before) = (false, promised);
    }
    Ok(iterations)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::seed::{generator, uniform};
    use crate::tune::logistic::pass::sigmoid;

    const TRUTH: [f64; 3] = [0.8, -0.4, 0.1];

    /// Rows whose results come from known weights; `of_game` rows in a row share the result.
    fn simulated(seed: u64, count: usize, of_game: usize) -> Rows {
        let mut generator = generator(seed, &[1]);
        let mut rows = Rows { names: ["a", "b", "c"].map(Into::into).into(), ..Rows::default() };
        while rows.results.len() < count {
            let values: [f64; 3] =
                std::array::from_fn(|_| (7.0 * uniform(&mut generator)).floor() - 3.0);
            let logit: f64 = values.iter().zip(TRUTH).map(|(value, weight)| value * weight).sum();
            let result = if uniform(&mut generator) < sigmoid(logit) { 1.0 } else { 0.0 };
            let game = rows.games.last().map_or(0, |last| last + 1);
            for _ in 0..of_game {
                rows.push(&values.map(|value| value as f32));
                rows.results.push(result);
                rows.games.push(game);
            }
        }
        rows
    }

    fn value_of(rows: &Rows, row: usize, column: u16) -> f32 {
        let found = rows.row(row).iter().find(|term| term.column == column);
        found.map_or(0.0, |term| term.value)
    }

    fn config(penalty: f64) -> RowsConfig {
        RowsConfig { penalties: vec![penalty], iterations: 50, validation_folds: 6 }
    }

    /// Newton's method by hand, on the rows that train.
    fn by_hand(rows: &Rows, penalty: f64) -> [f64; 2] {
        let stop = Stop::default();
        let split = FoldSplit { rows, folds: 6, stop: &stop };
        let [mut x, mut y] = [0.0_f64; 2];
        for _ in 0..30 {
            let (mut gx, mut gy, mut hxx, mut hxy, mut hyy) =
                (penalty * x, penalty * y, penalty, 0.0, penalty);
            for row in (0..rows.len()).filter(|&row| split.is_of(row, false)) {
                let [a, b] = [0, 1].map(|column| f64::from(value_of(rows, row, column)));
                let p = 1.0 / (1.0 + (-(a * x + b * y)).exp());
                let (error, q) = (p - f64::from(rows.results[row]), p * (1.0 - p));
                (gx, gy) = (gx + error * a, gy + error * b);
                (hxx, hxy, hyy) = (hxx + q * a * a, hxy + q * a * b, hyy + q * b * b);
            }
            let determinant = hxx * hyy - hxy * hxy;
            x -= (hyy * gx - hxy * gy) / determinant;
            y -= (hxx * gy - hxy * gx) / determinant;
        }
        [x, y]
    }

    #[test]
    fn the_minimum_is_that_of_a_plain_newton_method() {
        let all = simulated(3, 400, 1);
        let mut rows = Rows { names: vec!["a".into(), "b".into()], ..Rows::default() };
        (0..all.len()).for_each(|row| rows.push(&[0, 1].map(|column| value_of(&all, row, column))));
        (rows.results, rows.games) = (all.results, all.games);
        for penalty in [0.01, 5.0, 100.0] {
            let found = fit(&rows, &config(penalty), &Stop::default()).unwrap();
            for (weight, wanted) in found.weights.iter().zip(by_hand(&rows, penalty)) {
                assert!((weight.weight - wanted).abs() < 1e-5, "{weight:?}, not {wanted}");
            }
            assert!(found.trials[0].validation < found.start_loss);
        }
    }

    #[test]
    fn errors_hold_the_truth_and_count_games() {
        for of_game in [1, 5] {
            let (mut within, mut all) = (0, 0);
            for seed in 0..60 {
                let rows = simulated(seed, 600 * of_game, of_game);
                let found = fit(&rows, &config(1e-6), &Stop::default()).unwrap();
                for (weight, truth) in found.weights.iter().zip(TRUTH) {
                    all += 1;
                    within += usize::from((weight.weight - truth).abs() < weight.error.unwrap());
                }
            }
            let share = within as f64 / all as f64;
            assert!((0.90..=0.99).contains(&share), "{share} of 95 %, {of_game} rows a game");
        }
    }

    #[test]
    fn columns_that_say_the_same_are_refused() {
        let all = simulated(1, 200, 1);
        let mut rows = Rows { names: all.names.clone(), ..Rows::default() };
        for row in 0..all.len() {
            rows.push(&[0, 1, 1].map(|column| value_of(&all, row, column)));
        }
        (rows.results, rows.games) = (all.results, all.games);
        let error = fit(&rows, &config(1e-12), &Stop::default()).unwrap_err().to_string();
        assert!(error.contains("tell some of them apart"), "{error}");
    }
}
