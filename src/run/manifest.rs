//! The manifest: everything that determines a run.

use super::append::check_is_file;
use super::checksum::{Seal, checksum};
use super::files::{MANIFEST, SEARCH, WEIGHTS};
use super::journal::FileChecksums;
use crate::arena::seed::derive;
use crate::error::{Error, Result};
use crate::player::Player;
use crate::tune::TuneSettings;
use crate::weights::{WeightSet, write_atomically};
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

/// The manifest of a run: all that decides it, written once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The format's version.
    pub format: u32,
    /// The version of the program that began the run.
    pub program: String,
    /// The run's id: its game, method and seed, and a digest of its configuration and start. Runs
    /// with the same id are the same run, wherever they are.
    pub run: String,
    /// When it began, in UTC.
    pub time: String,
    /// The full configuration.
    pub config: TuneSettings,
    /// The player that the run starts from.
    pub start: Player,
    /// The fingerprint of that player.
    pub fingerprint: String,
    /// The files that are written with the manifest.
    pub files: FileChecksums,
}

impl Manifest {
    /// The manifest of a new run.
    ///
    /// # Errors
    /// When the configuration cannot be written as JSON.
    pub fn new(time: String, config: TuneSettings, start: Player) -> Result<Self> {
        let fingerprint = start.fingerprint();
        let program = env!("CARGO_PKG_VERSION").into();
        let text = serde_json::to_value(&config).map_err(|e| Error::failed("configuration", e))?;
        let run = id(&config, &text, &fingerprint);
        let files = FileChecksums::new();
        let mut manifest =
            Self { format: FORMAT, program, run, time, config, start, fingerprint, files };
        manifest.files = manifest.checksums_of(&manifest.start);
        Ok(manifest)
    }

    /// What a list of runs needs of it.
    pub fn head(&self) -> ManifestHead {
        ManifestHead {
            run: self.run.clone(),
            time: self.time.clone(),
            config: self.config.clone(),
            start: PlayerName { name: self.start.name.clone() },
        }
    }

    /// The files that a player of the run is written to, by name.
    pub(super) fn files_of(&self, player: &Player) -> Vec<(&'static str, WeightSet)> {
        let weights = (WEIGHTS, player.to_set());
        match self.config.has_search(&self.start) {
            true => vec![(SEARCH, player.to_constants_set()), weights],
            false => vec![weights],
        }
    }

    /// The checksums of the files of a player.
    pub(super) fn checksums_of(&self, player: &Player) -> FileChecksums {
        let files = self.files_of(player).into_iter();
        files.map(|(name, set)| (name.into(), checksum(set.to_json().as_bytes()))).collect()
    }

    /// Writes the manifest.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<()> {
        let text =
            serde_json::to_string_pretty(self).map_err(|e| Error::failed(path.display(), e))?;
        let body = text.strip_suffix("\n}").unwrap_or(&text);
        write_atomically(path, (body.to_owned() + &Seal::FILE.of("", body)).as_bytes())
    }

    /// Reads a manifest.
    ///
    /// # Errors
    /// When it is missing or unreadable, of another format, or has been damaged or edited.
    pub fn load(path: &Path) -> Result<Self> {
        let manifest: Self = read(path)?;
        manifest.config.check().map_err(|error| error.within(path.display()))?;
        Ok(manifest)
    }
}

/// A manifest without the weights of the start: all that a list of runs needs, quickly read.
#[derive(Clone, Debug, Deserialize)]
pub struct ManifestHead {
    /// The run's id.
    pub run: String,
    /// When it began, in UTC.
    pub time: String,
    /// The full configuration.
    pub config: TuneSettings,
    /// The player that the run starts from.
    pub start: PlayerName,
}

/// A player, of whom nothing but the name is read.
#[derive(Clone, Debug, Deserialize)]
pub struct PlayerName {
    /// The full name of the shipped set, or the path as it was given.
    pub name: String,
}

impl ManifestHead {
    /// Reads the manifest in a run directory.
    ///
    /// # Errors
    /// As [`Manifest::load`].
    pub fn load(directory: &Path) -> Result<Self> {
        let path = directory.join(MANIFEST);
        let head: Self = read(&path)?;
        head.config.check().map_err(|error| error.within(path.display()))?;
        Ok(head)
    }
}

/// Reads a manifest, or what `M` has of one.
fn read<M: DeserializeOwned>(path: &Path) -> Result<M> {
    const RESTORE: &str = "restore the file as the run wrote it; without it the run cannot go on";
    let place = path.display();
    check_is_file(path)?;
    let bytes = std::fs::read(path).map_err(|e| {
        Error::io(path, "read the run's manifest", e).remedy(
            "name a run directory, such as those under runs/; where no manifest was written no game was played, and \
             the run can be begun again with `spar tune`",
        )
    })?;
    let refuse = |reason: String| Error::input(&place, reason).remedy(RESTORE);
    let text = String::from_utf8(bytes).map_err(|e| refuse(format!("damaged: {e}")))?;
    let versions: Versions =
        serde_json::from_str(&text).map_err(|e| refuse(format!("not JSON: {e}")))?;
    check_format(&versions, &place)?;
    let Some(body) = Seal::FILE.open("", &text) else {
        return Err(refuse("has been edited or damaged: its checksum is wrong".into()));
    };
    serde_json::from_str(&format!("{body}}}"))
        .map_err(|e| refuse(format!("not a run's manifest: {e}")))
}

/// What decides whether a manifest can be read at all.
#[derive(Deserialize)]
struct Versions {
    #[serde(default)]
    format: Value,
    #[serde(default)]
    program: Value,
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

/// A run's id, given its configuration also as JSON.
fn id(config: &TuneSettings, text: &Value, start: &str) -> String {
    let bytes: Vec<u64> = format!("{text}{start}").bytes().map(u64::from).collect();
    let digest = derive(0, &bytes) >> 32;
    format!("{}-{}-{}-{digest:08x}", config.game, config.method(), config.seed)
}
