//! Answers: JSON, errors among them, with the headers that every answer has.

use crate::error::{Error, ErrorKind};
use crate::shell::for_program;
use axum::Json;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use std::sync::Arc;

/// Scripts, styles and images come from the server's own files alone, nothing is sent elsewhere,
/// and no page of another site shows these pages within it.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";
/// The same policy, except that the engine may be compiled and run beside the page.
const ENGINE_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
    worker-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Nothing but the style within the page, and a form for the owner's token.
const REFUSAL_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; \
    base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// The permissions of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Policy {
    /// The policy of all pages.
    Page,
    /// The policy of the page to play on and of its engines' workers.
    Engine,
    /// The policy of a page that anybody may see.
    Refusal,
}

impl Policy {
    /// The policy for a path of the server.
    pub(super) fn of(path: &str) -> Self {
        let is_engine = path == "/play" || path.starts_with("/assets/engine/js/");
        if is_engine { Self::Engine } else { Self::Page }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Page => CONTENT_POLICY,
            Self::Engine => ENGINE_POLICY,
            Self::Refusal => REFUSAL_POLICY,
        }
    }
}

/// Whether a browser wants to show the answer as a page. Programs and the pages' scripts accept
/// JSON, or do not say.
pub(super) fn wants_page(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT);
    let has = |wanted: &str| {
        accepted.iter().filter_map(|kinds| kinds.to_str().ok()).any(|kinds| kinds.contains(wanted))
    };
    has("text/html") && !has("application/json")
}

/// The error of an answer, for the page that a browser gets in its place.
#[derive(Clone, Debug)]
pub(super) struct RefusalReason(pub(super) Arc<Error>);

/// The header by which a browser says that the request comes from another site's page.
pub(super) const FETCH_SITE: &str = "sec-fetch-site";

/// The longest reason that an answer has, in bytes.
const LONGEST_REASON: usize = 4 << 10;

/// An error and its remedy, as a JSON answer.
#[derive(Debug)]
pub(super) struct Refusal {
    status: StatusCode,
    error: Error,
    /// The field of a form whose value is wrong.
    field: Option<&'static str>,
}

/// The answer of a server's handler.
pub(super) type Reply<T> = std::result::Result<T, Refusal>;

impl Refusal {
    /// An error with a status.
    pub(super) fn new(status: StatusCode, error: Error) -> Self {
        Self { status, error, field: None }
    }

    /// The same, for the value of a field of a form.
    pub(super) fn at(self, field: &'static str) -> Self {
        Self { field: Some(field), ..self }
    }

    pub(super) fn into_error(self) -> Error {
        self.error
    }

    /// A request that this server refuses in order to protect the sender or the owner.
    pub(super) fn forbidden(place: &str, reason: &str, remedy: &str) -> Self {
        Self::new(StatusCode::FORBIDDEN, Error::input(place, reason).remedy(remedy))
    }

    /// An address that leads nowhere.
    pub(super) fn not_found(place: &str) -> Self {
        let error = Error::input(place, "there is nothing at this address")
            .remedy("the page at / links to every page");
        Self::new(StatusCode::NOT_FOUND, error)
    }

    /// Whether a link of another site led to this server's own address.
    pub(super) fn is_of_a_link(&self) -> bool {
        self.error.place() == FETCH_SITE
    }

    /// A request that the state of a run does not allow.
    pub(super) fn conflict(run: &str, reason: &str, remedy: &str) -> Self {
        let error = Error::input(format!("run `{run}`"), reason).remedy(remedy);
        Self::new(StatusCode::CONFLICT, error)
    }

    /// A request for more than the server does at a time.
    pub(super) fn busy(place: &str, reason: &str) -> Self {
        let error = Error::failed(place, reason).remedy("try again later");
        Self::new(StatusCode::SERVICE_UNAVAILABLE, error)
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let status = match error.kind() {
            ErrorKind::Input => StatusCode::BAD_REQUEST,
            ErrorKind::Failed | ErrorKind::Interrupted => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self::new(status, error)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let Self { status, error, field } = self;
        let mut details = json!({
            "message": for_program(&error.to_string()),
            "place": error.place(),
            "reason": for_program(error.reason()),
            "remedy": error.remedy_text().map(for_program),
        });
        if let Some(field) = field {
            details["field"] = field.into();
        }
        let mut response = (status, Json(json!({ "error": details }))).into_response();
        response.extensions_mut().insert(RefusalReason(Arc::new(error)));
        response
    }
}

/// Turns an error in plain text into JSON: an unreadable request is refused in plain text before it
/// reaches a handler.
pub(super) async fn in_json(response: Response) -> Response {
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE).map(HeaderValue::as_bytes);
    let is_own = kind.is_some_and(|kind| kind == b"application/json");
    if is_own || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let text = axum::body::to_bytes(response.into_body(), LONGEST_REASON).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let reason =
        if text.is_empty() { status.canonical_reason().unwrap_or("refused") } else { &text };
    let error = Error::input("request", reason).remedy("docs/src/serve.md lists the requests");
    Refusal::new(status, error).into_response()
}

/// Adds the headers that every answer has. An answer that does not allow caching forbids it.
pub(super) fn add_headers(headers: &mut HeaderMap, policy: Policy) {
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    let mut set = |name: HeaderName, value: &'static str| {
        headers.insert(name, HeaderValue::from_static(value));
    };
    set(header::CONTENT_SECURITY_POLICY, policy.text());
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::X_FRAME_OPTIONS, "DENY");
    set(header::REFERRER_POLICY, "no-referrer");
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    // Together these two let the threads of a page share memory, so that a search can be stopped.
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    set(HeaderName::from_static("cross-origin-embedder-policy"), "require-corp");
}
