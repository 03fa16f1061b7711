//! Descriptions of knobs in the formats that engine authors have: OpenBench's and fishtest's lines,
//! weather-factory's JSON, and our own.

mod factory;

use crate::error::{Error, Result, shorten};
use crate::files::without_byte_order_mark;
use crate::report::units::counted;
use crate::tune::{Knob, KnobKind};
use serde::Deserialize;

/// The most knobs of a file.
const MOST_KNOBS: usize = 10_000;

/// Beginnings of lines without a knob: comments, and the fences of Markdown.
const COMMENTS: [&str; 4] = ["#", "//", ";", "```"];

/// A knob as a file describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct KnobLine {
    /// The file that describes it, with the line if it has one for each knob.
    pub place: Option<String>,
    /// The name of the option.
    pub name: String,
    /// Which values it takes.
    pub kind: KnobKind,
    /// Whether it is a float if its option is a text: the format does not say, but its numbers are
    /// too fine for an int.
    pub may_be_float: bool,
    /// The option that it sets, if it has another name.
    pub option: Option<String>,
    /// The group that it belongs to.
    pub group: Option<String>,
    /// The value that the tune starts from.
    pub start: f64,
    /// The value with which the matches begin, if a fit has found one.
    pub fitted: Option<f64>,
    /// The least and the greatest value allowed.
    pub bounds: [f64; 2],
    /// Half the distance between the two sides of a pair.
    pub step: Option<f64>,
    /// The range of which the step is a share, if no step is given.
    pub range: Option<f64>,
    /// How far a game moves the value, as a share of the step.
    pub gain: Option<f64>,
}

/// A knob in our own format.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a knob: {name, kind, start, min, max}")]
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

/// Reads a file of knobs, whose format is recognised; `place` names the file.
///
/// # Errors
/// When a line or an entry is in none of the formats, a number is not finite, a name occurs twice,
/// or there is no knob.
pub fn parse(text: &str, place: &str) -> Result<Vec<KnobLine>> {
    let text = without_byte_order_mark(text);
    let bad_json = |error: serde_json::Error| {
        Error::input(place, format!("not a file of knobs: {error}"))
            .remedy("`spar tune --engine cmd:x --help` names the formats")
    };
    let mut knobs = match text.trim_start().chars().next() {
        Some('[') => {
            let own: Vec<OwnKnob> = serde_json::from_str(text).map_err(bad_json)?;
            own.into_iter().map(|knob| knob.line(place)).collect::<Result<_>>()?
        }
        Some('{') => factory::knobs(text).map_err(bad_json)?,
        _ => lines(text, place)?,
    };
    for knob in &mut knobs {
        knob.place.get_or_insert_with(|| place.into());
    }
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
        for (key, word) in [("option", &knob.option), ("group", &knob.group)] {
            if let Some(word) = word {
                entry[key] = word.as_str().into();
            }
        }
        entry
    };
    let knobs: serde_json::Value = knobs.iter().map(knob).collect();
    format!("{knobs:#}\n")
}

/// The knobs among the lines that an engine writes, in OpenBench's or fishtest's format. Other lines
/// are left out, unless they begin with the name of an option.
///
/// # Errors
/// When such a line is in neither format, a number does not fit, or a name occurs twice.
pub fn of_lines<'a>(
    lines: impl Iterator<Item = &'a str>,
    is_option: impl Fn(&str) -> bool,
    place: &str,
) -> Result<Vec<KnobLine>> {
    let lines = lines.map(|line| line.strip_prefix("info string ").unwrap_or(line));
    let read = |line: &'a str| match fields(line) {
        Ok(knob) => Some(Ok(knob)),
        Err(reason) => {
            let (name, rest) = line.split_once(',')?;
            let is_meant = rest.contains(',') && is_option(name.trim());
            is_meant.then(|| Err(bad_line(format!("{place}: `{}`", shorten(line)), reason)))
        }
    };
    let knobs = lines.filter_map(read).collect::<Result<Vec<KnobLine>>>()?;
    if knobs.is_empty() {
        return Ok(knobs);
    }
    check(knobs, place)
}

/// The knobs in an engine's answer to a command for them: lines, or JSON as a file has it.
///
/// # Errors
/// As [`of_lines`] and [`parse`].
pub fn of_answer(
    lines: &[String],
    is_option: impl Fn(&str) -> bool,
    place: &str,
) -> Result<Vec<KnobLine>> {
    let first = lines.iter().position(|line| line.starts_with(['{', '[']));
    let last = lines.iter().rposition(|line| line.ends_with(['}', ']']));
    match (first, last) {
        (Some(first), Some(last)) if first <= last => parse(&lines[first..=last].join("\n"), place),
        _ => of_lines(lines.iter().map(String::as_str), is_option, place),
    }
}

