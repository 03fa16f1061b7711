//! The games of a fit of an engine's options, kept until the fit is done: a line of JSON for each,
//! with a checksum at its end.

use super::append::AppendFile;
use super::checksum::Seal;
use super::files::HARVEST;
use crate::error::{Error, Result};
use crate::files::{self, Links};
use crate::tune::option_fit::GameHarvest;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::time::{Duration, Instant};

/// The longest line that is written and read, in bytes: the games are read one by one, however many
/// there are.
const MOST_OF_LINE: u64 = 1 << 26;

/// A line of the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HarvestLine<'a> {
    /// The number of the game, from 0.
    number: u64,
    /// The seconds of work on the run until then.
    worked: f64,
    /// Positions and results of the game.
    game: Cow<'a, GameHarvest>,
}

/// The games of a fit in a run's directory.
pub struct HarvestFile {
    file: AppendFile,
    run: String,
    games: Vec<GameHarvest>,
    /// The games on record.
    count: u64,
    /// The time worked before it was opened.
    before: Duration,
    opened: Instant,
}

impl HarvestFile {
    /// Opens or creates the file of the run with this id. A torn last line is cut off.
    ///
    /// # Errors
    /// When the file cannot be opened, or a whole line is damaged or belongs to another run.
    pub fn open(directory: &Path, run: &str) -> Result<Self> {
        let path = directory.join(HARVEST);
        let mut file = AppendFile::open(&path, Links::Refused)?;
        let failed = |e| Error::io(&path, "read", e);
        let mut reader = BufReader::new(files::open(&path, Links::Refused)?);
        let (mut games, mut before, mut length, mut text) = (Vec::new(), 0.0, 0, Vec::new());
        loop {
            text.clear();
            reader.by_ref().take(MOST_OF_LINE).read_until(b'\n', &mut text).map_err(failed)?;
            let line = read_line(&text, run).filter(|line| line.number == games.len() as u64);
            let Some(line) = line else {
                // A kill tore the last line, if there is any.
                if reader.fill_buf().map_err(failed)?.is_empty() {
                    break;
                }
                let place = format!("{}, line {}", path.display(), games.len() + 1);
                return Err(Error::input(place, "has been edited or damaged")
                    .remedy("delete the file: its games are played again"));
            };
            before = line.worked;
            games.push(line.game.into_owned());
            length += text.len() as u64;
        }
        file.cut(length)?;
        let before = Duration::try_from_secs_f64(before).unwrap_or_default();
        let count = games.len() as u64;
        Ok(Self { file, run: run.into(), games, count, before, opened: Instant::now() })
    }

    /// The games on record, which are handed out once.
    pub fn take_games(&mut self) -> Vec<GameHarvest> {
        std::mem::take(&mut self.games)
    }

    /// The number of games on record.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The time worked on the fit before the file was opened.
    pub fn worked_before(&self) -> Duration {
        self.before
    }

    /// Drops all games: another engine is fitted from here on.
    ///
    /// # Errors
    /// When the file cannot be cut.
    pub fn start_over(&mut self) -> Result<()> {
        self.games.clear();
        self.count = 0;
        self.file.cut(0)
    }

    /// Keeps one more game; when this returns it is on disk.
    ///
    /// # Errors
    /// When it cannot be written; then the file is as it was.
    pub fn keep(&mut self, game: &GameHarvest) -> Result<()> {
        let worked = self.before.saturating_add(self.opened.elapsed()).as_secs_f64();
        let worked = (worked * 1e3).round() / 1e3;
        let line = HarvestLine { number: self.count, worked, game: Cow::Borrowed(game) };
        let object = serde_json::to_string(&line)
            .map_err(|error| Error::failed(self.file.path().display(), error))?;
        let body = object.strip_suffix('}').unwrap_or(&object);
        let text = body.to_owned() + &Seal::LINE.of(&self.run, body) + "\n";
        if text.len() as u64 > MOST_OF_LINE {
            let reason = format!("a game takes {} bytes, more than {MOST_OF_LINE}", text.len());
            return Err(Error::failed(self.file.path().display(), reason)
                .remedy("give fewer knobs with --knobs"));
        }
        self.file.append(text.as_bytes())?;
        self.count += 1;
        Ok(())
    }

    /// Removes the file from a run's directory: the fit is done, or would always fail.
    pub fn remove(directory: &Path) {
        // A file that stays is ignored.
        let _ = std::fs::remove_file(directory.join(HARVEST));
    }
}

/// A whole line of the run with this id.
fn read_line(text: &[u8], run: &str) -> Option<HarvestLine<'static>> {
    let text = std::str::from_utf8(text).ok()?.strip_suffix('\n')?;
    let body = Seal::LINE.open(run, text)?;
    serde_json::from_str(&format!("{body}}}")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::option_fit::{Slope, ValuedPosition};

    fn game(searched: f64) -> GameHarvest {
        let slopes = vec![
            Slope { knob: 3, slope: 0.1, bend: Some(-1.5) },
            Slope { knob: 7, slope: 1.0 / 3.0, bend: None },
        ];
        let position = ValuedPosition {
            fen: "8/8 w - - 0 1".into(),
            game: 0,
            searched,
            result: 0.5,
            value: -3.0,
            slopes,
        };
        GameHarvest { positions: vec![position], mates: 2, ..GameHarvest::default() }
    }

    fn kept(folder: &Path, run: &str) -> Result<Vec<GameHarvest>> {
        HarvestFile::open(folder, run).map(|mut file| file.take_games())
    }

    #[test]
    fn games_are_kept_whole() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = HarvestFile::open(folder.path(), "run").unwrap();
        let games: Vec<GameHarvest> = [1.0, 2.0, 3.0].map(game).into();
        games.iter().for_each(|game| file.keep(game).unwrap());
        assert_eq!((file.count(), kept(folder.path(), "run").unwrap()), (3, games.clone()));
        let path = folder.path().join(HARVEST);
        let text = std::fs::read(&path).unwrap();
        // A line that a kill has torn.
        std::fs::write(&path, &text[..text.len() - 5]).unwrap();
        let mut torn = HarvestFile::open(folder.path(), "run").unwrap();
        assert_eq!(torn.take_games(), games[..2]);
        torn.keep(&games[2]).unwrap();
        assert_eq!(kept(folder.path(), "run").unwrap(), games);
        let mut bad = text.clone();
        bad[text.len() / 2] ^= 1;
        std::fs::write(&path, bad).unwrap();
        let error = kept(folder.path(), "run").unwrap_err().to_string();
        assert!(error.contains("line 2") && error.contains("edited or damaged"), "{error}");
        std::fs::write(&path, &text).unwrap();
        assert!(kept(folder.path(), "another").is_err());
        // A file of any length is read.
        let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
        file.set_len(3 << 30).unwrap();
        let error = kept(folder.path(), "run").unwrap_err().to_string();
        assert!(error.contains("line 4"), "{error}");
        HarvestFile::remove(folder.path());
        assert!(kept(folder.path(), "another").unwrap().is_empty());
    }
}
