//! A node that wants to lead, or leads: the real lease, and as little around it as tells whether it is kept.

use std::collections::VecDeque;

use windfall_cluster::lease::{LapseWatch, LeaseLook, LeaseTerms, Tenure};

use super::fault::Fault;
use super::server::{Belief, Block, Request, Response};

pub const TERMS: LeaseTerms = LeaseTerms { lease_ms: 100, margin_ms: 30, renew_ms: 20 };
/// How long a node waits for an answer of the server.
const PATIENCE_MS: u64 = 60;

#[derive(Clone, Copy, Debug)]
pub enum Wish {
    Take,
    Restock,
    /// How many there are.
    Count,
}

/// What somebody asked, and when.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    pub id: u64,
    pub wish: Wish,
    pub asked_at: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    Accepted,
    SoldOut,
    Available(i64),
}

/// What a node does at one moment.
#[derive(Clone, Copy, Debug)]
pub enum Act {
    Send {
        number: u64,
        request: Request,
    },
    Tell {
        question: Question,
        reply: Reply,
    },
    /// The outcome is unknown.
    Drop,
}

#[derive(Clone, Copy, Debug)]
struct Pending {
    number: u64,
    sent_ms: u64,
}

#[derive(Clone, Copy, Debug)]
enum Phase {
    Watching,
    Claiming { seen: LeaseLook, pending: Pending },
    Reading { term: u32, pending: Pending },
    Leading { behind: Belief, available: i64, commit: Option<(Pending, Question, Block)> },
}

pub struct Node {
    fault: Option<Fault>,
    /// How fast its clock goes, and how far its wall clock is off.
    rate_percent: u64,
    wall_off_ms: i64,
    phase: Phase,
    watch: LapseWatch,
    tenure: Tenure,
    /// When it looks or renews again.
    due_ms: u64,
    numbers: u64,
    /// When looks and renewals were sent, by number.
    sent: VecDeque<Pending>,
    pub questions: VecDeque<Question>,
    decided: Option<(Question, Reply)>,
    pub claims: u64,
    pub fenced: u64,
    pub doubts: u64,
}

impl Node {
    pub fn new(fault: Option<Fault>, rate_percent: u64, wall_off_ms: i64) -> Self {
        Self {
            fault,
            rate_percent,
            wall_off_ms,
            phase: Phase::Watching,
            watch: LapseWatch::default(),
            tenure: Tenure::default(),
            due_ms: 0,
            numbers: 0,
            sent: VecDeque::new(),
            questions: VecDeque::new(),
            decided: None,
            claims: 0,
            fenced: 0,
            doubts: 0,
        }
    }

    /// What its own clock says.
    fn own(&self, now: u64) -> u64 {
        now * self.rate_percent / 100
    }

    fn wall(&self, now: u64) -> i64 {
        i64::try_from(now).unwrap() + self.wall_off_ms
    }

    /// Whether anything but refusals may be told.
    fn leads(&self, now: u64) -> bool {
        self.tenure.holds(self.own(now))
    }

    pub fn tick(&mut self, now: u64) -> Option<Act> {
        let own = self.own(now);
        let overdue = |pending: Pending| own > pending.sent_ms + PATIENCE_MS;
        match self.phase {
            Phase::Watching => self.look_or_renew(now, Request::Look),
            Phase::Claiming { seen, pending } if overdue(pending) => Some(self.claim(own, seen)),
            Phase::Reading { term, pending } if overdue(pending) => Some(self.read(own, term)),
            Phase::Claiming { .. } | Phase::Reading { .. } => None,
            Phase::Leading { .. } => {
                let lease = i64::try_from(TERMS.lease_ms).unwrap();
                let renewal = Request::Renew { until_wall_ms: self.wall(now) + lease };
                self.look_or_renew(now, renewal).or_else(|| self.lead(now))
            }
        }
    }

    fn look_or_renew(&mut self, now: u64, request: Request) -> Option<Act> {
        let own = self.own(now);
        (own >= self.due_ms).then(|| {
            self.due_ms = own + TERMS.renew_ms;
            let pending = self.pending(own);
            self.sent.push_back(pending);
            Act::Send { number: pending.number, request }
        })
    }

