//! What goes wrong: commits that fail, processes and machines that stop, writers that sleep and wake; and recovery.

use domain::ledger::Ledger;
use domain::ledger::wire::decode;
use ledger::core::Core;

use super::disk::Fate;
use super::fault::Fault;
use super::truth::Complaint;
use super::world::{LIMITS, Sealed, World};

impl World {
    pub(super) fn fate(&mut self) -> Fate {
        if self.calm || self.random.percent(90) {
            return Fate::Done;
        }
        self.random.pick(&[Fate::Full, Fate::FailedButThere, Fate::FailedTorn])
    }

    /// Those who waited hear that the outcome is unknown, which is no answer; memory goes, the machine stays.
    pub(super) fn start_over(&mut self) -> Result<(), Complaint> {
        if self.fault != Some(Fault::LaterBlocksKept) {
            self.flight.clear();
        }
        self.waiting.clear();
        if self.fault == Some(Fault::MemoryKept) {
            return Ok(());
        }
        self.recover()
    }

    /// The process or the whole machine stops, at whatever point it is.
    pub(super) fn crash(&mut self) -> Result<(), Complaint> {
        self.counts.crashes += 1;
        let power = self.random.percent(60);
        self.say(|| format!("crash, power lost: {power}"));
        if power {
            if let Some(Sealed { block: Some(block), .. }) = self.flight.front() {
                // It was being written: some of it may be there.
                let _ = self.disk.append(block, Fate::FailedButThere, &mut self.random);
            }
            self.disk.lose_power(&mut self.random);
            self.asleep.clear();
        } else if self.random.percent(50) {
            // It only slept, and was taken for dead.
            self.asleep.append(&mut self.flight);
        }
        self.flight.clear();
        self.waiting.clear();
        // What was in the process is gone, what was on the wire is not.
        let mut network = std::mem::take(&mut self.network);
        network.retain(|_| self.random.percent(70));
        self.network = network;
        self.recover()?;
        if !self.calm && self.random.percent(50) {
            // Before its successor has written a word.
            self.wake()?;
        }
        Ok(())
    }

    pub(super) fn recover(&mut self) -> Result<(), Complaint> {
        if self.fault == Some(Fault::LastBlockSkipped) {
            self.disk.skip_last();
        }
        let term = self.disk.claim();
        self.journal = self.disk.open();
        self.auditor.examine(&self.journal)?;
        let (position, last) = (self.database.position(), self.journal.len() as u64);
        if position > last {
            return Err(format!("the database is at {position}, the journal only at {last}"));
        }
        // From the database's position on, or everything from the beginning.
        let mut ledger = if self.random.percent(60) { self.database.load() } else { Ledger::new(LIMITS) };
        let from = usize::try_from(ledger.seq()).unwrap();
        for event in &self.journal[from..] {
            ledger.fold(event);
        }
        ledger.assert_sound();
        if !self.calm && self.random.percent(10) {
            // Again, before anything was done.
            return self.crash();
        }
        self.core = Core::begin(ledger, term, self.clock);
        self.synced = if self.fault == Some(Fault::ProjectedBeforeSynced) { last } else { 0 };
        if !self.calm && self.random.percent(20) {
            // The first block of the new term, at once and perhaps in vain.
            self.seal();
            return self.commit();
        }
        Ok(())
    }

    /// A writer that was replaced goes on where it was: its block is refused, since its successor has claimed the log.
    pub(super) fn wake(&mut self) -> Result<(), Complaint> {
        let Some(Sealed { block: Some(block), waiting }) = self.asleep.pop_front() else { return Ok(()) };
        let unfenced = match self.fault {
            Some(Fault::OldWriterNotFenced) => true,
            Some(Fault::ClaimWithoutFence) => self.disk.continues(&block),
            _ => false,
        };
        let done = if unfenced {
            self.disk.append_unfenced(&block, Fate::Done, &mut self.random)
        } else {
            self.disk.append(&block, Fate::Done, &mut self.random)
        };
        if done.is_err() {
            self.counts.fenced += 1;
            // What it decided after a block that failed is nothing any more, whatever its number.
            self.asleep.clear();
        }
        self.say(|| format!("a block of the writer before, {}: {done:?}", block.first_seq));
        if done.is_ok() {
            self.journal.extend(decode(&block.bytes).unwrap());
            for waiting in waiting {
                self.tell(waiting)?;
            }
        }
        Ok(())
    }
}
