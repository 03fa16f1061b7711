//! The journal: one line of JSON for each finished batch. A batch is finished once its line is
//! complete.
//!
//! ```text
//! {"time":"2026-01-31T12:00:00Z 12.345#1a2b3c4d","games_bytes":715,...,"crc":"5e6f7a8b"}
//! ```
//!
//! The time, and the seconds that were worked until then, have a checksum of their own, so that
//! nothing else on a line depends on the clock. The line's checksum is that of the run's id and of
//! all between the two; a line of another run has a wrong one.

use super::append::AppendFile;
use super::checksum::{Seal, checksum};
use crate::error::{Error, Result};
use crate::files::{self, Links};
use crate::protocol::EngineChange;
use crate::tune::logistic::round_ledger::{FitRecord, PositionsRecord, RoundRecord};
use crate::tune::{BatchRecord, Verdicts};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// Checksums of files, by their names in the run directory.
pub type FileChecksums = BTreeMap<String, String>;

/// The content of a journal line.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
// Nearly all lines are batches, the large ones.
#[expect(clippy::large_enum_variant)]
pub enum Event {
    /// A batch is finished.
    Batch(BatchRecord),
    /// Games of a round were played, and their positions kept.
    Positions(PositionsRecord),
    /// The fit of a round is done.
    Fit(FitRecord),
    /// A round is over.
    Round(RoundRecord),
    /// An external engine was replaced, as the user allowed.
    Engine(EngineChange),
    /// The record makes every resume of the run end with this error.
    Failure(String),
    /// The run is finished.
    Result(Verdicts),
}

/// A line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JournalLine {
    /// When it was written, in UTC. Nothing depends on it.
    #[serde(skip)]
    pub time: String,
    /// How long was worked on the run until then, over all resumes; `None` on lines of versions
    /// that did not measure it. Nothing depends on it.
    #[serde(skip)]
    pub worked: Option<Duration>,
    /// The length of the game file once the line's games are in it, in bytes.
    pub games_bytes: u64,
    /// The checksum of what the line's games added to that file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games_crc: Option<String>,
    /// Files that are written with the line, each as a whole.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: FileChecksums,
    /// The event.
    #[serde(flatten)]
    pub event: Event,
}

/// The largest journal that is read, in bytes: years of batches.
pub(super) const MAX_JOURNAL: u64 = 1 << 30;

const TIME: &str = r#"{"time":""#;

impl JournalLine {
    /// The line as the journal of the run with this id has it, with its line feed.
    ///
    /// # Errors
    /// Never for lines that a run writes.
    pub fn to_text(&self, run: &str) -> serde_json::Result<String> {
        let object = serde_json::to_string(self)?;
        let body = object.trim_start_matches('{').strip_suffix('}').unwrap_or_default();
        let worked =
            self.worked.map_or(String::new(), |worked| format!(" {:.3}", worked.as_secs_f64()));
        let stamp = format!("{}{worked}", self.time);
        let sum = checksum(stamp.as_bytes());
        Ok(format!("{TIME}{stamp}#{sum}\",{body}{}\n", Seal::LINE.of(run, body)))
    }

    /// Reads a line without the line feed at its end; the error is what is wrong with it.
    fn from_text(text: &[u8], run: &str) -> std::result::Result<Self, String> {
        const WRONG: &str = "the checksum is wrong, or the line belongs to another run";
        let text = std::str::from_utf8(text).map_err(|e| e.to_string())?;
        let rest = text.strip_prefix(TIME).ok_or("no time at its beginning")?;
        let (stamp, rest) = rest.split_once("\",").ok_or("cut off")?;
        let (stamp, sum) = stamp.split_once('#').ok_or("the time has no checksum")?;
        if checksum(stamp.as_bytes()) != sum {
            return Err("the checksum of the time is wrong".into());
        }
        let (time, worked) = match stamp.split_once(' ') {
            Some((time, seconds)) => (time, Some(duration(seconds).ok_or("no time of work")?)),
            None => (stamp, None),
        };
        let body = Seal::LINE.open(run, rest).ok_or(WRONG)?;
        let fields: LineFields =
            serde_json::from_str(&format!("{{{body}}}")).map_err(|e| e.to_string())?;
        fields.line(time, worked).ok_or_else(|| "holds not one event".into())
    }
}

