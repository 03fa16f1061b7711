//! The pages of `spar serve`: all runs of a folder, live, in a browser.
//!
//! ```text
//! connections -> access (host, origin, token) -> pages, assets   what a browser shows
//!                                             -> sets            weights for the page to play on
//!                                             -> api, events     what the pages ask for: JSON
//!                                             -> changes         runs that they label and remove
//!                                                 -> jobs        and that they start and stop
//! ```
//!
//! The server reads run directories as every other reader does. It writes nothing in them but
//! labels, and locks only a run that it removes. It starts runs with this same program, as if the
//! command had been typed.

mod access;
mod answer;
mod api;
mod assets;
mod books;
mod board;
mod cached;
mod changes;
mod connections;
mod copied;
mod events;
mod form;
mod form_check;
mod jobs;
mod limits;
mod pages;
mod queue;
mod refusal_page;
mod requests;
mod scores;
mod sets;
mod state;
mod view;
mod watch;

pub(crate) use queue::{QUEUE_FILE, QUEUE_LOCK};

use crate::error::{Error, Result};
use crate::runs::RunsFolder;
use crate::search::{STACK_BYTES, Stop};
use access::{Access, Denial};
use answer::{Policy, Refusal, add_headers, in_json, wants_page};
use axum::Router;
use axum::extract::{DefaultBodyLimit, Query, Request, State};
use axum::http::{StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use limits::{ANSWER_TIME, BODY_BYTES, POLL, WORKERS, WRONG_TOKEN_WAIT};
use refusal_page::{Visitor, WRONG_TOKEN};
use serde::Deserialize;
use state::ServerState;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

/// The time between two looks at the flag that ends the server.
const STOP_POLL: Duration = Duration::from_millis(100);
/// The time that requests in progress have to end with the server.
const LAST_REQUESTS: Duration = Duration::from_millis(500);

/// How a server is set up.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// The folder with the runs.
    pub runs: RunsFolder,
    /// The address to listen at.
    pub address: IpAddr,
    /// The port; 0 for one that is free.
    pub port: u16,
    /// The token that every request must carry, if one is wanted.
    pub token: Option<String>,
    /// Further names of the server, for example a proxy's.
    pub hosts: Vec<String>,
    /// This program, which runs are started with.
    pub program: PathBuf,
}

impl ServerConfig {
    /// The address that nobody but the programs of this machine can reach.
    pub const LOCAL: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
    /// The port if none is given.
    pub const PORT: u16 = 8047;

    fn check(&self) -> Result<()> {
        if self.token.as_ref().is_some_and(String::is_empty) {
            return Err(
                Error::input("--token", "the token is empty").remedy("give a long random one")
            );
        }
        if let Some(host) = self.hosts.iter().find(|host| !is_host(host)) {
            return Err(Error::input(format!("--host {host}"), "not a host name")
                .remedy("write for example runs.example.org, or runs.example.org:8443"));
        }
        if self.token.is_none() && !self.hosts.is_empty() {
            return Err(Error::input("--host", "anyone who reaches the proxy reaches this server")
                .remedy(
                    "give --token-file FILE, with a secret that every request must then carry",
                ));
        }
        if self.address.is_loopback() || self.token.is_some() {
            return Ok(());
        }
        let place = format!("address {}", self.address);
        Err(Error::input(place, "others on the network can reach it").remedy(
            "give --token-file FILE, with a secret that every request must then carry, or leave out --address and connect \
             through ssh -L",
        ))
    }
}

/// Whether a text can be the host of a request.
fn is_host(text: &str) -> bool {
    let (name, port) = text.split_once(':').unwrap_or((text, "1"));
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
    !name.is_empty() && name.chars().all(is_part) && port.parse::<u16>().is_ok()
}

/// A server bound to its address that does not answer yet.
pub struct RunsServer {
    runtime: Runtime,
    listener: TcpListener,
    address: SocketAddr,
    shared: Arc<ServerState>,
}

impl RunsServer {
    /// Binds the server to its address.
    ///
    /// # Errors
    /// When it is taken already, or others could reach it and no token is set.
    pub fn bind(config: ServerConfig) -> Result<Self> {
        config.check()?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .max_blocking_threads(WORKERS)
            .thread_stack_size(STACK_BYTES)
            .build()
            .map_err(|error| Error::failed("server", error))?;
        let wanted = SocketAddr::new(config.address, config.port);
        let bound = runtime.block_on(TcpListener::bind(wanted)).and_then(|listener| {
            let address = listener.local_addr()?;
            Ok((listener, address))
        });
        let (listener, address) = bound.map_err(|error| {
            Error::failed(format!("address {wanted}"), format!("cannot be listened at: {error}"))
                .remedy("name another port with --port, or 0 for one that is free")
        })?;
        let access = Access::new(address, config.token, config.hosts)?;
        let shared = Arc::new(ServerState::new(access, config.runs, config.program)?);
        Ok(Self { runtime, listener, address, shared })
    }

    /// The address of the page of all runs, for a browser on this machine.
    pub fn url(&self) -> String {
        let ip = self.address.ip();
        let shown = if ip.is_unspecified() { ServerConfig::LOCAL } else { ip };
        let host = SocketAddr::new(shown, self.address.port());
        format!("http://{host}{}", self.shared.access().first_path())
    }

    /// Answers until the flag is set.
    pub fn run(self, stop: &Stop) {
        let Self { runtime, listener, shared, .. } = self;
        let app = router(shared.clone());
        runtime.block_on(async {
            tokio::spawn(connections::accept(listener, app));
            tokio::spawn(start_waiting(shared));
            while !stop.is_set() {
                tokio::time::sleep(STOP_POLL).await;
            }
        });
        runtime.shutdown_timeout(LAST_REQUESTS);
    }
}

