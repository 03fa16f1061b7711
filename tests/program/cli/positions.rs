//! `spar positions`, and trainings that take older positions or begin with a network.

use super::schemas::must_fit;
use super::support::{json, refusal, spar, text};
use serde_json::Value;
use std::fs;
use std::sync::OnceLock;
use tempfile::TempDir;

/// A folder with two files of positions on 5x5 and one on 4x5.
fn folder() -> &'static TempDir {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        for (name, options) in [
            ("a.pos", "--board 5x5 --games 60"),
            ("b.pos", "--board 5x5 --games 60 --seed 2"),
            ("c.pos", "--board 4x5 --games 20"),
        ] {
            let path = folder.path().join(name);
            let file = path.display();
            json(&format!("generate {file} {options} --nodes 60 --weights piece --positions all"));
        }
        folder
    })
}

fn place(name: &str) -> String {
    folder().path().join(name).display().to_string()
}

fn read(path: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn positions_are_listed_described_and_sampled() {
    let list = json(&format!("positions list {}", place("a.pos")));
    must_fit("positions-list", &list);
    let all = list["sources"][0]["positions"].as_u64().unwrap();
    assert!(all > 100 && list["sources"][0]["board"] == "5x5");
    assert!(text(&format!("positions list {}", place("a.pos"))).contains("breakthrough"));
    let found = json(&format!("positions describe {}", place("a.pos")));
    must_fit("positions-describe", &found);
    let sum = |keys: [&Value; 2]| keys.iter().filter_map(|n| n.as_u64()).sum::<u64>();
    assert_eq!(sum([&found["distinct"], &found["duplicates"]]), all);
    assert_eq!(sum([&found["results"]["won"], &found["results"]["lost"]]), all);
    assert!(text(&format!("positions describe {}", place("a.pos"))).contains("duplicates"));
    let sample =
        |seed: u64| json(&format!("positions sample {} -n 7 --seed {seed}", place("a.pos")));
    must_fit("positions-sample", &sample(1));
    assert_eq!(sample(1), sample(1));
    assert_ne!(sample(1)["positions"], sample(2)["positions"]);
    assert_eq!(text(&format!("positions sample {} -n 7", place("a.pos"))).lines().count(), 7);
}

#[test]
fn positions_are_merged_and_thinned_and_nothing_is_overwritten_unasked() {
    let [a, b, c] = ["a.pos", "b.pos", "c.pos"].map(place);
    let merged = place("merged.pos");
    let written = json(&format!("positions merge {a} {b} -o {merged}"));
    must_fit("positions-written", &written);
    assert_eq!(written["positions"], written["read"]);
    let described = json(&format!("positions describe {merged}"));
    assert_eq!(described["positions"], written["positions"]);
    assert!(refusal(spar(&format!("positions merge {a} -o {merged}"))).contains("exists already"));
    let onto = refusal(spar(&format!("positions merge {a} {b} -o {a} --force")));
    assert!(onto.contains("one of those to read"), "{onto}");
    let mixed = refusal(spar(&format!("positions merge {a} {c} -o {}", place("mixed.pos"))));
    assert!(mixed.contains("c.pos") && mixed.contains("4x5"), "{mixed}");
    let thin = place("thin.pos");
    json(&format!("positions thin {merged} --distinct --every 2 --most 50 -o {thin}"));
    let described = json(&format!("positions describe {thin}"));
    assert_eq!((&described["positions"], &described["duplicates"]), (&50.into(), &0.into()));
    let mut damaged = fs::read(&thin).unwrap();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    fs::write(place("damaged.pos"), damaged).unwrap();
    let error = refusal(spar(&format!("positions describe {}", place("damaged.pos"))));
    assert!(error.contains("damaged.pos") && error.contains("edited or damaged"), "{error}");
}

#[test]
fn a_training_takes_its_share_of_older_positions_and_the_file_says_so() {
    let [a, b, c, out] = ["a.pos", "b.pos", "c.pos", "older.json"].map(place);
    let train = |options: &str| {
        let options = format!("--epochs 2 --units 5 --force {options}");
        json(&format!("train {a} -o {out} {options}"))
    };
    let alone = train("--threads 1");
    let with = train(&format!("--threads 1 --older {b} --older-share 0.25"));
    must_fit("train", &with);
    assert_ne!(alone["fingerprint"], with["fingerprint"]);
    let [all, older, taken] =
        ["training", "older", "older_in_pass"].map(|key| with[key].as_u64().unwrap());
    assert!(taken.abs_diff((all - older) / 3) <= 1, "{all} {older} {taken}");
    let sources = read(&out)["provenance"]["trained_on"].clone();
    assert_eq!((&sources[0]["name"], &sources[1]["name"]), (&"a.pos".into(), &"b.pos".into()));
    text(&format!("weights check {out}"));
    let again = train(&format!("--threads 2 --older {b} --older-share 0.25"));
    assert_eq!(again["fingerprint"], with["fingerprint"]);
    let error = refusal(spar(&format!("train {a} -o {out} --force --older {c}")));
    assert!(error.contains("c.pos") && error.contains("4x5"), "{error}");
}

#[test]
fn a_training_begins_with_the_network_of_the_start() {
    let [a, first, next] = ["a.pos", "first.json", "next.json"].map(place);
    json(&format!("train {a} -o {first} --epochs 2 --units 5"));
    // A rate at which nothing is learned.
    let still = "--epochs 1 --rate 1e-12 --force";
    for units in [5, 40] {
        let options = format!("--start {first} {still} --units {units}");
        let begun = json(&format!("train {a} -o {next} {options}"));
        assert!(begun["begun_with"].is_string(), "{begun}");
        let values = |set: &str| {
            let shown = json(&format!("features --board 5x5 --weights {set}"));
            shown["score"].clone()
        };
        assert_eq!(values(&first), values(&next));
        let loss = |set: &Value| set["loss"].as_f64().unwrap();
        assert!((loss(&begun) - begun["epochs"][0]["validation"].as_f64().unwrap()).abs() < 0.01);
    }
    let error = refusal(spar(&format!("train {a} -o {next} {still} --units 3 --start {first}")));
    assert!(error.contains("more units"), "{error}");
    let error = refusal(spar(&format!("train {a} -o {next} {still} --start spsa")));
    assert!(error.contains("--beside-start"), "{error}");
}

/// A tune of a network with older positions is the same wherever its run lies, on one thread and on
/// two; its report says how to continue with the same positions, and changed ones are refused.
#[test]
fn a_tune_takes_older_positions_and_begins_with_the_network_of_the_start() {
    let [a, start, older] = ["a.pos", "start.json", "tuned-older.pos"].map(place);
    json(&format!("train {a} -o {start} --epochs 1 --units 5"));
    fs::copy(&a, &older).unwrap();
    let tune = |run: &str, options: &str| {
        let plan = "--method network --board 5x5 --games 200 --nodes 20 --units 5 --epochs 2";
        let matches = "--round-pairs 4 --validation-pairs 2 --yardstick-pairs 0";
        let run = place(run);
        json(&format!(
            "tune {plan} {matches} --start {start} --older {older} --run {run} {options}"
        ));
        fs::read_to_string(format!("{run}/round-1.json")).unwrap()
    };
    let one = tune("one", "--threads 1");
    assert_eq!(one, tune("two", "--threads 2"));
    assert_ne!(one, tune("fresh", "--threads 1 --fresh"));
    a_run_may_grow_while_its_positions_are_read();
    let set: Value = serde_json::from_str(&one).unwrap();
    let sources = &set["provenance"]["trained_on"];
    let names = [&sources[0]["name"], &sources[1]["name"]];
    assert_eq!(names, ["positions-1.pos", "tuned-older.pos"], "{sources}");
    let report = text(&format!("report {}", place("one")));
    assert!(report.contains(&format!("--older {older}")), "{report}");
    assert_eq!(json(&format!("positions list {}", place("one")))["sources"][0]["board"], "5x5");
    runs_are_named_as_everywhere();
    cut_journal(&place("fresh"));
    fs::copy(place("b.pos"), &older).unwrap();
    let error = refusal(spar(&format!("resume {}", place("fresh"))));
    assert!(error.contains("tuned-older.pos") && error.contains("has changed"), "{error}");
}

/// A command that takes positions finds a run in the folder of runs, and says which run a network
/// was trained on.
fn runs_are_named_as_everywhere() {
    let runs = folder().path().display();
    let [a, out] = ["a.pos", "of-run.json"].map(place);
    let described = |named: &str| json(&format!("positions describe {named} --runs {runs}"));
    let one = described(&place("one"));
    for named in ["one", "one/positions-1.pos"] {
        assert_eq!(described(named), one, "{named}");
    }
    text(&format!("positions sample last -n 2 --runs {runs}"));
    assert_eq!(json(&format!("positions list one --runs {runs}"))["sources"][0]["board"], "5x5");
    let trained =
        json(&format!("train {a} --older one -o {out} --epochs 1 --units 2 --runs {runs}"));
    assert_eq!(trained["older_read"], one["positions"]);
    let name = trained["trained_on"][1]["name"].as_str().unwrap();
    let run = read(&place("one/manifest.json"))["run"].as_str().unwrap().to_owned();
    assert_eq!(name, format!("{run}/positions-1.pos"));
    let trained = json(&format!("train one -o {out} --force --epochs 1 --units 2 --runs {runs}"));
    assert_eq!(
        (&trained["read"], &trained["trained_on"][0]["name"]),
        (&one["positions"], &name.into())
    );
    json(&format!("fit last -o {out} --force --only piece --iterations 1 --runs {runs}"));
    let error = refusal(spar(&format!("positions describe none --runs {runs}")));
    assert!(error.contains("no file and no run"), "{error}");
}

/// A run adds positions to its file before they are on record. No reader takes them before that,
/// and a tune that has taken the positions on record continues with the same ones.
fn a_run_may_grow_while_its_positions_are_read() {
    let [one, grown] = ["one", "grown"].map(place);
    let describe = || json(&format!("positions describe {one}"));
    let described = describe();
    let plan =
        "--method network --board 5x5 --games 200 --nodes 20 --units 5 --epochs 2 --start piece";
    let matches = "--round-pairs 4 --validation-pairs 2 --yardstick-pairs 0";
    json(&format!("tune {plan} {matches} --older {one} --run {grown}"));
    let round = fs::read(format!("{grown}/round-1.json")).unwrap();
    let positions = format!("{one}/positions-1.pos");
    let whole = fs::read(&positions).unwrap();
    fs::write(&positions, [whole.as_slice(), &whole[whole.len() - 40..]].concat()).unwrap();
    assert_eq!(describe(), described);
    cut_journal(&grown);
    text(&format!("resume {grown}"));
    assert_eq!(fs::read(format!("{grown}/round-1.json")).unwrap(), round);
    fs::write(&positions, whole).unwrap();
}

/// Leaves the first line of a run's journal alone, and nothing that came after it, so that the run
/// is unfinished.
fn cut_journal(run: &str) {
    let journal = format!("{run}/journal.jsonl");
    let lines = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, format!("{}\n", lines.lines().next().unwrap())).unwrap();
    fs::write(format!("{run}/games.jsonl.zst"), "").unwrap();
    let _ = fs::remove_file(format!("{run}/candidate.json"));
}

