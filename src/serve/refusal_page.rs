//! The page that a browser shows in place of an error's JSON: what is wrong, and what to open.

use super::access::{Access, Denial};
use super::answer::{Policy, RefusalReason};
use super::pages::{as_page, page};
use crate::error::Error;
use crate::page::{LOOK, STYLE, document};
use crate::shell;
use axum::http::{StatusCode, Uri, header};
use axum::response::Response;
use maud::{Markup, PreEscaped, html};

/// Whoever sees a page of an error.
#[derive(Debug)]
pub(super) enum Visitor {
    /// Somebody who may see all pages.
    Known,
    /// A browser that has not shown the owner's token.
    WithoutToken,
    /// A browser that comes from elsewhere; the path that it wants, if it may open that by itself.
    Foreign(Option<String>),
}

impl Visitor {
    /// The visitor of an address, by the check of the request.
    pub(super) fn of(checked: &Result<(), Denial>, uri: &Uri) -> Self {
        match checked {
            Ok(()) => Self::Known,
            Err(Denial::Token(_)) => Self::WithoutToken,
            Err(Denial::Foreign(refusal)) => {
                let path = uri.path_and_query().map_or("/", |path| path.as_str());
                let is_own = refusal.is_of_a_link() && !path.starts_with("//");
                Self::Foreign(is_own.then(|| path.to_owned()))
            }
        }
    }
}

/// The page for an answer that is an error, with its policy; any other answer as it is.
pub(super) fn shown(
    response: Response,
    policy: Policy,
    visitor: &Visitor,
    access: &Access,
) -> (Response, Policy) {
    let Some(RefusalReason(error)) = response.extensions().get().cloned() else {
        return (response, policy);
    };
    let status = response.status();
    let title = title(status, visitor);
    let main = main(title, &error, visitor);
    let (mut shown, policy) = match visitor {
        Visitor::Known => (page(access, title, main), Policy::Page),
        Visitor::WithoutToken | Visitor::Foreign(_) => (bare(title, &main), Policy::Refusal),
    };
    *shown.status_mut() = status;
    if let Some(methods) = response.headers().get(header::ALLOW) {
        shown.headers_mut().insert(header::ALLOW, methods.clone());
    }
    (shown, policy)
}

fn title(status: StatusCode, visitor: &Visitor) -> &'static str {
    match (visitor, status) {
        (Visitor::WithoutToken, _) => "This server needs a token",
        (Visitor::Foreign(Some(_)), _) => "Another site sent you here",
        (Visitor::Foreign(None), _) => "This server has another address",
        (_, StatusCode::NOT_FOUND) => "Nothing is at this address",
        (_, StatusCode::METHOD_NOT_ALLOWED) => "This address does not take such a request",
        (_, StatusCode::PAYLOAD_TOO_LARGE) => "The request is too large",
        (_, StatusCode::SERVICE_UNAVAILABLE) => "The server is busy",
        (_, status) if status.is_server_error() => "The server failed",
        _ => "The server refuses this request",
    }
}

fn main(title: &str, error: &Error, visitor: &Visitor) -> Markup {
    let remedy = error.remedy_text().filter(|_| !matches!(visitor, Visitor::WithoutToken));
    html! { main #page {
        h1 { (title) }
        @match visitor {
            Visitor::WithoutToken => (token_form(error)),
            Visitor::Foreign(Some(path)) => {
                p { "You followed a link on another site. Open the page yourself:" }
                p { a href=(path) { (path) } }
            }
            _ => p { (error.place()) ": " (shell::for_program(error.reason())) },
        }
        @if let Some(remedy) = remedy { p.soft { (shell::for_program(remedy)) } }
        @if let Visitor::Known = visitor { p { a href="/" { "All runs" } } }
    } }
}

/// The ways to show the token.
fn token_form(error: &Error) -> Markup {
    html! {
        @if error.reason() == WRONG_TOKEN { p { strong { "That token is wrong." } } }
        p { "Open the address that " code { (shell::program()) " serve" } " printed when it started: the token is in it. Or paste the token here:" }
        form.start action="/login" {
            div.tools {
                input type="password" name="token" aria-label="Token" autocomplete="current-password" required autofocus;
                button.strong type="submit" { "Open" }
            }
        }
    }
}

/// The reason of a refusal for a wrong token.
pub(super) const WRONG_TOKEN: &str = "wrong";

/// A page that gives away nothing and needs no other file.
fn bare(title: &str, main: &Markup) -> Response {
    let head = html! {
        meta name="color-scheme" content="light dark";
        @for style in [LOOK, STYLE] { style { (PreEscaped(style)) } }
    };
    as_page(document(&format!("{title} \u{b7} Sparring"), &head, main))
}
