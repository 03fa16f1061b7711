//! `spar endgame check`: compares a database with the solver and with the rules.

use super::build::EndgameClassRow;
use super::value_text;
use crate::any::AnyPosition;
use crate::arena::Threads;
use crate::cli::args::parse_count;
use crate::cli::{Console, Ended, ErrorDetails, Interrupt, ProgressLine, SeedArg, ThreadArgs};
use crate::endgames::{SampleCheck, WrongOutcome, check_every, check_sample, load};
use crate::error::Result;
use crate::game::Outcome;
use crate::report::units;
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;

/// Checks a database: the checksum, and random positions against the solver
///
/// The solver searches without the database. Positions of Breakthru are taken one to three turns
/// before the turn limit, since the solver does not finish earlier ones.
#[derive(Args, Debug)]
pub(in crate::cli) struct EndgameCheckArgs {
    /// The file of the database
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Random positions to solve
    #[arg(long, value_name = "N", default_value = "10000", value_parser = parse_count)]
    positions: u64,
    /// Compare every value with the values after each move, too: if all agree, all are right
    #[arg(long)]
    every: bool,
    #[command(flatten)]
    seed: SeedArg,
    #[command(flatten)]
    threads: ThreadArgs,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct EndgameCheckJson {
    file: String,
    game: &'static str,
    board: String,
    /// The most pieces: each list bounds a part of the database.
    most: Vec<Vec<u8>>,
    classes: Vec<EndgameClassRow>,
    /// Random positions that were solved.
    solved: u64,
    /// Positions that the solver visited for them.
    nodes: u64,
    /// Values compared with the values after each move; 0 without --every.
    compared: u64,
    /// Positions with another value: all that the solver found, and the first of --every.
    wrong: Vec<WrongRow>,
}

/// A position whose value is wrong.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct WrongRow {
    fen: String,
    /// The value in the database.
    stored: String,
    /// The answer of the solver or of the rules.
    right: String,
}

impl WrongRow {
    fn of(wrong: &WrongOutcome) -> Self {
        let WrongOutcome { position, stored, solved } = wrong;
        let right = outcome_text(position, *solved).into();
        Self { fen: position.fen(), stored: value_text(Some(*stored)), right }
    }
}

fn outcome_text(position: &AnyPosition, outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Draw => "draw",
        Outcome::Win(side) if side == position.side_to_move() => "win",
        Outcome::Win(_) => "loss",
    }
}

/// Runs the command.
///
/// # Errors
/// When the database cannot be read or is damaged. A wrong value is an answer.
pub(super) fn run(args: &EndgameCheckArgs, console: &Console) -> Result<Ended> {
    let endgames = load(&args.file)?;
    let interrupt = Interrupt::new("stopping");
    let threads = Threads::new(args.threads.count())?;
    let mut progress = ProgressLine::new(console, Some(args.positions), "positions");
    let sample = check_sample(
        &endgames,
        args.positions,
        args.seed.seed,
        &threads,
        interrupt.stop(),
        &mut |done| progress.update(done, String::new),
    );
    progress.finish();
    let SampleCheck { solved, nodes, wrong, .. } = sample?;
    let mut wrong: Vec<WrongRow> = wrong.iter().map(WrongRow::of).collect();
    let mut compared = 0;
    if args.every && !interrupt.stop().is_set() {
        let values = endgames.values().iter().map(|values| values.len() as u64).sum();
        let mut progress = ProgressLine::new(console, Some(values), "values");
        let (done, found) = check_every(&endgames, &threads, interrupt.stop(), &mut |done| {
            progress.update(done, String::new)
        });
        progress.finish();
        compared = done;
        wrong.extend(found.map(|found| WrongRow {
            fen: found.position.fen(),
            stored: value_text(Some(found.stored)),
            right: value_text(Some(found.expected)),
        }));
    }
    if interrupt.stop().is_set() {
        console.failure(ErrorDetails::of_stop(args.file.display(), "the same command"))?;
        return Ok(Ended::Stopped);
    }
    let is_right = wrong.is_empty();
    report(
        EndgameCheckJson {
            file: args.file.display().to_string(),
            game: endgames.game(),
            board: endgames.board().to_string(),
            most: endgames.bounds().to_vec(),
            classes: EndgameClassRow::all(&endgames),
            solved,
            nodes,
            compared,
            wrong,
        },
        console,
    )?;
    Ok(if is_right { Ended::Done } else { Ended::Refused })
}

fn report(document: EndgameCheckJson, console: &Console) -> Result<()> {
    if console.json {
        return console.document(&document);
    }
    let EndgameCheckJson { file, game, board, classes, solved, compared, wrong, .. } = &document;
    let positions = units::counted(EndgameClassRow::positions(classes), "position");
    console.say(format!(
        "{game} on {board}, {positions}\n{}",
        EndgameClassRow::table(classes, console.width())
    ))?;
    for WrongRow { fen, stored, right } in wrong {
        console.say(format!("{fen}: {stored} in the database, but it is a {right}"))?;
    }
    let verdict = match wrong.len() as u64 {
        0 => "good".into(),
        count => units::counted(count, "wrong value"),
    };
    let compared = match compared {
        0 => String::new(),
        _ => format!(", {} compared with their moves", units::counted(*compared, "value")),
    };
    console.say(format!(
        "{file}: {verdict}, {} solved{compared}",
        units::counted(*solved, "random position")
    ))
}
