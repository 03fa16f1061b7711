//! `cargo bench --features cluster --bench sleepers -- URL WORKERS SECONDS`: how busy are the
//! workers of a large cluster, and is every job counted once? The workers sleep instead of playing,
//! all in one process but each with its own connection. A coordinator gives them jobs of 1 to 60 s,
//! in steps like `spar tune --scale WORKERS`. A share of the workers dies during a job and comes
//! back under another name.

use async_nats::jetstream::{self, AckKind, consumer::pull};
use futures_util::StreamExt;
use rand_mt::Mt64;
use serde_json::{Value, json};
use sparring_cluster::{
    Coordinator, CoordinatorConfig, Credentials, PROTOCOL, RunPresence, engine_trial,
};
use sparring_lab::arena::queue::Threads;
use sparring_lab::arena::seed::uniform;
use sparring_lab::arena::{Queue, RemoteJob, Task};
use sparring_lab::error::{Error, Result};
use sparring_lab::tune::SpsaOptions;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The share of the workers that dies in an hour.
const DYING: f64 = 0.05;
/// The time of a job, in seconds: evenly spread.
const JOB: (f64, f64) = (1.0, 60.0);
/// The longest sleep before a worker tells the server that it is alive.
const HEARTBEAT: Duration = Duration::from_secs(3);
/// Until then not all workers have had a job, in seconds.
const WARM_UP: u64 = 90;

/// A job that takes a while.
struct Nap(u64);

impl Task for Nap {
    type Outcome = u64;

    fn run(&self) -> u64 {
        self.0
    }

    fn remote_job(&self) -> Option<RemoteJob> {
        let mut random = Mt64::new(self.0);
        let seconds = JOB.0 + (JOB.1 - JOB.0) * uniform(&mut random);
        let body = json!({"number": self.0, "seconds": seconds});
        let (game, kind) = ("none".to_owned(), "nap");
        let (sets, engines) = (vec![], None);
        Some(RemoteJob { game, kind, body, sets, is_repeatable: true, nodes: 0, engines })
    }

    fn read(&self, result: &Value) -> Result<u64> {
        let number = result.as_u64().filter(|&number| number == self.0);
        number.ok_or_else(|| Error::input("result", "of another job"))
    }

    fn write(&self, outcome: &u64) -> Option<Value> {
        Some(json!(outcome))
    }

    fn given_up(&self) -> u64 {
        u64::MAX
    }
}

/// The sleepers' common counts: milliseconds of jobs that are done, and deaths.
#[derive(Default)]
struct Counts {
    slept: AtomicU64,
    died: AtomicU64,
}

/// A sleeping worker: it dies during a job at a random age, and starts again.
async fn sleeper(url: String, number: usize, signature: Arc<str>, counts: Arc<Counts>) {
    let mut random = Mt64::new(number as u64 + 77);
    for life in 0u64.. {
        let name = format!("sleeper-{number}-{life}");
        let Ok(client) = async_nats::connect(&url).await else { continue };
        let presence = json!({"protocol": PROTOCOL, "program": "0", "signature": &*signature,
            "worker": name, "threads": 1, "speed": 1e6, "done": 0, "rate": 0.0, "errors": 0,
            "seconds": 0.0});
        let mut pings = client.subscribe(format!("spar{PROTOCOL}.ping")).await.unwrap();
        let answering = client.clone();
        let answers = tokio::spawn(async move {
            while let Some(ping) = pings.next().await {
                if let Some(reply) = ping.reply {
                    let _ = answering.publish(reply, presence.to_string().into()).await;
                }
            }
        });
        // In hours; exponential, as deaths are.
        let age = -(1.0 - uniform(&mut random)).ln() / DYING;
        let death = Instant::now() + Duration::from_secs_f64((age * 3600.0).min(1e6));
        live(&client, &name, &signature, death, &counts).await;
        answers.abort();
        counts.died.fetch_add(1, Ordering::Relaxed);
    }
}

