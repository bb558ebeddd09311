//! The ledger itself: its state, its one door [`Ledger::apply`], and forgetting what has been projected.

use std::collections::{HashMap, VecDeque};
use std::hash::BuildHasherDefault;
use std::hint::black_box;

use hashbrown::HashTable;

use super::command::{Command, Key, PoolId};
use super::decide::{Decision, decide};
use super::directive::{Act, Subject};
use super::due::DueIndex;
use super::event::{Change, Event};
use super::filter::Filter;
use super::fold::fold;
use super::play::desk::{Changed, Watch, prepare};
use super::play::{Activity, PlayOutcome};
use super::record::{DigestHasher, Hold, HoldEnd, HoldView, Pool, PoolView, Record};
use super::refusal::Refusal;
use super::slab::{Slab, Slot};
use crate::ids::ActivityId;
use crate::time::{DAY_MS, Timestamp};

/// The largest total a pool may have: far below what an integer holds, so that sums never overflow.
pub const TOTAL_MAX: u64 = 1 << 50;
/// The most units of one pool that one owner may have where the pool sets no limit: what is counted per owner fits.
pub const OWNER_UNITS_MAX: u32 = u32::MAX;

/// Bounds on what one command may ask for.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub lines_max: u32,
    pub ttl_min_ms: i64,
    pub ttl_max_ms: i64,
    /// From its beginning to its last extension.
    pub life_max_ms: i64,
    /// Cancellations of holds that never arrived, per caller, not yet projected.
    pub tombstones_max: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            lines_max: 100,
            ttl_min_ms: 100,
            ttl_max_ms: 7 * DAY_MS,
            life_max_ms: 30 * DAY_MS,
            tombstones_max: 10_000,
        }
    }
}

/// What a command came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Decided now; the event must be durable before anybody hears of it.
    Accepted { event: Event, outcome: Effect },
    /// Accepted before; the same again.
    Replayed(Effect),
    /// No, and nothing happened.
    Refused(Refusal),
    /// The id looks like one that has left memory: ask the database, then come again with what it said.
    LookUp,
}

/// What an accepted command is about, as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    Pool(PoolView),
    Hold(HoldView),
    Play(PlayOutcome),
}

#[derive(Clone, Debug, Default)]
pub struct Ledger {
    pub(super) limits: Limits,
    pub(super) term: u32,
    /// The last event's number; the first event has number 1.
    pub(super) seq: u64,
    pub(super) now: Timestamp,
    /// By how much the clock was behind `now` when it was last looked at.
    pub(super) behind_ms: i64,
    pub(super) pools: Slab<Pool>,
    /// The current round of each pool.
    pub(super) current: HashMap<PoolId, Slot, BuildHasherDefault<DigestHasher>>,
    /// Rounds of activities, and the current one of each.
    pub(super) activities: Slab<Activity>,
    pub(super) running: HashMap<ActivityId, Slot, BuildHasherDefault<DigestHasher>>,
    /// Nobody plays.
    pub(super) halted: bool,
    /// Pools that a shelf counts on and that changed since it looked; and those it would count on if they were there.
    pub(super) changed: Vec<Changed>,
    pub(super) wanted: HashMap<PoolId, Watch, BuildHasherDefault<DigestHasher>>,
    pub(super) records: Slab<Record>,
    /// Where the record of a key is. Beside each slot a part of its key, so that neither a look at the wrong place nor
    /// growing has to fetch the record.
    pub(super) by_key: HashTable<(u32, Slot)>,
    pub(super) due: DueIndex,
    /// Finished records in the order they finished, waiting to be projected.
    pub(super) finished: VecDeque<(u64, Slot)>,
    pub(super) filter: Filter,
    /// Records finished up to here have left memory.
    pub(super) forgotten: u64,
    pub(super) tombstones: HashMap<i64, u32, BuildHasherDefault<DigestHasher>>,
}

