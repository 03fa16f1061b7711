//! A fit whose positions cannot be read fails: it does not end early, and no tune skips it.

use crate::common::weight_set;
use crate::logistic::drawn_from;
use crate::tuning::{BOARD, game, optimizer, plan, small_tune, start};
use sparring::arena::GameRecord;
use sparring::arena::queue::Threads;
use sparring::error::{Error, Result};
use sparring::games::Breakthrough;
use sparring::search::Stop;
use sparring::tune::joined::FitFirst;
use sparring::tune::logistic::round_ledger::{
    FitRecord, PositionsRecord, RoundLedger, RoundRecord,
};
use sparring::tune::logistic::samples::{Header, InMemory, PositionSource};
use sparring::tune::logistic::{FitConfig, FitError, FitTask};
use sparring::tune::{
    BatchRecord, Ledger, MemoryLedger, Method, NoObserver, Selection, Stage, Tune, TuneResult,
};
use sparring::weights::WeightSet;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};

/// Positions of which a single read fails.
struct FaultySource {
    inner: InMemory,
    reads: AtomicU64,
    /// The number of the read that fails, from 1; 0 for none.
    fails_at: u64,
}

impl FaultySource {
    fn new(inner: InMemory, fails_at: u64) -> Self {
        Self { inner, reads: AtomicU64::new(0), fails_at }
    }
}

impl PositionSource for FaultySource {
    fn count(&self) -> u64 {
        self.inner.count()
    }

    fn record(&self) -> usize {
        self.inner.record()
    }

    fn read(&self, first: u64, count: usize, bytes: &mut Vec<u8>) -> Result<()> {
        match self.reads.fetch_add(1, Ordering::Relaxed) + 1 == self.fails_at {
            true => Err(Error::failed("positions", "the read failed")),
            false => self.inner.read(first, count, bytes),
        }
    }
}

#[test]
fn a_read_that_fails_in_the_midst_of_a_fit_is_no_end_of_it() {
    let start = weight_set::<Breakthrough>(1, &[]);
    let config = FitConfig {
        only: ["piece", "advance"].map(String::from).to_vec(),
        penalties: vec![10.0, 1.0],
        ..FitConfig::default()
    };
    let fit = |fails_at| {
        let positions = drawn_from(&[("piece", 0.6), ("advance", 0.1)], 400, 3);
        let samples = FaultySource::new(positions, fails_at);
        let ended = FitTask {
            game: game(),
            samples: &samples,
            board: BOARD,
            start: &start,
            config: &config,
            threads: Threads::new(1).unwrap(),
            stop: Stop::default(),
        }
        .run(&|_| {})
        .map(drop);
        (ended, samples.reads.into_inner())
    };
    let (ended, reads) = fit(0);
    ended.unwrap();
    for fails_at in (1..=reads).step_by(29) {
        let Err(FitError::Failed(error)) = fit(fails_at).0 else {
            panic!("read {fails_at} of {reads} failed without a word")
        };
        assert!(error.to_string().contains("the read failed"), "{error}");
    }
}

/// The record of a joined tune, whose positions can be made unreadable.
#[derive(Default)]
struct Rounds {
    batches: MemoryLedger,
    positions: Option<PositionsRecord>,
    bytes: Vec<u8>,
    record: usize,
    fit: Option<(FitRecord, WeightSet)>,
    round: Option<RoundRecord>,
    fails_at: u64,
}

impl Ledger for Rounds {
    fn recall(&self, stage: Stage, batch: u64) -> Option<&BatchRecord> {
        self.batches.recall(stage, batch)
    }

    fn keep(&mut self, record: BatchRecord, games: &[GameRecord]) -> Result<()> {
        self.batches.keep(record, games)
    }
}

impl RoundLedger for Rounds {
    fn positions(&self, _round: u64) -> Option<&PositionsRecord> {
        self.positions.as_ref()
    }

    fn keep_positions(
        &mut self,
        round: u64,
        header: &Header,
        games: u64,
        records: &[u8],
    ) -> Result<()> {
        self.record = header.record;
        self.bytes.extend_from_slice(records);
        let positions = (self.bytes.len() / self.record) as u64;
        let (bytes, digest) = (self.bytes.len() as u64, String::new());
        self.positions = Some(PositionsRecord { round, games, positions, bytes, digest });
        Ok(())
    }

    fn samples(&mut self, _rounds: RangeInclusive<u64>) -> Result<Box<dyn PositionSource>> {
        let positions = InMemory { record: self.record, bytes: self.bytes.clone() };
        Ok(Box::new(FaultySource::new(positions, self.fails_at)))
    }

    fn fit(&self, _round: u64) -> Option<&FitRecord> {
        self.fit.as_ref().map(|(record, _)| record)
    }

    fn keep_fit(&mut self, record: FitRecord, set: &WeightSet) -> Result<()> {
        self.fit = Some((record, set.clone()));
        Ok(())
    }

    fn fitted(&self, _round: u64) -> Result<Option<WeightSet>> {
        Ok(self.fit.as_ref().map(|(_, set)| set.clone()))
    }

    fn round(&self, _round: u64) -> Option<&RoundRecord> {
        self.round.as_ref()
    }

    fn keep_round(&mut self, record: RoundRecord) -> Result<()> {
        self.round = Some(record);
        Ok(())
    }
}

fn run_joined(ledger: &mut Rounds, fit_games: u64) -> Result<TuneResult> {
    let only = ["danger", "mobility"].map(String::from).to_vec();
    let selection = Selection { only, ..Selection::default() };
    let mut config = small_tune(Method::Spsa, fit_games + 160, 11, &selection);
    config.validation.pairs = 20;
    plan(&mut config).optimizer = optimizer(Method::Spsa, 6, 1);
    plan(&mut config).fit_first =
        Some(FitFirst { games: fit_games, plies: Some(4), blend: Some(FitFirst::BLEND) });
    let (start, threads) = (start(), Threads::new(2).unwrap());
    Ok(Tune::new(&config, &start, &threads).run(ledger, &mut NoObserver)?)
}

#[test]
fn a_joined_tune_stops_where_positions_cannot_be_read_and_goes_on_once_they_can() {
    let mut whole = Rounds::default();
    let expected = run_joined(&mut whole, 160).unwrap();
    assert!(whole.fit.is_some() && whole.batches.recall(Stage::Tune, 0).is_some());
    let mut ledger = Rounds::default();
    for fails_at in [1, 70, 400] {
        ledger.fails_at = fails_at;
        let error = run_joined(&mut ledger, 160).unwrap_err();
        assert!(error.to_string().contains("the read failed"), "{error}");
        assert!(ledger.fit.is_none() && ledger.batches.records.is_empty());
    }
    ledger.fails_at = 0;
    let result = run_joined(&mut ledger, 160).unwrap();
    assert_eq!(ledger.batches.records, whole.batches.records);
    assert_eq!(result.candidate, expected.candidate);
}

#[test]
fn a_joined_tune_begins_with_the_start_where_its_games_say_nothing() {
    let mut ledger = Rounds::default();
    run_joined(&mut ledger, 2).unwrap();
    assert!(ledger.fit.is_none() && ledger.batches.recall(Stage::Tune, 0).is_some());
    let records = ledger.batches.records.clone();
    run_joined(&mut ledger, 2).unwrap();
    assert_eq!(ledger.batches.records, records);
}
