//! A fit of the options of an external engine: the values with which its own evaluation best
//! predicts the results of its own games.
//!
//! The evaluation is a black box, so its coefficients are measured. For each quiet position the
//! engine reports the score of a search of one ply: at the start values, and then with each knob in
//! turn a step below and a step above its start. The differences are the rows of a Jacobian. A
//! logistic model is fitted to them, as to [rows](super::rows) from another program:
//!
//! ```text
//! games -> quiet positions -> scores at the start and beside it -> Rows -> fit -> FittedOptions
//! ```
//!
//! A game is a function of its number, and games are taken in the order of their numbers. So a
//! deterministic engine gives the same answer on any number of threads.

mod harvest;
mod model;
pub(super) mod probe;

pub use harvest::GameHarvest;
pub use model::{FittedKnob, FittedOptions, KnobSight, OptionScale};

use super::knob::Knob;
use super::rows::RowsConfig;
use crate::arena::queue::{Queue, Threads};
use crate::arena::{Book, Forfeit, GameEnds, PlayerFactory, Pool};
use crate::error::{Error, Result};
use crate::search::{Limits, Stop};
use harvest::{HarvestTask, Harvesting};
use probe::{KnobProbes, start_options};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The share of lost games or positions above which the engine is at fault.
const MOST_FAULTS: f64 = 0.05;
/// The number of faults that never ends a fit, whatever their share.
const FEW_FAULTS: u64 = 10;
/// Games in progress for each thread.
const GAMES_AHEAD: u64 = 2;
/// Games in a row without a usable position after which the fit ends.
const MOST_EMPTY: u64 = 50;

/// The settings of a fit of options. With a limit by nodes or depth, the answer is a function of
/// these settings and of the engine.
#[derive(Clone, Debug)]
pub struct OptionFitConfig {
    /// The knobs, with their starts.
    pub knobs: Vec<Knob>,
    /// Half the distance between the two sides of a knob, as a share of its range.
    pub c: f64,
    /// The number of positions to collect.
    pub positions: u64,
    /// The limits of each move of the games.
    pub limits: Limits,
    /// When games end early.
    pub ends: GameEnds,
    /// The seed of the choice of positions.
    pub seed: u64,
    /// Weight of the search score in the target; the rest is the game's result.
    pub blend: f64,
    /// More options than the knobs, set only in the process that scores positions.
    pub while_valued: BTreeMap<String, String>,
    /// The settings of the fit to the rows.
    pub rows: RowsConfig,
}

impl OptionFitConfig {
    /// The number of positions by default.
    pub const POSITIONS: u64 = 20_000;
    /// Weight of the search score by default.
    pub const BLEND: f64 = 0.0;
    /// The search depth of the scores of positions, in plies.
    pub const DEPTH: u32 = 1;
}

/// A position with the engine's scores, in hundredths of a pawn from the side to move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ValuedPosition {
    /// The position itself, without its game.
    pub fen: String,
    /// The number of its game.
    pub game: u32,
    /// The score of the search in the game.
    pub searched: f64,
    /// The result of the game, 0 to 1, from the side to move.
    pub result: f64,
    /// The score of a search of one ply with the values of the start.
    pub value: f64,
    /// The effects on that score of the knobs that move it.
    pub slopes: Vec<Slope>,
}

/// The effect of a knob on the score of a position. Files hold its three numbers as a list.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "SlopeNumbers", into = "SlopeNumbers")]
pub struct Slope {
    /// The place of the knob.
    pub knob: u16,
    /// The change of the score for one step of the knob, by the central difference if both sides
    /// are within the bounds.
    pub slope: f32,
    /// The second difference: the sum of the two sides' changes of the score. `None` if only one
    /// side is within the bounds.
    pub bend: Option<f32>,
}

/// The knob's place, the slope and the bend.
type SlopeNumbers = (u16, f32, Option<f32>);

impl From<SlopeNumbers> for Slope {
    fn from((knob, slope, bend): SlopeNumbers) -> Self {
        Self { knob, slope, bend }
    }
}

impl From<Slope> for SlopeNumbers {
    fn from(Slope { knob, slope, bend }: Slope) -> Self {
        (knob, slope, bend)
    }
}

/// Counts of what was collected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HarvestCounts {
    /// Games from which positions were used.
    pub games: u64,
    /// Games without a result, because the engine failed in them.
    pub void_games: u64,
    /// Positions that were used.
    pub positions: u64,
    /// Positions left out because one of their scores is a mate or missing.
    pub mates: u64,
    /// Positions left out because the engine failed on them.
    pub failed: u64,
    /// Positions whose score at the start changed when it was asked for again.
    pub unsteady: u64,
}

/// The positions of a fit.
#[derive(Clone, Debug, Default)]
pub struct OptionHarvest {
    /// The positions, game by game.
    pub positions: Vec<ValuedPosition>,
    /// The counts of games and positions, used and left out.
    pub counts: HarvestCounts,
    /// The last failure of the engine.
    last_fault: Option<Forfeit>,
    /// Games in a row that gave no position.
    empty: u64,
}

/// Keeps the games of a fit, and shows their counts.
pub trait HarvestLog {
    /// The games that were kept earlier, in their order. They are not played again.
    ///
    /// # Errors
    /// When the games cannot be read.
    fn recall(&mut self) -> Result<Vec<GameHarvest>> {
        Ok(Vec::new())
    }

