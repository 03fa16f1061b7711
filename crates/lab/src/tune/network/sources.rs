//! The sources of a training's positions.

use crate::arena::remote::hex;
use crate::error::{Error, Result};
use crate::tune::logistic::samples::PositionSource;
use crate::weights::TrainedOn;
use sha2::{Digest, Sha256};

/// Records read at once.
const CHUNK: u64 = 1 << 14;

/// The records of one source, followed by the records of another.
pub(super) struct JoinedPositions<'a> {
    pub(super) newer: &'a dyn PositionSource,
    pub(super) older: &'a dyn PositionSource,
}

impl PositionSource for JoinedPositions<'_> {
    fn count(&self) -> u64 {
        self.newer.count() + self.older.count()
    }

    fn record(&self) -> usize {
        self.newer.record()
    }

    fn parts(&self) -> Vec<u64> {
        let older = self.older.parts().into_iter().map(|first| first + self.newer.count());
        self.newer.parts().into_iter().chain(older).collect()
    }

    fn names(&self) -> Vec<String> {
        [self.newer.names(), self.older.names()].concat()
    }

    fn paths(&self) -> Vec<String> {
        [self.newer.paths(), self.older.paths()].concat()
    }

    fn read(&self, first: u64, count: usize, bytes: &mut Vec<u8>) -> Result<()> {
        let before = self.newer.count();
        let newer = (count as u64).min(before.saturating_sub(first)) as usize;
        if newer == count {
            return self.newer.read(first, count, bytes);
        }
        self.older.read(first.max(before) - before, count - newer, bytes)?;
        if newer > 0 {
            let older = std::mem::take(bytes);
            self.newer.read(first, newer, bytes)?;
            bytes.extend(older);
        }
        Ok(())
    }
}

/// The sources of records: their names, numbers and digests.
///
/// # Errors
/// When records cannot be read.
pub fn sources(samples: &dyn PositionSource) -> Result<Vec<TrainedOn>> {
    let firsts = samples.parts();
    let ends = firsts.iter().copied().skip(1).chain([samples.count()]);
    let names = samples.names().into_iter().chain(std::iter::repeat("positions".into()));
    let parts = firsts.iter().zip(ends).zip(names);
    let source = |((&first, end), name): ((&u64, u64), String)| {
        let (mut hasher, mut bytes) = (Sha256::new(), Vec::new());
        for begin in (first..end).step_by(CHUNK as usize) {
            samples.read(begin, CHUNK.min(end - begin) as usize, &mut bytes)?;
            hasher.update(&bytes);
        }
        Ok(TrainedOn { name, positions: end - first, digest: hex(&hasher.finalize()) })
    };
    parts.map(source).collect()
}

/// Checks that records have not changed since `known` was computed: another program may have
/// written to a file during the training.
///
/// # Errors
/// When they are not, or cannot be read.
pub(super) fn check_unchanged(samples: &dyn PositionSource, known: &[TrainedOn]) -> Result<()> {
    let found = sources(samples)?;
    let Some(part) = (0..known.len()).find(|&part| found.get(part) != known.get(part)) else {
        return Ok(());
    };
    let path = samples.paths().into_iter().nth(part).unwrap_or_else(|| "positions".into());
    Err(Error::input(path, "has changed while it was read")
        .remedy("leave the file alone, and train again"))
}
