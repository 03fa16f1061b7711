//! The participants of a match or a tournament: weight sets and engines of others.

use super::args::parse_count;
use super::console::Console;
use super::constants::{ConstantChange, change};
use super::players::{LoadedPlayer, warn_board};
use crate::arena::PlayerFactory;
use crate::error::{Error, Result};
use crate::eval::Game;
use crate::game::Board;
use crate::player::DefaultWeights;
use crate::protocol::{ExternalEngine, Launch, Protocol};
use crate::search::Algorithm;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::sync::Arc;
use std::time::Duration;

/// The prefix that tells the command line of an engine from a weight set.
pub const COMMAND: &str = "cmd:";
/// Characters of an engine's own name that are kept; some engines add their build and authors.
const NAME_CHARS: usize = 32;

/// The arguments that concern engines of others.
#[derive(Args, Clone, Debug)]
pub struct EngineArgs {
    /// What engines given as cmd: speak [default: found out]
    #[arg(long, value_parser = protocol_parser(), help_heading = "Engines (cmd:)")]
    protocol: Option<Protocol>,
    /// Milliseconds that an engine may take beyond --movetime before the game is forfeited
    #[arg(long, value_name = "MS", default_value = "100", value_parser = parse_count, help_heading = "Engines (cmd:)")]
    margin: u64,
    /// Seconds after which an engine that does not answer forfeits; with --movetime only its other
    /// answers
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = clap::value_parser!(u64).range(1..=86_400), help_heading = "Engines (cmd:)")]
    timeout: u64,
}

fn protocol_parser() -> impl TypedValueParser<Value = Protocol> {
    PossibleValuesParser::new(Protocol::ALL.map(Protocol::name))
        .try_map(|name| name.parse::<Protocol>())
}

/// An option of an engine and its value.
pub type OptionText = (String, String);

/// Reads an option of an engine: `NAME=VALUE`, or a button's `NAME` alone.
///
/// # Errors
/// When there is no name.
pub fn parse_option(text: &str) -> Result<OptionText> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    if name.trim().is_empty() {
        return Err(Error::input(format!("engine option `{text}`"), "not NAME=VALUE")
            .remedy("write for example Hash=64"));
    }
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// A player of a match or a tournament.
pub struct Participant<G: Game> {
    /// What it is called: the set's name, or what the engine calls itself.
    pub name: String,
    /// A weight set or an engine.
    pub kind: ParticipantKind<G>,
}

/// A weight set for the built-in engine, or an engine of its own.
pub enum ParticipantKind<G: Game> {
    /// A weight set.
    Set(Box<LoadedPlayer<G>>),
    /// An engine, which has been started and plays the game.
    Engine(ExternalEngine),
}

impl<G: Game> Participant<G> {
    /// The participant that a command's argument names: a weight set as for [`LoadedPlayer::find`], or
    /// `cmd:PROGRAM ARGS`.
    ///
    /// # Errors
    /// When there is no such set, the engine does not start or does not play the game, or options
    /// are given for a set.
    pub fn find(
        text: &str,
        board: Board,
        args: &EngineArgs,
        options: &[OptionText],
    ) -> Result<Self> {
        let Some(command) = text.strip_prefix(COMMAND) else {
            if let Some((name, _)) = options.first() {
                let reason = format!("`{text}` is a weight set, which takes no engine options");
                return Err(Error::input(format!("engine option `{name}`"), reason)
                    .remedy("give them for players named as cmd:PROGRAM"));
            }
            let player = LoadedPlayer::find(Some(text), DefaultWeights::Strongest(board))?;
            return Ok(Self {
                name: player.player.name.clone(),
                kind: ParticipantKind::Set(Box::new(player)),
            });
        };
        let program = ExternalEngine::open::<G>(args.launch(command, options), board)?;
        let name = program.name().map_or_else(|| command.trim().to_owned(), brief);
        Ok(Self { name, kind: ParticipantKind::Engine(program) })
    }

    /// The weight set, if it is one.
    pub fn set(&self) -> Option<&LoadedPlayer<G>> {
        match &self.kind {
            ParticipantKind::Set(player) => Some(player),
            ParticipantKind::Engine(_) => None,
        }
    }

