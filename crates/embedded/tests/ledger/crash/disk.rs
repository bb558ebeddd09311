//! A disk that tears, reorders and refuses writes, under a log with the promises of a SQLite commit.
//!
//! The log is bytes: entries of a length, a head and a block. What a commit synced is on the platter. What was written
//! and not synced is only in the machine's memory: the process reads it back, a loss of power leaves any of its sectors
//! and not the others. Opening the log reads entries as long as they are whole (the block's own checksum tells) and
//! cuts off the rest.

use domain::ledger::Event;
use domain::ledger::wire::decode;
use ledger::Block;

use super::random::Random;

const SECTOR: usize = 32;
const HEAD: usize = 4;

/// How a commit goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    Done,
    /// No room: an error, and nothing is there.
    Full,
    /// An error, and it is there all the same, though not on the platter.
    FailedButThere,
    /// An error, and a piece of it is there.
    FailedTorn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    Failed,
    /// The block does not continue where the log ends.
    Fenced,
}

#[derive(Default)]
pub struct Disk {
    bytes: Vec<u8>,
    /// So much of it is on the platter.
    synced: usize,
    /// The last claim's; it is on the platter.
    term: u32,
    last_seq: u64,
    /// The last block's.
    last_term: u32,
}

impl Disk {
    /// Begins a term: whoever claimed before appends nothing more.
    pub fn claim(&mut self) -> u32 {
        self.term += 1;
        self.term
    }

    pub fn append(&mut self, block: &Block, fate: Fate, random: &mut Random) -> Result<(), Refused> {
        if block.first_seq != self.last_seq + 1 || block.term != self.term {
            return Err(Refused::Fenced);
        }
        self.append_unfenced(block, fate, random)
    }

    /// Whether a block would continue the log if claims did not count: nobody has written in a later term.
    pub fn continues(&self, block: &Block) -> bool {
        block.first_seq == self.last_seq + 1 && block.term >= self.last_term
    }

    /// As if nobody had been replaced.
    pub fn append_unfenced(&mut self, block: &Block, fate: Fate, random: &mut Random) -> Result<(), Refused> {
        let mut entry = u32::try_from(block.bytes.len()).unwrap().to_le_bytes().to_vec();
        entry.extend_from_slice(&block.bytes);
        match fate {
            Fate::Full => return Err(Refused::Failed),
            Fate::FailedTorn => {
                entry.truncate(random.below(entry.len()));
                self.bytes.extend(entry);
                return Err(Refused::Failed);
            }
            Fate::Done | Fate::FailedButThere => self.bytes.extend(entry),
        }
        (self.last_term, self.last_seq) = (block.term, block.last_seq);
        if fate == Fate::FailedButThere {
            return Err(Refused::Failed);
        }
        self.synced = self.bytes.len();
        Ok(())
    }

    /// The lie of a disk that does not sync.
    pub fn unsync(&mut self, bytes: usize) {
        self.synced = self.synced.min(bytes);
    }

    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The power goes: of what was not synced, any sectors may be there, in any combination, and the rest is noise.
    pub fn lose_power(&mut self, random: &mut Random) {
        let tail = self.bytes.split_off(self.synced);
        let kept = if random.percent(30) { 100 } else { random.below(100) };
        for sector in tail.chunks(SECTOR) {
            if random.percent(kept) {
                self.bytes.extend_from_slice(sector);
            } else {
                self.bytes.extend(sector.iter().map(|byte| byte ^ 0x5a));
            }
        }
        if random.percent(50) {
            self.bytes.truncate(self.synced + random.below(tail.len() + 1));
        }
    }

    /// Reads what is there and cuts off what is torn.
    pub fn open(&mut self) -> Vec<Event> {
        let (mut events, mut at) = (Vec::new(), 0);
        (self.last_term, self.last_seq) = (0, 0);
        while let Some(block) = entry(&self.bytes[at..])
            && let Ok(decoded) = decode(block)
        {
            at += HEAD + block.len();
            if let Some(last) = decoded.last() {
                (self.last_term, self.last_seq) = (last.term, last.seq);
            }
            events.extend(decoded);
        }
        assert!(at >= self.synced, "what was synced can be read");
        self.bytes.truncate(at);
        events
    }

    /// Forgets the last entry, as a reader that stops one too early would.
    pub fn skip_last(&mut self) {
        let mut starts = vec![0];
        while let Some(block) = entry(&self.bytes[starts[starts.len() - 1]..]) {
            starts.push(starts[starts.len() - 1] + HEAD + block.len());
        }
        let cut = starts.len().checked_sub(2).map_or(0, |at| starts[at]);
        self.bytes.truncate(cut);
        self.synced = self.synced.min(cut);
    }
}

fn entry(bytes: &[u8]) -> Option<&[u8]> {
    let (head, rest) = bytes.split_at_checked(HEAD)?;
    let length = u32::from_le_bytes(head.try_into().ok()?);
    rest.get(..usize::try_from(length).ok()?)
}
