//! Options of an engine that are numbers but cannot be knobs, since what the engine says of them
//! contradicts itself.

use super::engine_knobs::is_well_known;
use crate::error::shorten;
use crate::protocol::options::{EngineOption, OptionKind};

/// A sentence on each of these options.
pub fn odd_options(offered: &[EngineOption]) -> Vec<String> {
    offered.iter().filter_map(|option| Some(sentence(&option.name, &fault(option)?))).collect()
}

fn sentence(name: &str, fault: &str) -> String {
    format!("the engine's option `{name}` cannot be a knob: {fault}")
}

/// The contradiction in an option.
fn fault(option: &EngineOption) -> Option<String> {
    let &OptionKind::Spin { min, max } = &option.kind else { return None };
    if is_well_known(&option.name) {
        return None;
    }
    if min > max {
        return Some(format!("its min is {min} and its max {max}"));
    }
    let Some(default) = &option.default else { return Some("it has no default".to_owned()) };
    match default.parse::<i64>() {
        Ok(value) if (min..=max).contains(&value) => None,
        Ok(value) => Some(format!("its default {value} is not from {min} to {max}")),
        Err(_) => Some(format!("its default `{}` is not a whole number", shorten(default))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contradictions_are_named() {
        for (line, words) in [
            ("name A type spin default 5 min 9 max 1", Some("min is 9 and its max 1")),
            ("name A type spin default 50 min 1 max 9", Some("50 is not from 1 to 9")),
            ("name A type spin default x min 1 max 9", Some("`x` is not a whole number")),
            ("name A type spin min 1 max 9", Some("no default")),
            ("name A type spin default 5 min 1 max 9", None),
            ("name Hash type spin default 0 min 1 max 9", None),
            ("name A type string default 0", None),
        ] {
            let told = odd_options(&EngineOption::parse(line).into_iter().collect::<Vec<_>>());
            assert_eq!(told.len(), usize::from(words.is_some()), "{line}: {told:?}");
            assert!(words.is_none_or(|words| told[0].contains(words)), "{line}: {told:?}");
        }
    }
}
