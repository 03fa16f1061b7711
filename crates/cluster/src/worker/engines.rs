//! The external engines of a worker: it plays for a run only with an engine that has proven to be
//! the same as the run's engine of that name.

use super::super::message::{EngineProven, WantedEngines};
use super::super::stage::slower;
use crate::arena::{PairRunner, PairSpec, PlayerBody, PlayerFactory, SentEngine};
use crate::error::{Error, Result, shorten};
use crate::game::Board;
use crate::games::GameId;
use crate::protocol::proof::check_sent_option;
use crate::protocol::{EngineProof, ExternalEngine, StartedEngine, prove};
use crate::search::Stop;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;

/// The most engine settings kept ready, each with the processes of its players.
const RUNNERS: usize = 4;

/// An engine that a worker has.
#[derive(Clone, Debug)]
pub struct WorkerEngine {
    /// The name by which jobs ask for it.
    pub name: String,
    /// Its command and its own options.
    pub engine: ExternalEngine,
}

/// The engines of a worker.
pub(in super::super) struct WorkerEngines {
    engines: Vec<WorkerEngine>,
    /// The trials by name, game and board: a proof, or why the engine failed.
    tried: Mutex<HashMap<TrialKey, std::result::Result<Tried, String>>>,
    /// Locked during a trial, so that no two trials slow each other down.
    trying: Mutex<()>,
    /// Runners by the settings of their engines, the last used at the end.
    runners: Mutex<Vec<(String, PairRunner)>>,
    stop: Stop,
}

type TrialKey = (String, String, String);

/// An engine after its trial in a game.
#[derive(Clone)]
struct Tried {
    proof: EngineProof,
    started: StartedEngine,
}

/// The answer to a run that wants engines.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) enum EngineVerdict {
    /// All engines are here, and the same.
    Proven,
    /// The worker does not have this one.
    Missing(String),
    /// This one fails or differs: its name, and the reason.
    Refused(String, String),
}

impl WorkerEngines {
    /// Takes these engines. Setting the flag ends games at once.
    pub(in super::super) fn new(engines: Vec<WorkerEngine>, stop: Stop) -> Self {
        let (tried, trying, runners) = (Mutex::default(), Mutex::default(), Mutex::default());
        Self { engines, tried, trying, runners, stop }
    }

    pub(in super::super) fn is_empty(&self) -> bool {
        self.engines.is_empty()
    }

    /// The proofs so far.
    pub(in super::super) fn proven(&self) -> Vec<EngineProven> {
        let mut proven: Vec<EngineProven> = self
            .tried
            .lock()
            .iter()
            .filter_map(|((name, game, board), tried)| {
                let EngineProof { identity, speed } = tried.as_ref().ok()?.proof.clone();
                let (name, game, board) = (name.clone(), game.clone(), board.clone());
                Some(EngineProven { name, game, board, identity, speed })
            })
            .collect();
        proven.sort_by(|a, b| (&a.name, &a.game, &a.board).cmp(&(&b.name, &b.game, &b.board)));
        proven
    }

    /// Tries the engines that a run wants, unless they were tried before; a trial takes a second or
    /// more.
    pub(in super::super) fn judge(&self, wanted: &WantedEngines) -> EngineVerdict {
        for engine in &wanted.engines {
            let Some(own) = self.find(&engine.name) else {
                return EngineVerdict::Missing(shorten(&engine.name));
            };
            let reason = match self.tried(own, &wanted.game, &wanted.board) {
                Ok(tried) if tried.proof.identity == engine.identity => continue,
                Ok(tried) => differs(&tried.proof.identity, &shorten(&engine.identity)),
                Err(reason) => reason,
            };
            return EngineVerdict::Refused(own.name.clone(), reason);
        }
        EngineVerdict::Proven
    }

