//! Checksums of what a run writes: CRC-32 (IEEE 802.3), as eight hexadecimal digits. They notice
//! accidents, not forgery.

use std::fs::File;
use std::io::{self, Read};

/// Bytes of a file that are read at a time.
const CHUNK: usize = 1 << 20;

/// The checksum of bytes.
pub fn checksum(bytes: &[u8]) -> String {
    to_text(crc32fast::hash(bytes))
}

/// The checksum of the next `length` bytes of a file, or of all that are left.
///
/// # Errors
/// When they cannot be read.
pub(super) fn checksum_of_next(file: &mut File, length: u64) -> io::Result<String> {
    crc_of_next(file, length).map(to_text)
}

/// As [`checksum_of_next`], as a number.
///
/// # Errors
/// When they cannot be read.
pub(super) fn crc_of_next(file: &mut File, length: u64) -> io::Result<u32> {
    let (mut rest, mut hasher) = (file.take(length), crc32fast::Hasher::new());
    let mut chunk = vec![0; CHUNK.min(usize::try_from(length).unwrap_or(CHUNK))];
    loop {
        match rest.read(&mut chunk)? {
            0 => return Ok(hasher.finalize()),
            read => hasher.update(&chunk[..read]),
        }
    }
}

fn to_text(crc: u32) -> String {
    format!("{crc:08x}")
}

/// The last key of a JSON object, with the checksum of everything before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seal {
    before: &'static str,
    behind: &'static str,
}

impl Seal {
    /// The seal of a line of the journal.
    pub(super) const LINE: Self = Self { before: r#","crc":""#, behind: r#""}"# };
    /// The seal of a file of several lines.
    pub(super) const FILE: Self = Self { before: ",\n  \"crc\": \"", behind: "\"\n}\n" };

    /// The key, for an object whose text so far is `body`. `owner` is what it belongs to.
    pub(super) fn of(self, owner: &str, body: &str) -> String {
        let checksum = checksum(format!("{owner}{body}").as_bytes());
        format!("{}{checksum}{}", self.before, self.behind)
    }

    /// The text before the key, if the checksum is right.
    pub(super) fn open<'t>(self, owner: &str, text: &'t str) -> Option<&'t str> {
        let (body, _) = text.rsplit_once(self.before)?;
        (text.get(body.len()..)? == self.of(owner, body)).then_some(body)
    }
}
