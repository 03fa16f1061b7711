//! An engine of others that plays games.

use super::client::{Client, EngineFault};
use super::dialect::{Info, go_command, position_command};
use super::external_engine::{StartedEngine, forfeit};
use crate::arena::{Forfeit, GamePlayer, MoveChoice, PlayerFactory, Turn};
use crate::error::Error;
use crate::search::Stop;
use std::thread;
use std::time::Duration;

/// A signal to all processes of a session or a service may end an engine before this program learns
/// of it: so long is waited before the end of an engine counts as its own fault.
const SIGNAL_WAIT: Duration = Duration::from_millis(50);

/// A player with a process of its own: none before its first game, and a new one after each fault.
struct ExternalPlayer {
    engine: StartedEngine,
    client: Option<Client>,
}

impl GamePlayer for ExternalPlayer {
    fn new_game(&mut self, interrupt: &Stop) -> Result<bool, Forfeit> {
        if let Some(mut client) = self.client.take() {
            match client.new_game(interrupt) {
                Ok(is_ready) => {
                    self.client = is_ready.then_some(client);
                    return Ok(is_ready);
                }
                // It ended between two games, which harms neither of them.
                Err(EngineFault::Closed(..)) => {}
                Err(fault) => return Err(forfeit(&fault, &client)),
            }
        }
        let Some(mut client) = self.engine.client(interrupt)? else { return Ok(false) };
        let is_ready = client.new_game(interrupt).map_err(|fault| forfeit(&fault, &client))?;
        self.client = is_ready.then_some(client);
        Ok(is_ready)
    }

    fn choose(&mut self, turn: &Turn) -> Result<MoveChoice, Forfeit> {
        // Put back only when the answer is good: else the process ends here, and the next game gets
        // a new one.
        let Some(mut client) = self.client.take() else {
            return Err(Forfeit { reason: "not running".into(), last_words: Vec::new() });
        };
        let protocol = self.engine.protocol();
        let position = position_command(protocol, turn.opening, turn.moves);
        let patience = self.engine.patience(turn.limits);
        let (go, stops) = (go_command(turn.limits), [turn.stop, turn.interrupt]);
        let refusal = |text: &str| {
            let error = turn.position.parse_move(text).err()?;
            Some(format!("{} in {}", error.reason(), protocol.fen(turn.position)))
        };
        let answer = match client.search([&position, &go], patience, stops, &refusal) {
            Ok(Some(answer)) => answer,
            Ok(None) => return Ok(MoveChoice { best: None, score: None, depth: 0, nodes: 0 }),
            Err(fault) => {
                let lost = forfeit(&fault, &client);
                if matches!(fault, EngineFault::Closed(..)) && !turn.interrupt.is_set() {
                    thread::sleep(SIGNAL_WAIT);
                }
                return Err(lost);
            }
        };
        self.client = Some(client);
        let best = turn.position.parse_move(&answer.best).ok();
        let Info { depth, nodes } = answer.info;
        Ok(MoveChoice { best, score: None, depth, nodes })
    }
}

impl PlayerFactory for StartedEngine {
    fn new_player(&self) -> Box<dyn GamePlayer> {
        Box::new(ExternalPlayer { engine: self.clone(), client: None })
    }

    fn fault(&self) -> Option<Error> {
        StartedEngine::fault(self)
    }
}
