//! The page itself, whose contents its scripts make.

use crate::page::document;
use maud::{Markup, html};

/// Who shows the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageHost {
    /// `spar serve`, at `/play`.
    Server,
    /// Any server of files, from a folder of its own.
    Folder,
}

impl PageHost {
    /// The address of the page's files, from the page.
    fn assets(self) -> &'static str {
        match self {
            Self::Server => "/assets",
            Self::Folder => "assets",
        }
    }

    /// The target of the link on the program's name.
    fn home(self) -> &'static str {
        match self {
            Self::Server => "/",
            Self::Folder => "./",
        }
    }
}

/// The page as HTML; `only` names the games that it offers, each alone or with a board
/// (`ataxx/5x5`), and none where it offers all.
pub fn page(host: PageHost, only: &[String]) -> String {
    let assets = host.assets();
    let head = html! {
        meta name="color-scheme" content="light dark";
        meta name="description" content="Play and analyse Breakthrough, Ataxx and Breakthru";
        link rel="icon" href={ (assets) "/icon.svg" } type="image/svg+xml";
        link rel="stylesheet" href={ (assets) "/look.css" };
        link rel="stylesheet" href={ (assets) "/style.css" };
        link rel="stylesheet" href={ (assets) "/web/web.css" };
        script type="module" src={ (assets) "/web/main.js" } {}
    };
    let body = html! {
        a.skip href="#page" { "Skip to the content" }
        header.top {
            a.home href=(host.home()) { "Sparring" }
            @if host == PageHost::Server { nav { a href="/" { "Runs" } } }
        }
        main #page data-only=[(!only.is_empty()).then(|| only.join(" "))] { (waiting()) }
        footer { "spar " (env!("CARGO_PKG_VERSION")) }
    };
    document("Play \u{b7} Sparring", &head, &body)
}

fn waiting() -> Markup {
    html! {
        p.soft { "Loading \u{2026}" }
        noscript { p { "This page needs JavaScript. `spar play` plays in a terminal." } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::find_file;

    #[test]
    fn every_file_that_the_page_names_is_there() {
        for host in [PageHost::Server, PageHost::Folder] {
            let page = page(host, &[]);
            let start = format!("\"{}/", host.assets());
            assert!(!page.contains("data-only"), "{page}");
            let named: Vec<&str> =
                page.split(&start).skip(1).filter_map(|rest| rest.split('"').next()).collect();
            assert_eq!(named.len(), 5, "{page}");
            assert!(named.iter().all(|path| find_file(path).is_some()), "{named:?}");
        }
        // A folder may be shown at any address.
        let page = page(PageHost::Folder, &[]);
        assert!(!page.contains("=\"/"), "{page}");
    }
}
