use super::*;
use sparring::eval::features::check_set;
use sparring::eval::{Evaluator, Game};
use sparring::game::{MoveList, Notation, Position, perft};
use sparring::search::score::plies_to_win;
use sparring::search::{Engine, Limits, Options, Stop};
use sparring::weights::WeightSet;

type Game4 = Simple<ConnectFour>;

fn start() -> Game4 {
    Game4::start(ConnectFour::BOARD).unwrap()
}

/// The position after these moves, separated by spaces.
fn after(moves: &str) -> Game4 {
    let play = |position: Game4, mv: &str| position.play(position.parse_move(mv).unwrap());
    moves.split_whitespace().fold(start(), play)
}

fn hand() -> WeightSet {
    WeightSet::from_json(include_str!("../hand.json"), "hand.json").unwrap()
}

fn engine() -> Engine<Game4> {
    Engine::new(
        Game4::evaluator(&hand()).unwrap(),
        Options { table_bytes: 1 << 20, ..Options::default() },
    )
}

/// The best move of a short search, and the plies until its win or loss.
fn best(position: &Game4) -> (String, Option<i32>) {
    let found = engine().search(position, &Limits::nodes(1_000), &Stop::default(), &mut |_| {});
    (position.move_text(found.best.unwrap()), plies_to_win(found.score))
}

/// Unfinished positions of random games.
fn random_positions() -> Vec<Game4> {
    let (mut random, mut positions) = (1_u64, Vec::new());
    for _ in 0..100 {
        let mut position = start();
        while position.outcome().is_none() {
            let mut moves = MoveList::new();
            position.moves(&mut moves);
            positions.push(position.clone());
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            position = position.play(moves[(random >> 33) as usize % moves.len()]);
        }
    }
    positions
}

#[test]
fn the_rules_keep_their_contract() {
    check_rules::<ConnectFour>().unwrap();
}

#[test]
fn the_lines_from_the_start_are_as_many_as_others_count() {
    let counts: Vec<u64> = (1..=8).map(|depth| perft(&start(), depth)).collect();
    assert_eq!(counts, [7, 49, 343, 2401, 16_807, 117_649, 823_536, 5_673_234]);
}

#[test]
fn four_in_a_row_win_in_every_direction() {
    for (moves, winner) in [
        ("a1 a2 b1 b2 c1 c2 d1", Side::First),
        ("a1 b1 a2 b2 a3 b3 c1 b4", Side::Second),
        ("a1 b1 b2 c1 c2 d1 c3 d2 d3 f1 d4", Side::First),
        ("g1 f1 f2 e1 e2 d1 e3 d2 d3 a1 d4", Side::First),
    ] {
        let end = after(moves);
        assert_eq!(end.outcome(), Some(Outcome::Win(winner)), "{moves}");
        assert_eq!(after(moves.rsplit_once(' ').unwrap().0).outcome(), None, "{moves}");
    }
    // The squares f1, g1 and a2, b2 are adjacent in the bits.
    assert_eq!(after("f1 a1 g1 b1 a2 c1 b2").outcome(), None);
}

#[test]
fn positions_that_cannot_be_are_refused() {
    for (fen, reason) in [
        ("7/7/7/7/7/x6 x", "too many stones"),
        ("7/7/7/7/x6/1o5 x", "above an empty square"),
        ("7/7/7/7/7/xxxxooo x", "too many stones"),
        ("7/7/7/7/ooo4/xxxxo2 x", "won before"),
        ("7/7/7/7/7/8 x", "row 1"),
    ] {
        let error = Game4::from_fen(fen).unwrap_err().to_string();
        assert!(error.contains(reason), "{fen}: {error}");
    }
    let error = start().parse_move("d3").unwrap_err().to_string();
    assert!(error.contains("legal are: d1"), "{error}");
}

/// The four squares of every line on the board, from each square in each direction.
fn lines() -> Vec<[usize; 4]> {
    let mut lines = Vec::new();
    for (col, row) in (0..7_i32).flat_map(|col| (0..6).map(move |row| (col, row))) {
        for (right, up) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
            if (0..7).contains(&(col + 3 * right)) && row + 3 * up < 6 {
                lines.push([0, 1, 2, 3].map(|n| (8 * (row + n * up) + col + n * right) as usize));
            }
        }
    }
    lines
}

/// Recounts the features square by square.
#[test]
fn features_are_what_their_words_say() {
    assert_eq!(lines().len(), 69);
    for position in random_positions() {
        let stone = |square: usize| {
            let has = |side: &Side| position.rules().stones[side.index()] >> square & 1 == 1;
            Side::BOTH.into_iter().find(has)
        };
        let count = |line: &[usize; 4], what| line.iter().filter(|&&s| stone(s) == what).count();
        let counts = |side: Side| {
            let open = |own: usize| {
                let is_open = |line: &&[usize; 4]| {
                    count(line, Some(side)) == own && count(line, None) == 4 - own
                };
                lines().iter().filter(is_open).count() as i32
            };
            let is_threat = |square: &usize| {
                let completes = |line: &[usize; 4]| {
                    line.contains(square)
                        && stone(*square).is_none()
                        && count(line, Some(side)) == 3
                };
                lines().iter().any(completes)
            };
            let threats: Vec<usize> = (0..48).filter(is_threat).collect();
            let parity = side.index();
            let lasting = threats.iter().filter(|&&square| square / 8 % 2 == parity).count();
            let column =
                |col: usize| (0..6_usize).filter(|row| stone(8 * row + col) == Some(side)).count();
            [open(2), open(3), column(3) as i32, (column(2) + column(4)) as i32]
                .into_iter()
                .chain([threats.len() as i32, lasting as i32])
        };
        let side = position.side_to_move();
        let differences = counts(side).zip(counts(side.other())).map(|(own, other)| own - other);
        let expected: Vec<i32> = differences.chain([1]).collect();
        assert_eq!(position.features(), expected, "{}", position.fen());
    }
}

#[test]
fn what_one_side_is_ahead_the_other_is_behind() {
    for position in random_positions() {
        let mut turned = position.rules().clone();
        turned.side = turned.side.other();
        let (own, other) = (position.features(), Simple::new(turned).features());
        let tempo = own.len() - 1;
        assert!((0..tempo).all(|n| own[n] == -other[n]), "{}", position.fen());
    }
}

#[test]
fn the_search_wins_and_stops_wins() {
    assert_eq!(best(&after("a1 g1 b1 g2 c1 g3")), ("d1".into(), Some(1)));
    assert_eq!(best(&after("a1 g1 b1 g2 f1 g3")).0, "g4");
    // Two open ends cannot both be stopped, so the second adjacent stone must be.
    assert_eq!(best(&after("d1 d2 e1 d3 c1")).1, Some(-2));
    assert!(["c1", "f1", "b1"].contains(&best(&after("d1 d2 e1")).0.as_str()));
}

#[test]
fn a_game_of_the_engine_with_itself_ends() {
    let (mut engine, mut position, mut plies) = (engine(), start(), 0);
    while position.outcome().is_none() {
        let limits = Limits::nodes(200);
        let found = engine.search(&position, &limits, &Stop::default(), &mut |_| {});
        position = position.play(found.best.unwrap());
        plies += 1;
    }
    assert!((7..=42).contains(&plies));
}

#[test]
fn the_shipped_set_is_of_this_game() {
    check_set::<Game4>(&hand(), "hand.json").unwrap();
    // No piece is ever lost, so the search's margins depend on the spread of the values.
    assert!(Game4::evaluator(&hand()).unwrap().unit() > 100);
}