async fn live(
    client: &async_nats::Client,
    name: &str,
    signature: &str,
    death: Instant,
    counts: &Counts,
) {
    let context = jetstream::new(client.clone());
    let stream = format!("SPAR_JOBS_{PROTOCOL}");
    let consumer = loop {
        match context.get_consumer_from_stream::<pull::Config, _, _>("workers", &stream).await {
            Ok(consumer) => break consumer,
            Err(_) => tokio::time::sleep(Duration::from_millis(500)).await,
        }
    };
    loop {
        let batch = consumer.batch().max_messages(1).expires(Duration::from_secs(20));
        let Ok(mut batch) = batch.messages().await else { continue };
        let Some(Ok(message)) = batch.next().await else { continue };
        let jobs: Value = serde_json::from_slice(&message.payload).unwrap();
        let mut results = Vec::new();
        for job in jobs["jobs"].as_array().unwrap() {
            let seconds = job["body"]["seconds"].as_f64().unwrap();
            let end = Instant::now() + Duration::from_secs_f64(seconds);
            while Instant::now() < end {
                let left = end.saturating_duration_since(Instant::now());
                tokio::time::sleep(left.min(HEARTBEAT)).await;
                if Instant::now() > death {
                    return;
                }
                let _ = message.ack_with(AckKind::Progress).await;
            }
            counts.slept.fetch_add((seconds * 1e3) as u64, Ordering::Relaxed);
            results.push(json!({"id": job["id"], "copy": job["copy"],
                "outcome": {"done": job["body"]["number"]}}));
        }
        let subject = format!("spar{PROTOCOL}.result.{}", jobs["session"].as_str().unwrap());
        let results = json!({"protocol": PROTOCOL, "signature": signature, "worker": name,
            "results": results});
        while client.request(subject.clone(), results.to_string().into()).await.is_err() {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        let _ = message.ack().await;
    }
}

/// The process of all sleepers: prints what they count, every second.
fn sleep_all(url: &str, workers: usize, signature: &str) {
    let counts = Arc::new(Counts::default());
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.worker_threads(2).enable_all().build().unwrap();
    for number in 0..workers {
        runtime.spawn(sleeper(url.into(), number, signature.into(), counts.clone()));
    }
    loop {
        std::thread::sleep(Duration::from_secs(1));
        let [slept, died] = [&counts.slept, &counts.died].map(|c| c.load(Ordering::Relaxed));
        println!("{slept} {died}");
    }
}

/// The sleepers, and what they have counted.
struct Sleepers {
    process: Child,
    counted: Arc<Mutex<(f64, u64)>>,
}

impl Sleepers {
    fn start(url: &str, workers: u64, signature: &str) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["sleep", url, &workers.to_string(), signature]).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let counted = Arc::new(Mutex::new((0.0, 0)));
        let counting = counted.clone();
        std::thread::spawn(move || {
            for line in lines.map_while(std::io::Result::ok) {
                let (slept, died) = line.split_once(' ').unwrap();
                let slept: f64 = slept.parse().unwrap();
                *counting.lock().unwrap() = (slept / 1e3, died.parse().unwrap());
            }
        });
        Self { process, counted }
    }

    /// Seconds of jobs that are done, and deaths.
    fn counted(&self) -> (f64, u64) {
        *self.counted.lock().unwrap()
    }
}

impl Drop for Sleepers {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The memory of this process, in MiB.
fn memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kib.unwrap_or(0.0) / 1024.0
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    match &words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["sleep", url, workers, signature] => sleep_all(url, workers.parse().unwrap(), signature),
        [url, workers, seconds] => {
            measure(url, workers.parse().unwrap(), seconds.parse().unwrap());
        }
        _ => eprintln!("give URL WORKERS SECONDS"),
    }
}

fn measure(url: &str, workers: u64, seconds: u64) {
    let threads = Threads::new(1).unwrap();
    let config = CoordinatorConfig {
        url: url.into(),
        credentials: Credentials::default(),
        title: "naps".into(),
        check_share: 0.0,
        threads: threads.clone(),
        on_event: Arc::new(|event| eprintln!("{event}")),
    };
    let coordinator = Arc::new(Coordinator::connect(config).unwrap());
    println!("memory of the coordinator before: {:.0} MiB", memory());
    let signature = engine_trial().unwrap().signature;
    let sleepers = Sleepers::start(url, workers, &signature);
    while coordinator.standing().workers < workers as usize {
        std::thread::sleep(Duration::from_millis(100));
    }
    println!("all {workers} are there");
    let mut queue = Queue::new(&threads.with_workers(coordinator.clone()));
    let options = SpsaOptions { scale: Some(workers), ..SpsaOptions::default() }.scaled();
    let (batch, ahead) = (options.batch, options.ahead());
    println!("steps of {batch} jobs, {ahead} begun ahead");
    let (begun, mut next, mut taken) = (Instant::now(), 0, 0);
    let (mut first, mut last) = (None, None);
    while begun.elapsed().as_secs() < seconds {
        while queue.pending() < batch * (ahead + 1) {
            queue.submit(Nap(next));
            next += 1;
        }
        for _ in 0..batch {
            assert_eq!(queue.take(), Some(taken), "each once, in order");
            taken += 1;
        }
        if begun.elapsed().as_secs() >= WARM_UP {
            last = Some((Instant::now(), sleepers.counted().0));
            first = first.or(last);
        }
    }
    let Some(((from, before), (until, after))) = first.zip(last) else { return };
    let measured = until.duration_since(from).as_secs_f64();
    let busy = (after - before) / (measured * workers as f64);
    println!("utilisation {:.1} % over {measured:.0} s", 100.0 * busy);
    let RunPresence { workers, done, open, .. } = coordinator.standing();
    println!("jobs taken {taken}, done {done}, open {open}; workers {workers}");
    println!("workers that died {}", sleepers.counted().1);
    println!("memory of the coordinator at the end: {:.0} MiB", memory());
    // Thousands of jobs are open: nobody waits for them.
    drop(sleepers);
    std::process::exit(0);
}
