//! A run directory survives damage, or the error says clearly what is damaged.

use crate::tuning::{game, start};
use sparring::arena::{Adjudication, BookConfig, BookState, EarlyEnds, GameRecord};
use sparring::error::ErrorKind;
use sparring::game::Board;
use sparring::run::{self, RunDir, TuneWork, Work, journal};
use sparring::runs::LiveRun;
use sparring::search::Limits;
use sparring::stats::{Model, Sprt};
use sparring::tune::{
    Answer, BatchRecord, BatchSummary, Ledger, MatchPlan, Optimizer, Plan, Selection, SpsaOptions,
    Stage, TuneSettings, Validation, Yardsticks,
};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn spsa(batch: u64, probes: u64) -> SpsaOptions {
    SpsaOptions { batch, probes, c: 0.1, answer: Answer::Average, ..SpsaOptions::default() }
}

fn config() -> TuneSettings {
    let board = Board::new(5, 5);
    let book = BookConfig::new(game(), board, 1);
    TuneSettings {
        game: game().to_string(),
        board: board.to_string(),
        games: 100,
        limits: Limits::nodes(20),
        seed: 1,
        validation_book: book.clone(),
        book,
        validation: Validation {
            pairs: 2,
            least_pairs: 2,
            sprt: Sprt::new(0.0, 10.0, 0.05, 0.05, Model::Normalized).unwrap(),
            batch_pairs: 2,
        },
        yardsticks: Yardsticks::default(),
        adjudication: Adjudication::Never,
        referee: None,
        rules: Default::default(),
        max_plies: None,
        plan: Plan::Matches(Box::new(MatchPlan::new(
            Optimizer::Spsa(spsa(2, 0)),
            Selection::default().weights(game(), &start().weights, board, 4, 1).unwrap(),
        ))),
    }
}

#[test]
fn settings_that_no_command_makes_are_refused() {
    let forged = |forge: &dyn Fn(&mut TuneSettings)| {
        let mut settings = config();
        forge(&mut settings);
        settings.check().unwrap_err().to_string()
    };
    let options = |batch, probes| {
        move |settings: &mut TuneSettings| {
            let options = spsa(batch, probes);
            settings.plan = Plan::Matches(Box::new(MatchPlan {
                optimizer: Optimizer::Spsa(options),
                ..settings.matches().unwrap().clone()
            }));
        }
    };
    assert!(forged(&options(1 << 63, 0)).contains("pairs of a step"));
    assert!(forged(&options(1, u64::MAX)).contains("probe pairs"));
    assert!(forged(&|settings| settings.book.plies = u32::MAX).contains("plies of an opening"));
    assert!(forged(&|settings| settings.games = u64::MAX).contains("games"));
    assert!(forged(&|settings| settings.validation.pairs = u64::MAX).contains("validation"));
    assert!(forged(&|settings| settings.validation.batch_pairs = 0).contains("batches of 0"));
    let error = forged(&|settings| settings.validation_book.board = "8x8".into());
    assert!(
        error.contains("`config.validation_book.board`: `8x8`, but the run is on `5x5`"),
        "{error}"
    );
    let error = forged(&|settings| settings.board = "6x6".into());
    assert!(error.contains("`config.book.board`: `5x5`, but the run is on `6x6`"), "{error}");
}

fn work() -> Work {
    TuneWork::new(config(), start()).into()
}

fn create(dir: &Path) -> RunDir {
    RunDir::create(dir, work(), &[]).unwrap()
}

fn record(batch: u64) -> BatchRecord {
    BatchRecord {
        stage: Stage::Tune,
        batch,
        openings: vec![batch],
        points: vec![3],
        void: Vec::new(),
        early: EarlyEnds::default(),
        check: "00".into(),
        book: BookState::default(),
        summary: BatchSummary::default(),
    }
}

/// A directory with three batches on record.
fn with_batches() -> TempDir {
    let temp = TempDir::new().unwrap();
    let mut run = create(temp.path());
    for batch in 0..3 {
        run.keep(record(batch), &[]).unwrap();
    }
    temp
}

fn refusal(dir: &Path) -> String {
    let error = RunDir::open(dir).map(|_| ()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Input, "{error}");
    error.to_string()
}

#[test]
fn batches_come_back() {
    let temp = with_batches();
    let run = RunDir::open(temp.path()).unwrap();
    assert_eq!(run.games(), 6);
    for batch in 0..3 {
        assert_eq!(run.recall(Stage::Tune, batch), Some(&record(batch)));
    }
    assert_eq!(run.recall(Stage::Tune, 3), None);
    assert_eq!(run.manifest().work, work());
}

#[test]
fn a_journal_cut_in_its_last_line_loses_that_line_and_one_cut_earlier_is_refused() {
    let temp = with_batches();
    let path = temp.path().join("journal.jsonl");
    let games = temp.path().join("games.jsonl.zst");
    let (whole, all_games) = (fs::read(&path).unwrap(), fs::read(&games).unwrap());
    for length in 0..whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        fs::write(&games, &all_games).unwrap();
        let lines = whole[..length].iter().filter(|&&byte| byte == b'\n').count() as u64;
        // A crash leaves the games of one batch at most without their line.
        if lines < 2 {
            assert!(refusal(temp.path()).contains("ends before the games"), "cut at {length}");
            assert_eq!(fs::read(&path).unwrap(), whole[..length]);
            assert_eq!(fs::read(&games).unwrap(), all_games);
            continue;
        }
        let run = RunDir::open(temp.path()).unwrap();
        assert_eq!(run.games(), 2 * lines, "cut at {length}");
        drop(run);
        assert!(fs::read(&path).unwrap().ends_with(b"\n"), "the torn line is gone");
    }
}

