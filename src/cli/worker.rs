//! `spar worker`: plays what runs on other machines want played.

use super::args::ThreadArgs;
use super::cluster_args::CredentialsArg;
use super::console::Console;
use super::ended::Ended;
use crate::error::Result;
use clap::Args;
#[cfg(feature = "cluster")]
use serde::Serialize;

/// Plays games for runs on other machines
///
/// It plays for `spar tune`, `match`, `tournament` and `generate` with --cluster. It can join, leave or be killed at any time: no game is lost, and a run's results do not depend
/// on who played. It waits for the server and for work, opens no port, and runs nothing but its own
/// engine.
#[derive(Args, Debug)]
#[command(after_help = "Ctrl-C once: finish the games in hand and leave; twice: leave at once.")]
pub struct WorkerArgs {
    /// The NATS server that runs and workers meet at
    #[arg(long, value_name = "URL", default_value = "nats://127.0.0.1:4222")]
    cluster: String,
    #[command(flatten)]
    credentials: CredentialsArg,
    #[command(flatten)]
    threads: ThreadArgs,
    /// The worker's name, unique among the workers [default: host name and process id]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

/// The document of a worker that has left.
#[cfg(feature = "cluster")]
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct WorkerJson {
    /// The name that `--name` gave.
    worker: String,
    /// Jobs that it did.
    jobs: u64,
    /// Seconds since it began.
    seconds: f64,
}

/// Runs the command.
///
/// # Errors
/// When the server does not let us in, or a run refuses this worker.
#[cfg(not(feature = "cluster"))]
pub fn run(args: &WorkerArgs, _: &Console) -> Result<Ended> {
    let WorkerArgs { cluster: _, credentials: _, threads: _, name: _ } = args;
    Err(super::cluster_args::without_feature("spar worker"))
}

/// Runs the command.
///
/// # Errors
/// When the server does not let us in, or a run refuses this worker.
#[cfg(feature = "cluster")]
pub fn run(args: &WorkerArgs, console: &Console) -> Result<Ended> {
    use super::interrupt::Interrupt;
    use crate::cluster::{ClusterEvent, Credentials, WorkerConfig, work};
    use crate::report::units;
    use std::sync::Arc;
    use std::time::Instant;

    let begun = Instant::now();
    let interrupt = Interrupt::new("");
    let for_events = *console;
    let name = args.name.clone().unwrap_or_else(usual_name);
    let config = WorkerConfig {
        url: args.cluster.clone(),
        credentials: Credentials::find(args.credentials.credentials.as_deref())?,
        name: name.clone(),
        threads: args.threads.count(),
        leave: interrupt.stop().clone(),
        on_event: Arc::new(move |event| match event {
            ClusterEvent::Ready { .. } if for_events.quiet => {}
            event => for_events.aside(event),
        }),
    };
    let jobs = work(&config)?;
    let document = WorkerJson { worker: name, jobs, seconds: begun.elapsed().as_secs_f64() };
    if console.json {
        console.document(&document)?;
    } else {
        console.say(format!("{}: {} done", document.worker, units::counted(jobs, "job")))?;
    }
    Ok(Ended::Done)
}

/// The name of the machine, as far as it may be a part of a worker's name, and the process.
#[cfg(feature = "cluster")]
fn usual_name() -> String {
    use crate::files::{self, Links};
    use std::io::Read;
    use std::path::Path;

    const LONGEST: u64 = 60;
    let variable = |name: &str| std::env::var(name).ok().filter(|name| !name.trim().is_empty());
    let of_system = || {
        let file = files::open(Path::new("/proc/sys/kernel/hostname"), Links::Followed).ok()?;
        let mut name = String::new();
        file.take(LONGEST).read_to_string(&mut name).ok()?;
        Some(name)
    };
    let machine = variable("HOSTNAME").or_else(of_system).or_else(|| variable("COMPUTERNAME"));
    let machine = machine.unwrap_or_else(|| "worker".into());
    let fits = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let machine: String = machine.trim().chars().take(LONGEST as usize).map(fits).collect();
    format!("{machine}-{}", std::process::id())
}
