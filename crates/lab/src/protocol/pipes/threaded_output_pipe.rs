//! Pipes that only a thread can wait for.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::process::{ChildStdin, ChildStdout};
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::thread;
use std::time::Instant;

/// Bytes that are read at once.
const CHUNK: usize = 1 << 13;
/// Chunks read ahead; a process that writes more waits until they are taken.
const CHUNKS_AHEAD: usize = 8;

/// Leaves the pipe as it is, so that writing may block.
pub(super) fn set_up(_: &ChildStdin) -> io::Result<bool> {
    Ok(false)
}

/// Another handle of the same end.
pub(super) fn second_end(pipe: &ChildStdin) -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(pipe.as_handle().try_clone_to_owned()?.into())
}

/// Whether a pipe can be written to after a write would have blocked: unused here, where writing
/// blocks.
pub(super) fn can_write(_: &File) -> bool {
    false
}

/// The output of a process. Reading gives an error where it would block.
pub(super) struct OutputPipe {
    pub(super) buffer: BufReader<Chunks>,
}

impl OutputPipe {
    /// # Errors
    /// When the system has no thread.
    pub(super) fn new(mut pipe: ChildStdout) -> io::Result<Self> {
        let (sender, chunks) = sync_channel(CHUNKS_AHEAD);
        thread::Builder::new().spawn(move || {
            let mut chunk = [0; CHUNK];
            while let Ok(length @ 1..) = pipe.read(&mut chunk) {
                if sender.send(chunk[..length].to_vec()).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self { buffer: BufReader::new(Chunks { chunks, next: VecDeque::new() }) })
    }

    /// Waits until there may be something to read, or until `deadline`.
    pub(super) fn wait(&mut self, deadline: Instant) {
        let left = deadline.saturating_duration_since(Instant::now());
        let Chunks { chunks, next } = self.buffer.get_mut();
        next.extend(chunks.recv_timeout(left).into_iter().flatten());
    }
}

/// The bytes that the thread has read.
pub(super) struct Chunks {
    chunks: Receiver<Vec<u8>>,
    next: VecDeque<u8>,
}

impl Read for Chunks {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.next.is_empty() {
            match self.chunks.try_recv() {
                Ok(chunk) => self.next.extend(chunk),
                Err(TryRecvError::Empty) => return Err(io::ErrorKind::WouldBlock.into()),
                Err(TryRecvError::Disconnected) => return Ok(0),
            }
        }
        self.next.read(bytes)
    }
}
