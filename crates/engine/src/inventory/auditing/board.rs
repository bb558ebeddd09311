//! What the passes came to: the last whole one, the last one that somebody asked for, and what has been told already.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use domain::ledger::audit::{BookRow, Difference, What};
use domain::time::Timestamp;

use crate::inventory::auditing::LISTED_MAX;

/// One walk over everything, finished or under way.
#[derive(Clone, Debug, Default)]
pub struct Pass {
    pub number: u64,
    /// Whether rows that differ are corrected.
    pub fix: bool,
    pub started: Timestamp,
    pub finished: Option<Timestamp>,
    /// Why it did not come to its end, if so.
    pub gave_up: Option<String>,
    pub slices: u64,
    /// Rows looked at, by what they are.
    pub checked: BTreeMap<&'static str, u64>,
    pub found: u64,
    pub corrected: u64,
    /// When the oldest open hold that it came by was made.
    pub oldest_hold: Option<Timestamp>,
    /// Units by which counters of the database are off, those that were corrected left out.
    pub units_off: u64,
    /// The first of them, each with whether it was corrected.
    pub differences: Vec<(Difference, bool)>,
}

impl Pass {
    pub fn is_whole(&self) -> bool {
        self.finished.is_some() && self.gave_up.is_none()
    }

    /// Differences that are still there.
    pub fn left(&self) -> u64 {
        self.found - self.corrected
    }
}

#[derive(Debug, Default)]
pub struct Audits(Mutex<Board>);

#[derive(Debug, Default)]
struct Board {
    numbers: u64,
    whole: Option<Pass>,
    asked: Option<Pass>,
    /// What has been told, so that it is told once.
    told: HashSet<(What, BookRow)>,
    /// Passes asked for that have ended: what another pass saw before that may be over.
    asked_ended: u64,
}

impl Audits {
    /// The last pass that came to its end.
    pub fn whole(&self) -> Option<Pass> {
        self.lock().whole.clone()
    }

    /// The last pass that somebody asked for; it may be under way.
    pub fn asked(&self) -> Option<Pass> {
        self.lock().asked.clone()
    }

    pub(crate) fn begin(&self, started: Timestamp, fix: bool) -> Pass {
        let mut board = self.lock();
        board.numbers += 1;
        Pass { number: board.numbers, fix, started, ..Pass::default() }
    }

    /// Begins a pass that somebody asked for, unless one is under way.
    pub fn begin_asked(&self, started: Timestamp, fix: bool) -> Option<Pass> {
        let running = self.lock().asked.as_ref().is_some_and(|pass| pass.finished.is_none());
        if running {
            return None;
        }
        let pass = self.begin(started, fix);
        self.lock().asked = Some(pass.clone());
        Some(pass)
    }

    /// A pass that was asked for has come further.
    pub(crate) fn further(&self, pass: &Pass) {
        let mut board = self.lock();
        if board.asked.as_ref().is_some_and(|asked| asked.number == pass.number) {
            board.asked_ended += u64::from(pass.finished.is_some());
            board.asked = Some(pass.clone());
        }
    }

    /// A pass that nobody runs any more, whatever the cause.
    pub(crate) fn abandon(&self, number: u64) {
        let mut board = self.lock();
        if let Some(asked) = &mut board.asked
            && asked.number == number
            && asked.finished.is_none()
        {
            asked.finished = Some(asked.started);
            asked.gave_up = Some("it was broken off".to_owned());
        }
    }

    pub(crate) fn asked_ended(&self) -> u64 {
        self.lock().asked_ended
    }

    pub(crate) fn finished(&self, pass: &Pass) {
        self.further(pass);
        let mut board = self.lock();
        if pass.is_whole() {
            let left = pass.differences.iter().filter(|(_, corrected)| !corrected);
            board.told = left.map(|(found, _)| (found.what, found.row)).collect();
            board.whole = Some(pass.clone());
        }
    }

    /// Whether a difference has not been told yet; from now on it has.
    pub(crate) fn is_news(&self, found: &Difference) -> bool {
        let mut board = self.lock();
        board.told.len() < LISTED_MAX && board.told.insert((found.what, found.row))
    }

    fn lock(&self) -> MutexGuard<'_, Board> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
