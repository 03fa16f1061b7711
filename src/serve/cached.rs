//! Answers that a browser may cache, packed if it can unpack them: files of the program and weight
//! sets, but nothing about runs.

use super::limits::MOST_PACKED;
use crate::web::digest;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use parking_lot::Mutex;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Write;

/// How long a browser keeps an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    Never,
    /// While the server says that it is unchanged: the browser asks each time.
    WhileSame,
    /// For good, since the address has the digest of the contents.
    Forever,
}

/// The answer to a request with these headers. Text and sets in the compact form are packed by
/// gzip.
pub(super) fn answer(
    asked: &HeaderMap,
    kind: &'static str,
    bytes: Cow<'static, [u8]>,
    keep: Keep,
) -> Response {
    let mut headers = vec![
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::VARY, HeaderValue::from_static("accept-encoding")),
    ];
    let digest = digest(&bytes);
    match keep {
        Keep::Never => {}
        Keep::Forever => headers.push((
            header::CACHE_CONTROL,
            HeaderValue::from_static("private, max-age=31536000, immutable"),
        )),
        Keep::WhileSame => {
            // Packed or not, it is the same file, so the tag is a weak one.
            let tag = format!("W/\"{}\"", &digest[..32]);
            let is_kept = is_known(asked, &tag);
            headers.push((header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache")));
            headers.extend(HeaderValue::try_from(tag).map(|tag| (header::ETAG, tag)));
            if is_kept {
                return with(headers, StatusCode::NOT_MODIFIED, Body::empty());
            }
        }
    }
    let packed = is_packable(kind) && accepts_gzip(asked);
    let Some(packed) = packed.then(|| gzip(&digest, &bytes)).flatten() else {
        return with(headers, StatusCode::OK, bytes.into_owned().into());
    };
    headers.push((header::CONTENT_ENCODING, HeaderValue::from_static("gzip")));
    with(headers, StatusCode::OK, packed.into())
}

fn with(headers: Vec<(HeaderName, HeaderValue)>, status: StatusCode, body: Body) -> Response {
    (status, HeaderMap::from_iter(headers), body).into_response()
}

fn is_known(asked: &HeaderMap, tag: &str) -> bool {
    let known = asked.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    known.is_some_and(|known| known.split(',').any(|known| known.trim() == tag))
}

/// Whether gzip makes a file of this type smaller.
fn is_packable(kind: &str) -> bool {
    kind.starts_with("text/") || ["application/json", "image/svg+xml", SET].contains(&kind)
}

/// The type of a weight set in the compact form.
pub(super) const SET: &str = "application/octet-stream";

fn accepts_gzip(asked: &HeaderMap) -> bool {
    let accepted = asked.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    accepted.unwrap_or_default().split(',').any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let is_zero = |weight: &str| weight.bytes().all(|sign| matches!(sign, b'0' | b'.'));
        parts.next() == Some("gzip")
            && !parts.any(|part| part.strip_prefix("q=").is_some_and(is_zero))
    })
}

/// The packed form of bytes with this digest; the latest ones are cached.
fn gzip(digest: &str, bytes: &[u8]) -> Option<Bytes> {
    static PACKED: Mutex<BTreeMap<String, Bytes>> = Mutex::new(BTreeMap::new());
    if let Some(known) = PACKED.lock().get(digest) {
        return Some(known.clone());
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let packed: Bytes = encoder.write_all(bytes).and_then(|()| encoder.finish()).ok()?.into();
    let mut known = PACKED.lock();
    if known.len() >= MOST_PACKED {
        known.clear();
    }
    known.insert(digest.to_owned(), packed.clone());
    Some(packed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(name: HeaderName, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_static(value))])
    }

    #[test]
    fn gzip_is_for_those_who_accept_it() {
        for (accepted, is_packed) in [
            ("gzip, deflate, br", true),
            ("br;q=1.0, gzip;q=0.8, *;q=0.1", true),
            ("gzip;q=0", false),
            ("br, gzip; q=0.00", false),
            ("gzip;q=0.05", true),
            ("identity", false),
            ("xgzip", false),
        ] {
            let asked = asked(header::ACCEPT_ENCODING, accepted);
            assert_eq!(accepts_gzip(&asked), is_packed, "{accepted}");
        }
        assert!(!accepts_gzip(&HeaderMap::new()));
    }

    #[test]
    fn a_file_that_is_the_same_is_not_sent_again() {
        let first = answer(&HeaderMap::new(), "text/css", b"a {}".into(), Keep::WhileSame);
        let tag = first.headers()[header::ETAG].clone();
        let mut asked = asked(header::ACCEPT_ENCODING, "gzip");
        asked.insert(header::IF_NONE_MATCH, tag);
        let same = answer(&asked, "text/css", b"a {}".into(), Keep::WhileSame);
        assert_eq!(same.status(), StatusCode::NOT_MODIFIED);
        let other = answer(&asked, "text/css", b"b {}".into(), Keep::WhileSame);
        assert_eq!(other.status(), StatusCode::OK);
        assert_eq!(other.headers()[header::CONTENT_ENCODING], "gzip");
    }
    #[test]
    fn bytes_are_packed_once() {
        let text = b"b { color: red }".repeat(9);
        let [first, second] = [(); 2].map(|()| gzip(&digest(&text), &text).unwrap());
        assert_eq!(first.as_ptr(), second.as_ptr());
    }
}
