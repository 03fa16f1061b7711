//! Files of all formats, and what is wrong with them.

use super::factory::STATE_KEY;
use super::*;
use crate::arena::seed::{generator, uniform};

fn one(text: &str) -> KnobLine {
    parse(text, "knobs").unwrap().remove(0)
}

#[test]
fn lists_from_issues_and_notes_are_read() {
    let text = "```\n# Core search\nMaxCheckPly, int, 8.0, 4.0, 10.0, 1.0, 0.002\n\n// LMR\n\
                LmrThreshold, 117, 0, 512, 85.33333333333333, 0.002\n```\n";
    let knobs = parse(text, "knobs").unwrap();
    let told: Vec<_> = knobs.iter().map(|knob| (&*knob.name, knob.kind, knob.start)).collect();
    let wanted = [("MaxCheckPly", KnobKind::Int, 8.0), ("LmrThreshold", KnobKind::Int, 117.0)];
    assert_eq!(told, wanted);
}

#[test]
fn a_comment_may_follow_the_last_number() {
    for comment in ["# x", "// a, b", "; 1, 2, 3", "\t# y # z"] {
        assert_eq!(one(&format!("a b, int, 8, 4, 10, 1, 0.002 {comment}\r\n")).gain, Some(0.002));
        assert_eq!(one(&format!("C # 2,8,4,10,1,0.002 {comment}")).name, "C # 2");
    }
}

