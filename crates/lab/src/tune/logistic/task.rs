//! A fit of a weight set to positions: which weights, from which start, in which units.

use super::columns::{Columns, without};
use super::config::FitConfig;
use super::dedup::Dedup;
use super::fit::{FitStep, Fitted, check_enough, fit};
use super::fit_error::{FitError, FitResult};
use super::pass::{Data, Split, Sums, Wanted};
use super::samples::PositionSource;
use super::scale::{ScoreScale, score_scales, value_scale};
use super::sharing::Sharing;
use crate::arena::queue::Threads;
use crate::error::Error;
use crate::eval::features::check_board;
use crate::game::Board;
use crate::games::GameId;
use crate::search::Stop;
use crate::weights::{FORMAT, MAX_SCALE, MAX_TABLE_WEIGHT, MAX_WEIGHT, Phase, Weight, WeightSet};

/// The units of a weight per logit if nothing of the start is kept, and otherwise their minimum as
/// far as the weights have room.
const UNITS_PER_LOGIT: f64 = 1000.0;
/// The scale of a set with these units: a logit is a score of 100.
const SCALE: i32 = 10;

/// A fit about to run.
pub struct FitTask<'a> {
    /// The game of the positions.
    pub game: GameId,
    /// The records of the positions.
    pub samples: &'a dyn PositionSource,
    /// The board of all positions.
    pub board: Board,
    /// The weights that the fit starts from.
    pub start: &'a WeightSet,
    /// The settings of the fit.
    pub config: &'a FitConfig,
    /// The threads that share the work.
    pub threads: Threads,
    /// Ends the fit early when it is set.
    pub stop: Stop,
}

/// A finished fit, with everything needed to examine it.
pub struct SetFit<'a> {
    /// The fitted set. It still has the start's name and description.
    pub set: WeightSet,
    /// The columns and their weights.
    pub columns: Columns,
    /// The positions, with their game and board.
    pub data: Data<'a>,
    /// The scales of the scores of each part of the records, with their errors.
    pub scales: Vec<ScoreScale>,
    /// The result of the fit.
    pub fitted: Fitted,
    /// The units of the set's weights in one logit.
    pub units: f64,
    /// The columns of the weights by phase that share a prior.
    pub phase_pairs: Vec<[usize; 2]>,
    /// The number of distinct positions, which alone count.
    pub distinct: u64,
}

/// The start of a fit, in the units of the fitted set.
struct FitStart {
    /// The set, in which everything that is not fitted has its final value.
    set: WeightSet,
    /// The units of its weights in one logit.
    units: f64,
    /// The fitted weights of the start, in logits.
    point: Vec<f64>,
}

