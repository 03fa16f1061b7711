//! Engines as guests of a match: a program that is opened once to see that it plays, and then
//! started anew for each thread that needs it and after each fault.

use super::client::{Client, EngineFault, Patience};
use super::dialect::{
    Protocol, VARIANT_OPTION, go_command, position_command, read_move, variant_name,
};
use super::options::{EngineOption, OptionKind, find};
use crate::arena::{Forfeit, GamePlayer, MoveChoice, PlayerFactory, Turn};
use crate::error::{Error, Result};
use crate::game::{Board, Position};
use crate::search::Limits;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How an engine is started and treated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The command line, split as a shell would split it.
    pub command: String,
    /// Options to set: names and values; a button has an empty value.
    pub options: Vec<(String, String)>,
    /// The protocol, where it is not to be found out.
    pub protocol: Option<Protocol>,
    /// How much later than its time a move may come.
    pub margin: Duration,
    /// How long any other answer may take.
    pub timeout: Duration,
}

/// An engine that has been started once and plays the wanted game. Clones share it.
#[derive(Clone)]
pub struct ExternalEngine(Arc<EngineInner>);

struct EngineInner {
    launch: Launch,
    words: Vec<String>,
    name: Option<String>,
    protocol: Protocol,
    settings: Vec<String>,
    /// The process that showed it plays: the first guest takes it.
    spare: Mutex<Option<Client>>,
}

impl ExternalEngine {
    /// Starts the engine and sets its options and its game.
    ///
    /// # Errors
    /// When it does not start or does not get ready, does not offer an option, or does not play the
    /// game.
    pub fn open<P: Position>(launch: Launch, board: Board) -> Result<Self> {
        let place = || format!("engine `{}`", launch.command);
        let words =
            shlex::split(&launch.command).filter(|words| !words.is_empty()).ok_or_else(|| {
                Error::input(place(), "not a command line")
                    .remedy("write cmd:PROGRAM ARGS, with quotes in pairs")
            })?;
        let failed = |(fault, last_words): (EngineFault, Vec<String>)| {
            Error::failed(place(), with_last_words(&fault, &last_words))
                .remedy("try the command by hand: it should answer `uci` with `uciok`, or `uai` with `uaiok`")
        };
        let mut client = Client::start(&words, launch.protocol, launch.timeout).map_err(failed)?;
        let settings = settings(&client.options, &launch.options, &variant_name::<P>(board))
            .map_err(|error| error.within(place()))?;
        if let Err(fault) = client.prepare(&settings) {
            return Err(failed((fault, client.last_words())));
        }
        let (name, protocol) = (client.name.clone(), client.protocol);
        let spare = Mutex::new(Some(client));
        Ok(Self(Arc::new(EngineInner { launch, words, name, protocol, settings, spare })))
    }

    /// What the engine calls itself.
    pub fn name(&self) -> Option<&str> {
        self.0.name.as_deref()
    }

    /// How it is started and treated.
    pub fn launch(&self) -> &Launch {
        &self.0.launch
    }

    /// The protocol that it speaks.
    pub fn protocol(&self) -> Protocol {
        self.0.protocol
    }

    /// A running engine with its options set.
    fn client(&self) -> std::result::Result<Client, Forfeit> {
        let inner = &*self.0;
        if let Some(client) = inner.spare.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Ok(client);
        }
        let mut client = Client::start(&inner.words, Some(inner.protocol), inner.launch.timeout)
            .map_err(|(fault, last_words)| Forfeit { reason: fault.to_string(), last_words })?;
        match client.prepare(&inner.settings) {
            Ok(()) => Ok(client),
            Err(fault) => Err(forfeit(&fault, &client)),
        }
    }

    fn patience(&self, limits: &Limits) -> Patience {
        let launch = &self.0.launch;
        let limit =
            [limits.movetime, limits.clock.map(|clock| clock.left)].into_iter().flatten().min();
        match limit {
            Some(limit) => Patience::Limit(limit, launch.margin),
            None => Patience::Hang(launch.timeout),
        }
    }
}

impl<P: Position> PlayerFactory<P> for ExternalEngine {
    fn new_player(&self) -> Box<dyn GamePlayer<P>> {
        Box::new(ExternalPlayer { program: self.clone(), client: None })
    }
}

/// An engine at the board: no process before its first game, and a new one after each fault.
struct ExternalPlayer {
    program: ExternalEngine,
    client: Option<Client>,
}

