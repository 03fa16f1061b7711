//! The commands that the engine understands.

use super::go::Go;
use crate::error::{Error, Result, shorten};
use crate::game::perft::MAX_PERFT_DEPTH;
use crate::protocol::Protocol;

/// The text of [`EngineCommand::Help`].
pub(super) const HELP: &str = "\
uci, uai                          greet, and list the options
isready                           answer readyok once everything is set up
setoption name NAME [value VALUE]
ucinewgame, uainewgame            forget the last game, and go to the start
position startpos|fen FEN [moves MOVE ...]
go [depth PLIES] [nodes N] [movetime MS] [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N] [mate N]
   [infinite] [ponder] [searchmoves MOVE ...]
                                  search; without a limit until stop
stop, ponderhit, quit
d                                 show the position
eval                              explain its static score term by term
go perft N, perft N               count the lines of N plies, move by move
bench [DEPTH]                     search a fixed set of positions";

/// Where a `position` command begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// The beginning of the game, on the variant's board.
    Usual,
    /// A position given as FEN.
    Fen(String),
}

/// A command of a frontend or a match runner.
#[derive(Clone, Debug, PartialEq)]
pub enum EngineCommand {
    /// Nothing to do: an empty line, or a command that is known and means nothing here.
    Nothing,
    /// `uci` or `uai`, the first command.
    Greet(Protocol),
    /// `isready`, which asks for a sign of life.
    IsReady,
    /// `setoption`: a name, and a value except for buttons.
    SetOption(String, Option<String>),
    /// `ucinewgame` or `uainewgame`, before another game.
    NewGame,
    /// `position`: where it begins, and the moves from there.
    Position(Start, Vec<String>),
    /// `go`, which starts a search.
    Go(Go),
    /// `stop`, which ends the search with its answer.
    Stop,
    /// `ponderhit`: the opponent played the expected move.
    PonderHit,
    /// `quit`, which ends the program.
    Quit,
    /// `d`: show the position.
    Display,
    /// `eval`: explain the static score.
    Eval,
    /// `perft`: count the lines of a number of plies.
    Perft(u32),
    /// `bench`: search the benchmark's positions, to a depth if one is named.
    Bench(Option<u32>),
    /// `help`, which lists the commands.
    Help,
}

impl EngineCommand {
    /// Reads a line.
    ///
    /// # Errors
    /// When the line is no command, or lacks a needed argument. The engine then ignores it, with a
    /// remark.
    pub fn parse(line: &str) -> Result<Self> {
        let (word, rest) = split(line.trim());
        if let Some(&protocol) = Protocol::OWN.iter().find(|protocol| protocol.name() == word) {
            return Ok(Self::Greet(protocol));
        }
        if Protocol::OWN.iter().any(|protocol| protocol.new_game() == word) {
            return Ok(Self::NewGame);
        }
        Ok(match word {
            "" | "debug" | "register" => Self::Nothing,
            "isready" => Self::IsReady,
            "setoption" => set_option(rest)?,
            "position" => position(rest)?,
            "go" => match split(rest) {
                ("perft", plies) => Self::Perft(number("go perft", plies)?),
                _ => Self::Go(Go::parse(rest)),
            },
            "stop" => Self::Stop,
            "ponderhit" => Self::PonderHit,
            "quit" => Self::Quit,
            "d" => Self::Display,
            "eval" => Self::Eval,
            "perft" => Self::Perft(number("perft", rest)?),
            "bench" if rest.is_empty() => Self::Bench(None),
            "bench" => Self::Bench(Some(number("bench", rest)?)),
            "help" => Self::Help,
            _ => {
                return Err(bad(
                    &format!("`{}`", shorten(word)),
                    "unknown command",
                    "`help` lists them",
                ));
            }
        })
    }
}

/// The first word, and what follows it.
fn split(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim())
}

fn bad(place: &str, reason: &str, remedy: &str) -> Error {
    Error::input(place, reason).remedy(remedy)
}

fn number(command: &str, text: &str) -> Result<u32> {
    let number = text.parse().ok().filter(|number| (1..=MAX_PERFT_DEPTH).contains(number));
    let remedy = format!("give one from 1 to {MAX_PERFT_DEPTH}");
    number.ok_or_else(|| bad(command, "no number of plies", &remedy))
}

