//! The error of a fit or a training, which may be final.

use crate::error::Error;

/// The result of a fit or a training.
pub type FitResult<T> = std::result::Result<T, FitError>;

/// Why a fit or a training gave no set.
#[derive(Debug)]
pub enum FitError {
    /// The games or positions give nothing to fit, and the same ones never will.
    NothingToFit(Error),
    /// It did not come to its end: for example, a file could not be read, or it was stopped.
    Failed(Error),
}

impl From<Error> for FitError {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl From<FitError> for Error {
    fn from(error: FitError) -> Self {
        match error {
            FitError::NothingToFit(error) | FitError::Failed(error) => error,
        }
    }
}
