//! The external engines of a run that continues: each must be the one that the run began with.

use crate::error::Result;
use crate::game::Board;
use crate::games::GameId;
use crate::protocol::{EngineChange, EngineIdentity, EngineReferee, ExternalEngine, StartedEngine};
use crate::run::{Record, Work};
use crate::search::Stop;
use clap::Args;

/// How a resumed run treats external engines.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct ResumedEngineArgs {
    /// Continue even if an engine's files or its name have changed since the run began; the run's
    /// record notes it
    #[arg(long, help_heading = "Engines (cmd:)")]
    changed_engines: bool,
    /// End the run once an engine has forfeited this many games in a row; 0 never does [default: as
    /// the run began]
    #[arg(long, value_name = "GAMES", help_heading = "Engines (cmd:)")]
    forfeit_limit: Option<u64>,
    /// Whether an earlier run is being resumed.
    #[arg(skip)]
    resumes: bool,
}

impl ResumedEngineArgs {
    /// The same arguments for a resumed run.
    #[must_use]
    pub fn of_resume(self) -> Self {
        Self { resumes: true, ..self }
    }

    /// Applies the options to the work of a run.
    pub fn apply(self, work: &mut Work) {
        let Some(limit) = self.forfeit_limit else { return };
        work.engines_mut().into_iter().for_each(|engine| engine.forfeit_limit = limit);
    }
}

/// Starts the engines of a run.
#[derive(Default)]
pub struct ResumedEngines {
    /// The engines replaced earlier, by their names in results.
    known: Vec<(String, EngineIdentity)>,
    may_change: bool,
    resumes: bool,
    /// The engines replaced by this process.
    pub changes: Vec<EngineChange>,
}

impl ResumedEngines {
    /// Takes the engines of a record; none is started yet.
    pub fn new(record: &Record, args: ResumedEngineArgs) -> Self {
        let changes = record.engine_changes().iter().map(|recorded| &recorded.change);
        let known = changes.map(|change| (change.engine.clone(), change.identity.clone()));
        let ResumedEngineArgs { changed_engines: may_change, resumes, .. } = args;
        Self { known: known.collect(), may_change, resumes, changes: Vec::new() }
    }

    /// Starts the engine that has this name in the results.
    ///
    /// # Errors
    /// As [`ExternalEngine::start`].
    pub fn start(
        &mut self,
        name: &str,
        engine: &ExternalEngine,
        (game, board): (GameId, Board),
        interrupt: &Stop,
    ) -> Result<StartedEngine> {
        self.checked(name, engine, |engine| {
            let started = engine.start(game, board, interrupt)?;
            let found = started.engine().clone();
            Ok((started, found))
        })
    }

    /// Starts the referee of a resumed run, if it has one.
    ///
    /// # Errors
    /// When it does not start, or is not the one that the run began with.
    pub fn referee(
        &mut self,
        referee: Option<&ExternalEngine>,
        (game, board): (GameId, Board),
    ) -> Result<()> {
        let Some(engine) = referee.filter(|_| self.resumes) else { return Ok(()) };
        // A player may have the same name.
        let name = format!("referee {}", engine.name());
        self.checked(&name, engine, |engine| {
            EngineReferee::replace(engine, game.name(), board).map(|found| ((), found))
        })
    }

    /// Starts an engine as its run knows it, or records the difference. `start` also returns the
    /// engine as it was found.
    fn checked<T>(
        &mut self,
        name: &str,
        engine: &ExternalEngine,
        start: impl FnOnce(ExternalEngine) -> Result<(T, ExternalEngine)>,
    ) -> Result<T> {
        let replaced = self.known.iter().rev().find(|(known, _)| known == name);
        let identity = replaced.map(|(_, identity)| identity).or(engine.identity.as_ref()).cloned();
        if !self.may_change {
            return start(ExternalEngine { identity, ..engine.clone() })
                .map(|(started, _)| started);
        }
        // As if the engine were started for the first time.
        let new = ExternalEngine { identity: None, name: None, ..engine.clone() };
        let (started, found) = start(new)?;
        if let Some((old, identity)) = identity.zip(found.identity)
            && let Some(what) = old.difference(&identity)
        {
            self.changes.push(EngineChange { engine: name.into(), what, identity });
        }
        Ok(started)
    }
}
