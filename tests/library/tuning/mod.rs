//! Helpers of the tests of tunes and of their reports: a small tune on a small board, and a ledger
//! that stops it early.
// Each test file uses a part of this.
#![allow(dead_code, unreachable_pub)]

pub mod long_run;
pub mod surfaces;

use sparring::arena::{Adjudication, BookConfig, GameRecord};
use sparring::error::Result;
use sparring::game::Board;
use sparring::games::GameId;
use sparring::player::{DefaultWeights, Player};
use sparring::search::{Limits, Stop};
use sparring::stats::{Model, Sprt};
use sparring::tune::logistic::round_ledger::RoundLedger;
use sparring::tune::{
    BatchRecord, Ledger, MatchPlan, Method, Optimizer, Plan, Selection, SpsaOptions, Stage,
    TuneSettings, Validation, Yardsticks,
};

pub const BOARD: Board = Board::new(5, 5);

/// The game that is tuned.
pub fn game() -> GameId {
    "breakthrough".parse().unwrap()
}

/// The player that the tune starts from.
pub fn start() -> Player {
    Player::find(game(), Some("atachiants"), DefaultWeights::HandMade).unwrap()
}

/// A tune of the chosen weights; the test files change what they need otherwise.
pub fn small_tune(method: Method, games: u64, seed: u64, selection: &Selection) -> TuneSettings {
    let book = BookConfig { plies: 4, ..BookConfig::new(game(), BOARD, seed) };
    TuneSettings {
        game: game().to_string(),
        board: BOARD.to_string(),
        games,
        limits: Limits::nodes(20),
        seed,
        validation_book: BookConfig { seed: seed + 1, ..book.clone() },
        book,
        validation: Validation {
            pairs: 30,
            least_pairs: 20,
            sprt: Sprt::new(0.0, 50.0, 0.05, 0.05, Model::Normalized).unwrap(),
            batch_pairs: 8,
        },
        yardsticks: Yardsticks::default(),
        adjudication: Adjudication::Never,
        referee: None,
        rules: Default::default(),
        max_plies: None,
        plan: Plan::Matches(Box::new(MatchPlan::new(
            optimizer(method, 4, 2),
            selection.weights(game(), &start().weights, BOARD, 4, seed).unwrap(),
        ))),
    }
}

/// The methods that learn from matches.
pub fn by_matches() -> impl Iterator<Item = Method> {
    Method::ALL.into_iter().filter(|method| *method == Method::Spsa)
}

/// The optimizer of a method, with steps of this many pairs and probes where these are its options.
pub fn optimizer(method: Method, batch: u64, probes: u64) -> Optimizer {
    match method {
        Method::Spsa => Optimizer::Spsa(SpsaOptions { batch, probes, ..SpsaOptions::default() }),
        Method::Joined | Method::Logistic | Method::Network => panic!("not an optimizer alone"),
    }
}

/// The plan of a tune by matches, to change it.
pub fn plan(settings: &mut TuneSettings) -> &mut MatchPlan {
    match &mut settings.plan {
        Plan::Matches(plan) => plan,
        Plan::Fitting(_) | Plan::Training(_) => panic!("not by matches"),
    }
}

/// A ledger that asks the run to stop after this many batches. It has no rounds.
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

impl<L: Ledger> RoundLedger for Stopping<L> {}
