//! The fit: limited-memory BFGS (Liu and Nocedal 1989; argmin's) on the cross-entropy with a
//! penalty on the squares of the weights, whose strength the validation positions choose.
//!
//! If only single weights are fitted, Newton's method goes the rest of the way to the minimum.
//! L-BFGS stops when the loss hardly falls. Along weights that the positions barely distinguish,
//! that is further from the minimum than the errors of the weights.

use super::columns::Columns;
use super::fit_error::{FitError, FitResult};
use super::pass::{Data, Split, Sums, Wanted};
use super::sandwich::SingleSums;
use super::sharing::Sharing;
use crate::error::{Error, Result};
use argmin::core::{CostFunction, Executor, Gradient, IterState, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;

/// Steps that the approximation of the Hessian remembers.
const MEMORY: usize = 10;
/// The fit is done once the loss per position falls by less than this in an iteration, in nats.
const TOLERANCE: f64 = 1e-7;
/// The most steps of Newton's method after that; near the minimum each doubles the digits.
const NEWTON_STEPS: usize = 4;
/// They end when one lowers the loss per position by less than this.
const NEWTON_TOLERANCE: f64 = 1e-12;
/// With more single weights than this the Hessians of the folds would take too much memory.
pub(super) const MOST_SINGLE: usize = 150;
/// The fewest training and validation positions of a fit.
const LEAST: [u64; 2] = [100, 10];

/// The result of the fit with one penalty.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PenaltyResult {
    /// The strength of the L2 penalty.
    pub penalty: f64,
    /// Iterations of the optimizer.
    pub iterations: u64,
    /// The cross-entropy per training position, in nats.
    pub training: f64,
    /// The cross-entropy per validation position, in nats.
    pub validation: f64,
    /// The standard error of the difference between `validation` and the winner's, by games; `None`
    /// for the winner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference_error: Option<f64>,
}

impl PenaltyResult {
    /// Whether the validation games distinguish this penalty from the winning one: their losses are
    /// at least two standard errors apart.
    pub fn is_told_from(&self, best: &Self) -> bool {
        self.difference_error.is_none_or(|error| self.validation - best.validation >= 2.0 * error)
    }
}

/// The result of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// The weights by column, in logits.
    pub point: Vec<f64>,
    /// The penalties tried, in order.
    pub trials: Vec<PenaltyResult>,
    /// The place of the winning penalty.
    pub best: usize,
    /// The cross-entropy per validation position of the weights that the fit started from, in nats.
    pub start: f64,
    /// Training and validation positions.
    pub positions: [u64; 2],
}

/// The progress of a fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FitStep {
    /// The loss was computed once more.
    Pass {
        /// The place of the penalty.
        trial: usize,
        /// Passes over the positions with this penalty.
        passes: u64,
        /// The loss, in nats.
        loss: f64,
    },
    /// A penalty is done.
    PenaltyResult(PenaltyResult),
}

/// Checks that there are enough positions for a fit. The sums of a pass are vectors as long as the
/// weights, so this check comes before any pass.
///
/// # Errors
/// When there are too few, records cannot be read, or the fit is stopped.
pub(super) fn check_enough(data: &Data) -> FitResult<()> {
    let validation = data.count(Split::Validation)?;
    let training = data.count_of_both() - validation;
    if training >= LEAST[0] && validation >= LEAST[1] {
        return Ok(());
    }
    let [least, least_validation] = LEAST;
    let reason = format!("only {training} to fit and {validation} for the validation");
    Err(FitError::NothingToFit(Error::input("positions", reason).remedy(format!(
        "play more games, or choose other --validation-folds: a fit takes {least} and {least_validation} at the least, and a good one 100,000"
    ))))
}

