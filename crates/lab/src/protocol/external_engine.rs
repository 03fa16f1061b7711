//! External engines: how one is described, on the command line and in a run's manifest, and one
//! that has been started.

use super::client::{Client, EngineFault, Patience};
use super::dialect::{
    CHESS960_OPTION, Protocol, VARIANT_OPTION, is_chess960, short_variant_name, variant_name,
};
use super::identity::{EngineFiles, EngineIdentity, changed_name, renamed};
use super::options::{EngineOption, OptionKind, find};
use super::process::EngineProgram;
use crate::arena::{FORFEIT_LIMIT, Forfeit};
use crate::error::{Error, Result};
use crate::game::Board;
use crate::games::GameId;
use crate::search::{Limits, Stop};
use crate::terminal::is_plain;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The prefix of an engine's command line, where the name of a weight set could stand too.
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

/// An external engine: how it is started, and its timeouts. As arguments of a command it has
/// everything but the engine itself, for all engines of the command.
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
    /// The folder in which it runs and to which relative paths refer. Manifests of versions that
    /// did not keep it have none: then it is the folder of the command that starts the engine.
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
    /// Start an engine anew whenever its options change: some read them only once
    #[cfg_attr(feature = "clap", arg(long = "restart", help_heading = "Engines (cmd:)"))]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub restarts: bool,
    /// A command that it answers with lines about its knobs.
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

    /// Starts the engine, sets its options and its game, and sees that it gets ready.
    ///
    /// # Errors
    /// When the user has not consented to it; when it does not start or does not get ready, does not
    /// offer an option, does not play the game, or is not the engine that its run began with; or
    /// when it was given up since `interrupt` is set.
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
        let notes = doubts.map(|doubt| format!("{place}, {doubt}")).collect();
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
        self.name = self.name.or_else(|| own_name.as_deref().map(brief));
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
            renamed: OnceLock::new(),
            answers: Answers::default(),
        })))
    }

    /// Starts the engine and ends it again once it has introduced itself; gives its brief name for
    /// itself, or its command line where it has none.
    ///
    /// # Errors
    /// When it does not start or does not introduce itself, or was given up since `interrupt` is
    /// set.
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

    /// Settles the folder in which the engine runs, and gives it.
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

    /// Checks that the engine calls itself as it did when its run began.
    fn check_name(&self, own_name: Option<&str>) -> Result<()> {
        if let Some(known) = &self.identity {
            return known.check_name(own_name);
        }
        // A manifest of a version that kept only the name in results, perhaps with a number.
        let (Some(name), Some(own)) = (&self.name, own_name.map(brief)) else { return Ok(()) };
        let is_known = *name == own || name.starts_with(&format!("{own} ("));
        match changed_name(Some(name), own_name).filter(|_| !is_known && *name != self.command) {
            None => Ok(()),
            Some(what) => Err(renamed(what)),
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
    Error::failed(place, Forfeit { kind: fault.kind(), reason, last_words }.text())
        .remedy("try the command by hand: it should answer `uci` with `uciok`, or `uai` with `uaiok`; where it answers one and ends or hangs at the other, name its own with --protocol")
}

fn stopped_start(place: &str) -> Error {
    Error::interrupted(place, "given up while it was started")
}

/// An engine that has been started once and plays the wanted game. It makes players, each with a
/// process of its own. Clones share it.
#[derive(Clone)]
pub struct StartedEngine(Arc<StartedInner>);

struct StartedInner {
    engine: ExternalEngine,
    program: EngineProgram,
    own_name: Option<String>,
    protocol: Protocol,
    /// The commands that set its options and its game.
    settings: Vec<String>,
    /// The options that it offers, in its own order.
    offered: Vec<EngineOption>,
    /// Other lines that it wrote before it was ready.
    remarks: Vec<String>,
    /// Warnings about its options.
    notes: Vec<String>,
    /// The process that showed that it plays: the first player takes it.
    idle: Mutex<Option<Client>>,
    /// The new name of the engine, where another one has taken its place since.
    renamed: OnceLock<String>,
    /// Its answers so far that no time was set for.
    answers: Answers,
}

/// Counts answers that no time was set for.
#[derive(Debug, Default)]
struct Answers {
    count: AtomicU64,
    /// The slowest one, in milliseconds.
    slowest: AtomicU64,
}

/// Answers before the slowest one says how long an engine may take.
const ANSWERS_TO_TRUST: u64 = 100;
/// An engine that takes this many times longer than ever before is taken to hang.
const TIMES_THE_SLOWEST: u64 = 20;
/// The least time after which it is, in milliseconds: a machine may be busy.
const LEAST_HANG: u64 = 10_000;

impl Answers {
    fn add(&self, time: Duration) {
        let ms = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        self.slowest.fetch_max(ms, Ordering::Relaxed);
        self.count.fetch_add(1, Ordering::Relaxed);
    }

    /// The time after which an engine is taken to hang, at most this one.
    fn hang_time(&self, timeout: Duration) -> Duration {
        if self.count.load(Ordering::Relaxed) < ANSWERS_TO_TRUST {
            return timeout;
        }
        let slowest = self.slowest.load(Ordering::Relaxed);
        let ms = slowest.saturating_mul(TIMES_THE_SLOWEST).max(LEAST_HANG);
        timeout.min(Duration::from_millis(ms))
    }
}

impl StartedEngine {
    /// Its description, with the name and the protocol that were found out.
    pub fn engine(&self) -> &ExternalEngine {
        &self.0.engine
    }

    /// The options that it offers, in its own order.
    pub fn offered(&self) -> &[EngineOption] {
        &self.0.offered
    }

    /// The lines that it wrote at its start beside the protocol's own.
    pub fn remarks(&self) -> &[String] {
        &self.0.remarks
    }

    /// Warnings about its options, for the user.
    pub fn notes(&self) -> &[String] {
        &self.0.notes
    }

    /// The engine's full name for itself.
    pub fn own_name(&self) -> Option<&str> {
        self.0.own_name.as_deref()
    }

    /// The protocol that it speaks.
    pub fn protocol(&self) -> Protocol {
        self.0.protocol
    }

    /// The error that ends the match, once another engine has taken this one's place.
    pub(super) fn fault(&self) -> Option<Error> {
        let new = self.0.renamed.get()?;
        let what = changed_name(self.own_name(), Some(new))?;
        Some(renamed(what).within(format!("engine `{}`, started again", self.0.engine.command)))
    }

    /// A running process with its options set; `None` when it was given up since `interrupt` is
    /// set, or since another engine has taken its place.
    pub(super) fn client(&self, interrupt: &Stop) -> std::result::Result<Option<Client>, Forfeit> {
        let inner = &*self.0;
        if let Some(client) = inner.idle.lock().take() {
            return Ok(Some(client));
        }
        let timeout = inner.engine.timeout();
        let client = Client::start(&inner.program, Some(inner.protocol), timeout, interrupt)
            .map_err(|(fault, last_words)| {
                let (kind, reason) = (fault.kind(), fault.to_string());
                Forfeit { kind, reason, last_words }
            })?;
        let Some(mut client) = client else { return Ok(None) };
        if client.name != inner.own_name {
            // Set once: the first one counts.
            let _ = inner.renamed.set(client.name.unwrap_or_default());
            return Ok(None);
        }
        match client.prepare(&inner.settings, interrupt) {
            Ok(is_ready) => Ok(is_ready.then_some(client)),
            Err(fault) => Err(forfeit(&fault, &client)),
        }
    }

    /// The timeout of a move under these limits.
    pub(super) fn patience(&self, limits: &Limits) -> Patience {
        let engine = &self.0.engine;
        let limit =
            [limits.movetime, limits.clock.map(|clock| clock.left)].into_iter().flatten().min();
        match limit {
            Some(limit) => Patience::Limit(limit, Duration::from_millis(engine.margin_ms)),
            None => Patience::Hang(self.0.answers.hang_time(engine.timeout())),
        }
    }

    /// Takes note of the time of an answer under these limits.
    pub(super) fn note_answer(&self, limits: &Limits, time: Duration) {
        if limits.is_deterministic() {
            self.0.answers.add(time);
        }
    }
}

pub(super) fn forfeit(fault: &EngineFault, client: &Client) -> Forfeit {
    Forfeit { kind: fault.kind(), reason: fault.to_string(), last_words: client.last_words() }
}

/// Reads an option of an engine: `NAME=VALUE`, or a button's `NAME` alone.
///
/// # Errors
/// When there is no name.
pub fn parse_option(text: &str) -> Result<(String, String)> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    if name.trim().is_empty() {
        return Err(Error::input(format!("engine option `{text}`"), "not NAME=VALUE")
            .remedy("write for example Hash=64"));
    }
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// An engine's own name without what it says in brackets about its build.
fn brief(name: &str) -> String {
    let short = name.split(['[', '(']).next().unwrap_or_default().trim();
    let text = if short.is_empty() { name.trim() } else { short };
    text.chars().filter(|c| is_plain(*c)).take(NAME_CHARS).collect()
}

/// The commands that set the wanted options, and the game where the engine has several.
fn option_commands(
    offered: &[EngineOption],
    wanted: &[(String, String)],
    variant: &str,
) -> Result<Vec<String>> {
    let mut commands = Vec::new();
    for (name, value) in wanted {
        let option = find(offered, name)?;
        option.check(value)?;
        commands.push(setoption(option, value)?);
    }
    let is_chosen = wanted.iter().any(|(name, _)| name.eq_ignore_ascii_case(VARIANT_OPTION));
    if let Ok(option) = find(offered, VARIANT_OPTION)
        && !is_chosen
    {
        let variant = match &option.kind {
            OptionKind::Combo(known) => known_variant(known, variant)?,
            _ => variant,
        };
        commands.push(setoption(option, variant)?);
    }
    Ok(commands)
}

/// The command that makes the engine play Chess960, where that is the game.
fn chess960_command(
    offered: &[EngineOption],
    wanted: &[(String, String)],
    is_chess960: bool,
) -> Result<Option<String>> {
    let is_chosen = wanted.iter().any(|(name, _)| name.eq_ignore_ascii_case(CHESS960_OPTION));
    if !is_chess960 || is_chosen {
        return Ok(None);
    }
    let option = find(offered, CHESS960_OPTION).map_err(|_| {
        Error::input(format!("option {CHESS960_OPTION}"), "the engine does not play Chess960")
            .remedy("name an engine that offers this option, or play --game chess")
    })?;
    setoption(option, "true").map(Some)
}

/// The commands that set these options, in the order in which the engine offers them: one may
/// recompute its tables at the last.
pub(super) fn commands_in_order(
    offered: &[EngineOption],
    wanted: &BTreeMap<String, String>,
) -> Vec<String> {
    let value_of = |option: &EngineOption| {
        let same = |(name, _): &(&String, _)| option.name.eq_ignore_ascii_case(name);
        wanted.iter().find(same).map(|(_, value)| value)
    };
    let commands = offered.iter().filter_map(|option| setoption(option, value_of(option)?).ok());
    commands.collect()
}

/// The name that the engine has for a variant.
fn known_variant<'a>(known: &[String], variant: &'a str) -> Result<&'a str> {
    let names = [Some(variant), short_variant_name(variant)];
    let is_known = |name: &&str| known.iter().any(|known| known == name);
    names.into_iter().flatten().find(is_known).ok_or_else(|| {
        let reason = format!("the engine does not know the variant `{variant}`");
        Error::input(format!("option {VARIANT_OPTION}"), reason).remedy(
            "choose another board, or set this option yourself if the engine has another name for it",
        )
    })
}

