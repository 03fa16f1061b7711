//! The book's tutorial `docs/src/own-game.md`: its code equals this package, and its commands work.

#[path = "../../../tests/tutorial/mod.rs"]
mod tutorial;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tutorial::Tutorial;

const PACKAGE: &str = env!("CARGO_MANIFEST_DIR");

/// Shorter commands: fewer games, a server that stops by itself, and the program already built.
const SHORTER: [(&str, &str); 5] = [
    ("--games 10k", "--games 300 --nodes 50 --validation-pairs 20 --yardstick-pairs 1"),
    ("--pairs 500", "--pairs 4 --nodes 50"),
    ("cargo test\n", ""),
    ("cargo install --path .\n", ""),
    ("c4 serve --open", "code=0; timeout 2 c4 serve --port 0 || code=$?; [ $code = 124 ]"),
];

fn root() -> PathBuf {
    Path::new(PACKAGE).join("../..").canonicalize().unwrap()
}

fn chapter() -> Tutorial {
    Tutorial::read(&root(), "own-game.md")
}

fn file(path: &str) -> String {
    fs::read_to_string(Path::new(PACKAGE).join(path)).unwrap()
}

#[test]
fn the_blocks_of_the_page_are_this_package() {
    let chapter = chapter();
    assert_eq!(chapter.blocks("rust").join("\n"), file("src/main.rs"));
    assert_eq!(chapter.blocks("json").concat(), file("hand.json"));
    let tests = file("src/tests.rs");
    let [pasted] = chapter.blocks("rust,tests")[..] else { panic!("one block of tests") };
    for part in pasted.split("\n\n") {
        assert!(tests.contains(part), "src/tests.rs does not have:\n{part}");
    }
}

#[test]
fn your_own_game_can_be_followed() {
    let folder = tempfile::tempdir().unwrap();
    let chapter = chapter().replace(&SHORTER);
    let output = chapter.follow(folder.path(), &[("c4", env!("CARGO_BIN_EXE_c4"))]);
    for text in ["5673234", "bestmove d1"] {
        assert!(output.contains(text), "no `{text}` in:\n{output}");
    }
    let made = folder.path().join("connect-four");
    assert!(made.join("tuned.json").is_file());
    assert_eq!(made.join("runs").read_dir().unwrap().count(), 2);

    // The manifest that `cargo new` wrote, with the page's block appended.
    let manifest = made.join("Cargo.toml");
    let [block] = chapter.blocks("toml")[..] else { panic!("one block of the manifest") };
    let block = block.replace("../sparring", &root().display().to_string());
    let written = fs::read_to_string(&manifest).unwrap().replace("[dependencies]\n", &block);
    fs::write(&manifest, written).unwrap();
    let mut cargo = Command::new(env!("CARGO"));
    let read = cargo.args(["read-manifest", "--manifest-path"]).arg(&manifest).output().unwrap();
    let said = String::from_utf8_lossy(&read.stdout);
    for text in ["\"name\":\"c4\"", "\"name\":\"sparring\""] {
        assert!(said.contains(text), "{said}{}", String::from_utf8_lossy(&read.stderr));
    }
}
