//! `generate`, `fit`, and what commands make of the tables that a fit writes.

use super::support::{document, file, json, refusal, run, spar, stderr, text};
use std::path::Path;
use std::sync::OnceLock;
use tempfile::TempDir;

/// A file of positions on 5x5, and a set that was fitted to it: with its table of patterns.
fn fitted() -> &'static (TempDir, String, String) {
    static FITTED: OnceLock<(TempDir, String, String)> = OnceLock::new();
    FITTED.get_or_init(|| {
        let (folder, path) = file("games.pos");
        let positions = path.display().to_string();
        let made = json(&format!(
            "generate {positions} --board 5x5 --games 200 --nodes 60 --weights piece"
        ));
        assert_eq!((&made["games"], &made["complete"]), (&200.into(), &true.into()));
        let set = folder.path().join("fitted.json").display().to_string();
        let found = json(&format!("fit {positions} -o {set} --iterations 10"));
        assert_eq!(found["positions"]["read"], made["positions"]);
        assert!(found["positions"]["distinct"].as_u64() <= found["positions"]["read"].as_u64());
        let trials = found["trials"].as_array().unwrap();
        let best = &trials[found["best"].as_u64().unwrap() as usize];
        assert!(best["validation"].as_f64() < found["start_loss"].as_f64());
        assert_eq!(
            (&found["features"][0]["name"], &found["tables"][0]["name"]),
            (&"tempo".into(), &"windows_3x3".into())
        );
        (folder, positions, set)
    })
}

/// Whatever of the start a fit keeps or sets to 0, it is compared with the whole start.
#[test]
fn a_fit_is_compared_with_the_whole_start() {
    let (folder, positions, _) = fitted();
    let set = folder.path().join("whole.json").display().to_string();
    let start = |more: &str| {
        let command = format!("fit {positions} -o {set} --force --blend 0 --iterations 1 {more}");
        json(&command)["start_loss"].as_f64().unwrap()
    };
    let whole = start("--all");
    assert!(whole < std::f64::consts::LN_2);
    for more in ["", "--only piece", "--only piece --clear-rest"] {
        assert!((start(more) - whole).abs() < 1e-4, "{more}: {} and {whole}", start(more));
    }
}

#[test]
fn a_fitted_set_plays_and_is_explained() {
    let (_, _, set) = fitted();
    json(&format!("weights check {set}"));
    let explained = json(&format!("features --board 5x5 --weights {set}"));
    let cells = explained["features"]["windows_3x3"].as_array().unwrap();
    assert_eq!(cells.iter().map(|cell| cell[1].as_i64().unwrap()).sum::<i64>(), 9);
    let table = &explained["tables"][0];
    assert_eq!(table["patterns"].as_array().unwrap().len(), cells.len());
    let single: i64 =
        explained["terms"].as_array().unwrap().iter().map(|t| t["product"].as_i64().unwrap()).sum();
    assert_eq!(single + table["product"].as_i64().unwrap(), explained["sum"].as_i64().unwrap());
    // A set without tables still lists the cells.
    let without = json("features --board 5x5 --weights spsa");
    assert_eq!(without["features"]["windows_3x3"], explained["features"]["windows_3x3"]);
    assert_eq!(without["tables"].as_array().unwrap().len(), 0);
    let shown = text(&format!("features --board 5x5 --weights {set} --all"));
    assert!(
        shown.contains("9 patterns") && shown.contains("rows 1-3 a-c or e-c: ooo / ooo / ..."),
        "{shown}"
    );
    let played = json(&format!("match {set} piece --board 5x5 --pairs 4 --nodes 100"));
    assert_eq!(played["games"], 8);
    let provenance = &json(&format!("weights show {set}"))["provenance"];
    assert_eq!(
        (&provenance["games"], &provenance["limits"]),
        (&200.into(), &"60 nodes a move".into())
    );
    assert_eq!(
        (&provenance["method"], &provenance["elo"]),
        (&"logistic".into(), &serde_json::Value::Null)
    );
}

