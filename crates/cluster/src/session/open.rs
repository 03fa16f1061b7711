//! A connected session at work: it takes what arrives, until it is asked to end.

use super::{ClusterSession, TICK};
use async_nats::Subscriber;
use futures_util::StreamExt;
use std::time::Duration;
use tokio::time::{MissedTickBehavior, interval, sleep_until};

/// The time for which jobs are collected before they go into messages.
const COLLECT: Duration = Duration::from_millis(4);

/// The inputs of a session.
pub(super) struct Ears {
    pub(super) results: Subscriber,
    pub(super) presence: Subscriber,
    pub(super) hello: Subscriber,
    pub(super) runs: Subscriber,
}

/// A session that is ready.
pub(in super::super) struct Open {
    pub(super) session: ClusterSession,
    pub(super) ears: Ears,
}

impl Open {
    /// Works until it is asked to end.
    pub(in super::super) async fn run(self) {
        let Self { mut session, ears } = self;
        let Ears { mut results, mut presence, mut hello, mut runs } = ears;
        let mut clock = interval(TICK);
        clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let due = session.waiting_since.map(|since| since + COLLECT);
            tokio::select! {
                command = session.inbox.recv() => {
                    let Some(command) = command else { break };
                    if !session.obey(command).await {
                        break;
                    }
                }
                Some(message) = results.next() => session.take_results(message).await,
                Some(message) = presence.next() => session.meet(message).await,
                Some(message) = hello.next() => session.meet(message).await,
                Some(message) = runs.next() => session.answer_about_run(message).await,
                Some(event) = session.connection.recv() => session.on_connection(&event),
                _ = clock.tick() => session.tick().await,
                () = sleep_until(due.unwrap_or_else(tokio::time::Instant::now)), if due.is_some() => {
                    session.publish_queue();
                }
            }
        }
        session.tidy_up().await;
    }
}
