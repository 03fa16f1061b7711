//! `spar man`: the manual pages.

use crate::cli::{Console, Ended};
use crate::error::{Error, Result};
use crate::shell;
use clap::{Args, Command};
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};

/// Prints the manual page, or writes the pages of all commands
#[derive(Args, Debug)]
#[command(after_help = "To read it: spar man | man -l -")]
pub struct ManArgs {
    /// The folder to write spar.1, spar-match.1 and so on to; it is created if needed
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ManJson {
    /// The manual page, without a folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<String>,
    /// The paths of the pages written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files: Vec<String>,
}

/// Runs the command.
///
/// # Errors
/// When the pages cannot be written.
pub fn run(args: &ManArgs, command: Command, console: &Console) -> Result<Ended> {
    let Some(folder) = &args.folder else {
        let page = page(command)?;
        if console.json {
            console.document(&ManJson { page: Some(page), files: Vec::new() })?;
        } else {
            console.raw(&page)?;
        }
        return Ok(Ended::Done);
    };
    let files = write(folder, command).map_err(|error| Error::io(folder, "write", error))?;
    if console.json {
        console.document(&ManJson { page: None, files })?;
    } else {
        files.iter().try_for_each(|file| console.say(file))?;
    }
    Ok(Ended::Done)
}

fn page(command: Command) -> Result<String> {
    let mut page = Vec::new();
    let failed = |error| Error::io(Path::new("manual page"), "make", error);
    clap_mangen::Man::new(command).render(&mut page).map_err(failed)?;
    Ok(finished(&String::from_utf8_lossy(&page)))
}

/// A page with the program's version at its foot, and its examples under a heading of their own.
fn finished(page: &str) -> String {
    let source = format!("\"{} {}\"", shell::program(), env!("CARGO_PKG_VERSION"));
    let titled = page.lines().map(|line| match line.strip_prefix(".TH ") {
        Some(title) => {
            format!(".TH {} {source}\n", title.split('"').next().unwrap_or_default().trim())
        }
        None => format!("{line}\n"),
    });
    let page: String = titled.collect();
    page.replace(".SH EXTRA\nExamples:\n", ".SH EXAMPLES\n")
        .replace(".SH EXTRA\n", ".SH NOTES\n")
        .replace("\n\nExamples:\n", "\n.SH EXAMPLES\n")
}

/// Writes the pages and returns their paths, sorted.
fn write(folder: &Path, command: Command) -> std::io::Result<Vec<String>> {
    fs::create_dir_all(folder)?;
    clap_mangen::generate_to(command.disable_help_subcommand(true), folder)?;
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_ours = path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with(shell::program()));
        if is_ours && path.extension().is_some_and(|extension| extension == "1") {
            fs::write(&path, finished(&fs::read_to_string(&path)?))?;
            files.push(path.display().to_string());
        }
    }
    files.sort();
    Ok(files)
}