#[test]
fn tables_are_refused_on_other_boards() {
    let (folder, positions, set) = fitted();
    let other = folder.path().join("other.json");
    for arguments in [
        format!("features --board 6x6 --weights {set}"),
        format!("analyze --board 6x6 --weights {set} --depth 2"),
        format!("match {set} piece --board 6x6 --pairs 2 --nodes 50"),
        format!("tournament {set} piece --board 5x6 --pairs 2 --nodes 50"),
        format!("bench --board 6x6 --weights {set} --depth 2"),
        format!(
            "tune --board 6x6 --start {set} --games 100 --run {}",
            folder.path().join("run").display()
        ),
        format!(
            "generate {} --board 6x6 --weights {set} --games 1",
            folder.path().join("none.pos").display()
        ),
        format!("weights new mine --from {set} --board 6x6 -o {}", other.display()),
    ] {
        let error = refusal(spar(&arguments));
        assert!(
            error.contains("`windows_3x3`: a table for 5x5, not for")
                && error.contains("play on 5x5"),
            "{error}"
        );
    }
    assert!(!other.exists() && !folder.path().join("none.pos").exists());
    // The positions are of one board, too.
    let error = refusal(spar(&format!("fit {positions} --board 6x6 -o {}", other.display())));
    assert!(error.contains("the positions are of 5x5"), "{error}");
}

#[test]
fn what_cannot_be_fitted_is_refused() {
    let (folder, positions, set) = fitted();
    let new = folder.path().join("new.json").display().to_string();
    for (arguments, wanted) in [
        (format!("{positions} -o {set}"), "exists already"),
        (format!("{set} -o {new}"), "not a file of positions"),
        (format!("{positions} -o {new} --only dangre"), "did you mean `danger`"),
        (format!("{positions} -o {new} --blend 1.5"), "out of range"),
        (format!("{positions} -o {new} --penalties 0"), "above 0"),
        (format!("{positions} -o {new} --validation-folds 64"), "64 of 64 folds"),
        (format!("{positions} -o {new} --only tempo --start noise-less"), "no shipped weight set"),
        (format!("none.pos -o {new}"), "none.pos"),
    ] {
        let error = refusal(spar(&format!("fit {arguments}")));
        assert!(error.contains(wanted), "{arguments}: {error}");
    }
    assert!(!Path::new(&new).exists());
    let error = refusal(spar(&format!("generate {new} --deviate 1")));
    assert!(error.contains("random moves"), "{error}");
}

#[test]
fn damage_to_positions_and_files_that_were_cut_are_noticed() {
    let (folder, positions, _) = fitted();
    let good = std::fs::read(positions).unwrap();
    let bad = folder.path().join("bad.pos");
    let fit = || {
        let set = folder.path().join("of-bad.json").display().to_string();
        spar(&format!("fit {} -o {set} --force --only piece --iterations 1", bad.display()))
    };
    for place in (0..good.len()).step_by(good.len() / 23) {
        let mut bytes = good.clone();
        bytes[place] ^= 1 << (place % 8);
        std::fs::write(&bad, bytes).unwrap();
        assert!(refusal(fit()).contains("bad.pos"), "byte {place}");
    }
    for place in (0..30).map(|bytes| good.len() - 1 - bytes) {
        std::fs::write(&bad, &good[..place]).unwrap();
        assert!(refusal(fit()).contains("bad.pos"), "cut at byte {place}");
    }
    // The size is right, but what follows is shifted by half a record.
    let middle = good.len() / 2;
    std::fs::write(&bad, [&good[..middle], &good[middle - 8..]].concat()).unwrap();
    assert!(refusal(fit()).contains("bad.pos"));
}

