//! Symmetries of the games: images of positions and moves.

use super::{Conforming, below, endgame, scatter};
use rand_mt::Mt64;
use sparring::game::breakthrough::Move;
use sparring::game::{Breakthrough, MoveCode, Position, Side};

/// An image of a position, and how moves and sides are carried over to it.
pub struct Symmetry<P: Position> {
    /// What is done, for messages.
    pub name: &'static str,
    /// The position's image.
    pub image: P,
    /// Whether the sides change places.
    pub swaps: bool,
    /// A move's image.
    pub map: Box<dyn Fn(P::Move) -> P::Move>,
}

impl<P: Position> Symmetry<P> {
    /// A side's image.
    pub fn side(&self, side: Side) -> Side {
        if self.swaps { side.other() } else { side }
    }

    /// The images of moves, sorted.
    pub fn moves(&self, moves: &[P::Move]) -> Vec<P::Move> {
        let mut images: Vec<P::Move> = moves.iter().map(|&mv| (self.map)(mv)).collect();
        images.sort_unstable();
        images
    }
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
    let (white, black, side) = if flip { (black, white, side.other()) } else { (white, black, side) };
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

impl Conforming for Breakthrough {
    fn count(&self, side: Side) -> u32 {
        let letter = if side == Side::First { 'P' } else { 'p' };
        self.fen().chars().take_while(|&c| c != ' ').filter(|&c| c == letter).count() as u32
    }

    fn symmetries(&self) -> Vec<Symmetry<Self>> {
        vec![image(self, true, false), image(self, false, true), image(self, true, true)]
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
