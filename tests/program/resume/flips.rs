//! A flipped bit in any file of a run is noticed, or the file is made again.

use super::harness::{QUICK, Run, Setup, spar, text};
use rand_mt::Mt64;
use sparring::error::Result;
use sparring::run::{self, RunDir};
use std::fs;
use std::path::{Path, PathBuf};

static AVERAGE: Setup = Setup::new(
    "--answer average --board 5x5 --games 1500 --probes 1 --nodes 60 --validation-pairs 60 --seed 8",
);
static SEARCH: Setup = Setup::new(
    "--target search --board 5x5 --games 1500 --batch 5 --nodes 60 --validation-pairs 60 --seed 8",
);
static ROUNDS: Setup = Setup::new(
    "--method logistic --board 5x5 --games 1800 --rounds 2 --nodes 60 --only piece,mobility,tempo --clear-rest --blend 0.3 \
     --penalties 10 --round-pairs 100 --validation-pairs 60 --seed 7",
);

static NETWORK: Setup = Setup::new(
    "--method network --board 5x5 --games 900 --rounds 1 --nodes 60 --units 8 --epochs 1 --round-pairs 20 --validation-pairs 20 \
     --seed 7",
);

/// Flips of each file.
const FLIPS: u64 = 25;

/// The non-empty files of a run, without its report, which is made from the others, and the lock,
/// whose content does not matter.
fn files(run: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(run).unwrap().map(|entry| entry.unwrap().path());
    let is_empty = |path: &PathBuf| path.metadata().unwrap().len() == 0;
    paths
        .filter(|path| !is_empty(path) && !path.ends_with("report.html") && !path.ends_with("lock"))
        .collect()
}

/// Opens a run as `spar resume` does. A process that another test is starting inherits our lock
/// until it executes its program.
fn open(run: &Path) -> Result<()> {
    loop {
        match RunDir::open(run).map(drop) {
            Err(error) if error.to_string().contains("another process") => {}
            opened => return opened,
        }
    }
}

fn flip_every_file(run: &Run, seed: u64) {
    let dir = run.path();
    run::read_checked(&dir).unwrap();
    // Opening cuts off everything beyond the whole lines and their games.
    open(&dir).unwrap();
    let mut dice = Mt64::new(seed);
    for path in files(&dir) {
        let good = fs::read(&path).unwrap();
        let last = 8 * good.len() as u64;
        let random = (0..FLIPS).map(|_| dice.next_u64() % last);
        for bit in random.chain(last - 8..last) {
            let mut bad = good.clone();
            bad[bit as usize / 8] ^= 1 << (bit % 8);
            fs::write(&path, &bad).unwrap();
            let place = format!("{}, bit {bit}", path.display());
            let name = path.file_name().unwrap().to_str().unwrap();
            for said in [run::read_checked(&dir).map(drop), open(&dir)] {
                let said = said.expect_err(&format!("{place} is not noticed")).to_string();
                assert!(said.contains(name), "{place}: {said}");
            }
            if name == run::GAMES {
                let record = run::read(&dir).unwrap().1;
                assert!(run::check_games(&dir, &record).is_err(), "{place}");
            }
            assert!(fs::read(&path).unwrap() == bad, "{place}: the file was changed");
        }
        fs::write(&path, good).unwrap();
    }
    run::read_checked(&dir).unwrap();
}

#[test]
fn a_flipped_bit_is_noticed_in_every_kind_of_run() {
    for (seed, setup) in [&QUICK, &AVERAGE, &SEARCH, &ROUNDS, &NETWORK].into_iter().enumerate() {
        let run = Run::killed_at(setup, 4);
        flip_every_file(&run, seed as u64);
        run.finish(2);
        flip_every_file(&run, 100 + seed as u64);
    }
}

#[test]
fn commands_notice_a_flipped_bit_and_make_a_page_again() {
    let run = Run::finished(&QUICK);
    let of_run = |command: &str, name: &str| {
        let output = spar().arg(command).arg(run.file(name)).output().unwrap();
        (output.status.code(), text(&output.stderr))
    };
    let flip = |name: &str| {
        let good = fs::read(run.file(name)).unwrap();
        let mut bad = good.clone();
        bad[good.len() / 2] ^= 1;
        fs::write(run.file(name), bad).unwrap();
        good
    };
    let games = flip("games.jsonl.zst");
    for (command, name) in [("show", "games.jsonl.zst"), ("report", ""), ("resume", "")] {
        let (code, said) = of_run(command, name);
        assert!(code == Some(2) && said.contains("games.jsonl.zst"), "{command}: {said}");
    }
    fs::write(run.file("games.jsonl.zst"), games).unwrap();
    let page = flip("report.html");
    assert_eq!(of_run("report", "").0, Some(0));
    assert!(fs::read(run.file("report.html")).unwrap() == page);
    assert_eq!(of_run("show", "games.jsonl.zst").0, Some(0));
}
