//! The fit: limited-memory BFGS (Liu and Nocedal 1989; argmin's) on the cross-entropy with a penalty on the squares of
//! the weights, whose strength the validation positions choose.

use super::columns::Columns;
use super::pass::{Data, Split, Sums, Wanted, sigmoid};
use crate::error::{Error, Result};
use crate::eval::Evaluated;
use argmin::core::{CostFunction, Executor, Gradient, IterState, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;

/// Steps that the approximation of the Hessian remembers.
const MEMORY: usize = 10;
/// The loss per position must fall by this much in an iteration, or the fit is done.
const TOLERANCE: f64 = 1e-7;

/// What decides a fit, beside the data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FitConfig {
    /// The fitted weights and tables.
    pub only: Vec<String>,
    /// The share of the search's score in what the model is to say; the rest is the game's result.
    pub blend: f64,
    /// Games of so many of the 64 folds are kept for validation.
    pub validation_folds: u8,
    /// The penalties tried: precisions of a normal prior around 0, per squared logit. The best one on validation wins.
    pub penalties: Vec<f64>,
    /// The most iterations for each penalty.
    pub iterations: u64,
    /// The units of a score that make a logit, times the scale of the set that is written.
    pub per_logit: f64,
}

/// How well a penalty did.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// The penalty.
    pub penalty: f64,
    /// Iterations of the optimizer.
    pub iterations: u64,
    /// The cross-entropy per training position, in nats.
    pub training: f64,
    /// The cross-entropy per validation position, in nats.
    pub validation: f64,
}

/// What a fit found.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The weights by column, in logits.
    pub point: Vec<f64>,
    /// The penalties tried, in order.
    pub trials: Vec<Trial>,
    /// The place of the one that won.
    pub best: usize,
    /// The cross-entropy per validation position of the weights that the fit started from, in nats.
    pub start: f64,
    /// Training and validation positions.
    pub positions: [u64; 2],
}

/// The scale of scores: the divisor K that makes sigmoid(score / K) fit the results best (in percent of a piece's
/// worth), found by bisection on the derivative, which has one zero since the loss is convex in 1 / K.
///
/// # Errors
/// When records cannot be read, or scores tell nothing of results.
pub fn score_scale<P: Evaluated>(data: &Data<P>) -> Result<f64> {
    /// Steps of the bisection.
    const STEPS: usize = 24;
    let (mut low, mut high) = (1e-5_f64, 1.0_f64);
    for _ in 0..STEPS {
        let slope = (low * high).sqrt();
        let lanes = data.lanes(
            Split::Training,
            || 0.0,
            |sum: &mut f64, sample| {
                let score = f64::from(sample.score);
                *sum += (sigmoid(score * slope) - f64::from(sample.half_points) / 2.0) * score;
            },
        )?;
        if lanes.iter().sum::<f64>() < 0.0 { low = slope } else { high = slope }
    }
    let slope = (low * high).sqrt();
    if !(2e-5..0.5).contains(&slope) {
        return Err(Error::input("positions", "their scores tell nothing of the results")
            .remedy("generate more positions, or with a stronger search"));
    }
    Ok(1.0 / slope)
}

/// Fits the columns.
///
/// # Errors
/// When there are too few positions, records cannot be read, or the fit is stopped.
pub fn fit<P: Evaluated>(
    data: &Data<P>,
    columns: &Columns,
    config: &FitConfig,
    start: &[f64],
    on_evaluation: &dyn Fn(f64, f64),
) -> Result<Fitted> {
    let curvature = data.pass(columns, start, Split::Training, Wanted::Curvature)?;
    let before = data.pass(columns, start, Split::Validation, Wanted::Loss)?;
    if curvature.count < 100 || before.count < 10 {
        return Err(Error::input("positions", format!("only {}", curvature.count + before.count))
            .remedy("generate more, 100,000 at the least"));
    }
    let mut fitted = Fitted {
        point: start.to_vec(),
        trials: Vec::new(),
        best: 0,
        start: before.loss / before.count as f64,
        positions: [curvature.count, before.count],
    };
    let mut point = start.to_vec();
    for &penalty in &config.penalties {
        let scale = curvature.curvature.iter().map(|c| 1.0 / (c + penalty).sqrt()).collect();
        let cost = Cost {
            data,
            columns,
            penalty,
            scale,
            count: curvature.count as f64,
            last: RefCell::default(),
            seen: on_evaluation,
        };
        let (found, iterations) = cost.minimise(&point, config.iterations)?;
        point = found;
        let training = data.pass(columns, &point, Split::Training, Wanted::Loss)?;
        let validation = data.pass(columns, &point, Split::Validation, Wanted::Loss)?;
        let trial = Trial {
            penalty,
            iterations,
            training: training.loss / training.count as f64,
            validation: validation.loss / validation.count as f64,
        };
        let better = fitted.trials.get(fitted.best).is_none_or(|best| trial.validation < best.validation);
        fitted.trials.push(trial);
        if better {
            fitted.best = fitted.trials.len() - 1;
            fitted.point.clone_from(&point);
        }
    }
    Ok(fitted)
}