/// Fits the columns, in the coordinates of `sharing`, with one penalty after the other. Each starts
/// where the previous one ended, so give them in falling order. `before` is the start's loss over
/// the validation positions. `check_enough` comes first.
///
/// # Errors
/// When records cannot be read, or the fit is stopped.
pub fn fit(
    data: &Data,
    columns: &Columns,
    sharing: &Sharing,
    (penalties, iterations): (&[f64], u64),
    (start, before): (&[f64], &Sums),
    watch: &dyn Fn(FitStep),
) -> FitResult<Fitted> {
    let curvature = data.pass(columns, start, Split::Training, Wanted::Curvature)?;
    let mut fitted = Fitted {
        point: start.to_vec(),
        trials: Vec::new(),
        best: 0,
        start: before.mean_loss(),
        positions: [curvature.count, before.count],
    };
    let mut coordinates = sharing.coordinates(start);
    let curvature = sharing.curvature(&curvature.curvature);
    let mut losses = Vec::new();
    for (number, &penalty) in penalties.iter().enumerate() {
        let scale = curvature.iter().map(|c| 1.0 / (c + penalty).max(f64::MIN_POSITIVE).sqrt());
        let cost = FitCost {
            data,
            columns,
            sharing,
            penalty,
            scale: scale.collect(),
            count: fitted.positions[0] as f64,
            state: RefCell::default(),
            trial: number,
            watch,
        };
        let iterations = cost.minimise(&mut coordinates, iterations)?;
        let single = columns.names().len();
        if (1..=MOST_SINGLE).contains(&single) && single == columns.len() {
            cost.polish(&mut coordinates)?;
        }
        let point = sharing.columns(&coordinates);
        let training = data.pass(columns, &point, Split::Training, Wanted::Loss)?.mean_loss();
        let by_game = data.game_losses(columns, &point, Split::Validation)?;
        let validation = by_game.sums.mean_loss();
        losses.push(by_game);
        let trial =
            PenaltyResult { penalty, iterations, training, validation, difference_error: None };
        let better = fitted.trials.get(fitted.best).is_none_or(|best| validation < best.validation);
        fitted.trials.push(trial);
        if better {
            fitted.best = fitted.trials.len() - 1;
            fitted.point = point;
        }
        watch(FitStep::PenaltyResult(trial));
    }
    let best = fitted.best;
    for (place, trial) in fitted.trials.iter_mut().enumerate().filter(|(place, _)| *place != best) {
        trial.difference_error = losses[place].difference_error(&losses[best]);
    }
    Ok(fitted)
}

/// A point with its cost and the gradient there.
type Evaluation = (Vec<f64>, f64, Vec<f64>);

/// The state that a fit keeps between passes.
#[derive(Default)]
struct Evaluations {
    /// The last pass: argmin asks for the cost and the gradient of a point one after the other.
    last: Option<Evaluation>,
    /// The cost and the point of the best pass.
    best: Option<(f64, Vec<f64>)>,
    count: u64,
    /// The first pass that failed. The line search treats any error as its own end.
    failed: Option<Error>,
}

/// The penalised loss per position as a function of scaled coordinates, see [`Sharing`]: x =
/// coordinates / scale has a Hessian whose diagonal is about the same everywhere, which is what
/// L-BFGS starts from.
struct FitCost<'a, 'd> {
    data: &'a Data<'d>,
    columns: &'a Columns,
    sharing: &'a Sharing,
    penalty: f64,
    scale: Vec<f64>,
    count: f64,
    state: RefCell<Evaluations>,
    trial: usize,
    watch: &'a dyn Fn(FitStep),
}

impl FitCost<'_, '_> {
    fn coordinates(&self, x: &[f64]) -> Vec<f64> {
        x.iter().zip(&self.scale).map(|(x, scale)| x * scale).collect()
    }

    fn scaled(&self, coordinates: &[f64]) -> Vec<f64> {
        coordinates.iter().zip(&self.scale).map(|(value, scale)| value / scale).collect()
    }

