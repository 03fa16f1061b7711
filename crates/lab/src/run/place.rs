//! Checks that the files of an open run are still in place: anything written to removed files is
//! lost.

use super::append::{AppendFile, lost};
use super::dir::RunDir;
use super::files::MANIFEST;
use crate::error::{Error, Result};
use crate::files::{self, Links};
use crate::shell::quote_path;

impl RunDir {
    /// Checks that the directory still belongs to the run.
    ///
    /// # Errors
    /// When its manifest or journal has been removed, moved or replaced, or the system cannot tell.
    pub(super) fn check_place(&self) -> Result<()> {
        let manifest = self.path.join(MANIFEST);
        match files::exists(&manifest, Links::Refused)? {
            true => self.journal.file().check_place(),
            false => Err(lost(&manifest)),
        }
    }

    /// The error if a file that the run needs has been removed, moved or replaced since it was
    /// opened. `None` also if the system cannot tell.
    pub fn lost(&self) -> Option<Error> {
        let manifest = self.path.join(MANIFEST);
        let is_lost = matches!(files::exists(&manifest, Links::Refused), Ok(false));
        let positions = self.positions.as_ref().map(|(_, file)| file);
        let files = [Some(self.journal.file()), Some(self.games.file()), positions];
        let error = match is_lost {
            true => Some(lost(&manifest)),
            false => files.into_iter().flatten().find_map(AppendFile::lost),
        };
        error.map(|error| {
            error.remedy(format!(
                "put it back and resume with `spar resume {}`, or resume the run at its new place",
                quote_path(&self.path)
            ))
        })
    }
}
