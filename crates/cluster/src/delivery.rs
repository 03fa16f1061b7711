//! The delivery of a worker's results: it sends them until the coordinator has confirmed them, or
//! has certainly gone.

use super::message::{CoordinatorReply, ResultMessage, from_bytes, own_subject, to_bytes};
use async_nats::Client;
use async_nats::client::RequestErrorKind;
use std::time::{Duration, Instant};

/// How long a coordinator may be silent while the server answers. It may be reconnecting; a new
/// process has another name.
const ABSENCE: Duration = Duration::from_secs(60);
/// The first pause before another try, and the longest.
const PAUSE: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(5));

/// How a delivery ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Delivered {
    /// The coordinator has the results.
    Confirmed,
    /// It refuses results from this worker, for this reason.
    Refused(String),
    Gone,
}

/// Sends results to the coordinator of a session. A message without results asks whether it is
/// there.
pub(super) async fn deliver(client: &Client, session: &str, message: &ResultMessage) -> Delivered {
    let subject = own_subject("result", session);
    let payload = to_bytes(message);
    let mut pause = PAUSE.0;
    let mut absent_since = None;
    loop {
        match client.request(subject.clone(), payload.clone().into()).await {
            Ok(reply) => {
                // A reply that cannot be read counts as a confirmation.
                let reply: CoordinatorReply =
                    from_bytes(&reply.payload, "reply").unwrap_or_default();
                return reply.refused.map_or(Delivered::Confirmed, Delivered::Refused);
            }
            Err(error) if error.kind() == RequestErrorKind::NoResponders => {
                let since: &Instant = absent_since.get_or_insert_with(Instant::now);
                let patience = if message.results.is_empty() { PAUSE.1 } else { ABSENCE };
                if since.elapsed() >= patience {
                    return Delivered::Gone;
                }
            }
            // The server is away, or the coordinator is busy.
            Err(_) => {}
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(PAUSE.1);
    }
}
