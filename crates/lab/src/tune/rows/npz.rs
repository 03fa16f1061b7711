//! Rows as numpy arrays, from `numpy.savez(file, X=..., y=..., names=...)`: versions 1 to 3 of the
//! array format.

use super::{APART, GameNumbers, RowSource, Rows, features, find};
use crate::error::{Error, Result};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;
use zip::ZipArchive;
use zip::result::ZipError;

/// The remedy for a file without the arrays that are needed.
const REMEDY: &str =
    "write it with numpy.savez(file, X=features, y=results, names=names, groups=games)";
/// The first bytes of every array.
const MAGIC: &[u8] = b"\x93NUMPY";
/// The largest header that is read, in bytes.
const MOST_HEADER: usize = 1 << 16;

/// An array: its shape, the kind and size of its numbers, and their bytes.
struct Array {
    shape: Vec<usize>,
    kind: char,
    size: usize,
    bytes: Vec<u8>,
}

/// Reads the arrays `X` (rows by features) and `y` (results), and, if they exist, `names` and
/// `groups` (the games).
///
/// # Errors
/// The same as for [`Rows::read`].
pub(super) fn read(path: &Path, source: &RowSource) -> Result<Rows> {
    let place = path.display().to_string();
    let file = File::open(path).map_err(|error| Error::io(path, "read", error))?;
    let broken = |error: ZipError| Error::input(&place, error).remedy(REMEDY);
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(broken)?;
    let mut array = |name: &str| Array::read(&mut archive, name, &place);
    let missing = |name: &str| Error::input(&place, format!("no array `{name}`")).remedy(REMEDY);
    let table = array("X")?.ok_or_else(|| missing("X"))?;
    let results = array("y")?.ok_or_else(|| missing("y"))?;
    let (names, games) = (array("names")?, array("groups")?);
    let [count, width] = table.shape[..] else {
        return Err(
            Error::input(format!("{place}, array `X`"), "not of two dimensions").remedy(REMEDY)
        );
    };
    for (name, array) in [("y", Some(&results)), ("groups", games.as_ref())] {
        if let Some(array) = array.filter(|array| array.shape != [count]) {
            let reason = format!("shape {:?}, and X has {count} rows", array.shape);
            return Err(Error::input(format!("{place}, array `{name}`"), reason).remedy(REMEDY));
        }
    }
    let names = names_of_columns(names, width, &place)?;
    let chosen = features(&names, [None, None], source.only, &place)?;
    let rows = rows_of(&table, width, (&names, &chosen), &place)?;
    let results = results.numbers(&format!("{place}, array `y`"))?;
    if let Some(row) = results.iter().position(|result| !(0.0..=1.0).contains(result)) {
        return Err(Error::input(
            format!("{place}, array `y`, row {row}"),
            format!("{} is not a result", results[row]),
        )
        .remedy("give 0 to 1"));
    }
    let place_of = |row| format!("{place}, array `groups`, row {row}");
    let games = games.map_or_else(|| Ok(Vec::new()), |games| games.numbers_of_games(place_of))?;
    if let Some(game) = source.game.filter(|_| games.is_empty()) {
        find(&[], game, "--group", &place)?;
    }
    let names = chosen.iter().map(|&column| names[column].clone()).collect();
    Ok(Rows { names, results, games, ..rows })
}

/// The names of the columns, which are numbered unless the file has the names.
fn names_of_columns(names: Option<Array>, width: usize, place: &str) -> Result<Vec<String>> {
    let place = format!("{place}, array `names`");
    let names = names.map_or_else(
        || Ok((0..width).map(|column| format!("x{column}")).collect()),
        |names| names.texts(&place),
    )?;
    if names.len() != width {
        let reason = format!("{} names, and X has {width} columns", names.len());
        return Err(Error::input(place, reason).remedy(REMEDY));
    }
    Ok(names)
}

/// The chosen columns of a table of this width, row by row.
fn rows_of(
    table: &Array,
    width: usize,
    (names, chosen): (&[String], &[usize]),
    place: &str,
) -> Result<Rows> {
    let read = table.reader(&format!("{place}, array `X`"))?;
    let mut rows = Rows::default();
    let mut values = vec![0.0; chosen.len()];
    for (row, cells) in table.bytes.chunks(width * table.size).enumerate() {
        read(cells, chosen, &mut values);
        if let Some(bad) = values.iter().position(|value| !value.is_finite()) {
            let column = &names[chosen[bad]];
            let place = format!("{place}, array `X`, row {row}, column `{column}`");
            return Err(Error::input(place, "not a number").remedy("leave the row out"));
        }
        rows.push(&values);
    }
    Ok(rows)
}

