//! Breakthrough as the suites need it: symmetries, odd positions, an array board, weight sets.

use super::array::ArrayBoard;
use super::symmetry::Symmetry;
use super::{Arrayed, Conforming, Searchable, below, random_set, weight_set};
use rand_mt::Mt64;
use sparring::game::{Board, MoveCode, Notation, Outcome, Position, Side};
use sparring::games::Breakthrough;
use sparring::games::breakthrough::Move;
use sparring::weights::WeightSet;

/// A position with pieces strewn over the board, finished or not; each square holds a piece of
/// either side with a chance of `density` percent.
pub fn scatter(board: Board, density: u64, generator: &mut Mt64) -> Breakthrough {
    loop {
        let mut pieces = [0u64; 2];
        for row in 0..board.rows() {
            for col in 0..board.cols() {
                if below(generator, 100) < density {
                    pieces[below(generator, 2) as usize] |= 1 << (8 * row + col);
                }
            }
        }
        let side = Side::BOTH[below(generator, 2) as usize];
        if let Ok(position) = Breakthrough::from_pieces(board, pieces[0], pieces[1], side) {
            return position;
        }
    }
}

/// An endgame: at most so many pieces a side, none on its goal row.
pub fn endgame(board: Board, most: u64, generator: &mut Mt64) -> Breakthrough {
    loop {
        let mut pieces = [0u64; 2];
        for (index, pieces) in pieces.iter_mut().enumerate() {
            for _ in 0..=below(generator, most) {
                let row = below(generator, u64::from(board.rows()) - 1) + index as u64;
                *pieces |= 1 << (8 * row + below(generator, board.cols().into()));
            }
        }
        let side = Side::BOTH[below(generator, 2) as usize];
        match Breakthrough::from_pieces(board, pieces[0], pieces[1], side) {
            Ok(position) if position.outcome().is_none() => return position,
            _ => {}
        }
    }
}

/// The hand-set weights of the 2009 article.
pub const ARTICLE: [(&str, i32); 11] = [
    ("piece", 1300),
    ("danger", 10),
    ("high_danger", 100),
    ("attack", 50),
    ("protection", 65),
    ("connection_horizontal", 35),
    ("connection_vertical", 15),
    ("mobility", 1),
    ("column_hole", 20),
    ("home_ground", 10),
    ("almost_win", 10000),
];

/// Weight sets of every sort: the article's, one without any weight, coarse ones full of ties,
/// noise, random ones.
pub fn weight_sets(seed: u64) -> Vec<WeightSet> {
    let mut generator = Mt64::new(seed);
    vec![
        weight_set::<Breakthrough>(1, &ARTICLE),
        weight_set::<Breakthrough>(1, &[]),
        weight_set::<Breakthrough>(1, &[("piece", 1)]),
        weight_set::<Breakthrough>(7, &[("advance", 2), ("farthest_any", -3)]),
        weight_set::<Breakthrough>(1, &[("noise", 5)]),
        random_set::<Breakthrough>(500, 3, &mut generator),
        random_set::<Breakthrough>(20, 100, &mut generator),
    ]
}

/// Where a square goes: left and right exchanged, the rows turned over, or both.
fn square(square: u8, cols: u8, rows: u8, mirror: bool, flip: bool) -> u8 {
    let (row, col) = (square / 8, square % 8);
    // A damaged code may name a square outside the board; it goes to some square or other.
    let col = if mirror { (cols + 7 - col) % 8 } else { col };
    let row = if flip { (rows + 7 - row) % 8 } else { row };
    row * 8 + col
}

fn image(position: &Breakthrough, mirror: bool, flip: bool) -> Symmetry<Breakthrough> {
    let (board, side) = (position.board(), position.side_to_move());
    let (cols, rows) = (board.cols(), board.rows());
    let turned = |side: Side| {
        let squares = (0..64u8).filter(|&s| position.pieces(side) >> s & 1 == 1);
        squares.fold(0, |set, s| set | 1u64 << square(s, cols, rows, mirror, flip))
    };
    let [white, black] = Side::BOTH.map(turned);
    let (white, black, side) =
        if flip { (black, white, side.other()) } else { (white, black, side) };
    Symmetry {
        name: match (mirror, flip) {
            (true, true) => "turned round",
            (true, false) => "mirrored",
            _ => "colours swapped",
        },
        image: Breakthrough::from_pieces(board, white, black, side).unwrap(),
        swaps: flip,
        map: Box::new(move |mv: Move| {
            let map = |s| square(s, cols, rows, mirror, flip);
            Move::from_code(Move::new(map(mv.from()), map(mv.to())).code())
        }),
    }
}

