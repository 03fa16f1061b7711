//! Searches against searches without any pruning: scores are equal where they must be, lines are
//! legal everywhere.

use crate::common::oracle::Foreseeing;
use crate::common::toy::{LoopingToy, Toy, ToyEvaluator};
use crate::common::{TestedGame, sample};
use crate::games::each_game;
use rand_mt::Mt64;
use sparring::eval::{Evaluator, Game, Score};
use sparring::game::{Board, Notation, Position, Repetitions, Side, perft};
use sparring::search::minimax::{minimax, minimax_after};
use sparring::search::score::{WIN, is_proven};
use sparring::search::{
    Algorithm, Engine, Limits, Options, Report, SearchConstants, Stop, Switches,
};

/// A side with at most this many pieces makes no null move in the enhanced search.
const NULL_PIECES: u32 = 10;

/// Positions with more moves are not searched much deeper than minimax can follow.
const MANY_MOVES: u64 = 60;

fn options(algorithm: Algorithm, switches: Switches) -> Options {
    Options { algorithm, switches, table_bytes: 1 << 16, ..Options::default() }
}

/// The scores of all finished iterations, and the report.
fn run<G: Game>(
    engine: &mut Engine<G>,
    position: &G,
    depth: u32,
) -> (Vec<(u32, Score)>, Report<G>) {
    let mut scores = Vec::new();
    let mut note =
        |report: &sparring::search::DepthReport<G>| scores.push((report.depth, report.score));
    let report = engine.search(position, &Limits::depth(depth), &Stop::default(), &mut note);
    check_report(position, &report);
    (scores, report)
}

/// The best move is legal, the line is a legal one that begins with it, the score is a possible
/// one.
fn check_report<P: Game>(position: &P, report: &Report<P>) {
    let fen = position.fen();
    assert!(report.score.abs() <= WIN, "score {} in {fen}", report.score);
    assert_eq!(report.best.is_none(), position.outcome().is_some(), "{fen}");
    assert_eq!(report.pv.first().copied(), report.best, "{fen}");
    let mut place = position.clone();
    for &mv in &report.pv {
        place = place.try_play(mv).unwrap_or_else(|| panic!("line from {fen}"));
    }
    // A line to the end of the game leads where the score says.
    if let (Some(outcome), true) = (place.outcome(), is_proven(report.score)) {
        let points = outcome.half_points(position.side_to_move());
        assert_eq!(points, if report.score > 0 { 2 } else { 0 }, "{fen}");
    }
}

/// Searches with a fresh engine and compares every iteration with `value` at its depth.
fn compare<G: Game>(
    position: &G,
    evaluator: &G::Evaluator,
    options: Options,
    depth: u32,
    value: impl Fn(u32) -> Score,
) {
    let what = format!("{} {:?} in {}", options.algorithm, options.switches, position.fen());
    let mut engine = Engine::<G>::new(evaluator.clone(), options);
    let (scores, report) = run(&mut engine, position, depth);
    for &(depth, score) in &scores {
        assert_eq!(score, value(depth), "depth {depth}, {what}");
    }
    let &(last, score) = scores.last().unwrap();
    assert_eq!((report.depth, report.score), (last, score), "{what}");
    // A search that ends early has proven its score: deeper ones give the same.
    assert_eq!(score, value(depth), "ended at depth {last} of {depth}, {what}");
}

/// Positions on boards of all sizes, from games and endgames, finished ones excluded.
fn positions<P: TestedGame>(seed: u64) -> Vec<P> {
    let mut generator = Mt64::new(seed);
    let mut all = Vec::new();
    for board in crate::common::boards::<P>(12) {
        all.extend(sample::<P>(board, 3, generator.next_u64()));
        all.push(P::endgame(board, 4, &mut generator));
    }
    all
}

/// The evaluators of the game's weight sets.
fn evaluators<P: TestedGame>(seed: u64) -> Vec<P::Evaluator> {
    P::weight_sets(seed).iter().map(|set| P::evaluator(set).unwrap()).collect()
}

/// The greatest depth up to 4 at which the search without pruning is affordable.
fn affordable<P: Game>(position: &P) -> u32 {
    const MOST: u64 = 30_000;
    (2..=4).take_while(|&depth| depth == 2 || perft(position, depth) <= MOST).last().unwrap_or(2)
}

/// Calls `check` with positions, evaluators and an affordable depth.
fn each_case<P: TestedGame>(seed: u64, check: impl Fn(&P, &P::Evaluator, u32)) {
    let evaluators = evaluators::<P>(seed);
    for (index, position) in positions::<P>(seed).iter().enumerate() {
        let depth = affordable(position);
        for evaluator in evaluators.iter().skip(index % 3).step_by(3) {
            check(position, evaluator, depth);
        }
    }
}

