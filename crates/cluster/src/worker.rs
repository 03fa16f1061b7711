//! The worker's side: jobs in, results out, until it is asked to leave.

mod engines;
mod slot;

use super::connect::{Store, checked_url, connect, is_passing};
use super::credentials::Credentials;
use super::events::{ClusterEvent, OnEvent};
use super::message::{
    CoordinatorReply, PROTOCOL, Ping, WantedEngines, WorkerPresence, check_name, common_subject,
    from_bytes, own_subject, to_bytes,
};
use super::sets::KeptSets;
use super::signature::{EngineTrial, engine_trial};
use super::stage::JobStage;
use super::status::{LateRate, answers};
use crate::arena::queue::{Threads, no_thread};
use crate::error::{Error, Result};
use crate::search::Stop;
use async_nats::{Client, Event};
use engines::EngineVerdict;
pub use engines::WorkerEngine;
pub(super) use engines::WorkerEngines;
use futures_util::StreamExt;
use parking_lot::{Mutex, MutexGuard};
use slot::{Slot, SlotSource};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::sync::watch;
use tokio::task::{JoinHandle, spawn_blocking};

/// Time between two looks at the user's flag.
const TICK: Duration = Duration::from_millis(100);
/// The longest pause between two tries to connect.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// The parts of a worker.
#[derive(Clone)]
pub struct WorkerConfig {
    /// The address of the server.
    pub url: String,
    /// The login at the server.
    pub credentials: Credentials,
    /// The name of the worker, unique on the cluster.
    pub name: String,
    /// The threads that play.
    pub threads: Threads,
    /// The external engines that it may play with.
    pub engines: Vec<WorkerEngine>,
    /// Once set, the worker leaves after the jobs in its hands.
    pub leave: Stop,
    /// Called with every event, from any thread.
    pub on_event: Arc<dyn Fn(&ClusterEvent) + Send + Sync>,
}

/// The state shared by the slots of a worker.
pub(super) struct WorkerShared {
    name: String,
    threads: Threads,
    trial: EngineTrial,
    stage: JobStage,
    engines: Arc<WorkerEngines>,
    /// The slots of jobs with external engines.
    engine_slots: Mutex<Vec<JoinHandle<()>>>,
    sets: KeptSets,
    client: Client,
    store: Mutex<Store>,
    on_event: OnEvent,
    /// Set when the worker leaves: no further job begins.
    leave: Stop,
    state: Mutex<WorkerState>,
}

/// A worker's finished and current jobs.
#[derive(Default)]
struct WorkerState {
    done: u64,
    errors: u64,
    /// Seconds of play, and jobs, for the mean.
    played: (f64, u64),
    in_hand: BTreeMap<String, BTreeSet<u64>>,
    /// Sessions that were gone when a worker wanted to deliver results, and when.
    gone: HashMap<String, Instant>,
    pace: LateRate,
    /// The engines that runs have asked for, as tokens.
    wanted: BTreeSet<String>,
}

impl WorkerShared {
    fn state(&self) -> MutexGuard<'_, WorkerState> {
        self.state.lock()
    }

    fn store(&self) -> Store {
        self.store.lock().clone()
    }

    fn tell(&self, event: &ClusterEvent) {
        (self.on_event)(event);
    }

    /// Whether these engines are asked for the first time, and the worker has engines at all.
    fn is_news(&self, wanted: &WantedEngines) -> bool {
        !self.engines.is_empty() && self.state().wanted.insert(wanted.token())
    }

    /// Counts an error and reports it.
    fn error(&self, event: &ClusterEvent) {
        self.state().errors += 1;
        self.tell(event);
    }

    fn presence(&self, begun: Instant, session: Option<&str>) -> WorkerPresence {
        let mut state = self.state();
        let done = state.done;
        state.pace.see(done, Instant::now());
        let in_hand = session.and_then(|session| state.in_hand.get(session));
        WorkerPresence {
            protocol: PROTOCOL,
            program: env!("CARGO_PKG_VERSION").into(),
            signature: self.trial.signature.clone(),
            worker: self.name.clone(),
            threads: self.threads.count(),
            speed: self.trial.speed,
            done,
            rate: state.pace.rate(),
            errors: state.errors,
            seconds: begun.elapsed().as_secs_f64(),
            engines: self.engines.proven(),
            in_hand: in_hand.into_iter().flatten().copied().collect(),
        }
    }
}

/// The reason for the slots to end.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Order {
    #[default]
    Stay,
    /// The user has asked to leave.
    Leave,
    /// A coordinator refuses this worker.
    Refused(String),
}

