//! The schemas in `docs/schemas`, made from the types of the documents and events, and the schema
//! of weight files. With SPARRING_BLESS=1 the tests write them.

use super::documents::{Document, Failure};
use crate::arena::GameRecord;
use crate::cli::{
    CommandEvent, analyze, bench, book, candidates, check, completions, config, doctor, endgame,
    export, export_web, features, fit, generate, man, perft, play, positions, report, runs, serve,
    show, solve, stats, tournament_json, train, tune_json, weights,
};
use crate::run::{JournalLine, TournamentWork, TuneWork};
use crate::runs::RunView;
use crate::weights::{NEWEST_FORMAT, SCHEMA, WeightSet};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The manifest of a run: all that decides it.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is made")]
struct RunManifest<W> {
    /// The version of the format of run directories.
    format: u32,
    /// The version of the program that began the run.
    program: String,
    /// The name of the set that the run makes, with `-` for `/`.
    run: String,
    /// When it began, in UTC.
    time: String,
    #[serde(flatten)]
    work: W,
    /// The checksums of the files that are written with the manifest.
    files: BTreeMap<String, String>,
    /// The checksum of all before it.
    crc: String,
}

/// Whether a file in `docs/schemas` holds the schema of a type. With SPARRING_BLESS=1 it is written
/// first.
fn is_current<T: JsonSchema>(name: &str) -> bool {
    is_written(&format!("docs/schemas/{name}.json"), &schema_of::<T>())
}

fn schema_of<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>()
}

/// Whether a file of the project has this content. With SPARRING_BLESS=1 it is written first.
fn is_written(file: &str, content: &impl Serialize) -> bool {
    let text = serde_json::to_string_pretty(content).unwrap() + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    if std::env::var_os("SPARRING_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&path, &text).unwrap();
    }
    std::fs::read_to_string(path).is_ok_and(|file| file == text)
}

/// The schema of weight files has limits and patterns that the types do not have; its keys and its
/// descriptions come from the types.
#[test]
fn the_schema_of_weight_files_says_what_the_types_say() {
    fn describe(written: &mut Value, made: &Value, place: &str) {
        let copied = |value: &Value| value["description"].clone();
        if made.get("description").is_some() {
            written["description"] = copied(made);
        }
        let keys = |value: &Value| {
            value["properties"].as_object().map(|map| map.keys().cloned().collect::<BTreeSet<_>>())
        };
        assert_eq!(keys(written), keys(made), "the keys of {place}");
        for key in keys(made).unwrap_or_default() {
            describe(&mut written["properties"][&key], &made["properties"][&key], &key);
        }
    }
    let made = schema_of::<WeightSet>().to_value();
    let mut written: Value = serde_json::from_str(SCHEMA).unwrap();
    describe(&mut written, &made, "a set");
    written["properties"]["format"]["maximum"] = NEWEST_FORMAT.into();
    let names = |schema: &Value| {
        schema["$defs"].as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>()
    };
    for name in names(&made).intersection(&names(&written)) {
        describe(&mut written["$defs"][name], &made["$defs"][name], name);
    }
    assert!(
        is_written("weights/schema.json", &written),
        "run the tests with SPARRING_BLESS=1 to write weights/schema.json"
    );
}

#[test]
fn the_schemas_are_those_of_the_types() {
    fn of<T: JsonSchema>(name: &str) -> (String, bool) {
        (name.to_owned(), is_current::<Document<T>>(name))
    }
    fn manifest<W: JsonSchema>(name: &str) -> (String, bool) {
        (name.to_owned(), is_current::<RunManifest<W>>(name))
    }
    let checked = [
        of::<analyze::Analysis>("analyze"),
        of::<bench::Measured>("bench"),
        of::<bench::Compared>("bench-together"),
        of::<book::build::BookBuildJson>("book-build"),
        of::<book::check::BookCheckJson>("book-check"),
        of::<book::export::BookExportJson>("book-export"),
        of::<book::list::BookListJson>("book-list"),
        of::<book::merge::BookMergeJson>("book-merge"),
        of::<book::show::BookShowJson>("book-show"),
        of::<book::show_moves::BookMovesJson>("book-moves"),
        of::<candidates::CandidatesJson>("candidates"),
        of::<check::CheckJson>("check"),
        of::<completions::CompletionsJson>("completions"),
        of::<config::ConfigJson>("config"),
        of::<doctor::DoctorJson>("doctor"),
        of::<endgame::build::EndgameBuildJson>("endgame-build"),
        of::<endgame::check::EndgameCheckJson>("endgame-check"),
        of::<endgame::probe::EndgameProbeJson>("endgame-probe"),
        of::<Failure>("error"),
        of::<export::ExportJson>("export"),
        of::<export::HistoryJson>("export-history"),
        of::<export_web::ExportWebJson>("export-web"),
        of::<features::FeaturesJson>("features"),
        of::<features::PositionsJson>("features-file"),
        of::<fit::show::FitJson>("fit"),
        of::<fit::engine::OptionFitJson>("fit-engine"),
        of::<fit::rows::RowsJson>("fit-rows"),
        of::<generate::GenerateJson>("generate"),
        of::<man::ManJson>("man"),
        of::<tournament_json::MatchJson>("match"),
        of::<perft::Counted>("perft"),
        of::<play::PlayJson>("play"),
        of::<positions::describe::PositionsDescribeJson>("positions-describe"),
        of::<positions::list::PositionsListJson>("positions-list"),
        of::<positions::sample::PositionsSampleJson>("positions-sample"),
        of::<positions::write::PositionsWrittenJson>("positions-written"),
        of::<tune_json::TuneJson>("report"),
        of::<report::ComparisonJson>("report-comparison"),
        of::<runs::list::RunsJson>("runs"),
        of::<runs::compare::CompareJson>("runs-compare"),
        of::<runs::label::LabelJson>("runs-label"),
        of::<runs::remove::RemovedJson>("runs-removed"),
        of::<RunView>("runs-show"),
        of::<serve::ServeJson>("serve"),
        of::<show::GameListJson>("show"),
        of::<show::GameJson>("show-game"),
        of::<solve::SolveResult>("solve"),
        of::<stats::StatsJson>("stats"),
        of::<tournament_json::TournamentJson>("tournament"),
        of::<train::TrainJson>("train"),
        of::<tune_json::TuneJson>("tune"),
        of::<weights::check::WeightsCheckJson>("weights-check"),
        of::<weights::diff::WeightsDiffJson>("weights-diff"),
        of::<weights::export::WeightsExportJson>("weights-export"),
        of::<weights::list::WeightsListJson>("weights-list"),
        of::<weights::new::WeightsNewJson>("weights-new"),
        ("event".to_owned(), is_current::<CommandEvent>("event")),
        ("game".to_owned(), is_current::<GameRecord>("game")),
        ("journal".to_owned(), is_current::<JournalLine>("journal")),
        manifest::<TournamentWork>("manifest-tournament"),
        manifest::<TuneWork>("manifest-tune"),
    ];
    #[cfg(feature = "cluster")]
    let checked = checked.into_iter().chain([
        of::<crate::cluster::ClusterStatus>("cluster-status"),
        of::<super::worker::WorkerJson>("worker"),
    ]);
    let checked: Vec<(String, bool)> = checked.into_iter().collect();
    let stale: Vec<&String> =
        checked.iter().filter(|(_, is_current)| !is_current).map(|(name, _)| name).collect();
    assert!(
        stale.is_empty(),
        "run the tests with SPARRING_BLESS=1 to write docs/schemas of {stale:?}"
    );
}
