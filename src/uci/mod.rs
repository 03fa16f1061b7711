//! Our engine as frontends and match runners see it, over UCI or UAI.
//!
//! ```text
//! input --LineReader--> line --EngineCommand--> Server --EngineState--> Job (a thread of its own)
//!                                                  |                      |
//!                                               Settings (options)     Output (info, bestmove)
//! ```
//!
//! The reading thread is never busy for long: searches and other long work are jobs on a thread of
//! their own. The caller provides the output; nothing here uses standard output.

mod command;
mod engine_state;
mod go;
mod info;
mod input;
mod job;
mod offer;
mod output;
mod perft;
mod search_task;
mod server;
mod settings;
mod variant;

pub use command::EngineCommand;
pub use engine_state::PlayerFinder;
pub use output::Output;
pub use server::Server;
pub use settings::{MAX_HASH, MAX_THREADS, Settings, check_memory};
pub use variant::UciVariant;
