//! The weight sets of a run, and the role of each: the accepted candidate, a candidate that was not
//! accepted, or the set that the tune started from.

use super::live::LiveRun;
use super::view::{RunState, RunView};
use crate::error::{Error, Result};
use crate::files::{self, Links};
use crate::player::Player;
use crate::run::{
    self, CANDIDATE, Manifest, SEARCH, WEIGHTS, Work, check_written, is_written_again,
};
use crate::shell::quote_path;
use crate::tune::Target;
use std::path::{Path, PathBuf};

const CANDIDATE_PART: &str = "candidate";
const START_PART: &str = "start";

/// Which set of a run is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WantedSet {
    /// The candidate if it was accepted, otherwise the start.
    Best,
    /// The candidate, accepted or not.
    Candidate,
    /// The set that the tune started from.
    Start,
}

impl WantedSet {
    /// Splits the name of a run's set: `RUN`, `RUN:candidate` or `RUN:start`.
    pub fn split(name: &str) -> (&str, Self) {
        match name.rsplit_once(':') {
            Some((run, CANDIDATE_PART)) => (run, Self::Candidate),
            Some((run, START_PART)) => (run, Self::Start),
            _ => (name, Self::Best),
        }
    }

    /// The name of this set of a run.
    pub fn name_of(self, run: &str) -> String {
        match self {
            Self::Best => run.into(),
            Self::Candidate => format!("{run}:{CANDIDATE_PART}"),
            Self::Start => format!("{run}:{START_PART}"),
        }
    }
}

/// The role of a run's set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetRole {
    /// The candidate, which was accepted.
    Accepted,
    /// The candidate, which was not accepted.
    Candidate,
    /// The set that the tune started from.
    Start,
    /// Unknown, since the run's record cannot be read.
    Unknown,
}

/// A weight set of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunSet {
    /// The path of the run's directory.
    pub run: PathBuf,
    /// The role of the set in the run.
    pub role: SetRole,
    /// Its file; `None` if only the manifest has it.
    pub file: Option<PathBuf>,
    /// Why it is not an accepted set, in a few words.
    why: Option<&'static str>,
    /// A remark for users who may expect an accepted set.
    pub note: Option<String>,
}

impl RunSet {
    /// The set of the run in a directory.
    ///
    /// # Errors
    /// When the run makes no set, does not have the candidate that is wanted, or the set's file is
    /// missing or not as the run wrote it.
    pub fn find(run: &Path, wanted: WantedSet) -> Result<Self> {
        let line = RunView::read(run);
        let set = Self::of_line(&line, run, wanted)?;
        let name = set.file.as_deref().and_then(Path::file_name).and_then(|name| name.to_str());
        if let Some(name) = name {
            check_written(run, name)?;
            if !has_file(run, name)? {
                return Err(match line.target {
                    Some(Target::Option) => no_set(run, "tune of options"),
                    _ => missing_file(run, name),
                });
            }
        }
        Ok(set)
    }

    /// The set whose file a path names, if that is the best set of a run, its search constants, or
    /// its candidate that was not accepted.
    pub fn of_file(path: &Path) -> Option<Self> {
        let run = run_of(path)?;
        let is_candidate = path.file_name().is_some_and(|name| name == CANDIDATE);
        let wanted = if is_candidate { WantedSet::Candidate } else { WantedSet::Best };
        let set = Self::of_line(&RunView::read(run), run, wanted).ok()?;
        let is_meant = !is_candidate || set.role == SetRole::Candidate;
        is_meant.then(|| Self { file: Some(path.into()), ..set })
    }

    /// As [`find`](Self::find), for a run whose line has been read.
    ///
    /// # Errors
    /// As there.
    pub fn of_line(line: &RunView, run: &Path, wanted: WantedSet) -> Result<Self> {
        if let (Some(kind), None) = (&line.method, line.target) {
            return Err(no_set(run, kind));
        }
        match (wanted, line.accepted) {
            (WantedSet::Candidate, Some(false)) => Self::rejected(line, run),
            (WantedSet::Candidate, None) => Self::unproven(line, run),
            (WantedSet::Start, Some(true)) => Ok(Self::new(run, SetRole::Start, None)),
            (WantedSet::Start, _) => Ok(Self::new(run, SetRole::Start, Some(WEIGHTS))),
            (_, Some(true)) => Ok(Self::new(run, SetRole::Accepted, Some(WEIGHTS))),
            (WantedSet::Best, _) => Ok(Self::start_as_best(line, run)),
        }
    }

    fn new(run: &Path, role: SetRole, file: Option<&str>) -> Self {
        let why = match role {
            SetRole::Accepted | SetRole::Start => None,
            SetRole::Candidate => Some("not accepted"),
            SetRole::Unknown => Some("cannot tell whether accepted"),
        };
        let file = file.map(|file| run.join(file));
        Self { run: run.into(), role, file, why, note: None }
    }

    /// The start, which stands for a run that was not accepted.
    fn start_as_best(line: &RunView, run: &Path) -> Self {
        let (place, start) = (place(run), line.start.as_deref().unwrap_or("unknown"));
        let (what, why) = match (line.accepted, line.state) {
            (Some(_), _) => ("was not accepted", "not accepted"),
            (None, RunState::Damaged) => {
                let reason = line.reason.as_deref().unwrap_or("its files cannot be read");
                let note = format!("cannot tell whether {place} was accepted: {reason}");
                let set = Self::new(run, SetRole::Unknown, Some(WEIGHTS));
                return Self { note: Some(note), ..set };
            }
            (None, RunState::Failed) => ("failed", "failed"),
            (None, _) => ("is not finished", "not finished"),
        };
        // A link in its place is an error only for those who ask for the candidate.
        let instead = match has_file(run, CANDIDATE).unwrap_or(false) {
            true => {
                let name = WantedSet::Candidate.name_of(&run.display().to_string());
                format!("; `{name}` takes the candidate instead")
            }
            false => String::new(),
        };
        Self {
            why: Some(why),
            note: Some(format!("{place} {what}: this is its start set `{start}`{instead}")),
            ..Self::new(run, SetRole::Start, Some(WEIGHTS))
        }
    }

