//! Many runs: found by name, listed, followed while they go on, compared, removed.
//!
//! ```text
//! folder of runs -> RunsFolder (find, list) -> RunView (what a run came to; in a list, in short)
//!                                           -> LiveRun (one run, read on as its journal grows)
//! ```
//!
//! Nothing here locks a run or plays a game, so a run under way is never in the way of its readers.

mod column;
pub mod folder;
pub mod label;
pub mod live;
pub mod remove;
pub mod series;
pub mod set;
mod spark;
mod standing;
pub mod view;

pub use folder::RunsFolder;
pub use label::RunLabel;
pub use live::LiveRun;
pub use remove::{Removal, Removed};
pub use set::{RunSet, SetRole, WantedSet};
pub use view::{RunState, RunView};
