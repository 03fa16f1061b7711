//! Positions for the fit, in a compact format: a header, then records of a fixed size.
//!
//! ```text
//! file    "SPARPOS1", length of the header (4 bytes), header (JSON), records or blocks, end (8)
//! record  packed position (see Packing::pack; 12 bytes for Breakthrough, 17 for Ataxx, 51 for
//!         Breakthru), score (2), info (2)
//! score   of the search that chose the move, from the side to move, in percent of a piece's worth
//!         under the weights that searched; cut off at +-32000
//! info    bits 0-1: the game's result for the side to move in half points; bits 2-7: the fold,
//!         equal for all positions of a game; bits 8-15: the ply of the game, cut off at 255
//! block   of a packed file: its records (4), its bytes (4), the records column after column, by zlib
//! end     of a complete file of `spar generate`: "DONE", CRC-32 of all before the end (4)
//! ```
//!
//! `docs/src/fit.md` has every byte, the packed positions included, for readers in other languages.
//!
//! All numbers are little-endian. A Breakthrough position takes 16 bytes, a hundred million of them
//! 1.6 GB.

use crate::any::AnyPosition;
use crate::error::{Error, Result};
use crate::eval::Score;
use crate::game::Board;
use crate::games::GameId;
use serde::{Deserialize, Serialize};

/// The first bytes of a file of positions.
pub const MAGIC: &[u8; 8] = b"SPARPOS1";
/// The version of the header of packed files, the newest one.
pub const VERSION: u32 = 2;
/// The version of the header of files that are not packed.
const PLAIN_VERSION: u32 = 1;
/// The number of folds over which games are spread.
pub const FOLDS: u8 = 64;
/// The longest header that is read, in bytes.
pub const MAX_HEADER: usize = 1 << 20;
/// The greatest score that is kept, in percent of a piece's worth.
pub const MAX_SCORE: i32 = 32_000;
/// Bytes of a record beside the position.
const TAIL: usize = 4;
/// The remedy for records that do not fit this version of the game.
const FIX: &str = "the file is damaged, or for another version: generate the positions again";

/// The header of a file of positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The version of this header.
    pub version: u32,
    /// The game by name, such as `breakthrough`.
    pub game: String,
    /// The board, columns x rows, such as `8x8`.
    pub board: String,
    /// Bytes of a record.
    pub record: usize,
    /// Where the positions come from.
    pub source: serde_json::Value,
    /// Records of a block, in a packed file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<usize>,
}

impl Header {
    /// The header of positions on a board.
    pub fn new(game: GameId, board: Board, source: serde_json::Value) -> Self {
        let (name, board) = (game.name.into(), board.to_string());
        let record = record_bytes(game);
        Self { version: PLAIN_VERSION, game: name, board, record, source, block: None }
    }

    /// The header of the same positions in a packed file, in blocks of this many records.
    pub fn packed(self, records: usize) -> Self {
        Self { version: VERSION, block: Some(records), ..self }
    }

