//! Pipes on systems that can say whether there is something to read.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio};
use std::fs::File;
use std::io::{self, BufReader};
use std::os::fd::AsFd;
use std::process::{ChildStdin, ChildStdout};
use std::time::Instant;

/// Makes writing fail where it would block, and returns whether it now does.
pub(super) fn set_up(pipe: &ChildStdin) -> io::Result<bool> {
    Ok(ioctl_fionbio(pipe, true).map(|()| true)?)
}

/// Another handle of the same end.
pub(super) fn second_end(pipe: &ChildStdin) -> io::Result<File> {
    Ok(pipe.as_fd().try_clone_to_owned()?.into())
}

/// Waits until a pipe can be written to; false when the system cannot say.
pub(super) fn can_write(pipe: &File) -> bool {
    let waited = poll(&mut [PollFd::new(pipe, PollFlags::OUT)], None);
    matches!(waited, Ok(_) | Err(Errno::INTR))
}

/// The output of a process. Reading gives an error where it would block.
pub(super) struct OutputPipe {
    pub(super) buffer: BufReader<ChildStdout>,
}

impl OutputPipe {
    /// # Errors
    /// When the system cannot set up the pipe.
    pub(super) fn new(pipe: ChildStdout) -> io::Result<Self> {
        ioctl_fionbio(&pipe, true)?;
        Ok(Self { buffer: BufReader::new(pipe) })
    }

    /// Waits until there may be something to read, or until `deadline`.
    pub(super) fn wait(&mut self, deadline: Instant) {
        let left = deadline.saturating_duration_since(Instant::now());
        // A deadline that is too far for the system is as good as none.
        let timeout = Timespec::try_from(left).ok();
        let mut pipes = [PollFd::new(self.buffer.get_ref(), PollFlags::IN)];
        // The caller looks for itself, however the wait has ended.
        let _ = poll(&mut pipes, timeout.as_ref());
    }
}
