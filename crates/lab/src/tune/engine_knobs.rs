//! The knobs of an external engine, by its options or by a file.

use super::knob_file::{KnobLine, fits, of_answer, of_lines, pattern_of};
use crate::error::{Error, Result, shorten, suggest};
use crate::protocol::StartedEngine;
use crate::protocol::options::{EngineOption, NOT_UTF8, OptionKind, find, listed};
use crate::tune::{Knob, KnobKind, Selection, Target};

/// Options that any engine may have and that are not part of its play, as patterns of names in
/// lower case without spaces and signs.
const WELL_KNOWN: [&str; 20] = [
    "hash",
    "hashsize",
    "*threads",
    "multipv",
    "ponder",
    "moveoverhead",
    "skilllevel",
    "contempt",
    "uci*",
    "usi*",
    "syzygy*",
    "*book*",
    "*loglevel",
    "*logfile*",
    "*debuglog*",
    "*cachesize",
    "nodestime",
    "searchtime",
    "searchdepth",
    "*timebuffer",
];
/// The steps in the span between a knob's bounds, if its description has no step.
const STEPS_OF_A_SPAN: f64 = 20.0;
/// Values of options that suit tunes, set where the engine offers them and the user names none.
const USUAL_OPTIONS: [(&str, &str); 7] = [
    ("Threads", "1"),
    ("Hash", "16"),
    ("USI_Hash", "16"),
    ("OwnBook", "false"),
    ("UseBook", "false"),
    ("Ponder", "false"),
    ("USI_Ponder", "false"),
];

