//! Tests of the layer on toy games.

mod full;
mod toys;

use super::*;
use crate::error::Result;
use crate::eval::{Evaluator, Game, LinearEvaluator};
use crate::game::openings::below;
use crate::game::{Notation, Packing, Position, SearchHints};
use crate::search::{SolveOptions, Stop, solve};
use crate::weights::{FORMAT, Weight, WeightSet};
use rand_mt::Mt64;
use toys::*;

fn start<R: Rules>() -> Simple<R> {
    Simple::start(R::BOARD).unwrap()
}

fn read<R: Rules>(fen: &str) -> Result<Simple<R>> {
    Simple::from_fen(fen)
}

/// Unfinished positions of random games.
fn sample<R: Rules>() -> Vec<Simple<R>> {
    let (mut generator, mut positions) = (Mt64::new(3), Vec::new());
    for _ in 0..50 {
        let mut position = start::<R>();
        while position.outcome().is_none() {
            let moves = legal(&position);
            let next = below(&mut generator, moves.len() as u64) as usize;
            positions.push(position.clone());
            position = position.play(moves[next]);
        }
    }
    positions
}

fn legal<R: Rules>(position: &Simple<R>) -> Vec<Move> {
    let mut list = crate::game::MoveList::new();
    position.moves(&mut list);
    list.to_vec()
}

fn set<R: Features>(weights: &[i32]) -> WeightSet {
    let names = R::FEATURES.len();
    assert_eq!(names, weights.len());
    let named = Simple::<R>::FEATURES.iter().map(|feature| feature.name);
    WeightSet {
        format: FORMAT,
        game: R::NAME.into(),
        board: None,
        name: "hand".into(),
        description: String::new(),
        scale: 1,
        weights: named.zip(weights.iter().map(|&weight| Weight::One(weight))).collect(),
        network: None,
        search: None,
        provenance: None,
    }
}

#[test]
fn both_games_keep_the_contract() {
    check_rules::<Pairs>().unwrap();
    check_rules::<Leap>().unwrap();
}

#[test]
fn every_part_of_a_position_is_in_its_text_and_its_key() {
    let late = "MMMM1M4/4K5/10/4mmmmmm black 29 1";
    assert_eq!(read::<Leap>(late).unwrap().fen(), late);
    let keys = [
        late,
        "MMMM1M4/4K5/10/4mmmmmm black 28 1",
        "MMMM1M4/4K5/10/4mmmmmm white 29 1",
        "MMMM1M4/4M5/10/4mmmmmm black 29 1",
        "MMMM1M4/4k5/10/4mmmmmm black 29 1",
        "MMMM1M4/5K4/10/4mmmmmm black 29 1",
    ];
    let mut keys = keys.map(|fen| read::<Leap>(fen).unwrap().key());
    let repetitions = [late, "MMMM1M4/4K5/10/4mmmmmm black 28 1"];
    let [a, b] = repetitions.map(|fen| read::<Leap>(fen).unwrap().repetition_key());
    assert_eq!(a, b);
    keys.sort_unstable();
    assert!(keys.windows(2).all(|two| two[0] != two[1]));
}

