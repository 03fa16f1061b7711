//! The training of networks.

use crate::games::tictactoe::TicTacToe;
use crate::logistic::drawn_from;
use crate::tuning::game;
use sparring::arena::queue::Threads;
use sparring::error::{ErrorKind, Result};
use sparring::eval::{Evaluator, Game};
use sparring::game::{Board, Notation};
use sparring::games::{Breakthrough, GameId};
use sparring::search::Stop;
use sparring::tune::PositionSource;
use sparring::tune::logistic::samples::InMemory;
use sparring::tune::logistic::{FitError, FitResult};
use sparring::tune::network::{
    NetworkFit, NoCheckpoints, TrainConfig, TrainTask, TrainingMemory, TrainingStep,
};
use sparring::weights::{WeightSet, Weights};
use std::sync::atomic::{AtomicBool, Ordering};

/// More than one block of hidden units, and one that is not full.
const UNITS: usize = 40;

pub(super) fn config() -> TrainConfig {
    TrainConfig {
        units: UNITS,
        epochs: 4,
        step_positions: 128,
        rate: 0.01,
        ..TrainConfig::default()
    }
}

pub(super) fn positions() -> InMemory {
    drawn_from(&[("piece", 0.8), ("advance", 0.1)], 3000, 5)
}

/// Trains a network; `watch` may stop it.
fn train(
    game: GameId,
    samples: &InMemory,
    threads: usize,
    watch: &dyn Fn(TrainingStep, &Stop),
) -> Result<NetworkFit> {
    Ok(train_beside(game, None, samples, threads, watch)?)
}

/// Trains a network beside the weights of a set.
fn train_beside(
    game: GameId,
    beside: Option<&WeightSet>,
    samples: &InMemory,
    threads: usize,
    watch: &dyn Fn(TrainingStep, &Stop),
) -> FitResult<NetworkFit> {
    let (stop, config) = (Stop::default(), config());
    let task = TrainTask {
        game,
        samples,
        board: Board::new(5, 5),
        config: &config,
        beside,
        start: None,
        older: None,
        seed: 3,
        memory: TrainingMemory::default(),
        threads: Threads::new(threads).unwrap(),
        stop: stop.clone(),
    };
    task.run(&mut NoCheckpoints, &|step| watch(step, &stop))
}

#[test]
fn a_training_is_the_same_on_any_number_of_threads() {
    let samples = positions();
    let fits = [1, 2, 3, 7].map(|threads| train(game(), &samples, threads, &|_, _| {}).unwrap());
    for other in &fits[1..] {
        assert_eq!(other.epochs, fits[0].epochs);
        assert_eq!(other.set.to_json(), fits[0].set.to_json());
        assert_eq!(other.loss.to_bits(), fits[0].loss.to_bits());
    }
}

/// Trains with little memory, on positions of which a third are older ones.
fn train_with(memory: TrainingMemory, threads: usize) -> NetworkFit {
    let (samples, older) = (positions(), drawn_from(&[("piece", 0.8), ("advance", 0.1)], 1500, 6));
    let config = config();
    let task = TrainTask {
        game: game(),
        samples: &samples,
        board: Board::new(5, 5),
        config: &config,
        beside: None,
        start: None,
        older: Some(&older),
        seed: 3,
        memory,
        threads: Threads::new(threads).unwrap(),
        stop: Stop::default(),
    };
    task.run(&mut NoCheckpoints, &|_| {}).unwrap()
}

