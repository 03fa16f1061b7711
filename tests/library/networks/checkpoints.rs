//! Trainings that continue from the checkpoint of an earlier process.

use super::training::{config, positions};
use crate::tuning::game;
use sparring::arena::queue::Threads;
use sparring::error::{ErrorKind, Result};
use sparring::game::Board;
use sparring::search::Stop;
use sparring::tune::logistic::samples::InMemory;
use sparring::tune::network::{
    CheckpointStore, NetworkFit, NoCheckpoints, TrainConfig, TrainTask, TrainingMemory,
    TrainingStep, check_checkpoint,
};
use sparring::weights::WeightSet;
use std::cell::Cell;

/// Keeps checkpoints in memory.
#[derive(Default)]
struct Kept(Vec<Vec<u8>>);

impl CheckpointStore for Kept {
    fn load(&mut self) -> Result<Option<Vec<u8>>> {
        Ok(self.0.last().cloned())
    }

    fn keep(&mut self, bytes: &[u8]) -> Result<()> {
        self.0.push(bytes.to_vec());
        Ok(())
    }
}

/// The variable parts of a training.
struct Case<'a> {
    samples: &'a InMemory,
    config: TrainConfig,
    beside: Option<&'a WeightSet>,
    memory: TrainingMemory,
    seed: u64,
}

impl<'a> Case<'a> {
    fn new(samples: &'a InMemory) -> Self {
        let memory = TrainingMemory::default();
        Self { samples, config: config(), beside: None, memory, seed: 3 }
    }

    /// Runs the training; stops it within the epoch after `stop_after`.
    fn run(
        &self,
        checkpoints: &mut dyn CheckpointStore,
        threads: usize,
        stop_after: u64,
    ) -> (Result<NetworkFit>, u64) {
        let (stop, restored) = (Stop::default(), Cell::new(0));
        let task = TrainTask {
            game: game(),
            samples: self.samples,
            board: Board::new(5, 5),
            config: &self.config,
            beside: self.beside,
            start: None,
            older: None,
            seed: self.seed,
            memory: self.memory,
            threads: Threads::new(threads).unwrap(),
            stop: stop.clone(),
        };
        let fit = task.run(checkpoints, &|step| match step {
            TrainingStep::Positions { epoch, .. } if epoch > stop_after => stop.set(),
            TrainingStep::Restored(epoch) => restored.set(epoch.epoch),
            _ => {}
        });
        (fit.map_err(Into::into), restored.get())
    }
}

fn must_equal(found: &NetworkFit, expected: &NetworkFit) {
    assert_eq!(found.set.to_json(), expected.set.to_json());
    assert_eq!((&found.epochs, found.best), (&expected.epochs, expected.best));
    assert_eq!(found.loss.to_bits(), expected.loss.to_bits());
}

#[test]
fn a_training_that_was_stopped_goes_on_to_the_same_network() {
    let samples = positions();
    let pieces = sparring::weights::find("piece", "breakthrough").unwrap();
    let little = TrainingMemory { portion: 128, shuffled: 1024, kept: 500 };
    for (beside, memory) in [
        (None, TrainingMemory::default()),
        (Some(&pieces), TrainingMemory::default()),
        (None, little),
    ] {
        let case = Case { beside, memory, ..Case::new(&samples) };
        let expected = case.run(&mut NoCheckpoints, 1, u64::MAX).0.unwrap();
        let mut kept = Kept::default();
        for epoch in 0..config().epochs {
            let (stopped, restored) = case.run(&mut kept, 1 + epoch as usize % 3, epoch);
            assert_eq!(stopped.err().unwrap().kind(), ErrorKind::Interrupted);
            assert_eq!(restored, epoch.saturating_sub(1));
        }
        // Nothing is kept after the last epoch, which ends the training.
        assert_eq!(kept.0.len() as u64, config().epochs - 1);
        for count in 1..=kept.0.len() {
            let mut known = Kept(kept.0[..count].to_vec());
            let (fit, restored) = case.run(&mut known, 2, u64::MAX);
            assert_eq!(restored, count as u64);
            must_equal(&fit.unwrap(), &expected);
        }
    }
}

#[test]
fn a_checkpoint_of_another_training_is_not_gone_on_from() {
    let (samples, mut fewer) = (positions(), positions());
    let mut kept = Kept::default();
    let case = Case::new(&samples);
    case.run(&mut kept, 1, 2).0.err().unwrap();
    let record = fewer.bytes.len() / 3000;
    fewer.bytes.truncate(2999 * record);
    let pieces = sparring::weights::find("piece", "breakthrough").unwrap();
    let others = [
        Case { seed: 4, ..Case::new(&samples) },
        Case { config: TrainConfig { units: 41, ..config() }, ..Case::new(&samples) },
        Case { config: TrainConfig { rate: 0.009, ..config() }, ..Case::new(&samples) },
        Case { beside: Some(&pieces), ..Case::new(&samples) },
        Case { memory: TrainingMemory { shuffled: 1000, ..<_>::default() }, ..Case::new(&samples) },
        Case::new(&fewer),
    ];
    for other in others {
        let mut known = Kept(kept.0.clone());
        let (fit, restored) = other.run(&mut known, 2, u64::MAX);
        assert_eq!(restored, 0);
        must_equal(&fit.unwrap(), &other.run(&mut NoCheckpoints, 2, u64::MAX).0.unwrap());
    }
    assert_eq!(case.run(&mut kept, 1, u64::MAX).1, 2);
}

#[test]
fn a_damaged_checkpoint_is_noticed() {
    let samples = positions();
    let mut kept = Kept::default();
    Case::new(&samples).run(&mut kept, 1, 1).0.err().unwrap();
    let good = kept.0.pop().unwrap();
    check_checkpoint(&good, "a.bin").unwrap();
    let refused = |bytes: &[u8]| check_checkpoint(bytes, "a.bin").unwrap_err().to_string();
    for at in (0..200).chain((200..good.len()).step_by(97)).chain([good.len() - 1]) {
        let mut bad = good.clone();
        bad[at] ^= 1 << (at % 8);
        assert!(refused(&bad).contains("edited or damaged"), "{at}");
        assert!(refused(&good[..at]).contains("edited or damaged"), "{at}");
    }
    let end = good.len() - 4;
    let mut newer = good[..end].to_vec();
    newer[8] += 1;
    newer.extend(crc32fast::hash(&newer).to_le_bytes());
    assert!(refused(&newer).contains("another version"));
}
