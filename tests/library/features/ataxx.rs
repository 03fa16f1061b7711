//! Ataxx's features, counted square by square.

use super::Counted;
use crate::common::Conforming;
use crate::common::array::ArrayBoard;
use crate::common::ataxx::Naive;
use rand_mt::Mt64;
use sparring::game::{Board, Notation, Position, Side};
use sparring::games::Ataxx;

/// A square as (row, column).
type Square = (usize, usize);

/// One side's view of a board.
struct Seen {
    board: Board,
    naive: Naive,
    own: Vec<Square>,
    empty: Vec<Square>,
    /// The squares that the side can enter, and those that its enemy can.
    reach: [Vec<Square>; 2],
    sign: char,
}

impl Seen {
    fn new(position: &Ataxx, side: Side) -> Self {
        let naive = Naive::of(position);
        let signs = if side == Side::First { ['x', 'o'] } else { ['o', 'x'] };
        let entered = |sign| {
            let mut squares: Vec<Square> =
                naive.steps(sign).into_iter().map(|(_, to)| to).collect();
            squares.sort_unstable();
            squares.dedup();
            squares
        };
        Self {
            board: position.board(),
            own: naive.find(&signs[0].to_string()),
            empty: naive.find("."),
            reach: signs.map(entered),
            sign: signs[0],
            naive,
        }
    }

    /// How many of the squares are beside a square.
    fn near(square: Square, squares: &[Square]) -> usize {
        squares.iter().filter(|&&other| Naive::distance(square, other) == 1).count()
    }

    /// The distances of a square from the two edges that are nearest to it, each along its own
    /// line.
    fn class(&self, (row, col): Square) -> String {
        let from_edge = |index: usize, side: u8| index.min(usize::from(side) - 1 - index);
        let (a, b) = (from_edge(row, self.board.rows()), from_edge(col, self.board.cols()));
        format!("{}{}", a.min(b), a.max(b))
    }

    /// The most of the pieces that stand beside one of the squares.
    fn most_beside(pieces: &[Square], squares: &[Square]) -> usize {
        squares.iter().map(|&square| Self::near(square, pieces)).max().unwrap_or(0)
    }

    /// The side's part of a feature that counts for both.
    fn part(&self, feature: &str) -> usize {
        let [reach, enemy_reach] = &self.reach;
        let own = |wanted: &dyn Fn(Square) -> bool| {
            self.own.iter().filter(|&&piece| wanted(piece)).count()
        };
        match feature {
            "piece" => self.own.len(),
            "mobility" => self.naive.steps(self.sign).len(),
            "territory" => reach.iter().filter(|square| !enemy_reach.contains(square)).count(),
            "frontier" => own(&|piece| Self::near(piece, &self.empty) > 0),
            "safe" => own(&|piece| Self::near(piece, enemy_reach) == 0),
            "corner" => own(&|piece| self.class(piece) == "00"),
            _ => match feature.split_once('_') {
                Some(("hole", count)) => {
                    let holes =
                        self.empty.iter().map(|&square| Self::near(square, &self.own).to_string());
                    holes.filter(|neighbours| neighbours == count).count()
                }
                Some(("square", class)) => own(&|piece| self.class(piece) == class),
                _ => panic!("the test does not know `{feature}`"),
            },
        }
    }
}

impl Counted for Ataxx {
    fn value(&self, feature: &str) -> i32 {
        let side = self.side_to_move();
        let (us, them) = (Seen::new(self, side), Seen::new(self, side.other()));
        match feature {
            "tempo" => 1,
            "best_gain" => Seen::most_beside(&them.own, &us.reach[0]) as i32,
            "best_threat" => Seen::most_beside(&us.own, &them.reach[0]) as i32,
            _ => us.part(feature) as i32 - them.part(feature) as i32,
        }
    }

    fn is_two_sided(feature: &str) -> bool {
        !["tempo", "best_gain", "best_threat"].contains(&feature)
    }

    fn odd(_: Board, generator: &mut Mt64) -> Self {
        let all = Self::unusual(generator.next_u64());
        all[generator.next_u64() as usize % all.len()].clone()
    }

    fn crowded() -> Vec<Self> {
        let rows =
            ["xxxxxxxx", "x1x1x1x1", "xx2xx2", "8"].map(|row| format!("{row}/").repeat(7) + row);
        let fens = rows.iter().flat_map(|rows| ["x", "o"].map(|side| format!("{rows} {side} 0 1")));
        fens.map(|fen| Self::from_fen(&fen).unwrap()).collect()
    }
}
