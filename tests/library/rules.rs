//! The conformance suite: what every game's rules must keep to, checked over random games on its
//! boards.

use crate::common::array::ArrayBoard;
use crate::common::oracle::forces;
use crate::common::{Conforming, TestedGame, moves, playout, symmetry};
use crate::games::each_game;
use sparring::error::ErrorKind;
use sparring::eval::Game;
use sparring::game::{Board, Foresight, MoveCode, MoveList, Outcome, Side, THREAT_PLIES};
use std::collections::{BTreeSet, HashMap};

/// Random games for each board.
const GAMES: u64 = 20;

/// Positions of random games on every board, and the game's unusual ones, finished ones among them.
pub(crate) fn positions<P: Conforming>(seed: u64) -> Vec<P> {
    let mut all = P::unusual(seed);
    for board in P::boards() {
        let start = P::start(board).unwrap();
        (0..GAMES).for_each(|game| all.extend(playout(&start, seed * 1000 + game)));
    }
    all
}

/// Some of the positions, for checks that take long.
pub(crate) fn fewer<P: Conforming>(seed: u64, count: usize) -> Vec<P> {
    let all = positions::<P>(seed);
    let step = (all.len() / count).max(1);
    all.into_iter().step_by(step).collect()
}

fn sorted<M: MoveCode>(moves: Vec<M>) -> BTreeSet<M> {
    moves.into_iter().collect()
}

/// The moves that `list` appends, which must be legal and named once.
fn part_of_legal<P: Game>(position: &P, list: fn(&P, &mut MoveList<P::Move>)) -> BTreeSet<P::Move> {
    let mut some = MoveList::new();
    list(position, &mut some);
    let set = sorted(some.to_vec());
    assert_eq!(set.len(), some.len(), "a duplicate in {}", position.fen());
    assert!(set.is_subset(&sorted(moves(position))), "an illegal move in {}", position.fen());
    set
}

/// The moves of a position are exactly the legal ones, each once, and none when the game is over.
fn moves_are_the_legal_ones<P: Conforming>() {
    for position in positions::<P>(1) {
        let list = moves(&position);
        let fen = position.fen();
        assert_eq!(sorted(list.clone()).len(), list.len(), "a duplicate in {fen}");
        assert_eq!(position.count_moves(), list.len() as u64, "{fen}");
        assert_eq!(list.is_empty(), position.outcome().is_some(), "{fen}");
        assert_eq!(list, moves(&position.clone()), "{fen}");
        assert!(list.iter().all(|&mv| position.is_legal(mv)), "{fen}");
    }
}

/// Of all codes that a table can hold, only the codes of legal moves are legal; illegal moves
/// are refused.
fn only_listed_moves_are_legal<P: Conforming>() {
    for position in fewer::<P>(2, 250) {
        let legal = sorted(moves(&position));
        for code in 1..=u16::MAX {
            let mv = P::Move::from_code(code);
            assert_eq!(
                position.is_legal(mv),
                legal.contains(&mv),
                "code {code} in {}",
                position.fen()
            );
        }
    }
    for position in fewer::<P>(3, 20) {
        for mv in (1..=u16::MAX).step_by(7).map(P::Move::from_code) {
            match position.try_play(mv) {
                Some(next) => assert_eq!(next, position.play(mv)),
                None => assert!(!position.is_legal(mv)),
            }
        }
    }
}

/// Codes are never 0 and come back as the same move; cells of the history tables exist.
fn codes_come_back<P: Conforming>() {
    for mv in positions::<P>(4).iter().flat_map(moves) {
        assert_ne!(mv.code(), 0);
        assert_eq!(P::Move::from_code(mv.code()), mv);
    }
    for mv in (0..=u16::MAX).map(P::Move::from_code) {
        assert!(mv.history_index() < P::Move::HISTORY_SIZE, "{mv:?}");
    }
}

