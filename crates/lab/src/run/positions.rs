//! Files of positions for the fit. They are written game by game, so that writing can continue
//! after an interruption. Several of them are read as one.

use super::files::MANIFEST;
use super::manifest::Manifest;
use super::position_layout::Layout;
pub use super::position_writer::PositionWriter;
use super::record::is_run;
use super::unsealed::check_unsealed;
use crate::error::{Error, Result};
use crate::files::{self, Links};
use crate::game::Board;
use crate::games::GameId;
use crate::tune::logistic::samples::{Header, MAX_HEADER};
use crate::tune::{GenerateConfig, PositionSource};
use parking_lot::Mutex;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};

/// The key of a header's source that has the sources of the files it was made from.
pub(super) const SOURCES: &str = "sources";
/// Records that are compared at once.
const COMPARED: u64 = 1 << 13;

struct PositionFile {
    path: PathBuf,
    /// The file's name without its folder: weights must not depend on where a run lies.
    name: String,
    file: Mutex<File>,
    layout: Layout,
    /// The number of the first record, counted over all files.
    first: u64,
    count: u64,
}

/// The records of one or more files, one after the other. A record that is cut off at the end of a
/// file does not count.
pub struct PositionFiles {
    parts: Vec<PositionFile>,
    record: usize,
    board: Board,
    sources: Vec<serde_json::Value>,
    /// The files that do not end as complete ones do.
    incomplete: Vec<PathBuf>,
}

impl PositionFiles {
    /// Opens files of positions of one board. A run's files are checked against its journal.
    ///
    /// # Errors
    /// When one cannot be read, is no such file or has been damaged or cut, their games or boards
    /// differ, or two have the same positions.
    pub fn open(game: GameId, paths: &[PathBuf]) -> Result<Self> {
        let mut files = Self::open_with(game, paths, Links::Followed)?;
        let lengths = check_unsealed(&files.incomplete)?;
        files.cut(&lengths);
        for (index, part) in files.parts.iter().enumerate() {
            files.parts[..index].iter().try_for_each(|other| files.check_differ(part, other))?;
        }
        Ok(files)
    }

    /// Checks that no file has exactly the positions of one of the others.
    ///
    /// # Errors
    /// When one does, or a file cannot be read.
    pub fn check_apart(&self, others: &Self) -> Result<()> {
        let all = |part| others.parts.iter().try_for_each(|other| self.check_differ(part, other));
        self.parts.iter().try_for_each(all)
    }

    /// Checks that two files do not have exactly the same positions.
    fn check_differ(&self, part: &PositionFile, other: &PositionFile) -> Result<()> {
        if part.count != other.count || part.count == 0 {
            return Ok(());
        }
        let (mut bytes, mut others) = (Vec::new(), Vec::new());
        for first in (0..part.count).step_by(COMPARED as usize) {
            let count = COMPARED.min(part.count - first) as usize;
            for (part, bytes) in [(part, &mut bytes), (other, &mut others)] {
                bytes.clear();
                part.read((first, count), bytes)?;
            }
            if bytes != others {
                return Ok(());
            }
        }
        let reason = match part.path == other.path {
            true => "named twice".into(),
            false => format!("has the same positions as {}", other.path.display()),
        };
        Err(Error::input(part.path.display(), reason).remedy("name them once"))
    }

    /// Leaves out what incomplete files have beyond these lengths.
    fn cut(&mut self, lengths: &[u64]) {
        let known: BTreeMap<&PathBuf, &u64> = self.incomplete.iter().zip(lengths).collect();
        let left = |part: &PositionFile| match known.get(&part.path) {
            Some(length) => part.layout.count_before(**length),
            None => part.count,
        };
        let counts: Vec<u64> = self.parts.iter().map(left).collect();
        self.keep_first(counts.into_iter());
    }

    /// Leaves out what the files have beyond these numbers of records.
    pub(super) fn keep_first(&mut self, counts: impl Iterator<Item = u64>) {
        let mut first = 0;
        for (part, count) in self.parts.iter_mut().zip(counts) {
            part.count = part.count.min(count);
            part.first = first;
            first += part.count;
        }
    }

