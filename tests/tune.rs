//! A tune is a function of its configuration: on any number of threads, for every method, however often it is
//! interrupted; and what it answers is better than what it began with.

use sparring::arena::queue::Threads;
use sparring::arena::{Adjudication, BookConfig, GameRecord};
use sparring::error::{ErrorKind, Result};
use sparring::game::{Board, Breakthrough, Position};
use sparring::search::{Limits, Stop};
use sparring::stats::{Model, Sprt};
use sparring::tune::{
    Answer, BatchRecord, Constraint, Ledger, MemoryLedger, Method, Monitor, Progress, Selection, Session,
    Silent, Stage, TuneConfig, Validation,
};
use sparring::weights::{WeightSet, find};

const BOARD: Board = Board::new(5, 5);

fn start() -> WeightSet {
    find("breakthrough/atachiants", "breakthrough").unwrap()
}

fn config(method: Method, games: u64) -> TuneConfig {
    let seed = 11;
    let selection =
        Selection { only: vec!["danger".into(), "attack".into(), "mobility".into()], ..Selection::default() };
    let book = BookConfig { plies: 4, ..BookConfig::new::<Breakthrough>(BOARD, seed) };
    TuneConfig {
        game: "breakthrough".into(),
        board: BOARD.to_string(),
        method,
        games,
        limits: Limits::nodes(40),
        seed,
        params: selection.params::<Breakthrough>(&start(), BOARD, 4, seed).unwrap(),
        constraints: vec!["danger >= mobility".parse().unwrap()],
        batch_pairs: 6,
        probe_pairs: 1,
        perturbation: TuneConfig::PERTURBATION,
        gain: None,
        validation_book: BookConfig { seed: seed + 1, ..book.clone() },
        book,
        validation: Validation {
            pairs: 40,
            least_pairs: 20,
            sprt: Sprt::new(0.0, 50.0, 0.05, 0.05, Model::Normalized).unwrap(),
            batch_pairs: 8,
        },
        adjudication: Adjudication::Never,
        rounds: None,
    }
}

fn run(config: &TuneConfig, threads: usize, ledger: &mut dyn Ledger, interrupt: Stop) -> Result<Answer> {
    let start = start();
    let threads = Threads::new(threads).unwrap();
    Session { config, start: &start, run: "test", threads, interrupt }
        .run::<Breakthrough>(ledger, &mut Silent)
}

/// A ledger that asks the run to stop after so many batches.
struct Stopping {
    inner: MemoryLedger,
    left: usize,
    stop: Stop,
}