#[test]
fn weights_by_phase_need_single_weights() {
    let (folder, positions, _) = fitted();
    let set = folder.path().join("phases.json").display().to_string();
    let error = refusal(spar(&format!("fit {positions} -o {set} --only windows_3x3 --phases")));
    assert!(error.contains("--phases: only tables are fitted"), "{error}");
}

/// Beside a network, weights are fitted to what it leaves.
#[test]
fn weights_are_fitted_beside_a_network() {
    let (folder, positions, _) = fitted();
    let place = |name: &str| folder.path().join(name).display().to_string();
    let start = "breakthrough/5x5-network";
    let network = json(&format!("weights show {start}"))["network"].clone();
    let mut first = serde_json::Value::Null;
    for (number, more) in
        ["--only tempo,piece", "--all", "--only tempo --clear-rest", ""].iter().enumerate()
    {
        let set = place(&format!("beside-{number}.json"));
        let found = json(&format!("fit {positions} --start {start} -o {set} --blend 0 {more}"));
        let written = json(&format!("weights show {set}"));
        assert_eq!(written["network"], network, "{more}");
        json(&format!("weights check {set}"));
        if number == 0 {
            first = found;
        }
    }
    // The file has the loss that the fit showed, or less, as its scale is fitted again.
    let again = format!(
        "fit {positions} --start {} -o {} --iterations 1 --blend 0 --only tempo,piece",
        place("beside-0.json"),
        place("again.json")
    );
    let told = &first["trials"][first["best"].as_u64().unwrap() as usize]["validation"];
    let start = json(&again)["start_loss"].as_f64().unwrap();
    assert!(start < told.as_f64().unwrap() + 0.001, "{told} and {start}");
}

#[test]
fn a_fitted_set_keeps_the_constants_of_its_start() {
    let (folder, positions, _) = fitted();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (start, set) = (path("start.json"), path("kept.json"));
    json(&format!("weights new start --from zhu --search null_base=2 -o {start}"));
    json(&format!("fit {positions} --start {start} -o {set} --only piece --iterations 1"));
    assert_eq!(json(&format!("weights show {set}"))["search"]["null_base"], 2);
}

#[test]
fn a_fit_of_single_weights_tells_how_sure_it_is() {
    let (folder, positions, _) = fitted();
    let set = folder.path().join("single.json").display().to_string();
    let arguments =
        format!("fit {positions} -o {set} --only piece,mobility,tempo,noise --ablate 2 --nodes 30");
    let found = document(spar(&arguments).arg("--json"));
    for weight in found["features"].as_array().unwrap() {
        assert!(
            weight["error"].as_f64().unwrap() > 0.0 && weight["loss"].as_f64().unwrap() >= 0.0,
            "{weight}"
        );
    }
    let matches = found["matches"].as_array().unwrap();
    assert!(!matches.is_empty() && matches.iter().all(|played| played["games"] == 4));
    for pair in found["correlations"].as_array().unwrap() {
        assert!(pair["correlation"].as_f64().unwrap().abs() <= 1.0);
    }
    // Again, for people; and over the file that is there.
    let output = run(&format!("{arguments} --force"));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let shown = super::support::stdout(&output);
    assert!(
        shown.contains("strongest correlations") && shown.contains("Elo over the set without it"),
        "{shown}"
    );
}

