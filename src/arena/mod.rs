//! Plays matches: pairs of games, two games from one opening with colours swapped.
//!
//! ```text
//! Book --Opening--> PairJob --PairRunner, on a thread--> PairResult, in order --> Match, tune
//!                       `--RemoteJob, to a worker--------'
//! ```
//!
//! Everything here is a function of seeds and indices: pairs are played by any number of threads
//! and their results are taken in the order of their indices, so that the same work gives the same
//! answer on 1 thread and on 16.

pub mod book;
pub mod forfeits;
pub mod r#match;
pub mod pair;
pub mod play;
pub mod player;
pub mod pool;
pub mod queue;
pub mod record;
pub mod remote;
pub mod seed;
pub mod sent_pair;
pub mod tally;

pub use book::{Book, BookConfig, BookState, BookStats};
pub use forfeits::{FORFEIT_LIMIT, ForfeitWatch};
pub use r#match::{Match, MatchConfig, MatchEnd, PairDone};
pub use pair::{
    AgainstOpponent, DuelData, MatchSettings, Opponent, PairJob, PairResult, PairRunner,
};
pub use play::{Adjudication, GameEnding, GameResult, SideTotals};
pub use player::{Forfeit, GamePlayer, MoveChoice, PlayerFactories, PlayerFactory, Turn};
pub use pool::Pool;
pub use queue::{Queue, Task};
pub use record::GameRecord;
pub use remote::{RemoteJob, RemoteTask, SharedSet, Workers};
pub use sent_pair::{SentGame, SentGames, SentOpponent, SentPair, SentPlayer};
pub use tally::MatchTally;
