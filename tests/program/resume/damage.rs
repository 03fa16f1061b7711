//! Damaged, edited, missing and foreign files: each error names the file and the remedy, and
//! nothing is lost.

use super::harness::{QUICK, Run, SLOW, Tune, must_say, refused, spar, text};
use std::fs;

/// A file that is restored at the end.
struct Original<'a>(&'a Run, &'static str, Vec<u8>);

impl<'a> Original<'a> {
    fn of(run: &'a Run, name: &'static str) -> Self {
        Self(run, name, fs::read(run.file(name)).unwrap())
    }

    /// Resumes with an edited file, which must be refused and left alone.
    fn edited(&self, from: &str, to: &str) -> String {
        let text = String::from_utf8(self.2.clone()).unwrap();
        assert!(text.contains(from), "no `{from}` in {}", self.1);
        self.holding(text.replacen(from, to, 1).as_bytes())
    }

    fn holding(&self, bytes: &[u8]) -> String {
        fs::write(self.0.file(self.1), bytes).unwrap();
        let said = refused(self.0.resume(1));
        assert_eq!(fs::read(self.0.file(self.1)).unwrap(), bytes, "{} was changed", self.1);
        said
    }

    fn missing(&self) -> String {
        fs::remove_file(self.0.file(self.1)).unwrap();
        let said = refused(self.0.resume(1));
        assert!(!self.0.file(self.1).exists(), "{} was made again", self.1);
        said
    }

    fn restore(&self) {
        fs::write(self.0.file(self.1), &self.2).unwrap();
    }
}

#[test]
fn a_second_process_is_kept_out_and_the_first_goes_on() {
    let run = Run::new(&SLOW);
    let mut session = Tune::start(run.tune(1));
    session.listen_for(" tunes ");
    let place = run.path().display().to_string();
    for _ in 0..3 {
        must_say(&refused(run.resume(1)), &[&place, "another process is working on this run"]);
    }
    must_say(&refused(run.tune(1)), &[&place, "holds a run already", "spar resume"]);
    let (status, said) = session.end();
    assert_eq!(status.code(), Some(0), "{said}");
    run.must_finish_exactly(1);
}

#[test]
fn a_damaged_manifest_is_refused() {
    let run = Run::killed_at(&QUICK, 5);
    let manifest = Original::of(&run, "manifest.json");
    let place = run.file("manifest.json").display().to_string();
    must_say(&manifest.edited("\"format\": 3", "\"format\": 99"), &[&place, "newer", "update"]);
    must_say(&manifest.edited("\"nodes\": 60", "\"nodes\": 61"), &[&place, "edited", "restore"]);
    must_say(
        &manifest.edited("\"games\": 1200", "\"games\": 2400"),
        &[&place, "edited", "restore"],
    );
    must_say(
        &manifest.edited("\"danger\": 10,", "\"danger\": 11,"),
        &[&place, "edited", "restore"],
    );
    must_say(&manifest.holding(b"{\"format\": 3}"), &[&place, "checksum", "restore"]);
    must_say(&manifest.holding(b""), &[&place, "not JSON", "restore"]);
    let directory = run.path().display().to_string();
    must_say(&manifest.missing(), &[&directory, "no manifest.json"]);
    // No run is begun over the remains either.
    must_say(&refused(run.tune(1)), &["holds a journal.jsonl", "restore the manifest"]);
    // The set alone does not say whether it was accepted.
    let set = run.file("weights.json");
    let output = spar().args(["weights", "show"]).arg(&set).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    must_say(&text(&output.stderr), &["cannot tell whether", "was accepted", "no manifest.json"]);
    manifest.restore();
    run.must_finish_exactly(2);
}