/// Plays jobs until the flag to leave is set; returns how many were done.
///
/// # Errors
/// When the name or the address is wrong, another worker has the name, the server refuses the
/// login, or a coordinator refuses this worker.
pub fn work(config: &WorkerConfig) -> Result<u64> {
    check_name(&config.name)?;
    checked_url(&config.url)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(no_thread)?;
    let done = runtime.block_on(run(config));
    // Nobody waits for the tasks that may still be running.
    runtime.shutdown_background();
    done
}

async fn run(config: &WorkerConfig) -> Result<u64> {
    let trial = engine_trial()?;
    let Some((client, store, connection)) = arrive(config).await? else { return Ok(0) };
    check_name_is_free(&client, &config.name).await?;
    let at_once = Stop::default();
    let engines = Arc::new(WorkerEngines::new(config.engines.clone(), at_once.clone()));
    let shared = Arc::new(WorkerShared {
        name: config.name.clone(),
        threads: config.threads.clone(),
        trial,
        stage: JobStage::new(engines.clone(), at_once.clone()),
        engines,
        engine_slots: Mutex::default(),
        sets: KeptSets::default(),
        client,
        store: Mutex::new(store),
        on_event: config.on_event.clone(),
        leave: Stop::default(),
        state: Mutex::default(),
    });
    let begun = Instant::now();
    let (order, orders) = watch::channel(Order::Stay);
    let order = Arc::new(order);
    let (tell_reconnected, reconnected) = watch::channel(0);
    tokio::spawn(watch_connection(connection, tell_reconnected, shared.clone()));
    answer(&shared, begun, &order, &reconnected).await?;
    introduce(&shared, begun).await?;
    let (worker, threads) = (config.name.clone(), config.threads.count());
    shared.tell(&ClusterEvent::Ready { worker, threads, url: config.url.clone() });
    // While a thread plays, its next job is fetched.
    let slots: Vec<_> = (0..2 * config.threads.count())
        .map(|number| Slot::new(number, SlotSource::Common, shared.clone(), order.clone()))
        .map(|slot| tokio::spawn(slot.run(orders.clone(), reconnected.clone())))
        .collect();
    let user = tokio::spawn(watch_user(config.leave.clone(), shared.clone(), order.clone()));
    for slot in slots {
        // A slot that panics ends the program.
        let _ = slot.await;
    }
    let engine_slots = std::mem::take(&mut *shared.engine_slots.lock());
    for slot in engine_slots {
        let _ = slot.await;
    }
    user.abort();
    let _ = tokio::time::timeout(LONGEST_PAUSE, shared.client.flush()).await;
    let refusal = match &*order.borrow() {
        Order::Refused(reason) => Some(Error::failed(
            format!("worker {}", shared.name),
            format!("a coordinator refuses it: {reason}"),
        )),
        Order::Stay | Order::Leave => None,
    };
    refusal.map_or_else(|| Ok(shared.state().done), Err)
}

