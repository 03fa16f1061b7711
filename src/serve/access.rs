//! Who is answered.
//!
//! A page of another site, opened in the browser of the server's owner, can send requests here, and
//! with a name of its own that leads to 127.0.0.1 read the answers too. So a request must name this
//! server as its host; one that a page sent must come from a page of this server; and one that
//! changes anything must carry a token that only these pages know. Where others than the programs
//! of this machine can reach the server, every request needs the owner's token besides.

use super::answer::{FETCH_SITE, Refusal};
use crate::arena::remote::hex;
use crate::error::{Error, Result};
use axum::http::{HeaderMap, Uri, header};
use std::hint::black_box;
use std::net::SocketAddr;

/// The header that the token of changes is sent in.
pub(super) const CHANGE_HEADER: &str = "x-sparring-token";
/// The prefix of the cookie for a browser that has shown the owner's token. The port follows, since
/// all servers of a host share their cookies.
const COOKIE: &str = "sparring-";
/// Random bytes of a token.
const TOKEN_BYTES: usize = 32;

/// The checks that every request must pass.
#[derive(Debug)]
pub(super) struct Access {
    address: SocketAddr,
    /// Host names that a proxy's requests may use, with or without a port.
    hosts: Vec<String>,
    /// The token that this server's pages send with each change.
    change_token: String,
    /// The token of every request, if the owner wants one.
    owner: Option<Owner>,
}

#[derive(Debug)]
struct Owner {
    token: String,
    /// The value of the cookie that stands for the token.
    session: String,
}

/// Why a request is not answered.
#[derive(Debug)]
pub(super) enum Denial {
    /// It comes neither from a page of this server nor from its owner.
    Foreign(Refusal),
    /// It carries no token, or a wrong one.
    Token(Refusal),
}

impl Access {
    /// The rules of a server at an address, which a proxy may call by these `hosts`; with an owner,
    /// every request needs the owner's token.
    ///
    /// # Errors
    /// When the system has no random numbers.
    pub(super) fn new(
        address: SocketAddr,
        token: Option<String>,
        hosts: Vec<String>,
    ) -> Result<Self> {
        let owner = match token {
            Some(token) => Some(Owner { token, session: random_token()? }),
            None => None,
        };
        Ok(Self { address, hosts, change_token: random_token()?, owner })
    }

    /// Whether only programs of this machine can reach the server.
    pub(super) fn is_local(&self) -> bool {
        self.address.ip().is_loopback() && self.hosts.is_empty()
    }

    /// The token that pages send with changes.
    pub(super) fn change_token(&self) -> &str {
        &self.change_token
    }

    /// Checks that a request may be answered; one that changes something must pass
    /// [`check_change`](Self::check_change) too.
    pub(super) fn check(&self, uri: &Uri, headers: &HeaderMap) -> std::result::Result<(), Denial> {
        self.check_sender(uri, headers).map_err(Denial::Foreign)?;
        if self.owner.is_some() && !self.sends_token(headers) && !self.is_logged_in(headers) {
            return Err(Denial::Token(Refusal::forbidden(
                "token",
                "missing or wrong",
                "open the address that `spar serve` printed, or send `Authorization: Bearer TOKEN`",
            )));
        }
        Ok(())
    }

    /// Checks that a request may change something. The cookie is not enough: a browser sends it for
    /// any page that asks.
    pub(super) fn check_change(&self, headers: &HeaderMap) -> std::result::Result<(), Refusal> {
        let is_of_page =
            || sole(headers, CHANGE_HEADER).is_some_and(|token| same(token, &self.change_token));
        if self.sends_token(headers) || is_of_page() {
            return Ok(());
        }
        Err(Refusal::forbidden(
            CHANGE_HEADER,
            "the change token is missing or wrong",
            "reload the page: the server has restarted since",
        ))
    }

