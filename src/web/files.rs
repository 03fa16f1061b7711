//! The files of the page.

use crate::page;
use std::borrow::Cow;

const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

/// A file of the page.
#[derive(Debug)]
pub struct PageFile {
    /// Its place below `assets/`.
    pub path: &'static str,
    /// Its type, as HTTP names it.
    pub kind: &'static str,
    /// The contents, as they are served.
    pub bytes: &'static [u8],
}

impl PageFile {
    const fn text(path: &'static str, kind: &'static str, text: &'static str) -> Self {
        Self { path, kind, bytes: text.as_bytes() }
    }

    const fn script(path: &'static str, text: &'static str) -> Self {
        Self::text(path, SCRIPT, text)
    }

    /// Its contents without indents, blank lines and comment lines, which only readers of the
    /// source need.
    pub fn stripped(&self) -> Cow<'static, [u8]> {
        match str::from_utf8(self.bytes) {
            Ok(text) if self.kind == SCRIPT || self.kind == STYLE => {
                Cow::Owned(stripped(text).into_bytes())
            }
            _ => Cow::Borrowed(self.bytes),
        }
    }
}

fn stripped(script: &str) -> String {
    let mut is_comment = false;
    let mut lines = String::new();
    for line in script.lines().map(str::trim) {
        is_comment |= line.starts_with("/*");
        if !(is_comment || line.is_empty() || line.starts_with("//")) {
            lines.push_str(line);
            lines.push('\n');
        }
        is_comment &= !line.ends_with("*/");
    }
    lines
}

/// The file at a place below `assets/`.
pub fn find_file(path: &str) -> Option<&'static PageFile> {
    FILES.iter().find(|file| file.path == path)
}

/// A file of the page.
macro_rules! web {
    ($name:literal) => {
        PageFile::script(
            concat!("web/", $name),
            include_str!(concat!("../../frontends/web/", $name)),
        )
    };
}

/// A file of the npm package. The folders `npm` and `built` here are links to it: Cargo packs
/// nothing from a folder that holds a package of its own.
macro_rules! engine {
    ($name:literal) => {
        PageFile::script(concat!("engine/js/", $name), include_str!(concat!("npm/", $name)))
    };
}

/// Every file of the page, except for the page itself and the sets.
pub static FILES: &[PageFile] = &[
    PageFile::text("look.css", STYLE, page::LOOK),
    PageFile::text("style.css", STYLE, page::STYLE),
    PageFile::text("icon.svg", "image/svg+xml", page::ICON),
    PageFile::script("dom.js", page::DOM),
    PageFile::script("text.js", page::TEXT),
    PageFile::text("web/web.css", STYLE, include_str!("../../frontends/web/web.css")),
    web!("main.js"),
    web!("analysis.js"),
    web!("explain.js"),
    web!("game.js"),
    web!("panel.js"),
    web!("players.js"),
    web!("sets.js"),
    web!("setup.js"),
    engine!("index.js"),
    engine!("board.js"),
    engine!("board-drawing.js"),
    engine!("board-style.js"),
    engine!("book.js"),
    engine!("moves.js"),
    engine!("packed.js"),
    engine!("uci.js"),
    engine!("worker.js"),
    engine!("worker-main.js"),
    PageFile::script("engine/js/wasm/sparring_wasm.js", include_str!("built/sparring_wasm.js")),
    PageFile {
        path: "engine/js/wasm/sparring_wasm_bg.wasm.gz",
        kind: "application/gzip",
        bytes: include_bytes!("built/sparring_wasm_bg.wasm.gz"),
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_stands_once() {
        for file in FILES {
            assert!(!file.bytes.is_empty(), "{}", file.path);
            assert_eq!(FILES.iter().filter(|other| other.path == file.path).count(), 1);
        }
    }

    #[test]
    fn only_comments_and_indents_are_left_out_of_scripts() {
        let script = "// About it.\n/** What\n * it does. */\nfunction f() {\n\n  return \"//\"; // two\n}\n";
        assert_eq!(stripped(script), "function f() {\nreturn \"//\"; // two\n}\n");
        // A text over several lines would lose its indents.
        for file in FILES.iter().filter(|file| file.kind == SCRIPT) {
            let text = str::from_utf8(file.bytes).unwrap();
            assert!(text.lines().all(|line| line.matches('`').count() % 2 == 0), "{}", file.path);
        }
    }

    /// Every module that a script names is there.
    #[test]
    fn no_script_names_what_is_not_there() {
        let mut named = 0;
        for file in FILES.iter().filter(|file| file.kind == SCRIPT) {
            let text = str::from_utf8(file.bytes).unwrap();
            for line in text.lines().filter(|line| line.starts_with("import ")) {
                let target = line.split('"').nth(1).unwrap();
                let mut place: Vec<&str> = file.path.split('/').collect();
                place.pop();
                for part in target.split('/') {
                    match part {
                        "." => {}
                        ".." => drop(place.pop().unwrap()),
                        part => place.push(part),
                    }
                }
                assert!(find_file(&place.join("/")).is_some(), "{}: {target}", file.path);
                named += 1;
            }
        }
        assert!(named > 10, "{named}");
    }
}
