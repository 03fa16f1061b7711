//! What is peculiar to the rules of Breakthrough.

use super::positions;
use crate::common::below;
use crate::common::oracle::forces;
use rand_mt::Mt64;
use sparring::game::{Board, Foresight, Notation, Position, SearchHints, Side};
use sparring::games::Breakthrough;

/// Breakthrough sees every win in one ply.
#[test]
fn wins_in_one_ply_are_always_foreseen() {
    for position in positions::<Breakthrough>(12).into_iter().filter(|p| p.outcome().is_none()) {
        let wins = forces(&position, position.side_to_move(), 1);
        assert_eq!(wins, position.foresight() == Foresight::Win(1), "{}", position.fen());
    }
}

/// Positions that cannot be are refused.
#[test]
fn impossible_positions_are_refused() {
    let make =
        |white, black| Breakthrough::from_pieces(Board::new(6, 6), white, black, Side::First);
    assert!(make(0, 0).is_err(), "nobody has a piece");
    assert!(make(1, 1).is_err(), "two pieces on a square");
    assert!(make(1 << 6, 1 << 8).is_err(), "a piece right of the board");
    assert!(make(1 << 48, 1 << 8).is_err(), "a piece above the board");
    assert!(make(1 << 40, 1).is_err(), "both have arrived");
    assert!(
        Breakthrough::from_pieces(Board::new(9, 9), 1, 2, Side::First).is_err(),
        "no such board"
    );
    let mut generator = Mt64::new(3);
    for _ in 0..1000 {
        let (white, black) = (generator.next_u64(), generator.next_u64());
        let side = Side::BOTH[below(&mut generator, 2) as usize];
        if let Ok(position) = Breakthrough::from_pieces(Board::new(8, 8), white, black, side) {
            assert_eq!(
                (position.pieces(Side::First), position.pieces(Side::Second)),
                (white, black)
            );
        }
    }
}
