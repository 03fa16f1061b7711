//! Options as they would be typed to get a configuration: those that differ from the defaults.

use crate::shell::quote;
use serde::Serialize;
use serde_json::{Map, Value};

/// The fields that no option sets: each tune plans its own games.
const WITHOUT_AN_OPTION: [&str; 2] = ["planned_games", "round_games"];

/// The options of `config` that are not as in `usual`, each word quoted for a shell. Each field of
/// the configuration, at any depth, has the name of its option, apart from [`WITHOUT_AN_OPTION`].
pub(super) fn options_of<T: Serialize>(config: &T, usual: &T) -> Vec<String> {
    let usual = fields(usual);
    let option = |(name, value): (&String, &Value)| {
        let long = name.replace('_', "-");
        match value {
            value if Some(value) == usual.get(name) => None,
            _ if WITHOUT_AN_OPTION.contains(&name.as_str()) => None,
            Value::Bool(is_set) => is_set.then(|| format!("--{long}")),
            _ => Some(format!("--{long} {}", typed(value)?)),
        }
    };
    fields(config).iter().filter_map(option).collect()
}

/// The fields of a configuration and of its parts that have a value.
fn fields<T: Serialize>(config: &T) -> Map<String, Value> {
    let mut found = Map::new();
    collect(serde_json::to_value(config).unwrap_or_default(), &mut found);
    found
}

fn collect(value: Value, found: &mut Map<String, Value>) {
    let Value::Object(object) = value else { return };
    for (name, value) in object {
        match value {
            Value::Object(_) => collect(value, found),
            Value::Null => {}
            value => drop(found.insert(name, value)),
        }
    }
}

/// A value as a word of the command line, quoted for a shell.
fn typed(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(quote(text)),
        Value::Number(number) => Some(quote(number.to_string().trim_end_matches(".0"))),
        Value::Array(values) if !values.is_empty() => {
            values.iter().map(typed).collect::<Option<Vec<_>>>().map(|words| words.join(","))
        }
        _ => None,
    }
}

#[cfg(all(test, feature = "clap"))]
mod tests {
    use super::options_of;
    use crate::tune::logistic::FitConfig;
    use crate::tune::logistic::schedule::{FittingPlan, TrainingPlan};
    use crate::tune::{Answer, GainSchedule, SpsaOptions};
    use clap::{Args, Command, FromArgMatches};
    use serde::Serialize;
    use std::fmt::Debug;

    /// The typed line, read again.
    fn again<T: Args + FromArgMatches + Serialize + Default>(config: &T) -> (String, T) {
        let options = options_of(config, &T::default()).join(" ");
        let words = shlex::split(&format!("options {options}")).unwrap();
        let found = T::augment_args(Command::new("options")).try_get_matches_from(words).unwrap();
        (options, T::from_arg_matches(&found).unwrap())
    }

    fn check<T>(config: T, wanted: &str)
    where
        T: Args + FromArgMatches + Serialize + Default + PartialEq + Debug,
    {
        assert_eq!(again(&config), (wanted.to_owned(), config));
    }

    #[test]
    fn what_is_not_usual_is_typed_and_means_the_same() {
        check(TrainingPlan::default(), "");
        check(FittingPlan::<FitConfig>::default(), "");
        check(SpsaOptions::default(), "");
        let mut training = TrainingPlan { rounds: Some(4), ..TrainingPlan::default() };
        training.fit.beside_start = true;
        training.fit.units = 256;
        training.fit.window = crate::weights::WindowShape::new(3, 2);
        training.self_play.deviate = 0.12;
        check(training, "--rounds 4 --deviate 0.12 --window 3x2 --units 256 --beside-start");
        let mut fitting: FittingPlan = FittingPlan { patience: Some(1), ..FittingPlan::default() };
        fitting.fit.only = vec!["piece".into(), "tempo".into()];
        fitting.fit.clear_rest = true;
        fitting.fit.penalties = vec![10.0, 0.5];
        check(fitting, "--patience 1 --only piece,tempo --clear-rest --penalties 10,0.5");
        let spsa = SpsaOptions { batch: 100, a: Some(0.01), ..SpsaOptions::default() };
        check(spsa, "--batch 100 --a 0.01");
        let schedule = GainSchedule::Fishtest;
        let spsa = SpsaOptions { schedule, answer: Answer::Last, ..SpsaOptions::default() };
        check(spsa, "--schedule fishtest --answer last");
    }
}