/// The minimax values of depths 1 to `depth`.
fn values<G: Game>(position: &G, evaluator: &G::Evaluator, depth: u32) -> Vec<Score> {
    (0..=depth).map(|depth| minimax(position, evaluator, depth, 0)).collect()
}

/// The same where foresight ends lines.
fn foreseen_values<G: Game>(
    position: &G,
    evaluator: &G::Evaluator,
    depth: u32,
    threat_plies: Option<u32>,
) -> Vec<Score> {
    (0..=depth)
        .map(|depth| Foreseeing::new(evaluator, threat_plies).value(position, depth))
        .collect()
}

/// Plain alpha-beta gives the minimax value, whether it deepens step by step or goes to its depth
/// at once.
fn plain_is_minimax<P: TestedGame>() {
    each_case::<P>(1, |position, evaluator, depth| {
        let values = values(position, evaluator, depth);
        for depth in 1..=depth {
            let options = options(Algorithm::Plain, Switches::ALL);
            compare(position, evaluator, options.clone(), depth, |depth| values[depth as usize]);
            let mut engine = Engine::<P>::new(evaluator.clone(), options);
            let limits = Limits { nodes: Some(u64::MAX), ..Limits::depth(depth) };
            let report = engine.search(position, &limits, &Stop::default(), &mut |_| {});
            assert_eq!(report.score, values[depth as usize], "{}", position.fen());
        }
    });
}

/// Whether no null move is made here or in any position within a depth.
fn has_few_pieces<P: Game>(position: &P, depth: u32) -> bool {
    position.piece_count() <= NULL_PIECES
        && (depth == 0
            || crate::common::children(position)
                .iter()
                .all(|child| has_few_pieces(child, depth - 1)))
}

/// The enhanced search gives the minimax value where it cannot try a null move.
fn enhanced_without_null_move_is_minimax<P: TestedGame>() {
    each_case::<P>(2, |position, evaluator, depth| {
        let depth = if has_few_pieces(position, depth) { depth } else { 2 };
        let values = values(position, evaluator, depth);
        let options = options(Algorithm::Enhanced, Switches::ALL);
        compare(position, evaluator, options, depth, |depth| values[depth as usize]);
    });
}

/// With null moves its results are at least possible ones.
fn enhanced_gives_possible_results<P: TestedGame>() {
    each_case::<P>(3, |position, evaluator, depth| {
        let mut engine =
            Engine::<P>::new(evaluator.clone(), options(Algorithm::Enhanced, Switches::ALL));
        let more = if position.count_moves() > MANY_MOVES { 1 } else { 2 };
        run(&mut engine, position, depth + more);
    });
}

/// The full search with nothing but exact parts gives the minimax value, with and without table and
/// aspiration.
fn exact_full_search_is_minimax<P: TestedGame>() {
    let variants = [
        Switches::EXACT,
        Switches { table: false, ..Switches::EXACT },
        Switches { aspiration: false, ..Switches::EXACT },
        Switches { table: false, aspiration: false, ..Switches::EXACT },
    ];
    each_case::<P>(4, |position, evaluator, depth| {
        let values = values(position, evaluator, depth);
        for switches in variants {
            let options = options(Algorithm::Full, switches);
            compare(position, evaluator, options, depth, |depth| values[depth as usize]);
        }
    });
}

/// The narrowest windows, which fail most often, change no score.
fn narrow_windows_change_nothing<P: TestedGame>() {
    each_case::<P>(5, |position, evaluator, depth| {
        let values = values(position, evaluator, depth);
        let mut options = options(Algorithm::Full, Switches::EXACT);
        options.constants.aspiration_depth = 2;
        options.constants.aspiration_window = 1;
        compare(position, evaluator, options, depth, |depth| values[depth as usize]);
    });
}

/// Foresight ends lines earlier and leaves out moves that lose at once, and is otherwise exact; so
/// its score differs from the minimax value only by wins that minimax would see deeper.
fn foresight_only_sees_farther<P: TestedGame>() {
    let with = Switches { foresight: true, ..Switches::EXACT };
    let variants =
        [with, Switches { table: false, ..with }, Switches { aspiration: false, ..with }];
    each_case::<P>(6, |position, evaluator, depth| {
        let plain = values(position, evaluator, depth);
        let foreseen = foreseen_values(position, evaluator, depth, None);
        for (plain, foreseen) in plain.iter().zip(&foreseen).filter(|(plain, _)| is_proven(**plain))
        {
            assert_eq!(plain, foreseen, "foresight changes a proven score in {}", position.fen());
        }
        for switches in variants {
            let options = options(Algorithm::Full, switches);
            compare(position, evaluator, options, depth, |depth| foreseen[depth as usize]);
        }
    });
}