    /// Checks that a request is for this server, and that no other site's page sent it.
    fn check_sender(&self, uri: &Uri, headers: &HeaderMap) -> std::result::Result<(), Refusal> {
        let host = sole(headers, "host").filter(|host| self.is_own_host(host));
        let absolute = uri.authority().map(|authority| authority.as_str());
        let Some(host) = host.filter(|_| absolute.is_none_or(|host| self.is_own_host(host))) else {
            let own = self.own_hosts().join(" or ");
            return Err(Refusal::forbidden("host", "not this server's", &format!("ask {own}")));
        };
        let own = "open the page itself, at the address that `spar serve` printed";
        let mut origins = headers.get_all(header::ORIGIN).iter();
        // A proxy may speak TLS with the browser.
        let schemes = if self.is_of_proxy(host) { &["http", "https"][..] } else { &["http"] };
        let is_own = |origin: &[u8]| {
            schemes.iter().any(|scheme| origin == format!("{scheme}://{host}").as_bytes())
        };
        if origins.any(|origin| !is_own(origin.as_bytes())) {
            return Err(Refusal::forbidden(
                "origin",
                "the request comes from another site's page",
                own,
            ));
        }
        let mut sites = headers.get_all(FETCH_SITE).iter();
        if sites.any(|site| !["same-origin", "none"].iter().any(|own| site == own)) {
            return Err(Refusal::forbidden(
                FETCH_SITE,
                "the request comes from another site's page",
                own,
            ));
        }
        Ok(())
    }

    /// The names that the server answers to; if it listens at all addresses, its names on this
    /// machine.
    fn own_hosts(&self) -> Vec<String> {
        let port = self.address.port();
        let ip = self.address.ip();
        let mut hosts =
            vec![format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("[::1]:{port}")];
        if !ip.is_loopback() && !ip.is_unspecified() {
            hosts.insert(0, self.address.to_string());
        }
        hosts
    }

    fn is_own_host(&self, host: &str) -> bool {
        if self.is_of_proxy(host)
            || self.own_hosts().iter().any(|own| own.eq_ignore_ascii_case(host))
        {
            return true;
        }
        // A server that listens at all addresses does not know them. A site whose own name resolves
        // to this server sends that name, not an address.
        let address = || host.parse::<SocketAddr>().ok();
        self.address.ip().is_unspecified()
            && address().is_some_and(|address| address.port() == self.address.port())
    }

    /// Whether a host is a proxy's. A name without a port stands for every port.
    fn is_of_proxy(&self, host: &str) -> bool {
        let name = host.split(':').next().unwrap_or_default();
        self.hosts.iter().any(|own| [host, name].iter().any(|host| own.eq_ignore_ascii_case(host)))
    }

    /// Whether a request carries the owner's token.
    fn sends_token(&self, headers: &HeaderMap) -> bool {
        let bearer = sole(headers, "authorization").and_then(|value| value.strip_prefix("Bearer "));
        let owner = self.owner.as_ref().zip(bearer);
        owner.is_some_and(|(owner, token)| same(token, &owner.token))
    }

    /// Whether a request carries the cookie that stands for the token.
    fn is_logged_in(&self, headers: &HeaderMap) -> bool {
        let owner = self.owner.as_ref().zip(cookie(headers, &self.cookie_name()));
        owner.is_some_and(|(owner, value)| same(value, &owner.session))
    }

    /// The cookie for a browser that shows this token, if it is the owner's.
    pub(super) fn log_in(&self, token: &str) -> Option<String> {
        let owner = self.owner.as_ref().filter(|owner| same(token, &owner.token))?;
        let name = self.cookie_name();
        Some(format!("{name}={}; HttpOnly; SameSite=Strict; Path=/", owner.session))
    }

    fn cookie_name(&self) -> String {
        format!("{COOKIE}{}", self.address.port())
    }

    /// The path for a browser to open first; it carries the owner's token if there is one.
    pub(super) fn first_path(&self) -> String {
        let Some(owner) = &self.owner else { return "/".into() };
        let encode = |byte: u8| match byte {
            b'-' | b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        };
        format!("/login?token={}", owner.token.bytes().map(encode).collect::<String>())
    }
}

/// The value of a header that occurs exactly once.
fn sole<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

fn cookie<'h>(headers: &'h HeaderMap, wanted: &str) -> Option<&'h str> {
    let values = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs =
        values.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == wanted).map(|(_, value)| value)
}

/// Whether two secrets are equal, in a time independent of where they first differ.
fn same(given: &str, secret: &str) -> bool {
    let pairs = given.bytes().zip(secret.bytes());
    given.len() == secret.len() && pairs.fold(0, |found, (a, b)| black_box(found | (a ^ b))) == 0
}

fn random_token() -> Result<String> {
    let mut bytes = [0; TOKEN_BYTES];
    getrandom::fill(&mut bytes).map_err(|error| Error::failed("random numbers", error))?;
    Ok(hex(&bytes))
}
