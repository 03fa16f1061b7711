//! The training of networks.

use crate::logistic::drawn_from;
use sparring::arena::queue::Threads;
use sparring::error::{ErrorKind, Result};
use sparring::eval::Game;
use sparring::game::Board;
use sparring::games::{Breakthrough, Breakthru};
use sparring::search::Stop;
use sparring::tune::logistic::samples::InMemory;
use sparring::tune::network::{NetworkFit, TrainConfig, TrainTask, TrainingStep};

/// More than one block of hidden units, and one that is not full.
const UNITS: usize = 40;

fn config() -> TrainConfig {
    TrainConfig {
        units: UNITS,
        epochs: 4,
        step_positions: 128,
        rate: 0.01,
        ..TrainConfig::default()
    }
}

fn positions() -> InMemory {
    drawn_from(&[("piece", 0.8), ("advance", 0.1)], 3000, 5)
}

/// Trains a network; `watch` may stop it.
fn train<G: Game>(
    samples: &InMemory,
    threads: usize,
    watch: &dyn Fn(TrainingStep, &Stop),
) -> Result<NetworkFit> {
    let (stop, config) = (Stop::default(), config());
    let task = TrainTask {
        samples,
        board: Board::new(5, 5),
        config: &config,
        seed: 3,
        threads: Threads::new(threads).unwrap(),
        stop: stop.clone(),
    };
    task.run::<G>(&|step| watch(step, &stop))
}

#[test]
fn a_training_is_the_same_on_any_number_of_threads() {
    let samples = positions();
    let fits =
        [1, 2, 5].map(|threads| train::<Breakthrough>(&samples, threads, &|_, _| {}).unwrap());
    for other in &fits[1..] {
        assert_eq!(other.epochs, fits[0].epochs);
        assert_eq!(other.set.to_json(), fits[0].set.to_json());
        assert_eq!(other.loss.to_bits(), fits[0].loss.to_bits());
    }
}

#[test]
fn a_training_learns_what_positions_that_it_never_saw_are_worth() {
    let samples = positions();
    let fit = train::<Breakthrough>(&samples, 2, &|_, _| {}).unwrap();
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

#[test]
fn a_training_that_is_stopped_says_so() {
    let samples = positions();
    let stop_at = |step: TrainingStep, stop: &Stop| match step {
        TrainingStep::Positions { epoch: 2, .. } => stop.set(),
        TrainingStep::Epoch(epoch) => assert!(epoch.epoch < 2, "the second epoch was finished"),
        TrainingStep::Positions { .. } => {}
    };
    let error = train::<Breakthrough>(&samples, 2, &stop_at).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Interrupted);
}

#[test]
fn games_without_networks_and_too_few_positions_are_refused() {
    let error = train::<Breakthru>(&positions(), 1, &|_, _| {}).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Input);
    assert!(error.to_string().contains("breakthru"), "{error}");
    let mut few = positions();
    few.bytes.clear();
    let error = train::<Breakthrough>(&few, 1, &|_, _| {}).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Input);
}
