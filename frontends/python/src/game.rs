//! A game under way.

use crate::errors::OrException;
use crate::weights::Weights;
use pyo3::prelude::*;
use sparring::any::{self, AnyGame};
use sparring::error::Error;
use sparring::game::{Board, Outcome, Side};
use sparring::games::GameId;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The game of this name.
pub(crate) fn game_id(name: &str) -> PyResult<GameId> {
    name.parse().map_err(|error: Error| crate::errors::exception(error))
}

/// Checks that there is a game of this name.
#[pyfunction]
pub(crate) fn check_game(game: &str) -> PyResult<()> {
    game_id(game).map(drop)
}

/// The board of this size, as `6x6`.
pub(crate) fn board(size: &str) -> PyResult<Board> {
    size.parse().map_err(|error: Error| crate::errors::exception(error))
}

/// A game under way, of any kind.
#[pyclass(frozen, module = "sparring._native")]
pub(crate) struct Game(Mutex<AnyGame>);

impl Game {
    /// The game itself. Nothing that holds it calls back into Python.
    pub(crate) fn held(&self) -> MutexGuard<'_, AnyGame> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn of(game: AnyGame) -> Self {
        Self(Mutex::new(game))
    }
}

#[pymethods]
impl Game {
    /// A game at its start; on the usual board without `size`.
    #[staticmethod]
    #[pyo3(signature = (game, size=None))]
    fn start(game: &str, size: Option<&str>) -> PyResult<Self> {
        let size = size.map(board).transpose()?;
        any::new_game(game_id(game)?, size).map(Self::of).or_exception()
    }

    /// A game that begins with a position.
    #[staticmethod]
    fn from_fen(game: &str, fen: &str) -> PyResult<Self> {
        any::game_from_fen(game_id(game)?, fen).map(Self::of).or_exception()
    }

    /// A copy that continues independently.
    fn copy(&self) -> Self {
        Self::of(self.held().clone())
    }

    #[getter]
    fn name(&self) -> &'static str {
        self.held().id().name()
    }

    #[getter]
    fn size(&self) -> String {
        self.held().board().to_string()
    }

    #[getter]
    fn fen(&self) -> String {
        self.held().fen()
    }

    /// Whose ply it is: 0 for the side that begins, 1 for the other.
    #[getter]
    fn turn(&self) -> usize {
        self.held().side_to_move().index()
    }

    /// The players' names for the two sides.
    #[getter]
    fn side_names(&self) -> [&'static str; 2] {
        let game = self.held();
        [Side::First, Side::Second].map(|side| game.side_name(side))
    }

    fn moves(&self) -> Vec<String> {
        self.held().moves()
    }

    fn push(&self, text: &str) -> PyResult<String> {
        self.held().push(text).or_exception()
    }

    fn pop(&self) -> Option<String> {
        self.held().pop()
    }

    fn history(&self) -> Vec<String> {
        self.held().history()
    }

    /// `1-0`, `0-1` or `1/2-1/2`, or `*` while the game continues.
    fn result(&self) -> &'static str {
        match self.held().outcome() {
            Some(Outcome::Win(Side::First)) => "1-0",
            Some(Outcome::Win(Side::Second)) => "0-1",
            Some(Outcome::Draw) => "1/2-1/2",
            None => "*",
        }
    }

    fn perft(&self, py: Python<'_>, depth: u32) -> PyResult<u64> {
        let game = self.held().clone();
        py.detach(move || game.perft(depth)).or_exception()
    }

    fn diagram(&self) -> String {
        self.held().diagram()
    }

    /// The static value of the position under a set, term by term, as JSON.
    fn explain(&self, weights: &Weights) -> PyResult<String> {
        let explanation = self.held().explain(&weights.held()).or_exception()?;
        serde_json::to_string(&explanation)
            .map_err(|error| pyo3::exceptions::PyOSError::new_err(error.to_string()))
    }
}
