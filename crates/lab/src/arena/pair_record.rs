//! A pair that has been played: what is journaled, sent and shown.

use super::adjudication::{Audit, ReportedScore};
use super::play::{GameEnding, SideTotals};
use super::player::{Forfeit, ForfeitKind, MoveChoice};
use super::record::{outcome_of, result_text};
use super::remote::digest;
use super::spec::PairSpec;
use crate::any::AnyOpening;
use crate::error::Result;
use crate::game::{Outcome, Side};
use crate::search::Limits;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The two games of a pair. In the first one player A is the first side, in the second one player
/// B; an opponent of both has replaced one of them in each game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairRecord {
    /// The first game and the second.
    pub games: [PlayedGame; 2],
}

/// A game that has been played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayedGame {
    /// The moves after the opening, separated by spaces.
    pub moves: String,
    /// How it ended: `1-0`, `0-1` or `1/2-1/2`, from the first side.
    #[serde(rename = "result", serialize_with = "write_result", deserialize_with = "read_result")]
    pub outcome: Outcome,
    /// The reason why the game ended.
    pub ending: GameEnding,
    /// The loser's fault, if one ended the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<Forfeit>,
    /// The totals of the first side, and of the other.
    pub totals: [SideTotals; 2],
    /// The search behind each move, where an external engine plays.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub searches: Vec<SearchNote>,
    /// The result by the scores, if the game was played to its end as a check of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<Audit>,
}

/// A player's report of the search behind a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SearchNote {
    /// The score from the side to move, in hundredths of a pawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cp: Option<i32>,
    /// Moves until the side to move mates; if 0 or below, until it is mated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    /// The last depth finished, in plies; 0 when unknown.
    #[serde(default)]
    pub depth: u32,
    /// The time of the move in milliseconds, only under a limit of time: otherwise it would make
    /// equal games differ from machine to machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
}

impl SearchNote {
    /// The note about a move under these limits.
    pub(super) fn new(choice: &MoveChoice, limits: &Limits) -> Self {
        let (cp, mate) = match choice.reported {
            Some(ReportedScore::Centipawns(cp)) => (Some(cp), None),
            Some(ReportedScore::Mate(moves)) => (None, Some(moves)),
            None => (None, None),
        };
        let ms = (!limits.is_deterministic()).then_some(choice.time.as_millis() as u64);
        Self { cp, mate, depth: choice.depth, ms }
    }

    /// The score that the player reported.
    pub(super) fn reported(&self) -> Option<ReportedScore> {
        self.mate.map(ReportedScore::Mate).or(self.cp.map(ReportedScore::Centipawns))
    }
}

fn write_result<S: Serializer>(
    outcome: &Outcome,
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    serializer.serialize_str(result_text(*outcome))
}

fn read_result<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<Outcome, D::Error> {
    let text = String::deserialize(deserializer)?;
    outcome_of(&text)
        .ok_or_else(|| serde::de::Error::custom("the result is neither 1-0, 0-1 nor 1/2-1/2"))
}

impl PairRecord {
    /// A pair that was not begun.
    pub fn stopped() -> Self {
        Self { games: [PlayedGame::stopped(), PlayedGame::stopped()] }
    }

    /// A pair that was not begun because the referee failed.
    pub fn void(fault: &Forfeit) -> Self {
        Self { games: [PlayedGame::void(fault), PlayedGame::void(fault)] }
    }

    /// The failure of the referee that makes the pair void, if there is one.
    pub fn referee_fault(&self) -> Option<&Forfeit> {
        self.games.iter().find_map(PlayedGame::referee_fault)
    }

    /// Whether both players lost one game each on time, which suggests a busy machine.
    pub fn is_late_on_both_sides(&self) -> bool {
        let [one, two] = &self.games;
        [one, two].iter().all(|game| game.ending == GameEnding::Time) && one.outcome == two.outcome
    }

