//! The page of a run as one HTML file, with its data, script and style inside: it needs no network.
//!
//! ```text
//! RunView -> plain (text and one curve, for readers without scripts)
//!         -> bundle (the scripts of the page that `spar serve` shows live) + the view as JSON
//! ```
//!
//! Everything here is a function of the view: no file is touched and nothing is played.

mod assets;
mod bundle;
mod course;
mod frame;
mod plain;

pub use assets::{Asset, DOM, ICON, LOOK, STYLE, TEXT, find};
pub use frame::document;

use crate::error::{Error, Result};
use crate::runs::RunView;
use crate::shell;
use maud::{Markup, PreEscaped, html};
use serde::Serialize;

/// The most points of each curve of a page.
pub const POINTS: usize = 400;

/// The policy of the file about content: nothing is fetched and nothing is sent.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; \
    style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'";

/// The footer and the data of a page begin with these bytes, which tell it from other pages.
const FOOTER: &str = "<footer>Made by ";
const DATA: &str = "<script id=\"data\" type=\"application/json\">";

/// The page of a run, by its view from [`LiveRun::recorded`](crate::runs::LiveRun::recorded).
///
/// # Errors
/// When the view cannot be written as JSON.
pub fn run_page(view: &RunView) -> Result<String> {
    let title = view.title.as_deref().unwrap_or(&view.run);
    whole(title, &plain::run(view), view, "the run's journal")
}

/// The page of several runs side by side.
///
/// # Errors
/// When the views cannot be written as JSON.
pub fn comparison_page(views: &[RunView]) -> Result<String> {
    let title = format!("{} runs side by side", views.len());
    whole(&title, &plain::side_by_side(&title, views), views, "the runs' journals")
}

/// Whether these are the bytes of a page that this module made.
pub fn is_page(bytes: &[u8]) -> bool {
    let has = |mark: &str| bytes.windows(mark.len()).any(|part| part == mark.as_bytes());
    bytes.starts_with(b"<!DOCTYPE html>") && has(FOOTER) && has(DATA)
}

fn whole(
    title: &str,
    plain: &Markup,
    data: &(impl Serialize + ?Sized),
    source: &str,
) -> Result<String> {
    let data = serde_json::to_string(data).map_err(|error| Error::failed("JSON", error))?;
    let head = html! {
        meta http-equiv="Content-Security-Policy" content=(CONTENT_POLICY);
        meta name="color-scheme" content="light dark";
        @for style in [assets::CHARTS_STYLE, LOOK, STYLE, assets::RUNS_STYLE] { style { (PreEscaped(style)) } }
    };
    let body = html! {
        main #page { (plain) }
        footer { "Made by " (shell::program()) " " (env!("CARGO_PKG_VERSION")) " from " (source) "." }
        // In JSON only strings hold this sign, and no string may end the script.
        script #data type="application/json" { (PreEscaped(data.replace('<', "\\u003c"))) }
        script { (PreEscaped(assets::CHARTS)) }
        script type="module" { (PreEscaped(bundle::bundle())) }
    };
    Ok(document(title, &head, &body))
}

#[cfg(test)]
mod tests {
    use super::{comparison_page, is_page};

    #[test]
    fn a_page_is_told_from_other_files() {
        let page = comparison_page(&[]).unwrap();
        assert!(is_page(page.as_bytes()));
        for other in ["", "notes", "<!DOCTYPE html><footer>Made by me</footer>", &page[1..]] {
            assert!(!is_page(other.as_bytes()), "{other:.40}");
        }
    }
}
