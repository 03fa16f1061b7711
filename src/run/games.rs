//! The games of a run: lines of JSON in zstd frames, one frame for each batch.

use super::append::{AppendFile, Segment};
use super::checksum::checksum;
use super::files::GAMES;
use super::record::Record;
use crate::arena::GameRecord;
use crate::error::{Error, Result};
use crate::files::{self, Links};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// The level of compression: beyond it, time grows faster than space shrinks.
const LEVEL: i32 = 6;
/// The most bytes of a batch's games that are unpacked to be shown.
const MOST_READ: u64 = 64 << 20;

/// An open game file.
#[derive(Debug)]
pub(super) struct GameFile(AppendFile);

impl GameFile {
    /// Opens or creates a game file and cuts off what lies beyond `length` bytes.
    ///
    /// # Errors
    /// When it cannot be opened, or is shorter than that: games that the journal counts are lost.
    pub(super) fn open(path: &Path, length: u64) -> Result<Self> {
        let mut file = AppendFile::open(path, Links::Refused)?;
        file.cut(length)?;
        Ok(Self(file))
    }

    /// Appends games; when this returns they are on disk. Gives their frame.
    ///
    /// # Errors
    /// When they cannot be written; then the file is as it was.
    pub(super) fn append(&mut self, games: &[GameRecord]) -> Result<Segment> {
        let frame = pack(games).map_err(|e| Error::io(self.0.path(), "pack games", e))?;
        self.0.append(&frame)?;
        Ok(Segment { end: self.0.length(), checksum: checksum(&frame) })
    }
}

/// The games of the latest batch on record of the run in a directory; none before the first.
///
/// # Errors
/// When they cannot be read, or are damaged.
pub fn latest_games(directory: &Path, record: &Record) -> Result<Vec<GameRecord>> {
    let Some((begin, end)) = record.latest_games() else { return Ok(Vec::new()) };
    let path = directory.join(GAMES);
    let failed = |e| Error::io(&path, "read", e);
    let mut file = files::open(&path, Links::Refused)?;
    file.seek(SeekFrom::Start(begin)).map_err(failed)?;
    let frame = zstd::Decoder::new(file.take(end - begin)).map_err(failed)?;
    let mut text = String::new();
    frame.take(MOST_READ).read_to_string(&mut text).map_err(failed)?;
    let place = path.display().to_string();
    text.lines().map(|line| GameRecord::from_line(line, &place)).collect()
}

fn pack(games: &[GameRecord]) -> io::Result<Vec<u8>> {
    let mut frame = zstd::Encoder::new(Vec::new(), LEVEL)?;
    frame.include_checksum(true)?;
    for game in games {
        serde_json::to_writer(&mut frame, game)?;
        frame.write_all(b"\n")?;
    }
    frame.finish()
}
