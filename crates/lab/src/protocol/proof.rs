//! Proves that an external engine on another machine is the one that a run plays with: by its best
//! moves and nodes in a few positions, or else by its files.

use super::external_engine::{ExternalEngine, StartedEngine};
use super::options::{EngineOption, OptionKind, find};
use crate::any::AnyOpening;
use crate::arena::ask::{ask, random_openings};
use crate::arena::remote::hex;
use crate::arena::seed::generator;
use crate::arena::sent_engine::BY_PLAY;
use crate::arena::{Forfeit, MoveChoice, PlayerFactory};
use crate::arena::{SentEngine, SentFactory};
use crate::error::{Error, Result};
use crate::game::Board;
use crate::games::GameId;
use crate::search::{Limits, Stop};
use crate::tune::usual_options;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

/// Positions in which the engine is asked for a move, and how many of them are repeated.
const POSITIONS: u64 = 20;
const AGAIN: usize = 4;
/// The seed of the random lines to the positions.
const LINES: u64 = 0x1de7;
/// Nodes of each search: some engines have no move before 5,000.
const NODES: u64 = 10_000;
/// The longest search. An engine that takes longer ignores the limit of nodes.
const LONGEST: Duration = Duration::from_secs(20);
/// Searches by time, for the speed of an engine that cannot be asked by nodes.
const TIMED: usize = 8;
const MOVETIME: Duration = Duration::from_millis(100);
/// Hexadecimal digits of an identity.
const DIGITS: usize = 16;
/// Words in the names of options that name files, and do not change how an engine plays.
const OF_FILES: [&str; 5] = ["file", "path", "log", "dir", "book"];

/// The identity and the speed that an engine has shown.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineProof {
    /// `play:` and a digest of its best moves and nodes; or `file:` and a digest of its files, if
    /// its searches by nodes fail, do not end or do not repeat.
    pub identity: String,
    /// Nodes a second of one process; 0 when it counts none.
    pub speed: f64,
}

/// Tests an engine with its options that are texts, and otherwise with the options that suit tunes:
/// one thread, a hash of 16 MiB. Its searches take about 240,000 nodes.
///
/// # Errors
/// When neither its play nor its files identify it, or it gave up because `interrupt` is set.
pub fn prove(
    started: &StartedEngine,
    on: (GameId, Board),
    interrupt: &Stop,
) -> Result<EngineProof> {
    let engine = started.engine();
    let mut options = split_options(started.offered(), &engine.options).0;
    options.extend(usual_options(started.offered(), &options));
    let plain = ExternalEngine { options, ..engine.clone() }.start(on.0, on.1, interrupt)?;
    let line = |number, again| generator(LINES, &[number, again]);
    let trial = Trial { openings: random_openings(on, POSITIONS, line)?, interrupt };
    let place = || format!("engine `{}`", engine.name());
    if let Ok(Some(proof)) = trial.by_play(&plain) {
        return Ok(proof);
    }
    if interrupt.is_set() {
        return Err(Error::interrupted(place(), "stopped while it was tested"));
    }
    let identity = of_files(&plain).ok_or_else(|| {
        Error::input(place(), "its searches are not reproducible, and no files identify it")
            .remedy("leave out --cluster")
    })?;
    Ok(EngineProof { identity, speed: trial.speed_by_time(&plain) })
}

/// Proves the engines of a run, with the names under which workers have them, and makes the
/// factories that let workers play in their place.
///
/// # Errors
/// As [`prove`].
pub fn send_engines(
    engines: Vec<(String, StartedEngine)>,
    on: (GameId, Board),
    interrupt: &Stop,
) -> Result<Vec<Arc<dyn PlayerFactory>>> {
    let mut sent: Vec<(SentEngine, Arc<dyn PlayerFactory>)> = Vec::new();
    for (name, started) in engines {
        let EngineProof { identity, speed } = prove(&started, on, interrupt)?;
        let is_taken = |name: &str| {
            sent.iter().any(|(other, _)| other.name == name && other.identity != identity)
        };
        let mut names =
            std::iter::once(name.clone()).chain((2..).map(|number| format!("{name} ({number})")));
        let name = names.find(|name| !is_taken(name)).unwrap_or(name);
        let engine = started.engine();
        let (_, options) = split_options(started.offered(), &engine.options);
        let sent_engine = SentEngine {
            name,
            identity,
            speed,
            options,
            margin_ms: engine.margin_ms,
            timeout_seconds: engine.timeout_seconds,
            restarts: engine.restarts,
        };
        sent.push((sent_engine, Arc::new(started)));
    }
    Ok(SentFactory::of_run(sent))
}

/// Checks an option that a job sets. A text is refused, since it may name a file, unless it is a
/// number.
///
/// # Errors
/// When it is such a text, or the engine does not offer the option or take the value.
pub fn check_sent_option(offered: &[EngineOption], name: &str, value: &str) -> Result<()> {
    let option = find(offered, name)?;
    match is_text(option, value) {
        true => Err(Error::input(format!("option `{name}`"), "a job may not set a text")
            .remedy("set it where the worker is started, with --engine-option")),
        false => option.check(value),
    }
}

