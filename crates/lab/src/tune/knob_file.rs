//! Descriptions of knobs in the formats that engine authors have: OpenBench's and fishtest's lines,
//! weather-factory's JSON, and our own.

use crate::error::{Error, Result, shorten};
use crate::files::without_byte_order_mark;
use crate::tune::{Knob, KnobKind};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The most knobs of a file.
const MOST_KNOBS: usize = 10_000;

/// Beginnings of lines that are no knobs: comments, and the fences of Markdown.
const COMMENTS: [&str; 4] = ["#", "//", ";", "```"];

/// A knob as a file describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct KnobLine {
    /// The name of the option.
    pub name: String,
    /// Which values it takes.
    pub kind: KnobKind,
    /// The option that it sets, where this has another name.
    pub option: Option<String>,
    /// The group that it belongs to.
    pub group: Option<String>,
    /// The value that the tune starts from.
    pub start: f64,
    /// The value that the matches begin with, where a fit has found one.
    pub fitted: Option<f64>,
    /// The least and the greatest value allowed.
    pub bounds: [f64; 2],
    /// Half the distance between the two sides of a pair.
    pub step: Option<f64>,
    /// The range that the step is a share of, where the step is not given.
    pub range: Option<f64>,
    /// How far a game moves the value, as a share of the step.
    pub gain: Option<f64>,
}

/// A knob in our own format.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OwnKnob {
    name: String,
    kind: OwnKind,
    start: f64,
    fitted: Option<f64>,
    min: f64,
    max: f64,
    step: Option<f64>,
    range: Option<f64>,
    option: Option<String>,
    scale: Option<f64>,
    sign: Option<i8>,
    group: Option<String>,
}

#[derive(Clone, Copy, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum OwnKind {
    Int,
    Float,
}

/// A knob in weather-factory's format.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FactoryKnob {
    value: f64,
    min_value: f64,
    max_value: f64,
    step: f64,
}

/// Reads a file of knobs, whose format is recognised; `place` names the file.
///
/// # Errors
/// When a line or an entry is in none of the formats, a number is not finite, a name is there
/// twice, or there is no knob.
pub fn parse(text: &str, place: &str) -> Result<Vec<KnobLine>> {
    let text = without_byte_order_mark(text);
    let bad_json = |error: serde_json::Error| {
        Error::input(place, format!("not a file of knobs: {error}"))
            .remedy("`spar tune --help` names the formats")
    };
    let knobs = match text.trim_start().chars().next() {
        Some('[') => {
            let own: Vec<OwnKnob> = serde_json::from_str(text).map_err(bad_json)?;
            own.into_iter().map(OwnKnob::line).collect()
        }
        Some('{') => {
            let knobs: BTreeMap<String, serde_json::Value> =
                serde_json::from_str::<serde_json::Map<_, _>>(text)
                    .map_err(bad_json)?
                    .into_iter()
                    .collect();
            let read = |(name, value)| Ok(factory(name, serde_json::from_value(value)?));
            knobs.into_iter().map(read).collect::<serde_json::Result<_>>().map_err(bad_json)?
        }
        _ => lines(text, place)?,
    };
    check(knobs, place)
}

/// A file of knobs in our own format; `c` is a step as a share of a knob's range.
pub fn text(knobs: &[Knob], c: f64) -> String {
    let knob = |knob: &Knob| {
        let kind = if knob.kind == KnobKind::Int { "int" } else { "float" };
        let mut entry = serde_json::json!({
            "name": knob.name, "kind": kind, "start": knob.start, "min": knob.min,
            "max": knob.max, "step": knob.step(c),
        });
        if let KnobKind::Scaled(factor) = knob.kind {
            entry["scale"] = factor.into();
        }
        if let Some(fitted) = knob.fitted {
            entry["fitted"] = fitted.into();
        }
        if let Some(option) = &knob.option {
            entry["option"] = option.as_str().into();
        }
        entry
    };
    let knobs: serde_json::Value = knobs.iter().map(knob).collect();
    format!("{knobs:#}\n")
}

