//! Chess and Chess960 with rules only, by cozy-chess.
//!
//! A game is a draw by stalemate, after 50 moves of both sides without a capture or pawn move, at
//! the third occurrence of a position, or if neither side has mating material.

mod moves;
mod text;

use crate::error::{Error, Result};
use crate::game::openings::below;
use crate::game::{Board, MoveList, Outcome, Packing, Position, Side};
use cozy_chess::{BitBoard, Color, File, GameStatus, Piece, Rank, Square};
use rand_mt::Mt64;

pub use moves::Move;

/// The number of starts of Chess960.
const STARTS: u64 = 960;
/// The light squares of the board.
const LIGHT: u64 = 0x55aa_55aa_55aa_55aa;

/// A position of chess.
pub type Chess = ChessPosition<false>;

/// A position of Chess960, with any start on the back rank.
pub type Chess960 = ChessPosition<true>;

/// A position of chess, or of Chess960 if `FREE`: rooks and kings may then begin on any file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ChessPosition<const FREE: bool>(cozy_chess::Board);

/// The colour of a side.
fn color(side: Side) -> Color {
    match side {
        Side::First => Color::White,
        Side::Second => Color::Black,
    }
}

/// The side of a colour.
fn side(color: Color) -> Side {
    match color {
        Color::White => Side::First,
        Color::Black => Side::Second,
    }
}

impl<const FREE: bool> ChessPosition<FREE> {
    /// A start of Chess960 by its number in Scharnagl's list. Number 518 is the start of chess,
    /// which invalid numbers also return.
    pub fn numbered_start(number: u32) -> Self {
        let number = if u64::from(number) < STARTS { number } else { 518 };
        Self(cozy_chess::Board::chess960_startpos(number))
    }

    /// Whether neither side can mate even if both cooperate: kings with at most one bishop or
    /// knight, or with bishops on squares of one colour only.
    fn is_dead(&self) -> bool {
        let of = |piece: Piece| self.0.pieces(piece);
        let heavy = of(Piece::Pawn) | of(Piece::Rook) | of(Piece::Queen);
        let (knights, bishops) = (of(Piece::Knight), of(Piece::Bishop));
        if !heavy.is_empty() {
            return false;
        }
        let light = BitBoard(LIGHT);
        let on_one_colour = bishops.is_subset(light) || bishops.is_disjoint(light);
        match (knights.len(), bishops.len()) {
            (0, _) => on_one_colour,
            (1, 0) => true,
            _ => false,
        }
    }

    /// The legal moves, in the order of their codes.
    fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.0.generate_moves(|of_piece| {
            moves.extend(of_piece.into_iter().map(Move::of));
            false
        });
        moves.sort_unstable();
        moves
    }

    /// The file on which a pawn can be captured en passant now, if there is one.
    fn passing_file(&self) -> Option<File> {
        let file = self.0.en_passant()?;
        let mover = self.0.side_to_move();
        let to = Square::new(file, Rank::Sixth.relative_to(mover));
        let takers =
            cozy_chess::get_pawn_attacks(to, !mover) & self.0.colored_pieces(mover, Piece::Pawn);
        let take = |from| cozy_chess::Move { from, to, promotion: None };
        takers.into_iter().any(|from| self.0.is_legal(take(from))).then_some(file)
    }

    /// The error for an unsupported board.
    fn no_board(board: Board) -> Error {
        let reason = format!("{} is not played on it", Self::GAME);
        Error::input(format!("board `{board}`"), reason).remedy("leave out --board: it is 8x8")
    }
}

/// The number of lines of this many plies. As in the published counts, draws by the clock or by
/// material end no line.
fn lines(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut count = 0;
    match depth {
        0 => return 1,
        1 => board.generate_moves(|moves| {
            count += moves.len() as u64;
            false
        }),
        _ => board.generate_moves(|moves| {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                count += lines(&next, depth - 1);
            }
            false
        }),
    };
    count
}

impl<const FREE: bool> Position for ChessPosition<FREE> {
    type Move = Move;

    const GAME: &'static str = if FREE { "chess960" } else { "chess" };
    const HAS_DRAWS: bool = true;
    const REPEATS: bool = true;

    fn default_board() -> Board {
        Board::new(8, 8)
    }

    fn boards() -> Vec<Board> {
        vec![Self::default_board()]
    }

    fn default_opening_plies(_: Board) -> u32 {
        8
    }

    fn start(board: Board) -> Result<Self> {
        match board == Self::default_board() {
            true => Ok(Self(cozy_chess::Board::startpos())),
            false => Err(Self::no_board(board)),
        }
    }

    fn random_start(generator: &mut Mt64) -> Option<Self> {
        FREE.then(|| Self::numbered_start(below(generator, STARTS) as u32))
    }

    fn board(&self) -> Board {
        Self::default_board()
    }

    fn side_to_move(&self) -> Side {
        side(self.0.side_to_move())
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.0.status() {
            GameStatus::Won => Some(Outcome::Win(self.side_to_move().other())),
            GameStatus::Drawn => Some(Outcome::Draw),
            GameStatus::Ongoing => self.is_dead().then_some(Outcome::Draw),
        }
    }

    fn moves(&self, list: &mut MoveList<Move>) {
        if self.outcome().is_none() {
            list.extend(self.legal_moves());
        }
    }

    fn perft(&self, depth: u32) -> u64 {
        lines(&self.0, depth)
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.outcome().is_none() && self.0.is_legal(mv.to_cozy())
    }

    fn play_unchecked(&self, mv: Move) -> Self {
        let mut next = self.0.clone();
        // cozy-chess asserts its input, so it must not get an illegal move.
        if next.is_legal(mv.to_cozy()) {
            next.play_unchecked(mv.to_cozy());
        }
        Self(next)
    }

    fn key(&self) -> u64 {
        self.0.hash()
    }

    fn recomputed_key(&self) -> u64 {
        let read = cozy_chess::Board::from_fen(&format!("{:#}", self.0), true);
        read.map_or(0, |board| board.hash())
    }

    fn repetition_key(&self) -> u64 {
        match self.passing_file() {
            Some(_) => self.0.hash(),
            None => self.0.hash_without_ep(),
        }
    }
}

impl<const FREE: bool> Packing for ChessPosition<FREE> {}

#[cfg(test)]
mod tests;
