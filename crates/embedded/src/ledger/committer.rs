//! The thread that makes durable: one commit per block, then the answers that waited for it.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use super::core::Block;
use super::journal::{Journal, JournalError};
use super::sync::Receiver;
use super::writer::{Sealed, Shared, story};

pub(super) struct Committer {
    pub shared: Arc<Shared>,
    pub path: PathBuf,
    /// Opened anew after a failure: what a connection thinks after one is nothing to build on.
    pub journal: Option<Journal>,
    pub blocks: Receiver<Sealed>,
}

impl Committer {
    pub fn run(mut self) {
        while let Ok(sealed) = self.blocks.recv() {
            if sealed.era <= self.shared.failed_era.load(Ordering::Acquire) {
                sealed.lost();
                continue;
            }
            match sealed.block.as_ref().map_or(Ok(()), |block| self.commit(block)) {
                Ok(()) => {
                    sealed.told();
                    self.drop_segments();
                }
                Err(error) => self.failed(sealed, &error),
            }
        }
    }

    fn commit(&mut self, block: &Block) -> Result<(), JournalError> {
        let started = Instant::now();
        self.append(block)?;
        metrics::histogram!("windfall_journal_commit_seconds").record(started.elapsed().as_secs_f64());
        let events = block.last_seq + 1 - block.first_seq;
        #[expect(clippy::cast_precision_loss, reason = "a histogram needs no more")]
        metrics::histogram!("windfall_journal_block_events").record(events as f64);
        self.shared.durable.store(block.last_seq, Ordering::Release);
        self.shared.well();
        Ok(())
    }

    /// What the database has is no longer needed here. Nobody waits for this.
    fn drop_segments(&mut self) {
        let projected = self.shared.projected.load(Ordering::Acquire);
        if let Some(journal) = &mut self.journal
            && let Err(error) = journal.drop_through(projected)
        {
            tracing::warn!(
                error = story(&error),
                "an old segment of the journal stays; the next block tries again"
            );
        }
    }

    fn append(&mut self, block: &Block) -> Result<(), JournalError> {
        let mut journal = match self.journal.take() {
            Some(journal) => journal,
            None => Journal::open(&self.path)?,
        };
        journal.set_pages_max(self.shared.journal_pages_max.load(Ordering::Acquire))?;
        journal.append(block)?;
        self.journal = Some(journal);
        Ok(())
    }

    /// Everybody in this block, and in those decided on top of it, hears "unknown"; the decider starts over.
    fn failed(&self, sealed: Sealed, error: &JournalError) {
        metrics::counter!("windfall_journal_failures_total").increment(1);
        let why =
            if error.disk_full() { "disk_full: the journal has no room".to_owned() } else { story(error) };
        self.shared.tell(&why);
        // First the mark, then the answers: whoever asks again is not answered from the memory that is to go.
        self.shared.failed_era.store(sealed.era, Ordering::Release);
        sealed.lost();
        self.shared.queue.nudge();
    }
}
