//! External engines as jobs name them. A job never has a command: a worker plays with the engine to
//! which its owner has given this name, once it has proven to be the same.

use super::player::{GamePlayer, PlayerFactory};
use crate::error::Error;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The name and the identity of an external engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WantedEngine {
    /// The name that the worker's owner has to give it.
    pub name: String,
    /// A digest of its play in a few positions, or else of its files.
    pub identity: String,
}

/// An external engine in a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentEngine {
    /// The name by which workers know it.
    pub name: String,
    /// Its identity, as [`prove`](crate::protocol::prove) finds it.
    pub identity: String,
    /// Nodes a second on the run's machine, which time limits are meant for; 0 when unknown.
    pub speed: f64,
    /// The options of the run, except texts, which only the owner of a machine sets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<(String, String)>,
    /// Milliseconds that it may overrun a limit of time.
    pub margin_ms: u64,
    /// Seconds of silence after which it forfeits.
    pub timeout_seconds: u64,
    /// Whether it is restarted whenever its options change.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub restarts: bool,
}

/// The engines of a job.
#[derive(Clone, Debug)]
pub struct SentEngines {
    /// The engines, at the places by which the pair names them.
    pub engines: Vec<SentEngine>,
    /// All engines of the run: a worker that has them can play each of its pairs.
    pub wanted: Arc<[WantedEngine]>,
}

/// The prefix of an identity that is a digest of play: such an engine repeats its moves.
pub const BY_PLAY: &str = "play:";

impl SentEngines {
    /// Whether all engines repeat their moves.
    pub fn are_repeatable(&self) -> bool {
        self.engines.iter().all(|engine| engine.identity.starts_with(BY_PLAY))
    }
}

/// Makes players of an external engine that workers may have too.
pub struct SentFactory {
    factory: Arc<dyn PlayerFactory>,
    engine: SentEngine,
    wanted: Arc<[WantedEngine]>,
}

impl SentFactory {
    /// Lets workers play in the place of these engines.
    pub fn of_run(
        engines: Vec<(SentEngine, Arc<dyn PlayerFactory>)>,
    ) -> Vec<Arc<dyn PlayerFactory>> {
        let wanted: Arc<[WantedEngine]> =
            engines.iter().map(|(engine, _)| engine.wanted()).collect();
        let sent = |(engine, factory)| {
            Arc::new(Self { factory, engine, wanted: wanted.clone() }) as Arc<dyn PlayerFactory>
        };
        engines.into_iter().map(sent).collect()
    }
}

impl SentEngine {
    /// Its name and its identity.
    pub fn wanted(&self) -> WantedEngine {
        WantedEngine { name: self.name.clone(), identity: self.identity.clone() }
    }
}

impl PlayerFactory for SentFactory {
    fn new_player(&self) -> Box<dyn GamePlayer> {
        self.factory.new_player()
    }

    fn fault(&self) -> Option<Error> {
        self.factory.fault()
    }

    fn sent(&self) -> Option<(&SentEngine, &Arc<[WantedEngine]>)> {
        Some((&self.engine, &self.wanted))
    }
}
