//! Games of a run by their numbers, without reading the earlier ones.

use super::checksum::checksum;
use super::files::GAMES;
use super::record::Record;
use crate::arena::GameRecord;
use crate::error::{Error, Result};
use crate::files::{self, Links};
use crate::tune::Stage;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// The most bytes of a batch's games, packed or not.
const MOST_BYTES: u64 = 256 << 20;

/// A game of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedGame {
    /// Its number in the run, from 1.
    pub number: u64,
    /// The stage of the run.
    pub stage: Stage,
    /// The game as it was saved.
    pub record: GameRecord,
}

/// Reads some games of the run in a directory: at most `count`, from number `from` on, which is 1
/// for the first. The run may be under way.
///
/// # Errors
/// When the games cannot be read, or are not as the run wrote them.
pub fn read_games(
    directory: &Path,
    record: &Record,
    from: u64,
    count: u64,
) -> Result<Vec<RecordedGame>> {
    let mut games = Vec::new();
    let mut before = from.saturating_sub(1);
    let end = before.saturating_add(count).min(record.games_kept());
    let path = directory.join(GAMES);
    while before < end {
        let Some((stage, first, begin, segment)) = record.frame_of(before) else { break };
        let packed = read_part(&path, begin, segment.end)?;
        segment.check(&path, begin, &checksum(&packed))?;
        let skipped = usize::try_from(before - first).unwrap_or(usize::MAX);
        let wanted = usize::try_from(end - before).unwrap_or(usize::MAX);
        let records = unpack(&packed, &path)?.into_iter().skip(skipped).take(wanted);
        let known = games.len();
        games.extend(records.zip(before + 1..).map(|(record, number)| RecordedGame {
            number,
            stage,
            record,
        }));
        if games.len() == known {
            // The journal counts more games than there are.
            break;
        }
        before += (games.len() - known) as u64;
    }
    Ok(games)
}

fn read_part(path: &Path, begin: u64, end: u64) -> Result<Vec<u8>> {
    let length = end.saturating_sub(begin);
    if length > MOST_BYTES {
        return Err(Error::input(path.display(), format!("{length} bytes of one batch")));
    }
    let mut file = files::open(path, Links::Refused)?;
    let mut bytes = Vec::new();
    let read =
        file.seek(SeekFrom::Start(begin)).and_then(|_| file.take(length).read_to_end(&mut bytes));
    read.map_err(|e| Error::io(path, "read the games", e))?;
    Ok(bytes)
}

fn unpack(packed: &[u8], path: &Path) -> Result<Vec<GameRecord>> {
    let failed = |e: io::Error| Error::input(path.display(), format!("damaged: {e}"));
    let decoder = zstd::Decoder::with_buffer(packed).map_err(failed)?;
    let lines = BufReader::new(decoder.take(MOST_BYTES)).lines();
    let place = path.display().to_string();
    lines.map(|line| GameRecord::from_line(&line.map_err(failed)?, &place)).collect()
}
