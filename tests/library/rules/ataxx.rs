//! What is peculiar to the rules of Ataxx.

use sparring::game::{Notation, Outcome, Position, Side};
use sparring::games::Ataxx;

/// The ends of games that the notation shows: nobody can move, no pieces, a hundred plies without a
/// clone.
#[test]
fn games_end_as_the_rules_say() {
    let outcome = |fen: &str| Ataxx::from_fen(fen).unwrap().outcome();
    let [first, second] = Side::BOTH.map(|side| Some(Outcome::Win(side)));
    for (fen, expected) in [
        ("x5o/7/7/7/7/7/o5x x 0 1", None),
        ("x5o/7/7/7/7/7/o5x x 99 1", None),
        ("x5o/7/7/7/7/7/o5x x 100 1", Some(Outcome::Draw)),
        ("xx4o/7/7/7/7/7/6o o 100 1", Some(Outcome::Draw)),
        ("xx5/7/7/7/7/7/7 o 100 1", first),
        ("4/4/4/4 x 0 1", Some(Outcome::Draw)),
        ("4/4/4/3o x 0 1", second),
        ("xxxo/xxxo/oooo/xxxx o 0 1", first),
        ("xxxo/xxxo/oooo/xxoo o 100 1", Some(Outcome::Draw)),
        ("xxoo/----/----/4 o 0 1", Some(Outcome::Draw)),
        ("xooo/----/----/4 x 0 1", second),
        ("xoo1/----/----/4 x 0 1", None),
    ] {
        assert_eq!(outcome(fen), expected, "{fen}");
    }
    let stuck = Ataxx::from_fen("xoo1/----/----/4 x 99 1").unwrap();
    let passed = stuck.play(stuck.parse_move("0000").unwrap());
    assert_eq!(passed.outcome(), Some(Outcome::Draw));
}
