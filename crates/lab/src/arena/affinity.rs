//! Keeps each thread, with the engines it plays with, on a processor of its own, so that games do
//! not disturb each other's clocks. Works on Linux only.

use crate::error::{Error, Result};

/// The processors that this process may use, by number.
///
/// # Errors
/// When the system does not say, and always on systems other than Linux.
#[cfg(target_os = "linux")]
pub(super) fn allowed() -> Result<Vec<usize>> {
    use rustix::thread::{CpuSet, sched_getaffinity};
    let set = sched_getaffinity(None).map_err(|error| Error::failed("--affinity", error))?;
    Ok((0..CpuSet::MAX_CPU).filter(|&processor| set.is_set(processor)).collect())
}

#[cfg(not(target_os = "linux"))]
pub(super) fn allowed() -> Result<Vec<usize>> {
    Err(Error::input("--affinity", "this system does not keep threads on processors")
        .remedy("leave it out"))
}

/// Keeps the calling thread on one of these processors, which the threads get in turn by their
/// numbers. If the system refuses, the thread runs on any processor.
#[cfg(target_os = "linux")]
pub(super) fn stay(thread: usize, processors: &[usize]) {
    use rustix::thread::{CpuSet, sched_setaffinity};
    let mut set = CpuSet::new();
    processors.iter().cycle().nth(thread).into_iter().for_each(|&processor| set.set(processor));
    let _ = sched_setaffinity(None, &set);
}

#[cfg(not(target_os = "linux"))]
pub(super) fn stay(_: usize, _: &[usize]) {}

/// Moves all threads of an engine's process to the calling thread's processor, if that thread stays
/// on one.
#[cfg(target_os = "linux")]
pub(crate) fn bring_here(process: u32) {
    use rustix::thread::{Pid, sched_getaffinity, sched_setaffinity};
    let Ok(here) = sched_getaffinity(None) else { return };
    if here.count() != 1 {
        return;
    }
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    for task in tasks {
        let number = task.file_name().to_str().and_then(|name| name.parse().ok());
        if let Some(thread) = number.and_then(Pid::from_raw) {
            let _ = sched_setaffinity(Some(thread), &here);
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn bring_here(_: u32) {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::arena::Threads;
    use rustix::thread::{CpuSet, Pid, sched_getaffinity};

    #[test]
    fn each_thread_stays_on_a_processor_and_brings_its_engine() {
        let allowed = allowed().unwrap();
        let places = Threads::with_affinity(2, true).unwrap().map_ordered(20, |_| {
            let mut engine = std::process::Command::new("sleep").arg("9").spawn().unwrap();
            let own = sched_getaffinity(None).unwrap();
            bring_here(engine.id());
            let brought = sched_getaffinity(Pid::from_raw(engine.id() as i32)).unwrap();
            engine.kill().unwrap();
            engine.wait().unwrap();
            assert_eq!((own.count(), brought == own), (1, true));
            (0..CpuSet::MAX_CPU).find(|&processor| own.is_set(processor)).unwrap()
        });
        assert!(places.iter().all(|place| allowed[..allowed.len().min(2)].contains(place)));
        // Other threads are left alone.
        assert_eq!(sched_getaffinity(None).unwrap().count() as usize, allowed.len());
    }
}
