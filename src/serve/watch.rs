//! Watched runs: read once a second, however many pages watch them, and only while one does.

use super::limits::{POLL, RUNS};
use super::state::ServerState;
use super::view::{RunReader, listed};
use crate::run;
use parking_lot::Mutex;
use serde_json::json;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;
use tokio::sync::{Notify, watch};

/// Seconds for which a run that nobody watches any more is kept open.
const GRACE: u32 = 15;

/// Something that can be watched.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Topic {
    /// The list of runs.
    List,
    /// A run, by its name in the folder.
    Run(String),
    /// Processes that the server started.
    Jobs,
}

/// The parts of a topic by name, each as JSON.
pub(super) type Parts = Arc<HashMap<String, Arc<str>>>;

/// The topics that somebody watches.
#[derive(Default)]
pub(super) struct Watches {
    topics: Mutex<HashMap<Topic, WatchedTopic>>,
}

/// A topic with its latest parts; without parts while nobody watches it.
#[derive(Clone)]
struct WatchedTopic {
    sender: watch::Sender<Option<Parts>>,
    /// Tells the reader that somebody watches again.
    is_back: Arc<Notify>,
}

pub(super) fn subscribe(shared: &Arc<ServerState>, topic: Topic) -> watch::Receiver<Option<Parts>> {
    let mut topics = shared.watches.topics.lock();
    if let Some(WatchedTopic { sender, is_back }) = topics.get(&topic) {
        let mut receiver = sender.subscribe();
        // A new watcher gets the current state at once.
        match sender.borrow().is_some() {
            true => receiver.mark_changed(),
            false => is_back.notify_one(),
        }
        return receiver;
    }
    let (sender, receiver) = watch::channel(None);
    let watched = WatchedTopic { sender, is_back: Arc::default() };
    topics.insert(topic.clone(), watched.clone());
    tokio::spawn(keep(shared.clone(), topic, watched));
    receiver
}

/// Keeps a topic up to date until nobody has watched it for a while.
async fn keep(shared: Arc<ServerState>, topic: Topic, watched: WatchedTopic) {
    let WatchedTopic { sender, is_back } = watched;
    let mut source = Some(TopicSource::new(&topic));
    let mut idle = 0;
    loop {
        {
            let mut topics = shared.watches.topics.lock();
            idle = if sender.receiver_count() == 0 { idle + 1 } else { 0 };
            if idle > GRACE {
                topics.remove(&topic);
                return;
            }
            if idle > 0 {
                // A watcher that comes back must not get old parts.
                sender.send_replace(None);
            }
        }
        // The source is taken out only while it reads: a watcher within the grace period finds it
        // again.
        if idle == 0
            && let Some(mut from) = source.take()
        {
            let shared = shared.clone();
            let read = tokio::task::spawn_blocking(move || {
                let parts = from.read(&shared);
                (from, parts)
            });
            let Ok((from, parts)) = read.await else { return };
            sender.send_if_modified(|known| {
                let now = Some(parts);
                let changed = *known != now;
                *known = now;
                changed
            });
            source = Some(from);
        }
        // Either is a reason to look again.
        let _ = tokio::time::timeout(POLL, is_back.notified()).await;
    }
}

/// The source of a topic's parts, with the state that it has read.
enum TopicSource {
    /// The lines of the list, each with its run's stamp when the line was read.
    List(HashMap<String, (RunStamp, Arc<str>)>),
    Run(String, Box<RunReader>),
    Jobs,
}

/// A stamp that changes with every listed property of a run.
#[derive(PartialEq)]
struct RunStamp {
    journal: Option<(u64, SystemTime)>,
    manifest: Option<SystemTime>,
    label: Option<SystemTime>,
    is_running: bool,
}

impl RunStamp {
    fn of(directory: &Path) -> Self {
        let found = |name: &str| directory.join(name).symlink_metadata().ok();
        let time = |name: &str| found(name)?.modified().ok();
        Self {
            journal: found(run::JOURNAL)
                .and_then(|found| Some((found.len(), found.modified().ok()?))),
            manifest: time(run::MANIFEST),
            label: time(run::LABEL),
            is_running: run::is_locked(directory),
        }
    }
}

impl TopicSource {
    fn new(topic: &Topic) -> Self {
        match topic {
            Topic::List => Self::List(HashMap::new()),
            Topic::Run(name) => Self::Run(name.clone(), Box::new(RunReader::new(name))),
            Topic::Jobs => Self::Jobs,
        }
    }

    fn read(&mut self, shared: &ServerState) -> Parts {
        match self {
            Self::List(known) => Arc::new(list(shared, known)),
            Self::Run(name, reader) => {
                Arc::new(HashMap::from([(name.clone(), reader.text(shared))]))
            }
            Self::Jobs => {
                let mut jobs = shared.jobs.list();
                jobs["waiting"] = json!(shared.queue.list());
                let text = serde_json::to_string(&jobs).unwrap_or_default();
                Arc::new(HashMap::from([(String::new(), text.into())]))
            }
        }
    }
}

/// The lines of the latest runs; runs with unchanged files are not read again.
fn list(
    shared: &ServerState,
    known: &mut HashMap<String, (RunStamp, Arc<str>)>,
) -> HashMap<String, Arc<str>> {
    let mut names = shared.folder().names().unwrap_or_default();
    names.drain(..names.len().saturating_sub(RUNS));
    let mut lines = HashMap::new();
    let mut now = HashMap::new();
    for name in names {
        let directory = shared.folder().join(&name);
        let stamp = RunStamp::of(&directory);
        let line = match known.remove(&name) {
            Some((known, line)) if known == stamp => line,
            _ => listed(&directory),
        };
        lines.insert(name.clone(), line.clone());
        now.insert(name, (stamp, line));
    }
    *known = now;
    lines
}
