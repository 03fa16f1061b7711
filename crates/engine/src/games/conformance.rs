//! Conformance files: expected results for other frontends' own implementations. The evaluation
//! code itself generates them, so they cannot drift from it.

use crate::error::{Error, Result};
use crate::eval::features::{NetworkTerm, patterns, sample_positions, table_weights};
use crate::eval::phase::phase_of;
use crate::eval::{Evaluator, Game, NetworkView, explain};
use crate::game::openings::below;
use crate::game::{Board, MoveList, Outcome, Repetitions, Side, perft};
use crate::weights::{
    self, Activation, FORMAT, FORMAT_WITH_NETWORK, Network, Phase, ShippedSet, Weight, WeightSet,
    WindowShape,
};
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;

/// The version of the conformance file format.
const CONFORMANCE_FORMAT: u32 = 5;

/// The number of positions from random play for each board of a conformance file.
const SAMPLE_SIZE: usize = 5;

/// The seed of the first board's sample; each later board uses the next seed.
const SAMPLE_SEED: u64 = 2009;

const NOTE: &str = "What a reader of the weight files must arrive at. For each position: the value of every \
    feature, and the score under each of the sets, both from the side to move, as FEATURES.md defines them; the \
    value of a table is the list of the cells that are not 0, each with its count. The sets are whole weight files: \
    the shipped ones without tables and networks, one made for this file that weighs every single feature and has a \
    scale above 1, where the game has phases the same with weights by phase, and where it has networks one made \
    for this file that has a small network. The files \
    beside this one that are named under `files` have tables or networks. For each set, `units` tells what a piece is worth in units of the score (`unit`), \
    and how many units make one logit of the result (`win_scale`). The scores of sets with tables or networks \
    are given on their own boards; for the network in this file, `networks` gives the steps: the inputs that are 1, \
    the sums of the hidden units, and the network's value, not yet divided by the scale. Of the rules, each position \
    has its legal moves, sorted, and the number of lines of 1, 2 and 3 plies (`perft`). `minimax` is the value by a \
    search of 1 and 2 plies without any pruning, under the set `every-feature`: the score where the plies are used \
    up, 1000000000 - n where the side to move wins after n plies, the negative of that where it loses, 0 for a draw. A \
    value changes its sign only from a ply to the next of the other side. `games` has games of random moves from the \
    start of a board to their end.";

/// The greatest depth of `perft`, in plies.
const PERFT_DEPTH: u32 = 3;

/// The greatest depth of `minimax`, in plies.
const MINIMAX_DEPTH: u32 = 2;

/// The score of an immediate win.
const WIN: i32 = 1_000_000_000;

/// The seed of the test network's weights.
const NETWORK_SEED: u64 = 19;

/// A position of a conformance file with a reader's expected results.
#[derive(Serialize)]
struct Row {
    board: String,
    fen: String,
    features: serde_json::Map<String, serde_json::Value>,
    /// The phase, in games with phases.
    #[serde(skip_serializing_if = "Option::is_none")]
    phase: Option<i32>,
    scores: BTreeMap<String, i32>,
    /// The legal moves, sorted.
    moves: Vec<String>,
    /// The number of lines of 1, 2, ... plies.
    perft: Vec<u64>,
    /// The values of searches of 1, 2, ... plies.
    minimax: Vec<i32>,
    /// The values of the file's networks for the position.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    networks: BTreeMap<String, NetworkRow>,
}

/// A network's intermediate results and value for a position.
#[derive(Serialize)]
struct NetworkRow {
    inputs: Vec<u32>,
    hidden: Vec<i32>,
    value: i64,
}

/// A game of random moves from the start of a board.
#[derive(Serialize)]
struct ConformanceGame {
    board: String,
    moves: Vec<String>,
    /// The final position of the game.
    fen: String,
    result: &'static str,
}

impl ConformanceGame {
    /// Plays a random game; `None` if it does not end within 1,000 plies.
    fn random<G: Game>(board: Board, seed: u64) -> Result<Option<Self>> {
        const MOST_PLIES: usize = 1000;
        let (mut generator, mut moves) = (rand_mt::Mt64::new(seed), Vec::new());
        let (mut position, mut met) = (G::start(board)?, Repetitions::default());
        while moves.len() < MOST_PLIES {
            let repeated = met.meet(&position).then_some(Outcome::Draw);
            if let Some(outcome) = position.outcome().or(repeated) {
                let result = match outcome {
                    Outcome::Win(Side::First) => "1-0",
                    Outcome::Win(Side::Second) => "0-1",
                    Outcome::Draw => "1/2-1/2",
                };
                let (board, fen) = (board.to_string(), position.fen());
                return Ok(Some(Self { board, moves, fen, result }));
            }
            let mut list = MoveList::new();
            position.moves(&mut list);
            let mv = list[below(&mut generator, list.len() as u64) as usize];
            moves.push(position.move_text(mv));
            position = position.play_unchecked(mv);
        }
        Ok(None)
    }
}

