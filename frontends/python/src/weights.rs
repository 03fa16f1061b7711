//! Weight sets.

use crate::errors::OrException;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sparring::error::Error;
use sparring::weights::{self, MAX_WEIGHT, Weight, WeightSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The names of the shipped sets.
#[pyfunction]
pub(crate) fn shipped() -> Vec<&'static str> {
    weights::shipped().iter().map(|set| set.name).collect()
}

/// A weight set.
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

#[pymethods]
impl Weights {
    /// A shipped set by its name, or a file.
    #[staticmethod]
    fn find(name: &str, game: &str) -> PyResult<Self> {
        weights::find(name, game).map(Self::of).or_exception()
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

    /// Whether the set has a network.
    #[getter]
    fn has_network(&self) -> bool {
        self.held().network.is_some()
    }

    fn fingerprint(&self) -> String {
        self.held().fingerprint()
    }

    /// The names of the weights with how many numbers each has; none for a single one.
    fn shapes(&self) -> Vec<(String, Option<usize>)> {
        let set = self.held();
        let shape = |(name, weight): (&str, &Weight)| match weight {
            Weight::One(_) => (name.to_owned(), None),
            Weight::Table(cells) => (name.to_owned(), Some(cells.len())),
        };
        set.weights.iter().map(shape).collect()
    }

    /// The numbers of a weight, 4 bytes each, little-endian.
    fn get<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyBytes>> {
        let set = self.held();
        let weight = set.weights.get(name).ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        let bytes: Vec<u8> = weight.cells().iter().flat_map(|cell| cell.to_le_bytes()).collect();
        Ok(PyBytes::new(py, &bytes))
    }

    /// Changes the numbers of a weight.
    fn set(&self, name: &str, numbers: Vec<i64>) -> PyResult<()> {
        let mut set = self.held();
        let weight =
            set.weights.get_mut(name).ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        let cells = weight.cells_mut();
        if cells.len() != numbers.len() {
            let reason = format!("`{name}` has {} numbers, not {}", cells.len(), numbers.len());
            return Err(PyValueError::new_err(reason));
        }
        let checked = numbers.iter().map(|&number| {
            let fits = |number: &i32| number.unsigned_abs() <= MAX_WEIGHT.unsigned_abs();
            i32::try_from(number).ok().filter(fits).ok_or_else(|| {
                let reason = format!("{number} is beyond -{MAX_WEIGHT} to {MAX_WEIGHT}");
                crate::errors::exception(Error::input(format!("weight `{name}`"), reason))
            })
        });
        let checked: Vec<i32> = checked.collect::<PyResult<_>>()?;
        cells.copy_from_slice(&checked);
        Ok(())
    }
}