/// The amount kept in memory changes nothing: the rest is read again. With the least memory, a
/// training holds the positions that are shuffled together, and a portion for each thread.
#[test]
fn a_training_with_little_memory_holds_few_positions_and_learns_the_same() {
    let memory = TrainingMemory { portion: 64, shuffled: 512, kept: 0 };
    let little = train_with(memory, 2);
    assert!(little.most_held <= 512 + 64 + 3 * 64, "{}", little.most_held);
    for (kept, threads) in [(0, 1), (0, 7), (700, 3), (1 << 24, 2)] {
        let other = train_with(TrainingMemory { kept, ..memory }, threads);
        assert_eq!(other.set.to_json(), little.set.to_json(), "{kept} {threads}");
        assert!(other.most_held <= kept + 512 + 64 + 64 * (threads as u64 + 1));
    }
    // It learns as well as one that shuffles all positions together.
    let all = train_with(TrainingMemory::default(), 2);
    assert!(all.most_held > 2000, "{}", all.most_held);
    assert!((all.loss - little.loss).abs() < 0.01, "{} {}", all.loss, little.loss);
}

/// The same positions, a quarter of them with the other result, as older ones: they change what is
/// learned, and not the results that the network is judged by.
#[test]
fn older_games_do_not_judge_a_training() {
    let samples = positions();
    let mut older = InMemory { record: samples.record(), bytes: samples.bytes.clone() };
    let records = older.bytes.chunks_exact_mut(samples.record());
    records.step_by(4).for_each(|record| record[record.len() - 2] ^= 2);
    let start = train(game(), &samples, 2, &|_, _| {}).unwrap().set;
    let still = TrainConfig { epochs: 1, rate: 1e-12, blend: Some(0.0), ..config() };
    let fit = |older: Option<&dyn PositionSource>| {
        let task = TrainTask {
            game: game(),
            samples: &samples,
            board: Board::new(5, 5),
            config: &still,
            beside: None,
            start: Some(&start),
            older,
            seed: 3,
            memory: TrainingMemory::default(),
            threads: Threads::new(2).unwrap(),
            stop: Stop::default(),
        };
        task.run(&mut NoCheckpoints, &|_| {}).unwrap()
    };
    let (alone, with) = (fit(None), fit(Some(&older)));
    assert_eq!(with.positions[1], alone.positions[1]);
    assert_eq!(with.loss, alone.loss);
    assert_ne!(with.epochs[0].training, alone.epochs[0].training);
}

/// Positions that change once a training has read them.
struct Changing {
    positions: InMemory,
    have_changed: AtomicBool,
}

impl PositionSource for Changing {
    fn count(&self) -> u64 {
        self.positions.count()
    }

    fn record(&self) -> usize {
        self.positions.record()
    }

    fn paths(&self) -> Vec<String> {
        vec!["folder/changing.pos".into()]
    }

    fn read(&self, first: u64, count: usize, bytes: &mut Vec<u8>) -> Result<()> {
        self.positions.read(first, count, bytes)?;
        if self.have_changed.load(Ordering::Relaxed) {
            // The score of the first one.
            let at = self.record() - 4;
            bytes[at] ^= 1;
        }
        Ok(())
    }
}

#[test]
fn positions_that_change_while_they_are_read_are_refused() {
    let positions = Changing { positions: positions(), have_changed: AtomicBool::new(false) };
    let config = TrainConfig { epochs: 1, ..config() };
    let task = TrainTask {
        game: game(),
        samples: &positions,
        board: Board::new(5, 5),
        config: &config,
        beside: None,
        start: None,
        older: None,
        seed: 3,
        memory: TrainingMemory::default(),
        threads: Threads::new(2).unwrap(),
        stop: Stop::default(),
    };
    let change = |step| {
        let is_over = matches!(step, TrainingStep::Epoch(_));
        positions.have_changed.store(is_over, Ordering::Relaxed);
    };
    let Err(FitError::Failed(error)) = task.run(&mut NoCheckpoints, &change) else {
        panic!("a set of positions that are not on record")
    };
    let error = error.to_string();
    assert!(error.contains("folder/changing.pos: has changed while it was read"), "{error}");
}

