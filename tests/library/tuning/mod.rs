//! What the tests of tunes and of their reports share: a small tune on a small board, and a ledger
//! that stops it early.
// Each test file uses a part of this.
#![allow(dead_code, unreachable_pub)]

use sparring::arena::{Adjudication, BookConfig, GameRecord};
use sparring::error::Result;
use sparring::game::Board;
use sparring::games::Breakthrough;
use sparring::search::{Limits, Stop};
use sparring::stats::{Model, Sprt};
use sparring::tune::{
    BatchRecord, Ledger, Method, Selection, Stage, Target, TuneConfig, Validation,
};
use sparring::weights::{WeightSet, find};

pub const BOARD: Board = Board::new(5, 5);

/// The weights that the tune starts from.
pub fn start() -> WeightSet {
    find("breakthrough/atachiants", "breakthrough").unwrap()
}

/// A tune of the chosen weights; the test files change what they need otherwise.
pub fn small_tune(method: Method, games: u64, seed: u64, selection: &Selection) -> TuneConfig {
    let book = BookConfig { plies: 4, ..BookConfig::new::<Breakthrough>(BOARD, seed) };
    TuneConfig {
        game: "breakthrough".into(),
        board: BOARD.to_string(),
        method,
        target: Target::Weights,
        search: None,
        games,
        limits: Limits::nodes(20),
        seed,
        params: selection.params::<Breakthrough>(&start(), BOARD, 4, seed).unwrap(),
        constraints: vec![],
        batch_pairs: 4,
        probe_pairs: 2,
        perturbation: TuneConfig::PERTURBATION,
        gain: None,
        validation_book: BookConfig { seed: seed + 1, ..book.clone() },
        book,
        validation: Validation {
            pairs: 30,
            least_pairs: 20,
            sprt: Sprt::new(0.0, 50.0, 0.05, 0.05, Model::Normalized).unwrap(),
            batch_pairs: 8,
        },
        adjudication: Adjudication::Never,
        opponents: None,
        rounds: None,
    }
}

/// A ledger that asks the run to stop after so many batches.
pub struct Stopping<L> {
    pub inner: L,
    pub left: usize,
    pub stop: Stop,
}

impl<L: Ledger> Ledger for Stopping<L> {
    fn recall(&self, stage: Stage, batch: u64) -> Option<&BatchRecord> {
        self.inner.recall(stage, batch)
    }

    fn keep(&mut self, record: BatchRecord, games: &[GameRecord]) -> Result<()> {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            self.stop.set();
        }
        self.inner.keep(record, games)
    }
}
