//! Breakthrough's features, counted square by square.

use super::Counted;
use crate::common::{below, endgame, weight_set};
use rand_mt::Mt64;
use sparring::eval::{Evaluator, Game};
use sparring::game::{Board, Notation, Position, Side};
use sparring::games::Breakthrough;

/// The features that count for the side to move less the other side.
const TWO_SIDED: [&str; 12] = [
    "piece",
    "danger",
    "high_danger",
    "attack",
    "protection",
    "connection_horizontal",
    "connection_vertical",
    "mobility",
    "column_hole",
    "home_ground",
    "almost_win",
    "advance",
];

/// A board as one side sees it: rows from its own home, `Some(true)` for its own pieces.
struct Naive {
    cols: i32,
    rows: i32,
    squares: Vec<Vec<Option<bool>>>,
}

/// The pieces of one side as (row from its home, column).
type Pieces = Vec<(i32, i32)>;

impl Naive {
    fn new(position: &Breakthrough, side: Side) -> Self {
        let board = position.board();
        let at = |row: u8, col: u8| {
            let row = if side == Side::First { row } else { board.rows() - 1 - row };
            let holds = |side| position.pieces(side) >> (8 * row + col) & 1 == 1;
            if holds(side) { Some(true) } else { holds(side.other()).then_some(false) }
        };
        let squares = (0..board.rows())
            .map(|row| (0..board.cols()).map(|col| at(row, col)).collect())
            .collect();
        Self { cols: board.cols().into(), rows: board.rows().into(), squares }
    }

    /// What stands on a square; `None` also outside the board.
    fn at(&self, row: i32, col: i32) -> Option<bool> {
        *self.squares.get(usize::try_from(row).ok()?)?.get(usize::try_from(col).ok()?)?
    }

    fn on_board(&self, row: i32, col: i32) -> bool {
        (0..self.rows).contains(&row) && (0..self.cols).contains(&col)
    }

    fn pieces(&self, own: bool) -> Pieces {
        let squares = (0..self.rows).flat_map(|row| (0..self.cols).map(move |col| (row, col)));
        squares.filter(|&(row, col)| self.at(row, col) == Some(own)).collect()
    }

    /// The enemy pieces that can take the own piece here: they come down diagonally.
    fn attackers(&self, row: i32, col: i32) -> i32 {
        [col - 1, col + 1].iter().filter(|&&c| self.at(row + 1, c) == Some(false)).count() as i32
    }

    /// The own pieces that could take back here.
    fn protectors(&self, row: i32, col: i32) -> i32 {
        [col - 1, col + 1].iter().filter(|&&c| self.at(row - 1, c) == Some(true)).count() as i32
    }

    fn moves(&self) -> i32 {
        let mut count = 0;
        for (row, col) in self.pieces(true) {
            for to in [col - 1, col, col + 1] {
                let free = match self.at(row + 1, to) {
                    Some(own) => !own && to != col,
                    None => self.on_board(row + 1, to),
                };
                count += i32::from(free);
            }
        }
        count
    }

    fn most_advanced(&self) -> i32 {
        self.pieces(true).iter().map(|&(row, _)| row).max().unwrap_or(0)
    }

    fn columns(&self, own: bool) -> Vec<i32> {
        (0..self.cols)
            .filter(|&col| (0..self.rows).any(|row| self.at(row, col) == Some(own)))
            .collect()
    }

    fn count(&self, wanted: impl Fn(i32, i32) -> bool) -> i32 {
        self.pieces(true).iter().filter(|&&(row, col)| wanted(row, col)).count() as i32
    }

    /// A protected piece that nothing attacks.
    fn is_firm(&self, row: i32, col: i32) -> bool {
        self.protectors(row, col) > 0 && self.attackers(row, col) == 0
    }

