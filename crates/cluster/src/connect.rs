//! The connection to the server, and the streams and stores that a cluster keeps on it.

use super::credentials::Credentials;
use super::message::{PROTOCOL, common_subject, own_subject};
use crate::error::{Error, Result, shorten};
use async_nats::jetstream::consumer::{AckPolicy, Consumer, pull};
use async_nats::jetstream::object_store::{self, ObjectStore};
use async_nats::jetstream::stream::{self, RetentionPolicy, Stream};
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectErrorKind, Event};
use std::time::Duration;
use tokio::sync::mpsc::UnboundedSender;

/// The stream of jobs: one for each version of the messages, like the subjects.
fn stream_name() -> String {
    format!("SPAR_JOBS_{PROTOCOL}")
}

/// The consumer that all workers share.
pub(super) const CONSUMER: &str = "workers";
/// The consumer of the workers that have proven the engines of this token.
pub(super) fn engine_consumer(token: &str) -> String {
    format!("engines-{token}")
}

/// How long the server keeps a consumer of jobs with engines after the last request for a job.
const ENGINES_UNWANTED: Duration = Duration::from_secs(24 * 60 * 60);
/// The bucket of weight sets.
const BUCKET: &str = "spar-sets";
/// How long the server waits for a word from a worker before it gives the job to another one.
pub(super) const ACK_WAIT: Duration = Duration::from_secs(10);
/// How long the server keeps jobs that nobody takes; the coordinator then publishes the open ones
/// again.
const JOB_AGE: Duration = Duration::from_secs(24 * 60 * 60);
/// How long the server keeps sets; the coordinator then stores the sets still in use again.
const SET_AGE: Duration = Duration::from_secs(14 * 24 * 60 * 60);
/// How often the server delivers a job: one that crashes its workers must not circulate for ever.
const DELIVERIES: i64 = 20;
/// The most waiting workers and unfinished jobs at a time: enough for thousands of workers.
const MOST_WAITING: i64 = 65_536;
const MOST_IN_HAND: i64 = 262_144;
/// The largest message of jobs, in bytes: what the server allows by default.
const MOST_BYTES: i32 = 1 << 20;
/// How long to wait for the server's answers.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Checks an address and returns it in the form that may be shown.
///
/// # Errors
/// When it is no address, or contains a user or a password.
pub(super) fn checked_url(url: &str) -> Result<String> {
    let remedy = "give nats://HOST:PORT, or tls://HOST:PORT; several with commas between";
    for address in url.split(',') {
        // Checked before anything is shown.
        if address.contains('@') {
            return Err(Error::input("address of the cluster", "has a user or a password in it")
                .remedy(
                    "write them to a file for --credentials, or set NATS_USER and NATS_PASSWORD",
                ));
        }
        let (scheme, rest) = address.split_once("://").unwrap_or(("nats", address));
        let is_known = ["nats", "tls"].contains(&scheme);
        let has_host = !rest.starts_with([':', '/']) && !rest.trim().is_empty();
        if !is_known || !has_host || address.parse::<async_nats::ServerAddr>().is_err() {
            let place = format!("address `{}`", shorten(address));
            return Err(Error::input(place, "not the address of a NATS server").remedy(remedy));
        }
    }
    Ok(url.into())
}

/// Connects. Events of the connection go to `events`, from then on.
///
/// # Errors
/// When there is no server, or it refuses the login.
pub(super) async fn connect(
    url: &str,
    credentials: &Credentials,
    name: &str,
    events: UnboundedSender<Event>,
) -> Result<Client> {
    let options = credentials
        .options()?
        .name(name)
        .max_reconnects(None)
        .connection_timeout(TIMEOUT)
        .request_timeout(Some(TIMEOUT))
        .ping_interval(Duration::from_secs(10))
        .reconnect_delay_callback(|attempts| {
            Duration::from_millis(100 << attempts.min(6)).min(Duration::from_secs(5))
        })
        .event_callback(move |event| {
            // When the process ends, nobody listens any more.
            let _ = events.send(event);
            std::future::ready(())
        });
    let addresses: Vec<&str> = url.split(',').collect();
    options.connect(addresses).await.map_err(|error| refusal(url, error.kind()))
}

fn refusal(url: &str, kind: ConnectErrorKind) -> Error {
    let place = format!("NATS server {url}");
    match kind {
        ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication => {
            Error::input(place, "refuses the login: wrong credentials, or none").remedy(
                "give a file of credentials with --credentials, or set NATS_USER and NATS_PASSWORD, NATS_TOKEN, NATS_NKEY or NATS_CREDS",
            )
        }
        ConnectErrorKind::Tls => Error::input(place, "the TLS connection fails")
            .remedy("give tls://HOST:PORT, and the server's certificate with NATS_CA"),
        // An untrusted certificate appears as an input/output failure.
        kind if url.contains("tls://") => Error::failed(place, format!("cannot connect: {kind}"))
            .remedy("check the address, and give the certificate of the server or its authority with NATS_CA"),
        kind => Error::failed(place, format!("cannot connect: {kind}"))
            .remedy("start it with `nats-server -js`, and check the address"),
    }
}