/// Starts the runs that wait, one after the other.
async fn start_waiting(shared: Arc<ServerState>) {
    loop {
        tokio::time::sleep(POLL).await;
        let shared = shared.clone();
        let _ = tokio::task::spawn_blocking(move || shared.start_waiting()).await;
    }
}

fn router(shared: Arc<ServerState>) -> Router {
    let guarded = middleware::from_fn_with_state(shared.clone(), guard);
    // The guard stands before the routes, since it may change the address.
    Router::new().fallback_service(routes(shared)).layer(guarded)
}

/// All addresses and the requests that each takes; any other request is refused there.
fn routes(shared: Arc<ServerState>) -> Router {
    let checked = middleware::from_fn_with_state(shared.clone(), check_change);
    let change = |handler: MethodRouter<Arc<ServerState>>| handler.route_layer(checked.clone());
    Router::new()
        .route("/", get(pages::list))
        .route("/compare", get(pages::compare))
        .route("/runs", get(pages::list))
        .route("/runs/{run}", get(pages::run))
        .route("/runs/{run}/games/{number}", get(pages::game))
        .route("/play", get(pages::play))
        .route("/assets/{*name}", get(assets::file))
        .route("/assets/engine/sets/{*name}", get(sets::file))
        .route("/assets/books/{*name}", get(books::file))
        .route("/login", get(log_in))
        .route("/api/runs", get(api::runs))
        .route("/api/runs/{run}", get(api::run))
        .route("/api/runs/{run}/options", get(copied::options))
        .route("/api/runs/{run}/games", get(api::games))
        .route("/api/runs/{run}/games/{number}", get(api::game))
        .route("/api/choices", get(api::choices))
        .route("/api/events", get(events::events))
        .route("/api/queue", get(api::queue).merge(change(post(changes::enqueue))))
        .route("/api/queue/{id}/{change}", change(post(changes::change_queue)))
        .route("/api/start", change(post(changes::start)))
        .route("/api/runs/{run}/stop", change(post(changes::stop)))
        .route("/api/runs/{run}/resume", change(post(changes::resume)))
        .route("/api/runs/{run}/label", change(post(changes::label)))
        .route("/api/runs/{run}/remove", change(post(changes::remove)))
        .fallback(async || Refusal::not_found("address"))
        .method_not_allowed_fallback(async || {
            let error = Error::input("method", "not allowed at this address");
            Refusal::new(StatusCode::METHOD_NOT_ALLOWED, error)
        })
        .layer(DefaultBodyLimit::max(BODY_BYTES))
        .with_state(shared)
}

/// The same address without the slash at its end, if it has one: people add it, and some programs.
fn without_slash(uri: &Uri) -> Option<Uri> {
    let path = uri.path().strip_suffix('/').filter(|rest| !rest.is_empty())?;
    let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(format!("{path}{query}").parse().ok()?);
    Uri::from_parts(parts).ok()
}

/// Answers the requests that may be answered, within [`ANSWER_TIME`].
async fn guard(
    State(shared): State<Arc<ServerState>>,
    mut request: Request,
    next: Next,
) -> Response {
    if let Some(address) = without_slash(request.uri()) {
        *request.uri_mut() = address;
    }
    let is_login = request.uri().path() == "/login";
    let mut policy = Policy::of(request.uri().path());
    let is_seen = wants_page(request.headers());
    let checked = shared.access().check(request.uri(), request.headers());
    let visitor = Visitor::of(&checked, request.uri());
    let mut response = match checked {
        Err(Denial::Foreign(refusal)) => refusal.into_response(),
        Err(Denial::Token(refusal)) if !is_login => {
            // Loading a page without a token is no attempt to guess it.
            if request.headers().contains_key(header::AUTHORIZATION) {
                tokio::time::sleep(WRONG_TOKEN_WAIT).await;
            }
            refusal.into_response()
        }
        Ok(()) | Err(Denial::Token(_)) => {
            match tokio::time::timeout(ANSWER_TIME, next.run(request)).await {
                Ok(response) => response,
                Err(_) => Refusal::busy("request", "took too long").into_response(),
            }
        }
    };
    response = in_json(response).await;
    if is_seen {
        (response, policy) = refusal_page::shown(response, policy, &visitor, shared.access());
    }
    add_headers(response.headers_mut(), policy);
    response
}

/// Lets a request pass that may change something.
async fn check_change(
    State(shared): State<Arc<ServerState>>,
    request: Request,
    next: Next,
) -> Response {
    match shared.access().check_change(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => {
            if request.headers().contains_key(header::AUTHORIZATION) {
                tokio::time::sleep(WRONG_TOKEN_WAIT).await;
            }
            refusal.into_response()
        }
    }
}

#[derive(Deserialize)]
struct LoginQuery {
    token: String,
}

/// Gives a browser that shows the owner's token the cookie that stands for it.
async fn log_in(
    State(shared): State<Arc<ServerState>>,
    Query(query): Query<LoginQuery>,
) -> Response {
    match shared.access().log_in(&query.token) {
        Some(cookie) => {
            (StatusCode::SEE_OTHER, [(header::SET_COOKIE, cookie), (header::LOCATION, "/".into())])
                .into_response()
        }
        None => {
            tokio::time::sleep(WRONG_TOKEN_WAIT).await;
            Refusal::forbidden("token", WRONG_TOKEN, "open the address that `spar serve` printed")
                .into_response()
        }
    }
}
