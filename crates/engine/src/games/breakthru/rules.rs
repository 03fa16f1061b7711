//! The rules of Breakthru: legal moves, their results, and the end of a game.

use super::squares::SIDE;
use super::{
    Breakthru, HALF_TURN, LAST_TURN, Move, OPENING_PLIES, Piece, SILVER, ZOBRIST, generate,
};
use crate::error::{Error, Result};
use crate::game::{Board, MoveList, Outcome, Position, Side};

impl Position for Breakthru {
    type Move = Move;
    const GAME: &'static str = "breakthru";
    const HAS_DRAWS: bool = true;
    const REPEATS: bool = true;
    const TURN_PLIES: u32 = 2;

    fn default_board() -> Board {
        Board::new(SIDE, SIDE)
    }

    fn boards() -> Vec<Board> {
        vec![Self::default_board()]
    }

    fn default_opening_plies(_: Board) -> u32 {
        OPENING_PLIES
    }

    fn start(board: Board) -> Result<Self> {
        if board != Self::default_board() {
            return Err(Error::input(format!("board `{board}`"), "Breakthru is not played on it")
                .remedy("its board is 11x11"));
        }
        Ok(Self::begun_by(Side::First))
    }

    fn board(&self) -> Board {
        Self::default_board()
    }

    #[inline]
    fn side_to_move(&self) -> Side {
        self.side
    }

    #[inline]
    fn plies_made(&self) -> u32 {
        self.first.is_some().into()
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if self.flagship() == 0 {
            return Some(Outcome::Win(Side::Second));
        }
        if self.is_decided() {
            return Some(Outcome::Win(Side::First));
        }
        if self.turn > LAST_TURN {
            return Some(Outcome::Draw);
        }
        self.is_over().then(|| Outcome::Win(self.side.other()))
    }

    #[inline]
    fn moves(&self, list: &mut MoveList<Move>) {
        if !self.is_over() {
            generate::moves(self, list);
        }
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        if self.is_over() { 0 } else { generate::count(self) }
    }

    fn is_legal(&self, mv: Move) -> bool {
        !self.is_over() && generate::is_legal(self, mv)
    }

    #[inline]
    fn play_unchecked(&self, mv: Move) -> Self {
        let mut next = self.clone();
        let mover = self.mover(mv.from());
        let captured =
            Piece::ALL.into_iter().find(|&piece| self.squares(piece) >> mv.to() & 1 == 1);
        if let Some(piece) = captured {
            next.toggle(piece, mv.to());
        }
        next.toggle(mover, mv.from());
        next.toggle(mover, mv.to());
        let goes_on = captured.is_none() && mover != Piece::Flagship && self.first.is_none();
        if goes_on && generate::has_second(&next, self.side, mv.to()) {
            next.first = Some(mv);
            next.key ^= next.first_key();
        } else {
            next.end_turn();
        }
        next
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key ^ self.turn_key()
    }

    fn recomputed_key(&self) -> u64 {
        let side = if self.side == Side::Second { ZOBRIST.other(SILVER) } else { 0 };
        let pieces = self.pieces.iter().enumerate().map(|(kind, &set)| ZOBRIST.squares(kind, set));
        pieces.fold(side ^ self.turn_key() ^ self.first_key(), |key, number| key ^ number)
    }

    /// A hash of the least image's sets, which do not fit into the key.
    fn canonical_key(&self) -> u128 {
        const SPREAD: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
        let (pieces, first) =
            (0..8).map(|symmetry| self.turned(symmetry)).min().unwrap_or_default();
        let [from, to] = first.map(u128::from);
        let rest = u128::from(self.turn) << 32 | from << 16 | to << 8 | self.side.index() as u128;
        let mix = |key: u128, part: u128| {
            let mixed = (key ^ part).wrapping_mul(SPREAD);
            (mixed ^ mixed >> 59).wrapping_mul(SPREAD).rotate_left(47)
        };
        pieces.into_iter().chain([rest]).fold(0, mix)
    }

    #[inline]
    fn repetition_key(&self) -> u64 {
        let half = if self.first.is_some() { ZOBRIST.other(HALF_TURN) } else { 0 };
        self.key ^ self.first_key() ^ half
    }
}
