//! The training itself.

use super::block::{AdamStep, LANES, LearningBlock, Parameters};
use super::config::TrainConfig;
use super::positions::{InputReader, TrainingExample, targets, units_per_logit};
use super::whole::{self, SCORE_PER_LOGIT};
use crate::arena::queue::Threads;
use crate::arena::seed::generator;
use crate::error::{Error, Result};
use crate::eval::{Evaluator, Game, Symmetry, network_inputs};
use crate::game::Board;
use crate::game::openings::below;
use crate::search::Stop;
use crate::tune::logistic::dedup::Dedup;
use crate::tune::logistic::pass::{Data, Split, cross_entropy, sigmoid};
use crate::tune::logistic::samples::PositionSource;
use crate::tune::logistic::scale::{ScoreScale, score_scales};
use crate::weights::{FORMAT_WITH_NETWORK, WeightSet, Weights};
use serde::{Deserialize, Serialize};
use std::sync::{Mutex, PoisonError};

/// The streams below the seed: the first weights, and the order of an epoch.
const FIRST_WEIGHTS: u64 = 0x4e1;
const ORDER: u64 = 0x4e2;
/// Positions whose inputs a thread reads at once.
const CHUNK: usize = 512;

/// A training about to run.
pub struct TrainTask<'a> {
    /// The positions.
    pub samples: &'a dyn PositionSource,
    /// Their board.
    pub board: Board,
    /// What decides it.
    pub config: &'a TrainConfig,
    /// The set whose single weights and tables stay as they are, and beside which the network is
    /// trained; `None` for a network alone.
    pub beside: Option<&'a WeightSet>,
    /// The seed of the first weights and of the order of the positions.
    pub seed: u64,
    /// The threads.
    pub threads: Threads,
    /// Ends it early.
    pub stop: Stop,
}

/// An epoch that is over.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Epoch {
    /// Its number, from 1.
    pub epoch: u64,
    /// The loss per training position, in nats, as the weights were when it was met.
    pub training: f64,
    /// The loss per validation position at the end of the epoch, in nats.
    pub validation: f64,
}

/// How far a training has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TrainingStep {
    /// An epoch has seen some of all positions that it is to see.
    Positions {
        /// Its number, from 1.
        epoch: u64,
        /// The positions seen, and all.
        seen: [u64; 2],
    },
    /// An epoch is over.
    Epoch(Epoch),
}

/// What turns of the board are the same to the game.
///
/// # Errors
/// When it has no networks.
pub fn check_has_networks<G: Game>() -> Result<Symmetry> {
    G::SYMMETRY.ok_or_else(|| {
        Error::input(format!("game `{}`", G::GAME), "has no networks")
            .remedy("fit single weights, with --method logistic or `spar fit`")
    })
}

/// A training that is done.
pub struct NetworkFit {
    /// The set of the best epoch. Its name is empty.
    pub set: WeightSet,
    /// Training and validation positions, repetitions left out.
    pub positions: [u64; 2],
    /// The scales of the scores of each part of the records.
    pub scales: Vec<ScoreScale>,
    /// The units of the set's values in a logit.
    pub units: f64,
    /// All epochs.
    pub epochs: Vec<Epoch>,
    /// The place of the best one.
    pub best: usize,
    /// The loss per validation position of the set, in whole numbers as it is.
    pub loss: f64,
}

/// The network during training.
struct LearningNetwork {
    blocks: Vec<Mutex<LearningBlock>>,
    output_bias: Parameters,
    windows: usize,
    steps: u64,
}