impl Searchable for Breakthrough {
    fn weight_sets(seed: u64) -> Vec<WeightSet> {
        weight_sets(seed)
    }

    fn endgame(board: Board, most: u64, generator: &mut Mt64) -> Self {
        endgame(board, most, generator)
    }
}

impl Arrayed for Breakthrough {
    type Array = Naive;
}

impl Conforming for Breakthrough {
    fn count(&self, side: Side) -> u32 {
        let letter = if side == Side::First { 'P' } else { 'p' };
        self.fen().chars().take_while(|&c| c != ' ').filter(|&c| c == letter).count() as u32
    }

    fn symmetries(&self) -> Vec<Symmetry<Self>> {
        vec![image(self, true, false), image(self, false, true), image(self, true, true)]
    }

    fn scattered(board: Board, density: u64, generator: &mut Mt64) -> Self {
        scatter(board, density, generator)
    }

    fn unusual(seed: u64) -> Vec<Self> {
        let mut generator = Mt64::new(seed);
        let boards = Self::boards();
        let one = |index: usize| {
            let board = boards[index % boards.len()];
            let density = 5 + below(&mut generator, 60);
            match index % 3 {
                0 => scatter(board, density, &mut generator),
                1 => endgame(board, 3, &mut generator),
                _ => endgame(board, 9, &mut generator),
            }
        };
        (0..400).map(one).collect()
    }
}

/// A board as an array: `Some(true)` is White, rows from the bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Naive {
    squares: Vec<Vec<Option<bool>>>,
    white_moves: bool,
}

/// A square as (row, column).
type Square = (usize, usize);

impl Naive {
    /// The squares that the piece of the side to move on a square can go to, if there is one.
    fn targets(&self, (row, col): Square) -> Vec<Square> {
        let mover = Some(self.white_moves);
        let next = if self.white_moves { row + 1 } else { row.wrapping_sub(1) };
        if self.squares[row][col] != mover || next >= self.squares.len() {
            return Vec::new();
        }
        let free = |&target: &usize| match self.squares[next].get(target) {
            None => false,
            Some(None) => true,
            Some(&piece) => piece != mover && target != col,
        };
        [col.wrapping_sub(1), col, col + 1]
            .into_iter()
            .filter(free)
            .map(|target| (next, target))
            .collect()
    }
}

impl ArrayBoard for Naive {
    type Game = Breakthrough;
    type Step = (Square, Square);

    fn of(position: &Breakthrough) -> Self {
        let board = position.board();
        let at = |row: u8, col: u8| {
            let holds = |side| position.pieces(side) >> (8 * row + col) & 1 == 1;
            if holds(Side::First) { Some(true) } else { holds(Side::Second).then_some(false) }
        };
        let squares = (0..board.rows())
            .map(|row| (0..board.cols()).map(|col| at(row, col)).collect())
            .collect();
        Self { squares, white_moves: position.side_to_move() == Side::First }
    }

    fn step(mv: Move) -> (Square, Square) {
        let square = |square: u8| (usize::from(square / 8), usize::from(square % 8));
        (square(mv.from()), square(mv.to()))
    }

    /// Somebody has arrived, or lost the last piece.
    fn outcome(&self) -> Option<Outcome> {
        let has = |white: bool| self.squares.iter().flatten().any(|&square| square == Some(white));
        let white_arrived = self.squares.last().unwrap().contains(&Some(true));
        let black_arrived = self.squares[0].contains(&Some(false));
        if white_arrived || !has(false) {
            Some(Outcome::Win(Side::First))
        } else {
            (black_arrived || !has(true)).then_some(Outcome::Win(Side::Second))
        }
    }

    fn moves(&self) -> Vec<(Square, Square)> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let squares = (0..self.squares.len())
            .flat_map(|row| (0..self.squares[0].len()).map(move |col| (row, col)));
        squares.flat_map(|from| self.targets(from).into_iter().map(move |to| (from, to))).collect()
    }

    fn after(&self, (from, to): (Square, Square)) -> Self {
        let mut next = self.clone();
        next.squares[to.0][to.1] = next.squares[from.0][from.1].take();
        next.white_moves = !self.white_moves;
        next
    }
}
