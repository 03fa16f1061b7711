//! A short examination of an external engine: which limits it respects, whether it repeats itself,
//! and what its knobs change.

use crate::any::AnyOpening;
use crate::arena::ask::{ask, random_openings};
use crate::arena::seed::generator;
use crate::arena::{Forfeit, ForfeitKind, GamePlayer, MoveChoice};
use crate::error::Result;
use crate::game::Board;
use crate::games::GameId;
use crate::protocol::StartedEngine;
use crate::search::{Clock, Limits, Stop};
use crate::tune::Knob;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Positions that the engine is asked about, and those that a knob is probed with.
const POSITIONS: u64 = 16;
/// The limits that are tried.
const NODES: u64 = 2_000;
const DEPTH: u32 = 5;
const MOVETIME: Duration = Duration::from_millis(100);
const CLOCK: Duration = Duration::from_secs(2);
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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
#[derive(Clone, Debug, PartialEq, Serialize)]
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
    never: Stop,
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
    let line = |number, again| generator(number, &[again]);
    let openings = random_openings((game, board), POSITIONS, line)?;
    let mut examination =
        Examination { engine, openings, problems: Vec::new(), never: Stop::default() };
    let (limits, speed) = examination.limits();
    let fixed = match limits {
        // Searches to a depth differ in their nodes where their moves are still the same.
        LimitsCheck { depth: true, .. } => Some(Limits { depth: Some(DEPTH), ..Limits::default() }),
        LimitsCheck { nodes: true, .. } => Some(Limits::nodes(NODES)),
        _ => None,
    };
    let usual = fixed.and_then(|fixed| examination.repeated(&fixed));
    let mut check = EngineCheck {
        limits,
        deterministic: usual.is_some(),
        nodes_per_second: speed,
        positions: examination.openings.len() as u64,
        knobs: Vec::new(),
        not_probed: Vec::new(),
        problems: Vec::new(),
    };
    for knob in knobs {
        match usual.as_ref().zip(fixed).filter(|_| Instant::now() < until) {
            Some((usual, fixed)) => {
                check.knobs.push(examination.probe(knob, c, usual, &fixed));
            }
            None => check.not_probed.push(knob.name.clone()),
        }
    }
    check.problems = examination.problems;
    Ok(check)
}

impl EngineCheck {
    /// Whether no tune can be played with it: it respects no limit.
    pub fn is_unfit(&self) -> bool {
        let LimitsCheck { nodes, depth, movetime, clock } = self.limits;
        !(nodes || depth || movetime || clock)
    }
}

impl Examination<'_> {
    /// The answers in all positions, or the first failure. A late answer counts only if it is late
    /// again: the machine may have been busy.
    fn ask_all(
        &self,
        player: &mut dyn GamePlayer,
        limits: &Limits,
    ) -> std::result::Result<Vec<MoveChoice>, Forfeit> {
        let mut answer = |opening| ask(player, opening, limits, &self.never);
        let answers = self.openings.iter().map(|opening| match answer(opening) {
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
        player: &mut dyn GamePlayer,
        limits: &Limits,
    ) -> std::result::Result<Vec<MoveChoice>, Forfeit> {
        let mut answers = self.ask_all(player, limits)?;
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

    /// The searches, if they are the same again, in the same process and in a new one.
    fn repeated(&mut self, limits: &Limits) -> Option<Vec<MoveChoice>> {
        let mut searches = Vec::new();
        for _ in 0..2 {
            let mut player = self.player();
            for _ in 0..2 {
                searches.push(self.timeless(&mut *player, limits).ok()?);
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

    /// Compares the searches a step to each side of a knob's start with the usual ones.
    fn probe(&mut self, knob: &Knob, c: f64, usual: &[MoveChoice], limits: &Limits) -> KnobProbe {
        let mut player = self.player();
        let step = knob.step(c);
        let tried = [-step, step].map(|step| {
            let value = (knob.start + step).clamp(knob.min, knob.max);
            knob.kind.nearest(value, [knob.min, knob.max])
        });
        let mut ask = |value: f64| {
            let option = (knob.option().to_owned(), knob.kind.text(value));
            player.configure(&BTreeMap::from([option]));
            self.timeless(&mut *player, limits)
        };
        let (mut changed, mut moves, mut verdict) = ([0; 2], [0; 2], KnobVerdict::Fine);
        for (side, &value) in tried.iter().enumerate() {
            let (Ok(first), Ok(second)) = (ask(value), ask(value)) else {
                verdict = KnobVerdict::Fails;
                continue;
            };
            if first != second {
                verdict = KnobVerdict::Random;
            }
            let pairs = || first.iter().zip(usual);
            changed[side] = pairs().filter(|(new, old)| new != old).count() as u64;
            moves[side] = pairs().filter(|(new, old)| new.best != old.best).count() as u64;
        }
        if verdict == KnobVerdict::Fine {
            verdict = match changed {
                [0, 0] => {
                    let is_other = |value| ask(value).is_ok_and(|found| found != usual);
                    let is_weak = [knob.min, knob.max].into_iter().any(is_other);
                    if is_weak { KnobVerdict::Weak } else { KnobVerdict::Dead }
                }
                [0, _] | [_, 0] => KnobVerdict::OneSided,
                _ => KnobVerdict::Fine,
            };
        }
        KnobProbe { name: knob.name.clone(), tried, changed, moves, verdict }
    }
}

fn median(numbers: impl Iterator<Item = u64>) -> Option<u64> {
    let mut numbers: Vec<u64> = numbers.collect();
    numbers.sort_unstable();
    numbers.get(numbers.len() / 2).copied()
}
