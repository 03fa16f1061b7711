//! Measures the unit of the search's margins under a weight set: the value of a piece, or the
//! spread of the values in a game that has no positions [without a piece](Game::without_a_piece).

use super::features::sample_positions;
use super::{Evaluator, Game, Score};
use crate::game::Board;
use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The random seed of every sample.
const SEED: u64 = 1;
/// The number of positions in a sample.
const SIZE: usize = 64;

/// The sample of each game and board, made on first use.
static SAMPLES: Mutex<BTreeMap<(TypeId, Board), Arc<dyn Any + Send + Sync>>> =
    Mutex::new(BTreeMap::new());

/// The sample on which the unit is measured.
enum UnitSample<G> {
    /// Pairs of positions. The second one lacks a piece of the side to move.
    Pairs(Vec<(G, G)>),
    /// Positions of a game without such pairs; empty for an unsupported board.
    Singles(Vec<G>),
}

impl<G: Game> UnitSample<G> {
    fn new(board: Board) -> Self {
        let start = G::start(board);
        let positions = start.map(|start| sample_positions(&start, SIZE, SEED)).unwrap_or_default();
        let pair = |position: &G| Some((position.clone(), position.without_a_piece()?));
        let pairs: Vec<_> = positions.iter().filter_map(pair).collect();
        if pairs.is_empty() { Self::Singles(positions) } else { Self::Pairs(pairs) }
    }
}

/// The sample of a game on a board.
fn sample<G: Game>(board: Board) -> Option<Arc<UnitSample<G>>> {
    let mut known = SAMPLES.lock().unwrap_or_else(PoisonError::into_inner);
    let sample = known
        .entry((TypeId::of::<G>(), board))
        .or_insert_with(|| Arc::new(UnitSample::<G>::new(board)));
    sample.clone().downcast().ok()
}

/// The median change in value when a piece of the side to move is removed, or else the standard
/// deviation of the values; at least 1.
pub(super) fn measure<G: Game>(evaluator: &impl Evaluator<G>, board: Board) -> Score {
    let unit = match sample(board).as_deref() {
        Some(UnitSample::Pairs(pairs)) => median(pairs.iter().map(|(with, without)| {
            evaluator.evaluate(with).saturating_sub(evaluator.evaluate(without)).saturating_abs()
        })),
        Some(UnitSample::Singles(positions)) => {
            deviation(positions.iter().map(|position| evaluator.evaluate(position)))
        }
        None => 1,
    };
    unit.max(1)
}

fn median(values: impl Iterator<Item = Score>) -> Score {
    let mut values: Vec<Score> = values.collect();
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or(1)
}

/// The standard deviation, rounded down. Integers are the same on every machine.
fn deviation(values: impl Iterator<Item = Score>) -> Score {
    let [count, sum, squares] = values
        .map(i128::from)
        .fold([0, 0, 0], |[count, sum, squares], v| [count + 1, sum + v, squares + v * v]);
    let variance = (count * squares - sum * sum) / (count * count).max(1);
    Score::try_from(variance.isqrt()).unwrap_or(Score::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Ataxx, Breakthrough, Breakthru};

    #[test]
    fn the_deviation_is_that_of_the_values_whatever_their_mean() {
        for mean in [0, -7, 1_000_000] {
            assert_eq!(deviation([mean - 300, mean + 300].into_iter()), 300);
            assert_eq!(deviation([mean, mean, mean + 10, mean + 10].into_iter()), 5);
            assert_eq!(deviation([mean].into_iter()), 0);
        }
        assert_eq!(deviation([].into_iter()), 0);
        assert_eq!(deviation([Score::MIN, Score::MAX].into_iter()), Score::MAX);
    }

    /// Such games must keep the unit that they have always had.
    #[test]
    fn games_with_pieces_are_measured_by_them_on_every_board() {
        fn check<G: Game>() {
            for board in G::boards() {
                assert!(matches!(UnitSample::<G>::new(board), UnitSample::Pairs(_)), "{board}");
            }
        }
        check::<Breakthrough>();
        check::<Ataxx>();
        check::<Breakthru>();
    }

    #[test]
    fn the_median_is_the_upper_one() {
        assert_eq!(median([5, 1, 3, 9].into_iter()), 5);
        assert_eq!(median([].into_iter()), 1);
    }
}
