//! Rows as CSV: a line of names, then a line for each position.

use super::{APART, GameNumbers, RowSource, Rows, check_stop, features, find, parse_result};
use crate::error::{Error, Result, shorten};
use crate::files::without_byte_order_mark;
use crate::search::Stop;
use csv::{ByteRecord, ReaderBuilder, Trim};
use rayon::prelude::*;
use std::fs::File;
use std::path::Path;

/// Lines that are parsed at once, on all threads.
const CHUNK: usize = 4_096;
/// Bytes read at once.
const BUFFER: usize = 1 << 20;

/// The columns of a file.
struct Layout {
    names: Vec<String>,
    features: Vec<usize>,
    result: usize,
    game: Option<usize>,
    place: String,
}

/// Reads a file, a chunk of lines at a time.
///
/// # Errors
/// The same as for [`Rows::read`].
pub(super) fn read(path: &Path, source: &RowSource, stop: &Stop) -> Result<Rows> {
    let file = File::open(path).map_err(|error| Error::io(path, "read", error))?;
    let mut reader =
        ReaderBuilder::new().trim(Trim::Headers).buffer_capacity(BUFFER).from_reader(file);
    let layout = Layout::of(&mut reader, source, path)?;
    let names = layout.features.iter().map(|&column| layout.names[column].clone()).collect();
    let mut rows = Rows { names, ..Rows::default() };
    let mut records = vec![ByteRecord::new(); CHUNK];
    let mut games = GameNumbers::default();
    let width = layout.features.len();
    let mut values = vec![0.0; CHUNK * width];
    loop {
        check_stop(stop)?;
        let mut count = 0;
        while count < CHUNK
            && reader.read_byte_record(&mut records[count]).map_err(|e| layout.broken(&e))?
        {
            count += 1;
        }
        let begun = rows.results.len();
        rows.results.resize(begun + count, 0.0);
        let places = values[..count * width].par_chunks_mut(width);
        let places = places.zip(rows.results[begun..].par_iter_mut());
        places
            .zip(records[..count].par_iter())
            .try_for_each(|((values, result), record)| layout.parse(record, values, result))?;
        values[..count * width].chunks(width).for_each(|row| rows.push(row));
        if let Some(column) = layout.game {
            for record in &records[..count] {
                let number = games.next(record.get(column).unwrap_or_default());
                let [reason, remedy] = APART;
                rows.games.push(number.ok_or_else(|| layout.bad(record, column, reason, remedy))?);
            }
        }
        if count < CHUNK {
            return Ok(rows);
        }
    }
}

impl Layout {
    fn of(reader: &mut csv::Reader<File>, source: &RowSource, path: &Path) -> Result<Self> {
        let place = path.display().to_string();
        let header = reader.headers().map_err(|error| broken(&place, &error))?;
        let text = |(index, name): (usize, &str)| match index {
            0 => without_byte_order_mark(name).to_owned(),
            _ => name.to_owned(),
        };
        let names: Vec<String> = header.iter().enumerate().map(text).collect();
        let result = find(&names, source.result, "--result", &place)?;
        let game = source.game.map(|game| find(&names, game, "--group", &place)).transpose()?;
        let features = features(&names, [Some(result), game], source.only, &place)?;
        Ok(Self { names, features, result, game, place })
    }

    fn parse(&self, record: &ByteRecord, values: &mut [f32], result: &mut f32) -> Result<()> {
        for (value, &column) in values.iter_mut().zip(&self.features) {
            let number = self.text(record, column)?.parse::<f32>().ok();
            *value = number
                .filter(|value| value.is_finite())
                .ok_or_else(|| self.bad(record, column, "not a number", "write for example 0.5"))?;
        }
        *result = parse_result(self.text(record, self.result)?).ok_or_else(|| {
            self.bad(record, self.result, "not a result", "write 0 to 1, 1-0, 0-1 or 1/2-1/2")
        })?;
        Ok(())
    }

    fn text<'r>(&self, record: &'r ByteRecord, column: usize) -> Result<&'r str> {
        let cell = record.get(column).unwrap_or_default();
        let text = std::str::from_utf8(cell).map(str::trim);
        text.map_err(|_| self.bad(record, column, "not text", "save the file as UTF-8"))
    }

    fn bad(&self, record: &ByteRecord, column: usize, reason: &str, remedy: &str) -> Error {
        let line = record.position().map_or(0, csv::Position::line);
        let cell = String::from_utf8_lossy(record.get(column).unwrap_or_default()).into_owned();
        let place = format!("{}, line {line}, column `{}`", self.place, self.names[column]);
        Error::input(place, format!("`{}` is {reason}", shorten(&cell))).remedy(remedy)
    }

    fn broken(&self, error: &csv::Error) -> Error {
        broken(&self.place, error)
    }
}

/// The error for a file that is not CSV.
fn broken(place: &str, error: &csv::Error) -> Error {
    let line = error.position().map(|position| position.line());
    let place = line.map_or(place.to_owned(), |line| format!("{place}, line {line}"));
    let remedy = "write a line of names, then as many cells on every line";
    match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            Error::input(place, format!("{len} cells, and {expected_len} names")).remedy(remedy)
        }
        csv::ErrorKind::Io(error) => Error::failed(place, error),
        _ => Error::input(place, error).remedy(remedy),
    }
}
