//! The packed form of a book, for books that come with the program: its description as JSON, then
//! the moves between its positions.
//!
//! `SPARBOOK`, the version (2, one byte), the length of the head (`u32`, little-endian), the head
//! as JSON, the body packed by zlib, and the CRC-32 of all before. The body is the value of the
//! start, then the start itself. A position is the number of its moves, then each move: its place
//! among the legal moves in the order of their texts, the difference between the value after it and
//! the value expected from the one before it, and the position after it in the same form. A
//! position that was met before does not come again. Numbers are in LEB128, values in zigzag form.

use super::compact::MAGIC;
use super::node::MOST_PLIES;
use super::probe::OpeningBook;
use super::tree::{MOST_POSITIONS, OpeningTree, successors, value_after};
use crate::any::AnyPosition;
use crate::error::{Error, Result};
use crate::eval::Score;
use crate::game::Board;
use crate::games::GameId;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io::{Read, Write};

/// The version number of the packed form; lower ones are compact.
pub(super) const PACKED_VERSION: u8 = 2;
/// The most bytes of a position in the unpacked body: three numbers.
const POSITION_BYTES: u64 = 20;

/// The description of a packed book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BookHead {
    /// The game that it is for.
    pub game: String,
    /// The board that it is for.
    pub board: String,
    /// The name of the weight set that searched.
    pub weights: String,
    /// The fingerprint of its weights and search constants.
    pub fingerprint: String,
    /// The score of a piece under these weights.
    pub unit: Score,
    /// Nodes of each position's search.
    pub nodes: u64,
    /// The version of the program that packed it.
    pub program: String,
    /// Positions with a value.
    pub positions: u64,
    /// The value of the start for the first side, in units of the weight set.
    pub value: Score,
}

impl OpeningTree {
    /// The tree's book in the packed form.
    ///
    /// # Errors
    /// When it cannot be packed.
    pub fn to_packed(&self) -> Result<Vec<u8>> {
        let failed = |error: std::io::Error| Error::failed("opening book", error);
        let book = OpeningBook::of(self);
        let start = self.game().start(self.board())?;
        let value = book.values.get(&start.canonical_key()).copied().unwrap_or_default();
        let mut writer = Writer { book: &book, met: Default::default(), bytes: Vec::new() };
        writer.number(zigzag(value.into()));
        writer.met.insert(start.canonical_key());
        writer.position(&start, value);
        let settings = self.settings();
        let head = BookHead {
            game: self.game().name.into(),
            board: self.board().to_string(),
            weights: settings.weights.clone(),
            fingerprint: settings.fingerprint.clone(),
            unit: settings.unit,
            nodes: settings.nodes,
            program: env!("CARGO_PKG_VERSION").into(),
            positions: writer.met.len() as u64,
            value,
        };
        let head = serde_json::to_vec(&head).map_err(|e| Error::failed("opening book", e))?;
        let length = u32::try_from(head.len()).map_err(|e| Error::failed("opening book", e))?;
        let mut bytes = MAGIC.to_vec();
        bytes.push(PACKED_VERSION);
        bytes.extend(length.to_le_bytes());
        bytes.extend(head);
        let mut packer = ZlibEncoder::new(bytes, Compression::best());
        packer.write_all(&writer.bytes).map_err(failed)?;
        let mut bytes = packer.finish().map_err(failed)?;
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        Ok(bytes)
    }
}

/// Writes the positions of a book.
struct Writer<'a> {
    book: &'a OpeningBook,
    /// The keys that were written.
    met: std::collections::HashSet<u128>,
    bytes: Vec<u8>,
}

impl Writer<'_> {
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    fn position(&mut self, position: &AnyPosition, value: Score) {
        let mut moves = Vec::new();
        for (place, next) in in_order(position).into_iter().enumerate() {
            if let Some(&after) = self.book.values.get(&next.key)
                && self.met.insert(next.key)
            {
                moves.push((place, after, next));
            }
        }
        self.number(moves.len() as u64);
        for (place, after, next) in moves {
            self.number(place as u64);
            let expected = value_after(value, next.keeps_turn);
            self.number(zigzag(i64::from(after) - i64::from(expected)));
            self.position(&next.position, after);
        }
    }
}

