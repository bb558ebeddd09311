//! The reference ledger.

use std::collections::BTreeMap;

use domain::ids::ActivityId;
use domain::ledger::{
    Act, Command, Effect, HoldState, HoldView, Key, Limits, Line, LineView, Owner, PoolId, PoolState,
    PoolView, Refusal, Text,
};
use domain::time::{CLOCK_SLACK_MS, Timestamp};

use super::play::Activity;
use super::said::Said;
use super::tickets::{self, Ticket};

/// Expiry may come this much late, never early.
pub const SWEEP_MS: i64 = 64;

/// Everything that ever happened.
#[derive(Clone, Debug)]
pub struct Model {
    pub(super) limits: Limits,
    pub(super) now: Timestamp,
    /// What the clock said last.
    pub(super) clock: Timestamp,
    /// The time of the last change: what a restart remembers of `now`.
    pub(super) changed: Timestamp,
    /// How many changes there were.
    pub(super) changes: u64,
    /// All rounds of each pool, the first one first.
    pub(super) pools: BTreeMap<PoolId, Vec<Round>>,
    /// What was accepted, under the id it was accepted by.
    pub(super) accepted: BTreeMap<Key, Accepted>,
    /// All rounds of each activity, the first one first.
    pub(super) activities: BTreeMap<ActivityId, Vec<Activity>>,
    /// Nobody plays.
    pub(super) halted: bool,
    /// Ids that finished, each with the change that finished it, in order.
    pub(super) finished: Vec<(u64, Key)>,
    /// How many of those the ledger no longer has in memory.
    pub(super) left: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Round {
    pub(super) state: PoolState,
    pub(super) owner_max: u32,
    /// The first stock and every change to it.
    pub(super) stock: Vec<i128>,
}

#[derive(Clone, Debug)]
pub(super) enum Accepted {
    /// What a directive did.
    Act(Act),
    Hold(Hold),
    Ticket(Ticket),
    /// Cancelled before it arrived.
    Spent {
        caller: i64,
    },
}

#[derive(Clone, Debug)]
pub(super) struct Hold {
    /// As it was asked for.
    pub(super) asked: Asked,
    pub(super) made: Timestamp,
    pub(super) due: Timestamp,
    /// Pool by pool: in which round, how many, and how many of them were confirmed.
    pub(super) lines: Vec<LineView>,
    pub(super) state: HoldState,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) owner: Option<Text>,
    pub(super) lines: Vec<Line>,
    pub(super) ttl_ms: i64,
    /// That had to be running.
    pub(super) activities: Vec<ActivityId>,
}

pub(super) type Verdict = Result<Said, Refusal>;

