use super::*;
use crate::game::{Notation, Repetitions};

fn chess(fen: &str) -> Chess {
    Chess::from_fen(fen).unwrap()
}

fn played(mut position: Chess, moves: &str) -> Chess {
    for word in moves.split_whitespace() {
        position = position.play(position.parse_move(word).unwrap());
    }
    position
}

#[test]
fn games_end_as_the_rules_say() {
    let draw = Some(Outcome::Draw);
    let mate = played(Chess::start(Board::new(8, 8)).unwrap(), "f3 e5 g4 Qh4#");
    assert_eq!(mate.outcome(), Some(Outcome::Win(Side::Second)));
    for (fen, outcome) in [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", draw),
        ("7k/8/6K1/8/8/8/8/Q7 b - - 99 80", None),
        ("7k/8/6K1/8/8/8/8/1Q6 w - - 100 80", draw),
        // Mate takes precedence over the clock.
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 100 80", Some(Outcome::Win(Side::First))),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", draw),
        ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", draw),
        ("4k1n1/8/8/8/8/8/8/4K3 w - - 0 1", draw),
        ("4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", draw),
        ("2b1k3/8/8/8/8/8/8/2B1K3 w - - 0 1", None),
        ("4k1n1/8/8/8/8/8/8/4K1N1 w - - 0 1", None),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", None),
    ] {
        let position = chess(fen);
        let mut moves = MoveList::new();
        position.moves(&mut moves);
        assert_eq!((position.outcome(), moves.is_empty()), (outcome, outcome.is_some()), "{fen}");
    }
}

#[test]
fn a_pawn_that_cannot_be_taken_in_passing_makes_no_other_position() {
    let met = |fens: &[&str]| {
        let mut met = Repetitions::default();
        fens.iter().map(|fen| met.meet(&chess(fen))).collect::<Vec<_>>()
    };
    let rows = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq";
    let fens = [format!("{rows} e3 0 1"), format!("{rows} - 4 3"), format!("{rows} - 8 5")];
    assert_eq!(met(&fens.each_ref().map(String::as_str)), [false, false, true]);
    let rows = "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq";
    let fens = [format!("{rows} d6 0 3"), format!("{rows} - 4 5"), format!("{rows} - 8 7")];
    assert_eq!(met(&fens.each_ref().map(String::as_str)), [false; 3]);
}

#[test]
fn castling_is_written_as_each_game_has_it() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let (free, position) = (Chess960::from_fen(fen).unwrap(), chess(fen));
    for (text, words) in [("e1g1", ["e1g1", "e1h1", "O-O"]), ("e1c1", ["e1c1", "e1a1", "0-0-0"])] {
        for word in words {
            let mv = position.parse_move(word).unwrap();
            assert_eq!(position.move_text(mv), text);
        }
    }
    let mv = free.parse_move("O-O").unwrap();
    assert_eq!(free.move_text(mv), "e1h1");
    assert!(free.parse_move("e1g1").is_err());
    assert_eq!(free.play(mv).fen(), "r3k2r/8/8/8/8/8/8/R4RK1 b ha - 1 1");
}

#[test]
fn texts_of_positions_come_back() {
    for number in 0..960 {
        let start = Chess960::numbered_start(number);
        assert_eq!(Chess960::from_fen(&start.fen()).unwrap(), start);
        assert_eq!(start.recomputed_key(), start.key());
        let with_letters = start.fen().replace(&rights_of(&start.fen()), "KQkq");
        assert_eq!(Chess960::from_fen(&with_letters).unwrap(), start, "{with_letters}");
        assert_eq!(
            Chess::from_fen(&start.fen()).is_ok(),
            start.fen().contains(" HAha ") && start.0.king(Color::White).file() == File::E
        );
    }
    let short = Chess::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq").unwrap();
    assert!(short == Chess::start(Board::new(8, 8)).unwrap());
}

fn rights_of(fen: &str) -> String {
    fen.split(' ').nth(2).unwrap().to_owned()
}

#[test]
fn faults_are_named() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    for (fen, words) in [
        ("8/8 w - - 0 1".to_owned(), ["rows", "8"]),
        (format!("{start} x"), ["side to move", "`x`"]),
        (format!("{start} w KX"), ["castling", "`X`"]),
        (format!("{start} w KQkq e3"), ["en passant", "pawn"]),
        (format!("{start} w KQkq - 101 1"), ["ply counter", "100"]),
        (format!("{start} w KQkq - 0 0"), ["move number", "65535"]),
        (format!("{start} w KQkq - 0 1 bm"), ["fields", "`bm`"]),
        ("8/8/8/8/8/8/8/K7 w - - 0 1".into(), ["pieces", "one king"]),
        ("r3k3/8/8/8/8/8/8/4K3 w k - 0 1".into(), ["castling", "no rook"]),
        ("1r2k3/8/8/8/8/8/8/4K3 w q - 0 1".into(), ["castling", "chess960"]),
        ("r4k2/8/8/8/8/8/8/4K3 w q - 0 1".into(), ["castling", "chess960"]),
    ] {
        let error = Chess::from_fen(&fen).unwrap_err().to_string();
        assert!(words.iter().all(|word| error.contains(word)), "{fen}: {error}");
    }
}

#[test]
fn every_code_is_some_move_and_plays_without_a_panic() {
    use crate::game::MoveCode;
    let start = Chess::start(Board::new(8, 8)).unwrap();
    for code in 0..=u16::MAX {
        let mv = Move::from_code(code);
        let next = start.play_unchecked(mv);
        assert_eq!(start.is_legal(mv), next != start);
        let _ = start.move_text(mv);
    }
    let mut legal = MoveList::new();
    start.moves(&mut legal);
    assert!(legal.iter().all(|&mv| Move::of(mv.to_cozy()) == mv) && legal.len() == 20);
}

#[test]
fn moves_are_written_as_in_books() {
    let position = chess("3k2n1/7P/Q3p3/4BPp1/Q1Q4q/8/5B2/R3K2R w KQ g6 0 1");
    for text in ["hxg8=R+", "O-O-O+", "fxg6", "Qcc6", "Bf6+"] {
        let Ok(mv) = position.parse_move(text) else { panic!("{text}") };
        assert_eq!(position.pgn_move_text(mv), text);
    }
}
