//! Files of openings: lists of positions (EPD, FEN, or what follows `position` in UCI, one a line),
//! and games as PGN, plain or compressed by gzip or zstd.
//!
//! A run records the SHA-256 of its file, so that it continues with the same openings only. The
//! file is read whole and checked before a run begins. Only the first line of each position counts.

use super::lines::{Openings, permuted};
use crate::arena::remote::digest;
use crate::error::{Error, Result, shorten};
use crate::files::{self, BYTE_ORDER_MARK, Links};
use crate::opening_tree::{ShippedBook, without_lines};
use serde::{Deserialize, Serialize};
use std::io::Read;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// The most bytes of a file, both packed and unpacked.
const MOST_BYTES: u64 = 1 << 31;
/// The first bytes of compressed files.
const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// The seed that splits a file's openings between a tune and its validation: the same in all runs.
const PARTING: u64 = 0;
/// Of four openings, this many are for the tune, and the rest for its validation.
const TUNED_ON: u64 = 3;

/// A file of openings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BookFile {
    /// The path as it was given.
    pub path: String,
    /// The SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: String,
    /// The plies taken from each game, if the file holds games.
    pub plies: u32,
    /// Which of its openings are used.
    #[serde(default, skip_serializing_if = "BookPart::is_all")]
    pub part: BookPart,
    /// Its openings, once they have been read.
    #[serde(skip)]
    pub(super) read: ReadOnce,
}

/// The openings of a file, read once for it and all its copies: a run makes a book for its check,
/// its tune, its validation and each match.
#[derive(Clone, Debug, Default)]
pub(super) struct ReadOnce(pub(super) Arc<OnceLock<Arc<Openings>>>);

/// A file is the same whether it has been read or not.
impl PartialEq for ReadOnce {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for ReadOnce {}

/// Which openings of a file are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum BookPart {
    /// Every opening of the file.
    #[default]
    All,
    /// Three quarters of them, for the tune.
    Tune,
    /// The other quarter, for the validation of its answer.
    Validation,
}

impl BookPart {
    fn is_all(&self) -> bool {
        *self == Self::All
    }

    pub(super) fn has(self, index: u64, count: u64) -> bool {
        let is_tuned_on = 4 * permuted(index, count, PARTING) < TUNED_ON * count;
        match self {
            Self::All => true,
            Self::Tune => is_tuned_on,
            Self::Validation => !is_tuned_on,
        }
    }
}

impl BookFile {
    /// The plies taken from each game by default.
    pub const PLIES: u32 = 16;

    /// A file as it is now, under its full path.
    ///
    /// # Errors
    /// When it cannot be read, or is a shipped book, which has no lines.
    pub fn find(path: &Path, plies: u32) -> Result<Self> {
        if ShippedBook::is_name(path) {
            return Err(without_lines().within(path.display()));
        }
        let sha256 = digest(&files::read(path, Links::Followed, MOST_BYTES)?);
        let full = path.canonicalize().map_err(|error| Error::io(path, "find", error))?;
        let text = full.to_str().ok_or_else(|| {
            Error::input(full.display(), "the path is not Unicode").remedy("rename the file")
        })?;
        let read = ReadOnce::default();
        Ok(Self { path: text.to_owned(), sha256, plies, part: BookPart::All, read })
    }

    /// The file's name without its folder.
    pub fn name(&self) -> &str {
        Path::new(&self.path).file_name().and_then(|name| name.to_str()).unwrap_or(&self.path)
    }

    /// Checks the digest and the plies, which may come from a file.
    ///
    /// # Errors
    /// When the digest is not 64 hexadecimal digits, or the plies are 0.
    pub fn check(&self) -> Result<()> {
        let is_digest =
            self.sha256.len() == 64 && self.sha256.bytes().all(|b| b.is_ascii_hexdigit());
        if !is_digest {
            let place = format!("SHA-256 `{}`", shorten(&self.sha256));
            return Err(Error::input(place, "not 64 hexadecimal digits"));
        }
        match self.plies {
            0 => Err(Error::input("--book-plies 0", "there is nothing to take of a game")
                .remedy("give at least 1")),
            _ => Ok(()),
        }
    }

    pub(super) fn place(&self) -> String {
        format!("book `{}`", self.path)
    }

    /// The unpacked text of the file, once its digest is checked.
    pub(super) fn text(&self) -> Result<String> {
        let bytes = files::read(Path::new(&self.path), Links::Followed, MOST_BYTES)?;
        if digest(&bytes) != self.sha256 {
            let reason = "the file has changed since the run began (another SHA-256)";
            return Err(Error::input(self.place(), reason)
                .remedy("restore it as it was, or begin a new run"));
        }
        let unpacked = match &bytes[..] {
            packed if packed.starts_with(&GZIP) => {
                read_to_end(flate2::read::MultiGzDecoder::new(packed))
            }
            packed if packed.starts_with(&ZSTD) => zstd::Decoder::new(packed).and_then(read_to_end),
            _ => Ok(bytes),
        };
        let unpacked = unpacked.map_err(|error| {
            Error::input(self.place(), format!("cannot be unpacked: {error}"))
                .remedy("name a file that gzip or zstd has written whole")
        })?;
        // In old game files, players' names may have other encodings.
        let mut text = String::from_utf8(unpacked)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        if text.starts_with(BYTE_ORDER_MARK) {
            text.drain(..BYTE_ORDER_MARK.len_utf8());
        }
        // Line ends of old Macs.
        Ok(if text.contains('\n') { text } else { text.replace('\r', "\n") })
    }
}

fn read_to_end(from: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 <= MOST_BYTES {
        true => Ok(bytes),
        false => Err(std::io::Error::other("there is more than 2 GiB in it")),
    }
}
