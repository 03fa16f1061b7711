//! A player: the weights of its evaluation and the constants of its search.
//!
//! Every command finds its players here by one name. A shipped set has its own name; a file with
//! weights, search constants or both goes by its path.
//!
//! ```
//! use sparring_engine::game::Board;
//! use sparring_engine::games::GameId;
//! use sparring_engine::player::{DefaultWeights, Player};
//! use sparring_engine::search::SearchConstants;
//!
//! let game: GameId = "breakthrough".parse().unwrap();
//! let default = DefaultWeights::Strongest(Board::new(6, 6));
//! let player = Player::find(game, Some("zhu"), default).unwrap();
//! assert_eq!(player.name, "breakthrough/zhu");
//! assert_eq!(player.constants, SearchConstants::default());
//! assert_eq!(Player::find(game, None, default).unwrap().name, "breakthrough/6x6-network");
//! ```

use crate::error::{Error, Result};
use crate::game::Board;
use crate::games::GameId;
use crate::search::SearchConstants;
use crate::weights::{
    self, FORMAT, FORMAT_WITH_SEARCH, Fnv, Provenance, Weight, WeightSet, Weights, find_shipped,
    strongest,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Weights and search constants, under one name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Player {
    /// The full name of the shipped set (`breakthrough/8x8`), or the path as it was given.
    pub name: String,
    /// The weights of the evaluation.
    pub weights: WeightSet,
    /// The constants of the full search and of the tree searches.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "std::collections::BTreeMap<String, i32>"))]
    pub constants: SearchConstants,
    /// The options of an external engine, by name; empty for a player of this program's engine.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
}

/// The shipped weights of a player whose name does not choose any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefaultWeights {
    /// The strongest set for this board ([`weights::strongest`]).
    Strongest(Board),
    /// The strongest without a network: the set named after the board if there is one, else the
    /// game's default set.
    WithoutNetwork(Board),
    /// The hand-made set, from which weight tunes start.
    HandMade,
}

impl DefaultWeights {
    /// The name of the set.
    ///
    /// # Errors
    /// When the game ships no set, for instance because it has rules only.
    pub fn name(self, game: GameId) -> Result<&'static str> {
        game.needs_engine()?;
        match self {
            Self::Strongest(board) => {
                strongest(game.name, &board.to_string(), game.guide.default_set)
                    .map(|set| set.name)
                    .ok_or_else(|| none_shipped(game))
            }
            Self::WithoutNetwork(board) => shipped_name(game, &board.to_string())
                .or_else(|_| shipped_name(game, game.guide.default_set)),
            Self::HandMade => shipped_name(game, game.guide.hand_made_set),
        }
    }
}

impl Player {
    /// The player of this name: a shipped set, with or without its game, or a file. It uses the
    /// default weights if there is no name, or if the file holds search constants only.
    ///
    /// # Errors
    /// When there is no such set or file, or it does not fit the game.
    pub fn find(game: GameId, name: Option<&str>, default: DefaultWeights) -> Result<Self> {
        let Some(name) = name else { return Self::find(game, Some(default.name(game)?), default) };
        game.needs_engine()?;
        let set = weights::find(name, game.name)?;
        let name = find_shipped(name, game.name).map_or(name, |set| set.name).to_owned();
        Self::from_set(game, name, set, default)
    }

    /// Makes the player of a set, as [`find`](Self::find) does.
    ///
    /// # Errors
    /// When the set does not fit the game.
    pub fn from_set(
        game: GameId,
        name: String,
        mut weights: WeightSet,
        default: DefaultWeights,
    ) -> Result<Self> {
        let has_only_constants = weights.has_only_constants();
        let constants = match weights.search.take() {
            Some(values) => SearchConstants::from_map(&values, &name)?,
            None => SearchConstants::default(),
        };
        if has_only_constants {
            weights.check_game(&name, game.name)?;
            weights = Self::find(game, None, default)?.weights;
        }
        game.check_set(&weights, &name)?;
        Ok(Self { name, weights, constants, options: BTreeMap::new() })
    }

    /// Whether this is the shipped set of its name, with that set's own constants.
    pub fn is_shipped(&self) -> bool {
        let shipped = find_shipped(&self.name, &self.weights.game);
        let Some(Ok(set)) = shipped.map(|set| set.without_tables()) else { return false };
        set.search.unwrap_or_else(|| SearchConstants::default().to_map()) == self.constants.to_map()
    }

    /// The player as a weight file stores it. Default constants are left out.
    pub fn to_set(&self) -> WeightSet {
        let mut set = self.weights.clone();
        if self.constants != SearchConstants::default() {
            // A set of an older format may lack features that this one must name.
            if let Ok(game) = set.game.parse::<GameId>()
                && set.format < FORMAT
            {
                add_missing(game, &mut set);
                set.format = FORMAT;
            }
            set.search = Some(self.constants.to_map());
        }
        set
    }

    /// Its constants as a separate file, for players with other weights.
    pub fn to_constants_set(&self) -> WeightSet {
        let provenance = self.weights.provenance.clone().filter(Provenance::is_of_constants);
        WeightSet {
            format: FORMAT_WITH_SEARCH,
            game: self.weights.game.clone(),
            board: provenance.as_ref().and(self.weights.board.clone()),
            name: self.weights.name.clone(),
            description: String::new(),
            scale: 1,
            weights: Weights::new(),
            network: None,
            search: Some(self.constants.to_map()),
            provenance,
        }
    }

    /// 16 hexadecimal digits that identify how it plays: a digest of the weights, of constants that
    /// differ from the defaults, and of any options of an external engine.
    pub fn fingerprint(&self) -> String {
        let own = self.to_set().fingerprint();
        if self.options.is_empty() {
            return own;
        }
        let options = self.options.iter().map(|(name, value)| format!("\n{name}={value}"));
        let mut hash = Fnv::default();
        hash.bytes(options.fold(own, |text, option| text + &option).as_bytes());
        hash.digits()
    }
}

/// Adds the features that a set lacks, with weight 0.
fn add_missing(game: GameId, set: &mut WeightSet) {
    for name in game.feature_names() {
        if set.weights.get(name).is_none() && set.early_and_late(name).is_none() {
            set.weights.insert(name, Weight::One(0));
        }
    }
    set.sort_by_features(&game.shapes(None));
}

/// The full name of a shipped set of a game.
fn shipped_name(game: GameId, set: &str) -> Result<&'static str> {
    find_shipped(set, game.name).map(|set| set.name).ok_or_else(|| none_shipped(game))
}

fn none_shipped(game: GameId) -> Error {
    Error::input(format!("game `{game}`"), "no weight set is shipped for it")
        .remedy("make one with `spar weights new hand --set FEATURE=WEIGHT`, and name its file")
}
