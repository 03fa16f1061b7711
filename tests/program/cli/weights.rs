use super::support::{document, file, json, refusal, run, spar, spar_with, stderr, stdout, text};
use serde_json::{Value, json};
use std::fs;

#[test]
fn the_document_of_a_set_is_its_file() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/weights/breakthrough/zhu.json");
    let output = run("weights show breakthrough/zhu --json");
    assert_eq!(stdout(&output), fs::read_to_string(path).unwrap());
    assert_eq!(json("weights show zhu"), json(&format!("weights show {path}")));
    assert!(text("weights show zhu").contains("nearest_enemy"));
}

#[test]
fn sets_are_listed_with_those_of_a_folder() {
    let (folder, path) = file("mine.json");
    assert!(
        spar_with(["weights", "new", "mine", "-o", path.to_str().unwrap()])
            .output()
            .unwrap()
            .status
            .success()
    );
    fs::write(folder.path().join("other.json"), "{}").unwrap();
    let bad = fs::read_to_string(&path).unwrap().replace("danger", "dangr");
    fs::write(folder.path().join("bad.json"), bad).unwrap();
    let output =
        spar_with(["weights", "list", folder.path().to_str().unwrap(), "--json"]).output().unwrap();
    assert_eq!(stderr(&output), "", "JSON of other kinds is passed over");
    let list: Value = serde_json::from_slice(&output.stdout).unwrap();
    let refused = list["refused"].as_array().unwrap();
    let error = refused[0]["error"]["message"].as_str().unwrap();
    assert!(refused.len() == 1 && error.contains("bad.json") && error.contains("dangr"), "{error}");
    let sets = list["sets"].as_array().unwrap();
    assert!(sets.iter().any(|set| set["name"] == "breakthrough/atachiants" && set["used"] == 11));
    assert_eq!(sets.last().unwrap()["name"], path.to_str().unwrap());
    assert_eq!(sets.last().unwrap()["used"], 0);
}

#[test]
fn a_new_set_is_named_without_its_ending_and_says_what_a_tune_leaves_out() {
    let (folder, path) = file("mine.json");
    let new = ["weights", "new", "mine.json", "--game", "ataxx", "--set", "piece=1"];
    let output = spar_with(new).current_dir(folder.path()).output().unwrap();
    let said = stdout(&output);
    assert!(said.starts_with("wrote mine.json\n"), "{said}");
    assert!(said.contains("weights are 0") && said.contains("--all"), "{said}");
    let set: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(set["name"], "mine");
}

#[test]
fn a_new_set_is_good_and_never_overwrites() {
    let (_folder, path) = file("mine.json");
    let place = path.to_str().unwrap();
    let new = [
        "weights",
        "new",
        "mine",
        "--game",
        "breakthrough",
        "--board",
        "6x6",
        "--from",
        "zhu",
        "-o",
        place,
    ];
    document(spar_with(new).args(["--set", "piece=12", "--set", "noise=-1", "--json"]));
    let set: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!((&set["board"], &set["provenance"]), (&"6x6".into(), &Value::Null));
    let checked = document(&mut spar_with(["weights", "check", place, "--json"]));
    assert_eq!(checked["files"][0]["valid"], true);

    let diff = document(&mut spar_with(["weights", "diff", "zhu", place, "--json"]));
    let expected = json!([
        { "name": "piece", "old": 10, "new": 12, "difference": 2, "ratio": 1.2 },
        { "name": "noise", "old": 0, "new": -1, "difference": -1, "ratio": null },
    ]);
    assert_eq!(diff["changed"], expected);
    assert!(text("weights diff zhu zhu").contains("All weights are the same."));
    let same = spar_with(["weights", "diff", "hand", "ataxx/hand"]).output().unwrap();
    assert!(stderr(&same).contains("both names mean ataxx/hand"), "{}", stderr(&same));

    assert!(refusal(spar_with(new)).contains("exists already"));
    // A set implies its board, unless another one is given.
    let features = document(&mut spar_with(["features", "--weights", place, "--json"]));
    assert!(features["fen"].as_str().unwrap().starts_with("pppppp/"), "{features:#}");
    let given = ["features", "--weights", place, "--board", "8x8"];
    let output = spar_with(given).output().unwrap();
    assert!(stderr(&output).contains("was made for 6x6, and plays on 8x8"), "{}", stderr(&output));
}

#[test]
fn a_new_set_has_the_constants_of_the_set_it_is_made_from_and_those_given() {
    let (folder, path) = file("one.json");
    let place = |path: &std::path::Path| path.display().to_string();
    let constants = |path: &std::path::Path| {
        let set: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        (
            set["format"].clone(),
            set["search"]["null_base"].clone(),
            set["search"]["razor_depth"].clone(),
        )
    };
    json(&format!("weights new one --from zhu --search null_base=2 -o {}", place(&path)));
    assert_eq!(constants(&path), (4.into(), 2.into(), 2.into()));
    let two = folder.path().join("two.json");
    json(&format!(
        "weights new two --from {} --set piece=12 --search razor_depth=4 -o {}",
        place(&path),
        place(&two)
    ));
    assert_eq!(constants(&two), (4.into(), 2.into(), 4.into()));
    // The default ones are not written.
    let three = folder.path().join("three.json");
    json(&format!(
        "weights new three --from {} --search null_base=3 -o {}",
        place(&path),
        place(&three)
    ));
    assert_eq!(constants(&three), (4.into(), Value::Null, Value::Null));
}

