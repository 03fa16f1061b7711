//! Features and patterns of many positions at once, as the bytes of arrays.

use crate::errors::OrException;
use crate::game::{board, game_id};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sparring::any::AnyPosition;
use sparring::error::Result;
use sparring::games::GameId;

/// The names of a game's single features.
#[pyfunction]
pub(crate) fn feature_names(game: &str) -> PyResult<Vec<&'static str>> {
    Ok(game_id(game)?.feature_names())
}

/// The names of a game's tables with the number of patterns that each has on a board.
#[pyfunction]
pub(crate) fn table_names(game: &str, size: &str) -> PyResult<Vec<(&'static str, usize)>> {
    let size = board(size)?;
    Ok(game_id(game)?.tables.iter().map(|table| (table.name, (table.cells)(size))).collect())
}

/// Appends the counts of the features in a position, 4 bytes each.
fn write_features(position: &AnyPosition, bytes: &mut Vec<u8>) {
    bytes.extend(position.features().into_iter().flat_map(i32::to_le_bytes));
}

/// Reads positions one after the other.
fn each_fen(game: GameId, fens: &[String], mut each: impl FnMut(&AnyPosition)) -> Result<()> {
    fens.iter().enumerate().try_for_each(|(index, fen)| {
        let position = game.from_fen(fen);
        each(&position.map_err(|error| error.within(format!("position {index}")))?);
        Ok(())
    })
}

/// The features of positions: a row of 4-byte numbers for each.
#[pyfunction]
pub(crate) fn features<'py>(
    py: Python<'py>,
    game: &str,
    fens: Vec<String>,
) -> PyResult<Bound<'py, PyBytes>> {
    let id = game_id(game)?;
    let mut bytes = Vec::with_capacity(fens.len() * id.features.len() * 4);
    py.detach(|| each_fen(id, &fens, |position| write_features(position, &mut bytes)))
        .or_exception()?;
    Ok(PyBytes::new(py, &bytes))
}

/// The patterns of a table in positions, as compressed sparse rows: the start of each row (8 bytes
/// each), the cells in order, and the count of each pattern (4 bytes each).
#[pyfunction]
pub(crate) fn patterns<'py>(
    py: Python<'py>,
    game: &str,
    table: &str,
    fens: Vec<String>,
) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
    let id = game_id(game)?;
    let place = id.tables.iter().position(|known| known.name == table).ok_or_else(|| {
        let names: Vec<&str> = id.tables.iter().map(|table| table.name).collect();
        let reason = format!("{game} has no table `{table}`; it has: {}", names.join(", "));
        PyValueError::new_err(reason)
    })?;
    let (mut starts, mut cells, mut counts) = (vec![0; 8], Vec::new(), Vec::new());
    let write = |position: &AnyPosition| {
        let mut shown = position.cells(place);
        shown.sort_unstable();
        for same in shown.chunk_by(|a, b| a == b) {
            cells.extend(same[0].to_le_bytes());
            counts.extend((same.len() as u32).to_le_bytes());
        }
        starts.extend((cells.len() as u64 / 4).to_le_bytes());
    };
    py.detach(|| each_fen(id, &fens, write)).or_exception()?;
    let [starts, cells, counts] = [&starts, &cells, &counts].map(|bytes| PyBytes::new(py, bytes));
    Ok((starts, cells, counts))
}

/// The bytes of a packed position.
#[pyfunction]
pub(crate) fn packed_size(game: &str) -> PyResult<usize> {
    Ok(game_id(game)?.packed)
}

/// Reads the positions from records of equal size, each beginning with a packed position.
fn each_packed(
    game: GameId,
    size: &str,
    (records, record): (&[u8], usize),
    mut each: impl FnMut(&AnyPosition),
) -> Result<()> {
    let mut position = game.start(size.parse()?)?;
    records.chunks_exact(record.max(1)).enumerate().try_for_each(|(index, bytes)| {
        position.unpack(bytes).map_err(|error| error.within(format!("record {index}")))?;
        each(&position);
        Ok(())
    })
}

/// The features of packed positions: a row of 4-byte numbers for each.
#[pyfunction]
pub(crate) fn packed_features<'py>(
    py: Python<'py>,
    game: &str,
    size: &str,
    records: &[u8],
    record: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let id = game_id(game)?;
    let mut bytes = Vec::new();
    let write = |position: &AnyPosition| write_features(position, &mut bytes);
    py.detach(|| each_packed(id, size, (records, record), write)).or_exception()?;
    Ok(PyBytes::new(py, &bytes))
}

/// Packed positions as FEN.
#[pyfunction]
pub(crate) fn packed_fens(
    py: Python<'_>,
    game: &str,
    size: &str,
    records: &[u8],
    record: usize,
) -> PyResult<Vec<String>> {
    let id = game_id(game)?;
    let mut fens = Vec::new();
    let write = |position: &AnyPosition| fens.push(position.fen());
    py.detach(|| each_packed(id, size, (records, record), write)).or_exception()?;
    Ok(fens)
}
