//! Definitions of features, and explanations of scores term by term.

use super::network::NetworkView;
use super::pattern_table::PatternTable;
use super::phase::phase_of;
use super::{Game, Score};
use crate::error::{Error, Result};
use crate::game::{Board, Position};
use crate::weights::{FeatureShape, Weight, WeightSet};
use serde::Serialize;
use std::collections::BTreeMap;

/// A feature of a position: one named number that a weight multiplies.
#[derive(Clone, Copy, Debug)]
pub struct Feature<Inputs: 'static> {
    /// Its name in weight files.
    pub name: &'static str,
    /// The section of the list that it belongs to, such as its source article.
    pub family: &'static str,
    /// Its definition in words.
    pub words: &'static str,
    /// The definition as a formula, in the notation that FEATURES.md explains.
    pub formula: &'static str,
    /// The greatest absolute value that it takes in any position on any board.
    pub limit: u32,
    /// The weight file format that introduced it. Files of older formats may lack it.
    pub since: u32,
    /// Counts it in a position.
    pub count: fn(&Inputs) -> i32,
}

impl<Inputs> Feature<Inputs> {
    /// A feature that the first format of weight files already had.
    pub const fn new(
        name: &'static str,
        family: &'static str,
        limit: u32,
        words: &'static str,
        formula: &'static str,
        count: fn(&Inputs) -> i32,
    ) -> Self {
        Self { name, family, words, formula, limit, since: 1, count }
    }
}

/// The names and shapes of a game's features in weight files for a board, or for any board.
pub fn shapes<G: Game>(board: Option<Board>) -> Vec<FeatureShape> {
    let one = |feature: &Feature<G::Inputs>| FeatureShape {
        name: feature.name,
        table: None,
        since: feature.since,
    };
    let table = |table: &PatternTable| FeatureShape {
        name: table.name,
        table: Some(board.map_or(0, |board| (table.cells)(board))),
        since: 0,
    };
    G::FEATURES.iter().map(one).chain(G::TABLES.iter().map(table)).collect()
}

/// Checks that a set fits the game. Errors name the set by `place`.
///
/// # Errors
/// When the set names another game or an invalid board, lacks a feature or has an unknown one.
pub fn check_set<G: Game>(set: &WeightSet, place: &str) -> Result<()> {
    let board = set.board.as_deref().map(str::parse::<Board>).transpose();
    let board = board.map_err(|e| e.within(format!("{place}, key `board`")))?;
    let board = board.filter(|board| G::boards().contains(board));
    set.check(place, G::GAME, &shapes::<G>(board))?;
    if G::PHASE.is_none() && set.has_phases() {
        let reason = format!("sets of {} have no weights by phase", G::GAME);
        return Err(Error::input(format!("{place}, key `weights`"), reason)
            .remedy("give each feature a single weight"));
    }
    check_network::<G>(set, place, board)
}

/// Checks that the game has networks and that a set's network fits the set's board.
fn check_network<G: Game>(set: &WeightSet, place: &str, board: Option<Board>) -> Result<()> {
    let Some(network) = &set.network else { return Ok(()) };
    if G::SYMMETRY.is_none() {
        let reason = format!("sets of {} have no networks", G::GAME);
        return Err(Error::input(format!("{place}, key `network`"), reason).remedy("remove it"));
    }
    let Some(board) = board else {
        return Err(Error::input(format!("{place}, key `board`"), "names no board of the game")
            .remedy("name the board that the network was made for"));
    };
    network.check(place, G::NetworkView::SCHEME, board)
}

/// The weights of a set's table and the board they belong to; `None` if the set lacks the table.
pub fn table_weights<'a>(set: &'a WeightSet, table: &PatternTable) -> Option<(Board, &'a [i32])> {
    let board = set.board.as_deref()?.parse().ok()?;
    match set.weights.get(table.name)? {
        Weight::Table(weights) if !weights.is_empty() => Some((board, weights)),
        _ => None,
    }
}

/// Checks that a set can be used on a board. Single weights work on any board of their game; tables
/// work only on their own. Errors name the set by `place`.
///
/// # Errors
/// When the set has tables or a network for another board.
pub fn check_board(set: &WeightSet, place: &str, board: Board) -> Result<()> {
    match part_of_one_board(set) {
        Some((name, kind)) if !set.fits_board(board) => {
            let own = set.board.as_deref().unwrap_or_default();
            Err(Error::input(
                format!("{place}, key `{name}`"),
                format!("a {kind} for {own}, not for {board}"),
            )
            .remedy(format!("play on {own}, or use a set without {kind}s")))
        }
        _ => Ok(()),
    }
}

/// The only board that a set can be used on; `None` if it works on any board of its game.
pub fn only_board(set: &WeightSet) -> Option<&str> {
    part_of_one_board(set).and(set.board.as_deref())
}

/// The part that binds a set to its board, if any: its name and its kind.
fn part_of_one_board(set: &WeightSet) -> Option<(&str, &'static str)> {
    let is_table =
        |weight: &Weight| matches!(weight, Weight::Table(weights) if !weights.is_empty());
    let table = set.weights.iter().find(|&(_, weight)| is_table(weight));
    let bound = table.map(|(name, _)| (name, "table"));
    bound.or(set.network.is_some().then_some(("network", "network")))
}

/// The single weights of a set at a phase, in the order of the game's feature list. Missing weights
/// are 0.
pub(super) fn weights_at<G: Game>(set: &WeightSet, phase: i32) -> Vec<i32> {
    G::FEATURES.iter().map(|feature| set.one_at(feature.name, phase).unwrap_or(0)).collect()
}

