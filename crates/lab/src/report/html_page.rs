//! What all pages of reports share: one HTML file without external resources. The pages of `spar
//! serve` have their frame from here too.

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The style sheet of the pages, whose colours and parts the pages of `spar serve` have too.
pub const STYLE: &str = include_str!("style.css");

/// The text of any page: `head` is what its head has beside the title.
pub fn document(title: &str, head: &Markup, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                (head)
            }
            body { (body) }
        }
    };
    page.into_string()
}

/// The text of a report with this title and these contents, which were made from `source`.
pub(super) fn html_page(title: &str, contents: &Markup, source: &str) -> String {
    let body = html! {
        main {
            h1 { (title) }
            (contents)
            footer { "Made by spar " (env!("CARGO_PKG_VERSION")) " from " (source) "." }
        }
    };
    document(title, &html! { style { (PreEscaped(STYLE)) } }, &body)
}
