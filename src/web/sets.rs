//! The list of weight sets that the page offers, and the files of the program's own.

use crate::error::{Error, Result};
use crate::games::GameId;
use crate::weights::{PackedSet, ShippedSet, TableShape, WeightSet, shipped};
use serde::Serialize;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::borrow::Cow;

/// The folder of the sets below `assets/`.
pub const SETS: &str = "engine/sets";
/// Their list, in that folder.
pub const INDEX: &str = "index.json";
/// The folder, in that folder, of the parts that several sets share.
pub const PARTS: &str = "parts/";

/// A line of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SetEntry {
    /// The set's name on the page.
    pub name: String,
    /// The title on the page, where the name alone is not clear.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The game that it is for.
    pub game: String,
    /// The board that it was made for, if it was made for one.
    pub board: Option<String>,
    /// The only board that it can be used on; null for any of the game.
    pub fits: Option<String>,
    /// Its file in the folder of the sets.
    pub file: String,
    /// The bytes that a page loads for it; null where they are not known before the file is made.
    pub bytes: Option<u64>,
    /// Whether it is the default for boards of the game that have no set of their own.
    pub usual: bool,
}

impl SetEntry {
    /// The line of a set that does not come with the program.
    pub fn new(name: String, file: String, set: &WeightSet, bytes: u64) -> Self {
        Self {
            name,
            title: None,
            game: set.game.clone(),
            board: set.board.clone(),
            fits: crate::eval::features::only_board(set).map(str::to_owned),
            file,
            bytes: Some(bytes),
            usual: false,
        }
    }

    /// The line of a run's set on a board, made without reading the set.
    pub fn of_run(name: String, title: String, game: String, board: String) -> Self {
        Self {
            title: Some(title),
            game,
            fits: Some(board.clone()),
            board: Some(board),
            file: format!("{name}.bin"),
            bytes: None,
            usual: false,
            name,
        }
    }

    /// Whether it can be used on a board of a game; any of the game where no board is given.
    pub fn suits(&self, game: &str, board: Option<&str>) -> bool {
        let fits = self.fits.as_deref();
        self.game == game && (board.is_none() || fits.is_none() || fits == board)
    }
}

/// A set of the program, as files in the folder of the sets.
#[derive(Clone, Debug)]
pub struct ShippedFiles {
    /// Its line in the list.
    pub entry: SetEntry,
    /// Its file and the parts that the file names, each with its path and its bytes. Sets that
    /// share a part list it under the same name.
    pub files: Vec<(String, Cow<'static, [u8]>)>,
}

/// The program's own sets. `docs/src/compact.md` defines their files.
///
/// # Errors
/// When the program was built from a damaged file.
pub fn shipped_files() -> Result<Vec<ShippedFiles>> {
    shipped().iter().map(files_of).collect()
}

fn files_of(shipped: &ShippedSet) -> Result<ShippedFiles> {
    let set = shipped.read()?;
    let files = match shipped.packed() {
        None => vec![(format!("{}.json", shipped.name), set.to_json().into_bytes().into())],
        Some(packed) => packed_files(shipped.name, &packed, set.network.is_some())?,
    };
    let bytes = files.iter().map(|(_, bytes)| bytes.len() as u64).sum();
    let game: GameId = set.game.parse()?;
    let usual = format!("{game}/{}", game.guide.default_set) == shipped.name;
    let entry = SetEntry::new(shipped.name.into(), files[0].0.clone(), &set, bytes);
    Ok(ShippedFiles { entry: SetEntry { usual, ..entry }, files })
}

/// The file that names the parts, and the parts.
fn packed_files(
    name: &str,
    packed: &PackedSet,
    has_network: bool,
) -> Result<Vec<(String, Cow<'static, [u8]>)>> {
    let cells = (!packed.tables.is_empty()).then_some(packed.cells);
    let hidden_weights = has_network.then_some(packed.hidden_weights);
    let head = json!({
        "header": packed.header,
        "tables": packed.tables.iter().map(table).collect::<Vec<_>>(),
        "cells": cells.map(part_name),
        "hidden_weights": hidden_weights.map(part_name),
    });
    let head =
        serde_json::to_vec(&head).map_err(|error| Error::failed(format!("set {name}"), error))?;
    let parts = cells.into_iter().chain(hidden_weights);
    let parts = parts.map(|bytes| (part_name(bytes), Cow::Borrowed(bytes)));
    Ok([(format!("{name}.pack"), Cow::Owned(head))].into_iter().chain(parts).collect())
}

fn table(&(name, cells, shape): &(&str, usize, Option<TableShape>)) -> serde_json::Value {
    let shape = shape.map(|TableShape { height, width, classes, lines, turned }| {
        json!({ "height": height, "width": width, "classes": classes, "lines": lines, "turned": turned })
    });
    json!({ "name": name, "cells": cells, "shape": shape })
}

/// The place of a part, which is the same for the same bytes.
fn part_name(bytes: &[u8]) -> String {
    format!("{PARTS}{}", &digest(bytes)[..16])
}

/// The SHA-256 of bytes, in hexadecimal digits.
pub fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn each_game_has_one_usual_set_which_fits_every_board() {
        let sets = shipped_files().unwrap();
        let entries: Vec<&SetEntry> = sets.iter().map(|set| &set.entry).collect();
        for game in GameId::with_engine() {
            let usual: Vec<&&SetEntry> =
                entries.iter().filter(|set| set.usual && set.game == game.name()).collect();
            assert_eq!(usual.len(), 1, "{game}");
            assert_eq!(usual[0].fits, None);
        }
        let of = |name: &str| *entries.iter().find(|set| set.name == name).unwrap();
        assert_eq!(of("breakthrough/8x8").fits.as_deref(), Some("8x8"));
        assert_eq!(of("ataxx/7x7-network").fits.as_deref(), Some("7x7"));
        assert!(of("breakthrough/8x8").suits("breakthrough", None));
        assert!(!of("breakthrough/8x8").suits("breakthrough", Some("7x7")));
        assert!(of("breakthrough/spsa").suits("breakthrough", Some("7x7")));
        assert!(!of("breakthrough/spsa").suits("ataxx", None));
    }

    /// Shared parts are there once, and what is loaded for a set is within the budget of a page.
    #[test]
    fn sets_are_packed_once() {
        let sets = shipped_files().unwrap();
        let once: BTreeMap<&String, usize> = sets
            .iter()
            .flat_map(|set| &set.files)
            .map(|(name, bytes)| (name, bytes.len()))
            .collect();
        let all: usize = once.values().sum();
        assert!(all < 4_800_000, "{all}");
        let of = |name: &str| sets.iter().find(|set| set.entry.name == name).unwrap();
        assert_eq!(of("breakthrough/8x8").files[1].0, of("breakthrough/8x8-network").files[1].0);
        assert!(of("breakthrough/8x8-network").entry.bytes < Some(1_010_000));
    }
}
