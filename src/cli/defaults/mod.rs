//! The user's defaults for options: a file `sparring.toml` in the project folder, and one of the
//! user's own.
//!
//! ```toml
//! threads = 8
//! nodes = 2000
//!
//! [tune]
//! games = "100k"
//! ```
//!
//! The command line overrides the project's file, which overrides the user's, which overrides the
//! built-in defaults. The values become the defaults of clap's arguments, so clap checks them and
//! `--help` shows them. A run keeps the options that it was begun with.
//!
//! A project's file may come from somebody else. So files set numbers, choices and names of weight
//! sets only: nothing that runs a program, names a file to write, overwrites one, or trusts.

mod apply;
mod file;

use super::command_word::command_place;
use crate::error::{Error, Result};
use crate::files::{self, Links};
use clap::Command;
use serde::Serialize;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The name of the files.
pub const FILE: &str = "sparring.toml";
/// The folder of the user's file, inside the configuration folder.
const FOLDER: &str = "sparring";
/// Options that a file may set for all commands at once. Each command takes the ones that it has.
pub const COMMON: [&str; 11] = [
    "game", "board", "nodes", "depth", "movetime", "tc", "threads", "hash", "seed", "runs", "color",
];
/// The option that ignores the files.
const LEAVE_OUT: &str = "--no-config";

/// Whose file it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// The project's: in the working directory, or the nearest folder above it.
    Project,
    /// The defaults of the user, for every folder.
    User,
}

/// A value that a file sets.
#[derive(Clone, Debug, PartialEq)]
pub struct DefaultValue {
    /// The command that it is for, for example `["weights", "new"]`; empty for all.
    pub command: Vec<String>,
    /// The option, without dashes.
    pub option: String,
    /// The value, as it is typed.
    pub text: String,
    /// The user or the project whose file it is.
    pub owner: Origin,
    /// The path of the file.
    pub path: PathBuf,
    /// The line in it, from 1.
    pub line: usize,
}

impl DefaultValue {
    /// The file and the line, for people.
    pub fn place(&self) -> String {
        format!("{}, line {}", self.path.display(), self.line)
    }
}

/// All that the files set, the project's first.
#[derive(Debug, Default)]
pub struct Defaults {
    /// The files that were read.
    pub files: Vec<(Origin, PathBuf)>,
    /// Their values, in the order of the lines.
    pub values: Vec<DefaultValue>,
    /// The fault for which all files were ignored; only `spar doctor` sets it.
    pub fault: Option<Error>,
}

impl Defaults {
    /// Reads the files, unless the arguments say not to; `program` has all commands and options.
    /// `spar doctor` runs with the built-in defaults if a file is wrong, and reports the fault.
    ///
    /// # Errors
    /// When a file cannot be read, or sets an unknown option, an option that files may not set, or
    /// an invalid value.
    pub fn load(program: &Command, arguments: &[OsString]) -> Result<Self> {
        match Self::read(program, arguments) {
            Err(fault) if is_doctor(arguments) => {
                Ok(Self { fault: Some(fault), ..Self::default() })
            }
            read => read,
        }
    }

    fn read(program: &Command, arguments: &[OsString]) -> Result<Self> {
        let mut all = Self::default();
        if arguments.iter().any(|argument| argument == LEAVE_OUT) {
            return Ok(all);
        }
        let files = [(Origin::Project, project_file()), (Origin::User, user_file())];
        for (owner, path) in files {
            let Some(path) = path.filter(|path| is_there(path)) else { continue };
            if all.files.iter().any(|(_, read)| *read == path) {
                continue;
            }
            all.values.extend(file::read(&path, owner, program)?);
            all.files.push((owner, path));
        }
        Ok(all)
    }
}

fn is_doctor(arguments: &[OsString]) -> bool {
    command_place(arguments).is_some_and(|place| arguments[place] == "doctor")
}

/// The nearest file in the working directory and the folders above it.
fn project_file() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    here.ancestors().map(|folder| folder.join(FILE)).find(|path| is_there(path))
}

/// Whether anything has the path, be it a link to nothing: it was meant to be read.
fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// Checks that a file, or a link to one, has the path.
fn check_is_file(path: &Path) -> Result<()> {
    let found = match files::exists(path, Links::Followed) {
        Ok(false) => Err(Error::input(path.display(), "a link to a file that does not exist")),
        found => found.map(drop),
    };
    let remedy = format!("put a file in its place, remove it, or ignore it with {LEAVE_OUT}");
    found.map_err(|error| error.remedy(remedy))
}

fn user_file() -> Option<PathBuf> {
    let set =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = set("XDG_CONFIG_HOME").or_else(|| Some(set("HOME")?.join(".config")))?;
    Some(folder.join(FOLDER).join(FILE))
}

/// Checks that a project's file is the user's own or the administrator's: others could otherwise
/// leave one in a folder above, such as `/tmp`.
#[cfg(unix)]
fn check_owner(path: &Path) -> Result<()> {
    use std::os::unix::fs::MetadataExt;
    let of_file = std::fs::metadata(path).map_err(|error| Error::io(path, "read", error))?.uid();
    if of_file == 0 || of_file == rustix::process::geteuid().as_raw() {
        return Ok(());
    }
    Err(Error::input(path.display(), "the file belongs to another user")
        .remedy(format!("remove it, take ownership of it, or ignore it with {LEAVE_OUT}")))
}

#[cfg(not(unix))]
fn check_owner(_: &Path) -> Result<()> {
    Ok(())
}