#[test]
fn check_names_what_is_wrong() {
    let good =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/weights/breakthrough/zhu.json"))
            .unwrap();
    let cases = [
        (good.replace("\"piece\"", "\"pice\""), "did you mean `piece`?"),
        (good.replace("\"board\": null", "\"board\": \"9x9\""), "key `board`"),
        (
            good.replace("\"game\": \"breakthrough\"", "\"game\": \"breaktrough\""),
            "did you mean `breakthrough`?",
        ),
        (good.replace("\"format\": 1", "\"format\": 99"), "format"),
        (good.replace("\"piece\": 10", "\"piece\": 10.5"), "piece"),
        (
            good.replace("\"piece\": 10", "\"piece\": 1844674407370955161610"),
            "1844674407370955200000 is out of range",
        ),
        (good.replace("\"piece\": 10", "\"piece\": 9223372036854775808"), "75808 is out of range"),
        (good.replace("\"piece\": 10", "\"piece\": -1e30"), "-1000000000000000000000000000000 is"),
        (good[..good.len() / 2].to_owned(), "bad.json"),
    ];
    for (content, expected) in cases {
        let (_folder, path) = file("bad.json");
        fs::write(&path, &content).unwrap();
        let error = refusal(spar_with(["weights", "check", path.to_str().unwrap()]));
        assert!(error.contains("bad.json") && error.contains(expected), "{expected}: {error}");

        let output =
            spar_with(["weights", "check", path.to_str().unwrap(), "--json"]).output().unwrap();
        let checked: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((output.status.code(), &checked["files"][0]["valid"]), (Some(2), &false.into()));
        assert!(checked["files"][0]["error"]["message"].as_str().unwrap().contains(expected));
    }
    assert!(
        refusal(spar_with(["weights", "check", "no/such/file.json"])).contains("no/such/file.json")
    );
}

#[test]
fn the_schema_is_the_file() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/weights/schema.json");
    assert_eq!(text("weights schema"), fs::read_to_string(path).unwrap());
}

#[test]
fn a_compact_set_is_read_by_every_command_and_comes_back() {
    let (folder, compact) = file("5x5.bin");
    let place = |name: &str| folder.path().join(name).display().to_string();
    let bin = compact.to_str().unwrap();
    let written = json(&format!("weights export breakthrough/5x5 --to bin -o {bin}"));
    assert_eq!(written["bytes"], fs::metadata(&compact).unwrap().len());
    assert_eq!(written["form"], "bin");
    let error = refusal(spar(&format!("weights export 5x5 --to bin -o {bin}")));
    assert!(error.contains("the file exists already"), "{error}");
    json(&format!("weights import {bin} -o {}", place("5x5.json")));
    let original = concat!(env!("CARGO_MANIFEST_DIR"), "/weights/breakthrough/5x5.json");
    assert!(fs::read(place("5x5.json")).unwrap() == fs::read(original).unwrap());
    // The set implies game and board, whichever form it has.
    for command in ["analyze --depth 5 --hash 1 --weights", "features --weights"] {
        let [mut a, mut b] = [bin, "breakthrough/5x5"].map(|set| json(&format!("{command} {set}")));
        for document in [&mut a, &mut b] {
            for key in ["weights", "seconds", "nps", "depths"] {
                document.as_object_mut().unwrap().remove(key);
            }
        }
        assert_eq!(a, b, "{command}");
    }
    json(&format!(
        "match {bin} 5x5 --pairs 1 --nodes 10 --seed 1 --threads 1 --runs {}",
        place("r")
    ));
    assert_eq!(json(&format!("weights check {bin}"))["files"][0]["valid"], true);
    assert_eq!(json(&format!("weights diff {bin} 5x5"))["tables"], json!([]));
    fs::write(folder.path().join("other.bin"), "not a set").unwrap();
    let listed = json(&format!("weights list {}", folder.path().display()));
    assert_eq!(listed["refused"], json!([]));
    assert!(listed["sets"].as_array().unwrap().iter().any(|set| set["name"] == bin));
    let mut bytes = fs::read(&compact).unwrap();
    bytes[100] ^= 1;
    fs::write(&compact, bytes).unwrap();
    let error = refusal(spar(&format!("analyze --weights {bin}")));
    assert!(error.contains(bin) && error.contains("checksum"), "{error}");
}

#[test]
fn sets_become_source_code() {
    let (folder, path) = file("set.h");
    json(&format!("weights export spsa --to c -o {}", path.display()));
    assert!(fs::read_to_string(&path).unwrap().contains("sparring_breakthrough_spsa_evaluate"));
    let module = folder.path().join("set.mjs");
    json(&format!("weights export ataxx/7x7-network --to js -o {}", module.display()));
    assert!(fs::read_to_string(&module).unwrap().contains("export function evaluate(squares"));
    let error = refusal(spar("weights export spsa --to xml"));
    assert!(error.contains("xml") && error.contains("bin"), "{error}");
    let error = refusal(spar("weights import no/such.bin"));
    assert!(error.contains("no/such.bin") && error.contains("check the path"), "{error}");
}