/// The quiescence search, without the table, has the value of its definition.
fn quiescence_is_its_definition<P: TestedGame>() {
    let switches = Switches { foresight: true, quiescence: true, table: false, ..Switches::EXACT };
    let threat_plies = SearchConstants::default().threat_plies as u32;
    let evaluators = evaluators::<P>(7);
    let boards = P::boards();
    let mut generator = Mt64::new(7);
    for index in 0..700 {
        // Few pieces: captures branch out without end when nothing is pruned.
        let position = P::endgame(boards[index % boards.len()], 5, &mut generator);
        let evaluator = &evaluators[index % evaluators.len()];
        let depth = affordable(&position).min(3);
        let values = foreseen_values(&position, evaluator, depth, Some(threat_plies));
        let options = options(Algorithm::Full, switches);
        compare(&position, evaluator, options, depth, |depth| values[depth as usize]);
    }
}

/// Whatever is switched on or off, results are possible ones, also at the root of a position that
/// is decided.
fn any_switches_give_possible_results<P: TestedGame>() {
    let switches = |bits: u64| Switches {
        table: bits & 1 != 0,
        exact_depth: bits & 2 != 0,
        null_move: bits & 4 != 0,
        reductions: bits & 8 != 0,
        pruning: bits & 16 != 0,
        quiescence: bits & 32 != 0,
        foresight: bits & 64 != 0,
        extensions: bits & 128 != 0,
        aspiration: bits & 256 != 0,
    };
    let mut positions = positions::<P>(8);
    let mut generator = Mt64::new(8);
    positions.extend((0..400).map(|_| P::endgame(Board::new(4, 5), 5, &mut generator)));
    let evaluators = evaluators::<P>(8);
    for (index, position) in positions.iter().enumerate() {
        let depth = affordable(position) + 1;
        for round in 0..6 {
            let options = options(Algorithm::Full, switches(generator.next_u64()));
            let evaluator = evaluators[(index + round) % evaluators.len()].clone();
            run(&mut Engine::<P>::new(evaluator, options), position, depth);
        }
    }
}

/// Trees and small graphs in which a side sometimes moves twice in a row: 500 of them with every
/// algorithm.
#[test]
fn scores_are_negated_only_when_the_side_changes() {
    let foresight = Switches { foresight: true, ..Switches::EXACT };
    let mut stays = 0;
    for graph in 0..500 {
        let evaluator = ToyEvaluator([1, 5, 13][graph as usize % 3]);
        let tree = Toy::new(graph, u64::MAX);
        stays += crate::common::children(&tree)
            .iter()
            .filter(|child| child.side_to_move() == Side::First)
            .count();
        let values = values(&tree, &evaluator, 5);
        for algorithm in Algorithm::ALPHA_BETA {
            let options = options(algorithm, Switches::EXACT);
            compare(&tree, &evaluator, options, 5, |depth| values[depth as usize]);
        }
        let foreseen = foreseen_values(&tree, &evaluator, 5, None);
        compare(&tree, &evaluator, options(Algorithm::Full, foresight), 5, |depth| {
            foreseen[depth as usize]
        });
    }
    assert!(stays > 300, "the side to move hardly ever stays");
}

/// Transpositions at equal and unequal depths, and cycles, mislead no exact search.
#[test]
fn transpositions_mislead_no_exact_search() {
    for graph in 0..500 {
        let evaluator = ToyEvaluator([1, 5, 13][graph as usize % 3]);
        let start = Toy::new(graph, 4 + graph % 60);
        let values = values(&start, &evaluator, 6);
        for table in [false, true] {
            let options = options(Algorithm::Full, Switches { table, ..Switches::EXACT });
            compare(&start, &evaluator, options, 6, |depth| values[depth as usize]);
        }
        compare(&start, &evaluator, options(Algorithm::Plain, Switches::EXACT), 6, |depth| {
            values[depth as usize]
        });
    }
}

