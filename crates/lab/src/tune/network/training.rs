use super::checkpoint::{CheckpointStore, TrainingState};
use super::config::TrainConfig;
use super::epoch::Trainer;
use super::model::{InputCounts, LearningNetwork};
use super::order::PassOrder;
use super::portions::{Portions, Survey, TrainingMemory};
use super::positions::{InputReader, LearningTarget, units_per_logit};
use super::sources::{JoinedPositions, check_unchanged, sources};
use super::whole::{self, SCORE_PER_LOGIT};
use crate::any::AnyEvaluator;
use crate::arena::queue::Threads;
use crate::arena::remote::hex;
use crate::error::{Error, Result};
use crate::eval::Symmetry;
use crate::game::Board;
use crate::games::GameId;
use crate::search::Stop;
use crate::tune::logistic::dedup::{Dedup, Repetition};
use crate::tune::logistic::fit_error::{FitError, FitResult};
use crate::tune::logistic::pass::{Data, Scope, Split, cross_entropy};
use crate::tune::logistic::samples::PositionSource;
use crate::tune::logistic::scale::{ScoreScale, score_scales};
use crate::weights::{FORMAT_WITH_NETWORK, Network, TrainedOn, WeightSet, Weights, WindowShape};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

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
    /// How many positions are in memory at once.
    pub memory: TrainingMemory,
    /// The threads.
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
    /// The most positions that were in memory at once.
    pub most_held: u64,
}