/// The key kept move by move is the recomputed one; equal positions have equal keys, different ones
/// different keys.
fn keys_are_kept_up<P: Conforming>() {
    let mut known: HashMap<(Board, u64), P> = HashMap::new();
    for position in positions::<P>(5) {
        assert_eq!(position.key(), position.recomputed_key(), "{}", position.fen());
        assert_eq!(position.key(), P::from_fen(&position.fen()).unwrap().key());
        if let Some(passed) = position.pass() {
            assert_eq!(passed.key(), passed.recomputed_key());
            assert_ne!(passed.key(), position.key());
        }
        let same =
            known.entry((position.board(), position.key())).or_insert_with(|| position.clone());
        assert_eq!(*same, position, "two positions share a key");
    }
}

/// Images of a position share its canonical key, and nothing else does. Where there are draws the
/// sides stay apart.
fn canonical_keys_belong_to_images<P: Conforming>() {
    let mut known: HashMap<(Board, u128), P> = HashMap::new();
    for position in positions::<P>(5) {
        let images = position.symmetries().into_iter().filter(|s| !P::HAS_DRAWS || !s.swaps);
        let images: Vec<P> =
            images.map(|symmetry| symmetry.image).chain([position.clone()]).collect();
        for image in &images {
            assert_eq!(image.canonical_key(), position.canonical_key(), "{}", image.fen());
        }
        let key = (position.board(), position.canonical_key());
        let same = known.entry(key).or_insert_with(|| position.clone());
        assert!(images.contains(same), "{} and {} share a key", same.fen(), position.fen());
    }
}

/// Positions and moves that were printed are read again, and nonsense is refused.
fn text_comes_back<P: Conforming>() {
    for position in positions::<P>(6) {
        let fen = position.fen();
        let read = P::from_fen(&fen).unwrap();
        assert_eq!((&read, read.fen()), (&position, fen));
        assert_eq!(
            (read.board(), read.side_to_move()),
            (position.board(), position.side_to_move())
        );
        assert!(position.diagram().ends_with('\n'));
        for mv in moves(&position) {
            assert_eq!(position.parse_move(&position.move_text(mv)).unwrap(), mv);
            assert_eq!(position.parse_move(&position.uci_move_text(mv)).unwrap(), mv);
        }
    }
    let start = P::start(P::default_board()).unwrap();
    let known: Vec<String> = moves(&start).into_iter().map(|mv| start.move_text(mv)).collect();
    for text in [
        "",
        " ",
        "-",
        "a",
        "a1",
        "a1a1",
        "z9z9",
        "\u{1f980}",
        "a2a3a4",
        "0",
        "99999",
        "////",
        "w w w w w w w",
    ] {
        assert_eq!(P::from_fen(text).unwrap_err().kind(), ErrorKind::Input, "{text}");
        if !known.iter().any(|name| name == text) {
            assert_eq!(start.parse_move(text).unwrap_err().kind(), ErrorKind::Input, "{text}");
        }
    }
}

/// A game is played on the boards it names, and on no others.
fn boards_are_the_named_ones<P: Conforming>() {
    let boards = P::boards();
    assert!(boards.contains(&P::default_board()));
    for cols in 1..=Board::MAX_SIDE {
        for rows in 1..=Board::MAX_SIDE {
            let board = Board::new(cols, rows);
            match P::start(board) {
                Ok(start) => assert!(boards.contains(&board) && start.board() == board),
                Err(error) => assert!(!boards.contains(&board) && error.kind() == ErrorKind::Input),
            }
        }
    }
}

/// Captures are the moves that cost the other side pieces, or this many of them, and move ranks
/// stay in their range.
fn captures_and_ranks_are_right<P: Conforming>() {
    for position in positions::<P>(7) {
        let side = position.side_to_move();
        assert_eq!(position.piece_count(), position.count(side), "{}", position.fen());
        let others = position.count(side.other());
        for mv in moves(&position) {
            let lost = others.saturating_sub(position.play_unchecked(mv).count(side.other()));
            assert_eq!(
                position.is_capture(mv),
                lost >= P::CAPTURE,
                "{} in {}",
                position.move_text(mv),
                position.fen()
            );
            assert!(position.move_rank(mv) <= 15);
        }
    }
}

