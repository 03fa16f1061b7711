//! The conformance suite: what every game's rules must keep to, checked over random games on its boards.

mod common;

use common::oracle::forces;
use common::{Conforming, below, each_game, moves, playout, symmetry};
use rand_mt::Mt64;
use sparring::error::ErrorKind;
use sparring::game::{
    Ataxx, Board, Breakthrough, Breakthru, Foresight, MoveCode, MoveList, Outcome, Position, Side,
};
use std::collections::{BTreeSet, HashMap};

/// Random games for each board.
const GAMES: u64 = 20;

/// Positions of random games on every board, and the game's unusual ones, finished ones among them.
fn positions<P: Conforming>(seed: u64) -> Vec<P> {
    let mut all = P::unusual(seed);
    for board in P::boards() {
        let start = P::start(board).unwrap();
        (0..GAMES).for_each(|game| all.extend(playout(&start, seed * 1000 + game)));
    }
    all
}

/// Some of the positions, for checks that take long.
fn fewer<P: Conforming>(seed: u64, count: usize) -> Vec<P> {
    let all = positions::<P>(seed);
    let step = (all.len() / count).max(1);
    all.into_iter().step_by(step).collect()
}

fn sorted<M: MoveCode>(moves: Vec<M>) -> BTreeSet<M> {
    moves.into_iter().collect()
}

