//! Positions of earlier runs and of `spar generate`, for a training of later ones.

use super::files::positions_path;
use super::positions::{PositionFiles, origin_of};
use super::record::{is_run, read};
use crate::error::{Error, Result};
use crate::files::Links;
use crate::games::GameId;
use crate::tune::network::{OlderFile, sources};
use std::path::{Path, PathBuf};

/// The files of positions under a path: a run's, or the file itself. [`PositionFiles::open`] checks
/// them.
///
/// # Errors
/// When the run has no positions, or cannot be read.
pub fn position_paths(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.into()]);
    }
    if !is_run(path) {
        return Err(Error::input(path.display(), "neither a run nor a file of positions")
            .remedy("name a run's directory, or a file that `spar generate` made"));
    }
    let (_, record) = read(path)?;
    let rounds = (1..).take_while(|&round| !record.positions(round).is_empty());
    let paths: Vec<PathBuf> = rounds.map(|round| positions_path(path, round)).collect();
    if paths.is_empty() {
        return Err(Error::input(path.display(), "the run has no positions")
            .remedy("name a run of --method logistic or network"));
    }
    Ok(paths)
}

/// The game and the board of the positions under a path.
///
/// # Errors
/// As [`position_paths`], and when the first file is no file of positions.
pub fn game_and_board(path: &Path) -> Result<(String, String)> {
    let files = position_paths(path)?;
    files.first().map_or(Ok(<_>::default()), |first| origin_of(first))
}

/// Opens files of older positions, and returns them with their numbers and digests.
///
/// # Errors
/// When one cannot be read, has been damaged, or is of another game or board.
pub fn open_older(game: GameId, paths: &[PathBuf]) -> Result<(PositionFiles, Vec<OlderFile>)> {
    let files: Vec<PathBuf> =
        paths.iter().map(|path| position_paths(path)).collect::<Result<Vec<_>>>()?.concat();
    let opened = PositionFiles::open(game, &files)?;
    let with_source = files.into_iter().zip(sources(&opened)?);
    let older = with_source.map(|(path, source)| {
        let path = std::path::absolute(&path).map_err(|e| Error::io(&path, "find", e))?;
        Ok(OlderFile { path, positions: source.positions, digest: source.digest })
    });
    let older = older.collect::<Result<Vec<_>>>()?;
    Ok((opened, older))
}

/// Opens the older positions of a run again. A file of another run may have grown since: later
/// positions are left out.
///
/// # Errors
/// When one cannot be read, or has changed since the run began.
pub(super) fn reopen(game: GameId, files: &[OlderFile]) -> Result<PositionFiles> {
    let paths: Vec<PathBuf> = files.iter().map(|file| file.path.clone()).collect();
    let mut opened = PositionFiles::open_with(game, &paths, Links::Followed)?;
    opened.keep_first(files.iter().map(|file| file.positions));
    for (file, found) in files.iter().zip(sources(&opened)?) {
        if file.digest != found.digest || file.positions != found.positions {
            return Err(Error::input(file.path.display(), "has changed since the run began")
                .remedy("restore the file as it was, or begin a new run"));
        }
    }
    Ok(opened)
}
