//! Listens to what clients are told and compares it with what the journal says, then and ever after.
//!
//! It knows nothing of the ledger's memory, of blocks or of the disk: only requests, answers and the surviving events.

use std::collections::BTreeMap;

use domain::ledger::play::{PlayOutcome, TicketView};
use domain::ledger::{Answer, Command, Effect, Event, HoldRefusal, HoldState, HoldView, Key, Refusal};

use super::truth::{Complaint, End, Truth};

#[derive(Default)]
pub struct Auditor {
    asked: Vec<Command>,
    /// Events that somebody was told of.
    acknowledged: BTreeMap<u64, Event>,
    /// Other things somebody was told and may rely on.
    claims: Vec<(Key, Claim)>,
    /// Commands that were answered with a yes.
    granted: Vec<Command>,
    pub told: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Claim {
    /// Something was accepted under this id.
    Known,
    Confirmed,
    Cancelled,
    Expired,
    Hold(HoldView),
    Ticket(TicketView),
}

impl Auditor {
    pub fn asked(&mut self, command: &Command) {
        if !self.asked.contains(command) {
            self.asked.push(command.clone());
        }
    }

    /// A client hears an answer.
    pub fn told(&mut self, command: &Command, answer: &Answer) -> Result<(), Complaint> {
        self.told += 1;
        match answer {
            Answer::Accepted { event, .. } => {
                if let Some(before) = self.acknowledged.insert(event.seq, event.clone())
                    && before != *event
                {
                    return Err(format!("two things happened at once: {before:?} and {event:?}"));
                }
                self.granted(command);
            }
            Answer::Replayed(outcome) => {
                self.claim(command, outcome);
                self.granted(command);
            }
            Answer::Refused(refusal) => {
                let fickle = matches!(command, Command::Extend { .. } | Command::Cancel { .. });
                if !fickle && self.granted.contains(command) {
                    return Err(format!("{command:?} was granted before and is now refused: {refusal:?}"));
                }
                self.claim_refused(command, refusal);
            }
            Answer::LookUp => return Err(format!("{command:?} was answered with a question")),
        }
        Ok(())
    }

    fn granted(&mut self, command: &Command) {
        if !self.granted.contains(command) {
            self.granted.push(command.clone());
        }
    }

    fn claim(&mut self, command: &Command, outcome: &Effect) {
        let claim = match (command, outcome) {
            (_, Effect::Hold(view)) => Claim::Hold(view.clone()),
            (_, Effect::Play(PlayOutcome::Ticket { ticket, .. })) => Claim::Ticket(ticket.clone()),
            (_, Effect::Pool(_) | Effect::Play(_)) => Claim::Known,
        };
        self.claims.extend(command.key().map(|key| (key, claim)));
    }

    /// A refusal is no promise, unless it tells of an outcome.
    fn claim_refused(&mut self, command: &Command, refusal: &Refusal) {
        let claim = match refusal {
            Refusal::Conflict => Claim::Known,
            Refusal::Hold(HoldRefusal::AlreadyConfirmed) => Claim::Confirmed,
            Refusal::Hold(HoldRefusal::AlreadyCancelled) => Claim::Cancelled,
            Refusal::Hold(HoldRefusal::Expired) => Claim::Expired,
            _ => return,
        };
        self.claims.extend(command.key().map(|key| (key, claim)));
    }

    /// After a crash and at the end: the journal keeps every rule, and everything anybody was told.
    pub fn examine(&self, events: &[Event]) -> Result<Truth, Complaint> {
        let truth = Truth::of(events)?;
        for (seq, event) in &self.acknowledged {
            let there = usize::try_from(seq - 1).ok().and_then(|at| events.get(at));
            if there != Some(event) {
                return Err(format!("told and gone: {event:?}\nin its place: {there:?}"));
            }
        }
        for (key, claim) in &self.claims {
            if !truth.bears(*key, claim) {
                return Err(format!("told and not so: {key:?} {claim:?}"));
            }
        }
        for key in truth.holds.keys() {
            let asked = self
                .asked
                .iter()
                .any(|command| matches!(command, Command::Reserve { .. }) && command.key() == Some(*key));
            if !asked {
                return Err(format!("nobody asked for {key:?}"));
            }
        }
        Ok(truth)
    }

    /// Reservations and tickets that were granted, to be asked for again.
    pub fn granted_ids(&self) -> impl Iterator<Item = &Command> {
        let lasting = |command: &&Command| {
            matches!(command, Command::Reserve { .. } | Command::Draw(_) | Command::Enter { .. })
        };
        self.granted.iter().filter(lasting)
    }
}

impl Truth {
    fn bears(&self, key: Key, claim: &Claim) -> bool {
        let end = self.holds.get(&key).and_then(|hold| hold.end.as_ref());
        match claim {
            Claim::Known => self.ids.contains(&key),
            Claim::Confirmed => matches!(end, Some(End::Confirmed(_))),
            Claim::Cancelled => end == Some(&End::Cancelled) || self.spent.contains(&key),
            Claim::Expired => end == Some(&End::Expired),
            Claim::Hold(view) => self.bears_view(key, view),
            Claim::Ticket(view) => self.bears_ticket(view),
        }
    }

    /// What was seen of a hold: an open one may have ended since, an ended one stays as it ended.
    fn bears_view(&self, key: Key, view: &HoldView) -> bool {
        let Some(hold) = self.holds.get(&key) else { return false };
        let lines = view.lines.iter().map(|line| (line.pool, line.round, line.units));
        let same = hold.made == view.made
            && lines.eq(hold.lines.iter().map(|line| (line.pool, line.round, line.quantity.units())));
        let taken = || view.lines.iter().map(|line| line.taken).collect();
        same && match view.state {
            HoldState::Held => true,
            HoldState::Confirmed => hold.end == Some(End::Confirmed(taken())),
            HoldState::Cancelled => hold.end == Some(End::Cancelled),
            HoldState::Expired => hold.end == Some(End::Expired),
        }
    }
}
