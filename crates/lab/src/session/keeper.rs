//! Keeps finished batches on a thread of its own, so that no game waits for the disk.

use crate::arena::queue::no_thread;
use crate::error::{Error, Result};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, channel, sync_channel};
use std::thread::{self, Scope, ScopedJoinHandle};

/// The most things that wait for the disk: when it is slower than the games, they wait for it.
const MOST_WAITING: usize = 16;

type Keeping<L> = Box<dyn FnOnce(&mut L) -> Result<()> + Send>;

/// Calls `work` with a keeper of this ledger, and returns its result once everything is safe.
///
/// # Errors
/// As `work`, and when something cannot be kept.
pub(crate) fn while_keeping<L: Send + ?Sized, R, E: From<Error>>(
    ledger: &mut L,
    work: impl FnOnce(&mut Keeper<L>) -> std::result::Result<R, E>,
) -> std::result::Result<R, E> {
    thread::scope(|scope| {
        let mut keeper = Keeper { scope, place: LedgerPlace::Here(ledger) };
        let result = work(&mut keeper)?;
        keeper.settle()?;
        Ok(result)
    })
}

/// Keeps things in a ledger, in order. Once one cannot be kept, no later one is.
pub(crate) struct Keeper<'scope, 'env, L: ?Sized> {
    scope: &'scope Scope<'scope, 'env>,
    place: LedgerPlace<'scope, L>,
}

/// Where the ledger is.
enum LedgerPlace<'scope, L: ?Sized> {
    Here(&'scope mut L),
    Away(Away<'scope, L>),
    Lost,
}

/// The thread that has the ledger.
struct Away<'scope, L: ?Sized> {
    jobs: SyncSender<Keeping<L>>,
    kept: Receiver<Result<()>>,
    thread: ScopedJoinHandle<'scope, &'scope mut L>,
    pending: usize,
}

impl<'scope, L: Send + ?Sized> Keeper<'scope, '_, L> {
    /// The ledger, unless something has been kept in it.
    pub(crate) fn unchanged(&self) -> Option<&L> {
        match &self.place {
            LedgerPlace::Here(ledger) => Some(ledger),
            LedgerPlace::Away(_) | LedgerPlace::Lost => None,
        }
    }

    /// The ledger, once everything is safe.
    ///
    /// # Errors
    /// When something cannot be kept.
    pub(crate) fn ledger(&mut self) -> Result<&mut L> {
        self.settle()?;
        self.place = match std::mem::replace(&mut self.place, LedgerPlace::Lost) {
            LedgerPlace::Away(Away { jobs, thread, .. }) => {
                drop(jobs);
                LedgerPlace::Here(thread.join().map_err(|_| lost())?)
            }
            there => there,
        };
        match &mut self.place {
            LedgerPlace::Here(ledger) => Ok(ledger),
            LedgerPlace::Away(_) | LedgerPlace::Lost => Err(lost()),
        }
    }

    /// Keeps something after all before it; it is safe once [`kept`](Self::kept) or
    /// [`settle`](Self::settle) counts it.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(crate) fn keep(
        &mut self,
        job: impl FnOnce(&mut L) -> Result<()> + Send + 'static,
    ) -> Result<()> {
        let mut away = match std::mem::replace(&mut self.place, LedgerPlace::Lost) {
            LedgerPlace::Here(ledger) => self.send_away(ledger)?,
            LedgerPlace::Away(away) => away,
            LedgerPlace::Lost => return Err(lost()),
        };
        // A thread that has failed takes nothing more: its error is the next result.
        if away.jobs.send(Box::new(job)).is_ok() {
            away.pending += 1;
        }
        self.place = LedgerPlace::Away(away);
        Ok(())
    }

    /// The number of things that have become safe since the last call.
    ///
    /// # Errors
    /// When something cannot be kept.
    pub(crate) fn kept(&mut self) -> Result<usize> {
        let LedgerPlace::Away(away) = &mut self.place else { return Ok(0) };
        let mut count = 0;
        loop {
            match away.kept.try_recv() {
                Ok(kept) => kept?,
                Err(TryRecvError::Empty) => return Ok(count),
                Err(TryRecvError::Disconnected) => return Err(lost()),
            }
            away.pending -= 1;
            count += 1;
        }
    }

    /// As [`kept`](Self::kept), once everything is safe.
    ///
    /// # Errors
    /// When something cannot be kept.
    pub(crate) fn settle(&mut self) -> Result<usize> {
        let LedgerPlace::Away(away) = &mut self.place else { return Ok(0) };
        let count = away.pending;
        while away.pending > 0 {
            away.kept.recv().map_err(|_| lost())??;
            away.pending -= 1;
        }
        Ok(count)
    }

    fn send_away(&self, ledger: &'scope mut L) -> Result<Away<'scope, L>> {
        let (jobs, to_do) = sync_channel::<Keeping<L>>(MOST_WAITING);
        let (done, kept) = channel();
        let work = move || {
            for job in to_do {
                let result = job(ledger);
                let is_over = result.is_err();
                if done.send(result).is_err() || is_over {
                    break;
                }
            }
            ledger
        };
        let thread = thread::Builder::new().name("ledger".into()).spawn_scoped(self.scope, work);
        let thread = thread.map_err(no_thread)?;
        Ok(Away { jobs, kept, thread, pending: 0 })
    }
}

fn lost() -> Error {
    Error::failed("ledger", "an earlier error has closed it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_kept_in_order_until_one_cannot_be() {
        let mut kept: Vec<u32> = Vec::new();
        let counted = while_keeping(&mut kept, |keeper| {
            assert_eq!(keeper.ledger()?.len(), 0);
            assert_eq!(keeper.unchanged().map(Vec::len), Some(0));
            for number in 0..50 {
                keeper.keep(move |kept| {
                    kept.push(number);
                    Ok(())
                })?;
            }
            assert!(keeper.unchanged().is_none());
            let counted = keeper.kept()? + keeper.settle()?;
            keeper.ledger()?.push(50);
            Ok::<_, Error>(counted)
        });
        assert_eq!(counted.unwrap(), 50);
        assert_eq!(kept, (0..=50).collect::<Vec<_>>());
        let failed = while_keeping(&mut kept, |keeper| {
            for number in 51..100 {
                keeper.keep(move |kept| {
                    kept.push(number);
                    if number < 60 { Ok(()) } else { Err(Error::failed("disk", "full")) }
                })?;
            }
            Ok::<_, Error>(())
        });
        assert!(failed.unwrap_err().to_string().contains("full"));
        assert_eq!(kept.last(), Some(&60));
    }
}
