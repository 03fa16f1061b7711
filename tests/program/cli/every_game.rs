//! Every command with every game.

use super::support::{file, json, text};
use sparring::games::GameId;
use sparring::weights::find_shipped;
use std::path::Path;

/// The commands' arguments for a game.
struct Given {
    game: GameId,
    board: String,
    set: &'static str,
    /// The first legal move from the start.
    first_move: String,
}

fn given(game: GameId) -> Given {
    let small = game.boards.iter().rfind(|b| b.cols() >= 5 && b.rows() >= 5);
    let board = *small.unwrap_or(&game.default_board);
    let start = game.start(board).unwrap();
    let first_move = start.move_text(start.moves()[0]);
    Given { game, board: board.to_string(), set: game.guide.hand_made_set, first_move }
}

impl Given {
    /// The set that counts pieces, where the game has one.
    fn piece(&self) -> Option<&'static str> {
        find_shipped("piece", self.game.name()).map(|_| "piece")
    }

    /// A second set: the one that counts pieces, or a new file in a folder.
    fn second_set(&self, folder: &Path) -> String {
        let Self { game, board, .. } = self;
        if let Some(piece) = self.piece() {
            return piece.into();
        }
        let place = folder.join("second.json").display().to_string();
        json(&format!("weights new second --game {game} --board {board} -o {place}"));
        place
    }
}

fn games() -> impl Iterator<Item = Given> {
    GameId::with_engine().iter().copied().map(given)
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
        assert_eq!(json(&format!("weights show {game}/{set}"))["game"], game.name());
    }
}

#[test]
fn games_are_played_against_people_engines_and_all_comers() {
    for given in games() {
        let folder = tempfile::tempdir().unwrap();
        let second = given.second_set(folder.path());
        let Given { game, board, set, .. } = given;
        let on = format!("--game {game} --board {board}");
        let played = json(&format!("play {on} --side none --nodes 30 --weights {set}"));
        assert!(played["result"].is_string(), "{played:#}");
        assert_eq!(json(&format!("match {set} {second} {on} --pairs 3 --nodes 30"))["games"], 6);
        let met = json(&format!("tournament {set} {second} {on} --pairs 2 --nodes 30"));
        assert!(met["players"].as_array().is_some_and(|players| players.len() == 2), "{met:#}");
    }
}

#[test]
fn weights_are_made_fitted_and_tuned() {
    for given in games() {
        let (folder, positions) = file("games.pos");
        let weights = given.piece().unwrap_or(given.set);
        let Given { game, board, set, .. } = given;
        let on = format!("--game {game} --board {board}");
        let place = |name: &str| folder.path().join(name).display().to_string();
        let (positions, fitted, made) =
            (positions.display().to_string(), place("fitted.json"), place("made.json"));
        json(&format!("generate {positions} {on} --games 400 --nodes 30 --weights {weights}"));
        json(&format!("fit {positions} {on} -o {fitted} --iterations 5"));
        json(&format!("weights check {fitted}"));
        let shown = text(&format!("fit {positions} {on} -o {fitted} --iterations 2 --force"));
        assert!(
            shown.contains(&format!("{game}/{set} {on} --sprt")),
            "next is for another game: {shown}"
        );
        json(&format!("weights new made {on} -o {made}"));
        json(&format!("weights check {made}"));
        let network =
            "--method network --games 400 --rounds 1 --round-pairs 4 --epochs 2 --units 8";
        let methods = [
            "--method spsa --games 60",
            "--method logistic --all --games 400 --rounds 1 --round-pairs 4 --iterations 5",
        ];
        let networks = game.symmetry.map(|_| network);
        for (number, method) in methods.into_iter().chain(networks).enumerate() {
            let run = place(&number.to_string());
            let tuned = json(&format!(
                "tune {on} --nodes 100 --validation-pairs 4 --seed 1 --threads 2 --run {run} {method}"
            ));
            assert!(tuned["games"].as_u64() > Some(0), "{tuned:#}");
        }
    }
}
