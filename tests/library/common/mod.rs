//! Helpers of the integration tests: seeded positions, weight sets, and the games' test hooks.
// Each test file uses a part of this.
#![allow(dead_code, unreachable_pub, unused_imports, unused_macros)]

pub mod array;
pub mod oracle;
pub mod symmetry;
pub mod toy;

pub use crate::games::breakthrough::{ARTICLE, endgame, scatter, weight_sets};
use rand_mt::Mt64;
use serde_json::{Map, Value, json};
use sparring::eval::Game;
pub use sparring::game::openings::below;
use sparring::game::{Board, MoveList, Position, Side};
use sparring::weights::{FORMAT, WeightSet};

/// The longest random game, for games that need not end on their own.
const LONGEST: usize = 300;

/// A game's additions to its rules so that the suites can check it.
pub trait Conforming: Game {
    /// The fewest enemy pieces that a capture costs.
    const CAPTURE: u32 = 1;

    /// Whether every capture is a noisy move: not so where they abound.
    const CAPTURES_ARE_NOISY: bool = true;

    /// Whether there are positions in which the search may pass.
    const PASSES: bool = false;

    /// Whether the rules alone prove some wins.
    const FORESEES: bool = false;

    /// The pieces of a side, counted without the game's own counters.
    fn count(&self, side: Side) -> u32;

    /// The images of this position under the game's symmetries.
    fn symmetries(&self) -> Vec<symmetry::Symmetry<Self>>;

    /// A position with pieces strewn over the board, finished or not; each square holds a piece of
    /// either side with a chance of `density` percent.
    fn scattered(board: Board, density: u64, generator: &mut Mt64) -> Self;

    /// Positions that random games hardly reach, if the game offers some.
    fn unusual(seed: u64) -> Vec<Self> {
        let _ = seed;
        Vec::new()
    }
}

/// All that the suites need of a game: its test file implements this.
pub trait TestedGame: Conforming {
    /// The rules a second time.
    type Array: array::ArrayBoard<Game = Self>;

    /// Weight sets of every sort: good ones, one without any weight, coarse ones full of ties,
    /// random ones.
    fn weight_sets(seed: u64) -> Vec<WeightSet>;

    /// An unfinished position with few moves: at most about this many pieces a side, or empty
    /// squares.
    fn endgame(board: Board, most: u64, generator: &mut Mt64) -> Self;

    /// The value of a feature, counted square by square.
    fn value(&self, feature: &str) -> i32;

    /// Whether a feature counts for the side to move less the other side.
    fn is_two_sided(feature: &str) -> bool;

    /// Whether a feature is the same on the board's image.
    fn is_symmetric(feature: &str, symmetry: &str) -> bool {
        let _ = (feature, symmetry);
        true
    }

    /// A position that neither random games nor strewn pieces give.
    fn odd(board: Board, generator: &mut Mt64) -> Self {
        let _ = board;
        let all = Self::unusual(generator.next_u64());
        all[generator.next_u64() as usize % all.len()].clone()
    }

    /// Positions with as many pieces as can be.
    fn crowded() -> Vec<Self>;
}

/// The boards of a game, repeated up to this number if there are fewer: so games with one board are
/// tested on as many positions as others.
pub fn boards<P: Position>(least: usize) -> impl Iterator<Item = Board> {
    let boards = P::boards();
    let count = boards.len().max(least);
    boards.into_iter().cycle().take(count)
}

/// The legal moves of a position.
pub fn moves<P: Position>(position: &P) -> Vec<P::Move> {
    let mut list = MoveList::new();
    position.moves(&mut list);
    list.to_vec()
}

/// The positions that the legal moves lead to.
pub fn children<P: Position>(position: &P) -> Vec<P> {
    moves(position).into_iter().map(|mv| position.play_unchecked(mv)).collect()
}

/// Every position of a random game, from the start to the finished one.
pub fn playout<P: Position>(start: &P, seed: u64) -> Vec<P> {
    let mut generator = Mt64::new(seed);
    let mut game = vec![start.clone()];
    while let Some(last) = game.last().filter(|_| game.len() < LONGEST) {
        let moves = moves(last);
        if moves.is_empty() {
            break;
        }
        let next = last.play_unchecked(moves[below(&mut generator, moves.len() as u64) as usize]);
        game.push(next);
    }
    game
}

/// One unfinished position from each of `count` random games on a board.
pub fn sample<P: Position>(board: Board, count: usize, seed: u64) -> Vec<P> {
    let start = P::start(board).unwrap();
    let mut generator = Mt64::new(seed);
    let one = |_| {
        let game = playout(&start, generator.next_u64());
        let end = game.len() - usize::from(game.last().is_some_and(|p| p.outcome().is_some()));
        game[below(&mut generator, end as u64) as usize].clone()
    };
    (0..count).map(one).collect()
}

/// A weight set in which the named features have these weights and all others 0.
pub fn weight_set<G: Game>(scale: i32, weights: &[(&str, i32)]) -> WeightSet {
    let weight =
        |name| weights.iter().find(|(known, _)| *known == name).map_or(0, |&(_, weight)| weight);
    let all: Map<String, Value> =
        G::FEATURES.iter().map(|f| (f.name.to_owned(), weight(f.name).into())).collect();
    let document = json!({
        "format": FORMAT, "game": G::GAME, "board": null, "name": "test", "description": "Made by a test.",
        "scale": scale, "weights": all, "provenance": null,
    });
    WeightSet::from_json(&document.to_string(), "test").unwrap()
}

/// A weight set with random weights from `-most` to `most`, about a third of them 0.
pub fn random_set<G: Game>(most: u32, scale: i32, generator: &mut Mt64) -> WeightSet {
    let mut weight = || match below(generator, 3) {
        0 => 0,
        _ => below(generator, 2 * u64::from(most) + 1) as i32 - most as i32,
    };
    let weights: Vec<(&str, i32)> = G::FEATURES.iter().map(|f| (f.name, weight())).collect();
    weight_set::<G>(scale, &weights)
}
