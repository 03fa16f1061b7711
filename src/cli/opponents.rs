//! Opponents that a tune learns against: from arguments to the manifest, and from the
//! manifest to started engines.

use super::args::parse_count;
use super::console::Console;
use super::limit_args::LimitArgs;
use super::named::find_player;
use super::participant::{EngineWishes, Participant, name_participants, or_program};
use super::resumed_engines::ResumedEngines;
use crate::arena::PlayerFactory;
use crate::arena::queue::Threads;
use crate::error::{Error, Result};
use crate::game::Board;
use crate::games::GameId;
use crate::player::DefaultWeights;
use crate::protocol::external_engine::{COMMAND_PREFIX, parse_option};
use crate::protocol::{EngineChange, ExternalEngine, StartedEngine, send_engines};
use crate::search::Stop;
use crate::tune::{Knob, OpponentSet, OpponentsConfig, TuneSettings};
use crate::weights::find_shipped;
use clap::Args;
use std::sync::Arc;

/// The options of a tune against opponents.
#[derive(Args, Clone, Debug)]
pub(super) struct OpponentArgs {
    /// A reference opponent: a shipped set, a file of weights, or cmd:PROGRAM ARGS; may be
    /// repeated. In its share of the pairs both perturbed players meet it, and the difference of
    /// their scores counts [default: none; in joined tunes of weights the set `piece`, where the
    /// game has one]
    #[arg(long, value_name = "PLAYER", help_heading = "Opponents")]
    opponent: Vec<String>,
    /// Share of the pairs played against opponents, quick pairs first; the rest is self-play
    /// [default: 0.5, in joined tunes of weights 0.667]
    #[arg(long, value_name = "SHARE", help_heading = "Opponents")]
    opponent_share: Option<f64>,
    /// An option of all external opponents; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_option, allow_hyphen_values = true, help_heading = "Engines (cmd:)")]
    opponent_option: Vec<(String, String)>,
    /// Working directory of external opponents; their relative paths start there [default: the
    /// current one]
    #[arg(long, value_name = "DIR", help_heading = "Engines (cmd:)")]
    opponent_dir: Option<String>,
    /// As --nodes, for the opponents only [default: the limits of the players they meet]
    #[arg(long, value_name = "N", value_parser = parse_count, help_heading = "Limits of a move")]
    opponent_nodes: Option<u64>,
    /// As --depth, for the opponents only
    #[arg(long, value_name = "PLIES", help_heading = "Limits of a move")]
    opponent_depth: Option<u32>,
    /// As --movetime, for the opponents only
    #[arg(long, value_name = "MS", help_heading = "Limits of a move")]
    opponent_movetime: Option<u64>,
    #[command(flatten)]
    engines: ExternalEngine,
    /// The default opponent, and the default share of pairs against opponents, if the method has
    /// them.
    #[arg(skip)]
    pub(super) usual: Option<(&'static str, f64)>,
}

impl OpponentArgs {
    /// Settings of all external engines of the command.
    pub(super) fn engine(&self) -> &ExternalEngine {
        &self.engines
    }

    /// The opponents for the manifest. Each external engine has been started once to see that it
    /// plays.
    ///
    /// # Errors
    /// When one is not found, does not start or does not play the game, or a number is out of
    /// range.
    pub(super) fn config(
        &self,
        game: GameId,
        board: Board,
        console: &Console,
    ) -> Result<Option<OpponentsConfig>> {
        let own = LimitArgs {
            nodes: self.opponent_nodes,
            depth: self.opponent_depth,
            movetime: self.opponent_movetime,
        };
        let limits = own.given()?;
        let usual = self.usual.map(|(name, _)| name).filter(|_| self.opponent.is_empty());
        // A game from elsewhere may have no set that counts pieces.
        let usual = usual.filter(|name| find_shipped(name, game.name).is_some());
        let usual_share = self.usual.map_or(OpponentsConfig::SHARE, |(_, share)| share);
        if usual.is_some() && self.opponent_share == Some(0.0) {
            return Ok(None);
        }
        if usual.is_none() && self.opponent.is_empty() {
            let is_idle = limits.is_none()
                && self.opponent_option.is_empty()
                && self.opponent_dir.is_none()
                && self.opponent_share.is_none();
            return match is_idle {
                true => Ok(None),
                false => Err(Error::input("--opponent-...", "there is no opponent")
                    .remedy("name one with --opponent, or leave it out")),
            };
        }
        let (sets, engines) = self.players(usual, (game, board), console)?;
        let share = self.opponent_share.unwrap_or(usual_share);
        let config = OpponentsConfig { sets, engines, share, limits };
        config.check()?;
        Ok(Some(config))
    }