impl TrainTask<'_> {
    /// Runs the training, from its checkpoint where it has one. It is a function of the positions,
    /// the configuration and the seed: the number of threads changes nothing, nor does going on
    /// from a checkpoint, not even the last bit.
    ///
    /// # Errors
    /// When the configuration is not sound or the game has no networks, there are too few positions
    /// or they are damaged or change while they are read, the checkpoint is damaged or cannot be kept,
    /// or the training is stopped.
    pub fn run(
        &self,
        checkpoints: &mut dyn CheckpointStore,
        watch: &dyn Fn(TrainingStep),
    ) -> FitResult<NetworkFit> {
        self.config.check()?;
        let mut reader = self.reader()?;
        let joined = self.older().map(|older| JoinedPositions { newer: self.samples, older });
        let samples = joined.as_ref().map_or(self.samples, |joined| joined as &dyn PositionSource);
        let trained_on = sources(samples)?;
        let (data, scales) = self.data(samples)?;
        let beside = self.beside.map(|set| self.game.evaluator(set)).transpose()?;
        let newer_end = self.samples.count();
        let counts = self.inputs();
        let (window, looks) = (self.config.window, (&reader, counts.inputs));
        let (portions, survey) =
            Portions::new(&data, window, beside.as_ref(), newer_end, self.memory, looks)?;
        let (training, newer) = portions.training_counts();
        let positions = [training.iter().sum(), portions.validation_count()];
        if positions.contains(&0) {
            return Err(FitError::NothingToFit(
                Error::input("positions", "too few for a training and a validation part")
                    .remedy("generate more"),
            ));
        }
        let order =
            PassOrder::new(self.config, (&training, newer), self.memory.shuffled, self.seed);
        let older = [training[newer..].iter().sum(), order.older_in_pass].map(|n| n as u64);
        let units = match self.beside {
            Some(_) => scale_beside(&survey.targets)?,
            None => SCORE_PER_LOGIT,
        };
        let digest = self.digest(&survey)?;
        let mut model = LearningNetwork::new(self.config.units, counts, self.seed);
        reader.kept = reader.kept_of(&survey.shown, positions[0]);
        model.keep_shown(&reader.kept);
        self.begin_with_start(&mut model, &mut reader, units);
        let trainer =
            Trainer { task: self, portions, reader, order, per_unit: (1.0 / units) as f32 };
        let state = self.epochs(&trainer, &mut model, (checkpoints, &digest), units, watch)?;
        let TrainingState { epochs, best, network, .. } = state;
        let set = self.set(network);
        let loss = set_loss(&data, newer_end, &self.game.evaluator(&set)?, units)?;
        check_unchanged(samples, &trained_on)?;
        Ok(NetworkFit {
            set,
            positions: positions.map(|count| count as u64),
            scales,
            blend: data.blend,
            units,
            older,
            trained_on,
            epochs,
            best,
            loss,
            most_held: trainer.portions.most_held(),
        })
    }

    /// Runs the epochs that are left; gives the state after the last one.
    fn epochs(
        &self,
        trainer: &Trainer,
        model: &mut LearningNetwork,
        (checkpoints, digest): (&mut dyn CheckpointStore, &str),
        units: f64,
        watch: &dyn Fn(TrainingStep),
    ) -> Result<TrainingState> {
        let mut state = self.restore(checkpoints, digest, model, watch)?;
        let done = state.as_ref().map_or(0, |state| state.epochs.len() as u64);
        for epoch in done + 1..=self.config.epochs {
            let training = trainer.epoch(model, epoch, watch)?;
            let validation = trainer.validation_loss(model)?;
            let found = Epoch { epoch, training, validation };
            let network = || self.network(model, units);
            match &mut state {
                Some(state) => state.add(found, network),
                None => state = Some(TrainingState::first(digest, found, network())),
            }
            watch(TrainingStep::Epoch(found));
            if let Some(state) = state.as_mut().filter(|_| epoch < self.config.epochs) {
                checkpoints.keep(&state.checkpoint(model)?)?;
            }
        }
        state.ok_or_else(|| Error::failed("training", "has no epochs"))
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
        match &state {
            Some(state) => {
                state.epochs.iter().for_each(|&epoch| watch(TrainingStep::Restored(epoch)));
            }
            None => checkpoints.check_replaceable()?,
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
        let mut distinct = Dedup { game, samples, board, threads, stop }.distinct()?;
        // The older games of the validation folds take no part.
        let newer = self.samples.parts().len() as u32;
        distinct.repetitions.retain(|Repetition { label, .. }| {
            label.part < newer || label.fold >= self.config.validation_folds
        });
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

    /// The inputs of the network.
    fn inputs(&self) -> InputCounts {
        let (scheme, window) = (self.game.networks, self.config.window);
        InputCounts {
            inputs: scheme.inputs(window, self.board),
            shown: scheme.shown(window, self.board),
            patterns: scheme.patterns(window),
        }
    }

    /// The current network in whole numbers; `units` of its value make a logit.
    fn network(&self, model: &LearningNetwork, units: f64) -> Network {
        let (blocks, output_bias) = model.parts();
        // The network is a summand before the scale divides the sum.
        let scale_beside = self.beside.map_or(1, |set| set.scale);
        let units = units * f64::from(scale_beside);
        whole::network(blocks, output_bias, self.config, self.game.networks, units)
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
    fn digest(&self, survey: &Survey) -> Result<String> {
        let config =
            serde_json::to_string(self.config).map_err(|e| Error::failed("settings", e))?;
        let beside = self.beside.map_or(String::new(), WeightSet::fingerprint);
        let start = self.start.map_or(String::new(), |set| format!(" {}", set.fingerprint()));
        let TrainingMemory { portion, shuffled, .. } = self.memory;
        let order = format!("{portion} {shuffled}");
        let mut hasher = Sha256::new();
        hasher.update(format!(
            "{} {} {} {beside} {config}{start} {order}",
            self.game, self.board, self.seed
        ));
        hasher.update(&survey.digest);
        Ok(hex(&hasher.finalize()))
    }

    pub(super) fn check_stop(&self) -> Result<()> {
        if self.stop.is_set() {
            return Err(Error::interrupted("training", "stopped early"));
        }
        Ok(())
    }
}

/// The units of a logit of the weights beside the network.
fn scale_beside(targets: &[LearningTarget]) -> FitResult<f64> {
    units_per_logit(targets).ok_or_else(|| {
        FitError::NothingToFit(
            Error::input("weights beside the network", "they do not predict the positions' scores")
                .remedy("train the network alone, or beside other weights"),
        )
    })
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
