use super::write::{Picker, show, write};
use super::{PositionPaths, each_record};
use crate::cli::args::parse_count;
use crate::cli::{Console, Ended, SeedArg, check_output};
use crate::error::{Error, Result};
use crate::tune::PositionSource;
use crate::tune::logistic::samples::Sample;
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;

/// The most positions that are printed: a file takes more.
const MOST_PRINTED: u64 = 1_000_000;

/// Prints random positions as FEN, score and result, or writes them to a file
#[derive(Args, Debug)]
pub(in crate::cli) struct SampleArgs {
    #[command(flatten)]
    paths: PositionPaths,
    /// Positions to pick
    #[arg(long, short = 'n', value_name = "N", default_value_t = 10, value_parser = parse_count)]
    count: u64,
    /// The file to write, instead of printing
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite that file if it exists
    #[arg(long, requires = "output")]
    force: bool,
    /// Pack the file: 6 to 11 bytes a position
    #[arg(long, requires = "output")]
    packed: bool,
    #[command(flatten)]
    seed: SeedArg,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct PositionsSampleJson {
    game: &'static str,
    board: String,
    /// Positions that these were picked from.
    read: u64,
    positions: Vec<SampledPosition>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct SampledPosition {
    fen: String,
    /// The search's score from the side to move, in percent of a piece's worth.
    score: i32,
    /// The points of the side to move in the game: 0, 0.5 or 1.
    result: f64,
    /// The ply of the game; those above 255 count as 255.
    ply: u8,
}

pub(super) fn run(args: &SampleArgs, console: &Console) -> Result<Ended> {
    if let Some(output) = &args.output {
        check_output(output, args.force, &args.paths.files()?)?;
    } else if args.count > MOST_PRINTED {
        return Err(Error::input("positions", format!("{} are too many to print", args.count))
            .remedy(format!("give at most {MOST_PRINTED} with --count, or a file with -o")));
    }
    let (game, files) = args.paths.open(console)?;
    let mut picker = Picker::new(args.seed.seed, args.count, files.count());
    if let Some(output) = &args.output {
        let how = "sampled";
        let output = (output.as_path(), args.force, args.packed);
        let written = write((game, &files), output, how, &mut |_| picker.next())?;
        return show(&written, console);
    }
    let mut positions = Vec::new();
    let mut sample = Sample::on_board(game, files.board())?;
    each_record(&files, &mut |index, record| {
        if picker.next() {
            files.sample(index, record, &mut sample)?;
            let result = f64::from(sample.half_points) / 2.0;
            let (fen, score, ply) = (sample.position.fen(), sample.score, sample.ply);
            positions.push(SampledPosition { fen, score, result, ply });
        }
        Ok(())
    })?;
    if console.json {
        let (read, board) = (files.count(), files.board().to_string());
        console.document(&PositionsSampleJson { game: game.name, board, read, positions })?;
        return Ok(Ended::Done);
    }
    for SampledPosition { fen, score, result, .. } in &positions {
        console.say(format!("{fen};{score};{result}"))?;
    }
    Ok(Ended::Done)
}
