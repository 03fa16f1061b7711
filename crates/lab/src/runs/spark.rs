//! The course of a run in a few numbers, from a few lines of its journal.

use crate::files::{self, Links};
use crate::run;
use crate::tune::Stage;
use serde::Deserialize;
use serde_json::Value;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// The most numbers of a course.
const POINTS: u64 = 32;
/// The longest line of a journal that is read, in bytes.
const LONGEST: u64 = 1 << 20;

/// The Elo at a few moments of the run in a directory, evenly spread over its journal: of its tune,
/// or else of its match. Lines that cannot be read are left out.
pub(super) fn spark(directory: &Path) -> Vec<f64> {
    let points = sample(directory).unwrap_or_default();
    let of = |wanted: fn(Stage) -> bool| {
        points.iter().filter(|point| wanted(point.0)).map(|point| point.1).collect::<Vec<_>>()
    };
    let tune = of(|stage| stage == Stage::Tune);
    if tune.len() > 1 { tune } else { of(|stage| stage != Stage::Tune) }
}

fn sample(directory: &Path) -> io::Result<Vec<(Stage, f64)>> {
    let Ok(file) = files::open(&directory.join(run::JOURNAL), Links::Refused) else {
        return Ok(Vec::new());
    };
    let mut file = BufReader::new(file);
    let length = file.get_ref().metadata()?.len();
    let (mut points, mut end, mut line) = (Vec::new(), 0, Vec::new());
    for point in 0..POINTS {
        let place = length * point / POINTS;
        if place < end {
            continue;
        }
        end = file.seek(SeekFrom::Start(place))?;
        if place > 0 {
            // The place is somewhere in a line; the next one is whole.
            end += read_line(&mut file, &mut line)?;
        }
        end += read_line(&mut file, &mut line)?;
        let read: Value = serde_json::from_slice(&line).unwrap_or_default();
        let batch = &read["batch"];
        let stage = Stage::deserialize(&batch["stage"]).ok();
        points.extend(stage.zip(batch["summary"]["elo"].as_f64()));
    }
    Ok(points)
}

fn read_line(file: &mut BufReader<File>, line: &mut Vec<u8>) -> io::Result<u64> {
    line.clear();
    file.take(LONGEST).read_until(b'\n', line).map(|bytes| bytes as u64)
}