fn setoption(option: &EngineOption, value: &str) -> Result<String> {
    if value.contains(char::is_control) {
        return Err(Error::input(
            format!("option `{}`", option.name),
            "a value takes one line of text",
        ));
    }
    Ok(match option.kind {
        OptionKind::Button => format!("setoption name {}", option.name),
        _ => format!("setoption name {} value {value}", option.name),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered() -> Vec<EngineOption> {
        [
            "name Hash type spin min 1 max 64",
            "name UCI_Variant type combo var chess var breakthrough",
        ]
        .iter()
        .filter_map(|line| EngineOption::parse(line))
        .collect()
    }

    #[test]
    fn an_engine_hangs_at_many_times_its_slowest_answer() {
        let (answers, seconds) = (Answers::default(), Duration::from_secs);
        answers.add(seconds(1));
        assert_eq!(answers.hang_time(seconds(60)), seconds(60), "too few answers");
        (0..ANSWERS_TO_TRUST).for_each(|_| answers.add(Duration::from_millis(3)));
        assert_eq!(answers.hang_time(seconds(60)), seconds(20));
        assert_eq!(answers.hang_time(seconds(5)), seconds(5));
        let quick = Answers { count: ANSWERS_TO_TRUST.into(), slowest: 3.into() };
        assert_eq!(quick.hang_time(seconds(60)), seconds(10));
    }

    #[test]
    fn engines_have_brief_names() {
        assert_eq!(brief("Fairy-Stockfish [commit: b2e693ef] LB"), "Fairy-Stockfish");
        assert_eq!(brief("Tiktaxx 1.0"), "Tiktaxx 1.0");
        assert_eq!(brief("[odd]"), "[odd]");
        assert_eq!(brief(&"x".repeat(99)).len(), NAME_CHARS);
    }

    #[test]
    fn options_have_names() {
        assert_eq!(parse_option("Hash=64").unwrap(), ("Hash".into(), "64".into()));
        assert_eq!(parse_option("Clear Hash").unwrap(), ("Clear Hash".into(), String::new()));
        assert_eq!(parse_option("Book = a=b ").unwrap(), ("Book".into(), "a=b".into()));
        assert!(parse_option("=5").is_err() && parse_option("").is_err());
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

    #[test]
    fn the_game_is_chosen_where_there_are_several() {
        let game = ["setoption name UCI_Variant value breakthrough"];
        assert_eq!(option_commands(&offered(), &[], "breakthrough").unwrap(), game);
        assert_eq!(option_commands(&offered()[..1], &[], "breakthrough").unwrap(), [""; 0]);
        let error = option_commands(&offered(), &[], "breakthrough6x6").unwrap_err();
        assert!(error.to_string().contains("`breakthrough6x6`"), "{error}");
        let offered = EngineOption::parse("name UCI_Variant type combo var breakthrough6").unwrap();
        let short = ["setoption name UCI_Variant value breakthrough6"];
        assert_eq!(option_commands(&[offered], &[], "breakthrough6x6").unwrap(), short);
    }

    #[test]
    fn options_are_set_before_the_game_and_may_choose_it() {
        let wanted =
            [("hash".to_owned(), "8".to_owned()), ("uci_variant".to_owned(), "other".to_owned())];
        assert_eq!(
            option_commands(&offered(), &wanted, "breakthrough6x6").unwrap(),
            ["setoption name Hash value 8", "setoption name UCI_Variant value other"]
        );
        let sneaky = [("uci_variant".to_owned(), "chess\nquit".to_owned())];
        assert!(option_commands(&offered(), &sneaky, "breakthrough").is_err());
    }
}
