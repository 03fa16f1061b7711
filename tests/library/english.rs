//! Plain English in sources and texts: translated phrases stay rare, and a few are banned.
//!
//! Lines are counted in every file that people read: sources, the book, scripts and pages. A cap
//! falls when a phrase gets rarer; it never rises.

use std::fs;
use std::path::{Path, PathBuf};

/// Phrases, and the most lines that may have each. The remaining lines are plain: "the sides cannot
/// have made so many moves", "the pieces of one side and those of the other", "while the game goes
/// on".
const CAPS: [(&str, usize); 12] = [
    ("so many", 2),
    ("those of", 1),
    ("of others", 1),
    ("is told", 0),
    ("goes on", 5),
    ("believes a worker", 0),
    ("that of", 59),
    ("anew", 3),
    ("has to be", 0),
    ("foretell", 1),
    ("the one of", 5),
    ("may be given again", 0),
];

/// The most doc comments that begin with "What", a noun phrase made of a question.
const MOST_WHAT: usize = 30;

/// Folders of the project whose files people read.
const FOLDERS: [&str; 8] =
    ["src", "crates", "tests", "docs/src", "docs/recipes", "examples", "frontends", "weights"];

/// The ends of the names of such files.
const ENDS: [&str; 8] = ["rs", "md", "js", "mjs", "html", "sh", "py", "ts"];

/// Folders that are built, fetched or compared with.
const LEFT_OUT: [&str; 4] = ["target", "node_modules", "built", "assets"];

fn add_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let end = path.extension().map(|end| end.to_string_lossy().into_owned());
        if path.is_symlink() {
            continue;
        }
        if path.is_dir() && !LEFT_OUT.contains(&name.as_str()) && !name.starts_with('.') {
            add_files(&path, files);
        } else if end.is_some_and(|end| ENDS.contains(&end.as_str())) && name != "english.rs" {
            files.push(path);
        }
    }
}

/// The files that people read in folders of the project.
pub(crate) fn files_in(folders: &[&str]) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    folders.iter().for_each(|folder| add_files(&root.join(folder), &mut files));
    files
}

/// The lines of all files, each with its file.
fn lines() -> Vec<(PathBuf, String)> {
    let mut files = files_in(&FOLDERS);
    files.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md"));
    assert!(files.len() > 500, "{} files", files.len());
    let lines = |file: PathBuf| {
        let text = fs::read_to_string(&file).unwrap_or_default();
        text.lines().map(|line| (file.clone(), line.to_owned())).collect::<Vec<_>>()
    };
    files.into_iter().flat_map(lines).collect()
}

#[test]
fn translated_phrases_stay_rare() {
    let lines = lines();
    let mut too_many = Vec::new();
    for (phrase, most) in CAPS {
        let has = |line: &str| {
            let line = line.to_lowercase();
            line.match_indices(phrase).any(|(at, _)| !line[..at].ends_with(char::is_alphanumeric))
        };
        let found: Vec<String> = lines
            .iter()
            .filter(|(_, line)| has(line))
            .map(|(file, line)| format!("{}: {}", file.display(), line.trim()))
            .collect();
        if found.len() > most {
            too_many.push(format!(
                "`{phrase}` in {} lines, {most} at most:\n{}",
                found.len(),
                found.join("\n")
            ));
        }
    }
    assert!(too_many.is_empty(), "{}", too_many.join("\n\n"));
}

#[test]
fn doc_comments_seldom_begin_with_what() {
    let is_what = |line: &str| {
        let line = line.trim_start();
        ["/// What ", "//! What "].iter().any(|start| line.starts_with(start))
    };
    let found = lines().into_iter().filter(|(_, line)| is_what(line)).count();
    assert!(found <= MOST_WHAT, "{found} doc comments begin with `What`, {MOST_WHAT} at most");
}

/// The most doc comments of at most three words, which seldom say more than the name. The rest are
/// shown by `--help`, or say a unit.
const MOST_SHORT: usize = 125;

/// The doc comments of a source: their words, and the place of the first line.
fn doc_comments(source: &[(PathBuf, String)]) -> Vec<(String, usize)> {
    let mut found: Vec<(String, usize)> = Vec::new();
    let mut is_inside = false;
    for (file, line) in source {
        let line = line.trim_start();
        let text = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"));
        let words = text.map_or(0, |text| text.split_whitespace().count());
        match (text, is_inside) {
            (Some(_), true) => found.last_mut().unwrap().1 += words,
            (Some(_), false) => found.push((format!("{}: {line}", file.display()), words)),
            (None, _) => {}
        }
        is_inside = text.is_some();
    }
    found
}

#[test]
fn doc_comments_seldom_have_three_words_or_fewer() {
    let mut lines = lines();
    lines.retain(|(file, _)| file.extension().is_some_and(|end| end == "rs"));
    let comments = doc_comments(&lines);
    let short: Vec<String> =
        comments.into_iter().filter(|(_, words)| *words <= 3).map(|(place, _)| place).collect();
    assert!(
        short.len() <= MOST_SHORT,
        "{} doc comments of at most three words, {MOST_SHORT} at most:\n{}",
        short.len(),
        short.join("\n")
    );
}
