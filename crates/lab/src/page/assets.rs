//! The files of the pages of runs.

const SCRIPT_TYPE: &str = "text/javascript; charset=utf-8";
const STYLE_TYPE: &str = "text/css; charset=utf-8";

/// A file of the pages.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// Its name, by which other files refer to it.
    pub name: &'static str,
    /// Its media type, for HTTP.
    pub kind: &'static str,
    /// The text of the file.
    pub text: &'static str,
}

/// Colours and parts that all pages have.
pub const LOOK: &str = include_str!("assets/look.css");
/// The style of the parts that scripts make.
pub const STYLE: &str = include_str!("assets/style.css");
/// The style of the parts that only pages of runs have.
pub(super) const RUNS_STYLE: &str = include_str!("assets/runs.css");
/// The icon of the pages.
pub const ICON: &str = include_str!("assets/icon.svg");
/// The script that makes elements.
pub const DOM: &str = include_str!("assets/dom.js");
/// The script that writes numbers.
pub const TEXT: &str = include_str!("assets/text.js");
/// uPlot, which draws the charts, and its style.
pub(super) const CHARTS: &str = include_str!("assets/vendor/uPlot.iife.min.js");
pub(super) const CHARTS_STYLE: &str = include_str!("assets/vendor/uPlot.min.css");

const fn script(name: &'static str, text: &'static str) -> Asset {
    Asset { name, kind: SCRIPT_TYPE, text }
}

const fn style(name: &'static str, text: &'static str) -> Asset {
    Asset { name, kind: STYLE_TYPE, text }
}

/// A script by its file name.
macro_rules! scripts {
    ($($name:literal),* $(,)?) => {
        [$(script($name, include_str!(concat!("assets/", $name)))),*]
    };
}

/// The scripts of a report, each after those that it imports.
pub(super) const OF_REPORTS: [Asset; 15] = scripts![
    "dom.js",
    "text.js",
    "server.js",
    "charts.js",
    "strength.js",
    "rounds.js",
    "match.js",
    "proof.js",
    "knobs.js",
    "contest.js",
    "games.js",
    "workers.js",
    "run.js",
    "compare.js",
    "report.js",
];

const OF_SERVER: [Asset; 13] = [
    script("main.js", include_str!("assets/main.js")),
    script("list.js", include_str!("assets/list.js")),
    script("options.js", include_str!("assets/options.js")),
    script("queue.js", include_str!("assets/queue.js")),
    script("start.js", include_str!("assets/start.js")),
    script("tools.js", include_str!("assets/tools.js")),
    script("viewer.js", include_str!("assets/viewer.js")),
    script("vendor/uPlot.iife.min.js", CHARTS),
    style("vendor/uPlot.min.css", CHARTS_STYLE),
    style("look.css", LOOK),
    style("style.css", STYLE),
    style("runs.css", RUNS_STYLE),
    Asset { name: "icon.svg", kind: "image/svg+xml", text: ICON },
];

const LICENSE: Asset = Asset {
    name: "vendor/uPlot.LICENSE",
    kind: "text/plain; charset=utf-8",
    text: include_str!("assets/vendor/uPlot.LICENSE"),
};

/// Finds a file by its name.
pub fn find(name: &str) -> Option<Asset> {
    OF_REPORTS.iter().chain(&OF_SERVER).chain([&LICENSE]).find(|file| file.name == name).copied()
}
