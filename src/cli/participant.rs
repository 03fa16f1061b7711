//! The participants of a match or a tournament: weight sets and external engines.

use super::console::Console;
use super::constants::{ConstantChange, change};
use super::players::{LoadedPlayer, warn_board};
use super::program_hint::program_command;
use super::referee_args::RefereedGameArgs;
use super::resumed_engines::ResumedEngines;
use crate::arena::queue::Threads;
use crate::error::{Error, Result, shorten};
use crate::files::Links;
use crate::game::Board;
use crate::games::GameId;
use crate::player::{DefaultWeights, Player};
use crate::protocol::dialect::VARIANT_OPTION;
use crate::protocol::external_engine::COMMAND_PREFIX;
use crate::protocol::options::find;
use crate::protocol::{ExternalEngine, Protocol, StartedEngine, send_engines};
use crate::run::player_file;
use crate::runs::WantedSet;
use crate::runs::folder::LAST;
use crate::search::{Algorithm, Limits, Stop};
use crate::shell::quote;
use crate::tournament::{Contestant, ContestantKind, ReadyPlayer};
use crate::weights::WeightSet;
use std::path::Path;
use std::sync::Arc;

/// A player in a match or a tournament.
pub struct Participant {
    /// The name that the user gave, else the player's own or the engine's name for itself.
    pub name: String,
    /// The weights and constants, or the engine.
    pub kind: ParticipantKind,
}

/// A player of this program's engine, or an external engine.
pub enum ParticipantKind {
    /// A player of this program's engine.
    Player(Box<Player>),
    /// An engine that is a program of its own.
    Engine(StartedEngine),
}

/// How to start an external engine.
#[derive(Clone, Copy)]
pub struct EngineWishes<'a> {
    /// Settings of all engines of the command.
    pub common: &'a ExternalEngine,
    /// The options sent to an engine, by name.
    pub options: &'a [(String, String)],
    /// The folder in which it runs; `None` for the current one.
    pub folder: Option<&'a str>,
}

/// Notes the game that engines play if the arguments do not name one and one of the engines may not
/// know it: an engine of chess need not offer `UCI_Variant`.
pub(super) fn note_unnamed_game(
    args: &RefereedGameArgs,
    game: GameId,
    players: &[Participant],
    console: &Console,
) {
    if args.is_named() {
        return;
    }
    let engines: Option<Vec<&StartedEngine>> = players.iter().map(Participant::engine).collect();
    let may_not_know = |engine: &&&StartedEngine| {
        engine.protocol() == Protocol::Uci && find(engine.offered(), VARIANT_OPTION).is_err()
    };
    if let Some(engine) = engines.iter().flatten().find(may_not_know) {
        console.note(format!(
            "no game is named, so they play {game}; engine `{}` offers no {VARIANT_OPTION} and may not \
             know it: name the game, for example --game chess",
            engine.engine().name()
        ));
    }
}

impl Participant {
    /// The participant that a command's argument names: a weight set as for [`LoadedPlayer::find`],
    /// or `cmd:PROGRAM ARGS`, which is started as the wishes say.
    ///
    /// # Errors
    /// When there is no such set, the engine does not start or does not play the game, or options
    /// or a folder are given for a set.
    pub fn find(
        text: &str,
        (game, board): (GameId, Board),
        wishes: EngineWishes,
        console: &Console,
    ) -> Result<Self> {
        let EngineWishes { common, options, folder } = wishes;
        let Some(command) = text.strip_prefix(COMMAND_PREFIX) else {
            let default = DefaultWeights::Strongest(board);
            let player = LoadedPlayer::find(game, Some(text), default, console);
            let player = player.map_err(|error| or_program(text, error))?.player;
            let option = options.first().map(|(name, _)| format!("engine option `{name}`"));
            let folder = folder.map(|folder| format!("engine folder `{folder}`"));
            if let Some(place) = option.or(folder) {
                let reason = format!("`{text}` is a weight set, which takes none");
                return Err(
                    Error::input(place, reason).remedy("give it for a player named as cmd:PROGRAM")
                );
            }
            return Ok(Self {
                name: player.name.clone(),
                kind: ParticipantKind::Player(Box::new(player)),
            });
        };
        let command = command.trim().to_owned();
        let (options, folder) = (options.to_vec(), folder.map(str::to_owned));
        let engine = ExternalEngine { command, options, folder, ..common.clone() };
        let engine = engine.start(game, board, &Stop::default())?;
        engine.notes().iter().for_each(|note| console.note(note));
        Ok(Self { name: engine.engine().name().to_owned(), kind: ParticipantKind::Engine(engine) })
    }