/// The options to set beside those that the user has given.
pub fn usual_options(
    offered: &[EngineOption],
    given: &[(String, String)],
) -> Vec<(String, String)> {
    let is_given = |name: &str| given.iter().any(|(known, _)| known.eq_ignore_ascii_case(name));
    let usual = USUAL_OPTIONS.iter().filter(|(name, value)| {
        !is_given(name) && find(offered, name).is_ok_and(|option| option.check(value).is_ok())
    });
    usual.map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// The descriptions of an engine's knobs: from a file, or else from the lines that it prints at its
/// start, or else from its options that are numbers. Of these, `note` gets a sentence on each that
/// cannot be a knob.
///
/// # Errors
/// When it has none.
pub fn lines_of(
    engine: &StartedEngine,
    of_file: Option<Vec<KnobLine>>,
    note: impl FnMut(String),
) -> Result<Vec<KnobLine>> {
    if let Some(lines) = of_file {
        return Ok(lines);
    }
    let place = format!("engine `{}`", engine.engine().name());
    let is_option = |name: &str| listed(engine.offered(), name).is_some();
    let printed = match engine.engine().knobs_command {
        Some(_) => of_answer(engine.remarks(), is_option, &place)?,
        None => of_lines(engine.remarks().iter().map(String::as_str), is_option, &place)?,
    };
    if !printed.is_empty() {
        return Ok(printed);
    }
    if let Some(command) = &engine.engine().knobs_command {
        return Err(Error::input(place, format!("its answer to `{command}` describes no knob"))
            .remedy(
                "run the command by hand; it should print lines in the format of OpenBench or fishtest, or weather-factory's JSON",
            ));
    }
    let lines = of_options(engine.offered(), note);
    match lines.is_empty() {
        true => Err(Error::input(place, "it offers no option that can be tuned")
            .remedy("give its engine options of type spin, or describe its knobs with --knobs")),
        false => Ok(lines),
    }
}

/// The knobs of the options that are numbers, each once; `note` gets a sentence on each other option
/// of this type.
fn of_options(offered: &[EngineOption], mut note: impl FnMut(String)) -> Vec<KnobLine> {
    let is_first = |option: &&EngineOption| {
        listed(offered, &option.name).is_some_and(|first| std::ptr::eq(first, *option))
    };
    let take = |option: &EngineOption| {
        let refuse = |fault| {
            note(format!("the engine's option `{}` cannot be a knob: {fault}", option.name));
        };
        of_option(option)?.map_err(refuse).ok()
    };
    offered.iter().filter(is_first).filter_map(take).collect()
}

/// The knob of an option that is a number, or why it cannot be one. Nothing for the well known
/// options.
fn of_option(option: &EngineOption) -> Option<std::result::Result<KnobLine, String>> {
    let &OptionKind::Spin { min, max } = &option.kind else { return None };
    if is_well_known(&option.name) {
        return None;
    }
    if !option.is_named() {
        return Some(Err(NOT_UTF8.to_owned()));
    }
    if min >= max {
        return Some(Err(format!("its min is {min} and its max {max}")));
    }
    let Some(default) = &option.default else { return Some(Err("it has no default".to_owned())) };
    Some(match default.parse::<i64>() {
        Ok(start) if (min..=max).contains(&start) => {
            let bounds = [min as f64, max as f64];
            Ok(KnobLine::new(option.name.clone(), KnobKind::Int, start as f64, bounds))
        }
        Ok(start) => Err(format!("its default {start} is not from {min} to {max}")),
        Err(_) => Err(format!("its default `{}` is not a whole number", shorten(default))),
    })
}

/// Whether an option has nothing to do with how an engine plays a position, by its name.
fn is_well_known(name: &str) -> bool {
    let name: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
    let name = name.to_lowercase();
    WELL_KNOWN.iter().any(|pattern| fits(pattern, &name))
}

impl Selection {
    /// The knobs of this choice for an external engine; `c` is a step as a share of a range.
    ///
    /// # Errors
    /// When a pattern names no knob, a knob does not fit the option that it sets, or none is left.
    pub fn options(
        &self,
        lines: Vec<KnobLine>,
        offered: &[EngineOption],
        c: f64,
    ) -> Result<Vec<Knob>> {
        self.check_no_phases(Target::Option)?;
        for pattern in self.only.iter().chain(&self.add).chain(&self.freeze) {
            check_named(pattern, &lines)?;
        }
        for name in self
            .bounds
            .iter()
            .map(|(name, ..)| name)
            .chain(self.ranges.iter().map(|(name, _)| name))
        {
            check_named(name, &lines)?;
        }
        let any = |patterns: &[String], line: &KnobLine| {
            patterns.iter().any(|pattern| line.is_named(pattern))
        };
        let chosen = lines.into_iter().filter(|line| {
            let is_chosen = self.only.is_empty() || any(&self.only, line) || any(&self.add, line);
            is_chosen && !any(&self.freeze, line)
        });
        let knobs = chosen.map(|mut line| {
            if let Some((_, min, max)) = self.bounds.iter().find(|(name, ..)| line.is_named(name)) {
                line.bounds = [*min, *max];
            }
            if let Some((_, range)) = self.ranges.iter().find(|(name, _)| line.is_named(name)) {
                line.range = Some(*range);
            }
            let place = line.place.clone();
            knob(line, offered, c).map_err(|error| match place {
                Some(place) => error.within(place),
                None => error,
            })
        });
        let knobs = knobs.collect::<Result<Vec<Knob>>>()?;
        if knobs.is_empty() {
            return Err(Error::input("tuned options", "none is left")
                .remedy("name some with --only, or freeze fewer"));
        }
        for (index, knob) in knobs.iter().enumerate() {
            let same = |other: &&Knob| other.option().eq_ignore_ascii_case(knob.option());
            if let Some(other) = knobs[..index].iter().find(same) {
                let reason = format!("sets the option of knob `{}`", other.name);
                return Err(Error::input(format!("knob `{}`", knob.name), reason)
                    .remedy("leave one of them out with --freeze"));
            }
        }
        Ok(knobs)
    }
}

fn check_named(pattern: &str, lines: &[KnobLine]) -> Result<()> {
    if lines.iter().any(|line| line.is_named(pattern)) {
        return Ok(());
    }
    let names = lines.iter().map(|line| line.name.as_str());
    let unknown = Error::input(format!("knob `{pattern}`"), "unknown");
    let is_part = |name: &&str| name.contains(',') && name.split(',').any(|part| part == pattern);
    Err(match names.clone().find(is_part) {
        Some(name) => unknown
            .remedy(format!("a list takes `?` for the comma in a name: `{}`", pattern_of(name))),
        None => unknown.remedy(suggest(pattern, names, "the knobs are")),
    })
}

/// Whether a knob is described as an int, but its numbers or its option suggest a float.
fn looks_like_float(line: &KnobLine, option: &EngineOption) -> bool {
    let is_small =
        line.kind.is_int() && line.step.is_some_and(|step| step < line.kind.least_step());
    let numbers = [line.start, line.bounds[0], line.bounds[1]];
    is_small
        && (option.kind == OptionKind::Text || numbers.iter().any(|number| number.fract() != 0.0))
}

/// A knob with bounds cut to the bounds of the option that it sets.
fn knob(mut line: KnobLine, offered: &[EngineOption], c: f64) -> Result<Knob> {
    let place = format!("knob `{}`", line.name);
    let within = |error: Error| error.within(&place);
    let option = find(offered, line.option.as_deref().unwrap_or(&line.name)).map_err(within)?;
    if line.may_be_float && option.kind == OptionKind::Text {
        line.kind = KnobKind::Float;
    }
    if looks_like_float(&line, option) {
        return Err(Error::input(place, "an int takes whole numbers, and its step is below 0.5")
            .remedy("make it a float, as in OpenBench's NAME, float, ..., or enlarge the step"));
    }
    let [min, max] = bounds_within(&line, option, &place)?;
    check_values(&line, [min, max], &place)?;
    let step = line.step.unwrap_or((max - min) / STEPS_OF_A_SPAN);
    let range = line.range.unwrap_or(step / c);
    let name = option.name.clone();
    let option = (name != line.name).then_some(name);
    let knob = Knob {
        target: Target::Option,
        name: line.name,
        kind: line.kind,
        option,
        group: line.group,
        start: line.start,
        fitted: line.fitted.map(|value| value.clamp(min, max)),
        min,
        max,
        range,
    };
    knob.check()?;
    Ok(knob)
}

/// The bounds of a knob, cut to the bounds of the option that it sets.
fn bounds_within(line: &KnobLine, option: &EngineOption, place: &str) -> Result<[f64; 2]> {
    let [least, most] = line.bounds;
    match option.kind {
        OptionKind::Spin { .. } if line.kind == KnobKind::Float => {
            let reason = format!("option `{}` takes whole numbers only", option.name);
            Err(Error::input(place, reason).remedy(
                "make the knob an int, or describe it as JSON with a scale, for example 100",
            ))
        }
        OptionKind::Spin { min, max } => {
            let factor = if let KnobKind::Scaled(factor) = line.kind { factor } else { 1.0 };
            let [a, b] = [min as f64 / factor, max as f64 / factor];
            Ok([least.max(a.min(b)), most.min(a.max(b))])
        }
        OptionKind::Text => Ok(line.bounds),
        _ => {
            let reason = format!("option `{}` takes no numbers", option.name);
            Err(Error::input(place, reason).remedy("leave it out with --freeze"))
        }
    }
}

/// Checks that a knob's start is within its bounds, and that its engine gets several values.
fn check_values(line: &KnobLine, bounds: [f64; 2], place: &str) -> Result<()> {
    let [min, max] = bounds;
    if !(min..=max).contains(&line.start) {
        let reason = format!(
            "the start {} is outside {min} to {max}, the range of the option and the bounds",
            line.start
        );
        return Err(Error::input(place, reason).remedy("change the start or the bounds"));
    }
    let text = |value: f64| line.kind.text(line.kind.nearest(value, bounds));
    if text(min) == text(max) {
        let reason = format!("from {min} to {max} the engine gets one value only, {}", text(min));
        return Err(Error::input(place, reason)
            .remedy("widen its bounds or enlarge its scale, or leave it out with --freeze"));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
