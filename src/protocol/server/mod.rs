//! The other end of the protocols: what an engine hears and says. Text in, values out, and back; no
//! input or output.
//!
//! ```text
//! bytes --LineReader--> line --Command::parse--> command;   search --SearchInfo--> text
//! ```

mod command;
mod go;
mod info;
mod input;
mod offer;
mod settings;
mod variant;

pub use command::{EngineCommand, HELP, Start};
pub use go::Go;
pub use info::{SearchInfo, best_move, score_text};
pub use input::{EngineInput, LineReader};
pub use offer::Offer;
pub use settings::{MAX_HASH, MAX_THREADS, SettingChange, Settings};
pub use variant::Variant;