#[test]
fn a_training_learns_what_positions_that_it_never_saw_are_worth() {
    let samples = positions();
    let fit = train(game(), &samples, 2, &|_, _| {}).unwrap();
    let losses: Vec<f64> = fit.epochs.iter().map(|epoch| epoch.validation).collect();
    let least = losses.iter().copied().fold(f64::INFINITY, f64::min);
    assert_eq!(losses[fit.best], least);
    assert!(least < losses[0] && least < 0.95 * std::f64::consts::LN_2, "{losses:?}");
    // Whole numbers cost little.
    assert!((fit.loss - least).abs() < 0.002, "{} against {least}", fit.loss);
    let [training, validation] = fit.positions;
    assert!(validation > 0 && training > 5 * validation && training + validation <= 3000);
    assert_eq!(fit.set.network.unwrap().units, UNITS);
}

/// The positions are worth what pieces and their advance make of them. Beside pieces alone a
/// network has the advance to learn, and the sum predicts better than either.
#[test]
fn a_network_beside_weights_learns_what_they_leave() {
    let samples = positions();
    let pieces = sparring::weights::find("piece", "breakthrough").unwrap();
    let fit = |threads| train_beside(game(), Some(&pieces), &samples, threads, &|_, _| {}).unwrap();
    let [one, two] = [1, 2].map(fit);
    assert_eq!(one.set.to_json(), two.set.to_json());
    assert_eq!((&one.set.weights, one.set.scale), (&pieces.weights, pieces.scale));
    assert!(one.set.network.is_some());
    let least = one.epochs.iter().map(|epoch| epoch.validation).fold(f64::INFINITY, f64::min);
    assert!((one.loss - least).abs() < 0.002, "{} against {least}", one.loss);
    let alone = train(game(), &samples, 2, &|_, _| {}).unwrap();
    assert!(one.loss < alone.loss, "{} beside pieces, {} alone", one.loss, alone.loss);
    // The network's value and the value of the pieces are added up before the scale divides.
    let network = WeightSet { weights: Weights::new(), ..one.set.clone() };
    let value = |set: &WeightSet, position: &Breakthrough| {
        Breakthrough::evaluator(set).unwrap().evaluate(position)
    };
    let fens = ["ppppp/p1ppp/5/PPPPP/PPPPP w - - 0 1", "p4/5/2P2/5/P4 b - - 0 1"];
    for position in fens.map(|fen| Breakthrough::from_fen(fen).unwrap()) {
        let parts = value(&network, &position) + value(&pieces, &position);
        assert!((value(&one.set, &position) - parts).abs() <= 1, "{}", position.fen());
    }
}

#[test]
fn weights_that_predict_nothing_are_refused_beside_a_network() {
    let mut nothing = sparring::weights::find("piece", "breakthrough").unwrap();
    nothing.set_one("piece", 0).unwrap();
    let refused = train_beside(game(), Some(&nothing), &positions(), 1, &|_, _| {});
    let Err(FitError::NothingToFit(error)) = refused else { panic!("it was fitted") };
    assert!(error.to_string().contains("train the network alone"), "{error}");
}

#[test]
fn a_training_that_is_stopped_says_so() {
    let samples = positions();
    let stop_at = |step: TrainingStep, stop: &Stop| match step {
        TrainingStep::Positions { epoch: 2, .. } => stop.set(),
        TrainingStep::Epoch(epoch) => assert!(epoch.epoch < 2, "the second epoch was finished"),
        TrainingStep::Positions { .. } | TrainingStep::Restored(_) => {}
    };
    let error = train(game(), &samples, 2, &stop_at).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Interrupted);
}

#[test]
fn games_without_networks_and_too_few_positions_are_refused() {
    let error = train(GameId::of::<TicTacToe>(), &positions(), 1, &|_, _| {}).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Input);
    assert!(error.to_string().contains("has no networks"), "{error}");
    let mut few = positions();
    few.bytes.clear();
    let error = train(game(), &few, 1, &|_, _| {}).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Input);
}
