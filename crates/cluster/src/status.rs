//! The status of a cluster: workers, runs and waiting jobs.

use super::connect::{Store, checked_url, connect};
use super::credentials::Credentials;
use super::message::{Ping, WorkerPresence, common_subject, from_bytes, to_bytes};
use crate::arena::queue::no_thread;
use crate::error::{Error, Result};
use async_nats::Client;
use futures_util::StreamExt;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::unbounded_channel;

/// How long to wait for answers.
const ANSWERS: Duration = Duration::from_millis(1200);
/// The period over which a rate is measured.
const WINDOW: Duration = Duration::from_secs(30);
/// The most answers that are read.
const MOST_ANSWERS: usize = 100_000;

/// Counts how often something was done recently.
#[derive(Debug, Default)]
pub(super) struct LateRate(VecDeque<(Instant, u64)>);

impl LateRate {
    /// Records the total done by this time.
    pub(super) fn see(&mut self, done: u64, now: Instant) {
        self.0.push_back((now, done));
        while self.0.len() > 2
            && self.0.get(1).is_some_and(|(at, _)| now.saturating_duration_since(*at) >= WINDOW)
        {
            self.0.pop_front();
        }
    }

    /// The rate per second; 0 until there is enough to measure.
    pub(super) fn rate(&self) -> f64 {
        let Some(((first, before), (last, after))) = self.0.front().zip(self.0.back()) else {
            return 0.0;
        };
        let seconds = last.saturating_duration_since(*first).as_secs_f64();
        if seconds > 0.0 { after.saturating_sub(*before) as f64 / seconds } else { 0.0 }
    }
}

/// A run on a cluster, as its coordinator sees it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunPresence {
    /// The name of the coordinator's process.
    pub session: String,
    /// The run, in a few words.
    pub title: String,
    /// The version of its program.
    pub program: String,
    /// The signature of its engine.
    pub signature: String,
    /// The number of workers that it sees.
    pub workers: usize,
    /// The threads of these workers, all together.
    pub cores: usize,
    /// Jobs that are not done.
    pub open: u64,
    /// Jobs done by this process.
    pub done: u64,
    /// Jobs a second over the last half minute.
    pub rate: f64,
    /// Seconds since the process began.
    pub seconds: f64,
    /// Workers that it quarantined, and the reasons.
    pub quarantined: BTreeMap<String, String>,
}

/// The state of a cluster.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClusterStatus {
    /// The workers, by name.
    pub workers: Vec<WorkerPresence>,
    /// The runs whose coordinators answered.
    pub runs: Vec<RunPresence>,
    /// Messages of jobs on the server, including messages in workers' hands.
    pub backlog: u64,
    /// Messages of jobs in workers' hands.
    pub in_hand: u64,
    /// The version of the server.
    pub server: String,
}

/// Asks all workers and runs of a cluster for their status.
///
/// # Errors
/// When the server is away, refuses the login, or has no JetStream.
pub fn status(url: &str, credentials: &Credentials) -> Result<ClusterStatus> {
    let url = checked_url(url)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(no_thread)?;
    runtime.block_on(async {
        let (tell, _events) = unbounded_channel();
        let client = connect(&url, credentials, "spar status", tell).await?;
        let store = Store::open(&client).await?;
        let failed = |error: String| Error::failed("NATS server", error);
        let info = store.jobs.get_info().await.map_err(|error| failed(error.to_string()))?;
        let consumer = store.consumer.get_info().await;
        let consumer = consumer.map_err(|error| failed(error.to_string()))?;
        let mut workers: Vec<WorkerPresence> =
            answers(&client, "ping", &to_bytes(&Ping::default())).await?;
        workers.sort_by(|a, b| a.worker.cmp(&b.worker));
        let mut runs: Vec<RunPresence> = answers(&client, "runs", b"{}").await?;
        runs.sort_by(|a, b| (&a.title, &a.session).cmp(&(&b.title, &b.session)));
        Ok(ClusterStatus {
            workers,
            runs,
            backlog: info.state.messages,
            in_hand: consumer.num_ack_pending as u64,
            server: client.server_info().version,
        })
    })
}

/// The answers to a question to all.
pub(super) async fn answers<A: DeserializeOwned>(
    client: &Client,
    question: &str,
    payload: &[u8],
) -> Result<Vec<A>> {
    let failed = |error: &dyn std::fmt::Display| Error::failed("NATS server", error);
    let inbox = client.new_inbox();
    let mut replies = client.subscribe(inbox.clone()).await.map_err(|error| failed(&error))?;
    let asked =
        client.publish_with_reply(common_subject(question), inbox, payload.to_vec().into()).await;
    asked.map_err(|error| failed(&error))?;
    let mut answers = Vec::new();
    let until = tokio::time::Instant::now() + ANSWERS;
    while let Ok(Some(reply)) = tokio::time::timeout_at(until, replies.next()).await {
        // A reply without a body says that nobody listens.
        answers.extend(from_bytes(&reply.payload, question).ok());
        if answers.len() == MOST_ANSWERS || reply.status.is_some() {
            break;
        }
    }
    Ok(answers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_is_that_of_the_last_half_minute() {
        let begun = Instant::now();
        let mut pace = LateRate::default();
        assert_eq!(pace.rate(), 0.0);
        for second in 0..100u64 {
            // 10 a second for a minute, then none.
            pace.see(second.min(60) * 10, begun + Duration::from_secs(second));
            if second == 60 {
                assert!((pace.rate() - 10.0).abs() < 1e-9, "{}", pace.rate());
            }
        }
        assert_eq!(pace.rate(), 0.0);
    }
}
