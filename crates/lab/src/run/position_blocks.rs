//! The blocks of packed files of positions. A block has its records column by column (all first
//! bytes, then all second bytes, and so on), compressed by zlib. Neighbours come from one game, so
//! a column repeats itself where a record does not.

use crate::error::{Error, Result};
use flate2::Compression;
use flate2::read::{ZlibDecoder, ZlibEncoder};
use parking_lot::Mutex;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// Records of a block in the files that this program writes.
pub(super) const BLOCK_RECORDS: usize = 1 << 13;
/// The most records of a block in the files that it reads.
const MOST_RECORDS: usize = 1 << 20;
/// Bytes before the compressed records: how many records and how many bytes follow.
const PREFIX: usize = 8;

/// Where the blocks of a file lie.
pub(super) struct Blocks {
    /// Bytes of a record.
    record: usize,
    /// Records of each block but the last.
    records: usize,
    blocks: Vec<Block>,
    /// The block that was read last, by its number.
    last: Mutex<(usize, Vec<u8>)>,
}

#[derive(Clone, Copy)]
struct Block {
    /// Where the compressed records begin in the file.
    begin: u64,
    bytes: usize,
    records: usize,
}

/// A block of records with its prefix, as files have it.
pub(super) fn pack(records: &[u8], record: usize) -> io::Result<Vec<u8>> {
    let count = records.len() / record.max(1);
    let mut columns = Vec::with_capacity(records.len());
    (0..record).for_each(|column| columns.extend(records[column..].iter().step_by(record)));
    let mut block = vec![0; PREFIX];
    ZlibEncoder::new(columns.as_slice(), Compression::default()).read_to_end(&mut block)?;
    let bytes = (block.len() - PREFIX) as u32;
    block[..PREFIX].copy_from_slice(&[(count as u32).to_le_bytes(), bytes.to_le_bytes()].concat());
    Ok(block)
}

fn damaged(path: &Path, block: usize) -> Error {
    Error::input(path.display(), format!("block {block} is damaged"))
        .remedy("copy the file again, or make it again")
}

impl Blocks {
    /// Finds the blocks of a file between `begin` and `end`. The header says how many `records` a
    /// block has.
    ///
    /// # Errors
    /// When the file cannot be read, or has no such blocks.
    pub(super) fn find(
        path: &Path,
        file: &mut File,
        (begin, end): (u64, u64),
        (record, records): (usize, usize),
    ) -> Result<Self> {
        if !(1..=MOST_RECORDS).contains(&records) {
            let reason = format!("blocks of {records} records; 1 to {MOST_RECORDS} can be read");
            return Err(Error::input(path.display(), reason).remedy("make the file again"));
        }
        let (mut blocks, mut place): (Vec<Block>, u64) = (Vec::new(), begin);
        while place < end {
            let mut prefix = [[0; 4]; 2];
            file.seek(SeekFrom::Start(place))
                .and_then(|_| file.read_exact(prefix.as_flattened_mut()))
                .map_err(|e| Error::io(path, "read", e))?;
            let [count, bytes] = prefix.map(|half| u32::from_le_bytes(half) as usize);
            let block = Block { begin: place + PREFIX as u64, bytes, records: count };
            place = block.begin + bytes as u64;
            let follows_full = blocks.last().is_none_or(|last| last.records == records);
            if !follows_full || !(1..=records).contains(&count) || place > end {
                return Err(damaged(path, blocks.len()));
            }
            blocks.push(block);
        }
        Ok(Self { record, records, blocks, last: Mutex::new((usize::MAX, Vec::new())) })
    }

    /// The number of records.
    pub(super) fn count(&self) -> u64 {
        let full = self.blocks.len().saturating_sub(1) * self.records;
        (full + self.blocks.last().map_or(0, |last| last.records)) as u64
    }

