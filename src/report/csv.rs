//! The history of a run as a table for other programs.

use super::history::RunHistory;
use crate::tune::TuneConfig;

/// One row for each moment kept of a run, at most about 2000: games, the running estimate of the
/// Elo against the start with its 95 % error (empty where not defined), and each tuned weight.
pub fn csv(config: &TuneConfig, history: &RunHistory) -> String {
    let names = ["games", "elo", "elo_error"]
        .into_iter()
        .chain(config.params.iter().map(|p| p.name.as_str()));
    let mut text = names.map(field).collect::<Vec<_>>().join(",") + "\n";
    for moment in &history.moments {
        let summary = history.estimate_at(moment.games).map(|estimate| estimate.summary);
        let elo = summary.and_then(|summary| summary.elo);
        let error = summary.and_then(|summary| summary.elo_error);
        let mut row = vec![moment.games.to_string(), number(elo), number(error)];
        row.extend(moment.point.iter().map(|&value| number(Some(value))));
        text += &(row.join(",") + "\n");
    }
    text
}

/// A number to a thousandth; nothing where there is none.
fn number(value: Option<f64>) -> String {
    value.filter(|value| value.is_finite()).map_or(String::new(), |value| {
        let text = format!("{value:.3}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        if text == "-0" { "0".into() } else { text.into() }
    })
}

/// A name, in quotes where it needs them (RFC 4180).
fn field(name: &str) -> String {
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
    fn numbers_are_short_and_names_safe() {
        assert_eq!(
            [1.0, -0.0001, 12.3456, -7.5].map(|x| number(Some(x))),
            ["1", "0", "12.346", "-7.5"]
        );
        assert_eq!(number(Some(f64::NAN)) + &number(None), "");
        assert_eq!(["plain", "a,b", "a\"b"].map(field), ["plain", "\"a,b\"", "\"a\"\"b\""]);
    }
}
