//! A session of a coordinator: the work of one process with the cluster.

mod ending;
mod engines;
mod open;
mod publish;
mod results;
mod showing;

use super::connect::{Store, checked_url, connect};
use super::coordinator::CoordinatorConfig;
use super::events::ClusterEvent;
use super::issue::Sender;
use super::lost::{Found, look};
use super::message::{
    CoordinatorReply, Ping, check_alike, common_subject, from_bytes, own_subject, to_bytes,
};
use super::message::{PROTOCOL, WorkerPresence};
use super::outstanding::{Outstanding, ResultClaim};
use super::roster::{PING_EVERY, Roster};
use super::sets::SentSets;
use super::signature::{EngineTrial, engine_trial};
use super::status::RunPresence;
use crate::arena::{RemoteJob, RemoteTask};
use crate::error::{Error, Result};
use async_nats::{Client, Event, Message};
use ending::Ending;
use engines::{JobPlace, RunEngines};
use open::Ears;
pub(super) use open::Open;
use parking_lot::Mutex;
use serde_json::Value;
use showing::Showing;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// The interval between checks of the clock.
const TICK: Duration = Duration::from_millis(200);
/// The interval between searches for lost jobs.
const LOOK_EVERY: Duration = Duration::from_secs(4);
/// How long workers may take to join before the user hears that there are none, and the interval of
/// the reminders.
const PATIENCE: Duration = Duration::from_secs(4);
const REMIND_EVERY: Duration = Duration::from_secs(60);
/// The most errors of workers that the user hears of.
const MOST_TOLD: u32 = 10;

/// A task as the arena gave it.
pub(super) type TaskHandle = Arc<dyn RemoteTask>;

/// Requests and messages to a session.
pub(super) enum SessionCommand {
    /// The arena asks for a job.
    Submit(u64, Box<RemoteJob>, TaskHandle),
    /// The arena cancels jobs.
    Cancel(Vec<u64>),
    /// The run asks to have its workers shown in its directory.
    ShowIn(PathBuf),
    /// The task has read a worker's result.
    Read {
        id: u64,
        worker: String,
        error: Option<String>,
    },
    /// A job was played here, since these results differed.
    Judged {
        id: u64,
        claims: Vec<ResultClaim>,
        truth: Option<Value>,
    },
    /// Jobs are in the stream, at this place.
    Published {
        ids: Vec<u64>,
        place: u64,
    },
    NotPublished {
        ids: Vec<u64>,
        reason: String,
    },
    /// The stream was looked at.
    Looked(Found),
    /// The server's store was recreated.
    Reopened(Option<Box<Store>>),
    End,
}

/// A job that is in the stream.
struct PublishedJob {
    place: u64,
    at: Instant,
}

/// The state of a session.
pub(super) struct ClusterSession {
    config: CoordinatorConfig,
    sender: Sender,
    client: Client,
    store: Store,
    sets: Arc<SentSets>,
    jobs: Outstanding<TaskHandle>,
    /// The data of the open jobs.
    data: HashMap<u64, RemoteJob>,
    /// The jobs waiting to be published, and since when the first of them waits.
    queue: VecDeque<u64>,
    waiting_since: Option<tokio::time::Instant>,
    /// Jobs to publish later.
    delayed: Vec<(Instant, u64)>,
    published: HashMap<u64, PublishedJob>,
    roster: Roster,
    ending: Ending,
    refused: BTreeSet<String>,
    /// The external engines of the run, where it has some.
    engines: Option<RunEngines>,
    /// Whether the run also has jobs without external engines.
    has_plain_jobs: bool,
    standing: Arc<Mutex<RunPresence>>,
    showing: Showing,
    commands: UnboundedSender<SessionCommand>,
    inbox: UnboundedReceiver<SessionCommand>,
    connection: UnboundedReceiver<Event>,
    begun: Instant,
    last_ping: Instant,
    last_look: Instant,
    last_reminder: Option<Instant>,
    is_looking: bool,
    is_away: bool,
    told_errors: u32,
    /// Whether the user knows that the workers' speed matters.
    told_of_time: bool,
    done: u64,
    rate: super::status::LateRate,
}

