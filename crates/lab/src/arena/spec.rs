//! A pair as data: who plays whom, from which opening, under which limits.
//!
//! This is the only form of a pair that has not been played: a thread of this program, a worker on
//! another machine and a test all play it from here.

use super::adjudication::Adjudication;
use super::play::{GameEnds, MOST_PLIES};
use super::remote::SharedSet;
use crate::any::AnyOpening;
use crate::error::{Error, Result};
use crate::game::openings::MOST_OPENING_PLIES;
use crate::game::{Board, Side};
use crate::games::GameId;
use crate::player::Player;
use crate::search::{Algorithm, Limits, Options, SearchConstants};
use crate::weights::{Weight, WeightSet};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// Moves of a side in a game, roughly.
const MOVES_OF_A_GAME: u64 = 30;

/// Changes single weights of a set for a game with these features. A set of an older format may
/// lack features: if one of them gets a weight, the others that the set lacks get 0, which the
/// newer format requires.
///
/// # Errors
/// When a weight is a table, or out of range.
pub fn change_weights<'a>(
    set: &mut WeightSet,
    weights: impl IntoIterator<Item = (&'a str, i32)>,
    features: &[&str],
) -> Result<()> {
    let format = set.format;
    for (name, weight) in weights {
        set.set_or_add(name, weight)?;
    }
    if set.format == format {
        return Ok(());
    }
    for name in features {
        if lacks(set, name) {
            set.weights.insert(name, Weight::One(0));
        }
    }
    Ok(())
}

/// Whether a set has no weight of a feature, for the whole game or by phases.
pub fn lacks(set: &WeightSet, feature: &str) -> bool {
    set.weights.get(feature).is_none() && set.early_and_late(feature).is_none()
}

/// The weight sets that pairs name, by their digests.
pub type Sets = HashMap<String, SharedSet>;

/// Two games from one opening with colours swapped, to be played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairSpec {
    /// The game by name, such as `breakthrough`.
    pub game: String,
    /// The board, columns x rows, such as `8x8`.
    pub board: String,
    /// The position before the opening, as FEN, where that is not the start of the board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Whether the second side begins where `start` does not say so by the sign `b`, as in games
    /// that only a referee knows.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub second_begins: bool,
    /// The moves of the opening, separated by spaces.
    pub opening: String,
    /// Player A and player B.
    pub players: [PlayerSpec; 2],
    /// The opponent of both players, if they do not play each other. Each plays one game against
    /// it, from the same opening and with the same side. The difference of their scores counts as
    /// if A had scored it against B.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponent: Option<OpponentSpec>,
    /// The size of each engine's transposition table, in bytes.
    pub table_bytes: usize,
    /// When games are ended early.
    pub adjudication: Adjudication,
    /// The most plies of a game after its opening, where they are not the usual ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<u32>,
}

/// Who makes the moves of a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlayerBody {
    /// The engine of this program with the weight set of this digest.
    Set(String),
    /// An external engine, by its place among the run's engines.
    Engine(usize),
}

/// A player of a pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerSpec {
    /// Who makes its moves.
    pub body: PlayerBody,
    /// Weights in place of the set's, by feature.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub weights: BTreeMap<String, i32>,
    /// The constants of its search, where they are not the usual ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constants: Option<SearchConstants>,
    /// Options of an external engine that are set before the pair, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// The search algorithm that the player uses.
    #[serde(default)]
    pub algorithm: Algorithm,
    /// The limits of its moves.
    pub limits: Limits,
}

/// The opponent of both players of a pair. It searches with the algorithm of player A.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpponentSpec {
    /// Who makes its moves.
    pub body: PlayerBody,
    /// The constants of its search, where they are not the usual ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constants: Option<SearchConstants>,
    /// Whether it plays the first side, in both games.
    pub is_first: bool,
    /// The limits of its moves, where they differ from the limits of the player that it replaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
}

/// The constants as a pair has them: `None` if they are the usual ones.
pub fn unusual(constants: &SearchConstants) -> Option<SearchConstants> {
    (*constants != SearchConstants::default()).then(|| constants.clone())
}

impl PlayerSpec {
    /// The engine of this program with one of the pairs' sets.
    pub fn of_set(set: &SharedSet, constants: &SearchConstants, limits: Limits) -> Self {
        Self::new(PlayerBody::Set(set.digest().to_owned()), unusual(constants), limits)
    }

    /// A player, whose set joins the pairs' sets.
    ///
    /// # Errors
    /// When the set has no compact form.
    pub fn of_player(player: &Player, limits: Limits, sets: &mut Sets) -> Result<Self> {
        let set = SharedSet::add(&player.weights, sets)?;
        Ok(Self::of_set(&set, &player.constants, limits))
    }

    /// A player that is the external engine of this number.
    pub fn of_engine(place: usize, limits: Limits) -> Self {
        Self::new(PlayerBody::Engine(place), None, limits)
    }

    fn new(body: PlayerBody, constants: Option<SearchConstants>, limits: Limits) -> Self {
        let (weights, options, algorithm) = (BTreeMap::new(), BTreeMap::new(), Algorithm::Full);
        Self { body, weights, constants, options, algorithm, limits }
    }
}

