//! An external engine that judges whether random openings are balanced, in games that no engine of
//! this program plays.

use crate::any::AnyOpening;
use crate::arena::adjudication::ReportedScore;
use crate::arena::ask::ask;
use crate::arena::player::{GamePlayer, PlayerFactory};
use crate::arena::pool::Pool;
use crate::eval::Score;
use crate::search::{Clock, Limits, Stop};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// The share of a move's limits that a judgement uses, and the plies by which its depth is reduced.
const SHARE: f64 = 0.1;
const FEWER_PLIES: u32 = 2;
/// The number of moves that a clock's time is assumed to last for.
const MOVES_OF_A_CLOCK: u32 = 40;
/// The least time of a judgement.
const LEAST_TIME: Duration = Duration::from_millis(10);
/// The score of a position with a reported mate, in hundredths of a pawn: never balanced.
const DECIDED: Score = 1_000_000;

/// Judges openings by short searches. Scores repeat, except under limits of time.
pub struct EngineJudge {
    engine: Arc<dyn PlayerFactory>,
    options: BTreeMap<String, String>,
    limits: Limits,
    players: Pool<Box<dyn GamePlayer>>,
}

impl EngineJudge {
    /// A judge for games in which each move has these limits, with these options set.
    pub fn new(
        engine: &Arc<dyn PlayerFactory>,
        options: &BTreeMap<String, String>,
        limits: Limits,
    ) -> Self {
        let (engine, options) = (engine.clone(), options.clone());
        Self { engine, options, limits: short(limits), players: Pool::default() }
    }

    /// The score of an opening from the side to move, in hundredths of a pawn. If the engine fails
    /// or reports no score, it is 0: the opening is kept, and the fault shows in the game.
    pub(super) fn score(&self, opening: &AnyOpening) -> Score {
        let mut player = self.players.take().unwrap_or_else(|| {
            let mut player = self.engine.new_player();
            player.configure(&self.options);
            player
        });
        let choice = ask(&mut *player, opening, &self.limits, &Stop::default());
        self.players.give(player);
        match choice.ok().and_then(|choice| choice.reported) {
            Some(ReportedScore::Centipawns(cp)) => cp,
            Some(ReportedScore::Mate(_)) => DECIDED,
            None => 0,
        }
    }
}

/// The limits of a judgement.
fn short(limits: Limits) -> Limits {
    let time = |clock: Clock| clock.left / MOVES_OF_A_CLOCK + clock.increment;
    let movetime = limits.movetime.or(limits.clock.map(time));
    Limits {
        depth: limits.depth.map(|depth| depth.saturating_sub(FEWER_PLIES).max(1)),
        movetime: movetime.map(|time| time.mul_f64(SHARE).max(LEAST_TIME)),
        clock: None,
        ..limits.share(SHARE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_judgement_takes_a_tenth_of_a_move() {
        assert_eq!(short(Limits::nodes(20_000)), Limits::nodes(2_000));
        let deep = |depth| Limits { depth: Some(depth), ..Limits::default() };
        assert_eq!([6, 2, 1].map(|depth| short(deep(depth))), [4, 1, 1].map(deep));
        let clock = Clock::new(Duration::from_secs(8), Duration::from_millis(80));
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        assert_eq!(short(limits), Limits::movetime(Duration::from_millis(28)));
        assert_eq!(short(Limits::movetime(Duration::from_millis(20))).movetime, Some(LEAST_TIME));
    }
}
