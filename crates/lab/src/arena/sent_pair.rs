//! A pair as it travels to a worker, and its games as they come back.

use super::pair::{AgainstOpponent, MatchSettings, Opponent, PairResult};
use super::play::{Adjudication, GameEnding, GameResult, MOST_PLIES, SideTotals};
use super::record::result_text;
use crate::error::{Error, Result};
use crate::eval::Game;
use crate::game::openings::{MOST_OPENING_PLIES, Opening};
use crate::game::{Board, Outcome, Repetitions, Side};
use crate::search::{Algorithm, Limits, Options, SearchConstants};
use serde::{Deserialize, Serialize};

/// A pair to be played by a worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentPair {
    /// The board.
    pub board: String,
    /// The moves of the opening.
    pub opening: String,
    /// Player A and player B.
    pub players: [SentPlayer; 2],
    /// The size of each engine's transposition table, in bytes.
    pub table_bytes: usize,
    /// When games are ended early.
    pub adjudication: Adjudication,
    /// The opponent of both, where they do not play each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponent: Option<SentOpponent>,
}

/// A player of such a pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentPlayer {
    /// The digest of its weight set.
    pub set: String,
    /// All single weights in the order of the feature list, where they are not those of the set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<Vec<i32>>,
    /// The constants of its search, where they are not the usual ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constants: Option<SearchConstants>,
    /// How it searches.
    pub algorithm: Algorithm,
    /// The limits of its moves.
    pub limits: Limits,
}

/// The opponent of both players of such a pair. It searches with the algorithm of player A.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentOpponent {
    /// The digest of its weight set.
    pub set: String,
    /// The constants of its search, where they are not the usual ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constants: Option<SearchConstants>,
    /// Whether it has the side that begins, in both games; else it has the other one.
    pub is_first: bool,
    /// The limits of its moves, where they are not those of the player that it replaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
}

impl SentOpponent {
    /// The opponent of a pair; `None` for an engine of others, which does not travel, and where
    /// nobody has said what set it has.
    pub fn new<G: Game>(against: &AgainstOpponent<G>) -> Option<Self> {
        let Opponent::Set { constants, shared, .. } = &against.opponent else { return None };
        Some(Self {
            set: shared.as_ref()?.digest().into(),
            constants: unusual(constants),
            is_first: against.side == Side::First,
            limits: against.limits,
        })
    }

    /// The opponent of a pair, given the evaluator of its set.
    pub fn against<G: Game>(&self, evaluator: G::Evaluator) -> AgainstOpponent<G> {
        let constants = self.constants.clone().unwrap_or_default();
        AgainstOpponent {
            opponent: Opponent::Set { evaluator, constants, shared: None },
            side: if self.is_first { Side::First } else { Side::Second },
            limits: self.limits,
        }
    }
}

/// Constants as they travel: only where they are not the usual ones.
pub(crate) fn unusual(constants: &SearchConstants) -> Option<SearchConstants> {
    (*constants != SearchConstants::default()).then(|| constants.clone())
}

impl SentPair {
    /// The kind of such jobs.
    pub const KIND: &'static str = "pair";

    /// The opening.
    ///
    /// # Errors
    /// When it is none of the game, or ends it.
    pub fn opening<G: Game>(&self) -> Result<Opening<G>> {
        let board: Board = self.board.parse()?;
        let mut opening = Opening::<G>::start(board)?;
        for word in self.opening.split_whitespace().take(MOST_OPENING_PLIES as usize + 2) {
            let mv = opening.position.parse_move(word).map_err(|e| e.within("opening"))?;
            opening.position = opening.position.play_unchecked(mv);
            opening.moves.push(mv);
        }
        if opening.position.outcome().is_some() || opening.text(board) != self.opening {
            return Err(Error::input("opening", "ends the game, or is not in the usual notation"));
        }
        Ok(opening)
    }

    /// What the games have in common, the constants of the players' searches aside.
    ///
    /// # Errors
    /// When a number is out of range.
    pub fn settings(&self) -> Result<MatchSettings> {
        check_table(self.table_bytes)?;
        let [a, b] = &self.players;
        let of_opponent = self.opponent.as_ref().and_then(|opponent| opponent.limits);
        [a.limits, b.limits].iter().chain(&of_opponent).try_for_each(Limits::check)?;
        Ok(MatchSettings {
            algorithms: [a.algorithm, b.algorithm],
            table_bytes: self.table_bytes,
            adjudication: self.adjudication,
            ..MatchSettings::with_limits([a.limits, b.limits])
        })
    }
}

/// Checks that a table has a size that the command line would take.
///
/// # Errors
/// When it has not.
pub fn check_table(bytes: usize) -> Result<()> {
    match bytes as u64 <= Options::MAX_TABLE_MIB << 20 {
        true => Ok(()),
        false => Err(Error::input("table", format!("{bytes} bytes are too many"))),
    }
}

