//! The board with the last move marked: `(.)` where a piece came from, `[P]` where it went.

use super::typed_move::squares;
use crate::any::AnyPosition;
use crate::game::Board;
use crate::report::Role;

/// The diagram of a position, with the squares of these moves (as text) marked.
pub(super) fn marked_board(position: &AnyPosition, moves: &[String]) -> String {
    let board = position.board();
    let mut lines: Vec<Vec<char>> =
        position.diagram().lines().map(|line| line.chars().collect()).collect();
    for squares in moves.iter().filter_map(|text| squares(text)) {
        let last = squares.len() - 1;
        for (index, square) in squares.iter().enumerate() {
            let signs = if index == last { ['[', ']'] } else { ['(', ')'] };
            mark(&mut lines, board, square, signs);
        }
    }
    let lines = lines.into_iter().map(|line| painted(&line.into_iter().collect::<String>()));
    lines.map(|line| line + "\n").collect()
}

/// Puts signs around a square. A diagram has two columns for the number of a row, a space, and two
/// columns for each square.
fn mark(lines: &mut [Vec<char>], board: Board, square: &str, [left, right]: [char; 2]) {
    let (Some(file), Ok(rank)) = (square.bytes().next(), square[1..].parse::<usize>()) else {
        return;
    };
    let row = usize::from(board.rows()).checked_sub(rank);
    let Some(line) = row.and_then(|row| lines.get_mut(row)) else { return };
    let sign = 2 * usize::from(file.saturating_sub(b'a')) + 4;
    if line.len() <= sign + 1 {
        line.resize(sign + 2, ' ');
    }
    // Adjacent squares share one column: the destination's sign goes there.
    if line[sign - 1] != ']' || left == '[' {
        line[sign - 1] = left;
    }
    if line[sign + 1] != '[' {
        line[sign + 1] = right;
    }
}

/// Paints each square in brackets in the style of the latest move.
fn painted(line: &str) -> String {
    match line.split_once('[').and_then(|(before, rest)| Some((before, rest.split_once(']')?))) {
        Some((before, (square, behind))) => {
            format!("{before}{}{}", Role::Latest.paint(format!("[{square}]")), painted(behind))
        }
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Ataxx, GameId};
    use anstream::adapter::strip_str;

    fn shown(position: &AnyPosition, mv: &str) -> String {
        let text = marked_board(position, &[mv.to_owned()]);
        strip_str(&crate::terminal::printable(&text)).to_string()
    }

    #[test]
    fn the_squares_of_a_move_stand_in_brackets() {
        let start = GameId::default().start(Board::new(5, 5)).unwrap();
        let next = start.after(start.parse_move("a2a3").unwrap());
        let text = shown(&next, "a2a3");
        assert!(text.contains(" 3 [P]. . . .\n 2 (.)P P P P\n"), "{text}");
        let next = start.after(start.parse_move("e2e3").unwrap());
        assert!(shown(&next, "e2e3").contains(" 3  . . . .[P]\n 2  P P P P(.)\n"));
        assert_eq!(shown(&start, "0000"), start.diagram());
    }

    #[test]
    fn neighbours_share_a_sign() {
        let ataxx = GameId::of::<Ataxx>();
        let start = ataxx.start(ataxx.default_board).unwrap();
        let text = shown(&start, "a7b7");
        assert!(text.contains(" 7 (x[.]"), "{text}");
    }
}
