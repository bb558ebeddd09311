//! The projection: follows the journal at its own pace, knows every id it has seen, and is what a restart loads.

use std::collections::BTreeSet;

use domain::ledger::play::Taking;
use domain::ledger::{Answer, Change, Command, Event, Key, Ledger, Limits};
use domain::time::Timestamp;

pub struct Database {
    /// Everything up to its position, with nothing left out.
    all: Ledger,
    ids: BTreeSet<Key>,
}

impl Database {
    pub fn new(limits: Limits) -> Self {
        Self { all: Ledger::new(limits), ids: BTreeSet::new() }
    }

    pub fn position(&self) -> u64 {
        self.all.seq()
    }

    /// Rows and position in one transaction: all of it or nothing.
    pub fn project(&mut self, event: &Event) {
        self.all.fold(event);
        match &event.change {
            Change::Directed { key, .. }
            | Change::Reserved { key, .. }
            | Change::Entered(Taking { key, .. })
            | Change::Spent { hold: key, .. } => {
                self.ids.insert(*key);
            }
            Change::TermBegan
            | Change::ClockPutBack
            | Change::Confirmed { .. }
            | Change::Cancelled { .. }
            | Change::Extended { .. }
            | Change::Expired { .. } => {}
            Change::Drawn(drawing) => {
                self.ids.insert(drawing.taking.key);
            }
        }
    }

    /// What was answered under this id, or that it was never heard of.
    pub fn look_up(&self, command: &Command) -> Option<Answer> {
        command.key().filter(|key| self.ids.contains(key))?;
        Some(self.all.clone().apply(Timestamp(0), command))
    }

    /// The ledger at this position as it is loaded: what has finished is only an id.
    pub fn load(&self) -> Ledger {
        let mut ledger = self.all.clone();
        ledger.forget(self.position(), usize::MAX);
        ledger
    }
}
