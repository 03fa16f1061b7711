//! FEN as in chess. Chess960 uses Shredder's notation, with the files of the rooks (`HAha`) instead
//! of `KQkq`. The reader accepts `KQkq` too, for the outermost rooks. The last fields after the
//! side to move may be missing.
//!
//! Moves as in UCI: `e2e4`, `e7e8q`, castling `e1g1`; in Chess960 the king captures its rook,
//! `e1h1`. The reader also accepts the notation of books and games: `Nf3`, `exd8=Q+`, `O-O`.

use super::{ChessPosition, Move, color};
use crate::error::{Result, shorten};
use crate::game::{Board, FenFault, FenFormat, Notation, Position, Side};
use cozy_chess::util::{display_san_move, display_uci_move, parse_san_move, parse_uci_move};
use cozy_chess::{BitBoard, Color, FenParseError, File, Piece, Rank, Square};

const FORMAT: FenFormat = FenFormat {
    least: (8, 8),
    most: (8, 8),
    stride: 8,
    signs: &["P", "N", "B", "R", "Q", "K", "p", "n", "b", "r", "q", "k"],
    empty: "",
    sides: [&["w", "W"], &["b", "B"]],
    example: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
};

impl<const FREE: bool> ChessPosition<FREE> {
    /// The squares of each of the format's signs.
    fn shown(&self) -> [u128; 12] {
        let mut sets = [0; 12];
        for (offset, color) in [(0, Color::White), (6, Color::Black)] {
            for piece in Piece::ALL {
                let squares = self.0.colored_pieces(color, piece);
                sets[offset + piece as usize] = u128::from(squares.0);
            }
        }
        sets
    }

    /// The position of these pieces with the fields after the side to move.
    fn of_fields(
        sets: [u128; 12],
        side: Side,
        fields: &[&str],
    ) -> std::result::Result<Self, FenFault> {
        if let Some(extra) = fields.get(4) {
            return Err(("fields".into(), format!("`{}` is one too many", shorten(extra))));
        }
        let field =
            |index: usize, missing: &'static str| fields.get(index).copied().unwrap_or(missing);
        let rights = shredder_rights(&sets, field(0, "-"))?;
        if !FREE && !rights.chars().all(|right| right == '-' || "HAha".contains(right)) {
            let reason = "the rook is none of the corners': this is Chess960 (`--game chess960`)";
            return Err(("castling".into(), reason.into()));
        }
        let rows = FORMAT.text(Self::default_board(), &sets, side);
        let [passing, clock, number] = [field(1, "-"), field(2, "0"), field(3, "1")];
        let text = format!("{rows} {rights} {passing} {clock} {number}");
        let board = cozy_chess::Board::from_fen(&text, true).map_err(|error| {
            let (place, reason) = match error {
                FenParseError::InvalidCastlingRights => {
                    ("castling", "no king and rook stand so that they may castle")
                }
                FenParseError::InvalidEnPassant => {
                    ("en passant", "no pawn has just passed this square")
                }
                FenParseError::InvalidHalfMoveClock => {
                    ("ply counter", "not a number from 0 to 100")
                }
                FenParseError::InvalidFullmoveNumber => {
                    ("move number", "not a number from 1 to 65535")
                }
                _ => (
                    "pieces",
                    "each side has one king, at most 8 pawns and 16 pieces, no pawn stands on the \
                     first or last row, and the side that has moved is not in check",
                ),
            };
            (place.to_owned(), reason.to_owned())
        })?;
        let position = Self(board);
        let is_castled = |color: Color| position.stands_as_in_chess(color);
        if !FREE && ![Color::White, Color::Black].into_iter().all(is_castled) {
            let reason = "the king does not stand on file e: this is Chess960 (`--game chess960`)";
            return Err(("castling".into(), reason.into()));
        }
        Ok(position)
    }

