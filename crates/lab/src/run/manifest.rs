//! The manifest: everything that determines a run.

use super::checksum::Seal;
use super::files::{JOURNAL, MANIFEST};
use super::journal::FileChecksums;
use super::pretty::pretty;
use super::record::is_run;
use super::work::{PlayerName, TournamentWork, TuneWork, Work};
use crate::error::{Error, Result};
use crate::files::{self, Links, write_atomically};
use crate::games::GameId;
use crate::player::Player;
use crate::weights::MAX_FILE;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::cmp::Ordering;
use std::fmt::Display;
use std::path::Path;

/// The version of the run directory's format, which this program reads and writes. Others are
/// refused: format 3 came with the plan of a tune in place of one list of all options, with
/// checksums of everything, and with lines that have the games, values and estimate so far.
pub const FORMAT: u32 = 3;

/// The largest manifest that is read, in bytes: a weight set of the largest size and the rest.
const MAX_MANIFEST: u64 = 2 * MAX_FILE as u64;

/// The manifest of a run: everything that decides it. It is written once. If a time decides how
/// many games a tune plays, it is written again before the tune plays more games than planned, and
/// once it has played enough.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Manifest<P = Player> {
    /// The version of the format of run directories.
    pub format: u32,
    /// The version of the program that began the run.
    pub program: String,
    /// The run's id: its game, method and seed, and a digest of its players and the configuration that
    /// it began with. Runs with the same id are the same run, wherever they are, unless a time decides
    /// how many games they play.
    pub run: String,
    /// When it began, in UTC.
    pub time: String,
    /// The work of the run, with its configuration.
    #[serde(flatten)]
    pub work: Work<P>,
    /// The files that are written with the manifest.
    pub files: FileChecksums,
}

/// A manifest without the weights of the start: all that a list of runs needs, quickly read.
pub type ManifestHead = Manifest<PlayerName>;

impl Manifest {
    /// The manifest of a new run.
    ///
    /// # Errors
    /// When the configuration cannot be written as JSON.
    pub fn new(time: String, work: Work, files: FileChecksums) -> Result<Self> {
        let program = env!("CARGO_PKG_VERSION").into();
        let run = work.id()?;
        Ok(Self { format: FORMAT, program, run, time, work, files })
    }

    /// Its data for a list of runs.
    pub fn head(&self) -> ManifestHead {
        let Self { format, program, run, time, work, files } = self.clone();
        ManifestHead { format, program, run, time, work: work.head(), files }
    }

    /// Writes the manifest.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<()> {
        let value = serde_json::to_value(self).map_err(|e| Error::failed(path.display(), e))?;
        let text = pretty(&value);
        let body = text.strip_suffix("\n}").unwrap_or(&text);
        write_atomically(
            path,
            (body.to_owned() + &Seal::FILE.of("", body)).as_bytes(),
            Links::Refused,
        )
    }

    /// Reads a manifest.
    ///
    /// # Errors
    /// When it is missing or unreadable, of another format, or has been damaged or edited.
    pub fn load(path: &Path) -> Result<Self> {
        read(path)
    }
}

impl<P> Manifest<P> {
    /// The game of the run in a directory.
    ///
    /// # Errors
    /// When the program does not know it; the error names the directory and the key.
    pub fn game(&self, directory: &Path) -> Result<GameId> {
        let place = || format!("{}, key `config.game`", directory.display());
        self.work.game().parse().map_err(|error: Error| error.within(place()))
    }
}

impl ManifestHead {
    /// Reads the manifest in a run directory.
    ///
    /// # Errors
    /// As [`Manifest::load`].
    pub fn of(directory: &Path) -> Result<Self> {
        read(&directory.join(MANIFEST))
    }
}

/// The fields of every manifest.
#[derive(Deserialize)]
struct ManifestParts {
    format: u32,
    program: String,
    run: String,
    time: String,
    files: FileChecksums,
}

/// Whether a directory is what is left of a run whose manifest is gone.
pub fn is_rest(directory: &Path) -> bool {
    // A run that was killed as it began has no line in its journal.
    let has_lines = || directory.join(JOURNAL).metadata().is_ok_and(|found| found.len() > 0);
    !is_run(directory) && has_lines()
}

/// The error for such a directory; `None` for any other.
pub fn without_manifest(directory: &Path) -> Option<Error> {
    let manifest = directory.join(MANIFEST);
    is_rest(directory).then(|| {
        Error::input(manifest.display(), "missing: there is a journal, but no manifest.json")
            .remedy("restore the file as the run wrote it: only this file says what was played")
    })
}

/// Reads a manifest, with as much of the player that a tune starts from as `P` has.
fn read<P: DeserializeOwned>(path: &Path) -> Result<Manifest<P>> {
    const RESTORE: &str =
        "restore the file as the run wrote it; the run cannot continue without it";
    let place = path.display();
    if !files::exists(path, Links::Refused)? {
        if let Some(error) = path.parent().and_then(without_manifest) {
            return Err(error);
        }
        let missing = std::io::ErrorKind::NotFound.into();
        return Err(Error::io(path, "read the run's manifest", missing).remedy(
            "name a run directory, such as one in runs/; a run without a manifest has played no games, so start \
             it again with `spar tune`",
        ));
    }
    let bytes = files::read(path, Links::Refused, MAX_MANIFEST)?;
    let refuse = |reason: String| Error::input(&place, reason).remedy(RESTORE);
    let text = String::from_utf8(bytes).map_err(|e| refuse(format!("damaged: {e}")))?;
    let versions: Versions =
        serde_json::from_str(&text).map_err(|e| refuse(format!("not JSON: {e}")))?;
    check_format(&versions, &place)?;
    let Some(body) = Seal::FILE.open("", &text) else {
        return Err(refuse("has been edited or damaged: its checksum is wrong".into()));
    };
    let body = format!("{body}}}");
    let wrong = |e| refuse(format!("not a run's manifest: {e}"));
    let ManifestParts { format, program, run, time, files } =
        serde_json::from_str(&body).map_err(wrong)?;
    let work: Work<P> = match versions.kind {
        None => serde_json::from_str::<TuneWork<P>>(&body).map(Work::Tune),
        Some(_) => serde_json::from_str::<TournamentWork>(&body).map(Work::Tournament),
    }
    .map_err(wrong)?;
    work.know_game().and_then(|()| work.check()).map_err(|error| error.within(&place))?;
    Ok(Manifest { format, program, run, time, work, files })
}

/// The fields that decide how a manifest is read.
#[derive(Deserialize)]
struct Versions {
    #[serde(default)]
    format: Value,
    #[serde(default)]
    program: Value,
    /// The kind of a run that is not a tune.
    kind: Option<Value>,
}

fn check_format(versions: &Versions, place: &impl Display) -> Result<()> {
    let format = versions.format.as_u64().unwrap_or(0);
    let order = match format.cmp(&u64::from(FORMAT)) {
        Ordering::Equal => return Ok(()),
        Ordering::Less => "older",
        Ordering::Greater => "newer",
    };
    let program = versions.program.as_str().unwrap_or("unknown");
    let reason = format!("format {format}, made by version {program}, is {order} than {FORMAT}");
    let remedy = match order {
        "older" => {
            "finish the run with the version that began it; its weights.json can be used with any"
        }
        _ => "update the program, or resume the run with the version that began it",
    };
    Err(Error::input(format!("{place}, key `format`"), reason).remedy(remedy))
}