/// The knobs among the lines that an engine writes, in OpenBench's or fishtest's format. Lines that
/// are in neither are left out.
///
/// # Errors
/// When a name is there twice.
pub fn of_engine<'a>(lines: impl Iterator<Item = &'a str>, place: &str) -> Result<Vec<KnobLine>> {
    let knobs: Vec<KnobLine> = lines.filter_map(|line| fields(line).ok()).collect();
    if knobs.is_empty() {
        return Ok(knobs);
    }
    check(knobs, place)
}

fn lines(text: &str, place: &str) -> Result<Vec<KnobLine>> {
    let lines = text.lines().enumerate().map(|(number, line)| (number + 1, line.trim()));
    let is_knob =
        |line: &str| !line.is_empty() && !COMMENTS.iter().any(|comment| line.starts_with(comment));
    let lines = lines.filter(|(_, line)| is_knob(line));
    let read = |(number, line): (usize, &str)| {
        fields(line).map_err(|reason| {
            Error::input(format!("{place}, line {number}: `{}`", shorten(line)), reason).remedy(
                "write NAME, int, VALUE, MIN, MAX, STEP, GAIN as for OpenBench, or the same without the kind as for fishtest",
            )
        })
    };
    lines.map(read).collect()
}

/// Reads a line of 7 fields (OpenBench) or 6 (fishtest).
fn fields(line: &str) -> std::result::Result<KnobLine, String> {
    let fields: Vec<&str> = line.split(',').map(str::trim).collect();
    let (name, kind, numbers) = match fields[..] {
        [name, kind, ref numbers @ ..] if fields.len() == 7 => match kind {
            "int" => (name, Some(KnobKind::Int), numbers),
            "float" => (name, Some(KnobKind::Float), numbers),
            _ => return Err(format!("`{}` is neither int nor float", shorten(kind))),
        },
        [name, ref numbers @ ..] if fields.len() == 6 => (name, None, numbers),
        _ => return Err(format!("{} fields, not 7 or 6", fields.len())),
    };
    let number = |text: &&str| {
        let value = text.parse::<f64>().ok().filter(|value| value.is_finite());
        value.ok_or_else(|| format!("`{}` is not a number", shorten(text)))
    };
    let numbers = numbers.iter().map(number).collect::<std::result::Result<Vec<f64>, _>>()?;
    let [start, min, max, step, gain] = numbers[..] else { return Err("too few numbers".into()) };
    let is_whole = [start, min, max].iter().all(|value| value.fract() == 0.0);
    Ok(KnobLine {
        name: name.to_owned(),
        kind: kind.unwrap_or(if is_whole { KnobKind::Int } else { KnobKind::Float }),
        option: None,
        group: None,
        start,
        fitted: None,
        bounds: [min, max],
        step: Some(step),
        range: None,
        gain: Some(gain),
    })
}

fn factory(name: String, knob: FactoryKnob) -> KnobLine {
    KnobLine {
        name,
        kind: KnobKind::Int,
        option: None,
        group: None,
        start: knob.value,
        fitted: None,
        bounds: [knob.min_value, knob.max_value],
        step: Some(knob.step),
        range: None,
        gain: None,
    }
}

impl OwnKnob {
    fn line(self) -> KnobLine {
        let factor = self.scale.unwrap_or(1.0) * f64::from(self.sign.unwrap_or(1).signum());
        let kind = match self.kind {
            _ if self.scale.is_some() || self.sign.is_some() => KnobKind::Scaled(factor),
            OwnKind::Int => KnobKind::Int,
            OwnKind::Float => KnobKind::Float,
        };
        KnobLine {
            name: self.name,
            kind,
            option: self.option,
            group: self.group,
            start: self.start,
            fitted: self.fitted,
            bounds: [self.min, self.max],
            step: self.step,
            range: self.range,
            gain: None,
        }
    }
}

