//! Runs are found by what people call them, listed by their last lines, followed as they grow, and
//! removed without anything else.

use crate::tuning::long_run::{append, long_run, validation};
use crate::tuning::{small_tune, start};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use sparring::cli::watch::screen::Screen;
use sparring::run::{RunDir, TuneWork, Work, is_locked};
use sparring::runs::{LiveRun, Removal, Removed, RunState, RunView, RunsFolder};
use sparring::tune::{Method, Selection};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;

fn begin(folder: &Path, name: &str, seed: u64) -> RunDir {
    let config = small_tune(Method::Spsa, 720, seed, &Selection::default());
    let work = Work::Tune(TuneWork::new(config, start()));
    RunDir::create(&folder.join(name), work, &[]).unwrap()
}

/// A folder with runs of these names, each with its place as its seed.
fn folder(names: &[&str]) -> (TempDir, RunsFolder) {
    let temp = TempDir::new().unwrap();
    for (seed, name) in names.iter().enumerate() {
        drop(begin(temp.path(), name, seed as u64));
    }
    let folder = RunsFolder::new(temp.path());
    (temp, folder)
}

fn found(folder: &RunsFolder, named: &str) -> String {
    let path = folder.find(Path::new(named)).unwrap_or_else(|error| panic!("{named}: {error}"));
    path.file_name().unwrap().to_str().unwrap().to_owned()
}

fn refusal(folder: &RunsFolder, named: &str) -> String {
    let error = folder.find(Path::new(named)).unwrap_err();
    assert_eq!(error.exit_code(), 2, "{error}");
    error.to_string()
}

#[test]
fn a_run_is_found_by_whatever_names_it_alone() {
    let names =
        ["20260101T000000Z-breakthrough-spsa-1", "20260102T000000Z-breakthrough-spsa-2", "mine"];
    let (temp, folder) = folder(&names);
    for (number, name) in names.iter().enumerate() {
        assert_eq!(found(&folder, name), *name);
        assert_eq!(found(&folder, temp.path().join(name).to_str().unwrap()), *name);
        let line = RunView::read(&folder.join(name));
        let id = line.id.unwrap();
        assert!(id.starts_with(&format!("breakthrough-spsa-{number}-")), "{id}");
        assert_eq!(found(&folder, &id), *name);
        assert_eq!(found(&folder, &id.replacen('-', "/", 1)), *name, "by the name of its set");
        assert_eq!(found(&folder, id.rsplit('-').next().unwrap()), *name, "by its digest");
    }
    assert_eq!(found(&folder, "spsa-2"), names[1]);
    assert_eq!(found(&folder, "0101T"), names[0]);
}

#[test]
fn a_run_that_is_not_found_is_named_as_near_as_can_be() {
    let names =
        ["20260101T000000Z-breakthrough-spsa-1", "20260102T000000Z-breakthrough-spsa-2", "mine"];
    let (temp, folder) = folder(&names);
    let several = refusal(&folder, "spsa");
    assert!(several.contains("fits several"), "{several}");
    assert!(several.contains(names[0]) && several.contains(names[1]), "{several}");
    assert!(refusal(&folder, "mime").contains("did you mean `mine`?"));
    for named in ["", "/", "..", "no such run at all"] {
        let unknown = refusal(&folder, named);
        assert!(!unknown.contains("fits"), "{named}: {unknown}");
    }
    let whole = refusal(&folder, temp.path().to_str().unwrap());
    assert!(names.iter().all(|name| whole.contains(name)), "{whole}");
    let empty = RunsFolder::new(temp.path().join("nothing"));
    assert_eq!(empty.names().unwrap(), [""; 0]);
    assert!(refusal(&empty, "last").contains("spar tune"));
}

#[test]
#[cfg(unix)]
fn links_and_folders_without_a_manifest_are_no_runs() {
    let (temp, folder) = folder(&["one"]);
    fs::create_dir(temp.path().join("two")).unwrap();
    std::os::unix::fs::symlink(temp.path().join("one"), temp.path().join("link")).unwrap();
    assert_eq!(folder.names().unwrap(), ["one"]);
    let error = Removal::plan(&temp.path().join("link"), Removed::Run).unwrap_err();
    assert!(error.to_string().contains("a link"), "{error}");
    assert!(Removal::plan(&temp.path().join("two"), Removed::Run).is_err());
}

