//! The log's server: one head, and the stock that its log comes to.

use domain::ledger::BlockDigest;
use windfall_cluster::lease::LeaseLook;

use super::fault::Fault;

/// Units there are at the beginning.
const STOCK: i64 = 2;

/// What a leader believes of the head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Belief {
    pub term: u32,
    pub last_seq: u64,
    pub digest: BlockDigest,
}

/// One block: units that go or come, under an id.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    pub id: u64,
    pub delta: i64,
}

#[derive(Clone, Copy, Debug)]
pub enum Request {
    Look,
    Claim {
        seen: LeaseLook,
    },
    Read,
    /// Until when the leader leads by its wall clock; only the fault looks at it.
    Renew {
        until_wall_ms: i64,
    },
    Commit {
        behind: Belief,
        block: Block,
    },
}

#[derive(Clone, Copy, Debug)]
pub enum Response {
    Look {
        seen: LeaseLook,
        until_wall_ms: i64,
    },
    Claimed(u32),
    Read {
        behind: Belief,
        available: i64,
    },
    Renewed,
    Committed,
    /// Somebody else leads.
    Fenced,
}

pub struct LogServer {
    fault: Option<Fault>,
    term: u32,
    counter: u64,
    holder: Option<usize>,
    until_wall_ms: i64,
    last_seq: u64,
    digest: BlockDigest,
    pub ids: Vec<u64>,
    /// From when on so many units were available.
    history: Vec<(u64, i64)>,
}

impl LogServer {
    pub fn new(fault: Option<Fault>) -> Self {
        Self {
            fault,
            term: 0,
            counter: 0,
            holder: None,
            until_wall_ms: i64::MIN,
            last_seq: 0,
            digest: BlockDigest::START,
            ids: Vec::new(),
            history: vec![(0, STOCK)],
        }
    }

    /// One statement, at this moment.
    pub fn execute(&mut self, now: u64, node: usize, request: Request) -> Response {
        match request {
            Request::Look => Response::Look { seen: self.seen(), until_wall_ms: self.until_wall_ms },
            Request::Claim { seen } => {
                let mine = self.holder == Some(node);
                let unchanged = seen == self.seen() || self.fault == Some(Fault::ClaimWithoutCondition);
                // By timestamps, a claimant goes by the moment alone.
                if !(mine || unchanged || self.fault == Some(Fault::LeaseByTimestamps)) {
                    return Response::Fenced;
                }
                self.holder = Some(node);
                self.counter += 1;
                if self.fault != Some(Fault::TermNotRaised) {
                    self.term += 1;
                }
                Response::Claimed(self.term)
            }
            Request::Read => Response::Read { behind: self.head(), available: self.available() },
            Request::Renew { until_wall_ms } => {
                if self.holder != Some(node) {
                    return Response::Fenced;
                }
                self.counter += 1;
                self.until_wall_ms = until_wall_ms;
                Response::Renewed
            }
            Request::Commit { behind, block } => self.commit(now, behind, block),
        }
    }

    fn commit(&mut self, now: u64, behind: Belief, block: Block) -> Response {
        let head = self.head();
        let same_term = behind.term == head.term || self.fault == Some(Fault::NoTermInTheCommit);
        if !same_term || (behind.last_seq, behind.digest) != (head.last_seq, head.digest) {
            return Response::Fenced;
        }
        self.last_seq += 1;
        self.digest = self.digest.next(behind.term, self.last_seq, self.last_seq, &block.id.to_be_bytes());
        self.ids.push(block.id);
        self.history.push((now, self.available() + block.delta));
        Response::Committed
    }

    /// Whether so many units were available at some moment since then.
    pub fn was_available(&self, since: u64, available: i64) -> bool {
        let later = self.history.iter().rev().take_while(|(from, _)| *from > since).count();
        let first = (self.history.len() - later).saturating_sub(1);
        self.history[first..].iter().any(|(_, units)| *units == available)
    }

    pub fn available(&self) -> i64 {
        self.history.last().unwrap().1
    }

    fn head(&self) -> Belief {
        Belief { term: self.term, last_seq: self.last_seq, digest: self.digest }
    }

    fn seen(&self) -> LeaseLook {
        LeaseLook { term: self.term, counter: self.counter, is_free: self.holder.is_none() }
    }
}
