//! Refuses a memory limit that is too small for any work, before the work begins: once an
//! allocation fails, the process can only abort.

use crate::error::Result;

/// The address space that any work takes, in bytes: the program and its libraries, a weight set,
/// and the stacks of a few threads. Larger tables and more threads are refused where they are made.
#[cfg(unix)]
const LEAST: u64 = 128 << 20;

/// Checks the limits of the process (`ulimit -v` and `ulimit -d`).
///
/// # Errors
/// When one is below what any work takes.
#[cfg(unix)]
pub(super) fn check() -> Result<()> {
    use crate::error::Error;
    use rustix::process::{Resource, getrlimit};
    for (resource, option) in [(Resource::As, "-v"), (Resource::Data, "-d")] {
        if let Some(limit) = getrlimit(resource).current
            && limit < LEAST
        {
            let [limit, least] = [limit, LEAST].map(|bytes| bytes >> 10);
            let reason =
                format!("the limit of {limit} KiB is below the {least} that any work takes");
            let remedy = format!("raise it: ulimit {option} {least}, or more");
            return Err(Error::failed("memory", reason).remedy(remedy));
        }
    }
    Ok(())
}

/// Other systems report no such limits.
///
/// # Errors
/// Never.
#[cfg(not(unix))]
pub(super) fn check() -> Result<()> {
    Ok(())
}
