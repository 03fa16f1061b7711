//! Many runs: found by name, listed, followed while they go on, compared, removed.
//!
//! ```text
//! folder of runs -> RunsFolder (find, list) -> RunLine (a line of the list)
//!                                           -> LiveRun (one run, read on as its journal grows)
//! ```
//!
//! Nothing here locks a run or plays a game, so a run under way is never in the way of its readers.

mod column;
pub mod folder;
pub mod line;
pub mod live;
pub mod remove;
pub mod series;
pub mod set;
pub mod standing;

pub use folder::RunsFolder;
pub use line::{RunLine, RunStatus};
pub use live::{LiveRun, RunDocument};
pub use remove::{Removal, Removed};
pub use set::{RunSet, SetRole, WantedSet};
