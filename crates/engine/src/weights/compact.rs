//! The compact form of a weight file: JSON without its large arrays, and these arrays as bytes.
//!
//! ```text
//! magic | version | length of the header | header | counts | cells | hidden weights | CRC-32
//! ```
//!
//! `docs/src/compact.md` defines it to the byte.

use super::{MAX_FILE, MAX_TABLE_WEIGHT, Weight, WeightSet};
use crate::error::{Error, Result};

/// The first bytes of every compact file.
const MAGIC: &[u8; 8] = b"SPARSET\n";
/// The version of the compact form.
const VERSION: u32 = 1;
/// The number of bytes before the header.
const START: usize = 16;
/// The header's length is a multiple of this, so that the numbers after it are aligned.
const ALIGNMENT: usize = 8;
/// The size of the checksum in bytes.
const CHECKSUM: usize = 4;

impl WeightSet {
    /// The set in the compact form. [`WeightSet::from_bytes`] reads it back exactly.
    ///
    /// # Errors
    /// When a table cell does not fit into 16 bits, or a length does not fit into 32.
    pub fn to_compact(&self) -> Result<Vec<u8>> {
        let mut rest = self.clone();
        let (mut counts, mut numbers) = (Vec::new(), Vec::new());
        for (name, weight) in rest.weights.iter_mut() {
            let Weight::Table(cells) = weight else { continue };
            push_count(&mut counts, cells.len(), name)?;
            for cell in cells.drain(..) {
                numbers.extend(short(cell, name)?.to_le_bytes());
            }
        }
        let hidden =
            rest.network.as_mut().map(|network| std::mem::take(&mut network.hidden_weights));
        let hidden = hidden.unwrap_or_default();
        push_count(&mut counts, hidden.len(), "network.hidden_weights")?;
        numbers.extend(hidden.iter().map(|weight| weight.to_le_bytes()[0]));
        let mut header = rest.to_json().into_bytes();
        header.resize(header.len().next_multiple_of(ALIGNMENT), b' ');
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        push_count(&mut bytes, header.len(), "the header")?;
        bytes.extend([header, counts, numbers].concat());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        Ok(bytes)
    }

    /// Reads the compact form. `place` is the file's name, for the error.
    pub(super) fn from_compact(bytes: &[u8], place: &str) -> Result<Self> {
        let body = checked(bytes, place)?;
        let header = header(body).ok_or_else(|| cut_short(place))?;
        let text = std::str::from_utf8(header)
            .map_err(|error| damaged(place, format!("the header is not UTF-8 ({error})")))?;
        let mut set = Self::from_json(text, &format!("{place}, header"))?;
        let mut reader = BodyReader { bytes: &body[START + header.len()..], place };
        let tables = set.weights.iter().filter(|(_, weight)| matches!(weight, Weight::Table(_)));
        let mut counts = Vec::new();
        for _ in 0..tables.count() {
            counts.push(reader.number()?);
        }
        let hidden = reader.number()?;
        let tables = set.weights.iter_mut().filter_map(|(name, weight)| match weight {
            Weight::Table(cells) => Some((name, cells)),
            Weight::One(_) => None,
        });
        for ((name, cells), count) in tables.zip(counts) {
            check_empty(place, name, cells.len())?;
            *cells = reader.cells(count)?;
        }
        let hidden = reader.take(hidden)?.iter().map(|&byte| i8::from_le_bytes([byte])).collect();
        match &mut set.network {
            Some(network) => {
                check_empty(place, "network.hidden_weights", network.hidden_weights.len())?;
                network.hidden_weights = hidden;
            }
            None if !hidden.is_empty() => {
                return Err(damaged(place, "hidden weights without a network"));
            }
            None => {}
        }
        match reader.bytes {
            [] => Ok(set),
            rest => Err(damaged(place, format!("{} bytes too many", rest.len()))),
        }
    }
}

/// Whether these bytes begin a compact weight file, damaged or not.
pub fn is_compact(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// The JSON text at the head of a weight file's bytes: the whole of a JSON file, or the header of a
/// compact file. The header lacks only the numbers of tables and networks.
pub fn json_head(bytes: &[u8]) -> &[u8] {
    match is_compact(bytes) {
        true => header(bytes).unwrap_or_default(),
        false => bytes,
    }
}

/// The header, or `None` if it is cut short.
fn header(bytes: &[u8]) -> Option<&[u8]> {
    let length = usize::try_from(number_at(bytes, 12)?).ok()?;
    bytes.get(START..START.checked_add(length)?)
}

/// Checks the version and the checksum; returns all bytes before the checksum.
fn checked<'a>(bytes: &'a [u8], place: &str) -> Result<&'a [u8]> {
    let version = number_at(bytes, 8).ok_or_else(|| cut_short(place))?;
    if version > VERSION {
        let reason = format!(
            "version {version} of the compact form was made by a newer version of the program; \
             this one reads up to {VERSION}"
        );
        return Err(Error::input(place, reason).remedy("update the program"));
    }
    if version == 0 {
        return Err(damaged(place, "version 0"));
    }
    let end = bytes.len().checked_sub(CHECKSUM).ok_or_else(|| cut_short(place))?;
    if number_at(bytes, end) != Some(crc32fast::hash(&bytes[..end])) {
        return Err(damaged(place, "the checksum does not fit the bytes"));
    }
    Ok(&bytes[..end])
}

fn number_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|chunk| u32::from_le_bytes(*chunk))
}

/// A reader of the bytes after the header.
struct BodyReader<'a> {
    bytes: &'a [u8],
    place: &'a str,
}

