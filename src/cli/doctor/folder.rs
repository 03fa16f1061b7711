//! The folder of runs, and the runs in it.

use super::{Check, Health};
use crate::error::{Error, Result};
use crate::report::units;
use crate::runs::{RunState, RunsFolder};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Space that a long run may take, in bytes.
const LEAST_SPACE: u64 = 1 << 30;
/// The longest sync of a journal line on a sound disk.
const SLOW_SYNC: Duration = Duration::from_millis(200);
/// Bytes written in the trial.
const TRIAL_BYTES: usize = 4096;
/// The most damaged runs that are named.
const NAMED: usize = 3;

/// Whether runs can be kept in the folder, and how the ones in it stand.
pub(super) fn check(folder: &RunsFolder) -> Vec<Check> {
    let mut checks = vec![Check::of("folder", writing(folder.path()))];
    if folder.path().is_dir() {
        checks.push(Check::of("runs", runs(folder)));
    }
    checks
}

/// Writes, syncs and locks a file in the folder, or above it where it does not exist yet.
fn writing(folder: &Path) -> Result<Check> {
    let place = existing(folder);
    let failed = |doing| {
        let place = &place;
        move |error| {
            Error::io(place, doing, error)
                .remedy("give another folder with --runs, or make this one yours")
        }
    };
    let begun = Instant::now();
    let without_path = |error: std::io::Error| match error.raw_os_error() {
        Some(number) => std::io::Error::from_raw_os_error(number),
        None => std::io::Error::from(error.kind()),
    };
    let made = tempfile::NamedTempFile::new_in(&place).map_err(without_path);
    let mut file = made.map_err(failed("write"))?;
    file.write_all(&[0; TRIAL_BYTES]).map_err(failed("write"))?;
    file.as_file().sync_all().map_err(failed("sync"))?;
    let time = begun.elapsed();
    lock(file.as_file()).map_err(failed("lock"))?;
    let space = free_space(&place);
    let space_words =
        space.map_or(String::new(), |space| format!(", {} free", units::bytes(space)));
    let finding = format!(
        "{} can be written and locked, a sync takes {}{space_words}",
        place.display(),
        units::time(time)
    );
    if space.is_some_and(|space| space < LEAST_SPACE) {
        let remedy = "long runs may need more: free some, or give another folder with --runs";
        return Ok(Check::warning("folder", finding, remedy));
    }
    if time > SLOW_SYNC {
        let remedy =
            "each batch of a run waits for that: give a folder on a faster disk with --runs";
        return Ok(Check::warning("folder", finding, remedy));
    }
    Ok(Check::ok("folder", finding))
}

/// The nearest folder that exists: itself, or one above it.
fn existing(folder: &Path) -> PathBuf {
    let here = Path::new(".");
    let exists = |folder: &&Path| !folder.as_os_str().is_empty() && folder.exists();
    folder.ancestors().find(exists).unwrap_or(here).to_owned()
}

fn lock(file: &File) -> std::io::Result<()> {
    file.try_lock().map_err(std::io::Error::from)
}

#[cfg(unix)]
fn free_space(folder: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(folder).ok()?;
    found.f_bavail.checked_mul(found.f_frsize)
}

#[cfg(not(unix))]
fn free_space(_: &Path) -> Option<u64> {
    None
}

fn runs(folder: &RunsFolder) -> Result<Check> {
    let lines = folder.lines()?;
    let of = |state| lines.iter().filter(move |line| line.state == state);
    let (stopped, damaged) = (of(RunState::Stopped).count(), of(RunState::Damaged).count());
    let mut finding = units::counted(lines.len() as u64, "run");
    if stopped > 0 {
        finding += &format!(", {stopped} of them stopped (`spar resume` continues one)");
    }
    if damaged == 0 {
        return Ok(Check::ok("runs", finding));
    }
    let named: Vec<&str> =
        of(RunState::Damaged).take(NAMED).map(|line| line.run.as_str()).collect();
    let more = if damaged > NAMED { ", ..." } else { "" };
    finding += &format!(", {damaged} damaged: {}{more}", named.join(", "));
    let remedy = "`spar runs show RUN` names the damage; put the files back, or remove the run";
    Ok(Check { verdict: Health::Problem, ..Check::warning("runs", finding, remedy) })
}