fn check(knobs: Vec<KnobLine>, place: &str) -> Result<Vec<KnobLine>> {
    if knobs.is_empty() {
        return Err(Error::input(place, "no knobs in it").remedy("describe at least one"));
    }
    if knobs.len() > MOST_KNOBS {
        return Err(Error::input(place, format!("{} knobs are too many", knobs.len()))
            .remedy(format!("describe at most {MOST_KNOBS}")));
    }
    let mut names: Vec<&str> = knobs.iter().map(|knob| knob.name.as_str()).collect();
    names.sort_unstable();
    if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(Error::input(place, format!("knob `{}` is there twice", shorten(twice[0])))
            .remedy("leave one of them out"));
    }
    let is_name = |name: &str| !name.is_empty() && !name.contains(char::is_control);
    for KnobLine { name, start, fitted, bounds: [min, max], step, range, .. } in &knobs {
        let place = || format!("{place}, knob `{}`", shorten(name));
        if !is_name(name) {
            return Err(Error::input(place(), "not a name").remedy("write a line of text"));
        }
        if min > max || !(min..=max).contains(&start) {
            let reason = format!("the start {start} is not within {min} to {max}");
            return Err(Error::input(place(), reason).remedy("change the start or the bounds"));
        }
        if let Some(fitted) = fitted.filter(|fitted| !(min..=max).contains(&fitted)) {
            let reason = format!("the fitted value {fitted} is not within {min} to {max}");
            return Err(Error::input(place(), reason).remedy("change it or the bounds"));
        }
        if step.iter().chain(range).any(|number| !(*number > 0.0 && number.is_finite())) {
            return Err(Error::input(place(), "the step is not above 0").remedy("give one that is"));
        }
    }
    Ok(knobs)
}

/// Whether a text fits a pattern in which `*` stands for any text and `?` for any character.
pub fn fits(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), text.chars().collect());
    let (mut at, mut from, mut star) = (0, 0, None);
    while from < text.len() {
        if at < pattern.len() && pattern[at] == '*' {
            star = Some((at, from));
            at += 1;
        } else if at < pattern.len() && (pattern[at] == '?' || pattern[at] == text[from]) {
            at += 1;
            from += 1;
        } else if let Some((place, taken)) = star {
            star = Some((place, taken + 1));
            (at, from) = (place + 1, taken + 1);
        } else {
            return false;
        }
    }
    pattern[at..].iter().all(|&c| c == '*')
}

impl KnobLine {
    /// Whether a pattern names it: its name, its group, or the array that it is an element of
    /// (`x` of `x[3][1]` and `x_3`).
    pub fn is_named(&self, pattern: &str) -> bool {
        let base = self.name.split('[').next().unwrap_or_default();
        let array = base.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
        [Some(self.name.as_str()), self.group.as_deref(), Some(base), Some(array)]
            .into_iter()
            .flatten()
            .any(|name| fits(pattern, name))
    }
}

#[cfg(test)]
mod tests {
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
            assert_eq!(
                (&line.name, line.kind, &line.option),
                (&knob.name, knob.kind, &knob.option)
            );
            assert_eq!((line.start, line.fitted, line.step), (0.5, knob.fitted, Some(0.2)));
        }
    }

    #[test]
    fn bad_lines_are_named() {
        for (text, reason) in [
            ("a, int, 1, 0, 9, 1", "`int` is not a number"),
            ("ok,1,0,9,1,1\nb, word, 1, 0, 9, 1, 1", "line 2"),
            ("a,1,0,9,1,1\na,1,0,9,1,1", "twice"),
            ("a,10,0,9,1,1", "not within 0 to 9"),
            ("a,1,0,9,0,1", "step"),
            ("a,nan,0,9,1,1", "not a number"),
            ("", "no knobs"),
            ("[{}]", "missing field"),
            (r#"{"a": {"value": 1}}"#, "missing field"),
        ] {
            let error = parse(text, "spsa.txt").unwrap_err().to_string();
            assert!(error.starts_with("spsa.txt") && error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn an_engine_may_write_other_lines_too() {
        let lines = ["Engine 1.0 by A, B", "razor,448,200,700,20,0.002", "", "x, int, y"];
        assert_eq!(of_engine(lines.into_iter(), "engine").unwrap().len(), 1);
        assert!(of_engine(["hello"].into_iter(), "engine").unwrap().is_empty());
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
        let parts =
            ["a", ",", "int", "float", "1", "-", "1e999", "{", "[", "\"", ":", "\n", "0.5", " "];
        for _ in 0..100_000 {
            let count = (uniform(&mut random) * 20.0) as usize;
            let pick = |_| parts[(uniform(&mut random) * parts.len() as f64) as usize];
            let text: String = (0..count).map(pick).collect();
            let _ = parse(&text, "fuzz");
        }
    }
}
