//! Games against the engine, typed through a pipe.
use super::support::{document, file, spar, stderr, stdout};
use serde_json::json;

/// The program's output when these lines are typed.
fn play(arguments: &str, typed: &str) -> (String, String) {
    let output = spar(&format!("play {arguments}")).write_stdin(typed).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    (stdout(&output), stderr(&output))
}

#[test]
fn a_slip_loses_nothing_and_the_end_of_input_ends_cleanly() {
    let (said, errors) = play("--nodes 100", "a2a5\nhello\na2a3\n");
    assert!(errors.contains("error: move `a2a5`: illegal here; legal are: a2a3 a2b3"), "{errors}");
    assert!(errors.contains("error: move `hello`: not a move"), "{errors}");
    assert_eq!(said.matches("engine plays").count(), 1, "{said}");
}

#[test]
fn commands_do_what_they_say() {
    let typed = "a2a3\nundo\nundo\nfen\nmoves\nhint\nboard\nhelp\nnew\nside\nquit\na2a3\n";
    let (said, errors) = play("--nodes 100", typed);
    assert_eq!(errors, "");
    assert!(said.contains("There is no move of yours to take back."), "{said}");
    assert!(said.contains("pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1\n"), "{said}");
    assert!(said.contains("hint: ") && said.contains("take back your last move"), "{said}");
    assert!(said.contains("for example b2a3 "), "{said}");
    // After `side` the engine moves for the first side; then `quit`.
    assert!(said.contains("You play Black now.\nengine plays"), "{said}");
    assert_eq!(said.matches("engine plays").count(), 2, "{said}");
}

#[test]
fn wins_and_losses_are_announced() {
    let fen = "8/3P4/8/8/8/8/p7/7P w - - 0 1";
    let game = |side: &str, typed: &str| {
        let mut command = spar("play --depth 2 --side");
        let output = command.args([side, "--fen", fen]).write_stdin(typed).output().unwrap();
        stdout(&output)
    };
    let won = game("first", "d7d8\nd7d8\nundo\nd7e8\n");
    assert!(won.contains("You win! (1-0)"), "{won}");
    assert_eq!(won.matches("You win!").count(), 2, "taken back and won again: {won}");
    assert!(game("second", "").contains("You lose: the engine wins. (1-0)"));
    assert!(game("both", "d7d8\n").contains("White wins. (1-0)"));
}

#[test]
fn the_clock_runs_for_both_sides() {
    let (said, _) = play("--clock 300+2 --nodes 100", "a2a3\n");
    assert!(said.contains("time left: White 5:0") && said.contains(", Black 5:0"), "{said}");
    let (said, _) = play("--clock 0.000001 --nodes 100", "a2a3\n");
    assert!(said.contains("White has run out of time.\nYou lose"), "{said}");
}

#[test]
fn the_engine_can_play_itself_and_leave_a_document() {
    let game = document(spar("play --side none --nodes 50 --board 5x5 --json").write_stdin(""));
    assert!(game["result"] == "1-0" || game["result"] == "0-1", "{game:#}");
    assert_eq!(game["ending"], "rules");
    assert!(game["moves"].as_array().unwrap().len() > 6);
    let open = document(spar("play --nodes 50 --json").write_stdin("a2a3\n"));
    assert_eq!(
        (open["moves"].as_array().unwrap().len(), &open["result"]),
        (2, &serde_json::Value::Null)
    );
}

#[test]
fn moves_and_words_are_taken_as_people_type_them() {
    let (said, errors) = play("--nodes 50", "a2 a3\na3-a4\nhlep\neval\nresign\n");
    assert!(errors.contains("did you mean `help`?"), "{errors}");
    assert_eq!(said.matches("engine plays").count(), 2, "{said}");
    assert!(said.contains(" pieces, ") && said.contains("static score "), "{said}");
    assert!(said.contains("White resigns.\nYou lose: the engine wins. (0-1)"), "{said}");
    assert!(said.contains('[') && said.contains("(.)"), "the last move is marked: {said}");
}

#[test]
fn a_game_is_saved_and_gone_on_with() {
    let (_folder, path) = file("game.json");
    let name = path.display();
    let (said, errors) = play("--nodes 50", &format!("a2a3\nsave {name}\nsave {name}\n"));
    assert!(said.contains("saved to "), "{said}");
    assert!(errors.contains("the file exists already"), "{errors}");
    let mut command = spar("play --nodes 50 --json");
    let game = document(command.write_stdin(format!("load {name}\n")));
    assert_eq!((game["moves"].as_array().unwrap().len(), &game["moves"][0]), (2, &"a2a3".into()));
    let large = " ".repeat((1 << 20) + 1);
    let saved = |board: &str, result: &str| {
        let start = "8/3P4/8/8/8/8/p7/8 w - - 0 1";
        json!({ "game": "breakthrough", "board": board, "start": start, "moves": ["d7d8"], "result": result })
            .to_string()
    };
    for (text, reason) in [
        ("{}", "not a saved game"),
        ("", "not a saved game"),
        (&large, "the limit"),
        (&saved("6x6", "1-0"), "field `board`: `6x6`, but by its start and moves it is 8x8"),
        (&saved("8x8", "0-1"), "field `result`: `0-1`, but by its start and moves it is 1-0"),
    ] {
        std::fs::write(&path, text).unwrap();
        let (_, errors) = play("--nodes 50", &format!("load {name}\n"));
        assert!(errors.contains(reason), "{errors}");
    }
    let (_, errors) = play("--nodes 50", "load no/such/file\nload\n");
    assert!(errors.contains("cannot open") && errors.contains("which file?"), "{errors}");
}

#[test]
fn the_second_move_of_a_turn_is_asked_for() {
    let (said, _) = play("--game breakthru --nodes 50 --side both", "e8-e9\nmoves\n");
    assert!(said.contains("breakthru on 11x11"), "{said}");
    let (said, _) = play("--weights ataxx/hand --nodes 50", "quit\n");
    assert!(said.contains("ataxx on 7x7 against ataxx/hand\nYou play x."), "{said}");
}