/// The options that are texts, which only the owner of a machine sets, and the others.
type SplitOptions = (Vec<(String, String)>, Vec<(String, String)>);

fn split_options(offered: &[EngineOption], options: &[(String, String)]) -> SplitOptions {
    let is_text = |(name, value): &(String, String)| {
        find(offered, name).is_ok_and(|option| is_text(option, value))
    };
    options.iter().cloned().partition(is_text)
}

fn is_text(option: &EngineOption, value: &str) -> bool {
    let name = option.name.to_lowercase();
    let is_number =
        value.parse::<f64>().is_ok() && !OF_FILES.iter().any(|word| name.contains(word));
    option.kind == OptionKind::Text && !is_number
}

/// A digest of the files that an engine consists of, whatever their names.
fn of_files(engine: &StartedEngine) -> Option<String> {
    let files = &engine.engine().identity.as_ref()?.files;
    let mut digests: Vec<&str> = files.values().map(String::as_str).collect();
    digests.sort_unstable();
    digests.dedup();
    (!digests.is_empty()).then(|| format!("file:{}", short_digest(&digests.concat())))
}

fn short_digest(text: &str) -> String {
    hex(&Sha256::digest(text)[..DIGITS / 2])
}

/// A trial under way.
struct Trial<'a> {
    openings: Vec<AnyOpening>,
    interrupt: &'a Stop,
}

impl Trial<'_> {
    /// The proof by play; `None` if the searches do not repeat.
    fn by_play(&self, engine: &StartedEngine) -> std::result::Result<Option<EngineProof>, Forfeit> {
        let limits = Limits::nodes(NODES);
        let mut player = engine.player(Some(LONGEST));
        let (mut text, mut nodes, mut time) = (String::new(), 0, Duration::ZERO);
        let mut first = Vec::new();
        for opening in &self.openings {
            let choice = ask(&mut *player, opening, &limits, self.interrupt)?;
            let Some(search) = search_text(opening, &choice) else { return Ok(None) };
            text.push_str(&search);
            first.push(search);
            nodes += choice.nodes;
            time += choice.time;
        }
        // The same searches in another process.
        let mut player = engine.player(Some(LONGEST));
        for (opening, search) in self.openings.iter().zip(first).take(AGAIN) {
            let choice = ask(&mut *player, opening, &limits, self.interrupt)?;
            if search_text(opening, &choice) != Some(search) {
                return Ok(None);
            }
        }
        let speed = nodes as f64 / time.as_secs_f64().max(1e-6);
        Ok(Some(EngineProof { identity: format!("{BY_PLAY}{}", short_digest(&text)), speed }))
    }

    /// Nodes a second in searches by time; 0 when it fails or counts none.
    fn speed_by_time(&self, engine: &StartedEngine) -> f64 {
        let limits = Limits { movetime: Some(MOVETIME), ..Limits::default() };
        let mut player = engine.new_player();
        let choices = self
            .openings
            .iter()
            .take(TIMED)
            .map(|opening| ask(&mut *player, opening, &limits, self.interrupt));
        let choices: Vec<MoveChoice> = choices.map_while(std::result::Result::ok).collect();
        let nodes: u64 = choices.iter().map(|choice| choice.nodes).sum();
        let time: Duration = choices.iter().map(|choice| choice.time).sum();
        nodes as f64 / time.as_secs_f64().max(1e-3)
    }
}

/// The best move and the nodes of a search; `None` without a move.
fn search_text(opening: &AnyOpening, choice: &MoveChoice) -> Option<String> {
    let best = opening.position.line_text(&[choice.best?]);
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{best} {}", choice.nodes);
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_sets_numbers_and_words_but_no_files() {
        let lines = [
            "name Hash type spin default 16 min 1 max 64",
            "name Style type combo default calm var calm var wild",
            "name LMR type string default 0.75",
            "name Debug Log File type string default",
            "name EvalFile type string default a.nnue",
        ];
        let offered: Vec<EngineOption> =
            lines.iter().filter_map(|line| EngineOption::parse(line)).collect();
        for (name, value) in [("Hash", "8"), ("style", "wild"), ("LMR", "-0.25")] {
            check_sent_option(&offered, name, value).unwrap();
        }
        for (name, value) in [
            ("Hash", "65"),
            ("LMR", "a b"),
            ("Debug Log File", "1"),
            ("EvalFile", "/x"),
            ("No", "1"),
        ] {
            assert!(check_sent_option(&offered, name, value).is_err(), "{name}");
        }
        let given = [("EvalFile", "b.nnue"), ("Hash", "8")].map(|(a, b)| (a.into(), b.into()));
        let (texts, others) = split_options(&offered, &given);
        assert_eq!((texts.len(), others.len(), texts[0].1.as_str()), (1, 1, "b.nnue"));
    }
}
