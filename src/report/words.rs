//! The results of a match as text.

use super::units::{signed, with_error};
use crate::stats::{Model, Sprt, Summary, Verdict};

/// The Elo difference with its error, or with the interval that is known.
pub fn elo_text(summary: &Summary) -> String {
    let (low, high) = (summary.elo_low, summary.elo_high);
    match (summary.elo, summary.elo_error) {
        (Some(_), Some(_)) => format!("{} (95 %)", with_error(summary.elo, summary.elo_error)),
        _ if summary.games == 0 => "-".into(),
        (Some(elo), None) => format!("{}, {}", signed(elo), interval_text(low, high)),
        (None, _) => interval_text(low, high),
    }
}

/// An interval, either end of which may be open: `from -10.0 to +20.0 (95 %)`, `above +440.0 (95
/// %)`.
pub fn interval_text(low: Option<f64>, high: Option<f64>) -> String {
    match (low, high) {
        (Some(low), Some(high)) => format!("from {} to {} (95 %)", signed(low), signed(high)),
        (Some(low), None) => format!("above {} (95 %)", signed(low)),
        (None, Some(high)) => format!("below {} (95 %)", signed(high)),
        (None, None) => "-".into(),
    }
}

/// The log-likelihood ratio between its bounds.
pub fn llr_text(summary: &Summary, sprt: &Sprt) -> String {
    let llr = summary.llr.map_or("-".into(), |llr| format!("{llr:.2}"));
    format!("{llr} (bounds {:.2} and {:.2})", sprt.lower(), sprt.upper())
}

/// The verdict of a test as text.
pub fn verdict_text(verdict: Option<Verdict>, sprt: &Sprt) -> String {
    let elo = match sprt.model {
        Model::Normalized => "nElo",
        Model::Logistic => "Elo",
    };
    match verdict {
        Some(Verdict::H1) => {
            format!("H1: {} {elo} or more, rather than {}", signed(sprt.elo1), signed(sprt.elo0))
        }
        Some(Verdict::H0) => {
            format!("H0: {} {elo} or less, rather than {}", signed(sprt.elo0), signed(sprt.elo1))
        }
        None => format!("none yet between {} and {} {elo}", signed(sprt.elo0), signed(sprt.elo1)),
    }
}

/// A match in a few words, for a progress line: `Elo +12.3 +- 8.1  LLR 1.20`.
pub fn short_text(summary: &Summary) -> String {
    let elo = match summary.elo_error {
        Some(_) => with_error(summary.elo, summary.elo_error),
        None => interval_text(summary.elo_low, summary.elo_high),
    };
    let llr = summary.llr.map_or(String::new(), |llr| format!("  LLR {llr:.2}"));
    format!("Elo {elo}{llr}")
}