    /// As [`open`](Self::open), without a check of files that do not end with a checksum: the
    /// caller knows their checksums.
    ///
    /// # Errors
    /// As there, and when one is a link that is refused.
    pub fn open_with(game: GameId, paths: &[PathBuf], links: Links) -> Result<Self> {
        let mut files: Option<Self> = None;
        let mut first_origin = None;
        for path in paths {
            let place = path.display();
            let mut file = files::open(path, links)?;
            let (header, begin) = read_header(path, &mut file)?;
            let origin = format!("{} on {}", header.game, header.board);
            let wanted = first_origin.get_or_insert_with(|| origin.clone());
            if *wanted != origin {
                let reason = format!("positions of {origin}, not of {wanted}");
                return Err(Error::input(place, reason).remedy("name files of one game and board"));
            }
            let board = header.check(game).map_err(|e| e.within(place.to_string()))?;
            let all = files.get_or_insert_with(|| Self {
                parts: Vec::new(),
                record: header.record,
                board,
                sources: Vec::new(),
                incomplete: Vec::new(),
            });
            let (layout, is_complete) = Layout::find(path, &mut file, (&header, begin))?;
            if !is_complete {
                all.incomplete.push(path.clone());
            }
            let (first, count) = (all.count(), layout.count());
            all.sources.push(header.source);
            all.parts.push(PositionFile {
                path: path.clone(),
                name: name_of(path, links),
                file: Mutex::new(file),
                layout,
                first,
                count,
            });
        }
        files.ok_or_else(|| {
            Error::input("positions", "no file is named")
                .remedy("name files that `spar generate` made")
        })
    }

    /// The files that have no checksum at their end: unfinished files, and files of a run, whose
    /// journal has the checksums.
    pub fn incomplete(&self) -> &[PathBuf] {
        &self.incomplete
    }

    /// The board of the positions.
    pub fn board(&self) -> Board {
        self.board
    }

    /// The sources of the positions, by the headers. A file that was made from other files has
    /// their sources.
    pub fn sources(&self) -> Vec<&serde_json::Value> {
        let mut all = Vec::new();
        for source in &self.sources {
            let of_others = source.get(SOURCES).and_then(serde_json::Value::as_array);
            for source in of_others.map_or(std::slice::from_ref(source), Vec::as_slice) {
                if !all.contains(&source) {
                    all.push(source);
                }
            }
        }
        all
    }

    /// How the games of the positions were generated, as far as the headers say.
    pub fn games(&self) -> impl Iterator<Item = GenerateConfig> {
        self.sources()
            .into_iter()
            .filter_map(|source| GenerateConfig::deserialize(source.get("config")?).ok())
    }
}

/// The game that the header of a file of positions names.
///
/// # Errors
/// When it cannot be read, or is no such file.
pub fn game_of(path: &Path) -> Result<String> {
    let mut file = files::open(path, Links::Followed)?;
    read_header(path, &mut file).map(|(header, _)| header.game)
}

/// The game and the board that the header of a file of positions names.
///
/// # Errors
/// When it cannot be read, or is no such file.
pub fn origin_of(path: &Path) -> Result<(String, String)> {
    let mut file = files::open(path, Links::Followed)?;
    read_header(path, &mut file).map(|(header, _)| (header.game, header.board))
}

pub(super) fn read_header(path: &Path, file: &mut File) -> Result<(Header, u64)> {
    let mut bytes = Vec::new();
    file.rewind().map_err(|e| Error::io(path, "read", e))?;
    file.take(MAX_HEADER as u64 + 12)
        .read_to_end(&mut bytes)
        .map_err(|e| Error::io(path, "read", e))?;
    let (header, size) = Header::from_bytes(&bytes).map_err(|e| e.within(path.display()))?;
    Ok((header, size as u64))
}

/// The name of a file of positions, without its folder. The files of all runs have the same names, so
/// a file of another run has the run's id before its own name.
fn name_of(path: &Path, links: Links) -> String {
    let name =
        path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let folder = path.parent().filter(|folder| links == Links::Followed && is_run(folder));
    match folder.map(|folder| Manifest::load(&folder.join(MANIFEST))) {
        Some(Ok(manifest)) => format!("{}/{name}", manifest.run),
        _ => name,
    }
}

impl PositionFile {
    /// Appends records of this file to `bytes`. `range` has the number of the first one, and how
    /// many.
    fn read(&self, range: (u64, usize), bytes: &mut Vec<u8>) -> Result<()> {
        self.layout.read((&self.path, &self.file), range, bytes)
    }
}

impl PositionSource for PositionFiles {
    fn count(&self) -> u64 {
        self.parts.last().map_or(0, |part| part.first + part.count)
    }

    fn record(&self) -> usize {
        self.record
    }

    fn names(&self) -> Vec<String> {
        self.parts.iter().map(|part| part.name.clone()).collect()
    }

    fn paths(&self) -> Vec<String> {
        self.parts.iter().map(|part| part.path.display().to_string()).collect()
    }

    fn parts(&self) -> Vec<u64> {
        self.parts.iter().map(|part| part.first).collect()
    }

    fn read(&self, first: u64, count: usize, bytes: &mut Vec<u8>) -> Result<()> {
        bytes.clear();
        let (mut first, end) = (first, first + count as u64);
        for part in &self.parts {
            let last = end.min(part.first + part.count);
            if first >= last {
                continue;
            }
            part.read((first - part.first, (last - first) as usize), bytes)?;
            first = last;
        }
        Ok(())
    }
}
