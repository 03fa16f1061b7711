//! The further options of the forms, each of which becomes one argument of the command.
//!
//! Numbers, names and switches only: no option of a form names a file or a program.

use super::answer::{Refusal, Reply};
use crate::error::{Error, Result, shorten};
use crate::report::GivenOption;
use crate::tune::Method;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The longest list of names, in bytes.
const LONGEST: usize = 2_000;

/// The command of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum FormKind {
    /// The form of `spar tune`.
    Tune,
    /// The form of `spar match`.
    Match,
}

/// The command of a form, and the method of a tune.
pub(super) type FormMethod = (FormKind, Option<Method>);

/// The values that an option takes.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum OptionValue {
    Whole { min: u64, max: u64 },
    Share,
    Names,
    Switch,
}

/// An option of a form, beyond the fields that it always has.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct FormOption {
    kind: FormKind,
    /// The option of the command, without its dashes.
    name: &'static str,
    title: &'static str,
    hint: &'static str,
    value: OptionValue,
    /// The methods of a tune that know it; all of them where none is named.
    methods: &'static [Method],
}

const BY_MATCHES: &[Method] = &[Method::Joined, Method::Spsa];
const WITH_WEIGHTS: &[Method] = &[Method::Joined, Method::Spsa, Method::Logistic];
const IN_ROUNDS: &[Method] = &[Method::Logistic, Method::Network];
const MANY: OptionValue = OptionValue::Whole { min: 1, max: 100_000 };
const PAIRS: OptionValue = OptionValue::Whole { min: 0, max: 1_000_000 };
const NODES: OptionValue = OptionValue::Whole { min: 1, max: 1_000_000_000 };
const PLIES: OptionValue = OptionValue::Whole { min: 0, max: 100 };

/// All options, in the order in which forms show them.
pub(super) const OPTIONS: &[FormOption] = &[
    tune(
        "only",
        "Only these weights",
        "names with commas between",
        OptionValue::Names,
        WITH_WEIGHTS,
    ),
    tune(
        "freeze",
        "Not these weights",
        "names with commas between",
        OptionValue::Names,
        BY_MATCHES,
    ),
    tune("phases", "Early and late values", "", OptionValue::Switch, WITH_WEIGHTS),
    tune("fit-games", "Games of the fit", "usually a fifth of all", MANY_GAMES, &[Method::Joined]),
    tune(
        "quick-share",
        "Nodes of quick pairs",
        "share of the nodes, usually 0.3",
        OptionValue::Share,
        BY_MATCHES,
    ),
    tune(
        "quick-pairs",
        "Quick pairs",
        "share of the pairs, usually 0.667",
        OptionValue::Share,
        BY_MATCHES,
    ),
    tune(
        "opponent-share",
        "Pairs against piece",
        "share of the pairs, usually 0.667",
        OptionValue::Share,
        &[Method::Joined],
    ),
    tune("batch", "Pairs of a step", "usually 24", MANY, BY_MATCHES),
    tune("rounds", "Rounds", "", MANY, IN_ROUNDS),
    tune(
        "blend",
        "Search score in the target",
        "share; default: the method's",
        OptionValue::Share,
        IN_ROUNDS,
    ),
    tune("units", "Units of the network", "", MANY, &[Method::Network]),
    tune("epochs", "Epochs", "", MANY, &[Method::Network]),
    tune("beside-start", "Keep the start beside it", "", OptionValue::Switch, &[Method::Network]),
    tune("plies", "Random plies of openings", "default: depends on the board", PLIES, &[]),
    tune(
        "validation-pairs",
        "Pairs of the validation, at most",
        "usually 1,000, and at most a quarter of the time",
        PAIRS,
        &[],
    ),
    tune(
        "yardstick-pairs",
        "Pairs of a reference match",
        "usually one for each 300 games",
        PAIRS,
        &[],
    ),
    of_match("nodes-a", "Node limit of A", "as above", NODES),
    of_match("nodes-b", "Node limit of B", "as above", NODES),
    of_match("plies", "Random plies of openings", "default: depends on the board", PLIES),
];
const MANY_GAMES: OptionValue = OptionValue::Whole { min: 2, max: 100_000_000 };

