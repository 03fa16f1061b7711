//! Jobs that have got lost: the server has no message of them any more, and no result came.

use super::connect::Store;
use futures_util::StreamExt;
use std::collections::{BTreeMap, BTreeSet};

/// Messages that are looked for one by one at a time.
const LOOKED_FOR: usize = 100;

/// The state of the stream of jobs.
#[derive(Debug, PartialEq)]
pub(super) enum Found {
    /// The stream itself is gone, or was recreated.
    NoStream,
    /// These jobs are not there any more.
    Lost(Vec<u64>),
    /// The messages of these jobs are there, but the server does not give them out any more.
    Stuck(Vec<u64>),
    /// The state is unknown.
    Nothing,
}

/// Looks whether the messages of these jobs, by their places in the stream, are still there, all of
/// this subject and given out by this consumer.
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
        // Without a consumer nobody gets anything.
        Err(error) if error.to_string().contains("not found") => Found::NoStream,
        Err(_) => Found::Nothing,
    }
}

/// The jobs of the oldest messages that are not there. The server's count of messages is not taken
/// at its word: once a stream has grown for long, version 2.9.10 counts too few, or none. Where it
/// counts none and none of the oldest is there, all are gone.
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