/// The bytes of a file of positions after a change of its header's text and of its records.
fn changed(path: &str, header: impl Fn(&str) -> String, records: impl Fn(&mut Vec<u8>)) -> Vec<u8> {
    let bytes = fs::read(path).unwrap();
    let length = u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize;
    let text = header(std::str::from_utf8(&bytes[12..12 + length]).unwrap());
    let mut found = bytes[12 + length..bytes.len() - 8].to_vec();
    records(&mut found);
    let size = (text.len() as u32).to_le_bytes();
    let mut all = [b"SPARPOS1".as_slice(), &size, text.as_bytes(), &found].concat();
    let sum = crc32fast::hash(&all).to_le_bytes();
    all.extend([b"DONE".as_slice(), &sum].concat());
    all
}

/// A packed file has the same records in less space, and everything learns the same from it.
#[test]
fn packed_positions_are_the_same_positions() {
    let [a, b, plain, packed, again] =
        ["a.pos", "b.pos", "plain.pos", "packed.pos", "unpacked.pos"].map(place);
    let bytes = |path: &str| fs::read(path).unwrap();
    let written = json(&format!("positions merge {a} {b} -o {plain}"));
    let small = json(&format!("positions merge {a} {b} -o {packed} --packed"));
    assert_eq!(written["positions"], small["positions"]);
    assert_eq!(small["bytes"].as_u64().unwrap(), bytes(&packed).len() as u64);
    let records = written["positions"].as_u64().unwrap() * 16;
    assert!(small["bytes"].as_u64().unwrap() < records * 2 / 3, "{small} {records}");
    let shown = |file: &str| {
        let described = json(&format!("positions describe {file}"));
        let sample = json(&format!("positions sample {file} -n 20"));
        (described["plies"].clone(), described["duplicates"].clone(), sample["positions"].clone())
    };
    assert_eq!(shown(&plain), shown(&packed));
    json(&format!("positions merge {packed} -o {again}"));
    let tail = |path: &str| {
        let all = bytes(path);
        all[all.len() - 8 - records as usize..all.len() - 8].to_vec()
    };
    assert_eq!(tail(&again), tail(&plain));
    let weights = |file: &str| {
        let out = place("learnt.json");
        json(&format!("train {file} -o {out} --epochs 1 --units 2 --force"));
        read(&out)["network"].clone()
    };
    assert_eq!(weights(&plain), weights(&packed));
    let twice = refusal(spar(&format!("positions describe {plain} {packed}")));
    assert!(twice.contains("has the same positions as"), "{twice}");
    json(&format!("positions sample {packed} -n 50 -o {again} --force --packed"));
    let whole = bytes(&packed);
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    for (bytes, wanted) in [(damaged, "damaged"), (whole[..whole.len() - 9].to_vec(), "was cut")] {
        fs::write(&packed, bytes).unwrap();
        let error = refusal(spar(&format!("positions describe {packed}")));
        assert!(error.contains(&packed) && error.contains(wanted), "{error}");
    }
}

