//! The sums that a search carries over from earlier positions give the same values as whole boards.

use super::made::{Numbers, network, set};
use crate::common::{TestedGame, below};
use rand_mt::Mt64;
use sparring::eval::{Accumulators, Evaluator, NetworkView};
use sparring::game::{Board, MoveList};
use sparring::games::{Ataxx, Breakthrough, Breakthru};

/// Plies of the lines.
const PLIES: usize = 12;

/// Walks up and down the tree of games at random, as a search does, passes included, and evaluates
/// some of the positions on the way; returns how many.
fn walk<G: TestedGame>(
    evaluator: &G::Evaluator,
    root: G,
    accumulators: &mut Accumulators<G::NetworkView>,
    generator: &mut Mt64,
) -> usize {
    let (mut line, mut evaluated) = (vec![root], 0);
    for _ in 0..200 {
        let ply = line.len() - 1;
        let position = &line[ply];
        if below(generator, 4) > 0 {
            let value = evaluator.evaluate_near(position, ply, accumulators);
            assert_eq!(value, evaluator.evaluate(position), "{}", position.fen());
            evaluated += 1;
        }
        if let Some(turned) = G::turned_view(position.network_view())
            && let Some(passed) = position.pass()
        {
            assert!(turned == passed.network_view());
        }
        let child = match below(generator, 8) {
            0 => position.pass(),
            _ => {
                let mut moves = MoveList::new();
                position.moves(&mut moves);
                let index = below(generator, moves.len().max(1) as u64) as usize;
                moves.get(index).map(|&mv| position.play_unchecked(mv))
            }
        };
        match child.filter(|child| child.outcome().is_none() && ply + 1 < PLIES) {
            Some(child) if below(generator, 3) > 0 => line.push(child),
            _ => line.truncate(1 + below(generator, line.len() as u64) as usize),
        }
    }
    evaluated
}

fn lines_give_the_values_of_positions<G: TestedGame>(boards: &[Board]) {
    let mut generator = Mt64::new(7);
    // The same accumulators throughout: nothing of one search may reach the next one.
    let mut accumulators = Accumulators::default();
    for &board in boards {
        for &window in G::NetworkView::SCHEME.windows {
            for units in [5, 65, 200] {
                let made = network::<G>(board, window, units, Numbers::Usual, &mut generator);
                let evaluator = G::evaluator(&set::<G>(board, made, 3)).unwrap();
                evaluator.begin(PLIES, &mut accumulators);
                let root = G::start(board).unwrap();
                assert!(walk(&evaluator, root, &mut accumulators, &mut generator) > 100);
            }
        }
    }
}

#[test]
fn lines_of_breakthrough_give_the_values_of_positions() {
    let boards = [(8, 8), (5, 5), (8, 5), (3, 7), (2, 8)].map(|(c, r)| Board::new(c, r));
    lines_give_the_values_of_positions::<Breakthrough>(&boards);
}

#[test]
fn lines_of_ataxx_give_the_values_of_positions() {
    let boards = [(7, 7), (8, 8), (4, 4), (4, 7)].map(|(c, r)| Board::new(c, r));
    lines_give_the_values_of_positions::<Ataxx>(&boards);
}

#[test]
fn lines_of_breakthru_give_the_values_of_positions() {
    lines_give_the_values_of_positions::<Breakthru>(&[Board::new(11, 11)]);
}
