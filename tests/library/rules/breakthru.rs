//! What is peculiar to the rules of Breakthru.

use super::fewer;
use crate::common::array::ArrayBoard;
use crate::common::breakthru::{Naive, Square, Step};
use crate::common::moves;
use sparring::game::{MoveList, Notation, Outcome, Position, SearchHints, Side};
use sparring::games::Breakthru;
use std::collections::BTreeSet;

/// The ends of games that the notation shows: the flagship, no ships, no action, two hundred turns.
#[test]
fn games_end_as_the_rules_say() {
    let outcome = |fen: &str| Breakthru::from_fen(fen).unwrap().outcome();
    let [gold, silver] = Side::BOTH.map(|side| Some(Outcome::Win(side)));
    for (fen, expected) in [
        ("11/11/11/11/11/5F5/11/11/11/11/s10 gold - 200", None),
        ("11/11/11/11/11/5F5/11/11/11/11/s10 gold - 201", Some(Outcome::Draw)),
        ("5F5/11/11/11/11/11/11/11/11/11/s10 silver - 201", gold),
        ("11/11/11/11/11/5g5/11/11/11/11/s10 gold - 201", silver),
        ("11/11/11/11/11/5F5/11/11/11/11/11 silver - 2", gold),
        ("sg9/gg9/11/11/11/5F5/11/11/11/11/11 silver - 9", None),
        ("sg9/g10/11/11/11/5F5/11/11/11/11/11 silver - 9", gold),
    ] {
        assert_eq!(outcome(fen), expected, "{fen}");
    }
    // The only small ship moves, and the turn is over; so it is after the flagship's move and after
    // a capture.
    for (fen, mv) in [
        ("11/11/11/11/5g5/5F5/11/11/11/11/s10 gold - 9", "f7-g7"),
        ("11/11/11/4g6/5g5/5F5/11/11/11/11/s10 gold - 9", "f6-g6"),
        ("11/11/4s6/4g6/5g5/5F5/11/11/11/11/s10 gold - 9", "f7-g7 e8-f8"),
        ("11/11/11/4s6/5g5/5F5/11/11/11/11/s10 gold - 9", "f7xe8"),
    ] {
        let mut position = Breakthru::from_fen(fen).unwrap();
        for mv in mv.split(' ') {
            assert_eq!(position.side_to_move(), Side::First, "{fen}");
            position = position.play(position.parse_move(mv).unwrap());
        }
        assert_eq!((position.side_to_move(), position.turn()), (Side::Second, 10), "{fen}");
    }
}

/// Exchanges on a square come to what playing them out gives, each side stopping when it likes.
#[test]
fn exchanges_are_worth_what_they_lead_to() {
    const FLAGSHIP: i32 = 21;
    // What the other side wins by taking on the square in turn, with its small ships first, or 0.
    fn reply(naive: &Naive, on: Square) -> i32 {
        let (all, enemies) = if naive.gold { ("gF", "s") } else { ("s", "gF") };
        let mut takers: Vec<Step> =
            naive.takes(all, enemies).into_iter().filter(|&(_, to)| to == on).collect();
        takers.sort_by_key(|&(from, _)| naive.at(from) == 'F');
        let Some(&taker) = takers.first() else { return 0 };
        let won = if naive.at(on) == 'F' { return FLAGSHIP } else { 1 };
        (won - reply(&Naive { moved: None, ..naive.after(taker) }, on)).max(0)
    }
    let mut seen = BTreeSet::new();
    for position in fewer::<Breakthru>(15, 1000) {
        let naive = Naive::of(&position);
        for mv in moves(&position) {
            let (from, to) = Naive::step(mv);
            let won = match naive.at(to) {
                'F' => FLAGSHIP,
                '.' => 0,
                _ => 1,
            };
            let after = Naive { gold: !naive.gold, moved: None, ..naive.after((from, to)) };
            let value = if won == FLAGSHIP { won } else { won - reply(&after, to) };
            seen.insert(value);
            assert_eq!(
                position.exchange(mv),
                value,
                "{} in {}",
                position.move_text(mv),
                position.fen()
            );
        }
    }
    assert!([-1, 0, 1, FLAGSHIP].iter().all(|value| seen.contains(value)), "{seen:?}");
}

/// Of the turns of two moves a search sees each once: the moves left out lead where another order
/// of them leads, and nothing else is lost.
#[test]
fn turns_are_searched_once() {
    let ends = |position: &Breakthru, list: fn(&Breakthru, &mut MoveList<_>)| -> Vec<Breakthru> {
        let seconds = |half: Breakthru| {
            let mut moves = MoveList::new();
            if half.first_move().is_some() {
                list(&half, &mut moves);
            }
            moves.into_iter().map(|mv| half.play(mv)).collect::<Vec<_>>()
        };
        moves(position).into_iter().flat_map(|mv| seconds(position.play(mv))).collect()
    };
    let (mut ordered, mut distinct) = (0, 0);
    for position in fewer::<Breakthru>(14, 200).into_iter().filter(|p| p.first_move().is_none()) {
        let (all, once) =
            (ends(&position, Breakthru::moves), ends(&position, Breakthru::distinct_moves));
        let keys = |turns: &[Breakthru]| turns.iter().map(Breakthru::key).collect::<BTreeSet<_>>();
        assert_eq!(keys(&all), keys(&once), "{}", position.fen());
        (ordered, distinct) = (ordered + all.len(), distinct + once.len());
    }
    assert!(distinct * 9 < ordered * 5, "{distinct} of {ordered}");
}
