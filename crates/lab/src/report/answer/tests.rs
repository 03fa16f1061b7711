//! The formats of an answer.

use super::*;

fn answer(knobs: &[(&str, KnobKind, f64)]) -> EngineAnswer {
    let rows = knobs.iter().map(|&(name, kind, tuned)| {
        let knob = Knob { name: name.into(), kind, max: 9.0, range: 6.0, ..Knob::default() };
        let row = WeightRow {
            name: name.into(),
            start: 1.0,
            tuned,
            error: Some(0.5),
            change_in_pieces: None,
            range: 6.0,
            step: 1.0,
            min: 0.0,
            max: 9.0,
            late_steps: 0.0,
            at_bound: false,
        };
        (knob, row)
    });
    EngineAnswer {
        engine: serde_json::from_str(r#"{"command":"x","margin_ms":1,"timeout_seconds":1}"#)
            .unwrap(),
        replaced: Vec::new(),
        limits: Limits::nodes(5),
        rules: GameRules::Known,
        knobs: BTreeMap::new(),
        accepted: true,
        validation: Summary::of(&crate::stats::PairCounts::default(), None),
        longer: None,
        probe: None,
        forfeits: 0,
        void: 0,
        rows: rows.collect(),
        gain: 0.002,
        c: 0.5,
    }
}

#[test]
fn every_format_can_be_pasted() {
    let answer = answer(&[("a", KnobKind::Int, 4.0), ("b c", KnobKind::Float, 0.25)]);
    let text = |format| answer.text(format);
    assert_eq!(
        text(AnswerFormat::Setoption),
        "setoption name a value 4\nsetoption name b c value 0.25\n"
    );
    assert_eq!(
        text(AnswerFormat::Openbench),
        "a, int, 4, 0, 9, 3, 0.002\nb c, float, 0.25, 0, 9, 3, 0.002\n"
    );
    assert_eq!(text(AnswerFormat::Fishtest), "a,4,0,9,3,0.002\nb c,0.25,0,9,3,0.002\n");
    assert_eq!(text(AnswerFormat::C), "int a = 4;\ndouble b_c = 0.25;\n");
    assert_eq!(text(AnswerFormat::Rust), "pub const A: i32 = 4;\npub const B_C: f64 = 0.25;\n");
    assert!(text(AnswerFormat::Csv).ends_with("a,1,4,0.5,0,9\nb c,1,0.25,0.5,0,9\n"));
    for format in [AnswerFormat::Openbench, AnswerFormat::Fishtest, AnswerFormat::WeatherFactory] {
        let again = crate::tune::knob_file::parse(&text(format), "answer").unwrap();
        assert_eq!(again.iter().map(|knob| knob.start).collect::<Vec<_>>(), [4.0, 0.25]);
        assert!(again[1].kind == KnobKind::Float || again[1].may_be_float);
    }
}

#[test]
fn what_another_tuner_would_do_wrong_is_told() {
    let caution = |answer: &EngineAnswer, format| answer.caution(format).unwrap_or_default();
    let float = answer(&[("a", KnobKind::Int, 4.0), ("b c", KnobKind::Float, 0.25)]);
    for format in [AnswerFormat::Fishtest, AnswerFormat::WeatherFactory] {
        assert!(caution(&float, format).ends_with("`b c` is a float"));
    }
    assert_eq!(caution(&float, AnswerFormat::Openbench), "");
    let comma = answer(&[("a, b", KnobKind::Int, 4.0)]);
    assert!(caution(&comma, AnswerFormat::Openbench).contains("`a, b`"));
    assert_eq!(caution(&comma, AnswerFormat::WeatherFactory), "");
}

#[test]
fn arrays_keep_their_shape() {
    let knob = |name, tuned| (name, KnobKind::Int, tuned);
    let whole = answer(&[
        knob("m[0][1]", 2.0),
        knob("m[0][0]", 1.0),
        knob("m[1][0]", 3.0),
        knob("m[1][1]", 4.0),
    ]);
    assert_eq!(whole.text(AnswerFormat::C), "int m[2][2] = {{1, 2}, {3, 4}};\n");
    assert_eq!(whole.text(AnswerFormat::Rust), "pub const M: [[i32; 2]; 2] = [[1, 2], [3, 4]];\n");
    let part = answer(&[knob("m[0]", 1.0), knob("m[2]", 3.0)]);
    assert_eq!(part.text(AnswerFormat::C), "int m_0 = 1;\nint m_2 = 3;\n");
    let huge = answer(&[knob("m[4294967295][4294967295]", 1.0), knob("m[0][0]", 3.0)]);
    assert_eq!(huge.text(AnswerFormat::C).lines().count(), 2);
}

#[test]
fn other_tuners_get_the_option_in_its_own_units() {
    let mut answer = answer(&[("reversed", KnobKind::Scaled(-100.0), 0.29)]);
    answer.gain = 29.3;
    answer.rows[0].0.option = Some("Base".into());
    assert_eq!(answer.text(AnswerFormat::Fishtest), "Base,-29,-900,0,300,1\n");
    assert_eq!(answer.text(AnswerFormat::Setoption), "setoption name Base value -29\n");
    for format in [AnswerFormat::Openbench, AnswerFormat::Fishtest, AnswerFormat::WeatherFactory] {
        let again = &crate::tune::knob_file::parse(&answer.text(format), "answer").unwrap()[0];
        assert_eq!((again.name.as_str(), again.kind), ("Base", KnobKind::Int));
        assert_eq!((again.start, again.bounds, again.step), (-29.0, [-900.0, 0.0], Some(300.0)));
    }
}
