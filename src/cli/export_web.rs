//! `spar export web`: the page to play on, as a folder for any server of files.

use super::console::Console;
use super::ended::Ended;
use super::infer;
use super::named::find_set;
use crate::error::{Error, Result};
use crate::files::{self, Links};
use crate::report::units;
use crate::shell::quote_path;
use crate::web::{FILES, INDEX, PageHost, SETS, SetEntry, page, shipped_files};
use crate::weights::WeightSet;
use clap::Args;
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};

/// What the names of sets begin with that are none of the program's.
const OWN: &str = "own/";

/// Writes the page to play and analyse on, its engine and the sets, for any server of files
#[derive(Args, Debug)]
pub(super) struct ExportWebArgs {
    /// The folder to write; it is created if needed
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Add a set to those of the program: a weight file, or a run for what it has made; may be
    /// given several times
    #[arg(long = "with", value_name = "WEIGHTS")]
    sets: Vec<String>,
    /// Write into a folder that is not empty, over files of the same names
    #[arg(long)]
    force: bool,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ExportWebJson {
    /// The path of the folder.
    folder: String,
    /// The files written, by their paths in the folder.
    files: Vec<String>,
    /// The size of all of them.
    bytes: u64,
}

/// Runs the command.
///
/// # Errors
/// When the folder is not empty, a set cannot be read, or a file cannot be written.
pub(super) fn run(args: &ExportWebArgs, console: &Console) -> Result<Ended> {
    check_empty(&args.folder, args.force)?;
    // What cannot be read is told before anything is written.
    let own = args.sets.iter().map(|name| own_set(name)).collect::<Result<Vec<_>>>()?;
    let mut output = ExportFolder { path: &args.folder, files: Vec::new(), bytes: 0 };
    output.write("index.html", page(PageHost::Folder).as_bytes())?;
    for file in FILES {
        output.write(&format!("assets/{}", file.path), &file.bytes()?)?;
    }
    let mut entries = Vec::new();
    for (name, set) in own {
        let bytes = set.to_compact().map_err(|error| error.within(&name))?;
        let entry = SetEntry::new(name, &set, bytes.len() as u64);
        output.write_set(&entry, &bytes)?;
        entries.push(entry);
    }
    for file in shipped_files() {
        let (entry, bytes) = file?;
        output.write_set(&entry, &bytes)?;
        entries.push(entry);
    }
    let list = serde_json::to_string_pretty(&entries)
        .map_err(|error| Error::failed("list of sets", error))?;
    output.write(&format!("assets/{SETS}/{INDEX}"), format!("{list}\n").as_bytes())?;
    output.tell(console)
}

/// Checks that a folder may be written into.
fn check_empty(folder: &Path, force: bool) -> Result<()> {
    if force || !folder.exists() {
        return Ok(());
    }
    let mut files = fs::read_dir(folder).map_err(|error| Error::io(folder, "read", error))?;
    if files.next().is_none() {
        return Ok(());
    }
    Err(Error::input(folder.display(), "the folder is not empty")
        .remedy("name another one, or give --force to write over files in it"))
}

/// A set that the folder has besides the program's, with its name in the folder.
fn own_set(named: &str) -> Result<(String, WeightSet)> {
    let set = find_set(named, infer::game(&[named]).name())?;
    let path = Path::new(named);
    let last = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    // Of a run's file the run tells more than `weights.json` does.
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let name = match stem.as_deref() {
        Some("weights" | "candidate") => path.parent().and_then(last).or(stem),
        _ if path.extension().is_some() => stem,
        _ => last(path),
    };
    Ok((format!("{OWN}{}", name.unwrap_or_else(|| set.name.clone())), set))
}

/// The folder that is being written.
struct ExportFolder<'a> {
    path: &'a Path,
    files: Vec<String>,
    bytes: u64,
}

impl ExportFolder<'_> {
    fn write(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        let path = self.path.join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| Error::io(folder, "create", error))?;
        }
        files::write_atomically(&path, bytes, Links::Followed)?;
        self.files.push(name.to_owned());
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    fn write_set(&mut self, entry: &SetEntry, bytes: &[u8]) -> Result<()> {
        self.write(&format!("assets/{SETS}/{}.bin", entry.name), bytes)
    }

    fn tell(self, console: &Console) -> Result<Ended> {
        let Self { path, files, bytes } = self;
        if console.json {
            let folder = path.display().to_string();
            console.document(&ExportWebJson { folder, files, bytes })?;
        } else {
            let count = units::count(files.len() as u64);
            let size = units::count(bytes);
            console.say(format!("wrote {}, {count} files, {size} bytes", path.display()))?;
            let folder = quote_path(path);
            console.aside(format!(
                "to look at it: python3 -m http.server --bind 127.0.0.1 -d {folder}"
            ));
        }
        Ok(Ended::Done)
    }
}
