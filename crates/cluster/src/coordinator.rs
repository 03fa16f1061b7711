//! The run's side of a cluster: workers, as the arena sees them.

use super::credentials::Credentials;
use super::events::{ClusterEvent, OnEvent};
use super::session::{ClusterSession, SessionCommand};
use super::status::RunPresence;
use crate::arena::queue::{Threads, no_thread};
use crate::arena::{RemoteJob, RemoteTask, Workers};
use crate::error::{Error, Result};
use parking_lot::Mutex;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

/// How long a session may take to tidy up on the server when it ends.
const LONGEST_END: Duration = Duration::from_secs(3);
/// The threads assumed while no worker is known, for the size of messages.
const EXPECTED_CORES: usize = 4;

/// The parts of a coordinator.
#[derive(Clone)]
pub struct CoordinatorConfig {
    /// The address of the server.
    pub url: String,
    /// The login at the server.
    pub credentials: Credentials,
    /// The run, in a few words, for people who watch the cluster.
    pub title: String,
    /// The share of the jobs that two workers play, to see whether they agree: 0 to 1.
    pub check_share: f64,
    /// The threads that read results, and that play a job if workers disagree about it.
    pub threads: Threads,
    /// Called with every event, from any thread.
    pub on_event: Arc<dyn Fn(&ClusterEvent) + Send + Sync>,
}

impl CoordinatorConfig {
    pub(super) fn tell(&self, event: &ClusterEvent) {
        let on_event: &OnEvent = &self.on_event;
        on_event(event);
    }
}

/// A connection to the workers of a cluster. It ends when it is dropped.
pub struct Coordinator {
    commands: UnboundedSender<SessionCommand>,
    next: AtomicU64,
    standing: Arc<Mutex<RunPresence>>,
    thread: Option<JoinHandle<()>>,
    ended: Mutex<mpsc::Receiver<()>>,
}

impl Coordinator {
    /// Connects to a cluster.
    ///
    /// # Errors
    /// When the address or the share is wrong, the server is away, refuses the login, or
    /// has no JetStream.
    pub fn connect(config: CoordinatorConfig) -> Result<Self> {
        if !(0.0..=1.0).contains(&config.check_share) {
            return Err(Error::input("share of the pairs", "out of range")
                .remedy("give 0 to 1 with --check-share"));
        }
        let standing = Arc::new(Mutex::new(RunPresence::default()));
        let (commands, inbox) = unbounded_channel();
        let (tell_begun, begun) = mpsc::channel();
        let (tell_ended, ended) = mpsc::channel();
        let (own, shown) = (commands.clone(), standing.clone());
        let run = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let runtime = match runtime {
                Ok(runtime) => runtime,
                Err(error) => {
                    // The receiver is still waiting, so this cannot fail.
                    let _ = tell_begun.send(Err(no_thread(error)));
                    return;
                }
            };
            runtime.block_on(async {
                match ClusterSession::begin(config, (own, inbox), shown).await {
                    Ok(session) => {
                        // The receiver is still waiting, so this cannot fail.
                        let _ = tell_begun.send(Ok(()));
                        session.run().await;
                    }
                    Err(error) => _ = tell_begun.send(Err(error)),
                }
            });
            let _ = tell_ended.send(());
        };
        let thread = thread::Builder::new().name("cluster".into()).spawn(run);
        let thread = thread.map_err(no_thread)?;
        let no_answer = |_| Error::failed("cluster", "it was stopped before it started");
        begun.recv().map_err(no_answer)??;
        let ended = Mutex::new(ended);
        Ok(Self { commands, next: AtomicU64::new(0), standing, thread: Some(thread), ended })
    }

    /// The state of the run, as the cluster's status shows it.
    pub fn standing(&self) -> RunPresence {
        self.standing.lock().clone()
    }
}

impl Workers for Coordinator {
    fn cores(&self) -> usize {
        match self.standing.lock().cores {
            0 => EXPECTED_CORES,
            cores => cores,
        }
    }

    fn submit(&self, job: RemoteJob, task: Arc<dyn RemoteTask>) -> u64 {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let command = SessionCommand::Submit(id, Box::new(job), task);
        if let Err(failed) = self.commands.send(command)
            && let SessionCommand::Submit(_, _, task) = failed.0
        {
            // The session has ended, which it does only on request.
            task.give_up();
        }
        id
    }

    fn cancel(&self, numbers: &[u64]) {
        // Once the session has ended nothing is left to cancel.
        let _ = self.commands.send(SessionCommand::Cancel(numbers.to_vec()));
    }

    fn show_in(&self, run: &Path) {
        // Nor is there a session to show.
        let _ = self.commands.send(SessionCommand::ShowIn(run.into()));
    }
}

impl Drop for Coordinator {
    fn drop(&mut self) {
        let _ = self.commands.send(SessionCommand::End);
        let ended = self.ended.get_mut();
        // A server that hangs must not delay the end.
        if ended.recv_timeout(LONGEST_END).is_ok()
            && let Some(thread) = self.thread.take()
        {
            let _ = thread.join();
        }
    }
}
