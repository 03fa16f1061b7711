//! A short examination of an external engine: which limits it respects, whether it repeats itself,
//! and what its knobs change.

use super::option_fit::probe::{start_options, step_of};
use crate::any::AnyOpening;
use crate::arena::ask::{ask, random_openings};
use crate::arena::seed::generator;
use crate::arena::{Forfeit, ForfeitKind, GamePlayer, MoveChoice};
use crate::error::{Error, Result};
use crate::game::Board;
use crate::games::GameId;
use crate::protocol::StartedEngine;
use crate::search::{Clock, Limits, Stop};
use crate::tune::Knob;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Positions that the engine is asked about, and that a knob is probed with.
const POSITIONS: u64 = 16;
/// The same before a tune whose limit is not a time.
const MORE_POSITIONS: u64 = 48;
/// The limits that are tried.
const NODES: u64 = 2_000;
const DEPTH: u32 = 5;
const MOVETIME: Duration = Duration::from_millis(100);
const CLOCK: Duration = Duration::from_secs(2);
/// The time for the probes of all knobs.
pub const PROBE_TIME: Duration = Duration::from_secs(100);
/// Changed moves that a knob is taken to have beside its own, in the mean proportion of all: few
/// positions say little about a single knob.
const USUAL_MOVES: f64 = 2.0;
/// The least and the greatest factor on a step.
const STEP_FACTORS: [f64; 2] = [0.25, 4.0];
/// How long a move without a limit of time is waited for: such a search takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(10);

/// Which limits of a search an engine respects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LimitsCheck {
    /// Whether `go nodes` ends near that number of nodes.
    pub nodes: bool,
    /// Whether `go depth` ends at that depth.
    pub depth: bool,
    /// Time for a move.
    pub movetime: bool,
    /// Whether a game's clock is kept.
    pub clock: bool,
}

/// The effect of a knob.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum KnobVerdict {
    /// The search differs on both sides of the start.
    Fine,
    /// No search differs, not even with its least and its greatest value: a tune learns nothing of
    /// it.
    Dead,
    /// No search differs one step away, but some do with its least or its greatest value.
    Weak,
    /// The search differs on one side only.
    OneSided,
    /// With the knob the engine does not repeat itself.
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
    /// Positions, of those that were asked, whose search differs with these values.
    pub changed: [u64; 2],
    /// Positions whose best move differs.
    pub moves: [u64; 2],
    /// The probe's verdict on the knob.
    pub verdict: KnobVerdict,
    /// The factor on its step with which it would change as many moves as the knobs do in the mean,
    /// 0.25 to 4; null where that is not known.
    pub step_factor: Option<f64>,
}

/// The probe of the knobs before a tune.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KnobsProbe {
    /// The limits of each search; null where the engine keeps no limit that lets it repeat itself,
    /// or does not repeat itself.
    pub limits: Option<Limits>,
    /// The number of positions that were searched.
    pub positions: u64,
    /// The knobs that were probed.
    pub knobs: Vec<KnobProbe>,
    /// Knobs for which the time did not suffice, or that need an engine that repeats itself.
    pub not_probed: Vec<String>,
}

/// The result of an examination.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EngineCheck {
    /// Which limits it respects.
    pub limits: LimitsCheck,
    /// Whether it answers the same when it is asked again, also after a new start.
    pub deterministic: bool,
    /// Nodes a second within the time for a move; null where it does not count nodes.
    pub nodes_per_second: Option<u64>,
    /// Positions that were asked.
    pub positions: u64,
    /// The probe of its knobs.
    pub knobs: Vec<KnobProbe>,
    /// Knobs for which the time did not suffice, or that need an engine that repeats itself.
    pub not_probed: Vec<String>,
    /// Faults of the engine, in words.
    pub problems: Vec<String>,
}

/// The examination under way.
struct Examination<'a> {
    engine: &'a StartedEngine,
    openings: Vec<AnyOpening>,
    problems: Vec<String>,
    interrupt: Stop,
}