#[test]
fn the_same_positions_are_not_taken_twice() {
    let [a, b, copy, merged, out] = ["a.pos", "b.pos", "copy.pos", "again.pos", "x"].map(place);
    fs::copy(&a, &copy).unwrap();
    json(&format!("positions merge {a} -o {merged}"));
    for command in ["positions describe", "positions merge -o x", "train -o x", "fit -o x"] {
        for (files, place, reason) in [
            (format!("{a} {b} {a}"), &a, "named twice"),
            (format!("{a} {copy}"), &copy, "has the same positions as"),
            (format!("{b} {merged} {a}"), &a, "has the same positions as"),
        ] {
            let error =
                refusal(spar(&format!("{command} {files}").replace(" x ", &format!(" {out} "))));
            assert!(error.contains(&format!("{place}: {reason}")), "{error}");
            assert!(error.contains("name them once"), "{error}");
        }
    }
    for older in [&a, &copy, &merged] {
        let error = refusal(spar(&format!("train {b} {a} -o {out} --older {older}")));
        assert!(error.contains(&format!("{older}: ")) && error.contains("once"), "{error}");
    }
    assert!(!fs::exists(out).unwrap());
}

#[test]
fn what_is_written_says_where_it_comes_from_and_holds_no_damaged_record() {
    let [a, b, both, thin, out] =
        ["a.pos", "b.pos", "both.pos", "both-thin.pos", "both.json"].map(place);
    json(&format!("positions merge {a} {b} -o {both}"));
    // A part named beside the whole counts no game twice.
    json(&format!("positions thin {both} --every 2 -o {thin}"));
    json(&format!("positions merge {thin} {b} -o {both} --force"));
    json(&format!("train {both} -o {out} --epochs 1 --units 2"));
    let made = read(&out)["provenance"].clone();
    assert_eq!((&made["games"], &made["limits"]), (&120.into(), &"60 nodes a move".into()));

    let damaged = place("record.pos");
    let same = |text: &str| text.to_owned();
    let no_result = |records: &mut Vec<u8>| records[16 * 5 + 14] |= 3;
    let too_low = |records: &mut Vec<u8>| {
        records[16 * 5 + 12..][..2].copy_from_slice(&(-32_768_i16).to_le_bytes())
    };
    fs::write(&damaged, changed(&a, same, too_low)).unwrap();
    let error = refusal(spar(&format!("positions describe {damaged}")));
    assert!(error.contains("record 5, record: the score -32768"), "{error}");
    fs::write(&damaged, changed(&a, same, no_result)).unwrap();
    for command in ["merge", "thin --every 1", "sample -n 1k"] {
        let error = refusal(spar(&format!("positions {command} {damaged} -o {thin} --force")));
        assert!(error.contains(&format!("{damaged}, record 5, record: ")), "{error}");
        assert!(error.contains("generate the positions again"), "{error}");
    }
    let board = |text: &str| text.replace("\"5x5\"", "\"20x20\"");
    fs::write(&damaged, changed(&a, board, |_| ())).unwrap();
    for command in ["merge -o x", "describe"] {
        let error = refusal(spar(
            &format!("positions {command} {damaged}").replace(" x ", &format!(" {thin} --force ")),
        ));
        assert!(error.contains(&format!("{damaged}, ")) && error.contains("20x20"), "{error}");
    }
    let game = |text: &str| text.replace("breakthrough", "nonsense");
    fs::write(&damaged, changed(&a, game, |_| ())).unwrap();
    let error = refusal(spar(&format!("positions describe {damaged}")));
    assert!(error.contains(&format!("{damaged}, game `nonsense`: unknown")), "{error}");
    fs::write(&damaged, changed(&a, same, |records| records.clear())).unwrap();
    for command in ["train", "fit"] {
        let error = refusal(spar(&format!("{command} {damaged} -o {out} --force")));
        assert!(error.contains(&format!("{damaged}: has no positions")), "{error}");
    }
}

#[test]
fn a_killed_merge_leaves_nothing_for_the_next_one() {
    let (folder, path) = super::support::file("all.pos");
    let left = format!(".sparring-{:08x}-0.tmp", crc32fast::hash(b"all.pos"));
    let left = folder.path().join(left);
    fs::write(&left, "a part").unwrap();
    json(&format!("positions merge {} -o {}", place("a.pos"), path.display()));
    assert!(path.exists() && !left.exists());
}
