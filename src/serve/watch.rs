//! What is watched: read once a second, however many watch it, and only while somebody does.

use super::limits::{POLL, RUNS};
use super::spark::spark;
use super::state::{OpenRun, Shared, locked};
use crate::error::{Error, Result};
use crate::report::advice;
use crate::run;
use crate::runs::live::RunDocument;
use crate::runs::{RunLine, RunStatus};
use crate::search::Limits;
use crate::stats::Sprt;
use crate::tournament::TournamentSettings;
use serde::Serialize;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::SystemTime;
use tokio::sync::watch;

/// The most points of a curve.
const POINTS: usize = 400;
/// Seconds for which a run that nobody watches any more is kept open.
const GRACE: u32 = 15;

/// Something that can be watched.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Topic {
    /// The list of runs.
    List,
    /// A run, by its name in the folder.
    Run(String),
    /// What the server has started.
    Jobs,
}

/// What is known of a topic: parts by their names, each as JSON.
pub(super) type Parts = Arc<HashMap<String, Arc<str>>>;

/// The topics that somebody watches.
#[derive(Default)]
pub(super) struct Watches {
    senders: Mutex<HashMap<Topic, watch::Sender<Parts>>>,
}

/// Watches a topic.
pub(super) fn subscribe(shared: &Arc<Shared>, topic: Topic) -> watch::Receiver<Parts> {
    let mut senders = locked(&shared.watches.senders);
    if let Some(sender) = senders.get(&topic) {
        let mut receiver = sender.subscribe();
        receiver.mark_changed();
        return receiver;
    }
    let (sender, receiver) = watch::channel(Parts::default());
    senders.insert(topic.clone(), sender.clone());
    tokio::spawn(keep(shared.clone(), topic, sender));
    receiver
}

/// Keeps a topic up to date until nobody has watched it for a while.
async fn keep(shared: Arc<Shared>, topic: Topic, sender: watch::Sender<Parts>) {
    let mut source = Some(Source::new(&topic));
    let mut idle = 0;
    loop {
        idle = if sender.receiver_count() == 0 { idle + 1 } else { 0 };
        if idle > GRACE {
            let mut senders = locked(&shared.watches.senders);
            if sender.receiver_count() == 0 {
                senders.remove(&topic);
                return;
            }
        }
        if let Some(mut from) = source.take().filter(|_| idle == 0) {
            let shared = shared.clone();
            let read = tokio::task::spawn_blocking(move || {
                let parts = from.read(&shared);
                (from, parts)
            });
            let Ok((from, parts)) = read.await else { return };
            sender.send_if_modified(|known| {
                let changed = *known != parts;
                *known = parts;
                changed
            });
            source = Some(from);
        }
        tokio::time::sleep(POLL).await;
    }
}

/// Where the parts of a topic come from, with what was read before.
enum Source {
    List(HashMap<String, ListedRun>),
    Run { name: String, open: Option<Arc<Mutex<OpenRun>>>, known: Option<KnownRun> },
    Jobs,
}

/// A line of the list, and what its run's files were like when it was read.
struct ListedRun {
    stamp: Stamp,
    line: Arc<str>,
}

/// What changes with everything that a list shows of a run.
#[derive(PartialEq)]
struct Stamp {
    journal: Option<(u64, SystemTime)>,
    manifest: Option<SystemTime>,
    is_running: bool,
}

impl Stamp {
    fn of(directory: &Path) -> Self {
        let found = |name: &str| directory.join(name).symlink_metadata().ok();
        Self {
            journal: found(run::JOURNAL)
                .and_then(|found| Some((found.len(), found.modified().ok()?))),
            manifest: found(run::MANIFEST).and_then(|found| found.modified().ok()),
            is_running: run::is_locked(directory),
        }
    }
}

/// The document of a run, and what it was made of.
struct KnownRun {
    revision: u64,
    state: RunStatus,
    document: Arc<str>,
}

/// A run in the list of the page.
#[derive(Serialize)]
pub(super) struct ListLine {
    #[serde(flatten)]
    line: RunLine,
    /// The Elo at a few moments, evenly spread.
    spark: Vec<f64>,
}

impl ListLine {
    pub(super) fn read(directory: &Path) -> Self {
        Self { line: RunLine::read(directory), spark: spark(directory) }
    }
}

/// A run, and what its page says of it.
#[derive(Serialize)]
struct RunView {
    #[serde(flatten)]
    document: RunDocument,
    /// Games that can be shown.
    games_kept: u64,
    /// What a match or a tournament is between; null of a tune.
    contest: Option<Contest>,
    /// How certain the result is, and when the tune is done.
    advice: Vec<String>,
    /// The commands to type next.
    next: Vec<String>,
}