#[test]
fn the_lock_tells_whether_a_run_is_under_way_and_is_not_taken() {
    let temp = TempDir::new().unwrap();
    let run = begin(temp.path(), "one", 1);
    let path = temp.path().join("one");
    assert_eq!(RunView::read(&path).state, RunState::Running);
    drop(run);
    assert_eq!(RunView::read(&path).state, RunState::Stopped);
    // A reader that asks at this very moment does not keep a process out.
    let reader = File::open(path.join("lock")).unwrap();
    reader.lock_shared().unwrap();
    assert!(!is_locked(&path));
    let opening = std::thread::spawn({
        let path = path.clone();
        move || RunDir::open(&path).map(drop)
    });
    std::thread::sleep(Duration::from_millis(30));
    drop(reader);
    opening.join().unwrap().unwrap();
}

#[test]
fn a_damaged_run_is_listed_with_what_is_wrong() {
    let (temp, folder) = folder(&["one", "two"]);
    let manifest = temp.path().join("one/manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("\"games\": 720", "\"games\": 721")).unwrap();
    let lines = folder.lines().unwrap();
    let one = lines.iter().find(|line| line.run == "one").unwrap();
    assert_eq!(one.state, RunState::Damaged);
    assert!(one.reason.as_ref().unwrap().contains("checksum"), "{one:?}");
    assert_eq!(lines.iter().filter(|line| line.state == RunState::Stopped).count(), 1);
}

#[test]
fn the_speed_of_a_short_run_is_that_of_all_its_games() {
    let temp = TempDir::new().unwrap();
    let path = temp.path().join("run");
    let lines = long_run(&path, 3, 1);
    append(&path, &lines.concat());
    let line = RunView::read(&path);
    assert_eq!((line.games, line.games_per_second.map(f64::round)), (50, Some(25.0)));
}

#[test]
fn a_run_that_is_followed_is_as_one_that_is_read_at_once() {
    let temp = TempDir::new().unwrap();
    let path = temp.path().join("run");
    let lines = long_run(&path, 3, 300);
    let mut live = LiveRun::open(&path).unwrap();
    assert!(!live.refresh().unwrap());
    for part in lines.chunks(70) {
        let (last, whole) = part.split_last().unwrap();
        let half = last.len() / 2;
        append(&path, &(whole.concat() + &last[..half]));
        assert!(live.refresh().unwrap());
        assert!(!live.refresh().unwrap(), "the last line is torn");
        append(&path, &last[half..]);
        assert!(live.refresh().unwrap());
    }
    let view = live.view(100).unwrap();
    let mut fresh = LiveRun::open(&path).unwrap().view(100).unwrap();
    fresh.seconds_since = view.seconds_since;
    assert_eq!(view, fresh);
    // The list reads only the end of the journal.
    let mut line = RunView::read(&path);
    line.seconds_since = view.seconds_since;
    let whole = RunView { seconds_since: view.seconds_since, ..live.line() };
    assert_eq!(RunView { spark: Vec::new(), ..line.clone() }, whole);
    assert_eq!((line.games, line.planned_games), (15_000, Some(15_000)));
    assert_eq!((line.tune_games, &*line.games_text()), (Some(15_000), "15,000"));
    assert_eq!(line.games_per_second.map(f64::round), Some(25.0));
    let series = view.series.unwrap();
    assert_eq!((series.answers.games.len(), series.answers.knobs.len()), (100, 3));
    assert_eq!((series.answers.games[0], series.answers.games[99]), (0, 15_000));
    assert_eq!(series.answers.seconds[99], 600.0);
    assert_eq!(series.strength.games.last(), Some(&15_000));
    assert!(series.answers.knobs.iter().all(|knob| knob.value.len() == 100));
}

#[test]
fn a_run_that_goes_away_or_is_replaced_is_noticed() {
    let temp = TempDir::new().unwrap();
    let path = temp.path().join("run");
    let lines = long_run(&path, 2, 10);
    append(&path, &lines.concat());
    let mut live = LiveRun::open(&path).unwrap();
    fs::remove_dir_all(&path).unwrap();
    assert!(live.refresh().is_err());
    let lines = long_run(&path, 5, 8);
    append(&path, &lines[..5].concat());
    assert!(live.refresh().unwrap());
    assert_eq!(live.view(10).unwrap().series.unwrap().answers.knobs.len(), 5);
}

