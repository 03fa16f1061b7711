//! The course of a run as columns of numbers, for charts.

use crate::report::RunHistory;
use crate::run::{Record, Work};
use crate::stats::{Sprt, Z_95};
use crate::tune::{Stage, TuneSettings};
use serde::Serialize;
use std::time::Duration;

/// The time of work on a run at each number of games, without the pauses between its resumes.
#[derive(Clone, Debug, Default)]
pub struct PlayClock {
    /// Games and seconds of work at each line of the journal.
    points: Vec<(u64, f64)>,
}

impl PlayClock {
    /// Adds a line of the journal: the games played by then, and the time of work, if it is known.
    pub fn add(&mut self, games: u64, worked: Option<Duration>) {
        let before = self.points.last().map_or(0.0, |point| point.1);
        self.points.push((games, worked.map_or(before, |worked| worked.as_secs_f64())));
    }

    /// Seconds of work until this many games were finished.
    pub fn seconds_at(&self, games: u64) -> f64 {
        let place = self.points.partition_point(|point| point.0 < games);
        self.points.get(place).or(self.points.last()).map_or(0.0, |point| point.1)
    }

    /// Seconds of work in all.
    pub fn seconds(&self) -> f64 {
        self.points.last().map_or(0.0, |point| point.1)
    }
}

/// The course of a run. In each part the columns have the same length, a row for each moment.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunSeries {
    /// Seconds of work so far, without pauses.
    pub seconds_worked: f64,
    /// The strength of the optimizer's answers.
    pub strength: StrengthSeries,
    /// The values of the optimizer's answers.
    pub answers: AnswerSeries,
    /// The deciding match: a tune's validation, or a run that is a match; null before it begins.
    #[serde(rename = "match")]
    pub match_: Option<MatchSeries>,
}

/// The Elo of the answers against the start (of a joined tune: the fit), by the latest probe pairs
/// of each moment.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StrengthSeries {
    /// Games of the run.
    pub games: Vec<u64>,
    /// Seconds of work, without pauses.
    pub seconds: Vec<f64>,
    /// The Elo; null where it is not defined.
    pub elo: Vec<Option<f64>>,
    /// The lower end of its 95 % interval.
    pub elo_low: Vec<Option<f64>>,
    /// The upper end of that interval.
    pub elo_high: Vec<Option<f64>>,
}

/// The values of all knobs.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnswerSeries {
    /// Games of the run.
    pub games: Vec<u64>,
    /// Seconds of work, without pauses.
    pub seconds: Vec<f64>,
    /// The knobs, in the order of the summary's weights.
    pub knobs: Vec<KnobSeries>,
}

/// The values of a knob.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KnobSeries {
    /// The name of the feature or constant.
    pub name: String,
    /// The knob's value in each answer.
    pub value: Vec<f64>,
    /// Half the width of its 95 % interval; null where it is not known.
    pub error: Vec<Option<f64>>,
}

/// A match that a test decides.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatchSeries {
    /// Pairs of the match.
    pub pairs: Vec<u64>,
    /// Seconds of work, without pauses.
    pub seconds: Vec<f64>,
    /// The Elo; null where it is not defined.
    pub elo: Vec<Option<f64>>,
    /// Half the width of its 95 % interval.
    pub elo_error: Vec<Option<f64>>,
    /// The log-likelihood ratio; null without a test.
    pub llr: Vec<Option<f64>>,
    /// The bounds of the log-likelihood ratio; null without a test.
    pub llr_bounds: Option<[f64; 2]>,
}

impl RunSeries {
    /// The course of a run with at most `points` moments in each part; `history` is a tune's.
    pub(super) fn new<P>(
        work: &Work<P>,
        record: &Record,
        history: Option<&RunHistory>,
        clock: &PlayClock,
        points: usize,
    ) -> Self {
        let mut series = Self { seconds_worked: clock.seconds(), ..Self::default() };
        let (stage, sprt) = match work {
            Work::Tune(tune) => (Stage::Validate, Some(tune.config.validation.sprt)),
            Work::Tournament(work) => (Stage::Match, work.config.sprt),
        };
        if let (Some(history), Some(tune)) = (history, work.tune()) {
            series.strength = strength(history, clock, points);
            series.answers = answers(&tune.config, history, clock, points);
        }
        let is_one = work.tournament().is_none_or(|work| work.config.players.len() == 2);
        if is_one && record.batch(stage, 0).is_some() {
            series.match_ = Some(MatchSeries::new(record, stage, sprt.as_ref(), clock, points));
        }
        series
    }
}

impl MatchSeries {
    fn new(
        record: &Record,
        stage: Stage,
        sprt: Option<&Sprt>,
        clock: &PlayClock,
        points: usize,
    ) -> Self {
        let mut series =
            Self { llr_bounds: sprt.map(|sprt| [sprt.lower(), sprt.upper()]), ..Self::default() };
        let batches: Vec<_> = record.batches(stage).collect();
        for place in spread(batches.len(), points) {
            let summary = &batches[place].summary;
            series.pairs.push(summary.pairs.pairs());
            series.seconds.push(clock.seconds_at(summary.games));
            series.elo.push(summary.elo.map(tenths));
            series.elo_error.push(summary.elo_error.map(tenths));
            series.llr.push(summary.llr.map(hundredths));
        }
        series
    }
}

fn strength(history: &RunHistory, clock: &PlayClock, points: usize) -> StrengthSeries {
    let mut series = StrengthSeries::default();
    for estimate in history.latest_estimates(points) {
        series.games.push(estimate.games);
        series.seconds.push(clock.seconds_at(estimate.games));
        series.elo.push(estimate.summary.elo.map(tenths));
        series.elo_low.push(estimate.summary.elo_low.map(tenths));
        series.elo_high.push(estimate.summary.elo_high.map(tenths));
    }
    series
}

fn answers(
    config: &TuneSettings,
    history: &RunHistory,
    clock: &PlayClock,
    points: usize,
) -> AnswerSeries {
    let mut series = AnswerSeries::default();
    let new = |name: &String| KnobSeries { name: name.clone(), ..KnobSeries::default() };
    series.knobs.extend(config.knobs().iter().map(|knob| new(&knob.name)));
    for place in spread(history.points.len(), points) {
        let point = &history.points[place];
        series.games.push(point.games);
        series.seconds.push(clock.seconds_at(point.games));
        for (index, knob) in series.knobs.iter_mut().enumerate() {
            knob.value.push(hundredths(point.knobs.get(index).copied().unwrap_or_default()));
            knob.error.push(point.errors.get(index).map(|error| hundredths(Z_95 * error)));
        }
    }
    series
}

/// At most `most` places among `count`, evenly spread, the first and the last among them.
pub(super) fn spread(count: usize, most: usize) -> impl Iterator<Item = usize> {
    let rows = count.min(most.max(2));
    (0..rows).map(move |row| if rows < 2 { 0 } else { row * (count - 1) / (rows - 1) })
}

/// Charts show no more digits.
fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

fn hundredths(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
