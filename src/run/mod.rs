//! A run directory: manifest, journal, games, weights. The one place that writes under `runs/`.
//!
//! ```text
//! manifest.json      what the run is: configuration, start weights, versions; written once
//! journal.jsonl      the truth: one line for each finished batch, appended and fsynced
//! games.jsonl.zst    every game, one zstd frame for each batch; the journal says how long it is
//! weights.json       the validated best so far
//! search.json        the same for constants of the search, where a run has any of its own
//! positions-N.pos    the positions of round N of a logistic tune; the journal says how many, with a digest of each line's
//! round-N.json       the set fitted in round N
//! report.html        what came of it, for people; made from the others whenever it is asked for
//! lock               held by the process that works on the run
//! ```
//!
//! A batch is safe in this order: its games are appended and fsynced, then its line. On opening, a
//! torn last line and games beyond the last line are cut off; that batch is played again, and
//! nothing is counted twice.

pub mod dir;
pub mod games;
pub mod journal;
pub mod manifest;
pub mod positions;
pub mod record;
mod rounds;

pub use dir::RunDir;
pub use journal::{Journal, JournalLine};
pub use manifest::{FORMAT, Manifest};
pub use record::{Record, read};