    /// The beginning of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let text = serde_json::to_string(self).unwrap_or_default();
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
        [MAGIC.as_slice(), &length.to_le_bytes(), text.as_bytes()].concat()
    }

    /// Reads the header of a file from its first bytes; returns it with its length in bytes.
    ///
    /// # Errors
    /// When the bytes are no file of positions, or one of a newer version.
    pub fn from_bytes(bytes: &[u8]) -> Result<(Self, usize)> {
        let not = || {
            Error::input("header", "not a file of positions")
                .remedy("`spar generate` makes such files")
        };
        let rest = bytes.strip_prefix(MAGIC.as_slice()).ok_or_else(not)?;
        let (length, rest) = rest.split_first_chunk::<4>().ok_or_else(not)?;
        let length = u32::from_le_bytes(*length) as usize;
        let text = rest.get(..length).filter(|text| text.len() <= MAX_HEADER).ok_or_else(not)?;
        let header: Self = serde_json::from_slice(text).map_err(|error| {
            Error::input("header", error).remedy("generate the positions again")
        })?;
        if header.version > VERSION {
            return Err(Error::input(
                "header",
                format!("version {} is newer than {VERSION}", header.version),
            )
            .remedy("update the program"));
        }
        Ok((header, MAGIC.len() + 4 + length))
    }

    /// Checks that the positions are of this game, and returns their board.
    ///
    /// # Errors
    /// When they are not, or the game is not played on this board.
    pub fn check(&self, game: GameId) -> Result<Board> {
        if self.game != game.name {
            let reason = format!("positions of `{}`, not of `{game}`", self.game);
            return Err(Error::input("header", reason).remedy("name the game with --game"));
        }
        let bytes = record_bytes(game);
        if game.packed == 0 {
            let reason = format!("{game} has no packed positions");
            return Err(Error::input("header", reason).remedy(FIX));
        }
        if self.record != bytes {
            let reason = format!("records of {} bytes; {game} has {bytes}", self.record);
            return Err(Error::input("header", reason).remedy(FIX));
        }
        let board = self.board.parse()?;
        game.start(board).map(|_| board)
    }
}

/// Bytes of a record of a game.
pub fn record_bytes(game: GameId) -> usize {
    game.packed + TAIL
}

/// A digest of bytes, never 0: multiply and shift, eight bytes at a time (the finalizer of
/// SplitMix64, Steele, Lea and Flood 2014). Good against accidents, not against forgery.
pub fn digest(bytes: &[u8]) -> u64 {
    let word =
        |chunk: &[u8]| chunk.iter().rev().fold(0_u64, |word, &byte| word << 8 | u64::from(byte));
    let mixed = bytes.chunks(8).map(word).fold(0x9e37_79b9_7f4a_7c15_u64, |state, word| {
        let z = (state ^ word).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 29).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 32
    });
    mixed.max(1)
}

/// A position with its score and its game's result.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The position, the side to move included.
    pub position: AnyPosition,
    /// The score of the search, in percent of a piece's worth.
    pub score: i32,
    /// The game's result for the side to move, in half points.
    pub half_points: u8,
    /// The fold of its game, below [`FOLDS`].
    pub fold: u8,
    /// The ply of the game, at most 255.
    pub ply: u8,
}

/// The data that a record keeps with its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// The part of the records it stands in, see [`PositionSource::parts`].
    pub part: u32,
    /// The score of the search, in percent of a piece's worth.
    pub score: i32,
    /// The game's result for the side to move, in half points.
    pub half_points: u8,
    /// The fold of its game, below [`FOLDS`].
    pub fold: u8,
}

/// A score in percent of a piece's worth, as records have it.
pub fn percent_of_unit(score: Score, unit: Score) -> i32 {
    let percent = i64::from(score) * 100 / i64::from(unit.max(1));
    percent.clamp(-i64::from(MAX_SCORE), i64::from(MAX_SCORE)) as i32
}

impl Sample {
    /// A sample to [read](Self::read) records of a board into.
    ///
    /// # Errors
    /// When the game is not played on the board.
    pub fn on_board(game: GameId, board: Board) -> Result<Self> {
        Ok(Self { position: game.start(board)?, score: 0, half_points: 0, fold: 0, ply: 0 })
    }

    /// Bytes of its record.
    pub fn record_bytes(&self) -> usize {
        self.position.packed() + TAIL
    }

    /// The record's label of the position, in a part of the records.
    pub fn label(&self, part: usize) -> Label {
        let Self { score, half_points, fold, .. } = *self;
        Label { part: part as u32, score, half_points, fold }
    }