    /// Twice player A's points in both games: 0 to 4, the cell of the pentanomial count.
    pub fn pair_score(&self) -> u8 {
        self.games[0].outcome.half_points(Side::First)
            + self.games[1].outcome.half_points(Side::Second)
    }

    /// The totals of player A and player B over both games.
    pub fn totals(&self) -> [SideTotals; 2] {
        let [one, two] = &self.games;
        let mut totals = one.totals;
        totals[0].add(two.totals[1]);
        totals[1].add(two.totals[0]);
        totals
    }

    /// The games that player A and player B forfeited, other than on time.
    pub fn forfeits(&self) -> [u64; 2] {
        let forfeited_by = |game: &PlayedGame| game.forfeited_by().filter(|_| game.is_void());
        let [one, two] = self.games.each_ref().map(forfeited_by);
        let count =
            |first: Side| u64::from(one == Some(first)) + u64::from(two == Some(first.other()));
        [count(Side::First), count(Side::Second)]
    }

    /// A digest of the opening and of the moves of both games. Equal pairs have equal digests.
    pub fn digest(&self, opening: &AnyOpening) -> u64 {
        let [one, two] = self.games.each_ref().map(|game| game.moves.as_str());
        let start = opening.start.fen();
        let text = [start.as_str(), &opening.text(), one, two].join("\n");
        u64::from_str_radix(&digest(text.as_bytes())[..16], 16).unwrap_or_default()
    }

    /// Whether both games were played to their end.
    pub fn is_complete(&self) -> bool {
        self.games.iter().all(|game| game.ending != GameEnding::Stopped)
    }

    /// Checks a worker's record of a pair by the rules: every move, and how each game ended.
    ///
    /// # Errors
    /// When it cannot have been played from this opening.
    pub fn check(&self, opening: &AnyOpening, spec: &PairSpec) -> Result<()> {
        for (index, game) in self.games.iter().enumerate() {
            let checked = game.check(opening, spec, index == 1);
            checked.map_err(|error| error.within(format!("game {}", index + 1)))?;
        }
        Ok(())
    }
}

impl PlayedGame {
    /// A game that was stopped before its first move.
    pub fn stopped() -> Self {
        Self {
            moves: String::new(),
            outcome: Outcome::Draw,
            ending: GameEnding::Stopped,
            forfeit: None,
            totals: [SideTotals::default(); 2],
            searches: Vec::new(),
            audit: None,
        }
    }

    /// A game without moves, because the referee failed.
    pub fn void(fault: &Forfeit) -> Self {
        let (ending, forfeit) = (GameEnding::Forfeit, Some(fault.clone()));
        Self { ending, forfeit, ..Self::stopped() }
    }

    /// The failure of the referee, if it ended the game.
    pub fn referee_fault(&self) -> Option<&Forfeit> {
        self.forfeit.as_ref().filter(|fault| fault.kind == ForfeitKind::Referee)
    }

    /// Whether the game says nothing about strength: a side failed to play, other than by its clock.
    pub fn is_void(&self) -> bool {
        self.ending == GameEnding::Forfeit
    }

