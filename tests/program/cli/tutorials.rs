//! The tutorials of the book, followed command by command from an empty folder, with fewer games.

use super::support::stderr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A night in a few seconds: texts of a tutorial, and their replacements here.
const SHORTER: [(&str, &str); 3] = [
    ("--for 8h", "--games 600 --nodes 50 --validation-pairs 40 --yardstick-pairs 1"),
    ("--nodes 2000", "--nodes 100"),
    ("--pairs 200", "--pairs 5"),
];

/// The lines of the shell blocks of a chapter.
fn commands(chapter: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src").join(chapter);
    let text = fs::read_to_string(path).unwrap();
    let blocks = text.split("```sh\n").skip(1);
    let lines = blocks.flat_map(|block| block.split("```").next().unwrap_or_default().lines());
    lines
        .map(|line| {
            SHORTER.iter().fold(line.to_owned(), |line, (long, short)| line.replace(long, short))
        })
        .collect()
}

/// Follows a chapter in an empty folder, and gives the folder in which it ended.
fn follow(chapter: &str, root: &Path) -> PathBuf {
    let mut folder = root.to_owned();
    for line in commands(chapter) {
        if let Some((made, entered)) = line.split_once(" && ") {
            assert_eq!(made.strip_prefix("mkdir "), entered.strip_prefix("cd "), "{line}");
            folder = folder.join(&entered["cd ".len()..]);
            fs::create_dir(&folder).unwrap();
            continue;
        }
        let words = shlex::split(&line).unwrap();
        assert_eq!(words.first().map(String::as_str), Some("spar"), "{line}");
        let mut program = Command::new(env!("CARGO_BIN_EXE_spar"));
        let output = program.args(&words[1..]).current_dir(&folder).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{line}: {}", stderr(&output));
    }
    folder
}

#[test]
fn your_first_night_can_be_followed() {
    let root = tempfile::tempdir().unwrap();
    let folder = follow("first-night.md", root.path());
    for file in ["tuned.json", "tuned.h", "page/index.html"] {
        assert!(folder.join(file).is_file(), "{file}");
    }
    // The tune and the match.
    assert_eq!(folder.join("runs").read_dir().unwrap().count(), 2);
}
