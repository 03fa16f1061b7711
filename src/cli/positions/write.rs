//! `spar positions merge` and `spar positions thin`, and the writing of both.

use super::{PositionPaths, each_record};
use crate::arena::Threads;
use crate::arena::seed::generator;
use crate::cli::args::parse_count;
use crate::cli::{Console, Ended, Interrupt, SeedArg, ThreadArgs, check_output};
use crate::error::{Error, Result};
use crate::game::openings::below;
use crate::games::GameId;
use crate::report::units;
use crate::run::position_copy::PositionCopy;
use crate::run::positions::PositionFiles;
use crate::tune::PositionSource;
use crate::tune::logistic::dedup::Dedup;
use crate::tune::logistic::samples::Sample;
use clap::{ArgGroup, Args};
use rand_mt::Mt64;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The stream of the numbers that pick positions, below the seed.
const PICKED: u64 = 0x505;

/// The file that a command writes.
#[derive(Args, Debug)]
pub(in crate::cli) struct PositionsOutputArgs {
    /// The file to write, for example all.pos
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Overwrite that file if it exists
    #[arg(long)]
    force: bool,
    /// Pack the file: 6 to 11 bytes a position
    #[arg(long)]
    packed: bool,
}

/// Writes several files of positions into one
#[derive(Args, Debug)]
pub(in crate::cli) struct MergeArgs {
    #[command(flatten)]
    paths: PositionPaths,
    #[command(flatten)]
    output: PositionsOutputArgs,
}

/// Writes some of the positions
#[derive(Args, Debug)]
#[command(group(
    ArgGroup::new("kept").args(["distinct", "every", "most"]).required(true).multiple(true)
))]
pub(in crate::cli) struct ThinArgs {
    #[command(flatten)]
    paths: PositionPaths,
    #[command(flatten)]
    output: PositionsOutputArgs,
    /// Keep the first record of each position only; mirror images are one position, and so are
    /// turned ones where the game is the same on a turned board
    #[arg(long)]
    distinct: bool,
    /// Keep one of every N positions
    #[arg(long, value_name = "N", value_parser = parse_count)]
    every: Option<u64>,
    /// Keep at most N positions, picked at random
    #[arg(long, value_name = "N", value_parser = parse_count)]
    most: Option<u64>,
    #[command(flatten)]
    seed: SeedArg,
    #[command(flatten)]
    threads: ThreadArgs,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct PositionsWrittenJson {
    /// The path of the file written.
    file: String,
    game: &'static str,
    board: String,
    /// Positions read, repetitions included.
    read: u64,
    /// Positions in the file written.
    positions: u64,
    /// Bytes of the file.
    bytes: u64,
}

/// Picks a number of things from all that pass by, each with the same chance.
pub(super) struct Picker {
    random: Mt64,
    wanted: u64,
    left: u64,
}

impl Picker {
    /// Picks `wanted` of `all`, or all of them if there are fewer.
    pub(super) fn new(seed: u64, wanted: u64, all: u64) -> Self {
        Self { random: generator(seed, &[PICKED]), wanted: wanted.min(all), left: all }
    }

    /// Whether the next one is picked (Knuth, volume 2, 3.4.2, algorithm S).
    pub(super) fn next(&mut self) -> bool {
        let picked = self.left > 0 && below(&mut self.random, self.left) < self.wanted;
        self.left = self.left.saturating_sub(1);
        self.wanted -= u64::from(picked);
        picked
    }
}

/// Writes the picked records of files.
pub(super) fn write(
    (game, files): (GameId, &PositionFiles),
    (output, force, packed): (&Path, bool, bool),
    how: &str,
    picked: &mut dyn FnMut(u64) -> bool,
) -> Result<PositionsWrittenJson> {
    let mut copy = PositionCopy::create((output, packed), game, files, how)?;
    let mut positions = 0;
    let mut sample = Sample::on_board(game, files.board())?;
    each_record(files, &mut |index, record| {
        if picked(index) {
            // A damaged record must not get a good checksum.
            files.sample(index, record, &mut sample)?;
            positions += 1;
            copy.add(record)?;
        }
        Ok(())
    })?;
    let bytes = copy.finish(force)?;
    let (file, board) = (output.display().to_string(), files.board().to_string());
    Ok(PositionsWrittenJson { file, game: game.name, board, read: files.count(), positions, bytes })
}

/// Says what was written.
pub(super) fn show(written: &PositionsWrittenJson, console: &Console) -> Result<Ended> {
    if console.json {
        console.document(written)?;
        return Ok(Ended::Done);
    }
    let PositionsWrittenJson { file, read, positions, bytes, .. } = written;
    console.say(format!(
        "{} of {} positions in {file} ({})",
        units::count(*positions),
        units::count(*read),
        units::bytes(*bytes)
    ))?;
    Ok(Ended::Done)
}

pub(super) fn merge(args: &MergeArgs, console: &Console) -> Result<Ended> {
    let PositionsOutputArgs { output, force, packed } = &args.output;
    check_output(output, *force, &args.paths.files()?)?;
    let (game, files) = args.paths.open(console)?;
    let written = write((game, &files), (output, *force, *packed), "merged", &mut |_| true)?;
    show(&written, console)
}

pub(super) fn thin(args: &ThinArgs, console: &Console) -> Result<Ended> {
    let PositionsOutputArgs { output, force, packed } = &args.output;
    check_output(output, *force, &args.paths.files()?)?;
    let zero = |option: &str| {
        Error::input(format!("option `{option}`"), "0 keeps no positions").remedy("give at least 1")
    };
    if args.every == Some(0) {
        return Err(zero("--every"));
    }
    if args.most == Some(0) {
        return Err(zero("--most"));
    }
    let (game, files) = args.paths.open(console)?;
    let interrupt = Interrupt::new("");
    let threads = Threads::new(args.threads.count())?;
    let (board, stop) = (files.board(), interrupt.stop());
    let dedup = Dedup { game, samples: &files, board, threads: &threads, stop };
    let distinct = args.distinct.then(|| dedup.distinct()).transpose()?;
    let every = args.every.unwrap_or(1);
    let left = distinct.as_ref().map_or(files.count(), |found| found.count).div_ceil(every);
    let mut picker = Picker::new(args.seed.seed, args.most.unwrap_or(left), left);
    let mut seen = 0;
    let mut picked = |index: u64| {
        if distinct.as_ref().is_some_and(|found| !found.is_first(index)) {
            return false;
        }
        seen += 1;
        (seen - 1) % every == 0 && picker.next()
    };
    let written = write((game, &files), (output, *force, *packed), "thinned", &mut picked)?;
    show(&written, console)
}
