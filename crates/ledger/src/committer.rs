//! The thread that makes durable: one commit for all blocks that are ready, then the answers that waited for them.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use tokio::runtime::Handle;

use super::core::Block;
use super::log::{Log, LogError, LogWriter, reason, story};
use super::sync::Receiver;
use super::writer::{Sealed, Shared};

/// What is ready beyond this waits for the next commit: one that takes too long to write delays everybody in it.
const COMMIT_BYTES: usize = 1 << 20;

pub(super) struct Committer {
    pub shared: Arc<Shared>,
    pub log: Arc<dyn Log>,
    /// Nothing after a failure, until the decider has claimed the log anew.
    pub journal: Option<Box<dyn LogWriter>>,
    pub blocks: Receiver<Sealed>,
    /// Where answers are told, if there is one: waking a crowd takes as long as a commit, and the next commit need not
    /// wait for it.
    pub runtime: Option<Handle>,
}

impl Committer {
    pub fn run(mut self) {
        while let Ok(first) = self.blocks.recv() {
            let ready = self.gather(first);
            if ready.is_empty() {
                continue;
            }
            self.shared.queue.committing(true);
            let committed = self.commit(&ready);
            self.shared.queue.committing(false);
            match committed {
                Ok(()) => {
                    self.tell(ready);
                    self.drop_segments();
                }
                Err(error) => self.failed(ready, &error),
            }
        }
    }

    /// Whatever has been decided by now goes into one commit, as far as there is room: what comes during a commit waits
    /// for that one and its own. Blocks of a life of the memory that was thrown away are lost.
    fn gather(&mut self, first: Sealed) -> Vec<Sealed> {
        let failed_era = self.shared.failed_era.load(Ordering::Acquire);
        let (mut ready, mut bytes, mut next) = (Vec::new(), 0, Some(first));
        while let Some(mut sealed) = next {
            if sealed.era <= failed_era {
                sealed.lost();
            } else {
                if let Some(journal) = sealed.journal.take() {
                    self.journal = Some(journal);
                }
                bytes += sealed.block.as_ref().map_or(0, |block| block.bytes.len());
                ready.push(sealed);
            }
            next = if bytes < COMMIT_BYTES { self.blocks.try_recv().ok() } else { None };
        }
        ready
    }

    /// A leader whose lease is over tells nothing, though what it committed is so: who asks again hears it.
    fn tell(&self, ready: Vec<Sealed>) {
        if !self.log.is_led() {
            return ready.into_iter().for_each(Sealed::lost);
        }
        let tell = || ready.into_iter().for_each(Sealed::told);
        match &self.runtime {
            Some(runtime) => drop(runtime.spawn(async move { tell() })),
            None => tell(),
        }
    }

    fn commit(&mut self, ready: &[Sealed]) -> Result<(), LogError> {
        let blocks: Vec<&Block> = ready.iter().filter_map(|sealed| sealed.block.as_ref()).collect();
        let (Some(first), Some(last)) = (blocks.first(), blocks.last()) else { return Ok(()) };
        let started = Instant::now();
        self.append(&blocks)?;
        metrics::histogram!("windfall_journal_commit_seconds").record(started.elapsed().as_secs_f64());
        let events = last.last_seq + 1 - first.first_seq;
        #[expect(clippy::cast_precision_loss, reason = "a histogram needs no more")]
        metrics::histogram!("windfall_journal_block_events").record(events as f64);
        self.shared.durable.store(last.last_seq, Ordering::Release);
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

    fn append(&mut self, blocks: &[&Block]) -> Result<(), LogError> {
        let unclaimed = || LogError::Failed("nobody has claimed the log since it failed".into());
        let mut journal = self.journal.take().ok_or_else(unclaimed)?;
        journal.set_pages_max(self.shared.journal_pages_max.load(Ordering::Acquire))?;
        journal.append(blocks)?;
        self.journal = Some(journal);
        Ok(())
    }

    /// Everybody in these blocks, and in those decided on top of them, hears "unknown"; the decider starts over.
    fn failed(&self, ready: Vec<Sealed>, error: &LogError) {
        metrics::counter!("windfall_journal_failures_total").increment(1);
        self.shared.tell(&reason(error));
        // First the mark, then the answers: whoever asks again is not answered from the memory that is to go.
        let era = ready.iter().map(|sealed| sealed.era).max().unwrap_or(0);
        self.shared.failed_era.store(era, Ordering::Release);
        ready.into_iter().for_each(Sealed::lost);
        self.shared.queue.nudge();
    }
}