impl Ledger {
    pub fn new(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Decides one command at one moment and, if it is accepted, carries it out in memory.
    pub fn apply(&mut self, clock: Timestamp, command: &Command) -> Answer {
        self.apply_after_look_up(clock, command, None)
    }

    /// The second try after [`Answer::LookUp`]: the database, at the position `absent_at`, has never heard of the id.
    pub fn apply_after_look_up(
        &mut self,
        clock: Timestamp,
        command: &Command,
        absent_at: Option<u64>,
    ) -> Answer {
        self.looks_at(clock);
        if let Command::Draw(draw) = command {
            prepare(self, draw);
        }
        match decide(self, command, absent_at) {
            Decision::Accept(change) => {
                let (route, round) = self.route(&change);
                let event = Event { seq: self.seq + 1, term: self.term, at: self.now, route, round, change };
                let outcome = self.fold(&event);
                match outcome {
                    Some(outcome) => Answer::Accepted { event, outcome },
                    None => unreachable!("every decided change is about a pool or a hold"),
                }
            }
            Decision::Replay(outcome) => Answer::Replayed(outcome),
            Decision::Refuse(refusal) => Answer::Refused(refusal),
            Decision::LookUp => Answer::LookUp,
        }
    }

    /// Ends a hold whose time is over at this moment, if it is one. Whoever is about to tell that it is over calls this
    /// first and keeps the event: what was told stays so, whatever the clock says after a restart.
    pub fn end_due(&mut self, clock: Timestamp, key: Key) -> Option<Event> {
        self.looks_at(clock);
        if !self.due.may_be_over(self.now) {
            return None;
        }
        let slot = self.find(key)?;
        let Record::Hold(Hold { end: HoldEnd::Open { .. }, due, made_seq, .. }) = self.records[slot] else {
            return None;
        };
        (self.now >= due).then(|| self.happens(Change::Expired { hold: key, made_seq }))
    }

    /// The clock was ahead and has been put right: the ledger follows it back. Only what was decided meanwhile stays.
    pub fn put_back(&mut self, clock: Timestamp) -> Event {
        let (seq, term, change) = (self.seq + 1, self.term, Change::ClockPutBack);
        let event = Event { seq, term, at: clock, route: PoolId(0), round: 0, change };
        self.fold(&event);
        self.behind_ms = 0;
        event
    }

    fn looks_at(&mut self, clock: Timestamp) {
        self.now = self.now.max(clock);
        self.behind_ms = self.now.since_ms(clock);
    }

    /// An event of this moment, carried out.
    fn happens(&mut self, change: Change) -> Event {
        let (route, round) = self.route(&change);
        let event = Event { seq: self.seq + 1, term: self.term, at: self.now, route, round, change };
        self.fold(&event);
        event
    }

    /// Looks at the places in memory that these commands will need, and forgets what it saw. Here the processor fetches
    /// several of them side by side; deciding would wait for one after the other. Changes nothing.
    pub fn look_ahead<'c>(&self, commands: impl IntoIterator<Item = &'c Command>) {
        for command in commands {
            if let Some(key) = command.key() {
                black_box(self.by_key.find(hash(key), |(of, _)| *of == part(key)));
                black_box(self.filter.contains(key.fingerprint()));
            }
            if let Command::Reserve { owner: Some(owner), lines, .. } = command {
                for slot in lines.iter().filter_map(|line| self.current.get(&line.pool)) {
                    black_box(self.pools[*slot].owners.get(&owner.id.get()));
                }
            }
            if let Command::Draw(draw) = command {
                let player = self.activity(draw.activity).and_then(|found| found.players.get(&draw.user.0));
                black_box(player.map(|player| player.account.draws));
            }
        }
    }

    /// Takes over a shard: what is decided from now on carries the next term.
    pub fn begin_term(&mut self, clock: Timestamp) -> Event {
        self.begin_claimed_term(self.term + 1, clock)
    }

    /// The same in the term that a claim of the log gave.
    pub fn begin_claimed_term(&mut self, term: u32, clock: Timestamp) -> Event {
        assert!(term > self.term, "a claim raises the term");
        self.looks_at(clock);
        let (seq, change) = (self.seq + 1, Change::TermBegan);
        let event = Event { seq, term, at: self.now, route: PoolId(0), round: 0, change };
        self.fold(&event);
        event
    }

    fn route(&self, change: &Change) -> (PoolId, u32) {
        match change {
            Change::TermBegan | Change::ClockPutBack | Change::Spent { .. } => (PoolId(0), 0),
            Change::Directed { act, .. } => self.route_act(act),
            Change::Reserved { lines, .. } => {
                lines.first().map_or((PoolId(0), 0), |line| (line.pool, line.round))
            }
            Change::Confirmed { hold, .. }
            | Change::Cancelled { hold, .. }
            | Change::Extended { hold, .. }
            | Change::Expired { hold, .. } => self.hold_route(*hold).unwrap_or((PoolId(0), 0)),
            Change::Drawn(drawing) => self.route_activity(drawing.taking.activity, None),
            Change::Entered(taking) => self.route_activity(taking.activity, None),
        }
    }