    /// Appends records, from number `first` on.
    ///
    /// # Errors
    /// When they cannot be read.
    pub(super) fn read(
        &self,
        (path, file): (&Path, &Mutex<File>),
        (first, count): (u64, usize),
        bytes: &mut Vec<u8>,
    ) -> Result<()> {
        let (mut first, end) = (first as usize, first as usize + count);
        while first < end {
            let (number, within) = (first / self.records, first % self.records);
            let most = (end - first).min(self.records - within);
            let range = within * self.record..(within + most) * self.record;
            let mut records = std::mem::replace(&mut *self.last.lock(), (usize::MAX, Vec::new()));
            if records.0 != number {
                records = (number, self.unpack((path, file), number)?);
            }
            bytes.extend(records.1.get(range).ok_or_else(|| damaged(path, number))?);
            *self.last.lock() = records;
            first += most;
        }
        Ok(())
    }

    /// The records of a block.
    fn unpack(&self, (path, file): (&Path, &Mutex<File>), number: usize) -> Result<Vec<u8>> {
        let block = *self.blocks.get(number).ok_or_else(|| damaged(path, number))?;
        let mut packed = vec![0; block.bytes];
        {
            let mut file = file.lock();
            file.seek(SeekFrom::Start(block.begin))
                .and_then(|_| file.read_exact(&mut packed))
                .map_err(|e| Error::io(path, "read", e))?;
        }
        let size = block.records * self.record;
        let mut columns = Vec::with_capacity(size + 1);
        let read =
            ZlibDecoder::new(packed.as_slice()).take(size as u64 + 1).read_to_end(&mut columns);
        if read.ok() != Some(size) {
            return Err(damaged(path, number));
        }
        let mut records = vec![0; size];
        for (column, values) in columns.chunks_exact(block.records).enumerate() {
            for (place, value) in records[column..].iter_mut().step_by(self.record).zip(values) {
                *place = *value;
            }
        }
        Ok(records)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const RECORD: usize = 5;

    fn blocks_of(bytes: &[u8], records: usize) -> (Mutex<File>, Result<Blocks>) {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        let end = bytes.len() as u64;
        let blocks = Blocks::find(Path::new("a.pos"), &mut file, (0, end), (RECORD, records));
        (Mutex::new(file), blocks)
    }

    #[test]
    fn any_range_of_records_comes_back_as_it_was() {
        for count in [0, 1, 7, 8, 20, 24] {
            let all: Vec<u8> = (0..count * RECORD).map(|i| (i * i / 3) as u8).collect();
            let packed: Vec<u8> =
                all.chunks(8 * RECORD).flat_map(|part| pack(part, RECORD).unwrap()).collect();
            let (file, blocks) = blocks_of(&packed, 8);
            let blocks = blocks.unwrap();
            assert_eq!(blocks.count(), count as u64);
            for first in 0..count {
                for last in first..=count {
                    let mut found = Vec::new();
                    let asked = (first as u64, last - first);
                    blocks.read((Path::new("a.pos"), &file), asked, &mut found).unwrap();
                    assert_eq!(found, all[first * RECORD..last * RECORD]);
                }
            }
        }
    }

    #[test]
    fn damaged_blocks_are_refused_by_number() {
        let block = pack(&[7; 8 * RECORD], RECORD).unwrap();
        let short = pack(&[7; 3 * RECORD], RECORD).unwrap();
        for (bytes, records, wanted) in [
            ([short.as_slice(), &block].concat(), 8, "block 1 is damaged"),
            (block.clone(), 7, "block 0 is damaged"),
            (block[..block.len() - 1].to_vec(), 8, "block 0 is damaged"),
            (block.clone(), 0, "blocks of 0 records"),
            (block.clone(), MOST_RECORDS + 1, "1048577 records"),
        ] {
            let error = blocks_of(&bytes, records).1.err().unwrap().to_string();
            assert!(error.contains(wanted), "{error}");
        }
        let mut more = block;
        more[0] = 7;
        let (file, blocks) = blocks_of(&more, 8);
        let read = blocks.unwrap().read((Path::new("a.pos"), &file), (0, 2), &mut Vec::new());
        assert!(read.unwrap_err().to_string().contains("block 0 is damaged"));
    }
}
