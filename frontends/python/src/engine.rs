//! Searches that let other Python threads run, and end with Ctrl-C.

use crate::errors::OrException;
use crate::game::{Game, board};
use crate::weights::Weights;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use sparring::any::{self, TextEngine, TextLine, TextReport};
use sparring::search::score::plies_to_win;
use sparring::search::{Limits, Stop};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, TryLockError};
use std::time::Duration;

/// How often a search looks for signals, such as Ctrl-C.
const BETWEEN_SIGNALS: Duration = Duration::from_millis(50);
/// The stack of a search's thread, in bytes.
const STACK: usize = 16 << 20;
/// The largest table, in MiB.
pub(crate) const MAX_TABLE: usize = 1 << 16;

/// A line: score, depth, moves, plies to a proven win.
type Line = (i32, u32, Vec<String>, Option<i32>);
/// The result of a search: move, score, depth, nodes, seconds, line, plies to a proven win, lines.
type Found = (Option<String>, i32, u32, u64, f64, Vec<String>, Option<i32>, Vec<Line>);

/// An engine for one board.
#[pyclass(frozen, module = "sparring._native")]
pub(crate) struct Engine {
    engine: Mutex<TextEngine>,
    stop: Mutex<Stop>,
}

fn found(report: &TextReport) -> Found {
    let TextReport { best, score, depth, nodes, elapsed, pv, lines } = report.clone();
    let line = |TextLine { depth, score, pv }| (score, depth, pv, plies_to_win(score));
    let lines = lines.into_iter().map(line).collect();
    (best, score, depth, nodes, elapsed.as_secs_f64(), pv, plies_to_win(score), lines)
}

/// Waits for the end of a search, reports each depth, and checks for signals.
fn attend(
    py: Python<'_>,
    depths: Receiver<TextReport>,
    on_depth: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let depths = Mutex::new(depths);
    loop {
        let news = py.detach(|| {
            let depths = depths.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            depths.recv_timeout(BETWEEN_SIGNALS)
        });
        match news {
            Ok(report) => {
                if let Some(callback) = on_depth {
                    callback.call1(found(&report))?;
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            // The search has ended.
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        py.check_signals()?;
    }
}

#[pymethods]
impl Engine {
    /// An engine that plays a board with a set, and a table of this many MiB.
    #[new]
    fn new(weights: &Weights, size: &str, table: usize) -> PyResult<Self> {
        if table == 0 || table > MAX_TABLE {
            let reason = format!("a table of {table} MiB; give 1 to {MAX_TABLE}");
            return Err(PyValueError::new_err(reason));
        }
        let engine = any::engine(&weights.held(), board(size)?, table << 20).or_exception()?;
        Ok(Self { engine: Mutex::new(engine), stop: Mutex::default() })
    }

    /// Searches the position of a game for this many lines, each beginning with one of these moves.
    #[pyo3(signature = (game, nodes=None, depth=None, movetime=None, on_depth=None, multipv=1, searchmoves=Vec::new()))]
    #[expect(clippy::too_many_arguments, reason = "Python names them")]
    fn search(
        &self,
        py: Python<'_>,
        game: &Game,
        nodes: Option<u64>,
        depth: Option<u32>,
        movetime: Option<f64>,
        on_depth: Option<&Bound<'_, PyAny>>,
        multipv: usize,
        searchmoves: Vec<String>,
    ) -> PyResult<Found> {
        let movetime = movetime.map(Duration::try_from_secs_f64).transpose();
        let movetime = movetime.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let limits = Limits { nodes, depth, movetime, clock: None };
        let mut engine = match self.engine.try_lock() {
            Ok(engine) => engine,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => {
                return Err(PyRuntimeError::new_err(
                    "this engine is searching already; wait for it, or use another one",
                ));
            }
        };
        let (engine, game, stop) = (&mut *engine, game.held().clone(), Stop::default());
        let lines = TextEngine::lines_of(&game, multipv, &searchmoves).or_exception()?;
        *self.stop.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = stop.clone();
        std::thread::scope(|scope| {
            let (tell, depths) = channel();
            let searching = stop.clone();
            let search =
                std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                    engine.search_lines(&lines, &game, &limits, &searching, &mut |report| {
                        // The receiver is gone after an exception, which also ends the search.
                        let _ = tell.send(report.clone());
                    })
                })?;
            let attended = attend(py, depths, on_depth);
            if attended.is_err() {
                stop.set();
            }
            let ended = py.detach(|| search.join());
            attended?;
            let report = ended.map_err(|_| PyRuntimeError::new_err("the search has failed"))?;
            report.map(|report| found(&report)).or_exception()
        })
    }

    /// Stops the search that another thread has begun, if there is one; that search returns the
    /// best move so far.
    fn stop(&self) {
        self.stop.lock().unwrap_or_else(std::sync::PoisonError::into_inner).set();
    }

    /// Clears the tables, as before each game.
    fn clear(&self, py: Python<'_>) {
        py.detach(|| self.engine.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clear());
    }
}
