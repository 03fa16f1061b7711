//! The file of a database: `SPARENDG`; one byte each for the version, the columns, the rows and the
//! length of the game's name; the name; one byte each for the number of bounds and the numbers in
//! each; the bounds; for each class the number of its values and of the bytes that follow (`u64`
//! each), then a zstd frame of the values; the CRC-32 of everything before. All numbers are
//! little-endian.

use crate::any::{AnyEndgamePlan, AnyEndgames};
use crate::error::{Error, Result};
use crate::files::{self, Links, NewFile, sweep_beside};
use crate::game::Board;
use crate::games::GameId;
use std::io::{Read, Write};
use std::path::Path;

const MAGIC: &[u8] = b"SPARENDG";
const VERSION: u8 = 1;
/// The largest file that is read, in bytes.
const MOST_BYTES: u64 = 1 << 36;
/// The compression level of zstd, which has 22 at most.
const LEVEL: i32 = 15;

/// Writes a database to a file, and returns its size in bytes.
///
/// # Errors
/// When the file cannot be written.
pub fn save(endgames: &AnyEndgames, path: &Path) -> Result<u64> {
    let (file, bytes) = begin_file(endgames, path)?;
    file.finish(true).map_err(|error| Error::io(path, "write", error))?;
    Ok(bytes)
}

/// Writes a database to a file that is yet to get its name, and returns it with its size in bytes.
///
/// # Errors
/// When the file cannot be written.
pub fn begin_file(endgames: &AnyEndgames, path: &Path) -> Result<(NewFile, u64)> {
    let bytes = to_bytes(endgames)?;
    // A killed command may have left a part of the file.
    sweep_beside(path);
    let mut file = NewFile::create(path, Links::Followed)?;
    file.write_all(&bytes).map_err(|error| Error::io(path, "write", error))?;
    Ok((file, bytes.len() as u64))
}

/// The bytes of a database's file.
///
/// # Errors
/// When it cannot be packed.
pub fn to_bytes(endgames: &AnyEndgames) -> Result<Vec<u8>> {
    let (board, name) = (endgames.board(), endgames.game().as_bytes());
    let bounds = endgames.bounds();
    let mut bytes = MAGIC.to_vec();
    bytes.extend([VERSION, board.cols(), board.rows(), name.len() as u8]);
    bytes.extend(name);
    bytes.extend([bounds.len() as u8, bounds.first().map_or(0, Vec::len) as u8]);
    bounds.iter().for_each(|most| bytes.extend(most));
    for values in endgames.values() {
        let packed = zstd::encode_all(values.as_slice(), LEVEL)
            .map_err(|error| Error::failed("endgame database", error))?;
        bytes.extend((values.len() as u64).to_le_bytes());
        bytes.extend((packed.len() as u64).to_le_bytes());
        bytes.extend(packed);
    }
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    Ok(bytes)
}

/// Reads a database, and checks its checksum, its classes and the number of values.
/// [`check_every`](super::check_every) checks the values themselves.
///
/// # Errors
/// When the file cannot be read, is no database, is damaged, or is of a game without databases.
pub fn load(path: &Path) -> Result<AnyEndgames> {
    let failed = |error| Error::io(path, "read", error);
    let mut start = Vec::new();
    let mut file = files::open(path, Links::Followed)?.take(MAGIC.len() as u64);
    file.read_to_end(&mut start).map_err(failed)?;
    if start != MAGIC {
        return Err(no_database().within(path.display()));
    }
    let bytes = files::read(path, Links::Followed, MOST_BYTES)?;
    read(&bytes).map_err(|error| error.within(path.display()))
}

