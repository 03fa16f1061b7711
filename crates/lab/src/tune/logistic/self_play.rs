//! Self-play games for the fit, as tasks for a thread or a worker.

use super::generate::{GenerateConfig, Harvest, MOST_PLIES, play};
use super::samples::Sample;
use crate::any::{AnyEngine, AnyEvaluator};
use crate::arena::queue::Threads;
use crate::arena::spec::{check_table, unusual};
use crate::arena::{Pool, RemoteJob, SharedSet, Task};
use crate::error::{Error, Result};
use crate::game::Board;
use crate::games::GameId;
use crate::player::Player;
use crate::search::{Options, SearchConstants, Stop};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// Nodes of the games that a worker gets at a time: they take some tenths of a second.
const NODES_OF_A_JOB: u64 = 400_000;
/// The most games that a worker gets at a time.
const MOST_GAMES: u64 = 64;
/// Searches of a game, roughly.
const SEARCHES_OF_A_GAME: u64 = 60;

/// The common settings of self-play games.
pub(super) struct SelfPlayGames {
    game: GameId,
    config: GenerateConfig,
    board: Board,
    evaluator: AnyEvaluator,
    constants: SearchConstants,
    shared: Option<SharedSet>,
    engines: Pool<AnyEngine>,
    interrupt: Stop,
    /// Once set, games in progress end at once.
    pub(super) at_once: Stop,
}

impl SelfPlayGames {
    /// The games of a player.
    ///
    /// # Errors
    /// When the board does not exist, or the player cannot be sent to workers.
    pub(super) fn new(
        game: GameId,
        config: &GenerateConfig,
        evaluator: &AnyEvaluator,
        player: &Player,
        threads: &Threads,
        interrupt: &Stop,
    ) -> Result<Self> {
        let shared = threads.have_workers().then(|| SharedSet::new(&player.weights));
        Ok(Self {
            game,
            config: config.clone(),
            board: config.board.parse()?,
            evaluator: evaluator.clone(),
            constants: player.constants.clone(),
            shared: shared.transpose()?,
            engines: Pool::default(),
            interrupt: interrupt.clone(),
            at_once: Stop::default(),
        })
    }

    fn nodes_of_a_game(&self) -> u64 {
        self.config.limits.nodes.map_or(0, |nodes| nodes.saturating_mul(SEARCHES_OF_A_GAME))
    }

    /// The games of a task: one for a thread, and enough to be worth sending for a worker.
    pub(super) fn games_of_a_task(&self, threads: &Threads) -> u64 {
        if !threads.have_workers() {
            return 1;
        }
        NODES_OF_A_JOB.checked_div(self.nodes_of_a_game()).unwrap_or(1).clamp(1, MOST_GAMES)
    }

    fn play(&self, first: u64, games: u64) -> Result<Option<Vec<Harvest>>> {
        let mut engine = self.engines.take().unwrap_or_else(|| {
            let table_bytes = Options::table_for(&self.config.limits);
            let constants = self.constants.clone();
            let options = Options { table_bytes, constants, ..Options::default() };
            self.evaluator.engine(options)
        });
        let Self { game, board, config, at_once, .. } = self;
        let mut play = |number| play(*game, &mut engine, *board, config, number, at_once);
        let harvests = (first..first + games).map(&mut play).collect();
        self.engines.give(engine);
        harvests
    }
}

/// Some of these games.
pub(super) struct SelfPlayTask {
    pub(super) common: Arc<SelfPlayGames>,
    /// The number of the first game.
    pub(super) first: u64,
    pub(super) games: u64,
}

impl Task for SelfPlayTask {
    type Outcome = Result<Option<Vec<Harvest>>>;

    fn run(&self) -> Self::Outcome {
        if self.common.interrupt.is_set() {
            return Ok(None);
        }
        self.common.play(self.first, self.games)
    }

