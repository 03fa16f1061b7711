//! `spar positions`: lists, describes, samples, merges and thins files of positions.

pub(in crate::cli) mod describe;
pub(in crate::cli) mod list;
pub(in crate::cli) mod sample;
pub(in crate::cli) mod write;

use crate::cli::{Console, Ended, find_positions, older};
use crate::error::{Error, Result};
use crate::games::GameId;
use crate::run::older::position_paths;
use crate::run::positions::{PositionFiles, origin_of};
use crate::tune::PositionSource;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Records read at once.
const CHUNK: u64 = 1 << 13;

/// Lists, describes, samples, merges and thins positions
///
/// Positions come from runs and from `spar generate`.
#[derive(Subcommand, Debug)]
pub(super) enum PositionsCommand {
    List(list::PositionsListArgs),
    Describe(describe::DescribeArgs),
    Sample(sample::SampleArgs),
    Merge(write::MergeArgs),
    Thin(write::ThinArgs),
}

/// Runs the command.
///
/// # Errors
/// When a file cannot be read or written, or an argument is wrong.
pub(super) fn run(command: &PositionsCommand, console: &Console) -> Result<Ended> {
    match command {
        PositionsCommand::List(args) => list::run(args, console),
        PositionsCommand::Describe(args) => describe::run(args, console),
        PositionsCommand::Sample(args) => sample::run(args, console),
        PositionsCommand::Merge(args) => write::merge(args, console),
        PositionsCommand::Thin(args) => write::thin(args, console),
    }
}

/// Files of positions, all of one game and board.
#[derive(Args, Debug)]
struct PositionPaths {
    /// Files of positions, or runs that have some, all of one game and board
    #[arg(value_name = "RUN|FILE", required = true)]
    paths: Vec<PathBuf>,
}

impl PositionPaths {
    fn files(&self) -> Result<Vec<PathBuf>> {
        let files = |path: &PathBuf| position_paths(&find_positions(path)?);
        Ok(self.paths.iter().map(files).collect::<Result<Vec<_>>>()?.concat())
    }

    /// Opens the files, and returns their game too.
    fn open(&self, console: &Console) -> Result<(GameId, PositionFiles)> {
        let files = self.files()?;
        let first = files.first().map(|first| origin_of(first)).transpose()?;
        let (name, _) = first.unwrap_or_default();
        let place = files.first().map(|first| first.display().to_string()).unwrap_or_default();
        let game: GameId = name.parse().map_err(|e: Error| e.within(place))?;
        let opened = PositionFiles::open(game, &files)?;
        older::note_incomplete(&opened, console);
        Ok((game, opened))
    }
}

/// Passes each record on, in order, with its number.
fn each_record(
    source: &dyn PositionSource,
    each: &mut dyn FnMut(u64, &[u8]) -> Result<()>,
) -> Result<()> {
    let (count, mut bytes) = (source.count(), Vec::new());
    for first in (0..count).step_by(CHUNK as usize) {
        source.read(first, CHUNK.min(count - first) as usize, &mut bytes)?;
        for (index, record) in (first..).zip(bytes.chunks_exact(source.record())) {
            each(index, record)?;
        }
    }
    Ok(())
}
