//! Files of games: one JSON record a line, or PGN to be written; plain or compressed with zstd.

use super::force::exists_already;
use crate::arena::GameRecord;
use crate::cli::Console;
use crate::error::{Error, Result};
use crate::files::sync_name;
use crate::report::export::{ExportSource, pgn};
use crate::run::{self, GAMES};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The first bytes of a zstd file.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// The longest line that is read, in bytes. A game of a thousand plies takes some ten thousand.
const MAX_LINE: u64 = 16 << 20;

enum Sink {
    Plain(BufWriter<File>),
    Zstd(Box<zstd::Encoder<'static, File>>),
}

/// How games are written to a file.
pub enum GameFormat {
    /// As JSON records, one a line.
    Jsonl,
    /// As PGN, with the headers that all games share.
    Pgn(ExportSource),
}

/// A file that games are written to as they are played.
pub struct GameWriter {
    path: PathBuf,
    sink: Sink,
    format: GameFormat,
    /// The games written so far.
    written: u64,
}

impl GameWriter {
    /// Creates the file, compressed when its name ends with `.zst`. A file that exists is replaced
    /// only when `overwrite` says so.
    ///
    /// # Errors
    /// When the file exists already or cannot be created.
    pub fn create(path: &Path, format: GameFormat, overwrite: bool) -> Result<Self> {
        let mut options = OpenOptions::new();
        options.write(true);
        if overwrite {
            options.create(true).truncate(true)
        } else {
            options.create_new(true)
        };
        let file = options.open(path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => exists_already(path),
            _ => Error::io(path, "create", error),
        })?;
        if file.metadata().is_ok_and(|found| found.is_file()) {
            sync_name(path).map_err(|error| Error::io(path, "create", error))?;
        }
        let sink = if path.extension().is_some_and(|extension| extension == "zst") {
            let failed = |error| Error::io(path, "compress", error);
            let mut encoder = zstd::Encoder::new(file, 0).map_err(failed)?;
            encoder.include_checksum(true).map_err(failed)?;
            Sink::Zstd(Box::new(encoder))
        } else {
            Sink::Plain(BufWriter::new(file))
        };
        Ok(Self { path: path.to_owned(), sink, format, written: 0 })
    }

    /// Writes games; when this returns they are on disk.
    ///
    /// # Errors
    /// When that fails, for example on a full disk.
    pub fn write(&mut self, records: &[GameRecord]) -> Result<()> {
        let mut text = String::new();
        for record in records {
            self.written += 1;
            text += &match &self.format {
                GameFormat::Jsonl => serde_json::to_string(record)
                    .map_err(|error| Error::failed("JSON", error))
                    .map(|line| line + "\n"),
                GameFormat::Pgn(source) => pgn(record, self.written, source),
            }?;
        }
        self.try_write(&text).map_err(|error| Error::io(&self.path, "write", error))
    }

    fn try_write(&mut self, text: &str) -> io::Result<()> {
        let out: &mut dyn Write = match &mut self.sink {
            Sink::Plain(file) => file,
            Sink::Zstd(encoder) => encoder,
        };
        out.write_all(text.as_bytes())?;
        out.flush()?;
        let file = match &self.sink {
            Sink::Plain(file) => file.get_ref(),
            Sink::Zstd(encoder) => encoder.get_ref(),
        };
        sync(file)
    }

    /// Ends the file; when this returns it is on disk.
    ///
    /// # Errors
    /// When the rest cannot be written.
    pub fn finish(self) -> Result<()> {
        let ended = match self.sink {
            Sink::Plain(file) => file.into_inner().map_err(io::IntoInnerError::into_error),
            Sink::Zstd(encoder) => encoder.finish(),
        };
        let ended = ended.and_then(|file| sync(&file));
        ended.map_err(|error| Error::io(&self.path, "write", error))
    }
}

/// The directory of the run that a file of games belongs to, if it is a run's.
pub fn run_of(games: &Path) -> Option<&Path> {
    games.parent().filter(|directory| games.ends_with(GAMES) && run::is_run(directory))
}

/// Notes that a file of games ends in the middle of a game, if [`read_games`] found so.
pub fn note_torn(torn: bool, console: &Console) {
    if torn {
        console.note("the file ends in the middle of a game, which is left out");
    }
}

/// Syncs a file to disk. Pipes and devices cannot be synced, which is no error.
fn sync(file: &File) -> io::Result<()> {
    if file.metadata()?.is_file() { file.sync_data() } else { Ok(()) }
}

/// Reads the games of a file, plain or compressed, one by one: up to a limit, or until `each`
/// breaks off. Returns the number read, and whether the file ends in the middle of a game, as a
/// killed program may leave it. Moves and results are checked, except in a run, which has checksums
/// of its games.
///
/// # Errors
/// When the file cannot be read, a line before the last is no game record or has an illegal move,
/// or `each` fails.
pub fn read_games(
    path: &Path,
    most: u64,
    mut each: impl FnMut(u64, GameRecord) -> Result<ControlFlow<()>>,
) -> Result<(u64, bool)> {
    let failed = |error| Error::io(path, "read", error);
    let mut lines = open(path).map_err(failed)?;
    let is_of_run = run_of(path).is_some();
    let (mut line, mut number) = (Vec::new(), 0);
    loop {
        if number >= most {
            return Ok((number, false));
        }
        line.clear();
        let place = format!("{}, line {}", path.display(), number + 1);
        match lines.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
            Ok(0) => return Ok((number, false)),
            Ok(_) if line.len() as u64 == MAX_LINE => {
                return Err(Error::input(place, "too long for a game")
                    .remedy("name a file of games as `spar` writes them"));
            }
            Ok(_) => {}
            // A compressed file that was cut off.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                return Ok((number, true));
            }
            // An error without an error code of the system comes from the decoder: the data is
            // damaged.
            Err(error) if error.raw_os_error().is_none() => {
                return Err(Error::input(place, format!("damaged: {error}"))
                    .remedy("restore the file as it was written"));
            }
            Err(error) => {
                return Err(Error::input(path.display(), format!("cannot be read: {error}"))
                    .remedy("name a file of games"));
            }
        }
        match record_of(&line, &place, !is_of_run) {
            Err(_) if number > 0 && !line.ends_with(b"\n") => return Ok((number, true)),
            record => {
                number += 1;
                if each(number, record?)?.is_break() {
                    return Ok((number, false));
                }
            }
        }
    }
}

/// The game of a line.
fn record_of(line: &[u8], place: &str, is_to_be_checked: bool) -> Result<GameRecord> {
    let text = std::str::from_utf8(line).map_err(|error| {
        Error::input(place, format!("the text is not UTF-8 (at byte {})", error.valid_up_to()))
            .remedy("restore the file as it was written")
    })?;
    let record = GameRecord::from_line(text.trim_end(), place)?;
    if is_to_be_checked {
        record.check().map_err(|error| error.within(place))?;
    }
    Ok(record)
}

fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let mut file = BufReader::new(File::open(path)?);
    if file.fill_buf()?.starts_with(&ZSTD_MAGIC) {
        return Ok(Box::new(BufReader::new(zstd::Decoder::with_buffer(file)?)));
    }
    Ok(Box::new(file))
}
