//! The game of a match or a tune: one of ours, or a variant that a referee knows.

use crate::cli::{Console, GameArgs, infer};
use crate::error::{Error, Result, suggest};
use crate::game::Board;
use crate::games::GameId;
use crate::protocol::external_engine::{COMMAND_PREFIX, parse_option};
use crate::protocol::{EngineReferee, ExternalEngine, Protocol, TrustedRules};
use clap::Args;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use std::ffi::OsStr;

/// The default game for an external engine.
const CHESS: &str = "chess";

/// Which game, on which board, by whose rules.
#[derive(Args, Clone, Debug)]
pub(super) struct RefereedGameArgs {
    /// The game, or with --referee a variant as UCI_Variant names it, for example shogi [default:
    /// the game of the weights, else the first of these]
    #[arg(long, value_parser = GameName)]
    game: Option<String>,
    /// The board, columns x rows, for example 6x6 [default: the board of the weights, else the
    /// game's usual one]
    #[arg(long, value_name = "COLSxROWS")]
    board: Option<Board>,
    /// An engine with the rules of a game unknown to this program: it lists legal moves (`go perft
    /// 1`) and shows positions (`d`), as cmd:fairy-stockfish does [default: the players' program,
    /// if both sides run the same one]
    #[arg(long, value_name = "cmd:PROGRAM", requires = "game", help_heading = "Engines (cmd:)")]
    referee: Option<String>,
    /// An option of the referee; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_option, allow_hyphen_values = true, requires = "referee", help_heading = "Engines (cmd:)")]
    referee_option: Vec<(String, String)>,
}

/// Reads any name; help and completions list the games of this program.
#[derive(Clone)]
struct GameName;

impl TypedValueParser for GameName {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> std::result::Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(GameId::all().iter().map(|game| PossibleValue::new(game.name()))))
    }
}

/// A game, its board, and who knows its rules.
pub(super) struct JudgedGame {
    /// The game that the referee judges.
    pub(super) game: GameId,
    /// The board of the variant.
    pub(super) board: Board,
    /// The engine that knows the rules, where this program does not.
    pub(super) referee: Option<ExternalEngine>,
}