impl ClusterSession {
    /// Connects, and asks which workers are there.
    pub(super) async fn begin(
        config: CoordinatorConfig,
        (commands, inbox): (UnboundedSender<SessionCommand>, UnboundedReceiver<SessionCommand>),
        standing: Arc<Mutex<RunPresence>>,
    ) -> Result<Open> {
        let url = checked_url(&config.url)?;
        let (tell, connection) = unbounded_channel();
        let client = connect(&url, &config.credentials, "spar coordinator", tell).await?;
        let store = Store::open(&client).await?;
        let EngineTrial { signature, speed } = engine_trial()?;
        let sender = Sender { signature, speed, session: session_name()? };
        let now = Instant::now();
        let session = Self {
            config,
            sender,
            client,
            store,
            sets: Arc::default(),
            jobs: Outstanding::new(),
            data: HashMap::new(),
            queue: VecDeque::new(),
            waiting_since: None,
            delayed: Vec::new(),
            published: HashMap::new(),
            roster: Roster::default(),
            ending: Ending::No,
            refused: BTreeSet::new(),
            engines: None,
            has_plain_jobs: false,
            standing,
            showing: Showing::default(),
            commands,
            inbox,
            connection,
            begun: now,
            last_ping: now,
            last_look: now,
            last_reminder: None,
            is_looking: false,
            is_away: false,
            told_errors: 0,
            told_of_time: false,
            done: 0,
            rate: super::status::LateRate::default(),
        };
        let ears = session.listen().await?;
        session.ping().await;
        Ok(Open { session, ears })
    }

    async fn listen(&self) -> Result<Ears> {
        let session = &self.sender.session;
        let subscribe = async |subject: String| {
            let subscribed = self.client.subscribe(subject).await;
            subscribed.map_err(|error| Error::failed("NATS server", error))
        };
        Ok(Ears {
            results: subscribe(own_subject("result", session)).await?,
            presence: subscribe(own_subject("present", session)).await?,
            hello: subscribe(common_subject("hello")).await?,
            runs: subscribe(common_subject("runs")).await?,
        })
    }

    /// Asks all workers whether they are there.
    async fn ping(&self) {
        let session = self.sender.session.clone();
        let subject = own_subject("present", &session);
        let wanted = self.engines.as_ref().map(|engines| engines.wanted.clone());
        let ping = to_bytes(&Ping { session: Some(session), wanted });
        // If the server is away, nobody answers, which the clock notices.
        let _ = self.client.publish_with_reply(common_subject("ping"), subject, ping.into()).await;
    }

    /// Takes in a worker's description of itself.
    async fn meet(&mut self, message: Message) {
        if message.status.is_some() {
            // The server reports that no worker listens.
            return;
        }
        let presence: WorkerPresence = match from_bytes(&message.payload, "worker") {
            Ok(presence) => presence,
            Err(error) => return self.tell_error(ClusterEvent::BadMessage(error.to_string())),
        };
        let worker = presence.worker.clone();
        let own = (PROTOCOL, self.sender.signature.as_str());
        let theirs = (presence.protocol, presence.signature.as_str());
        let place = format!("worker {worker}");
        let alike = check_alike(own, theirs, &place, &presence.program);
        let reason = match (alike, self.jobs.reason(&worker)) {
            (Err(error), _) => Some(error.to_string()),
            (Ok(()), reason) => reason.map(str::to_owned),
        };
        match &reason {
            None => {
                let has_engines = self.meet_engines(&presence);
                self.roster.see(presence, has_engines, Instant::now());
            }
            Some(reason) => self.refuse(&worker, reason).await,
        }
        if let Some(reply) = message.reply {
            let answer = to_bytes(&CoordinatorReply { refused: reason });
            let _ = self.client.publish(reply, answer.into()).await;
        }
    }

    /// Tells a worker that it is refused.
    async fn refuse(&mut self, worker: &str, reason: &str) {
        self.roster.leave(worker);
        if self.refused.insert(worker.into()) {
            let (worker, reason) = (worker.into(), reason.into());
            self.config.tell(&ClusterEvent::Refused { worker, reason });
        }
        if super::message::check_name(worker).is_ok() {
            let reply = to_bytes(&CoordinatorReply { refused: Some(reason.into()) });
            let _ = self.client.publish(own_subject("refuse", worker), reply.into()).await;
        }
    }

