//! UCI, UAI and USI: external engines as players. Our own engine as others see it is in `uci`.
//!
//! ```text
//! ExternalEngine --start--> StartedEngine --one a thread--> ExternalPlayer --Client--> Process
//!                                         `--one a thread--> EngineReferee ---Client--> Process
//! ```
//!
//! Whatever an engine does, the match continues: a crash, an illegal move, a late one or none at all
//! forfeits the game with a reason and the engine's last words, and the next game begins with a new
//! process. Engines get a process group of their own, are told to `quit`, and are killed when they
//! do not; where this program is killed, a [watcher] does that.

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