    /// The player of this program's engine, if it is one.
    pub fn player(&self) -> Option<&Player> {
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
            ParticipantKind::Player(player) => change(player, changes, algorithm, board, console),
            ParticipantKind::Engine(_) if !changes.is_empty() => {
                let reason = "an external engine, which has no constants of ours";
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

    /// The player of a run, number `place` from 0, whose directory is `run`; engines are started by
    /// `resumed`.
    ///
    /// # Errors
    /// When its weights are missing or not those that the run began with, or the engine does not
    /// start.
    pub fn of_run(
        player: &Contestant,
        place: usize,
        run: &Path,
        resumed: &mut ResumedEngines,
        (game, board): (GameId, Board),
        interrupt: &Stop,
    ) -> Result<Self> {
        let name = player.name.clone();
        let kind = match &player.plays {
            ContestantKind::Engine(engine) => {
                let on = (game, board);
                ParticipantKind::Engine(resumed.start(&name, engine, on, interrupt)?)
            }
            ContestantKind::Set { fingerprint, kept, .. } => {
                let default = DefaultWeights::Strongest(board);
                let (player, remedy) = match kept {
                    true => {
                        let path = run.join(player_file(place));
                        let player = {
                            let set = WeightSet::load_with(&path, Links::Refused)?;
                            Player::from_set(game, name.clone(), set, default)?
                        };
                        (player, format!("restore {} as the run wrote it", path.display()))
                    }
                    false => {
                        let player = Player::find(game, Some(&name), default)?;
                        (player, "finish the run with the version that began it".into())
                    }
                };
                if player.fingerprint() != *fingerprint {
                    let reason = "the weights are not those that the run began with";
                    return Err(Error::input(format!("player `{name}`"), reason).remedy(remedy));
                }
                ParticipantKind::Player(Box::new(player))
            }
        };
        Ok(Self { name, kind })
    }

    /// The player's entry in the manifest of a run, and its weights if the run must keep them.
    pub fn contestant(
        &self,
        limits: Limits,
        algorithm: Algorithm,
    ) -> (Contestant, Option<WeightSet>) {
        let (plays, set) = match &self.kind {
            ParticipantKind::Engine(engine) => {
                (ContestantKind::Engine(engine.engine().clone()), None)
            }
            ParticipantKind::Player(player) => {
                // A renamed shipped set could not be found again by its name.
                let kept = self.name != player.name || !player.is_shipped();
                let fingerprint = player.fingerprint();
                let set = kept.then(|| player.to_set());
                (ContestantKind::Set { algorithm, fingerprint, kept }, set)
            }
        };
        (Contestant { name: self.name.clone(), limits, plays }, set)
    }

    /// The player as a match needs it.
    pub fn ready(&self) -> ReadyPlayer {
        match &self.kind {
            ParticipantKind::Player(player) => ReadyPlayer::Own(player.clone()),
            ParticipantKind::Engine(engine) => ReadyPlayer::Engine(Arc::new(engine.clone())),
        }
    }

    /// Warns on stderr when the weights were made for another board.
    ///
    /// # Errors
    /// When they have tables for another board, which cannot be used on this one.
    pub fn warn_board(&self, board: Board, console: &Console) -> Result<()> {
        self.player().map_or(Ok(()), |player| warn_board(player, board, console))
    }
}

/// The players, ready for a match on these threads. With workers, each external engine plays a
/// trial, so that workers can prove that they have the same one.
///
/// # Errors
/// When an engine fails in its trial, or `interrupt` is set meanwhile.
pub fn ready_players(
    players: &[Participant],
    on: (GameId, Board),
    threads: &Threads,
    interrupt: &Stop,
) -> Result<Vec<ReadyPlayer>> {
    let mut ready: Vec<ReadyPlayer> = players.iter().map(Participant::ready).collect();
    if !threads.have_workers() {
        return Ok(ready);
    }
    let engines =
        players.iter().filter_map(|player| Some((player.name.clone(), player.engine()?.clone())));
    let mut sent = send_engines(engines.collect(), on, interrupt)?.into_iter();
    for player in &mut ready {
        if let ReadyPlayer::Engine(factory) = player
            && let Some(engine) = sent.next()
        {
            *factory = engine;
        }
    }
    Ok(ready)
}

/// The players' entries in the manifest of a run, and the weight files that it needs.
pub fn contestants(
    players: &[Participant],
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

/// The error for a text that names no set; it says so if the text names a program. `last` always
/// means a run, although systems have a program of this name.
pub fn or_program(text: &str, error: Error) -> Error {
    match program_command(text).filter(|_| !stands_for_a_run(text)) {
        Some(command) => {
            Error::input(format!("`{}`", shorten(text)), "looks like a program, not a weight set")
                .remedy(format!("write {}", quote(command)))
        }
        None => error,
    }
}

/// Whether a text is `last`, or a set of that run.
fn stands_for_a_run(text: &str) -> bool {
    WantedSet::split(text).0 == LAST
}

/// Gives participants the names that the user wants for them, by their places, and numbers other
/// engines of the same name. Returns a name that two participants still share.
pub fn name_participants(
    participants: &mut [Participant],
    wanted: &[(usize, &str)],
) -> Option<String> {
    let is_wanted = |index: usize| wanted.iter().any(|(place, _)| *place == index);
    for &(place, name) in wanted {
        participants[place].name = name.to_owned();
    }
    for index in 1..participants.len() {
        let (earlier, rest) = participants.split_at_mut(index);
        let participant = &mut rest[0];
        let taken = |name: &str| earlier.iter().any(|other| other.name == name);
        if participant.engine().is_some() && !is_wanted(index) {
            let name = participant.name.clone();
            let numbered = (2..).map(|number| format!("{name} ({number})"));
            let mut candidates = std::iter::once(name.clone()).chain(numbered);
            participant.name = candidates.find(|name| !taken(name)).unwrap_or(name);
        } else if taken(&participant.name) {
            return Some(participant.name.clone());
        }
    }
    None
}

/// Reads the name that a player is given.
pub fn parse_label(text: &str) -> Result<String> {
    let label = text.trim();
    if !label.is_empty() && !label.chars().any(char::is_control) {
        return Ok(label.to_owned());
    }
    Err(Error::input(format!("name `{}`", shorten(text)), "not a valid player name")
        .remedy("give a text with at least one letter, without control characters"))
}
