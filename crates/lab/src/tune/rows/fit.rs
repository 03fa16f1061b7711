//! The fit: Newton's method on the penalised cross-entropy, whose curvature is computed anew only
//! where an old one no longer leads on, and standard errors by the sandwich over games (see
//! `logistic::sandwich`).

use super::{Rows, check_stop};
use crate::error::{Error, Result};
use crate::search::Stop;
use crate::stats::Z_95;
use crate::tune::logistic::FitConfig;
use crate::tune::logistic::fit::PenaltyResult;
use crate::tune::logistic::linear::{add_multiple, dot, inverse, quadratic_form};
use crate::tune::logistic::pass::{cross_entropy, sigmoid};
use crate::tune::logistic::samples::FOLDS;
use rayon::prelude::*;
use serde::Serialize;

/// Rows of a part of a pass; the parts are added in order, so that the number of threads changes
/// nothing.
const PART: usize = 1 << 15;
/// The fit ends when a step promises less loss per row than this, in nats.
const TOLERANCE: f64 = 1e-12;
/// An old curvature is kept while what a step promises falls by this factor.
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

/// A fitted weight.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RowWeight {
    /// The name of its column.
    pub name: String,
    /// The weight.
    pub weight: f64,
    /// Half the width of its 95 % interval, in the same units; `None` where the rows do not
    /// determine it.
    pub error: Option<f64>,
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
    /// The place of the one with the least validation loss.
    pub best: usize,
    /// The loss per validation row with all weights 0, in nats.
    pub start_loss: f64,
    /// Training and validation rows.
    pub rows: [u64; 2],
    /// The games; the number of rows where each stands for itself.
    pub games: u64,
}