/// The fields of a line: serde's own way to read an event among other fields takes twice as long,
/// and a long run has 100 MB of lines.
#[derive(Deserialize)]
struct LineFields {
    games_bytes: u64,
    games_crc: Option<String>,
    #[serde(default)]
    files: FileChecksums,
    batch: Option<BatchRecord>,
    positions: Option<PositionsRecord>,
    fit: Option<FitRecord>,
    round: Option<RoundRecord>,
    engine: Option<EngineChange>,
    failure: Option<String>,
    result: Option<Verdicts>,
}

impl LineFields {
    /// The line, if it has one event.
    fn line(self, time: &str, worked: Option<Duration>) -> Option<JournalLine> {
        let Self { games_bytes, games_crc, files, .. } = self;
        let events = [
            self.batch.map(Event::Batch),
            self.positions.map(Event::Positions),
            self.fit.map(Event::Fit),
            self.round.map(Event::Round),
            self.engine.map(Event::Engine),
            self.failure.map(Event::Failure),
            self.result.map(Event::Result),
        ];
        let mut events = events.into_iter().flatten();
        let (event, further) = (events.next()?, events.next());
        let line = JournalLine { time: time.into(), worked, games_bytes, games_crc, files, event };
        further.is_none().then_some(line)
    }
}

fn duration(seconds: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds.parse().ok()?).ok()
}

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    file: AppendFile,
    run: String,
}

impl Journal {
    /// Opens or creates the journal of the run with this id, and gives its lines. A torn last line
    /// is cut off.
    ///
    /// # Errors
    /// When the file cannot be opened, or a whole line is damaged: then nothing is changed.
    pub fn open(path: &Path, run: &str) -> Result<(Self, Vec<JournalLine>)> {
        let mut file = AppendFile::open(path, Links::Refused)?;
        let bytes = files::read(path, Links::Refused, MAX_JOURNAL)?;
        let (lines, length) = parse(&bytes, path, run)?;
        file.cut(length)?;
        Ok((Self { file, run: run.into() }, lines))
    }

    pub(super) fn check_place(&self) -> Result<()> {
        self.file.check_place()
    }

    /// The error if the run's directory has been removed, moved or replaced. `None` also where the
    /// system does not tell.
    pub(super) fn moved(&self) -> Option<Error> {
        let is_moved = matches!(self.file.is_in_place(), Ok(false));
        let remedy = "if the run was moved, put it back, or resume it at its new place";
        is_moved.then(|| self.file.moved().remedy(remedy))
    }

    /// Appends a line; when this returns it is on disk.
    ///
    /// # Errors
    /// When it cannot be written, for example because the disk is full; then the journal is as it
    /// was.
    pub fn append(&mut self, line: &JournalLine) -> Result<()> {
        let text = line.to_text(&self.run);
        let text = text.map_err(|e| Error::failed(self.file.path().display(), e))?;
        self.file.append(text.as_bytes())
    }
}

/// The whole lines of the journal of a run, and their length in bytes.
///
/// # Errors
/// When a line is damaged: not one of this run, or not as it was written.
pub fn parse(bytes: &[u8], path: &Path, run: &str) -> Result<(Vec<JournalLine>, u64)> {
    let mut lines = Vec::new();
    let mut length = 0;
    for (number, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let is_last = length + line.len() == bytes.len();
        let text = &line[..line.len() - 1];
        let read = JournalLine::from_text(text, run);
        let is_whole = line.ends_with(b"\n") || read.is_ok() && !line.ends_with(b"\0");
        if is_last && (!is_whole || read.is_err() && has_zeros(line)) {
            break;
        }
        match read {
            Ok(read) if line.ends_with(b"\n") => lines.push(read),
            read => {
                let reason = read.err().unwrap_or_else(|| "no line feed at its end".into());
                let place = format!("{}, line {}", path.display(), number + 1);
                return Err(Error::input(place, format!("damaged: {reason}")).remedy(
                    "restore the journal; if the lines from here on are lost, delete them and resume",
                ));
            }
        }
        length += line.len();
    }
    Ok((lines, length as u64))
}

/// Whether a crash of the machine may have left a last line of the right length that was not
/// written as a whole: what is missing reads as zeros. Damage to a single bit makes no two of them.
fn has_zeros(line: &[u8]) -> bool {
    line.windows(2).any(|pair| pair == [0, 0])
}
