use crate::cli::{Console, Ended, ErrorDetails, find_positions, runs_folder};
use crate::error::{Error, Result};
use crate::report::{Role, TextTable, units};
use crate::run::older::position_paths;
use crate::run::positions::{PositionFiles, origin_of};
use crate::run::{FIRST_POSITIONS, is_run};
use crate::tune::PositionSource;
use clap::Args;
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};

/// Lists the files and runs that have positions
#[derive(Args, Debug)]
pub(in crate::cli) struct PositionsListArgs {
    /// Files, runs, and folders with either [default: the folder of runs, and this folder]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct PositionsListJson {
    sources: Vec<ListedPositions>,
    /// Files and runs that cannot be used.
    refused: Vec<RefusedSource>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ListedPositions {
    /// The path of the file or run.
    path: String,
    game: String,
    board: String,
    /// Positions in all files, repetitions included.
    positions: u64,
    /// Files that hold these positions.
    files: usize,
    /// Bytes of these files.
    bytes: u64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct RefusedSource {
    path: String,
    error: ErrorDetails,
}

pub(super) fn run(args: &PositionsListArgs, console: &Console) -> Result<Ended> {
    let paths = match args.paths.is_empty() {
        true => vec![runs_folder().path().to_owned(), PathBuf::from(".")],
        false => args.paths.clone(),
    };
    let (mut sources, mut refused) = (Vec::new(), Vec::new());
    for path in &paths {
        // The default folder of runs may not exist.
        if args.paths.is_empty() && !path.exists() {
            continue;
        }
        for source in candidates(&find_positions(path)?)? {
            match listed(&source) {
                Ok(found) => sources.push(found),
                Err(error) => refused.push(RefusedSource {
                    path: source.display().to_string(),
                    error: ErrorDetails::from(&error),
                }),
            }
        }
    }
    if console.json {
        console.document(&PositionsListJson { sources, refused })?;
        return Ok(Ended::Done);
    }
    console.say(table(&sources).fit(console.width()))?;
    for RefusedSource { error, .. } in &refused {
        console.say(format!("{}  {}", Role::Bad.paint("bad"), error.message))?;
    }
    Ok(Ended::Done)
}

/// The files and runs with positions at a path, sorted by name.
fn candidates(path: &Path) -> Result<Vec<PathBuf>> {
    path.metadata().map_err(|error| Error::io(path, "read", error))?;
    if is_run(path) || !path.is_dir() {
        return Ok(vec![path.into()]);
    }
    let failed = |error| Error::io(path, "read", error);
    let mut found = Vec::new();
    for entry in fs::read_dir(path).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let is_file = path.extension().is_some_and(|extension| extension == "pos");
        // Most runs keep no positions.
        if is_file || (is_run(&path) && path.join(FIRST_POSITIONS).exists()) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn listed(path: &Path) -> Result<ListedPositions> {
    let files = position_paths(path)?;
    let first = files.first().map(|first| origin_of(first)).transpose()?;
    let (game, board) = first.unwrap_or_default();
    let id = game.parse().map_err(|e: Error| e.within(path.display()))?;
    let opened = PositionFiles::open(id, &files)?;
    let size = |path: &PathBuf| path.metadata().map(|found| found.len());
    let bytes = files.iter().map(|file| size(file).map_err(|e| Error::io(file, "read", e)));
    Ok(ListedPositions {
        path: path.display().to_string(),
        game,
        board,
        positions: opened.count(),
        files: files.len(),
        bytes: bytes.sum::<Result<u64>>()?,
    })
}

fn table(sources: &[ListedPositions]) -> TextTable {
    let mut table = TextTable::new()
        .left("path")
        .shortened(24)
        .left("game")
        .left("board")
        .right("positions")
        .right("size")
        .optional(1);
    for ListedPositions { path, game, board, positions, bytes, .. } in sources {
        table.row([
            path.clone(),
            game.clone(),
            board.clone(),
            units::count(*positions),
            units::bytes(*bytes),
        ]);
    }
    table
}