/// Fits the weights, with one penalty after the other, each from where the one before it ended.
///
/// # Errors
/// When there are too few rows, the columns cannot be told apart, or the fit is stopped.
pub fn fit(rows: &Rows, config: &RowsConfig, stop: &Stop) -> Result<RowsFit> {
    let data = Split { rows, folds: config.validation_folds, stop };
    let width = rows.names.len();
    let mut point = vec![0.0; width];
    let [training, held_out] = [false, true].map(|held_out| data.loss(&point, held_out));
    let (training, held_out) = (training?, held_out?);
    let counts = [training.count, held_out.count];
    if counts[0] < LEAST[0] || counts[1] < LEAST[1] {
        let reason = format!("{} for training, {} for validation", counts[0], counts[1]);
        let remedy = "give more rows, or more --validation-folds; rows of one game stay together";
        return Err(Error::input("rows", reason).remedy(remedy));
    }
    let mut fitted = RowsFit {
        weights: Vec::new(),
        trials: Vec::new(),
        best: 0,
        start_loss: held_out.mean(),
        rows: counts,
        games: data.games(),
    };
    let mut curvature = data.curvature(&point)?;
    let mut losses: Vec<Vec<f64>> = Vec::new();
    let mut best = point.clone();
    for &penalty in &config.penalties {
        let iterations = minimise(&data, &mut point, &mut curvature, penalty, config.iterations)?;
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
    fitted.weights = weights(&data, &best, fitted.trials[winner].penalty)?;
    Ok(fitted)
}

/// The standard error of the difference of two mean losses, from fold to fold; `None` for one fold.
fn difference_error(one: &[f64], other: &[f64], rows: u64) -> Option<f64> {
    let moved: Vec<f64> = one.iter().zip(other).map(|(a, b)| a - b).collect();
    let count = moved.len() as f64;
    let mean = moved.iter().sum::<f64>() / count;
    let squares: f64 = moved.iter().map(|difference| (difference - mean).powi(2)).sum();
    (count > 1.0).then(|| (squares * count / (count - 1.0)).sqrt() / rows as f64)
}

/// Moves a point to the least penalised loss; returns the number of steps.
fn minimise(
    data: &Split,
    point: &mut Vec<f64>,
    curvature: &mut Vec<f64>,
    penalty: f64,
    iterations: u64,
) -> Result<u64> {
    let mut inverted = inverse_of(curvature, penalty)?;
    let (mut is_fresh, mut before) = (false, f64::INFINITY);
    let mut sums = data.gradient(point)?;
    for iteration in 0..iterations {
        let mut pull: Vec<f64> = sums.gradient.clone();
        add_multiple(&mut pull, penalty, point);
        let step: Vec<f64> = inverted.iter().map(|row| -dot(row, &pull)).collect();
        let promised = -dot(&step, &pull) / 2.0;
        if promised <= TOLERANCE * sums.count as f64 {
            return Ok(iteration);
        }
        if promised > KEPT * before && !is_fresh {
            *curvature = data.curvature(point)?;
            inverted = inverse_of(curvature, penalty)?;
            (is_fresh, before) = (true, f64::INFINITY);
            continue;
        }
        let cost = |sums: &Sums, point: &[f64]| sums.loss + penalty / 2.0 * dot(point, point);
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

fn inverse_of(curvature: &[f64], penalty: f64) -> Result<Vec<Vec<f64>>> {
    let found = inverse(curvature, penalty);
    match found.is_empty() && !curvature.is_empty() {
        true => Err(Error::input("columns", "the rows do not tell some of them apart")
            .remedy("leave columns out that follow from others (--only), or raise --penalties")),
        false => Ok(found),
    }
}

/// The weights with their errors at the minimum.
fn weights(data: &Split, point: &[f64], penalty: f64) -> Result<Vec<RowWeight>> {
    let inverted = inverse_of(&data.curvature(point)?, penalty)?;
    let scatter = data.scatter(point)?;
    let shown = data.shown();
    let weight = |(at, name): (usize, &String)| {
        let variance = quadratic_form(&scatter, &inverted[at]);
        let error = (shown[at] > 0 && variance.is_finite()).then(|| Z_95 * variance.sqrt());
        RowWeight { name: name.clone(), weight: point[at], error, shown: shown[at] }
    };
    Ok(data.rows.names.iter().enumerate().map(weight).collect())
}

/// The rows, of which some folds are kept for validation.
struct Split<'a> {
    rows: &'a Rows,
    folds: u8,
    stop: &'a Stop,
}

/// Sums over rows.
#[derive(Clone, Default)]
struct Sums {
    count: u64,
    loss: f64,
    /// The losses of the folds that are kept for validation.
    by_fold: Vec<f64>,
    gradient: Vec<f64>,
}

impl Sums {
    fn mean(&self) -> f64 {
        self.loss / self.count.max(1) as f64
    }
}

/// A part's squares of the derivatives of whole games, a lower triangle row by row; and the number and
/// the derivatives of the games at its ends.
type ScatterPart = (Vec<f64>, Vec<(u64, Vec<f64>)>);

impl Split<'_> {
    fn width(&self) -> usize {
        self.rows.names.len()
    }

    /// The game of a row.
    fn game(&self, row: usize) -> u64 {
        self.rows.games.get(row).map_or(row as u64, |&game| u64::from(game))
    }

    fn games(&self) -> u64 {
        self.rows.games.last().map_or(self.rows.len() as u64, |&last| u64::from(last) + 1)
    }

    /// The fold of a row's game: SplitMix64's mixing deals games out evenly.
    fn fold(&self, row: usize) -> u8 {
        let mut mixed = self.game(row).wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % u64::from(FOLDS)) as u8
    }

    /// Adds up what the rows of one half give, part by part.
    fn sum<T: Send>(
        &self,
        held_out: bool,
        fresh: impl Fn() -> T + Sync,
        see: impl Fn(&mut T, usize, &[f32]) + Sync,
        add: impl Fn(&mut T, T),
    ) -> Result<T> {
        let (width, count) = (self.width(), self.rows.len());
        let parts: Vec<T> = (0..count.div_ceil(PART))
            .into_par_iter()
            .map(|part| {
                let mut sums = fresh();
                let rows = part * PART..(part * PART + PART).min(count);
                let is_stopped = self.stop.is_set();
                for row in rows.filter(|&row| !is_stopped && self.is_of(row, held_out)) {
                    see(&mut sums, row, &self.rows.values[row * width..][..width]);
                }
                sums
            })
            .collect();
        check_stop(self.stop)?;
        let mut total = fresh();
        parts.into_iter().for_each(|part| add(&mut total, part));
        Ok(total)
    }

    fn is_of(&self, row: usize, held_out: bool) -> bool {
        (self.fold(row) < self.folds) == held_out
    }

    fn logit(values: &[f32], point: &[f64]) -> f64 {
        values.iter().zip(point).map(|(&value, weight)| f64::from(value) * weight).sum()
    }

    fn loss(&self, point: &[f64], held_out: bool) -> Result<Sums> {
        let fresh = || Sums { by_fold: vec![0.0; usize::from(self.folds)], ..Sums::default() };
        let see = |sums: &mut Sums, row: usize, values: &[f32]| {
            let target = f64::from(self.rows.results[row]);
            let loss = cross_entropy(Self::logit(values, point), target);
            sums.count += 1;
            sums.loss += loss;
            if held_out {
                sums.by_fold[usize::from(self.fold(row))] += loss;
            }
        };
        self.sum(held_out, fresh, see, |total, part| {
            total.count += part.count;
            total.loss += part.loss;
            add_multiple(&mut total.by_fold, 1.0, &part.by_fold);
        })
    }

    /// The loss of the training rows with its derivatives.
    fn gradient(&self, point: &[f64]) -> Result<Sums> {
        let fresh = || Sums { gradient: vec![0.0; self.width()], ..Sums::default() };
        let see = |sums: &mut Sums, row: usize, values: &[f32]| {
            let target = f64::from(self.rows.results[row]);
            let logit = Self::logit(values, point);
            sums.count += 1;
            sums.loss += cross_entropy(logit, target);
            let error = sigmoid(logit) - target;
            let pairs = sums.gradient.iter_mut().zip(values);
            pairs.for_each(|(total, &value)| *total += error * f64::from(value));
        };
        self.sum(false, fresh, see, |total, part| {
            total.count += part.count;
            total.loss += part.loss;
            add_multiple(&mut total.gradient, 1.0, &part.gradient);
        })
    }

    fn triangle(&self) -> Vec<f64> {
        vec![0.0; self.width() * (self.width() + 1) / 2]
    }

    /// The Hessian of the loss of the training rows, its lower triangle row by row.
    fn curvature(&self, point: &[f64]) -> Result<Vec<f64>> {
        let fresh = || (self.triangle(), Vec::new());
        let see = |(triangle, row): &mut (Vec<f64>, Vec<f64>), _: usize, values: &[f32]| {
            let p = sigmoid(Self::logit(values, point));
            row.clear();
            row.extend(values.iter().map(|&value| f64::from(value)));
            add_square(triangle, p * (1.0 - p), row);
        };
        let total = self.sum(false, fresh, see, |total, (part, _)| {
            add_multiple(&mut total.0, 1.0, &part);
        })?;
        Ok(total.0)
    }

    /// The covariance of the derivatives of the training rows from game to game.
    fn scatter(&self, point: &[f64]) -> Result<Vec<f64>> {
        let width = self.width();
        let mut triangle = self.triangle();
        let mut pull = vec![0.0; width];
        let mut game = None;
        // Game by game: a part could end within one.
        let parts: Vec<ScatterPart> = (0..self.rows.len().div_ceil(PART))
            .into_par_iter()
            .map(|part| {
                let rows = part * PART..(part * PART + PART).min(self.rows.len());
                self.scatter_of(rows, point)
            })
            .collect();
        check_stop(self.stop)?;
        for (whole, ends) in parts {
            add_multiple(&mut triangle, 1.0, &whole);
            for (number, part) in ends {
                if game != Some(number) {
                    add_square(&mut triangle, 1.0, &pull);
                    pull.fill(0.0);
                    game = Some(number);
                }
                add_multiple(&mut pull, 1.0, &part);
            }
        }
        add_square(&mut triangle, 1.0, &pull);
        Ok(triangle)
    }

    /// The squares of the games within these rows, and the derivatives of the first and the last
    /// one, which may go on outside.
    fn scatter_of(&self, rows: std::ops::Range<usize>, point: &[f64]) -> ScatterPart {
        let width = self.width();
        let (mut triangle, mut ends) = (self.triangle(), Vec::new());
        let mut current: Option<(u64, Vec<f64>)> = None;
        let training = |row: &usize| self.is_of(*row, false) && !self.stop.is_set();
        for row in rows.filter(training) {
            let game = self.game(row);
            if current.as_ref().is_none_or(|(known, _)| *known != game) {
                match current.replace((game, vec![0.0; width])) {
                    Some(first) if ends.is_empty() => ends.push(first),
                    Some((_, pull)) => add_square(&mut triangle, 1.0, &pull),
                    None => {}
                }
            }
            let values = &self.rows.values[row * width..][..width];
            let error = sigmoid(Self::logit(values, point)) - f64::from(self.rows.results[row]);
            if let Some((_, pull)) = &mut current {
                let pairs = pull.iter_mut().zip(values);
                pairs.for_each(|(total, &value)| *total += error * f64::from(value));
            }
        }
        ends.extend(current);
        (triangle, ends)
    }

    /// The training rows that show each feature.
    fn shown(&self) -> Vec<u64> {
        let mut shown = vec![0; self.width()];
        for row in (0..self.rows.len()).filter(|&row| self.is_of(row, false)) {
            let values = &self.rows.values[row * shown.len()..][..shown.len()];
            shown.iter_mut().zip(values).for_each(|(n, &value)| *n += u64::from(value != 0.0));
        }
        shown
    }
}

