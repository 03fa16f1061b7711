//! Which openings a match or a tune is played from.

use super::SAMPLE;
use super::file::{BookFile, BookPart};
use super::lines::BookLines;
use crate::any::{AnyOpening, AnyPosition};
use crate::arena::seed::generator;
use crate::error::{Error, Result};
use crate::game::Board;
use crate::games::GameId;
use serde::{Deserialize, Serialize};

/// The place of the candidates' generators below a book's seed.
const CANDIDATES: u64 = 1;

/// The configuration that determines a book's openings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BookConfig {
    /// The board, for example `8x8`.
    pub board: String,
    /// Random plies of an opening, at most [`BookConfig::MAX_PLIES`].
    pub plies: u32,
    /// The share of candidates to keep, the most balanced ones: above 0, at most 1 (1 keeps nearly
    /// all that are not lost).
    pub keep: f64,
    /// The seed of the random plies, and of the order of a file's openings.
    pub seed: u64,
    /// In games that this program's engine does not play: keeps the random openings that the
    /// players' engine scores within this many hundredths of a pawn; `None` keeps all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub balance: Option<u32>,
    /// The file of openings. With a file, only self-play uses random plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<BookFile>,
}

impl BookConfig {
    /// The share of candidates kept by default.
    pub const KEEP: f64 = 0.5;
    /// The greatest score of a balanced opening by default, where an external engine judges.
    pub const BALANCE: u32 = 120;
    /// The most random plies of an opening. No game here lasts as long.
    pub const MAX_PLIES: u32 = 1000;

    /// The usual openings of a board.
    pub fn new(game: GameId, board: Board, seed: u64) -> Self {
        let plies = game.default_opening_plies(board);
        let keep = if game.has_engine() { Self::KEEP } else { 1.0 };
        let balance = (!game.has_engine() && plies > 0).then_some(Self::BALANCE);
        Self { board: board.to_string(), plies, keep, seed, balance, file: None }
    }

    /// The same openings, or this part of a file's openings.
    #[must_use]
    pub fn part(&self, part: BookPart) -> Self {
        let file = self.file.clone().map(|file| BookFile { part, ..file });
        Self { file, ..self.clone() }
    }

    /// Where the openings come from, for people: `8 random plies`, or the file's name.
    pub fn words(&self) -> String {
        match &self.file {
            Some(file) => file.name().to_owned(),
            None => format!("{} random plies", self.plies),
        }
    }

    /// Checks that every number is in range.
    ///
    /// # Errors
    /// When one is out of range.
    pub fn check(&self) -> Result<()> {
        if self.plies > Self::MAX_PLIES {
            return Err(Error::input(
                format!("openings of {} random plies", self.plies),
                "out of range",
            )
            .remedy(format!("give at most {} with --plies", Self::MAX_PLIES)));
        }
        if !(self.keep > 0.0 && self.keep <= 1.0) {
            return Err(Error::input(
                format!("share of openings kept, {}", self.keep),
                "out of range",
            )
            .remedy("give a number above 0 and at most 1 with --keep"));
        }
        self.file.as_ref().map_or(Ok(()), BookFile::check)
    }

    /// Checks the numbers, and that such openings exist.
    ///
    /// # Errors
    /// When the board does not exist, a number is out of range, random play always ends in fewer
    /// plies, or the file has changed or cannot be read.
    pub fn check_for(&self, game: GameId) -> Result<()> {
        self.lines(game).map(drop)
    }

    /// Checks everything, and returns the lines of the file if the openings come from one.
    pub(super) fn lines(&self, game: GameId) -> Result<Option<BookLines>> {
        self.check()?;
        let board = self.board.parse()?;
        let start = game.start(board)?;
        if let Some(file) = &self.file {
            return BookLines::read(file, game, board, self.seed).map(Some);
        }
        if (0..SAMPLE).any(|number| self.candidate(&start, number).is_some()) {
            return Ok(None);
        }
        Err(Error::input(
            format!("openings of {} random plies on {}", self.plies, self.board),
            "every game is over by then",
        )
        .remedy("ask for fewer with --plies"))
    }

    /// The opening of this number from a start; `None` if random play ends the game first.
    pub(crate) fn candidate(&self, start: &AnyPosition, number: u64) -> Option<AnyOpening> {
        let mut generator = generator(self.seed, &[CANDIDATES, number]);
        start.random_line(self.plies, &mut generator)
    }
}
