//! Adjudication: ends a game early, by what both engines report.
//!
//! Two engines whose scores agree for several moves that a position is lost or level are rarely
//! wrong. To measure how rarely, one in twenty of these games is played to its end, and the share
//! of wrong scores is part of the result.

use super::remote::digest;
use crate::any::{AnyMove, AnyOpening};
use crate::error::{Error, Result};
use crate::eval::Score;
use crate::game::{Outcome, Side};
use crate::search::score::plies_to_win;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Of the games that scores would end, one in this many is played to its end.
const AUDIT: u64 = 20;
/// The score of a reported mate, in hundredths of a pawn: greater than the limit of any rule.
const MATE: i32 = 1_000_000;

/// When a game is ended early.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Adjudication {
    /// Never: each game is played to its end.
    #[default]
    Never,
    /// When both sides, in consecutive moves, have proven the same winner.
    Proven,
    /// When the scores that both sides report agree.
    Scores(ScoreRules),
}

/// The rules by which reported scores end a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScoreRules {
    /// The rule for lost games; `None` if scores end no game as lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// The rule for drawn games; `None` if scores end no game as drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
}

impl Default for ScoreRules {
    /// The presets of OpenBench.
    fn default() -> Self {
        Self { resign: Some(ResignRule::default()), draw: Some(DrawRule::default()) }
    }
}

/// A side has lost once both sides report it for enough moves in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ResignRule {
    /// Moves of each side in a row.
    pub moves: u32,
    /// The least score of the winner, and of the loser with the sign changed, in hundredths of a
    /// pawn.
    pub cp: i32,
}

impl Default for ResignRule {
    fn default() -> Self {
        Self { moves: 3, cp: 400 }
    }
}

/// The game is drawn once both sides report a level score for enough moves in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DrawRule {
    /// The first move at which the game may be drawn. The moves of its opening count.
    pub from_move: u32,
    /// Moves of each side in a row.
    pub moves: u32,
    /// The greatest absolute score of a level position, in hundredths of a pawn.
    pub cp: i32,
}

impl Default for DrawRule {
    fn default() -> Self {
        Self { from_move: 40, moves: 8, cp: 10 }
    }
}

/// Reads numbers above 0 and below [`MATE`], separated by commas.
fn numbers<const N: usize>(rule: &str, text: &str, example: &str) -> Result<[u32; N]> {
    let read: Option<Vec<u32>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    let read =
        read.filter(|numbers| numbers.iter().all(|&number| (1..MATE as u32).contains(&number)));
    read.and_then(|numbers| numbers.try_into().ok()).ok_or_else(|| {
        Error::input(format!("{rule} `{text}`"), format!("not {N} numbers from 1 to {}", MATE - 1))
            .remedy(format!("write for example {example}"))
    })
}

impl FromStr for ResignRule {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let [moves, cp] = numbers("--resign", text, "3,400: 3 moves of each side at 400 cp")?;
        Ok(Self { moves, cp: cp as i32 })
    }
}

impl FromStr for DrawRule {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let [from_move, moves, cp] =
            numbers("--draw", text, "40,8,10: from move 40 on, 8 moves of each side within 10 cp")?;
        Ok(Self { from_move, moves, cp: cp as i32 })
    }
}

impl fmt::Display for ResignRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.moves, self.cp)
    }
}

impl fmt::Display for DrawRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.from_move, self.moves, self.cp)
    }
}

impl fmt::Display for ScoreRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let resign = self
            .resign
            .map(|ResignRule { moves, cp }| format!("lost after {moves} moves at {cp} cp"));
        let draw = self.draw.map(|DrawRule { from_move, moves, cp }| {
            format!("drawn from move {from_move} on after {moves} moves within {cp} cp")
        });
        let rules: Vec<String> = resign.into_iter().chain(draw).collect();
        f.write_str(&rules.join(", "))
    }
}

/// A score as engines report it, from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportedScore {
    /// Hundredths of a pawn, or of a game's usual piece.
    Centipawns(i32),
    /// Moves until the side to move mates; if 0 or below, until it is mated.
    Mate(i32),
}

impl ReportedScore {
    /// Converts a score of this program's search. `unit` is the score of a piece.
    pub fn of_score(score: Score, unit: Score) -> Self {
        match plies_to_win(score) {
            Some(plies) => Self::Mate(plies.signum() * ((plies.abs() + 1) / 2)),
            None => {
                let cp = i64::from(score) * 100 / i64::from(unit.max(1));
                Self::Centipawns(i32::try_from(cp).unwrap_or(if cp > 0 {
                    i32::MAX
                } else {
                    -i32::MAX
                }))
            }
        }
    }

