//! Weight sets as source code of other languages: the numbers, and the function that values a
//! position by them.
//!
//! The function reads windows and networks off the squares of the board itself. Features of one
//! weight are counted by whoever calls it, for [FEATURES.md](super::document) defines them: the set
//! has the list of those that it weighs, and the big ones weigh few.

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

/// The parts of a set that go into source code.
struct SourceSet<'a> {
    set: &'a WeightSet,
    board: Option<Board>,
    units: ScoreUnits,
    /// The features of one weight that is not 0, in the order of the game's list; of each the early
    /// and the late weight, which are the same where it has one.
    features: Vec<(&'static str, [i32; 2])>,
    tables: Vec<SourceTable<'a>>,
    network: Option<&'a Network>,
}

/// A table of windows.
struct SourceTable<'a> {
    name: &'static str,
    height: u32,
    width: u32,
    /// Whether windows that mirror each other top to bottom share their cells.
    is_folded: bool,
    cells: &'a [i32],
}

impl<'a> SourceSet<'a> {
    /// The set, which must fit its game.
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
            features: features
                .filter_map(|feature| Some((feature.name, weights(feature.name)?)))
                .collect(),
            tables: game.tables.iter().filter_map(table).collect::<Result<_>>()?,
            network: set.network.as_ref(),
        })
    }

    /// The name of the set as a part of the names of a language.
    fn identifier(&self) -> String {
        let WeightSet { game, name, .. } = self.set;
        // The sets of runs have the game in their names.
        let name = name.strip_prefix(game).and_then(|rest| rest.strip_prefix('/')).unwrap_or(name);
        let name = format!("{game}_{name}");
        let plain = |sign: char| if sign.is_ascii_alphanumeric() { sign } else { '_' };
        name.to_lowercase().chars().map(plain).collect()
    }

    /// Whether any of it is read off the squares.
    fn reads_squares(&self) -> bool {
        !self.tables.is_empty() || self.network.is_some()
    }

    /// Columns and rows; 0 where the set is for any board.
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

/// Checks that the squares of a network show what the functions in source code read: the pieces of
/// the side to move and of the other side.
fn check_squares(game: GameId, set: &WeightSet, place: &str) -> Result<()> {
    if set.network.is_none() || game.networks == InputScheme::SIDES {
        return Ok(());
    }
    let reason = format!("there is no source code for networks of {}", game.name);
    Err(Error::input(format!("{place}, key `network`"), reason)
        .remedy("export it to bin or json, and read it as FEATURES.md says"))
}

/// Numbers with commas between them, in lines that editors can open.
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

/// Text that can stand in a comment: without line breaks and without the end of a comment.
fn comment(text: &str) -> String {
    text.replace(['\n', '\r'], " ").replace("*/", "* /").replace("/*", "/ *")
}