    /// The runner for a pair with the engines of a job, and how many times slower each engine is
    /// here than at the coordinator, for whose machine time limits are meant.
    ///
    /// # Errors
    /// When an engine is missing or differs from the one the job wants, an option of the pair is a
    /// text or may not be sent, or the engine does not accept it.
    pub(in super::super) fn runner(
        &self,
        game: GameId,
        pair: &PairSpec,
        wanted: &[SentEngine],
    ) -> Result<(PairRunner, Vec<f64>)> {
        let board = pair.board.as_str();
        let mut engines = Vec::new();
        for engine in wanted {
            let place = || format!("engine `{}`", shorten(&engine.name));
            let missing = || Error::input(place(), "this worker does not have it");
            let own = self.find(&engine.name).ok_or_else(missing)?;
            let failed = |reason: String| Error::failed(place(), reason);
            let tried = self.tried(own, game.name, board).map_err(failed)?;
            if tried.proof.identity != engine.identity {
                let reason = differs(&tried.proof.identity, &shorten(&engine.identity));
                return Err(Error::input(place(), reason));
            }
            engines.push((engine, tried));
        }
        for player in &pair.players {
            if let PlayerBody::Engine(place) = player.body
                && let Some((_, tried)) = engines.get(place)
            {
                let offered = tried.started.offered();
                let mut options = player.options.iter();
                options.try_for_each(|(name, value)| check_sent_option(offered, name, value))?;
            }
        }
        let ratios = engines.iter().map(|(sent, tried)| slower(sent.speed, tried.proof.speed));
        let ratios = ratios.collect();
        let key = serde_json::to_string(&(game.name, board, wanted));
        let key = key.map_err(|error| Error::failed("JSON", error))?;
        let mut runners = self.runners.lock();
        let known = runners.iter().position(|(known, _)| *known == key);
        let kept = match known.map(|place| runners.remove(place)) {
            Some(kept) => kept,
            None => (key, self.new_runner(game, board.parse()?, &engines)?),
        };
        if runners.len() == RUNNERS {
            runners.remove(0);
        }
        let runner = kept.1.clone();
        runners.push(kept);
        Ok((runner, ratios))
    }

    fn new_runner(
        &self,
        game: GameId,
        board: Board,
        engines: &[(&SentEngine, Tried)],
    ) -> Result<PairRunner> {
        let start = |(sent, tried): &(&SentEngine, Tried)| {
            let known = tried.started.engine();
            let offered = tried.started.offered();
            let mut options = known.options.clone();
            // Options that a job may set are no part of the proof, so only the job sets them.
            options.retain(|(name, value)| check_sent_option(offered, name, value).is_err());
            for (name, value) in &sent.options {
                check_sent_option(offered, name, value)?;
                options.push((name.clone(), value.clone()));
            }
            let engine = ExternalEngine {
                options,
                margin_ms: sent.margin_ms,
                timeout_seconds: sent.timeout_seconds,
                restarts: sent.restarts,
                ..known.clone()
            };
            let started = engine.start(game, board, &self.stop)?;
            Ok(Arc::new(started) as Arc<dyn PlayerFactory>)
        };
        let factories = engines.iter().map(start).collect::<Result<Vec<_>>>()?;
        Ok(PairRunner::with_engines(game, factories, [self.stop.clone(), Stop::default()]))
    }

    fn find(&self, name: &str) -> Option<&WorkerEngine> {
        self.engines.iter().find(|engine| engine.name.eq_ignore_ascii_case(name))
    }

    /// The trial of an engine in a game; made only once.
    fn tried(
        &self,
        own: &WorkerEngine,
        game: &str,
        board: &str,
    ) -> std::result::Result<Tried, String> {
        let key = (own.name.clone(), game.to_owned(), board.to_owned());
        let known = || self.tried.lock().get(&key).cloned();
        if let Some(known) = known() {
            return known;
        }
        let _trying = self.trying.lock();
        if let Some(known) = known() {
            return known;
        }
        let found = self.try_out(own, game, board).map_err(|error| error.to_string());
        if !self.stop.is_set() {
            self.tried.lock().insert(key, found.clone());
        }
        found
    }

    fn try_out(&self, own: &WorkerEngine, game: &str, board: &str) -> Result<Tried> {
        let on: (GameId, Board) = (game.parse()?, board.parse()?);
        let started = own.engine.clone().start(on.0, on.1, &self.stop)?;
        let proof = prove(&started, on, &self.stop)?;
        Ok(Tried { proof, started })
    }
}

/// The reason why an engine is not the run's.
pub(in super::super) fn differs(own: &str, wanted: &str) -> String {
    format!("it plays differently here (identity {own}) than where the run is (identity {wanted})")
}
