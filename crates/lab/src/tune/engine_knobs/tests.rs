//! Tests of an engine's knobs.

use super::*;
use crate::tune::knob_file::parse;

fn offered() -> Vec<EngineOption> {
    [
        "name Hash type spin default 16 min 1 max 64",
        "name OwnBook type check default true",
        "name Aspiration type spin default 20 min 1 max 50",
        "name LMR_3 type spin default 5 min 0 max 9",
        "name LMRBase type string default 0.75",
    ]
    .iter()
    .filter_map(|line| EngineOption::parse(line))
    .collect()
}

fn knobs(text: &str, selection: &Selection) -> Result<Vec<Knob>> {
    selection.options(parse(text, "knobs").unwrap(), &offered(), 0.2)
}

#[test]
fn bounds_are_cut_to_those_of_the_option() {
    let knobs = knobs("aspiration,20,0,99,2,0.002", &Selection::default()).unwrap();
    assert_eq!((knobs[0].min, knobs[0].max, knobs[0].range), (1.0, 50.0, 10.0));
    assert_eq!((knobs[0].name.as_str(), knobs[0].option()), ("aspiration", "Aspiration"));
    assert!((knobs[0].step(0.2) - 2.0).abs() < 1e-12);
}

#[test]
fn what_does_not_fit_the_engine_is_refused() {
    for (text, reason) in [
        (
            "Asp,20,0,99,2,1",
            "knobs, line 1, knob `Asp`, option `Asp`: the engine does not offer it",
        ),
        (
            r#"{"Asp": {"value": 2, "min_value": 1, "max_value": 3, "step": 1}}"#,
            "knobs, knob `Asp`",
        ),
        ("Aspiration, float, 20, 0, 99, 2, 1", "whole numbers only"),
        ("LMRBase, int, 1, 0, 2, 0.1, 1", "a float"),
        ("Aspiration,int,2.75,2.5,9,0.05,1", "a float"),
        ("OwnBook,1,0,1,1,1", "takes no numbers"),
        ("Aspiration,20,20,20,2,1", "one value only, 20"),
        ("Aspiration,50,50,99,2,1", "one value only, 50"),
        (
            r#"[{"name":"Aspiration","kind":"float","start":1e4,"min":1e4,"max":1.04e4,"scale":0.001}]"#,
            "one value only, 10",
        ),
        ("Aspiration,60,0,99,2,1", "outside 1 to 50"),
        ("aspiration,20,0,99,2,1\nAspiration,20,0,99,2,1", "sets the option"),
    ] {
        let error = knobs(text, &Selection::default()).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
    let only = Selection { only: vec!["Zzz*".into()], ..Selection::default() };
    assert!(knobs("Aspiration,20,0,99,2,1", &only).unwrap_err().to_string().contains("Zzz*"));
}

#[test]
fn an_option_that_is_offered_twice_is_one_knob() {
    let twice = [offered(), offered()].concat();
    let knobs = Selection::default().options(of_options(&twice, |_| ()), &twice, 0.2).unwrap();
    let names: Vec<&str> = knobs.iter().map(|knob| knob.name.as_str()).collect();
    assert_eq!(names, ["Aspiration", "LMR_3"]);
}

#[test]
fn contradictions_are_named() {
    for (line, words) in [
        ("name A type spin default 5 min 9 max 1", Some("min is 9 and its max 1")),
        ("name A type spin default 50 min 1 max 9", Some("50 is not from 1 to 9")),
        ("name A type spin default x min 1 max 9", Some("`x` is not a whole number")),
        ("name A type spin min 1 max 9", Some("no default")),
        ("name A type spin default 5 min 1 max 9", None),
        ("name A type spin default 1 min 1 max 1", Some("min is 1 and its max 1")),
        ("name Gr\u{fffd}\u{fffd}e type spin default 7 min 1 max 9", Some("not UTF-8")),
        ("name Hash type spin default 1 min 1 max 1", None),
        ("name Hash type spin default 0 min 1 max 9", None),
        ("name A type string default 0", None),
    ] {
        let offered: Vec<EngineOption> = EngineOption::parse(line).into_iter().collect();
        let mut told = Vec::new();
        let knobs = of_options(&offered, |note| told.push(note));
        assert_eq!(told.len(), usize::from(words.is_some()), "{line}: {told:?}");
        assert!(words.is_none_or(|words| told[0].contains(words)), "{line}: {told:?}");
        assert_eq!(knobs.len(), usize::from(line.contains("default 5 min 1")), "{line}");
    }
}

#[test]
fn a_text_takes_a_float_where_the_format_does_not_say() {
    let kind = |text: &str| knobs(text, &Selection::default()).unwrap()[0].kind;
    let factory = |name: &str, value: &str, step: &str| {
        format!(
            r#"{{"{name}": {{"value": {value}, "min_value": 0, "max_value": 9, "step": {step}}}}}"#
        )
    };
    let state = |value: &str, step: &str| {
        format!(
            r#"{{"t": 1, "spsa_params": {{}}, "uci_params": [{{"name": "LMRBase", "value": {value}, "min_value": 0, "max_value": 9, "step": {step}}}]}}"#
        )
    };
    for (text, wanted) in [
        ("LMRBase,1,0,2,0.1,1".to_owned(), KnobKind::Float),
        ("LMRBase,1,0,2,1,1".to_owned(), KnobKind::Int),
        ("Aspiration,20,1,50,0.4,1".to_owned(), KnobKind::Int),
        (factory("LMRBase", "0.75", "0.1"), KnobKind::Float),
        (factory("LMRBase", "0.75", "1"), KnobKind::Float),
        (factory("LMRBase", "1", "0.1"), KnobKind::Float),
        (factory("LMRBase", "1", "1"), KnobKind::Int),
        (factory("LMR_3", "2.5", "1"), KnobKind::Int),
        (state("2.83", "1"), KnobKind::Int),
        (state("2.83", "0.1"), KnobKind::Float),
    ] {
        assert_eq!(kind(&text), wanted, "{text}");
    }
}

#[test]
fn patterns_choose_knobs() {
    let text = "Aspiration,20,0,99,2,1\nLMR_3,5,0,9,1,1\nLMRBase,0.75,0,2,0.1,1";
    let names = |selection: Selection| -> Vec<String> {
        knobs(text, &selection).unwrap().into_iter().map(|knob| knob.name).collect()
    };
    let only = |pattern: &str| Selection { only: vec![pattern.into()], ..Selection::default() };
    assert_eq!(names(only("LMR*")), ["LMR_3", "LMRBase"]);
    assert_eq!(names(only("LMR")), ["LMR_3"]);
    let freeze = Selection { freeze: vec!["LMR*".into()], ..Selection::default() };
    assert_eq!(names(freeze), ["Aspiration"]);
}

#[test]
fn options_that_are_no_part_of_the_play_are_no_knobs() {
    let names: Vec<String> =
        of_options(&offered(), |_| ()).into_iter().map(|line| line.name).collect();
    assert_eq!(names, ["Aspiration", "LMR_3"]);
    // As Ethereal, Toga II and others write them.
    for line in [
        "name MoveOverhead type spin default 100 min 0 max 10000",
        "name move_overhead type spin default 10 min 0 max 5000",
        "name Number of Threads type spin default 1 min 1 max 16",
        "name Search Depth type spin default 0 min 0 max 20",
        "name Search Time type spin default 0 min 0 max 3600",
        "name Bitbases Cache Size type spin default 16 min 16 max 1024",
        "name SyzygyProbeDepth type spin default 1 min 1 max 100",
        "name TimeBuffer type spin default 10 min 0 max 1000",
        "name Debug Log File Level type spin default 0 min 0 max 5",
    ] {
        assert!(of_option(&EngineOption::parse(line).unwrap()).is_none(), "{line}");
    }
    let logarithm = "name LMR_LogBase type spin default 77 min 0 max 200";
    assert!(of_option(&EngineOption::parse(logarithm).unwrap()).is_some());
    let given = [("hash".to_owned(), "4".to_owned())];
    let usual = usual_options(&offered(), &given);
    assert_eq!(usual, [("OwnBook".to_owned(), "false".to_owned())]);
}

#[test]
fn names_with_commas_are_typed_as_patterns() {
    let names = ["Rook value bonus", "A, B", "it's", "value"];
    let lines: Vec<KnobLine> =
        names.map(|name| KnobLine::new(name.into(), KnobKind::Int, 1.0, [0.0, 9.0])).into();
    let offered: Vec<EngineOption> = names
        .iter()
        .filter_map(|name| {
            EngineOption::parse(&format!("name {name} type spin default 1 min 0 max 9"))
        })
        .collect();
    let chosen = |only: Vec<String>| {
        let selection = Selection { only, ..Selection::default() };
        selection.options(lines.clone(), &offered, 0.2)
    };
    let typed =
        Selection { only: names[..3].iter().map(|&n| n.into()).collect(), ..Selection::default() };
    let words = shlex::split(&typed.typed().join(" ")).unwrap();
    assert_eq!(words, ["--only", "Rook value bonus,A? B,it's"]);
    // As the command line splits it.
    let found = chosen(words[1].split(',').map(str::to_owned).collect()).unwrap();
    assert_eq!(found.iter().map(|knob| knob.name.as_str()).collect::<Vec<_>>(), names[..3]);
    let error = chosen("A, B".split(',').map(str::to_owned).collect()).unwrap_err().to_string();
    assert!(error.contains("knob `A`: unknown") && error.contains("`A? B`"), "{error}");
}
