//! A short examination of an external engine: which limits it respects, whether its searches
//! repeat, and what its knobs change.

mod knob_probe;

use crate::any::AnyOpening;
use crate::arena::ask::{ask, random_openings};
use crate::arena::seed::generator;
use crate::arena::{Forfeit, ForfeitKind, GamePlayer, MoveChoice, ReportedScore};
use crate::error::{Error, Result};
use crate::game::Board;
use crate::games::GameId;
use crate::protocol::StartedEngine;
use crate::report::units::count;
use crate::search::{Clock, Limits, Stop};
use crate::tune::Knob;
pub use knob_probe::{KnobProbe, KnobVerdict, KnobsProbe, PROBE_TIME, probe_knobs};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Positions in which the engine is asked for a move, and each knob is probed.
const POSITIONS: u64 = 16;
/// The limits that are tried.
const NODES: u64 = 2_000;
const DEPTH: u32 = 5;
const MOVETIME: Duration = Duration::from_millis(100);
const CLOCK: Duration = Duration::from_secs(2);
/// Positions in which the engine is asked for a move before a run.
const ASKED_FIRST: u64 = 3;
/// Below this limit of nodes an engine's least search may exceed the limit.
const FEW_NODES: u64 = 1_000;
/// An engine that searches this many times fewer or more nodes than allowed does not respect the limit.
const FAR: u64 = 10;
/// How long to wait for a move without a limit of time: such a search takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(10);

/// Which limits of a search an engine respects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LimitsCheck {
    /// Whether `go nodes` ends near that number of nodes.
    pub nodes: bool,
    /// Whether `go depth` ends at that depth.
    pub depth: bool,
    /// Whether a move keeps to `go movetime`.
    pub movetime: bool,
    /// Whether a move keeps to a game's clock.
    pub clock: bool,
}

/// The result of an examination.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EngineCheck {
    /// Which limits it respects.
    pub limits: LimitsCheck,
    /// Whether it gives the same answers when asked again, even after a restart.
    pub deterministic: bool,
    /// Nodes a second within the time for a move; null where it does not count nodes.
    pub nodes_per_second: Option<u64>,
    /// Positions that were asked.
    pub positions: u64,
    /// The probe of its knobs.
    pub knobs: Vec<KnobProbe>,
    /// Knobs that were not probed, because time was short or because the engine's searches do not
    /// repeat.
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
        // At a fixed depth, searches with equal moves still differ in their nodes.
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

/// Checks before a run that an engine ends its searches within these limits: if it misreads a limit
/// of nodes or depth, games are worthless or never end. Limits of time are left to the games.
///
/// # Errors
/// When a search does not end in time, or has far more or far fewer nodes than allowed.
pub fn check_limits(
    engine: &StartedEngine,
    (game, board): (GameId, Board),
    limits: &Limits,
) -> Result<()> {
    if !limits.is_deterministic() {
        return Ok(());
    }
    let openings =
        random_openings((game, board), ASKED_FIRST, |number, again| generator(number, &[again]))?;
    let (mut player, mut found) = (engine.player(None), Vec::new());
    let refuse = |reason: String| {
        Err(Error::input(format!("engine `{}`", engine.engine().name()), reason)
            .remedy("take another limit; `spar check` says which ones it respects"))
    };
    for opening in &openings {
        match ask(&mut *player, opening, limits, &Stop::default()) {
            Ok(choice) => found.push(choice),
            Err(fault) if fault.kind == ForfeitKind::Stall => {
                return refuse(format!("the limit of {limits} is not respected: {}", fault.text()));
            }
            // A game may have such a fault too, and the run counts it.
            Err(_) => {}
        }
    }
    let Some(nodes) = limits.nodes else { return Ok(()) };
    let Some(found) = median_nodes(&found, nodes) else { return Ok(()) };
    let allowed = [nodes / FAR, nodes.saturating_mul(FAR)];
    match nodes < FEW_NODES || found == 0 || (allowed[0]..=allowed[1]).contains(&found) {
        true => Ok(()),
        false => {
            refuse(format!("the limit of {limits} is not respected: it reports {}", count(found)))
        }
    }
}

/// The median of the nodes that searches with this limit report; 0 if they report none. A search
/// may end early with a mate, so those that do are left out.
fn median_nodes(answers: &[MoveChoice], limit: u64) -> Option<u64> {
    let is_mate = |choice: &MoveChoice| matches!(choice.reported, Some(ReportedScore::Mate(_)));
    let whole = answers.iter().filter(|choice| choice.nodes >= limit || !is_mate(choice));
    median(whole.map(|choice| choice.nodes)).or((!answers.is_empty()).then_some(0))
}

impl EngineCheck {
    /// Whether it respects no limit, so that no tune can be played with it.
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

    /// The answers in the first positions without their times, which always differ.
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
        let nodes = median_nodes(&by_nodes, NODES);
        let depth = median(by_depth.iter().map(|choice| u64::from(choice.depth)));
        let mut is_right = |what: &str, found: Option<u64>, [least, most]: [u64; 2]| {
            let Some(found) = found else { return false };
            let is_right = found == 0 || (least..=most).contains(&found);
            if !is_right {
                let found = count(found);
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

    /// The searches with these options, if they repeat: in a new process and, unless the engine is
    /// restarted for each set of options, in the same process.
    fn repeated(
        &mut self,
        options: &BTreeMap<String, String>,
        limits: &Limits,
    ) -> Option<Vec<MoveChoice>> {
        let mut searches = Vec::new();
        let in_a_process = if self.engine.engine().restarts { 1 } else { 2 };
        for _ in 0..2 {
            let mut player = self.player();
            player.configure(options);
            for _ in 0..in_a_process {
                searches.push(self.timeless(self.openings.len(), &mut *player, limits).ok()?);
            }
        }
        let is_same = searches.windows(2).all(|two| two[0] == two[1]);
        if !is_same {
            let problem = match in_a_process == 2 && searches[..2] == searches[2..] {
                true => {
                    "it repeats itself only in a new process: `ucinewgame` keeps something of \
                     the previous game. With --restart a tune starts a new process for each \
                     pair"
                }
                false => {
                    "it does not repeat itself: a resumed tune differs from an uninterrupted one"
                }
            };
            self.problems.push(problem.into());
        }
        searches.pop().filter(|_| is_same)
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
    fn a_search_that_ends_with_a_mate_says_nothing_against_a_limit() {
        let search = |nodes, reported| MoveChoice { nodes, reported, ..MoveChoice::of_move(None) };
        let (mate, cp) = (Some(ReportedScore::Mate(3)), Some(ReportedScore::Centipawns(12)));
        let mates = [search(238, mate), search(90, mate)];
        assert_eq!(median_nodes(&mates, 2000), Some(0));
        assert_eq!(median_nodes(&[mates[0], mates[1], search(2003, cp)], 2000), Some(2003));
        assert_eq!(median_nodes(&[search(90_000, mate), search(80_000, cp)], 2000), Some(90_000));
        assert_eq!(median_nodes(&[mates[0], search(200, cp)], 2000), Some(200));
        assert_eq!(median_nodes(&[], 2000), None);
    }
}
