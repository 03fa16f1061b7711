//! The journal: one line of JSON for each finished batch. A batch is finished once its line is
//! complete.
//!
//! ```text
//! {"time":"2026-01-31T12:00:00Z 12.345#1a2b3c4d","games_bytes":715,...,"crc":"5e6f7a8b"}
//! ```
//!
//! The time, and the seconds that were worked until then, have a checksum of their own, so that the
//! rest of the line does not depend on the clock. The line's checksum covers the run's id and
//! everything between the two, so a line of another run has a wrong one.

use super::append::AppendFile;
use super::checksum::{Seal, checksum};
use super::lock::lock_journal;
use crate::error::{Error, Result};
use crate::files::Links;
use crate::protocol::EngineChange;
use crate::tune::{BatchRecord, FitRecord, PositionsRecord, RoundRecord, Verdicts};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
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
    /// The time worked on the run until then, over all resumes; `None` on lines of versions that
    /// did not measure it. Nothing depends on it.
    #[serde(skip)]
    pub worked: Option<Duration>,
    /// The length of the game file once the line's games are in it, in bytes.
    pub games_bytes: u64,
    /// The checksum of the bytes that the line's games added to that file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games_crc: Option<String>,
    /// Files that are written with the line, each as a whole.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: FileChecksums,
    /// The fields of the event itself.
    #[serde(flatten)]
    pub event: Event,
}

/// The longest line that is written and read, in bytes: the batches of a journal are read one by
/// one, however many there are.
const MAX_LINE: u64 = 1 << 28;

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

/// A journal that lines can be appended to.
#[derive(Debug)]
pub struct Journal {
    file: AppendFile,
    run: String,
}

impl Journal {
    /// Opens or creates the journal of the run with this id.
    ///
    /// # Errors
    /// When the file cannot be opened, or another process writes to it.
    pub fn open(path: &Path, run: &str) -> Result<Self> {
        let mut file = AppendFile::open(path, Links::Refused)?;
        lock_journal(path, file.file())?;
        Ok(Self { file, run: run.into() })
    }

    /// Cuts off a torn last line, which follows the whole lines of `length` bytes.
    ///
    /// # Errors
    /// When the file cannot be cut.
    pub fn cut(&mut self, length: u64) -> Result<()> {
        self.file.cut(length)
    }

    pub(super) fn file(&self) -> &AppendFile {
        &self.file
    }

    /// Makes an empty journal belong to the run with this id.
    pub(super) fn belong_to(&mut self, run: &str) {
        run.clone_into(&mut self.run);
    }

    /// Appends a line; when this returns it is on disk.
    ///
    /// # Errors
    /// When it cannot be written, for example because the disk is full; then the journal is as it
    /// was.
    pub fn append(&mut self, line: &JournalLine) -> Result<()> {
        let text = line.to_text(&self.run);
        let failed = |reason: String| Error::failed(self.file.path().display(), reason);
        let text = text.map_err(|e| failed(e.to_string()))?;
        if text.len() as u64 > MAX_LINE {
            let reason = format!("a batch takes {} bytes, more than {MAX_LINE}", text.len());
            return Err(failed(reason).remedy("begin a new run with smaller batches"));
        }
        self.file.append(text.as_bytes())
    }
}

/// The whole lines of the journal of a run, and their length in bytes.
///
/// # Errors
/// When a line is damaged: not one of this run, or not as it was written.
pub fn parse(bytes: &[u8], path: &Path, run: &str) -> Result<(Vec<JournalLine>, u64)> {
    read_lines(bytes, path, run)
}

/// As [`parse`], from a file that does not grow meanwhile.
///
/// # Errors
/// As there, and when it cannot be read.
pub(super) fn read_lines(
    journal: impl Read,
    path: &Path,
    run: &str,
) -> Result<(Vec<JournalLine>, u64)> {
    JournalPortion { path, run, before: 0, most: usize::MAX }.read(journal)
}

