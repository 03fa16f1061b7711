//! Weight sets as source code in other languages: the numbers, and the function that evaluates a
//! position with them.
//!
//! The function reads the windows of tables and networks from the squares of the board itself. The
//! caller counts the single-weight features, as [FEATURES.md](super::document) defines them. The
//! set lists the features that it uses, and the big sets use few.

mod c;
mod js;

use crate::error::{Error, Result};
use crate::eval::features::table_weights;
use crate::eval::{PatternTable, ScoreUnits, Symmetry};
use crate::game::Board;
use crate::games::GameId;
use crate::weights::{InputScheme, Network, WeightSet};

pub use c::c_header;
pub use js::js_module;

/// The parts of a set for source code.
struct SourceSet<'a> {
    set: &'a WeightSet,
    board: Option<Board>,
    units: ScoreUnits,
    /// What the unit of its scores is, in a sentence.
    about_unit: &'static str,
    /// The features with a nonzero weight, in the order of the game's list. Each has its early and
    /// its late weight; a single weight appears as both.
    features: Vec<(&'static str, [i32; 2])>,
    tables: Vec<SourceTable<'a>>,
    network: Option<&'a Network>,
}

/// A pattern table of windows in the set.
struct SourceTable<'a> {
    name: &'static str,
    height: u32,
    width: u32,
    /// Whether windows that mirror each other top to bottom share their cells.
    is_folded: bool,
    cells: &'a [i32],
}

impl<'a> SourceSet<'a> {
    /// Prepares a set. It must fit its game.
    fn new(set: &'a WeightSet, place: &str) -> Result<Self> {
        let id: GameId = set.game.parse().map_err(|error: Error| error.within(place))?;
        Self::of_game(id, set, place)
    }

    fn of_game(game: GameId, set: &'a WeightSet, place: &str) -> Result<Self> {
        game.check_set(set, place)?;
        check_squares(game, set, place)?;
        let weights = |name| {
            let both = set.one(name).map(|weight| [weight; 2]).or_else(|| set.early_and_late(name));
            both.filter(|weights| *weights != [0; 2])
        };
        let features = game.features.iter();
        let table = |table: &PatternTable| {
            let (_, cells) = table_weights(set, table)?;
            Some(SourceTable::new(table.name, game.symmetry, cells, place))
        };
        Ok(Self {
            set,
            board: set.board.as_deref().map(str::parse).transpose()?,
            units: game.score_units(set)?,
            about_unit: match game.counts_in_pieces() {
                true => {
                    "What a piece is worth, in units of the value: divide by it to show pieces."
                }
                false => {
                    "The unit of displayed scores, in units of the value: divide by it to show them."
                }
            },
            features: features
                .filter_map(|feature| Some((feature.name, weights(feature.name)?)))
                .collect(),
            tables: game.tables.iter().filter_map(table).collect::<Result<_>>()?,
            network: set.network.as_ref(),
        })
    }

    /// The set's name as part of an identifier.
    fn identifier(&self) -> String {
        let WeightSet { game, name, .. } = self.set;
        // The sets of runs have names that begin with the game.
        let name = name.strip_prefix(game).and_then(|rest| rest.strip_prefix('/')).unwrap_or(name);
        let name = format!("{game}_{name}");
        let plain = |sign: char| if sign.is_ascii_alphanumeric() { sign } else { '_' };
        name.to_lowercase().chars().map(plain).collect()
    }

    /// Whether any part of the set reads the squares.
    fn reads_squares(&self) -> bool {
        !self.tables.is_empty() || self.network.is_some()
    }

    /// The numbers of columns and rows; 0 for a set for any board.
    fn size(&self) -> (u8, u8) {
        self.board.map_or((0, 0), |board| (board.cols(), board.rows()))
    }
}

impl<'a> SourceTable<'a> {
    fn new(
        name: &'static str,
        symmetry: Option<Symmetry>,
        cells: &'a [i32],
        place: &str,
    ) -> Result<Self> {
        let sides = name.strip_prefix("windows_").and_then(|sides| sides.split_once('x'));
        let sides = sides.and_then(|(rows, cols)| Some((rows.parse().ok()?, cols.parse().ok()?)));
        let Some((height, width)) = sides else {
            let place = format!("{place}, key `{name}`");
            return Err(Error::input(place, "no table of windows, the only ones in source code"));
        };
        let is_folded = symmetry == Some(Symmetry::Dihedral);
        Ok(Self { name, height, width, is_folded, cells })
    }
}

/// Checks that the network's squares have the states that the source code reads: the pieces of the
/// side to move and of the other side.
fn check_squares(game: GameId, set: &WeightSet, place: &str) -> Result<()> {
    if set.network.is_none() || game.networks == InputScheme::SIDES {
        return Ok(());
    }
    let reason = format!("there is no source code for networks of {}", game.name);
    Err(Error::input(format!("{place}, key `network`"), reason)
        .remedy("export it to bin or json, and read it as FEATURES.md says"))
}

/// Numbers separated by commas, in lines that editors can handle.
fn number_lines(numbers: impl Iterator<Item = impl std::fmt::Display>) -> String {
    const IN_A_LINE: usize = 24;
    let mut text = String::new();
    for (place, number) in numbers.enumerate() {
        if place > 0 {
            text.push_str(if place % IN_A_LINE == 0 { ",\n" } else { "," });
        }
        text += &number.to_string();
    }
    text
}

/// Text that is safe in a comment: without line breaks and comment delimiters.
fn comment(text: &str) -> String {
    text.replace(['\n', '\r'], " ").replace("*/", "* /").replace("/*", "/ *")
}
