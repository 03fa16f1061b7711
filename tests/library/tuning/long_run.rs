//! The synthetic journal of a long run: a night of batches, made in a second.

use super::{plan, small_tune, start};
use sparring::arena::{BookState, EarlyEnds};
use sparring::run::journal::Event;
use sparring::run::{self, JournalLine, RunDir, TuneWork, Work};
use sparring::stats::{PairCounts, Summary};
use sparring::tune::{BatchRecord, BatchSummary, Knob, Method, Selection, Stage};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Pairs of a batch, of which one is a probe.
const PAIRS: u64 = 25;
/// Seconds between two batches.
const SECONDS: u64 = 2;
/// When the run began, in seconds since 1970.
const BEGUN: u64 = 1_780_000_000;

/// Begins a run with this many knobs and batches planned in a directory, and returns the lines that
/// its journal would have.
pub fn long_run(directory: &Path, knobs: usize, batches: u64) -> Vec<String> {
    let mut config = small_tune(Method::Spsa, 2 * PAIRS * batches, 7, &Selection::default());
    let known = config.knobs()[0].clone();
    let knob = |number| Knob { name: format!("weight_{number}"), ..known.clone() };
    plan(&mut config).knobs = (0..knobs).map(knob).collect();
    let run = RunDir::create(directory, Work::Tune(TuneWork::new(config, start())), &[]).unwrap();
    let id = run.manifest().run.clone();
    let mut probes = PairCounts::default();
    let mut lines = Vec::new();
    for batch in 0..batches {
        probes.add(if batch % 3 == 0 { 4 } else { 2 });
        lines.push(line(batch, knobs, probes).to_text(&id).unwrap());
    }
    lines
}

/// The lines of its validation, of this many batches of eight pairs.
pub fn validation(directory: &Path, games: u64, batches: u64) -> Vec<String> {
    const BATCH: u64 = 8;
    let (manifest, _) = run::read(directory).unwrap();
    let mut pairs = PairCounts::default();
    let mut lines = Vec::new();
    for batch in 0..batches {
        let points: Vec<u8> = (0..BATCH).map(|pair| 2 + (pair % 2) as u8).collect();
        points.iter().for_each(|&points| pairs.add(points));
        let numbers = Summary::of(&pairs, None);
        let record = BatchRecord {
            stage: Stage::Validate,
            batch,
            openings: (batch * BATCH..(batch + 1) * BATCH).collect(),
            points,
            void: Vec::new(),
            early: EarlyEnds::default(),
            check: "0123456789abcdef-fedcba9876543210".into(),
            book: BookState::default(),
            summary: BatchSummary {
                games: games + pairs.games(),
                pairs,
                elo: numbers.elo,
                elo_error: numbers.elo_error,
                llr: Some(0.5 * batch as f64),
                ..BatchSummary::default()
            },
        };
        let line = stamped(games / (2 * PAIRS) + batch, record);
        lines.push(line.to_text(&manifest.run).unwrap());
    }
    lines
}

fn line(batch: u64, knobs: usize, pairs: PairCounts) -> JournalLine {
    // As many digits as a real one has.
    let drift = |knob: usize| (batch as f64 * 0.01 + knob as f64).sin() * 100.0 / 7.0;
    let summary = BatchSummary {
        games: 2 * PAIRS * (batch + 1),
        knobs: (0..knobs).map(drift).collect(),
        errors: (0..knobs).map(|knob| 50.0 + drift(knob) / 3.0).collect(),
        elo_left: Some(20.0 / 3.0),
        pairs,
        elo: Some(drift(0)),
        elo_error: Some(100.0 / 3.0),
        ..BatchSummary::default()
    };
    let record = BatchRecord {
        stage: Stage::Tune,
        batch,
        openings: (batch * PAIRS..(batch + 1) * PAIRS).collect(),
        points: (0..PAIRS).map(|pair| ((pair + batch) % 5) as u8).collect(),
        void: Vec::new(),
        early: EarlyEnds::default(),
        check: "0123456789abcdef-fedcba9876543210".into(),
        book: BookState::default(),
        summary,
    };
    stamped(batch, record)
}

/// The line with this number.
fn stamped(number: u64, record: BatchRecord) -> JournalLine {
    let seconds = Duration::from_secs(SECONDS * (number + 1));
    let time = std::time::UNIX_EPOCH + Duration::from_secs(BEGUN) + seconds;
    JournalLine {
        time: humantime::format_rfc3339_seconds(time).to_string(),
        worked: Some(seconds),
        games_bytes: 7_000 * (number + 1),
        games_crc: Some("00000000".into()),
        files: Default::default(),
        event: Event::Batch(record),
    }
}

/// Adds to the journal of the run in a directory.
pub fn append(directory: &Path, text: &str) {
    let path = directory.join("journal.jsonl");
    let mut journal = fs::read_to_string(&path).unwrap();
    journal += text;
    fs::write(path, journal).unwrap();
}
