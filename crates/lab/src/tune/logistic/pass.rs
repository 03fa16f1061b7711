//! One pass over the positions: the cross-entropy of the model and its gradient, by all threads.
//!
//! The records are cut into a fixed number of lanes, each summed up in order by whichever thread is
//! free, and the lanes are added in order: the sums do not depend on the number of threads. Records
//! are read in small portions and unpacked as they come, so a pass takes hardly any memory,
//! however many there are.

use super::columns::Columns;
use super::dedup::{Distinct, Repetition};
use super::samples::{FOLDS, Label, PositionSource, Sample};
use crate::any::{AnyEvaluator, AnyPosition};
use crate::arena::queue::Threads;
use crate::error::{Error, Result};
use crate::game::Board;
use crate::games::GameId;
use crate::search::Stop;
use std::ops::Range;

/// The number of lanes: more than most machines have threads, few enough to hold a gradient each.
const LANES: u64 = 16;
/// Records read at once.
pub(super) const CHUNK: u64 = 8192;

/// Which positions a pass looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// The positions to which weights are fitted.
    Training,
    /// The positions of other games, which judge the fit.
    Validation,
}

/// The positions of a pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// Training or validation positions.
    pub split: Split,
    /// The numbers of the records to read.
    pub records: Range<u64>,
    /// Reads one portion of the records in `every`, if a sample suffices; 1 reads all.
    pub every: u64,
}

/// The positions of a fit and the targets of the model.
pub struct Data<'a> {
    /// The game of the positions.
    pub game: GameId,
    /// The records, in their order on disk.
    pub samples: &'a dyn PositionSource,
    /// The board of all positions.
    pub board: Board,
    /// The records that count, and their repetitions; without it all records count.
    pub distinct: Option<Distinct>,
    /// Games of folds below this are for validation.
    pub validation_folds: u8,
    /// The share of the search's score in the target; the rest is the game's result.
    pub blend: f64,
    /// The divisor that turns a score in percent of a piece's worth into a logit, for each part of
    /// the records. A part without an entry has the last divisor, or 100.
    pub score_scales: Vec<f64>,
    /// The sum of the weights that are not fitted, and the divisor that makes it a logit.
    pub rest: Option<(AnyEvaluator, f64)>,
    /// The threads that share the work.
    pub threads: Threads,
    /// Ends a pass early.
    pub stop: Stop,
}

/// The sums of a pass.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sums {
    /// The number of positions in these sums.
    pub count: u64,
    /// Their cross-entropy, in nats.
    pub loss: f64,
    /// The derivatives of the loss by column, if requested.
    pub gradient: Vec<f64>,
    /// The sums of squares of the columns, weighted by p (1 - p): the diagonal of the Hessian, if
    /// requested.
    pub curvature: Vec<f64>,
}

impl Sums {
    /// The cross-entropy per position, in nats; 0 without positions.
    pub fn mean_loss(&self) -> f64 {
        self.loss / self.count.max(1) as f64
    }
}

/// The outputs of a pass beside the loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The loss and nothing else.
    Loss,
    /// The gradient of the loss too.
    Gradient,
    /// The diagonal of the Hessian.
    Curvature,
}

/// A position during a pass.
pub struct SeenPosition<'a> {
    /// The first record with the position.
    pub sample: &'a Sample,
    /// The labels of the records with the position, of the split only; they count equally,
    /// together as one position.
    pub labels: &'a [Label],
}

impl SeenPosition<'_> {
    /// The mean of a number over the labels.
    #[inline]
    pub fn mean(&self, of: impl Fn(&Label) -> f64) -> f64 {
        self.labels.iter().map(of).sum::<f64>() / self.labels.len() as f64
    }
}

/// The logistic function, 1 / (1 + e^-x).
#[inline]
pub fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The cross-entropy of a prediction in logits against a target between 0 and 1, in nats.
#[inline]
pub fn cross_entropy(logit: f64, target: f64) -> f64 {
    // ln(1 + e^-|x|) does not overflow.
    logit.max(0.0) - target * logit + (-logit.abs()).exp().ln_1p()
}

