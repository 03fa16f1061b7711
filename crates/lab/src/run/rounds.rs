//! The files of a tune in rounds: positions, fits, and the results of rounds.

use super::append::{AppendFile, check_segments};
use super::checkpoint::CheckpointFile;
use super::checksum::checksum;
use super::dir::RunDir;
use super::files::positions_path;
use super::journal::Event;
use super::older::reopen;
use super::positions::PositionFiles;
use super::unfinished::Unfinished;
use crate::error::{Error, Result};
use crate::files::{self, Links};
use crate::tune::logistic::round_ledger::{RoundLedger, UnfinishedGames};
use crate::tune::logistic::samples::Header;
use crate::tune::network::{CheckpointStore, OlderFile};
use crate::tune::{FitRecord, PositionSource, PositionsRecord, RoundRecord};
use crate::weights::WeightSet;
use std::ops::RangeInclusive;
use std::path::PathBuf;

impl RunDir {
    /// The file with the set that was fitted in a round.
    pub fn round_path(&self, round: u64) -> PathBuf {
        self.path.join(round_name(round))
    }

    /// Removes what a killed process left of a round without a line in the journal: later positions
    /// and a fitted set, which are made again. Also removes the checkpoint of a training that has
    /// ended. The files of rounds whose fit is on record stay as they are.
    ///
    /// # Errors
    /// When a file cannot be written, or positions on record that are still to be fitted are
    /// missing.
    pub(super) fn cut_uncounted(&self) -> Result<()> {
        let done = self.record.fitted_rounds();
        let round = done + 1;
        let positions = positions_path(&self.path, round);
        if files::exists(&positions, Links::Refused)? {
            let counted = self.record.positions(round).last().map_or(0, |last| last.bytes);
            AppendFile::open(&positions, Links::Refused)?.cut(counted)?;
        } else {
            // Positions on record are needed, and an empty file must not take their place.
            check_segments(&positions, &self.record.position_segments(round))?;
        }
        let fitted = self.round_path(round);
        if files::exists(&fitted, Links::Refused)? {
            std::fs::remove_file(&fitted).map_err(|e| Error::io(&fitted, "remove", e))?;
        }
        // The training that ended last needs no checkpoint any more.
        CheckpointFile::of_round(&self.path, done).remove()
    }

    /// Checks that a round's positions are those on record, and no others.
    fn check_positions(&self, round: u64) -> Result<()> {
        let path = positions_path(&self.path, round);
        let segments = self.record.position_segments(round);
        check_segments(&path, &segments)?;
        let found = path.metadata().map_err(|e| Error::io(&path, "read", e))?.len();
        if segments.last().is_some_and(|last| found > last.end) {
            return Err(Error::input(path.display(), "longer than the run made it")
                .remedy("restore the file as the run wrote it, or begin a new run"));
        }
        Ok(())
    }

    fn other(&self, what: &str) -> Error {
        Error::input(self.path.display(), format!("{what} on record is another one"))
            .remedy("the journal has been edited, or another version wrote it: restore it")
    }
}

fn round_name(round: u64) -> String {
    format!("round-{round}.json")
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
        let known = RoundLedger::positions(self, round);
        let (kept, bytes) = known.map_or((0, 0), |known| (known.positions, known.bytes));
        let begin = if bytes == 0 { header.to_bytes() } else { Vec::new() };
        let file = match self.positions.take() {
            Some((open, file)) if open == round => file,
            _ => {
                let mut file =
                    AppendFile::open(&positions_path(&self.path, round), Links::Refused)?;
                file.cut(bytes)?;
                file
            }
        };
        let (_, file) = self.positions.insert((round, file));
        let segment = [&begin, records].concat();
        file.append(&segment)?;
        let positions = kept + (records.len() / header.record.max(1)) as u64;
        let (bytes, digest) = (file.length(), checksum(&segment));
        self.write(Event::Positions(PositionsRecord { round, games, positions, bytes, digest }))
    }

    fn unfinished_games(&self, round: u64) -> Option<&UnfinishedGames> {
        self.unfinished.games.as_ref().filter(|games| games.round == round)
    }

    fn keep_unfinished_games(&mut self, games: UnfinishedGames) -> Result<()> {
        self.check_place()?;
        self.unfinished = Unfinished { batches: Vec::new(), games: Some(games) };
        self.unfinished.save(&self.path, &self.manifest.run)
    }

    fn samples(&mut self, rounds: RangeInclusive<u64>) -> Result<Box<dyn PositionSource>> {
        self.positions = None;
        rounds.clone().try_for_each(|round| self.check_positions(round))?;
        let paths: Vec<PathBuf> = rounds.map(|round| positions_path(&self.path, round)).collect();
        let game = self.manifest.game(&self.path)?;
        Ok(Box::new(PositionFiles::open_with(game, &paths, Links::Refused)?))
    }

    fn older(&self, files: &[OlderFile]) -> Result<Option<Box<dyn PositionSource>>> {
        if files.is_empty() {
            return Ok(None);
        }
        let opened = reopen(self.manifest.game(&self.path)?, files)?;
        Ok(Some(Box::new(opened)))
    }

    fn fit(&self, round: u64) -> Option<&FitRecord> {
        self.record.fit(round)
    }

    fn keep_fit(&mut self, record: FitRecord, set: &WeightSet) -> Result<()> {
        let text = set.to_json();
        let name = round_name(record.round);
        set.save_with(&self.round_path(record.round), Links::Refused)?;
        match self.record.fit(record.round) {
            None => {
                let files = [(name, checksum(text.as_bytes()))].into();
                let checkpoint = CheckpointFile::of_round(&self.path, record.round);
                self.write_with(Event::Fit(record), files)?;
                checkpoint.remove()
            }
            Some(known) if *known == record => Ok(()),
            Some(_) => Err(self.other("the fit")),
        }
    }

    fn checkpoint(&self, round: u64) -> Result<Option<Vec<u8>>> {
        CheckpointFile::of_round(&self.path, round).read()
    }

    fn keep_checkpoint(&mut self, round: u64, bytes: &[u8]) -> Result<()> {
        self.check_place()?;
        CheckpointFile::of_round(&self.path, round).keep(bytes)
    }

    fn fitted(&self, round: u64) -> Result<Option<WeightSet>> {
        let path = self.round_path(round);
        if !files::exists(&path, Links::Refused)? {
            return Ok(None);
        }
        let remedy = || format!("delete {} and resume: the run makes it again", path.display());
        let set = WeightSet::load_with(&path, Links::Refused).map_err(|e| e.remedy(remedy()))?;
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
