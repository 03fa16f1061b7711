//! The positions of a training in portions, which are read when their turn comes. The number of
//! positions in memory is bounded, however many there are.

use super::order::Pick;
use super::positions::{Examples, HeldPositions, InputReader, LearningTarget, read_examples};
use crate::any::AnyEvaluator;
use crate::arena::queue::Threads;
use crate::error::Result;
use crate::tune::logistic::pass::{Data, Split};
use crate::weights::WindowShape;
use sha2::{Digest, Sha256};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The most positions whose targets find the scale of the weights beside the network.
const SCALE_SAMPLE: u64 = 1 << 20;

/// The number of positions that a training has in memory. All but the last number also affect the
/// order of the positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrainingMemory {
    /// Records of a portion, which are read at once.
    pub portion: u64,
    /// The approximate number of positions that are shuffled together.
    pub shuffled: usize,
    /// Positions that stay in memory once they were read. Others are read again in every epoch.
    pub kept: u64,
}

impl Default for TrainingMemory {
    fn default() -> Self {
        Self { portion: 1 << 12, shuffled: 1 << 22, kept: 1 << 24 }
    }
}

/// Records that are read at once, and the number of their distinct positions.
struct Portion {
    records: Range<u64>,
    /// Training and validation positions.
    counts: [usize; 2],
    kept: [Option<Arc<Examples>>; 2],
}

const SPLITS: [Split; 2] = [Split::Training, Split::Validation];

/// All positions of a training.
pub(super) struct Portions<'a> {
    data: &'a Data<'a>,
    window: WindowShape,
    beside: Option<&'a AnyEvaluator>,
    portions: Vec<Portion>,
    /// How many of the portions are newer ones.
    newer: usize,
    held: Arc<HeldPositions>,
}

/// The findings of a first pass over all positions.
pub(super) struct Survey {
    /// A digest of all positions.
    pub(super) digest: Vec<u8>,
    /// How often the training positions show each input, all images together.
    pub(super) shown: Vec<u64>,
    /// Targets of some training positions.
    pub(super) targets: Vec<LearningTarget>,
}

/// The findings of one portion.
struct PortionFindings {
    counts: [usize; 2],
    digest: Vec<u8>,
    targets: Vec<LearningTarget>,
    kept: [Option<Arc<Examples>>; 2],
}

impl<'a> Portions<'a> {
    /// Looks at all positions once. Only positions from the `newer` first records validate.
    ///
    /// # Errors
    /// When records cannot be read or are damaged, or the training was stopped.
    pub(super) fn new(
        data: &'a Data<'a>,
        window: WindowShape,
        beside: Option<&'a AnyEvaluator>,
        newer: u64,
        memory: TrainingMemory,
        (reader, inputs): (&InputReader, usize),
    ) -> Result<(Self, Survey)> {
        let cut = |records: Range<u64>| {
            let size = memory.portion.max(1);
            let end = records.end;
            records.step_by(size as usize).map(move |first| first..end.min(first + size))
        };
        let records: Vec<Range<u64>> =
            cut(0..newer).chain(cut(newer..data.samples.count())).collect();
        let newer = records.partition_point(|records| records.start < newer);
        let held = Arc::new(HeldPositions::default());
        let mut portions =
            Self { data, window, beside, portions: Vec::new(), newer, held: held.clone() };
        let survey = Surveyor {
            shown: (0..inputs).map(|_| AtomicU64::new(0)).collect(),
            left: AtomicU64::new(memory.kept),
            every: data.samples.count().div_ceil(SCALE_SAMPLE).max(1) as usize,
            reader,
        };
        let found = data.threads.map_ordered(records.len(), |index| {
            survey.look(&portions, index, records[index].clone(), index < newer)
        });
        let found = found.into_iter().collect::<Result<Vec<PortionFindings>>>()?;
        let (mut digest, mut targets) = (Sha256::new(), Vec::new());
        for (records, found) in records.into_iter().zip(found) {
            digest.update(&found.digest);
            targets.extend(found.targets);
            let PortionFindings { counts, kept, .. } = found;
            portions.portions.push(Portion { records, counts, kept });
        }
        let shown = survey.shown.into_iter().map(AtomicU64::into_inner).collect();
        Ok((portions, Survey { digest: digest.finalize().to_vec(), shown, targets }))
    }

