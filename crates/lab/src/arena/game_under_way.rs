//! A game while it is played, and how it ends.

use super::play::{GameEnding, SideTotals};
use crate::any::{AnyMove, AnyOpening};
use crate::arena::{Audit, Forfeit, PlayedGame, SearchNote};
use crate::game::{Outcome, Side};

/// How a game ends.
pub(super) struct End {
    outcome: Outcome,
    ending: GameEnding,
    forfeit: Option<Forfeit>,
}

impl End {
    pub(super) fn new(outcome: Outcome, ending: GameEnding) -> Self {
        Self { outcome, ending, forfeit: None }
    }

    pub(super) fn stopped() -> Self {
        Self::new(Outcome::Draw, GameEnding::Stopped)
    }

    /// An end without a winner, by a failure of the referee.
    pub(super) fn void(fault: Forfeit) -> Self {
        Self { forfeit: Some(fault), ..Self::new(Outcome::Draw, GameEnding::Forfeit) }
    }

    pub(super) fn lost(loser: Side, ending: GameEnding, forfeit: Forfeit) -> Self {
        Self { forfeit: Some(forfeit), ..Self::new(Outcome::Win(loser.other()), ending) }
    }
}

/// The moves of a game, and what they took.
pub(super) struct GameUnderWay<'a> {
    pub(super) opening: &'a AnyOpening,
    pub(super) moves: &'a mut Vec<AnyMove>,
    pub(super) totals: [SideTotals; 2],
    pub(super) searches: Vec<SearchNote>,
    pub(super) audit: Option<Audit>,
}

impl<'a> GameUnderWay<'a> {
    pub(super) fn new(opening: &'a AnyOpening, moves: &'a mut Vec<AnyMove>) -> Self {
        let totals = [SideTotals::default(); 2];
        Self { opening, moves, totals, searches: Vec::new(), audit: None }
    }

    pub(super) fn ended(self, End { outcome, ending, forfeit }: End) -> PlayedGame {
        let moves = self.opening.position.line_text(self.moves);
        let Self { totals, searches, audit, .. } = self;
        PlayedGame { moves, outcome, ending, forfeit, totals, searches, audit }
    }
}