/// The games of a pair as a worker sends them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentGames {
    /// The first game and the second.
    pub games: [SentGame; 2],
}

/// A game as a worker sends it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentGame {
    /// The moves after the opening.
    pub moves: String,
    /// `1-0`, `0-1` or `1/2-1/2`, from the side that begins.
    pub result: String,
    /// Why the game ended.
    pub ending: GameEnding,
    /// The totals of the side that begins, and of the other.
    pub totals: [SideTotals; 2],
}

impl SentGames {
    /// The games of a pair; `None` where they were not played to their end, or somebody forfeited,
    /// which our own engine never does.
    pub fn new<G: Game>(opening: &Opening<G>, result: &PairResult<G>) -> Option<Self> {
        let is_sent = |game: &GameResult<G>| {
            !matches!(game.ending, GameEnding::Stopped | GameEnding::Forfeit)
        };
        let sent = |game: &GameResult<G>| SentGame {
            moves: opening.position.line_text(&game.moves),
            result: result_text(game.outcome).into(),
            ending: game.ending,
            totals: game.totals,
        };
        result.games.iter().all(is_sent).then(|| Self { games: result.games.each_ref().map(sent) })
    }

    /// Reads the games back. The rules are asked about every move and about the end.
    ///
    /// # Errors
    /// When they cannot be the games of this opening.
    pub fn read<G: Game>(
        &self,
        opening: &Opening<G>,
        adjudication: Adjudication,
    ) -> Result<PairResult<G>> {
        let read = |index: usize| {
            let game = self.games[index].read(opening, adjudication);
            game.map_err(|error| error.within(format!("game {}", index + 1)))
        };
        Ok(PairResult { games: [read(0)?, read(1)?] })
    }
}

impl SentGame {
    fn read<G: Game>(
        &self,
        opening: &Opening<G>,
        adjudication: Adjudication,
    ) -> Result<GameResult<G>> {
        let (moves, ruled) = replay(opening, &self.moves)?;
        let outcome = outcome_of(&self.result)
            .ok_or_else(|| Error::input("result", "neither 1-0, 0-1 nor 1/2-1/2"))?;
        let is_right = match self.ending {
            GameEnding::Rules => ruled == Some(outcome),
            GameEnding::Length => moves.len() == MOST_PLIES && outcome == Outcome::Draw,
            GameEnding::Adjudicated => {
                let is_won = outcome != Outcome::Draw;
                adjudication == Adjudication::Proven && ruled.is_none() && is_won
            }
            GameEnding::Forfeit | GameEnding::Stopped => false,
        };
        if !is_right {
            let reason = format!("{} ({}) is not how it ended", self.result, self.ending.name());
            return Err(Error::input("result", reason));
        }
        // The move that is chosen when a game is adjudicated is not played any more.
        let chosen = moves.len() as u64 + u64::from(self.ending == GameEnding::Adjudicated);
        let [first, second] = &self.totals;
        if first.moves.checked_add(second.moves) != Some(chosen) {
            return Err(Error::input("totals", "of another number of moves"));
        }
        Ok(GameResult { moves, outcome, ending: self.ending, forfeit: None, totals: self.totals })
    }
}

/// The moves of a game after its opening, and how the rules end it with them.
fn replay<G: Game>(opening: &Opening<G>, text: &str) -> Result<(Vec<G::Move>, Option<Outcome>)> {
    let mut position = opening.position.clone();
    let mut met = Repetitions::default();
    met.follow(&G::start(position.board())?, &opening.moves);
    let mut moves = Vec::new();
    let mut ruled = position.outcome();
    met.meet(&position);
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let place = || format!("ply {}", moves.len() + 1);
        if ruled.is_some() || moves.len() == MOST_PLIES {
            return Err(Error::input(place(), "the game was over"));
        }
        let mv = position.parse_move(word).map_err(|error| error.within(place()))?;
        position = position.play_unchecked(mv);
        moves.push(mv);
        let is_repeated = || met.meet(&position).then_some(Outcome::Draw);
        ruled = position.outcome().or_else(is_repeated);
    }
    Ok((moves, ruled))
}

