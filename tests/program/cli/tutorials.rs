//! Your first night, followed command by command from an empty folder, with fewer games. The other
//! tutorials are followed by `tests/engines` and by `examples/connect-four`.

#[path = "../../tutorial/mod.rs"]
mod tutorial;

use std::path::Path;
use tutorial::Tutorial;

/// A night in a few seconds.
const SHORTER: [(&str, &str); 3] = [
    ("--for 8h", "--games 600 --nodes 50 --validation-pairs 40 --yardstick-pairs 1"),
    ("--nodes 2000", "--nodes 100"),
    ("--pairs 200", "--pairs 5"),
];

#[test]
fn your_first_night_can_be_followed() {
    let root = tempfile::tempdir().unwrap();
    let chapter = Tutorial::read(Path::new(env!("CARGO_MANIFEST_DIR")), "first-night.md");
    let programs = [("spar", env!("CARGO_BIN_EXE_spar"))];
    chapter.replace(&SHORTER).follow(root.path(), &programs);
    let folder = root.path().join("night");
    for file in ["tuned.json", "tuned.h", "page/index.html"] {
        assert!(folder.join(file).is_file(), "{file}");
    }
    // The tune and the match.
    assert_eq!(folder.join("runs").read_dir().unwrap().count(), 2);
}
