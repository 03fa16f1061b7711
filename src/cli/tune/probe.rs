//! The probe of an engine's knobs before a tune of them.

use crate::cli::Console;
use crate::error::{Error, Result};
use crate::report::TextTable;
use crate::tune::engine_check::{KnobProbe, KnobVerdict};
use crate::tune::{Knob, MatchPlan, Probing};

/// The names of the knobs with this verdict.
pub(in crate::cli) fn names(knobs: &[KnobProbe], verdict: KnobVerdict) -> Vec<&str> {
    let of_verdict = knobs.iter().filter(|knob| knob.verdict == verdict);
    of_verdict.map(|knob| knob.name.as_str()).collect()
}

/// The probe of knobs in words: a table, advice on knobs that make the engine play at random unless
/// it restarts for each value, and the knobs that were not probed.
pub(in crate::cli) fn probe_text(
    knobs: &[KnobProbe],
    not_probed: &[String],
    positions: u64,
    restarts: bool,
    console: &Console,
) -> Vec<String> {
    let mut parts = Vec::new();
    if !knobs.is_empty() {
        let mut table = TextTable::new()
            .left("knob")
            .right("below")
            .right("above")
            .right("equal effect")
            .optional(1)
            .left("verdict");
        for knob in knobs {
            let share = |side: usize| format!("{} of {positions}", knob.changed[side]);
            let factor =
                knob.step_factor.map_or(String::new(), |factor| format!("step x {factor}"));
            table.row([
                knob.name.clone(),
                share(0),
                share(1),
                factor,
                knob.verdict.words().to_owned(),
            ]);
        }
        parts.push(format!(
            "searches that differ one step below and above the start, and the steps that would change as many moves as \
             the others\n{}",
            table.fit(console.width())
        ));
    }
    let random = names(knobs, KnobVerdict::Random);
    if !random.is_empty() && !restarts {
        parts.push(format!(
            "with {} the engine does not repeat itself: it plays at random, or `ucinewgame` keeps something from other \
             values; try --restart, which rules out the second",
            random.join(", ")
        ));
    }
    if !not_probed.is_empty() {
        parts.push(format!("not probed: {}", not_probed.join(", ")));
    }
    parts
}

/// Changes a plan by the probe that it keeps: dead knobs are frozen unless a constraint names them,
/// and with [`Probing::Steps`] the steps of the others are scaled.
///
/// # Errors
/// When every knob is dead.
pub(super) fn apply(plan: &mut MatchPlan, probing: Probing, console: &Console) -> Result<()> {
    let Some(probe) = &plan.probe else { return Ok(()) };
    let restarts = plan.engine.as_ref().is_some_and(|engine| engine.restarts);
    let parts = probe_text(&probe.knobs, &probe.not_probed, probe.positions, restarts, console);
    console.aside(format!("\n{}\n", parts.join("\n\n")));
    if probe.limits.is_none() {
        console.note("the engine does not repeat itself, so its knobs were not probed");
    }
    let constraints = &plan.constraints;
    let is_free =
        |name: &str| !constraints.iter().any(|condition| condition.names().contains(&name));
    let dead = names(&probe.knobs, KnobVerdict::Dead).into_iter().filter(|name| is_free(name));
    let dead: Vec<&str> = dead.collect();
    if dead.len() == plan.knobs.len() {
        return Err(Error::input("knobs", "every one is dead: no search differs with it").remedy(
            "check that the engine reads its options (--restart restarts it for each value), or \
             tune at a larger limit",
        ));
    }
    if !dead.is_empty() {
        console.aside(format!("frozen, since no search differs: {}", dead.join(", ")));
    }
    let is_dead = |knob: &Knob| dead.contains(&knob.name.as_str());
    let (frozen, tuned): (Vec<Knob>, Vec<Knob>) = plan.knobs.iter().cloned().partition(is_dead);
    plan.knobs = tuned;
    if probing == Probing::Steps {
        let c = plan.optimizer.perturbation();
        for knob in &mut plan.knobs {
            let probed = probe.knobs.iter().find(|probed| probed.name == knob.name);
            if let Some(factor) = probed.and_then(|probed| probed.step_factor) {
                // The two sides of a pair differ by at most the range between the bounds.
                let widest = (knob.max - knob.min) / (2.0 * c);
                knob.range = (knob.range * factor).min(widest.max(knob.range));
            }
        }
    }
    plan.fix(frozen.iter().map(|knob| (knob.option(), knob.kind, knob.start)));
    Ok(())
}
