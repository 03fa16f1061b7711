//! Networks in the output of `spar weights`.

use super::diff::TableChange;
use crate::game::Board;
use crate::games::GameId;
use crate::report::{Facts, TextTable, units};
use crate::weights::{Activation, InputScheme, Network, WeightSet};
use serde::Serialize;

/// A network in a few numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct NetworkSummary {
    /// Rows x columns of its windows.
    window: String,
    /// The number of hidden units.
    units: usize,
    activation: Activation,
    limit: i16,
    divisor: i32,
    /// The inputs: patterns of all windows of the board, and whose turn it is.
    inputs: usize,
    /// All numbers that training changes: weights and biases.
    parameters: usize,
    /// The smallest and the greatest; null where they are packed or there are none.
    hidden_weights: Option<[i32; 2]>,
    hidden_biases: Option<[i32; 2]>,
    output_weights: Option<[i32; 2]>,
    output_bias: i32,
    /// The bounds of all possible values, before the division by the scale.
    values: [i64; 2],
}

impl NetworkSummary {
    /// The network of a set, if there is one.
    pub(super) fn of(set: &WeightSet) -> Option<Self> {
        let network = set.network.as_ref()?;
        let board: Option<Board> = set.board.as_deref().and_then(|board| board.parse().ok());
        let scheme = scheme(&set.game);
        let inputs = board.map_or(0, |board| scheme.inputs(network.window, board));
        let Network { units, activation, limit, divisor, output_bias, .. } = *network;
        let square = i64::from(limit).pow(2);
        let greatest = |sign: i64| {
            let outputs = network.output_weights.iter().map(|&weight| i64::from(weight));
            let sum: i64 = outputs.filter(|weight| weight * sign > 0).sum();
            (i64::from(output_bias) + sum * square) / i64::from(divisor.max(1))
        };
        Some(Self {
            window: network.window.to_string(),
            units,
            activation,
            limit,
            divisor,
            inputs,
            parameters: (inputs + 2) * units + 1,
            hidden_weights: range(&network.hidden_weights),
            hidden_biases: range(&network.hidden_biases),
            output_weights: range(&network.output_weights),
            output_bias,
            values: [greatest(-1), greatest(1)],
        })
    }

    /// Its size in words.
    pub(super) fn size(&self) -> String {
        format!("{} units over {} windows", self.units, self.window)
    }

    /// Adds the network's numbers to the facts of a set.
    pub(super) fn add_to(&self, facts: &mut Facts) {
        let [inputs, parameters] =
            [self.inputs, self.parameters].map(|number| units::count(number as u64));
        facts.add("network", format!("{}, {inputs} inputs, {parameters} numbers", self.size()));
        let shown = |range: Option<[i32; 2]>| match range {
            Some([least, most]) => format!("{least} to {most}"),
            None => "none".into(),
        };
        let [hidden, biases, outputs] =
            [self.hidden_weights, self.hidden_biases, self.output_weights].map(shown);
        facts.add("", format!("hidden weights {hidden}, biases {biases}, limit {}", self.limit));
        facts.add(
            "",
            format!(
                "output weights {outputs}, bias {}, divisor {}",
                self.output_bias, self.divisor
            ),
        );
        let [least, most] = self.values;
        facts.add("", format!("values {least} to {most} at most, over the scale"));
    }

    /// The settings, with their names.
    fn settings(&self) -> [(&'static str, String); 5] {
        [
            ("window", self.window.clone()),
            ("units", self.units.to_string()),
            ("limit", self.limit.to_string()),
            ("divisor", self.divisor.to_string()),
            ("output_bias", self.output_bias.to_string()),
        ]
    }
}

/// The input scheme of a game's networks.
fn scheme(game: &str) -> InputScheme {
    let id: GameId = game.parse().unwrap_or_default();
    id.networks
}

fn range<T: Copy + Ord + Into<i32>>(numbers: &[T]) -> Option<[i32; 2]> {
    Some([(*numbers.iter().min()?).into(), (*numbers.iter().max()?).into()])
}

/// How the network differs between the two sets.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct NetworkChange {
    /// The old one; null where there was none.
    old: Option<NetworkSummary>,
    /// The new one; null where there is none.
    new: Option<NetworkSummary>,
    /// The lists that differ, where both networks have the same units, windows and board.
    pub(super) lists: Vec<TableChange>,
}

impl NetworkChange {
    /// The change from one set to the other; `None` if both have the same network.
    pub(super) fn of(old: &WeightSet, new: &WeightSet) -> Option<Self> {
        if old.network == new.network {
            return None;
        }
        let [before, after] = [old, new].map(NetworkSummary::of);
        let lists = match (&old.network, &new.network) {
            (Some(a), Some(b)) if shape(a) == shape(b) && old.board == new.board => lists(a, b),
            _ => Vec::new(),
        };
        Some(Self { old: before, new: after, lists })
    }

    /// The settings that differ.
    pub(super) fn table(&self) -> TextTable {
        let mut table = TextTable::new().left("network").right("old").right("new");
        let [old, new] =
            [&self.old, &self.new].map(|network| network.as_ref().map(NetworkSummary::settings));
        for place in 0..5 {
            let value = |side: &Option<[(&'static str, String); 5]>| {
                side.as_ref().map_or("-".into(), |settings| settings[place].1.clone())
            };
            let name = old.as_ref().or(new.as_ref()).map_or("", |settings| settings[place].0);
            let (a, b) = (value(&old), value(&new));
            if a != b {
                table.row([name.to_owned(), a, b]);
            }
        }
        table
    }
}

/// The layout that two networks must share for their numbers to be comparable.
fn shape(network: &Network) -> (usize, String) {
    (network.units, network.window.to_string())
}

fn lists(old: &Network, new: &Network) -> Vec<TableChange> {
    fn wide<T: Copy + Into<i32>>(numbers: &[T]) -> Vec<i32> {
        numbers.iter().map(|&number| number.into()).collect()
    }
    let pairs = [
        ("hidden_weights", wide(&old.hidden_weights), wide(&new.hidden_weights)),
        ("hidden_biases", wide(&old.hidden_biases), wide(&new.hidden_biases)),
        ("output_weights", wide(&old.output_weights), wide(&new.output_weights)),
    ];
    pairs
        .into_iter()
        .filter_map(|(name, a, b)| TableChange::of_cells(name, (&a, 1), (&b, 1)))
        .collect()
}