    /// The side that forfeited the game or overran its clock, if one did.
    pub fn forfeited_by(&self) -> Option<Side> {
        match self.outcome {
            Outcome::Win(winner) if self.forfeit.is_some() => Some(winner.other()),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::seed::generator;
    use crate::arena::{Adjudication, OpponentSpec, PairRunner, PlayerBody, PlayerSpec, Sets};
    use crate::games::GameId;
    use crate::search::{Limits, Stop};
    use crate::weights;

    fn spec(game: GameId, adjudication: Adjudication) -> (PairSpec, AnyOpening, Sets) {
        let start = game.start(game.default_board).unwrap();
        let opening = start.random_line(6, &mut generator(3, &[])).unwrap();
        let mut sets = Sets::new();
        let set =
            crate::arena::SharedSet::add(&weights::find("piece", game.name).unwrap(), &mut sets);
        let player = PlayerSpec::of_set(&set.unwrap(), &Default::default(), Limits::nodes(60));
        let pair = PairSpec::new(game, game.default_board, [player.clone(), player]);
        (PairSpec { adjudication, ..pair.from_opening(&opening) }, opening, sets)
    }

    fn played(game: GameId, adjudication: Adjudication) -> (PairSpec, AnyOpening, PairRecord) {
        let (spec, opening, sets) = spec(game, adjudication);
        let record = PairRunner::new(game, Stop::default()).play(&spec, &sets).unwrap();
        (spec, opening, record)
    }

    #[test]
    fn games_come_back_as_they_were_played() {
        for &game in GameId::with_engine() {
            for adjudication in [Adjudication::Never, Adjudication::Proven] {
                let (spec, opening, record) = played(game, adjudication);
                assert_eq!(spec.read_opening(game).unwrap(), opening);
                let text = serde_json::to_string(&record).unwrap();
                let back: PairRecord = serde_json::from_str(&text).unwrap();
                back.check(&opening, &spec).unwrap();
                assert_eq!(back, record);
            }
        }
    }

    #[test]
    fn games_that_cannot_be_are_refused() {
        let (spec, opening, good) = played(GameId::default(), Adjudication::Never);
        let edits: [fn(&mut PlayedGame); 7] = [
            |game| {
                game.outcome = match game.outcome {
                    Outcome::Win(side) => Outcome::Win(side.other()),
                    Outcome::Draw => Outcome::Win(Side::First),
                }
            },
            |game| game.forfeit = Some(Forfeit::default()),
            |game| game.moves.truncate(game.moves.rfind(' ').unwrap()),
            |game| game.moves.push_str(" a2a3"),
            |game| game.moves.replace_range(..2, "h9"),
            |game| game.ending = GameEnding::Stopped,
            |game| game.totals[0].moves += 1,
        ];
        for (number, edit) in edits.iter().enumerate() {
            for game in 0..2 {
                let mut bad = good.clone();
                edit(&mut bad.games[game]);
                let error = bad.check(&opening, &spec).unwrap_err().to_string();
                assert!(error.starts_with(&format!("game {}", game + 1)), "{number}: {error}");
            }
        }
        assert!(good.is_complete() && !PairRecord::stopped().is_complete());
    }

    #[test]
    fn both_players_may_be_late() {
        let late = |winner| PlayedGame {
            outcome: Outcome::Win(winner),
            ending: GameEnding::Time,
            ..PlayedGame::stopped()
        };
        let are_late = |games| PairRecord { games }.is_late_on_both_sides();
        let [first, second] = Side::BOTH;
        assert!(are_late([late(first), late(first)]) && are_late([late(second), late(second)]));
        assert!(!are_late([late(first), late(second)]), "the same player in both games");
        assert!(!are_late([late(first), PlayedGame::stopped()]));
    }

    #[test]
    fn pairs_with_odd_numbers_are_refused() {
        let game = GameId::default();
        let (good, _, sets) = spec(game, Adjudication::Never);
        let runner = PairRunner::new(game, Stop::default());
        assert!(runner.play(&good, &sets).is_ok());
        let odd = |edit: fn(&mut PairSpec)| {
            let mut pair = good.clone();
            edit(&mut pair);
            assert!(runner.play(&pair, &sets).is_err(), "{pair:?}");
        };
        odd(|pair| pair.table_bytes = usize::MAX);
        odd(|pair| pair.players[1].limits = Limits::default());
        odd(|pair| pair.players[0].body = PlayerBody::Set("none".into()));
        odd(|pair| pair.players[0].body = PlayerBody::Engine(0));
        odd(|pair| {
            pair.players[0].weights.insert("pice".into(), 3);
        });
        odd(|pair| {
            let (body, limits) = (pair.players[0].body.clone(), Some(Limits::default()));
            pair.opponent = Some(OpponentSpec { body, constants: None, is_first: true, limits });
        });
        odd(|pair| pair.board = "99x99".into());
        odd(|pair| pair.opening = "a2a3 a7a6 zz".into());
        odd(|pair| pair.opening = "a2a3  a7a6".into());
    }
}
