//! Chess and Chess960, which are rules alone: the published counts of lines.

use sparring::any::AnyPosition;
use sparring::games::GameId;

/// The greatest count that a test takes the time for.
const MOST: u64 = 5_000_000;

/// Checks the lines `FEN ;D1 20 ;D2 400 ...` of a file; returns how many counts were checked.
fn checked_counts(game: &str, file: &str, most: u64) -> usize {
    let game: GameId = game.parse().unwrap();
    let mut checked = 0;
    for line in file.lines() {
        let mut parts = line.split(" ;D");
        let position: AnyPosition = game.from_fen(parts.next().unwrap()).unwrap();
        for part in parts {
            let (depth, count) = part.split_once(' ').unwrap();
            let count: u64 = count.parse().unwrap();
            if count <= most {
                assert_eq!(position.perft(depth.parse().unwrap()), count, "{line}, depth {depth}");
                checked += 1;
            }
        }
    }
    checked
}

#[test]
fn lines_of_chess_are_those_published() {
    let checked = checked_counts("chess", include_str!("../../perft/chess.txt"), MOST);
    assert_eq!(checked, 40);
}

/// python-chess gives the counts of the 960 starts; the last lines are published ones.
#[test]
fn lines_of_all_starts_of_chess960_are_those_of_others() {
    let checked = checked_counts("chess960", include_str!("../../perft/chess960.txt"), 400_000);
    assert!(checked > 2 * 960, "{checked}");
}

#[test]
fn what_needs_an_engine_says_that_there_are_rules_alone() {
    let chess: GameId = "chess".parse().unwrap();
    let start = chess.start(chess.default_board).unwrap();
    let set = sparring::weights::find("piece", "breakthrough").unwrap();
    for error in [
        chess.needs_engine().unwrap_err(),
        chess.evaluator(&set).err().unwrap(),
        start.explain(&set).unwrap_err(),
        sparring::player::Player::from_set(
            chess,
            "x".into(),
            set.clone(),
            sparring::player::DefaultWeights::HandMade,
        )
        .unwrap_err(),
    ] {
        let text = error.to_string();
        assert!(text.contains("rules alone") && text.contains("cmd:A"), "{text}");
        assert_eq!(error.exit_code(), 2);
    }
    assert!(!GameId::with_engine().contains(&chess) && GameId::all().contains(&chess));
}
