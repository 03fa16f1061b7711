//! The participants of a match or a tournament: weight sets and engines of others.

use super::console::Console;
use super::constants::{ConstantChange, change};
use super::players::{LoadedPlayer, warn_board};
use crate::arena::PlayerFactory;
use crate::error::{Error, Result};
use crate::eval::Game;
use crate::files::Links;
use crate::game::Board;
use crate::player::{DefaultWeights, Player};
use crate::protocol::external_engine::COMMAND_PREFIX;
use crate::protocol::{ExternalEngine, StartedEngine};
use crate::run::player_file;
use crate::search::{Algorithm, Limits, Stop};
use crate::tournament::{Contestant, ContestantKind, ReadyPlayer};
use crate::weights::WeightSet;
use std::path::Path;
use std::sync::Arc;

/// A player in a match or a tournament.
pub struct Participant<G: Game> {
    /// The player's name, what the engine calls itself, or what the user calls either.
    pub name: String,
    /// The weights and constants, or the engine.
    pub kind: ParticipantKind<G>,
}

/// A player of this program's engine, or an engine of others.
pub enum ParticipantKind<G: Game> {
    /// A player of this program's engine.
    Player(Box<LoadedPlayer<G>>),
    /// An engine of others.
    Engine(StartedEngine),
}

impl<G: Game> Participant<G> {
    /// The participant that a command's argument names: a weight set as for [`LoadedPlayer::find`],
    /// or `cmd:PROGRAM ARGS`, which is started as `engines` says.
    ///
    /// # Errors
    /// When there is no such set, the engine does not start or does not play the game, or options
    /// are given for a set.
    pub fn find(
        text: &str,
        board: Board,
        engines: &ExternalEngine,
        options: &[(String, String)],
        console: &Console,
    ) -> Result<Self> {
        let Some(command) = text.strip_prefix(COMMAND_PREFIX) else {
            if let Some((name, _)) = options.first() {
                let reason = format!("`{text}` is a weight set, which takes no engine options");
                return Err(Error::input(format!("engine option `{name}`"), reason)
                    .remedy("give them for players named as cmd:PROGRAM"));
            }
            let player = LoadedPlayer::find(Some(text), DefaultWeights::Strongest(board), console)?;
            return Ok(Self {
                name: player.player.name.clone(),
                kind: ParticipantKind::Player(Box::new(player)),
            });
        };
        let command = command.trim().to_owned();
        let engine = ExternalEngine { command, options: options.to_vec(), ..engines.clone() };
        let engine = engine.start::<G>(board, &Stop::default())?;
        Ok(Self { name: engine.engine().name().to_owned(), kind: ParticipantKind::Engine(engine) })
    }

    /// The player of this program's engine, if it is one.
    pub fn player(&self) -> Option<&LoadedPlayer<G>> {
        match &self.kind {
            ParticipantKind::Player(player) => Some(player),
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
            ParticipantKind::Player(loaded) => {
                change(&mut loaded.player, changes, algorithm, board, console)
            }
            ParticipantKind::Engine(_) if !changes.is_empty() => {
                let reason = "an engine of others, which has no constants of ours";
                Err(Error::input(format!("player `{}`", self.name), reason)
                    .remedy("give it options with --option-a or --option-b"))
            }
            ParticipantKind::Engine(_) => Ok(()),
        }
    }

    /// The engine, if it is one.
    pub fn engine(&self) -> Option<&StartedEngine> {
        match &self.kind {
            ParticipantKind::Player(_) => None,
            ParticipantKind::Engine(engine) => Some(engine),
        }
    }

    /// The player of a run, number `place` from 0, whose directory is `run`.
    ///
    /// # Errors
    /// When its weights are missing or not those that the run began with, or the engine does not
    /// start.
    pub fn of_run(
        player: &Contestant,
        place: usize,
        run: &Path,
        (board, interrupt): (Board, &Stop),
    ) -> Result<Self> {
        let name = player.name.clone();
        let kind = match &player.plays {
            ContestantKind::Engine(engine) => {
                ParticipantKind::Engine(engine.clone().start::<G>(board, interrupt)?)
            }
            ContestantKind::Set { fingerprint, kept, .. } => {
                let default = DefaultWeights::Strongest(board);
                let (player, remedy) = match kept {
                    true => {
                        let path = run.join(player_file(place));
                        let player = {
                            let set = WeightSet::load_with(&path, Links::Refused)?;
                            Player::from_set::<G>(name.clone(), set, default)?
                        };
                        (player, format!("restore {} as the run wrote it", path.display()))
                    }
                    false => {
                        let player = Player::find::<G>(Some(&name), default)?;
                        (player, "finish the run with the version that began it".into())
                    }
                };
                if player.fingerprint() != *fingerprint {
                    let reason = "the weights are not those that the run began with";
                    return Err(Error::input(format!("player `{name}`"), reason).remedy(remedy));
                }
                let evaluator = G::evaluator(&player.weights)?;
                ParticipantKind::Player(Box::new(LoadedPlayer { player, evaluator }))
            }
        };
        Ok(Self { name, kind })
    }

    /// The player as the manifest of a run has it, and its weights where these must be kept.
    pub fn contestant(
        &self,
        limits: Limits,
        algorithm: Algorithm,
    ) -> (Contestant, Option<WeightSet>) {
        let (plays, set) = match &self.kind {
            ParticipantKind::Engine(engine) => {
                (ContestantKind::Engine(engine.engine().clone()), None)
            }
            ParticipantKind::Player(loaded) => {
                let player = &loaded.player;
                // A shipped set that is called otherwise could not be found again by its name.
                let kept = self.name != player.name || !player.is_shipped();
                let fingerprint = player.fingerprint();
                let set = kept.then(|| player.to_set());
                (ContestantKind::Set { algorithm, fingerprint, kept }, set)
            }
        };
        (Contestant { name: self.name.clone(), limits, plays }, set)
    }

    /// The player as a match needs it.
    pub fn ready(&self) -> ReadyPlayer<G> {
        let loaded = self.player();
        ReadyPlayer {
            evaluator: loaded.map(|loaded| loaded.evaluator.clone()),
            weights: loaded.map(|loaded| loaded.player.weights.clone()),
            constants: loaded.map(|loaded| loaded.player.constants.clone()).unwrap_or_default(),
            factory: self
                .engine()
                .map(|engine| Arc::new(engine.clone()) as Arc<dyn PlayerFactory<G>>),
        }
    }

    /// Warns on stderr when the weights were made for another board.
    ///
    /// # Errors
    /// When they have tables for another board, which cannot be used on this one.
    pub fn warn_board(&self, board: Board, console: &Console) -> Result<()> {
        self.player().map_or(Ok(()), |loaded| warn_board(&loaded.player, board, console))
    }
}

/// The players as the manifest of a run has them, and the files of weights that it needs.
pub fn contestants<G: Game>(
    players: &[Participant<G>],
    limits: impl Fn(usize) -> Limits,
    algorithm: impl Fn(usize) -> Algorithm,
) -> (Vec<Contestant>, Vec<(String, WeightSet)>) {
    let (mut contestants, mut sets) = (Vec::new(), Vec::new());
    for (place, player) in players.iter().enumerate() {
        let (contestant, set) = player.contestant(limits(place), algorithm(place));
        contestants.push(contestant);
        sets.extend(set.map(|set| (player_file(place), set)));
    }
    (contestants, sets)
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
