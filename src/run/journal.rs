//! The journal: one line of JSON for each finished batch. What is on a whole line has happened.

use crate::error::{Error, Result};
use crate::tune::logistic::rounds::{FitRecord, PositionsRecord, RoundRecord};
use crate::tune::{BatchRecord, Verdicts};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What a line of the journal tells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Event {
    /// A batch is finished.
    Batch(BatchRecord),
    /// Games of a round were played, and their positions kept.
    Positions(PositionsRecord),
    /// The fit of a round is done.
    Fit(FitRecord),
    /// A round is over.
    Round(RoundRecord),
    /// The run is finished.
    Result(Verdicts),
}

/// A line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JournalLine {
    /// When it was written, in UTC. Nothing depends on it.
    pub time: String,
    /// The length of the game file once the line's games are in it, in bytes.
    pub games_bytes: u64,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// The length of all whole lines, in bytes.
    length: u64,
}

impl Journal {
    /// Opens or creates a journal, and gives its lines. A torn last line is cut off.
    ///
    /// # Errors
    /// When the file cannot be opened, or a line before the last is damaged: then nothing is
    /// changed.
    pub fn open(path: &Path) -> Result<(Self, Vec<JournalLine>)> {
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(|e| Error::io(path, "open the journal", e))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(|e| Error::io(path, "read the journal", e))?;
        let (lines, length) = parse(&bytes, path)?;
        if length < bytes.len() as u64 {
            file.set_len(length)
                .map_err(|e| Error::io(path, "cut off a torn line of the journal", e))?;
        }
        file.seek(SeekFrom::Start(length)).map_err(|e| Error::io(path, "open the journal", e))?;
        Ok((Self { path: path.into(), file, length }, lines))
    }

    /// Appends a line; when this returns it is on disk.
    ///
    /// # Errors
    /// When it cannot be written, for example because the disk is full; then the journal is as it
    /// was.
    pub fn append(&mut self, line: &JournalLine) -> Result<()> {
        let mut text =
            serde_json::to_string(line).map_err(|e| Error::failed(self.path.display(), e))?;
        text.push('\n');
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            // What is there of the line is cut off now, or as a torn line on opening.
            let _ = self.file.set_len(self.length);
            let _ = self.file.seek(SeekFrom::Start(self.length));
            return Err(Error::io(&self.path, "write the journal", error));
        }
        self.length += text.len() as u64;
        Ok(())
    }
}

/// The whole lines of a journal and their length in bytes.
///
/// # Errors
/// When a line before the last is not one of a journal.
pub fn parse(bytes: &[u8], path: &Path) -> Result<(Vec<JournalLine>, u64)> {
    let mut lines = Vec::new();
    let mut length = 0;
    for (number, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let whole = line.ends_with(b"\n");
        match serde_json::from_slice::<JournalLine>(line) {
            Ok(read) if whole => lines.push(read),
            // The last write was cut short: that batch did not happen.
            _ if !whole => break,
            // A crash of the machine can leave a last line of the right length with other bytes in
            // it.
            Err(_) if length + line.len() as u64 == bytes.len() as u64 && line.contains(&0) => {
                break;
            }
            Err(error) => {
                return Err(Error::input(
                    format!("{}, line {}", path.display(), number + 1),
                    format!("damaged: {error}"),
                )
                .remedy("restore the journal; if the lines from here on are lost, delete them and resume"));
            }
            Ok(_) => break,
        }
        length += line.len() as u64;
    }
    Ok((lines, length))
}
