//! Plays matches: pairs of games, two games from one opening with colours swapped.
//!
//! ```text
//! Book --opening--> PairSpec --PairRunner, on a thread--> PairRecord, in order --> session
//!                       `--the same, to a worker---------'
//! ```
//!
//! Everything here is a function of seeds and indices: pairs are played by any number of threads
//! and their results are taken in the order of their indices, so that the same work gives the same
//! answer on 1 thread and on 16.

pub mod adjudication;
pub(crate) mod affinity;
pub(crate) mod ask;
pub mod book;
pub mod forfeits;
mod game_clock;
mod game_under_way;
pub mod r#match;
pub mod pair;
mod pair_check;
pub mod pair_record;
pub mod pair_task;
pub mod play;
pub mod pgn;
pub mod player;
pub mod pool;
pub mod queue;
pub mod record;
pub mod remote;
pub(crate) mod rule_faults;
pub mod seed;
pub mod sent_engine;
pub mod spec;
pub mod tally;

pub use adjudication::{Adjudication, Audit, DrawRule, ReportedScore, ResignRule, ScoreRules};
pub use book::{Book, BookConfig, BookFile, BookPart, BookState, BookStats, EngineJudge};
pub use forfeits::{FORFEIT_LIMIT, ForfeitWatch};
pub use r#match::{MOST_REPEATS, Match, MatchConfig, MatchEnd, RepeatWatch};
pub use pair::PairRunner;
pub use pair_record::{PairRecord, PlayedGame, SearchNote};
pub use pair_task::PairTask;
pub use play::{GameEnding, GameEnds, MOST_PLIES, SideTotals};
pub use player::{Forfeit, ForfeitKind, GamePlayer, MoveChoice, PlayerFactory, Turn};
pub use pool::Pool;
pub use queue::{Queue, Task, Threads};
pub use record::GameRecord;
pub use remote::{RemoteJob, RemoteTask, SharedSet, Workers};
pub use sent_engine::{SentEngine, SentEngines, SentFactory, WantedEngine};
pub use spec::{OpponentSpec, PairSpec, PlayerBody, PlayerSpec, Sets, check_max_plies};
pub use tally::{EarlyEnds, MatchTally};