/// As [`load`], for a game on one board.
///
/// # Errors
/// As there, and when the database is for another game or board.
pub fn load_for(path: &Path, game: GameId, board: Board) -> Result<AnyEndgames> {
    let endgames = load(path)?;
    if endgames.game() == game.name && endgames.board() == board {
        return Ok(endgames);
    }
    let [found, wanted] = [(endgames.game(), endgames.board()), (game.name, board)]
        .map(|(game, board)| format!("{game} on {board}"));
    Err(Error::input(path.display(), format!("an endgame database of {found}, not of {wanted}"))
        .remedy("name a database of the game and the board"))
}

fn damaged(reason: &str) -> Error {
    Error::input("endgame database", format!("damaged: {reason}"))
        .remedy("restore the file as `endgame build` wrote it, or build it again")
}

fn no_database() -> Error {
    Error::input("endgame database", "not one: it does not begin with SPARENDG")
        .remedy("name a file that `endgame build` wrote")
}

fn read(bytes: &[u8]) -> Result<AnyEndgames> {
    let Some(rest) = bytes.strip_prefix(MAGIC) else { return Err(no_database()) };
    if let Some(&version) = rest.first().filter(|&&version| version != VERSION) {
        return Err(Error::input("endgame database", format!("version {version} of the format"))
            .remedy(format!("this program reads version {VERSION}")));
    }
    let (body, checksum) = rest.split_last_chunk::<4>().ok_or_else(|| damaged("it is cut off"))?;
    if crc32fast::hash(&bytes[..bytes.len() - 4]) != u32::from_le_bytes(*checksum) {
        return Err(damaged("the checksum does not match the bytes"));
    }
    let mut rest = body;
    let plan = read_plan(&mut rest)?;
    let values = read_values(&plan, &mut rest)?;
    match rest.is_empty() {
        true => plan.with_values(values),
        false => Err(damaged("bytes follow the last class")),
    }
}

/// Reads the header, which says what the database holds.
fn read_plan(rest: &mut &[u8]) -> Result<AnyEndgamePlan> {
    let cut_off = || damaged("its header is cut off");
    let [_, cols, rows, length] = take(rest).ok_or_else(cut_off)?;
    let name = take_slice(rest, length.into()).ok_or_else(cut_off)?;
    let game: GameId = String::from_utf8_lossy(name).parse()?;
    let is_side = |side| (1..=Board::MAX_SIDE).contains(&side);
    if !is_side(cols) || !is_side(rows) {
        return Err(damaged("there is no such board"));
    }
    let [count, numbers] = take(rest).ok_or_else(cut_off)?;
    let bounds = take_slice(rest, usize::from(count) * usize::from(numbers)).ok_or_else(cut_off)?;
    let bounds: Vec<Vec<u8>> =
        bounds.chunks(usize::from(numbers).max(1)).map(<[u8]>::to_vec).collect();
    game.endgame_plan(Board::new(cols, rows), &bounds)
}

/// Reads the values of all classes.
fn read_values(plan: &AnyEndgamePlan, rest: &mut &[u8]) -> Result<Vec<Vec<u8>>> {
    let mut all = Vec::new();
    for (number, size) in plan.sizes().into_iter().enumerate() {
        let wrong = || damaged(&format!("class {number} does not match its bounds"));
        let count = u64::from_le_bytes(take(rest).ok_or_else(wrong)?);
        let length = u64::from_le_bytes(take(rest).ok_or_else(wrong)?);
        let length = usize::try_from(length).map_err(|_| wrong())?;
        let packed = take_slice(rest, length).ok_or_else(wrong)?;
        if count != size {
            return Err(wrong());
        }
        let mut values = Vec::new();
        zstd::Decoder::new(packed)
            .and_then(|decoder| decoder.take(size.saturating_add(1)).read_to_end(&mut values))
            .map_err(|_| wrong())?;
        if values.len() as u64 != size {
            return Err(wrong());
        }
        all.push(values);
    }
    Ok(all)
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, after) = rest.split_first_chunk::<N>()?;
    *rest = after;
    Some(*taken)
}

fn take_slice<'a>(rest: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, after) = rest.split_at_checked(count)?;
    *rest = after;
    Some(taken)
}
