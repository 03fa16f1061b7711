//! Finds lost jobs: the server has lost their messages, and no result came.

use super::connect::Store;
use futures_util::StreamExt;
use std::collections::{BTreeMap, BTreeSet};

/// The most messages that one search looks up one by one.
const LOOKED_FOR: usize = 100;

/// The state of the stream of jobs.
#[derive(Debug, PartialEq)]
pub(super) enum Found {
    /// The stream itself is gone, or was recreated.
    NoStream,
    /// These jobs are gone from the stream.
    Lost(Vec<u64>),
    /// The messages of these jobs are there, but the server no longer gives them out.
    Stuck(Vec<u64>),
    /// The state is unknown.
    Nothing,
}

/// Checks whether the stream still has the messages of these jobs, given by their places in it. All
/// have this subject, and this consumer gives them out.
pub(super) async fn look(
    store: Store,
    (subject, consumer): (String, String),
    published: BTreeMap<u64, u64>,
) -> Found {
    let mut subjects = match store.jobs.info_with_subjects(&subject).await {
        Ok(subjects) => subjects,
        Err(error) => {
            let is_gone = error.to_string().contains("not found");
            return if is_gone { Found::NoStream } else { Found::Nothing };
        }
    };
    let mut there = 0;
    while let Some(counted) = subjects.next().await {
        let Ok((_, messages)) = counted else { return Found::Nothing };
        there += messages;
    }
    let mut places: Vec<u64> = published.values().copied().collect();
    places.sort_unstable();
    places.dedup();
    if there < places.len() {
        return missing(&store, published, &places, there == 0).await;
    }
    match store.jobs.consumer_info(&consumer).await {
        Ok(info) if info.num_pending == 0 && info.num_ack_pending == 0 => {
            Found::Stuck(published.into_keys().collect())
        }
        Ok(_) => Found::Nothing,
        // Without its consumer, no worker gets a message.
        Err(error) if error.to_string().contains("not found") => Found::NoStream,
        Err(_) => Found::Nothing,
    }
}

/// The jobs whose messages are gone, among the oldest. The server's own count of messages cannot be
/// trusted: once a stream has grown for long, version 2.9.10 counts too few, or none. If it counts
/// none and the oldest are all gone, all jobs are gone.
async fn missing(
    store: &Store,
    published: BTreeMap<u64, u64>,
    places: &[u64],
    none_counted: bool,
) -> Found {
    let mut gone = BTreeSet::new();
    let oldest = &places[..places.len().min(LOOKED_FOR)];
    for &place in oldest {
        match store.jobs.get_raw_message(place).await {
            Ok(_) => {}
            Err(error) if error.to_string().contains("no message found") => {
                gone.insert(place);
            }
            Err(_) => break,
        }
    }
    if gone.is_empty() {
        return Found::Nothing;
    }
    let are_all = none_counted && gone.len() == oldest.len();
    let jobs = published.into_iter().filter(|(_, place)| are_all || gone.contains(place));
    Found::Lost(jobs.map(|(id, _)| id).collect())
}
