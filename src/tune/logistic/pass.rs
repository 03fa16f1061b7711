//! One pass over the positions: the cross-entropy of the model and its gradient, by all threads.
//!
//! The records are cut into a fixed number of lanes, each summed up in order by whichever thread is free, and the
//! lanes are added in order: the sums do not depend on the number of threads.

use super::columns::Columns;
use super::samples::{FOLDS, Sample, Samples};
use crate::arena::queue::Threads;
use crate::error::{Error, Result};
use crate::eval::{Evaluated, Evaluator};
use crate::game::Board;
use crate::search::Stop;

/// Into how many parts the records are cut: more than any machine here has threads, few enough to hold a gradient each.
const LANES: u64 = 16;
/// Records read at once.
const CHUNK: u64 = 8192;

/// Which positions a pass looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// Those that weights are fitted to.
    Training,
    /// Those of other games, which judge the fit.
    Validation,
}

/// The positions of a fit and what the model is to say of them.
pub struct Data<'a, P: Evaluated> {
    /// The records.
    pub samples: &'a dyn Samples,
    /// Their board.
    pub board: Board,
    /// One bit for each record that counts; all do without.
    pub keep: Option<Vec<u64>>,
    /// Games of folds below this are for validation.
    pub validation_folds: u8,
    /// The share of the search's score in what the model is to say; the rest is the game's result.
    pub blend: f64,
    /// What a score in percent of a piece's worth is divided by to become a logit.
    pub score_scale: f64,
    /// What the weights that are not fitted add, and what divides it to become a logit.
    pub rest: Option<(P::Evaluator, f64)>,
    /// Who works.
    pub threads: Threads,
    /// Ends a pass early.
    pub stop: Stop,
}

/// What a pass comes to.
#[derive(Clone, Debug, Default)]
pub struct Sums {
    /// Positions looked at.
    pub count: u64,
    /// Their cross-entropy, in nats.
    pub loss: f64,
    /// The derivatives of the loss by column, where asked for.
    pub gradient: Vec<f64>,
    /// The sums of squares of the columns, weighted by p (1 - p): the diagonal of the Hessian, where asked for.
    pub curvature: Vec<f64>,
}

/// What a pass computes beside the loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Nothing.
    Loss,
    /// The gradient.
    Gradient,
    /// The diagonal of the Hessian.
    Curvature,
}

/// The logistic function.
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

impl<P: Evaluated> Data<'_, P> {
    /// Runs `each` over the samples of a split, lane by lane, and gives the lanes' states in order.
    ///
    /// # Errors
    /// When records cannot be read, or the pass was stopped.
    pub fn lanes<S: Send>(
        &self,
        split: Split,
        state: impl Fn() -> S + Sync,
        each: impl Fn(&mut S, &Sample<P>) + Sync,
    ) -> Result<Vec<S>> {
        let count = self.samples.count();
        let lane = |lane: u64| -> Result<S> {
            let (mut first, end) = (count * lane / LANES, count * (lane + 1) / LANES);
            let (mut state, mut bytes) = (state(), Vec::new());
            while first < end {
                if self.stop.is_set() {
                    return Err(Error::interrupted("fit", "stopped early"));
                }
                let size = CHUNK.min(end - first);
                self.samples.read(first, size as usize, &mut bytes)?;
                for (index, record) in (first..).zip(bytes.chunks_exact(self.samples.record())) {
                    if !self.counts(index, record, split) {
                        continue;
                    }
                    let sample = Sample::read(self.board, record)
                        .map_err(|e| e.within(format!("positions, record {index}")))?;
                    each(&mut state, &sample);
                }
                first += size;
            }
            Ok(state)
        };
        self.threads.map_ordered(LANES as usize, |index| lane(index as u64)).into_iter().collect()
    }

    /// Whether a record belongs to a split and is no repetition.
    #[inline]
    fn counts(&self, index: u64, record: &[u8], split: Split) -> bool {
        // The fold stands in the last two bytes: no need to unpack the position for it.
        let fold = record.len().checked_sub(2).map_or(0, |at| record[at] >> 2) % FOLDS;
        let wanted = (fold < self.validation_folds) == (split == Split::Validation);
        wanted && self.keep.as_ref().is_none_or(|bits| bits[(index / 64) as usize] >> (index % 64) & 1 == 1)
    }

    /// What the model is to say of a sample.
    #[inline]
    pub fn target(&self, sample: &Sample<P>) -> f64 {
        let result = f64::from(sample.half_points) / 2.0;
        if self.blend == 0.0 {
            return result;
        }
        (1.0 - self.blend) * result + self.blend * sigmoid(f64::from(sample.score) / self.score_scale)
    }

    /// The loss of a point over a split, and what else is wanted.
    ///
    /// # Errors
    /// As [`lanes`](Data::lanes).
    pub fn pass(&self, columns: &Columns, point: &[f64], split: Split, wanted: Wanted) -> Result<Sums> {
        let room = |it: Wanted| vec![0.0; if wanted == it { columns.len() } else { 0 }];
        let fresh = || {
            let sums = Sums {
                gradient: room(Wanted::Gradient),
                curvature: room(Wanted::Curvature),
                ..Sums::default()
            };
            (sums, Vec::new())
        };
        let lanes = self.lanes(split, fresh, |(sums, row), sample| {
            columns.row(&sample.position, row);
            let mut logit: f64 = row.iter().map(|&(column, value)| point[column as usize] * value).sum();
            if let Some((evaluator, scale)) = &self.rest {
                logit += f64::from(evaluator.evaluate(&sample.position)) / scale;
            }
            let target = self.target(sample);
            sums.count += 1;
            sums.loss += cross_entropy(logit, target);
            match wanted {
                Wanted::Loss => {}
                Wanted::Gradient => {
                    let error = sigmoid(logit) - target;
                    row.iter().for_each(|&(column, value)| sums.gradient[column as usize] += error * value);
                }
                Wanted::Curvature => {
                    let p = sigmoid(logit);
                    let weight = p * (1.0 - p);
                    row.iter().for_each(|&(column, value)| {
                        sums.curvature[column as usize] += weight * value * value;
                    });
                }
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

fn add(total: &mut [f64], part: &[f64]) {
    total.iter_mut().zip(part).for_each(|(total, part)| *total += part);
}