    /// Appends the record; false, and nothing appended, when the position cannot be packed.
    pub fn write(&self, bytes: &mut Vec<u8>) -> bool {
        let begin = bytes.len();
        bytes.resize(begin + self.position.packed(), 0);
        if !self.position.pack(&mut bytes[begin..]) {
            bytes.truncate(begin);
            return false;
        }
        let score = self.score.clamp(-MAX_SCORE, MAX_SCORE) as i16;
        let info = u16::from(self.half_points & 3)
            | u16::from(self.fold % FOLDS) << 2
            | u16::from(self.ply) << 8;
        bytes.extend(score.to_le_bytes());
        bytes.extend(info.to_le_bytes());
        true
    }

    /// Replaces the content by a record's. Nothing is allocated, so one sample can read many
    /// records.
    ///
    /// # Errors
    /// When the bytes are not a record of a position on the same board.
    pub fn read(&mut self, record: &[u8]) -> Result<()> {
        let parts = record.split_at_checked(self.position.packed());
        let (packed, tail) = parts.ok_or_else(|| Error::input("record", "cut off"))?;
        let &[a, b, c, d] = tail else { return Err(Error::input("record", "of the wrong size")) };
        let info = u16::from_le_bytes([c, d]);
        if info & 3 == 3 {
            return Err(Error::input("record", "no such result"));
        }
        let score: i32 = i16::from_le_bytes([a, b]).into();
        if score.abs() > MAX_SCORE {
            return Err(Error::input("record", format!("the score {score} is out of range")));
        }
        self.position.unpack(packed)?;
        self.score = score;
        self.half_points = (info & 3) as u8;
        self.fold = (info >> 2) as u8 % FOLDS;
        self.ply = (info >> 8) as u8;
        Ok(())
    }
}

/// Records that can be read in any order, by several threads at once.
pub trait PositionSource: Sync {
    /// The number of records.
    fn count(&self) -> u64;

    /// Bytes of a record.
    fn record(&self) -> usize;

    /// The number of the first record of each part, in order: parts come from different sources,
    /// such as files.
    fn parts(&self) -> Vec<u64> {
        vec![0]
    }

    /// The name of each part, where the parts have names.
    fn names(&self) -> Vec<String> {
        Vec::new()
    }

    /// The path of each part, for errors.
    fn paths(&self) -> Vec<String> {
        Vec::new()
    }

    /// The place of a record, for errors: the path of the file, and the number in it, from 0.
    fn place(&self, index: u64) -> String {
        let (parts, paths) = (self.parts(), self.paths());
        let part = parts.partition_point(|&first| first <= index).saturating_sub(1);
        let path = paths.get(part).map_or("positions", String::as_str);
        format!("{path}, record {}", index - parts.get(part).copied().unwrap_or(0))
    }

    /// Reads a record into a sample.
    ///
    /// # Errors
    /// When the bytes are not a record of a position on the sample's board. The error names the
    /// place of the record, by its number.
    fn sample(&self, index: u64, record: &[u8], sample: &mut Sample) -> Result<()> {
        sample.read(record).map_err(|e| e.within(self.place(index)).remedy(FIX))
    }

    /// Fills `bytes` with the records from `first` on, `count` of them.
    ///
    /// # Errors
    /// When they cannot be read.
    fn read(&self, first: u64, count: usize, bytes: &mut Vec<u8>) -> Result<()>;
}

/// Records that are kept in memory.
pub struct InMemory {
    /// Bytes of a record.
    pub record: usize,
    /// The records, one after the other.
    pub bytes: Vec<u8>,
}

impl PositionSource for InMemory {
    fn count(&self) -> u64 {
        (self.bytes.len() / self.record.max(1)) as u64
    }

    fn record(&self) -> usize {
        self.record
    }

    fn read(&self, first: u64, count: usize, bytes: &mut Vec<u8>) -> Result<()> {
        let begin = first as usize * self.record;
        let records = self.bytes.get(begin..begin + count * self.record);
        let records = records.ok_or_else(|| Error::input("positions", "fewer than asked for"))?;
        bytes.clear();
        bytes.extend_from_slice(records);
        Ok(())
    }
}