/// What `list` appends, which must be legal and named once.
fn part_of_legal<P: Position>(position: &P, list: fn(&P, &mut MoveList<P::Move>)) -> BTreeSet<P::Move> {
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

/// Of all codes that a table can hold, those of legal moves are legal and no others; illegal moves are refused.
fn only_listed_moves_are_legal<P: Conforming>() {
    for position in fewer::<P>(2, 250) {
        let legal = sorted(moves(&position));
        for code in 1..=u16::MAX {
            let mv = P::Move::from_code(code);
            assert_eq!(position.is_legal(mv), legal.contains(&mv), "code {code} in {}", position.fen());
        }
    }
    for position in fewer::<P>(3, 20) {
        for mv in (1..=u16::MAX).step_by(7).map(P::Move::from_code) {
            match position.try_play(mv) {
                Ok(next) => assert_eq!(next, position.play(mv)),
                Err(error) => {
                    assert!(!position.is_legal(mv));
                    assert_eq!(error.kind(), ErrorKind::Input);
                }
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

/// The key kept move by move is the recomputed one; equal positions have equal keys, different ones different keys.
fn keys_are_kept_up<P: Conforming>() {
    let mut known: HashMap<(Board, u64), P> = HashMap::new();
    for position in positions::<P>(5) {
        assert_eq!(position.key(), position.recomputed_key(), "{}", position.fen());
        assert_eq!(position.key(), P::from_fen(&position.fen()).unwrap().key());
        if let Some(passed) = position.pass() {
            assert_eq!(passed.key(), passed.recomputed_key());
            assert_ne!(passed.key(), position.key());
        }
        let same = known.entry((position.board(), position.key())).or_insert_with(|| position.clone());
        assert_eq!(*same, position, "two positions share a key");
    }
}

/// Images of a position share its canonical key, and nothing else does. Where there are draws the sides stay apart.
fn canonical_keys_belong_to_images<P: Conforming>() {
    let mut known: HashMap<(Board, u128), P> = HashMap::new();
    for position in positions::<P>(5) {
        let images = position.symmetries().into_iter().filter(|s| !P::HAS_DRAWS || !s.swaps);
        let images: Vec<P> = images.map(|symmetry| symmetry.image).chain([position.clone()]).collect();
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
        assert_eq!((read.board(), read.side_to_move()), (position.board(), position.side_to_move()));
        assert!(position.diagram().ends_with('\n'));
        for mv in moves(&position) {
            assert_eq!(position.parse_move(&position.move_text(mv)).unwrap(), mv);
            assert_eq!(position.parse_move(&position.uci_move_text(mv)).unwrap(), mv);
        }
    }
    let start = P::start(P::default_board()).unwrap();
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
        assert_eq!(start.parse_move(text).unwrap_err().kind(), ErrorKind::Input, "{text}");
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

/// Captures are the moves that cost the other side pieces, or so many of them, and move ranks stay in their range.
fn captures_and_ranks_are_right<P: Conforming>() {
    for position in positions::<P>(7) {
        let side = position.side_to_move();
        assert_eq!(position.piece_count(), position.count(side), "{}", position.fen());
        for mv in moves(&position) {
            let lost = position.count(side.other()).saturating_sub(position.play(mv).count(side.other()));
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

/// Noisy and relevant moves are legal. Where a threat must be answered, and nothing is decided yet, every move left
/// out loses at once; elsewhere none is left out.
fn moves_left_out_lose_at_once<P: Conforming>() {
    for position in positions::<P>(8).into_iter().filter(|p| p.outcome().is_none()) {
        let (fen, other) = (position.fen(), position.side_to_move().other());
        let noisy = part_of_legal(&position, P::noisy_moves);
        let missing =
            moves(&position).into_iter().find(|&mv| position.is_capture(mv) && !noisy.contains(&mv));
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

/// What foresight proves can be forced within the plies it names.
fn foresight_is_true<P: Conforming>() {
    let mut seen = [0; 2];
    for position in positions::<P>(9).into_iter().filter(|p| p.outcome().is_none()) {
        let side = position.side_to_move();
        match position.foresight() {
            Foresight::Unknown => {}
            Foresight::Win(plies) => {
                seen[0] += 1;
                assert!(forces(&position, side, plies.into()), "no win in {plies}: {}", position.fen());
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
    assert!(seen[0] > 0, "no win was foreseen: the sample is too small");
}

/// Turning the board, with the sides, turns moves, outcomes and all that is said of moves.
fn symmetries_commute<P: Conforming>() {
    for position in fewer::<P>(10, 20_000) {
        let legal = moves(&position);
        let children: Vec<_> = legal.iter().map(|&mv| (mv, position.play(mv).symmetries())).collect();
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

/// A packed position is the same one, or its image with the first side to move where the sides play the same; damaged bytes are refused or are some
/// unfinished position.
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
        assert!(read == position || position.symmetries().into_iter().any(same), "{}", position.fen());
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

/// Runs the whole suite for games, one test for each check.
macro_rules! suite {
    ($($game:ident: $P:ty;)+) => {
        $(suite! { $game: $P {
            moves_are_the_legal_ones only_listed_moves_are_legal codes_come_back keys_are_kept_up
            canonical_keys_belong_to_images text_comes_back boards_are_the_named_ones captures_and_ranks_are_right
            moves_left_out_lose_at_once foresight_is_true symmetries_commute outcomes_are_known
            packed_positions_come_back
        } })+
    };
    ($game:ident: $P:ty { $($check:ident)+ }) => {
        mod $game {
            $(#[test] fn $check() { super::$check::<$P>(); })+
        }
    };
}

each_game! { suite }

suite! { toy: crate::common::toy::Toy; }

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
    let make = |white, black| Breakthrough::from_pieces(Board::new(6, 6), white, black, Side::First);
    assert!(make(0, 0).is_err(), "nobody has a piece");
    assert!(make(1, 1).is_err(), "two pieces on a square");
    assert!(make(1 << 6, 1 << 8).is_err(), "a piece right of the board");
    assert!(make(1 << 48, 1 << 8).is_err(), "a piece above the board");
    assert!(make(1 << 40, 1).is_err(), "both have arrived");
    assert!(Breakthrough::from_pieces(Board::new(9, 9), 1, 2, Side::First).is_err(), "no such board");
    let mut generator = Mt64::new(3);
    for _ in 0..1000 {
        let (white, black) = (generator.next_u64(), generator.next_u64());
        let side = Side::BOTH[below(&mut generator, 2) as usize];
        if let Ok(position) = Breakthrough::from_pieces(Board::new(8, 8), white, black, side) {
            assert_eq!((position.pieces(Side::First), position.pieces(Side::Second)), (white, black));
        }
    }
}

/// Ataxx's moves, what they lead to and how games end, square by square.
#[test]
fn ataxx_agrees_with_an_array_board() {
    use common::ataxx::{Naive, step};
    for position in fewer::<Ataxx>(13, 4000) {
        let naive = Naive::of(&position);
        assert_eq!(position.outcome(), naive.outcome(), "{}", position.fen());
        let legal: BTreeSet<_> = moves(&position).into_iter().map(step).collect();
        assert_eq!(legal, naive.moves().into_iter().collect(), "{}", position.fen());
        for mv in moves(&position) {
            let (next, place) = (position.play(mv), position.move_text(mv));
            assert_eq!(Naive::of(&next), naive.after(step(mv)), "{place} in {}", position.fen());
        }
    }
}

/// The ends of games that the notation shows: nobody can move, no pieces, a hundred plies without a clone.
#[test]
fn ataxx_games_end_as_the_rules_say() {
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

/// Breakthru's actions, what they lead to and how games end, square by square.
#[test]
fn breakthru_agrees_with_an_array_board() {
    use common::breakthru::{Naive, step};
    for position in fewer::<Breakthru>(13, 1500) {
        let naive = Naive::of(&position);
        assert_eq!(position.outcome(), naive.outcome(), "{}", position.fen());
        let legal: BTreeSet<_> = moves(&position).into_iter().map(step).collect();
        assert_eq!(legal, naive.moves().into_iter().collect(), "{}", position.fen());
        for mv in moves(&position) {
            let (next, place) = (position.play(mv), position.move_text(mv));
            assert_eq!(Naive::of(&next), naive.after(step(mv)), "{place} in {}", position.fen());
        }
    }
}

/// The ends of games that the notation shows: the flagship, no ships, no action, two hundred turns.
#[test]
fn breakthru_games_end_as_the_rules_say() {
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
    // The only small ship moves, and the turn is over; so it is after the flagship's move and after a capture.
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
fn breakthru_exchanges_are_worth_what_they_lead_to() {
    use common::breakthru::{Naive, Square, Step, step};
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
            let (from, to) = step(mv);
            let won = match naive.at(to) {
                'F' => FLAGSHIP,
                '.' => 0,
                _ => 1,
            };
            let after = Naive { gold: !naive.gold, moved: None, ..naive.after((from, to)) };
            let value = if won == FLAGSHIP { won } else { won - reply(&after, to) };
            seen.insert(value);
            assert_eq!(position.exchange(mv), value, "{} in {}", position.move_text(mv), position.fen());
        }
    }
    assert!([-1, 0, 1, FLAGSHIP].iter().all(|value| seen.contains(value)), "{seen:?}");
}

/// Of the turns of two moves a search sees each once: the moves left out lead where another order of them leads, and
/// nothing else is lost.
#[test]
fn breakthru_turns_are_searched_once() {
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
        let (all, once) = (ends(&position, Breakthru::moves), ends(&position, Breakthru::distinct_moves));
        let keys = |turns: &[Breakthru]| turns.iter().map(Breakthru::key).collect::<BTreeSet<_>>();
        assert_eq!(keys(&all), keys(&once), "{}", position.fen());
        (ordered, distinct) = (ordered + all.len(), distinct + once.len());
    }
    assert!(distinct * 9 < ordered * 5, "{distinct} of {ordered}");
}