    /// Moves the coordinates to the least cost that is found; returns the number of iterations.
    fn minimise(&self, coordinates: &mut Vec<f64>, iterations: u64) -> Result<u64> {
        let x = self.scaled(coordinates);
        let solver = LBFGS::new(MoreThuenteLineSearch::new(), MEMORY);
        let solver = solver.with_tolerance_cost(TOLERANCE).map_err(|e| Error::failed("fit", e))?;
        let ended = Executor::new(self, solver)
            .configure(|state: IterState<Vec<f64>, Vec<f64>, (), (), (), f64>| {
                state.param(x).max_iters(iterations)
            })
            .timer(false)
            .run();
        let mut state = self.state.borrow_mut();
        if let Some(error) = state.failed.take() {
            return Err(error);
        }
        if let Some((_, best)) = &state.best {
            *coordinates = self.coordinates(best);
        }
        // The line search fails where no step lowers the cost, as at the minimum: the best point
        // so far is the answer.
        Ok(ended.map_or(state.count, |ended| ended.state.get_iter()))
    }

    /// Moves single weights from near the least cost to the least cost.
    fn polish(&self, coordinates: &mut Vec<f64>) -> Result<()> {
        let mut point = self.sharing.columns(coordinates);
        let prior = self.sharing.single_prior(self.penalty);
        let (mut cost, _) = self.evaluate(&self.scaled(coordinates))?;
        for _ in 0..NEWTON_STEPS {
            let sums = SingleSums::of(self.data, self.columns, &point)?;
            let Some(step) = sums.newton_step(&point, &prior) else { break };
            let next: Vec<f64> = point.iter().zip(&step).map(|(a, b)| a + b).collect();
            let next_coordinates = self.sharing.coordinates(&next);
            let (next_cost, _) = self.evaluate(&self.scaled(&next_coordinates))?;
            if next_cost >= cost {
                break;
            }
            (point, *coordinates) = (next, next_coordinates);
            if cost - next_cost < NEWTON_TOLERANCE {
                break;
            }
            cost = next_cost;
        }
        Ok(())
    }

    /// As [`evaluate`](Self::evaluate), and keeps the first error.
    fn evaluate_for_solver(
        &self,
        x: &[f64],
    ) -> std::result::Result<(f64, Vec<f64>), argmin::core::Error> {
        self.evaluate(x).map_err(|error| {
            let text = error.to_string();
            self.state.borrow_mut().failed.get_or_insert(error);
            argmin::core::Error::msg(text)
        })
    }

    fn evaluate(&self, x: &[f64]) -> Result<(f64, Vec<f64>)> {
        if let Some((known, cost, gradient)) = &self.state.borrow().last
            && known == x
        {
            return Ok((*cost, gradient.clone()));
        }
        let coordinates = self.coordinates(x);
        let point = self.sharing.columns(&coordinates);
        let Sums { loss, gradient, .. } =
            self.data.pass(self.columns, &point, Split::Training, Wanted::Gradient)?;
        let gradient = self.sharing.gradient(gradient);
        let squares: f64 = coordinates.iter().map(|value| value * value).sum();
        let cost = (loss + self.penalty * squares / 2.0) / self.count;
        let slope = |((gradient, value), scale): ((&f64, &f64), &f64)| {
            (gradient + self.penalty * value) * scale / self.count
        };
        let gradient: Vec<f64> =
            gradient.iter().zip(&coordinates).zip(&self.scale).map(slope).collect();
        let mut state = self.state.borrow_mut();
        state.count += 1;
        (self.watch)(FitStep::Pass { trial: self.trial, passes: state.count, loss: cost });
        if state.best.as_ref().is_none_or(|&(best, _)| cost < best) {
            state.best = Some((cost, x.to_vec()));
        }
        state.last = Some((x.to_vec(), cost, gradient.clone()));
        Ok((cost, gradient))
    }
}

impl CostFunction for &FitCost<'_, '_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, x: &Vec<f64>) -> std::result::Result<f64, argmin::core::Error> {
        Ok(self.evaluate_for_solver(x)?.0)
    }
}

impl Gradient for &FitCost<'_, '_> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, x: &Vec<f64>) -> std::result::Result<Vec<f64>, argmin::core::Error> {
        Ok(self.evaluate_for_solver(x)?.1)
    }
}
