//! `spar endgame probe`: looks positions up in a database.

use super::{EndgameResult, value_text};
use crate::any::{AnyEndgames, AnyPosition};
use crate::cli::{Console, Ended, Pasted};
use crate::endgames::{load, move_values};
use crate::error::{Error, Result, shorten};
use crate::game::KnownValue;
use crate::games::GameId;
use crate::report::{TextTable, units};
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;

/// Shows the value of a position and of each of its moves
///
/// A value is a win, a loss or a draw for the side to move, with the turns to the end of the game.
#[derive(Args, Debug)]
pub(in crate::cli) struct EndgameProbeArgs {
    /// The file of the database
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The position, in the notation of the game
    #[arg(value_name = "FEN")]
    fen: String,
    /// Moves to play from there, with spaces between
    #[arg(long, value_name = "\"MOVE MOVE ...\"", default_value = "")]
    moves: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct EndgameProbeJson {
    file: String,
    game: &'static str,
    board: String,
    fen: String,
    /// For the side to move.
    result: EndgameResult,
    /// Turns of both sides to the end of the game, the one under way included; null for a draw.
    turns: Option<u32>,
    /// Every move, best first.
    moves: Vec<EndgameMoveRow>,
}

/// A legal move and its value.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct EndgameMoveRow {
    #[serde(rename = "move")]
    mv: String,
    /// For its mover; null where the game would be decided just at its limit of turns.
    result: Option<EndgameResult>,
    turns: Option<u32>,
}

/// Runs the command.
///
/// # Errors
/// When the database or the position cannot be read, or the position is not in the database.
pub(super) fn run(args: &EndgameProbeArgs, console: &Console) -> Result<Ended> {
    let endgames = load(&args.file)?;
    let game: GameId = endgames.game().parse()?;
    let start = game.from_fen(&args.fen)?;
    let line = Pasted::new(&args.moves).moves(game, start);
    let position = line.map_err(|error| error.within("--moves"))?.position;
    let value = endgames.value(&position).ok_or_else(|| missing(args, &endgames, &position))?;
    match console.json {
        true => console.document(&document(args, &endgames, &position, value))?,
        false => print(&endgames, &position, value, console)?,
    }
    Ok(Ended::Done)
}

/// The error for a position that has no value.
fn missing(args: &EndgameProbeArgs, endgames: &AnyEndgames, position: &AnyPosition) -> Error {
    let place = format!("FEN `{}`", shorten(&args.fen));
    if position.outcome().is_some() {
        return Error::input(place, "the game is over")
            .remedy("name a position of a game under way");
    }
    if position.board() != endgames.board() {
        let reason = format!("a board of {}, not of {}", position.board(), endgames.board());
        return Error::input(place, reason).remedy("name a position on the database's board");
    }
    if let Some(turns) = turns_at_limit(endgames, position) {
        let reason = format!(
            "the win would take exactly the {} that the turn limit leaves, and there the database \
             gives no value",
            units::counted(turns.into(), "turn")
        );
        return Error::input(place, reason)
            .remedy(format!("`spar solve --game {} --fen FEN` finds it", endgames.game()));
    }
    let most: Vec<String> = endgames
        .bounds()
        .iter()
        .map(|most| most.iter().map(u8::to_string).collect::<Vec<_>>().join(","))
        .collect();
    let reason = format!("not in the database, which has the pieces {}", most.join(" or "));
    Error::input(place, reason).remedy("`spar solve --endgame FILE --fen FEN` searches down to it")
}

/// The turns of the win in a position that lacks a value only because it is so near the turn limit:
/// with all turns of a game left it has one.
fn turns_at_limit(endgames: &AnyEndgames, position: &AnyPosition) -> Option<u32> {
    let game: GameId = endgames.game().parse().ok()?;
    let fen = position.fen();
    let (pieces, turn) = fen.rsplit_once(' ')?;
    turn.parse::<u32>().ok()?;
    endgames.value(&game.from_fen(&format!("{pieces} 1")).ok()?)?.turns()
}

fn document(
    args: &EndgameProbeArgs,
    endgames: &AnyEndgames,
    position: &AnyPosition,
    value: KnownValue,
) -> EndgameProbeJson {
    let row = |(mv, value): (_, Option<KnownValue>)| EndgameMoveRow {
        mv: position.move_text(mv),
        result: value.map(EndgameResult::of),
        turns: value.and_then(KnownValue::turns),
    };
    EndgameProbeJson {
        file: args.file.display().to_string(),
        game: endgames.game(),
        board: endgames.board().to_string(),
        fen: position.fen(),
        result: EndgameResult::of(value),
        turns: value.turns(),
        moves: move_values(endgames, position).into_iter().map(row).collect(),
    }
}

fn print(
    endgames: &AnyEndgames,
    position: &AnyPosition,
    value: KnownValue,
    console: &Console,
) -> Result<()> {
    console.say(format!(
        "{}\n{} for the side to move (turns of both sides)\n",
        position.diagram(),
        value_text(Some(value))
    ))?;
    let mut table = TextTable::new().left("move").left("value");
    for (mv, value) in move_values(endgames, position) {
        table.row([position.move_text(mv), value_text(value)]);
    }
    console.say(table.fit(console.width()))
}
