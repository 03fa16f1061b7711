//! Arbitrary text and damaged valid text given to the parsers: they never panic, refuse with an
//! input error, and what they accept keeps to the contracts.

use crate::common::{Conforming, below, moves, playout};
use crate::games::each_game;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestCaseResult};
use rand_mt::Mt64;
use sparring::error::{Error, ErrorKind};
use sparring::eval::Game;
use sparring::game::{Board, Notation};
use sparring::games::{Breakthrough, GameId};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Inputs for each parser: good ones that were damaged, and any text at all, which is hardly ever
/// near to a good one.
const DAMAGED: u32 = 100_000;
const ANY: u32 = 20_000;

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        rng_seed: RngSeed::Fixed(20_090_101),
        failure_persistence: None,
        ..ProptestConfig::with_cases(cases)
    }
}

/// A change to a text: where, what to put there, and how.
type Edit = (usize, char, u8);

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let near = prop::sample::select(
        "pPxo-*@wbFgs 0123456789/abcdefghijk\t\n+\u{e9}\u{1f980}".chars().collect::<Vec<_>>(),
    );
    vec((any::<usize>(), prop_oneof![4 => near, 1 => any::<char>()], 0u8..5), 0..4)
}

/// Carries out changes: replace, insert, delete, double, cut off.
fn edited(text: &str, edits: &[Edit]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for &(place, new, how) in edits {
        let place = place % (chars.len() + 1);
        match how {
            1 => chars.insert(place, new),
            _ if place == chars.len() => chars.push(new),
            0 => chars[place] = new,
            2 => drop(chars.remove(place)),
            3 => chars.insert(place, chars[place]),
            _ => chars.truncate(place),
        }
    }
    chars.into_iter().collect()
}

/// Positions whose text is worth damaging.
fn positions<P: Game>() -> Vec<P> {
    let games = |board| (0..2).flat_map(move |seed| playout(&P::start(board).unwrap(), seed));
    P::boards().into_iter().flat_map(games).collect()
}

fn refused(error: &Error) -> TestCaseResult {
    prop_assert_eq!(error.kind(), ErrorKind::Input);
    prop_assert!(!error.to_string().is_empty());
    Ok(())
}

/// Whatever is read as a position is one: it round-trips, has moves unless it is over, and a right
/// key.
fn check_fen<P: Conforming>(text: &str) -> TestCaseResult {
    match P::from_fen(text) {
        Err(error) => refused(&error),
        Ok(position) => {
            let fen = position.fen();
            let again = P::from_fen(&fen).unwrap();
            prop_assert_eq!(&again, &position);
            prop_assert_eq!(again.fen(), fen);
            prop_assert_eq!(position.key(), position.recomputed_key());
            prop_assert_eq!(position.count_moves() > 0, position.outcome().is_none());
            prop_assert!(P::boards().contains(&position.board()));
            Ok(())
        }
    }
}

/// Whatever is read as a move is legal and round-trips.
fn check_move<P: Game>(position: &P, text: &str) -> TestCaseResult {
    match position.parse_move(text) {
        Err(error) => refused(&error),
        Ok(mv) => {
            prop_assert!(position.is_legal(mv));
            prop_assert_eq!(position.parse_move(&position.move_text(mv)).unwrap(), mv);
            Ok(())
        }
    }
}

/// The parsers of a game.
macro_rules! fuzz {
    ($($game:ident: $P:ty;)+) => { $(mod $game {
        use super::*;

        static POSITIONS: LazyLock<Vec<$P>> = LazyLock::new(positions);

        proptest! {
            #![proptest_config(config(ANY))]

            /// Any text at all as a position.
            #[test]
            fn any_text_as_fen(text in any::<String>()) {
                check_fen::<$P>(&text)?;
            }

            /// Any text at all as a move.
            #[test]
            fn any_text_as_move(index in any::<prop::sample::Index>(), text in any::<String>()) {
                check_move(index.get(&POSITIONS), &text)?;
            }
        }

        proptest! {
            #![proptest_config(config(DAMAGED))]

            /// A position's text, damaged.
            #[test]
            fn damaged_fen(index in any::<prop::sample::Index>(), edits in edits()) {
                check_fen::<$P>(&edited(&index.get(&POSITIONS).fen(), &edits))?;
            }

            /// A legal move's text, damaged.
            #[test]
            fn damaged_move(index in any::<prop::sample::Index>(), pick in any::<u64>(), edits in edits()) {
                let position = index.get(&POSITIONS);
                let moves = moves(position);
                let text = moves.get(below(&mut Mt64::new(pick), moves.len() as u64) as usize);
                let text = text.map_or_else(|| "a2a3".to_owned(), |&mv| position.move_text(mv));
                check_move(position, &edited(&text, &edits))?;
            }
        }
    })+ };
}

each_game! { fuzz }

fn check_board(text: &str) -> TestCaseResult {
    match text.parse::<Board>() {
        Err(error) => refused(&error),
        Ok(board) => {
            prop_assert_eq!(board.to_string().parse::<Board>().unwrap(), board);
            prop_assert!((1..=Board::MAX_SIDE).contains(&board.cols()));
            prop_assert!((1..=Board::MAX_SIDE).contains(&board.rows()));
            Ok(())
        }
    }
}

fn check_game(text: &str) -> TestCaseResult {
    match text.parse::<GameId>() {
        Err(error) => refused(&error),
        Ok(id) => {
            prop_assert_eq!(id.name(), text);
            Ok(())
        }
    }
}

proptest! {
    #![proptest_config(config(ANY))]

    /// Any text at all as a board size.
    #[test]
    fn any_text_as_board(text in any::<String>()) {
        check_board(&text)?;
    }

    /// Any text at all as a game.
    #[test]
    fn any_text_as_game(text in any::<String>()) {
        check_game(&text)?;
    }
}

proptest! {
    #![proptest_config(config(DAMAGED))]

    /// Board sizes, good and bad, and damaged.
    #[test]
    fn damaged_board(cols in 0u16..300, rows in 0u16..40, edits in edits()) {
        check_board(&edited(&format!("{cols}x{rows}"), &edits))?;
    }

    /// The games' names, damaged.
    #[test]
    fn damaged_game(id in prop::sample::select(GameId::with_engine()), edits in edits()) {
        check_game(&edited(id.name(), &edits))?;
    }
}

/// The damage reaches both good and bad texts: otherwise the tests above would show little.
#[test]
fn damaged_texts_are_good_and_bad() {
    let positions = positions::<Breakthrough>();
    let fens: BTreeSet<String> = positions.iter().map(|position| position.fen()).collect();
    let changes = |fen: &String| {
        (0..fen.len()).map(|place| edited(fen, &[(place, '1', 0)])).collect::<Vec<_>>()
    };
    let (good, bad): (Vec<String>, Vec<String>) = fens
        .iter()
        .take(200)
        .flat_map(changes)
        .partition(|text| Breakthrough::from_fen(text).is_ok());
    assert!(good.len() > 1000 && bad.len() > 1000, "{} good, {} bad", good.len(), bad.len());
}
