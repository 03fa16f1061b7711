//! `spar play`: a game against the engine in the terminal.

mod command;
mod game_in_play;
mod input;
mod marked_board;
mod play_loop;
pub(in crate::cli) mod typed_move;

use super::book::{PlayerBook, PlayerBookArgs};
use super::engine_args::EngineArgs;
use super::limit_args::{ClockPolicyArg, parse_clock};
use crate::any::{AnyEngine, AnyOpening};
use crate::arena::record::result_text;
use crate::cli::{Console, Ended, LoadedPlayer, PositionArgs};
use crate::error::{Error, Result, shorten};
use crate::files::{self, Links};
use crate::game::FenCounters;
use crate::games::GameId;
use crate::player::Player;
use crate::search::{Clock, Limits};
use clap::{Args, ValueEnum};
use game_in_play::GameInPlay;
use input::LineInput;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::Duration;

/// The engine's time for a move when no limit is given.
const TIME: Duration = Duration::from_secs(1);

/// Plays a game against you in the terminal
#[derive(Args, Debug)]
#[command(
    after_help = "With neither a limit nor a clock the engine gets --movetime 1000. Ctrl-C while it thinks: \
    it moves at once. Type `help` in the game for its commands."
)]
pub struct PlayArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// The engine's weights: a shipped set, a file or a run [default: the board's strongest]
    #[arg(long, value_name = "WEIGHTS")]
    weights: Option<String>,
    /// The side you play; in most games the first one begins
    #[arg(long, value_enum, default_value_t = HumanSide::First)]
    side: HumanSide,
    /// Seconds for the game and seconds added after each move, for both sides; a side that runs out
    /// of time loses
    #[arg(long, value_name = "GAME+MOVE", value_parser = parse_clock)]
    clock: Option<Clock>,
    #[command(flatten)]
    policy: ClockPolicyArg,
    #[command(flatten)]
    book: PlayerBookArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

/// Which sides a person plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum HumanSide {
    /// The first side
    First,
    /// The second side
    Second,
    /// Two people play, the engine only gives hints
    Both,
    /// The engine plays itself
    None,
}

impl HumanSide {
    fn flags(self) -> [bool; 2] {
        [matches!(self, Self::First | Self::Both), matches!(self, Self::Second | Self::Both)]
    }
}

/// Runs the command.
///
/// # Errors
/// When an argument is wrong, or the terminal fails.
pub fn run(args: &PlayArgs, console: &Console) -> Result<Ended> {
    let weights = args.weights.as_deref();
    let id = args.position.game(weights, console)?;
    let given = args.engine.limits.given()?;
    let limits = match args.clock {
        Some(_) => given.unwrap_or_default(),
        None => given.unwrap_or(Limits::movetime(TIME)),
    };
    let line = args.position.line(id, weights)?;
    let (LoadedPlayer { player, evaluator }, options) =
        args.engine.player(id, weights, line.start.board(), &limits, console)?;
    let board = line.start.board();
    let book = args.book.read(id, board)?;
    let engine = args.engine.engine(&evaluator, options, (id, board), console)?;
    let policy = args.policy.clock_policy;
    let clock = args.clock.map(|clock| Clock { policy, whole: Some(clock.left), ..clock });
    let mut game = GameInPlay::new(line.start, args.side.flags(), clock);
    game.count_from(args.position.counters(id));
    line.moves.into_iter().for_each(|mv| game.play(mv));
    let input = LineInput::open()?;
    let mut play_loop =
        PlayLoop { id, game, engine, player, limits, book, input, shown: None, console };
    play_loop.greet()?;
    let ended = play_loop.run()?;
    play_loop.print_document()?;
    Ok(ended)
}

/// Reads what is typed and lets the engine answer until the game is left.
struct PlayLoop<'a> {
    id: GameId,
    game: GameInPlay,
    engine: AnyEngine,
    player: Player,
    limits: Limits,
    book: Option<PlayerBook>,
    input: LineInput,
    /// The plies of the game when the board was drawn last.
    shown: Option<usize>,
    console: &'a Console,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct PlayJson {
    game: &'static str,
    board: String,
    /// The position before the first move.
    start: String,
    moves: Vec<String>,
    /// The position after the last one.
    fen: String,
    /// `1-0`, `0-1` or `1/2-1/2`; null when the game is not over.
    result: Option<String>,
    /// `rules`, `time` or `resignation`; null when it is not over.
    ending: Option<&'static str>,
}

/// The largest file of a saved game that is read, in bytes: a game has some kilobytes.
const MOST_SAVED: u64 = 1 << 20;

/// A game as `save` writes it.
#[derive(Serialize, Deserialize)]
struct SavedGame {
    game: String,
    board: String,
    start: String,
    moves: Vec<String>,
    result: Option<String>,
}

impl SavedGame {
    /// The first position, the moves and the first position's counters from a saved file, which
    /// must be of this game.
    fn read(game: GameId, path: &Path) -> Result<(AnyOpening, Option<FenCounters>)> {
        let text = files::read(path, Links::Followed, MOST_SAVED)?;
        let saved: Self = serde_json::from_slice(&text).map_err(|error| {
            Error::input(path.display(), format!("not a saved game: {error}"))
                .remedy("name a file that `save` wrote")
        })?;
        if saved.game != game.name() {
            let reason = format!("a game of {}, not of {game}", shorten(&saved.game));
            return Err(
                Error::input(path.display(), reason).remedy("begin the program with that --game")
            );
        }
        let start = game.from_fen(&saved.start).map_err(|error| error.within(path.display()))?;
        let mut line = AnyOpening::new(start);
        for (index, text) in saved.moves.iter().enumerate() {
            let within =
                |error: Error| error.within(format!("{}, ply {}", path.display(), index + 1));
            line.push(line.position.parse_move(text).map_err(within)?);
        }
        saved.check(&line).map_err(|error| error.within(path.display()))?;
        Ok((line, FenCounters::of(&game, &saved.start)))
    }

    /// Checks that the board and the result agree with the moves. A game that the rules have not
    /// ended can have any result: somebody resigned, or ran out of time.
    fn check(&self, line: &AnyOpening) -> Result<()> {
        let differs = |field: &str, given: &str, actual: &str| {
            let reason = format!("`{}`, but by its start and moves it is {actual}", shorten(given));
            Err(Error::input(format!("field `{field}`"), reason).remedy("correct or remove it"))
        };
        let board = line.start.board().to_string();
        if self.board != board {
            return differs("board", &self.board, &board);
        }
        let outcome = line.position.outcome().map(result_text);
        match (outcome, &self.result) {
            (Some(actual), Some(given)) if given != actual => differs("result", given, actual),
            _ => Ok(()),
        }
    }
}