impl<'a> FitTask<'a> {
    /// Runs the fit. It is a function of the positions, the start and the configuration: the number
    /// of threads changes nothing, not even the last bit.
    ///
    /// # Errors
    /// When the configuration is not sound or does not fit the game, there are too few positions or
    /// they are damaged, or the fit is stopped.
    pub fn run(&self, watch: &dyn Fn(FitStep)) -> FitResult<SetFit<'a>> {
        self.config.check()?;
        let &Self { game, samples, board, ref threads, ref stop, .. } = self;
        let place = format!("weight set `{}`", self.start.name);
        game.check_set(self.start, &place)?;
        check_board(self.start, &place, board)?;
        let start = self.config.split_by_phase(game, self.start, board)?;
        let (names, clear) = self.config.names(game, &start, board);
        let columns = Columns::new(game, board, &names)?;
        let distinct = Dedup { game, samples, board, threads, stop }.distinct()?;
        let count = distinct.count;
        let mut data = Data {
            game,
            samples,
            board,
            validation_folds: self.config.validation_folds,
            blend: self.config.blend_for(game, count, columns.len()),
            distinct: Some(distinct),
            score_scales: Vec::new(),
            rest: None,
            threads: threads.clone(),
            stop: stop.clone(),
        };
        check_enough(&data)?;
        let scales = score_scales(&data)?;
        data.score_scales = scales.iter().map(|scale| scale.k).collect();
        let frame = self.frame(&start, &columns, &mut data, clear)?;
        let sharing = match self.config.no_sharing {
            true => Sharing::none(&columns),
            false => Sharing::new(game, board, &columns),
        };
        let mut penalties = self.config.penalties.clone();
        penalties.sort_by(|a, b| b.total_cmp(a));
        let penalties = (penalties.as_slice(), self.config.iterations);
        let before = match clear {
            true => self.whole_loss(&start, &columns, &mut data)?,
            false => data.pass(&columns, &frame.point, Split::Validation, Wanted::Loss)?,
        };
        let fitted = fit(&data, &columns, &sharing, penalties, (&frame.point, &before), watch)?;
        let mut set = frame.set;
        columns.write(&fitted.point, frame.units, &mut set);
        set.sort_by_features(&game.shapes(Some(board)));
        let (units, phase_pairs) = (frame.units, sharing.single_prior(0.0).pairs);
        Ok(SetFit { set, columns, data, scales, fitted, units, phase_pairs, distinct: count })
    }

    /// The loss of the whole start set over the validation positions, with the weights that the fit
    /// sets to 0.
    fn whole_loss(
        &self,
        start: &WeightSet,
        columns: &Columns,
        data: &mut Data<'a>,
    ) -> FitResult<Sums> {
        let undivided = WeightSet { scale: 1, ..start.clone() };
        let evaluator = self.game.evaluator(&undivided)?;
        let units = value_scale(data, &evaluator)?;
        let rest = std::mem::replace(&mut data.rest, units.map(|units| (evaluator, units)));
        let zero = vec![0.0; columns.len()];
        let sums = data.pass(columns, &zero, Split::Validation, Wanted::Loss);
        data.rest = rest;
        Ok(sums?)
    }

    /// Finds the units of the start, so that the weights that are not fitted can stay the same.
    fn frame(
        &self,
        start: &WeightSet,
        columns: &Columns,
        data: &mut Data,
        clear: bool,
    ) -> FitResult<FitStart> {
        let mut set = WeightSet {
            format: start.format.max(FORMAT),
            board: Some(self.board.to_string()),
            provenance: None,
            ..start.clone()
        };
        for feature in &self.game.features {
            if set.early_and_late(feature.name).is_some() {
                let rest = Phase::BOTH.map(|phase| phase.name(feature.name)).into_iter();
                for name in rest.filter(|name| clear && !columns.contains(name)) {
                    set.weights.insert(&name, Weight::One(0));
                }
                continue;
            }
            let fitted = columns.contains(feature.name);
            if set.one(feature.name).is_none() || (clear && !fitted) {
                set.weights.insert(feature.name, Weight::One(0));
            }
        }
        let cleared = |name: &str| clear && !columns.contains(name);
        for table in self.game.tables.iter().filter(|table| cleared(table.name)) {
            set = without(&set, table.name);
        }
        let undivided = WeightSet { scale: 1, ..set.clone() };
        let units = value_scale(data, &self.game.evaluator(&undivided)?)?;
        let rest = columns.without(&undivided);
        let is_zero = |weight: &Weight| weight.cells().iter().all(|&cell| cell == 0);
        if rest.network.is_none() && rest.weights.iter().all(|(_, weight)| is_zero(weight)) {
            let point =
                units.map_or_else(|| vec![0.0; columns.len()], |units| columns.read(&set, units));
            set.scale = SCALE;
            return Ok(FitStart { set, units: UNITS_PER_LOGIT, point });
        }
        let Some(units) = units else {
            return Err(FitError::NothingToFit(
                Error::input(
                    format!("weight set `{}`", self.start.name),
                    "its values do not predict the results, so the weights it keeps have no scale",
                )
                .remedy("start from another set, or set these weights to 0 with --clear-rest"),
            ));
        };
        data.rest = Some((self.game.evaluator(&rest)?, units));
        let point = columns.read(&set, units);
        let factor = multiply(&mut set, (UNITS_PER_LOGIT / units).ceil());
        Ok(FitStart { set, units: units * f64::from(factor), point })
    }
}

/// Multiplies the weights and the scale of a set by a factor, or by as much of it as they have room
/// for; by 1 beside a network, whose values would be rounded otherwise. The set's values stay the
/// same. Returns the factor used.
fn multiply(set: &mut WeightSet, wanted: f64) -> i32 {
    if set.network.is_some() {
        return 1;
    }
    let room = |weight: &Weight| {
        let most = if matches!(weight, Weight::One(_)) { MAX_WEIGHT } else { MAX_TABLE_WEIGHT };
        let largest =
            weight.cells().iter().map(|cell| cell.unsigned_abs()).max().unwrap_or(0).max(1);
        most.unsigned_abs() / largest
    };
    let room = set.weights.iter().map(|(_, weight)| room(weight)).min().unwrap_or(1);
    let room = room.min(MAX_SCALE.unsigned_abs() / set.scale.unsigned_abs().max(1));
    let factor = wanted.clamp(1.0, f64::from(room.max(1))) as i32;
    set.scale *= factor;
    for (_, weight) in set.weights.iter_mut() {
        weight.cells_mut().iter_mut().for_each(|cell| *cell *= factor);
    }
    factor
}