impl TrainTask<'_> {
    /// Runs the training. It is a function of the positions, the configuration and the seed: the
    /// number of threads changes nothing, not even the last bit.
    ///
    /// # Errors
    /// When the configuration is not sound or the game has no networks, there are too few positions
    /// or they are damaged, or the training is stopped.
    pub fn run<G: Game>(&self, watch: &dyn Fn(TrainingStep)) -> Result<NetworkFit> {
        self.config.check()?;
        let reader = self.reader::<G>()?;
        let (data, scales) = self.data::<G>()?;
        let beside = self.beside.map(G::evaluator).transpose()?;
        let of_split = |split| targets(&data, split, beside.as_ref());
        let (mut training, mut validation) =
            (of_split(Split::Training)?, of_split(Split::Validation)?);
        if training.is_empty() || validation.is_empty() {
            return Err(Error::input("positions", "too few for a training and a validation part")
                .remedy("generate more"));
        }
        let units = match self.beside {
            Some(_) => scale_beside(&mut training, &mut validation)?,
            None => SCORE_PER_LOGIT,
        };
        let mut model = self.model();
        let (mut epochs, mut best): (Vec<Epoch>, Option<(usize, WeightSet)>) = (Vec::new(), None);
        for epoch in 1..=self.config.epochs {
            let counted = |seen: u64| {
                watch(TrainingStep::Positions { epoch, seen: [seen, training.len() as u64] });
            };
            let training = self.epoch(&mut model, &reader, &training, epoch, &counted)?;
            let validation = self.loss(&mut model, &reader, &validation)?;
            let found = Epoch { epoch, training, validation };
            let is_better =
                best.as_ref().is_none_or(|&(best, _)| validation < epochs[best].validation);
            epochs.push(found);
            if is_better {
                best = Some((epochs.len() - 1, self.set::<G>(&model, units)));
            }
            watch(TrainingStep::Epoch(found));
        }
        let (best, set) = best.ok_or_else(|| Error::failed("training", "no epoch has a loss"))?;
        let loss = set_loss(&data, &G::evaluator(&set)?, units)?;
        let positions = [training.len() as u64, validation.len() as u64];
        Ok(NetworkFit { set, positions, scales, units, epochs, best, loss })
    }

    fn reader<G: Game>(&self) -> Result<InputReader> {
        let symmetry = check_has_networks::<G>()?;
        Ok(InputReader { board: self.board, symmetry, read: network_inputs(self.config.window) })
    }

    /// The distinct positions with their targets, and the scales of their scores.
    fn data<G: Game>(&self) -> Result<(Data<'_, G>, Vec<ScoreScale>)> {
        let Self { samples, board, threads, stop, .. } = self;
        let distinct = Dedup { samples: *samples, board: *board, threads, stop }.distinct::<G>()?;
        let mut data = Data::<G> {
            samples: self.samples,
            board: self.board,
            validation_folds: self.config.validation_folds,
            blend: self.config.blend,
            distinct: Some(distinct),
            score_scales: Vec::new(),
            rest: None,
            threads: self.threads.clone(),
            stop: self.stop.clone(),
        };
        let scales = score_scales(&data)?;
        data.score_scales = scales.iter().map(|scale| scale.k).collect();
        Ok((data, scales))
    }

    /// The network before training.
    fn model(&self) -> LearningNetwork {
        let TrainConfig { window, units, .. } = *self.config;
        let (cols, rows) = (self.board.cols(), self.board.rows());
        let (down, across) = window.places(cols, rows);
        let inputs = window.inputs(cols, rows);
        let block = |index: usize| {
            let mut generator = generator(self.seed, &[FIRST_WEIGHTS, index as u64]);
            let mut block = LearningBlock::random(inputs, down * across, units, &mut generator);
            block.cut(units - index * LANES);
            Mutex::new(block)
        };
        LearningNetwork {
            blocks: (0..units.div_ceil(LANES)).map(block).collect(),
            output_bias: Parameters::new(vec![0.0]),
            windows: down * across,
            steps: 0,
        }
    }

    /// Goes through all positions once, in random order, each as one of its images; gives the mean
    /// loss.
    fn epoch(
        &self,
        model: &mut LearningNetwork,
        reader: &InputReader,
        targets: &[TrainingExample],
        epoch: u64,
        watch: &dyn Fn(u64),
    ) -> Result<f64> {
        let mut random = generator(self.seed, &[ORDER, epoch]);
        let mut order: Vec<u32> = (0..targets.len() as u32).collect();
        for last in (1..order.len()).rev() {
            order.swap(last, below(&mut random, last as u64 + 1) as usize);
        }
        let images: Vec<u8> =
            order.iter().map(|_| (random.next_u64() % reader.images()) as u8).collect();
        let batch = self.config.step_positions;
        let all_steps = self.config.epochs * order.len().div_ceil(batch) as u64;
        let (mut loss, mut done) = (0.0, 0);
        for (places, images) in order.chunks(batch).zip(images.chunks(batch)) {
            self.check_stop()?;
            let position = |at: usize| (&targets[places[at] as usize], u64::from(images[at]));
            let inputs = self.inputs(reader, places.len(), &position);
            let logits = self.logits(model, &inputs);
            let errors: Vec<f32> = (0..places.len())
                .map(|at| {
                    let example = position(at).0;
                    let logit = f64::from(logits[at] + example.beside);
                    let target = f64::from(example.points);
                    loss += cross_entropy(logit, target);
                    ((sigmoid(logit) - target) / places.len() as f64) as f32
                })
                .collect();
            let progress = model.steps as f64 / all_steps as f64;
            let rate = self.config.rate * 0.5 * (1.0 + (std::f64::consts::PI * progress).cos());
            self.learn(model, &inputs, &errors, rate);
            done += places.len() as u64;
            watch(done);
        }
        Ok(loss / targets.len() as f64)
    }

    /// The mean loss over positions.
    fn loss(
        &self,
        model: &mut LearningNetwork,
        reader: &InputReader,
        targets: &[TrainingExample],
    ) -> Result<f64> {
        let mut loss = 0.0;
        for targets in targets.chunks(self.config.step_positions) {
            self.check_stop()?;
            let inputs = self.inputs(reader, targets.len(), &|at| (&targets[at], 0));
            let logits = self.logits(model, &inputs);
            for (logit, example) in logits.iter().zip(targets) {
                let logit = f64::from(logit + example.beside);
                loss += cross_entropy(logit, f64::from(example.points));
            }
        }
        Ok(loss / targets.len() as f64)
    }

    /// The inputs of positions, one after the other.
    fn inputs<'t>(
        &self,
        reader: &InputReader,
        count: usize,
        position: &(dyn Fn(usize) -> (&'t TrainingExample, u64) + Sync),
    ) -> Vec<u32> {
        let chunk = |index: usize| {
            let mut inputs = Vec::new();
            for at in index * CHUNK..count.min((index + 1) * CHUNK) {
                let (target, image) = position(at);
                inputs.extend(reader.inputs(target, image));
            }
            inputs
        };
        self.threads.map_ordered(count.div_ceil(CHUNK), chunk).concat()
    }

    /// The network's logits of positions.
    fn logits(&self, model: &LearningNetwork, inputs: &[u32]) -> Vec<f32> {
        let part = |index: usize| locked(&model.blocks[index]).forward(inputs, model.windows);
        let parts = self.threads.map_ordered(model.blocks.len(), part);
        let bias = model.output_bias.values[0];
        let logit = |at: usize| parts.iter().fold(bias, |logit, part| logit + part[at]);
        (0..inputs.len() / model.windows.max(1)).map(logit).collect()
    }

    /// Takes a step against the errors of the logits.
    fn learn(&self, model: &mut LearningNetwork, inputs: &[u32], errors: &[f32], rate: f64) {
        model.steps += 1;
        let step = AdamStep::new(model.steps, rate);
        let LearningNetwork { blocks, windows, output_bias, .. } = model;
        let learn = |index: usize| {
            locked(&blocks[index]).backward(inputs, *windows, errors, step);
        };
        self.threads.map_ordered(blocks.len(), learn);
        output_bias.gradient[0] = errors.iter().sum();
        output_bias.step(step, f32::MAX);
    }

    /// The network as it is, as a set in whose values so many units make a logit.
    fn set<G: Game>(&self, model: &LearningNetwork, units: f64) -> WeightSet {
        let blocks: Vec<LearningBlock> =
            model.blocks.iter().map(|block| locked(block).clone()).collect();
        let output_bias = f64::from(model.output_bias.values[0]);
        let (scale, weights) = match self.beside {
            Some(set) => (set.scale, set.weights.clone()),
            None => (1, Weights::new()),
        };
        // The network is a summand before the scale divides the sum.
        let units = units * f64::from(scale);
        WeightSet {
            format: FORMAT_WITH_NETWORK,
            game: G::GAME.into(),
            board: Some(self.board.to_string()),
            name: String::new(),
            description: String::new(),
            scale,
            weights,
            network: Some(whole::network(&blocks, output_bias, self.config, units)),
            search: None,
            provenance: None,
        }
    }

    fn check_stop(&self) -> Result<()> {
        if self.stop.is_set() {
            return Err(Error::interrupted("training", "stopped early"));
        }
        Ok(())
    }
}