impl Data<'_> {
    /// All positions of a split.
    pub fn all(&self, split: Split) -> Scope {
        Scope { split, records: 0..self.samples.count(), every: 1 }
    }

    /// The number of positions of both splits together.
    pub fn count_of_both(&self) -> u64 {
        self.distinct.as_ref().map_or_else(|| self.samples.count(), |distinct| distinct.count)
    }

    /// The number of positions of a split.
    ///
    /// # Errors
    /// As [`lanes`](Data::lanes).
    pub fn count(&self, split: Split) -> Result<u64> {
        let lanes = self.lanes(&self.all(split), || 0_u64, |count, _| *count += 1)?;
        Ok(lanes.into_iter().sum())
    }

    /// Runs `each` over the positions of a scope, lane by lane, and returns the lanes' states in
    /// order.
    ///
    /// # Errors
    /// When records cannot be read or are damaged, or the pass was stopped.
    pub fn lanes<S: Send>(
        &self,
        scope: &Scope,
        state: impl Fn() -> S + Sync,
        each: impl Fn(&mut S, &SeenPosition) + Sync,
    ) -> Result<Vec<S>> {
        let (begin, count) =
            (scope.records.start, scope.records.end.saturating_sub(scope.records.start));
        let lane = |lane: u64| {
            let mut state = state();
            let share = |lane: u64| {
                begin + (u128::from(count) * u128::from(lane) / u128::from(LANES)) as u64
            };
            self.lane(scope, share(lane)..share(lane + 1), &mut |seen| each(&mut state, seen))?;
            Ok(state)
        };
        self.threads.map_ordered(LANES as usize, |index| lane(index as u64)).into_iter().collect()
    }

    /// Runs `each` over the positions of a lane, one portion of records after the other.
    ///
    /// # Errors
    /// As [`lanes`](Data::lanes).
    pub(in crate::tune) fn lane(
        &self,
        scope: &Scope,
        records: Range<u64>,
        each: &mut dyn FnMut(&SeenPosition),
    ) -> Result<()> {
        let parts = self.samples.parts();
        let (mut bytes, mut labels) = (Vec::new(), Vec::new());
        let mut sample = Sample::on_board(self.game, self.board)?;
        let mut repetitions: &[Repetition] =
            self.distinct.as_ref().map_or(&[], |distinct| distinct.repetitions_of(&records));
        let step = CHUNK.saturating_mul(scope.every.max(1));
        for first in records.clone().step_by(step as usize) {
            if self.stop.is_set() {
                return Err(Error::interrupted("fit", "stopped early"));
            }
            let size = CHUNK.min(records.end - first);
            self.samples.read(first, size as usize, &mut bytes)?;
            for (index, record) in (first..).zip(bytes.chunks_exact(self.samples.record())) {
                if !self.counts(index, record, scope.split) {
                    continue;
                }
                self.samples.sample(index, record, &mut sample)?;
                let part = parts.partition_point(|&first| first <= index).saturating_sub(1);
                labels.clear();
                labels.push(sample.label(part));
                while let [Repetition { first, label }, rest @ ..] = repetitions
                    && *first <= index
                {
                    if *first == index && self.split_of(label.fold) == scope.split {
                        labels.push(*label);
                    }
                    repetitions = rest;
                }
                each(&SeenPosition { sample: &sample, labels: &labels });
            }
        }
        Ok(())
    }

    /// The divisor of the scores in a part of the records.
    pub(super) fn score_scale(&self, part: u32) -> f64 {
        const UNKNOWN: f64 = 100.0;
        let scale = self.score_scales.get(part as usize).or(self.score_scales.last());
        scale.copied().unwrap_or(UNKNOWN)
    }

    /// Whether a record belongs to a split and is not a repetition.
    #[inline]
    fn counts(&self, index: u64, record: &[u8], split: Split) -> bool {
        // The fold stands in the last two bytes: no need to unpack the position for it.
        let fold = record.len().checked_sub(2).map_or(0, |at| record[at] >> 2) % FOLDS;
        self.split_of(fold) == split
            && self.distinct.as_ref().is_none_or(|distinct| distinct.is_first(index))
    }

    /// Whether the games of a fold are for training or for validation.
    #[inline]
    fn split_of(&self, fold: u8) -> Split {
        if fold < self.validation_folds { Split::Validation } else { Split::Training }
    }

    /// The target of the model at a position, 0 to 1.
    #[inline]
    pub fn target(&self, seen: &SeenPosition) -> f64 {
        seen.mean(|label| self.label_target(label))
    }

    /// The target at a position that is on record once.
    #[inline]
    pub(super) fn label_target(&self, label: &Label) -> f64 {
        let result = f64::from(label.half_points) / 2.0;
        if self.blend == 0.0 {
            return result;
        }
        let score = f64::from(label.score) / self.score_scale(label.part);
        (1.0 - self.blend) * result + self.blend * sigmoid(score)
    }

    /// The derivative of the label's target by 1 / K, the slope of the scores.
    #[inline]
    pub(super) fn target_slope(&self, label: &Label) -> f64 {
        let score = f64::from(label.score);
        let p = sigmoid(score / self.score_scale(label.part));
        self.blend * p * (1.0 - p) * score
    }

    /// The model's prediction for a position at a point, in logits. Fills `row` with the position's
    /// columns.
    #[inline]
    pub fn logit(
        &self,
        columns: &Columns,
        point: &[f64],
        position: &AnyPosition,
        row: &mut Vec<(u32, f64)>,
    ) -> f64 {
        columns.row(position, row);
        let fitted: f64 = row.iter().map(|&(column, value)| point[column as usize] * value).sum();
        match &self.rest {
            Some((evaluator, scale)) => fitted + f64::from(evaluator.evaluate(position)) / scale,
            None => fitted,
        }
    }

    /// The loss of a point over a split, with the wanted derivatives.
    ///
    /// # Errors
    /// As [`lanes`](Data::lanes).
    pub fn pass(
        &self,
        columns: &Columns,
        point: &[f64],
        split: Split,
        wanted: Wanted,
    ) -> Result<Sums> {
        let room = |it: Wanted| vec![0.0; if wanted == it { columns.len() } else { 0 }];
        let fresh = || {
            let (gradient, curvature) = (room(Wanted::Gradient), room(Wanted::Curvature));
            (Sums { gradient, curvature, ..Sums::default() }, Vec::new())
        };
        let lanes = self.lanes(&self.all(split), fresh, |(sums, row), seen| {
            let logit = self.logit(columns, point, &seen.sample.position, row);
            let target = self.target(seen);
            sums.count += 1;
            sums.loss += cross_entropy(logit, target);
            match wanted {
                Wanted::Loss => {}
                Wanted::Gradient => {
                    let error = sigmoid(logit) - target;
                    row.iter().for_each(|&(column, value)| {
                        sums.gradient[column as usize] += error * value
                    });
                }
                Wanted::Curvature => add_squares(&mut sums.curvature, row, logit),
            }
        })?;
        Ok(lanes.into_iter().fold(fresh().0, |mut total, (sums, _)| {
            total.count += sums.count;
            total.loss += sums.loss;
            add(&mut total.gradient, &sums.gradient);
            add(&mut total.curvature, &sums.curvature);
            total
        }))
    }
}

/// Adds a position's part of the diagonal of the Hessian. A column may occur in the row more than
/// once: its entries count together.
fn add_squares(curvature: &mut [f64], row: &mut [(u32, f64)], logit: f64) {
    let p = sigmoid(logit);
    row.sort_unstable_by_key(|&(column, _)| column);
    for same in row.chunk_by(|a, b| a.0 == b.0) {
        let value: f64 = same.iter().map(|&(_, value)| value).sum();
        curvature[same[0].0 as usize] += p * (1.0 - p) * value * value;
    }
}

/// Adds a part of the sums to the total.
pub(super) fn add(total: &mut [f64], part: &[f64]) {
    total.iter_mut().zip(part).for_each(|(total, part)| *total += part);
}