fn legal_moves<G: Game>(position: &G) -> Vec<String> {
    let mut list = MoveList::new();
    position.moves(&mut list);
    let mut moves: Vec<String> = list.iter().map(|&mv| position.move_text(mv)).collect();
    moves.sort();
    moves
}

/// The value of a position by a full-width search of `depth` plies, `ply` plies from the root.
fn minimax<G: Game>(position: &G, evaluator: &G::Evaluator, depth: u32, ply: i32) -> i32 {
    let side = position.side_to_move();
    match position.outcome() {
        Some(Outcome::Win(winner)) if winner == side => return WIN - ply,
        Some(Outcome::Win(_)) => return ply - WIN,
        Some(Outcome::Draw) => return 0,
        None if depth == 0 => return evaluator.evaluate(position),
        None => {}
    }
    let mut moves = MoveList::new();
    position.moves(&mut moves);
    let value = |&mv: &G::Move| {
        let next = position.play_unchecked(mv);
        let value = minimax(&next, evaluator, depth - 1, ply + 1);
        if next.side_to_move() == side { value } else { -value }
    };
    moves.iter().map(value).max().unwrap_or_default()
}

impl Row {
    fn new<G: Game>(position: &G, sets: &ConformanceSets) -> Result<Self> {
        let evaluator = G::evaluator(&every_feature::<G>())?;
        let names = G::FEATURES.iter().map(|feature| feature.name.to_owned());
        let score = |set: &WeightSet| Ok((set.name.clone(), explain(position, set)?.score));
        let tables = G::TABLES.iter().enumerate().map(|(index, table)| {
            let cells = patterns(position, index).into_iter();
            (table.name.to_owned(), cells.map(|(cell, count)| json!([cell, count])).collect())
        });
        // Tables and networks are valid on their own board only.
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
            phase: G::PHASE.map(|_| phase_of::<G>(&position.inputs())),
            scores: sets.all().filter(fitting).map(score).collect::<Result<_>>()?,
            moves: legal_moves(position),
            perft: (1..=PERFT_DEPTH).map(|depth| perft(position, depth)).collect(),
            minimax: (1..=MINIMAX_DEPTH)
                .map(|depth| minimax(position, &evaluator, depth, 0))
                .collect(),
            networks: sets
                .inside
                .iter()
                .filter_map(|set| network(set).transpose())
                .collect::<Result<_>>()?,
        })
    }
}

/// The text of `weights/<game>/conformance.json`, one position on each line: the values of all
/// features, the score under every shipped set of the game, and the results of the rules; and
/// games. It is the same in every run.
///
/// # Errors
/// When the game's [`Guide`](crate::eval::Guide) names an invalid position or board, or a finished
/// position.
pub fn conformance_json<G: Game>() -> Result<String> {
    let sets = ConformanceSets::of::<G>()?;
    let files: Vec<_> = sets.beside.iter().map(|set| format!("{}.json", set.name)).collect();
    let unit = |set: &WeightSet| G::evaluator(set).map(|evaluator| evaluator.unit());
    let units = sets.all().map(|set| Ok((&set.name, G::GUIDE.score_units(unit(set)?))));
    let units: BTreeMap<_, _> = units.collect::<Result<_>>()?;
    let rows = conformance_positions::<G>()?
        .iter()
        .map(|p| Row::new(p, &sets))
        .collect::<Result<Vec<_>>>()?;
    let games = random_games::<G>()?;
    Ok(format!(
        "{{\n  \"format\": {CONFORMANCE_FORMAT},\n  \"game\": {},\n  \"note\": {},\n  \"sets\": [\n{}\n  ],\n  \
         \"files\": {},\n  \"units\": {},\n  \"positions\": [\n{}\n  ],\n  \"games\": [\n{}\n  ]\n}}\n",
        text(&G::GAME)?,
        text(&NOTE)?,
        lines(&sets.inside)?,
        text(&files)?,
        text(&units)?,
        lines(&rows)?,
        lines(&games)?,
    ))
}

/// Two games on each of the boards that positions are taken from.
fn random_games<G: Game>() -> Result<Vec<ConformanceGame>> {
    let mut boards: Vec<Board> = Vec::new();
    for &board in G::GUIDE.boards {
        if !boards.contains(&board) {
            boards.push(board);
        }
    }
    let twice = boards.iter().flat_map(|&board| [board; 2]).zip(SAMPLE_SEED..);
    let games = twice.map(|(board, seed)| ConformanceGame::random::<G>(board, seed));
    Ok(games.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
}

fn text(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value)
        .map_err(|error| Error::failed("conformance file", error.to_string()))
}

