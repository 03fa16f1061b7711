//! `spar cluster status`: which workers play for which runs.

use super::cluster_args::CredentialsArg;
use super::console::Console;
use super::ended::Ended;
#[cfg(feature = "cluster")]
use super::runs::span;
#[cfg(feature = "cluster")]
use crate::cluster::ClusterStatus;
use crate::error::Result;
#[cfg(feature = "cluster")]
use crate::report::{table::TextTable, units};
use clap::{Args, Subcommand};

/// Shows the workers of a cluster and their runs
#[derive(Args, Debug)]
pub struct ClusterCommandArgs {
    #[command(subcommand)]
    command: ClusterCommand,
}

#[derive(Subcommand, Debug)]
enum ClusterCommand {
    Status(ClusterStatusArgs),
}

/// Shows the state of all workers and runs.
#[derive(Args, Debug)]
struct ClusterStatusArgs {
    /// The NATS server where runs and workers meet
    #[arg(long, value_name = "URL", default_value = "nats://127.0.0.1:4222")]
    cluster: String,
    #[command(flatten)]
    credentials: CredentialsArg,
}

/// Runs the command.
///
/// # Errors
/// When there is no server, or it refuses the login.
#[cfg(not(feature = "cluster"))]
pub fn run(args: &ClusterCommandArgs, _: &Console) -> Result<Ended> {
    let ClusterCommand::Status(ClusterStatusArgs { cluster: _, credentials: _ }) = &args.command;
    Err(super::cluster_args::without_feature("`spar cluster`"))
}

/// Runs the command.
///
/// # Errors
/// When there is no server, or it refuses the login.
#[cfg(feature = "cluster")]
pub fn run(args: &ClusterCommandArgs, console: &Console) -> Result<Ended> {
    use crate::cluster::{Credentials, status};

    let ClusterCommand::Status(args) = &args.command;
    let credentials = Credentials::find(args.credentials.credentials.as_deref())?;
    let status = status(&args.cluster, &credentials)?;
    match console.json {
        true => console.document(&status)?,
        false => console.say(text(&status, console.width()))?,
    }
    Ok(Ended::Done)
}

/// The status as tables.
#[cfg(feature = "cluster")]
fn text(status: &ClusterStatus, width: Option<usize>) -> String {
    let mut parts = vec![worker_table(status, width)];
    parts.extend(engine_table(status, width));
    parts.push(run_table(status, width));
    let wrong = status.runs.iter().flat_map(|run| &run.quarantined);
    parts.extend(wrong.map(|(worker, reason)| format!("{worker} is quarantined: {reason}")));
    let ClusterStatus { backlog, in_hand, server, .. } = status;
    parts.push(format!(
        "job messages on the server (NATS {server}): {}, in progress: {}",
        units::count(*backlog),
        units::count(*in_hand)
    ));
    parts.join("\n\n")
}

#[cfg(feature = "cluster")]
fn worker_table(status: &ClusterStatus, width: Option<usize>) -> String {
    if status.workers.is_empty() {
        return "no workers; start one with `spar worker --cluster URL`".into();
    }
    let mut table = TextTable::new()
        .left("worker")
        .shortened(12)
        .right("threads")
        .right("knodes/s")
        .optional(3)
        .right("jobs")
        .right("jobs/s")
        .right("errors")
        .optional(2)
        .left("here for")
        .optional(4)
        .left("version")
        .optional(5);
    for worker in &status.workers {
        table.row([
            worker.worker.clone(),
            worker.threads.to_string(),
            format!("{:.0}", worker.speed / 1e3),
            units::count(worker.done),
            format!("{:.1}", worker.rate),
            units::count(worker.errors),
            span(worker.seconds),
            format!("{}, {}", worker.program, worker.signature),
        ]);
    }
    let threads = status.workers.iter().fold(0, |sum: usize, w| sum.saturating_add(w.threads));
    let threads = units::counted(threads as u64, "thread");
    let rate: f64 = status.workers.iter().map(|worker| worker.rate).sum();
    let workers = units::counted(status.workers.len() as u64, "worker");
    let table = table.fit(width);
    format!("{table}\n{workers}, {threads}, {rate:.1} jobs/s")
}

/// The external engines that workers have proven, if there are any.
#[cfg(feature = "cluster")]
fn engine_table(status: &ClusterStatus, width: Option<usize>) -> Option<String> {
    let mut table = TextTable::new()
        .left("engine")
        .shortened(12)
        .left("worker")
        .shortened(12)
        .left("game")
        .right("knodes/s")
        .left("identity")
        .optional(1);
    let engines = status
        .workers
        .iter()
        .flat_map(|worker| worker.engines.iter().map(move |engine| (&worker.worker, engine)));
    let mut has_some = false;
    for (worker, engine) in engines {
        has_some = true;
        table.row([
            engine.name.clone(),
            worker.clone(),
            engine.game.clone(),
            format!("{:.0}", engine.speed / 1e3),
            engine.identity.clone(),
        ]);
    }
    has_some.then(|| table.fit(width).to_string())
}

#[cfg(feature = "cluster")]
fn run_table(status: &ClusterStatus, width: Option<usize>) -> String {
    if status.runs.is_empty() {
        return "no runs".into();
    }
    let mut table = TextTable::new()
        .left("run")
        .shortened(16)
        .right("open")
        .right("done")
        .right("jobs/s")
        .left("here for")
        .optional(1);
    for run in &status.runs {
        let cells = [units::count(run.open), units::count(run.done), format!("{:.1}", run.rate)];
        let [open, done, rate] = cells;
        table.row([run.title.clone(), open, done, rate, span(run.seconds)]);
    }
    table.fit(width).to_string()
}
