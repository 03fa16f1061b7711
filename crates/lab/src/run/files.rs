//! The names of the files in a run directory.

use crate::files::is_temporary;
use std::path::{Path, PathBuf};

/// The file that marks a directory as a run's.
pub const MANIFEST: &str = "manifest.json";
/// The file with a line for each finished batch.
pub const JOURNAL: &str = "journal.jsonl";
/// The file with the games of a run.
pub const GAMES: &str = "games.jsonl.zst";
/// The file with the validated best so far.
pub const WEIGHTS: &str = "weights.json";
/// The file with the search constants of the validated best so far.
pub const SEARCH: &str = "search.json";
/// The file with a candidate that was not accepted.
pub const CANDIDATE: &str = "candidate.json";
/// The file with the answer of a tune of an external engine.
pub const ANSWER: &str = "answer.json";
/// The file with the report for people.
pub const REPORT: &str = "report.html";
/// The file with the finished pairs of incomplete batches.
pub(super) const UNFINISHED: &str = "unfinished.json";
/// The file with the games of a fit of an engine's options, while it continues.
pub(super) const HARVEST: &str = "harvest.jsonl";
/// The file with the label that the user gave the run.
pub const LABEL: &str = "label.json";
pub(super) const LOCK: &str = "lock";
/// The file with the status of the workers, while workers on other machines play.
pub(super) const WORKERS: &str = "workers.json";

/// The prefix of the names of players' files.
pub(super) const PLAYER: &str = "player-";

/// The file with the weights and constants of a match's player, by its place from 0.
pub fn player_file(place: usize) -> String {
    format!("{PLAYER}{}.json", place + 1)
}

/// The file with the positions of the first round.
pub const FIRST_POSITIONS: &str = "positions-1.pos";

/// The file with the positions of a round.
pub(super) fn positions_path(run: &Path, round: u64) -> PathBuf {
    run.join(format!("positions-{round}.pos"))
}

/// The file with the checkpoint of a round's training.
pub(super) fn checkpoint_path(run: &Path, round: u64) -> PathBuf {
    run.join(format!("training-{round}.bin"))
}

/// The kind of a run's file by name, in the order of removal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RunFile {
    /// The positions of a round.
    Positions,
    /// Any other file that a run writes.
    Other,
    /// The journal, `journal.jsonl`.
    Journal,
    /// The manifest, `manifest.json`.
    Manifest,
    /// The lock of the process that works on the run.
    Lock,
}

impl RunFile {
    /// The kind of the file with this name; `None` if no run writes such a file.
    pub fn of_name(name: &str) -> Option<Self> {
        let is_numbered = |before: &str, behind: &str| {
            let number = name.strip_prefix(before).and_then(|rest| rest.strip_suffix(behind));
            number.is_some_and(|n| !n.is_empty() && n.bytes().all(|c| c.is_ascii_digit()))
        };
        match name {
            MANIFEST => Some(Self::Manifest),
            JOURNAL => Some(Self::Journal),
            LOCK => Some(Self::Lock),
            GAMES | WEIGHTS | SEARCH | CANDIDATE | ANSWER | REPORT | UNFINISHED | WORKERS
            | LABEL | HARVEST => Some(Self::Other),
            _ if is_numbered("positions-", ".pos") => Some(Self::Positions),
            _ if is_numbered(PLAYER, ".json") => Some(Self::Other),
            _ if is_numbered("training-", ".bin") => Some(Self::Other),
            _ if is_numbered("round-", ".json") || is_temporary(name) => Some(Self::Other),
            _ => None,
        }
    }
}