impl Model {
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            now: Timestamp(0),
            clock: Timestamp(0),
            changed: Timestamp(0),
            changes: 0,
            pools: BTreeMap::new(),
            accepted: BTreeMap::new(),
            activities: BTreeMap::new(),
            halted: false,
            finished: Vec::new(),
            left: 0,
        }
    }

    /// What the ledger must say. [`Command::ExpireOne`] goes to [`Model::expire`].
    ///
    /// # Panics
    /// On [`Command::ExpireOne`].
    pub fn apply(&mut self, clock: Timestamp, command: &Command) -> Said {
        self.wait(clock);
        let verdict = match command {
            Command::Direct(directive) => self.direct(directive),
            Command::Reserve { key, owner, lines, ttl_ms, gates, id: _, caller: _ } => {
                let owner = owner.as_ref().map(|owner: &Owner| owner.text.clone());
                let activities = gates.iter().map(|gate| gate.activity).collect();
                self.reserve(*key, Asked { owner, lines: lines.clone(), ttl_ms: *ttl_ms, activities }, gates)
            }
            Command::Confirm { hold, take } => self.confirm(*hold, take),
            Command::Cancel { hold, caller, id: _ } => self.cancel(*hold, *caller),
            Command::Extend { hold, until } => self.extend(*hold, *until),
            Command::Draw(draw) => self.draw(draw),
            Command::Enter { key, activity, round, user, entries, day } => {
                let asked = tickets::Asked::Enter { activity: *activity, user: *user, entries: *entries };
                self.enter(*key, asked, *round, *day)
            }
            Command::ExpireOne => panic!("which hold expires is told, not asked"),
        };
        verdict.unwrap_or_else(Said::Refused)
    }

    /// The ledger says it expired this hold, or that nothing is over. May it?
    pub fn expire(&mut self, clock: Timestamp, chosen: Option<Key>) -> Result<Said, String> {
        self.wait(clock);
        let Some(key) = chosen else {
            return match self.overdue().first() {
                Some(key) => Err(format!("nothing was said to be over, but {key:?} is")),
                None => Ok(Said::Refused(Refusal::NothingDue)),
            };
        };
        let Some(hold) = self.open_hold(key) else { return Err(format!("{key:?} is no open hold")) };
        if self.now < hold.due {
            return Err(format!("{key:?} expired at {}, before {}", self.now.0, hold.due.0));
        }
        let due = hold.due;
        if let Some(first) = self.open_holds().map(|(_, hold)| hold.due).min()
            && first + SWEEP_MS <= due
        {
            return Err(format!("{key:?} expired before one that was over at {}", first.0));
        }
        self.end(key, HoldState::Expired);
        Ok(Said::Accepted(self.hold_outcome(key)))
    }

    /// Open holds that must have been swept by now.
    pub fn overdue(&self) -> Vec<Key> {
        let over = |hold: &Hold| hold.due + SWEEP_MS <= self.now;
        self.open_holds().filter(|(_, hold)| over(hold)).map(|(key, _)| key).collect()
    }

    /// Time passes and nothing is asked.
    pub fn wait(&mut self, clock: Timestamp) {
        self.now = self.now.max(clock);
        self.clock = clock;
    }

    /// The clock was ahead and has been put right: the time is what it says.
    pub fn put_back(&mut self, clock: Timestamp) {
        (self.now, self.clock) = (clock, clock);
        self.count();
    }

    /// A hold whose time is over ends, before anybody is told of it.
    pub fn end_due(&mut self, clock: Timestamp, key: Key) -> bool {
        self.wait(clock);
        let over = self.open_hold(key).is_some_and(|hold| self.now >= hold.due);
        if over {
            self.end(key, HoldState::Expired);
        }
        over
    }

    /// Nothing new is begun while the clock is behind by more than it may be.
    pub(super) fn clock_right(&self) -> Result<(), Refusal> {
        let behind_ms = self.now.0 - self.clock.0;
        if behind_ms > CLOCK_SLACK_MS { Err(Refusal::ClockBehind { behind_ms }) } else { Ok(()) }
    }

    /// A new life that has read everything back: of time only what was written down is left.
    pub fn restart(&mut self, clock: Timestamp) {
        self.now = self.changed.max(clock);
        self.clock = clock;
        self.left = 0;
        self.count();
    }

    /// What finished up to change number `projected` leaves the ledger's memory, at most `limit` of it.
    pub fn forget(&mut self, projected: u64, limit: usize) -> usize {
        let may = self.finished[self.left..].iter().filter(|(at, _)| *at <= projected).count().min(limit);
        self.left += may;
        may
    }

    /// Whether an id has left the ledger's memory, so that the database must be asked.
    pub fn has_left(&self, key: Key) -> bool {
        self.finished[..self.left].iter().any(|(_, gone)| *gone == key)
    }

    /// Whether an id that shares this one's fingerprint has left memory.
    pub fn looks_left(&self, key: Key) -> bool {
        self.finished[..self.left].iter().any(|(_, gone)| gone.fingerprint() == key.fingerprint())
    }

    pub fn now(&self) -> Timestamp {
        self.now
    }

    pub fn changes(&self) -> u64 {
        self.changes
    }

    pub fn pool(&self, pool: PoolId) -> Option<PoolView> {
        let rounds = self.pools.get(&pool)?;
        Some(self.view(pool, rounds.len()))
    }

    pub fn hold(&self, key: Key) -> Option<HoldView> {
        match self.accepted.get(&key)? {
            Accepted::Hold(hold) => Some(view(key, hold)),
            // Of one that was cancelled before it arrived, only that.
            Accepted::Spent { .. } => {
                let (state, nothing) = (HoldState::Cancelled, Timestamp(0));
                Some(HoldView { key, state, made: nothing, due: nothing, lines: Vec::new().into() })
            }
            Accepted::Act(_) | Accepted::Ticket(_) => None,
        }
    }

    pub(super) fn end(&mut self, key: Key, how: HoldState) {
        if let Some(Accepted::Hold(hold)) = self.accepted.get_mut(&key) {
            hold.state = how;
        }
        self.count();
        self.finished.push((self.changes, key));
    }

    pub(super) fn count(&mut self) {
        self.changes += 1;
        self.changed = self.now;
    }

    pub(super) fn holds(&self) -> impl Iterator<Item = (Key, &Hold)> {
        self.accepted.iter().filter_map(|(key, accepted)| match accepted {
            Accepted::Hold(hold) => Some((*key, hold)),
            Accepted::Act(_) | Accepted::Ticket(_) | Accepted::Spent { .. } => None,
        })
    }

    pub(super) fn open_holds(&self) -> impl Iterator<Item = (Key, &Hold)> {
        self.holds().filter(|(_, hold)| hold.state == HoldState::Held)
    }

    pub(super) fn open_hold(&self, key: Key) -> Option<&Hold> {
        self.open_holds().find(|(open, _)| *open == key).map(|(_, hold)| hold)
    }

    pub(super) fn hold_outcome(&self, key: Key) -> Effect {
        Effect::Hold(self.hold(key).expect("a hold"))
    }
}

fn view(key: Key, hold: &Hold) -> HoldView {
    HoldView { key, state: hold.state, made: hold.made, due: hold.due, lines: hold.lines.clone().into() }
}

pub(super) fn small(units: u64) -> u32 {
    u32::try_from(units).expect("checked against a limit before")
}
