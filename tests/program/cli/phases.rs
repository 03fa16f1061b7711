//! Weights by phase from a new set to source code, and where there are none.

use super::support::{document, file, json, refusal, run, spar, stderr, text};
use std::fs;

#[test]
fn a_set_with_weights_by_phase_is_made_explained_compared_and_exported() {
    let (folder, path) = file("mine.json");
    let mine = path.display().to_string();
    let new = format!("weights new mine --from hand --set danger@late=77 -o {mine}");
    let output = run(&new);
    assert!(output.status.success(), "{}", stderr(&output));
    let one = refusal(spar(&format!("weights new one --from {mine} --set danger=4")));
    assert!(one.contains("set `danger@early` and `danger@late`"), "{one}");
    let set = json(&format!("weights show {mine}"));
    assert_eq!((&set["format"], &set["weights"]["danger@late"]), (&6.into(), &77.into()));
    let early = json("weights show breakthrough/hand")["weights"]["danger"].clone();
    assert_eq!(set["weights"]["danger@early"], early);
    assert!(text(&format!("weights show {mine}")).contains("danger@late"));
    let changed = json(&format!("weights diff hand {mine} --game breakthrough"));
    assert!(changed["changed"].to_string().contains("danger@late"), "{changed}");
    json(&format!("weights check {mine}"));
    let explained = json(&format!("features --board 8x8 --weights {mine}"));
    assert_eq!(explained["phase"], 0);
    let shown = text(&format!("features --board 8x8 --weights {mine}"));
    assert!(shown.contains("0 of 16"), "{shown}");
    assert_eq!(json("features --board 8x8 --weights hand").get("phase"), None);
    let fens = folder.path().join("fens.txt");
    fs::write(&fens, "8/P7/8/8/8/8/7p/8 w - - 0 1\n").unwrap();
    let of_file = |set: &str| json(&format!("features --file {} --weights {set}", fens.display()));
    assert_eq!(of_file(&mine)["positions"][0]["phase"], 16);
    assert_eq!(of_file("breakthrough/hand")["positions"][0].get("phase"), None);
    for (form, ending) in [("c", "h"), ("js", "mjs"), ("bin", "bin")] {
        let out = folder.path().join(format!("mine.{ending}")).display().to_string();
        json(&format!("weights export {mine} --to {form} -o {out}"));
        let bytes = fs::read(&out).unwrap();
        let written = String::from_utf8_lossy(&bytes);
        match form {
            "c" => assert!(written.contains("_PHASES 16\n") && written.contains("_late[")),
            "js" => assert!(written.contains("export const phases = 16;")),
            _ => assert_eq!(json(&format!("weights show {out}"))["weights"], set["weights"]),
        }
    }
    let plain = folder.path().join("plain.h").display().to_string();
    json(&format!("weights export breakthrough/hand --to c -o {plain}"));
    assert!(!fs::read_to_string(plain).unwrap().contains("phase"));
    let played = json(&format!("match {mine} hand --board 5x5 --pairs 4 --nodes 100"));
    assert_eq!(played["games"], 8);
    // The same file with an older format is refused.
    fs::write(&path, fs::read_to_string(&path).unwrap().replace("\"format\": 6", "\"format\": 4"))
        .unwrap();
    let error = refusal(spar(&format!("weights check {mine}")));
    assert!(error.contains("write `\"format\": 6`"), "{error}");
}

#[test]
fn phases_are_refused_where_there_are_none() {
    for (arguments, expected) in [
        ("tune --phases --target search", "--phases: constants have no phases"),
        ("tune --method network --phases", "--phases belongs to --method"),
        ("tune --start breakthrough/5x5-network --board 5x5 --phases", "has no weights by phase"),
        ("tune --only pice@late", "weight `pice@late`: unknown"),
        ("weights new x --from breakthrough/5x5-network --set piece@late=3 -o x.json", "network"),
    ] {
        let error = refusal(spar(arguments));
        assert!(error.contains(expected), "{arguments}: {error}");
    }
}

#[test]
fn a_fit_with_phases_writes_both_weights_and_a_network_beside_them_is_refused() {
    let (folder, path) = file("games.pos");
    let positions = path.display().to_string();
    json(&format!("generate {positions} --board 5x5 --games 200 --nodes 60 --weights piece"));
    let set = folder.path().join("fitted.json").display().to_string();
    let options = "--only piece,danger --phases --penalties 10 --iterations 5";
    let found = json(&format!("fit {positions} -o {set} {options}"));
    let names: Vec<&str> =
        found["features"].as_array().unwrap().iter().map(|f| f["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["piece@early", "piece@late", "danger@early", "danger@late"]);
    assert_eq!(document(&mut spar(&format!("weights show {set} --json")))["format"], 6);
    let out = folder.path().join("net.json").display().to_string();
    let train = format!("train {positions} -o {out} --start {set} --beside-start --units 8");
    let error = refusal(spar(&train));
    assert!(error.contains("weights by phase, beside which no network can stand"), "{error}");
}
