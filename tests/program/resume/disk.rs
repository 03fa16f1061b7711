//! A full disk ends a run with an error that names the file; with more room the run continues as if
//! nothing had happened.

use super::harness::{QUICK, Run, Setup, outcome, spar, text, tune};
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// A line of the journal is longer here than the games of a batch, so the journal hits the limit
/// first.
static SHORT_BATCHES: Setup = Setup::new(
    "--board 5x5 --games 120 --batch 1 --probes 0 --nodes 20 --validation-pairs 16 --seed 11 --only danger",
);

/// The games of a batch are longer here than its line.
static LONG_BATCHES: Setup = Setup::new(
    "--board 5x5 --games 300 --batch 24 --nodes 20 --validation-pairs 16 --seed 11 --only danger",
);

/// Runs a command whose files cannot grow beyond this many blocks.
pub(super) fn limited(command: &Command, blocks: u32) -> Output {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("ulimit -f {blocks}; exec \"$@\""), "sh"]);
    shell.arg(command.get_program()).args(command.get_args()).output().unwrap()
}

/// Continues a run to its end under ever higher limits. Returns the names of the files that hit
/// one.
fn fill_up(setup: &'static Setup) -> Vec<&'static str> {
    let run = Run::new(setup);
    let mut full = Vec::new();
    for blocks in (0..).map(|step| step * step) {
        let before = run.lines();
        let output = limited(&run.go_on(2), blocks);
        run.check_journal();
        assert!(run.lines() >= before, "a line that was written is gone");
        if output.status.success() {
            run.outcome(&output).must_equal(setup.reference());
            break;
        }
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        let names = ["manifest.json", "journal.jsonl", "games.jsonl.zst", "weights.json"];
        let name = names.iter().find(|name| said.contains(&run.file(name).display().to_string()));
        full.push(*name.unwrap_or_else(|| panic!("no file is named: {said}")));
        assert!(!run.journal_has("\"batch\"") || said.contains("spar resume"), "{said}");
        assert!(journal_is_whole(&run.path()), "half a line was left");
    }
    full
}

fn journal_is_whole(run: &Path) -> bool {
    let bytes = std::fs::read(run.join("journal.jsonl")).unwrap_or_default();
    bytes.is_empty() || bytes.ends_with(b"\n")
}

#[test]
fn a_full_disk_loses_nothing() {
    let full = fill_up(&LONG_BATCHES);
    assert!(full.contains(&"games.jsonl.zst") && full.contains(&"manifest.json"), "{full:?}");
    let full = fill_up(&SHORT_BATCHES);
    assert!(full.contains(&"journal.jsonl"), "{full:?}");
}

/// A file system of the test's own, if the test may make one.
struct Small(TempDir);

impl Small {
    fn new(kib: u32) -> Option<Self> {
        let temp = TempDir::new().unwrap();
        let size = format!("size={kib}k");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &size, "tmpfs"])
            .arg(temp.path())
            .output();
        mounted.is_ok_and(|output| output.status.success()).then_some(Self(temp))
    }

    fn grow(&self, kib: u32) {
        let size = format!("remount,size={kib}k");
        assert!(
            Command::new("mount")
                .args(["-o", &size])
                .arg(self.0.path())
                .status()
                .unwrap()
                .success()
        );
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).status();
    }
}

#[test]
fn a_full_file_system_loses_nothing() {
    let Some(disk) = Small::new(4) else { return };
    let path = disk.0.path().join("run");
    let mut ended = 0;
    for kib in (8..).step_by(8) {
        let mut command = match path.join("manifest.json").exists() {
            true => spar(),
            false => tune(&QUICK, &path, 2),
        };
        if path.join("manifest.json").exists() {
            command.arg("resume").arg(&path).arg("--json");
        }
        let output = command.output().unwrap();
        if output.status.success() {
            outcome(&path, &output).must_equal(QUICK.reference());
            break;
        }
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(
            said.contains(&path.display().to_string()) && said.contains("free some space"),
            "{said}"
        );
        ended += 1;
        disk.grow(kib);
    }
    assert!(ended > 2, "the disk was full {ended} times only");
}
