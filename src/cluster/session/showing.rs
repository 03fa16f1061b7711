//! What others can see of a run.

use super::super::message::to_bytes;
use super::super::status::RunPresence;
use super::Session;
use async_nats::Message;
use std::sync::PoisonError;
use std::time::Instant;

impl Session {
    /// What others can see of the run.
    pub(super) fn show(&mut self) {
        let (workers, cores) = self.roster.count();
        self.rate.see(self.done, Instant::now());
        let standing = RunPresence {
            session: self.sender.session.clone(),
            title: self.config.title.clone(),
            program: env!("CARGO_PKG_VERSION").into(),
            signature: self.sender.signature.clone(),
            workers,
            cores,
            open: self.jobs.len() as u64,
            done: self.done,
            rate: self.rate.rate(),
            seconds: self.begun.elapsed().as_secs_f64(),
            quarantined: self.jobs.quarantined().clone(),
        };
        *self.standing.lock().unwrap_or_else(PoisonError::into_inner) = standing;
    }

    pub(super) async fn answer_about_run(&mut self, message: Message) {
        self.show();
        let standing = self.standing.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(reply) = message.reply {
            let _ = self.client.publish(reply, to_bytes(&standing).into()).await;
        }
    }
}
