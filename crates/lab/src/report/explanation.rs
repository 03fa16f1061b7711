//! A static score, term by term, as a table.

use super::role::by_sign;
use crate::eval::Explanation;
use crate::eval::features::{NetworkTerm, TableTerm};
use crate::eval::pieces::PieceWorth;
use crate::game::Board;
use crate::report::{Facts, TextTable};
use crate::weights::LAST_PHASE;

/// The terms of a score, one to a row. Terms without a weight are left out unless `all` is set.
pub fn term_table(explained: &Explanation, all: bool) -> TextTable {
    let mut table = TextTable::new()
        .left("feature")
        .shortened(12)
        .right("value")
        .right("weight")
        .right("product");
    for term in explained.terms.iter().filter(|term| all || term.weight != 0) {
        table.row([
            term.name.into(),
            term.value.to_string(),
            term.weight.to_string(),
            by_sign(term.product as f64, term.product),
        ]);
    }
    for TableTerm { name, patterns, product } in &explained.tables {
        let count: i32 = patterns.iter().map(|&(_, count, _)| count).sum();
        table.row([
            (*name).into(),
            format!("{count} patterns"),
            "table".into(),
            by_sign(*product as f64, product),
        ]);
    }
    if let Some(NetworkTerm { hidden, product, .. }) = &explained.network {
        let active = hidden.iter().filter(|&&sum| sum > 0).count();
        table.row([
            "network".into(),
            format!("{active}/{} units", hidden.len()),
            "network".into(),
            by_sign(*product as f64, product),
        ]);
    }
    table
}

/// The board with the score's loss without each piece, on the piece's square. Other squares have a
/// dot.
pub fn piece_board(board: Board, worths: &[PieceWorth]) -> String {
    let number = |col: u8, row: u8| {
        let square = format!("{}{}", char::from(b'a' + col), row + 1);
        let worth = worths.iter().find(|worth| worth.square == square);
        worth.map_or(".".into(), |worth| format!("{:+}", worth.loss))
    };
    let squares = (0..board.rows()).flat_map(|row| (0..board.cols()).map(move |col| (col, row)));
    let width = squares.map(|(col, row)| number(col, row).len()).max().unwrap_or(1) + 1;
    let mut text = String::new();
    for row in (0..board.rows()).rev() {
        let cells = (0..board.cols()).map(|col| format!("{:>width$}", number(col, row)));
        text += &format!("{:>2} {}\n", row + 1, cells.collect::<String>());
    }
    let letters = (0..board.cols()).map(|col| format!("{:>width$}", char::from(b'a' + col)));
    text + &format!("   {}", letters.collect::<String>())
}

/// The sum of the terms and the score.
pub fn score_facts(explained: &Explanation, weights: &str) -> Facts {
    let mut facts = Facts::default();
    facts.add("weights", weights);
    if let Some(phase) = explained.phase {
        facts.add("phase", format!("{phase} of {LAST_PHASE}"));
    }
    facts.add("sum", explained.sum.to_string());
    facts.add("scale", explained.scale.to_string());
    facts.add("score", format!("{:+} for the side to move", explained.score));
    facts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_drawn_on_their_squares() {
        let worth = |square: &str, loss| PieceWorth { square: square.into(), own: loss > 0, loss };
        let drawn = piece_board(Board::new(3, 2), &[worth("b1", 120), worth("c2", -7)]);
        assert_eq!(drawn, " 2     .    .   -7\n 1     . +120    .\n       a    b    c");
    }
}
