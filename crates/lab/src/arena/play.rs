//! One game between two players.

use super::adjudication::{ScoreJudge, agreed_end, is_audited};
use super::game_clock::GameClocks;
use super::game_under_way::{End, GameUnderWay};
use super::record::result_text;
use super::rule_faults::{advance, catch_panics, no_move};
use crate::any::AnyOpening;
use crate::arena::{
    Adjudication, Audit, Forfeit, ForfeitKind, GamePlayer, MoveChoice, PlayedGame, SearchNote, Turn,
};
use crate::error::Result;
use crate::game::{Outcome, Side};
use crate::search::score::is_proven;
use crate::search::{Limits, Stop};
use serde::{Deserialize, Serialize};

/// The longest game, in plies after its opening; a longer one is a draw. The rules of every game here
/// end it far sooner.
pub const MOST_PLIES: u32 = 2000;

/// Why a game is void whose player declares a win, as in shogi.
const DECLARED: &str = "the engine declares that it has won, which the referee cannot check";

/// When games end before their rules end them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameEnds {
    /// The rules that end a game by what the players report.
    pub adjudication: Adjudication,
    /// The plies after the opening at which a game is a draw.
    pub most_plies: u32,
}

impl GameEnds {
    /// Ends by this adjudication and after `max_plies` plies, or [`MOST_PLIES`] if there are none.
    pub fn new(adjudication: Adjudication, max_plies: Option<u32>) -> Self {
        Self { adjudication, most_plies: max_plies.unwrap_or(MOST_PLIES) }
    }
}

impl From<Adjudication> for GameEnds {
    fn from(adjudication: Adjudication) -> Self {
        Self::new(adjudication, None)
    }
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum GameEnding {
    /// The rules of the game decided, or a side resigned.
    Rules,
    /// Both sides had proven the result.
    Adjudicated,
    /// The scores that both sides reported agreed about the result.
    Scores,
    /// It reached the most plies, and is a draw.
    Length,
    /// One side failed to play, and has lost, or the referee failed: see [`PlayedGame::forfeit`].
    Forfeit,
    /// One side overran its clock, and has lost: its time is part of its strength.
    Time,
    /// The search was stopped; the game does not count.
    Stopped,
}

impl GameEnding {
    /// The name in text and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Adjudicated => "adjudicated",
            Self::Scores => "scores",
            Self::Length => "length",
            Self::Forfeit => "forfeit",
            Self::Time => "time",
            Self::Stopped => "stopped",
        }
    }

    /// The words before the name of the engine that lost by its own fault.
    pub fn of_loser(self) -> &'static str {
        match self {
            Self::Time => "lost on time by",
            _ => "forfeited by",
        }
    }
}

/// The totals of a side's searches in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SideTotals {
    /// Moves chosen by a search, without the opening.
    pub moves: u64,
    /// Nodes visited for them.
    pub nodes: u64,
    /// The depths finished, summed over the moves, in plies.
    pub depth_sum: u64,
}

impl SideTotals {
    fn count(&mut self, choice: &MoveChoice) {
        self.moves += 1;
        self.nodes += choice.nodes;
        self.depth_sum += u64::from(choice.depth);
    }

    /// Adds another side's totals.
    pub fn add(&mut self, other: Self) {
        self.moves = self.moves.saturating_add(other.moves);
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.depth_sum = self.depth_sum.saturating_add(other.depth_sum);
    }

    /// The depth finished on average, in plies; `None` without moves.
    pub fn mean_depth(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.depth_sum as f64 / self.moves as f64)
    }
}

/// Plays a game from an opening. `players` are the first and the second side, with the limits of
/// their moves. Players keep nothing from earlier games, and the rules decide here, whatever a
/// player believes. Setting the first of the `stops` ends the game at once. Once the second one is
/// set, the game is finished, but an engine that hangs is given up. Once either is set, nobody
/// forfeits: if a player fails, the game counts as stopped.
///
/// # Errors
/// When the rules of the game are at fault, or its code panics.
pub fn play_game(
    opening: &AnyOpening,
    players: [(&mut dyn GamePlayer, &Limits); 2],
    ends: GameEnds,
    stops: [&Stop; 2],
) -> Result<PlayedGame> {
    if stops[0].is_set() {
        return Ok(PlayedGame::stopped());
    }
    catch_panics(&opening.position, |moves| {
        let mut game = GameUnderWay::new(opening, moves);
        let end = play_on(&mut game, players, ends, stops)?;
        Ok(game.ended(end))
    })
}

