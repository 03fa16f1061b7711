use super::network::NetworkChange;
use super::{CONSTANT, numbers};
use crate::cli::named::find_set;
use crate::cli::{Console, Ended, NamedSet, infer};
use crate::error::Result;
use crate::games::GameId;
use crate::report::role::by_sign;
use crate::report::{TextTable, units};
use crate::weights::{Weight, WeightSet, find_shipped};
use clap::Args;
use serde::Serialize;
use std::collections::HashMap;

/// The most cells of tables in the text output.
const MOST_CELLS: usize = 40;

/// Compares two weight sets: what changed from the first to the second
#[derive(Args, Debug)]
pub(in crate::cli) struct DiffArgs {
    /// The old set: a weight file, a shipped set or a run
    #[arg(value_name = "A")]
    a: String,
    /// The new set, likewise
    #[arg(value_name = "B")]
    b: String,
    /// The game of a shipped set that is named without one [default: the game of the other set, or
    /// the first one that has both]
    #[arg(long)]
    game: Option<GameId>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct WeightsDiffJson<'a> {
    a: &'a str,
    b: &'a str,
    scales: [i32; 2],
    changed: Vec<WeightChange>,
    /// The tables that differ.
    tables: Vec<TableChange>,
    /// How the networks differ; null where they are the same, or there is none.
    network: Option<NetworkChange>,
}

/// How a table differs between the two sets. A set without the table has 0 in each cell.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct TableChange {
    name: String,
    /// The cells of the larger one.
    cells: usize,
    /// Cells that are not the same.
    differing: usize,
    /// The root mean square of the old and of the new cells, each over its set's scale.
    rms: [f64; 2],
    /// The root mean square of the differences.
    rms_difference: f64,
    /// The correlation of the old and the new cells, from -1 to 1; null if all cells of one set are
    /// equal.
    correlation: Option<f64>,
}

impl TableChange {
    /// The values of `name` in the two sets, unless they are equal.
    fn of(name: &str, old: &WeightSet, new: &WeightSet) -> Option<Self> {
        let [a, b] = [old, new].map(|set| set.weights.get(name).map_or(&[][..], Weight::cells));
        Self::of_cells(name, (a, old.scale), (b, new.scale))
    }

    /// From the old cells to the new ones, each with the scale of its set.
    pub(super) fn of_cells(
        name: &str,
        (a, old_scale): (&[i32], i32),
        (b, new_scale): (&[i32], i32),
    ) -> Option<Self> {
        let cells = a.len().max(b.len());
        let at = |cells: &[i32], scale: i32, index: usize| {
            f64::from(cells.get(index).copied().unwrap_or(0)) / f64::from(scale.max(1))
        };
        let pairs: Vec<(f64, f64)> =
            (0..cells).map(|i| (at(a, old_scale, i), at(b, new_scale, i))).collect();
        let differing = (0..cells).filter(|&i| a.get(i) != b.get(i)).count();
        let mean = |value: &dyn Fn(&(f64, f64)) -> f64| {
            pairs.iter().map(value).sum::<f64>() / cells.max(1) as f64
        };
        let (mean_a, mean_b) = (mean(&|p| p.0), mean(&|p| p.1));
        let spread_a = mean(&|p| (p.0 - mean_a).powi(2)).sqrt();
        let spread_b = mean(&|p| (p.1 - mean_b).powi(2)).sqrt();
        let together = mean(&|p| (p.0 - mean_a) * (p.1 - mean_b));
        let spread = spread_a * spread_b;
        (differing > 0).then(|| Self {
            name: name.to_owned(),
            cells,
            differing,
            rms: [mean(&|p| p.0 * p.0).sqrt(), mean(&|p| p.1 * p.1).sqrt()],
            rms_difference: mean(&|p| (p.0 - p.1).powi(2)).sqrt(),
            correlation: (spread > 0.0).then(|| together / spread),
        })
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct WeightChange {
    name: String,
    old: Option<i32>,
    new: Option<i32>,
    difference: Option<i64>,
    /// The new weight over the old one, each over its scale; null where the old one is 0.
    ratio: Option<f64>,
}

pub(super) fn run(args: &DiffArgs, console: &Console) -> Result<Ended> {
    let game = args.game.unwrap_or_else(|| infer::game(&[&args.a, &args.b]));
    game.needs_engine()?;
    let find = |name: &str| find_set(name, game.name(), console);
    let (old, new) = (find(&args.a)?, find(&args.b)?);
    if old.game != new.game {
        console.note(format!("the sets are for different games, {} and {}", old.game, new.game));
    }
    let (changed, tables) = (changes(&old, &new), table_changes(&old, &new));
    let network = NetworkChange::of(&old, &new);
    let scales = [old.scale, new.scale];
    let [a, b] = [full_name(&args.a, game)?, full_name(&args.b, game)?];
    if console.json {
        console.document(&WeightsDiffJson { a: &a, b: &b, scales, changed, tables, network })?;
        return Ok(Ended::Done);
    }
    if scales[0] != scales[1] {
        console.note(format!(
            "the scales differ, {} and {}; the ratio allows for that",
            scales[0], scales[1]
        ));
    }
    if a == b {
        console.note(format!("both names mean {a}; write each with its game, as in {a}"));
    }
    if changed.is_empty() && network.is_none() {
        console.say("All weights are the same.")?;
    } else if !changed.is_empty() {
        console.say(table(&changed).fit(console.width()))?;
    }
    if !tables.is_empty() {
        console.say(format!("\n{}", table_of_tables(&tables).fit(console.width())))?;
    }
    if let Some(network) = network {
        console.say(format!("\n{}", network.table().fit(console.width())))?;
        if !network.lists.is_empty() {
            console.say(format!("\n{}", table_of_tables(&network.lists).fit(console.width())))?;
        }
    }
    Ok(Ended::Done)
}

/// The full name of a shipped set, or the path of a file.
fn full_name(named: &str, game: GameId) -> Result<String> {
    match find_shipped(named, game.name()) {
        Some(set) => Ok(set.name.into()),
        None => Ok(NamedSet::find(named, game.name())?.name()),
    }
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
            name: name.clone(),
            old: a,
            new: b,
            difference: both.map(|(a, b)| i64::from(b) - i64::from(a)),
            ratio: both.filter(|&(a, _)| a != 0).map(|(a, b)| scaled(b, new) / scaled(a, old)),
        }
    };
    names.into_iter().map(change).filter(|change| change.old != change.new).collect()
}

