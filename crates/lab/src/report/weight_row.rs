//! A tuned knob in a report.

use crate::report::RunHistory;
use crate::stats::Z_95;
use crate::tune::Knob;
use serde::{Serialize, Serializer};

/// A weight this near to a bound, as a share of its range, counts as being at it.
const AT_BOUND: f64 = 0.01;
/// Significant digits of a difference of two values.
const DIGITS: i32 = 9;
/// The most digits behind a point.
const MOST_DIGITS: i32 = 300;

/// A tuned weight, or a tuned constant of the search.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WeightRow {
    /// The name of the feature or constant.
    pub name: String,
    /// The value that the tune started from.
    #[serde(serialize_with = "plain")]
    pub start: f64,
    /// The tuned value, or the latest one while the tune is unfinished.
    #[serde(serialize_with = "plain")]
    pub tuned: f64,
    /// Half the width of its 95 % interval, under the assumptions of
    /// [`Posterior`](crate::tune::Posterior), and at most the distance to the farther bound; `None`
    /// if it is not known.
    pub error: Option<f64>,
    /// The change in pieces' worths; none for a constant.
    pub change_in_pieces: Option<f64>,
    /// The range over which the weight was expected to matter.
    pub range: f64,
    /// Half the distance between the two sides of a pair.
    pub step: f64,
    /// The least weight allowed.
    pub min: f64,
    /// The greatest weight allowed.
    pub max: f64,
    /// How far the weight moved in the last quarter of the games, in steps.
    pub late_steps: f64,
    /// Whether the weight ended at one of its bounds.
    pub at_bound: bool,
}

impl WeightRow {
    /// How far the weight has moved.
    pub fn change(&self) -> f64 {
        // Without the last digits of a difference of decimal fractions.
        let change = self.tuned - self.start;
        let largest = self.tuned.abs().max(self.start.abs());
        let digits = (DIGITS - decimals(largest)).clamp(0, MOST_DIGITS) as usize;
        format!("{change:.digits$}").parse::<f64>().map_or(change, |change| change + 0.0)
    }

    /// Its error as text: whole where its values are, else with two digits behind the point, or two
    /// that are not 0.
    pub fn error_text(&self) -> Option<String> {
        let error = self.error?;
        let is_whole = [self.start, self.tuned].iter().all(|value| value.fract() == 0.0);
        let digits = match error {
            error if error > 0.0 && error < 0.1 => (1 - decimals(error)).clamp(2, MOST_DIGITS),
            _ if is_whole => 0,
            _ => 2,
        };
        let digits = digits as usize;
        Some(format!("+- {error:.digits$}"))
    }

    /// Whether the weight moved by more than its step in the last quarter of the games.
    pub fn is_moving(&self) -> bool {
        self.late_steps > 1.0
    }
}

/// The power of ten of a number's first digit.
fn decimals(number: f64) -> i32 {
    number.abs().max(f64::MIN_POSITIVE).log10().floor() as i32
}

/// Writes whole numbers without a fraction.
#[expect(clippy::trivially_copy_pass_by_ref)]
fn plain<S: Serializer>(number: &f64, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    match number.fract() == 0.0 && number.abs() < 1e15 {
        true => serializer.serialize_i64(*number as i64),
        false => serializer.serialize_f64(*number),
    }
}

pub(super) fn weight_row(
    knob: &Knob,
    index: usize,
    perturbation: f64,
    unit: f64,
    history: &RunHistory,
) -> WeightRow {
    let latest = history.latest().get(index).copied().unwrap_or(knob.start);
    let step = knob.range * perturbation;
    let quarter = history.games - history.games / 4;
    let then = history.points.partition_point(|point| point.games <= quarter).saturating_sub(1);
    let before = history.points.get(then).and_then(|point| point.knobs.get(index).copied());
    let before = before.unwrap_or(knob.start);
    let nearest = |value: f64| knob.kind.nearest(value, [knob.min, knob.max]);
    let (start, tuned) = (nearest(knob.start), nearest(latest));
    // The best value lies within the bounds.
    let farthest = (tuned - knob.min).max(knob.max - tuned);
    let margin = AT_BOUND * knob.range;
    WeightRow {
        name: knob.name.clone(),
        start,
        tuned,
        error: history.errors().get(index).map(|error| (Z_95 * error).min(farthest)),
        change_in_pieces: (unit > 0.0).then(|| (tuned - start) / unit),
        range: knob.range,
        step,
        min: knob.min,
        max: knob.max,
        late_steps: (latest - before).abs() / step,
        at_bound: tuned != start && (latest <= knob.min + margin || latest >= knob.max - margin),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::history::CurvePoint;

    /// The row of a knob within bounds that began at 20, with an answer and its standard error.
    fn row(bounds: [f64; 2], answer: f64, error: f64) -> WeightRow {
        let [min, max] = bounds;
        let knob = Knob { start: 20.0, min, max, range: 300.0, ..Knob::default() };
        let mut history = RunHistory::from_start(vec![20.0]);
        history.games = 100;
        let answer = CurvePoint { games: 100, knobs: vec![answer], errors: vec![error] };
        history.points.push(answer);
        weight_row(&knob, 0, 0.1, 1.0, &history)
    }

    #[test]
    fn values_and_errors_stay_within_the_bounds() {
        let narrow = row([19.5, 20.5], 20.5, 200.0);
        assert_eq!((narrow.tuned, narrow.error), (20.0, Some(0.5)));
        let beside = row([19.0, 21.0], 20.6, 200.0);
        assert_eq!((beside.tuned, beside.error), (21.0, Some(2.0)));
        let wide = row([-500.0, 900.0], 120.4, 10.0);
        assert_eq!((wide.tuned, wide.error), (120.0, Some(10.0 * Z_95)));
    }

    #[test]
    fn small_numbers_are_shown() {
        let shown = |start: f64, tuned: f64, error: f64| {
            let row = WeightRow { start, tuned, error: Some(error), ..row([0.0, 99.0], 20.0, 1.0) };
            (row.change(), row.error_text().unwrap())
        };
        assert_eq!(shown(20.0, 23.0, 0.54), (3.0, "+- 1".into()));
        assert_eq!(shown(20.0, 23.0, 12.3), (3.0, "+- 12".into()));
        assert_eq!(shown(0.25, 0.477_463, 0.7), (0.227_463, "+- 0.70".into()));
        assert_eq!(shown(1e-6, 1.25e-6, 3.456e-7), (2.5e-7, "+- 0.00000035".into()));
        assert_eq!(shown(1.0, 1.002, 0.0123), (0.002, "+- 0.012".into()));
        assert_eq!(shown(0.0, 1e-12, 0.0), (1e-12, "+- 0.00".into()));
    }
}
