//! Positions and moves as USI writes them, from the words of UCI. The first side is Black here, the
//! files are numbers from the right, and the ranks are letters from the top.

use crate::any::board_of_fen;
use crate::game::Board;

/// The order of pieces in hand.
const HAND: &str = "RBGSNLP";

/// A FEN as SFEN: the hands in a field of their own, the other letter for the side, and a count of
/// moves in place of the counters. A text without these fields is left as it is.
pub(super) fn sfen(fen: &str) -> String {
    let fields: Vec<&str> = fen.split_whitespace().collect();
    let [place, side, ref rest @ ..] = fields[..] else { return fen.to_owned() };
    let (rows, hands) = place.split_once('[').unwrap_or((place, ""));
    let is_first = side != "b";
    let full = rest.last().and_then(|moves| moves.parse::<u64>().ok()).unwrap_or(1);
    let played = 2 * full.saturating_sub(1) + u64::from(!is_first);
    let side = if is_first { 'b' } else { 'w' };
    format!("{rows} {side} {} {}", in_hand(hands.trim_end_matches(']')), played + 1)
}

/// The pieces in hand with their numbers, the first side's first; `-` for none.
fn in_hand(pieces: &str) -> String {
    let is_piece = |piece: &char| piece.is_ascii_alphabetic();
    let rank = |piece: char| HAND.find(piece.to_ascii_uppercase()).unwrap_or(HAND.len());
    let mut all: Vec<char> = pieces.chars().filter(is_piece).collect();
    all.sort_by_key(|&piece| (piece.is_ascii_lowercase(), rank(piece), piece));
    let groups = all.chunk_by(|a, b| a == b).map(|same| match same.len() {
        1 => same[0].to_string(),
        count => format!("{count}{}", same[0]),
    });
    let text: String = groups.collect();
    if text.is_empty() { "-".into() } else { text }
}

/// A move of UCI in the words of USI, in a position with this FEN; as it is if it is no such move.
pub(super) fn from_uci(text: &str, fen: &str) -> String {
    let board = board_of_fen(fen);
    board.and_then(|board| translate(text, board, uci_square)).unwrap_or_else(|| text.to_owned())
}

/// A move of USI in the words of UCI; as it is if it is no such move.
pub(super) fn to_uci(text: &str, fen: &str) -> String {
    let board = board_of_fen(fen);
    board.and_then(|board| translate(text, board, usi_square)).unwrap_or_else(|| text.to_owned())
}

/// Reads the square at the beginning of a text. Returns it in the other notation, and the rest.
type Square = fn(&str, Board) -> Option<(String, &str)>;

/// A move in the other notation of squares.
fn translate(text: &str, board: Board, square: Square) -> Option<String> {
    let other_sign = |sign| if sign == '@' { '*' } else { '@' };
    let (piece, rest) = match text.find(['@', '*']) {
        Some(at) => {
            let sign = text[at..].chars().next().map(other_sign)?;
            (format!("{}{sign}", &text[..at]), &text[at + 1..])
        }
        None => (String::new(), text),
    };
    let (from, rest) = square(rest, board)?;
    if !piece.is_empty() || rest.is_empty() {
        return rest.is_empty().then(|| piece + &from);
    }
    let (to, rest) = square(rest, board)?;
    let is_end = rest.chars().all(|c| "+-".contains(c) || c.is_ascii_alphabetic());
    is_end.then(|| from + &to + rest)
}

/// A number at the beginning of a text, and the rest.
fn number(text: &str) -> Option<(u8, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

/// A letter at the beginning of a text, as a number from 0, and the rest.
fn letter(text: &str) -> Option<(u8, &str)> {
    let first = text.bytes().next().filter(u8::is_ascii_lowercase)?;
    Some((first - b'a', &text[1..]))
}

fn name(letter: u8) -> char {
    char::from(b'a' + letter)
}

/// `e1` as USI has it.
fn uci_square(text: &str, board: Board) -> Option<(String, &str)> {
    let (file, rest) = letter(text)?;
    let (rank, rest) = number(rest)?;
    let file = board.cols().checked_sub(file).filter(|&file| file > 0)?;
    let rank = board.rows().checked_sub(rank).filter(|_| rank > 0)?;
    Some((format!("{file}{}", name(rank)), rest))
}

/// `5i` as UCI has it.
fn usi_square(text: &str, board: Board) -> Option<(String, &str)> {
    let (file, rest) = number(text)?;
    let (rank, rest) = letter(rest)?;
    let file = board.cols().checked_sub(file).filter(|_| file > 0)?;
    let rank = board.rows().checked_sub(rank).filter(|&rank| rank > 0)?;
    Some((format!("{}{rank}", name(file)), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[] w - - 0 1";

    #[test]
    fn positions_are_written_as_sfen() {
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        assert_eq!(sfen(START), start);
        // As Fairy-Stockfish shows both.
        let fen =
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL[PPPGGnsprr] b - - 0 63";
        let wanted = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w 2G3P2rsnp 126";
        assert_eq!(sfen(fen), wanted);
        assert_eq!(sfen("odd"), "odd");
    }

    #[test]
    fn moves_are_translated_both_ways() {
        for (uci, usi) in [("c3c4", "7g7f"), ("b2h8+", "8h2b+"), ("P@e5", "P*5e"), ("i9i1", "1a1i")]
        {
            assert_eq!((from_uci(uci, START), to_uci(usi, START)), (usi.into(), uci.into()));
        }
        let small = "rbsgk/4p/5/P4/KGSBR[-] w 0 1";
        assert_eq!(
            (from_uci("a2a3", small), to_uci("5d5c", small)),
            ("5d5c".into(), "a2a3".into())
        );
        let stones = "3/3/3 w - - 0 1";
        assert_eq!((from_uci("a1", stones), to_uci("3c", stones)), ("3c".into(), "a1".into()));
        for odd in
            ["resign", "win", "(none)", "0000", "a0b1", "k1a1", "", "P@", "é1a1", "7", "P*5e+"]
        {
            assert_eq!((from_uci(odd, START), to_uci(odd, START)), (odd.into(), odd.into()));
        }
    }
}