/// A point with its cost and the gradient there.
type Evaluation = (Vec<f64>, f64, Vec<f64>);

/// The penalised loss per position as a function of scaled columns: x = point / scale has a Hessian whose diagonal is
/// about the same everywhere, which is what L-BFGS starts from.
struct Cost<'a, 'd, P: Evaluated> {
    data: &'a Data<'d, P>,
    columns: &'a Columns,
    penalty: f64,
    scale: Vec<f64>,
    count: f64,
    /// The last point evaluated: cost and gradient are asked for one after the other.
    last: RefCell<Option<Evaluation>>,
    /// Is told of each evaluation: the penalty and the loss.
    seen: &'a dyn Fn(f64, f64),
}

impl<P: Evaluated> Cost<'_, '_, P> {
    fn point(&self, x: &[f64]) -> Vec<f64> {
        x.iter().zip(&self.scale).map(|(x, scale)| x * scale).collect()
    }

    fn minimise(self, start: &[f64], iterations: u64) -> Result<(Vec<f64>, u64)> {
        let x: Vec<f64> = start.iter().zip(&self.scale).map(|(value, scale)| value / scale).collect();
        let scale = self.scale.clone();
        let failed = |error: argmin::core::Error| match error.downcast::<Error>() {
            Ok(ours) => ours,
            Err(other) => Error::failed("fit", other),
        };
        let solver = LBFGS::new(MoreThuenteLineSearch::new(), MEMORY);
        let solver = solver.with_tolerance_cost(TOLERANCE).map_err(failed)?;
        let ended = Executor::new(&self, solver)
            .configure(|state: IterState<Vec<f64>, Vec<f64>, (), (), (), f64>| {
                state.param(x.clone()).max_iters(iterations)
            })
            .timer(false)
            .run()
            .map_err(failed)?;
        let done = ended.state.get_iter();
        let best = ended.state.get_best_param().cloned().unwrap_or(x);
        Ok((best.iter().zip(&scale).map(|(x, scale)| x * scale).collect(), done))
    }

    fn evaluate(&self, x: &[f64]) -> Result<(f64, Vec<f64>)> {
        if let Some((known, cost, gradient)) = &*self.last.borrow()
            && known == x
        {
            return Ok((*cost, gradient.clone()));
        }
        let point = self.point(x);
        let Sums { loss, gradient, .. } =
            self.data.pass(self.columns, &point, Split::Training, Wanted::Gradient)?;
        let squares: f64 = point.iter().map(|value| value * value).sum();
        let cost = (loss + self.penalty * squares / 2.0) / self.count;
        let slope = |((gradient, value), scale): ((&f64, &f64), &f64)| {
            (gradient + self.penalty * value) * scale / self.count
        };
        let gradient: Vec<f64> = gradient.iter().zip(&point).zip(&self.scale).map(slope).collect();
        (self.seen)(self.penalty, cost);
        *self.last.borrow_mut() = Some((x.to_vec(), cost, gradient.clone()));
        Ok((cost, gradient))
    }
}

impl<P: Evaluated> CostFunction for &Cost<'_, '_, P> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, x: &Vec<f64>) -> std::result::Result<f64, argmin::core::Error> {
        Ok(self.evaluate(x)?.0)
    }
}

impl<P: Evaluated> Gradient for &Cost<'_, '_, P> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, x: &Vec<f64>) -> std::result::Result<Vec<f64>, argmin::core::Error> {
        Ok(self.evaluate(x)?.1)
    }
}
