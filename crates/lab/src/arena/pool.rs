//! Values that are costly to make, kept from job to job.

use parking_lot::Mutex;
use std::sync::Arc;

/// Values that no thread is using at the moment. Clones share it.
pub struct Pool<T>(Arc<Mutex<Vec<T>>>);

impl<T> Pool<T> {
    /// Takes a value out, if there is one.
    pub fn take(&self) -> Option<T> {
        self.0.lock().pop()
    }

    /// Puts a value in, for the next [`take`](Self::take).
    pub fn give(&self, value: T) {
        self.0.lock().push(value);
    }
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T> Clone for Pool<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}
