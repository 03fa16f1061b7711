//! The frame that all pages share.

use maud::{DOCTYPE, Markup, html};

/// The text of a page with this title, these further parts of its head, and this body.
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
