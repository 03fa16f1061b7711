//! External engines: how one is described, on the command line and in a run's manifest, and how it
//! is started.

mod settings;
mod started;

use super::client::Client;
use super::dialect::Protocol;
use super::fault::EngineFault;
use super::identity::{EngineFiles, EngineIdentity, changed, changed_name};
use super::options::find;
use super::process::EngineProgram;
use crate::arena::{FORFEIT_LIMIT, Forfeit};
use crate::error::{Error, Result, shorten};
use crate::game::Board;
use crate::games::GameId;
use crate::search::Stop;
use crate::terminal::is_plain;
use crate::variants::{is_chess960, variant_name};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
pub(super) use settings::commands_in_order;
pub use settings::parse_option;
use settings::{chess960_command, option_commands};
pub use started::StartedEngine;
pub(super) use started::forfeit;
use started::{Answers, StartedInner};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The prefix that tells an engine's command line from the name of a weight set.
pub const COMMAND_PREFIX: &str = "cmd:";
/// The usual margin in milliseconds, and the usual timeout in seconds.
const MARGIN_MS: u64 = 100;
const TIMEOUT_SECONDS: u64 = 60;
/// The longest margin, in milliseconds: a day.
const MAX_MARGIN: u64 = 86_400_000;
/// The longest timeout, in seconds: a day.
const MAX_TIMEOUT: u64 = 86_400;
/// Characters of an engine's own name that are kept; some engines add their build and authors.
const NAME_CHARS: usize = 32;

/// An external engine: how it is started, and its timeouts. As command-line arguments it holds what
/// all engines of the command have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExternalEngine {
    /// Its name in results; `None` until it has been started and has named itself.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The command line, split as a shell would split it.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub command: String,
    /// The folder in which it runs and to which relative paths refer. Manifests of early versions
    /// do not have it: then it is the folder in which this program runs.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// Its identity when the run began; `None` before its first start.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<EngineIdentity>,
    /// Options to set: names and values; a button has an empty value.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<(String, String)>,
    /// Protocol of engines given as cmd: [default: detected]
    #[cfg_attr(feature = "clap", arg(long, value_enum, help_heading = "Engines (cmd:)"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol: Option<Protocol>,
    /// Milliseconds an engine may overrun --movetime before it forfeits the game
    #[cfg_attr(feature = "clap", arg(long = "margin", value_name = "MS", default_value_t = MARGIN_MS, value_parser = crate::count::parse_count, help_heading = "Engines (cmd:)"))]
    pub margin_ms: u64,
    /// Seconds until a silent engine forfeits; with --movetime this covers its other answers only
    #[cfg_attr(feature = "clap", arg(long = "timeout", value_name = "SECONDS", default_value_t = TIMEOUT_SECONDS, value_parser = crate::count::parse_count, help_heading = "Engines (cmd:)"))]
    pub timeout_seconds: u64,
    /// End once an engine has forfeited this many games in a row, or its first two without a legal
    /// move; 0 never does
    #[cfg_attr(feature = "clap", arg(long, value_name = "GAMES", default_value_t = FORFEIT_LIMIT, value_parser = crate::count::parse_count, help_heading = "Engines (cmd:)"))]
    #[serde(default = "usual_forfeit_limit", skip_serializing_if = "is_usual_forfeit_limit")]
    pub forfeit_limit: u64,
    /// Restart an engine whenever its options change, since some read them only once
    #[cfg_attr(feature = "clap", arg(long = "restart", help_heading = "Engines (cmd:)"))]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub restarts: bool,
    /// The command that it answers with lines about its knobs.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(skip)]
    pub knobs_command: Option<String>,
    /// Whether the user wants it to be started.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(skip, default = "Consent::missing")]
    pub consent: Consent,
}

fn usual_forfeit_limit() -> u64 {
    FORFEIT_LIMIT
}

// A field is skipped by a function of its reference.
#[expect(clippy::trivially_copy_pass_by_ref)]
fn is_usual_forfeit_limit(limit: &u64) -> bool {
    *limit == FORFEIT_LIMIT
}

/// Whether the user wants an engine to be started. Naming it in a command is consent; a file, which
/// anybody may have written, gives none.
#[derive(Clone, Copy, Debug)]
pub struct Consent(bool);

impl Consent {
    fn missing() -> Self {
        Self(false)
    }
}

impl Default for Consent {
    fn default() -> Self {
        Self(true)
    }
}

/// Consent is no property of an engine, so all are equal.
impl PartialEq for Consent {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Consent {}

impl ExternalEngine {
    /// An engine that the user names by its command, with the usual settings.
    pub fn of_command(command: &str) -> Self {
        Self {
            name: None,
            command: command.into(),
            folder: None,
            identity: None,
            options: Vec::new(),
            protocol: None,
            margin_ms: MARGIN_MS,
            timeout_seconds: TIMEOUT_SECONDS,
            forfeit_limit: FORFEIT_LIMIT,
            restarts: false,
            knobs_command: None,
            consent: Consent::default(),
        }
    }