/// Who meets in a match or a tournament, and what decides it.
#[derive(Serialize)]
struct Contest {
    players: Vec<ContestPlayer>,
    /// The most pairs of each match.
    pairs: u64,
    sprt: Option<Sprt>,
    seed: u64,
}

#[derive(Serialize)]
struct ContestPlayer {
    name: String,
    limits: Limits,
}

impl Contest {
    fn new(settings: &TournamentSettings) -> Self {
        let players = settings
            .players
            .iter()
            .map(|player| ContestPlayer { name: player.name.clone(), limits: player.limits });
        Self {
            players: players.collect(),
            pairs: settings.pairs,
            sprt: settings.sprt,
            seed: settings.seed,
        }
    }
}

impl Source {
    fn new(topic: &Topic) -> Self {
        match topic {
            Topic::List => Self::List(HashMap::new()),
            Topic::Run(name) => Self::Run { name: name.clone(), open: None, known: None },
            Topic::Jobs => Self::Jobs,
        }
    }

    fn read(&mut self, shared: &Shared) -> Parts {
        match self {
            Self::List(known) => Arc::new(list(shared, known)),
            Self::Run { name, open, known } => {
                let document = match read_run(shared, name, open, known) {
                    Ok(document) => document,
                    Err(error) => {
                        (*open, *known) = (None, None);
                        damaged(name, &error)
                    }
                };
                Arc::new(HashMap::from([(name.clone(), document)]))
            }
            Self::Jobs => {
                let text = serde_json::to_string(&shared.jobs.list()).unwrap_or_default();
                Arc::new(HashMap::from([(String::new(), text.into())]))
            }
        }
    }
}

/// The lines of the latest runs; those whose files are as they were are not read again.
fn list(shared: &Shared, known: &mut HashMap<String, ListedRun>) -> HashMap<String, Arc<str>> {
    let mut names = shared.folder().names().unwrap_or_default();
    names.drain(..names.len().saturating_sub(RUNS));
    let mut lines = HashMap::new();
    let mut now = HashMap::new();
    for name in names {
        let directory = shared.folder().join(&name);
        let stamp = Stamp::of(&directory);
        let listed = match known.remove(&name).filter(|known| known.stamp == stamp) {
            Some(listed) => listed,
            None => ListedRun { stamp, line: line_text(&directory) },
        };
        lines.insert(name.clone(), listed.line.clone());
        now.insert(name, listed);
    }
    *known = now;
    lines
}

fn line_text(directory: &Path) -> Arc<str> {
    serde_json::to_string(&ListLine::read(directory)).unwrap_or_default().into()
}

fn read_run(
    shared: &Shared,
    name: &str,
    open: &mut Option<Arc<Mutex<OpenRun>>>,
    known: &mut Option<KnownRun>,
) -> Result<Arc<str>> {
    let run = match open {
        Some(run) => run.clone(),
        None => open.insert(shared.open(name).map_err(|refusal| refusal.into_error())?).clone(),
    };
    let mut run = locked(&run);
    let (live, revision) = run.fresh()?;
    let state = live.line().state;
    if let Some(known) =
        known.as_ref().filter(|known| known.revision == revision && known.state == state)
    {
        return Ok(known.document.clone());
    }
    let document = live.document(POINTS)?;
    let summary = document.summary.as_ref();
    let view = RunView {
        games_kept: live.record().games_kept(),
        contest: live.manifest().work.tournament().map(|work| Contest::new(&work.config)),
        advice: summary.map_or_else(Vec::new, advice::advice),
        next: summary.map_or_else(Vec::new, |summary| advice::next(summary, live.path())),
        document,
    };
    let text = serde_json::to_string(&view).map_err(|error| Error::failed("JSON", error))?;
    let document: Arc<str> = text.into();
    *known = Some(KnownRun { revision, state, document: document.clone() });
    Ok(document)
}

/// What a page shows of a run that cannot be read.
fn damaged(name: &str, error: &Error) -> Arc<str> {
    let state = RunStatus::Damaged;
    serde_json::json!({ "run": name, "state": state, "reason": error.to_string() })
        .to_string()
        .into()
}

/// The document of a run, once.
///
/// # Errors
/// When it cannot be read.
pub(super) fn run_text(shared: &Shared, name: &str) -> Result<Arc<str>> {
    read_run(shared, name, &mut None, &mut None)
}
