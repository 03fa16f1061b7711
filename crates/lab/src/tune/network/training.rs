use super::checkpoint::{CheckpointStore, TrainingState};
use super::config::TrainConfig;
use super::model::LearningNetwork;
use super::order::PassOrder;
use super::positions::{CHUNK, Examples, InputReader, examples, units_per_logit};
use super::sources::{JoinedPositions, sources};
use super::whole::{self, SCORE_PER_LOGIT};
use crate::any::AnyEvaluator;
use crate::arena::queue::Threads;
use crate::arena::remote::hex;
use crate::arena::seed::generator;
use crate::error::{Error, Result};
use crate::eval::Symmetry;
use crate::game::Board;
use crate::games::GameId;
use crate::search::Stop;
use crate::tune::logistic::dedup::Dedup;
use crate::tune::logistic::fit_error::{FitError, FitResult};
use crate::tune::logistic::pass::{Data, Scope, Split, cross_entropy, sigmoid};
use crate::tune::logistic::samples::PositionSource;
use crate::tune::logistic::scale::{ScoreScale, score_scales};
use crate::weights::{
    FORMAT_WITH_NETWORK, InputScheme, Network, TrainedOn, WeightSet, Weights, WindowShape,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The stream of the order of an epoch, below the seed.
const ORDER: u64 = 0x4e2;

/// A training about to run.
pub struct TrainTask<'a> {
    /// The game that the positions are of.
    pub game: GameId,
    /// The records of the positions.
    pub samples: &'a dyn PositionSource,
    /// The board that the positions are of.
    pub board: Board,
    /// The settings of the training.
    pub config: &'a TrainConfig,
    /// The set whose single weights and tables stay as they are, and beside which the network is
    /// trained; `None` for a network alone.
    pub beside: Option<&'a WeightSet>,
    /// The set whose network the training begins with; `None` for random numbers.
    pub start: Option<&'a WeightSet>,
    /// Older positions to train on as well, as far as the configuration takes them.
    pub older: Option<&'a dyn PositionSource>,
    /// The seed of the first weights and of the order of the positions.
    pub seed: u64,
    /// The threads that share the work.
    pub threads: Threads,
    /// Ends the training early when it is set.
    pub stop: Stop,
}

/// An epoch that is over.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// An epoch that an earlier process has finished, whose checkpoint the training continues from.
    Restored(Epoch),
}

/// What turns of the board are the same to the game.
///
/// # Errors
/// When it has no networks, or none with such windows.
pub fn check_has_networks(game: GameId, window: WindowShape) -> Result<Symmetry> {
    let place = format!("game `{game}`");
    let symmetry = game.symmetry.ok_or_else(|| {
        Error::input(&place, "has no networks")
            .remedy("fit single weights, with --method logistic or `spar fit`")
    })?;
    game.networks.check_window(window, &place)?;
    Ok(symmetry)
}

/// A training that is done.
pub struct NetworkFit {
    /// The set of the best epoch. Its name is empty.
    pub set: WeightSet,
    /// Training and validation positions, repetitions left out.
    pub positions: [u64; 2],
    /// The scales of the scores of each part of the records.
    pub scales: Vec<ScoreScale>,
    /// The share of the scores in what was learned.
    pub blend: f64,
    /// The units of the set's values in a logit.
    pub units: f64,
    /// The distinct older positions among those for training, and how many of them a pass takes.
    pub older: [u64; 2],
    /// The sources of the positions.
    pub trained_on: Vec<TrainedOn>,
    /// The losses of every epoch.
    pub epochs: Vec<Epoch>,
    /// The place of the best one.
    pub best: usize,
    /// The loss per validation position of the set, in whole numbers as it is.
    pub loss: f64,
}