/// Connects, retrying while there is no server; `None` if the user asks to leave.
async fn arrive(
    config: &WorkerConfig,
) -> Result<Option<(Client, Store, UnboundedReceiver<Event>)>> {
    let mut pause = TICK;
    let mut told = String::new();
    while !config.leave.is_set() {
        let (tell, events) = unbounded_channel();
        let name = format!("spar worker {}", config.name);
        let arrived = async {
            let client = connect(&config.url, &config.credentials, &name, tell).await?;
            let store = Store::open(&client).await?;
            Ok::<_, Error>((client, store))
        };
        let error = match arrived.await {
            Ok((client, store)) => return Ok(Some((client, store, events))),
            Err(error) if is_passing(&error) => error.to_string(),
            Err(error) => return Err(error),
        };
        if error != told {
            (config.on_event)(&ClusterEvent::Waiting(error.clone()));
            told = error;
        }
        let until = Instant::now() + pause;
        while Instant::now() < until && !config.leave.is_set() {
            tokio::time::sleep(TICK).await;
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
    Ok(None)
}

/// Checks that no other worker has this name: a coordinator would take both for one.
async fn check_name_is_free(client: &Client, name: &str) -> Result<()> {
    let present: Vec<WorkerPresence> = answers(client, "ping", &to_bytes(&Ping::default())).await?;
    match present.iter().any(|other| other.worker == name) {
        false => Ok(()),
        true => Err(Error::input(format!("worker {name}"), "another worker has this name")
            .remedy("give another --name; without it, the name is the host and the process id")),
    }
}

/// Tells the slots about a new connection.
async fn watch_connection(
    mut connection: UnboundedReceiver<Event>,
    reconnected: watch::Sender<u64>,
    shared: Arc<WorkerShared>,
) {
    let mut is_away = false;
    while let Some(event) = connection.recv().await {
        match event {
            Event::Disconnected => {
                is_away = true;
                shared.tell(&ClusterEvent::Disconnected);
            }
            Event::Connected if is_away => {
                is_away = false;
                shared.tell(&ClusterEvent::Reconnected);
                reconnected.send_modify(|count| *count += 1);
            }
            Event::ServerError(error) => {
                shared.error(&ClusterEvent::Server(error.to_string()));
            }
            _ => {}
        }
    }
}

/// Tells the slots when the user asks to leave.
async fn watch_user(user: Stop, shared: Arc<WorkerShared>, order: Arc<watch::Sender<Order>>) {
    while !user.is_set() {
        tokio::time::sleep(TICK).await;
    }
    let in_hand = shared.state().in_hand.values().map(BTreeSet::len).sum();
    shared.tell(&ClusterEvent::Leaving(in_hand));
    shared.leave.set();
    order.send_replace(Order::Leave);
}

/// Starts answering questions for workers, and listening for refusals.
async fn answer(
    shared: &Arc<WorkerShared>,
    begun: Instant,
    order: &Arc<watch::Sender<Order>>,
    reconnected: &watch::Receiver<u64>,
) -> Result<()> {
    let failed = |error: async_nats::SubscribeError| Error::failed("NATS server", error);
    let mut pings = shared.client.subscribe(common_subject("ping")).await.map_err(failed)?;
    let refusals = shared.client.subscribe(own_subject("refuse", &shared.name)).await;
    let mut refusals = refusals.map_err(failed)?;
    let (shared, order, reconnected) = (shared.clone(), order.clone(), reconnected.clone());
    tokio::spawn(async move {
        loop {
            tokio::select! {
                Some(ping) = pings.next() => {
                    let asked: Ping = from_bytes(&ping.payload, "ping").unwrap_or_default();
                    let presence = shared.presence(begun, asked.session.as_deref());
                    let Some(reply) = ping.reply else { continue };
                    let _ = shared.client.publish(reply.clone(), to_bytes(&presence).into()).await;
                    if let Some(wanted) = asked.wanted.filter(|wanted| shared.is_news(wanted)) {
                        let (shared, order) = (shared.clone(), order.clone());
                        let reconnected = reconnected.clone();
                        tokio::spawn(async move {
                            prove_engines(&shared, wanted, (order, reconnected)).await;
                            let presence = shared.presence(begun, None);
                            let _ = shared.client.publish(reply, to_bytes(&presence).into()).await;
                        });
                    }
                }
                Some(refusal) = refusals.next() => {
                    let reply: CoordinatorReply = from_bytes(&refusal.payload, "refusal").unwrap_or_default();
                    if let Some(reason) = reply.refused {
                        shared.leave.set();
                        order.send_replace(Order::Refused(reason));
                    }
                }
                else => break,
            }
        }
    });
    Ok(())
}

/// Tries the external engines that a run wants, and plays with the ones proven to be the same.
async fn prove_engines(
    shared: &Arc<WorkerShared>,
    wanted: WantedEngines,
    (order, reconnected): (Arc<watch::Sender<Order>>, watch::Receiver<u64>),
) {
    let (engines, asked) = (shared.engines.clone(), wanted.clone());
    // A trial that panics ends the program.
    let Ok(verdict) = spawn_blocking(move || engines.judge(&asked)).await else { return };
    match verdict {
        EngineVerdict::Proven => {
            let engines = wanted.engines.iter().map(|engine| engine.name.clone()).collect();
            shared.tell(&ClusterEvent::EnginesProven { engines });
        }
        EngineVerdict::Missing(engine) => {
            return shared.tell(&ClusterEvent::EngineMissing(engine));
        }
        EngineVerdict::Refused(engine, reason) => {
            let worker = shared.name.clone();
            return shared.error(&ClusterEvent::EngineRefused { worker, engine, reason });
        }
    }
    let slots = (0..2 * shared.threads.count()).map(|number| {
        let source = SlotSource::Engines(wanted.token());
        let slot = Slot::new(number, source, shared.clone(), order.clone());
        tokio::spawn(slot.run(order.subscribe(), reconnected.clone()))
    });
    let slots: Vec<_> = slots.collect();
    shared.engine_slots.lock().extend(slots);
}

/// Introduces the worker to a coordinator, if there is one.
async fn introduce(shared: &WorkerShared, begun: Instant) -> Result<()> {
    let presence = to_bytes(&shared.presence(begun, None));
    let asked = shared.client.request(common_subject("hello"), presence.into()).await;
    let Ok(reply) = asked else { return Ok(()) };
    let reply: CoordinatorReply = from_bytes(&reply.payload, "reply").unwrap_or_default();
    match reply.refused {
        None => Ok(()),
        Some(reason) => {
            let place = format!("worker {}", shared.name);
            Err(Error::failed(place, format!("a coordinator refuses it: {reason}")))
        }
    }
}
