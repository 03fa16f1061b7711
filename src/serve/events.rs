//! Server-sent events: the watched topics, whenever they change.

use super::answer::{Refusal, Reply};
use super::limits::{STREAMED_RUNS, STREAMS};
use super::state::ServerState;
use super::watch::{Parts, Topic, subscribe};
use crate::error::Error;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse, Sse};
use futures_util::stream::{self, BoxStream, StreamExt};
use serde::Deserialize;
use std::convert::Infallible;
use std::sync::{Arc, LazyLock};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

static PLACES: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(STREAMS)));

/// The topics that a page subscribes to.
#[derive(Deserialize)]
pub(super) struct EventsQuery {
    /// If present, the list of runs and the processes that the server started.
    list: Option<String>,
    /// Runs, with `/` between their names.
    runs: Option<String>,
}

/// Answers with events for as long as the page listens: `list`, `jobs` and `run`.
pub(super) async fn events(
    State(shared): State<Arc<ServerState>>,
    Query(query): Query<EventsQuery>,
) -> Reply<impl IntoResponse> {
    let names: Vec<&str> = query.runs.iter().flat_map(|runs| runs.split('/')).collect();
    if names.len() > STREAMED_RUNS {
        let error = Error::input("runs", format!("{} are too many", names.len()))
            .remedy(format!("watch at most {STREAMED_RUNS} at a time"));
        return Err(Refusal::new(StatusCode::BAD_REQUEST, error));
    }
    let mut topics: Vec<Topic> = Vec::new();
    for name in names {
        // One that was just started may have no files yet.
        if shared.jobs.state(name).is_none() {
            shared.directory(name)?;
        }
        topics.push(Topic::Run(name.to_owned()));
    }
    if query.list.is_some() {
        topics.extend([Topic::List, Topic::Jobs]);
    }
    let place = PLACES
        .clone()
        .try_acquire_owned()
        .map_err(|_| Refusal::busy("events", "too many pages are listening"))?;
    let place = Arc::new(place);
    let streams = topics.into_iter().map(|topic| stream_of(&shared, topic, place.clone()));
    Ok(Sse::new(stream::select_all(streams)).keep_alive(KeepAlive::default()))
}

/// The events of a topic.
fn stream_of(
    shared: &Arc<ServerState>,
    topic: Topic,
    place: Arc<OwnedSemaphorePermit>,
) -> BoxStream<'static, Result<Event, Infallible>> {
    let receiver = subscribe(shared, topic.clone());
    let folder = shared.folder().path().display().to_string();
    let sent = Sent { topic, folder, receiver, parts: Parts::default(), _place: place };
    stream::unfold(sent, Sent::next).boxed()
}

/// The state of a topic that a page has received.
struct Sent {
    topic: Topic,
    folder: String,
    receiver: watch::Receiver<Option<Parts>>,
    parts: Parts,
    _place: Arc<OwnedSemaphorePermit>,
}

impl Sent {
    /// Waits for a change and returns its event.
    async fn next(mut self) -> Option<(Result<Event, Infallible>, Self)> {
        self.receiver.changed().await.ok()?;
        let now = self.receiver.borrow_and_update().clone().unwrap_or_default();
        let event = match &self.topic {
            Topic::List => Event::default().event("list").data(self.changes(&now)),
            Topic::Run(name) => Event::default().event("run").data(part(&now, name)),
            Topic::Jobs => Event::default().event("jobs").data(part(&now, "")),
        };
        self.parts = now;
        Some((Ok(event), self))
    }

    /// The lines that are new or changed, and the runs that are gone.
    fn changes(&self, now: &Parts) -> String {
        let is_new = |(name, line): &(&String, &Arc<str>)| self.parts.get(*name) != Some(line);
        let changed: Vec<&str> = now.iter().filter(is_new).map(|(_, line)| &**line).collect();
        let gone: Vec<&String> =
            self.parts.keys().filter(|name| !now.contains_key(*name)).collect();
        let [gone, folder] = [serde_json::to_string(&gone), serde_json::to_string(&self.folder)]
            .map(Result::unwrap_or_default);
        format!(r#"{{"folder":{folder},"gone":{gone},"changed":[{}]}}"#, changed.join(","))
    }
}

fn part<'a>(parts: &'a Parts, name: &str) -> &'a str {
    parts.get(name).map_or("null", |part| part)
}