const fn tune(
    name: &'static str,
    title: &'static str,
    hint: &'static str,
    value: OptionValue,
    methods: &'static [Method],
) -> FormOption {
    FormOption { kind: FormKind::Tune, name, title, hint, value, methods }
}

const fn of_match(
    name: &'static str,
    title: &'static str,
    hint: &'static str,
    value: OptionValue,
) -> FormOption {
    FormOption { kind: FormKind::Match, name, title, hint, value, methods: &[] }
}

/// The arguments for options of a form by their names; `method` is the tune's.
///
/// # Errors
/// When an option is unknown to the form or the method, or its value is out of range.
pub(super) fn arguments(
    kind: FormKind,
    method: Option<Method>,
    options: &Map<String, Value>,
) -> Reply<Vec<String>> {
    let argument = |(name, value): (&String, &Value)| {
        let option = find(kind, method, name).ok_or_else(|| {
            Error::input(format!("option `{}`", shorten(name)), "not an option of this form")
                .remedy("GET /api/choices lists them; use a terminal for others")
        })?;
        option.argument(value).map_err(|error| Refusal::from(error).at(option.name))
    };
    Ok(options.iter().map(argument).collect::<Reply<Vec<_>>>()?.into_iter().flatten().collect())
}

/// The option of a form by its name; `method` is the tune's.
fn find(kind: FormKind, method: Option<Method>, name: &str) -> Option<&'static FormOption> {
    OPTIONS.iter().find(|option| {
        let knows = |method| option.methods.is_empty() || option.methods.contains(&method);
        option.kind == kind && option.name == name && method.is_none_or(knows)
    })
}

/// The value of an option of a run in a form; `None` where the form does not have the option or
/// the value.
pub(super) fn value_of(
    kind: FormKind,
    method: Option<Method>,
    given: &GivenOption,
) -> Option<Value> {
    let option = find(kind, method, &given.name)?;
    let value = match (&given.value, option.value) {
        (None, OptionValue::Switch) => Value::Bool(true),
        (Some(text), OptionValue::Names) => Value::String(text.clone()),
        (Some(text), OptionValue::Whole { .. } | OptionValue::Share) => text.parse().ok()?,
        _ => return None,
    };
    option.argument(&value).is_ok().then_some(value)
}

impl FormOption {
    /// The argument for a value; none for a switch that is off.
    fn argument(&self, value: &Value) -> Result<Option<String>> {
        let name = self.name;
        let refuse = |wanted: &str| {
            let reason = format!("{} is out of range", shorten(&value.to_string()));
            Err(Error::input(name, reason).remedy(format!("give {wanted}")))
        };
        match (self.value, value) {
            (OptionValue::Switch, Value::Bool(is_on)) => Ok(is_on.then(|| format!("--{name}"))),
            (OptionValue::Switch, _) => refuse("true or false"),
            (OptionValue::Whole { min, max }, _) => match value.as_u64() {
                Some(number) if (min..=max).contains(&number) => {
                    Ok(Some(format!("--{name}={number}")))
                }
                _ => refuse(&format!("{min} to {max}")),
            },
            (OptionValue::Share, _) => match value.as_f64() {
                Some(share) if (0.0..=1.0).contains(&share) => {
                    Ok(Some(format!("--{name}={share}")))
                }
                _ => refuse("a number from 0 to 1"),
            },
            (OptionValue::Names, Value::String(names)) if are_names(names) => {
                Ok(Some(format!("--{name}={names}")))
            }
            (OptionValue::Names, _) => refuse("names with commas between"),
        }
    }
}

fn are_names(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '@' | ',' | '-');
    !text.is_empty() && text.len() <= LONGEST && text.chars().all(is_part)
}
