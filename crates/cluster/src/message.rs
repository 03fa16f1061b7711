//! The JSON messages between coordinator and workers, described in `docs/src/cluster.md`.

use crate::arena::remote::hex;
use crate::arena::{SentEngine, WantedEngine};
use crate::error::{Error, Result, shorten};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The version of the messages. It is a part of every subject, so that programs with different ones
/// never meet.
pub const PROTOCOL: u32 = 4;

/// The most jobs in a message.
pub(super) const MOST_JOBS: usize = 64;
/// The longest name of a worker, in bytes.
const LONGEST_NAME: usize = 100;
/// Bytes of the digest that identifies the engines of a run.
const TOKEN_BYTES: usize = 8;

/// The subject of a message to all, or of a question that all answer.
pub(super) fn common_subject(what: &str) -> String {
    format!("spar{PROTOCOL}.{what}")
}

/// The subject of messages of one session or worker.
pub(super) fn own_subject(what: &str, whose: &str) -> String {
    format!("spar{PROTOCOL}.{what}.{whose}")
}

/// The subject of jobs for workers that have proven these engines.
pub(super) fn engine_subject(token: &str, session: &str) -> String {
    own_subject("engines", &format!("{token}.{session}"))
}

/// Jobs for a worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct JobMessage {
    /// The version of the messages.
    pub(super) protocol: u32,
    /// The version of the coordinator's program, for messages to people.
    pub(super) program: String,
    /// The signature of its engine: only an engine with the same one plays alike.
    pub(super) signature: String,
    /// The session of the coordinator: a name unique to its process.
    pub(super) session: String,
    /// Nodes a second of the coordinator's machine, which time limits are meant for.
    pub(super) speed: f64,
    /// A worker that should leave the jobs to others if it can: it has played them already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) not_for: Option<String>,
    pub(super) jobs: Vec<SentJob>,
}

/// A job for a worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SentJob {
    /// Its number in the session.
    pub(super) id: u64,
    /// 0; or 1 for the second play of a job, which checks that the results agree.
    pub(super) copy: u8,
    pub(super) game: String,
    /// The kind of the job, which says how to read `body`.
    pub(super) kind: String,
    /// The digests of the sets that it needs.
    pub(super) sets: Vec<String>,
    /// The external engines that it needs, by their places in the pair.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) engines: Vec<SentEngine>,
    /// The job, in the form of its kind.
    pub(super) body: Value,
}

/// The results of a message's jobs. Without results it asks whether the coordinator is there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ResultMessage {
    /// The version of the messages.
    pub(super) protocol: u32,
    /// The signature of the engine that played.
    pub(super) signature: String,
    pub(super) worker: String,
    pub(super) results: Vec<SentResult>,
}

/// The result of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SentResult {
    /// The number of the job.
    pub(super) id: u64,
    /// The copy of the job that was played.
    pub(super) copy: u8,
    pub(super) outcome: SentOutcome,
}

/// The result of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum SentOutcome {
    Done(Value),
    /// The worker could not do it, for this reason.
    Failed(String),
}

/// A coordinator's message to a worker.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CoordinatorReply {
    /// The reason why it refuses this worker's results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) refused: Option<String>,
}

/// A worker's description of itself, sent at its start and on request.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WorkerPresence {
    /// The version of the messages.
    pub protocol: u32,
    /// The version of the program.
    pub program: String,
    /// The signature of the engine.
    pub signature: String,
    /// The name of the worker.
    pub worker: String,
    /// Threads that play games, the worker's `--threads`.
    pub threads: usize,
    /// Nodes a second of one thread, as measured in a trial at the worker's start.
    pub speed: f64,
    /// Jobs done since it began.
    pub done: u64,
    /// Jobs a second over the last half minute.
    pub rate: f64,
    /// Messages that it could not use, and jobs that failed.
    pub errors: u64,
    /// Seconds since it began.
    pub seconds: f64,
    /// The external engines that it has proven to have.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub engines: Vec<EngineProven>,
    /// The jobs of the asking session that are in its hands.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub in_hand: Vec<u64>,
}