#[test]
fn damaged_records_are_refused() {
    let run = Run::killed_at(&QUICK, 8);
    let journal = Original::of(&run, "journal.jsonl");
    let games = Original::of(&run, "games.jsonl.zst");
    must_say(&journal.edited("\"points\"", "\"pints\""), &["journal.jsonl, line 1", "damaged"]);
    must_say(&journal.missing(), &["journal.jsonl", "missing", "restore"]);
    let text = String::from_utf8(journal.2.clone()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let join = |lines: &[&str]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let gap = [&lines[..2], &lines[3..]].concat();
    must_say(
        &journal.holding(join(&gap).as_bytes()),
        &["journal.jsonl, line 3", "tune batch 2 is missing"],
    );
    let twice = [&lines[..4], &lines[3..]].concat();
    must_say(&journal.holding(join(&twice).as_bytes()), &["line 5", "repeats a batch"]);
    // A refused journal does not shorten the games.
    let early = [&lines[..], &lines[..1]].concat();
    must_say(&journal.holding(join(&early).as_bytes()), &["repeats a batch"]);
    assert_eq!(fs::read(run.file("games.jsonl.zst")).unwrap(), games.2);
    journal.restore();
    must_say(&games.holding(&games.2[..100]), &["games.jsonl.zst", "restore the file"]);
    must_say(&games.missing(), &["games.jsonl.zst", "restore the file"]);
    games.restore();
    run.must_finish_exactly(2);
}

#[test]
fn a_finished_journal_with_a_batch_cut_out_is_refused() {
    let run = Run::finished(&QUICK);
    let journal = Original::of(&run, "journal.jsonl");
    let text = String::from_utf8(journal.2.clone()).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines.remove(lines.len() - 2);
    let cut = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    must_say(
        &journal.holding(cut.as_bytes()),
        &["journal.jsonl", "games of the line before", "restore"],
    );
    journal.restore();
    run.must_finish_exactly(2);
}

#[test]
fn torn_ends_are_cut_off_and_played_again() {
    let run = Run::killed_at(&QUICK, 8);
    let (journal, games) = (run.file("journal.jsonl"), run.file("games.jsonl.zst"));
    let whole = fs::read_to_string(&journal).unwrap();
    // The last line is torn, and so is the end of the games, of which no more than that line's are
    // there: the kill may have come when the next ones were written.
    fs::write(&journal, &whole[..whole.len() - 20]).unwrap();
    let line = whole.lines().last().unwrap();
    let bytes = line.split("\"games_bytes\":").nth(1).unwrap().split(',').next().unwrap();
    let kept = fs::read(&games).unwrap()[..bytes.parse::<usize>().unwrap()].to_vec();
    fs::write(&games, [kept.as_slice(), b"half a frame"].concat()).unwrap();
    run.must_finish_exactly(2);
}

#[test]
fn edited_weights_are_refused_and_missing_ones_written_again() {
    let run = Run::killed_at(&QUICK, 5);
    let weights = Original::of(&run, "weights.json");
    let place = run.file("weights.json").display().to_string();
    must_say(&weights.edited("\"danger\": 10,", "\"danger\": 12,"), &[&place, "edited", "move it"]);
    must_say(&weights.holding(b"{"), &[&place, "resume"]);
    fs::remove_file(run.file("weights.json")).unwrap();
    let mut session = Tune::start(run.resume(1));
    session.listen_for(" tunes ");
    assert_eq!(
        fs::read(run.file("weights.json")).unwrap(),
        weights.2,
        "they are there from the beginning"
    );
    session.kill();
    run.must_finish_exactly(2);
    fs::remove_file(run.file("weights.json")).unwrap();
    run.must_finish_exactly(1);
}

#[test]
fn edited_weights_do_not_stand_for_their_run() {
    for run in [Run::killed_at(&QUICK, 5), Run::finished(&QUICK)] {
        let path = run.path();
        let with_set = |arguments: &str| {
            let mut command = spar();
            let word = |word: &str| match word {
                "RUN" => path.clone(),
                "RUN/weights.json" => run.file("weights.json"),
                _ => word.into(),
            };
            command.args(arguments.split(' ').map(word)).current_dir(path.parent().unwrap());
            command
        };
        let weights = Original::of(&run, "weights.json");
        let set = String::from_utf8(weights.2.clone()).unwrap();
        let (before, after) = set.split_once("\"danger\": ").unwrap();
        fs::write(run.file("weights.json"), format!("{before}\"danger\": 1{after}")).unwrap();
        for arguments in [
            "weights show RUN",
            "weights show RUN/weights.json",
            "match RUN piece --board 5x5 --pairs 1 --nodes 5",
            "match RUN/weights.json piece --board 5x5 --pairs 1 --nodes 5",
            "tune --start RUN --board 5x5 --games 16 --nodes 5",
        ] {
            must_say(&refused(with_set(arguments)), &["weights.json", "has been edited", "resume"]);
        }
        weights.restore();
        let output = with_set("weights show RUN").output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        // Only the journal says which weights a finished run has.
        let journal = Original::of(&run, "journal.jsonl");
        let damaged = String::from_utf8(journal.2.clone()).unwrap().replace("\"time\"", "\"tome\"");
        fs::write(run.file("journal.jsonl"), damaged).unwrap();
        must_say(&refused(with_set("weights show RUN")), &["journal.jsonl", "damaged"]);
        journal.restore();
        run.must_finish_exactly(2);
    }
}

#[test]
fn what_holds_no_run_is_said_to_hold_none() {
    let run = Run::new(&QUICK);
    let place = run.path().display().to_string();
    must_say(&refused(run.resume(1)), &[&place, "no run has this name"]);
    fs::create_dir(run.path()).unwrap();
    must_say(&refused(run.resume(1)), &[&place, "manifest", "spar tune"]);
    assert_eq!(
        fs::read_dir(run.path()).unwrap().count(),
        0,
        "nothing is left in a foreign directory"
    );
    // A user's own file is not overwritten.
    fs::write(run.file("weights.json"), "mine").unwrap();
    must_say(&refused(run.tune(1)), &[&place, "holds a weights.json", "another directory"]);
    assert_eq!(fs::read(run.file("weights.json")).unwrap(), b"mine");
    fs::remove_file(run.file("weights.json")).unwrap();
    // A process that died before it wrote the manifest leaves these.
    for name in ["lock", "journal.jsonl", "games.jsonl.zst"] {
        fs::write(run.file(name), "").unwrap();
    }
    run.must_finish_exactly(2);
}

#[test]
fn no_run_begins_among_other_files() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().display().to_string();
    fs::create_dir(folder.path().join("thesis")).unwrap();
    for command in ["tune --games 200 --nodes 5", "match hand piece --pairs 1 --nodes 5"] {
        let mut spar = spar();
        spar.args(command.split(' ')).args(["--board", "5x5", "--run", &place]);
        let remedy = format!("name a new directory, such as {place}/run");
        must_say(&refused(spar), &[&place, "holds thesis, which is no file of a run", &remedy]);
        assert_eq!(folder.path().read_dir().unwrap().count(), 1, "{command}");
    }
}