impl<'a> BodyReader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let parts = self.bytes.split_at_checked(count);
        let (taken, rest) = parts.ok_or_else(|| cut_short(self.place))?;
        self.bytes = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<usize> {
        let number = number_at(self.take(4)?, 0).unwrap_or_default();
        usize::try_from(number).map_err(|_| damaged(self.place, "a count beyond memory"))
    }

    fn cells(&mut self, count: usize) -> Result<Vec<i32>> {
        let bytes = self.take(count.saturating_mul(2))?;
        Ok(bytes.as_chunks().0.iter().map(|&pair| i16::from_le_bytes(pair).into()).collect())
    }
}

fn push_count(bytes: &mut Vec<u8>, count: usize, name: &str) -> Result<()> {
    let count = u32::try_from(count).ok().filter(|&count| count as usize <= MAX_FILE);
    let count = count.ok_or_else(|| Error::input(name, "too long for a weight file"))?;
    bytes.extend(count.to_le_bytes());
    Ok(())
}

fn short(cell: i32, name: &str) -> Result<i16> {
    i16::try_from(cell).ok().filter(|&cell| i32::from(cell) >= -MAX_TABLE_WEIGHT).ok_or_else(|| {
        let reason =
            format!("{cell} does not lie between -{MAX_TABLE_WEIGHT} and {MAX_TABLE_WEIGHT}");
        Error::input(format!("key `{name}`"), reason)
            .remedy("divide all weights and the scale by the same number")
    })
}

fn check_empty(place: &str, name: &str, length: usize) -> Result<()> {
    match length {
        0 => Ok(()),
        _ => Err(damaged(place, format!("key `{name}` of the header is not empty"))),
    }
}

fn cut_short(place: &str) -> Error {
    Error::input(place, "the file is cut short").remedy("copy or make it again")
}

fn damaged(place: &str, reason: impl std::fmt::Display) -> Error {
    Error::input(place, format!("the file is damaged: {reason}")).remedy("copy or make it again")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::{find, shipped};

    fn compact(name: &str) -> (WeightSet, Vec<u8>) {
        let set = find(name, "breakthrough").unwrap();
        let bytes = set.to_compact().unwrap();
        (set, bytes)
    }

    fn with_table(cells: Vec<i32>) -> WeightSet {
        let mut set = find("zhu", "breakthrough").unwrap();
        set.weights.insert("ring", Weight::Table(cells));
        set.weights.insert("none", Weight::Table(Vec::new()));
        set.weights.insert("two", Weight::Table(vec![1, -2, 3]));
        set
    }

    fn error(bytes: &[u8]) -> String {
        WeightSet::from_bytes(bytes, "a.bin").unwrap_err().to_string()
    }

    /// The bytes with a valid checksum at their end.
    fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
        let end = bytes.len() - CHECKSUM;
        let checksum = crc32fast::hash(&bytes[..end]);
        bytes[end..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    #[test]
    fn every_shipped_set_comes_back() {
        for set in shipped() {
            let set = set.read().unwrap();
            let bytes = set.to_compact().unwrap();
            assert_eq!(WeightSet::from_bytes(&bytes, "a.bin").unwrap(), set);
            let numbers = set.weights.iter().map(|(_, weight)| match weight {
                Weight::Table(cells) => 4 + 2 * cells.len(),
                Weight::One(_) => 0,
            });
            let hidden = set.network.as_ref().map_or(0, |network| network.hidden_weights.len());
            let header = json_head(&bytes).len();
            assert_eq!(header % ALIGNMENT, 0);
            let expected = START + header + numbers.sum::<usize>() + 4 + hidden + CHECKSUM;
            assert_eq!(bytes.len(), expected);
        }
    }

    #[test]
    fn tables_keep_their_numbers_and_places() {
        for cells in [vec![], vec![0], vec![-32767, 32767, 1]] {
            let set = with_table(cells);
            let bytes = set.to_compact().unwrap();
            assert_eq!(WeightSet::from_bytes(&bytes, "a.bin").unwrap(), set);
        }
        for cell in [-32768, 32768] {
            let error = with_table(vec![cell]).to_compact().unwrap_err().to_string();
            assert!(error.starts_with(&format!("key `ring`: {cell} does not lie")), "{error}");
        }
    }

    #[test]
    fn every_cut_and_every_changed_byte_is_noticed() {
        let (_, bytes) = compact("zhu");
        for end in MAGIC.len()..bytes.len() {
            let error = error(&bytes[..end]);
            assert!(error.starts_with("a.bin: the file is "), "{end} {error}");
        }
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert!(WeightSet::from_bytes(&changed, "a.bin").is_err(), "{at}");
        }
    }

    #[test]
    fn a_file_that_contradicts_itself_is_refused() {
        let bytes = with_table(vec![5, 6]).to_compact().unwrap();
        let counts = START + json_head(&bytes).len();
        let changed = |at: usize, number: u32| {
            let mut bytes = bytes.clone();
            bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
            error(&sealed(bytes))
        };
        assert!(changed(8, 2).contains("version 2 of the compact form was made by a newer"));
        assert!(changed(8, 0).contains("version 0"));
        assert!(changed(12, u32::MAX).contains("cut short"));
        assert!(changed(counts, u32::MAX).contains("cut short"));
        assert!(changed(counts, 1).contains("2 bytes too many"));
        assert!(changed(counts + 12, 2).contains("cut short"));
        let text = String::from_utf8(json_head(&bytes).to_vec()).unwrap();
        let mut filled = bytes.clone();
        let at = START + text.find("\"ring\": []").unwrap();
        filled[at..at + 10].copy_from_slice(b"\"ring\":[1]");
        assert!(error(&sealed(filled)).contains("`ring` of the header is not empty"));
    }
}
