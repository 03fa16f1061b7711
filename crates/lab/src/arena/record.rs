//! Games as text, one JSON object a line.

use crate::any::{AnyMove, AnyPosition};
use crate::arena::{Audit, Forfeit, ForfeitKind, GameEnding, PairRecord, PairSpec, SearchNote};
use crate::error::{Error, Result};
use crate::files::without_byte_order_mark;
use crate::game::{Outcome, Side};
use crate::games::GameId;
use crate::search::SearchConstants;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A game as it is saved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameRecord {
    /// The game by name, such as `breakthrough`.
    pub game: String,
    /// The board, columns x rows, such as `8x8`.
    pub board: String,
    /// The pair's number in its match, from 0.
    pub pair: u64,
    /// The names of the sides: the one that begins, and the other.
    pub players: [String; 2],
    /// The position before the opening, as FEN, where that is not the start of the board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Whether the second side begins where `start` does not say so by the sign `b`, as in games
    /// that only a referee knows.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub second_begins: bool,
    /// The moves of the opening, separated by spaces.
    pub opening: String,
    /// The moves after the opening.
    pub moves: String,
    /// `1-0`, `0-1` or `1/2-1/2`, from the first side.
    pub result: String,
    /// Why the game ended.
    pub ending: GameEnding,
    /// The loser's fault, if the game was forfeited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<Forfeit>,
    /// The weights of both sides, where they are not known by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<[Vec<i32>; 2]>,
    /// The fingerprints of both sides' weight sets, where `weights` has only the single weights of
    /// sets with tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sets: Option<[String; 2]>,
    /// The constants of the full search of both sides by name, where they are not the usual ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constants: Option<[BTreeMap<String, i32>; 2]>,
    /// The tuned options of both sides by name, where an external engine is tuned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<[BTreeMap<String, String>; 2]>,
    /// The search behind each move after the opening, where an external engine plays.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub searches: Vec<SearchNote>,
    /// The result by the scores, if the game was played to its end as a check of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<Audit>,
}

impl GameRecord {
    /// The records of a pair's two games, with the names and the weights of players A and B.
    pub fn of_pair(
        number: u64,
        names: [&str; 2],
        spec: &PairSpec,
        record: &PairRecord,
        weights: Option<[&[i32]; 2]>,
    ) -> [Self; 2] {
        let of_game = |index: usize| {
            let game = &record.games[index];
            let sides = if index == 0 { names } else { [names[1], names[0]] };
            let weights =
                weights.map(|[a, b]| if index == 0 { [a, b] } else { [b, a] }.map(<[i32]>::to_vec));
            Self {
                game: spec.game.clone(),
                board: spec.board.clone(),
                pair: number,
                players: sides.map(String::from),
                start: spec.start.clone(),
                second_begins: spec.second_begins,
                opening: spec.opening.clone(),
                moves: game.moves.clone(),
                result: result_text(game.outcome).into(),
                ending: game.ending,
                forfeit: game.forfeit.clone(),
                weights,
                sets: None,
                constants: None,
                options: None,
                searches: game.searches.clone(),
                audit: game.audit.clone(),
            }
        };
        [of_game(0), of_game(1)]
    }

    /// Adds the search constants of players A and B to the records of a pair.
    #[must_use]
    pub fn with_constants(pair: [Self; 2], [a, b]: [&SearchConstants; 2]) -> [Self; 2] {
        let [mut one, mut two] = pair;
        one.constants = Some([a.to_map(), b.to_map()]);
        two.constants = Some([b.to_map(), a.to_map()]);
        [one, two]
    }

    /// Whether the referee failed.
    pub fn has_referee_fault(&self) -> bool {
        self.forfeit.as_ref().is_some_and(|fault| fault.kind == ForfeitKind::Referee)
    }

    /// The position before the opening.
    ///
    /// # Errors
    /// When the game or the board is unknown, or the start is no position of the game.
    pub fn first_position(&self) -> Result<AnyPosition> {
        let game: GameId = self.game.parse()?;
        let position = match &self.start {
            None => game.start(self.board.parse()?),
            Some(fen) => game.from_fen(fen).map_err(|error| error.within("start")),
        };
        position.map(|position| position.recorded(self.second_begins))
    }

    /// Adds the options of players A and B to the records of a pair.
    #[must_use]
    pub fn with_options(pair: [Self; 2], [a, b]: [BTreeMap<String, String>; 2]) -> [Self; 2] {
        let [mut one, mut two] = pair;
        two.options = Some([b.clone(), a.clone()]);
        one.options = Some([a, b]);
        [one, two]
    }

    /// Replays the record, and returns every position with the move that led to it.
    ///
    /// # Errors
    /// When the game is unknown, or a move of the record is illegal; the error names it and its
    /// number.
    pub fn replay(&self) -> Result<Vec<(Option<AnyMove>, AnyPosition)>> {
        let mut positions = vec![(None, self.first_position()?)];
        for (index, word) in
            self.opening.split_whitespace().chain(self.moves.split_whitespace()).enumerate()
        {
            let current = &positions[positions.len() - 1].1;
            let mv =
                current.parse_move(word).map_err(|e| e.within(format!("ply {}", index + 1)))?;
            let next = current.after(mv);
            positions.push((Some(mv), next));
        }
        Ok(positions)
    }

    /// Checks the moves and the result, for files that no checksum protects. If this program does
    /// not know the game, only the form of the result is checked.
    ///
    /// # Errors
    /// When a move is illegal, when the result is none of the three, or when the rules ended the
    /// game with another one.
    pub fn check(&self) -> Result<()> {
        let result = format!("result `{}`", self.result);
        let Some(said) = outcome_of(&self.result) else {
            return Err(Error::input(result, "not one").remedy("write 1-0, 0-1 or 1/2-1/2"));
        };
        if GameId::find(&self.game).is_none() {
            return Ok(());
        }
        let positions = self.replay()?;
        let is_by_rules = self.ending == GameEnding::Rules;
        match positions.last().and_then(|(_, last)| last.outcome()) {
            Some(outcome) if outcome != said && is_by_rules => {
                let played = format!("the moves end with {}", result_text(outcome));
                Err(Error::input(result, played).remedy("restore the record as it was written"))
            }
            // Repetitions and counted moves end games too, but only as draws.
            None if is_by_rules && said != Outcome::Draw => {
                Err(Error::input(result, "the rules have not ended the game after its last move")
                    .remedy("restore the record as it was written"))
            }
            _ => Ok(()),
        }
    }

    /// Reads a line of a game file.
    ///
    /// # Errors
    /// When it is not a record; the place names the line.
    pub fn from_line(line: &str, place: &str) -> Result<Self> {
        serde_json::from_str(without_byte_order_mark(line)).map_err(|e| {
            Error::input(place, format!("not a game record: {e}"))
                .remedy("each line holds one game as JSON")
        })
    }
}

/// The result from the first side.
pub fn result_text(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(Side::First) => "1-0",
        Outcome::Win(Side::Second) => "0-1",
        Outcome::Draw => "1/2-1/2",
    }
}

/// The outcome of a [`result_text`].
pub fn outcome_of(text: &str) -> Option<Outcome> {
    [Outcome::Win(Side::First), Outcome::Win(Side::Second), Outcome::Draw]
        .into_iter()
        .find(|&outcome| result_text(outcome) == text)
}
