//! Networks: their value against their definition, their files, and their training.

mod checkpoints;
pub(crate) mod definition;
mod files;
mod lines;
pub(crate) mod made;
mod readers;
mod training;

use crate::common::{TestedGame, sample};
use definition::{Defined, define};
use made::{Numbers, network, set};
use rand_mt::Mt64;
use sparring::eval::{Evaluator, NetworkView, explain};
use sparring::game::{Board, Position};
use sparring::games::{Ataxx, Breakthrough, Breakthru, GameId};
use sparring::weights::{WeightSet, WindowShape};

/// Hidden units of the networks: one, few, a whole group of those that are added up at once, one
/// more than that, and two groups.
const UNITS: [usize; 5] = [1, 5, 64, 65, 128];

/// Positions of random games, and boards with pieces strewn over them.
fn positions<G: TestedGame>(board: Board, generator: &mut Mt64) -> Vec<G> {
    let mut positions = sample::<G>(board, 12, generator.next_u64());
    positions.extend([10, 40, 90].map(|density| G::scattered(board, density, generator)));
    positions.retain(|position| position.outcome().is_none());
    let passed: Vec<G> = positions.iter().filter_map(G::pass).collect();
    positions.extend(passed);
    positions
}

/// The evaluator, the explanation and the definition agree; returns the values.
fn check<G: TestedGame>(set: &WeightSet, positions: &[G]) -> Vec<i64> {
    let evaluator = G::evaluator(set).unwrap();
    let document = serde_json::from_str(&set.to_json()).unwrap();
    let game = GameId::of::<G>();
    let value = |position: &G| {
        let fen = position.fen();
        let expected = define(game, &document, &fen);
        let explained = explain(position, set).unwrap();
        let term = explained.network.unwrap();
        let found = Defined { inputs: term.inputs, hidden: term.hidden, value: term.product };
        assert_eq!(found, expected, "{fen}");
        let features: i64 =
            explained.terms.iter().map(|t| i64::from(t.weight) * i64::from(t.value)).sum();
        let score = (features + expected.value) / i64::from(set.scale);
        assert_eq!(i64::from(explained.score), score, "{fen}");
        assert_eq!(i64::from(evaluator.evaluate(position)), score, "{fen}");
        expected.value
    };
    positions.iter().map(value).collect()
}

fn networks_are_their_definition<G: TestedGame>(boards: &[Board]) {
    let mut generator = Mt64::new(19);
    let (mut values, mut greatest) = (Vec::new(), 0);
    for (place, &board) in boards.iter().enumerate() {
        let positions = positions::<G>(board, &mut generator);
        for &window in G::NetworkView::SCHEME.windows {
            for (index, units) in UNITS.into_iter().enumerate() {
                for numbers in [Numbers::Usual, Numbers::Extreme] {
                    let made = network::<G>(board, window, units, numbers, &mut generator);
                    let scale = [1, 7, 50][(place + index) % 3];
                    let found = check(&set::<G>(board, made, scale), &positions);
                    greatest = found.iter().fold(greatest, |most, value| most.max(value.abs()));
                    values.extend(found);
                }
            }
        }
    }
    // The sums come near the end of 32 bits, and are of either sign.
    assert!(greatest > 9_000_000, "{greatest}");
    let signs = [1, -1].map(|sign| values.iter().filter(|&&value| value * sign > 0).count());
    assert!(signs.iter().all(|&count| count * 4 > values.len()), "{signs:?}");
}

#[test]
fn networks_of_breakthrough_are_their_definition() {
    // On a board of two columns there are no windows of three.
    let boards = [(8, 8), (5, 5), (8, 5), (3, 7), (2, 8)].map(|(c, r)| Board::new(c, r));
    networks_are_their_definition::<Breakthrough>(&boards);
}

#[test]
fn networks_of_ataxx_are_their_definition() {
    let boards = [(7, 7), (8, 8), (4, 4), (4, 7)].map(|(c, r)| Board::new(c, r));
    networks_are_their_definition::<Ataxx>(&boards);
}

#[test]
fn networks_of_breakthru_are_their_definition() {
    networks_are_their_definition::<Breakthru>(&[Board::new(11, 11)]);
}

/// On boards other than its own, a network counts for nothing.
#[test]
fn a_network_counts_on_its_own_board_alone() {
    let (board, other) = (Board::new(5, 5), Board::new(6, 6));
    let mut generator = Mt64::new(3);
    let made =
        network::<Breakthrough>(board, WindowShape::new(2, 2), 5, Numbers::Usual, &mut generator);
    let with = set::<Breakthrough>(board, made, 1);
    let mut without = with.clone();
    without.network = None;
    without.weights = crate::common::weight_set::<Breakthrough>(1, &[]).weights;
    for (name, weight) in with.weights.iter() {
        without.weights.insert(name, weight.clone());
    }
    let [with_network, plain] = [&with, &without]
        .map(|set| <Breakthrough as sparring::eval::Game>::evaluator(set).unwrap());
    let differ = |board| {
        let positions = sample::<Breakthrough>(board, 20, 1);
        positions.iter().filter(|p| with_network.evaluate(p) != plain.evaluate(p)).count()
    };
    assert_eq!(differ(other), 0);
    assert!(differ(board) > 10);
    let position = Breakthrough::start(other).unwrap();
    assert_eq!(explain(&position, &with).unwrap().network, None);
}
