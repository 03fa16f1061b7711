//! Defaults of the user's own, and completions.

use super::support::{run, spar, stderr, stdout, text};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// A project and a user's configuration, with these files of defaults.
fn folders(project: &str, user: &str) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, text) in
        [("project/sparring.toml", project), ("config/sparring/sparring.toml", user)]
    {
        let path = root.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    std::fs::create_dir_all(root.path().join("project/deep/er")).unwrap();
    root
}

fn within(root: &Path, arguments: &str) -> Output {
    let mut command = spar(arguments);
    command.current_dir(root.join("project/deep/er")).env("XDG_CONFIG_HOME", root.join("config"));
    command.output().unwrap()
}

fn document(root: &Path, arguments: &str) -> Value {
    let output = within(root, &format!("{arguments} --json"));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_command_line_goes_before_the_project_and_that_before_the_user() {
    let root = folders(
        "nodes = 70\n[match]\npairs = 2\n",
        "seed = 9\ndepth = 3\nboard = \"5x5\"\n[match]\npairs = 50\n",
    );
    let played = document(root.path(), "match zhu piece");
    assert_eq!(
        (&played["games"], &played["seed"], &played["board"]),
        (&4.into(), &9.into(), &"5x5".into())
    );
    assert_eq!(
        played["players"][0]["limits"],
        serde_json::json!({ "nodes": 70 }),
        "not the user's depth"
    );
    let played = document(root.path(), "match zhu piece --depth 2 --pairs 1 --seed 4");
    assert_eq!((&played["games"], &played["seed"]), (&2.into(), &4.into()));
    assert_eq!(
        played["players"][0]["limits"],
        serde_json::json!({ "depth": 2 }),
        "nor the project's nodes"
    );
    let help = stdout(&within(root.path(), "match --help"));
    assert!(help.contains("[default: 2,"), "{help}");
    let shown = document(root.path(), "config");
    let holds: Vec<bool> = shown["values"]
        .as_array()
        .unwrap()
        .iter()
        .map(|value| value["holds"].as_bool().unwrap())
        .collect();
    assert_eq!(holds, [true, true, true, true, true, false]);
    assert_eq!(shown["values"][1]["line"], 3);
    let bare = document(root.path(), "config --no-config");
    assert_eq!(bare["files"], serde_json::json!([]));
}

#[test]
fn a_named_set_goes_before_the_game_of_a_file() {
    let root = folders("game = \"ataxx\"\nboard = \"5x5\"\nnodes = 20\nseed = 1\n", "");
    let path = root.path().join("project/deep/er/own.json");
    let written = within(root.path(), "weights export breakthrough/spsa --to json -o own.json");
    assert!(path.is_file(), "{}", stderr(&written));
    for (sets, game, board) in [
        ("hand piece", "ataxx", "5x5"),
        ("ataxx/hand piece", "ataxx", "5x5"),
        ("breakthrough/hand breakthrough/piece", "breakthrough", "8x8"),
        ("piece zhu", "breakthrough", "8x8"),
        ("own.json piece", "breakthrough", "8x8"),
        ("grassi hand", "breakthru", "11x11"),
        ("ataxx/6x6-network ataxx/hand", "ataxx", "6x6"),
    ] {
        let played = document(root.path(), &format!("match {sets} --pairs 1"));
        assert_eq!((&played["game"], &played["board"]), (&game.into(), &board.into()), "{sets}");
    }
    let shown = document(root.path(), "weights show breakthrough/hand");
    assert_eq!(shown["game"], "breakthrough");
}

#[test]
fn what_a_file_may_not_set_is_refused_with_its_line() {
    for (text, wanted) in [
        ("\nnods = 5", ["line 2, key `nods`", "did you mean `nodes`?"]),
        ("[tune]\ngmes = 5", ["line 2, key `gmes`", "did you mean `games`?"]),
        ("[tun]\ngames = 5", ["line 1, key `tun`", "did you mean `tune`?"]),
        ("\ntune = 1", ["line 2, key `tune`", "write [tune] on a line"]),
        ("[weights]\nnew = 1", ["line 2, key `new`", "write [weights.new] on a line"]),
        ("[nodes]\nx = 1", ["line 1, key `nodes`", "an option, not a table"]),
        ("[match]\npairs = \"many\"", ["line 2, key `pairs`", "many"]),
        ("nodes = [1]", ["line 1, key `nodes`", "neither a number nor text"]),
        ("nodes = ", ["line 1", "sparring.toml"]),
        ("nodes = 0x14", ["line 1, key `nodes`", "not a decimal number"]),
        ("[tune]\ngames = 0b11", ["line 2, key `games`", "not a decimal number"]),
        ("[tune]\nopponent = \"cmd:rm\"", ["key `opponent`", "a file cannot set it"]),
        ("[match]\nsave = \"x\"", ["key `save`", "a file cannot set it"]),
        ("[match]\nforce = true", ["key `force`", "a file cannot set it"]),
        ("[weights.new]\noutput = \"x\"", ["key `output`", "a file cannot set it"]),
        ("runs = \"../runs\"", ["key `runs`", "outside the project"]),
        ("runs = \"/tmp\"", ["key `runs`", "outside the project"]),
    ] {
        let root = folders(text, "");
        let output = within(root.path(), "perft --depth 1");
        assert_eq!(output.status.code(), Some(2), "{text}");
        for part in wanted {
            assert!(stderr(&output).contains(part), "{text}: {}", stderr(&output));
        }
    }
}

#[test]
fn a_file_that_is_no_text_is_refused_with_its_line() {
    let root = folders("", "");
    for (owner, place) in [("project", "project"), ("user", "config/sparring")] {
        let path = root.path().join(place).join("sparring.toml");
        std::fs::write(&path, b"seed = 3\nboard = \"\xe4\"\n").unwrap();
        let output = within(root.path(), "perft --depth 1");
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{owner}: {said}");
        for part in ["sparring.toml, line 2", "not in UTF-8", "convert the file"] {
            assert!(said.contains(part), "{owner}: no `{part}` in {said}");
        }
        std::fs::remove_file(&path).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn what_stands_in_place_of_a_file_is_refused_with_its_kind() {
    use std::os::unix::fs::symlink;
    let root = folders("", "");
    for place in ["project", "config/sparring"] {
        let path = root.path().join(place).join("sparring.toml");
        let must_be_refused = |reason: &str| {
            let output = within(root.path(), "perft --depth 1");
            let said = stderr(&output);
            assert_eq!(output.status.code(), Some(2), "{reason}: {said}");
            for part in ["sparring.toml", reason, "ignore it with --no-config"] {
                assert!(said.contains(part), "no `{part}` in {said}");
            }
            let output = within(root.path(), "perft --depth 1 --no-config");
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        };
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir(&path).unwrap();
        must_be_refused("a directory, not a file");
        std::fs::remove_dir(&path).unwrap();
        symlink(root.path().join("nothing"), &path).unwrap();
        must_be_refused("a link to a file that does not exist");
        std::fs::remove_file(&path).unwrap();
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        must_be_refused("a pipe or a device, not a file");
        std::fs::remove_file(&path).unwrap();
        // A link to a file is followed.
        std::fs::write(root.path().join("other.toml"), "seed = 3\n").unwrap();
        symlink(root.path().join("other.toml"), &path).unwrap();
        let output = within(root.path(), "perft --depth 1");
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
}

#[test]
fn the_runs_of_a_project_are_in_its_folder() {
    let root = folders("runs = \"night\"\n[tune]\nmethod = \"spsa\"\n", "");
    let tuned = document(
        root.path(),
        "tune --board 5x5 --start atachiants --games 60 --nodes 20 --validation-pairs 4 --yardstick-pairs 0",
    );
    let made = std::fs::read_dir(root.path().join("project/night")).unwrap().count();
    assert_eq!((made, &tuned["method"]), (1, &"spsa".into()));
    let names = stdout(&within(root.path(), "candidates runs"));
    assert!(names.contains("breakthrough-spsa-1") && names.ends_with("last\n"), "{names}");
}

#[test]
fn bash_completes_options_sets_and_runs() {
    let root = folders("", "");
    let script = root.path().join("spar.bash");
    std::fs::write(&script, text("completions bash")).unwrap();
    let complete = |words: &str| {
        let ask = format!(
            "source {}; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _spar_names spar \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"; \
             printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            script.display()
        );
        let program = assert_cmd::cargo::cargo_bin!("spar");
        let path =
            format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
        let output = Command::new("bash")
            .args(["--norc", "-c", &ask])
            .current_dir(root.path())
            .env("PATH", path)
            .output()
            .unwrap();
        stdout(&output)
    };
    assert!(complete("spar tou").contains("tournament"));
    assert!(complete("spar match --pai").contains("--pairs"));
    assert!(complete("spar match breakthrough/sp").contains("breakthrough/spsa"));
    assert!(complete("spar play --weights ataxx/").contains("ataxx/7x7"));
    assert!(complete("spar resume la").contains("last"));
    assert!(!complete("spar perft la").contains("last"));
    assert!(complete("spar runs show la").contains("last"));
    assert!(complete("spar --runs elsewhere -q resume la").contains("last"));
    assert!(!complete("spar runs la").contains("last"));
    assert!(!complete("spar match zhu --nodes la").contains("last"));
    assert_eq!(run("candidates nothing").status.code(), Some(2));
}
