//! Features and patterns of many positions at once, as the bytes of arrays.

use crate::errors::OrException;
use crate::game::{board, game_id};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sparring::error::Result;
use sparring::eval::Game;
use sparring::with_game;

/// The names of a game's single features.
#[pyfunction]
pub(crate) fn feature_names(game: &str) -> PyResult<Vec<&'static str>> {
    let names = with_game!(game_id(game)?, G => {
        G::FEATURES.iter().map(|feature| feature.name).collect()
    });
    Ok(names)
}

/// The names of a game's tables with the number of patterns that each has on a board.
#[pyfunction]
pub(crate) fn table_names(game: &str, size: &str) -> PyResult<Vec<(&'static str, usize)>> {
    let size = board(size)?;
    let names = with_game!(game_id(game)?, G => {
        G::TABLES.iter().map(|table| (table.name, (table.cells)(size))).collect()
    });
    Ok(names)
}

/// Appends what the features count in a position, 4 bytes each.
fn write_features<G: Game>(position: &G, bytes: &mut Vec<u8>) {
    let inputs = position.inputs();
    for feature in G::FEATURES {
        bytes.extend((feature.count)(&inputs).to_le_bytes());
    }
}

/// The features of positions: a row of 4-byte numbers for each.
#[pyfunction]
pub(crate) fn features<'py>(
    py: Python<'py>,
    game: &str,
    fens: Vec<String>,
) -> PyResult<Bound<'py, PyBytes>> {
    fn all<G: Game>(fens: &[String]) -> Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(fens.len() * G::FEATURES.len() * 4);
        for (index, fen) in fens.iter().enumerate() {
            let position =
                G::from_fen(fen).map_err(|error| error.within(format!("position {index}")))?;
            write_features(&position, &mut bytes);
        }
        Ok(bytes)
    }
    let id = game_id(game)?;
    let bytes = py.detach(|| with_game!(id, G => all::<G>(&fens))).or_exception()?;
    Ok(PyBytes::new(py, &bytes))
}

/// The patterns of a table that positions show, as compressed sparse rows: where each row begins
/// (8 bytes each), the cells in order, and how often each is shown (4 bytes each).
#[pyfunction]
pub(crate) fn patterns<'py>(
    py: Python<'py>,
    game: &str,
    table: &str,
    fens: Vec<String>,
) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
    fn all<G: Game>(table: usize, fens: &[String]) -> Result<[Vec<u8>; 3]> {
        let (mut starts, mut cells, mut counts) = (vec![0; 8], Vec::new(), Vec::new());
        for (index, fen) in fens.iter().enumerate() {
            let position =
                G::from_fen(fen).map_err(|error| error.within(format!("position {index}")))?;
            let mut shown = position.cells(table);
            shown.sort_unstable();
            for same in shown.chunk_by(|a, b| a == b) {
                cells.extend(same[0].to_le_bytes());
                counts.extend((same.len() as u32).to_le_bytes());
            }
            starts.extend((cells.len() as u64 / 4).to_le_bytes());
        }
        Ok([starts, cells, counts])
    }
    let id = game_id(game)?;
    let place = with_game!(id, G => G::TABLES.iter().position(|known| known.name == table));
    let place = place.ok_or_else(|| {
        let names: Vec<&str> =
            with_game!(id, G => G::TABLES.iter().map(|table| table.name).collect());
        let reason = format!("{game} has no table `{table}`; it has: {}", names.join(", "));
        PyValueError::new_err(reason)
    })?;
    let all = py.detach(|| with_game!(id, G => all::<G>(place, &fens))).or_exception()?;
    let [starts, cells, counts] = all.each_ref().map(|bytes| PyBytes::new(py, bytes));
    Ok((starts, cells, counts))
}

/// The bytes of a packed position.
#[pyfunction]
pub(crate) fn packed_size(game: &str) -> PyResult<usize> {
    Ok(with_game!(game_id(game)?, G => <G as sparring::game::Packing>::PACKED))
}

/// The positions of records of one size, each of which begins with a packed position.
fn unpacked<'a, G: Game>(
    size: &'a str,
    records: &'a [u8],
    record: usize,
) -> Result<impl Iterator<Item = Result<G>> + 'a> {
    let board: sparring::game::Board = size.parse()?;
    let records = records.chunks_exact(record.max(1)).enumerate();
    Ok(records.map(move |(index, bytes)| {
        G::unpack(board, bytes).map_err(|error| error.within(format!("record {index}")))
    }))
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
    fn all<G: Game>(size: &str, records: &[u8], record: usize) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        for position in unpacked::<G>(size, records, record)? {
            write_features(&position?, &mut bytes);
        }
        Ok(bytes)
    }
    let id = game_id(game)?;
    let all = py.detach(|| with_game!(id, G => all::<G>(size, records, record)));
    Ok(PyBytes::new(py, &all.or_exception()?))
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
    fn all<G: Game>(size: &str, records: &[u8], record: usize) -> Result<Vec<String>> {
        unpacked::<G>(size, records, record)?
            .map(|position| position.map(|position| position.fen()))
            .collect()
    }
    let id = game_id(game)?;
    py.detach(|| with_game!(id, G => all::<G>(size, records, record))).or_exception()
}
