//! Finds positions that are on record more than once, mirror images included: in self-play from
//! short openings many are.

use super::samples::{Label, PositionSource, Sample, digest};
use crate::arena::queue::Threads;
use crate::error::{Error, Result};
use crate::game::Board;
use crate::games::GameId;
use crate::search::Stop;
use std::collections::HashMap;
use std::ops::Range;

/// Records that a thread reads at once.
const CHUNK: u64 = 1 << 14;
/// Records whose hashes are compared at once. If there are more, each of several passes compares a
/// part of the hashes.
const COMPARED: u64 = 1 << 26;

/// A record with the position of an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repetition {
    /// The number of the first record with the position.
    pub first: u64,
    /// The label of this record.
    pub label: Label,
}

/// The first record of each position, and the labels of the later ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distinct {
    /// One bit for each record, set for the first record with its position.
    pub keep: Vec<u64>,
    /// How many bits are set.
    pub count: u64,
    /// The other records, in the order of the first ones with their positions.
    pub repetitions: Vec<Repetition>,
}

impl Distinct {
    /// Whether a record is the first one with its position.
    #[inline]
    pub fn is_first(&self, index: u64) -> bool {
        self.keep.get((index / 64) as usize).is_some_and(|bits| bits >> (index % 64) & 1 == 1)
    }

    /// The repetitions of positions that come first in these records.
    pub fn repetitions_of(&self, records: &Range<u64>) -> &[Repetition] {
        let place = |index: u64| self.repetitions.partition_point(|found| found.first < index);
        &self.repetitions[place(records.start)..place(records.end)]
    }
}

/// The records to compare.
pub struct Dedup<'a> {
    /// The game of the positions.
    pub game: GameId,
    /// The records, in their order on disk.
    pub samples: &'a dyn PositionSource,
    /// The board of all positions.
    pub board: Board,
    /// The threads that share the work.
    pub threads: &'a Threads,
    /// Ends the work early.
    pub stop: &'a Stop,
}

impl Dedup<'_> {
    /// Finds the first record with each position, and the other records with it. Mirror images are
    /// one position, as is everything that the game treats as the same
    /// ([`canonical_key`](crate::game::Position::canonical_key)).
    ///
    /// It keeps a hash of 64 bits for each position, in a table with a quarter more places than
    /// records: 10 bytes a position, 700 MB at the most; a bit for each record, and 24 bytes for
    /// each repetition, twice that while they are sorted. Two positions with one hash count as one.
    /// The chance that this happens at all among a hundred million is 3 in 10,000.
    ///
    /// # Errors
    /// When records cannot be read or are damaged, the memory does not suffice, or the work was
    /// stopped.
    pub fn distinct(&self) -> Result<Distinct> {
        self.distinct_in(self.samples.count().div_ceil(COMPARED).max(1))
    }

    /// As [`distinct`](Self::distinct), in parts by the remainder of the hashes. One part is
    /// compared at a time.
    fn distinct_in(&self, parts: u64) -> Result<Distinct> {
        let count = self.samples.count();
        let mut found = Distinct { keep: vec![0; count.div_ceil(64) as usize], ..<_>::default() };
        for part in 0..parts {
            self.add_part(&mut found, part, parts)?;
        }
        // Stable: repetitions of a position stay in their order.
        found.repetitions.sort_by_key(|repetition| repetition.first);
        Ok(found)
    }

    /// Adds the records whose hashes belong to a part.
    fn add_part(&self, found: &mut Distinct, part: u64, parts: u64) -> Result<()> {
        let mut seen = SeenHashes::new(self.samples.count(), parts)?;
        // The hashes that occur again, with the first record of each once that is known.
        let mut again: HashMap<u64, Option<u64>> = HashMap::new();
        self.each(&mut |index, hash, _| match hash % parts == part {
            false => {}
            true if seen.add(hash) => {
                found.keep[(index / 64) as usize] |= 1 << (index % 64);
                found.count += 1;
            }
            true => {
                again.insert(hash, None);
            }
        })?;
        drop(seen);
        if !again.is_empty() {
            self.each(&mut |index, hash, label| match again.get_mut(&hash) {
                Some(Some(first)) => found.repetitions.push(Repetition { first: *first, label }),
                Some(first) => *first = Some(index),
                None => {}
            })?;
        }
        Ok(())
    }

    /// Passes on the number, the hash and the label of each record, in order. Threads read the
    /// records.
    fn each(&self, on_record: &mut dyn FnMut(u64, u64, Label)) -> Result<()> {
        let (count, parts) = (self.samples.count(), self.samples.parts());
        let chunk = |first: u64| -> Result<Vec<(u64, Label)>> {
            let mut bytes = Vec::new();
            let mut sample = Sample::on_board(self.game, self.board)?;
            let size = CHUNK.min(count - first);
            self.samples.read(first, size as usize, &mut bytes)?;
            let record = |(index, record): (u64, &[u8])| {
                self.samples.sample(index, record, &mut sample)?;
                let part = parts.partition_point(|&first| first <= index).saturating_sub(1);
                let hash = digest(&sample.position.canonical_key().to_le_bytes());
                Ok((hash, sample.label(part)))
            };
            (first..).zip(bytes.chunks_exact(self.samples.record())).map(record).collect()
        };
        let at_once = CHUNK * self.threads.count() as u64;
        for first in (0..count).step_by(at_once as usize) {
            let chunks = at_once.min(count - first).div_ceil(CHUNK);
            if self.stop.is_set() {
                return Err(Error::interrupted("fit", "stopped early"));
            }
            let work = |index: usize| chunk(first + index as u64 * CHUNK);
            let mut index = first;
            for found in self.threads.map_ordered(chunks as usize, work) {
                for (hash, label) in found? {
                    on_record(index, hash, label);
                    index += 1;
                }
            }
        }
        Ok(())
    }
}

