//! The shipped weight sets, and looking up a set by name or path.

use super::table_shape::TableShape;
use super::{Weight, WeightSet};
use crate::any::known_sets;
use crate::error::{Error, Result, nearest};
use std::path::Path;

/// The set of each game that only counts pieces.
const COUNT_OF_PIECES: &str = "piece";

/// The files of `weights/<game>/`, packed by build.rs.
static SHIPPED: &[ShippedSet] = include!(concat!(env!("OUT_DIR"), "/shipped.rs"));

/// A weight set shipped with the program.
#[derive(Clone, Copy, Debug)]
pub struct ShippedSet {
    /// Its name as `game/set`, for example `breakthrough/8x8`.
    pub name: &'static str,
    /// The JSON text of the file, with empty tables and hidden weights.
    rest: &'static str,
    /// The name of each table, its number of cells, and its shape if half of the cells follow from
    /// the others.
    tables: &'static [(&'static str, usize, Option<TableShape>)],
    /// The remaining cells of all tables, compressed: all low bytes, then all high bytes.
    cells: &'static [u8],
    /// The hidden weights of the network, compressed.
    hidden_weights: &'static [u8],
}

/// The parts of a shipped set, for readers that unpack it themselves; see `docs/src/compact.md`.
#[derive(Clone, Copy, Debug)]
pub struct PackedSet {
    /// The JSON text of the file, with empty tables and hidden weights.
    pub header: &'static str,
    /// The name of each table, its number of cells, and its shape if half of the cells follow from
    /// the others.
    pub tables: &'static [(&'static str, usize, Option<TableShape>)],
    /// The remaining cells of all tables, compressed by zlib: all low bytes, then all high bytes.
    /// Sets with the same tables share the address.
    pub cells: &'static [u8],
    /// The hidden weights of the network, compressed by zlib.
    pub hidden_weights: &'static [u8],
}

impl ShippedSet {
    /// Makes a set from the text of its file, with a name like `game/set`.
    pub fn of_text(name: &str, text: &'static str) -> Self {
        let name = Box::leak(name.to_owned().into_boxed_str());
        Self { name, rest: text, tables: &[], cells: &[], hidden_weights: &[] }
    }

    /// The set without its table cells and hidden weights, which is quick to make. It is for
    /// inspection, not for playing.
    ///
    /// # Errors
    /// When the file that it was built from is not a weight file.
    pub fn without_tables(&self) -> Result<WeightSet> {
        WeightSet::from_json(self.rest, self.name)
    }

    /// The name and the number of cells of each table.
    pub fn tables(&self) -> impl Iterator<Item = (&'static str, usize)> {
        self.tables.iter().map(|&(name, cells, _)| (name, cells))
    }

    /// The complete set, as in its file.
    ///
    /// # Errors
    /// When the file that it was built from is not a weight file.
    pub fn read(&self) -> Result<WeightSet> {
        let mut set = self.without_tables()?;
        if self.is_whole() {
            return Ok(set);
        }
        let mut cells = self.unpacked()?.into_iter();
        for &(name, count, shape) in self.tables {
            set.weights.insert(name, Weight::Table(table(&mut cells, count, shape)));
        }
        if let Some(network) = &mut set.network {
            let bytes = self.inflated(self.hidden_weights)?;
            network.hidden_weights =
                bytes.into_iter().map(|byte| i8::from_le_bytes([byte])).collect();
        }
        Ok(set)
    }

    /// The parts that the program stores; `None` if the header is the whole file.
    pub fn packed(&self) -> Option<PackedSet> {
        let Self { rest: header, tables, cells, hidden_weights, .. } = *self;
        (!self.is_whole()).then_some(PackedSet { header, tables, cells, hidden_weights })
    }

    /// Whether no part of it is packed.
    pub(crate) fn is_whole(&self) -> bool {
        self.cells.is_empty() && self.hidden_weights.is_empty()
    }

    /// The cells that do not follow from other cells.
    fn unpacked(&self) -> Result<Vec<i32>> {
        let bytes = self.inflated(self.cells)?;
        let (low, high) = bytes.split_at(bytes.len() / 2);
        let cell = |(&low, &high)| {
            let folded = i32::from(u16::from_le_bytes([low, high]));
            (folded >> 1) ^ -(folded & 1)
        };
        Ok(low.iter().zip(high).map(cell).collect())
    }