fn bad_line(place: String, reason: String) -> Error {
    Error::input(place, reason).remedy(
        "write NAME, int, VALUE, MIN, MAX, STEP, GAIN as for OpenBench, or the same without the kind as for fishtest",
    )
}

fn lines(text: &str, place: &str) -> Result<Vec<KnobLine>> {
    let lines = text.lines().enumerate().map(|(number, line)| (number + 1, line.trim()));
    let is_knob =
        |line: &str| !line.is_empty() && !COMMENTS.iter().any(|comment| line.starts_with(comment));
    let lines = lines.filter(|(_, line)| is_knob(line));
    let read = |(number, line): (usize, &str)| {
        let place = format!("{place}, line {number}");
        match fields(without_comment(line)) {
            Ok(knob) => Ok(KnobLine { place: Some(place), ..knob }),
            Err(reason) => Err(bad_line(format!("{place}: `{}`", shorten(line)), reason)),
        }
    };
    lines.map(read).collect()
}

/// A line without a comment after its last number.
fn without_comment(line: &str) -> &str {
    let begins = COMMENTS.iter().filter_map(|comment| {
        let (at, _) = line.match_indices(comment).find(|(at, _)| {
            let before = &line[..*at];
            matches!(before.matches(',').count(), 5 | 6) && before.ends_with(char::is_whitespace)
        })?;
        Some(at)
    });
    line[..begins.min().unwrap_or(line.len())].trim_end()
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
        _ => return Err(format!("{}, not 7 or 6", counted(fields.len() as u64, "field"))),
    };
    let number = |text: &&str| {
        let value = text.parse::<f64>().ok().filter(|value| value.is_finite());
        value.ok_or_else(|| format!("`{}` is not a number", shorten(text)))
    };
    let numbers = numbers.iter().map(number).collect::<std::result::Result<Vec<f64>, _>>()?;
    let [start, min, max, step, gain] = numbers[..] else { return Err("too few numbers".into()) };
    let is_whole = [start, min, max].iter().all(|value| value.fract() == 0.0);
    Ok(KnobLine {
        step: Some(step),
        gain: Some(gain),
        may_be_float: kind.is_none() && is_fine(&[start, min, max], step),
        ..KnobLine::new(
            name.to_owned(),
            kind.unwrap_or(if is_whole { KnobKind::Int } else { KnobKind::Float }),
            start,
            [min, max],
        )
    })
}

/// Whether these numbers, or this step, are too fine for an int.
fn is_fine(numbers: &[f64], step: f64) -> bool {
    step < KnobKind::Int.least_step() || numbers.iter().any(|number| number.fract() != 0.0)
}

impl OwnKnob {
    fn line(self, place: &str) -> Result<KnobLine> {
        let (scale, sign) = (self.scale.unwrap_or(1.0), self.sign.unwrap_or(1));
        let fault = if scale == 0.0 {
            Some(("the scale is 0", "leave it out, or give for example 100"))
        } else if !matches!(sign, 1 | -1) {
            Some(("the sign is neither 1 nor -1", "write -1 to reverse the value"))
        } else if self.step.is_some() && self.range.is_some() {
            Some((
                "there are a step and a range",
                "leave one out: the step is a share of the range",
            ))
        } else {
            None
        };
        if let Some((reason, remedy)) = fault {
            let place = format!("{place}, knob `{}`", shorten(&self.name));
            return Err(Error::input(place, reason).remedy(remedy));
        }
        let factor = scale * f64::from(sign);
        let kind = match self.kind {
            _ if self.scale.is_some() || self.sign.is_some() => KnobKind::Scaled(factor),
            OwnKind::Int => KnobKind::Int,
            OwnKind::Float => KnobKind::Float,
        };
        Ok(KnobLine {
            option: self.option,
            group: self.group,
            fitted: self.fitted,
            step: self.step,
            range: self.range,
            ..KnobLine::new(self.name, kind, self.start, [self.min, self.max])
        })
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
    for knob in &knobs {
        let KnobLine { name, start, fitted, bounds: [min, max], step, range, gain, .. } = knob;
        let place = knob.place.as_deref().unwrap_or(place);
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
        if let Some(gain) = gain.filter(|gain| !(*gain > 0.0 && *gain <= 1.0)) {
            let reason = format!("the gain {gain} is not above 0 and at most 1");
            return Err(Error::input(place(), reason).remedy("give one that is, usually 0.002"));
        }
    }
    Ok(knobs)
}

/// A pattern for a name in a list with commas: a `?` in place of each comma of the name.
pub fn pattern_of(name: &str) -> String {
    name.replace(',', "?")
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
    /// A knob with these facts alone.
    pub fn new(name: String, kind: KnobKind, start: f64, bounds: [f64; 2]) -> Self {
        Self {
            place: None,
            name,
            kind,
            may_be_float: false,
            option: None,
            group: None,
            start,
            fitted: None,
            bounds,
            step: None,
            range: None,
            gain: None,
        }
    }

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
mod tests;
