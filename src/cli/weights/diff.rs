//! `spar weights diff`.

use super::{CONSTANT, numbers};
use crate::cli::console::Console;
use crate::cli::ended::Ended;
use crate::cli::named::find_set;
use crate::error::Result;
use crate::games::GameId;
use crate::report::table::TextTable;
use crate::weights::WeightSet;
use clap::Args;
use serde::Serialize;
use std::collections::HashMap;

/// The most cells of tables in the text output.
const MOST_CELLS: usize = 40;

/// Compares two weight sets: what changed from the first to the second
#[derive(Args, Debug)]
pub(super) struct DiffArgs {
    /// The old set: a weight file or a shipped set
    #[arg(value_name = "A")]
    a: String,
    /// The new set, likewise
    #[arg(value_name = "B")]
    b: String,
    /// The game of a shipped set that is named without one
    #[arg(long, default_value_t)]
    game: GameId,
}

#[derive(Serialize)]
struct WeightsDiffJson<'a> {
    a: &'a str,
    b: &'a str,
    scales: [i32; 2],
    changed: Vec<WeightChange>,
}

#[derive(Serialize)]
struct WeightChange {
    feature: String,
    old: Option<i32>,
    new: Option<i32>,
    difference: Option<i64>,
    /// The new weight over the old one, each over its scale; null where the old one is 0.
    ratio: Option<f64>,
}

pub(super) fn run(args: &DiffArgs, console: &Console) -> Result<Ended> {
    let [old, new] = [find_set(&args.a, args.game.name())?, find_set(&args.b, args.game.name())?];
    if old.game != new.game {
        console.note(format!("the sets are for different games, {} and {}", old.game, new.game));
    }
    let changed = changes(&old, &new);
    let scales = [old.scale, new.scale];
    if console.json {
        console.document(&WeightsDiffJson { a: &args.a, b: &args.b, scales, changed })?;
        return Ok(Ended::Done);
    }
    if scales[0] != scales[1] {
        console.note(format!(
            "the scales differ, {} and {}; the ratio allows for that",
            scales[0], scales[1]
        ));
    }
    if changed.is_empty() {
        console.say("All weights are the same.")?;
    } else {
        console.say(table(&changed))?;
    }
    Ok(Ended::Done)
}

fn changes(old: &WeightSet, new: &WeightSet) -> Vec<WeightChange> {
    let (before, after) = (numbers(old), numbers(new));
    // A table has more than a hundred thousand cells.
    let [of_old, of_new] =
        [&before, &after].map(|cells| cells.iter().cloned().collect::<HashMap<_, _>>());
    let mut names: Vec<&String> = before.iter().map(|(name, _)| name).collect();
    names.extend(after.iter().map(|(name, _)| name).filter(|&name| !of_old.contains_key(name)));
    let change = |name: &String| {
        let (a, b) = (of_old.get(name).copied(), of_new.get(name).copied());
        let both = a.zip(b);
        let scaled = |value: i32, set: &WeightSet| match name.starts_with(CONSTANT) {
            true => f64::from(value),
            false => f64::from(value) / f64::from(set.scale.max(1)),
        };
        WeightChange {
            feature: name.clone(),
            old: a,
            new: b,
            difference: both.map(|(a, b)| i64::from(b) - i64::from(a)),
            ratio: both.filter(|&(a, _)| a != 0).map(|(a, b)| scaled(b, new) / scaled(a, old)),
        }
    };
    names.into_iter().map(change).filter(|change| change.old != change.new).collect()
}

fn table(changed: &[WeightChange]) -> TextTable {
    let number = |value: Option<i32>| value.map_or("-".into(), |value| value.to_string());
    let mut table = TextTable::new()
        .left("feature")
        .right("old")
        .right("new")
        .right("difference")
        .right("ratio");
    let is_cell = |change: &&WeightChange| change.feature.ends_with(']');
    let cells: Vec<&WeightChange> = changed.iter().filter(is_cell).collect();
    // Where many cells changed, they are only counted.
    let listed = |change: &&WeightChange| cells.len() <= MOST_CELLS || !is_cell(change);
    for change in changed.iter().filter(listed) {
        table.row([
            change.feature.clone(),
            number(change.old),
            number(change.new),
            change.difference.map_or("-".into(), |difference| format!("{difference:+}")),
            change.ratio.map_or("-".into(), |ratio| format!("{ratio:.2}")),
        ]);
    }
    if cells.len() > MOST_CELLS {
        table.row([format!("and {} cells of tables", cells.len())]);
    }
    table
}