    /// The score in hundredths of a pawn, where a mate is beyond the limit of any rule.
    fn centipawns(self) -> i32 {
        match self {
            Self::Centipawns(cp) => cp.clamp(-MATE, MATE),
            Self::Mate(moves) if moves > 0 => MATE,
            Self::Mate(_) => -MATE,
        }
    }
}

impl fmt::Display for ReportedScore {
    /// As the protocols write it: `cp 31` or `mate -3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Centipawns(cp) => write!(f, "cp {cp}"),
            Self::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

/// The result that the scores would have given a game that was played on as a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Audit {
    /// `1-0`, `0-1` or `1/2-1/2`, from the first side.
    pub result: String,
    /// The plies after the opening when the scores agreed.
    pub ply: usize,
}

/// Follows the scores of a game.
#[derive(Debug)]
pub(super) struct ScoreJudge {
    rules: ScoreRules,
    /// The side that wins by the latest scores in a row, and the number of these scores.
    winning: (Option<Side>, u32),
    /// The number of latest scores in a row that call the game level.
    level: u32,
}

impl ScoreJudge {
    pub(super) fn new(rules: ScoreRules) -> Self {
        Self { rules, winning: (None, 0), level: 0 }
    }

    /// Takes a side's score at a ply of the game, counted from 0. Returns the result if a rule ends
    /// the game.
    pub(super) fn judge(
        &mut self,
        side: Side,
        ply: usize,
        score: Option<ReportedScore>,
    ) -> Option<Outcome> {
        let cp = score.map(ReportedScore::centipawns);
        self.by_resignation(side, cp).or_else(|| self.by_draw(ply, cp))
    }

    fn by_resignation(&mut self, side: Side, cp: Option<i32>) -> Option<Outcome> {
        let rule = self.rules.resign?;
        let winner = cp.filter(|cp| cp.abs() >= rule.cp);
        let winner = winner.map(|cp| if cp > 0 { side } else { side.other() });
        let agreeing =
            if winner.is_some() && winner == self.winning.0 { self.winning.1 } else { 0 };
        self.winning = (winner, agreeing + u32::from(winner.is_some()));
        winner.filter(|_| self.winning.1 >= rule.moves.saturating_mul(2)).map(Outcome::Win)
    }

    fn by_draw(&mut self, ply: usize, cp: Option<i32>) -> Option<Outcome> {
        let rule = self.rules.draw?;
        let is_level = cp.is_some_and(|cp| cp.abs() <= rule.cp);
        self.level = if is_level { self.level + 1 } else { 0 };
        let is_due = ply / 2 + 1 >= rule.from_move as usize;
        (is_due && self.level >= rule.moves.saturating_mul(2)).then_some(Outcome::Draw)
    }
}

/// The outcome of a game in which `side` has no move, by the scores of both sides: `own` for this
/// position, and `last` for the other side's move before it. `None` if they disagree. The other
/// side has won if it reported that it mates. It has lost if it reported that it is mated: in some
/// games a side without a move wins.
pub(super) fn agreed_end(
    side: Side,
    own: Option<ReportedScore>,
    last: Option<ReportedScore>,
) -> Option<Outcome> {
    use ReportedScore::{Centipawns, Mate};
    match (own, last?) {
        (Some(Mate(_)) | None, Mate(1..)) => Some(Outcome::Win(side.other())),
        (Some(Mate(_)) | None, Mate(_)) => Some(Outcome::Win(side)),
        (Some(Centipawns(0)) | None, Centipawns(0)) => Some(Outcome::Draw),
        _ => None,
    }
}

