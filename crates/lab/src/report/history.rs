//! The course of a run, read from the lines of its journal.

use super::rounds::{are_over, rounds};
use crate::run::Record;
use crate::stats::{PairCounts, Summary};
use crate::tune::progress::WINDOW;
use crate::tune::{AnswerErrors, BatchRecord, BatchSummary, Stage, TuneSettings};

/// A running estimate uses one in [`WINDOW_SHARE`] of all probe pairs, but at least
/// [`LEAST_WINDOW`].
const WINDOW_SHARE: u64 = 5;
const LEAST_WINDOW: u64 = 20;

/// The optimizer's answer at some time of the run.
#[derive(Clone, Debug, PartialEq)]
pub struct CurvePoint {
    /// Games of the tune finished.
    pub games: u64,
    /// The knobs' values, in their order.
    pub knobs: Vec<f64>,
    /// Their standard errors; empty where the journal has none.
    pub errors: Vec<f64>,
}

/// The Elo of the answers around some time, against the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Games of the tune finished.
    pub games: u64,
    /// The probe pairs around it, as many before as after.
    pub summary: Summary,
}

/// The course of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunHistory {
    /// The optimizer's answers: at the start, and after each batch. Empty for a tune in rounds.
    pub points: Vec<CurvePoint>,
    /// The Elo that the best values are expected to be ahead of the latest answer.
    pub elo_left: Option<f64>,
    /// Whether the results so far were too few to tell an answer from the start.
    pub is_untold: bool,
    /// Whether the tune is over, so that only its validation is left.
    pub is_tuned: bool,
    /// Games of the tune that are finished.
    pub games: u64,
    /// Games before the first batch, for the initial fit.
    games_before: u64,
    /// All probe pairs until the end of each batch.
    probes: Vec<PairCounts>,
}

impl RunHistory {
    /// The history of a tune.
    pub fn new(config: &TuneSettings, record: &Record) -> Self {
        if let Some(schedule) = config.schedule() {
            let pairs: usize = record.batches(Stage::Round).map(|batch| batch.points.len()).sum();
            let is_tuned = are_over(&rounds(config, record), config, &schedule);
            let games = record.generated() + 2 * pairs as u64;
            return Self { games, is_tuned, ..Self::default() };
        }
        let start = config.knobs().iter().map(|knob| knob.start).collect();
        let mut history = Self::from_start(start);
        record.batches(Stage::Tune).for_each(|batch| history.add_batch(config, batch));
        history
    }

    pub(super) fn from_start(start: Vec<f64>) -> Self {
        let start = CurvePoint { games: 0, knobs: start, errors: Vec::new() };
        Self { points: vec![start], ..Self::default() }
    }

    /// Adds a batch of the run; batches of matches change nothing.
    pub fn add_batch(&mut self, config: &TuneSettings, batch: &BatchRecord) {
        if batch.stage != Stage::Tune {
            return;
        }
        let BatchSummary { games, knobs, pairs, .. } = &batch.summary;
        let AnswerErrors { errors, elo_left } = errors_of(&batch.summary).unwrap_or_default();
        let is_start = self.points.first().is_some_and(|start| start.knobs == *knobs);
        self.is_untold = is_start && batch.summary.elo_left.is_some();
        self.elo_left = (!errors.is_empty()).then_some(elo_left);
        let point = CurvePoint { games: *games, knobs: knobs.clone(), errors };
        let step = 2 * batch.points.len() as u64;
        if self.probes.is_empty() {
            self.games_before = games.saturating_sub(step);
        }
        self.add(point, *pairs);
        // The tune ends when the games that are left make no further batch.
        self.is_tuned = config.games.saturating_sub(*games) < step;
    }

    fn add(&mut self, point: CurvePoint, probes: PairCounts) {
        self.games = point.games;
        self.points.push(point);
        self.probes.push(probes);
    }

    /// The standard errors of the latest answer's knobs; empty where the journal has none.
    pub fn errors(&self) -> &[f64] {
        self.points.last().map_or(&[], |point| &point.errors)
    }

    /// The latest answer, a value for each knob.
    pub fn latest(&self) -> &[f64] {
        self.points.last().map_or(&[], |point| &point.knobs)
    }

    /// The number of probe pairs in a running estimate, where there are enough of them.
    pub fn window(&self) -> Option<u64> {
        let batches = self.window_batches()? as u64;
        Some(batches.saturating_mul(self.all_probes()) / self.probes.len() as u64)
    }

    fn window_batches(&self) -> Option<usize> {
        let all = self.all_probes();
        let window = (all / WINDOW_SHARE).clamp(LEAST_WINDOW, WINDOW as u64);
        (all >= window).then(|| self.batches_of(window))
    }

    /// The number of batches that have about `pairs` probe pairs, by the mean of all.
    fn batches_of(&self, pairs: u64) -> usize {
        let batches = self.probes.len();
        let wanted = pairs.saturating_mul(batches as u64).div_ceil(self.all_probes().max(1));
        usize::try_from(wanted).map_or(batches, |wanted| wanted.min(batches))
    }

    fn all_probes(&self) -> u64 {
        self.probes.last().map_or(0, PairCounts::pairs)
    }