impl TrainTask<'_> {
    /// Runs the training, from its checkpoint where it has one. It is a function of the positions,
    /// the configuration and the seed: the number of threads changes nothing, nor does going on
    /// from a checkpoint, not even the last bit.
    ///
    /// # Errors
    /// When the configuration is not sound or the game has no networks, there are too few positions
    /// or they are damaged, the checkpoint is damaged or cannot be kept, or the training is stopped.
    pub fn run(
        &self,
        checkpoints: &mut dyn CheckpointStore,
        watch: &dyn Fn(TrainingStep),
    ) -> FitResult<NetworkFit> {
        self.config.check()?;
        let mut reader = self.reader()?;
        let joined = self.older().map(|older| JoinedPositions { newer: self.samples, older });
        let samples = joined.as_ref().map_or(self.samples, |joined| joined as &dyn PositionSource);
        let (data, scales) = self.data(samples)?;
        let beside = self.beside.map(|set| self.game.evaluator(set)).transpose()?;
        let newer_end = self.samples.count();
        let of = |split, records| {
            let scope = Scope { split, records, every: 1 };
            examples(&data, &scope, self.config.window, beside.as_ref())
        };
        let mut training = of(Split::Training, 0..newer_end)?;
        // The newer games judge every training, whatever else it learns from.
        let mut validation = of(Split::Validation, 0..newer_end)?;
        let newer = training.len();
        training.append(&of(Split::Training, newer_end..samples.count())?);
        let order = PassOrder::new(self.config, newer, training.len());
        if training.len().min(validation.len()) == 0 {
            return Err(FitError::NothingToFit(
                Error::input("positions", "too few for a training and a validation part")
                    .remedy("generate more"),
            ));
        }
        let units = match self.beside {
            Some(_) => scale_beside(&mut training, &mut validation)?,
            None => SCORE_PER_LOGIT,
        };
        let digest = self.digest([&training, &validation])?;
        let scheme = self.game.networks;
        let mut model = self.model(scheme);
        reader.kept = reader.shown(&training, model.inputs(), &self.threads);
        model.keep_shown(&reader.kept);
        self.begin_with_start(&mut model, &mut reader, units);
        let mut state = self.restore(checkpoints, &digest, &mut model, watch)?;
        for epoch in state.as_ref().map_or(0, |state| state.epochs.len() as u64)..self.config.epochs
        {
            let epoch = epoch + 1;
            let counted = |seen: u64| {
                watch(TrainingStep::Positions { epoch, seen: [seen, order.len() as u64] });
            };
            let training = self.epoch(&mut model, &reader, (&training, &order), epoch, &counted)?;
            let validation = self.loss(&model, &reader, &validation)?;
            let found = Epoch { epoch, training, validation };
            let network = || self.network(&model, scheme, units);
            match &mut state {
                Some(state) => state.add(found, network),
                None => state = Some(TrainingState::first(&digest, found, network())),
            }
            watch(TrainingStep::Epoch(found));
            if let Some(state) = state.as_mut().filter(|_| epoch < self.config.epochs) {
                checkpoints.keep(&state.checkpoint(&mut model)?)?;
            }
        }
        let TrainingState { epochs, best, network, .. } =
            state.ok_or_else(|| Error::failed("training", "has no epochs"))?;
        let set = self.set(network);
        let loss = set_loss(&data, newer_end, &self.game.evaluator(&set)?, units)?;
        let positions = [training.len() as u64, validation.len() as u64];
        let blend = data.blend;
        let older = [(training.len() - newer) as u64, order.older as u64];
        let trained_on = sources(samples)?;
        Ok(NetworkFit {
            set,
            positions,
            scales,
            blend,
            units,
            older,
            trained_on,
            epochs,
            best,
            loss,
        })
    }

    /// Continues from the checkpoint of this training, if there is one.
    fn restore(
        &self,
        checkpoints: &mut dyn CheckpointStore,
        digest: &str,
        model: &mut LearningNetwork,
        watch: &dyn Fn(TrainingStep),
    ) -> Result<Option<TrainingState>> {
        let Some(bytes) = checkpoints.load()? else { return Ok(None) };
        let state = TrainingState::restore(&bytes, digest, model);
        if let Some(state) = &state {
            state.epochs.iter().for_each(|&epoch| watch(TrainingStep::Restored(epoch)));
        }
        Ok(state)
    }

    /// The older positions, if the configuration takes any.
    fn older(&self) -> Option<&dyn PositionSource> {
        self.older.filter(|_| self.config.older_share != Some(0.0))
    }

    /// Begins with the network of the start, if there is one. What the start knows of inputs that
    /// the positions do not show is kept.
    fn begin_with_start(&self, model: &mut LearningNetwork, reader: &mut InputReader, units: f64) {
        let Some(start) = self.start else { return };
        let Some(network) = &start.network else { return };
        model.begin_with(network, units * f64::from(start.scale));
        let known = network.hidden_weights.chunks_exact(network.units.max(1));
        for (kept, known) in reader.kept.iter_mut().zip(known) {
            *kept |= known.iter().any(|&weight| weight != 0);
        }
    }

    fn reader(&self) -> Result<InputReader> {
        let symmetry = check_has_networks(self.game, self.config.window)?;
        Ok(InputReader { board: self.board, symmetry, kept: Vec::new() })
    }

    /// The distinct positions with their targets, and the scales of their scores.
    fn data<'d>(&self, samples: &'d dyn PositionSource) -> FitResult<(Data<'d>, Vec<ScoreScale>)> {
        let &Self { game, board, ref threads, ref stop, .. } = self;
        let distinct = Dedup { game, samples, board, threads, stop }.distinct()?;
        let mut data = Data {
            game,
            samples,
            board,
            validation_folds: self.config.validation_folds,
            blend: self.config.blend_for(game, distinct.count),
            distinct: Some(distinct),
            score_scales: Vec::new(),
            rest: None,
            threads: threads.clone(),
            stop: stop.clone(),
        };
        let scales = score_scales(&data)?;
        data.score_scales = scales.iter().map(|scale| scale.k).collect();
        Ok((data, scales))
    }

    /// The network before training.
    fn model(&self, scheme: InputScheme) -> LearningNetwork {
        let TrainConfig { window, units, .. } = *self.config;
        let (inputs, shown) = (scheme.inputs(window, self.board), scheme.shown(window, self.board));
        LearningNetwork::new(units, inputs, shown, self.seed)
    }

    /// Goes through all positions once, in random order, each as one of its images; gives the mean
    /// loss.
    fn epoch(
        &self,
        model: &mut LearningNetwork,
        reader: &InputReader,
        (examples, order): (&Examples, &PassOrder),
        epoch: u64,
        watch: &dyn Fn(u64),
    ) -> Result<f64> {
        let mut random = generator(self.seed, &[ORDER, epoch]);
        let order = order.of_epoch(&mut random, self.seed, epoch);
        let images: Vec<u8> =
            order.iter().map(|_| (random.next_u64() % reader.images()) as u8).collect();
        let batch = self.config.step_positions;
        let all_steps = self.config.epochs * order.len().div_ceil(batch) as u64;
        let (mut loss, mut done) = (0.0, 0);
        for (places, images) in order.chunks(batch).zip(images.chunks(batch)) {
            self.check_stop()?;
            let place = |at: usize| (places[at] as usize, u64::from(images[at]));
            let inputs = self.inputs(reader, examples, places.len(), &place);
            let logits = model.logits(&inputs, &self.threads);
            let error = |(&place, logit): (&u32, &f32)| {
                let target = examples.targets[place as usize];
                let (logit, points) = (f64::from(logit + target.beside), f64::from(target.points));
                loss += cross_entropy(logit, points);
                ((sigmoid(logit) - points) / places.len() as f64) as f32
            };
            let errors: Vec<f32> = places.iter().zip(&logits).map(error).collect();
            let progress = model.steps as f64 / all_steps as f64;
            let rate = self.config.rate * 0.5 * (1.0 + (std::f64::consts::PI * progress).cos());
            model.learn(&inputs, &errors, rate, &self.threads);
            done += places.len() as u64;
            watch(done);
        }
        Ok(loss / order.len() as f64)
    }

    /// The mean loss over positions.
    fn loss(
        &self,
        model: &LearningNetwork,
        reader: &InputReader,
        examples: &Examples,
    ) -> Result<f64> {
        let (mut loss, mut first) = (0.0, 0);
        for targets in examples.targets.chunks(self.config.step_positions) {
            self.check_stop()?;
            let inputs = self.inputs(reader, examples, targets.len(), &|at| (first + at, 0));
            let logits = model.logits(&inputs, &self.threads);
            for (logit, target) in logits.iter().zip(targets) {
                let logit = f64::from(logit + target.beside);
                loss += cross_entropy(logit, f64::from(target.points));
            }
            first += targets.len();
        }
        Ok(loss / examples.len() as f64)
    }

    /// The inputs of a number of positions in order, each with its place and its image.
    fn inputs(
        &self,
        reader: &InputReader,
        examples: &Examples,
        count: usize,
        place: &(dyn Fn(usize) -> (usize, u64) + Sync),
    ) -> Vec<u32> {
        let chunk = |index: usize| {
            let mut inputs = Vec::new();
            for at in index * CHUNK..count.min((index + 1) * CHUNK) {
                let (index, image) = place(at);
                inputs.extend(reader.inputs(examples, index, image));
            }
            inputs
        };
        self.threads.map_ordered(count.div_ceil(CHUNK), chunk).concat()
    }

    /// The current network in whole numbers; `units` of its value make a logit.
    fn network(&self, model: &LearningNetwork, scheme: InputScheme, units: f64) -> Network {
        let (blocks, output_bias) = model.parts();
        // The network is a summand before the scale divides the sum.
        let scale_beside = self.beside.map_or(1, |set| set.scale);
        whole::network(&blocks, output_bias, self.config, scheme, units * f64::from(scale_beside))
    }

    /// A network as a set, with the weights beside it.
    fn set(&self, network: Network) -> WeightSet {
        let (scale, weights) = match self.beside {
            Some(set) => (set.scale, set.weights.clone()),
            None => (1, Weights::new()),
        };
        WeightSet {
            format: FORMAT_WITH_NETWORK,
            game: self.game.name.into(),
            board: Some(self.board.to_string()),
            name: String::new(),
            description: String::new(),
            scale,
            weights,
            network: Some(network),
            search: None,
            provenance: None,
        }
    }

    /// A digest of all that decides the training.
    fn digest(&self, positions: [&Examples; 2]) -> Result<String> {
        let config =
            serde_json::to_string(self.config).map_err(|e| Error::failed("settings", e))?;
        let beside = self.beside.map_or(String::new(), WeightSet::fingerprint);
        let start = self.start.map_or(String::new(), |set| format!(" {}", set.fingerprint()));
        let mut hasher = Sha256::new();
        hasher
            .update(format!("{} {} {} {beside} {config}{start}", self.game, self.board, self.seed));
        for split in positions {
            hasher.update((split.len() as u64).to_le_bytes());
            (0..split.len()).for_each(|index| hasher.update(split.bytes(index)));
        }
        Ok(hex(&hasher.finalize()))
    }

    fn check_stop(&self) -> Result<()> {
        if self.stop.is_set() {
            return Err(Error::interrupted("training", "stopped early"));
        }
        Ok(())
    }
}

/// Makes logits of the values under the weights beside the network; gives the units of a logit.
fn scale_beside(training: &mut Examples, validation: &mut Examples) -> FitResult<f64> {
    let units = units_per_logit(&training.targets).ok_or_else(|| {
        FitError::NothingToFit(
            Error::input(
                "weights beside the network",
                "they do not foretell the positions' scores",
            )
            .remedy("train the network alone, or beside other weights"),
        )
    })?;
    for target in training.targets.iter_mut().chain(&mut validation.targets) {
        target.beside /= units as f32;
    }
    Ok(units)
}

/// The mean loss of a set over the validation positions among the first `records` records; `units` of its values make a logit.
fn set_loss(data: &Data, records: u64, evaluator: &AnyEvaluator, units: f64) -> Result<f64> {
    let lanes = data.lanes(
        &Scope { split: Split::Validation, records: 0..records, every: 1 },
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
