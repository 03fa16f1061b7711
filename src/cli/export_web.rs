//! `spar export web`: the page to play on, as a folder for any server of files.

use super::console::Console;
use super::ended::Ended;
use super::infer;
use super::named::{NamedSet, candidate_of};
use crate::error::{Error, Result};
use crate::files::{self, Links};
use crate::report::units;
use crate::runs::{RunSet, SetRole};
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
    /// Take the candidates of the runs given with --with, accepted or not: as RUN:candidate
    #[arg(long, requires = "sets")]
    candidate: bool,
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
    let names = args.sets.iter().map(|name| candidate_of(name, args.candidate));
    let own = names.map(|name| OwnSet::read(&name, console)).collect::<Result<Vec<_>>>()?;
    let mut output = ExportFolder { path: &args.folder, files: Vec::new(), bytes: 0 };
    output.write("index.html", page(PageHost::Folder).as_bytes())?;
    for file in FILES {
        output.write(&format!("assets/{}", file.path), &file.bytes()?)?;
    }
    let mut entries = Vec::new();
    for OwnSet { name, title, set } in own {
        let bytes = set.to_compact().map_err(|error| error.within(&name))?;
        let entry = SetEntry { title, ..SetEntry::new(name, &set, bytes.len() as u64) };
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

/// A set that the folder has besides the program's.
struct OwnSet {
    /// Its name in the folder.
    name: String,
    /// Its title on the page, if it differs from the name.
    title: Option<String>,
    set: WeightSet,
}

impl OwnSet {
    fn read(named: &str, console: &Console) -> Result<Self> {
        let game = infer::game(&[named]);
        let found = NamedSet::find(named, game.name())?;
        found.tell(console);
        let set = found.read(game.name())?;
        let (name, title) = match found.run_set() {
            Some(of_run) => name_of_run(of_run),
            None => (name_of_file(Path::new(named)), None),
        };
        Ok(Self { name: format!("{OWN}{}", name.unwrap_or_else(|| set.name.clone())), title, set })
    }
}

/// The name and the title of a set of a run; a colon cannot be in the names of all files.
fn name_of_run(set: &RunSet) -> (Option<String>, Option<String>) {
    let run = set.run.canonicalize().unwrap_or_else(|_| set.run.clone());
    let Some(run) = run.file_name().map(|name| name.to_string_lossy().into_owned()) else {
        return (None, None);
    };
    let name = match set.role {
        SetRole::Start => format!("{run}.start"),
        SetRole::Candidate => format!("{run}.candidate"),
        SetRole::Accepted | SetRole::Unknown => run.clone(),
    };
    (Some(name), set.title(&run))
}

/// The name of the set in a file; of the candidate in a run's directory the run tells more than
/// `candidate.json` does.
fn name_of_file(path: &Path) -> Option<String> {
    let last = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    match stem.as_deref() {
        Some("weights" | "candidate") => path.parent().and_then(last).or(stem),
        _ if path.extension().is_some() => stem,
        _ => last(path),
    }
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