/// Adds a multiple of a vector's product with itself to a lower triangle.
fn add_square(triangle: &mut [f64], factor: f64, vector: &[f64]) {
    let mut rest = triangle;
    for (i, &value) in vector.iter().enumerate() {
        let (row, others) = rest.split_at_mut(i + 1);
        if value != 0.0 {
            add_multiple(row, factor * value, &vector[..=i]);
        }
        rest = others;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::seed::{generator, uniform};

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
                rows.values.extend(values.map(|value| value as f32));
                rows.results.push(result);
                rows.games.push(game);
            }
        }
        rows
    }

    fn config(penalty: f64) -> RowsConfig {
        RowsConfig { penalties: vec![penalty], iterations: 50, validation_folds: 6 }
    }

    /// Newton's method by hand, on the rows that train.
    fn by_hand(rows: &Rows, penalty: f64) -> [f64; 2] {
        let stop = Stop::default();
        let split = Split { rows, folds: 6, stop: &stop };
        let [mut x, mut y] = [0.0_f64; 2];
        for _ in 0..30 {
            let (mut gx, mut gy, mut hxx, mut hxy, mut hyy) =
                (penalty * x, penalty * y, penalty, 0.0, penalty);
            for row in (0..rows.len()).filter(|&row| split.is_of(row, false)) {
                let [a, b] = [rows.values[2 * row], rows.values[2 * row + 1]].map(f64::from);
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
        let values = all.values.chunks(3).flat_map(|row| [row[0], row[1]]).collect();
        let rows = Rows { names: vec!["a".into(), "b".into()], values, ..all };
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
        let mut rows = simulated(1, 200, 1);
        rows.values.chunks_mut(3).for_each(|row| row[2] = row[1]);
        let error = fit(&rows, &config(1e-12), &Stop::default()).unwrap_err().to_string();
        assert!(error.contains("tell some of them apart"), "{error}");
    }
}