impl Ledger for Stopping {
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

#[test]
fn every_method_gives_the_same_on_one_thread_and_on_three() {
    for method in Method::BY_PAIRS {
        let config = config(method, 320);
        let [mut one, mut three] = [MemoryLedger::default(), MemoryLedger::default()];
        let first = run(&config, 1, &mut one, Stop::default()).unwrap();
        let second = run(&config, 3, &mut three, Stop::default()).unwrap();
        assert_eq!(one.records, three.records, "{method}");
        assert_eq!(first.weights, second.weights, "{method}");
        assert_eq!(first.candidate, second.candidate, "{method}");
        assert_eq!(first.games, one.games as u64, "{method}: games counted and games kept");
        assert!(one.records.iter().any(|record| record.stage == Stage::Tune), "{method}");
    }
}

#[test]
fn every_method_goes_on_exactly_where_it_was_stopped() {
    for method in Method::BY_PAIRS {
        let config = config(method, 320);
        let mut whole = MemoryLedger::default();
        let expected = run(&config, 2, &mut whole, Stop::default()).unwrap();
        let mut inner = MemoryLedger::default();
        let mut sessions = 0;
        let answer = loop {
            let stop = Stop::default();
            let mut ledger = Stopping { inner, left: 1 + sessions % 4, stop: stop.clone() };
            let ended = run(&config, 1 + sessions % 3, &mut ledger, stop);
            inner = ledger.inner;
            sessions += 1;
            match ended {
                Ok(answer) => break answer,
                Err(error) => assert_eq!(error.kind(), ErrorKind::Interrupted, "{method}: {error}"),
            }
            assert!(sessions < 1000, "{method} gets nowhere");
        };
        assert!(sessions > 3, "{method} was not interrupted");
        assert_eq!(inner.records, whole.records, "{method}");
        assert_eq!(answer.weights, expected.weights, "{method}");
        assert_eq!(answer.validation, expected.validation, "{method}");
    }
}

#[test]
fn a_record_of_other_settings_is_refused() {
    let mut ledger = MemoryLedger::default();
    run(&config(Method::Spsa, 320), 2, &mut ledger, Stop::default()).unwrap();
    let mut other = config(Method::Spsa, 320);
    other.seed += 1;
    let error = run(&other, 2, &mut ledger, Stop::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Input);
    assert!(error.to_string().contains("journal"), "{error}");
}

#[test]
fn openings_of_the_validation_are_new() {
    use sparring::arena::Book;
    use sparring::eval::Evaluated;
    use std::collections::HashSet;
    let config = config(Method::Spsa, 320);
    let mut ledger = MemoryLedger::default();
    run(&config, 2, &mut ledger, Stop::default()).unwrap();
    let judge = Breakthrough::evaluator(&start()).unwrap();
    let books = [&config.book, &config.validation_book]
        .map(|book| Book::<Breakthrough>::new(book.clone(), judge.clone()).unwrap());
    let positions = |stage: Stage, book: &Book<Breakthrough>| -> Vec<String> {
        let of_stage = ledger.records.iter().filter(|record| record.stage == stage);
        of_stage.flat_map(|r| &r.openings).map(|&n| book.candidate(n).unwrap().position.fen()).collect()
    };
    let tuned = positions(Stage::Tune, &books[0]);
    let validated = positions(Stage::Validate, &books[1]);
    let distinct: HashSet<&String> = tuned.iter().chain(&validated).collect();
    assert_eq!(distinct.len(), tuned.len() + validated.len());
}

/// Checks every point that the tune passes through.
struct Watch {
    batches: usize,
    names: Vec<String>,
}

impl Monitor for Watch {
    fn on_batch(&mut self, progress: &Progress) {
        self.batches += 1;
        let of = |name: &str| progress.point[self.names.iter().position(|known| known == name).unwrap()];
        assert!(of("danger") >= of("mobility") - 1e-9, "{:?}", progress.point);
        assert!((0.0..=40.0).contains(&of("attack")), "{:?}", progress.point);
    }
}

#[test]
fn bounds_and_constraints_hold_all_the_way() {
    let mut config = config(Method::Spsa, 600);
    let attack = config.params.iter_mut().find(|param| param.name == "attack").unwrap();
    (attack.min, attack.max, attack.start) = (0.0, 40.0, 40.0);
    let names: Vec<String> = config.params.iter().map(|param| param.name.clone()).collect();
    let mut start = start();
    start.set_one("attack", 40).unwrap();
    let mut watch = Watch { batches: 0, names };
    let threads = Threads::new(2).unwrap();
    let session =
        Session { config: &config, start: &start, run: "test", threads, interrupt: Stop::default() };
    let answer = session.run::<Breakthrough>(&mut MemoryLedger::default(), &mut watch).unwrap();
    assert!(watch.batches > 20);
    let one = |name| answer.candidate.one(name).unwrap();
    assert!(one("danger") >= one("mobility") && (0..=40).contains(&one("attack")));
}

#[test]
fn constraints_are_read_and_bad_ones_refused() {
    let good: Constraint = " high_danger>=danger ".parse().unwrap();
    assert_eq!(good.to_string(), "high_danger >= danger");
    assert_eq!("a <= b".parse::<Constraint>().unwrap().to_string(), "b >= a");
    for bad in ["", "a", "a > b", "a >= a", ">= b", "a ="] {
        assert!(bad.parse::<Constraint>().is_err(), "{bad}");
    }
    let unknown = Selection { only: vec!["dangr".into()], ..Selection::default() };
    let error = unknown.params::<Breakthrough>(&start(), BOARD, 4, 1).unwrap_err();
    assert!(error.to_string().contains("did you mean `danger`?"), "{error}");
}

#[test]
fn a_tune_from_hand_set_weights_is_accepted() {
    let mut config = config(Method::Spsa, 1600);
    config.board = "6x6".into();
    config.limits = Limits::nodes(150);
    config.book = BookConfig::new::<Breakthrough>(Board::new(6, 6), 5);
    config.validation_book = BookConfig::new::<Breakthrough>(Board::new(6, 6), 6);
    config.params = Selection::default().params::<Breakthrough>(&start(), Board::new(6, 6), 6, 5).unwrap();
    config.constraints.clear();
    config.validation.pairs = 200;
    let answer = run(&config, 2, &mut MemoryLedger::default(), Stop::default()).unwrap();
    assert!(answer.accepted, "{:?}", answer.validation);
    assert!(answer.validation.elo.is_none_or(|elo| elo > 50.0), "{:?}", answer.validation);
    let provenance = answer.weights.provenance.unwrap();
    assert_eq!(provenance.games, answer.games);
    assert_eq!(provenance.baseline, "atachiants");
}