    fn remote_job(&self) -> Option<RemoteJob> {
        let SelfPlayGames { game, config, constants, shared, .. } = &*self.common;
        let shared = shared.as_ref()?;
        let sent = SentSelfPlay {
            config: config.clone(),
            set: shared.digest().into(),
            constants: unusual(constants),
            first: self.first,
            games: self.games,
        };
        Some(RemoteJob {
            game: game.name.into(),
            kind: SentSelfPlay::KIND,
            body: serde_json::to_value(sent).ok()?,
            sets: vec![shared.clone()],
            is_repeatable: config.limits.is_deterministic(),
            nodes: self.common.nodes_of_a_game().saturating_mul(self.games),
            engines: None,
        })
    }

    fn read(&self, result: &Value) -> Result<Self::Outcome> {
        let sent = Vec::<SentHarvest>::deserialize(result);
        let sent = sent.map_err(|error| Error::input("result", error))?;
        if sent.len() as u64 != self.games {
            let reason = format!("{} games for {}", sent.len(), self.games);
            return Err(Error::input("result", reason));
        }
        let mut sample = Sample::on_board(self.common.game, self.common.board)?;
        let harvests = sent.iter().map(|harvest| harvest.read(&mut sample));
        harvests.collect::<Result<Vec<_>>>().map(|harvests| Ok(Some(harvests)))
    }

    fn write(&self, outcome: &Self::Outcome) -> Option<Value> {
        let harvests = outcome.as_ref().ok()?.as_ref()?;
        serde_json::to_value(harvests.iter().map(SentHarvest::new).collect::<Vec<_>>()).ok()
    }

    fn has_failed(&self, outcome: &Self::Outcome) -> bool {
        outcome.is_err()
    }

    fn given_up(&self) -> Self::Outcome {
        Ok(None)
    }

    fn is_interrupted(&self) -> bool {
        self.common.interrupt.is_set()
    }
}

/// Self-play games to be played by a worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentSelfPlay {
    /// The settings that determine the games.
    pub config: GenerateConfig,
    /// The digest of the player's weight set.
    pub set: String,
    /// The constants of its search, where they are not the usual ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constants: Option<SearchConstants>,
    /// The number of the first game.
    pub first: u64,
    /// The number of games to play.
    pub games: u64,
}

impl SentSelfPlay {
    /// The kind of the jobs that play such games.
    pub const KIND: &'static str = "self-play";

    /// Plays the games with this evaluator; `None` when the flag was set before the end.
    ///
    /// # Errors
    /// When a number is out of range.
    pub fn play(
        &self,
        game: GameId,
        evaluator: &AnyEvaluator,
        stop: &Stop,
    ) -> Result<Option<Value>> {
        self.config.check()?;
        check_table(Options::table_for(&self.config.limits))?;
        if self.games > MOST_GAMES || self.first.checked_add(self.games).is_none() {
            return Err(Error::input("games", format!("{} are too many", self.games)));
        }
        let common = SelfPlayGames {
            game,
            config: self.config.clone(),
            board: self.config.board.parse()?,
            evaluator: evaluator.clone(),
            constants: self.constants.clone().unwrap_or_default(),
            shared: None,
            engines: Pool::default(),
            interrupt: Stop::default(),
            at_once: stop.clone(),
        };
        let task = SelfPlayTask { common: Arc::new(common), first: self.first, games: self.games };
        let outcome = task.run();
        let sent = task.write(&outcome);
        outcome.map(|_| sent)
    }
}

/// The records of a game as a worker sends them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SentHarvest {
    /// The records, in base 64.
    records: String,
    plies: u64,
    nodes: u64,
}

impl SentHarvest {
    fn new(harvest: &Harvest) -> Self {
        let Harvest { plies, nodes, .. } = *harvest;
        Self { records: BASE64.encode(&harvest.records), plies, nodes }
    }

    /// Reads the records. Each must be of a position on the board of this sample.
    fn read(&self, sample: &mut Sample) -> Result<Harvest> {
        let bad = |reason: String| Error::input("records", reason);
        let records = BASE64.decode(&self.records).map_err(|error| bad(error.to_string()))?;
        let size = sample.record_bytes();
        if !records.len().is_multiple_of(size) || records.len() / size > MOST_PLIES {
            return Err(bad(format!("{} bytes", records.len())));
        }
        records.chunks_exact(size).try_for_each(|record| sample.read(record))?;
        Ok(Harvest { records, plies: self.plies, nodes: self.nodes })
    }
}