    /// Its name, or its command line where it has none.
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.command)
    }

    /// Starts the engine, sets its options and its game, and waits until it is ready.
    ///
    /// # Errors
    /// When the user has not consented to it; when it does not start or does not get ready, does
    /// not offer an option, does not play the game, or is not the engine that its run began with;
    /// or when it gave up because `interrupt` is set.
    pub fn start(self, game: GameId, board: Board, interrupt: &Stop) -> Result<StartedEngine> {
        self.start_variant(&variant_name(game, board), is_chess960(game), interrupt)
    }

    /// As [`start`](Self::start), with the game's name in `UCI_Variant`.
    pub(super) fn start_variant(
        mut self,
        variant: &str,
        is_chess960: bool,
        interrupt: &Stop,
    ) -> Result<StartedEngine> {
        let place = format!("engine `{}`", self.command);
        let Launched { mut client, program, files } = self.launch(&place, interrupt)?;
        let failed = |(fault, last_words)| failed_start(&place, (fault, last_words));
        let stopped = || stopped_start(&place);
        self.check_name(client.name.as_deref()).map_err(|error| error.within(&place))?;
        let mut settings = option_commands(&client.options, &self.options, variant)
            .map_err(|error| error.within(&place))?;
        let chess960 = chess960_command(&client.options, &self.options, is_chess960);
        settings.extend(chess960.map_err(|error| error.within(&place))?);
        if let Some(command) = &self.knobs_command {
            client.ask(command, interrupt).map_err(|fault| failed((fault, client.last_words())))?;
        }
        let (offered, remarks) = (client.options.clone(), std::mem::take(&mut client.remarks));
        let doubts = self.options.iter().filter_map(|(name, value)| {
            find(&client.options, name).ok().and_then(|option| option.doubt(value))
        });
        let misread = client.misread.iter();
        let misread = misread.map(|line| format!("not understood: `{}`", shorten(line)));
        let notes = doubts.chain(misread).map(|note| format!("{place}, {note}")).collect();
        match client.prepare(&settings, interrupt) {
            Ok(true) => {}
            Ok(false) => return Err(stopped()),
            Err(fault) => return Err(failed((fault, client.last_words()))),
        }
        let (own_name, protocol) = (client.name.clone(), client.protocol);
        self.identity.get_or_insert_with(|| EngineIdentity {
            id_name: own_name.clone(),
            files: files.digests_of_unchanged(),
        });
        self.protocol = Some(protocol);
        self.name =
            self.name.or_else(|| own_name.as_deref().map(brief).filter(|name| !name.is_empty()));
        let idle = Mutex::new(Some(client));
        Ok(StartedEngine(Arc::new(StartedInner {
            engine: self,
            program,
            own_name,
            protocol,
            settings,
            offered,
            remarks,
            notes,
            idle,
            changed: OnceLock::new(),
            answers: Answers::default(),
        })))
    }

    /// Starts the engine, and ends it once it has introduced itself. Returns its brief name for
    /// itself, or its command line if it has none.
    ///
    /// # Errors
    /// When it does not start or does not introduce itself, or gave up because `interrupt` is set.
    pub fn introduction(&self, interrupt: &Stop) -> Result<String> {
        let place = format!("engine `{}`", self.command);
        let launched = self.clone().launch(&place, interrupt)?;
        let name = launched.client.name.as_deref().map(brief);
        Ok(name.unwrap_or_else(|| self.command.clone()))
    }

    /// Starts the engine as it is described and waits until it has introduced itself.
    fn launch(&mut self, place: &str, interrupt: &Stop) -> Result<Launched> {
        if !self.consent.0 {
            return Err(Error::input(place, "a run names it, and you have not agreed to start it")
                .remedy("if this command may be started here, resume the run with --trust"));
        }
        self.check().map_err(|error| error.within(place))?;
        let words = shlex::split(&self.command).filter(|words| !words.is_empty());
        let words = words.ok_or_else(|| {
            Error::input(place, "not a command line")
                .remedy("write cmd:PROGRAM ARGS, with quotes in pairs")
        })?;
        let folder = self.settle().map_err(|error| error.within(place))?;
        let files = EngineFiles::find(&words, &self.options, &folder);
        let changed = |error: Error| error.within(place);
        self.identity.iter().try_for_each(|known| known.check_files(&files)).map_err(changed)?;
        let program = EngineProgram { words, folder };
        let client = Client::start(&program, self.protocol, self.timeout(), interrupt)
            .map_err(|failed| failed_start(place, failed))?;
        let client = client.ok_or_else(|| stopped_start(place))?;
        Ok(Launched { client, program, files })
    }

    /// Makes the folder in which the engine runs absolute, and returns it.
    fn settle(&mut self) -> Result<PathBuf> {
        let here = std::env::current_dir().map_err(|e| Error::io(Path::new("."), "find", e))?;
        let folder = self.folder.as_ref().map_or(here.clone(), |folder| here.join(folder));
        if !folder.is_dir() {
            let reason = format!("its folder {} is not there", folder.display());
            return Err(Error::input("", reason).remedy("make it, or name another one"));
        }
        self.folder = folder.to_str().map(str::to_owned).or(self.folder.take());
        Ok(folder)
    }

    /// Checks that the engine still has the name that it had when its run began.
    fn check_name(&self, own_name: Option<&str>) -> Result<()> {
        if let Some(known) = &self.identity {
            return known.check_name(own_name);
        }
        // An early version's manifest has only the name in results, perhaps with a number.
        let (Some(name), Some(own)) = (&self.name, own_name.map(brief)) else { return Ok(()) };
        let is_known = *name == own || name.starts_with(&format!("{own} ("));
        match changed_name(Some(name), own_name).filter(|_| !is_known && *name != self.command) {
            None => Ok(()),
            Some(what) => Err(changed(what)),
        }
    }

    /// Checks the numbers, which may come from a file.
    fn check(&self) -> Result<()> {
        for (what, number, least, most) in [
            ("--margin", self.margin_ms, 0, MAX_MARGIN),
            ("--timeout", self.timeout_seconds, 1, MAX_TIMEOUT),
        ] {
            if !(least..=most).contains(&number) {
                return Err(Error::input(what, format!("{number} is out of range"))
                    .remedy(format!("give {least} to {most}")));
            }
        }
        Ok(())
    }

    fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout_seconds)
    }
}