#[test]
fn games_beyond_the_journal_are_cut_off_and_missing_ones_noticed() {
    let temp = with_batches();
    let path = temp.path().join("games.jsonl.zst");
    let whole = fs::read(&path).unwrap();
    fs::write(&path, [whole.as_slice(), b"half a frame"].concat()).unwrap();
    drop(RunDir::open(temp.path()).unwrap());
    assert_eq!(fs::read(&path).unwrap(), whole);
    fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    assert!(refusal(temp.path()).contains("games.jsonl.zst"));
}

#[test]
fn the_latest_games_are_those_of_the_last_batch() {
    let temp = TempDir::new().unwrap();
    let mut run = create(temp.path());
    let latest = || LiveRun::open(temp.path()).unwrap().latest_games();
    assert_eq!(latest().unwrap(), []);
    for batch in 0..3 {
        let game = |moves| {
            let text = format!(
                r#"{{"game":"breakthrough","board":"5x5","pair":{batch},"players":["a","b"],
                "opening":"","moves":"{moves}","result":"1-0","ending":"rules"}}"#
            );
            GameRecord::from_line(&text, "game").unwrap()
        };
        let games = [game("a2a3"), game("b2b3")];
        run.keep(record(batch), &games).unwrap();
        assert_eq!(latest().unwrap(), games);
    }
    let path = temp.path().join("games.jsonl.zst");
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, bytes).unwrap();
    let error = latest().unwrap_err();
    assert!(error.to_string().contains("edited or damaged between bytes"), "{error}");
}

#[test]
fn a_damaged_line_is_named_and_nothing_is_changed() {
    let temp = with_batches();
    let path = temp.path().join("journal.jsonl");
    let damaged = fs::read_to_string(&path).unwrap().replacen("\"points\"", "\"pints\"", 1);
    fs::write(&path, &damaged).unwrap();
    assert!(refusal(temp.path()).contains("line 1"));
    assert_eq!(fs::read_to_string(&path).unwrap(), damaged);
    // A batch that is there twice was not written by the program.
    let line = damaged.lines().next().unwrap().replacen("\"pints\"", "\"points\"", 1);
    fs::write(&path, format!("{line}\n{line}\n")).unwrap();
    assert!(refusal(temp.path()).contains("line 2"));
}

#[test]
fn a_second_process_is_kept_out() {
    let temp = with_batches();
    let first = RunDir::open(temp.path()).unwrap();
    assert!(refusal(temp.path()).contains("another process"));
    drop(first);
    RunDir::open(temp.path()).unwrap();
    let error = RunDir::create(temp.path(), work(), &[]).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("spar resume"), "{error}");
}

#[test]
fn newer_formats_and_edited_files_are_refused() {
    let temp = with_batches();
    let manifest = temp.path().join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    for (format, word) in [(4, "newer"), (2, "older"), (1, "finish the run with the version")] {
        let format = format!("\"format\": {format}");
        fs::write(&manifest, text.replacen("\"format\": 3", &format, 1)).unwrap();
        assert!(refusal(temp.path()).contains(word));
    }
    fs::write(&manifest, text.replacen("\"piece\": 1300", "\"piece\": 1301", 1)).unwrap();
    assert!(refusal(temp.path()).contains("edited"));
    fs::write(&manifest, &text[..text.len() / 2]).unwrap();
    assert!(refusal(temp.path()).contains("manifest.json"));
    fs::write(&manifest, &text).unwrap();
    let weights = temp.path().join("weights.json");
    let set = fs::read_to_string(&weights).unwrap();
    fs::write(&weights, set.replacen("\"danger\": 10", "\"danger\": 11", 1)).unwrap();
    assert!(refusal(temp.path()).contains("edited"));
    fs::write(&weights, "{").unwrap();
    assert!(refusal(temp.path()).contains("weights.json"));
    fs::remove_file(&weights).unwrap();
    RunDir::open(temp.path()).unwrap();
    fs::remove_file(&manifest).unwrap();
    assert!(refusal(temp.path()).contains("manifest.json"));
}

#[test]
fn what_is_no_run_directory_is_said_to_be_none() {
    let temp = TempDir::new().unwrap();
    assert!(refusal(temp.path()).contains("run directory"));
    assert!(refusal(&temp.path().join("missing")).contains("missing"));
}

/// Damaged journals of every kind: an answer or an error that names the place, never a panic.
#[test]
fn arbitrary_journals_are_read_or_refused() {
    use proptest::prelude::*;
    use proptest::test_runner::{Config, TestRunner};
    let temp = with_batches();
    let whole = fs::read(temp.path().join("journal.jsonl")).unwrap();
    let run = run::read(temp.path()).unwrap().0.run;
    let mut runner = TestRunner::new(Config::with_cases(50_000));
    let edits = prop::collection::vec((0..whole.len(), any::<u8>()), 0..6);
    runner
        .run(&(edits, 0..=whole.len()), |(edits, length)| {
            let mut bytes = whole.clone();
            for (place, byte) in edits {
                bytes[place] = byte;
            }
            check(&bytes[..length], &run)
        })
        .unwrap();
    runner.run(&prop::collection::vec(any::<u8>(), 0..300), |bytes| check(&bytes, &run)).unwrap();
}

fn check(bytes: &[u8], run: &str) -> Result<(), proptest::test_runner::TestCaseError> {
    match journal::parse(bytes, Path::new("journal.jsonl"), run) {
        Ok((_, length)) => proptest::prop_assert!(length <= bytes.len() as u64),
        Err(error) => {
            proptest::prop_assert_eq!(error.kind(), ErrorKind::Input);
            proptest::prop_assert!(error.to_string().contains("line "));
        }
    }
    Ok(())
}
