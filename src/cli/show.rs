//! `spar show`: the games of a file.

use super::games::{note_torn, read_games, run_of};
use super::list_document::ListDocument;
use super::named::find_games;
use crate::arena::GameRecord;
use crate::cli::{Console, Ended};
use crate::error::{Error, Result};
use crate::games::GameId;
use crate::report::TextTable;
use crate::report::names::short_names;
use crate::run;
use clap::Args;
use serde::Serialize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Lists the games of a run or file, or shows one move by move
#[derive(Args, Debug)]
pub struct ShowArgs {
    /// A file of games (games.jsonl, games.jsonl.zst), or a run: `last`, its name or a part of it,
    /// or its directory
    #[arg(value_name = "FILE|RUN")]
    file: PathBuf,
    /// Show this game, by its number in the list, move by move
    #[arg(long, value_name = "NUMBER")]
    game: Option<u64>,
}

/// The list of games, for the schema; it is written game by game.
#[cfg(test)]
#[derive(Serialize, schemars::JsonSchema)]
pub(in crate::cli) struct GameListJson {
    games: Vec<NumberedGame>,
}

/// A game of the list.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct NumberedGame {
    /// Its number, from 1, as in `--game`.
    number: u64,
    #[serde(flatten)]
    record: GameRecord,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct GameJson<'a> {
    game: &'a GameRecord,
    positions: Vec<PositionJson>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct PositionJson {
    ply: usize,
    #[serde(rename = "move")]
    mv: Option<String>,
    /// Whether the move belongs to the opening.
    opening: bool,
    fen: String,
}

/// Runs the command.
///
/// # Errors
/// When the file cannot be read, or has no such game.
pub fn run(args: &ShowArgs, console: &Console) -> Result<Ended> {
    let args = &ShowArgs { file: find_games(&args.file)?, ..*args };
    let most = games_on_record(&args.file, console)?;
    match args.game {
        Some(number) => {
            let record = find(args, number, most)?;
            record.game.parse::<GameId>()?;
            show(&record, number, console)
        }
        None if console.json => list_json(&args.file, most, console),
        None => list(args, most, console),
    }
}

/// The number of valid games in a file; a run's games on record are checked against its journal.
fn games_on_record(file: &Path, console: &Console) -> Result<u64> {
    let Some(dir) = run_of(file) else { return Ok(u64::MAX) };
    match run::read(dir) {
        Ok((_, record)) => run::check_games(dir, &record).map(|()| record.games_kept()),
        Err(error) => {
            console.note(format!("the games are not checked against the run's journal: {error}"));
            Ok(u64::MAX)
        }
    }
}

/// Writes all games as JSON, game by game: a long run's take gigabytes.
fn list_json(file: &Path, most: u64, console: &Console) -> Result<Ended> {
    // Damage must be found before the document begins, but a pipe can be read only once.
    let (mut kept, is_read_again) = (Vec::new(), file.is_file());
    let (_, torn) = read_games(file, most, |number, record| {
        kept.extend((!is_read_again).then_some(NumberedGame { number, record }));
        Ok(ControlFlow::Continue(()))
    })?;
    note_torn(torn, console);
    let mut list = ListDocument::new("games", console);
    kept.iter().try_for_each(|game| list.add(game))?;
    if is_read_again {
        read_games(file, most, |number, record| {
            list.add(&NumberedGame { number, record }).map(ControlFlow::Continue)
        })?;
    }
    list.end()?;
    Ok(Ended::Done)
}

/// Prints the list while it reads, as the file may be long.
fn list(args: &ShowArgs, most: u64, console: &Console) -> Result<Ended> {
    let table = TextTable::new()
        .wide("game", 6)
        .wide("pair", 6)
        .optional(3)
        .wide("result", 7)
        .wide("ended by", 11)
        .optional(2)
        .wide("plies", 5)
        .optional(1)
        .left("first - second")
        .shortened(24)
        .fit(console.width());
    let (number, torn) = read_games(&args.file, most, |number, record| {
        if number == 1 {
            table.heading().map_or(Ok(()), |heading| console.say(heading))?;
        }
        console.say(table.line(&cells(number, &record)))?;
        Ok(ControlFlow::Continue(()))
    })?;
    note_torn(torn, console);
    if number == 0 {
        console.note("there is no game in it");
    }
    Ok(Ended::Done)
}

fn cells(number: u64, record: &GameRecord) -> Vec<String> {
    let plies = [&record.opening, &record.moves].map(|moves| moves.split_whitespace().count());
    vec![
        number.to_string(),
        record.pair.saturating_add(1).to_string(),
        record.result.clone(),
        record.ending.name().into(),
        (plies[0] + plies[1]).to_string(),
        short_names(&record.players).join(" - "),
    ]
}

fn find(args: &ShowArgs, wanted: u64, most: u64) -> Result<GameRecord> {
    let mut found = None;
    let (number, _) = read_games(&args.file, most, |number, record| {
        // If there is no such game, all games are counted.
        if number < wanted || wanted == 0 {
            return Ok(ControlFlow::Continue(()));
        }
        found = Some(record).filter(|_| number == wanted);
        Ok(ControlFlow::Break(()))
    })?;
    found.ok_or_else(|| {
        Error::input(format!("{}, game {wanted}", args.file.display()), "there is no such game")
            .remedy(format!("they are numbered from 1 to {number}"))
    })
}

fn show(record: &GameRecord, number: u64, console: &Console) -> Result<Ended> {
    let positions = record.replay().map_err(|error| error.within(format!("game {number}")))?;
    let opening = record.opening.split_whitespace().count();
    if console.json {
        let mut before = &positions[0].1;
        let mut document = GameJson { game: record, positions: Vec::new() };
        for (ply, (mv, position)) in positions.iter().enumerate() {
            let mv = mv.map(|mv| before.move_text(mv));
            document.positions.push(PositionJson {
                ply,
                mv,
                opening: ply <= opening,
                fen: position.fen(),
            });
            before = position;
        }
        console.document(&document)?;
        return Ok(Ended::Done);
    }
    console.say(format!(
        "game {number}: {}, {} on {}\n",
        short_names(&record.players).join(" - "),
        record.game,
        record.board
    ))?;
    let mut before = &positions[0].1;
    for (ply, (mv, position)) in positions.iter().enumerate() {
        if let Some(mv) = mv {
            let mark = if ply <= opening { " (opening)" } else { "" };
            console.say(format!("ply {ply}: {}{mark}", before.move_text(*mv)))?;
        }
        console.say(position.diagram())?;
        before = position;
    }
    console.say(format!("{} {}\nresult {}", record.opening, record.moves, record.result))?;
    if let Some(forfeit) = &record.forfeit {
        console.say(format!("forfeited: {}", forfeit.reason))?;
        forfeit.last_words.iter().try_for_each(|line| console.say(format!("    {line}")))?;
    }
    Ok(Ended::Done)
}