/// `name NAME [value VALUE]`, both of any number of words.
fn set_option(text: &str) -> Result<EngineCommand> {
    let wrong = || bad("setoption", "no name", "write setoption name NAME value VALUE");
    let ("name", rest) = split(text) else { return Err(wrong()) };
    let (mut name, mut rest) = (Vec::new(), rest);
    let mut value = None;
    while !rest.is_empty() && value.is_none() {
        let (word, after) = split(rest);
        match word {
            // The value as it stands, since a path may have two spaces in a row.
            "value" => value = Some(after.to_owned()),
            _ => name.push(word),
        }
        rest = after;
    }
    if name.is_empty() { Err(wrong()) } else { Ok(EngineCommand::SetOption(name.join(" "), value)) }
}

/// `startpos|fen FEN [moves MOVE ...]`.
fn position(text: &str) -> Result<EngineCommand> {
    let mut words = text.split_whitespace();
    let kind = words.next();
    let fen: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
    let start = match kind {
        Some("startpos") if fen.is_empty() => Start::Usual,
        Some("fen") if !fen.is_empty() => Start::Fen(fen.join(" ")),
        _ => {
            return Err(bad(
                "position",
                "no position",
                "write position startpos or position fen FEN",
            ));
        }
    };
    Ok(EngineCommand::Position(start, words.map(str::to_owned).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> EngineCommand {
        EngineCommand::parse(line).unwrap()
    }

    #[test]
    fn words_alone_are_read() {
        for (line, command) in [
            ("uci", EngineCommand::Greet(Protocol::Uci)),
            ("uai", EngineCommand::Greet(Protocol::Uai)),
            (" isready\t", EngineCommand::IsReady),
            ("ucinewgame", EngineCommand::NewGame),
            ("uainewgame", EngineCommand::NewGame),
            ("stop", EngineCommand::Stop),
            ("ponderhit", EngineCommand::PonderHit),
            ("quit", EngineCommand::Quit),
            ("d", EngineCommand::Display),
            ("eval", EngineCommand::Eval),
            ("help", EngineCommand::Help),
            ("", EngineCommand::Nothing),
            ("debug on", EngineCommand::Nothing),
            ("register later", EngineCommand::Nothing),
            ("perft 4", EngineCommand::Perft(4)),
            ("go perft 4", EngineCommand::Perft(4)),
            ("bench", EngineCommand::Bench(None)),
            ("bench 5", EngineCommand::Bench(Some(5))),
        ] {
            assert_eq!(parse(line), command, "{line}");
        }
    }

    #[test]
    fn options_have_names_and_values_of_many_words() {
        let set = |line: &str| match parse(line) {
            EngineCommand::SetOption(name, value) => (name, value),
            other => panic!("{other:?}"),
        };
        assert_eq!(set("setoption name Clear Hash"), ("Clear Hash".into(), None));
        assert_eq!(
            set("setoption name Move  Overhead value 5"),
            ("Move Overhead".into(), Some("5".into()))
        );
        assert_eq!(
            set("setoption name EvalFile value my  value/w.json"),
            ("EvalFile".into(), Some("my  value/w.json".into()))
        );
        assert_eq!(set("setoption name EvalFile value"), ("EvalFile".into(), Some(String::new())));
        assert_eq!(set("setoption name valued value 1"), ("valued".into(), Some("1".into())));
    }

    #[test]
    fn positions_come_with_and_without_moves() {
        let position = |start, moves: &[&str]| {
            EngineCommand::Position(start, moves.iter().map(|&word| word.to_owned()).collect())
        };
        assert_eq!(parse("position startpos"), position(Start::Usual, &[]));
        assert_eq!(parse("position startpos moves"), position(Start::Usual, &[]));
        assert_eq!(
            parse("position startpos moves a2a3 a7a6"),
            position(Start::Usual, &["a2a3", "a7a6"])
        );
        let fen = || Start::Fen("8/8 w - - 0 1".into());
        assert_eq!(parse("position fen 8/8  w - - 0 1"), position(fen(), &[]));
        assert_eq!(parse("position fen 8/8 w - - 0 1 moves a1a2"), position(fen(), &["a1a2"]));
    }

    #[test]
    fn what_is_no_command_is_refused_in_plain_words() {
        for line in [
            "hello",
            "Uci",
            "setoption",
            "setoption name",
            "setoption name value 3",
            "setoption Hash value 3",
            "position",
            "position fen",
            "position fen moves a2a3",
            "position startpos a2a3",
            "position 8/8 w",
            "perft",
            "perft 0",
            "perft x",
            "go perft -3",
            "bench 99999999999",
            "\u{1b}[2J\u{0}",
        ] {
            let error = EngineCommand::parse(line).unwrap_err().to_string();
            assert!(!error.chars().any(char::is_control), "{error}");
        }
        assert!(EngineCommand::parse(&"x".repeat(100_000)).unwrap_err().to_string().len() < 150);
    }
}