/// The tables of either set that differ.
fn table_changes(old: &WeightSet, new: &WeightSet) -> Vec<TableChange> {
    let is_table =
        |set: &WeightSet, name: &str| matches!(set.weights.get(name), Some(Weight::Table(_)));
    let of = |set: &WeightSet| -> Vec<String> {
        set.weights.iter().map(|(name, _)| name.to_owned()).filter(|n| is_table(set, n)).collect()
    };
    let mut names = of(old);
    names.extend(of(new).into_iter().filter(|name| !is_table(old, name)));
    names.iter().filter_map(|name| TableChange::of(name, old, new)).collect()
}

fn table_of_tables(tables: &[TableChange]) -> TextTable {
    let mut text = TextTable::new()
        .left("table")
        .shortened(12)
        .right("cells")
        .right("differ")
        .right("old rms")
        .optional(2)
        .right("new rms")
        .optional(2)
        .right("rms of change")
        .right("correlation")
        .optional(1);
    for found in tables {
        let [old, new] = found.rms.map(|rms| format!("{rms:.1}"));
        text.row([
            found.name.clone(),
            units::count(found.cells as u64),
            units::count(found.differing as u64),
            old,
            new,
            format!("{:.1}", found.rms_difference),
            found.correlation.map_or("-".into(), |number| format!("{number:.2}")),
        ]);
    }
    text
}

fn table(changed: &[WeightChange]) -> TextTable {
    let number = |value: Option<i32>| value.map_or("-".into(), |value| value.to_string());
    let mut table = TextTable::new()
        .left("feature")
        .shortened(12)
        .right("old")
        .right("new")
        .right("difference")
        .right("ratio")
        .optional(1);
    let is_cell = |change: &&WeightChange| change.name.ends_with(']');
    let cells: Vec<&WeightChange> = changed.iter().filter(is_cell).collect();
    // Where many cells changed, they are only counted.
    let listed = |change: &&WeightChange| cells.len() <= MOST_CELLS || !is_cell(change);
    for change in changed.iter().filter(listed) {
        table.row([
            change.name.clone(),
            number(change.old),
            number(change.new),
            change.difference.map_or("-".into(), |difference| {
                by_sign(difference as f64, format!("{difference:+}"))
            }),
            change.ratio.map_or("-".into(), |ratio| format!("{:.2}", ratio + 0.0)),
        ]);
    }
    if cells.len() > MOST_CELLS {
        table.row([format!("and {} cells of tables", units::count(cells.len() as u64))]);
    }
    table
}
