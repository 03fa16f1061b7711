//! Several lines at once, and searches of some moves only.

use crate::common::{TestedGame, sample};
use crate::games::each_game;
use rand_mt::Mt64;
use sparring::eval::{Game, Score};
use sparring::game::MoveList;
use sparring::search::minimax::minimax;
use sparring::search::{Algorithm, Engine, Limits, Line, Lines, Options, Report, Stop, Switches};

/// More lines than most positions have moves.
const MANY: usize = 40;

/// Searches that prune and reduce nothing, by one thread and by several.
fn exact_options() -> [Options; 3] {
    let switches = Switches { table: false, ..Switches::EXACT };
    let options = |algorithm, threads| Options {
        algorithm,
        switches,
        threads,
        table_bytes: 1 << 16,
        ..Options::default()
    };
    [options(Algorithm::Plain, 1), options(Algorithm::Full, 1), options(Algorithm::Full, 3)]
}

fn search<G: Game>(engine: &mut Engine<G>, lines: &Lines, position: &G, depth: u32) -> Report<G> {
    engine.search_lines(lines, position, &Limits::depth(depth), &Stop::default(), &mut |_| {})
}

fn moves<G: Game>(position: &G) -> MoveList<G::Move> {
    let mut moves = MoveList::new();
    position.moves(&mut moves);
    moves
}

fn positions<P: TestedGame>(seed: u64) -> Vec<P> {
    let mut generator = Mt64::new(seed);
    let boards = crate::common::boards::<P>(4);
    boards.into_iter().flat_map(|board| sample::<P>(board, 2, generator.next_u64())).collect()
}

/// The value of a move, from the side that plays it.
fn value_of_move<G: Game>(
    position: &G,
    mv: G::Move,
    evaluator: &G::Evaluator,
    depth: u32,
) -> Score {
    let child = position.play(mv);
    let value = minimax(&child, evaluator, depth - 1, 1);
    if child.side_to_move() == position.side_to_move() { value } else { -value }
}

/// Lines begin with different moves, the best first, and every move of them is legal.
fn check_lines<G: Game>(position: &G, lines: &[Line<G>]) {
    for (index, line) in lines.iter().enumerate() {
        assert!(lines[..index].iter().all(|other| other.pv[0] != line.pv[0]), "{lines:?}");
        let mut place = position.clone();
        for &mv in &line.pv {
            place = place.try_play(mv).unwrap();
        }
    }
}

/// At a fixed depth, without table, each line has the score of its first move searched alone, and
/// the lines are the best ones.
fn lines_are_scored_as_moves_alone<P: TestedGame>() {
    let set = &P::weight_sets(31)[1];
    let evaluator = P::evaluator(set).unwrap();
    for (index, position) in positions::<P>(31).iter().enumerate() {
        let depth = if position.count_moves() > 60 { 2 } else { 3 };
        let options = exact_options()[index % 3].clone();
        let mut engine = Engine::<P>::new(evaluator.clone(), options);
        let mut alone = Vec::new();
        for &mv in &moves(position) {
            let one = search(&mut engine, &Lines::best(1).among(&[mv]), position, depth);
            assert_eq!((one.best, one.alternatives.len()), (Some(mv), 0));
            if !P::REPEATS {
                assert_eq!(one.score, value_of_move(position, mv, &evaluator, depth));
            }
            alone.push((mv, one.score));
        }
        let found = search(&mut engine, &Lines::best(MANY), position, depth);
        let lines = found.lines();
        assert_eq!(lines.len(), alone.len().min(MANY));
        check_lines(position, &lines);
        for line in &lines {
            assert!(alone.contains(&(line.pv[0], line.score)), "{line:?} of {alone:?}");
        }
        let mut scores: Vec<Score> = alone.iter().map(|&(_, score)| score).collect();
        scores.sort_by_key(|&score| -score);
        let found: Vec<Score> = lines.iter().map(|line| line.score).collect();
        assert_eq!(found, scores[..lines.len()], "{}", position.fen());
    }
}

/// With everything on, and a table that remembers, the lines are legal and the scores in order; the
/// best line of a search for one is the same in an engine that was never asked for more.
fn full_searches_give_legal_lines_in_order<P: TestedGame>() {
    let set = &P::weight_sets(32)[1];
    let evaluator = P::evaluator(set).unwrap();
    for (index, position) in positions::<P>(32).iter().enumerate() {
        let options =
            Options { table_bytes: 1 << 16, threads: 1 + index % 3, ..Options::default() };
        let mut engine = Engine::<P>::new(evaluator.clone(), options);
        let found = search(&mut engine, &Lines::best(4), position, 4);
        assert_eq!(found.lines().len(), (position.count_moves() as usize).min(4));
        check_lines(position, &found.lines());
        assert!(found.lines().is_sorted_by_key(|line| -line.score));
        // Stopped on the way there are as many lines as before.
        let limits = Limits::nodes(300);
        let stop = Stop::default();
        let cut = engine.search_lines(&Lines::best(3), position, &limits, &stop, &mut |_| {});
        check_lines(position, &cut.lines());
        assert!(cut.best.is_some() && cut.counters.nodes <= 300);
        for line in &cut.alternatives {
            assert!(line.depth <= cut.depth, "{line:?}, {}", cut.depth);
        }
        let last = moves(position).last().copied().unwrap();
        let only = search(&mut engine, &Lines::best(3).among(&[last]), position, 4);
        assert_eq!((only.best, only.alternatives.len()), (Some(last), 0));
    }
}

macro_rules! suite {
    ($($game:ident: $P:ty;)+) => { $(mod $game {
        #[test]
        fn lines_are_scored_as_moves_alone() {
            super::lines_are_scored_as_moves_alone::<$P>();
        }

        #[test]
        fn full_searches_give_legal_lines_in_order() {
            super::full_searches_give_legal_lines_in_order::<$P>();
        }
    })+ };
}

each_game!(suite);
