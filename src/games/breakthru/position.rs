//! The game as everything above it sees it.

use super::squares::{SIDE, each};
use super::zobrist::ZOBRIST;
use super::{Breakthru, LAST_TURN, Move, OPENING_PLIES, Piece, generate, pack, tactics, text};
use crate::error::{Error, Result};
use crate::game::{Board, Foresight, MoveList, Outcome, Position, Side};

impl Position for Breakthru {
    type Move = Move;
    const GAME: &'static str = "breakthru";
    const HAS_DRAWS: bool = true;
    const REPEATS: bool = true;
    const TURN_PLIES: u32 = 2;
    const PACKED: usize = pack::BYTES;

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
            next.key ^= ZOBRIST.first(next.first);
        } else {
            next.end_turn();
        }
        next
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key ^ ZOBRIST.turn(self.turn)
    }

    fn recomputed_key(&self) -> u64 {
        let z = &*ZOBRIST;
        let side = if self.side == Side::Second { z.silver() } else { 0 };
        let on = |piece| each(self.squares(piece)).map(move |square| z.piece(piece, square));
        let pieces = Piece::ALL.into_iter().flat_map(on);
        pieces.fold(side ^ z.turn(self.turn) ^ z.first(self.first), |key, number| key ^ number)
    }

    /// A mixture of the sets of that image which is least; it has no room for them.
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
        let half = if self.first.is_some() { ZOBRIST.half_turn() } else { 0 };
        self.key ^ ZOBRIST.first(self.first) ^ half
    }

    /// Gives up the turn at its beginning, where that does not end the game.
    #[inline]
    fn pass(&self) -> Option<Self> {
        if self.first.is_some() || self.is_over() {
            return None;
        }
        let mut next = self.clone();
        next.end_turn();
        (!next.is_over()).then_some(next)
    }

    fn fen(&self) -> String {
        text::fen(self)
    }

    fn from_fen(text: &str) -> Result<Self> {
        text::parse_fen(text)
    }

    fn pack(&self, bytes: &mut [u8]) -> bool {
        pack::pack(self, bytes)
    }

    fn unpack(board: Board, bytes: &[u8]) -> Result<Self> {
        if board != Self::default_board() {
            return Err(Error::input("packed position", "no such board"));
        }
        pack::unpack(bytes)
    }

    fn move_text(&self, mv: Move) -> String {
        text::move_text(mv)
    }

    fn uci_move_text(&self, mv: Move) -> String {
        text::uci_move_text(mv)
    }

    fn parse_move(&self, text: &str) -> Result<Move> {
        text::parse_move(self, text)
    }

    fn diagram(&self) -> String {
        text::diagram(self)
    }

    #[inline]
    fn foresight(&self) -> Foresight {
        tactics::foresight(self)
    }

    #[inline]
    fn must_answer(&self) -> bool {
        tactics::must_answer(self)
    }

    fn relevant_moves(&self, list: &mut MoveList<Move>) {
        if !self.is_over() {
            if self.must_answer() {
                generate::answers(self, list)
            } else {
                generate::moves(self, list)
            }
        }
    }

    #[inline]
    fn distinct_moves(&self, list: &mut MoveList<Move>) {
        if !self.is_over() {
            generate::distinct_moves(self, list);
        }
    }

    /// The captures that win something. Even exchanges abound, and go on for long.
    #[inline]
    fn noisy_moves(&self, list: &mut MoveList<Move>) {
        if !self.is_over() {
            generate::captures(self, list, |mv| tactics::exchange(self, mv) > 0);
        }
    }

    #[inline]
    fn exchange(&self, mv: Move) -> i32 {
        tactics::exchange(self, mv)
    }

    #[inline]
    fn is_capture(&self, mv: Move) -> bool {
        self.is_taken(mv)
    }

    #[inline]
    fn move_rank(&self, mv: Move) -> u8 {
        tactics::move_rank(self, mv)
    }

    #[inline]
    fn piece_count(&self) -> u32 {
        self.pieces(self.side).count_ones()
    }
}