    /// What an act is about, and its round: the one that it opens, or the current one.
    fn route_act(&self, act: &Act) -> (PoolId, u32) {
        let opened = act.opened_round();
        match act.subject() {
            Subject::Pool(pool) => {
                let now = self.current.get(&pool).map_or(0, |slot| self.pools[*slot].round);
                (pool, opened.unwrap_or(now))
            }
            Subject::Activity(activity) | Subject::Chances(activity, _) => {
                self.route_activity(activity, opened)
            }
            Subject::Everything => (PoolId(0), 0),
        }
    }

    /// An activity goes by its number.
    fn route_activity(&self, activity: ActivityId, opened: Option<u32>) -> (PoolId, u32) {
        let now = self.activity(activity).map_or(0, |activity| activity.round);
        (PoolId(activity.0), opened.unwrap_or(now))
    }

    /// The first pool of a hold, and its round.
    fn hold_route(&self, key: Key) -> Option<(PoolId, u32)> {
        let Record::Hold(hold) = &self.records[self.find(key)?] else { return None };
        let pool = &self.pools[hold.lines.as_slice().first()?.pool];
        Some((pool.id, pool.round))
    }

    /// Carries out what was decided, now or before a restart. Events come in order, without a gap.
    pub fn fold(&mut self, event: &Event) -> Option<Effect> {
        assert_eq!(event.seq, self.seq + 1, "events fold in order and without a gap");
        self.seq = event.seq;
        self.term = event.term;
        self.now = match event.change {
            Change::ClockPutBack => event.at,
            _ => self.now.max(event.at),
        };
        fold(self, event)
    }

    /// Lets go of what finished at or before `projected`, at most `limit` records at a time; only their fingerprints
    /// stay. Answers how many went.
    pub fn forget(&mut self, projected: u64, limit: usize) -> usize {
        let mut gone = 0;
        while gone < limit
            && let Some((seq, slot)) = self.finished.front().copied()
            && seq <= projected
        {
            self.finished.pop_front();
            self.forget_one(slot);
            self.forgotten = seq;
            gone += 1;
        }
        gone
    }

    fn forget_one(&mut self, slot: Slot) {
        let record = self.records.remove(slot);
        let key = record.key();
        if let Ok(entry) = self.by_key.find_entry(hash(key), |(_, other)| *other == slot) {
            entry.remove();
        }
        self.filter.insert(key.fingerprint());
        match record {
            Record::Hold(hold) => {
                for line in hold.lines.as_slice() {
                    self.release(line.pool);
                }
            }
            Record::Tombstone { caller, .. } => {
                if let Some(count) = self.tombstones.get_mut(&caller) {
                    *count -= 1;
                    if *count == 0 {
                        self.tombstones.remove(&caller);
                    }
                }
            }
            Record::Ticket(ticket) => self.release_activity(ticket.activity),
            Record::Directive { .. } => {}
        }
    }

    /// One record fewer names this round; an old round that nobody names goes.
    pub(super) fn release(&mut self, slot: Slot) {
        let pool = &mut self.pools[slot];
        pool.refs -= 1;
        if pool.refs == 0 && self.current.get(&pool.id) != Some(&slot) {
            assert_eq!(pool.held, 0, "a round that nobody names holds nothing");
            self.pools.remove(slot);
        }
    }

    fn release_activity(&mut self, slot: Slot) {
        let activity = &mut self.activities[slot];
        activity.refs -= 1;
        if activity.refs == 0 && self.running.get(&activity.id) != Some(&slot) {
            self.activities.remove(slot);
        }
    }
}

/// A part of a key that is not in its fingerprint: the table and the filter should not share their collisions.
#[expect(clippy::cast_possible_truncation, reason = "the lowest bits are what is wanted")]
pub(super) fn part(key: Key) -> u32 {
    key.0 as u32
}

pub(super) fn hash(key: Key) -> u64 {
    spread(part(key))
}

/// The table looks at the highest bits and at the lowest.
pub(super) fn spread(part: u32) -> u64 {
    u64::from(part).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
