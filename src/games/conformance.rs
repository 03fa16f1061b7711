//! Conformance files, which say what a frontend's own counting must come to. They are made by the
//! code that counts, so they cannot drift from it.

use crate::error::{Error, Result};
use crate::eval::features::{NetworkTerm, patterns, sample_positions, table_weights};
use crate::eval::{Game, explain};
use crate::game::openings::below;
use crate::weights::{
    self, Activation, FORMAT, FORMAT_WITH_NETWORK, Network, ShippedSet, Weight, WeightSet,
    WindowShape,
};
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;

/// The version of the conformance files' format.
const CONFORMANCE_FORMAT: u32 = 3;

/// The positions from random play on each board of a conformance file.
const SAMPLE_SIZE: usize = 5;

/// The seed of the first board's sample; each later board takes the next one.
const SAMPLE_SEED: u64 = 2009;

const NOTE: &str = "What a reader of the weight files must arrive at. For each position: the value of every \
    feature, and the score under each of the sets, both from the side to move, as FEATURES.md defines them; the \
    value of a table is the list of the cells that are not 0, each with its count. The sets are whole weight files: \
    the shipped ones without tables and networks, one made for this file that weighs every single feature and has a \
    scale above 1, and, where the game has networks, one made for this file that has a small network. The files \
    beside this one that are named under `files` have tables or networks. The scores of sets with tables or networks \
    are given on their own boards; for the network in this file, `networks` gives the steps: the inputs that are 1, \
    the sums of the hidden units, and the network's value, not yet divided by the scale.";

/// The seed of the network's weights.
const NETWORK_SEED: u64 = 19;

/// A position of a conformance file, and what a reader must make of it.
#[derive(Serialize)]
struct Row {
    board: String,
    fen: String,
    features: serde_json::Map<String, serde_json::Value>,
    scores: BTreeMap<String, i32>,
    /// What the networks in the file make of the position.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    networks: BTreeMap<String, NetworkRow>,
}

/// What a reader must make of a position with a network, step by step.
#[derive(Serialize)]
struct NetworkRow {
    inputs: Vec<u32>,
    hidden: Vec<i32>,
    value: i64,
}

impl Row {
    fn new<G: Game>(position: &G, sets: &ConformanceSets) -> Result<Self> {
        let names = G::FEATURES.iter().map(|feature| feature.name.to_owned());
        let score = |set: &WeightSet| Ok((set.name.clone(), explain(position, set)?.score));
        let tables = G::TABLES.iter().enumerate().map(|(index, table)| {
            let cells = patterns(position, index).into_iter();
            (table.name.to_owned(), cells.map(|(cell, count)| json!([cell, count])).collect())
        });
        // A table or a network means nothing on other boards than its own.
        let fitting = |set: &&WeightSet| !is_bound::<G>(set) || set.fits_board(position.board());
        let network = |set: &WeightSet| {
            let found = explain(position, set)?.network;
            Ok(found.map(|NetworkTerm { inputs, hidden, product }| {
                (set.name.clone(), NetworkRow { inputs, hidden, value: product })
            }))
        };
        Ok(Self {
            board: position.board().to_string(),
            fen: position.fen(),
            features: names
                .zip(position.features().into_iter().map(Into::into))
                .chain(tables)
                .collect(),
            scores: sets.all().filter(fitting).map(score).collect::<Result<_>>()?,
            networks: sets
                .inside
                .iter()
                .filter_map(|set| network(set).transpose())
                .collect::<Result<_>>()?,
        })
    }
}

/// The text of `weights/<game>/conformance.json`: positions with the value of every feature and the
/// score under every shipped set of the game, one to a line. It is the same in every run.
///
/// # Errors
/// When the game's [`Guide`](crate::eval::Guide) names a position or a board that does not exist, or a finished
/// position.
pub fn conformance_json<G: Game>() -> Result<String> {
    let sets = ConformanceSets::of::<G>()?;
    let files: Vec<_> = sets.beside.iter().map(|set| format!("{}.json", set.name)).collect();
    let rows = conformance_positions::<G>()?
        .iter()
        .map(|p| Row::new(p, &sets))
        .collect::<Result<Vec<_>>>()?;
    Ok(format!(
        "{{\n  \"format\": {CONFORMANCE_FORMAT},\n  \"game\": {},\n  \"note\": {},\n  \"sets\": [\n{}\n  ],\n  \
         \"files\": {},\n  \"positions\": [\n{}\n  ]\n}}\n",
        text(&G::GAME)?,
        text(&NOTE)?,
        lines(&sets.inside)?,
        text(&files)?,
        lines(&rows)?,
    ))
}

fn text(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value)
        .map_err(|error| Error::failed("conformance file", error.to_string()))
}

/// Whether a set has a table or a network, which belong to a board.
fn is_bound<G: Game>(set: &WeightSet) -> bool {
    set.network.is_some() || G::TABLES.iter().any(|table| table_weights(set, table).is_some())
}

