//! Endgame databases against plain full searches, which number no positions and never go backwards.

use crate::common::oracle::{Solver, value};
use foldhash::{HashMap, HashMapExt};
use rand_mt::Mt64;
use sparring::any::{AnyEndgames, AnyPosition};
use sparring::arena::queue::Threads;
use sparring::endgames::{check_every, check_sample, load, load_for, move_values, save, to_bytes};
use sparring::game::endgames::Endgames;
use sparring::game::{Board, KnownValue, Position, Side};
use sparring::games::{Breakthrough, Breakthru, GameId};
use sparring::search::Stop;
use std::path::Path;

fn built<G: sparring::eval::Game>(board: Board, most: &[&[u8]]) -> AnyEndgames {
    let bounds: Vec<Vec<u8>> = most.iter().map(|most| most.to_vec()).collect();
    let plan = GameId::of::<G>().endgame_plan(board, &bounds).unwrap();
    plan.build(2, &Stop::default(), &mut |_| {}).unwrap()
}

/// Every set of 1 to `most` squares of a board.
fn sets(board: Board, most: u32) -> Vec<u64> {
    let squares: Vec<u64> = (0..board.rows())
        .flat_map(|row| (0..board.cols()).map(move |col| 1 << (8 * row + col)))
        .collect();
    let all = 1u32..1 << squares.len();
    all.filter(|bits| bits.count_ones() <= most)
        .map(|bits| {
            squares.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1).map(|(_, s)| s).sum()
        })
        .collect()
}

/// Compares every position of a board with up to `most` pieces of each side.
fn check_whole(board: Board, most: u8) -> (u64, AnyEndgames) {
    let endgames = built::<Breakthrough>(board, &[&[most]]);
    let (sets, mut solver, mut compared) = (sets(board, most.into()), Solver::new(), 0);
    for &white in &sets {
        for &black in sets.iter().filter(|&black| black & white == 0) {
            for side in Side::BOTH {
                let Ok(position) = Breakthrough::from_pieces(board, white, black, side) else {
                    continue;
                };
                let found = endgames.value(&AnyPosition::of(position.clone()));
                if position.outcome().is_some() {
                    assert_eq!(found, None);
                    continue;
                }
                let (winner, plies) = solver.solve(&position);
                let right = match winner == side {
                    true => KnownValue::Win(plies),
                    false => KnownValue::Loss(plies),
                };
                assert_eq!(found, Some(right), "{position:?}");
                compared += 1;
            }
        }
    }
    (compared, endgames)
}

#[test]
fn whole_boards_have_the_values_of_a_full_search() {
    for (cols, rows, most) in [(2, 5, 3), (3, 5, 2), (4, 5, 2)] {
        let (compared, endgames) = check_whole(Board::new(cols, rows), most);
        // Each position is compared with its mirror image and with the sides exchanged: four times,
        // except for positions that are their own mirror image.
        let positions: u64 = endgames.classes().iter().map(|class| class.positions).sum();
        assert!(compared < 4 * positions && compared > 3 * positions, "{compared}, {positions}");
    }
}

#[test]
fn databases_agree_with_the_rules_and_the_solver() {
    let threads = Threads::new(2).unwrap();
    let stop = Stop::default();
    for endgames in [
        built::<Breakthrough>(Board::new(6, 6), &[&[2, 2], &[3, 1]]),
        built::<Breakthru>(Breakthru::default_board(), &[&[0, 2], &[1, 1]]),
    ] {
        let (compared, wrong) = check_every(&endgames, &threads, &stop, &mut |_| {});
        assert!(wrong.is_none(), "{wrong:?}");
        assert_eq!(compared as usize, endgames.values().iter().map(Vec::len).sum::<usize>());
        let sample = check_sample(&endgames, 40, 1, &threads, &stop, &mut |_| {}).unwrap();
        assert!(sample.wrong.is_empty() && sample.solved == 40, "{sample:?}");
    }
}

#[test]
fn a_limit_of_turns_ends_wins_that_come_too_late() {
    let endgames = built::<Breakthru>(Breakthru::default_board(), &[&[1, 1]]);
    let (mut generator, mut seen) = (Mt64::new(7), [0; 3]);
    for _ in 0..200 {
        let position = endgames.random(&mut generator).unwrap();
        let Some(found) = endgames.value(&position) else { continue };
        let typed = position.typed::<Breakthru>().unwrap();
        let right = value(typed, &mut HashMap::new());
        let right = if typed.side_to_move() == Side::First { right } else { -right };
        let (kind, sign) = match found {
            KnownValue::Win(_) => (0, 1),
            KnownValue::Draw => (1, 0),
            KnownValue::Loss(_) => (2, -1),
        };
        assert_eq!(sign, right, "{position:?} with {:?} turns left", typed.turns_left());
        seen[kind] += 1;
    }
    assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
}

#[test]
fn the_best_moves_lead_to_the_end_in_time() {
    let endgames = built::<Breakthrough>(Board::new(5, 5), &[&[2, 2]]);
    let mut generator = Mt64::new(3);
    for _ in 0..50 {
        let mut position = endgames.random(&mut generator).unwrap();
        let turns = endgames.value(&position).unwrap().turns().unwrap();
        for left in (0..turns).rev() {
            let (mv, value) = move_values(&endgames, &position)[0];
            assert_eq!(value.and_then(KnownValue::turns), Some(left + 1));
            position.advance(mv);
        }
        assert!(position.outcome().is_some());
    }
}

#[test]
fn files_come_back_and_damage_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("4x5.end");
    let endgames = built::<Breakthrough>(Board::new(4, 5), &[&[2, 2]]);
    let size = save(&endgames, &path).unwrap();
    assert!(size < endgames.values().iter().map(|values| values.len() as u64).sum());
    let loaded = load(&path).unwrap();
    assert_eq!(loaded.values(), endgames.values());
    assert_eq!(loaded.bounds(), endgames.bounds());
    assert!(load_for(&path, GameId::of::<Breakthrough>(), Board::new(4, 5)).is_ok());
    let refused = load_for(&path, GameId::of::<Breakthrough>(), Board::new(5, 5)).err().unwrap();
    assert!(refused.to_string().contains("not of breakthrough on 5x5"), "{refused}");
    damage(&to_bytes(&endgames).unwrap(), &path);
}

/// No byte can be changed or cut off without an error that names the file.
fn damage(bytes: &[u8], path: &Path) {
    let refused = |bytes: &[u8]| {
        std::fs::write(path, bytes).unwrap();
        let error = load(path).err().unwrap().to_string();
        assert!(error.contains("4x5.end"), "{error}");
    };
    for place in (0..bytes.len()).step_by(bytes.len() / 40 + 1).chain(0..40) {
        let mut changed = bytes.to_vec();
        changed[place] ^= 0x55;
        refused(&changed);
        refused(&bytes[..place]);
        // Also if somebody has renewed the checksum.
        let body = changed.len() - 4;
        let checksum = crc32fast::hash(&changed[..body]).to_le_bytes();
        changed[body..].copy_from_slice(&checksum);
        std::fs::write(path, &changed).unwrap();
        let _ = load(path);
    }
    refused(&[bytes, &[0]].concat());
}