    /// Changes the constants that a weight set searches with; `changes` are the command's.
    ///
    /// # Errors
    /// When a file of constants cannot be read, or changes are given for an engine.
    pub fn change_constants(
        &mut self,
        changes: &[ConstantChange],
        algorithm: Algorithm,
        board: Board,
        console: &Console,
    ) -> Result<()> {
        match &mut self.kind {
            ParticipantKind::Set(set) => {
                change(&mut set.player, changes, algorithm, board, console)
            }
            ParticipantKind::Engine(_) if !changes.is_empty() => {
                let reason = "an engine of its own, which has other constants";
                Err(Error::input(format!("player `{}`", self.name), reason)
                    .remedy("give it options with --option-a or --option-b"))
            }
            ParticipantKind::Engine(_) => Ok(()),
        }
    }

    /// The engine, if it is one.
    pub fn engine(&self) -> Option<&ExternalEngine> {
        match &self.kind {
            ParticipantKind::Set(_) => None,
            ParticipantKind::Engine(program) => Some(program),
        }
    }

    /// What makes the engine's players, if it is one.
    pub fn factory(&self) -> Option<Arc<dyn PlayerFactory<G>>> {
        self.engine().map(|program| Arc::new(program.clone()) as Arc<dyn PlayerFactory<G>>)
    }

    /// A name for where there is little room.
    pub fn short_name(&self) -> &str {
        self.set().map_or(&self.name, |set| set.player.short_name())
    }

    /// Remarks on stderr that a set was made for another board, if so.
    ///
    /// # Errors
    /// When the set has tables for another board, which mean nothing on this one.
    pub fn warn_board(&self, board: Board, console: &Console) -> Result<()> {
        self.set().map_or(Ok(()), |set| warn_board(&set.player, board, console))
    }
}

impl EngineArgs {
    fn launch(&self, command: &str, options: &[OptionText]) -> Launch {
        Launch {
            command: command.trim().to_owned(),
            options: options.to_vec(),
            protocol: self.protocol,
            margin: Duration::from_millis(self.margin),
            timeout: Duration::from_secs(self.timeout),
        }
    }
}

/// Numbers engines of the same name, so that each name stands for one participant.
pub fn number_namesakes<G: Game>(participants: &mut [Participant<G>]) {
    for index in 1..participants.len() {
        let (earlier, rest) = participants.split_at_mut(index);
        let participant = &mut rest[0];
        if participant.engine().is_none() {
            continue;
        }
        let name = participant.name.clone();
        let taken = |name: &str| earlier.iter().any(|other| other.name == name);
        let numbered = (2..).map(|number| format!("{name} ({number})"));
        let mut candidates = std::iter::once(name.clone()).chain(numbered);
        participant.name = candidates.find(|name| !taken(name)).unwrap_or(name);
    }
}

/// An engine's name without what it says in brackets about its build.
fn brief(name: &str) -> String {
    let short = name.split(['[', '(']).next().unwrap_or_default().trim();
    let text = if short.is_empty() { name.trim() } else { short };
    text.chars().filter(|c| !c.is_control()).take(NAME_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_have_brief_names() {
        assert_eq!(brief("Fairy-Stockfish [commit: b2e693ef] LB"), "Fairy-Stockfish");
        assert_eq!(brief("Tiktaxx 1.0"), "Tiktaxx 1.0");
        assert_eq!(brief("[odd]"), "[odd]");
        assert_eq!(brief(&"x".repeat(99)).len(), NAME_CHARS);
    }

    #[test]
    fn options_have_names() {
        assert_eq!(parse_option("Hash=64").unwrap(), ("Hash".into(), "64".into()));
        assert_eq!(parse_option("Clear Hash").unwrap(), ("Clear Hash".into(), String::new()));
        assert_eq!(parse_option("Book = a=b ").unwrap(), ("Book".into(), "a=b".into()));
        assert!(parse_option("=5").is_err() && parse_option("").is_err());
    }
}
