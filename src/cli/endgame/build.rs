//! `spar endgame build`: builds a database and writes it to a file.

use crate::any::{AnyEndgames, ClassSummary};
use crate::cli::args::check_memory;
use crate::cli::force::finish_free;
use crate::cli::solve::is_too_large;
use crate::cli::{
    Console, Ended, ErrorDetails, GameArgs, Interrupt, ProgressLine, ThreadArgs, check_free,
};
use crate::endgames;
use crate::error::{Error, Result};
use crate::game::Board;
use crate::report::{TextTable, units};
use crate::shell::quote_path;
use clap::Args;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Solves every position with few pieces by retrograde analysis
///
/// For each position the database has the winner and the number of turns. Symmetric positions are
/// stored once. The database is the same for any number of threads. A position takes a byte of
/// memory, and less in the file.
#[derive(Args, Debug)]
pub(in crate::cli) struct EndgameBuildArgs {
    /// The database to write
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    game: GameArgs,
    /// The most pieces. Breakthrough: of one side and of the other [default: 2,2]; Breakthru:
    /// escorts and silver ships beside the flagship [default: 0,3, 1,2 and 2,1]. A single number
    /// counts for both. Given several times, the database has the positions within any of them
    #[arg(long, value_name = "N,N", value_parser = parse_bounds)]
    most: Vec<Vec<u8>>,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Overwrite the file if it exists
    #[arg(long)]
    force: bool,
}

/// Reads numbers of pieces, written `2,2`.
fn parse_bounds(text: &str) -> Result<Vec<u8>> {
    let numbers = text.split(',').map(|number| number.trim().parse::<u8>());
    numbers.collect::<std::result::Result<_, _>>().map_err(|_| {
        Error::input(format!("pieces `{text}`"), "not numbers").remedy("give for example 2,2")
    })
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct EndgameBuildJson {
    /// The path of the written database.
    file: String,
    game: &'static str,
    board: String,
    /// The most pieces: each list bounds a part of the database.
    most: Vec<Vec<u8>>,
    /// Positions in it, symmetric ones once.
    positions: u64,
    classes: Vec<EndgameClassRow>,
    /// The bytes that it takes in memory.
    memory: u64,
    /// The bytes of the file.
    bytes: u64,
    seconds: f64,
}

/// A class of positions: the same pieces, and the same side to move where that matters.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct EndgameClassRow {
    /// The mover's and the opponent's pieces in Breakthrough; flagship, escorts, ships and side in
    /// Breakthru.
    name: String,
    positions: u64,
    /// Positions that the side to move wins.
    wins: u64,
    /// Positions that the side to move loses.
    losses: u64,
    draws: u64,
    /// The most turns to the end of a game that is won.
    longest: u32,
}

impl EndgameClassRow {
    pub(super) fn all(endgames: &AnyEndgames) -> Vec<Self> {
        let row = |found: ClassSummary| {
            let ClassSummary { name, positions, wins, losses, draws, longest } = found;
            Self { name, positions, wins, losses, draws, longest }
        };
        endgames.classes().into_iter().map(row).collect()
    }

    /// The positions of all classes.
    pub(super) fn positions(rows: &[Self]) -> u64 {
        rows.iter().map(|row| row.positions).sum()
    }

    /// The classes as a table.
    pub(super) fn table(rows: &[Self], width: Option<usize>) -> String {
        let mut table = TextTable::new()
            .left("class")
            .right("positions")
            .right("wins")
            .right("losses")
            .right("draws")
            .right("longest");
        for row in rows {
            let [positions, wins, losses, draws, longest] =
                [row.positions, row.wins, row.losses, row.draws, row.longest.into()]
                    .map(units::count);
            table.row([row.name.clone(), positions, wins, losses, draws, longest]);
        }
        table.fit(width).to_string()
    }
}