/// Examines an engine within a time; `c` is a step as a share of a knob's range.
///
/// # Errors
/// When the game has no such board.
pub fn examine(
    engine: &StartedEngine,
    (game, board): (GameId, Board),
    knobs: &[Knob],
    c: f64,
    time: Duration,
) -> Result<EngineCheck> {
    let until = Instant::now() + time;
    let mut examination = Examination::new(engine, (game, board), POSITIONS, &Stop::default())?;
    let (limits, speed) = examination.limits();
    let fixed = match limits {
        // Searches to a depth differ in their nodes where their moves are still the same.
        LimitsCheck { depth: true, .. } => Some(Limits { depth: Some(DEPTH), ..Limits::default() }),
        LimitsCheck { nodes: true, .. } => Some(Limits::nodes(NODES)),
        _ => None,
    };
    let KnobsProbe { limits: repeated, positions, knobs, not_probed } =
        examination.probe_all(knobs, c, fixed, until);
    Ok(EngineCheck {
        limits,
        deterministic: repeated.is_some(),
        nodes_per_second: speed,
        positions,
        knobs,
        not_probed,
        problems: examination.problems,
    })
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

/// Sets the factors on the steps of knobs that change something; `reach` says for each how many steps
/// from the start its values were, both sides together.
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

impl EngineCheck {
    /// Whether no tune can be played with it: it respects no limit.
    pub fn is_unfit(&self) -> bool {
        let LimitsCheck { nodes, depth, movetime, clock } = self.limits;
        !(nodes || depth || movetime || clock)
    }
}

impl<'a> Examination<'a> {
    fn new(
        engine: &'a StartedEngine,
        on: (GameId, Board),
        count: u64,
        interrupt: &Stop,
    ) -> Result<Self> {
        let line = |number, again| generator(number, &[again]);
        let openings = random_openings(on, count, line)?;
        Ok(Self { engine, openings, problems: Vec::new(), interrupt: interrupt.clone() })
    }

    /// Limits that an engine can repeat, of about the searches that these allow.
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

    /// Probes the knobs one after the other until a moment; none where the engine does not repeat
    /// itself.
    fn probe_all(
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

    /// The answers in all positions, or the first failure.
    fn ask_all(
        &self,
        player: &mut dyn GamePlayer,
        limits: &Limits,
    ) -> std::result::Result<Vec<MoveChoice>, Forfeit> {
        self.ask_first(self.openings.len(), player, limits)
    }

    /// The answers in the first positions, or the first failure. A late answer counts only if it is
    /// late again: the machine may have been busy.
    fn ask_first(
        &self,
        count: usize,
        player: &mut dyn GamePlayer,
        limits: &Limits,
    ) -> std::result::Result<Vec<MoveChoice>, Forfeit> {
        let mut answer = |opening| ask(player, opening, limits, &self.interrupt);
        let answers = self.openings.iter().take(count).map(|opening| match answer(opening) {
            Err(fault) if fault.kind == ForfeitKind::Late => answer(opening),
            answered => answered,
        });
        answers.collect()
    }

    fn player(&self) -> Box<dyn GamePlayer> {
        self.engine.player(Some(PATIENCE))
    }

    /// The same without the times, which always differ.
    fn timeless(
        &self,
        count: usize,
        player: &mut dyn GamePlayer,
        limits: &Limits,
    ) -> std::result::Result<Vec<MoveChoice>, Forfeit> {
        let mut answers = self.ask_first(count, player, limits)?;
        answers.iter_mut().for_each(|choice| choice.time = Duration::ZERO);
        Ok(answers)
    }

    /// Which limits are respected, and the nodes a second.
    fn limits(&mut self) -> (LimitsCheck, Option<u64>) {
        let mut player = self.player();
        let mut answers = |what: &str, limits: Limits| {
            let found = self.ask_all(&mut *player, &limits);
            found
                .map_err(|fault| self.problems.push(format!("{what}: {}", fault.text())))
                .unwrap_or_default()
        };
        let by_nodes = answers("go nodes", Limits::nodes(NODES));
        let by_depth = answers("go depth", Limits { depth: Some(DEPTH), ..Limits::default() });
        let by_time =
            answers("go movetime", Limits { movetime: Some(MOVETIME), ..Limits::default() });
        let clock = Clock::new(CLOCK, CLOCK / 100);
        let by_clock = answers("go wtime", Limits { clock: Some(clock), ..Limits::default() });
        let nodes = median(by_nodes.iter().map(|choice| choice.nodes));
        let depth = median(by_depth.iter().map(|choice| u64::from(choice.depth)));
        let mut is_right = |what: &str, found: Option<u64>, [least, most]: [u64; 2]| {
            let Some(found) = found else { return false };
            let is_right = found == 0 || (least..=most).contains(&found);
            if !is_right {
                self.problems.push(format!("{what} is not respected: it reports {found}"));
            }
            is_right
        };
        let nodes = is_right(&format!("go nodes {NODES}"), nodes, [NODES / 2, 2 * NODES]);
        let depth = is_right(&format!("go depth {DEPTH}"), depth, [1, u64::from(DEPTH)]);
        let searched: u64 = by_time.iter().map(|choice| choice.nodes).sum();
        let seconds: f64 = by_time.iter().map(|choice| choice.time.as_secs_f64()).sum();
        let speed = (searched > 0).then(|| (searched as f64 / seconds.max(1e-3)) as u64);
        let [movetime, clock] = [&by_time, &by_clock].map(|answers| !answers.is_empty());
        (LimitsCheck { nodes, depth, movetime, clock }, speed)
    }

    /// The searches with these options, if they are the same again, in the same process and in a new
    /// one.
    fn repeated(
        &mut self,
        options: &BTreeMap<String, String>,
        limits: &Limits,
    ) -> Option<Vec<MoveChoice>> {
        let mut searches = Vec::new();
        for _ in 0..2 {
            let mut player = self.player();
            player.configure(options);
            for _ in 0..2 {
                searches.push(self.timeless(self.openings.len(), &mut *player, limits).ok()?);
            }
        }
        let is_same = searches.windows(2).all(|two| two[0] == two[1]);
        if !is_same {
            self.problems.push(
                "it does not repeat itself: a resumed tune differs from an uninterrupted one"
                    .into(),
            );
        }
        searches.pop().filter(|_| is_same)
    }

    /// Compares the searches a step to each side of a knob's start with the usual ones, where all
    /// knobs have these starts. Gives also how many steps from the start the two values were, both
    /// together.
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

fn median(numbers: impl Iterator<Item = u64>) -> Option<u64> {
    let mut numbers: Vec<u64> = numbers.collect();
    numbers.sort_unstable();
    numbers.get(numbers.len() / 2).copied()
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