/// An external engine that a worker has tried in a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EngineProven {
    /// The name that its worker's owner gave it.
    pub name: String,
    /// The game's name, as `--game` takes it.
    pub game: String,
    /// The board's size, as `--board` takes it.
    pub board: String,
    /// A digest of its best moves and nodes in 20 positions, or of its files if it counts no nodes.
    pub identity: String,
    /// Its nodes a second; 0 when it counts none.
    pub speed: f64,
}

/// The external engines of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WantedEngines {
    /// The game's name, as `--game` takes it.
    pub(super) game: String,
    /// The board's size, as `--board` takes it.
    pub(super) board: String,
    /// The engines, each by name and identity.
    pub(super) engines: Vec<WantedEngine>,
}

impl WantedEngines {
    /// The part of a subject that identifies these engines.
    pub(super) fn token(&self) -> String {
        hex(&Sha256::digest(to_bytes(self))[..TOKEN_BYTES])
    }

    /// Whether a worker has proven all of them.
    pub(super) fn are_of(&self, worker: &WorkerPresence) -> bool {
        self.engines.iter().all(|engine| {
            self.of(worker, &engine.name).any(|proven| proven.identity == engine.identity)
        })
    }

    /// The engine of this name that a worker has tried in this game.
    pub(super) fn of<'p>(
        &self,
        worker: &'p WorkerPresence,
        name: &str,
    ) -> impl Iterator<Item = &'p EngineProven> {
        worker.engines.iter().filter(move |proven| {
            proven.name.eq_ignore_ascii_case(name)
                && proven.game == self.game
                && proven.board == self.board
        })
    }
}

/// A question to all workers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ping {
    /// The session that asks, if it wants to know which of its jobs are in progress.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) session: Option<String>,
    /// The external engines of its run, which a worker must prove before it gets jobs with them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) wanted: Option<WantedEngines>,
}

/// The bytes of a message.
pub(super) fn to_bytes(message: &impl Serialize) -> Vec<u8> {
    // Our messages have text keys only, so this cannot fail.
    serde_json::to_vec(message).unwrap_or_default()
}

/// Reads a message.
///
/// # Errors
/// When the bytes are no message of this kind.
pub(super) fn from_bytes<M: DeserializeOwned>(bytes: &[u8], kind: &str) -> Result<M> {
    serde_json::from_slice(bytes).map_err(|error| Error::input(kind, shorten(&error.to_string())))
}

/// Checks that both sides speak and play alike; `whose` names the other side.
///
/// # Errors
/// When they do not.
pub(super) fn check_alike(
    own: (u32, &str),
    theirs: (u32, &str),
    whose: &str,
    program: &str,
) -> Result<()> {
    let reason = if theirs.0 != own.0 {
        format!("version {} of the messages, not {}", theirs.0, own.0)
    } else if theirs.1 != own.1 {
        format!("its engine plays differently (signature {}, not {})", shorten(theirs.1), own.1)
    } else {
        return Ok(());
    };
    let program = shorten(program);
    let remedy = format!(
        "use the same build on all machines: it has version {program}, this one {}",
        env!("CARGO_PKG_VERSION")
    );
    Err(Error::input(shorten(whose), reason).remedy(remedy))
}