    /// Keeps the next game.
    ///
    /// # Errors
    /// When the game cannot be kept.
    fn keep(&mut self, game: &GameHarvest) -> Result<()> {
        let _ = game;
        Ok(())
    }

    /// Shows the counts after a game.
    fn show(&mut self, counts: &HarvestCounts) {
        let _ = counts;
    }
}

/// Keeps nothing and shows nothing.
impl HarvestLog for () {}

/// Plays games and scores their positions. The log supplies the games that were kept earlier, keeps
/// each new one, and shows the counts.
///
/// # Errors
/// When the engine fails in more than a twentieth of the games or positions, does not repeat its
/// scores, or gives none; when a game cannot be kept; and when the work is interrupted.
pub fn collect(
    engine: &Arc<dyn PlayerFactory>,
    config: &OptionFitConfig,
    book: &mut Book,
    threads: &Threads,
    interrupt: &Stop,
    log: &mut dyn HarvestLog,
) -> Result<OptionHarvest> {
    let common = Arc::new(Harvesting {
        engine: engine.clone(),
        probes: KnobProbes::new(&config.knobs, config.c),
        start: start_options(&config.knobs),
        while_valued: config.while_valued.clone(),
        limits: config.limits,
        ends: config.ends,
        seed: config.seed,
        seats: Pool::default(),
        interrupt: interrupt.clone(),
        at_once: Stop::default(),
    });
    let mut queue: Queue<GameHarvest> = Queue::new(threads);
    let mut found = OptionHarvest::default();
    let mut kept = log.recall()?.into_iter();
    let mut numbers = kept.len() as u64..;
    // Skip the openings of the games that were kept.
    kept.as_slice().iter().for_each(|_| drop(book.draw()));
    let collected = found.fill(config.positions, log, &mut || {
        if let Some(game) = kept.next() {
            return Ok((game, true));
        }
        while queue.pending() < GAMES_AHEAD * threads.count() as u64 && !interrupt.is_set() {
            let (number, (_, opening)) = (numbers.next().unwrap_or_default(), book.draw());
            queue.submit(HarvestTask { common: common.clone(), number, opening });
        }
        let game = queue.take().filter(|game| !game.is_stopped).ok_or_else(|| {
            engine.fault().unwrap_or_else(|| Error::interrupted("fit", "stopped early"))
        })?;
        Ok((game, false))
    });
    // The games still in progress are no longer needed.
    common.at_once.set();
    collected.map(|()| found)
}

impl OptionHarvest {
    /// Takes games until there are enough positions. `next` also tells whether the game has been
    /// kept already.
    fn fill(
        &mut self,
        wanted: u64,
        log: &mut dyn HarvestLog,
        next: &mut dyn FnMut() -> Result<(GameHarvest, bool)>,
    ) -> Result<()> {
        while self.counts.positions < wanted {
            let (game, is_kept) = next()?;
            if !is_kept {
                log.keep(&game)?;
            }
            self.add(game, wanted);
            self.check()?;
            log.show(&self.counts);
        }
        Ok(())
    }

    /// Adds a game, with no more of its positions than are still wanted.
    fn add(&mut self, game: GameHarvest, wanted: u64) {
        let counts = &mut self.counts;
        counts.mates += game.mates;
        counts.failed += game.failed;
        counts.unsteady += game.unsteady;
        counts.void_games += u64::from(game.is_void);
        self.last_fault = game.fault.or(self.last_fault.take());
        let left = (wanted - counts.positions) as usize;
        let mut positions = game.positions;
        positions.truncate(left);
        self.empty = if positions.is_empty() { self.empty + 1 } else { 0 };
        if positions.is_empty() {
            return;
        }
        let number = counts.games as u32;
        counts.games += 1;
        counts.positions += positions.len() as u64;
        positions.iter_mut().for_each(|position| position.game = number);
        self.positions.append(&mut positions);
    }

    /// Checks the counts so far for an engine that cannot be fitted.
    fn check(&self) -> Result<()> {
        let HarvestCounts { games, void_games, positions, failed, unsteady, mates } = self.counts;
        let is_too_much = |bad: u64, good: u64| {
            bad > FEW_FAULTS && bad as f64 > MOST_FAULTS * (bad + good) as f64
        };
        let words = self.last_fault.as_ref().map_or(String::new(), |fault| fault.text());
        if is_too_much(void_games, games) {
            let reason =
                format!("it failed in {void_games} of {} games: {words}", games + void_games);
            return Err(Error::failed("games", reason)
                .remedy("find the fault with `spar check`, or try another limit"));
        }
        if is_too_much(failed, positions) {
            let reason =
                format!("it failed on {failed} of {} positions: {words}", failed + positions);
            return Err(Error::failed("positions", reason)
                .remedy("leave out the knob that it fails with, or fix the engine"));
        }
        if is_too_much(unsteady, positions) {
            let reason = format!(
                "asked again, it scored {unsteady} of {positions} positions differently at one ply"
            );
            return Err(Error::failed("scores", reason).remedy(
                "turn off its randomness with --option, or restart it for each value with --restart",
            ));
        }
        if self.empty >= MOST_EMPTY {
            let reason = format!(
                "{MOST_EMPTY} games in a row gave no position; {mates} positions had a mate or no score"
            );
            return Err(Error::failed("scores", reason)
                .remedy("it must report `score cp` in searches of one ply; see `spar check`"));
        }
        Ok(())
    }
}