#[test]
fn texts_of_other_positions_are_refused_at_their_place() {
    for (text, reason) in [
        ("", "fields: there are none"),
        ("3/2 x 0 1", "row 1: 2 squares"),
        ("3/3/3 x 0 1", "rows: 3 of them"),
        ("3/2q x 0 1", "row 1: `q` is none of `x`, `o`"),
        ("3/3 y 0 1", "side to move: `y` is neither `x` nor `o`"),
        ("3/3 x +1 1", "third field: `+1` is not a number"),
        ("3/3 x 0 y", "move number: `y` is not a number"),
        ("3/3 x 0 1 2", "fields: `2` is one too many"),
        ("xx1/3 x 0 1", "position: the sides cannot have made so many moves"),
    ] {
        let error = read::<Pairs>(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
    assert!(Simple::<Pairs>::start(Board::new(3, 3)).is_err());
    for text in ["startpos", "3/3", "3/3 x", "3/3 x 0", "3/3 x 7 77", "3/3 x - - 0 1"] {
        assert_eq!(read::<Pairs>(text).unwrap(), start(), "{text}");
    }
    let drawn = read::<Leap>("M9/10/10/9m white 999 1").unwrap();
    assert_eq!((drawn.rules().clock, drawn.outcome()), (LIMIT, Some(Outcome::Draw)));
}

#[test]
fn moves_are_named_by_their_squares() {
    let position = read::<Pairs>("3/1x1 o").unwrap();
    let names: Vec<_> = legal(&position).iter().map(|&mv| position.move_text(mv)).collect();
    assert_eq!(names, ["a1", "c1", "a2", "b2", "c2"]);
    let error = position.parse_move("b1").unwrap_err().to_string();
    assert!(error.contains("illegal here; legal are: b2"), "{error}");
    let near = start::<Leap>().parse_move("e1e3").unwrap_err().to_string();
    assert!(near.contains("legal are: e1e2"), "{near}");
    for text in ["", "a", "a1a2a3", "d1", "a9", "A1", "pass", "0000"] {
        assert!(position.parse_move(text).is_err(), "{text}");
    }
    let stuck = read::<Leap>("m8K/10/10/10 white 0 1").unwrap();
    assert_eq!((legal(&stuck), stuck.move_text(Move::PASS)), (vec![Move::PASS], "0000".into()));
    assert_eq!(stuck.parse_move("0000").unwrap(), Move::PASS);
    assert_eq!(stuck.diagram().lines().next(), Some(" 4  m . . . . . . . . K"));
}

#[test]
fn every_code_is_a_move() {
    use crate::game::MoveCode;
    for code in 0..=u16::MAX {
        let mv = Move::from_code(code);
        assert!(mv.code() != 0 && mv.history_index() < Move::HISTORY_SIZE);
        assert_eq!(Move::from_code(mv.code()), mv);
    }
    let step = Move::step(120, 7);
    assert_eq!((step.from(), step.to(), step.is_pass()), (Some(120), 7, false));
    assert_eq!((Move::drop(9).from(), Move::drop(9).to(), Move::PASS.is_pass()), (None, 9, true));
}

#[test]
fn packed_positions_are_small_and_other_bytes_are_refused() {
    // 6 squares of 2 bits, 40 of 3 bits; the side in 1 bit; the clock in 8.
    assert_eq!((Simple::<Pairs>::PACKED, Simple::<Leap>::PACKED), (2, 17));
    assert!(Simple::<Pairs>::unpack(Pairs::BOARD, &[3, 0]).is_err(), "no such sign");
    assert!(Simple::<Pairs>::unpack(Pairs::BOARD, &[0]).is_err(), "cut off");
    assert!(Simple::<Pairs>::unpack(Board::new(2, 3), &[0, 0]).is_err(), "another board");
    assert_eq!(Simple::<Pairs>::unpack(Pairs::BOARD, &[0, 0]).unwrap(), start());
}

#[test]
fn features_are_the_difference_of_the_sides_and_count_as_they_are_called() {
    let position = read::<Pairs>("x2/1xo o").unwrap();
    assert_eq!(position.features(), [-1, 1, 1]);
    let evaluator = LinearEvaluator::<Simple<Pairs>>::new(&set::<Pairs>(&[100, 10, 1])).unwrap();
    assert_eq!(evaluator.evaluate(&position), -89);
    let evaluator = LinearEvaluator::<Simple<Leap>>::new(&set::<Leap>(&[1, 3])).unwrap();
    for position in sample::<Leap>() {
        let passed = position.pass().unwrap();
        if passed.outcome().is_none() {
            assert_eq!(evaluator.evaluate(&position), -evaluator.evaluate(&passed));
        }
    }
}

#[test]
fn without_pieces_to_count_the_unit_is_the_spread_of_the_values() {
    let unit =
        |weight| LinearEvaluator::<Simple<Leap>>::new(&set::<Leap>(&[weight, 0])).unwrap().unit();
    assert_eq!((unit(0), unit(1)), (1, 1));
    let wide = unit(3_000);
    assert!((2_000..9_000).contains(&wide), "{wide}");
    assert!((wide / 10 - unit(300)).abs() <= 1);
}

#[test]
fn hints_come_from_the_rules() {
    let winning = read::<Leap>("M9/m9/10/9m white 0 1").unwrap();
    let [last, quiet] = ["a3a4", "j1j2"].map(|text| winning.parse_move(text).unwrap());
    assert!(winning.is_capture(last) && !winning.is_capture(quiet));
    assert_eq!((winning.move_rank(last), winning.move_rank(quiet)), (15, 0));
    let mut noisy = crate::game::MoveList::new();
    winning.noisy_moves(&mut noisy);
    assert_eq!(noisy[..], [last]);
    let taking = read::<Leap>("M8M/m9/10/9m white 0 1").unwrap();
    assert_eq!(taking.move_rank(last), 8);
    assert_eq!((taking.piece_count(), taking.must_answer()), (2, false));
    assert_eq!(taking.pass().map(|passed| passed.side_to_move()), Some(Side::Second));
    assert_eq!(start::<Pairs>().pass(), None);
}

#[test]
fn where_most_moves_capture_none_counts_as_a_capture() {
    let error = check_rules::<Turning<true, true>>().unwrap_err().to_string();
    assert!(error.contains("legal moves are captures"), "{error}");
    check_rules::<Turning<true, false>>().unwrap();
    let position = start::<Turning<true, false>>();
    let quiet = |&mv: &Move| !position.is_capture(mv) && position.move_rank(mv) == 0;
    assert_eq!(legal(&position).iter().filter(|mv| quiet(mv)).count(), 6);
    let mut noisy = crate::game::MoveList::new();
    position.noisy_moves(&mut noisy);
    assert!(noisy.is_empty(), "{noisy:?}");
}

#[test]
fn broken_rules_are_found() {
    fn fault<const FAULT: u8>() -> String {
        check_rules::<Broken<FAULT>>().unwrap_err().to_string()
    }
    let faults = [
        fault::<STAYS>(),
        fault::<TWICE>(),
        fault::<STUCK>(),
        fault::<FORESEES>(),
        fault::<FORCES>(),
        fault::<OVER>(),
        fault::<HUGE>(),
        fault::<UNSTEADY>(),
        fault::<DISORDERED>(),
        fault::<PANICS>(),
    ];
    for (fault, reason) in faults.iter().zip([
        "the same side is to move after a1",
        "the move a1 is listed twice",
        "unfinished, but without a legal move",
        "Win(1) is wrong",
        "`forced_moves` lacks b1, which does not lose at once",
        "the game is over at its start",
        "the feature `moves` is 1073741824, beyond 100000",
        "the feature `moves` has other values in an equal position",
        "an equal position lists its moves in another order, or others",
        "the code panicked: the rules are wrong",
    ]) {
        assert_eq!(*fault, format!("3/3 x 0 1: {reason}"));
    }
    let alike = fault::<ALIKE>();
    assert!(alike.contains("`moves` has the same count for both sides"), "{alike}");
    let endless = check_rules::<Turning<false, true>>().unwrap_err().to_string();
    assert!(endless.starts_with("100 random games: not one has ended within 500 plies"));
}

#[test]
fn no_evaluator_is_made_of_rules_that_break() {
    fn refused<const FAULT: u8>() -> String {
        let made = LinearEvaluator::<Simple<Broken<FAULT>>>::new(&set::<Broken<FAULT>>(&[1]));
        made.err().map_or_else(String::new, |error| error.to_string())
    }
    for (text, reason) in [
        (refused::<STAYS>(), "the same side is to move after a1"),
        (refused::<STUCK>(), "unfinished, but without a legal move"),
        (refused::<PANICS>(), "the code panicked: the rules are wrong"),
        (refused::<HUGE>(), "the feature `moves` is 1073741824, beyond 100000"),
    ] {
        assert!(
            text.starts_with("game `broken`, position `3/3 x 0 1`: ") && text.contains(reason),
            "{text}"
        );
    }
    // Finished games and endless games may still be examined.
    assert_eq!(refused::<OVER>(), "");
    assert!(
        LinearEvaluator::<Simple<Turning<false, true>>>::new(&set::<Turning<false, true>>(&[1]))
            .is_ok()
    );
}

#[test]
fn the_solver_gives_up_where_lines_do_not_end() {
    let options = SolveOptions { memory: 1 << 12, threads: 1 };
    let solved = solve(&start::<Turning<false, true>>(), &options, &Stop::default(), &mut |_| {});
    assert_eq!((solved.outcome, solved.is_endless), (None, true));
    let solved = solve(&start::<Pairs>(), &options, &Stop::default(), &mut |_| {});
    assert_eq!((solved.outcome, solved.is_endless), (Some(Outcome::Win(Side::First)), false));
}

#[test]
#[should_panic(expected = "more than 512 moves in a position")]
fn too_many_moves_are_named() {
    let mut list = crate::game::MoveList::new();
    let mut moves = Moves::of(&mut list);
    (0..=512).for_each(|_| moves.drop(0));
}