    /// One side's part of a feature that counts for both.
    fn part(&self, feature: &str) -> i32 {
        let pieces = self.pieces(true);
        let sum = |value: &dyn Fn(i32, i32) -> i32| {
            pieces.iter().map(|&(row, col)| value(row, col)).sum::<i32>()
        };
        match feature {
            "piece" => pieces.len() as i32,
            "advance" => sum(&|row, _| row),
            "danger" => {
                sum(&|row, _| row)
                    + self.count(|row, col| row == self.rows - 3 && self.is_firm(row, col))
            }
            "high_danger" => self.count(|row, col| row == self.rows - 2 && self.is_firm(row, col)),
            "attack" => -sum(&|row, col| {
                self.attackers(row, col) * if self.protectors(row, col) == 0 { 2 } else { 1 }
            }),
            "protection" => sum(&|row, col| self.protectors(row, col)),
            "connection_horizontal" => self.count(|row, col| self.at(row, col + 1) == Some(true)),
            "connection_vertical" => self.count(|row, col| self.at(row + 1, col) == Some(true)),
            "mobility" => self.moves(),
            "column_hole" => self.columns(true).len() as i32 - self.cols,
            "home_ground" => self.count(|row, _| row == 0),
            "almost_win" => {
                self.count(|row, col| row == self.rows - 2 && self.attackers(row, col) == 0)
            }
            other => panic!("the test does not know `{other}`"),
        }
    }

    /// The number that looks random: the two sets as 64-bit numbers, mixed.
    fn noise(&self) -> i32 {
        let bits =
            |own| self.pieces(own).iter().map(|&(row, col)| 1u64 << (8 * row + col)).sum::<u64>();
        let mut z = bits(true).wrapping_add(0x9E37_79B9_7F4A_7C15u64.wrapping_mul(bits(false)));
        z ^= z >> 30;
        z = z.wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z ^= z >> 27;
        z = z.wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        (z % 21) as i32 - 10
    }
}

/// The value of a feature, counted square by square.
fn value(position: &Breakthrough, feature: &str) -> i32 {
    let side = position.side_to_move();
    let (us, them) = (Naive::new(position, side), Naive::new(position, side.other()));
    let (own, other) = (us.columns(true), us.columns(false));
    match feature {
        "most_advanced" => us.most_advanced(),
        "nearest_enemy" => us.pieces(false).iter().map(|&(row, _)| row).min().unwrap_or(us.rows),
        "attacked" => us.count(|row, col| us.attackers(row, col) > 0),
        "attacked_protected" => {
            us.count(|row, col| us.attackers(row, col) > 0 && us.protectors(row, col) > 0)
        }
        "empty_column" => {
            (0..us.cols).filter(|col| !own.contains(col) && !other.contains(col)).count() as i32
        }
        "empty_column_enemy" => other.iter().filter(|col| !own.contains(col)).count() as i32,
        "enemy_second_row" => us.pieces(false).iter().filter(|&&(row, _)| row == 1).count() as i32,
        "own_mobility" => us.moves(),
        "farthest_any" => us.most_advanced().max(them.most_advanced()),
        "tempo" => 1,
        "noise" => us.noise(),
        _ => us.part(feature) - them.part(feature),
    }
}

impl Counted for Breakthrough {
    fn value(&self, feature: &str) -> i32 {
        value(self, feature)
    }

    fn is_two_sided(feature: &str) -> bool {
        TWO_SIDED.contains(&feature)
    }

    /// Noise may differ on the mirrored board.
    fn is_symmetric(feature: &str, symmetry: &str) -> bool {
        feature != "noise" || symmetry == "colours swapped"
    }

    fn odd(board: Board, generator: &mut Mt64) -> Self {
        endgame(board, 1 + below(generator, 6), generator)
    }

    fn crowded() -> Vec<Self> {
        let rows = ["PPPPPPPP/", "PPPP1PPP/", "1PPPPPPP/", "PPPPPP1P/"].map(|row| row.repeat(6));
        let fens = rows.map(|rows| format!("ppp5/{rows}PPPPPPPP w - - 0 1"));
        fens.iter().map(|fen| Self::from_fen(fen).unwrap()).collect()
    }
}

/// Rounding goes toward zero on both sides of it.
#[test]
fn rounding_is_toward_zero() {
    let position = Breakthrough::start(Board::new(8, 8)).unwrap();
    let lacking =
        Breakthrough::from_fen("pppppppp/pppppppp/8/8/8/8/PPPPPPPP/1PPPPPPP w - - 0 1").unwrap();
    for (weight, scale, expected) in [(7, 2, -3), (-7, 2, 3), (5, 6, 0), (-5, 6, 0)] {
        let set = weight_set::<Breakthrough>(scale, &[("piece", weight)]);
        let evaluator = Breakthrough::evaluator(&set).unwrap();
        assert_eq!(evaluator.evaluate(&lacking), expected, "{weight} / {scale}");
        assert_eq!(evaluator.evaluate(&position), 0);
    }
}