/// Whether a set has a table or a network, which bind it to its board.
fn is_bound<G: Game>(set: &WeightSet) -> bool {
    set.network.is_some() || G::TABLES.iter().any(|table| table_weights(set, table).is_some())
}

/// The elements of an array, one on each line.
fn lines(values: &[impl Serialize]) -> Result<String> {
    let lines: Vec<String> =
        values.iter().map(|value| Ok(format!("    {}", text(value)?))).collect::<Result<_>>()?;
    Ok(lines.join(",\n"))
}

/// The sets whose scores a conformance file lists.
struct ConformanceSets {
    /// Sets that the file includes: the short ones, and the test sets.
    inside: Vec<WeightSet>,
    /// Sets that the file refers to by name only.
    beside: Vec<WeightSet>,
}

impl ConformanceSets {
    /// The shipped sets of a game, with [`every_feature`], [`every_phase`] and [`every_network`].
    fn of<G: Game>() -> Result<Self> {
        let own = |name: &str| name.split_once('/').is_some_and(|(game, _)| game == G::GAME);
        let shipped = weights::shipped().iter().filter(|set| own(set.name));
        let shipped: Vec<_> = shipped.map(ShippedSet::read).collect::<Result<_>>()?;
        let (beside, mut inside): (Vec<_>, Vec<_>) =
            shipped.into_iter().partition(|set| is_bound::<G>(set));
        inside.push(every_feature::<G>());
        inside.extend(every_phase::<G>());
        inside.extend(every_network::<G>()?);
        Ok(Self { inside, beside })
    }

    fn all(&self) -> impl Iterator<Item = &WeightSet> {
        self.inside.iter().chain(&self.beside)
    }
}

/// A test set whose score reveals a mistake in any feature, and rounding in the wrong direction:
/// the weights are 3, -5, 7, -9 and so on, the scale is 10.
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

/// The same, with an early and a late weight for two of three features. They mostly differ in sign,
/// so that interpolated weights are rounded from both sides. `None` for a game without phases.
fn every_phase<G: Game>() -> Option<WeightSet> {
    G::PHASE?;
    let mut set = every_feature::<G>();
    for feature in G::FEATURES.iter().enumerate().filter(|(place, _)| place % 3 > 0) {
        let name = feature.1.name;
        let early = set.one(name).unwrap_or(0);
        set.split_by_phase(name);
        set.weights.insert(&Phase::Late.name(name), Weight::One(4 - 3 * early));
    }
    set.name = "every-phase".into();
    set.description = "Made to test readers, not to play: weights by phase.".into();
    Some(set)
}

/// The hand-picked positions and the positions from random play, without duplicates.
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

/// A test set with a network whose hidden sums are below 0, within the limit and above it, together
/// with two features, a divisor and a scale above 1. It is for the board of the game's worked
/// example. `None` for a game without networks.
///
/// # Errors
/// When the game's [`Guide`](crate::eval::Guide) names an invalid position.
pub(super) fn every_network<G: Game>() -> Result<Option<WeightSet>> {
    const MOST_UNITS: usize = 5;
    const MOST_WEIGHTS: usize = 60_000;
    const WINDOW: WindowShape = WindowShape::new(2, 2);
    if G::SYMMETRY.is_none() {
        return Ok(None);
    }
    let board = G::from_fen(G::GUIDE.example)?.board();
    let mut generator = rand_mt::Mt64::new(NETWORK_SEED);
    let mut number = |most: u64| below(&mut generator, 2 * most + 1) as i64 - most as i64;
    let inputs = G::NetworkView::SCHEME.inputs(WINDOW, board);
    let units = MOST_UNITS.min(MOST_WEIGHTS / inputs);
    let network = Network {
        window: WINDOW,
        units,
        activation: Activation::Screlu,
        limit: 127,
        divisor: 997,
        hidden_biases: (0..units).map(|_| number(60) as i16).collect(),
        output_bias: -123_456,
        output_weights: [900, -800, 500, -700, 600][..units].to_vec(),
        hidden_weights: (0..inputs * units).map(|_| number(60) as i8).collect(),
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
    use crate::games::{Ataxx, Breakthrough, Breakthru};

    #[test]
    fn every_feature_has_a_weight_of_its_own() {
        let sets = [every_feature::<Breakthrough>(), every_feature::<Ataxx>()];
        for set in sets.into_iter().chain([every_feature::<Breakthru>()]) {
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
