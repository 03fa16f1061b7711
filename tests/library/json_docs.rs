//! The chapter on JSON output: it names every field of every document that a command prints.

use crate::book::{prose, root};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

/// The shared names and the failures, which stand before the sections of the commands.
const SHARED: [&str; 2] = ["JSON output", "Failures"];

/// The schemas of documents, each with the sections that describe it.
const SECTIONS: &[(&[&str], &[&str])] = &[
    (&["event"], &["Events"]),
    (&["match", "stats"], &["match, stats"]),
    (&["tournament"], &["tournament"]),
    (&["tune", "report"], &["tune, resume", "report"]),
    (&["check"], &["check"]),
    (&["report-comparison"], &["report"]),
    (&["runs", "runs-compare", "runs-label", "runs-removed", "runs-show"], &["runs"]),
    (&["fit", "fit-engine", "fit-rows", "generate", "train"], &["generate, fit, train"]),
    (
        &["positions-describe", "positions-list", "positions-sample", "positions-written"],
        &["positions"],
    ),
    (&["analyze"], &["analyze"]),
    (
        &[
            "bench",
            "bench-together",
            "endgame-build",
            "endgame-check",
            "endgame-probe",
            "perft",
            "solve",
        ],
        &["solve, endgame, bench, perft"],
    ),
    (
        &[
            "book-build",
            "book-check",
            "book-export",
            "book-list",
            "book-merge",
            "book-moves",
            "book-show",
        ],
        &["book"],
    ),
    (
        &[
            "features",
            "features-file",
            "weights-check",
            "weights-diff",
            "weights-export",
            "weights-list",
            "weights-new",
        ],
        &["features, weights"],
    ),
    (
        &["export", "export-history", "export-web", "game", "play", "show", "show-game"],
        &["show, play, export"],
    ),
    (
        &[
            "candidates",
            "cluster-status",
            "completions",
            "config",
            "doctor",
            "man",
            "serve",
            "worker",
        ],
        &["Other commands"],
    ),
    (&["error"], &["Failures"]),
];

/// Schemas of files in run directories, which no command prints.
const FILES_OF_RUNS: [&str; 3] = ["journal", "manifest-tournament", "manifest-tune"];

/// The names in backquotes in the sections with these titles, tables included, code blocks not.
fn names_in(chapter: &str, titles: &[&str]) -> BTreeSet<String> {
    let mut is_inside = false;
    let mut names = BTreeSet::new();
    for line in prose(chapter) {
        let title = line.strip_prefix("## ").or_else(|| line.strip_prefix("# "));
        if let Some(title) = title {
            is_inside = titles.contains(&title);
        } else if is_inside {
            names.extend(line.split('`').skip(1).step_by(2).map(str::to_owned));
        }
    }
    names
}

/// Adds the names of the top-level fields of a schema, including fields of flattened types and of
/// all variants.
fn add_fields(schema: &Value, whole: &Value, fields: &mut BTreeSet<String>) {
    if let Some(properties) = schema["properties"].as_object() {
        fields.extend(properties.keys().cloned());
    }
    for key in ["allOf", "anyOf", "oneOf"] {
        let variants = schema[key].as_array().into_iter().flatten();
        variants.for_each(|variant| add_fields(variant, whole, fields));
    }
    let name = schema["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/"));
    if let Some(name) = name {
        add_fields(&whole["$defs"][name], whole, fields);
    }
}

fn fields_of(schema: &str) -> BTreeSet<String> {
    let file = root().join("docs/schemas").join(format!("{schema}.json"));
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{schema}: {error}"));
    let schema: Value = serde_json::from_str(&text).unwrap();
    let mut fields = BTreeSet::new();
    add_fields(&schema, &schema, &mut fields);
    fields
}

#[test]
fn the_chapter_on_json_names_every_field() {
    let chapter = fs::read_to_string(root().join("docs/src/json.md")).unwrap();
    let mut missing = Vec::new();
    for (schemas, titles) in SECTIONS {
        let titles = [&SHARED[..], *titles].concat();
        let named = names_in(&chapter, &titles);
        for schema in *schemas {
            let fields = fields_of(schema);
            assert!(!fields.is_empty(), "{schema} has no fields");
            let unnamed = fields.difference(&named);
            missing.extend(unnamed.map(|field| format!("{schema}: `{field}` in {titles:?}")));
        }
    }
    assert!(missing.is_empty(), "docs/src/json.md does not name:\n{}", missing.join("\n"));
}

#[test]
fn every_schema_has_its_section() {
    let described = SECTIONS.iter().flat_map(|(schemas, _)| *schemas);
    let known: BTreeSet<String> =
        described.chain(&FILES_OF_RUNS).map(|name| (*name).to_owned()).collect();
    let files = fs::read_dir(root().join("docs/schemas")).unwrap();
    let kept: BTreeSet<String> = files
        .map(|file| file.unwrap().file_name().to_string_lossy().replace(".json", ""))
        .collect();
    assert_eq!(known, kept);
}