    /// The latest probe pairs, from which a tune's running estimate is made.
    pub fn recent(&self) -> Summary {
        self.recent_at(self.probes.len())
    }

    /// The latest probe pairs after `end` batches.
    fn recent_at(&self, end: usize) -> Summary {
        let first = end.saturating_sub(self.batches_of(WINDOW as u64));
        Summary::of(&self.between(first, end), None)
    }

    /// The running estimate at regular intervals, at most `count` times, up to now. Unlike
    /// [`estimates`](Self::estimates) it uses only the pairs before each moment, so it lags behind.
    pub fn latest_estimates(&self, count: usize) -> Vec<Estimate> {
        let first = self.probes.partition_point(|probes| probes.pairs() < LEAST_WINDOW);
        let places = self.probes.len() - first;
        let rows = places.min(count.max(2));
        let end = |row: usize| match rows {
            1 => self.probes.len(),
            _ => first + 1 + row * (places - 1) / (rows - 1),
        };
        let estimate =
            |end: usize| Estimate { games: self.points[end].games, summary: self.recent_at(end) };
        (0..rows).map(|row| estimate(end(row))).collect()
    }

    /// The running estimate at regular intervals, at most `count` times, from the first batch to
    /// the last. Near the ends one side has fewer pairs, so that it uses down to half as many.
    pub fn estimates(&self, count: usize) -> Vec<Estimate> {
        let Some(window) = self.window_batches() else { return Vec::new() };
        let last = self.probes.len();
        let count = count.clamp(2, last + 1);
        (0..count).map(|index| self.estimate_around(index * last / (count - 1), window)).collect()
    }

    /// The running estimate around the time when `games` games were finished, if there are enough
    /// probe pairs.
    pub fn estimate_at(&self, games: u64) -> Option<Estimate> {
        let window = self.window_batches().filter(|_| games >= self.games_before)?;
        let middle = self.points.partition_point(|point| point.games < games);
        (middle <= self.probes.len()).then(|| self.estimate_around(middle, window))
    }

    /// The estimate from `window` batches around the end of batch `middle`, as far as there are
    /// any. A batch has the probe pairs of the answer before it.
    fn estimate_around(&self, middle: usize, window: usize) -> Estimate {
        let first = middle.saturating_sub(window / 2);
        let end = (middle + window - window / 2).min(self.probes.len());
        let summary = Summary::of(&self.between(first, end), None);
        Estimate { games: self.points[middle].games.max(self.games_before), summary }
    }

    /// The probe pairs of the batches from one number to another.
    fn between(&self, first: usize, end: usize) -> PairCounts {
        let until =
            |end: usize| end.checked_sub(1).map_or([0; 5], |last| self.probes[last].to_array());
        let (before, after) = (until(first), until(end));
        PairCounts::from_array(std::array::from_fn(|i| after[i].saturating_sub(before[i])))
    }
}

/// How far the best values may be from the answer of a batch. `None` if all errors are 0, which
/// earlier versions wrote when the results were too few for the model.
fn errors_of(summary: &BatchSummary) -> Option<AnswerErrors> {
    let new = (&summary.standard_errors, summary.elo_ahead);
    let (errors, elo_left) =
        if new.0.is_empty() { (&summary.errors, summary.elo_left) } else { new };
    let told = errors.iter().any(|&error| error > 0.0);
    told.then(|| AnswerErrors { errors: errors.clone(), elo_left: elo_left.unwrap_or_default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The history of a run with a probe pair in every batch of 10 games, which is won in the
    /// second half of the run and even in the first.
    fn history(batches: u64) -> RunHistory {
        let (mut history, mut probes) = (RunHistory::from_start(vec![0.0]), PairCounts::default());
        for batch in 0..batches {
            probes.add(if batch < batches / 2 { 2 } else { 4 });
            let (games, knobs) = (10 * (batch + 1), vec![batch as f64 + 1.0]);
            history.add(CurvePoint { games, knobs, errors: Vec::new() }, probes);
        }
        history
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
        assert_eq!([estimates[0].games, estimates[49].games], [0, 10_000]);
        let pairs = |estimate: &Estimate| estimate.summary.pairs.pairs();
        assert!(estimates.iter().all(|estimate| (100..=200).contains(&pairs(estimate))));
        assert_eq!([&estimates[0], &estimates[25], &estimates[49]].map(pairs), [100, 200, 100]);
        assert_eq!(
            history.estimate_at(5000).unwrap().summary.pairs.to_array(),
            [0, 0, 100, 0, 100]
        );
        assert_eq!(history.estimate_at(10_010), None);
        assert_eq!(history.recent().elo, None, "all won");
    }

    /// The first answer of a tune that begins with a fit is known where its matches begin.
    #[test]
    fn estimates_begin_with_the_matches() {
        let mut history = history(100);
        history.games_before = 400;
        history.points.iter_mut().skip(1).for_each(|point| point.games += 400);
        let games: Vec<u64> = history.estimates(3).iter().map(|estimate| estimate.games).collect();
        assert_eq!(games, [400, 900, 1400]);
        assert_eq!(history.estimate_at(399), None);
        assert_eq!(history.estimate_at(410).unwrap().games, 410);
    }
}