/// Noisy and relevant moves are legal. Where a threat must be answered, and nothing is decided yet,
/// every move left out loses at once; elsewhere none is left out.
fn moves_left_out_lose_at_once<P: Conforming>() {
    for position in positions::<P>(8).into_iter().filter(|p| p.outcome().is_none()) {
        let (fen, other) = (position.fen(), position.side_to_move().other());
        let noisy = part_of_legal(&position, P::noisy_moves);
        let missing = moves(&position)
            .into_iter()
            .find(|&mv| position.is_capture(mv) && !noisy.contains(&mv));
        assert!(!P::CAPTURES_ARE_NOISY || missing.is_none(), "{fen}");
        let relevant = part_of_legal(&position, P::relevant_moves);
        if !position.must_answer() {
            assert_eq!(relevant.len() as u64, position.count_moves(), "{fen}");
            continue;
        }
        if let Some(passed) = position.pass() {
            assert!(forces(&passed, other, 1), "no threat in {fen}");
        }
        if position.foresight() == Foresight::Unknown {
            assert!(!relevant.is_empty(), "{fen}");
            let left_out = moves(&position).into_iter().filter(|mv| !relevant.contains(mv));
            for mv in left_out {
                // Within the rest of the turn and a ply of the other side.
                let next = position.play(mv);
                assert!(forces(&next, other, P::TURN_PLIES), "{} in {fen}", position.move_text(mv));
            }
        }
    }
}

/// However a game detects threats, it agrees with a pass followed by the game's foresight.
fn threats_are_those_after_a_pass<P: Conforming>() {
    let mut threats = 0;
    for position in positions::<P>(13).into_iter().filter(|p| p.outcome().is_none()) {
        let after_pass = position.pass().is_some_and(
            |passed| matches!(passed.foresight(), Foresight::Win(plies) if plies <= THREAT_PLIES),
        );
        let threatened = position.must_answer() || after_pass;
        assert_eq!(position.is_threatened(), threatened, "{}", position.fen());
        threats += u32::from(threatened);
    }
    assert!(threats > 0 || !P::PASSES, "the sample is too small");
}

/// A proof by foresight can be forced within the plies it names.
fn foresight_is_true<P: Conforming>() {
    let mut seen = [0; 2];
    for position in positions::<P>(9).into_iter().filter(|p| p.outcome().is_none()) {
        let side = position.side_to_move();
        match position.foresight() {
            Foresight::Unknown => {}
            Foresight::Win(plies) => {
                seen[0] += 1;
                assert!(
                    forces(&position, side, plies.into()),
                    "no win in {plies}: {}",
                    position.fen()
                );
            }
            Foresight::Loss(plies) => {
                seen[1] += 1;
                assert!(
                    forces(&position, side.other(), plies.into()),
                    "no loss in {plies}: {}",
                    position.fen()
                );
            }
        }
    }
    assert!(seen[0] > 0 || !P::FORESEES, "no win was foreseen: the sample is too small");
}

/// Turning the board, with the sides, turns moves, outcomes and all properties of moves.
fn symmetries_commute<P: Conforming>() {
    for position in fewer::<P>(10, 20_000) {
        let legal = moves(&position);
        let children: Vec<_> =
            legal.iter().map(|&mv| (mv, position.play(mv).symmetries())).collect();
        for (index, symmetry) in position.symmetries().iter().enumerate() {
            let place = format!("{} {}", symmetry.name, position.fen());
            let image = &symmetry.image;
            assert_eq!(symmetry.moves(&legal), Vec::from_iter(sorted(moves(image))), "{place}");
            assert_eq!(image.side_to_move(), symmetry.side(position.side_to_move()), "{place}");
            let outcome = position.outcome().map(|outcome| match outcome {
                Outcome::Win(winner) => Outcome::Win(symmetry.side(winner)),
                Outcome::Draw => Outcome::Draw,
            });
            assert_eq!(image.outcome(), outcome, "{place}");
            if outcome.is_none() {
                assert_eq!(image.foresight(), position.foresight(), "{place}");
                assert_eq!(image.must_answer(), position.must_answer(), "{place}");
            }
            for (mv, images) in &children {
                let turned = (symmetry.map)(*mv);
                assert_eq!(image.is_capture(turned), position.is_capture(*mv), "{place}");
                assert_eq!(image.move_rank(turned), position.move_rank(*mv), "{place}");
                assert_eq!(image.play(turned), images[index].image, "{place}");
            }
        }
    }
}

