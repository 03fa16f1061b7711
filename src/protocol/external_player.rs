//! An engine of others that plays games.

use super::client::{Client, EngineFault};
use super::dialect::{Info, go_command, position_command};
use super::external_engine::{StartedEngine, forfeit};
use crate::arena::{Forfeit, GamePlayer, MoveChoice, PlayerFactory, Turn};
use crate::game::Notation;
use crate::search::Stop;

/// A player with a process of its own: none before its first game, and a new one after each fault.
struct ExternalPlayer {
    engine: StartedEngine,
    client: Option<Client>,
}

impl<P: Notation> GamePlayer<P> for ExternalPlayer {
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

    fn choose(&mut self, turn: &Turn<P>) -> Result<MoveChoice<P>, Forfeit> {
        // Put back only when the answer is good: else the process ends here, and the next game gets
        // a new one.
        let Some(mut client) = self.client.take() else {
            return Err(Forfeit { reason: "not running".into(), last_words: Vec::new() });
        };
        let protocol = self.engine.protocol();
        let position = position_command(protocol, turn.opening, turn.moves);
        let patience = self.engine.patience(turn.limits);
        let (go, stops) = (go_command(turn.limits), [turn.stop, turn.interrupt]);
        let answer = match client.search(&position, &go, patience, stops) {
            Ok(Some(answer)) => answer,
            Ok(None) => return Ok(MoveChoice { best: None, score: None, depth: 0, nodes: 0 }),
            Err(fault) => return Err(forfeit(&fault, &client)),
        };
        let best = turn.position.parse_move(&answer.best).map_err(|error| {
            let reason = format!("{} in {}", error.reason(), protocol.fen(turn.position));
            let text = answer.best.chars().take(20).collect();
            forfeit(&EngineFault::Illegal(text, reason), &client)
        })?;
        self.client = Some(client);
        let Info { depth, nodes } = answer.info;
        Ok(MoveChoice { best: Some(best), score: None, depth, nodes })
    }
}

impl<P: Notation> PlayerFactory<P> for StartedEngine {
    fn new_player(&self) -> Box<dyn GamePlayer<P>> {
        Box::new(ExternalPlayer { engine: self.clone(), client: None })
    }
}