/// Makes logits of the values under the weights beside the network; gives the units of a logit.
fn scale_beside(
    training: &mut [TrainingExample],
    validation: &mut [TrainingExample],
) -> Result<f64> {
    let units = units_per_logit(training).ok_or_else(|| {
        Error::input("weights beside the network", "they do not foretell the positions' scores")
            .remedy("train the network alone, or beside other weights")
            .for_good()
    })?;
    for example in training.iter_mut().chain(validation) {
        example.beside /= units as f32;
    }
    Ok(units)
}

/// The mean loss of a set over the validation positions; so many units of its values make a logit.
fn set_loss<G: Game>(data: &Data<G>, evaluator: &G::Evaluator, units: f64) -> Result<f64> {
    let lanes = data.lanes(
        &data.all(Split::Validation),
        || (0.0, 0_u64),
        |(loss, count), seen| {
            let value = f64::from(evaluator.evaluate(&seen.sample.position));
            *loss += cross_entropy(value / units, data.target(seen));
            *count += 1;
        },
    )?;
    let (loss, count) = lanes.iter().fold((0.0, 0), |sum, lane| (sum.0 + lane.0, sum.1 + lane.1));
    Ok(loss / (count.max(1)) as f64)
}

fn locked(block: &Mutex<LearningBlock>) -> std::sync::MutexGuard<'_, LearningBlock> {
    block.lock().unwrap_or_else(PoisonError::into_inner)
}
