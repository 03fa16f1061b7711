//! The way that a run took: the optimizer is run again over the record, and watched.

use super::rounds::{are_over, rounds};
use crate::arena::GameRecord;
use crate::arena::queue::Threads;
use crate::error::{Error, Result};
use crate::eval::Game;
use crate::run::{Manifest, Record};
use crate::search::Stop;
use crate::stats::{PairCounts, Summary};
use crate::tune::{BatchRecord, Ledger, Observer, Progress, Stage, Tune};

/// The most moments that are kept of a run, the start and the end among them.
pub const MOMENTS: usize = 2000;
/// The running estimate looks at this share of all probes at a time, within the bounds.
const WINDOW_SHARE: usize = 5;
const WINDOW: (usize, usize) = (20, 400);

/// Where the optimizer stood.
#[derive(Clone, Debug, PartialEq)]
pub struct CurvePoint {
    /// Games finished.
    pub games: u64,
    /// Its answer at that time, in the order of the tuned weights.
    pub point: Vec<f64>,
}

/// The strength of the answers around a moment, against the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Games finished.
    pub games: u64,
    /// The probe pairs around it, as many before as after.
    pub summary: Summary,
}

/// The way that a run took.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunHistory {
    /// The optimizer's answers: at the start, at regular intervals, and at the latest batch.
    pub moments: Vec<CurvePoint>,
    /// The optimizer's answer, when it is finished.
    pub answer: Option<Vec<f64>>,
    /// Games of the tune that are finished.
    pub games: u64,
    /// Games finished when a probe was played, and the counts of all probes up to it.
    probes: Vec<(u64, PairCounts)>,
}

impl RunHistory {
    /// Follows a run through its record.
    ///
    /// # Errors
    /// When the record and the manifest do not belong together.
    pub fn read<G: Game>(manifest: &Manifest, record: &Record) -> Result<Self> {
        if let Some(config) = &manifest.config.rounds {
            let over = are_over(&rounds(manifest, record), config);
            let pairs: usize = record.batches(Stage::Round).map(|batch| batch.points.len()).sum();
            let games = record.generated() + 2 * pairs as u64;
            return Ok(Self { games, answer: over.then(Vec::new), ..Self::default() });
        }
        let mut watch = CurveRecorder::new(record.batches(Stage::Tune).count());
        let session = Tune {
            config: &manifest.config,
            start: &manifest.start,
            run: &manifest.run,
            threads: Threads::new(1)?,
            interrupt: Stop::default(),
        };
        let answer = session.retrace::<G>(&mut Recorded(record), &mut watch)?;
        let start = || manifest.config.params.iter().map(|param| param.start).collect();
        Ok(watch.finish(answer, start))
    }

    /// The latest answer.
    pub fn latest(&self) -> &[f64] {
        self.moments.last().map_or(&[], |moment| &moment.point)
    }

    /// How many probe pairs a running estimate looks at, if there are enough of them.
    pub fn window(&self) -> Option<usize> {
        let window = (self.probes.len() / WINDOW_SHARE).clamp(WINDOW.0, WINDOW.1);
        (self.probes.len() >= window).then_some(window)
    }

    /// The latest probe pairs, as far as the running estimate of a tune looks back.
    pub fn recent(&self) -> Summary {
        let end = self.probes.len();
        Summary::of(&self.between(end.saturating_sub(WINDOW.1), end), None)
    }

    /// The running estimate at regular intervals, at most `count` times: none near the ends, where
    /// there are fewer probes than it looks at.
    pub fn estimates(&self, count: usize) -> Vec<Estimate> {
        let Some(window) = self.window() else { return Vec::new() };
        let places = self.probes.len() - window + 1;
        let count = count.clamp(1, places);
        let place = |index: usize| {
            if count == 1 { (places - 1) / 2 } else { index * (places - 1) / (count - 1) }
        };
        (0..count).map(|index| self.estimate_from(place(index), window)).collect()
    }

    /// The running estimate around the time when so many games were finished, if there are probes
    /// enough around it.
    pub fn estimate_at(&self, games: u64) -> Option<Estimate> {
        let window = self.window()?;
        let middle = self.probes.partition_point(|&(at, _)| at < games);
        let first = middle.checked_sub(window / 2)?;
        (first + window <= self.probes.len()).then(|| self.estimate_from(first, window))
    }

    fn estimate_from(&self, first: usize, window: usize) -> Estimate {
        let summary = Summary::of(&self.between(first, first + window), None);
        Estimate { games: self.probes[first + window / 2].0, summary }
    }