/// Whether a game that scores would end now is played on. It depends on the moves alone, so that a
/// run that is played again audits the same games.
pub(super) fn is_audited(opening: &AnyOpening, moves: &[AnyMove]) -> bool {
    let text = [opening.start.fen(), opening.text(), opening.position.line_text(moves)].join("\n");
    let hash = u64::from_str_radix(&digest(text.as_bytes())[..16], 16).unwrap_or_default();
    hash.is_multiple_of(AUDIT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ReportedScore::{Centipawns, Mate};

    fn judged(rules: ScoreRules, scores: &[ReportedScore]) -> Option<(usize, Outcome)> {
        let mut judge = ScoreJudge::new(rules);
        scores.iter().enumerate().find_map(|(ply, &score)| {
            let side = if ply % 2 == 0 { Side::First } else { Side::Second };
            judge.judge(side, ply, Some(score)).map(|outcome| (ply, outcome))
        })
    }

    #[test]
    fn a_side_has_lost_once_both_agree_for_the_moves_of_the_rule() {
        let resign = Some(ResignRule { moves: 2, cp: 300 });
        let rules = ScoreRules { resign, draw: None };
        let agreed = [Centipawns(299), Centipawns(-300), Centipawns(300), Mate(-4), Mate(9)];
        assert_eq!(judged(rules, &agreed), Some((4, Outcome::Win(Side::First))));
        let mated = [Mate(0), Mate(1), Mate(-1), Mate(2)];
        assert_eq!(judged(rules, &mated), Some((3, Outcome::Win(Side::Second))));
        let one_sided = [Centipawns(500), Centipawns(0)].repeat(20);
        assert_eq!(judged(rules, &one_sided), None);
        // The least number has no opposite.
        let extreme = [Centipawns(i32::MAX), Centipawns(i32::MIN)].repeat(4);
        assert_eq!(judged(rules, &extreme).map(|(ply, _)| ply), Some(3));
        let both_winning = [Centipawns(500), Centipawns(500)].repeat(20);
        assert_eq!(judged(rules, &both_winning), None);
    }

    #[test]
    fn a_game_is_drawn_from_the_move_of_the_rule_on() {
        let draw = Some(DrawRule { from_move: 3, moves: 2, cp: 10 });
        let rules = ScoreRules { resign: None, draw };
        assert_eq!(judged(rules, &[Centipawns(-10); 9]), Some((4, Outcome::Draw)));
        let late = [Centipawns(11), Centipawns(0), Centipawns(0), Centipawns(-11)].repeat(5);
        assert_eq!(judged(rules, &late), None);
        let mut judge = ScoreJudge::new(rules);
        assert!((0..99).all(|ply| judge.judge(Side::First, ply, None).is_none()));
    }

    #[test]
    fn a_game_without_rules_ends_where_the_scores_agree() {
        let end = |own, last| agreed_end(Side::Second, own, last);
        let [won, lost] = [Side::First, Side::Second].map(|side| Some(Outcome::Win(side)));
        assert_eq!(end(Some(Mate(0)), Some(Mate(1))), won);
        assert_eq!(end(None, Some(Mate(1))), won);
        assert_eq!(end(Some(Mate(0)), Some(Mate(-1))), lost);
        assert_eq!(end(Some(Centipawns(0)), Some(Centipawns(0))), Some(Outcome::Draw));
        for (own, last) in [
            (Some(Mate(0)), None),
            (Some(Mate(0)), Some(Centipawns(30))),
            (Some(Centipawns(0)), Some(Mate(1))),
            (Some(Centipawns(5)), Some(Centipawns(0))),
        ] {
            assert_eq!(end(own, last), None, "{own:?} {last:?}");
        }
    }

    #[test]
    fn rules_are_read() {
        assert_eq!("3,400".parse::<ResignRule>().unwrap(), ResignRule::default());
        assert_eq!("40, 8, 10".parse::<DrawRule>().unwrap(), DrawRule::default());
        for text in ["", "3", "0,400", "3,400,1", "3,-4", "x,y", "3,99999999"] {
            let error = text.parse::<ResignRule>().unwrap_err().to_string();
            assert!(error.contains("3,400"), "{error}");
            assert!(error.contains("not 2 numbers from 1 to 999999"), "{error}");
        }
        assert!("40,8".parse::<DrawRule>().is_err());
        let rules = Adjudication::Scores(ScoreRules::default());
        let text = serde_json::to_string(&rules).unwrap();
        assert_eq!(serde_json::from_str::<Adjudication>(&text).unwrap(), rules);
    }

    #[test]
    fn our_scores_are_reported_in_hundredths_of_a_piece() {
        use crate::search::score::WIN;
        assert_eq!(ReportedScore::of_score(-150, 300), Centipawns(-50));
        assert_eq!(ReportedScore::of_score(WIN - 3, 300), Mate(2));
        assert_eq!(ReportedScore::of_score(4 - WIN, 300), Mate(-2));
    }
}