/// The outcome of a [`result_text`].
fn outcome_of(text: &str) -> Option<Outcome> {
    [Outcome::Win(Side::First), Outcome::Win(Side::Second), Outcome::Draw]
        .into_iter()
        .find(|&outcome| result_text(outcome) == text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::seed::generator;
    use crate::arena::{PairJob, PairRunner, SharedSet};
    use crate::games::{Ataxx, Breakthrough, Breakthru};
    use crate::search::Stop;
    use crate::weights;
    use std::sync::Arc;

    fn played<G: Game>(set: &str, adjudication: Adjudication) -> (Opening<G>, PairResult<G>) {
        let start = G::start(G::default_board()).unwrap();
        let opening = Opening::random(&start, 6, &mut generator(3, &[])).unwrap();
        let settings = MatchSettings { adjudication, ..MatchSettings::new(Limits::nodes(60)) };
        let evaluator = G::evaluator(&weights::find(set, G::GAME).unwrap()).unwrap();
        let result = PairRunner::<G>::new(settings, Stop::default()).play(&PairJob {
            opening: Arc::new(opening.clone()),
            evaluators: [evaluator.clone(), evaluator],
            constants: None,
            limits: None,
            opponent: None,
        });
        (opening, result)
    }

    fn comes_back<G: Game>(set: &str) {
        for adjudication in [Adjudication::Never, Adjudication::Proven] {
            let (opening, result) = played::<G>(set, adjudication);
            let sent = SentGames::new(&opening, &result).unwrap();
            let text = serde_json::to_string(&sent).unwrap();
            let sent: SentGames = serde_json::from_str(&text).unwrap();
            assert_eq!(sent.read(&opening, adjudication).unwrap(), result);
        }
    }

    #[test]
    fn games_come_back_as_they_were_played() {
        comes_back::<Breakthrough>("piece");
        comes_back::<Ataxx>("piece");
        comes_back::<Breakthru>("piece");
    }

    #[test]
    fn games_that_cannot_be_are_refused() {
        let (opening, result) = played::<Breakthrough>("piece", Adjudication::Never);
        let good = SentGames::new(&opening, &result).unwrap();
        let edits: [fn(&mut SentGame); 7] = [
            |game| game.result = if game.result == "1-0" { "0-1" } else { "1-0" }.into(),
            |game| game.result = "1-1".into(),
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
                let error = bad.read(&opening, Adjudication::Never).unwrap_err().to_string();
                assert!(error.starts_with(&format!("game {}", game + 1)), "{number}: {error}");
            }
        }
        assert!(SentGames::new(&opening, &PairResult::stopped()).is_none());
    }

    #[test]
    fn opponents_come_back_unless_they_are_engines_of_others() {
        let set = weights::find("piece", "breakthrough").unwrap();
        let evaluator = Breakthrough::evaluator(&set).unwrap();
        let constants = SearchConstants { null_base: 4, ..SearchConstants::default() };
        let shared = Some(SharedSet::new(&set).unwrap());
        let name = shared.as_ref().map(|set| set.digest().to_owned());
        let ours = Opponent::Set { evaluator: evaluator.clone(), constants, shared };
        let limits = Some(Limits::nodes(30));
        for side in Side::BOTH {
            let against = AgainstOpponent::<Breakthrough> { opponent: ours.clone(), side, limits };
            let sent = SentOpponent::new(&against).unwrap();
            assert_eq!(Some(&sent.set), name.as_ref());
            let back = sent.against::<Breakthrough>(evaluator.clone());
            assert_eq!((back.side, back.limits), (side, limits));
            assert!(
                matches!(back.opponent, Opponent::Set { constants, .. } if constants.null_base == 4)
            );
        }
        let side = Side::First;
        let engine =
            AgainstOpponent::<Breakthrough> { opponent: Opponent::Engine(0), side, limits };
        assert!(SentOpponent::new(&engine).is_none());
    }

    #[test]
    fn pairs_with_odd_numbers_are_refused() {
        let player = SentPlayer {
            set: String::new(),
            weights: None,
            constants: None,
            algorithm: Algorithm::Full,
            limits: Limits::nodes(10),
        };
        let good = SentPair {
            board: "8x8".into(),
            opening: "a2a3 a7a6".into(),
            players: [player.clone(), player],
            table_bytes: 1 << 20,
            adjudication: Adjudication::Never,
            opponent: None,
        };
        assert!(good.settings().is_ok());
        assert_eq!(good.opening::<Breakthrough>().unwrap().moves.len(), 2);
        let odd = |edit: fn(&mut SentPair)| {
            let mut pair = good.clone();
            edit(&mut pair);
            pair.settings().is_err() || pair.opening::<Breakthrough>().is_err()
        };
        assert!(odd(|pair| pair.table_bytes = usize::MAX));
        assert!(odd(|pair| pair.players[1].limits = Limits::default()));
        assert!(odd(|pair| {
            let (set, limits) = (String::new(), Some(Limits::default()));
            pair.opponent = Some(SentOpponent { set, constants: None, is_first: true, limits });
        }));
        assert!(odd(|pair| pair.board = "99x99".into()));
        assert!(odd(|pair| pair.opening = "a2a3 a7a6 zz".into()));
        assert!(odd(|pair| pair.opening = "a2a3  a7a6".into()));
    }
}