/// A packed position is the same one, or its image with the first side to move where the sides play
/// the same; damaged bytes are refused or are some unfinished position.
fn packed_positions_come_back<P: Conforming>() {
    let mut bytes = vec![0; P::PACKED];
    let mut packed = 0;
    for position in fewer::<P>(12, 4000).into_iter().filter(|p| p.outcome().is_none()) {
        if !position.pack(&mut bytes) {
            continue;
        }
        packed += 1;
        let read = P::unpack(position.board(), &bytes).unwrap();
        let same = |symmetry: symmetry::Symmetry<P>| symmetry.image == read;
        assert!(
            read == position || position.symmetries().into_iter().any(same),
            "{}",
            position.fen()
        );
        assert!(read == position || read.side_to_move() == Side::First);
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1 << (packed % 8);
            assert!(!P::unpack(position.board(), &damaged).is_ok_and(|p| p.outcome().is_some()));
        }
        assert!(P::unpack(position.board(), &bytes[1..]).is_err());
    }
    assert_eq!(packed > 0, P::PACKED > 0);
}

/// Without draws every outcome names a winner; its points add up.
fn outcomes_are_known<P: Conforming>() {
    let outcomes: Vec<Outcome> = positions::<P>(11).iter().filter_map(P::outcome).collect();
    assert!(Side::BOTH.iter().all(|&side| outcomes.contains(&Outcome::Win(side))));
    for outcome in outcomes {
        assert!(P::HAS_DRAWS || outcome != Outcome::Draw);
        assert_eq!(Side::BOTH.map(|side| outcome.half_points(side)).iter().sum::<u8>(), 2);
    }
}

/// Moves, what they lead to and how games end agree with an array board.
fn an_array_board_agrees<P: TestedGame>() {
    for position in fewer::<P>(13, 4000) {
        let array = P::Array::of(&position);
        assert_eq!(position.outcome(), array.outcome(), "{}", position.fen());
        let legal: BTreeSet<_> = moves(&position).into_iter().map(P::Array::step).collect();
        assert_eq!(legal, array.moves().into_iter().collect(), "{}", position.fen());
        for mv in moves(&position) {
            let (next, place) = (position.play(mv), position.move_text(mv));
            assert_eq!(
                P::Array::of(&next),
                array.after(P::Array::step(mv)),
                "{place} in {}",
                position.fen()
            );
        }
    }
}

/// Runs the whole suite for games, one test for each check.
macro_rules! suite {
    ($($game:ident: $P:ty;)+) => {
        $(suite! { $game: $P {
            moves_are_the_legal_ones only_listed_moves_are_legal codes_come_back keys_are_kept_up
            canonical_keys_belong_to_images text_comes_back boards_are_the_named_ones captures_and_ranks_are_right
            moves_left_out_lose_at_once threats_are_those_after_a_pass foresight_is_true symmetries_commute
            outcomes_are_known
            packed_positions_come_back
        } })+
    };
    ($game:ident: $P:ty { $($check:ident)+ }) => {
        mod $game {
            $(#[test] fn $check() { crate::rules::$check::<$P>(); })+
        }
    };
}

/// The checks of all games, apart from the files with each game's own tests.
mod conformance {
    use crate::games::each_game;

    each_game! { suite }

    suite! { toy: crate::common::toy::Toy; }
}

/// One test for each game whose rules are written down twice.
macro_rules! array_suite {
    ($($game:ident: $P:ty;)+) => {
        mod array_boards {
            $(#[test] fn $game() { crate::rules::an_array_board_agrees::<$P>(); })+
        }
    };
}

each_game! { array_suite }