#[test]
fn a_night_is_opened_at_once_and_followed_for_nothing() {
    let temp = TempDir::new().unwrap();
    let path = temp.path().join("run");
    let lines = long_run(&path, 40, 14_000);
    let (last, most) = lines.split_last().unwrap();
    append(&path, &most.concat());
    let begun = Instant::now();
    let mut live = LiveRun::open(&path).unwrap();
    let view = live.view(300).unwrap();
    let opened = begun.elapsed();
    let length = serde_json::to_string(&view).unwrap().len();
    assert!(length < 500_000, "{length} bytes");
    append(&path, last);
    let begun = Instant::now();
    assert!(live.refresh().unwrap());
    let refreshed = begun.elapsed();
    let begun = Instant::now();
    let line = RunView::read(&path);
    let listed = begun.elapsed();
    assert_eq!(line.games, 700_000);
    println!("opened in {opened:?}, refreshed in {refreshed:?}, listed in {listed:?}");
    // These builds are slower than release builds, and other tests run at the same time.
    assert!(opened < Duration::from_secs(15), "{opened:?}");
    assert!(refreshed < opened / 50, "{refreshed:?} of {opened:?}");
    assert!(listed < opened / 10, "{listed:?} of {opened:?}");
}

#[test]
fn a_removal_takes_the_files_of_the_run_and_nothing_else() {
    let (temp, folder) = folder(&["one", "two"]);
    let [one, two] = ["one", "two"].map(|name| folder.join(name));
    for run in [&one, &two] {
        for file in ["positions-1.pos", "round-1.json", "report.html", ".sparring-abc.tmp"] {
            fs::write(run.join(file), "12345").unwrap();
        }
    }
    fs::write(two.join("notes.txt"), "mine").unwrap();
    fs::create_dir(two.join("round-2.json")).unwrap();
    let positions = Removal::plan(&one, Removed::Positions).unwrap();
    assert_eq!(positions.bytes, 5);
    assert!(!positions.carry_out().unwrap());
    assert!(!one.join("positions-1.pos").exists() && one.join("report.html").exists());
    let open = RunDir::open(&one).unwrap();
    let removal = Removal::plan(&one, Removed::Run).unwrap();
    assert!(removal.carry_out().is_err(), "a process works on it");
    assert!(one.join("games.jsonl.zst").exists());
    drop(open);
    assert!(removal.carry_out().unwrap());
    assert!(!one.exists());
    assert!(!Removal::plan(&two, Removed::Run).unwrap().carry_out().unwrap());
    let mut left: Vec<PathBuf> = fs::read_dir(&two).unwrap().map(|e| e.unwrap().path()).collect();
    left.sort();
    assert_eq!(left, [two.join("notes.txt"), two.join("round-2.json")]);
    drop(temp);
}

/// The lines of the screen of a run.
fn screen(live: &LiveRun, width: u16, height: u16) -> Vec<String> {
    let view = live.view(400).unwrap();
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| Screen::new(&view, &[], None).draw(frame)).unwrap();
    let cells = terminal.backend().buffer().content();
    let line = |row: &[ratatui::buffer::Cell]| row.iter().map(|cell| cell.symbol()).collect();
    cells.chunks(width.into()).map(line).collect()
}

#[test]
fn the_screen_shows_what_matters_at_every_size() {
    let temp = TempDir::new().unwrap();
    let path = temp.path().join("run");
    let lines = long_run(&path, 4, 60);
    let mut live = LiveRun::open(&path).unwrap();
    let shows = |live: &LiveRun, wanted: &[&str]| {
        for (width, height) in [(60, 20), (80, 24), (120, 40)] {
            let text = screen(live, width, height).join("\n");
            for word in wanted {
                assert!(text.contains(word), "{word} at {width} x {height}:\n{text}");
            }
        }
        // Where there is no room it shows less, and does not panic.
        for size in [(1, 1), (20, 5), (59, 3), (300, 8)] {
            screen(live, size.0, size.1);
        }
    };
    shows(&live, &["stopped  run", "0/3,000 games", "no curve yet", "weight_0", "q quits"]);
    append(&path, &lines.concat());
    live.refresh().unwrap();
    shows(
        &live,
        &["3,000 games", "25 games/s", "Elo +", "against the start", "weight_3", "3.00 k games"],
    );
    append(&path, &validation(&path, 3_000, 3).concat());
    live.refresh().unwrap();
    shows(&live, &["3,048 games", "LLR 1.00", "-2.94", "|===", "24 pairs", "weight_3"]);
}
