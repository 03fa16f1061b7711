//! The probe of knobs: their effect on searches, a step to each side of their starts.

use super::super::option_fit::probe::{start_options, step_of};
use super::{Examination, LimitsCheck, POSITIONS, median};
use crate::arena::MoveChoice;
use crate::error::{Error, Result};
use crate::game::Board;
use crate::games::GameId;
use crate::protocol::StartedEngine;
use crate::search::{Limits, Stop};
use crate::tune::Knob;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Positions in which a knob is probed before a tune whose limit is not a time.
const MORE_POSITIONS: u64 = 48;
/// The time for the probes of all knobs.
pub const PROBE_TIME: Duration = Duration::from_secs(100);
/// Changed moves, at the mean rate of all knobs, that are added to a knob's own: few positions say
/// little about a single knob.
const USUAL_MOVES: f64 = 2.0;
/// The least and the greatest factor on a step.
const STEP_FACTORS: [f64; 2] = [0.25, 4.0];

/// The effect of a knob.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum KnobVerdict {
    /// The search differs on both sides of the start.
    Fine,
    /// No search differs, not even with its least and its greatest value: a tune learns nothing
    /// about it.
    Dead,
    /// No search differs one step away, but some do with its least or its greatest value.
    Weak,
    /// The search differs on one side only.
    OneSided,
    /// With the knob the engine's searches do not repeat.
    Random,
    /// The engine fails with one of its values.
    Fails,
}

impl KnobVerdict {
    /// The verdict in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Fine => "",
            Self::Dead => "dead: no search differs",
            Self::Weak => "no search differs one step away: widen its step",
            Self::OneSided => "changes the search on one side only",
            Self::Random => "makes the engine play by chance",
            Self::Fails => "the engine fails with it",
        }
    }
}

/// The probe of a knob, one step to each side of its start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KnobProbe {
    /// The name of the knob.
    pub name: String,
    /// The values that were tried: a step below the start, and one above.
    pub tried: [f64; 2],
    /// The number of positions whose search differs with these values.
    pub changed: [u64; 2],
    /// Positions whose best move differs.
    pub moves: [u64; 2],
    /// The probe's verdict on the knob.
    pub verdict: KnobVerdict,
    /// The factor on its step with which it would change as many moves as the average knob, 0.25 to
    /// 4; null if that is not known.
    pub step_factor: Option<f64>,
}

/// The probe of the knobs before a tune.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KnobsProbe {
    /// The limits of each search; null if the engine respects no limit under which searches can
    /// repeat, or if its searches do not repeat.
    pub limits: Option<Limits>,
    /// The number of positions that were searched.
    pub positions: u64,
    /// The knobs that were probed.
    pub knobs: Vec<KnobProbe>,
    /// Knobs that were not probed, because time was short or because the engine's searches do not
    /// repeat.
    pub not_probed: Vec<String>,
}

/// Probes the knobs of an engine before a tune with these limits, within a time. Limits of time are
/// replaced by the nodes, or else the depth, that the engine reaches in them.
///
/// # Errors
/// When the game has no such board, or `interrupt` is set meanwhile.
pub fn probe_knobs(
    engine: &StartedEngine,
    on: (GameId, Board),
    knobs: &[Knob],
    (c, limits): (f64, &Limits),
    time: Duration,
    interrupt: &Stop,
) -> Result<KnobsProbe> {
    let until = Instant::now() + time;
    let is_fixed = limits.is_deterministic();
    let count = if is_fixed { MORE_POSITIONS } else { POSITIONS };
    let mut examination = Examination::new(engine, on, count, interrupt)?;
    let fixed = if is_fixed { Some(*limits) } else { examination.reached(limits) };
    let probe = examination.probe_all(knobs, c, fixed, until);
    match interrupt.is_set() {
        true => {
            Err(Error::interrupted(engine.engine().name(), "stopped while its knobs were probed"))
        }
        false => Ok(probe),
    }
}

/// Sets the factors on the steps of knobs that change something; `reach` is the distance of its
/// values from the start for each knob, in steps, both sides together.
fn set_step_factors(knobs: &mut [KnobProbe], reach: &[f64], positions: u64) {
    let counts = |knob: &KnobProbe| {
        matches!(knob.verdict, KnobVerdict::Fine | KnobVerdict::OneSided | KnobVerdict::Weak)
    };
    let searched = |steps: f64| positions as f64 * steps;
    let moves = |knob: &KnobProbe| knob.moves.iter().sum::<u64>() as f64;
    let both = || knobs.iter().zip(reach).filter(|(knob, _)| counts(knob));
    let all: f64 = both().map(|(knob, _)| moves(knob)).sum();
    if all == 0.0 {
        return;
    }
    let mean = all / both().map(|(_, &steps)| searched(steps)).sum::<f64>();
    for (knob, &steps) in knobs.iter_mut().zip(reach).filter(|(knob, _)| counts(knob)) {
        let share = (moves(knob) + USUAL_MOVES) / (searched(steps) + USUAL_MOVES / mean);
        let factor = (mean / share).clamp(STEP_FACTORS[0], STEP_FACTORS[1]);
        knob.step_factor = Some((100.0 * factor).round() / 100.0);
    }
}