    /// The candidate of a run that was not accepted.
    fn rejected(line: &RunView, run: &Path) -> Result<Self> {
        if has_file(run, CANDIDATE)? {
            return Ok(Self::new(run, SetRole::Candidate, Some(CANDIDATE)));
        }
        // A candidate that equals the start has no file of its own, and none on record. Not every
        // version has put the file on record.
        let live = LiveRun::open(run)?;
        if live.record().has_written(CANDIDATE)
            || live.summary()?.is_some_and(|summary| summary.changed)
        {
            return Err(missing_file(run, CANDIDATE));
        }
        let start = line.start.as_deref().unwrap_or("unknown");
        let note =
            format!("{} changed nothing: its candidate is its start set `{start}`", place(run));
        let set = Self::new(run, SetRole::Start, Some(WEIGHTS));
        Ok(Self { why: Some("nothing changed"), note: Some(note), ..set })
    }

    /// The candidate of a run that has no result.
    fn unproven(line: &RunView, run: &Path) -> Result<Self> {
        // Only a candidate that was not accepted has this file.
        if has_file(run, CANDIDATE)? {
            return Ok(Self::new(run, SetRole::Candidate, Some(CANDIDATE)));
        }
        let (reason, remedy) = match line.state {
            RunState::Damaged => {
                let reason = line.reason.as_deref().unwrap_or("its files cannot be read");
                (format!("cannot tell its candidate: {reason}"), "restore the run's files".into())
            }
            RunState::Failed => (
                "it failed, so it has no candidate".into(),
                "see `spar runs` for the reason, and begin another run".into(),
            ),
            RunState::Running => (
                "it is not finished, so it has no candidate yet".into(),
                "wait for its end; `spar watch` shows it".into(),
            ),
            _ => (
                "it is not finished, so it has no candidate yet".into(),
                format!("finish it with `spar resume {}`", quote_path(run)),
            ),
        };
        Err(Error::input(place(run), reason).remedy(remedy))
    }

    /// The set's name on pages; `run` is the name of the run there. `None` for an accepted set,
    /// which has the name of the run.
    pub fn title(&self, run: &str) -> Option<String> {
        let set = match self.role {
            SetRole::Accepted => return None,
            SetRole::Candidate => format!("candidate of {run}"),
            SetRole::Start => format!("start set of {run}"),
            SetRole::Unknown => run.into(),
        };
        Some(self.why.map_or_else(|| set.clone(), |why| format!("{set}, {why}")))
    }

    /// The name of players with this set: `RUN:start` or `RUN:candidate`; the path of an
    /// accepted set or of search constants alone.
    pub fn name(&self) -> String {
        let run = self.run.display().to_string();
        match (self.role, &self.file) {
            (SetRole::Accepted | SetRole::Unknown, Some(file)) => file.display().to_string(),
            (_, Some(file)) if file.ends_with(SEARCH) => file.display().to_string(),
            (SetRole::Candidate, _) => WantedSet::Candidate.name_of(&run),
            _ => WantedSet::Start.name_of(&run),
        }
    }
}

/// The player that the tune in a directory started from.
///
/// # Errors
/// When the manifest cannot be read, or the run is a match or tournament.
pub fn start_of(run: &Path) -> Result<Player> {
    match Manifest::load(&run.join(run::MANIFEST))?.work {
        Work::Tune(tune) => Ok(tune.start),
        Work::Tournament(_) => Err(Error::input(place(run), "it has no start set")),
    }
}

/// The run whose best set, search constants or candidate a path names, even if it has lost its
/// manifest.
pub fn run_of(file: &Path) -> Option<&Path> {
    let name = file.file_name()?.to_str()?;
    let run = files::folder_of(file);
    let is_run = run::is_run(run) || run::is_rest(run);
    ([WEIGHTS, SEARCH, CANDIDATE].contains(&name) && is_run).then_some(run)
}

fn no_set(run: &Path, kind: &str) -> Error {
    Error::input(place(run), format!("it is a {kind}, which makes no weight set"))
        .remedy("name a tune; `spar runs` lists all runs with their methods")
}

/// The error for a set of a run whose file is missing.
pub fn missing_file(run: &Path, name: &str) -> Error {
    let remedy = match is_written_again(run, name) {
        true => format!("`spar resume {}` writes it again", quote_path(run)),
        false => "restore that file".into(),
    };
    Error::input(place(run), format!("its {name} is missing")).remedy(remedy)
}

/// Whether a run has a file; the error is what else is in its place.
fn has_file(run: &Path, name: &str) -> Result<bool> {
    files::exists(&run.join(name), Links::Refused)
}

/// The name of a run in errors and remarks.
fn place(run: &Path) -> String {
    format!("run `{}`", run.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_named_behind_a_colon() {
        let split = WantedSet::split;
        assert_eq!(split("last"), ("last", WantedSet::Best));
        assert_eq!(split("runs/a:candidate"), ("runs/a", WantedSet::Candidate));
        assert_eq!(split("a:b:start"), ("a:b", WantedSet::Start));
        assert_eq!(split("a:other"), ("a:other", WantedSet::Best));
        for name in ["a", "a:candidate", "a:start"] {
            let (run, wanted) = split(name);
            assert_eq!(wanted.name_of(run), name);
        }
    }
}