    /// The probes from one place to another.
    fn between(&self, first: usize, end: usize) -> PairCounts {
        let until =
            |end: usize| end.checked_sub(1).map_or([0; 5], |last| self.probes[last].1.to_array());
        let (before, after) = (until(first), until(end));
        PairCounts::from_array(std::array::from_fn(|cell| after[cell] - before[cell]))
    }
}

/// Keeps what a report shows.
#[derive(Default)]
struct CurveRecorder {
    history: RunHistory,
    every: usize,
    batches: usize,
    counts: PairCounts,
    latest: Option<Vec<f64>>,
}

impl CurveRecorder {
    /// Watches a run of so many batches.
    fn new(batches: usize) -> Self {
        Self { every: batches.div_ceil(MOMENTS - 1).max(1), ..Self::default() }
    }

    /// The history, with the optimizer's answer if it came to one.
    fn finish(self, answer: Option<Vec<f64>>, start: impl FnOnce() -> Vec<f64>) -> RunHistory {
        let mut history = self.history;
        // Without an answer the point before the last batch is the latest that is known.
        let end = answer.clone().or(self.latest).unwrap_or_else(start);
        history.moments.push(CurvePoint { games: history.games, point: end });
        history.answer = answer;
        history
    }
}

impl Observer for CurveRecorder {
    fn on_batch(&mut self, progress: &Progress) {
        // The answer is that before the batch, the games are those after it.
        let moment = CurvePoint { games: self.history.games, point: progress.point.clone() };
        self.latest = Some(moment.point.clone());
        if self.batches.is_multiple_of(self.every) {
            self.history.moments.push(moment);
        }
        self.batches += 1;
        self.history.games = progress.games;
    }

    fn on_probe(&mut self, pair_score: u8) {
        self.counts.add(pair_score);
        self.history.probes.push((self.history.games, self.counts));
    }
}

/// A record that is only read.
struct Recorded<'a>(&'a Record);

impl Ledger for Recorded<'_> {
    fn recall(&self, stage: Stage, batch: u64) -> Option<&BatchRecord> {
        self.0.batch(stage, batch)
    }

    fn keep(&mut self, _: BatchRecord, _: &[GameRecord]) -> Result<()> {
        Err(Error::failed("report", "nothing is played for it"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The history of a run with a probe that wins in every batch of 10 games, but for the first
    /// half of the run.
    fn history(batches: usize) -> RunHistory {
        let (mut watch, mut progress) = (CurveRecorder::new(batches), Progress::default());
        for batch in 0..batches {
            watch.on_probe(if batch < batches / 2 { 2 } else { 4 });
            (progress.games, progress.point) = (10 * (batch as u64 + 1), vec![batch as f64]);
            watch.on_batch(&progress);
        }
        watch.finish(Some(vec![batches as f64]), || vec![0.0])
    }

    #[test]
    fn a_long_run_is_thinned_evenly() {
        for batches in [0, 1, 2, 1998, 1999, 2000, 2001, 100_000] {
            let history = history(batches);
            let moments = &history.moments;
            assert!(moments.len() <= MOMENTS, "{batches}: {}", moments.len());
            assert!(moments.len() > batches.min(900), "{batches}: {}", moments.len());
            assert!(moments.iter().all(|moment| moment.point[0] * 10.0 == moment.games as f64));
            assert_eq!(moments.last().unwrap().games, 10 * batches as u64);
            assert_eq!((moments[0].games, history.games), (0, 10 * batches as u64));
        }
    }

    #[test]
    fn the_running_estimate_sees_its_window_and_no_more() {
        let few = history(10);
        assert_eq!((few.window(), few.estimates(100).len(), few.estimate_at(50)), (None, 0, None));
        assert_eq!(few.recent().pairs.to_array(), [0, 0, 5, 0, 5]);
        let history = history(1000);
        assert_eq!(history.window(), Some(200));
        let estimates = history.estimates(50);
        assert_eq!(estimates.len(), 50);
        assert_eq!([estimates[0].games, estimates[49].games], [1000, 9000]);
        assert!(estimates.iter().all(|estimate| estimate.summary.pairs.pairs() == 200));
        assert_eq!(
            history.estimate_at(5000).unwrap().summary.pairs.to_array(),
            [0, 0, 100, 0, 100]
        );
        assert_eq!((history.estimate_at(990), history.estimate_at(9010)), (None, None));
        assert_eq!(history.recent().elo, None, "all won");
    }
}
