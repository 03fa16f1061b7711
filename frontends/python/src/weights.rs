use crate::errors::OrException;
use crate::game::board;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sparring::error::Error;
use sparring::eval::ScoreUnits;
use sparring::games::GameId;
use sparring::player::{DefaultWeights, Player};
use sparring::weights::{self, MAX_SCALE, MAX_WEIGHT, Weight, WeightSet};
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
        weights::find(name, game).map(Self::of).or_exception()
    }

    /// The shipped set that plays a board best.
    #[staticmethod]
    fn strongest(game: &str, size: &str) -> PyResult<Self> {
        let game: GameId = game.parse().or_exception()?;
        let default = DefaultWeights::Strongest(board(size)?);
        Player::find(game, None, default).map(|player| Self::of(player.weights)).or_exception()
    }

    /// The set that a file's text holds; `place` is what errors call it.
    #[staticmethod]
    fn from_json(text: &str, place: &str) -> PyResult<Self> {
        WeightSet::from_json(text, place).map(Self::of).or_exception()
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
            return Err(crate::errors::exception(Error::input(format!("scale {scale}"), reason)));
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
        let set = self.held();
        let none = Weight::One(0);
        let known =
            set.weights.get(name).or_else(|| left_out(&set).contains(&name).then_some(&none));
        let weight = known.ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        let bytes: Vec<u8> = weight.cells().iter().flat_map(|cell| cell.to_le_bytes()).collect();
        Ok(PyBytes::new(py, &bytes))
    }

    /// Changes the numbers of a weight.
    fn set(&self, name: &str, numbers: Vec<i64>) -> PyResult<()> {
        let mut set = self.held();
        if left_out(&set).contains(&name) {
            set.weights.insert(name, Weight::One(0));
        }
        let weight =
            set.weights.get_mut(name).ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        let cells = weight.cells_mut();
        if cells.len() != numbers.len() {
            let reason =
                format!("`{name}` has {0} numbers, not {1}; give {0}", cells.len(), numbers.len());
            return Err(PyValueError::new_err(reason));
        }
        let checked = numbers.iter().map(|&number| {
            let fits = |number: &i32| number.unsigned_abs() <= MAX_WEIGHT.unsigned_abs();
            i32::try_from(number).ok().filter(fits).ok_or_else(|| {
                let reason =
                    format!("{number} is out of range; give -{MAX_WEIGHT} to {MAX_WEIGHT}");
                crate::errors::exception(Error::input(format!("weight `{name}`"), reason))
            })
        });
        let checked: Vec<i32> = checked.collect::<PyResult<_>>()?;
        cells.copy_from_slice(&checked);
        Ok(())
    }
}