#[test]
fn a_run_begins_in_a_folder_that_is_a_mounted_volume() {
    let run = Run::new(&QUICK);
    fs::create_dir_all(run.file("lost+found")).unwrap();
    run.must_finish_exactly(1);
}

#[test]
fn bad_arguments_leave_no_run_behind() {
    let bad = [
        "--plies 100",
        "--keep 5",
        "--keep nan",
        "--constrain danger>=dangr",
        "--bounds danger=500..600",
    ];
    for arguments in bad {
        let run = Run::new(&QUICK);
        let mut command = run.tune(1);
        command.args(arguments.split(' '));
        refused(command);
        assert!(!run.path().exists(), "{arguments} left a directory");
    }
}

#[test]
fn files_of_the_same_names_as_those_of_a_run_are_not_overwritten() {
    let names = [
        "journal.jsonl",
        "games.jsonl.zst",
        "weights.json",
        "search.json",
        "candidate.json",
        "answer.json",
        "report.html",
        "label.json",
        "positions-1.pos",
        "training-1.bin",
    ];
    for name in names {
        for command in ["tune --games 200 --nodes 5", "match hand piece --pairs 1 --nodes 5"] {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join(name);
            fs::write(&file, "mine").unwrap();
            let mut spar = spar();
            spar.args(command.split(' ')).args(["--board", "5x5", "--run"]).arg(folder.path());
            must_say(&refused(spar), &[&format!("holds a {name}"), "name another directory"]);
            assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
            assert_eq!(folder.path().read_dir().unwrap().count(), 1, "{command}");
        }
    }
}
