//! The list of weight sets that the page offers.

use crate::error::Result;
use crate::games::GameId;
use crate::weights::{ShippedSet, WeightSet, shipped};
use serde::Serialize;

/// The folder of the sets below `assets/`.
pub const SETS: &str = "engine/sets";
/// Their list, in that folder.
pub const INDEX: &str = "index.json";

/// A line of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SetEntry {
    /// What the page calls the set; its file is called so too, with `.bin`.
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
    /// The size of the file; null where it is not known before it is made.
    pub bytes: Option<u64>,
    /// Whether it is the one for boards of the game that have none of their own.
    pub usual: bool,
}

impl SetEntry {
    /// The line of a set that is none of the program's.
    pub fn new(name: String, set: &WeightSet, bytes: u64) -> Self {
        Self {
            name,
            title: None,
            game: set.game.clone(),
            board: set.board.clone(),
            fits: crate::eval::features::only_board(set).map(str::to_owned),
            bytes: Some(bytes),
            usual: false,
        }
    }

    /// The line of a set of a run on a board, which is not read.
    pub fn of_run(name: String, title: String, game: String, board: String) -> Self {
        Self {
            name,
            title: Some(title),
            game,
            fits: Some(board.clone()),
            board: Some(board),
            bytes: None,
            usual: false,
        }
    }
}

/// The program's own sets: the line of each and its file in the compact form. Packing all of them
/// takes a while.
///
/// # Errors
/// Of a set, when the program was built from a damaged file.
pub fn shipped_files() -> impl Iterator<Item = Result<(SetEntry, Vec<u8>)>> {
    shipped().iter().map(shipped_file)
}

fn shipped_file(shipped: &ShippedSet) -> Result<(SetEntry, Vec<u8>)> {
    let set = shipped.read()?;
    let file = set.to_compact()?;
    let game: GameId = set.game.parse()?;
    let usual = format!("{game}/{}", game.guide.default_set);
    let entry = SetEntry::new(shipped.name.into(), &set, file.len() as u64);
    Ok((SetEntry { usual: usual == shipped.name, ..entry }, file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_game_has_one_usual_set_which_fits_every_board() {
        let entries: Vec<SetEntry> = shipped_files().map(|file| file.unwrap().0).collect();
        assert_eq!(entries.len(), shipped().len());
        for game in GameId::with_engine() {
            let usual: Vec<&SetEntry> =
                entries.iter().filter(|set| set.usual && set.game == game.name()).collect();
            assert_eq!(usual.len(), 1, "{game}");
            assert_eq!(usual[0].fits, None);
        }
        let of = |name: &str| entries.iter().find(|set| set.name == name).unwrap();
        assert_eq!(of("breakthrough/8x8").fits.as_deref(), Some("8x8"));
        assert_eq!(of("ataxx/7x7-network").fits.as_deref(), Some("7x7"));
        assert!(of("breakthrough/8x8").bytes > Some(2_000_000));
    }
}
