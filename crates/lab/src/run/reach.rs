//! How far a run's files reach beyond its journal. The games of a batch are on disk before its line
//! is begun, and the line is on disk before the games of the next batch are: a crash, at whatever
//! byte, leaves at most one batch of games without its line. A journal that ends earlier has lost
//! lines, and without them their games would be taken for what a crash left, and cut off.

use super::files::{CANDIDATE, GAMES, JOURNAL};
use crate::error::{Error, Result};
use crate::files::{self, Links};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// What a run's directory held before its journal was read: the run may be under way, and add to
/// its files meanwhile.
#[derive(Debug)]
pub(super) struct RunReach {
    directory: PathBuf,
    /// The bytes of the game file.
    games: u64,
    has_candidate: bool,
}

impl RunReach {
    pub(super) fn of(directory: &Path) -> Self {
        let length = |name: &str| {
            let found = Links::Refused.metadata(&directory.join(name)).ok()?;
            found.is_file().then_some(found.len())
        };
        Self {
            directory: directory.into(),
            games: length(GAMES).unwrap_or(0),
            has_candidate: length(CANDIDATE).is_some(),
        }
    }

    /// Checks that the journal, read since then, has lost no lines: it counts `counted` bytes of
    /// games, and may have the run's result.
    ///
    /// # Errors
    /// When the run's files hold more than a crash leaves without a line.
    pub(super) fn check(&self, counted: u64, has_result: bool) -> Result<()> {
        // The file is written after the result's line.
        if self.has_candidate && !has_result {
            return Err(self.too_short(&format!("the result, though {CANDIDATE} is there")));
        }
        if self.games > counted && self.has_two_batches(counted) {
            return Err(self.too_short(&format!("the games in {GAMES}")));
        }
        Ok(())
    }

    /// Whether two whole batches of games follow the bytes that the journal counts.
    fn has_two_batches(&self, counted: u64) -> bool {
        let Ok(mut file) = files::open(&self.directory.join(GAMES), Links::Refused) else {
            return false;
        };
        let is_there = file.seek(SeekFrom::Start(counted)).is_ok();
        let mut rest = BufReader::new(file.take(self.games - counted));
        is_there && skip_frame(&mut rest) && skip_frame(&mut rest)
    }

    fn too_short(&self, what: &str) -> Error {
        let reason = format!("ends before {what}: lines of it are lost");
        Error::input(self.directory.join(JOURNAL).display(), reason).remedy(
            "restore it from a copy; if there is none, `spar resume --mend` plays the games again that it lacks",
        )
    }
}

/// Reads over a frame, and returns whether a whole one was there.
fn skip_frame(mut file: impl BufRead) -> bool {
    let mut skip = || -> io::Result<bool> {
        if file.fill_buf()?.is_empty() {
            return Ok(false);
        }
        let mut frame = zstd::Decoder::with_buffer(&mut file)?.single_frame();
        io::copy(&mut frame, &mut io::sink()).map(|_| true)
    };
    // What cannot be unpacked was not written to its end.
    skip().unwrap_or(false)
}

/// The error for a run without a journal.
pub(super) fn without_journal(journal: &Path) -> Error {
    Error::input(journal.display(), "missing, and with it the record of what was played")
        .remedy("restore it as the run wrote it, or begin a new run in another directory")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_may_lack_the_games_of_one_batch_and_no_more() {
        let folder = tempfile::tempdir().unwrap();
        let frame = |text: &[u8]| zstd::encode_all(text, 1).unwrap();
        let (first, second, third) = (frame(b"first\n"), frame(b"second\n"), frame(b"third\n"));
        let games = [&first[..], &second, &third].concat();
        let path = folder.path().join(GAMES);
        let one = first.len() as u64;
        let two = one + second.len() as u64;
        let is_sound = |bytes: &[u8], counted: u64| {
            std::fs::write(&path, bytes).unwrap();
            RunReach::of(folder.path()).check(counted, false).is_ok()
        };
        for end in 0..=games.len() {
            let whole = end as u64;
            let torn = &games[..end];
            assert_eq!(is_sound(torn, 0), whole < two, "{end} bytes, none counted");
            if whole >= one {
                assert_eq!(is_sound(torn, one), end < games.len(), "{end} bytes, {one} counted");
            }
        }
        // A crash of the machine may leave zeros at the end.
        let zeros = [&games[..], &[0; 4096]].concat();
        assert!(is_sound(&zeros, two) && is_sound(&zeros, games.len() as u64));
        assert!(!is_sound(&zeros, 0));
        let error = RunReach::of(folder.path()).check(0, false).unwrap_err();
        assert!(error.to_string().contains("ends before the games"), "{error}");
        std::fs::write(folder.path().join(CANDIDATE), "{}").unwrap();
        let reach = RunReach::of(folder.path());
        assert!(reach.check(two, true).is_ok() && reach.check(two, false).is_err());
    }
}
