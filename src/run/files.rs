//! The names of the files in a run directory.

use std::path::{Path, PathBuf};

/// The file that makes a directory that of a run.
pub const MANIFEST: &str = "manifest.json";
pub(super) const JOURNAL: &str = "journal.jsonl";
/// The file with the games of a run.
pub const GAMES: &str = "games.jsonl.zst";
/// The file with the validated best so far.
pub const WEIGHTS: &str = "weights.json";
pub(super) const SEARCH: &str = "search.json";
/// The file with a candidate that was not accepted.
pub(super) const CANDIDATE: &str = "candidate.json";
pub(super) const LOCK: &str = "lock";

/// The file with the positions of a round.
pub(super) fn positions_path(run: &Path, round: u64) -> PathBuf {
    run.join(format!("positions-{round}.pos"))
}
