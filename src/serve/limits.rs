//! Limits of the server's work and waiting times, so that neither a malicious page nor a faulty
//! program can exhaust the server.

use std::time::Duration;

/// Connections at a time; a further one waits until another is closed.
pub(super) const CONNECTIONS: usize = 128;
/// Streams of events at a time.
pub(super) const STREAMS: usize = 32;
/// The longest head of a request, in bytes.
pub(super) const HEAD_BYTES: usize = 16 << 10;
/// The most headers of a request.
pub(super) const HEADERS: usize = 64;
/// The longest body of a request, in bytes.
pub(super) const BODY_BYTES: usize = 16 << 10;
/// The time for the head of a request to arrive; a connection without one is closed after it too.
pub(super) const HEAD_TIME: Duration = Duration::from_secs(10);
/// The same while few connections are free: clients that send nothing give way to others.
pub(super) const CROWDED_HEAD_TIME: Duration = Duration::from_secs(1);
/// Fewer free connections are few.
pub(super) const FEW_FREE: usize = CONNECTIONS / 2;
/// The time for the body of a request to arrive and the answer to be made.
pub(super) const ANSWER_TIME: Duration = Duration::from_secs(20);
/// How long a client may leave sent data unread.
pub(super) const UNREAD_TIME: Duration = Duration::from_secs(20);
/// Threads that read files and search positions; further work waits for one of them.
pub(super) const WORKERS: usize = 2;
/// The time between two looks at the files of a run that is watched.
pub(super) const POLL: Duration = Duration::from_secs(1);
/// The wait before a wrong token is refused, so that guessing takes long.
pub(super) const WRONG_TOKEN_WAIT: Duration = Duration::from_millis(500);
/// The most runs that a list shows, the latest ones.
pub(super) const RUNS: usize = 1000;
/// The most games on a page of them.
pub(super) const GAMES_PER_PAGE: u64 = 100;
/// The most processes that the server has started and that have not ended.
pub(super) const JOBS: usize = 8;
/// The most runs that wait for others to end.
pub(super) const WAITING: usize = 100;
/// The most runs that a page watches.
pub(super) const STREAMED_RUNS: usize = 8;
/// Positions searched for the score of a move that a page shows.
pub(super) const SCORE_NODES: u64 = 2_000;
/// The time for the scores of all moves of a game; the rest of them is left out.
pub(super) const SCORE_TIME: Duration = Duration::from_secs(5);
/// The most packed files that are kept.
pub(super) const MOST_PACKED: usize = 96;
