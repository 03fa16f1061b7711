//! A killed tune of weights by phase gives the result of an uninterrupted one.

use super::harness::{Run, Setup};
use serde_json::Value;
use std::fs;

static PHASES: Setup = Setup::new(
    "--method joined --phases --only danger,attack,tempo@late --board 5x5 --games 700 \
     --fit-games 500 --batch 10 --nodes 60 --validation-pairs 16 --yardstick-pairs 4 --seed 12",
);

#[test]
fn a_tune_of_weights_by_phase_is_resumed_exactly() {
    let run = Run::killed_at(&PHASES, 3);
    run.must_finish_exactly(2);
    let manifest: Value =
        serde_json::from_slice(&fs::read(run.file("manifest.json")).unwrap()).unwrap();
    let knobs = manifest["config"]["plan"]["matches"]["knobs"].as_array().unwrap();
    let names: Vec<&str> = knobs.iter().map(|knob| knob["name"].as_str().unwrap()).collect();
    let wanted = ["danger@early", "danger@late", "attack@early", "attack@late", "tempo@late"];
    assert_eq!(names, wanted);
    let start = manifest["start"]["weights"].as_object().unwrap();
    assert_eq!((&start["format"], &start["weights"]["piece@early"]), (&6.into(), &Value::Null));
    assert!(start["weights"]["danger@early"].is_number(), "{start:?}");
}