/// Whether connecting is worth another try.
pub(super) fn is_passing(error: &Error) -> bool {
    error.kind() == crate::error::ErrorKind::Failed
}

/// The server's storage for a cluster: the stream of jobs and the store of sets.
#[derive(Clone)]
pub(super) struct Store {
    pub(super) context: Context,
    pub(super) jobs: Stream,
    pub(super) sets: ObjectStore,
    /// The stream that workers take jobs from.
    pub(super) consumer: Consumer<pull::Config>,
}

impl Store {
    /// Finds the storage on the server, or creates it.
    ///
    /// # Errors
    /// When the server refuses.
    pub(super) async fn open(client: &Client) -> Result<Self> {
        let failed = |what: &str, error: &dyn std::fmt::Display| {
            let reason = shorten(&format!("{what}: {error}"));
            Error::failed("NATS server", reason)
                .remedy("start it with JetStream (`nats-server -js`), and let this user use it")
        };
        let context = jetstream::new(client.clone());
        let jobs = context.get_or_create_stream(stream_config()).await;
        let jobs = jobs.map_err(|error| failed("no stream of jobs", &error))?;
        let sets = match context.get_object_store(BUCKET).await {
            Ok(sets) => sets,
            Err(_) => {
                let bucket = object_store::Config {
                    bucket: BUCKET.into(),
                    max_age: SET_AGE,
                    ..object_store::Config::default()
                };
                let made = context.create_object_store(bucket).await;
                made.map_err(|error| failed("no store of sets", &error))?
            }
        };
        let consumer = jobs.get_or_create_consumer(CONSUMER, consumer_config()).await;
        let consumer = consumer.map_err(|error| failed("no consumer of jobs", &error))?;
        Ok(Self { context, jobs, sets, consumer })
    }

    /// The consumer for workers that have proven these engines.
    ///
    /// # Errors
    /// When the server refuses.
    pub(super) async fn engine_consumer(&self, token: &str) -> Result<Consumer<pull::Config>> {
        let config = engine_consumer_config(token);
        let consumer = self.jobs.get_or_create_consumer(&engine_consumer(token), config).await;
        consumer.map_err(|error| Error::failed("NATS server", error))
    }
}

/// How the server gives out jobs: each to one worker at a time, until it is done.
fn consumer_config() -> pull::Config {
    pull::Config {
        durable_name: Some(CONSUMER.into()),
        filter_subject: own_subject("job", ">"),
        ack_policy: AckPolicy::Explicit,
        ack_wait: ACK_WAIT,
        max_deliver: DELIVERIES,
        max_waiting: MOST_WAITING,
        max_ack_pending: MOST_IN_HAND,
        ..pull::Config::default()
    }
}

/// How the server gives out the jobs with these engines. The consumer expires once no worker has
/// asked it for a while.
fn engine_consumer_config(token: &str) -> pull::Config {
    pull::Config {
        durable_name: Some(engine_consumer(token)),
        filter_subject: own_subject("engines", &format!("{token}.>")),
        inactive_threshold: ENGINES_UNWANTED,
        ..consumer_config()
    }
}

/// How the server keeps jobs: each until a worker has done it.
fn stream_config() -> stream::Config {
    stream::Config {
        name: stream_name(),
        description: Some(format!("Jobs of Sparring, version {PROTOCOL} of the messages")),
        subjects: vec![common_subject("job.>"), common_subject("engines.>")],
        retention: RetentionPolicy::WorkQueue,
        max_age: JOB_AGE,
        max_message_size: MOST_BYTES,
        ..stream::Config::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_checked_and_no_password_is_shown() {
        for url in ["nats://a:4222", "tls://a.example:1", "a:4222", "nats://a:1,nats://b:2"] {
            assert_eq!(checked_url(url).unwrap(), url);
        }
        for url in ["", "nats://", "nats://:4222", "ws://a", "http://a", "nats://a:99999"] {
            assert!(checked_url(url).is_err(), "{url}");
        }
        for url in ["nats://me:hush@a:4222", "nats://a,nats://hush@b"] {
            let error = checked_url(url).unwrap_err().to_string();
            assert!(!error.contains("hush") && error.contains("NATS_USER"), "{error}");
        }
    }
}
