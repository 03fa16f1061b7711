//! Errors of the library as exceptions.

use pyo3::PyErr;
use pyo3::exceptions::{PyOSError, PyValueError};
use sparring::error::{Error, ErrorKind};

/// `ValueError` for bad input, `OSError` for failures with good input.
pub(crate) fn exception(error: Error) -> PyErr {
    match error.kind() {
        ErrorKind::Input => PyValueError::new_err(error.to_string()),
        ErrorKind::Failed | ErrorKind::Interrupted => PyOSError::new_err(error.to_string()),
    }
}

/// A result's value in Python.
pub(crate) trait OrException<T> {
    /// The value, or the exception.
    fn or_exception(self) -> pyo3::PyResult<T>;
}

impl<T> OrException<T> for sparring::error::Result<T> {
    fn or_exception(self) -> pyo3::PyResult<T> {
        self.map_err(exception)
    }
}
