//! Many runs: finds them by name, lists, follows, compares and removes them.
//!
//! ```text
//! folder of runs -> RunsFolder (find, list) -> RunView (the results of a run; in a list, in short)
//!                                           -> LiveRun (one run, followed as its journal grows)
//! ```
//!
//! Nothing here locks a run or plays a game, except that removing a run locks it. So readers never
//! disturb a run under way.

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
pub use set::{RunSet, SetRole, WantedSet, missing_file};
pub use view::{RunState, RunView};
