//! Games against the engine, typed through a pipe.

use super::support::{document, spar, stderr, stdout};

/// What the program says when these lines are typed.
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
    assert!(said.contains("You play the second side now.\nengine plays"), "{said}");
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
    assert!(game("both", "d7d8\n").contains("The first side wins. (1-0)"));
}

#[test]
fn the_clock_runs_for_both_sides() {
    let (said, _) = play("--clock 300+2 --nodes 100", "a2a3\n");
    assert!(
        said.contains("time left: first side 5:0") && said.contains("second side 5:0"),
        "{said}"
    );
    let (said, _) = play("--clock 0.000001 --nodes 100", "a2a3\n");
    assert!(said.contains("The first side has run out of time.\nYou lose"), "{said}");
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