impl Examination<'_> {
    /// Limits under which an engine's searches can repeat, of about the size that these limits
    /// allow.
    fn reached(&mut self, limits: &Limits) -> Option<Limits> {
        let (respected, _) = self.limits();
        let found = self.ask_all(&mut *self.player(), limits).ok()?;
        let nodes = median(found.iter().map(|choice| choice.nodes))?;
        let depth = median(found.iter().map(|choice| u64::from(choice.depth)))?;
        match respected {
            LimitsCheck { nodes: true, .. } if nodes > 0 => Some(Limits::nodes(nodes)),
            LimitsCheck { depth: true, .. } if depth > 0 => {
                let depth = u32::try_from(depth).ok();
                Some(Limits { depth, ..Limits::default() })
            }
            _ => None,
        }
    }

    /// Probes the knobs one after the other until this time; none if the engine's searches do not
    /// repeat.
    pub(super) fn probe_all(
        &mut self,
        knobs: &[Knob],
        c: f64,
        limits: Option<Limits>,
        until: Instant,
    ) -> KnobsProbe {
        let starts = start_options(knobs);
        let usual = limits.and_then(|limits| self.repeated(&starts, &limits));
        let limits = limits.filter(|_| usual.is_some());
        let positions = self.openings.len() as u64;
        let mut probe = KnobsProbe { limits, positions, knobs: Vec::new(), not_probed: Vec::new() };
        let mut reach = Vec::new();
        for knob in knobs {
            let is_time = Instant::now() < until && !self.interrupt.is_set();
            match usual.as_ref().zip(limits).filter(|_| is_time) {
                Some((usual, limits)) => {
                    let (found, steps) = self.probe((knob, c), &starts, usual, &limits);
                    probe.knobs.push(found);
                    reach.push(steps);
                }
                None => probe.not_probed.push(knob.name.clone()),
            }
        }
        set_step_factors(&mut probe.knobs, &reach, positions);
        probe
    }

    /// Compares the searches a step to each side of a knob's start with the usual ones, where all
    /// knobs have these starts. Also returns the distance of the two values from the start, in
    /// steps, both together.
    fn probe(
        &mut self,
        (knob, c): (&Knob, f64),
        starts: &BTreeMap<String, String>,
        usual: &[MoveChoice],
        limits: &Limits,
    ) -> (KnobProbe, f64) {
        let mut player = self.player();
        let (step, bounds) = (step_of(knob, c), [knob.min, knob.max]);
        let nearest = |value: f64| knob.kind.nearest(value.clamp(knob.min, knob.max), bounds);
        let tried = [-step, step].map(|step| nearest(knob.start + step));
        let all = self.openings.len();
        let mut ask = |value: f64, count: usize| {
            let mut options = starts.clone();
            options.insert(knob.option().to_owned(), knob.kind.text(value));
            player.configure(&options);
            self.timeless(count, &mut *player, limits)
        };
        let mut found = KnobProbe {
            name: knob.name.clone(),
            tried,
            changed: [0; 2],
            moves: [0; 2],
            verdict: KnobVerdict::Fine,
            step_factor: None,
        };
        let mut changes = Vec::new();
        // A start at its bound has one side only.
        let sides = tried.into_iter().enumerate().filter(|&(_, value)| value != knob.start);
        for (side, value) in sides {
            let again = all.min(POSITIONS as usize);
            let (Ok(first), Ok(second)) = (ask(value, all), ask(value, again)) else {
                found.verdict = KnobVerdict::Fails;
                continue;
            };
            if !first.starts_with(&second) {
                found.verdict = KnobVerdict::Random;
            }
            let pairs = || first.iter().zip(usual);
            found.changed[side] = pairs().filter(|(new, old)| new != old).count() as u64;
            found.moves[side] = pairs().filter(|(new, old)| new.best != old.best).count() as u64;
            changes.push(found.changed[side]);
        }
        let changing = changes.iter().filter(|&&changed| changed > 0).count();
        if found.verdict == KnobVerdict::Fine && changing == 0 {
            let far = bounds.map(|value| ask(nearest(value), all));
            found.verdict = match far {
                [Ok(below), Ok(above)] if below == usual && above == usual => KnobVerdict::Dead,
                [Ok(_), Ok(_)] => KnobVerdict::Weak,
                _ => KnobVerdict::Fails,
            };
        } else if found.verdict == KnobVerdict::Fine && changing < changes.len() {
            found.verdict = KnobVerdict::OneSided;
        }
        let steps = tried.iter().map(|value| (value - knob.start).abs() / step).sum();
        (found, steps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_scaled_toward_equal_shares_of_changed_moves() {
        let knob = |moves: [u64; 2], verdict| KnobProbe {
            name: String::new(),
            tried: [0.0; 2],
            changed: [0; 2],
            moves,
            verdict,
            step_factor: None,
        };
        let mut knobs = [
            knob([9, 9], KnobVerdict::Fine),
            knob([1, 1], KnobVerdict::Fine),
            knob([0, 0], KnobVerdict::Weak),
            knob([0, 0], KnobVerdict::Dead),
        ];
        set_step_factors(&mut knobs, &[2.0; 4], 16);
        let factors: Vec<Option<f64>> = knobs.iter().map(|knob| knob.step_factor).collect();
        // Of 32 searches for each of three knobs 20 changed the move, which is 6.67 a knob.
        let wanted = |moves: f64| (6.667 / 32.0) * (32.0 + 9.6) / (moves + 2.0);
        for (found, moves) in factors.iter().zip([18.0, 2.0, 0.0]) {
            let factor = found.unwrap();
            assert!((factor - wanted(moves).min(4.0)).abs() < 0.02, "{factors:?}");
        }
        assert_eq!(factors[3], None);
        let mut silent = [knob([0, 0], KnobVerdict::Fine)];
        set_step_factors(&mut silent, &[2.0], 16);
        assert_eq!(silent[0].step_factor, None);
    }
}
