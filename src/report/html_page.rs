//! What all pages of reports share: one HTML file without external resources.

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The style sheet of the pages, whose colours and parts the pages of `spar serve` have too.
pub const STYLE: &str = include_str!("style.css");

/// The text of a page with this title and these contents, which were made from `source`.
pub(super) fn html_page(title: &str, contents: &Markup, source: &str) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    h1 { (title) }
                    (contents)
                    footer { "Made by spar " (env!("CARGO_PKG_VERSION")) " from " (source) "." }
                }
            }
        }
    };
    page.into_string()
}
