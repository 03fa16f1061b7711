//! The games of a run: lines of JSON in zstd frames, one frame for each batch.

use super::append::{AppendFile, Segment};
use super::checksum::checksum;
use crate::arena::GameRecord;
use crate::error::{Error, Result};
use crate::files::Links;
use std::io::{self, Write};
use std::path::Path;

/// The level of compression: beyond it, time grows faster than space shrinks.
const LEVEL: i32 = 6;

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

    pub(super) fn file(&self) -> &AppendFile {
        &self.0
    }

    /// Appends games; when this returns they are on disk. Returns their frame.
    ///
    /// # Errors
    /// When they cannot be written; then the file is as it was.
    pub(super) fn append(&mut self, games: &[GameRecord]) -> Result<Segment> {
        let frame = pack(games).map_err(|e| Error::io(self.0.path(), "pack games", e))?;
        self.0.append(&frame)?;
        Ok(Segment { end: self.0.length(), checksum: checksum(&frame) })
    }
}

fn pack(games: &[GameRecord]) -> io::Result<Vec<u8>> {
    // Written at once: the encoder takes long over many small pieces.
    let mut lines = Vec::new();
    for game in games {
        serde_json::to_writer(&mut lines, game)?;
        lines.push(b'\n');
    }
    let mut frame = zstd::Encoder::new(Vec::new(), LEVEL)?;
    frame.include_checksum(true)?;
    frame.write_all(&lines)?;
    frame.finish()
}
