//! `spar worker`: plays games for runs on other machines.

use super::args::ThreadArgs;
use super::cluster_args::CredentialsArg;
use super::console::Console;
use super::ended::Ended;
#[cfg(feature = "cluster")]
use crate::arena::Threads;
#[cfg(feature = "cluster")]
use crate::cluster::WorkerEngine;
use crate::error::Result;
#[cfg(feature = "cluster")]
use crate::error::{Error, shorten};
#[cfg(feature = "cluster")]
use crate::protocol::ExternalEngine;
use crate::protocol::Protocol;
#[cfg(feature = "cluster")]
use crate::protocol::external_engine::{COMMAND_PREFIX, parse_option};
#[cfg(feature = "cluster")]
use crate::search::Stop;
use clap::Args;
#[cfg(feature = "cluster")]
use serde::Serialize;

/// Plays games for runs on other machines
///
/// It plays for `spar tune`, `match`, `tournament` and `generate` with --cluster. It can join,
/// leave or be killed at any time: no game is lost, and a run's results do not depend on who
/// played. It waits for the server and for work, opens no port, and runs nothing but its own engine
/// and those that you name with --engine.
#[derive(Args, Debug)]
#[command(
    after_help = "Ctrl-C once: finish the games in progress and leave; twice: leave at once."
)]
pub struct WorkerArgs {
    /// The NATS server where runs and workers meet
    #[arg(long, value_name = "URL", default_value = "nats://127.0.0.1:4222")]
    cluster: String,
    #[command(flatten)]
    credentials: CredentialsArg,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Pin each thread, with the engines it plays, to a processor of its own (Linux)
    #[arg(long)]
    affinity: bool,
    /// An external engine that runs may play with, as [NAME=]cmd:PROGRAM ARGS; may be repeated.
    /// Jobs refer to it by name and never contain a command. It must first prove, in 20 positions
    /// of 10,000 nodes, that it plays as the run's engine does [default name: the engine's own]
    #[arg(long, value_name = "[NAME=]cmd:PROGRAM", help_heading = "Engines (cmd:)")]
    engine: Vec<String>,
    /// An option of such an engine, as ENGINE:NAME=VALUE; may be repeated. Runs set numbers and
    /// choices themselves, but no strings, which may name files
    #[arg(long, value_name = "ENGINE:NAME=VALUE", help_heading = "Engines (cmd:)")]
    engine_option: Vec<String>,
    /// Protocol of these engines [default: detected]
    #[arg(long, value_enum, help_heading = "Engines (cmd:)")]
    protocol: Option<Protocol>,
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
/// When the server refuses the login, or a run refuses this worker.
#[cfg(not(feature = "cluster"))]
pub fn run(args: &WorkerArgs, _: &Console) -> Result<Ended> {
    let WorkerArgs { cluster: _, credentials: _, threads: _, name: _, .. } = args;
    let _ = (&args.engine, &args.engine_option, args.protocol);
    Err(super::cluster_args::without_feature("`spar worker`"))
}

/// Runs the command.
///
/// # Errors
/// When the server refuses the login, or a run refuses this worker.
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
        threads: Threads::with_affinity(args.threads.count(), args.affinity)?,
        engines: engines(args, interrupt.stop())?,
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

/// The external engines of the command. Each is started once, so that a wrong command is found now.
#[cfg(feature = "cluster")]
fn engines(args: &WorkerArgs, interrupt: &Stop) -> Result<Vec<WorkerEngine>> {
    let mut engines: Vec<WorkerEngine> = Vec::new();
    for text in &args.engine {
        let (name, command) = named_command(text)?;
        let engine = ExternalEngine {
            protocol: args.protocol,
            ..ExternalEngine::of_command(command.trim())
        };
        let introduced = engine.introduction(interrupt)?;
        let name = name.map_or(introduced, str::to_owned);
        if engines.iter().any(|other| other.name.eq_ignore_ascii_case(&name)) {
            return Err(Error::input(format!("--engine `{}`", shorten(&name)), "named twice")
                .remedy("give each engine a name of its own: --engine NAME=cmd:PROGRAM"));
        }
        engines.push(WorkerEngine { name, engine });
    }
    for text in &args.engine_option {
        let place = || format!("--engine-option `{}`", shorten(text));
        let (name, option) = text.split_once(':').ok_or_else(|| {
            Error::input(place(), "not ENGINE:NAME=VALUE")
                .remedy("write for example --engine-option stash:EvalFile=a.nnue")
        })?;
        let mut named = engines.iter_mut();
        let engine = named.find(|engine| engine.name.eq_ignore_ascii_case(name.trim()));
        let engine = engine.ok_or_else(|| {
            Error::input(place(), format!("there is no engine `{}`", shorten(name)))
                .remedy("name it with --engine NAME=cmd:PROGRAM")
        })?;
        engine.engine.options.push(parse_option(option)?);
    }
    Ok(engines)
}

/// The name of an engine, if it has one, and its command.
#[cfg(feature = "cluster")]
fn named_command(text: &str) -> Result<(Option<&str>, &str)> {
    if let Some(command) = text.strip_prefix(COMMAND_PREFIX) {
        return Ok((None, command));
    }
    let named = text.split_once('=').and_then(|(name, rest)| {
        let name = name.trim();
        let is_name = !name.is_empty() && !name.chars().any(|c| c.is_control() || c == ':');
        Some((name, rest.strip_prefix(COMMAND_PREFIX)?)).filter(|_| is_name)
    });
    named.map(|(name, command)| (Some(name), command)).ok_or_else(|| {
        Error::input(format!("--engine `{}`", shorten(text)), "not an engine")
            .remedy("write --engine \"NAME=cmd:PROGRAM ARGS\", or cmd:PROGRAM ARGS alone")
    })
}

/// The machine's name, without the characters that a worker's name cannot have, and the process id.
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