/// Checks the name of a worker, which becomes a part of a subject.
///
/// # Errors
/// When it is empty, too long, or has other characters than letters, digits, `-`, `_` and `:`.
pub(super) fn check_name(name: &str) -> Result<()> {
    let is_good = |c: char| c.is_ascii_alphanumeric() || "-_:".contains(c);
    if (1..=LONGEST_NAME).contains(&name.len()) && name.chars().all(is_good) {
        return Ok(());
    }
    Err(Error::input(format!("name `{}`", shorten(name)), "not a valid worker name")
        .remedy("use letters, digits, - and _ with --name"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn engine() -> SentEngine {
        SentEngine {
            name: "stash".into(),
            identity: "play:1".into(),
            speed: 7e5,
            options: vec![("Hash".into(), "16".into())],
            margin_ms: 100,
            timeout_seconds: 60,
            restarts: false,
        }
    }

    #[test]
    fn engines_are_known_by_name_game_and_identity() {
        let (game, board) = ("chess".to_owned(), "8x8".to_owned());
        let engines = vec![engine().wanted()];
        let wanted = WantedEngines { game: game.clone(), board: board.clone(), engines };
        let proven = |name: &str, identity: &str| {
            let (name, identity) = (name.into(), identity.into());
            let (game, board) = (game.clone(), board.clone());
            let engines = vec![EngineProven { name, game, board, identity, speed: 1.0 }];
            WorkerPresence { engines, ..WorkerPresence::default() }
        };
        assert!(wanted.are_of(&proven("Stash", "play:1")));
        assert!(!wanted.are_of(&proven("stash", "play:2")));
        assert!(!wanted.are_of(&proven("other", "play:1")));
        assert!(!wanted.are_of(&WorkerPresence::default()));
        let other = WantedEngines { game: "chess960".into(), ..wanted.clone() };
        assert!(!other.are_of(&proven("stash", "play:1")));
        assert_ne!(other.token(), wanted.token());
        assert_eq!(wanted.token().len(), 2 * TOKEN_BYTES);
    }

    fn job() -> JobMessage {
        let body = serde_json::json!({"board": "8x8"});
        let (game, kind) = ("breakthrough".into(), "pair".into());
        JobMessage {
            protocol: PROTOCOL,
            program: "1".into(),
            signature: "s".into(),
            session: "t".into(),
            speed: 1e6,
            not_for: None,
            jobs: vec![SentJob {
                id: 7,
                copy: 0,
                game,
                kind,
                sets: vec!["d".into()],
                engines: vec![engine()],
                body,
            }],
        }
    }

    #[test]
    fn messages_come_back() {
        let bytes = to_bytes(&job());
        assert_eq!(from_bytes::<JobMessage>(&bytes, "job").unwrap(), job());
        let outcome = SentOutcome::Failed("no such set".into());
        let results = vec![SentResult { id: u64::MAX, copy: 1, outcome }];
        let (signature, worker) = ("s".into(), "w".into());
        let message = ResultMessage { protocol: PROTOCOL, signature, worker, results };
        assert_eq!(from_bytes::<ResultMessage>(&to_bytes(&message), "result").unwrap(), message);
    }

    #[test]
    fn those_who_play_differently_are_told_so() {
        assert!(check_alike((1, "a"), (1, "a"), "w", "2").is_ok());
        let error = check_alike((1, "a"), (1, "b"), "worker w", "2").unwrap_err().to_string();
        assert!(error.starts_with("worker w: its engine plays differently (signature b, not a)"));
        assert!(error.contains("use the same build on all machines: it has version 2"), "{error}");
        let error = check_alike((1, "a"), (2, "a"), "w", "2").unwrap_err().to_string();
        assert!(error.contains("version 2 of the messages, not 1"), "{error}");
    }

    #[test]
    fn names_stay_one_token_of_a_subject() {
        assert!(check_name("host-1_a:77").is_ok());
        for name in ["", "a.b", "a b", "*", ">", "\u{e9}", &"x".repeat(101)] {
            assert!(check_name(name).is_err(), "{name}");
        }
    }

    proptest! {
        #[test]
        fn whatever_comes_is_read_or_refused(bytes: Vec<u8>, at in 0..400usize, byte: u8) {
            let _ = from_bytes::<JobMessage>(&bytes, "job");
            let mut changed = to_bytes(&job());
            let at = at % changed.len();
            changed[at] = byte;
            if let Err(error) = from_bytes::<JobMessage>(&changed, "job") {
                prop_assert!(error.to_string().len() < 200);
            }
        }
    }
}
