//! The options of commands whose pairs workers on other machines may play.

use crate::arena::Threads;
use crate::cli::{Console, ThreadArgs};
use crate::error::{Error, Result};
use crate::games::GameId;
#[cfg(not(feature = "cluster"))]
use crate::shell;
use clap::Args;
use std::path::PathBuf;

/// Workers on other machines.
#[derive(Args, Clone, Debug)]
pub struct ClusterArgs {
    /// Let workers (`spar worker`) play the games through this NATS server, for example
    /// nats://host:4222; the result stays the same
    #[arg(long, value_name = "URL", help_heading = "Workers")]
    cluster: Option<String>,
    #[command(flatten)]
    credentials: CredentialsArg,
    /// Share of the games that two workers play, to check that they agree
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, help_heading = "Workers")]
    check_share: f64,
    /// Pin each thread, with the engines it plays, to a processor of its own (Linux)
    #[arg(long)]
    affinity: bool,
}

/// The credentials for a server.
#[derive(Args, Clone, Debug)]
pub struct CredentialsArg {
    /// A file of credentials for that server [default: the environment's NATS_USER and
    /// NATS_PASSWORD, NATS_TOKEN, NATS_NKEY or NATS_CREDS]
    #[arg(long, value_name = "FILE", help_heading = "Workers")]
    pub(super) credentials: Option<PathBuf>,
}

impl ClusterArgs {
    /// The threads of a command, joined by the cluster's workers if a cluster is named; `title`
    /// says what is played, and `game` is its name.
    ///
    /// # Errors
    /// When the system refuses that many threads, there is no such cluster, or its workers do not
    /// know the game.
    pub(super) fn threads(
        &self,
        threads: &ThreadArgs,
        (title, game): (&str, &str),
        console: &Console,
    ) -> Result<Threads> {
        if self.cluster.is_some() && GameId::all().iter().all(|known| known.name != game) {
            return Err(Error::input("--cluster", format!("workers do not know the game {game}"))
                .remedy("leave it out: games with a referee run on this machine only"));
        }
        let own = Threads::with_affinity(threads.count(), self.affinity)?;
        match &self.cluster {
            None => Ok(own),
            Some(url) => self.join(url, own, title, console),
        }
    }

    #[cfg(not(feature = "cluster"))]
    fn join(&self, _: &str, _: Threads, _: &str, _: &Console) -> Result<Threads> {
        Err(without_feature("--cluster"))
    }

    #[cfg(feature = "cluster")]
    fn join(&self, url: &str, own: Threads, title: &str, console: &Console) -> Result<Threads> {
        use crate::cluster::{ClusterEvent, Coordinator, CoordinatorConfig, Credentials};
        use std::sync::Arc;

        let for_events = *console;
        let coordinator = Arc::new(Coordinator::connect(CoordinatorConfig {
            url: url.into(),
            credentials: Credentials::find(self.credentials.credentials.as_deref())?,
            title: title.into(),
            check_share: self.check_share,
            threads: own.clone(),
            on_event: Arc::new(move |event| {
                if !(for_events.quiet && matches!(event, ClusterEvent::Workers { .. })) {
                    super::progress::aside_of_any(&for_events, &format!("cluster: {event}"));
                }
            }),
        })?);
        let shown = Arc::downgrade(&coordinator);
        super::progress::show_players(move || {
            let standing = shown.upgrade().map(|coordinator| coordinator.standing())?;
            let workers = crate::report::units::counted(standing.workers as u64, "worker");
            Some(format!("{workers}, {} threads", standing.cores))
        });
        Ok(own.with_workers(coordinator))
    }
}

/// The error of a program built without the feature `cluster`.
#[cfg(not(feature = "cluster"))]
pub(super) fn without_feature(place: &str) -> Error {
    let remedy = match shell::is_own_program() {
        true => "build it with `cargo install --path . --locked --features cluster`",
        false => {
            "add `features = [\"cluster\"]` to the dependency on `sparring`, and build it again"
        }
    };
    Error::input(place, "this program was built without it").remedy(remedy)
}