/// One term of a score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Term {
    /// The feature's name.
    pub name: &'static str,
    /// The feature's value in the position, from the side to move.
    pub value: i32,
    /// Its weight in the set, at the position's phase.
    pub weight: i32,
    /// Weight x value, not yet divided by the scale.
    pub product: i64,
}

/// The term of a pattern table in a score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TableTerm {
    /// The table's name.
    pub name: &'static str,
    /// The patterns of the position, ordered by cell: cell, number of occurrences, and weight.
    pub patterns: Vec<(usize, i32, i32)>,
    /// The sum of the products, not yet divided by the scale.
    pub product: i64,
}

/// The term of a network in a score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NetworkTerm {
    /// The active inputs: the inputs of the windows in their order, then the others.
    pub inputs: Vec<u32>,
    /// The sums of the hidden units before clipping.
    pub hidden: Vec<i32>,
    /// The network's value from the side to move, not yet divided by the scale.
    pub product: i64,
}

/// A score explained term by term.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// The phase of the position, if the set has weights by phase.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<i32>,
    /// Every feature, in the order of the game's list.
    pub terms: Vec<Term>,
    /// The tables that the set has for the position's board.
    pub tables: Vec<TableTerm>,
    /// The network, if the set has one for the position's board.
    pub network: Option<NetworkTerm>,
    /// The sum of the products.
    pub sum: i64,
    /// The set's divisor.
    pub scale: i32,
    /// The sum divided by the scale, rounded toward zero.
    pub score: Score,
}

/// Explains the static value of a position term by term. The position may be finished: its features
/// are counted as usual, although a search would score it as a win or a loss.
///
/// # Errors
/// When the set does not fit the game.
pub fn explain<G: Game>(position: &G, set: &WeightSet) -> Result<Explanation> {
    check_set::<G>(set, &format!("weight set `{}`", set.name))?;
    let phase = set.has_phases().then(|| phase_of::<G>(&position.inputs()));
    let weights = weights_at::<G>(set, phase.unwrap_or(0));
    let terms: Vec<Term> = G::FEATURES
        .iter()
        .zip(position.features())
        .zip(weights)
        .map(|((feature, value), weight)| Term {
            name: feature.name,
            value,
            weight,
            product: i64::from(weight) * i64::from(value),
        })
        .collect();
    let tables = table_terms(position, set);
    let network = network_term(position, set);
    let sum = terms.iter().map(|term| term.product).sum::<i64>()
        + tables.iter().map(|table| table.product).sum::<i64>()
        + network.as_ref().map_or(0, |network| network.product);
    let score = sum / i64::from(set.scale.max(1));
    let score = Score::try_from(score).unwrap_or(if score < 0 { Score::MIN } else { Score::MAX });
    Ok(Explanation { phase, terms, tables, network, sum, scale: set.scale, score })
}

/// The matching cells of a table in a position, each with its number of occurrences, by cell.
pub fn patterns<G: Game>(position: &G, table: usize) -> BTreeMap<usize, i32> {
    let mut patterns = BTreeMap::new();
    for cell in position.cells(table) {
        *patterns.entry(cell as usize).or_insert(0) += 1;
    }
    patterns
}

fn table_terms<G: Game>(position: &G, set: &WeightSet) -> Vec<TableTerm> {
    let term = |(index, table): (usize, &PatternTable)| {
        let (_, weights) =
            table_weights(set, table).filter(|&(board, _)| board == position.board())?;
        let weigh =
            |(cell, count): (usize, i32)| (cell, count, weights.get(cell).copied().unwrap_or(0));
        let patterns: Vec<_> = patterns(position, index).into_iter().map(weigh).collect();
        let product =
            patterns.iter().map(|&(_, count, weight)| i64::from(count) * i64::from(weight)).sum();
        Some(TableTerm { name: table.name, patterns, product })
    };
    G::TABLES.iter().enumerate().filter_map(term).collect()
}

/// The network's term, computed directly from its definition.
fn network_term<G: Game>(position: &G, set: &WeightSet) -> Option<NetworkTerm> {
    let network = set.network.as_ref().filter(|_| set.fits_board(position.board()))?;
    let view = position.network_view();
    let inputs = (G::NetworkView::reader(network.window).read)(view).to_vec();
    let mut hidden: Vec<i32> = network.hidden_biases.iter().map(|&bias| bias.into()).collect();
    for &input in &inputs {
        let weights = network.hidden_weights.chunks_exact(network.units.max(1)).nth(input as usize);
        for (sum, weight) in hidden.iter_mut().zip(weights.unwrap_or_default()) {
            *sum += i32::from(*weight);
        }
    }
    let active = hidden.iter().map(|&sum| i64::from(sum.clamp(0, network.limit.into())).pow(2));
    let outputs = network.output_weights.iter().zip(active);
    let sum = outputs.map(|(&weight, active)| i64::from(weight) * active).sum::<i64>();
    let value = (i64::from(network.output_bias) + sum) / i64::from(network.divisor.max(1));
    let product = i64::from(view.sign()) * value;
    Some(NetworkTerm { inputs, hidden, product })
}

/// A sample of unfinished positions from random play, the same in every release. Scales are
/// measured on it.
pub fn sample_positions<P: Position>(start: &P, count: usize, seed: u64) -> Vec<P> {
    use crate::game::openings::{Opening, below};
    let mut generator = rand_mt::Mt64::new(seed);
    let mut sample = Vec::with_capacity(count);
    // A random game can end before the drawn ply; then another one is drawn. The bound ends the
    // loop on boards where every game ends too early.
    for _ in 0..count.saturating_mul(8) {
        if sample.len() == count {
            break;
        }
        let plies = 4 + below(&mut generator, 40) as u32;
        sample
            .extend(Opening::random(start, plies, &mut generator).map(|opening| opening.position));
    }
    sample
}
