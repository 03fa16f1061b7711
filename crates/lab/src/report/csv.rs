//! The history of a run as a table for other programs.

use super::history::CurvePoint;
use crate::report::RunHistory;
use crate::tune::TuneSettings;
use serde::Serialize;

/// The most rows of a table.
const ROWS: usize = 2000;

/// One row for each batch, at most 2000 at even intervals: games, the running estimate of the Elo
/// against the start with its 95 % error (empty where not defined), and each knob's value.
pub fn csv(config: &TuneSettings, history: &RunHistory) -> String {
    let names = ["games", "elo", "elo_error"]
        .into_iter()
        .chain(config.knobs().iter().map(|p| p.name.as_str()));
    let mut text = names.map(field).collect::<Vec<_>>().join(",") + "\n";
    for HistoryRow { games, elo, elo_error, knobs } in history_rows(history) {
        let mut row = vec![games.to_string(), number(elo), number(elo_error)];
        row.extend(knobs.iter().map(|&value| number(Some(value))));
        text += &(row.join(",") + "\n");
    }
    text
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HistoryRow {
    /// Games of the tune finished.
    pub games: u64,
    /// The running estimate of the Elo against the start.
    pub elo: Option<f64>,
    /// Half the width of its 95 % interval.
    pub elo_error: Option<f64>,
    /// The knobs' values, in their order.
    pub knobs: Vec<f64>,
}

/// The rows of the table.
pub fn history_rows(history: &RunHistory) -> Vec<HistoryRow> {
    let row = |point: &CurvePoint| {
        let summary = history.estimate_at(point.games).map(|estimate| estimate.summary);
        HistoryRow {
            games: point.games,
            elo: summary.and_then(|summary| summary.elo),
            elo_error: summary.and_then(|summary| summary.elo_error),
            knobs: point.knobs.clone(),
        }
    };
    thinned(&history.points).map(row).collect()
}

/// The first and the last point, and points at even intervals between them.
fn thinned(points: &[CurvePoint]) -> impl Iterator<Item = &CurvePoint> {
    let last = points.len().saturating_sub(1);
    let every = last.div_ceil(ROWS - 1).max(1);
    let is_kept = move |index: usize| index.is_multiple_of(every) || index == last;
    points.iter().enumerate().filter(move |(index, _)| is_kept(*index)).map(|(_, point)| point)
}

/// A number with three decimals at most; empty if there is none.
pub(super) fn number(value: Option<f64>) -> String {
    value.filter(|value| value.is_finite()).map_or(String::new(), |value| {
        let text = format!("{value:.3}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        if text == "-0" { "0".into() } else { text.into() }
    })
}

/// A name, in quotes where it needs them (RFC 4180).
pub(super) fn field(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_run_is_thinned_evenly() {
        for batches in [0, 1, 2, 1998, 1999, 2000, 2001, 100_000] {
            let point = |games| CurvePoint { games, knobs: Vec::new(), errors: Vec::new() };
            let points: Vec<CurvePoint> = (0..=batches).map(point).collect();
            let rows: Vec<u64> = thinned(&points).map(|point| point.games).collect();
            assert!(rows.len() <= ROWS, "{batches}: {}", rows.len());
            assert!(rows.len() as u64 > batches.min(900), "{batches}: {}", rows.len());
            assert_eq!((rows.first(), rows.last()), (Some(&0), Some(&batches)));
        }
    }

    #[test]
    fn numbers_are_short_and_names_safe() {
        assert_eq!(
            [1.0, -0.0001, 12.3456, -7.5].map(|x| number(Some(x))),
            ["1", "0", "12.346", "-7.5"]
        );
        assert_eq!(number(Some(f64::NAN)) + &number(None), "");
        assert_eq!(["plain", "a,b", "a\"b"].map(field), ["plain", "\"a,b\"", "\"a\"\"b\""]);
    }
}
