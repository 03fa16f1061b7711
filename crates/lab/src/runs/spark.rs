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

/// The stages whose results make a course, the one of most interest first. Yardsticks have other
/// opponents.
const STAGES: [Stage; 4] = [Stage::Tune, Stage::Match, Stage::Validate, Stage::Round];

/// The Elo at a few moments of the run in a directory, evenly spread over its journal. Lines that
/// cannot be read are left out.
pub(super) fn spark(directory: &Path) -> Vec<f64> {
    course(&sample(directory).unwrap_or_default())
}

/// The Elo of one stage, since other stages have other opponents: of the first that has a course.
fn course(points: &[(Stage, f64)]) -> Vec<f64> {
    let of = |stage| -> Vec<f64> {
        points.iter().filter(|point| point.0 == stage).map(|point| point.1).collect()
    };
    STAGES.map(of).into_iter().find(|course| course.len() > 1).unwrap_or_default()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_course_has_the_opponents_of_one_stage() {
        use Stage::{Match, Round, Tune, Validate, Yardstick};
        let fit = [(Round, 5.0), (Round, 7.0), (Validate, 21.0), (Validate, 16.0)];
        let end = [(Yardstick, 190.0), (Yardstick, 0.0)];
        assert_eq!(course(&[&fit[..], &end].concat()), [21.0, 16.0]);
        assert_eq!(course(&[&fit[..3], &end].concat()), [5.0, 7.0]);
        assert_eq!(course(&[(Tune, 1.0), (Tune, 2.0), fit[2], fit[3]]), [1.0, 2.0]);
        assert_eq!(course(&[(Match, 3.0), (Match, 4.0)]), [3.0, 4.0]);
        assert!(course(&end).is_empty());
    }
}