fn play_on(
    game: &mut GameUnderWay,
    mut players: [(&mut dyn GamePlayer, &Limits); 2],
    ends: GameEnds,
    [stop, interrupt]: [&Stop; 2],
) -> Result<End> {
    let opening = game.opening;
    // A signal that ends this program may end its engines too, and that is no forfeit.
    let is_ending = || stop.is_set() || interrupt.is_set();
    for side in Side::BOTH {
        match players[side.index()].0.new_game(interrupt) {
            Ok(true) => {}
            Ok(false) => return Ok(End::stopped()),
            Err(_) if is_ending() => return Ok(End::stopped()),
            Err(forfeit) => return Ok(End::lost(side, GameEnding::Forfeit, forfeit)),
        }
    }
    let mut position = opening.position.clone();
    let mut met = opening.met();
    let mut clocks = GameClocks::new(players.each_ref().map(|(_, limits)| *limits));
    let mut judge = Judge::new(ends.adjudication);
    let mut last = None;
    loop {
        if let Some(fault) = position.fault() {
            return Ok(match is_ending() {
                true => End::stopped(),
                false => End::void(Forfeit::of_referee(fault)),
            });
        }
        if let Some(outcome) = position.outcome() {
            return Ok(End::new(outcome, GameEnding::Rules));
        }
        if position.meet(&mut met) {
            return Ok(End::new(Outcome::Draw, GameEnding::Rules));
        }
        if game.moves.len() >= ends.most_plies as usize {
            return Ok(End::new(Outcome::Draw, GameEnding::Length));
        }
        if let Some(outcome) = judge.verdict.take() {
            if !is_audited(opening, game.moves) {
                return Ok(End::new(outcome, GameEnding::Scores));
            }
            judge.scores = None;
            game.audit = Some(Audit { result: result_text(outcome).into(), ply: game.moves.len() });
        }
        let side = position.side_to_move();
        let (player, limits) = &mut players[side.index()];
        let turn = Turn {
            opening,
            moves: game.moves,
            position: &position,
            met: &met,
            limits: &Limits { clock: clocks.now()[side.index()], ..**limits },
            clocks: clocks.now(),
            stop,
            interrupt,
        };
        let choice = match player.choose(&turn) {
            Ok(choice) => choice,
            Err(_) if is_ending() => return Ok(End::stopped()),
            Err(forfeit) if forfeit.kind == ForfeitKind::Late && limits.clock.is_some() => {
                return Ok(End::lost(side, GameEnding::Time, forfeit));
            }
            Err(forfeit) => return Ok(End::lost(side, GameEnding::Forfeit, forfeit)),
        };
        if choice.resigns {
            return Ok(End::new(Outcome::Win(side.other()), GameEnding::Rules));
        }
        if choice.declares_win {
            return Ok(match position.trusts_players() {
                true => End::new(Outcome::Win(side), GameEnding::Rules),
                false => End::void(Forfeit::of_referee(DECLARED)),
            });
        }
        if choice.has_none {
            return Ok(match agreed_end(side, choice.reported, last) {
                Some(outcome) => End::new(outcome, GameEnding::Rules),
                None => End::void(Forfeit::of_trust(choice.reported, last)),
            });
        }
        last = choice.reported;
        let Some(best) = choice.best else {
            return match is_ending() || !position.moves().is_empty() {
                true => Ok(End::stopped()),
                false => Err(no_move(&position)),
            };
        };
        game.totals[side.index()].count(&choice);
        clocks.charge(side, choice.time);
        if let Some(winner) = judge.proven_by(side, &choice).filter(|_| !game.moves.is_empty()) {
            return Ok(End::new(Outcome::Win(winner), GameEnding::Adjudicated));
        }
        judge.follow(side, opening.moves.len() + game.moves.len(), &choice);
        game.searches.push(SearchNote::new(&choice, limits));
        game.moves.push(best);
        match position.trusts_players() {
            true => position.advance(best),
            false => advance(&mut position, &opening.position, game.moves)?,
        }
    }
}

/// Decides when a game is ended before its rules end it.
struct Judge {
    /// Whether proven results end it.
    by_proof: bool,
    /// The winner that the last move has proven.
    winner_by_proof: Option<Side>,
    /// The rules about scores, until the game is played on as a check of them.
    scores: Option<ScoreJudge>,
    /// The result by the scores, the last move's included.
    verdict: Option<Outcome>,
}