impl Array {
    /// Reads an array; `None` if there is none with this name.
    fn read(
        archive: &mut ZipArchive<BufReader<File>>,
        name: &str,
        place: &str,
    ) -> Result<Option<Self>> {
        let place = format!("{place}, array `{name}`");
        let mut file = match archive.by_name(&format!("{name}.npy")) {
            Err(ZipError::FileNotFound) => return Ok(None),
            file => file.map_err(|error| Error::input(&place, error).remedy(REMEDY))?,
        };
        let mut bytes = Vec::new();
        let read = file.read_to_end(&mut bytes);
        read.map_err(|error| Error::input(&place, error).remedy(REMEDY))?;
        let bad = |reason: &str| Error::input(&place, reason).remedy(REMEDY);
        let (header, body) = header(&bytes).ok_or_else(|| bad("not an array of numpy"))?;
        if header.contains("'fortran_order': True") {
            return Err(bad("its columns come first (Fortran order)")
                .remedy("save numpy.ascontiguousarray(X)"));
        }
        let kind = quoted(&header, "'descr':").ok_or_else(|| bad("an array of records"))?;
        let shape = shape(&header).ok_or_else(|| bad("without a shape"))?;
        let size = kind.get(2..).and_then(|size| size.parse::<usize>().ok());
        let (Some(letter), Some(size)) = (kind.chars().nth(1), size) else {
            return Err(bad("numbers of an unknown kind"));
        };
        // A character of a numpy string has four bytes.
        let size = if letter == 'U' { 4 * size } else { size };
        let count = shape.iter().try_fold(size, |product, &n| product.checked_mul(n));
        if kind.starts_with('>') || size == 0 || count != Some(bytes.len() - body) {
            return Err(bad("not as long as its shape, or of another byte order"));
        }
        bytes.drain(..body);
        Ok(Some(Self { shape, kind: letter, size, bytes }))
    }

    fn numbers(&self, place: &str) -> Result<Vec<f32>> {
        let all: Vec<usize> = (0..self.bytes.len() / self.size).collect();
        let mut numbers = vec![0.0; all.len()];
        self.reader(place)?(&self.bytes, &all, &mut numbers);
        Ok(numbers)
    }

    /// The reader of cells.
    fn reader(&self, place: &str) -> Result<CellReader> {
        let reader: CellReader = match (self.kind, self.size) {
            ('f', 4) => |cells, places, to| pick(cells, places, to, f32::from_le_bytes),
            ('f', 8) => {
                |cells, places, to| pick(cells, places, to, |it| f64::from_le_bytes(it) as f32)
            }
            ('i', 1) => {
                |cells, places, to| pick(cells, places, to, |it| f32::from(i8::from_le_bytes(it)))
            }
            ('u' | 'b', 1) => |cells, places, to| pick(cells, places, to, |[it]| f32::from(it)),
            ('i', 2) => {
                |cells, places, to| pick(cells, places, to, |it| f32::from(i16::from_le_bytes(it)))
            }
            ('i', 4) => {
                |cells, places, to| pick(cells, places, to, |it| i32::from_le_bytes(it) as f32)
            }
            ('i', 8) => {
                |cells, places, to| pick(cells, places, to, |it| i64::from_le_bytes(it) as f32)
            }
            _ => {
                let reason = format!("numbers of kind {}{}", self.kind, self.size);
                return Err(Error::input(place, reason).remedy("save it as float32"));
            }
        };
        Ok(reader)
    }

    fn texts(&self, place: &str) -> Result<Vec<String>> {
        let text = |cell: &[u8]| match self.kind {
            'U' => cell
                .chunks(4)
                .map(|code| char::from_u32(u32::from_le_bytes(code.try_into().ok()?)))
                .take_while(|&code| code != Some('\0'))
                .collect::<Option<String>>(),
            'S' => {
                let end = cell.iter().position(|&byte| byte == 0).unwrap_or(cell.len());
                std::str::from_utf8(&cell[..end]).ok().map(Into::into)
            }
            _ => None,
        };
        let texts = self.bytes.chunks(self.size).map(text).collect::<Option<Vec<String>>>();
        texts.ok_or_else(|| Error::input(place, "not texts").remedy(REMEDY))
    }

    /// The number of the game that each cell names.
    fn numbers_of_games(&self, place: impl Fn(usize) -> String) -> Result<Vec<u32>> {
        let mut games = GameNumbers::default();
        let [reason, remedy] = APART;
        let number = |(row, cell)| {
            let number = games.next(cell);
            number.ok_or_else(|| Error::input(place(row), reason).remedy(remedy))
        };
        self.bytes.chunks(self.size).enumerate().map(number).collect()
    }
}

/// Reads the cells at these places into as many numbers.
type CellReader = fn(&[u8], &[usize], &mut [f32]);

fn pick<const N: usize>(
    cells: &[u8],
    places: &[usize],
    to: &mut [f32],
    number: impl Fn([u8; N]) -> f32,
) {
    let (cells, _) = cells.as_chunks::<N>();
    to.iter_mut().zip(places).for_each(|(to, &place)| *to = number(cells[place]));
}

/// The header of an array, and the offset of its numbers.
fn header(bytes: &[u8]) -> Option<(String, usize)> {
    let rest = bytes.strip_prefix(MAGIC)?;
    let (length, begin) = match rest.first()? {
        1 => (usize::from(u16::from_le_bytes(rest.get(2..4)?.try_into().ok()?)), 10),
        2 | 3 => (u32::from_le_bytes(rest.get(2..6)?.try_into().ok()?) as usize, 12),
        _ => return None,
    };
    let end = begin + length.min(MOST_HEADER);
    let text = std::str::from_utf8(bytes.get(begin..end)?).ok()?;
    Some((text.to_owned(), end))
}

/// The text in quotes after a key of the header.
fn quoted<'a>(header: &'a str, key: &str) -> Option<&'a str> {
    let value = header.split_once(key)?.1.trim_start();
    value.strip_prefix('\'')?.split_once('\'').map(|(text, _)| text)
}

/// The shape in the header.
fn shape(header: &str) -> Option<Vec<usize>> {
    let inside = header.split_once("'shape':")?.1.split_once('(')?.1.split_once(')')?.0;
    let sizes = inside.split(',').map(str::trim).filter(|size| !size.is_empty());
    sizes.map(|size| size.parse().ok()).collect()
}