/// A part of the journal of a run.
pub(super) struct JournalPortion<'a> {
    pub(super) path: &'a Path,
    /// The id of the run.
    pub(super) run: &'a str,
    /// The number of lines before it.
    pub(super) before: usize,
    /// The most lines to read.
    pub(super) most: usize,
}

impl JournalPortion<'_> {
    /// The whole lines from the present place in the file on, and their length in bytes.
    ///
    /// # Errors
    /// As [`read_lines`].
    pub(super) fn read(&self, journal: impl Read) -> Result<(Vec<JournalLine>, u64)> {
        let failed = |e| Error::io(self.path, "read the journal", e);
        let mut journal = BufReader::new(journal);
        let (mut lines, mut length, mut line) = (Vec::new(), 0, Vec::new());
        while lines.len() < self.most {
            line.clear();
            journal.by_ref().take(MAX_LINE).read_until(b'\n', &mut line).map_err(failed)?;
            if line.is_empty() {
                break;
            }
            let is_last = journal.fill_buf().map_err(failed)?.is_empty();
            let read = JournalLine::from_text(&line[..line.len() - 1], self.run);
            let is_whole = line.ends_with(b"\n") || read.is_ok() && !line.ends_with(b"\0");
            if is_last && (!is_whole || read.is_err() && has_zeros(&line)) {
                break;
            }
            match read {
                Ok(read) if line.ends_with(b"\n") => lines.push(read),
                read => {
                    let reason = read.err().unwrap_or_else(|| "no line feed at its end".into());
                    return Err(self.damaged(lines.len(), &reason));
                }
            }
            length += line.len() as u64;
        }
        Ok((lines, length))
    }

    /// The error for a line, by its place in the portion.
    fn damaged(&self, line: usize, reason: &str) -> Error {
        let place = format!("{}, line {}", self.path.display(), self.before + line + 1);
        Error::input(place, format!("damaged: {reason}")).remedy(
            "restore the journal; if the lines from here on are lost, delete them and run `spar resume --mend`",
        )
    }
}

/// Whether a crash of the machine may have left a last line of the right length that is partly
/// unwritten: missing bytes read as zeros. Damage to a single bit makes no two zero bytes.
fn has_zeros(line: &[u8]) -> bool {
    line.windows(2).any(|pair| pair == [0, 0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{self, repeat};

    /// Gives a byte at a time.
    struct Slow<R>(R);

    impl<R: Read> Read for Slow<R> {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            let most = bytes.len().min(1);
            self.0.read(&mut bytes[..most])
        }
    }

    #[test]
    fn a_journal_is_read_in_portions_and_a_line_of_any_length_is_refused() {
        let line = |games_bytes| JournalLine {
            time: "2026-01-31T12:00:00Z".into(),
            worked: None,
            games_bytes,
            games_crc: None,
            files: FileChecksums::new(),
            event: Event::Failure("none".into()),
        };
        let lines = [line(0), line(1), line(2)];
        let whole: String = lines.iter().map(|line| line.to_text("run").unwrap()).collect();
        let torn = format!("{whole}{}", &whole[..40]);
        let path = Path::new("journal.jsonl");
        let (read, length) = read_lines(Slow(torn.as_bytes()), path, "run").unwrap();
        assert_eq!((&read[..], length), (&lines[..], whole.len() as u64));
        let endless = whole.as_bytes().chain(repeat(b'x'));
        let error = read_lines(endless, path, "run").unwrap_err().to_string();
        assert!(error.contains("line 4: damaged"), "{error}");
        let portion = JournalPortion { path, run: "run", before: 7, most: 2 };
        let (read, length) = portion.read(whole.as_bytes()).unwrap();
        assert_eq!(&read[..], &lines[..2]);
        let rest = &whole.as_bytes()[usize::try_from(length).unwrap()..];
        assert_eq!(portion.read(rest).unwrap().0, &lines[2..]);
        let error = portion.read(&whole.as_bytes()[1..]).unwrap_err().to_string();
        assert!(error.contains("line 8: damaged"), "{error}");
    }
}
