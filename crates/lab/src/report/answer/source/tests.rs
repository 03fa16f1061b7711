//! Names and values of constants.

use super::*;

fn answers(knobs: &[(&str, KnobKind, f64)]) -> Vec<(Knob, WeightRow)> {
    let row = |&(name, kind, tuned): &(&str, KnobKind, f64)| {
        let knob = Knob { name: name.into(), kind, min: -9.0, max: 9.0, ..Knob::default() };
        let row = WeightRow {
            name: name.into(),
            start: 1.0,
            tuned,
            error: None,
            change_in_pieces: None,
            range: 6.0,
            step: 1.0,
            min: -9.0,
            max: 9.0,
            late_steps: 0.0,
            at_bound: false,
        };
        (knob, row)
    };
    knobs.iter().map(row).collect()
}

#[test]
fn options_become_names_of_constants() {
    for (option, name) in [
        ("LMR_BASE_", "LMR_BASE_"),
        ("Mobility (Middle Game)", "Mobility_Middle_Game"),
        ("x.y", "x_y"),
        ("7th Rank", "_7th_Rank"),
        ("x²", "x"),
    ] {
        assert_eq!(identifier(option), name);
    }
}

#[test]
fn no_two_constants_have_one_name_or_a_word_of_the_language() {
    let named = |names: &[&str]| {
        [AnswerFormat::C, AnswerFormat::Rust].map(|format| identifiers(names, format))
    };
    let options = ["a (b)", "a_b", "double", "!", "大", "_", "A_B"];
    let [c, rust] = named(&options);
    assert_eq!(c, ["a_b_2", "a_b", "double_2", "knob_2", "knob_3", "knob", "A_B"]);
    assert_eq!(rust, ["A_B_3", "A_B", "DOUBLE", "KNOB_2", "KNOB_3", "KNOB", "A_B_2"]);
    // A comment says what the name alone does not.
    let text = text(&answers(&options.map(|name| (name, KnobKind::Int, 1.0))), AnswerFormat::C);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "int a_b_2 = 1; // \"a (b)\"");
    assert_eq!(lines[1], "int a_b = 1;");
    assert_eq!(lines[2], "int double_2 = 1; // \"double\"");
    assert_eq!(lines[4], "int knob_3 = 1; // \"大\"");
}

#[test]
fn an_array_and_an_option_of_its_name_are_told_apart() {
    let knob = |name| (name, KnobKind::Int, 4.0);
    let of = |names: &[&'static str]| {
        text(&answers(&names.iter().map(|&name| knob(name)).collect::<Vec<_>>()), AnswerFormat::C)
    };
    assert_eq!(of(&["x[0]", "x"]), "int x[1] = {4};\nint x_2 = 4; // \"x\"\n");
    assert_eq!(of(&["y[0]", "y[2]", "y_0"]).lines().next(), Some("int y_0_2 = 4; // \"y[0]\""));
    // Not an array of three.
    assert_eq!(of(&["w[00]", "w[0]", "w[2]"]).lines().count(), 3);
    let far = format!("z[{0}][{0}][{0}]", usize::MAX);
    assert_eq!(text(&answers(&[(&far, KnobKind::Int, 1.0)]), AnswerFormat::C).lines().count(), 1);
}

#[test]
fn constants_hold_their_values() {
    let knobs = [
        ("big", KnobKind::Int, 5e9),
        ("reversed", KnobKind::Scaled(-1.0), -3.0),
        ("hundredths", KnobKind::Scaled(100.0), 0.29),
        ("m[0]", KnobKind::Int, -2.0),
        ("m[1]", KnobKind::Float, 0.000_001),
    ];
    assert_eq!(
        text(&answers(&knobs), AnswerFormat::C),
        "long long big = 5000000000;\nint reversed = -3;\ndouble hundredths = 0.29;\n\
         double m[2] = {-2.0, 0.000001};\n"
    );
    assert_eq!(
        text(&answers(&knobs), AnswerFormat::Rust),
        "pub const BIG: i64 = 5000000000;\npub const REVERSED: i32 = -3;\n\
         pub const HUNDREDTHS: f64 = 0.29;\npub const M: [f64; 2] = [-2.0, 0.000001];\n"
    );
}