/// Repeated places are draws in every search: places of the line at once, places of the game as the
/// rules say. It searches 500 graphs with cycles.
#[test]
fn repetitions_are_draws() {
    const DEPTH: u32 = 7;
    let (mut by_line, mut by_game) = (0, 0);
    for graph in 0..500 {
        let evaluator = ToyEvaluator([1, 5, 13][graph as usize % 3]);
        let nodes = 4 + graph % 40;
        let start = LoopingToy::new(graph, nodes);
        let before = crate::common::playout(&start, graph);
        let mut met = Repetitions::default();
        // As long as the rules let the game continue.
        let root = before
            .iter()
            .find(|place| place.outcome().is_some() || met.meet(*place))
            .unwrap_or(&start);
        let root = if root.outcome().is_some() { &start } else { root };
        let value = |depth| minimax_after(&met, root, &evaluator, depth, 0);
        let values: Vec<Score> = (0..=DEPTH).map(value).collect();
        let alone: Vec<Score> =
            (0..=DEPTH).map(|depth| minimax(root, &evaluator, depth, 0)).collect();
        let endless: Toy = Toy::from_fen(&root.fen()).unwrap();
        let careless: Vec<Score> =
            (0..=DEPTH).map(|depth| minimax(&endless, &evaluator, depth, 0)).collect();
        by_game += usize::from(values != alone);
        by_line += usize::from(alone != careless);
        for algorithm in [Algorithm::Plain, Algorithm::Full] {
            let switches = Switches { table: false, ..Switches::EXACT };
            let mut engine =
                Engine::<LoopingToy>::new(evaluator.clone(), options(algorithm, switches));
            for depth in 1..=DEPTH {
                let limits = Limits::depth(depth);
                let report =
                    engine.search_after(&met, root, &limits, &Stop::default(), &mut |_| {});
                let place = format!("{algorithm}, depth {depth} in {}", root.fen());
                assert_eq!(report.score, values[report.depth as usize], "{place}");
            }
        }
        let mut engine =
            Engine::<LoopingToy>::new(evaluator, options(Algorithm::Full, Switches::ALL));
        run(&mut engine, root, DEPTH);
    }
    assert!(by_line > 100 && by_game > 50, "{by_line} {by_game}");
}

/// If the third occurrence of a position is a draw, the search counts the occurrences in the game;
/// otherwise they change nothing.
fn met_positions_are_draws<P: TestedGame>() {
    let mut changed = 0;
    let evaluators = evaluators::<P>(10);
    for (index, position) in positions::<P>(10).iter().enumerate() {
        let (depth, evaluator) =
            (affordable(position).min(3), &evaluators[index % evaluators.len()]);
        let mut met = Repetitions::default();
        let next = crate::common::children(position);
        let after_next = next.iter().flat_map(crate::common::children);
        for some in next.iter().cloned().chain(after_next).filter(|some| some.key() % 3 == 0) {
            met.meet(&some);
            met.meet(&some);
        }
        let alone = values(position, evaluator, depth);
        for depth in 1..=depth {
            let value = minimax_after(&met, position, evaluator, depth, 0);
            changed += usize::from(value != alone[depth as usize]);
            for algorithm in [Algorithm::Plain, Algorithm::Full] {
                let options = options(algorithm, Switches { table: false, ..Switches::EXACT });
                let mut engine = Engine::<P>::new(evaluator.clone(), options);
                let limits = Limits::depth(depth);
                let report =
                    engine.search_after(&met, position, &limits, &Stop::default(), &mut |_| {});
                assert_eq!(report.score, value, "{algorithm}, depth {depth} in {}", position.fen());
            }
        }
    }
    assert_eq!(changed > 10, P::REPEATS, "{changed}");
}

/// The minimax value at depth 0 is the static value; at depth 1 it is the best static value of the
/// children.
fn minimax_ends_in_the_static_value<P: TestedGame>() {
    each_case::<P>(9, |position, evaluator, _| {
        assert_eq!(minimax(position, evaluator, 0, 0), evaluator.evaluate(position));
        let value = |child: &P| {
            let value = minimax(child, evaluator, 0, 1);
            if child.side_to_move() == position.side_to_move() { value } else { -value }
        };
        let best = crate::common::children(position).iter().map(value).max();
        assert_eq!(Some(minimax(position, evaluator, 1, 0)), best);
    });
}

macro_rules! suite {
    ($($game:ident: $P:ty;)+) => {
        $(suite! { $game: $P {
            plain_is_minimax enhanced_without_null_move_is_minimax enhanced_gives_possible_results
            exact_full_search_is_minimax narrow_windows_change_nothing foresight_only_sees_farther
            quiescence_is_its_definition any_switches_give_possible_results minimax_ends_in_the_static_value met_positions_are_draws
        } })+
    };
    ($game:ident: $P:ty { $($check:ident)+ }) => {
        mod $game {
            $(#[test] fn $check() { super::$check::<$P>(); })+
        }
    };
}

each_game! { suite }