#[test]
fn a_scale_a_sign_and_a_gain_that_mean_nothing_are_refused() {
    let own =
        |more: &str| format!(r#"[{{"name":"a","kind":"int","start":1,"min":0,"max":9,{more}}}]"#);
    let lines = |gain: &str| format!("a,1,0,9,1,{gain}");
    for (text, reason) in [
        (own(r#""scale":0"#), "knob `a`: the scale is 0"),
        (own(r#""sign":0"#), "knob `a`: the sign is neither 1 nor -1"),
        (own(r#""step":5,"range":9"#), "knob `a`: there are a step and a range"),
        (own(r#""sign":-5"#), "knob `a`: the sign is neither 1 nor -1"),
        (own(r#""sign":-128"#), "knob `a`: the sign is neither 1 nor -1"),
        (lines("0"), "knob `a`: the gain 0 is not above 0"),
        (lines("-0.1"), "the gain -0.1 is not above 0"),
        (lines("20"), "the gain 20 is not above 0 and at most 1"),
    ] {
        let error = parse(&text, "knobs").unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
}

#[test]
fn the_formats_of_all_tuners_are_read() {
    let bench = one("lmr_base, float, 0.77, 0.2, 1.5, 0.05, 0.002\n");
    assert_eq!((bench.kind, bench.start, bench.bounds), (KnobKind::Float, 0.77, [0.2, 1.5]));
    assert_eq!((bench.step, bench.gain), (Some(0.05), Some(0.002)));
    let fishtest = one("# margins\nrazor,448,200,700,20,0.0020");
    assert_eq!((fishtest.kind, fishtest.bounds), (KnobKind::Int, [200.0, 700.0]));
    let factory = one(r#"{"nmp": {"value": 3, "min_value": 1, "max_value": 9, "step": 1}}"#);
    assert_eq!((factory.name.as_str(), factory.step), ("nmp", Some(1.0)));
    let own = one(
        r#"[{"name":"base","kind":"float","start":0.5,"min":0,"max":1,"option":"LMRBase","scale":100,"sign":-1}]"#,
    );
    assert_eq!(own.kind, KnobKind::Scaled(-100.0));
    assert_eq!(own.option.as_deref(), Some("LMRBase"));
}

#[test]
fn what_is_written_is_read_again() {
    let knob = |kind, option: Option<&str>, fitted| Knob {
        name: format!("{kind:?}"),
        kind,
        option: option.map(str::to_owned),
        group: option.map(str::to_lowercase),
        start: 0.5,
        fitted,
        max: 1.0,
        range: 2.0,
        ..Knob::default()
    };
    let knobs = [
        knob(KnobKind::Float, None, Some(0.75)),
        knob(KnobKind::Scaled(-100.0), Some("LMR Base"), None),
    ];
    for (line, knob) in parse(&text(&knobs, 0.1), "knobs").unwrap().iter().zip(&knobs) {
        assert_eq!((&line.name, line.kind, &line.option), (&knob.name, knob.kind, &knob.option));
        assert_eq!((line.start, line.fitted, line.step), (0.5, knob.fitted, Some(0.2)));
        assert_eq!(line.group, knob.group);
    }
}

#[test]
fn bad_lines_are_named() {
    for (text, reason) in [
        ("a, int, 1, 0, 9, 1", "`int` is not a number"),
        ("ok,1,0,9,1,1\nb, word, 1, 0, 9, 1, 1", "line 2"),
        ("a,1,0,9,1,1\na,1,0,9,1,1", "twice"),
        ("# a\n\na,10,0,9,1,1", "line 3, knob `a`: the start 10 is not within 0 to 9"),
        ("a,1,0,9,0,1", "step"),
        ("a,nan,0,9,1,1", "not a number"),
        ("", "no knobs"),
        ("[{}]", "missing field"),
        (r#"{"a": {"value": 1}}"#, "missing field"),
        ("{\"a\": {\"value\": 1,\n\"min\": 1}}", "line 2"),
        (r#"{"A": 50, "alpha": 0.602}"#, "expected a knob: {value,"),
        (
            r#"{"a": {"value": 3, "min_value": 1, "max_value": 9, "step": 1},
                "a": {"value": 4, "min_value": 1, "max_value": 9, "step": 1}}"#,
            "twice",
        ),
    ] {
        let error = parse(text, "spsa.txt").unwrap_err().to_string();
        assert!(error.starts_with("spsa.txt") && error.contains(reason), "{text}: {error}");
    }
}

#[test]
fn an_engine_may_write_other_lines_too() {
    let read =
        |lines: &[&'static str]| of_lines(lines.iter().copied(), |name| name == "razor", "engine");
    let lines = ["Engine 1.0 by A, B", "razor,448,200,700,20,0.002", "", "x, int, y"];
    assert_eq!(read(&lines).unwrap().len(), 1);
    assert_eq!(read(&["info string razor, int, 4, 2, 7, 1, 0.002"]).unwrap()[0].name, "razor");
    assert!(read(&["hello", "razor, the sharp one"]).unwrap().is_empty());
    // What describes an option is not left out for a slip.
    for line in ["razor,448,200,7OO,20,0.002", "razor, int, 4, 2, 7", "razor, 4, 9, 7, 1, 1"] {
        assert!(read(&["x,1,0,9,1,1", line]).unwrap_err().to_string().contains("razor"));
    }
}

#[test]
fn an_answer_may_be_json() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let text = "Engine 1.0\n{\n\"a\": {\n\"value\": 3, \"min_value\": 1,\n\"max_value\": 9, \"step\": 0.5\n}\n}\n";
    let read = |text| of_answer(&lines(text), |_| false, "engine").unwrap();
    assert_eq!((&*read(text)[0].name, read(text)[0].step), ("a", Some(0.5)));
    assert_eq!(read("a, int, 3, 1, 9, 1, 0.002")[0].name, "a");
}

#[test]
fn the_state_of_a_tune_has_its_latest_values() {
    let text = r#"{
        "t": 42688,
        "spsa_params": {"a": 1.0, "c": 1.0, "A": 200, "alpha": 0.601, "gamma": 0.102},
        "uci_params": [
            {"name": "depth", "value": 2.83, "min_value": 2, "max_value": 10, "step": 0.5}
        ]
    }"#;
    let knob = one(text);
    assert_eq!((knob.name.as_str(), knob.kind, knob.start), ("depth", KnobKind::Int, 2.83));
    assert_eq!((knob.bounds, knob.step), ([2.0, 10.0], Some(0.5)));
    let error = parse(&text.replace("step", "elo_per_val"), "state.json").unwrap_err();
    assert!(error.to_string().contains("elo_per_val"), "{error}");
}

#[test]
fn patterns_name_knobs_groups_and_arrays() {
    let named = |name: &str, pattern| one(&format!("{name},1,0,9,1,1")).is_named(pattern);
    assert!(named("LMR_base", "LMR_*") && named("LMR[3][1]", "LMR") && named("x_3", "x"));
    assert!(named("abc", "a?c") && !named("abc", "a?") && !named("LMR_base", "LMR"));
    assert!(fits("*a*b", "xaxb") && !fits("*a*b", "xaxbx") && fits("", "") && !fits("", "a"));
}

#[test]
fn no_text_makes_the_reader_panic() {
    let mut random = generator(5, &[]);
    let parts = [
        STATE_KEY, "a", ",", "int", "float", "1", "-", "1e999", "{", "[", "\"", ":", "\n", "0.5",
        " ",
    ];
    for _ in 0..100_000 {
        let count = (uniform(&mut random) * 20.0) as usize;
        let pick = |_| parts[(uniform(&mut random) * parts.len() as f64) as usize];
        let text: String = (0..count).map(pick).collect();
        let _ = parse(&text, "fuzz");
    }
}