/// The successors of a position in the order of the texts of their moves, which no version of the
/// program changes.
fn in_order(position: &AnyPosition) -> Vec<super::tree::Successor> {
    let mut found: Vec<_> = successors(position).collect();
    found.sort_by_cached_key(|next| position.move_text(next.mv));
    found
}

fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)) as u64
}

fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

fn damaged() -> Error {
    Error::input("opening book", "damaged: its checksum, its length or a move is wrong")
        .remedy("export it again with `book export --to packed`")
}

/// The head of a packed book, and the packed body behind it.
///
/// # Errors
/// When the bytes are no packed book.
pub(super) fn head(bytes: &[u8]) -> Result<(BookHead, &[u8])> {
    let (body, checksum) = bytes.split_last_chunk::<4>().ok_or_else(damaged)?;
    let rest = body.strip_prefix(MAGIC).and_then(|rest| rest.strip_prefix(&[PACKED_VERSION]));
    let (length, rest) = rest.and_then(|rest| rest.split_first_chunk::<4>()).ok_or_else(damaged)?;
    let length = u32::from_le_bytes(*length) as usize;
    let (head, body_of_moves) = rest.split_at_checked(length).ok_or_else(damaged)?;
    if crc32fast::hash(body) != u32::from_le_bytes(*checksum) {
        return Err(damaged());
    }
    Ok((serde_json::from_slice(head).map_err(|_| damaged())?, body_of_moves))
}

/// Reads the packed form, and checks that every move is legal.
pub(super) fn read(bytes: &[u8]) -> Result<OpeningBook> {
    let (head, packed) = head(bytes)?;
    let (game, board): (GameId, Board) = (head.game.parse()?, head.board.parse()?);
    let start = game.start(board)?;
    if head.unit < 1 || head.positions > MOST_POSITIONS as u64 {
        return Err(damaged());
    }
    let mut unpacked = Vec::new();
    let most = POSITION_BYTES * (head.positions + 1);
    let read = ZlibDecoder::new(packed).take(most).read_to_end(&mut unpacked);
    read.map_err(|_| damaged())?;
    let mut reader = Reader { rest: &unpacked, values: HashMap::new(), most: head.positions };
    let value = reader.value(0)?;
    reader.add(start.canonical_key(), value)?;
    reader.position(&start, value, 0)?;
    if !reader.rest.is_empty() || reader.values.len() as u64 != head.positions {
        return Err(damaged());
    }
    Ok(OpeningBook { game, board, unit: head.unit, values: reader.values })
}

/// Reads the positions of a book.
struct Reader<'a> {
    rest: &'a [u8],
    values: HashMap<u128, Score>,
    most: u64,
}

impl Reader<'_> {
    fn number(&mut self) -> Result<u64> {
        let mut number = 0;
        for shift in (0..63).step_by(7) {
            let (&byte, rest) = self.rest.split_first().ok_or_else(damaged)?;
            self.rest = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(damaged())
    }

    /// Reads a value, which is stored as its difference from the expected one.
    fn value(&mut self, expected: Score) -> Result<Score> {
        let difference = unzigzag(self.number()?);
        let value = difference.checked_add(expected.into()).ok_or_else(damaged)?;
        Score::try_from(value).map_err(|_| damaged())
    }

    fn add(&mut self, key: u128, value: Score) -> Result<()> {
        let is_new = self.values.insert(key, value).is_none();
        match is_new && self.values.len() as u64 <= self.most {
            true => Ok(()),
            false => Err(damaged()),
        }
    }

    fn position(&mut self, position: &AnyPosition, value: Score, ply: u16) -> Result<()> {
        let count = self.number()?;
        if count == 0 {
            return Ok(());
        }
        let next = in_order(position);
        if ply >= MOST_PLIES || count > next.len() as u64 {
            return Err(damaged());
        }
        for _ in 0..count {
            let place = usize::try_from(self.number()?).map_err(|_| damaged())?;
            let next = next.get(place).ok_or_else(damaged)?;
            let after = self.value(value_after(value, next.keeps_turn))?;
            self.add(next.key, after)?;
            self.position(&next.position, after, ply + 1)?;
        }
        Ok(())
    }
}