/// Runs the command.
///
/// # Errors
/// When an argument is wrong, memory is short, or the file cannot be written.
pub(super) fn run(args: &EndgameBuildArgs, console: &Console) -> Result<Ended> {
    let begun = Instant::now();
    check_free(&args.output, args.force)?;
    let game = args.game.id(&[]);
    game.needs_endgames()?;
    let board = args.game.checked_board(game, &[])?;
    let bounds = match args.most.is_empty() {
        true => game.usual_endgames()?,
        false => args.most.clone(),
    };
    let plan = game.endgame_plan(board, &bounds).map_err(|error| error.within("--most"))?;
    let memory = plan.bytes();
    check_memory(usize::try_from(memory).unwrap_or(usize::MAX), "--most")?;
    console.aside(format!("{} in memory", units::bytes(memory)));
    let interrupt = Interrupt::new("stopping; nothing is kept");
    let mut progress = ProgressLine::new(console, Some(2 * memory), "positions, twice each");
    let built = plan.build(args.threads.count(), interrupt.stop(), &mut |done| {
        progress.update(done, String::new);
    });
    progress.finish();
    let Some((endgames, bytes)) = save(built, (&args.output, args.force), interrupt)? else {
        console.failure(ErrorDetails::of_stop(args.output.display(), "the same command"))?;
        return Ok(Ended::Stopped);
    };
    let classes = EndgameClassRow::all(&endgames);
    let document = EndgameBuildJson {
        file: args.output.display().to_string(),
        game: game.name,
        board: board.to_string(),
        most: endgames.bounds().to_vec(),
        positions: EndgameClassRow::positions(&classes),
        classes,
        memory,
        bytes,
        seconds: begun.elapsed().as_secs_f64(),
    };
    match console.json {
        true => console.document(&document)?,
        false => print((&document, board), args, begun, console)?,
    }
    Ok(Ended::Done)
}

/// Writes a database, and returns it with the bytes of its file; `None` if a signal came before.
fn save(
    built: Option<AnyEndgames>,
    (path, force): (&Path, bool),
    interrupt: Interrupt,
) -> Result<Option<(AnyEndgames, u64)>> {
    let Some(endgames) = built else { return Ok(None) };
    let (file, bytes) = endgames::begin_file(&endgames, path)?;
    let stop = interrupt.stop().clone();
    // From here on a signal must not say that nothing is kept.
    drop(interrupt);
    if stop.is_set() {
        return Ok(None);
    }
    finish_free(file, path, force)?;
    Ok(Some((endgames, bytes)))
}

fn print(
    (document, board): (&EndgameBuildJson, Board),
    args: &EndgameBuildArgs,
    begun: Instant,
    console: &Console,
) -> Result<()> {
    let file = quote_path(&args.output);
    let solve = match is_too_large(board) {
        true => String::new(),
        false => {
            format!("\n  spar solve --game {} --board {board} --endgame {file}", document.game)
        }
    };
    console.say(format!(
        "{}\n{} in {file} ({}, {})\n\nnext\n  spar endgame check {file}{solve}",
        EndgameClassRow::table(&document.classes, console.width()),
        units::counted(document.positions, "position"),
        units::bytes(document.bytes),
        units::time(begun.elapsed()),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GameId;
    use crate::search::Stop;

    #[test]
    fn a_signal_that_comes_before_the_file_has_its_name_keeps_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("4x5.end");
        let game: GameId = "breakthrough".parse().unwrap();
        for comes in [true, false] {
            let plan = game.endgame_plan(Board::new(4, 5), &[vec![1, 1]]).unwrap();
            let built = plan.build(1, &Stop::default(), &mut |_| ());
            let interrupt = Interrupt::new("");
            if comes {
                interrupt.stop().set();
            }
            assert_eq!(save(built, (&path, false), interrupt).unwrap().is_none(), comes);
            let files = folder.path().read_dir().unwrap().count();
            assert_eq!((path.exists(), files), (!comes, usize::from(!comes)));
        }
    }
}