/// A process that has introduced itself.
struct Launched {
    client: Client,
    program: EngineProgram,
    files: EngineFiles,
}

fn failed_start(place: &str, (fault, last_words): (EngineFault, Vec<String>)) -> Error {
    let reason = fault.to_string();
    let speaks_xboard = speaks_xboard(&last_words);
    let error = Error::failed(place, Forfeit { kind: fault.kind(), reason, last_words }.text());
    if speaks_xboard {
        return error.remedy("it seems to speak the protocol of XBoard, which is unknown here: start it in a UCI mode, or behind an adapter");
    }
    error.remedy("run the command by hand: it should answer `uci` with `uciok`, `uai` with `uaiok`, or `usi` with `usiok`; if it exits or hangs on one of them, choose its own with --protocol")
}

/// Whether an engine answers greetings like one that speaks only XBoard's protocol.
fn speaks_xboard(last_words: &[String]) -> bool {
    let is_refusal = |line: &str| {
        let line = line.to_ascii_lowercase();
        let has_greeting = Protocol::ALL.iter().any(|protocol| line.ends_with(protocol.name()));
        let refuses = line.contains("illegal move") || line.contains("unknown command");
        (has_greeting && refuses) || line.starts_with("tellics") || line.starts_with("feature ")
    };
    last_words.iter().any(|line| is_refusal(line.trim()))
}

fn stopped_start(place: &str) -> Error {
    Error::interrupted(place, "stopped while it was starting")
}

/// An engine's own name, without the brackets in which it describes its build.
fn brief(name: &str) -> String {
    let plain: String = name.chars().filter(|c| is_plain(*c)).collect();
    let short = plain.split(['[', '(']).next().unwrap_or_default().trim();
    let text = if short.is_empty() { plain.trim() } else { short };
    text.chars().take(NAME_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_of_xboard_are_recognised() {
        let words = |line: &str| [String::from("Reading (stdin)"), line.to_owned()];
        for line in
            ["Illegal move: uci", "Error (unknown command): uai", "tellics say Fairy-Max 5.0b"]
        {
            assert!(speaks_xboard(&words(line)), "{line}");
        }
        for line in ["Unknown command: 'go'.", "id name Tellics", "something is broken"] {
            assert!(!speaks_xboard(&words(line)), "{line}");
        }
    }

    #[test]
    fn engines_have_brief_names() {
        assert_eq!(brief("Fairy-Stockfish [commit: b2e693ef] LB"), "Fairy-Stockfish");
        assert_eq!(brief("Tiktaxx 1.0"), "Tiktaxx 1.0");
        assert_eq!(brief("[odd]"), "[odd]");
        assert_eq!(brief("\u{202e}\u{1b}[31mRed"), "[31mRed");
        assert_eq!(brief("\u{202e}\u{1b}"), "");
        assert_eq!(brief(&"x".repeat(99)).len(), NAME_CHARS);
    }

    #[test]
    fn manifests_keep_their_fields() {
        let text =
            r#"{"name":"A","command":"a b","protocol":"uci","margin_ms":100,"timeout_seconds":60}"#;
        let engine: ExternalEngine = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&engine).unwrap(), text);
        let endless = ExternalEngine { margin_ms: u64::MAX, ..engine };
        assert!(endless.check().is_err());
    }

    #[test]
    fn an_engine_from_a_file_starts_only_with_consent() {
        let text = r#"{"command":"true","margin_ms":100,"timeout_seconds":60}"#;
        let mut engine: ExternalEngine = serde_json::from_str(text).unwrap();
        let start = |engine: &ExternalEngine| {
            let board = crate::game::Board::new(8, 8);
            let started = engine.clone().start(GameId::default(), board, &Stop::default());
            started.err().unwrap().to_string()
        };
        assert!(start(&engine).contains("have not agreed"));
        engine.consent = Consent::default();
        assert!(!start(&engine).contains("have not agreed"));
    }
}
