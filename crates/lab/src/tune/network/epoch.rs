//! An epoch of a training: all positions once, in random order, each as one of its images.

use super::model::{LearningNetwork, StepSettings};
use super::order::{PassOrder, PassPlace};
use super::portions::Portions;
use super::positions::{Examples, InputReader};
use super::shard::Seen;
use super::training::{TrainTask, TrainingStep};
use crate::error::Result;
use std::sync::Arc;

/// The positions between two checks for a stop.
const POSITIONS_AT_ONCE: usize = 1 << 15;

/// A training whose positions are known.
pub(super) struct Trainer<'a> {
    pub(super) task: &'a TrainTask<'a>,
    pub(super) portions: Portions<'a>,
    pub(super) reader: InputReader,
    pub(super) order: PassOrder,
    /// The logits of a unit of the value beside the network.
    pub(super) per_unit: f32,
}

impl Trainer<'_> {
    /// Goes through all positions once. Returns the mean loss, in nats.
    ///
    /// # Errors
    /// When positions cannot be read, or the training is stopped.
    pub(super) fn epoch(
        &self,
        model: &mut LearningNetwork,
        epoch: u64,
        watch: &dyn Fn(TrainingStep),
    ) -> Result<f64> {
        let (threads, all) = (&self.task.threads, self.order.len());
        let batch = self.batch();
        let steps = POSITIONS_AT_ONCE.div_ceil(batch);
        let (mut loss, mut done) = (0.0, 0);
        for picks in self.order.buffers(epoch) {
            self.task.check_stop()?;
            let examples = self.portions.training(&picks, threads)?;
            let places = self.order.places(&picks, epoch, self.reader.images(), threads);
            for places in places.chunks(batch * steps) {
                self.task.check_stop()?;
                let begun = (epoch - 1) as usize * all + done;
                loss += threads.within(|| self.steps(model, &examples, places, begun));
                done += places.len();
                let seen = [done, all].map(|count| count as u64);
                watch(TrainingStep::Positions { epoch, seen });
            }
        }
        Ok(loss / all as f64)
    }

    /// Takes a step for each batch of these positions, `begun` positions after the beginning of the
    /// training. Returns the summed losses.
    fn steps(
        &self,
        model: &mut LearningNetwork,
        examples: &[Arc<Examples>],
        places: &[PassPlace],
        begun: usize,
    ) -> f64 {
        let (config, batch) = (self.task.config, self.batch());
        let all = config.epochs as f64 * self.order.len() as f64;
        let step = |(number, places): (usize, &[PassPlace])| {
            let progress = (begun + number * batch) as f64 / all;
            let rate = config.rate * 0.5 * (1.0 + (std::f64::consts::PI * progress).cos());
            let settings = StepSettings { rate, batch, per_unit: self.per_unit };
            let seen = |at: usize| {
                let place = places[at];
                Seen {
                    examples: &examples[place.portion()],
                    index: place.index(),
                    image: place.image(),
                }
            };
            model.learn(places.len(), seen, &self.reader, settings, &self.task.threads)
        };
        places.chunks(batch).enumerate().map(step).sum()
    }

    /// The positions of a batch.
    fn batch(&self) -> usize {
        self.task.config.step_positions.min(self.order.len()).max(1)
    }

    /// The mean loss over the validation positions.
    ///
    /// # Errors
    /// When positions cannot be read, or the training is stopped.
    pub(super) fn validation_loss(&self, model: &LearningNetwork) -> Result<f64> {
        self.task.check_stop()?;
        let portions = self.portions.with_validation();
        let loss = |at: usize| {
            let examples = self.portions.validation(portions[at])?;
            let seen =
                (0..examples.len()).map(|index| Seen { examples: &examples, index, image: 0 });
            Ok(model.loss(&self.reader, seen, self.per_unit))
        };
        let losses = self.task.threads.map_ordered(portions.len(), loss);
        let sum = losses.into_iter().sum::<Result<f64>>()?;
        Ok(sum / self.portions.validation_count() as f64)
    }
}
