//! What a run directory keeps of a tune in rounds: positions, fits, and the ends of rounds.

use super::dir::RunDir;
use super::journal::Event;
use super::positions::{PositionFiles, open_to_write, read_header};
use crate::error::{Error, Result};
use crate::games::{GameId, with_game};
use crate::tune::logistic::rounds::{FitRecord, PositionsRecord, RoundLedger, RoundRecord};
use crate::tune::logistic::samples::{Header, PositionSource, digest};
use crate::weights::{WeightSet, sync_name};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// What to do when positions are not as the journal has them.
const RESTORE: &str = "restore the file as the run wrote it, or begin a new run";

impl RunDir {
    /// The file with the positions of a round.
    fn positions_path(&self, round: u64) -> PathBuf {
        self.path.join(format!("positions-{round}.pos"))
    }

    /// The file with the set that was fitted in a round.
    pub fn round_path(&self, round: u64) -> PathBuf {
        self.path.join(format!("round-{round}.json"))
    }

    /// The file of positions of a round, cut to what is on record, ready to be written on.
    fn open_positions(&self, round: u64, header: &Header, kept: u64) -> Result<File> {
        let path = self.positions_path(round);
        let begin = header.to_bytes();
        let failed = |e| Error::io(&path, "write", e);
        let mut file = open_to_write(&path)?;
        if kept == 0 {
            // What a process that died may have left is of no worth without a line in the journal.
            file.set_len(0).and_then(|()| file.rewind()).map_err(failed)?;
            file.write_all(&begin).and_then(|()| file.sync_data()).map_err(failed)?;
            sync_name(&path).map_err(failed)?;
            return Ok(file);
        }
        if read_header(&path, &mut file)?.0 != *header {
            return Err(Error::input(path.display(), "made with other settings").remedy(RESTORE));
        }
        let length = begin.len() as u64 + kept * header.record as u64;
        check_length(&path, &file, length)?;
        file.set_len(length).and_then(|()| file.seek(SeekFrom::Start(length))).map_err(failed)?;
        Ok(file)
    }

    /// Checks that a round's positions are those on record.
    fn check_positions(&self, round: u64) -> Result<()> {
        let path = self.positions_path(round);
        let failed = |e| Error::io(&path, "read", e).remedy(RESTORE);
        let mut file = File::open(&path).map_err(failed)?;
        let (header, begin) = read_header(&path, &mut file)?;
        let lines = self.record.positions(round);
        let count = lines.last().map_or(0, |last| last.positions);
        let length = begin + count * header.record as u64;
        check_length(&path, &file, length)?;
        if file.metadata().map_err(failed)?.len() > length {
            return Err(Error::input(path.display(), "longer than the run made it").remedy(RESTORE));
        }
        file.seek(SeekFrom::Start(begin)).map_err(failed)?;
        let mut before = 0;
        for line in lines {
            let mut bytes = vec![0; (line.positions - before) as usize * header.record];
            file.read_exact(&mut bytes).map_err(failed)?;
            if digest_text(&bytes) != line.digest {
                let reason = format!(
                    "has been edited or damaged between positions {before} and {}",
                    line.positions
                );
                return Err(Error::input(path.display(), reason).remedy(RESTORE));
            }
            before = line.positions;
        }
        Ok(())
    }

    fn other(&self, what: &str) -> Error {
        Error::input(self.path.display(), format!("{what} on record is another one"))
            .remedy("the journal has been edited, or another version wrote it: restore it")
    }
}

fn check_length(path: &Path, file: &File, length: u64) -> Result<()> {
    let found = file.metadata().map_err(|e| Error::io(path, "read", e))?.len();
    if found >= length {
        return Ok(());
    }
    Err(Error::input(path.display(), format!("{found} bytes, the journal counts {length}"))
        .remedy(RESTORE))
}

fn digest_text(bytes: &[u8]) -> String {
    format!("{:016x}", digest(bytes))
}

impl RoundLedger for RunDir {
    fn positions(&self, round: u64) -> Option<&PositionsRecord> {
        self.record.positions(round).last()
    }

    fn keep_positions(
        &mut self,
        round: u64,
        header: &Header,
        games: u64,
        records: &[u8],
    ) -> Result<()> {
        let kept = RoundLedger::positions(self, round).map_or(0, |known| known.positions);
        let mut file = match self.positions.take() {
            Some((open, file)) if open == round => file,
            _ => self.open_positions(round, header, kept)?,
        };
        if let Err(error) = file.write_all(records).and_then(|()| file.sync_data()) {
            // What is there of the records is cut off now, or when the run goes on.
            let _ = file.set_len(header.to_bytes().len() as u64 + kept * header.record as u64);
            return Err(Error::io(&self.positions_path(round), "write", error));
        }
        self.positions = Some((round, file));
        let positions = kept + (records.len() / header.record.max(1)) as u64;
        let digest = digest_text(records);
        self.write(Event::Positions(PositionsRecord { round, games, positions, digest }))
    }

    fn samples(&mut self, rounds: RangeInclusive<u64>) -> Result<Box<dyn PositionSource>> {
        self.positions = None;
        rounds.clone().try_for_each(|round| self.check_positions(round))?;
        let paths: Vec<PathBuf> = rounds.map(|round| self.positions_path(round)).collect();
        let game: GameId = self.manifest.config.game.parse()?;
        Ok(Box::new(with_game!(game, G => PositionFiles::open::<G>(&paths))?))
    }

    fn fit(&self, round: u64) -> Option<&FitRecord> {
        self.record.fit(round)
    }

    fn keep_fit(&mut self, record: FitRecord, set: &WeightSet) -> Result<()> {
        set.save(&self.round_path(record.round))?;
        match self.record.fit(record.round) {
            None => self.write(Event::Fit(record)),
            Some(known) if *known == record => Ok(()),
            Some(_) => Err(self.other("the fit")),
        }
    }

    fn fitted(&self, round: u64) -> Result<Option<WeightSet>> {
        let path = self.round_path(round);
        if !path.exists() {
            return Ok(None);
        }
        let remedy = || format!("delete {} and resume: the run makes it again", path.display());
        let set = WeightSet::load(&path).map_err(|e| e.remedy(remedy()))?;
        match self.record.fit(round) {
            Some(record) if record.weights == set.fingerprint() => Ok(Some(set)),
            _ => Err(Error::input(path.display(), "has been edited since the run wrote it")
                .remedy(remedy())),
        }
    }

    fn round(&self, round: u64) -> Option<&RoundRecord> {
        self.record.round(round)
    }

    fn keep_round(&mut self, record: RoundRecord) -> Result<()> {
        match self.record.round(record.round) {
            None => self.write(Event::Round(record)),
            Some(known) if *known == record => Ok(()),
            Some(_) => Err(self.other("the end of a round")),
        }
    }
}
