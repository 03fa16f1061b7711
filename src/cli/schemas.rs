//! The schemas in `docs/schemas`, made from the types of the documents and events. With
//! SPARRING_BLESS=1 the test writes them.

use super::documents::{CommandEvent, Document, Failure};
use super::{
    analyze, bench, candidates, completions, config, export, features, fit, generate, man, perft,
    report, run_tune, runs, show, solve, stats, weights,
};
use crate::arena::GameRecord;
use crate::run::JournalLine;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use std::path::Path;

/// Whether a file in `docs/schemas` is the schema of a type; written first, if that is asked for.
fn is_current<T: JsonSchema>(name: &str) -> bool {
    let schema =
        SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>();
    let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schemas").join(format!("{name}.json"));
    if std::env::var_os("SPARRING_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&path, &text).unwrap();
    }
    std::fs::read_to_string(path).is_ok_and(|file| file == text)
}

#[test]
fn the_schemas_are_those_of_the_types() {
    fn of<T: JsonSchema>(name: &str) -> (String, bool) {
        (name.to_owned(), is_current::<Document<T>>(name))
    }
    let checked = [
        of::<analyze::Analysis>("analyze"),
        of::<bench::Measured>("bench"),
        of::<bench::Compared>("bench-together"),
        of::<candidates::CandidatesJson>("candidates"),
        of::<completions::CompletionsJson>("completions"),
        of::<config::ConfigJson>("config"),
        of::<Failure>("error"),
        of::<export::ExportJson>("export"),
        of::<export::HistoryJson>("export-history"),
        of::<features::FeaturesJson>("features"),
        of::<fit::show::FitJson>("fit"),
        of::<generate::GenerateJson>("generate"),
        of::<man::ManJson>("man"),
        of::<perft::Counted>("perft"),
        of::<report::ReportJson>("report"),
        of::<runs::list::RunsJson>("runs"),
        of::<show::GameListJson>("show"),
        of::<show::GameJson>("show-game"),
        of::<solve::SolveResult>("solve"),
        of::<stats::StatsJson>("stats"),
        of::<run_tune::TuneJson>("tune"),
        of::<weights::check::WeightsCheckJson>("weights-check"),
        of::<weights::diff::WeightsDiffJson>("weights-diff"),
        of::<weights::list::WeightsListJson>("weights-list"),
        ("event".to_owned(), is_current::<CommandEvent>("event")),
        ("game".to_owned(), is_current::<GameRecord>("game")),
        ("journal".to_owned(), is_current::<JournalLine>("journal")),
    ];
    let stale: Vec<&String> =
        checked.iter().filter(|(_, is_current)| !is_current).map(|(name, _)| name).collect();
    assert!(
        stale.is_empty(),
        "run the tests with SPARRING_BLESS=1 to write docs/schemas of {stale:?}"
    );
}