/// A set of hashes: open addressing with linear probing.
struct SeenHashes(Vec<u64>);

impl SeenHashes {
    /// An empty set with room for one of `parts` parts of `count` hashes.
    fn new(count: u64, parts: u64) -> Result<Self> {
        // The sizes of parts vary by a few times their square root.
        let mean = count.div_ceil(parts);
        let most = count.min(mean + 8 * mean.isqrt() + 8);
        let places = usize::try_from(most + most / 4 + 16).unwrap_or(usize::MAX);
        let mut table = Vec::new();
        table.try_reserve_exact(places).map_err(|_| {
            Error::failed("positions", format!("not enough memory to compare {count} of them"))
                .remedy("name fewer files")
        })?;
        table.resize(places, 0);
        Ok(Self(table))
    }

    /// Adds a hash, and returns whether it is new.
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
    use crate::tune::logistic::samples::{InMemory, record_bytes};

    fn distinct(records: &[(&str, u8)], threads: usize, parts: u64) -> Distinct {
        let game: GameId = "breakthrough".parse().unwrap();
        let mut bytes = Vec::new();
        for &(fen, half_points) in records {
            let position = game.from_fen(fen).unwrap();
            let sample = Sample { position, score: 7, half_points, fold: 3, ply: 1 };
            assert!(sample.write(&mut bytes));
        }
        let samples = InMemory { record: record_bytes(game), bytes };
        let (threads, stop) = (Threads::new(threads).unwrap(), Stop::default());
        let board = Board::new(5, 5);
        let dedup = Dedup { game, samples: &samples, board, threads: &threads, stop: &stop };
        dedup.distinct_in(parts).unwrap()
    }

    #[test]
    fn records_of_a_position_and_its_mirror_image_belong_together() {
        let [a, image, b, exchanged] =
            ["p4/5/5/5/3P1 w", "4p/5/5/5/1P3 w", "p4/5/5/5/2P2 w", "1p3/5/5/5/4P b"];
        let records = [(b, 0), (a, 2), (image, 0), (a, 1), (b, 2), (exchanged, 2)];
        for (threads, parts) in [(1, 1), (3, 1), (1, 2), (2, 5)] {
            let found = distinct(&records, threads, parts);
            assert_eq!((found.keep.as_slice(), found.count), ([0b11].as_slice(), 2));
            let repetitions: Vec<(u64, u8)> =
                found.repetitions.iter().map(|r| (r.first, r.label.half_points)).collect();
            assert_eq!(repetitions, [(0, 2), (1, 0), (1, 1), (1, 2)]);
            assert_eq!(found.repetitions_of(&(0..1)).len(), 1);
            assert_eq!(found.repetitions_of(&(1..6)).len(), 3);
            assert!(found.is_first(1) && !found.is_first(2) && !found.is_first(64));
        }
        assert_eq!(distinct(&[], 2, 1), Distinct::default());
    }

    #[test]
    fn many_hashes_are_told_apart() {
        let mut seen = SeenHashes::new(100_000, 1).unwrap();
        let added = (0..200_000_u64).filter(|n| seen.add(digest(&(n / 2).to_le_bytes()))).count();
        assert_eq!(added, 100_000);
    }
}
