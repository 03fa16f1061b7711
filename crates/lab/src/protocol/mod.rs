//! UCI, UAI and USI: external engines as players. The program's module `uci` offers our own engine
//! to other programs.
//!
//! ```text
//! ExternalEngine --start--> StartedEngine --one a thread--> ExternalPlayer --Client--> Process
//!                                         `--one a thread--> EngineReferee ---Client--> Process
//! ```
//!
//! Whatever an engine does, the match continues: a crash, an illegal move, a late move or none at
//! all forfeits the game, with a reason and the engine's last words. The next game begins with a
//! new process. Engines have a process group of their own. At the end they get `quit`, and are
//! killed if they do not exit. If this program itself is killed, a [watcher] kills them.

pub mod client;
pub mod dialect;
pub mod external_engine;
pub mod fault;
mod external_player;
pub mod game_line;
pub mod identity;
pub mod lines;
pub mod options;
mod pipes;
mod process;
pub mod proof;
mod referee;
mod trust;
mod usi;
#[cfg(unix)]
pub mod watcher;
mod wishes;

pub use dialect::Protocol;
pub use external_engine::{Consent, ExternalEngine, StartedEngine};
pub use identity::{EngineChange, EngineIdentity};
pub use process::end_all;
pub use proof::{EngineProof, prove, send_engines};
pub use referee::EngineReferee;
pub use trust::TrustedRules;
