//! The options of a run as they are typed, for commands that go on with what it made.

use crate::search::Limits;
use crate::shell::quote;
use crate::tune::select::RANGES_TO_BOUND;
use crate::tune::{Knob, Plan, Target, TuneSettings};

/// Options of a run, each word quoted for a shell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TypedOptions {
    /// The limits of a move, without a space before or after.
    pub limits: String,
    /// What is tuned, within which bounds; a space before each option.
    pub of_tune: String,
}

impl TypedOptions {
    /// The options of a run with these settings.
    pub fn of(settings: &TuneSettings) -> Self {
        Self { limits: limits_typed(&settings.limits).join(" "), of_tune: of_tune(settings) }
    }
}

/// The options that set these limits.
pub fn limits_typed(limits: &Limits) -> Vec<String> {
    let nodes = limits.nodes.map(|nodes| format!("--nodes {nodes}"));
    let depth = limits.depth.map(|depth| format!("--depth {depth}"));
    let movetime = limits.movetime.map(|time| format!("--movetime {}", time.as_millis()));
    [nodes, depth, movetime].into_iter().flatten().collect()
}

fn of_tune(settings: &TuneSettings) -> String {
    let mut options = Vec::new();
    let names = match &settings.plan {
        Plan::Matches(plan) => {
            if plan.target() == Target::Search {
                options.push("--target search".to_owned());
            }
            plan.knobs.iter().map(|knob| knob.name.clone()).collect()
        }
        Plan::Fitting(plan) => {
            if plan.fit.all {
                options.push("--all".to_owned());
            }
            plan.fit.only.clone()
        }
        Plan::Training(_) => Vec::new(),
    };
    if !names.is_empty() {
        // Checked names of letters and underscores, which no shell takes for anything else.
        options.push(format!("--only {}", names.join(",")));
    }
    if let Plan::Matches(plan) = &settings.plan {
        options.extend(plan.knobs.iter().filter_map(bounds));
        options.extend(
            plan.constraints.iter().map(|condition| format!("--constrain {}", quote(condition))),
        );
    }
    options.iter().map(|option| format!(" {option}")).collect()
}

/// The bounds of a weight that were not made from its range. Those of constants are on their list.
fn bounds(knob: &Knob) -> Option<String> {
    let usual = RANGES_TO_BOUND * knob.range;
    let is_usual = knob.min == knob.start - usual && knob.max == knob.start + usual;
    let given = knob.target == Target::Weights && !is_usual;
    given
        .then(|| format!("--bounds {}", quote(format!("{}={}..{}", knob.name, knob.min, knob.max))))
}