impl<P: Position> GamePlayer<P> for ExternalPlayer {
    fn new_game(&mut self) -> std::result::Result<(), Forfeit> {
        if let Some(mut client) = self.client.take() {
            match client.new_game() {
                Ok(()) => {
                    self.client = Some(client);
                    return Ok(());
                }
                // It went between two games, which harms no game.
                Err(EngineFault::Closed(..)) => {}
                Err(fault) => return Err(forfeit(&fault, &client)),
            }
        }
        let mut client = self.program.client()?;
        client.new_game().map_err(|fault| forfeit(&fault, &client))?;
        self.client = Some(client);
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<P>) -> std::result::Result<MoveChoice<P>, Forfeit> {
        // Put back only when the answer is good: else the process ends here, and the next game gets
        // a new one.
        let Some(mut client) = self.client.take() else {
            return Err(Forfeit { reason: "not running".into(), last_words: Vec::new() });
        };
        let position = position_command(self.program.0.protocol, turn.opening, turn.moves);
        let patience = self.program.patience(turn.limits);
        let answer = match client.search(&position, &go_command(turn.limits), patience, turn.stop) {
            Ok(Some(answer)) => answer,
            Ok(None) => return Ok(MoveChoice { best: None, score: None, depth: 0, nodes: 0 }),
            Err(fault) => return Err(forfeit(&fault, &client)),
        };
        let best = read_move(turn.position, &answer.best).map_err(|error| {
            let reason = format!("{} in {}", error.reason(), turn.position.fen());
            let text = answer.best.chars().take(20).collect();
            forfeit(&EngineFault::Illegal(text, reason), &client)
        })?;
        self.client = Some(client);
        Ok(MoveChoice {
            best: Some(best),
            score: None,
            depth: answer.info.depth,
            nodes: answer.info.nodes,
        })
    }
}

fn forfeit(fault: &EngineFault, client: &Client) -> Forfeit {
    Forfeit { reason: fault.to_string(), last_words: client.last_words() }
}

fn with_last_words(fault: &EngineFault, last_words: &[String]) -> String {
    if last_words.is_empty() {
        return fault.to_string();
    }
    format!("{fault}; its last words: {}", last_words.join(" | "))
}

/// The commands that set the wanted options, and the game where the engine has several.
fn settings(
    offered: &[EngineOption],
    wanted: &[(String, String)],
    variant: &str,
) -> Result<Vec<String>> {
    let mut commands = Vec::new();
    for (name, value) in wanted {
        let option = find(offered, name)?;
        option.check(value)?;
        commands.push(setoption(option, value)?);
    }
    let is_chosen = wanted.iter().any(|(name, _)| name.eq_ignore_ascii_case(VARIANT_OPTION));
    if let Ok(option) = find(offered, VARIANT_OPTION)
        && !is_chosen
    {
        if let OptionKind::Combo(known) = &option.kind
            && !known.iter().any(|name| name == variant)
        {
            return Err(Error::input(
                format!("option {VARIANT_OPTION}"),
                format!("the engine does not know the variant `{variant}`"),
            )
            .remedy(
                "choose another board, or set this option yourself if the engine has another name for it",
            ));
        }
        commands.push(setoption(option, variant)?);
    }
    Ok(commands)
}

fn setoption(option: &EngineOption, value: &str) -> Result<String> {
    if value.contains(char::is_control) {
        return Err(Error::input(
            format!("option `{}`", option.name),
            "a value takes one line of text",
        ));
    }
    Ok(match option.kind {
        OptionKind::Button => format!("setoption name {}", option.name),
        _ => format!("setoption name {} value {value}", option.name),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered() -> Vec<EngineOption> {
        [
            "name Hash type spin min 1 max 64",
            "name UCI_Variant type combo var chess var breakthrough",
        ]
        .iter()
        .filter_map(|line| EngineOption::parse(line))
        .collect()
    }

    #[test]
    fn the_game_is_chosen_where_there_are_several() {
        let game = ["setoption name UCI_Variant value breakthrough"];
        assert_eq!(settings(&offered(), &[], "breakthrough").unwrap(), game);
        assert_eq!(settings(&offered()[..1], &[], "breakthrough").unwrap(), [""; 0]);
        let error = settings(&offered(), &[], "breakthrough6x6").unwrap_err();
        assert!(error.to_string().contains("`breakthrough6x6`"), "{error}");
    }

    #[test]
    fn options_are_set_before_the_game_and_may_choose_it() {
        let wanted =
            [("hash".to_owned(), "8".to_owned()), ("uci_variant".to_owned(), "other".to_owned())];
        assert_eq!(
            settings(&offered(), &wanted, "breakthrough6x6").unwrap(),
            ["setoption name Hash value 8", "setoption name UCI_Variant value other"]
        );
        let sneaky = [("uci_variant".to_owned(), "chess\nquit".to_owned())];
        assert!(settings(&offered(), &sneaky, "breakthrough").is_err());
    }
}