    #[cfg(feature = "sets")]
    fn inflated(&self, packed: &[u8]) -> Result<Vec<u8>> {
        miniz_oxide::inflate::decompress_to_vec_zlib(packed)
            .map_err(|error| Error::failed(self.name, format!("cannot be unpacked: {error}")))
    }

    /// Without the feature `sets` nothing is packed.
    #[cfg(not(feature = "sets"))]
    fn inflated(&self, packed: &[u8]) -> Result<Vec<u8>> {
        Ok(packed.to_vec())
    }
}

/// Restores a table of `count` cells from its independent cells.
fn table(
    cells: &mut impl Iterator<Item = i32>,
    count: usize,
    shape: Option<TableShape>,
) -> Vec<i32> {
    let Some(shape) = shape else { return cells.take(count).collect() };
    let (opposite, mut table) = (shape.opposite(), Vec::with_capacity(count));
    for cell in 0..count {
        let earlier = table.get(opposite(cell)).map(|&weight: &i32| -weight);
        table.extend(earlier.or_else(|| cells.next()));
    }
    table
}

/// The weight sets shipped with the program, by name.
pub fn shipped() -> &'static [ShippedSet] {
    known_sets()
}

/// The sets of this crate's games.
pub(crate) fn shipped_with_the_program() -> Vec<ShippedSet> {
    SHIPPED.to_vec()
}

/// The shipped set of this name. The name may include the game (`breakthrough/atachiants`) or leave
/// it out (`atachiants`, looked up among the sets of `game`).
pub fn find_shipped(name: &str, game: &str) -> Option<&'static ShippedSet> {
    let short = |set: &ShippedSet| {
        set.name.strip_prefix(game).and_then(|rest| rest.strip_prefix('/')) == Some(name)
    };
    shipped().iter().find(|set| set.name == name || short(set))
}

/// The strongest shipped set of a game on a board: the set named after the board with `-network` if
/// there is one, else the set named after the board, else `default`. Networks are shipped only if
/// they are stronger at equal time.
pub fn strongest(game: &str, board: &str, default: &str) -> Option<&'static ShippedSet> {
    let names = [&format!("{board}-network"), board, default];
    names.into_iter().find_map(|name| find_shipped(name, game))
}

/// The reference opponents of a tune on a board, besides the set that it starts from: the game's
/// piece count and its strongest set.
pub fn yardsticks(game: &str, board: &str, default: &str) -> Vec<&'static ShippedSet> {
    let strongest = strongest(game, board, default);
    let count = find_shipped(COUNT_OF_PIECES, game);
    let distinct = strongest.filter(|set| count.is_none_or(|count| count.name != set.name));
    count.into_iter().chain(distinct).collect()
}

/// A weight set by its shipped name, as with [`find_shipped`], or by the path of a file. A shipped
/// name takes precedence over a file of the same name; write `./atachiants` for the file. Use
/// [`WeightSet::check`] to compare its game with `game`.
///
/// # Errors
/// When there is no such set or file, with the nearest names; or as for [`WeightSet::load`].
pub fn find(name_or_path: &str, game: &str) -> Result<WeightSet> {
    if let Some(set) = find_shipped(name_or_path, game) {
        return set.read();
    }
    let path = Path::new(name_or_path);
    let is_file = |ending| name_or_path.ends_with(ending);
    if path.exists() || is_file(".json") || is_file(".bin") || name_or_path.contains('\\') {
        return WeightSet::load(path);
    }
    Err(unknown(name_or_path, game, &[]))
}

