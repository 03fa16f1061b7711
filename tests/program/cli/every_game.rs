//! Every command with every game.

use super::support::{file, json, text};
use sparring::eval::Game;
use sparring::games::GameId;
use sparring::with_game;

/// What the commands are given for a game.
struct Given {
    game: &'static str,
    /// A small board.
    board: String,
    /// The hand-made set.
    set: &'static str,
    /// The first legal move from the start.
    first_move: String,
}

fn given<G: Game>() -> Given {
    let board = G::boards().into_iter().rfind(|b| b.cols() >= 5 && b.rows() >= 5).unwrap();
    let start = G::start(board).unwrap();
    let mut moves = sparring::game::MoveList::new();
    start.moves(&mut moves);
    let first_move = start.move_text(moves[0]);
    Given { game: G::GAME, board: board.to_string(), set: G::GUIDE.hand_made_set, first_move }
}

fn games() -> impl Iterator<Item = Given> {
    GameId::ALL.iter().map(|&game| with_game!(game, G => given::<G>()))
}

#[test]
fn positions_are_counted_searched_and_explained() {
    for Given { game, board, set, first_move } in games() {
        let on = format!("--game {game} --board {board}");
        assert!(json(&format!("perft {on} --depth 3"))["nodes"].as_u64() > Some(100));
        assert!(json(&format!("bench {on} --depth 3"))["nodes"].as_u64() > Some(100));
        let found = json(&format!("analyze {on} --depth 3 --moves {first_move} --weights {set}"));
        assert_eq!((&found["depth"], &found["pv"][0]), (&3.into(), &found["best"]));
        let shown = text(&format!("analyze {on} --depth 3"));
        let columns = [
            "time",
            "nodes",
            "nodes/s",
            "queries",
            "hits",
            "cutoffs",
            "tried",
            "score",
            "best line",
        ];
        assert!(columns.iter().all(|column| shown.contains(column)), "{shown}");
        assert!(json(&format!("features {on} --weights {set}"))["features"].is_object());
        assert_eq!(json(&format!("weights show {game}/{set}"))["game"], game);
    }
}

#[test]
fn games_are_played_against_people_engines_and_all_comers() {
    for Given { game, board, set, .. } in games() {
        let on = format!("--game {game} --board {board}");
        let played = json(&format!("play {on} --side none --nodes 30 --weights {set}"));
        assert!(played["result"].is_string(), "{played:#}");
        assert_eq!(json(&format!("match {set} piece {on} --pairs 3 --nodes 30"))["games"], 6);
        let met = json(&format!("tournament {set} piece {on} --pairs 2 --nodes 30"));
        assert!(met["players"].as_array().is_some_and(|players| players.len() == 2), "{met:#}");
    }
}

#[test]
fn weights_are_made_fitted_and_tuned() {
    for Given { game, board, set, .. } in games() {
        let on = format!("--game {game} --board {board}");
        let (folder, positions) = file("games.pos");
        let place = |name: &str| folder.path().join(name).display().to_string();
        let (positions, fitted, made) =
            (positions.display().to_string(), place("fitted.json"), place("made.json"));
        json(&format!("generate {positions} {on} --games 400 --nodes 30 --weights piece"));
        json(&format!("fit {positions} {on} -o {fitted} --iterations 5"));
        json(&format!("weights check {fitted}"));
        let shown = text(&format!("fit {positions} {on} -o {fitted} --iterations 2 --force"));
        assert!(
            shown.contains(&format!("{game}/{set} {on} --sprt")),
            "next is for another game: {shown}"
        );
        json(&format!("weights new made {on} -o {made}"));
        json(&format!("weights check {made}"));
        for (number, method) in [
            "--method spsa --games 60",
            "--method logistic --all --games 400 --rounds 1 --round-pairs 4 --iterations 5",
            "--method network --games 400 --rounds 1 --round-pairs 4 --epochs 2 --units 8",
        ]
        .into_iter()
        .enumerate()
        {
            let run = place(&number.to_string());
            let tuned = json(&format!(
                "tune {on} --nodes 100 --validation-pairs 4 --seed 1 --threads 2 --run {run} {method}"
            ));
            assert!(tuned["games"].as_u64() > Some(0), "{tuned:#}");
        }
    }
}