    /// Whether a king with castling rights is on its standard file of chess.
    fn stands_as_in_chess(&self, color: Color) -> bool {
        let rights = self.0.castle_rights(color);
        (rights.short.is_none() && rights.long.is_none()) || self.0.king(color).file() == File::E
    }
}

/// Converts castling rights of either form to Shredder's notation.
fn shredder_rights(sets: &[u128; 12], text: &str) -> std::result::Result<String, FenFault> {
    if text == "-" {
        return Ok(text.to_owned());
    }
    let fault = |reason: String| (String::from("castling"), reason);
    let mut rights = String::new();
    for sign in text.chars() {
        let side = if sign.is_ascii_uppercase() { Side::First } else { Side::Second };
        let file = match sign.to_ascii_lowercase() {
            'k' => outermost_rook(sets, side, true),
            'q' => outermost_rook(sets, side, false),
            'a'..='h' => Some(sign.to_ascii_lowercase()),
            _ => return Err(fault(format!("`{}` is none of KQkq and files", sign.escape_debug()))),
        };
        let file = file.ok_or_else(|| fault(format!("no rook stands where `{sign}` says")))?;
        rights.push(if side == Side::First { file.to_ascii_uppercase() } else { file });
    }
    Ok(rights)
}

/// The file of a side's outermost rook beside its king, toward file h or toward file a.
fn outermost_rook(sets: &[u128; 12], side: Side, short: bool) -> Option<char> {
    let offset = 6 * side.index();
    let rank = Rank::First.relative_to(color(side)).bitboard();
    let on_rank = |piece: Piece| BitBoard(sets[offset + piece as usize] as u64) & rank;
    let king = on_rank(Piece::King).next_square()?.file();
    let files = on_rank(Piece::Rook).into_iter().map(Square::file);
    let file = match short {
        true => files.filter(|&file| file > king).max(),
        false => files.filter(|&file| file < king).min(),
    };
    file.map(char::from)
}

impl<const FREE: bool> Notation for ChessPosition<FREE> {
    const MOVE_HELP: &'static str = if FREE {
        "write e2e4, e7e8q, and to castle the squares of king and rook, or Nf3, exd8=Q, O-O"
    } else {
        "write e2e4, e7e8q, e1g1, or Nf3, exd8=Q, O-O"
    };
    const SIDE_NAMES: [&'static str; 2] = ["White", "Black"];
    const IS_GUESSED: bool = !FREE;

    fn fen(&self) -> String {
        if FREE { format!("{:#}", self.0) } else { self.0.to_string() }
    }

    fn from_fen(text: &str) -> Result<Self> {
        FORMAT
            .read(text, |_: Board, sets, side, fields| Self::of_fields(sets, side, fields).map(Ok))
    }

    fn likeness(text: &str) -> usize {
        let rows = text.split_whitespace().next().unwrap_or_default().split('/').count();
        if rows == usize::from(FORMAT.least.1) { FORMAT.likeness(text) } else { 0 }
    }

    fn move_text(&self, mv: Move) -> String {
        match FREE {
            true => mv.to_cozy().to_string(),
            false => display_uci_move(&self.0, mv.to_cozy()).to_string(),
        }
    }

    fn pgn_move_text(&self, mv: Move) -> String {
        match self.0.is_legal(mv.to_cozy()) {
            true => display_san_move(&self.0, mv.to_cozy()).to_string(),
            false => self.move_text(mv),
        }
    }

    fn read_move(&self, text: &str) -> Option<Move> {
        let uci = if FREE { text.parse() } else { parse_uci_move(&self.0, text) };
        // Books may write castling with zeros.
        let read = uci.or_else(|_| parse_san_move(&self.0, &text.replace('0', "O")));
        read.ok().map(Move::of)
    }

    fn is_near(illegal: Move, legal: Move) -> bool {
        illegal.to_cozy().from == legal.to_cozy().from
    }

    fn diagram(&self) -> String {
        FORMAT.diagram(Self::default_board(), &self.shown())
    }
}
