//! The games of a run: lines of JSON in zstd frames, one frame for each batch.

use crate::arena::GameRecord;
use crate::error::{Error, Result};
use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The level of compression: beyond it, time grows faster than space shrinks.
const LEVEL: i32 = 6;

/// An open game file.
#[derive(Debug)]
pub struct GameFile {
    path: PathBuf,
    file: File,
    length: u64,
}

impl GameFile {
    /// Opens a game file and cuts off what lies beyond `length` bytes; creates it when there should
    /// be nothing in it.
    ///
    /// # Errors
    /// When it cannot be opened, or is shorter than that: games that the journal counts are lost.
    pub fn open(path: &Path, length: u64) -> Result<Self> {
        const RESTORE: &str = "restore the file: games of finished batches are missing from it";
        let failed = |e: io::Error| {
            let missing = e.kind() == io::ErrorKind::NotFound;
            let error = Error::io(path, "open the game file", e);
            if missing { error.remedy(RESTORE) } else { error }
        };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(length == 0)
            .truncate(false)
            .open(path)
            .map_err(failed)?;
        let found = file.metadata().map_err(failed)?.len();
        if found < length {
            return Err(Error::input(
                path.display(),
                format!("{found} bytes, the journal counts {length}"),
            )
            .remedy(RESTORE));
        }
        if found > length {
            file.set_len(length).map_err(failed)?;
        }
        file.seek(SeekFrom::Start(length)).map_err(failed)?;
        Ok(Self { path: path.into(), file, length })
    }

    /// Appends games; when this returns they are on disk. Gives the new length in bytes.
    ///
    /// # Errors
    /// When they cannot be written; then the file is as it was.
    pub fn append(&mut self, games: &[GameRecord]) -> Result<u64> {
        let mut text = Vec::new();
        for game in games {
            serde_json::to_writer(&mut text, game)
                .map_err(|e| Error::failed(self.path.display(), e))?;
            text.push(b'\n');
        }
        let frame = zstd::encode_all(text.as_slice(), LEVEL)
            .map_err(|e| Error::io(&self.path, "pack games", e))?;
        let written = self.file.write_all(&frame).and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            let _ = self.file.set_len(self.length);
            let _ = self.file.seek(SeekFrom::Start(self.length));
            return Err(Error::io(&self.path, "write the game file", error));
        }
        self.length += frame.len() as u64;
        Ok(self.length)
    }
}