    /// Tells what was decided, or decides what was asked.
    fn lead(&mut self, now: u64) -> Option<Act> {
        if let Some((question, reply)) = self.decided.take() {
            let unchecked = self.fault == Some(Fault::RefusalsAfterTheLease) && reply == Reply::SoldOut;
            return Some(match unchecked || self.leads(now) {
                true => Act::Tell { question, reply },
                false => Act::Drop,
            });
        }
        let own = self.own(now);
        let Phase::Leading { behind, available, commit } = self.phase else { return None };
        if let Some((pending, ..)) = commit {
            // Nobody knows what came of it: claim, and only then read.
            return (own > pending.sent_ms + PATIENCE_MS).then(|| {
                self.doubts += 1;
                if self.fault == Some(Fault::ReadsBeforeClaiming) {
                    return self.read(own, behind.term);
                }
                self.claim(own, LeaseLook { term: 0, counter: 0, is_free: false })
            });
        }
        let question = self.questions.pop_front()?;
        let delta = match question.wish {
            Wish::Count => return self.decide(question, Reply::Available(available)),
            Wish::Take if available == 0 => return self.decide(question, Reply::SoldOut),
            Wish::Take => -1,
            Wish::Restock => 1,
        };
        let (pending, block) = (self.pending(own), Block { id: question.id, delta });
        self.phase = Phase::Leading { behind, available, commit: Some((pending, question, block)) };
        Some(Act::Send { number: pending.number, request: Request::Commit { behind, block } })
    }

    /// Told at the next moment, so that a pause fits in between.
    fn decide(&mut self, question: Question, reply: Reply) -> Option<Act> {
        self.decided = Some((question, reply));
        None
    }

    pub fn hear(&mut self, now: u64, number: u64, response: Response) -> Option<Act> {
        let own = self.own(now);
        let sent = self.sent.iter().find(|sent| sent.number == number).copied();
        match (self.phase, response) {
            (Phase::Watching, Response::Look { seen, until_wall_ms }) => {
                let by_wall = self.wall(now) > until_wall_ms + i64::try_from(TERMS.margin_ms).unwrap();
                let lapsed = self.watch.look(seen, own, TERMS);
                let lapsed = if self.fault == Some(Fault::LeaseByTimestamps) { by_wall } else { lapsed };
                lapsed.then(|| self.claim(own, seen))
            }
            (Phase::Claiming { pending, .. }, Response::Claimed(term)) if pending.number == number => {
                self.tenure.renew(pending.sent_ms, TERMS);
                self.claims += 1;
                Some(self.read(own, term))
            }
            (Phase::Reading { term, pending }, Response::Read { behind, available })
                if pending.number == number =>
            {
                self.phase = Phase::Leading { behind: Belief { term, ..behind }, available, commit: None };
                None
            }
            (Phase::Leading { .. }, Response::Renewed) => {
                let counted = if self.fault == Some(Fault::LeaseFromTheAnswer) { Some(own) } else { None };
                if let Some(from) = counted.or(sent.map(|sent| sent.sent_ms)) {
                    self.tenure.renew(from, TERMS);
                }
                None
            }
            (
                Phase::Leading { behind, available, commit: Some((pending, question, block)) },
                Response::Committed,
            ) if pending.number == number => {
                let last_seq = behind.last_seq + 1;
                let digest = behind.digest.next(behind.term, last_seq, last_seq, &block.id.to_be_bytes());
                let behind = Belief { last_seq, digest, ..behind };
                self.phase = Phase::Leading { behind, available: available + block.delta, commit: None };
                self.decide(question, Reply::Accepted)
            }
            (Phase::Claiming { pending, .. }, Response::Fenced) if pending.number == number => {
                self.step_down()
            }
            (Phase::Leading { commit: Some((pending, ..)), .. }, Response::Fenced)
                if pending.number == number =>
            {
                self.step_down()
            }
            (Phase::Leading { .. }, Response::Fenced) if sent.is_some() => self.step_down(),
            // An answer to what nobody waits for any more.
            _ => None,
        }
    }

    fn step_down(&mut self) -> Option<Act> {
        self.fenced += 1;
        self.tenure.end();
        // What was decided in a lead that was lost is not told in the next one.
        if self.fault != Some(Fault::DecisionsOfALostLead) {
            self.decided = None;
        }
        self.watch.forget();
        self.phase = Phase::Watching;
        None
    }

    fn claim(&mut self, own: u64, seen: LeaseLook) -> Act {
        let pending = self.pending(own);
        self.phase = Phase::Claiming { seen, pending };
        Act::Send { number: pending.number, request: Request::Claim { seen } }
    }

    fn read(&mut self, own: u64, term: u32) -> Act {
        let pending = self.pending(own);
        self.phase = Phase::Reading { term, pending };
        Act::Send { number: pending.number, request: Request::Read }
    }

    fn pending(&mut self, own: u64) -> Pending {
        self.numbers += 1;
        while self.sent.len() > 16 {
            self.sent.pop_front();
        }
        Pending { number: self.numbers, sent_ms: own }
    }
}