    /// Reports an error of a worker or the server, unless many were reported.
    fn tell_error(&mut self, event: ClusterEvent) {
        self.told_errors = self.told_errors.saturating_add(1);
        self.showing.note(&event);
        if self.told_errors <= MOST_TOLD {
            self.config.tell(&event);
        }
    }

    fn on_connection(&mut self, event: &Event) {
        match event {
            Event::Connected if self.is_away => {
                self.is_away = false;
                self.config.tell(&ClusterEvent::Reconnected);
            }
            Event::Disconnected => {
                self.is_away = true;
                self.config.tell(&ClusterEvent::Disconnected);
            }
            Event::ServerError(error) => {
                self.tell_error(ClusterEvent::Server(error.to_string()));
            }
            _ => {}
        }
    }

    /// Does the work that is due by now.
    async fn tick(&mut self) {
        let now = Instant::now();
        self.queue_delayed(now);
        if now.duration_since(self.last_ping) >= PING_EVERY {
            self.last_ping = now;
            self.roster.expire(now);
            self.ping().await;
        }
        if now.duration_since(self.last_look) >= LOOK_EVERY && !self.is_looking {
            self.last_look = now;
            self.look(now);
        }
        self.tell_of_workers(now);
        self.show();
        self.write_workers(now);
        self.end_if_asked(now).await;
    }

    fn tell_of_workers(&mut self, now: Instant) {
        if now.duration_since(self.begun) < TICK * 2 {
            return;
        }
        if let Some((workers, cores)) = self.roster.news()
            && workers > 0
        {
            self.config.tell(&ClusterEvent::Workers { workers, cores });
        }
        self.tell_of_engines(now);
        let only_engines = self.engines.is_some() && !self.has_plain_jobs;
        let is_none = self.roster.count().0 == 0 && self.jobs.len() > 0 && !only_engines;
        let is_due = match self.last_reminder {
            Some(last) => now.duration_since(last) >= REMIND_EVERY,
            None => now.duration_since(self.begun) >= PATIENCE,
        };
        if is_none && is_due {
            self.last_reminder = Some(now);
            self.config.tell(&ClusterEvent::NoWorkers { url: self.config.url.clone() });
        }
    }

    /// Looks for lost jobs in the background.
    fn look(&mut self, now: Instant) {
        for place in [JobPlace::Workers, JobPlace::EngineWorkers] {
            let of_engines = place == JobPlace::EngineWorkers;
            let old = self.old_jobs(now, LOOK_EVERY, of_engines);
            if old.is_empty() || (of_engines && self.take_back_engine_jobs(old.clone())) {
                continue;
            }
            self.is_looking = true;
            let names = (self.subject_of(place), self.consumer_of(place));
            let (store, commands) = (self.store.clone(), self.commands.clone());
            tokio::spawn(async move {
                let found = look(store, names, old).await;
                let _ = commands.send(SessionCommand::Looked(found));
            });
        }
    }

    /// Executes a command; returns `false` when the session ends.
    async fn obey(&mut self, command: SessionCommand) -> bool {
        match command {
            SessionCommand::Submit(id, job, task) => {
                if self.note_engines(&job) {
                    self.ping().await;
                }
                self.submit(id, *job, task);
            }
            SessionCommand::Cancel(ids) => self.cancel(&ids),
            SessionCommand::ShowIn(run) => self.showing.run = Some(run),
            SessionCommand::Read { id, worker, error } => self.read(id, &worker, error).await,
            SessionCommand::Judged { id, claims, truth } => self.judged(id, &claims, truth).await,
            SessionCommand::Published { ids, place } => self.note_published(&ids, place),
            SessionCommand::NotPublished { ids, reason } => self.not_published(&ids, reason),
            SessionCommand::Looked(found) => self.looked(found),
            SessionCommand::Reopened(store) => self.reopened(store.map(|store| *store)).await,
            SessionCommand::End => return false,
        }
        true
    }
}

/// A random name for this process.
fn session_name() -> Result<String> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|error| Error::failed("random numbers", error))?;
    Ok(format!("{:016x}", u64::from_le_bytes(bytes)))
}
