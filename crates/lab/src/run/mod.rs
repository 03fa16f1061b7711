//! A run directory: manifest, journal, games, weights. The one place that writes under `runs/`.
//!
//! ```text
//! manifest.json      what the run is: configuration, start weights, versions; written once
//! journal.jsonl      the truth: one line for each finished batch, appended and fsynced, with the
//!                    estimate so far
//! games.jsonl.zst    every game, one zstd frame for each batch
//! weights.json       the validated best so far
//! search.json        its search constants alone, where a run has any of its own
//! candidate.json     the tuned set, if it was not accepted
//! answer.json        the answer of a tune of an external engine
//! positions-N.pos    the positions of round N of a logistic tune; appended to as the games are
//! round-N.json       the set fitted in round N
//! report.html        the report for people, made from the other files by `spar report`
//! training-N.bin     the checkpoint of the training of round N, while it continues
//! harvest.jsonl      the games of a fit of an engine's options, while it continues
//! unfinished.json    the finished pairs of incomplete batches, from an interrupted process
//! player-N.json      a player of a match or tournament, unless it is a shipped set
//! workers.json       the status of the workers, while workers on other machines play
//! label.json         the label that the user gave the run
//! lock               held by the process that works on the run; has its number
//! ```
//!
//! A batch is safe in this order: its games are appended and fsynced, then its line. On opening, a
//! torn last line and games beyond the last line are cut off; that batch is played again, and
//! nothing is counted twice.
//!
//! Damage to any byte is noticed when a run is resumed or reported: the manifest and every line of
//! the journal end with a checksum, the lines have the checksums of the bytes appended to other
//! files, and of files that are written as a whole. Files that can be made again may be missing.

mod append;
mod begin;
mod checkpoint;
mod checksum;
pub mod dir;
mod files;
mod from_code;
mod game_reader;
mod games;
mod harvest;
pub mod journal;
mod lock;
pub mod manifest;
mod mend;
pub mod older;
mod position_blocks;
pub mod position_copy;
mod position_layout;
mod position_progress;
mod position_writer;
pub mod positions;
mod place;
mod pretty;
mod reach;
pub mod record;
mod rounds;
pub mod tail;
mod trust;
mod unfinished;
mod unsealed;
pub mod work;
pub mod workers;
mod written;

pub use checkpoint::CheckpointFile;
pub use checksum::checksum;
pub use dir::RunDir;
pub use files::{
    ANSWER, CANDIDATE, FIRST_POSITIONS, GAMES, JOURNAL, LABEL, MANIFEST, REPORT, RunFile, SEARCH,
    WEIGHTS, player_file,
};
pub use from_code::{TuneInDir, Tuned};
pub use game_reader::{RecordedGame, read_games};
pub use harvest::HarvestFile;
pub use journal::{Journal, JournalLine};
pub use lock::{is_locked, lock};
pub use manifest::{FORMAT, Manifest, ManifestHead, is_rest, without_manifest};
pub use mend::{MendedCopy, mend_copy};
pub use record::{Record, RecordedChange, check_games, is_run, read, read_checked};
pub use tail::{JournalTail, holds_lock, size, worker};
pub use trust::TrustMark;
pub use work::{TournamentWork, TuneWork, Work};
pub use workers::{RunWorker, RunWorkers};
pub use written::{check_path, check_written, is_written_again};