impl RefereedGameArgs {
    /// The game for an external engine where the user names none.
    ///
    /// # Errors
    /// When several games are possible.
    pub(super) fn usual_of_engines(&self) -> Result<Option<&'static str>> {
        let open = self.game.is_none();
        open.then(|| game_of_engines().map(|game| game.name())).transpose()
    }

    /// Whether the user has named the game.
    pub(super) fn is_named(&self) -> bool {
        self.game.is_some()
    }

    /// The game that the user has named, or the program's first one.
    ///
    /// # Errors
    /// When its rules are unknown here.
    pub(super) fn known(&self) -> Result<GameId> {
        let Some(name) = &self.game else { return Ok(infer::game(&[])) };
        GameId::find(name).ok_or_else(|| unknown(name))
    }

    /// The game: as given, or else `usual`, or else the game of the weight sets among the players.
    /// A referee is started as `common` says.
    ///
    /// # Errors
    /// When the game is unknown, there is no such board, or the referee does not start or does not
    /// know the game.
    pub(super) fn find(
        &self,
        players: &[&str],
        usual: Option<&str>,
        common: Option<&ExternalEngine>,
        console: &Console,
    ) -> Result<JudgedGame> {
        let name = self.game.as_deref().or(usual);
        if let Some(name) = name
            && let Some(command) = self.referee_for(name, players, console)?
        {
            let Some(common) = common else {
                return Err(Error::input("--referee", "no engine plays in this tune")
                    .remedy("name one with --engine cmd:PROGRAM"));
            };
            return self.judged(name, command, common);
        }
        let game = match name {
            Some(name) => GameId::find(name).ok_or_else(|| unknown(name))?,
            None => infer::game(players),
        };
        let args = GameArgs { game: Some(game), board: self.board };
        let board = args.checked_board(game, players)?;
        Ok(JudgedGame { game, board, referee: None })
    }

    /// A game whose rules only the tuned engine knows.
    ///
    /// # Errors
    /// When there is no game or board, a referee is named, or the rules are known here.
    pub(super) fn trusted(&self) -> Result<JudgedGame> {
        let refuse =
            |reason: &str, remedy: &str| Err(Error::input("--rules trust", reason).remedy(remedy));
        if self.referee.is_some() {
            return refuse("a referee knows the rules", "leave out one of --rules and --referee");
        }
        let Some(name) = &self.game else {
            return refuse("no game is named", "name it with --game, as UCI_Variant does");
        };
        let Some(board) = self.board else {
            return refuse(
                "the size of the board is unknown",
                "give its size, for example --board 9x9",
            );
        };
        let game = TrustedRules::know(name, board).map_err(|error| error.within("--rules"))?;
        Ok(JudgedGame { game, board, referee: None })
    }

    /// The command of the referee, if the game has one: as given, or the players' own program.
    fn referee_for(
        &self,
        name: &str,
        players: &[&str],
        console: &Console,
    ) -> Result<Option<String>> {
        if let Some(text) = &self.referee {
            let Some(command) = text.strip_prefix(COMMAND_PREFIX) else {
                return Err(Error::input(format!("--referee {text}"), "not a command")
                    .remedy("write --referee \"cmd:PROGRAM ARGS\""));
            };
            return Ok(Some(command.trim().to_owned()));
        }
        let mut commands = players.iter().map(|player| player.strip_prefix(COMMAND_PREFIX));
        let own = commands.next().flatten();
        if GameId::find(name).is_some() || !commands.all(|command| is_same_command(command, own)) {
            return Ok(None);
        }
        if let Some(own) = own {
            console.note(format!("no referee is named, so `{own}` judges its own games"));
        }
        Ok(own.map(|own| own.trim().to_owned()))
    }

    fn judged(&self, name: &str, command: String, common: &ExternalEngine) -> Result<JudgedGame> {
        let engine = ExternalEngine {
            command,
            options: self.referee_option.clone(),
            // The referee speaks UCI, whatever the players speak.
            protocol: Some(Protocol::Uci),
            restarts: false,
            ..common.clone()
        };
        let (game, board, engine) = EngineReferee::install(engine, name)?;
        match self.board.filter(|&own| own != board) {
            None => Ok(JudgedGame { game, board, referee: Some(engine) }),
            Some(own) => {
                let reason = format!("the referee plays {name} on {board}");
                Err(Error::input(format!("board `{own}`"), reason).remedy("leave out --board"))
            }
        }
    }
}

/// Whether two players run the same program with the same arguments, however they are quoted.
fn is_same_command(one: Option<&str>, other: Option<&str>) -> bool {
    let words = |command: Option<&str>| command.and_then(shlex::split);
    one == other || words(one).is_some_and(|own| Some(own) == words(other))
}

/// The game for an external engine where none is given: chess, or else the program's only game.
///
/// # Errors
/// When the program has no chess, but several other games.
pub(super) fn game_of_engines() -> Result<GameId> {
    match (GameId::find(CHESS), GameId::all()) {
        (Some(chess), _) => Ok(chess),
        (None, [only]) => Ok(*only),
        (None, several) => {
            let names: Vec<&str> = several.iter().map(|game| game.name()).collect();
            Err(Error::input("the engine's game", "not named, and this program has several")
                .remedy(format!("say which with --game {}", names.join(" or --game "))))
        }
    }
}

/// The error for a game unknown to this program, without a referee.
fn unknown(name: &str) -> Error {
    let names = GameId::all().iter().map(|game| game.name());
    let known = suggest(name, names, "known are");
    let other = if known.ends_with('?') { " For" } else { "; for" };
    Error::input(format!("game `{name}`"), "unknown").remedy(format!(
        "{known}{other} any other game, name an engine that knows the rules: --referee cmd:fairy-stockfish"
    ))
}
