use crate::errors::{OrException, exception};
use crate::game::{board, game_id};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt};
use sparring::error::{Error, Result};
use sparring::eval::ScoreUnits;
use sparring::game::Board;
use sparring::games::GameId;
use sparring::player::{DefaultWeights, Player};
use sparring::weights::{self, MAX_SCALE, MAX_TABLE_WEIGHT, MAX_WEIGHT, Weight, WeightSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The names of the shipped sets.
#[pyfunction]
pub(crate) fn shipped() -> Vec<&'static str> {
    weights::shipped().iter().map(|set| set.name).collect()
}

#[pyclass(frozen, module = "sparring._native")]
pub(crate) struct Weights(Mutex<WeightSet>);

impl Weights {
    /// The set itself. Nothing that holds it calls back into Python.
    pub(crate) fn held(&self) -> MutexGuard<'_, WeightSet> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn of(set: WeightSet) -> Self {
        Self(Mutex::new(set))
    }

    /// A set that was read, if an engine can play with it; `place` is what errors call it.
    fn read(set: WeightSet, place: &str) -> PyResult<Self> {
        check(&set, place).or_exception()?;
        Ok(Self::of(set))
    }

    /// The present numbers of a weight.
    fn weight(&self, name: &str) -> PyResult<Weight> {
        let set = self.held();
        let left_out = || left_out(&set).contains(&name).then_some(Weight::One(0));
        let known = set.weights.get(name).cloned().or_else(left_out);
        known.ok_or_else(|| PyKeyError::new_err(name.to_owned()))
    }
}

/// Checks that an engine can play with a set; `place` is what errors call it.
fn check(set: &WeightSet, place: &str) -> Result<()> {
    let game: GameId = set.game.parse().map_err(|error: Error| error.within(place))?;
    let board =
        board_of(set, game).map_err(|error| error.within(format!("{place}, key `board`")))?;
    let default = DefaultWeights::Strongest(board);
    Player::from_set(game, place.to_owned(), set.clone(), default).map(drop)
}

/// The board of a set, or the default board of its game.
fn board_of(set: &WeightSet, game: GameId) -> Result<Board> {
    let board = set.board.as_deref().map_or(Ok(game.default_board), str::parse)?;
    game.start(board).map(|_| board)
}

/// A number as the weight of a feature, or as a cell of a table, by its index.
fn in_range(name: &str, number: &Bound<'_, PyInt>, cell: Option<usize>) -> PyResult<i32> {
    let most = if cell.is_some() { MAX_TABLE_WEIGHT } else { MAX_WEIGHT };
    match number.extract::<i32>() {
        Ok(number) if number.unsigned_abs() <= most.unsigned_abs() => Ok(number),
        _ => {
            let cell = cell.map(|cell| format!("element {cell} of ")).unwrap_or_default();
            let reason = format!("{} is out of range; give -{most} to {most}", number.str()?);
            Err(exception(Error::input(format!("{cell}weight `{name}`"), reason)))
        }
    }
}

/// The features with a single weight that the set leaves out: they weigh 0.
fn left_out(set: &WeightSet) -> Vec<&'static str> {
    let game: Option<GameId> = set.game.parse().ok();
    let names = game.map(|game| game.feature_names()).unwrap_or_default();
    let is_left_out =
        |name: &&str| set.weights.get(name).is_none() && set.early_and_late(name).is_none();
    names.into_iter().filter(is_left_out).collect()
}

#[pymethods]
impl Weights {
    /// A shipped set by its name, or a file.
    #[staticmethod]
    fn find(name: &str, game: &str) -> PyResult<Self> {
        Self::read(weights::find(name, game).or_exception()?, name)
    }

    /// The shipped set that plays a board best.
    #[staticmethod]
    fn strongest(game: &str, size: &str) -> PyResult<Self> {
        let (id, board) = (game_id(game)?, board(size)?);
        id.start(board).or_exception()?;
        Self::find(DefaultWeights::Strongest(board).name(id).or_exception()?, game)
    }

    /// The set that a file's text holds; `place` is what errors call it.
    #[staticmethod]
    fn from_json(text: &str, place: &str) -> PyResult<Self> {
        Self::read(WeightSet::from_json(text, place).or_exception()?, place)
    }

    fn to_json(&self) -> String {
        self.held().to_json()
    }

    fn copy(&self) -> Self {
        Self::of(self.held().clone())
    }

    #[getter]
    fn name(&self) -> String {
        self.held().name.clone()
    }

    #[setter]
    fn set_name(&self, name: String) {
        self.held().name = name;
    }

    #[getter]
    fn game(&self) -> String {
        self.held().game.clone()
    }

    /// The board that the set is for; none for any.
    #[getter]
    fn size(&self) -> Option<String> {
        self.held().board.clone()
    }

    #[getter]
    fn scale(&self) -> i32 {
        self.held().scale
    }

    #[setter]
    fn set_scale(&self, scale: i32) -> PyResult<()> {
        if !(1..=MAX_SCALE).contains(&scale) {
            let reason = format!("out of range; give 1 to {MAX_SCALE}");
            return Err(exception(Error::input(format!("scale {scale}"), reason)));
        }
        self.held().scale = scale;
        Ok(())
    }

    /// The worth of a piece in units of the score, and the units that make one logit of the result.
    fn score_units(&self) -> PyResult<(i32, f64)> {
        let set = self.held();
        let game: GameId = set.game.parse().or_exception()?;
        let ScoreUnits { unit, win_scale } = game.score_units(&set).or_exception()?;
        Ok((unit, win_scale))
    }

    /// Whether the set has a network.
    #[getter]
    fn has_network(&self) -> bool {
        self.held().network.is_some()
    }

    fn fingerprint(&self) -> String {
        self.held().fingerprint()
    }

    /// The names of the weights and how many numbers each has; none for a single one. Features left
    /// out of the set, because their weight is 0, are included.
    fn shapes(&self) -> Vec<(String, Option<usize>)> {
        let set = self.held();
        let shape = |(name, weight): (&str, &Weight)| match weight {
            Weight::One(_) => (name.to_owned(), None),
            Weight::Table(cells) => (name.to_owned(), Some(cells.len())),
        };
        let left_out = left_out(&set).into_iter().map(|name| (name.to_owned(), None));
        set.weights.iter().map(shape).chain(left_out).collect()
    }

    /// The numbers of a weight, 4 bytes each, little-endian.
    fn get<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyBytes>> {
        let weight = self.weight(name)?;
        let bytes: Vec<u8> = weight.cells().iter().flat_map(|cell| cell.to_le_bytes()).collect();
        Ok(PyBytes::new(py, &bytes))
    }

    /// Changes the numbers of a weight.
    fn set(&self, name: &str, numbers: Vec<Bound<'_, PyInt>>) -> PyResult<()> {
        let mut weight = self.weight(name)?;
        let is_table = matches!(weight, Weight::Table(_));
        let cells = weight.cells_mut();
        if cells.len() != numbers.len() {
            let reason =
                format!("`{name}` has {0} numbers, not {1}; give {0}", cells.len(), numbers.len());
            return Err(PyValueError::new_err(reason));
        }
        for (at, (cell, number)) in cells.iter_mut().zip(&numbers).enumerate() {
            *cell = in_range(name, number, is_table.then_some(at))?;
        }
        self.held().weights.insert(name, weight);
        Ok(())
    }
}
