//! Finds positions that repeat earlier ones: in self-play from short openings many do.

use super::samples::{PositionSource, digest, packed_bytes};
use crate::error::{Error, Result};
use crate::search::Stop;

/// Records read at once.
const CHUNK: u64 = 1 << 16;

/// The records left when repetitions are dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distinct {
    /// One bit for each record, set for the first record with its position.
    pub keep: Vec<u64>,
    /// How many bits are set.
    pub count: u64,
}

/// Finds the first record with each position. The others are dropped, even if their games ended
/// otherwise.
///
/// It keeps a hash of 64 bits for each position, in a table with a quarter more places than
/// records: 10 bytes a position and a bit for each record, a gigabyte for a hundred million. Of two
/// positions with one hash the second is dropped: among a hundred million the chance that this
/// happens at all is 3 in 10,000.
///
/// # Errors
/// When records cannot be read, the memory does not suffice, or the work was stopped.
pub fn distinct(samples: &dyn PositionSource, stop: &Stop) -> Result<Distinct> {
    let count = samples.count();
    let mut seen = SeenBits::new(count)?;
    let mut found = Distinct { keep: vec![0; count.div_ceil(64) as usize], count: 0 };
    let mut bytes = Vec::new();
    for first in (0..count).step_by(CHUNK as usize) {
        if stop.is_set() {
            return Err(Error::interrupted("fit", "stopped early"));
        }
        samples.read(first, CHUNK.min(count - first) as usize, &mut bytes)?;
        for (index, record) in (first..).zip(bytes.chunks_exact(samples.record())) {
            if seen.add(digest(packed_bytes(record))) {
                found.keep[(index / 64) as usize] |= 1 << (index % 64);
                found.count += 1;
            }
        }
    }
    Ok(found)
}

/// A set of hashes: open addressing with linear probing.
struct SeenBits(Vec<u64>);

impl SeenBits {
    /// An empty set with room for `count` hashes.
    fn new(count: u64) -> Result<Self> {
        let places = usize::try_from(count + count / 4 + 16).unwrap_or(usize::MAX);
        let mut table = Vec::new();
        table.try_reserve_exact(places).map_err(|_| {
            Error::failed("positions", format!("not enough memory to compare {count} of them"))
                .remedy("name fewer files")
        })?;
        table.resize(places, 0);
        Ok(Self(table))
    }

    /// Adds a hash; false when it is there already.
    fn add(&mut self, hash: u64) -> bool {
        let mut place = ((u128::from(hash) * self.0.len() as u128) >> 64) as usize;
        loop {
            match self.0[place] {
                0 => break,
                known if known == hash => return false,
                _ => place = if place + 1 == self.0.len() { 0 } else { place + 1 },
            }
        }
        self.0[place] = hash;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::logistic::samples::InMemory;

    #[test]
    fn the_first_record_of_each_position_counts() {
        let record = |position: u8, tail: u8| [[position; 12].as_slice(), &[tail; 4]].concat();
        let order = [3, 1, 3, 2, 1, 1, 9];
        let bytes =
            order.iter().zip(0..).flat_map(|(&position, tail)| record(position, tail)).collect();
        let found = distinct(&InMemory { record: 16, bytes }, &Stop::default()).unwrap();
        assert_eq!(found, Distinct { keep: vec![0b100_1011], count: 4 });
    }

    #[test]
    fn many_different_ones_are_told_apart() {
        let bytes =
            (0..200_000_u64).flat_map(|n| [(n / 2).to_le_bytes(), [0; 8]].concat()).collect();
        let found = distinct(&InMemory { record: 16, bytes }, &Stop::default()).unwrap();
        assert_eq!(found.count, 100_000);
        assert!(found.keep.iter().all(|&bits| bits == 0x5555_5555_5555_5555));
    }
}
