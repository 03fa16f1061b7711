//! An external engine that plays games.

use super::client::Client;
use super::dialect::{Info, go_command};
use super::external_engine::{StartedEngine, commands_in_order, forfeit};
use super::fault::{EngineFault, Patience};
use super::game_line::GameLine;
use crate::arena::{Forfeit, GamePlayer, MoveChoice, PlayerFactory, Turn};
use crate::error::Error;
use crate::search::Stop;
use std::collections::BTreeMap;
use std::thread;
use std::time::Duration;

/// The wait before an engine's exit counts as its own fault: a signal to all processes of a session
/// or a service may end an engine before this program learns of it.
const SIGNAL_WAIT: Duration = Duration::from_millis(50);

/// A player with a process of its own: none before its first game, and a new one after each fault.
struct ExternalPlayer {
    engine: StartedEngine,
    client: Option<Client>,
    /// The game so far, once a move of it was asked for.
    line: Option<GameLine>,
    /// The options of the pair.
    options: BTreeMap<String, String>,
    /// Whether the running process has them.
    is_configured: bool,
    /// The longest that it may think without a limit of time, if that is less than the engine's
    /// timeout.
    longest: Option<Duration>,
}

impl ExternalPlayer {
    /// Sends the options of the pair, in the engine's own order, unless the process has them, and
    /// announces a new game. Returns false if it gave up because `interrupt` is set.
    fn begin(&mut self, client: &mut Client, interrupt: &Stop) -> Result<bool, EngineFault> {
        if !self.is_configured && !self.options.is_empty() {
            let commands = commands_in_order(&client.options, &self.options);
            if !client.prepare(&commands, interrupt)? {
                return Ok(false);
            }
        }
        self.is_configured = true;
        client.new_game(interrupt)
    }
}

impl GamePlayer for ExternalPlayer {
    fn configure(&mut self, options: &BTreeMap<String, String>) {
        if self.engine.engine().restarts && self.options != *options {
            self.client = None;
        }
        self.options.clone_from(options);
        self.is_configured = false;
    }

    fn new_game(&mut self, interrupt: &Stop) -> Result<bool, Forfeit> {
        self.line = None;
        if let Some(mut client) = self.client.take() {
            match self.begin(&mut client, interrupt) {
                Ok(is_ready) => {
                    self.client = is_ready.then_some(client);
                    return Ok(is_ready);
                }
                // It ended between two games, which harms neither of them.
                Err(EngineFault::Closed(..)) => {}
                Err(fault) => return Err(forfeit(&fault, &mut client)),
            }
        }
        let Some(mut client) = self.engine.client(interrupt)? else { return Ok(false) };
        self.is_configured = false;
        let is_ready =
            self.begin(&mut client, interrupt).map_err(|fault| forfeit(&fault, &mut client))?;
        self.client = is_ready.then_some(client);
        Ok(is_ready)
    }

    fn choose(&mut self, turn: &Turn) -> Result<MoveChoice, Forfeit> {
        // Put back only if the answer is good. Otherwise the process ends here, and the next game
        // gets a new one.
        let Some(mut client) = self.client.take() else {
            return Err(Forfeit { reason: "not running".into(), ..Forfeit::default() });
        };
        let protocol = self.engine.protocol();
        let line = self.line.get_or_insert_with(|| GameLine::new(protocol, turn.opening));
        let patience = match (self.engine.patience(turn.limits), self.longest) {
            (Patience::Hang(time), Some(longest)) => Patience::Hang(time.min(longest)),
            (patience, _) => patience,
        };
        let side = turn.position.side_to_move();
        let go = go_command(protocol, side, turn.limits, &turn.clocks);
        let stops = [turn.stop, turn.interrupt];
        let parse = |text: &str| turn.position.parse_move(&protocol.read(turn.position, text));
        let ends_game = |text: &str| protocol.is_resignation(text) || protocol.is_declaration(text);
        let has_none = |text: &str| turn.position.trusts_players() && parse(text).is_err();
        let refusal = |text: &str| {
            if ends_game(text) || has_none(text) {
                return None;
            }
            let error = parse(text).err()?;
            Some(format!("{} in {}", error.reason(), protocol.fen(turn.position)))
        };
        let answer = match client.search([line.after(turn.moves), &go], patience, stops, &refusal) {
            Ok(Some(answer)) => answer,
            Ok(None) => return Ok(MoveChoice::of_move(None)),
            Err(fault) => {
                let lost = forfeit(&fault, &mut client);
                if matches!(fault, EngineFault::Closed(..)) && !turn.interrupt.is_set() {
                    thread::sleep(SIGNAL_WAIT);
                }
                return Err(lost);
            }
        };
        self.engine.note_answer(turn.limits, answer.time);
        self.client = Some(client);
        let best = parse(&answer.best).ok();
        let Info { depth, nodes, score: reported } = answer.info;
        let time = answer.time;
        Ok(MoveChoice {
            resigns: protocol.is_resignation(&answer.best),
            declares_win: protocol.is_declaration(&answer.best),
            has_none: !ends_game(&answer.best) && has_none(&answer.best),
            depth,
            nodes,
            reported,
            time,
            ..MoveChoice::of_move(best)
        })
    }
}

impl StartedEngine {
    /// A player that counts as hanging after `longest`, or sooner by the engine's own timeout.
    pub(crate) fn player(&self, longest: Option<Duration>) -> Box<dyn GamePlayer> {
        Box::new(ExternalPlayer {
            engine: self.clone(),
            client: None,
            line: None,
            options: BTreeMap::new(),
            is_configured: false,
            longest,
        })
    }
}

impl PlayerFactory for StartedEngine {
    fn new_player(&self) -> Box<dyn GamePlayer> {
        self.player(None)
    }

    fn fault(&self) -> Option<Error> {
        StartedEngine::fault(self)
    }
}