impl OpponentSpec {
    /// Its side in both games.
    pub fn side(&self) -> Side {
        if self.is_first { Side::First } else { Side::Second }
    }
}

impl PairSpec {
    /// The kind of the jobs that play pairs.
    pub const KIND: &'static str = "pair";

    /// A pair without an opening, with tables that suit the wider limits, and no adjudication.
    pub fn new(game: GameId, board: Board, players: [PlayerSpec; 2]) -> Self {
        let tables = players.iter().map(|player| Options::table_for(&player.limits));
        Self {
            game: game.name.into(),
            board: board.to_string(),
            start: None,
            second_begins: false,
            opening: String::new(),
            table_bytes: tables.fold(0, usize::max),
            players,
            opponent: None,
            adjudication: Adjudication::Never,
            max_plies: None,
        }
    }

    /// The same pair from an opening.
    #[must_use]
    pub fn from_opening(&self, opening: &AnyOpening) -> Self {
        Self {
            start: opening.own_start(),
            second_begins: opening.has_unnamed_second(),
            opening: opening.text(),
            ..self.clone()
        }
    }

    /// When its games end before their rules end them.
    pub fn ends(&self) -> GameEnds {
        GameEnds::new(self.adjudication, self.max_plies)
    }

    /// The opening. If the referee fails, it ends with a position that has a fault.
    ///
    /// # Errors
    /// When it is not an opening of the game, or ends it.
    pub fn read_opening(&self, game: GameId) -> Result<AnyOpening> {
        let board: Board = self.board.parse()?;
        let start = match &self.start {
            None => game.start(board)?,
            Some(fen) => game.from_fen(fen).map_err(|error| error.within("start"))?,
        };
        let mut opening = AnyOpening::new(start);
        for word in self.opening.split_whitespace().take(MOST_OPENING_PLIES as usize + 2) {
            if opening.position.fault().is_some() {
                return Ok(opening);
            }
            let mv = opening.position.parse_move(word).map_err(|e| e.within("opening"))?;
            opening.push(mv);
        }
        if opening.position.outcome().is_some() || opening.text() != self.opening {
            return Err(Error::input("opening", "ends the game, or is not in the usual notation"));
        }
        Ok(opening)
    }

    /// Checks the numbers, which may come from another machine.
    ///
    /// # Errors
    /// When one is out of range.
    pub fn check(&self) -> Result<()> {
        check_table(self.table_bytes)?;
        check_max_plies(self.max_plies)?;
        self.limits().try_for_each(Limits::check)
    }

    fn limits(&self) -> impl Iterator<Item = &Limits> {
        let of_opponent = self.opponent.iter().filter_map(|opponent| opponent.limits.as_ref());
        self.players.iter().map(|player| &player.limits).chain(of_opponent)
    }

    /// The sets and engines that take part.
    pub fn bodies(&self) -> impl Iterator<Item = &PlayerBody> {
        let of_opponent = self.opponent.iter().map(|opponent| &opponent.body);
        self.players.iter().map(|player| &player.body).chain(of_opponent)
    }

    /// Whether external engines take part.
    pub fn has_engines(&self) -> bool {
        self.bodies().any(|body| matches!(body, PlayerBody::Engine(_)))
    }

    /// Who plays the first side and the second one in the first or the second game, with the
    /// limits of their moves.
    pub fn sides(&self, is_second_game: bool) -> [(&PlayerBody, &Limits); 2] {
        let mut sides = self.players.each_ref().map(|player| (&player.body, &player.limits));
        if is_second_game {
            sides.reverse();
        }
        if let Some(opponent) = &self.opponent {
            let side = &mut sides[opponent.side().index()];
            *side = (&opponent.body, opponent.limits.as_ref().unwrap_or(side.1));
        }
        sides
    }

    /// Whether the games depend on the pair alone.
    pub fn is_repeatable(&self) -> bool {
        self.limits().all(Limits::is_deterministic)
    }

    /// The nodes that it takes, roughly; 0 when unknown.
    pub fn nodes(&self) -> u64 {
        let nodes = self.limits().filter_map(|limits| limits.nodes);
        nodes.fold(0, u64::saturating_add).saturating_mul(MOVES_OF_A_GAME)
    }
}

/// Checks the most plies of a game.
///
/// # Errors
/// When there are none, or too many.
pub fn check_max_plies(plies: Option<u32>) -> Result<()> {
    match plies {
        None | Some(1..=MOST_PLIES) => Ok(()),
        Some(plies) => Err(Error::input("plies of a game", format!("{plies} is out of range"))
            .remedy(format!("give 1 to {MOST_PLIES} with --max-plies"))),
    }
}

/// Checks that a table has a size that the command line would take.
///
/// # Errors
/// When the table is too large.
pub fn check_table(bytes: usize) -> Result<()> {
    match bytes as u64 <= Options::MAX_TABLE_MIB << 20 {
        true => Ok(()),
        false => Err(Error::input("table", format!("{bytes} bytes are too many"))),
    }
}