    /// The training positions of each portion, and how many portions are newer ones.
    pub(super) fn training_counts(&self) -> (Vec<usize>, usize) {
        (self.portions.iter().map(|portion| portion.counts[0]).collect(), self.newer)
    }

    /// The positions for validation.
    pub(super) fn validation_count(&self) -> usize {
        self.portions.iter().map(|portion| portion.counts[1]).sum()
    }

    /// The portions that have positions for validation.
    pub(super) fn with_validation(&self) -> Vec<usize> {
        (0..self.portions.len()).filter(|&index| self.portions[index].counts[1] > 0).collect()
    }

    /// The most positions that were in memory at once.
    pub(super) fn most_held(&self) -> u64 {
        self.held.most()
    }

    /// The training positions of the portions of a buffer.
    ///
    /// # Errors
    /// When records cannot be read.
    pub(super) fn training(
        &self,
        buffer: &[Pick],
        threads: &Threads,
    ) -> Result<Vec<Arc<Examples>>> {
        let read = |at: usize| self.read(buffer[at].portion, Split::Training);
        threads.map_ordered(buffer.len(), read).into_iter().collect()
    }

    /// The positions of a portion for validation.
    ///
    /// # Errors
    /// When records cannot be read.
    pub(super) fn validation(&self, index: usize) -> Result<Arc<Examples>> {
        self.read(index, Split::Validation)
    }

    fn read(&self, index: usize, split: Split) -> Result<Arc<Examples>> {
        let portion = &self.portions[index];
        match &portion.kept[split as usize] {
            Some(kept) => Ok(kept.clone()),
            None => self.examples(portion.records.clone(), split),
        }
    }

    fn examples(&self, records: Range<u64>, split: Split) -> Result<Arc<Examples>> {
        read_examples(self.data, (records, split), self.window, self.beside, &self.held)
            .map(Arc::new)
    }
}

/// The state of a first pass over the positions.
struct Surveyor<'a> {
    shown: Vec<AtomicU64>,
    /// The positions that may still be kept.
    left: AtomicU64,
    /// One portion in this many gives its targets.
    every: usize,
    reader: &'a InputReader,
}

impl Surveyor<'_> {
    fn look(
        &self,
        portions: &Portions,
        index: usize,
        records: Range<u64>,
        is_newer: bool,
    ) -> Result<PortionFindings> {
        let mut found = PortionFindings {
            counts: [0; 2],
            digest: Vec::new(),
            targets: Vec::new(),
            kept: [None, None],
        };
        for split in SPLITS {
            if split == Split::Validation && !is_newer {
                continue;
            }
            let examples = portions.examples(records.clone(), split)?;
            found.counts[split as usize] = examples.len();
            found.digest.extend(examples.digest());
            if split == Split::Training {
                self.count_shown(&examples);
                if portions.beside.is_some() && index.is_multiple_of(self.every) {
                    found.targets.extend_from_slice(&examples.targets);
                }
            }
            if self.may_keep(examples.len() as u64) {
                found.kept[split as usize] = Some(examples);
            }
        }
        Ok(found)
    }

    fn count_shown(&self, examples: &Examples) {
        let mut shown = vec![0_u32; self.shown.len()];
        for index in 0..examples.len() {
            for image in 0..self.reader.images() {
                for input in self.reader.inputs(examples, index, image) {
                    shown[input as usize] += 1;
                }
            }
        }
        for (all, shown) in self.shown.iter().zip(shown).filter(|(_, shown)| *shown > 0) {
            all.fetch_add(shown.into(), Ordering::Relaxed);
        }
    }

    fn may_keep(&self, count: u64) -> bool {
        let less = |left: u64| left.checked_sub(count);
        self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok()
    }
}