/// The other methods leave tables as they are and tune the single weights beside them.
#[test]
fn single_weights_are_polished_beside_a_table() {
    let (folder, _, set) = fitted();
    let quick = "--method spsa --board 5x5 --games 60 --batch 5 --a 1 --c 0.25 --nodes 30 --validation-pairs 16 --seed 2";
    let path = |name: &str| folder.path().join(name).display().to_string();
    let tune = |name: &str, choice: &str| {
        json(&format!("tune --start {set} {quick} {choice} --run {}", path(name)))
    };
    let made = tune("polished", "--only mobility,column_hole");
    // The set has more numbers than a document should have.
    assert_eq!(made["candidate"], serde_json::Value::Null);
    assert_eq!(made["validation"]["games"], 32);
    let before = json(&format!("weights show {set}"));
    let manifest = std::fs::read_to_string(folder.path().join("polished/manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["start"]["weights"]["weights"], before["weights"]);
    // A game has the single weights, and the fingerprints of the sets that met in the validation.
    let games = json(&format!("show {}", path("polished/games.jsonl.zst")));
    let games = games["games"].as_array().unwrap();
    assert!(games.iter().all(|game| game["weights"][0].as_array().unwrap().len() < 100));
    let last = games.last().unwrap();
    assert_ne!((&last["sets"][0], &last["players"][1]), (&last["sets"][1], &"best".into()));
    // With a table to hold the scale, the only single weight that is not zero can be tuned.
    let alone = tune("alone", "");
    assert!(alone["games"].as_u64().unwrap() >= 60);
    json(&format!("resume {}", path("alone")));
}

#[test]
fn the_game_is_that_of_the_positions() {
    let (folder, positions) = file("ataxx.pos");
    let set = folder.path().join("ataxx.json");
    text(&format!(
        "generate {} --game ataxx --board 5x5 --games 100 --nodes 20",
        positions.display()
    ));
    let fit = format!("fit {} --penalties 1 -o {}", positions.display(), set.display());
    let fitted = json(&fit);
    assert_eq!((&fitted["game"], &fitted["board"]), (&"ataxx".into(), &"5x5".into()));
    let error = refusal(spar(&format!("{fit} --force --start zhu")));
    assert!(error.contains("zhu"), "{error}");
    let error = refusal(spar(&format!("{fit} --force --game breakthrough")));
    assert!(error.contains("positions of `ataxx`, not of `breakthrough`"), "{error}");
}

#[test]
fn records_of_another_length_are_refused_for_their_length() {
    let (folder, positions, _) = fitted();
    let bytes = std::fs::read(positions).unwrap();
    let place = bytes.windows(9).position(|bytes| bytes == b"\"record\":").unwrap() + 9;
    let digits = bytes[place..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let other = [&bytes[..place], "9".repeat(digits).as_bytes(), &bytes[place + digits..]].concat();
    let path = folder.path().join("other.pos");
    std::fs::write(&path, other).unwrap();
    let error = refusal(spar(&format!("fit {} -o none.json", path.display())));
    assert!(error.contains("records of 9") && !error.contains("positions of"), "{error}");
}

#[test]
fn rows_of_another_program_are_fitted() {
    let (folder, path) = file("rows.csv");
    let mut lines = vec!["game,pawns,result,queens".to_owned()];
    for row in 0..900_u32 {
        let mixed = row.wrapping_mul(2_654_435_761) >> 8;
        let (pawns, queens) = (mixed % 7, mixed / 7 % 3);
        let is_won = mixed / 21 % 100 < 20 + 8 * pawns + 10 * queens;
        lines.push(format!("{row},{pawns}.5,{},-{queens}", if is_won { "1-0" } else { "0" }));
    }
    std::fs::write(&path, lines.join("\n")).unwrap();
    let (rows, knobs) = (path.display(), folder.path().join("knobs.json"));
    let more = format!("--group game --penalties 1 --units 100 --int -o {}", knobs.display());
    let found = json(&format!("fit --rows {rows} {more}"));
    assert_eq!(found["features"][0]["name"], "pawns");
    assert_eq!(found["rows"]["games"], 900);
    let written: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&knobs).unwrap()).unwrap();
    let start = written[1]["start"].as_f64().unwrap();
    assert!((start - found["features"][1]["weight"].as_f64().unwrap()).abs() <= 0.5);
    assert!(refusal(spar(&format!("fit --rows {rows} {more}"))).contains("exists already"));
    let bad = |from: &str, to: &str, arguments: &str| {
        std::fs::write(&path, lines.join("\n").replacen(from, to, 1)).unwrap();
        refusal(spar(&format!("fit --rows {rows} {arguments} --force {more}")))
    };
    assert!(bad("\n1,", "\n1,x", "").contains("line 3, column `pawns`"));
    assert!(bad("queens", "pawns", "").contains("twice"));
    assert!(bad("queens", "", "").contains("column 4 ``"));
    std::fs::write(&path, lines.join("\n")).unwrap();
    let small = format!("fit --rows {rows} --force {}", more.replace("--units 100", ""));
    let said = stderr(&spar(&small).output().unwrap());
    assert!(
        said.contains("of 2 weights, such as `pawns`") && said.contains("larger --units"),
        "{said}"
    );
    assert!(bad("result", "outcome", "").contains("--result"));
    assert!(bad("\n5,", "\n5,1,", "").contains("line 7"));
    let apart = bad("\n5,", "\n1,", "");
    assert!(apart.contains("line 7, column `game`") && apart.contains("between its rows"));
    assert!(bad("game", "game", "--only kings").contains("kings"));
}

#[test]
fn rows_that_leave_weights_open_are_noted() {
    let (folder, path) = file("open.csv");
    let mut lines = vec!["game,a,rare,zero,again,result".to_owned()];
    for row in 0..1_200_u32 {
        let (game, mixed) = (row / 4, row.wrapping_mul(2_654_435_761) >> 8);
        let rare = u32::from((50..60).contains(&game) && game % 10 == 7);
        let (a, is_won) = (mixed % 7, game.wrapping_mul(2_654_435_761) >> 30 & 1);
        lines.push(format!("{game},{a},{rare},0,{a},{is_won}"));
    }
    std::fs::write(&path, lines.join("\n")).unwrap();
    let knobs = folder.path().join("knobs.json");
    let fit = format!("fit --rows {} --penalties 1 --force -o {}", path.display(), knobs.display());
    let (said, found) = (
        stderr(&spar(&format!("{fit} --group game")).output().unwrap()),
        json(&format!("{fit} --group game")),
    );
    for note in [
        "of `a`, `again` only a combination is known",
        "nothing to fit for `zero`",
        "no error for `rare`",
        "--validation-folds 1 withholds fewer",
    ] {
        assert!(said.contains(note), "{note}: {said}");
    }
    assert_eq!(found["dependent"], serde_json::json!([["a", "again"]]));
    assert!(found["features"].as_array().unwrap().iter().all(|one| one["error"].is_null()));
    let written = std::fs::read_to_string(&knobs).unwrap();
    assert!(written.contains("\"again\"") && !written.contains("zero"), "{written}");
    assert!(!said.contains("add --group"), "{said}");
    let said = stderr(&spar(&fit).output().unwrap());
    assert!(said.contains("column `game` is fitted") && said.contains("--group game"), "{said}");
    let drawn = lines.iter().skip(1).map(|line| format!("{}0.5", &line[..line.len() - 1]));
    let drawn: Vec<String> = [lines[0].clone()].into_iter().chain(drawn).collect();
    std::fs::write(&path, drawn.join("\n")).unwrap();
    assert!(refusal(spar(&fit)).contains("all rows are of drawn games"));
}

/// The sums of a fit are as long as the weights, 200 MB of them on 6x6.
#[cfg(target_os = "linux")]
#[test]
fn too_few_positions_are_refused_before_the_memory_of_a_fit_is_taken() {
    let (folder, path) = file("few.pos");
    let positions = path.display().to_string();
    json(&format!("generate {positions} --board 6x6 --games 3 --nodes 20"));
    let set = folder.path().join("set.json").display().to_string();
    let program = assert_cmd::cargo::cargo_bin!("spar").display().to_string();
    let script = format!("ulimit -d 150000; exec {program} fit {positions} -o {set} --threads 1");
    let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("few.pos, positions: only"), "{said}");
}