/// The elements of an array, one to a line.
fn lines(values: &[impl Serialize]) -> Result<String> {
    let lines: Vec<String> =
        values.iter().map(|value| Ok(format!("    {}", text(value)?))).collect::<Result<_>>()?;
    Ok(lines.join(",\n"))
}

/// The sets that a conformance file gives scores for.
struct ConformanceSets {
    /// Those that it repeats: the short ones, and those made for it.
    inside: Vec<WeightSet>,
    /// Those that it names only.
    beside: Vec<WeightSet>,
}

impl ConformanceSets {
    /// The shipped sets of a game, [`every_feature`] and [`every_network`].
    fn of<G: Game>() -> Result<Self> {
        let own = |name: &str| name.split_once('/').is_some_and(|(game, _)| game == G::GAME);
        let shipped = weights::shipped().iter().filter(|set| own(set.name));
        let shipped: Vec<_> = shipped.map(ShippedSet::read).collect::<Result<_>>()?;
        let (beside, mut inside): (Vec<_>, Vec<_>) =
            shipped.into_iter().partition(|set| is_bound::<G>(set));
        inside.push(every_feature::<G>());
        inside.extend(every_network::<G>()?);
        Ok(Self { inside, beside })
    }

    fn all(&self) -> impl Iterator<Item = &WeightSet> {
        self.inside.iter().chain(&self.beside)
    }
}

/// A set under which a mistake in any feature shows in the score, and so does rounding the wrong
/// way: the weights are 3, -5, 7, -9 and so on, the scale is 10.
fn every_feature<G: Game>() -> WeightSet {
    let mut next = 3_i32;
    let mut weights = weights::Weights::new();
    for feature in G::FEATURES {
        weights.insert(feature.name, Weight::One(next));
        next = -(next + 2 * next.signum());
    }
    WeightSet {
        format: FORMAT,
        game: G::GAME.into(),
        board: None,
        name: "every-feature".into(),
        description:
            "Made to test readers, not to play: a weight on every feature, and a scale above 1."
                .into(),
        scale: 10,
        weights,
        network: None,
        search: None,
        provenance: None,
    }
}

/// The positions picked by hand and those from random play, each once.
fn conformance_positions<G: Game>() -> Result<Vec<G>> {
    let fens = G::GUIDE.positions.lines().filter(|line| !line.starts_with('#'));
    let mut positions = fens.map(G::from_fen).collect::<Result<Vec<_>>>()?;
    for (seed, &board) in (SAMPLE_SEED..).zip(G::GUIDE.boards) {
        for position in sample_positions(&G::start(board)?, SAMPLE_SIZE, seed) {
            if !positions.contains(&position) {
                positions.push(position);
            }
        }
    }
    match positions.iter().find(|position| position.outcome().is_some()) {
        Some(over) => Err(Error::input(over.fen(), "a finished position has no score")),
        None => Ok(positions),
    }
}

/// A set whose network has units below 0, within the limit and beyond it, beside two features, with
/// a divisor and a scale above 1; `None` where the game has no networks. It is for the board of the
/// game's worked example.
///
/// # Errors
/// When the game's [`Guide`](crate::eval::Guide) names a position that does not exist.
pub(super) fn every_network<G: Game>() -> Result<Option<WeightSet>> {
    const UNITS: usize = 5;
    const WINDOW: WindowShape = WindowShape::new(2, 2);
    if G::SYMMETRY.is_none() {
        return Ok(None);
    }
    let board = G::from_fen(G::GUIDE.example)?.board();
    let mut generator = rand_mt::Mt64::new(NETWORK_SEED);
    let mut number = |most: u64| below(&mut generator, 2 * most + 1) as i64 - most as i64;
    let inputs = WINDOW.inputs(board.cols(), board.rows());
    let network = Network {
        window: WINDOW,
        units: UNITS,
        activation: Activation::Screlu,
        limit: 127,
        divisor: 997,
        hidden_biases: (0..UNITS).map(|_| number(60) as i16).collect(),
        output_bias: -123_456,
        output_weights: [900, -800, 500, -700, 600].to_vec(),
        hidden_weights: (0..inputs * UNITS).map(|_| number(60) as i8).collect(),
    };
    let weights = G::FEATURES.iter().map(|feature| feature.name).zip([7, -5].map(Weight::One));
    Ok(Some(WeightSet {
        format: FORMAT_WITH_NETWORK,
        game: G::GAME.into(),
        board: Some(board.to_string()),
        name: "every-network".into(),
        description: "Made to test readers, not to play: a network of random weights.".into(),
        scale: 10,
        weights: weights.collect(),
        network: Some(network),
        search: None,
        provenance: None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{GameId, with_game};

    #[test]
    fn every_feature_has_a_weight_of_its_own() {
        for &game in GameId::ALL {
            let set = with_game!(game, G => every_feature::<G>());
            let mut cells: Vec<i32> =
                set.weights.iter().flat_map(|(_, weight)| weight.cells().to_vec()).collect();
            assert_eq!(cells[..4], [3, -5, 7, -9]);
            let count = cells.len();
            cells.sort_unstable();
            cells.dedup();
            assert_eq!(cells.len(), count);
        }
    }
}
