//! Remarks on a fit to rows: what the rows leave unknown.

use super::rows::is_knob;
use crate::cli::Console;
use crate::error::shorten;
use crate::tune::rows::{RowWeight, RowsFit};

/// Names of columns that usually tell games apart.
const GROUPS: [&str; 6] = ["game", "game_id", "gameid", "games", "group", "groups"];
/// The most columns that a note names.
const MOST_NAMED: usize = 5;
/// The most notes about dependent columns.
const MOST_DEPENDENT: usize = 5;

/// Notes weights that whole numbers change by more than their errors.
pub(super) fn note_rounding(fitted: &RowsFit, console: &Console) {
    let is_coarse = |weight: &&RowWeight| {
        weight.error.is_some_and(|error| (weight.weight.round() - weight.weight).abs() > error)
    };
    let coarse: Vec<&str> =
        fitted.weights.iter().filter(is_coarse).map(|weight| weight.name.as_str()).collect();
    if let [first, ..] = coarse[..] {
        console.note(format!(
            "rounding changed {} of {} weights, such as `{}`, by more than their errors; give larger \
             --units",
            coarse.len(),
            fitted.weights.len(),
            shorten(first)
        ));
    }
}

/// Notes a column that is fitted although its name is that of a game's number.
pub(super) fn note_group(names: &[String], console: &Console) {
    let is_group = |name: &&String| GROUPS.contains(&name.to_ascii_lowercase().as_str());
    if let Some(name) = names.iter().find(is_group) {
        console.note(format!(
            "column `{name}` is fitted as a feature; if it tells games apart, add --group {name}"
        ));
    }
}

/// Notes the weights that the rows do not determine.
pub(super) fn note_unknown(fitted: &RowsFit, console: &Console) {
    let dependent = fitted.dependent_names();
    for columns in dependent.iter().take(MOST_DEPENDENT) {
        console.note(format!(
            "of {} only a combination is known, since one follows from the others; leave one out \
             with --only",
            list(columns)
        ));
    }
    if dependent.len() > MOST_DEPENDENT {
        let more = dependent.len() - MOST_DEPENDENT;
        console.note(format!("{more} more columns follow from others (`dependent` in --json)"));
    }
    let named = |is_meant: &dyn Fn(&&RowWeight) -> bool| -> Vec<&str> {
        fitted.weights.iter().filter(is_meant).map(|weight| weight.name.as_str()).collect()
    };
    let unused = named(&|weight| !is_knob(weight));
    if !unused.is_empty() {
        console.note(format!("nothing to fit for {}: left out of the file", list(&unused)));
    }
    let is_dependent = |name: &str| dependent.iter().any(|columns| columns.contains(&name));
    let one_way =
        named(&|weight| is_knob(weight) && weight.error.is_none() && !is_dependent(&weight.name));
    if !one_way.is_empty() {
        console.note(format!(
            "no error for {}: only one game shows it, or the results of all its games lean the \
             same way, so the penalty alone limits the weight",
            list(&one_way)
        ));
    }
}

/// Notes that rows were withheld although there was only one penalty.
pub(super) fn note_withheld(fitted: &RowsFit, folds: u8, console: &Console) {
    if folds > 1 {
        let [training, validation] = fitted.rows;
        let share = 100.0 * validation as f64 / (training + validation).max(1) as f64;
        console.note(format!(
            "with one penalty, the {share:.0} % of the rows for validation choose nothing and only \
             measure the loss; --validation-folds 1 withholds fewer"
        ));
    }
}

/// The first of these names, and how many others there are.
fn list(names: &[&str]) -> String {
    let shown: Vec<String> =
        names.iter().take(MOST_NAMED).map(|name| format!("`{}`", shorten(name))).collect();
    match names.len().saturating_sub(MOST_NAMED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