impl Judge {
    fn new(adjudication: Adjudication) -> Self {
        let by_proof = adjudication == Adjudication::Proven;
        let scores = match adjudication {
            Adjudication::Scores(rules) => Some(ScoreJudge::new(rules)),
            Adjudication::Never | Adjudication::Proven => None,
        };
        Self { by_proof, winner_by_proof: None, scores, verdict: None }
    }

    /// The winner, if this move and the other side's last one have proven the same winner.
    fn proven_by(&mut self, side: Side, choice: &MoveChoice) -> Option<Side> {
        let proven = choice.score.filter(|&score| self.by_proof && is_proven(score));
        let winner = proven.map(|score| if score > 0 { side } else { side.other() });
        let agreed = winner.filter(|_| winner == self.winner_by_proof);
        self.winner_by_proof = winner;
        agreed
    }

    /// Notes the score of a move at this ply of the game.
    fn follow(&mut self, side: Side, ply: usize, choice: &MoveChoice) {
        self.verdict =
            self.scores.as_mut().and_then(|scores| scores.judge(side, ply, choice.reported));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Breakthru, GameId};
    use std::result::Result;

    /// Plays the moves of a game one after the other, whichever side they belong to.
    struct Script<'a>(&'a [&'a str]);

    impl GamePlayer for Script<'_> {
        fn new_game(&mut self, _: &Stop) -> Result<bool, Forfeit> {
            Ok(true)
        }

        fn choose(&mut self, turn: &Turn) -> Result<MoveChoice, Forfeit> {
            let word = self.0[turn.moves.len() % self.0.len()];
            let best = Some(turn.position.parse_move(word).unwrap());
            Ok(MoveChoice::of_move(best))
        }
    }

    /// A player whose process is gone.
    struct Gone;

    impl GamePlayer for Gone {
        fn new_game(&mut self, _: &Stop) -> Result<bool, Forfeit> {
            Ok(true)
        }

        fn choose(&mut self, _: &Turn) -> Result<MoveChoice, Forfeit> {
            Err(Forfeit::default())
        }
    }

    #[test]
    fn nobody_forfeits_while_the_program_ends() {
        let breakthru = GameId::of::<Breakthru>();
        let opening = AnyOpening::new(breakthru.start(breakthru.default_board).unwrap());
        let limits = Limits::default();
        for (is_set, ending) in [(false, GameEnding::Forfeit), (true, GameEnding::Stopped)] {
            let interrupt = Stop::default();
            if is_set {
                interrupt.set();
            }
            let game = play_game(
                &opening,
                [(&mut Gone, &limits), (&mut Gone, &limits)],
                Adjudication::Never.into(),
                [&Stop::default(), &interrupt],
            )
            .unwrap();
            assert_eq!((game.ending, game.forfeit.is_some()), (ending, !is_set));
        }
    }

    /// Both sides go there and back, with two ships each.
    const ROUND: [&str; 8] =
        ["e8-e9", "e4-e3", "b4-b3", "j4-j3", "e9-e8", "e3-e4", "b3-b4", "j3-j4"];

    fn played(opening: &AnyOpening, most_plies: u32) -> PlayedGame {
        let limits = Limits::default();
        let (mut a, mut b) = (Script(&ROUND), Script(&ROUND));
        play_game(
            opening,
            [(&mut a, &limits), (&mut b, &limits)],
            GameEnds { most_plies, ..Adjudication::Never.into() },
            [&Stop::default(); 2],
        )
        .unwrap()
    }

    #[test]
    fn a_game_of_the_most_plies_is_a_draw() {
        let breakthru = GameId::of::<Breakthru>();
        let opening = AnyOpening::new(breakthru.start(breakthru.default_board).unwrap());
        let game = played(&opening, 5);
        assert_eq!((game.outcome, game.ending), (Outcome::Draw, GameEnding::Length));
        assert_eq!(game.moves.split(' ').count(), 5);
    }

    #[test]
    fn a_position_met_for_the_third_time_ends_the_game() {
        let breakthru = GameId::of::<Breakthru>();
        let mut opening = AnyOpening::new(breakthru.start(breakthru.default_board).unwrap());
        let moves = |game: &PlayedGame| game.moves.split(' ').count();
        let game = played(&opening, MOST_PLIES);
        assert_eq!(
            (game.outcome, game.ending, moves(&game)),
            (Outcome::Draw, GameEnding::Rules, 16)
        );
        for word in ROUND {
            opening.push(opening.position.parse_move(word).unwrap());
        }
        assert_eq!(moves(&played(&opening, MOST_PLIES)), 8, "the opening belongs to the game");
    }
}
