//! The book and the other texts: the summary has every chapter, and every link leads somewhere.

use crate::english::files_in;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The root of the package, with `docs` in it.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All texts, apart from generated ones in folders of builds.
fn texts() -> Vec<PathBuf> {
    let folders = ["docs", "examples", "frontends", "tests", "weights"];
    let mut texts = files_in(&folders);
    texts.retain(|file| file.extension().is_some_and(|end| end == "md"));
    texts.extend(["README.md", "CHANGELOG.md"].map(|file| root().join(file)));
    assert!(texts.len() > 100, "{} texts", texts.len());
    texts
}

/// The lines outside of code blocks.
pub(crate) fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// The targets of the links of a text.
fn links(text: &str) -> Vec<String> {
    let prose = prose(text).collect::<Vec<_>>().join("\n");
    // A backtick begins or ends code in which brackets link to nothing.
    let outside = prose.split('`').step_by(2).collect::<Vec<_>>().join("`");
    let targets = outside.split("](").skip(1);
    targets.filter_map(|rest| Some(rest.split_once(')')?.0.to_owned())).collect()
}

/// The anchors of a text's headings, as GitHub and mdBook make them.
fn anchors(text: &str) -> Vec<String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let headings = prose(text).filter_map(|line| {
        let title = line.trim_start_matches('#');
        title.strip_prefix(' ').filter(|_| line.starts_with('#'))
    });
    headings
        .map(|title| {
            let kept = title.trim().to_lowercase().replace(' ', "-");
            let slug: String =
                kept.chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c)).collect();
            let count = seen.entry(slug.clone()).or_default();
            *count += 1;
            if *count == 1 { slug } else { format!("{slug}-{}", *count - 1) }
        })
        .collect()
}

#[test]
fn every_link_leads_somewhere() {
    let mut broken = Vec::new();
    for file in texts() {
        let text = fs::read_to_string(&file).unwrap();
        for link in links(&text) {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = match path {
                "" => file.clone(),
                _ => file.parent().unwrap().join(path),
            };
            let has_anchor =
                |text: &str| anchor.is_empty() || anchors(text).iter().any(|known| known == anchor);
            let leads = match target.is_dir() {
                true => anchor.is_empty(),
                false => fs::read(&target)
                    .is_ok_and(|bytes| has_anchor(&String::from_utf8_lossy(&bytes))),
            };
            if !leads {
                broken.push(format!("{}: {link}", file.strip_prefix(root()).unwrap().display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn the_summary_has_every_chapter_once() {
    let source = root().join("docs/src");
    let summary = fs::read_to_string(source.join("SUMMARY.md")).unwrap();
    let mut listed: Vec<PathBuf> =
        links(&summary).into_iter().map(|link| source.join(link)).collect();
    let mut chapters = files_in(&["docs/src"]);
    chapters.retain(|file| !file.ends_with("SUMMARY.md"));
    listed.sort();
    chapters.sort();
    assert_eq!(listed, chapters);
}
