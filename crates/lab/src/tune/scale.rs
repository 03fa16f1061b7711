//! How far each weight must move to matter: ranges derived from the spread of the features, so that
//! nobody has to choose step sizes by hand.
//!
//! A weight's effect is its change times the spread of its feature. So the range of a weight is the
//! change that moves the value of typical positions by a fixed number of pieces' worths, up or
//! down.

use crate::arena::seed::generator;
use crate::error::Result;
use crate::game::{Board, Repetitions};
use crate::games::GameId;
use crate::search::{Limits, Options, Stop};
use crate::weights::WeightSet;

/// Games whose positions are measured.
const GAMES: u64 = 24;
/// Nodes a move in them.
const NODES: u64 = 100;
/// Plies of a game at most: the rules of a game may not end it.
const MOST_PLIES: usize = 500;
/// The engine's table, in bytes.
const TABLE: usize = 1 << 14;
/// The place of the generators for these games below the run's seed.
const STREAM: u64 = 0x5ca1e;
/// By how many pieces' worths a typical position's value changes over the whole range of a weight.
const PIECES_PER_RANGE: f64 = 1.0;

/// The spread of the features and of the value, in positions from quick games.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    /// The standard deviation of the factor of each single weight, in the order of
    /// [`single_weights`](crate::any::Variant::single_weights).
    pub factors: Vec<f64>,
    /// The worth of a piece under the weights, in units of a weight: the scale is not divided out.
    pub unit: f64,
}

impl Spread {
    /// Plays quick games with a weight set and measures their positions. Deterministic.
    ///
    /// # Errors
    /// When the set does not fit the game, or the board does not exist.
    pub fn measure(
        game: GameId,
        set: &WeightSet,
        board: Board,
        plies: u32,
        seed: u64,
    ) -> Result<Self> {
        let evaluator = game.evaluator(set)?;
        let unit = f64::from(evaluator.unit()) * f64::from(set.scale.max(1));
        let start = game.start(board)?;
        let mut engine = evaluator.engine(Options { table_bytes: TABLE, ..Options::default() });
        let single = game.single_weights(set)?;
        let count = single.len();
        let (mut sums, mut squares, mut seen) = (vec![0.0; count], vec![0.0; count], 0.0);
        for game in 0..GAMES {
            let mut random = generator(seed, &[STREAM, game]);
            let Some(opening) = start.random_line(plies, &mut random) else { continue };
            engine.clear();
            let mut position = opening.position;
            let mut met = Repetitions::default();
            for _ in 0..MOST_PLIES {
                if position.outcome().is_some() || position.meet(&mut met) {
                    break;
                }
                let features = position.features();
                let phase = if set.has_phases() { position.phase() } else { 0 };
                for (index, weight) in single.iter().enumerate() {
                    let value = weight.factor(&features, phase);
                    sums[index] += value;
                    squares[index] += value * value;
                }
                seen += 1.0;
                let limits = Limits::nodes(NODES);
                let report = engine.search(&met, &position, &limits, &Stop::default(), None);
                let Some(best) = report.best else { break };
                position.advance(best);
            }
        }
        let seen: f64 = f64::max(seen, 1.0);
        let deviation =
            |(sum, square): (f64, f64)| (square / seen - (sum / seen).powi(2)).max(0.0).sqrt();
        Ok(Self { factors: sums.into_iter().zip(squares).map(deviation).collect(), unit })
    }

    /// The range of a single weight. If its feature never changed, the range is as if it changed a
    /// little.
    pub fn range(&self, weight: usize) -> f64 {
        const LEAST_DEVIATION: f64 = 0.3;
        // An integer weight must be able to move at all.
        const LEAST_RANGE: f64 = 6.0;
        let deviation = self.factors[weight].max(LEAST_DEVIATION);
        let by_effect = PIECES_PER_RANGE * self.unit / deviation;
        by_effect.max(LEAST_RANGE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simple::*;

    /// A game in which the sides only pass, for ever.
    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    struct Passing(Side);

    impl Rules for Passing {
        const NAME: &'static str = "passing";
        const BOARD: Board = Board::new(3, 3);
        const SIGNS: [&'static str; 2] = ["x", "o"];
        const START: &'static str = "3/3/3 x";

        fn from_squares(_: &Squares, side: Side) -> std::result::Result<Self, &'static str> {
            Ok(Self(side))
        }

        fn squares(&self) -> Squares {
            Squares::of_sets(&[0_u64; 2])
        }

        fn side_to_move(&self) -> Side {
            self.0
        }

        fn outcome(&self) -> Option<Outcome> {
            None
        }

        fn moves(&self, list: &mut Moves) {
            list.pass();
        }

        fn play(&mut self, _: Move) {
            self.0 = self.0.other();
        }
    }

    impl Features for Passing {
        const FEATURES: &'static [SideFeature<Self>] = &[tempo()];
    }

    #[test]
    fn a_game_without_an_end_is_measured_all_the_same() {
        let text = r#"{ "format": 4, "game": "passing", "board": null, "name": "hand", "description": "",
            "scale": 1, "weights": { "tempo": 10 }, "provenance": null }"#;
        let set = WeightSet::from_json(text, "hand.json").unwrap();
        let game = GameId::of::<Simple<Passing>>();
        let spread = Spread::measure(game, &set, Passing::BOARD, 2, 1).unwrap();
        assert_eq!(spread, Spread { factors: vec![0.0], unit: 1.0 });
    }
}