/// The error for a name of neither a shipped set nor a file. `others` are further known names.
pub fn unknown(name: &str, game: &str, others: &[String]) -> Error {
    let short =
        |full: &'static str| full.strip_prefix(game)?.strip_prefix('/').map(|short| (short, full));
    let full_names = || shipped().iter().map(|set| set.name);
    let near = nearest(name, full_names().filter_map(short).map(|(short, _)| short))
        .map(|near| format!("{game}/{near}"))
        .or_else(|| nearest(name, full_names()).map(str::to_owned))
        .or_else(|| nearest(name, others.iter().map(String::as_str)).map(str::to_owned));
    let of_other = full_names().find(|full| full.ends_with(&format!("/{name}")));
    let listed = |game: &str| {
        let names: Vec<&str> = full_names().filter(|full| full.starts_with(game)).collect();
        names.join(", ")
    };
    let remedy = match (of_other, near) {
        (Some(full), _) => format!(
            "`{full}` is of another game; the shipped sets of {game} are: {}",
            listed(&format!("{game}/"))
        ),
        (None, Some(near)) => format!("did you mean `{near}`?"),
        (None, None) => format!("the shipped sets are: {}", listed("")),
    };
    Error::input(format!("weights `{name}`"), "no shipped weight set and no file has this name")
        .remedy(remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_sets_are_found_by_either_name() {
        let set = find("breakthrough/zhu", "breakthrough").unwrap();
        assert_eq!(find("zhu", "breakthrough").unwrap(), set);
        assert_eq!(find("breakthrough/zhu", "ataxx").unwrap(), set);
        let error = find("zhu", "ataxx").unwrap_err().to_string();
        assert!(
            error.contains("set and no file has this name; `breakthrough/zhu` is of another"),
            "{error}"
        );
        assert!(error.contains("are: ataxx/"), "{error}");
    }

    /// As long as no set that is shipped has a network, one that is packed by hand stands for them.
    #[cfg(feature = "sets")]
    #[test]
    fn networks_are_unpacked() {
        const REST: &str = r#"{"format":5,"game":"ataxx","board":"4x4","name":"n","description":"",
            "scale":1,"weights":{},"network":{"window":"2x2","units":1,"activation":"screlu",
            "limit":127,"divisor":1,"hidden_biases":[3],"output_bias":0,"output_weights":[4],
            "hidden_weights":""},"provenance":null}"#;
        let packed = |bytes: &[u8]| -> &'static [u8] {
            Box::leak(miniz_oxide::deflate::compress_to_vec_zlib(bytes, 9).into_boxed_slice())
        };
        let set = ShippedSet {
            name: "ataxx/n",
            rest: REST,
            tables: &[],
            cells: packed(&[]),
            hidden_weights: packed(&[0, 1, 127, 128, 255]),
        };
        let empty = set.without_tables().unwrap();
        assert_eq!(empty.network.as_ref().unwrap().hidden_weights, [0; 0]);
        let network = set.read().unwrap().network.unwrap();
        assert_eq!(network.hidden_weights, [0, 1, 127, -128, -1]);
        assert_eq!(network.output_weights, [4]);
        let broken = ShippedSet { hidden_weights: &[255; 3], ..set };
        assert!(broken.read().unwrap_err().to_string().contains("cannot be unpacked"));
    }

    #[cfg(feature = "sets")]
    #[test]
    fn a_boards_yardsticks_are_the_count_of_pieces_and_its_strongest_set() {
        let names = |game, board| -> Vec<&str> {
            yardsticks(game, board, "spsa").iter().map(|set| set.name).collect()
        };
        assert_eq!(
            names("breakthrough", "8x8"),
            ["breakthrough/piece", "breakthrough/8x8-network"]
        );
        assert_eq!(
            names("breakthrough", "5x5"),
            ["breakthrough/piece", "breakthrough/5x5-network"]
        );
        assert_eq!(names("breakthrough", "8x7"), ["breakthrough/piece", "breakthrough/spsa"]);
        assert_eq!(names("ataxx", "7x7"), ["ataxx/piece", "ataxx/7x7-network"]);
    }

    #[test]
    fn an_unknown_name_gets_the_nearest_or_all() {
        for name in ["atachiant", "breakthrough/atachiant", "breaktrough/atachiants"] {
            let error = find(name, "breakthrough").unwrap_err();
            assert_eq!(error.exit_code(), 2);
            assert!(
                error.to_string().ends_with("did you mean `breakthrough/atachiants`?"),
                "{error}"
            );
        }
        for name in ["", "a name like no other", "no/such/file"] {
            let error = find(name, "breakthrough").unwrap_err().to_string();
            assert!(shipped().iter().all(|set| error.contains(set.name)), "{error}");
        }
        let error = find("no/such.json", "breakthrough").unwrap_err();
        assert!(error.to_string().starts_with("no/such.json: cannot open"), "{error}");
    }
}