    /// The sets and the external engines among the opponents.
    fn players(
        &self,
        usual: Option<&str>,
        (game, board): (GameId, Board),
        console: &Console,
    ) -> Result<(Vec<OpponentSet>, Vec<ExternalEngine>)> {
        let (mut sets, mut engines) = (Vec::new(), Vec::new());
        for text in self.opponent.iter().map(String::as_str).chain(usual) {
            if text.starts_with(COMMAND_PREFIX) {
                let wishes = EngineWishes {
                    common: &self.engines,
                    options: &self.opponent_option,
                    folder: self.opponent_dir.as_deref(),
                };
                engines.push(Participant::find(text, (game, board), wishes, console)?);
            } else {
                let default = DefaultWeights::Strongest(board);
                let found = find_player(game, Some(text), default, console);
                sets.push(OpponentSet::of(found.map_err(|error| or_program(text, error))?));
            }
        }
        name_participants(&mut engines, &[]);
        let engines = engines.iter().filter_map(|participant| {
            let name = Some(participant.name.clone());
            Some(ExternalEngine { name, ..participant.engine()?.engine().clone() })
        });
        Ok((sets, engines.collect()))
    }
}

/// The engines of a run, started once for the whole run: its opponents, then the tuned engine.
#[derive(Default)]
pub(super) struct OpenEngines {
    /// A factory of players for each engine.
    pub(super) factories: Vec<Arc<dyn PlayerFactory>>,
    /// The engine that is tuned, if one is.
    pub(super) tuned: Option<StartedEngine>,
    /// The engines that have been replaced since the run began.
    pub(super) changes: Vec<EngineChange>,
}

impl OpenEngines {
    /// Starts the engines. If the threads have workers, each engine plays a trial, so that workers
    /// can prove that they have the same one.
    ///
    /// # Errors
    /// When one does not start or does not play the game, or `interrupt` is set meanwhile.
    pub(super) fn start(
        config: &TuneSettings,
        mut resumed: ResumedEngines,
        threads: &Threads,
        interrupt: &Stop,
    ) -> Result<Self> {
        let (game, board) = (config.game_id()?, config.board.parse()?);
        resumed.referee(config.referee.as_ref(), (game, board))?;
        let engines = config.opponents().into_iter().flat_map(|opponents| &opponents.engines);
        let start = |engine: &ExternalEngine| {
            let started = resumed.start(engine.name(), engine, (game, board), interrupt)?;
            Ok((engine.name().to_owned(), started))
        };
        let started = engines.chain(config.engine()).map(start).collect::<Result<Vec<_>>>()?;
        let tuned = config.engine().and(started.last()).map(|(_, started)| started.clone());
        if let Some(tuned) = &tuned {
            tuned.check_offers(config.knobs().iter().map(Knob::option))?;
        }
        let factory = |(_, started)| Arc::new(started) as Arc<dyn PlayerFactory>;
        let factories = match threads.have_workers() {
            true => send_engines(started, (game, board), interrupt)?,
            false => started.into_iter().map(factory).collect(),
        };
        Ok(Self { factories, tuned, changes: resumed.changes })
    }
}

/// The opponents of a run in words, for the plan; nothing when there are none.
pub(super) fn plan_text(config: &TuneSettings) -> String {
    config.opponents().map_or(String::new(), |opponents| format!("\n  {}", opponents.text()))
}
