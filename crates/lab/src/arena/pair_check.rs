//! Checks that a game from a worker can have been played, and can have ended as it says.

use super::adjudication::{Adjudication, Audit, ScoreJudge, ScoreRules, is_audited};
use super::pair_record::PlayedGame;
use super::play::GameEnding;
use super::record::result_text;
use super::spec::{PairSpec, PlayerBody};
use crate::any::{AnyMove, AnyOpening};
use crate::error::{Error, Result};
use crate::game::{Outcome, Side};

impl PlayedGame {
    /// Checks a game from this opening; see [`PairRecord::check`](super::PairRecord::check).
    pub(super) fn check(
        &self,
        opening: &AnyOpening,
        spec: &PairSpec,
        is_second_game: bool,
    ) -> Result<()> {
        let ends = spec.ends();
        let most_plies = ends.most_plies as usize;
        let Replayed { moves, sides, ruled } = replay(opening, &self.moves, most_plies)?;
        let outcome = self.outcome;
        let loser = self.forfeited_by().map(|side| spec.sides(is_second_game)[side.index()]);
        let has_failed = |can_fail: bool| ruled.is_none() && can_fail;
        let is_right = match self.ending {
            GameEnding::Rules => ruled == Some(outcome),
            GameEnding::Length => moves.len() == most_plies && outcome == Outcome::Draw,
            GameEnding::Adjudicated => {
                let is_won = outcome != Outcome::Draw;
                ends.adjudication == Adjudication::Proven && ruled.is_none() && is_won
            }
            GameEnding::Scores => {
                matches!(spec.adjudication, Adjudication::Scores(_)) && ruled.is_none()
            }
            // Our own engine never fails, but its clock may run out.
            GameEnding::Forfeit => {
                has_failed(loser.is_some_and(|(body, _)| matches!(body, PlayerBody::Engine(_))))
            }
            GameEnding::Time => has_failed(loser.is_some_and(|(_, limits)| limits.clock.is_some())),
            GameEnding::Stopped => false,
        };
        let is_lost = matches!(self.ending, GameEnding::Forfeit | GameEnding::Time);
        let notes = if spec.has_engines() { moves.len() } else { 0 };
        let are_noted = self.searches.len() == notes && self.forfeit.is_some() == is_lost;
        if !is_right || !are_noted {
            let (result, ending) = (result_text(outcome), self.ending.name());
            let reason = format!("{result} ({ending}) is not how it ended");
            return Err(Error::input("result", reason));
        }
        if let Adjudication::Scores(rules) = spec.adjudication
            && spec.has_engines()
        {
            self.check_scores(opening, rules, &moves, &sides)?;
        }
        // The move that is chosen when a game is adjudicated is not played any more.
        let chosen = moves.len() as u64 + u64::from(self.ending == GameEnding::Adjudicated);
        let [first, second] = &self.totals;
        if first.moves.checked_add(second.moves) != Some(chosen) {
            return Err(Error::input("totals", "the number of moves differs"));
        }
        Ok(())
    }

    /// Checks that the game ended by its scores exactly if, and where, the rules about scores end
    /// it.
    fn check_scores(
        &self,
        opening: &AnyOpening,
        rules: ScoreRules,
        moves: &[AnyMove],
        sides: &[Side],
    ) -> Result<()> {
        let mut judge = ScoreJudge::new(rules);
        let notes = self.searches.iter().zip(sides).enumerate();
        let verdict = notes.map(|(index, (note, &side))| {
            let ply = opening.moves.len() + index;
            judge.judge(side, ply, note.reported()).map(|outcome| (index + 1, outcome))
        });
        // The rules of the game come first.
        let is_ruled = matches!(self.ending, GameEnding::Rules | GameEnding::Length);
        let verdict =
            verdict.flatten().next().filter(|&(ply, _)| !(is_ruled && ply == moves.len()));
        let (ended, audit) = match verdict {
            Some((ply, outcome)) if is_audited(opening, &moves[..ply]) => {
                (None, Some(Audit { result: result_text(outcome).into(), ply }))
            }
            ended => (ended, None),
        };
        let by_scores = (self.ending == GameEnding::Scores).then_some((moves.len(), self.outcome));
        match ended == by_scores && audit == self.audit {
            true => Ok(()),
            false => {
                Err(Error::input("scores", "they end the game at another move, or not at all"))
            }
        }
    }
}

/// The moves of a game after its opening, the side that made each, and the outcome by the rules.
struct Replayed {
    moves: Vec<AnyMove>,
    sides: Vec<Side>,
    ruled: Option<Outcome>,
}

fn replay(opening: &AnyOpening, text: &str, most_plies: usize) -> Result<Replayed> {
    let mut position = opening.position.clone();
    let (mut met, mut moves, mut sides) = (opening.met(), Vec::new(), Vec::new());
    let mut ruled = position.outcome();
    position.meet(&mut met);
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let place = || format!("ply {}", moves.len() + 1);
        if ruled.is_some() || moves.len() == most_plies {
            return Err(Error::input(place(), "the game was over"));
        }
        let mv = position.parse_move(word).map_err(|error| error.within(place()))?;
        sides.push(position.side_to_move());
        position.advance(mv);
        moves.push(mv);
        let is_repeated = || position.meet(&mut met).then_some(Outcome::Draw);
        ruled = position.outcome().or_else(is_repeated);
    }
    Ok(Replayed { moves, sides, ruled })
}
